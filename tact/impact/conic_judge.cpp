// impact/conic_judge.cpp - generators by and by: least squares to explain, pivots to bound.
#include "tact/impact/conic_judge.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/impact/cone_pieces.hpp"
#include "tact/impact/conic_program.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/poly/simplex.hpp"

namespace tact {
namespace {

using Vector = std::vector<double>;
using Bound = WorkBound<double>;
using Pieces = Distribution<double>;
using Cones = std::vector<ImpulseCone<double>>;

/// Rounds of generators; each takes the error to about its square.
constexpr int most_rounds = 80;
constexpr int most_passes = 4;
/// A margin below this share of the data is none.
constexpr double least_margin = tolerance::contact_work;
/// A velocity of opening that is positive beyond the rounding of its makings.
constexpr double opening_rounding = 16 * tolerance::epsilon;

Vector rows_of(const Impact<double>& impact, const VecX& x, Index i) {
  return {x.begin() + impact.offset[i], x.begin() + impact.offset[i + 1]};
}

/// Columns of given cones that grow, without near doubles.
class Generators {
 public:
  Generators(const Impact<double>& impact, const EnergyForm& form, const Cones& cones)
      : impact_(impact), form_(form), cones_(cones) {
    add_columns(columns, impact, form, cones, {});
    for (Index i = 0; i < impact.contacts(); ++i)
      for (auto& piece : coarse_pieces(cones[i])) add(i, std::move(piece));
    first_ = columns.count();
  }

  GeneratorColumns columns;

  /// Back to the first ones, and these as they are; where they begin.
  Index restart(const Pieces& pieces) {
    columns.contact.resize(static_cast<std::size_t>(first_));
    columns.piece.resize(static_cast<std::size_t>(first_));
    columns.a.conservativeResize(Eigen::NoChange, first_);
    columns.approach.conservativeResize(first_);
    add_columns(columns, impact_, form_, cones_, pieces);
    return first_;
  }

  /// Unless it is as good as there already.
  void add(Index i, ConePiece<double> piece) {
    piece.weight = 1;
    for (Index k = 0; k < columns.count(); ++k)
      if (columns.contact[k] == i && same(columns.piece[k], piece)) return;
    Pieces one(cones_.size());
    one[i].push_back(std::move(piece));
    add_columns(columns, impact_, form_, cones_, one);
  }
  /// The pieces, and where they lead on the rims of the members.
  void add(const Pieces& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      for (const auto& piece : pieces[i]) {
        add(static_cast<Index>(i), piece);
        ConePiece<double> rim = piece;
        for (auto& s : rim.s) to_rim(s);
        add(static_cast<Index>(i), std::move(rim));
      }
  }
  /// What lies between columns that share a load, and the worst generator of every round cone at
  /// `gamma` where it is below -slack; false where nothing is new.
  bool grow(const VecX& weight, const VecX& gamma, const VecX& slack) {
    const Index before = columns.count();
    const Pieces used = distribution(impact_, columns, weight);
    for (Index i = 0; i < impact_.contacts(); ++i)
      if (!cones_[i].polyhedral())
        for (auto& piece : merged_on_rim(used[i])) add(i, std::move(piece));
    for (Index i = 0; i < impact_.contacts(); ++i) {
      const Vector own = rows_of(impact_, gamma, i);
      if (!cones_[i].polyhedral() && least_opening(cones_[i], own) < -slack[i])
        add(i, worst_piece(cones_[i], own));
    }
    return columns.count() > before;
  }

 private:
  static bool same(const ConePiece<double>& a, const ConePiece<double>& b) {
    if (a.member != b.member) return false;
    double off = 0;
    for (std::size_t f = 0; f < a.s.size(); ++f)
      for (std::size_t k = 0; k < a.s[f].size(); ++k)
        off = std::max(off, std::abs(a.s[f][k] - b.s[f][k]));
    return off < tolerance::same_piece;
  }
  const Impact<double>& impact_;
  const EnergyForm& form_;
  const Cones& cones_;
  Index first_ = 0;
};

/// The rounding of a velocity of opening at every contact, from the makings of γ(u).
VecX opening_roundings(const Impact<double>& impact, const EnergyForm& form, const VecX& u,
                       bool with_excitation) {
  // Relative to z, so that frames do not matter; the rounding of γ(z) is that of the data.
  VecX made = form.J.cwiseAbs() * (with_excitation ? VecX(u - view(impact.free)) : u).cwiseAbs();
  if (with_excitation) made += form.gamma.cwiseAbs();
  VecX out(impact.contacts());
  for (Index i = 0; i < impact.contacts(); ++i)
    out[i] = opening_rounding * largest_speed(impact.cone[i], rows_of(impact, made, i));
  return out;
}

/// The least opening of every contact.
VecX openings(const Impact<double>& impact, const VecX& gamma) {
  VecX out(impact.contacts());
  for (Index i = 0; i < impact.contacts(); ++i)
    out[i] = least_opening(impact.cone[i], rows_of(impact, gamma, i));
  return out;
}

/// The part of the way from `from` to `inside` after which everything is above `least`: openings
/// are concave. Nothing where the way does not lead there.
std::optional<double> way_inside(const VecX& from, const VecX& inside, const VecX& least) {
  double way = 0;
  for (Index i = 0; i < from.size(); ++i) {
    if (from[i] >= least[i]) continue;
    if (!(inside[i] > least[i])) return std::nullopt;
    way = std::max(way, (least[i] - from[i]) / (inside[i] - from[i]));
  }
  return way;
}

/// The best impulses and the best velocity found so far for one end of the work.
class Ends {
 public:
  Ends(const Impact<double>& impact, const EnergyForm& form, const Vector& after,
       const VecX& change, bool upper)
      : impact_(impact), form_(form), after_(after), sign_(upper ? -1 : 1) {
    const VecX moved = view(after) - view(impact.free);
    VecX given = view(momentum(impact, values(moved)));
    form.factor.matrixL().solveInPlace(given);
    doubt_ = (given - change).norm() + tolerance::rounding * change.norm();
  }

  std::optional<VecX> deep;  ///< a velocity inside, if there is one
  bool careful = false;      ///< velocities are kept short

  /// b = z + L⁻ᵀ w, moved into the cones where that is possible.
  void offer(const VecX& w) {
    const auto gamma = [&](const VecX& at) {
      return VecX(sign_ * (form_.gamma + form_.a.transpose() * at));
    };
    const VecX from = openings(impact_, gamma(w));
    const VecX u = view(velocity_at(impact_, form_, w));
    const VecX least = opening_roundings(impact_, form_, u, true);
    VecX inside = w;
    std::optional<double> way;
    if (deep) way = way_inside(from, openings(impact_, gamma(*deep)), least);
    if (way) inside += *way * (*deep - w);
    if (way && careful) shorten(inside);
    Vector velocity = velocity_at(impact_, form_, inside);
    // Else as the verifier sees it, with the rounding of the data alone.
    if (!way &&
        !on_wrong_side(impact_, impact_.cone, after_, velocity, sign_, tolerance::bracket).empty())
      return;
    const double proved = sign_ * work_bound_of(impact_, after_, velocity);
    if (!(proved > proved_)) return;
    proved_ = proved;
    out_.velocity = std::move(velocity);
  }

  /// Impulses that explain `change` to rounding.
  void offer(Pieces pieces, const VecX& change) {
    const Vector lambda = impulses_of(impact_, pieces);
    const VecX off = form_.a * view(lambda) - change;
    const VecX made = form_.a.cwiseAbs() * view(lambda).cwiseAbs();
    if (!(off.norm() <= tolerance::rounding * made.norm())) return;
    const double attained = sign_ * work_of(impact_, after_, lambda);
    if (!(attained < attained_)) return;
    attained_ = attained;
    scale_ = work_slack(impact_, after_, pieces, 1);
    out_.impulses = std::move(pieces);
  }

  void end_in(Bound unbounded) { out_ = std::move(unbounded); }

  [[nodiscard]] double width() const { return attained_ - proved_; }
  [[nodiscard]] bool met() const { return width() <= tolerance::bracket * scale_; }

  [[nodiscard]] Bound bound() && {
    if (out_.end == Bound::End::unbounded) return std::move(out_);
    if (!std::isfinite(width())) return {};
    set_bracket(impact_, after_, sign_ < 0, out_);
    return std::move(out_);
  }

 private:
  /// Where no velocity attains the bound, better ones are ever larger, and F(b) loses to rounding
  /// what it gains: back towards the one inside until that is within the slack of the work.
  void shorten(VecX& w) const {
    const double doubt = doubt_ * w.norm();
    const double most = tolerance::contact_work / 2 * scale_;
    if (doubt > most) w = *deep + most / doubt * (w - *deep);
  }

  const Impact<double>& impact_;
  const EnergyForm& form_;
  const Vector& after_;
  int sign_;
  Bound out_;
  double proved_ = -std::numeric_limits<double>::infinity();
  double attained_ = std::numeric_limits<double>::infinity();
  double scale_ = 0;
  double doubt_ = 0;  ///< of M (after - z), in coordinates of energy
};

Bound unbounded(Pieces impulses, Pieces ray) {
  Bound out;
  out.end = Bound::End::unbounded;
  out.impulses = std::move(impulses);
  out.ray = std::move(ray);
  return out;
}

/// What explains the outcome, as far as anything does, or what separates it.
struct Explanation {
  double off = std::numeric_limits<double>::infinity();  ///< finite where it is explained
  Pieces impulses;
  std::optional<VecX> separator;

  [[nodiscard]] bool found() const { return std::isfinite(off); }
};

class Judge {
 public:
  Judge(const Impact<double>& impact, double tolerance)
      : impact_(impact), form_(impact), tolerance_(tolerance), own_(impact, form_, impact.cone) {}

  ImpactCertificate<double> run() {
    ImpactCertificate<double> out;
    out.tolerance = tolerance_;
    out.free = impact_.free;
    out.after = impact_.after;
    Explanation found = explain();
    if (found.separator) {
      out.separator = values(*found.separator);
      out.verdict = ImpactVerdict::kinetically_incompatible;
      if (refusal(impact_, out, out.tolerance)) out.verdict = ImpactVerdict::undecided;
    }
    if (!found.found()) return out;
    start_ = std::move(found.impulses);
    const Index first = own_.restart(start_);
    for (Index k = first; k < own_.columns.count(); ++k) positive_.push_back(k);
    change_ = form_.a * view(impulses_of(impact_, start_));
    out.after = velocity_at(impact_, form_, change_);
    admissible(out);
    for (const bool careful : {false, true}) {
      careful_ = careful;
      out.minimum = bound(out.after, false);
      out.maximum = bound(out.after, true);
      out.verdict = verdict_of(impact_, out);
      if (!refusal(impact_, out, out.tolerance)) return out;
    }
    withdraw(out);
    return out;
  }

 private:
  /// Least squares over more and more generators; near the rim of what impulses explain, again from
  /// where Newton's method leads.
  Explanation explain() {
    Explanation out;
    VecX residual;
    for (int pass = 0; pass < most_passes; ++pass) {
      const Pieces last = fitted(residual, out);
      if (consider(last, out)) break;
      const Pieces moved = polished(last);
      if (consider(moved, out)) break;
      // Explained, if not to rounding: one more pass may do better.
      if (out.found() && pass > 0) break;
      if (!(residual.norm() <= tolerance::unhidden * form_.change.norm())) break;
      own_.restart(moved);
    }
    if (!out.found()) out.separator = separator(residual);
    return out;
  }

  /// One run of least squares, until nothing is gained.
  Pieces fitted(VecX& residual, Explanation& best) {
    Pieces last;
    for (int round = 0; round < most_rounds; ++round) {
      const Nnls fit = nnls(own_.columns.a, form_.change);
      residual = fit.residual;
      last = distribution(impact_, own_.columns, fit.x);
      if (consider(last, best)) break;
      const VecX gamma = -form_.a.transpose() * residual;
      if (!own_.grow(fit.x, gamma, VecX::Zero(impact_.contacts()))) break;
    }
    return last;
  }

  /// Keeps the best that explains with impulses within reach; true where it cannot be better.
  bool consider(const Pieces& pieces, Explanation& best) const {
    const double length = form_.change.norm();
    double size = 0;
    for (Index i = 0; i < impact_.contacts(); ++i)
      for (const auto& piece : pieces[i])
        size += piece.weight *
                column_of(impact_, form_, i, generator_of(impact_.cone[i], piece)).norm();
    const double off = (form_.change - form_.a * view(impulses_of(impact_, pieces))).norm();
    if (off <= motion_slack(impact_, tolerance_) && off < best.off &&
        size * tolerance::squeeze <= length)
      best = {off, pieces, {}};
    return off <= opening_rounding * length;
  }

  /// Where the outcome is on the rim of what impulses explain, generators that crowd there hide
  /// each other: one for each member, moved along the rim.
  [[nodiscard]] Pieces polished(Pieces pieces) const {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (!impact_.cone[i].polyhedral()) pieces[i] = merged_on_rim(pieces[i]);
    return moved_to(impact_, form_, std::move(pieces), form_.change);
  }

  /// v = -L⁻ᵀ r, moved inside where there is an inside. Where v stays outside by rounding, an
  /// explanation would need impulses of at least v.d over that; they must be out of reach.
  [[nodiscard]] std::optional<VecX> separator(const VecX& residual) const {
    const double length = residual.norm();
    if (!(length > 0)) return std::nullopt;
    VecX v = -residual / length;
    form_.factor.matrixU().solveInPlace(v);
    const auto least = [&](const VecX& x) { return opening_roundings(impact_, form_, x, false); };
    const auto opening = [&](const VecX& x) { return openings(impact_, form_.J * x); };
    const auto strictly = [&] { return (opening(v).array() >= least(v).array()).all(); };
    if (const auto inside = inner_direction(impact_); inside && !strictly()) {
      const VecX deep = view(*inside), from = opening(v), there = opening(deep);
      // Openings of sums are at least the sums of the openings.
      const VecX floor = 2 * (least(v) + least(deep));
      double share = 0;
      for (Index i = 0; i < there.size(); ++i)
        if (from[i] < floor[i]) share = std::max(share, (floor[i] - from[i]) / there[i]);
      v += share * deep;
    }
    const VecX coordinates = form_.factor.matrixU() * v;
    const double power = coordinates.dot(form_.change);
    if (!(power < -coordinates.norm() * motion_slack(impact_, tolerance_))) return std::nullopt;
    if (strictly()) return v;
    // By contact: the impulse that the doubtful opening would need, in units of motion.
    const VecX floor = least(v), left = opening(v);
    for (Index i = 0; i < left.size(); ++i) {
      const double doubt = std::max(floor[i], floor[i] - left[i]);
      const Index rows = impact_.offset[i + 1] - impact_.offset[i];
      const double reach = form_.a.middleCols(impact_.offset[i], rows).norm();
      if (-power * reach * tolerance_ < doubt * form_.change.norm()) return std::nullopt;
    }
    return v;
  }

  /// One end of the work.
  Bound bound(const Vector& after, bool upper) {
    const int sign = upper ? -1 : 1;
    const WidestOpening wide = widest_opening(impact_, form_, impact_.cone, form_.gamma, sign);
    if (wide.margin < -least_margin)
      if (const auto ray = cancelling(own_, wide.ray, sign)) return unbounded(start_, *ray);
    Ends ends(impact_, form_, after, change_, upper);
    ends.careful = careful_;
    ends.offer(start_, change_);
    if (wide.margin > least_margin) {
      ends.deep = wide.w;
      ends.offer(wide.w);
    }
    if (change_.norm() > 0) {
      const ConicEnd seed = conic_end(impact_, form_, change_, sign);
      if (seed.w.allFinite()) {
        ends.offer(seed.w);
        ends.offer(moved_to(impact_, form_, seed.impulses, change_), change_);
        own_.add(seed.impulses);
      }
    }
    if (!ends.met()) refine(ends, upper);
    return std::move(ends).bound();
  }

  /// Generators where the prices leave the cone, until both ends meet.
  void refine(Ends& ends, bool upper) {
    const int sign = upper ? -1 : 1;
    for (int round = 0; round < most_rounds && !ends.met(); ++round) {
      Simplex program(own_.columns.a, change_, positive_);
      const SimplexAnswer answer = program.minimise(sign * own_.columns.approach);
      if (answer.end == SimplexAnswer::End::gave_up) return;
      if (answer.end == SimplexAnswer::End::unbounded) {
        ends.end_in(unbounded(distribution(impact_, own_.columns, answer.x),
                              distribution(impact_, own_.columns, answer.ray)));
        return;
      }
      const VecX w = -sign * answer.prices;
      ends.offer(w);
      ends.offer(distribution(impact_, own_.columns, answer.x), change_);
      // What the next program starts from.
      positive_.clear();
      for (Index k = 0; k < answer.x.size(); ++k)
        if (answer.x[k] > 0) positive_.push_back(k);
      const VecX u = view(velocity_at(impact_, form_, w));
      const VecX least = opening_roundings(impact_, form_, u, true);
      const VecX gamma = sign * (form_.gamma + form_.a.transpose() * w);
      if (!own_.grow(answer.x, gamma, least)) return;
    }
  }

  /// A ray made to cancel to rounding: the best of the generators with a sum of one.
  [[nodiscard]] std::optional<Pieces> cancelling(Generators& some, const Pieces& ray,
                                                 int sign) const {
    some.add(ray);
    const Index n = impact_.dof(), count = some.columns.count();
    MatX a(n + 1, count);
    const VecX length = some.columns.a.colwise().norm();
    const double longest = length.maxCoeff();
    a.topRows(n) = some.columns.a;
    a.row(n) = length.transpose();
    for (Index k = 0; k < count; ++k)
      if (!(length[k] > 0)) a(n, k) = longest > 0 ? longest : 1;
    const VecX target = VecX::Unit(n + 1, n);
    const Nnls start = nnls(a, target);
    if (!(start.residual.norm() <= tolerance_)) return std::nullopt;
    Simplex program(a, a * start.x, start.positive);
    const SimplexAnswer answer = program.minimise(sign * some.columns.approach);
    if (answer.end != SimplexAnswer::End::optimal) return std::nullopt;
    if (!(sign * some.columns.approach.dot(answer.x) < 0)) return std::nullopt;
    return distribution(impact_, some.columns, answer.x);
  }

  /// A velocity that opens everywhere, or a jam.
  void admissible(ImpactCertificate<double>& out) const {
    const WidestOpening wide = widest_opening(impact_, form_, impact_.opening, form_.gamma, 1);
    if (wide.w.allFinite()) out.admissible = velocity_at(impact_, form_, wide.w);
    if (!(wide.margin < -least_margin)) return;
    Generators opening(impact_, form_, impact_.opening);
    if (auto jam = cancelling(opening, wide.ray, 1)) out.jam = *std::move(jam);
  }

  /// What the verifier does not accept is not claimed.
  void withdraw(ImpactCertificate<double>& out) const {
    out.verdict = ImpactVerdict::undecided;
    for (Bound* b : {&out.minimum, &out.maximum}) {
      ImpactCertificate<double> alone = out;
      (b == &out.minimum ? alone.maximum : alone.minimum) = {};
      if (refusal(impact_, alone, alone.tolerance)) *b = {};
    }
    // Two good bounds of an outcome whose jam or admissible velocity is doubtful.
    if (refusal(impact_, out, out.tolerance)) out.minimum = out.maximum = {};
  }

  const Impact<double>& impact_;
  EnergyForm form_;
  double tolerance_;
  bool careful_ = false;
  Generators own_;
  VecX change_;
  std::vector<Index> positive_;
  Pieces start_;
};

}  // namespace

ImpactCertificate<double> judge_round(const Impact<double>& impact, double tolerance) {
  return Judge(impact, tolerance).run();
}

std::optional<Vector> inner_velocity(const Impact<double>& impact, const Cones& cones, int sign) {
  const EnergyForm form(impact);
  const WidestOpening wide = widest_opening(impact, form, cones, form.gamma, sign);
  if (!(wide.margin > least_margin)) return std::nullopt;
  return velocity_at(impact, form, wide.w);
}

std::optional<Vector> inner_direction(const Impact<double>& impact) {
  const EnergyForm form(impact);
  const VecX none = VecX::Zero(form.gamma.size());
  const WidestOpening wide = widest_opening(impact, form, impact.cone, none, 1);
  if (!(wide.margin > least_margin)) return std::nullopt;
  VecX v = wide.w;
  form.factor.matrixU().solveInPlace(v);
  return values(v);
}

}  // namespace tact
