// impact/exact_judge.cpp - the same in rationals: what doubles found is where to look, nothing
// more.
#include <algorithm>

#include "tact/impact/conic_judge.hpp"
#include "tact/impact/exact_columns.hpp"

namespace tact {
namespace {

/// v with J_i v in K_i* and v.d < 0.
std::optional<ExactVector> separator_of(const ExactColumns& columns, const ExactVector& d) {
  ExactSystem system = explaining(columns, d);
  ExactVector unit(static_cast<std::size_t>(system.columns));
  unit[0] = 1;
  system.add(std::move(unit), Sense::above);
  const ExactVerdict verdict = decide(system);
  if (verdict.feasible) return std::nullopt;
  // m.A <= 0 in every column, with more than zero on the row of x_0: m.force <= 0 and m.d > 0.
  ExactVector v;
  for (std::size_t k = 0; k < d.size(); ++k) v.emplace_back(-verdict.multipliers[k]);
  return v;
}

/// What the bounds, the jam and the velocity prove, in the order of precedence.
void conclude(const Impact<Exact>& impact, ImpactCertificate<Exact>& out) {
  if (!out.jam.empty())
    out.verdict = ImpactVerdict::kinematically_infeasible;
  else if (!penetrating(impact, out.after, out.after, out.tolerance).empty())
    out.verdict = ImpactVerdict::kinematically_incompatible;
  else
    out.verdict = energy_verdict(impact, out);
}

}  // namespace

ImpactCertificate<Exact> judge(const Impact<Exact>& impact,
                               const ImpactCertificate<double>& rounded) {
  const auto round = [](const ImpulseCone<Exact>& cone) { return !cone.polyhedral(); };
  if (std::any_of(impact.cone.begin(), impact.cone.end(), round) ||
      std::any_of(impact.opening.begin(), impact.opening.end(), round)) {
    ImpactCertificate<Exact> out = judge_round(impact, rounded);
    const bool decided = out.verdict != ImpactVerdict::kinetically_incompatible &&
                         out.verdict != ImpactVerdict::undecided;
    if (decided && out.tolerance == 0 && impact.rounded) {
      out.tolerance = rounded.tolerance;
      conclude(impact, out);
    }
    return out;
  }
  const ExactColumns columns = exact_columns(impact, impact.cone);
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  ExactVector d = change_of_momentum(impact, out.after);
  if (const auto v = separator_of(columns, d)) {
    if (rounded.verdict == ImpactVerdict::kinetically_incompatible) {
      out.separator = *v;
      out.verdict = ImpactVerdict::kinetically_incompatible;
      return out;
    }
    out.tolerance = rounded.tolerance;
    out.after = explained(impact, exactly(rounded.minimum.impulses));
    d = change_of_momentum(impact, out.after);
  }
  const ExactSystem system = explaining(columns, d);
  out.minimum = exact_bound(impact, columns, out.after, system, false);
  out.maximum = exact_bound(impact, columns, out.after, system, true);
  if (out.minimum.end == WorkBound<Exact>::End::finite &&
      penetrating(impact, out.after, out.minimum.velocity, 0.0).empty())
    out.admissible = out.minimum.velocity;
  else
    decide_admissible(impact, out);
  if (impact.rounded) out.tolerance = rounded.tolerance;
  conclude(impact, out);
  if (out.tolerance == 0 || !refusal(impact, out, out.tolerance)) return out;
  // Rationals see rays and jams in the rounding of the data; what doubles see is large enough.
  const ImpactCertificate<Exact> coarse = written(impact, rounded);
  return refusal(impact, coarse, coarse.tolerance) ? out : coarse;
}

}  // namespace tact
