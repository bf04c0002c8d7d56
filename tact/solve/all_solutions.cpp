// solve/all_solutions.cpp - depth first through the joint modes, a proof for every branch cut off.
#include "tact/solve/all_solutions.hpp"

#include <algorithm>
#include <numeric>

#include "tact/solve/force_range.hpp"
#include "tact/solve/sliding_box.hpp"
#include "tact/solve/solution_piece.hpp"

namespace tact {
namespace {

using End = ProofNode::End;
using Kind = UnitMode::Kind;

class Search {
 public:
  Search(const ExactProblem& p, const AllSolutionsOptions& options)
      : p_(p), options_(options), choice_(p.units.size()) {}

  AllSolutions run() {
    out_.proof.emplace_back();
    visit(0, 1);
    if (given_up_) {
      out_.status = AllSolutions::Status::too_large;
      out_.estimate = static_cast<double>(out_.proof.size()) / std::max(done_, tolerance::smallest);
      out_.pieces.clear();
      return std::move(out_);
    }
    out_.status =
        out_.undecided > 0 ? AllSolutions::Status::undecided : AllSolutions::Status::complete;
    connect();
    return std::move(out_);
  }

 private:
  /// `share` of the whole search is below this node, as far as one can tell.
  void visit(Index node, double share) {
    if (given_up_) return;
    if (static_cast<Index>(out_.proof.size()) > options_.max_nodes) {
      given_up_ = true;
      return;
    }
    constexpr Index coarse = 8;
    out_.proof[node].rim = coarse;
    const PieceSystem modes = mode_system(p_, choice_, {coarse, false});
    ExactVerdict verdict = decide(modes.system);
    if (!verdict.feasible) {
      refute(node, verdict);
      done_ += share;
    } else if (const Index unit = next_unit(modes, verdict.point); unit >= 0) {
      branch(node, unit, modes_of(p_.units[unit]), share);
    } else {
      settle(node, modes, verdict.point, share);
    }
  }

  void refute(Index node, const ExactVerdict& verdict) {
    out_.proof[node].end = End::refuted;
    out_.proof[node].multipliers = as_terms(verdict.multipliers);
    ++out_.certificates;
  }

  void branch(Index node, Index unit, const std::vector<UnitMode>& modes, double share) {
    out_.proof[node].end = End::branch;
    out_.proof[node].branching = unit;
    const auto before = choice_[unit];
    for (const UnitMode& mode : modes) {
      const auto child = static_cast<Index>(out_.proof.size());
      out_.proof[node].children.push_back(child);
      ProofNode below;
      below.unit = unit;
      below.mode = mode;
      out_.proof.push_back(std::move(below));
      choice_[unit] = mode;
      visit(child, share / static_cast<double>(modes.size()));
      if (given_up_) break;
    }
    choice_[unit] = before;
  }

  /// The first unit without a mode whose law the point breaks, or else the first without a mode.
  [[nodiscard]] Index next_unit(const PieceSystem& modes, const ExactVector& point) const {
    const std::vector<bool> loaded = loaded_units(p_, modes, point);
    const ExactVector u = motion_of(p_, load_of(p_, modes, point));
    Index first = -1;
    for (std::size_t i = 0; i < p_.units.size(); ++i) {
      if (choice_[i]) continue;
      if (first < 0) first = static_cast<Index>(i);
      const auto own = u.begin() + p_.units[i].at;
      const bool moves =
          std::any_of(own, own + p_.units[i].rows, [](const Exact& x) { return sgn(x) != 0; });
      if (loaded[i] && moves) return static_cast<Index>(i);
    }
    return first;
  }

  /// All units have a mode, and the conditions (of sectors: their enclosure) can be met.
  void settle(Index node, const PieceSystem& modes, const ExactVector& point, double share) {
    Index widest = -1;
    bool round = false;
    for (std::size_t i = 0; i < choice_.size(); ++i) {
      if (p_.units[i].round && choice_[i]->kind == Kind::face) round = true;
      if (choice_[i]->kind != Kind::sector) continue;
      if (widest < 0 || sector_width(*choice_[i]) > sector_width(*choice_[widest]))
        widest = static_cast<Index>(i);
    }
    if (widest >= 0) return settle_sliding(node, widest, share);
    done_ += share;
    if (round) return settle_round(node);
    add_piece(node, described(choice_, modes, modes, point));
  }

  [[nodiscard]] SolutionPiece described(const ModeChoice& choice, const PieceSystem& modes,
                                        const PieceSystem& around, const ExactVector& point) const {
    return describe_piece(p_, choice, modes, around, point, options_.max_vertices);
  }

  void add_piece(Index node, SolutionPiece piece, End end = End::solution) {
    out_.proof[node].end = end;
    out_.proof[node].piece = static_cast<Index>(out_.pieces.size());
    out_.pieces.push_back(std::move(piece));
  }

  /// Sticking discs: a polygon inside that works, or one outside that does not.
  void settle_round(Index node) {
    for (const Index rim : {8, 32, 128}) {
      out_.proof[node].rim = rim;
      const PieceSystem outside = mode_system(p_, choice_, {rim, false});
      if (const ExactVerdict verdict = decide(outside.system); !verdict.feasible)
        return refute(node, verdict);
      const PieceSystem inside = mode_system(p_, choice_, {rim, true});
      if (const ExactVerdict verdict = decide(inside.system); verdict.feasible)
        return add_piece(node, described(choice_, inside, outside, verdict.point));
    }
    undecided(node);
  }

  void undecided(Index node) {
    out_.proof[node].end = End::undecided;
    ++out_.undecided;
    auto& modes = out_.open.emplace_back();
    for (const auto& mode : choice_) modes.push_back(*mode);
  }

  void settle_sliding(Index node, Index widest, double share) {
    const SlidingVerdict found = sliding_solution(p_, choice_);
    const double least = found.singular ? options_.redundant_sector : options_.least_sector;
    if (found.end == SlidingVerdict::End::unknown && sector_width(*choice_[widest]) > least) {
      const auto [first, second] = halves(*choice_[widest]);
      return branch(node, widest, {first, second}, share);
    }
    done_ += share;
    switch (found.end) {
      case SlidingVerdict::End::unique:
        return add_piece(node, found.piece, End::unique);
      case SlidingVerdict::End::family: {
        const PieceSystem modes = mode_system(p_, found.rays, {});
        return add_piece(node, described(found.rays, modes, modes, decide(modes.system).point));
      }
      case SlidingVerdict::End::none:
        out_.proof[node].end = End::unique;
        return;
      case SlidingVerdict::End::unknown:
        return undecided(node);
    }
  }

  /// Pieces whose closures meet belong together; two different single velocities never do.
  void connect() {
    std::vector<Index> group(out_.pieces.size());
    std::iota(group.begin(), group.end(), 0);
    const auto alone = [](const SolutionPiece& x) { return x.velocity_freedom == 0; };
    for (std::size_t a = 0; a < out_.pieces.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        if (alone(out_.pieces[a]) && alone(out_.pieces[b])) continue;
        if (group[a] == group[b] || !touch(p_, out_.pieces[a], out_.pieces[b])) continue;
        const Index old = group[a], now = group[b];
        std::replace(group.begin(), group.end(), std::max(old, now), std::min(old, now));
      }
    for (std::size_t a = 0; a < group.size(); ++a)
      out_.pieces[a].component =
          group[a] == static_cast<Index>(a) ? out_.components++ : out_.pieces[group[a]].component;
    // Discs are joined where the polygons inside them meet. That others do not is not proved.
    const bool loose = std::any_of(out_.pieces.begin(), out_.pieces.end(),
                                   [&](const auto& piece) { return piece.round && !alone(piece); });
    if (loose && out_.components > 1 && out_.status == AllSolutions::Status::complete)
      out_.status = AllSolutions::Status::undecided;
  }

  const ExactProblem& p_;
  const AllSolutionsOptions& options_;
  ModeChoice choice_;
  AllSolutions out_;
  double done_ = 0;
  bool given_up_ = false;
};

/// Ranges over round cones are numbers, not proofs.
void add_round_ranges(const ContactProblem& problem, SolutionPiece& piece) {
  const auto reduced = reduce(problem);
  if (!reduced) return;
  const ForceRange range = force_range(*reduced, piece.lambda);
  if (range.status != ForceRange::Status::found) return;
  piece.low = range.low;
  piece.high = range.high;
}

}  // namespace

Result<AllSolutions> all_solutions(const ContactProblem& problem,
                                   const AllSolutionsOptions& options,
                                   const std::vector<ExactNumber>& exact) {
  if (const auto valid = validate(problem); !valid) return valid.error();
  const Index rows = row_offsets(problem.contacts).back();
  if (rows > options.max_rows)
    return Error{Errc::value, "all solutions are looked for up to " +
                                  std::to_string(options.max_rows) +
                                  " rows of contact, and here are " + std::to_string(rows) +
                                  "; leave contacts out, or solve for one solution"};
  const auto p = exact_problem(problem, exact);
  if (!p) return p.error();
  AllSolutions out = Search(*p, options).run();
  for (SolutionPiece& piece : out.pieces)
    if (piece.round && piece.force_freedom > 0 && piece.velocity_freedom == 0)
      add_round_ranges(problem, piece);
  return out;
}

}  // namespace tact
