// impact/exact_conic_judge.cpp - round cones in rationals: finitely many generators inside, a
// velocity beyond doubt outside.
#include <algorithm>

#include "tact/impact/cone_pieces.hpp"
#include "tact/impact/conic_judge.hpp"
#include "tact/impact/exact_columns.hpp"

namespace tact {
namespace {

using Bound = WorkBound<Exact>;
using Pieces = Distribution<Exact>;
using Cones = std::vector<ImpulseCone<Exact>>;

/// A hull of more members than this is sampled where it carries only.
constexpr std::size_t most_samples = 40;

// ---- the same impact in doubles

std::vector<double> rounded(const ExactVector& x) {
  std::vector<double> out;
  for (const Exact& v : x) out.push_back(nearest(v));
  return out;
}
ImpulseCone<double> rounded(const ImpulseCone<Exact>& cone) {
  ImpulseCone<double> out{cone.rows, cone.normal, {}};
  for (const auto& factor : cone.factors) {
    BaseFactor<double> own{factor.rows, {}};
    for (const auto& e : factor.hull) {
      BaseEllipse<double> part{rounded(e.centre), {}};
      for (const auto& axis : e.axes) part.axes.push_back(rounded(axis));
      own.hull.push_back(std::move(part));
    }
    out.factors.push_back(std::move(own));
  }
  return out;
}
Impact<double> rounded(const Impact<Exact>& impact) {
  Impact<double> out;
  for (const auto& row : impact.mass) out.mass.push_back(rounded(row));
  for (const auto& row : impact.rows) out.rows.push_back(rounded(row));
  out.excitation = rounded(impact.excitation);
  out.before = rounded(impact.before);
  out.impulse = rounded(impact.impulse);
  out.free = rounded(impact.free);
  out.after = rounded(impact.after);
  out.offset = impact.offset;
  for (const auto& cone : impact.cone) out.cone.push_back(rounded(cone));
  for (const auto& cone : impact.opening) out.opening.push_back(rounded(cone));
  return out;
}

ExactVector exactly(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

// ---- generators

/// |s|² <= 1 without rounding.
bool inside(const ConePiece<Exact>& piece) {
  return std::all_of(piece.s.begin(), piece.s.end(), [](const ExactVector& s) {
    Exact sum;
    for (const Exact& x : s) sum += x * x;
    return sum <= 1;
  });
}

/// The generators that doubles used, and coarse ones around them to make up for rounding.
ExactColumns columns_from(const Impact<Exact>& impact, const Cones& cones,
                          const std::vector<const Distribution<double>*>& found) {
  const ExactVector gamma = contact_velocity(impact, impact.free);
  ExactColumns out;
  for (Index i = 0; i < impact.contacts(); ++i) {
    std::vector<std::vector<Index>> members;
    for (const auto* pieces : found) {
      if (pieces->empty()) continue;
      Pieces exact = tact::exactly(*pieces);
      for (auto& piece : exact[i]) {
        if (!inside(piece)) continue;
        members.push_back(piece.member);
        if (!cones[i].polyhedral()) add_column(out, impact, cones, gamma, i, std::move(piece));
      }
    }
    auto around = coarse_pieces(cones[i]);
    const bool few = around.size() <= most_samples;
    for (auto& piece : around)
      if (few || std::find(members.begin(), members.end(), piece.member) != members.end())
        add_column(out, impact, cones, gamma, i, std::move(piece));
  }
  return out;
}

// ---- velocities

bool on_side(const Impact<Exact>& impact, const Cones& cones, ExactVector gamma, int sign) {
  if (sign < 0)
    for (Exact& g : gamma) g = -g;
  for (Index i = 0; i < impact.contacts(); ++i) {
    const ExactVector own(gamma.begin() + impact.offset[i], gamma.begin() + impact.offset[i + 1]);
    if (!in_dual(cones[i], own)) return false;
  }
  return true;
}

/// b, or the nearest to it on the way to a velocity deep inside that is on the right side of every
/// contact.
std::optional<ExactVector> moved_inside(const Impact<Exact>& impact, const Cones& cones,
                                        const std::vector<double>& b,
                                        const std::optional<std::vector<double>>& deep, int sign) {
  const ExactVector from = exactly(b);
  if (on_side(impact, cones, contact_velocity(impact, from), sign)) return from;
  if (!deep) return std::nullopt;
  const ExactVector to = exactly(*deep);
  // From one unit of round-off to the whole way, each time four times as far.
  for (Exact way = Exact(tolerance::epsilon); way <= 1; way *= 4) {
    ExactVector u = from;
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += way * (to[k] - from[k]);
    if (on_side(impact, cones, contact_velocity(impact, u), sign)) return u;
  }
  return std::nullopt;
}

// ---- certificates

/// What doubles found, written in rationals.
Bound written(const Impact<Exact>& impact, const WorkBound<double>& bound, const ExactVector& after,
              bool upper) {
  Bound out;
  if (bound.end == WorkBound<double>::End::none) return out;
  out.impulses = tact::exactly(bound.impulses);
  if (bound.end == WorkBound<double>::End::unbounded) {
    out.end = Bound::End::unbounded;
    out.ray = tact::exactly(bound.ray);
    return out;
  }
  out.end = Bound::End::finite;
  out.velocity = exactly(bound.velocity);
  const Exact attained = work_of(impact, after, impulses_of(impact, out.impulses));
  const Exact proved = work_bound_of(impact, after, out.velocity);
  out.low = upper ? attained : proved;
  out.high = upper ? proved : attained;
  return out;
}

ImpactCertificate<Exact> written(const Impact<Exact>& impact,
                                 const ImpactCertificate<double>& doubles) {
  ImpactCertificate<Exact> out;
  out.tolerance = doubles.tolerance;
  out.free = impact.free;
  out.after = impact.after;
  out.separator = exactly(doubles.separator);
  out.verdict = doubles.verdict;
  if (doubles.minimum.end != WorkBound<double>::End::none)
    out.after = explained(impact, tact::exactly(doubles.minimum.impulses));
  out.minimum = written(impact, doubles.minimum, out.after, false);
  out.maximum = written(impact, doubles.maximum, out.after, true);
  out.jam = tact::exactly(doubles.jam);
  out.admissible = exactly(doubles.admissible);
  if (!refusal(impact, out)) return out;
  // At the border of a tolerance rationals may see it differently.
  out.verdict = energy_verdict(impact, out);
  if (!refusal(impact, out)) return out;
  out.verdict = ImpactVerdict::undecided;
  out.minimum = out.maximum = {};
  return out;
}

/// v with J_i v in K_i* and v.d < 0, without rounding.
std::optional<ImpactCertificate<Exact>> separated(const Impact<Exact>& impact,
                                                  const ImpactCertificate<double>& doubles) {
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  out.verdict = ImpactVerdict::kinetically_incompatible;
  out.separator = exactly(doubles.separator);
  const auto deep = inner_direction(rounded(impact));
  for (Exact way = 0; way <= 1; way = way == 0 ? Exact(tolerance::epsilon) : Exact(4 * way)) {
    if (!refusal(impact, out)) return out;
    if (!deep) return std::nullopt;
    for (std::size_t k = 0; k < out.separator.size(); ++k)
      out.separator[k] = Exact(doubles.separator[k]) + way * Exact((*deep)[k]);
  }
  return std::nullopt;
}

/// A jam, or a velocity that opens everywhere; nothing where neither can be shown.
bool opens(const Impact<Exact>& impact, const Impact<double>& near,
           const ImpactCertificate<double>& doubles, ImpactCertificate<Exact>& out) {
  const bool polyhedral = std::all_of(impact.opening.begin(), impact.opening.end(),
                                      [](const auto& cone) { return cone.polyhedral(); });
  if (polyhedral) {
    decide_admissible(impact, out);
    return true;
  }
  if (!doubles.jam.empty()) {
    out.jam = ray_of(impact, columns_from(impact, impact.opening, {&doubles.jam}), -1);
    return !out.jam.empty();
  }
  if (doubles.admissible.empty()) return false;
  auto u = moved_inside(impact, impact.opening, doubles.admissible,
                        inner_velocity(near, near.opening, 1), 1);
  if (u) out.admissible = *std::move(u);
  return u.has_value();
}

/// Both ends without rounding.
bool bounded(const Impact<Exact>& impact, const Impact<double>& near,
             const ImpactCertificate<double>& doubles, ImpactCertificate<Exact>& out) {
  const ExactColumns columns = columns_from(impact, impact.cone,
                                            {&doubles.minimum.impulses, &doubles.maximum.impulses,
                                             &doubles.minimum.ray, &doubles.maximum.ray});
  const ExactSystem system = explaining(columns, change_of_momentum(impact, out.after));
  ExactSystem some = system;
  ExactVector unit(static_cast<std::size_t>(system.columns));
  unit[0] = 1;
  some.add(std::move(unit), Sense::above);
  if (!decide(some).feasible) return false;
  for (const bool upper : {false, true}) {
    const auto& known = upper ? doubles.maximum : doubles.minimum;
    Bound& end = upper ? out.maximum : out.minimum;
    if (known.end == WorkBound<double>::End::none) return false;
    end = exact_bound(impact, columns, out.after, system, upper);
    if (end.end == Bound::End::unbounded) continue;
    if (known.end != WorkBound<double>::End::finite) return false;
    const int sign = upper ? -1 : 1;
    auto b = moved_inside(impact, impact.cone, known.velocity,
                          inner_velocity(near, near.cone, sign), sign);
    if (!b) return false;
    end.velocity = *std::move(b);
    (upper ? end.high : end.low) = work_bound_of(impact, out.after, end.velocity);
  }
  return true;
}

}  // namespace

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
  if (!out.jam.empty())
    out.verdict = ImpactVerdict::kinematically_infeasible;
  else if (!penetrating(impact, out.after, out.after, 0).empty())
    out.verdict = ImpactVerdict::kinematically_incompatible;
  else
    out.verdict = energy_verdict(impact, out);
  if (refusal(impact, out)) return written(impact, doubles);
  return out;
}

}  // namespace tact
