#include "tact/modes/open_cone.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/LU>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/nnls.hpp"

namespace tact::detail {

double slack_of(const VecX& z, const VecX& error) {
  // Twice, for the rounding of this sum itself and of those it is added to.
  return 2 * z.cwiseAbs().dot(error);
}

BoundedSum bounded_sum(const double* row, const double* z, Index dim, double slack) {
  BoundedSum out;
  double size = 0;
  for (Index k = 0; k < dim; ++k) {
    const double term = row[k] * z[k];
    out.value += term;
    size += std::abs(term);
  }
  // Every term passes through at most dim + 1 roundings; twice that covers those of the bound.
  out.bound = slack + 2 * static_cast<double>(dim + 1) * (tolerance::epsilon * size) +
              static_cast<double>(dim) * tolerance::smallest;
  return out;
}

namespace {

bool strictly_above(const OpenCone& cone, const VecX& z) {
  const double slack = slack_of(z, cone.error);
  VecX row(cone.dim());
  for (Index i = 0; i < cone.rows.rows(); ++i) {
    row = cone.rows.row(i).transpose();
    const BoundedSum sum = bounded_sum(row.data(), z.data(), cone.dim(), slack);
    if (!(sum.value > sum.bound)) return false;
  }
  return true;
}

/// dim + 1 rows whose first is the others' sum with negative weights: G w = g, G the others as
/// columns. With R close to the inverse of G and |I - R G| <= b < 1, G is regular and the solution
/// is within |R (g - G w)| / (1 - b) of w; b and the residual take in the errors of the entries.
bool encloses_positive(const OpenCone& cone, const std::vector<Index>& rows) {
  const Index n = cone.dim();
  MatX G(n, n);
  for (Index j = 0; j < n; ++j) G.col(j) = cone.rows.row(rows[j + 1]).transpose();
  const VecX g = -cone.rows.row(rows[0]).transpose();
  const MatX R = G.partialPivLu().inverse();
  if (!R.allFinite()) return false;
  const VecX w = R * g;
  const MatX sizes = R.cwiseAbs();
  const auto roundings = 2 * static_cast<double>(n + 2) * tolerance::epsilon;
  const VecX off = sizes * cone.error;
  const VecX spread = (MatX::Identity(n, n) - R * G).cwiseAbs().rowwise().sum() +
                      roundings * (sizes * G.cwiseAbs().rowwise().sum()) +
                      2 * static_cast<double>(n) * off;
  const double b = 2 * spread.maxCoeff();
  if (!(b < 1)) return false;
  const VecX rest = (g - G * w).cwiseAbs() +
                    roundings * (G.cwiseAbs() * w.cwiseAbs() + g.cwiseAbs()) +
                    2 * (1 + w.cwiseAbs().sum()) * cone.error;
  const double off_by = 2 * (sizes * rest).maxCoeff() / (1 - b);
  return w.minCoeff() > off_by;
}

/// The same for any number of rows, in rationals.
bool sums_to_zero(const OpenCone& cone, const std::vector<Index>& rows) {
  const Index n = cone.dim();
  std::vector<ExactVector> entries;
  entries.reserve(rows.size());
  for (const Index row : rows) entries.push_back(cone.exact(row));
  std::vector<ExactVector> A(n);
  ExactVector r(n);
  for (Index k = 0; k < n; ++k) {
    for (std::size_t j = 1; j < rows.size(); ++j) A[k].push_back(entries[j][k]);
    r[k] = -entries[0][k];
  }
  if (rows.size() == 1)
    return std::all_of(r.begin(), r.end(), [](const Exact& x) { return sgn(x) == 0; });
  const auto weights = solve_exactly(std::move(A), std::move(r));
  return weights &&
         std::all_of(weights->begin(), weights->end(), [](const Exact& x) { return sgn(x) > 0; });
}

OpenAnswer by_linear_program(const OpenCone& cone) {
  const Index n = cone.dim();
  ExactSystem system;
  system.columns = 2 * n;
  for (Index i = 0; i < cone.rows.rows(); ++i) {
    ExactVector row = cone.exact(i);
    for (Index k = 0; k < n; ++k) row.push_back(-row[k]);
    system.add(std::move(row), Sense::above);
  }
  const ExactVerdict verdict = decide(system);
  OpenAnswer out;
  out.open = verdict.feasible;
  if (!verdict.feasible) {
    for (Index i = 0; i < cone.rows.rows(); ++i)
      if (sgn(verdict.multipliers[i]) > 0) out.circuit.push_back(i);
    return out;
  }
  Exact largest = 0;
  for (Index k = 0; k < n; ++k) {
    out.exact.push_back(verdict.point[k] - verdict.point[n + k]);
    if (abs(out.exact[k]) > largest) largest = abs(out.exact[k]);
  }
  out.point.setZero(n);
  for (Index k = 0; k < n; ++k) {
    out.exact[k] /= largest;
    out.point[k] = nearest(out.exact[k]);
  }
  return out;
}

/// What least squares proposes, checked.
std::optional<OpenAnswer> proposed(const OpenCone& cone, OpenTally& tally) {
  const Index n = cone.dim();
  const Index m = cone.rows.rows();
  MatX columns(n + 1, m);
  columns.topRows(n) = cone.rows.transpose();
  for (Index i = 0; i < m; ++i) {
    const double length = columns.col(i).head(n).norm();
    if (!(length > 0)) return std::nullopt;
    columns.col(i) /= length;
  }
  columns.row(n).setOnes();
  const Nnls weights = nnls(columns, VecX::Unit(n + 1, n));
  OpenAnswer out;
  out.point = -weights.residual.head(n);
  const double size = out.point.cwiseAbs().maxCoeff();
  if (size > 0) out.point /= size;
  out.open = size > 0 && strictly_above(cone, out.point);
  if (out.open) return out;
  for (const Index row : weights.positive)
    if (weights.x[row] > 0) out.circuit.push_back(row);
  if (out.circuit.empty()) return std::nullopt;
  std::iter_swap(out.circuit.begin(),
                 std::max_element(out.circuit.begin(), out.circuit.end(),
                                  [&](Index a, Index b) { return weights.x[a] < weights.x[b]; }));
  const bool full = static_cast<Index>(out.circuit.size()) == n + 1;
  if (full && encloses_positive(cone, out.circuit)) return out;
  ++tally.rational_sums;
  // Weights that are zero but for rounding belong to no sum.
  const double most = weights.x[out.circuit.front()];
  std::erase_if(out.circuit, [&](Index row) { return weights.x[row] <= tolerance::basis * most; });
  if (sums_to_zero(cone, out.circuit)) return out;
  return std::nullopt;
}

}  // namespace

OpenAnswer decide(const OpenCone& cone, OpenTally& tally) {
  TACT_EXPECTS(cone.rows.cols() == cone.error.size());
  ++tally.decisions;
  if (cone.rows.rows() == 0) {
    OpenAnswer all;
    all.open = true;
    all.point = VecX::Zero(cone.dim());
    return all;
  }
  if (auto quick = proposed(cone, tally)) return *std::move(quick);
  ++tally.linear_programs;
  return by_linear_program(cone);
}

}  // namespace tact::detail
