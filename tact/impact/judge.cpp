// impact/judge.cpp - in doubles: least squares for the start, pivots for both ends, products for
// the verdict.
#include "tact/impact/judge.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "tact/base/expects.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/poly/simplex.hpp"

namespace tact {
namespace {

using Vector = std::vector<double>;
using Bound = WorkBound<double>;
using Pieces = Distribution<double>;

Eigen::Map<const VecX> view(const Vector& x) {
  return {x.data(), static_cast<Index>(x.size())};
}
Vector values(const VecX& x) {
  return {x.begin(), x.end()};
}

/// The generators of all cones, side by side, as columns of L⁻¹ J' with M = L L'.
struct Columns {
  std::vector<Index> contact;
  std::vector<ConePiece<double>> piece;
  MatX a;
  VecX approach;  ///< γ(z).g

  [[nodiscard]] Index count() const { return static_cast<Index>(contact.size()); }
};

/// The same data as matrices.
struct Dense {
  MatX J;
  Eigen::LLT<MatX> factor;
  VecX gamma;   ///< γ(z)
  VecX change;  ///< L'(u⁺ - z)

  explicit Dense(const Impact<double>& impact) {
    const Index n = impact.dof();
    MatX M(n, n);
    for (Index r = 0; r < n; ++r) M.row(r) = view(impact.mass[r]);
    J.resize(static_cast<Index>(impact.rows.size()), n);
    for (Index r = 0; r < J.rows(); ++r) J.row(r) = view(impact.rows[r]);
    factor.compute(M);
    gamma = view(contact_velocity(impact, impact.free));
    change = factor.matrixU() * (view(impact.after) - view(impact.free));
  }
};

Columns columns_of(const Impact<double>& impact, const Dense& dense,
                   const std::vector<ImpulseCone<double>>& cones) {
  Columns out;
  for (Index i = 0; i < impact.contacts(); ++i)
    for (auto& piece : corners(cones[i])) {
      out.contact.push_back(i);
      out.piece.push_back(std::move(piece));
    }
  out.a.resize(impact.dof(), out.count());
  out.approach.resize(out.count());
  for (Index k = 0; k < out.count(); ++k) {
    const Index at = impact.offset[out.contact[k]];
    const Vector g = generator_of(cones[out.contact[k]], out.piece[k]);
    const auto own = dense.J.middleRows(at, static_cast<Index>(g.size()));
    out.a.col(k) = own.transpose() * view(g);
    out.approach[k] = dense.gamma.segment(at, static_cast<Index>(g.size())).dot(view(g));
  }
  dense.factor.matrixL().solveInPlace(out.a);
  return out;
}

Pieces distribution(const Impact<double>& impact, const Columns& columns, const VecX& weight) {
  Pieces out(static_cast<std::size_t>(impact.contacts()));
  for (Index k = 0; k < weight.size(); ++k) {
    if (!(weight[k] > 0)) continue;
    out[columns.contact[k]].push_back(columns.piece[k]);
    out[columns.contact[k]].back().weight = weight[k];
  }
  return out;
}

/// z + L⁻ᵀ x.
Vector velocity_at(const Impact<double>& impact, const Dense& dense, const VecX& x) {
  VecX v = x;
  dense.factor.matrixU().solveInPlace(v);
  return values(view(impact.free) + v);
}

/// One end of the work, from the answer of a program with the objective ±approach.
Bound bound_of(const Impact<double>& impact, const Dense& dense, const Columns& columns,
               const SimplexAnswer& answer, const Vector& after, bool upper) {
  Bound out;
  if (answer.end == SimplexAnswer::End::gave_up) return out;
  out.impulses = distribution(impact, columns, answer.x);
  if (answer.end == SimplexAnswer::End::unbounded) {
    out.end = Bound::End::unbounded;
    out.ray = distribution(impact, columns, answer.ray);
    return out;
  }
  out.end = Bound::End::finite;
  // approach - A'y >= 0 says γ(b) >= 0 for b = z - L⁻ᵀ y; the upper end has both signs turned.
  const VecX prices = upper ? VecX(-answer.prices) : answer.prices;
  out.velocity = velocity_at(impact, dense, -prices);
  const double attained = work_of(impact, after, impulses_of(impact, out.impulses));
  const double proved = work_bound_of(impact, after, out.velocity);
  out.low = upper ? attained : proved;
  out.high = upper ? proved : attained;
  return out;
}

/// Nothing is admissible: y of cones without friction that cancels with γ(z).y < 0. A linear
/// program that starts from no impulses at all.
Pieces jam_of(const Impact<double>& impact, const Dense& dense, Vector& admissible) {
  const Columns columns = columns_of(impact, dense, impact.opening);
  Simplex program(columns.a, VecX::Zero(impact.dof()), {});
  const SimplexAnswer answer = program.minimise(columns.approach);
  if (answer.end == SimplexAnswer::End::unbounded) return distribution(impact, columns, answer.ray);
  if (answer.end == SimplexAnswer::End::optimal)
    admissible = velocity_at(impact, dense, -answer.prices);
  return {};
}

/// u⁺ where it is explained, and the nearest velocity that is.
Vector explained(const Impact<double>& impact, const Dense& dense, const Columns& columns,
                 const VecX& weight) {
  return velocity_at(impact, dense, columns.a * weight);
}

}  // namespace

ImpactCertificate<double> judge(const Impact<double>& impact, const JudgeOptions& options) {
  const Dense dense(impact);
  const Columns columns = columns_of(impact, dense, impact.cone);
  ImpactCertificate<double> out;
  out.tolerance = options.tolerance;
  out.free = impact.free;
  out.after = impact.after;
  const Nnls start = nnls(columns.a, dense.change);
  if (!(start.residual.norm() <= motion_slack(impact, options.tolerance))) {
    // What no impulses explain is orthogonal to what they do, and separates: A'r <= 0 < r.change.
    VecX v = -start.residual;
    dense.factor.matrixU().solveInPlace(v);
    out.separator = values(v);
    out.verdict = ImpactVerdict::kinetically_incompatible;
    return out;
  }
  out.after = explained(impact, dense, columns, start.x);
  Simplex program(columns.a, columns.a * start.x, start.positive);
  out.minimum =
      bound_of(impact, dense, columns, program.minimise(columns.approach), out.after, false);
  out.maximum =
      bound_of(impact, dense, columns, program.minimise(-columns.approach), out.after, true);
  out.jam = jam_of(impact, dense, out.admissible);
  if (!out.jam.empty())
    out.verdict = ImpactVerdict::kinematically_infeasible;
  else if (!penetrating(impact, out.after, out.after, out.tolerance).empty())
    out.verdict = ImpactVerdict::kinematically_incompatible;
  else
    out.verdict = energy_verdict(impact, out);
  return out;
}

ActualWork actual_work(const Impact<double>& impact, const Vector& lambda, double tolerance) {
  TACT_EXPECTS(lambda.size() == impact.rows.size());
  const Dense dense(impact);
  const Vector after = contact_velocity(impact, impact.after);
  const Vector before = contact_velocity(impact, impact.before);
  ActualWork out;
  double made = 0.5 * dense.change.squaredNorm();
  for (Index i = 0; i < impact.contacts(); ++i) {
    double own = 0;
    for (Index r = impact.offset[i]; r < impact.offset[i + 1]; ++r) {
      own += 0.5 * (after[r] + dense.gamma[r]) * lambda[r];
      out.average += 0.5 * (after[r] + before[r]) * lambda[r];
      made += std::abs(dense.gamma[r] * lambda[r]);
    }
    out.by_contact.push_back(own);
    out.work += own;
  }
  out.slack = tolerance * made;
  VecX explained = dense.J.transpose() * view(lambda);
  dense.factor.matrixL().solveInPlace(explained);
  out.off_momentum = (explained - dense.change).norm();
  out.momentum = out.off_momentum <= motion_slack(impact, tolerance);
  return out;
}

}  // namespace tact
