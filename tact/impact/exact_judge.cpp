// impact/exact_judge.cpp - the same in rationals: what doubles found is where to look, nothing
// more. Of round cones finitely many generators inside, and a velocity beyond doubt outside.
#include <algorithm>

#include <Eigen/QR>

#include "tact/impact/cone_pieces.hpp"
#include "tact/impact/conic_judge.hpp"
#include "tact/impact/generator_columns.hpp"
#include "tact/linalg/nnls.hpp"

namespace tact {
namespace {

using Bound = WorkBound<Exact>;
using Pieces = Distribution<Exact>;
using Cones = std::vector<ImpulseCone<Exact>>;

/// A hull with more samples than this is sampled where it carries only.
constexpr std::size_t most_samples = 40;
/// Linear programs over the rationals with more columns than this take too long.
constexpr Index most_columns = 60;
/// Pieces of a smaller share than this are left by the method, not used by it.
constexpr double least_share = tolerance::tie;

// ---- the same impact in doubles

ImpulseCone<double> rounded(const ImpulseCone<Exact>& cone) {
  ImpulseCone<double> out{cone.rows, cone.normal, {}};
  for (const auto& factor : cone.factors) {
    BaseFactor<double> own{factor.rows, {}};
    for (const auto& e : factor.hull) own.hull.push_back({nearest(e.centre), nearest(e.axes)});
    out.factors.push_back(std::move(own));
  }
  return out;
}
Impact<double> rounded(const Impact<Exact>& impact) {
  Impact<double> out;
  out.mass = nearest(impact.mass);
  out.rows = nearest(impact.rows);
  out.excitation = nearest(impact.excitation);
  out.before = nearest(impact.before);
  out.impulse = nearest(impact.impulse);
  out.free = nearest(impact.free);
  out.after = nearest(impact.after);
  out.offset = impact.offset;
  for (const auto& cone : impact.cone) out.cone.push_back(rounded(cone));
  for (const auto& cone : impact.opening) out.opening.push_back(rounded(cone));
  return out;
}

/// Coarse generators of every contact: all, or those of the members in use.
Distribution<double> around(const std::vector<ImpulseCone<double>>& cones,
                            const Distribution<double>& used) {
  Distribution<double> out;
  for (std::size_t i = 0; i < cones.size(); ++i) {
    auto coarse = coarse_pieces(cones[i]);
    const auto idle = [&](const ConePiece<double>& piece) {
      return std::none_of(used[i].begin(), used[i].end(),
                          [&](const auto& u) { return u.member == piece.member; });
    };
    if (coarse.size() > most_samples) std::erase_if(coarse, idle);
    out.push_back(std::move(coarse));
  }
  return out;
}

/// Without what is inside by rounding only, and without what carries nothing.
Distribution<double> carrying(Distribution<double> pieces) {
  double largest = 0;
  for (const auto& own : pieces)
    for (const auto& piece : own) largest = std::max(largest, piece.weight);
  for (auto& own : pieces) {
    std::erase_if(own, [&](const auto& p) { return !(p.weight > least_share * largest); });
    for (auto& piece : own)
      for (auto& s : piece.s) pull_inside(s);
  }
  return pieces;
}

/// All these pieces that are inside without rounding, as columns.
ExactColumns columns_of(const Impact<Exact>& impact, const Cones& cones,
                        const std::vector<const Distribution<double>*>& found) {
  const ExactVector gamma = contact_velocity(impact, impact.free);
  ExactColumns out;
  for (const auto* pieces : found) {
    Pieces exact = exactly(*pieces);
    for (std::size_t i = 0; i < exact.size(); ++i)
      std::erase_if(exact[i], [&](const auto& piece) { return !admissible(cones[i], piece, 0); });
    add_columns(out, impact, cones, exact, gamma);
  }
  return out;
}

/// Weights that explain the change, those of the `coarse` first columns well above zero.
std::optional<VecX> deep_weights(const MatX& a, Index coarse, const VecX& change) {
  const MatX first = a.leftCols(coarse);
  const double size = first.colwise().norm().sum(), length = change.norm();
  if (!(size > 0) || !(length > 0)) return std::nullopt;
  double share = 1;
  for (int attempt = 0; attempt < 5; ++attempt) {
    share /= 8;
    const double least = share * length / size;
    const Nnls fit = nnls(a, change - least * first.rowwise().sum());
    if (!(fit.residual.norm() <= tolerance::bracket * length)) continue;
    VecX out = fit.x;
    out.head(coarse).array() += least;
    return out;
  }
  return std::nullopt;
}

/// The weights with independent columns of `coarse` changed so that everything adds up to d.
std::optional<ExactVector> corrected(const ExactColumns& exact, const MatX& coarse,
                                     const VecX& weight, const ExactVector& d) {
  ExactVector x(weight.begin(), weight.end());
  ExactVector rest = d;
  for (std::size_t k = 0; k < x.size(); ++k) add(rest, -x[k], exact.force[k]);
  Eigen::ColPivHouseholderQR<MatX> qr;
  qr.setThreshold(tolerance::rank);
  qr.compute(coarse);
  const auto& order = qr.colsPermutation().indices();
  std::vector<ExactVector> system(d.size());
  for (Index c = 0; c < qr.rank(); ++c)
    for (std::size_t r = 0; r < d.size(); ++r) system[r].push_back(exact.force[order[c]][r]);
  const auto by = solve_exactly(system, rest);
  if (!by) return std::nullopt;
  for (Index c = 0; c < qr.rank(); ++c) x[order[c]] += (*by)[c];
  if (std::any_of(x.begin(), x.end(), [](const Exact& v) { return v < 0; })) return std::nullopt;
  return x;
}

/// Impulses that explain d without rounding, next to those that doubles found. A little of impulses
/// that use every coarse generator makes room, and so much of some of these as makes up for the
/// rounding is found by one linear system.
std::optional<Pieces> restored(const Impact<Exact>& impact, const Impact<double>& near,
                               const Distribution<double>& impulses, const ExactVector& d) {
  const EnergyForm form(near);
  const auto found = carrying(impulses);
  const auto room = around(near.cone, found);
  GeneratorColumns columns;
  add_columns(columns, near, form, near.cone, room);
  const Index coarse = columns.count();
  add_columns(columns, near, form, near.cone, found);
  const auto deep = deep_weights(columns.a, coarse, form.change);
  if (!deep) return std::nullopt;
  const ExactColumns exact = columns_of(impact, impact.cone, {&room, &found});
  if (exact.count() != columns.count()) return std::nullopt;
  VecX weight = VecX::Zero(columns.count());
  for (Index k = coarse; k < columns.count(); ++k) weight[k] = columns.piece[k].weight;
  // Room is paid for with the width of the bracket: as little as will do.
  double share = tolerance::bracket;
  for (int attempt = 0; attempt < 4; ++attempt, share *= 64) {
    const VecX mixed = (1 - share) * weight + share * *deep;
    if (const auto x = corrected(exact, columns.a.leftCols(coarse), mixed, d))
      return distribution(impact, exact, *x);
  }
  return std::nullopt;
}

// ---- velocities

/// u where it is good, or else the first on the way to u + `way` that is: from one unit of
/// round-off to the whole way, each time four times as far.
std::optional<ExactVector> first_good(const ExactVector& u, const std::optional<ExactVector>& way,
                                      const auto& good) {
  if (good(u)) return u;
  if (!way) return std::nullopt;
  for (Exact share = Exact(tolerance::epsilon); share <= 1; share *= 4) {
    ExactVector moved = u;
    add(moved, share, *way);
    if (good(moved)) return moved;
  }
  return std::nullopt;
}

/// b, or the nearest to it on the way to a velocity deep inside that is on the right side of every
/// contact.
std::optional<ExactVector> moved_inside(const Impact<Exact>& impact, const Cones& cones,
                                        const std::vector<double>& b, const Impact<double>& near,
                                        const std::vector<ImpulseCone<double>>& near_cones,
                                        int sign) {
  const ExactVector from = exactly(b);
  std::optional<ExactVector> way;
  if (const auto deep = inner_velocity(near, near_cones, sign)) way = minus(exactly(*deep), from);
  return first_good(from, way, [&](const ExactVector& u) {
    return on_wrong_side(impact, cones, impact.after, u, sign, 0).empty();
  });
}

// ---- certificates

/// What doubles found, written in rationals.
Bound written(const Impact<Exact>& impact, const WorkBound<double>& bound, const ExactVector& after,
              bool upper) {
  Bound out;
  out.end = static_cast<Bound::End>(bound.end);
  out.impulses = exactly(bound.impulses);
  out.velocity = exactly(bound.velocity);
  out.ray = exactly(bound.ray);
  if (out.end == Bound::End::finite) set_bracket(impact, after, upper, out);
  return out;
}

/// The certificate in doubles, taken at its word, with its tolerance; undecided where rationals do
/// not bear it out.
ImpactCertificate<Exact> written(const Impact<Exact>& impact,
                                 const ImpactCertificate<double>& doubles) {
  ImpactCertificate<Exact> out;
  out.tolerance = doubles.tolerance;
  out.free = impact.free;
  out.after = impact.after;
  out.separator = exactly(doubles.separator);
  out.verdict = doubles.verdict;
  if (doubles.minimum.end != WorkBound<double>::End::none)
    out.after = explained(impact, exactly(doubles.minimum.impulses));
  out.minimum = written(impact, doubles.minimum, out.after, false);
  out.maximum = written(impact, doubles.maximum, out.after, true);
  out.jam = exactly(doubles.jam);
  out.admissible = exactly(doubles.admissible);
  if (!refusal(impact, out, out.tolerance)) return out;
  // At the border of a tolerance rationals may see it differently.
  out.verdict = energy_verdict(impact, out);
  if (!refusal(impact, out, out.tolerance)) return out;
  out.verdict = ImpactVerdict::undecided;
  out.minimum = out.maximum = {};
  return out;
}

/// v with J_i v in K_i* and v.d < 0, next to that of doubles.
std::optional<ImpactCertificate<Exact>> separated(const Impact<Exact>& impact,
                                                  const ImpactCertificate<double>& doubles) {
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  out.verdict = ImpactVerdict::kinetically_incompatible;
  std::optional<ExactVector> way;
  if (const auto deep = inner_direction(rounded(impact))) way = exactly(*deep);
  const auto good = [&](const ExactVector& v) {
    out.separator = v;
    return !refusal(impact, out, out.tolerance);
  };
  if (!first_good(exactly(doubles.separator), way, good)) return std::nullopt;
  return out;
}

/// A jam, or a velocity that opens everywhere; nothing where neither can be shown.
bool opens(const Impact<Exact>& impact, const Impact<double>& near,
           const ImpactCertificate<double>& doubles, ImpactCertificate<Exact>& out) {
  if (all_polyhedral(impact.opening)) {
    decide_admissible(impact, out);
    return true;
  }
  if (!doubles.jam.empty()) {
    const auto jam = carrying(doubles.jam);
    const auto coarse = around(near.opening, jam);
    const auto columns = columns_of(impact, impact.opening, {&jam, &coarse});
    if (columns.count() <= most_columns) out.jam = ray_of(impact, columns, -1);
    return !out.jam.empty();
  }
  if (doubles.admissible.empty()) return false;
  auto u = moved_inside(impact, impact.opening, doubles.admissible, near, near.opening, 1);
  if (!u) return false;
  out.admissible = *std::move(u);
  return true;
}

/// Impulses of one end: next to those that doubles found, or the best of few generators.
Bound attained(const Impact<Exact>& impact, const Impact<double>& near,
               const WorkBound<double>& known, const ExactVector& d, bool upper) {
  Bound out;
  if (known.end == WorkBound<double>::End::finite) {
    if (auto impulses = restored(impact, near, known.impulses, d)) {
      out.end = Bound::End::finite;
      out.impulses = *std::move(impulses);
      out.low = out.high = work_of(impact, impact.after, impulses_of(impact, out.impulses));
      return out;
    }
  }
  Distribution<double> seeds = carrying(known.impulses);
  const auto ray = carrying(known.ray);
  for (std::size_t i = 0; i < ray.size(); ++i)
    seeds[i].insert(seeds[i].end(), ray[i].begin(), ray[i].end());
  const auto coarse = around(near.cone, seeds);
  const auto columns = columns_of(impact, impact.cone, {&seeds, &coarse});
  if (columns.count() > most_columns) return out;
  return exact_bound(impact, columns, impact.after, upper);
}

/// Both ends without rounding.
bool bounded(const Impact<Exact>& impact, const Impact<double>& near,
             const ImpactCertificate<double>& doubles, ImpactCertificate<Exact>& out) {
  const ExactVector d = change_of_momentum(impact, out.after);
  for (const bool upper : {false, true}) {
    const auto& known = upper ? doubles.maximum : doubles.minimum;
    Bound& end = upper ? out.maximum : out.minimum;
    if (known.end == WorkBound<double>::End::none) return false;
    end = attained(impact, near, known, d, upper);
    if (end.end == Bound::End::none) return false;
    if (end.end == Bound::End::unbounded) {
      if (end.ray.empty()) return false;
      continue;
    }
    if (known.end != WorkBound<double>::End::finite) return false;
    const int sign = upper ? -1 : 1;
    auto b = moved_inside(impact, impact.cone, known.velocity, near, near.cone, sign);
    if (!b) return false;
    end.velocity = *std::move(b);
    (upper ? end.high : end.low) = work_bound_of(impact, out.after, end.velocity);
  }
  return true;
}

/// From what doubles found: exact linear programs over the generators there, and velocities moved
/// until they are inside without rounding. Where impulses on a rim, or velocities without room to
/// move, leave nothing that is exact, what doubles found is written in rationals, with its
/// tolerance.
ImpactCertificate<Exact> judge_round(const Impact<Exact>& impact,
                                     const ImpactCertificate<double>& doubles) {
  if (doubles.verdict == ImpactVerdict::kinetically_incompatible) {
    if (auto out = separated(impact, doubles)) return *std::move(out);
    return written(impact, doubles);
  }
  const Impact<double> near = rounded(impact);
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  if (!bounded(impact, near, doubles, out) || !opens(impact, near, doubles, out))
    return written(impact, doubles);
  out.verdict = verdict_of(impact, out);
  if (refusal(impact, out, out.tolerance)) return written(impact, doubles);
  if (impact.rounded && out.verdict != ImpactVerdict::undecided) {
    out.tolerance = doubles.tolerance;
    out.verdict = verdict_of(impact, out);
  }
  return out;
}

/// All cones are polyhedral: two linear programs.
ImpactCertificate<Exact> judge_polyhedral(const Impact<Exact>& impact,
                                          const ImpactCertificate<double>& rounded) {
  const ExactColumns columns =
      exact_columns(impact, impact.cone, contact_velocity(impact, impact.free));
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  const ExactVector d = change_of_momentum(impact, out.after);
  if (const ExactVerdict verdict = explanation(columns.force, d); !verdict.feasible) {
    if (rounded.verdict == ImpactVerdict::kinetically_incompatible) {
      // m.A <= 0 in every column, with more than zero on the row of x_0: v = -m has J_i v in K_i*
      // and v.d < 0. The last multiplier is that of x_0.
      out.separator = negative(part(verdict.multipliers, 0, impact.dof()));
      out.verdict = ImpactVerdict::kinetically_incompatible;
      return out;
    }
    out.tolerance = rounded.tolerance;
    out.after = explained(impact, exactly(rounded.minimum.impulses));
  }
  out.minimum = exact_bound(impact, columns, out.after, false);
  out.maximum = exact_bound(impact, columns, out.after, true);
  if (out.minimum.end == Bound::End::finite &&
      penetrating(impact, out.after, out.minimum.velocity, 0.0).empty())
    out.admissible = out.minimum.velocity;
  else
    decide_admissible(impact, out);
  if (impact.rounded) out.tolerance = rounded.tolerance;
  out.verdict = verdict_of(impact, out);
  if (out.tolerance == 0 || !refusal(impact, out, out.tolerance)) return out;
  // Rationals see rays and jams in the rounding of the data; what doubles see is large enough.
  const ImpactCertificate<Exact> coarse = written(impact, rounded);
  return refusal(impact, coarse, coarse.tolerance) ? out : coarse;
}

}  // namespace

ImpactCertificate<Exact> judge(const Impact<Exact>& impact,
                               const ImpactCertificate<double>& rounded) {
  if (all_polyhedral(impact.cone) && all_polyhedral(impact.opening))
    return judge_polyhedral(impact, rounded);
  return judge_round(impact, rounded);
}

}  // namespace tact
