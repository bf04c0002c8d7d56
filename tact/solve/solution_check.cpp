// solve/solution_check.cpp - the verifier of all_solutions.hpp: it searches nothing.
#include <algorithm>

#include "tact/solve/all_solutions.hpp"
#include "tact/solve/sliding_box.hpp"
#include "tact/solve/solution_piece.hpp"

namespace tact {
namespace {

using End = ProofNode::End;
using Kind = UnitMode::Kind;

class Check {
 public:
  Check(const ExactProblem& p, const AllSolutions& s)
      : p_(p), s_(s), choice_(p.units.size()), seen_(s.pieces.size(), 0) {}

  /// Every node holds, every piece belongs to one node, and the counts are right.
  bool run() {
    if (s_.status == AllSolutions::Status::too_large || s_.proof.empty()) return false;
    if (!node(0)) return false;
    const bool complete = s_.status == AllSolutions::Status::complete;
    return complete == (undecided_ == 0) && undecided_ == s_.undecided &&
           refuted_ == s_.certificates && visited_ == static_cast<Index>(s_.proof.size()) &&
           std::all_of(seen_.begin(), seen_.end(), [](int k) { return k == 1; });
  }

 private:
  bool node(Index k) {
    ++visited_;
    const ProofNode& n = s_.proof[k];
    switch (n.end) {
      case End::branch:
        return branch(k, n);
      case End::refuted:
        ++refuted_;
        return refuted(n);
      case End::solution:
        return solution(n);
      case End::unique:
        return unique(n);
      case End::undecided:
        return undecided();
    }
    return false;
  }

  /// Nothing is claimed but where it is.
  bool undecided() {
    ++undecided_;
    if (!all_chosen() || undecided_ > static_cast<Index>(s_.open.size())) return false;
    const auto& open = s_.open[undecided_ - 1];
    return ModeChoice(open.begin(), open.end()) == choice_;
  }

  /// The modes that must be looked at below a node; none when the branching makes no sense.
  [[nodiscard]] std::vector<UnitMode> wanted(Index unit) const {
    if (!choice_[unit]) return modes_of(p_.units[unit]);
    if (choice_[unit]->kind != Kind::sector) return {};
    const auto [first, second] = halves(*choice_[unit]);
    return {first, second};
  }

  bool branch(Index at, const ProofNode& n) {
    if (n.branching < 0 || n.branching >= static_cast<Index>(p_.units.size())) return false;
    const auto modes = wanted(n.branching);
    if (modes.empty() || modes.size() != n.children.size()) return false;
    const auto before = choice_[n.branching];
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const Index child = n.children[k];
      // Children come after their parents, so that no walk can go in circles.
      if (child <= at || child >= static_cast<Index>(s_.proof.size())) return false;
      const ProofNode& below = s_.proof[child];
      if (below.unit != n.branching || !(below.mode == modes[k])) return false;
      choice_[n.branching] = modes[k];
      if (!node(child)) return false;
    }
    choice_[n.branching] = before;
    return true;
  }

  bool refuted(const ProofNode& n) {
    if (n.rim < 3) return false;
    const PieceSystem modes = mode_system(p_, choice_, {n.rim, false});
    const auto y = from_terms(n.multipliers, modes.system.rows.size());
    return y && refutes(modes.system, *y);
  }

  [[nodiscard]] bool all_chosen() const {
    return std::all_of(choice_.begin(), choice_.end(), [](const auto& m) { return m.has_value(); });
  }

  bool take_piece(const ProofNode& n, const ModeChoice& modes) {
    if (n.piece < 0 || n.piece >= static_cast<Index>(s_.pieces.size()) || !all_chosen())
      return false;
    ++seen_[n.piece];
    return choice_of(s_.pieces[n.piece]) == modes;
  }

  /// Sectors hold rays if the interval step says so again; other modes are what was chosen.
  [[nodiscard]] std::optional<ModeChoice> chosen_or_rays() const {
    const bool slides =
        all_chosen() && std::any_of(choice_.begin(), choice_.end(),
                                    [](const auto& m) { return m->kind == Kind::sector; });
    if (!slides) return choice_;
    SlidingVerdict again = sliding_solution(p_, choice_);
    if (again.end != SlidingVerdict::End::family) return std::nullopt;
    return std::move(again.rays);
  }

  bool solution(const ProofNode& n) {
    const auto chosen = chosen_or_rays();
    if (!chosen || !take_piece(n, *chosen) || n.rim < 3) return false;
    const SolutionPiece& piece = s_.pieces[n.piece];
    const PieceSystem modes = mode_system(p_, *chosen, {n.rim, true});
    ExactTerms terms;
    for (std::size_t k = 0; k < piece.witness.size(); ++k)
      terms.emplace_back(static_cast<Index>(k), piece.witness[k]);
    const auto point = from_terms(terms, static_cast<std::size_t>(modes.system.columns));
    if (!point || !satisfies(modes.system, *point)) return false;
    const ExactVector lambda = load_of(p_, modes, *point);
    const ExactVector u = motion_of(p_, lambda);
    if (as_doubles(lambda) != piece.lambda || as_doubles(u) != piece.u) return false;
    return piece.velocity_freedom > 0 ||
           one_velocity(mode_system(p_, *chosen, {n.rim, false}), piece, u);
  }

  bool one_velocity(const PieceSystem& modes, const SolutionPiece& piece, const ExactVector& u) {
    if (piece.idle_columns.size() != piece.idle_proofs.size()) return false;
    for (std::size_t k = 0; k < piece.idle_columns.size(); ++k) {
      const Index c = piece.idle_columns[k];
      if (c < 1 || c >= modes.system.columns) return false;
      const ExactSystem more = with_positive(modes.system, c);
      const auto y = from_terms(piece.idle_proofs[k], more.rows.size());
      if (!y || !refutes(more, *y)) return false;
    }
    if (static_cast<Index>(piece.velocity_proofs.size()) != p_.rows()) return false;
    for (Index r = 0; r < p_.rows(); ++r)
      if (!adds_up(modes, piece, r, u[r])) return false;
    return true;
  }

  bool adds_up(const PieceSystem& modes, const SolutionPiece& piece, Index r, const Exact& value) {
    const ExactSystem& system = modes.system;
    const auto y = from_terms(piece.velocity_proofs[r], system.rows.size());
    if (!y) return false;
    ExactVector rest = velocity_row(p_, modes, r);
    rest[0] -= value * p_.scale;
    for (std::size_t k = 0; k < y->size(); ++k) {
      if (sgn((*y)[k]) == 0) continue;
      if (system.sense[k] != Sense::zero) return false;
      rest = rest - (*y)[k] * system.rows[k];
    }
    for (Index c = 0; c < system.columns; ++c) {
      const bool idle = std::find(piece.idle_columns.begin(), piece.idle_columns.end(), c) !=
                        piece.idle_columns.end();
      if (!idle && sgn(rest[c]) != 0) return false;
    }
    return true;
  }

  /// The interval step is done again.
  bool unique(const ProofNode& n) {
    if (!all_chosen()) return false;
    const SlidingVerdict again = sliding_solution(p_, choice_);
    if (n.piece < 0) return again.end == SlidingVerdict::End::none;
    return take_piece(n, choice_) && again.end == SlidingVerdict::End::unique &&
           again.piece.lambda == s_.pieces[n.piece].lambda;
  }

  const ExactProblem& p_;
  const AllSolutions& s_;
  ModeChoice choice_;
  std::vector<int> seen_;
  Index visited_ = 0, refuted_ = 0, undecided_ = 0;
};

}  // namespace

Result<bool> check_all_solutions(const ContactProblem& problem, const AllSolutions& solutions,
                                 const std::vector<ExactNumber>& exact) {
  const auto p = exact_problem(problem, exact);
  if (!p) return p.error();
  return Check(*p, solutions).run();
}

}  // namespace tact
