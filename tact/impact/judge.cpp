// impact/judge.cpp - in doubles: least squares for the start, pivots for both ends, products for
// the verdict.
#include "tact/impact/judge.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "tact/base/expects.hpp"
#include "tact/impact/cone_pieces.hpp"
#include "tact/impact/conic_judge.hpp"
#include "tact/impact/generator_columns.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/poly/simplex.hpp"

namespace tact {
namespace {

using Vector = std::vector<double>;
using Bound = WorkBound<double>;
using Pieces = Distribution<double>;

/// One end of the work, from the answer of a program with the objective ±approach.
Bound bound_of(const Impact<double>& impact, const EnergyForm& form,
               const GeneratorColumns& columns, const SimplexAnswer& answer, const Vector& after,
               bool upper) {
  Bound out;
  if (answer.end == SimplexAnswer::End::gave_up) return out;
  out.impulses = distribution(impact, columns, answer.x);
  if (answer.end == SimplexAnswer::End::unbounded) {
    out.end = Bound::End::unbounded;
    out.ray = distribution(impact, columns, answer.ray);
    return out;
  }
  // approach - A'y >= 0 says γ(b) >= 0 for b = z - L⁻ᵀ y; the upper end has both signs turned.
  const VecX prices = upper ? VecX(-answer.prices) : answer.prices;
  out.velocity = velocity_at(impact, form, -prices);
  set_bracket(impact, after, upper, out);
  return out;
}

/// Nothing is admissible: y of cones without friction that cancels with γ(z).y < 0. A linear
/// program that starts from no impulses at all.
Pieces jam_of(const Impact<double>& impact, const EnergyForm& form, Vector& admissible) {
  const GeneratorColumns columns = all_columns(impact, form, impact.opening);
  Simplex program(columns.a, VecX::Zero(impact.dof()), {});
  const SimplexAnswer answer = program.minimise(columns.approach);
  if (answer.end == SimplexAnswer::End::unbounded) return distribution(impact, columns, answer.ray);
  if (answer.end == SimplexAnswer::End::optimal)
    admissible = velocity_at(impact, form, -answer.prices);
  return {};
}

/// The contacts whose impulse is farther from its cone than this share of the largest impulse.
std::vector<Index> outside_of_cones(const Impact<double>& impact, const Vector& lambda,
                                    double tolerance) {
  const auto own = [&](Index i) { return part(lambda, impact.offset[i], impact.offset[i + 1]); };
  double largest = 0;
  for (Index i = 0; i < impact.contacts(); ++i)
    largest = std::max(largest, impulse_size(impact.cone[i], own(i)));
  std::vector<Index> out;
  for (Index i = 0; i < impact.contacts(); ++i)
    if (!in_cone(impact.cone[i], own(i), tolerance * largest)) out.push_back(i);
  return out;
}

/// The residual without what rounding left of it in the span of the columns in use: as small as it
/// is beside the change of motion, it must be orthogonal to them by its own measure.
VecX beside(const MatX& a, const Nnls& start) {
  VecX r = start.residual;
  if (start.positive.empty()) return r;
  MatX used(a.rows(), static_cast<Index>(start.positive.size()));
  for (Index k = 0; k < used.cols(); ++k) used.col(k) = a.col(start.positive[k]).normalized();
  const Eigen::HouseholderQR<MatX> factor(used);
  for (int twice = 0; twice < 2; ++twice) {
    VecX turned = factor.householderQ().transpose() * r;
    turned.head(used.cols()).setZero();
    r = factor.householderQ() * turned;
  }
  return r;
}

}  // namespace

ImpactCertificate<double> judge(const Impact<double>& impact, double tolerance) {
  if (!all_polyhedral(impact.cone) || !all_polyhedral(impact.opening))
    return judge_round(impact, tolerance);
  const EnergyForm form(impact);
  const GeneratorColumns columns = all_columns(impact, form, impact.cone);
  ImpactCertificate<double> out;
  out.tolerance = tolerance;
  out.free = impact.free;
  out.after = impact.after;
  const Nnls start = nnls(columns.a, form.change);
  const double slack =
      motion_slack(impact, tolerance) +
      cancelling_slack(impact, row_sizes(impact, distribution(impact, columns, start.x)),
                       tolerance);
  if (!(start.residual.norm() <= slack)) {
    // What no impulses explain is orthogonal to what they do, and separates: A'r <= 0 < r.change.
    VecX v = -beside(columns.a, start);
    form.factor.matrixU().solveInPlace(v);
    out.separator = values(v);
    out.verdict = ImpactVerdict::kinetically_incompatible;
    return out;
  }
  // u⁺ where it is explained to rounding, else the nearest velocity that is.
  out.after = velocity_at(impact, form, columns.a * start.x);
  Simplex program(columns.a, columns.a * start.x, start.positive);
  out.minimum =
      bound_of(impact, form, columns, program.minimise(columns.approach), out.after, false);
  out.maximum =
      bound_of(impact, form, columns, program.minimise(-columns.approach), out.after, true);
  // What proves a least work opens every contact, unless its cone is narrower than without
  // friction.
  if (out.minimum.end == Bound::End::finite &&
      penetrating(impact, out.after, out.minimum.velocity, out.tolerance).empty())
    out.admissible = out.minimum.velocity;
  else
    out.jam = jam_of(impact, form, out.admissible);
  out.verdict = verdict_of(impact, out);
  return out;
}

ActualWork actual_work(const Impact<double>& impact, const Vector& lambda, double tolerance) {
  TACT_EXPECTS(lambda.size() == impact.rows.size());
  const EnergyForm form(impact);
  const Vector after = contact_velocity(impact, impact.after);
  const Vector before = contact_velocity(impact, impact.before);
  ActualWork out;
  double made = 0.5 * form.change.squaredNorm();
  for (Index i = 0; i < impact.contacts(); ++i) {
    double own = 0;
    for (Index r = impact.offset[i]; r < impact.offset[i + 1]; ++r) {
      own += 0.5 * (after[r] + form.gamma[r]) * lambda[r];
      out.average += 0.5 * (after[r] + before[r]) * lambda[r];
      made += std::abs(form.gamma[r] * lambda[r]);
    }
    out.by_contact.push_back(own);
    out.work += own;
  }
  out.slack = tolerance * made;
  out.outside = outside_of_cones(impact, lambda, tolerance);
  VecX explained = form.J.transpose() * view(lambda);
  form.factor.matrixL().solveInPlace(explained);
  out.off_momentum = (explained - form.change).norm();
  const VecX sizes = view(lambda).cwiseAbs();
  out.momentum = out.off_momentum <= motion_slack(impact, tolerance) +
                                         cancelling_slack(impact, values(sizes), tolerance);
  return out;
}

}  // namespace tact
