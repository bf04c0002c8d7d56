#include "tact/cone/polyhedral.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <Eigen/QR>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

using Columns = std::vector<Index>;

MatX select(const MatX& m, const Columns& columns) {
  MatX out(m.rows(), static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    out.col(static_cast<Index>(i)) = m.col(columns[i]);
  return out;
}

/// The unconstrained weights of the active rays; QR, so that nearly parallel rays keep half their
/// digits more than the normal equations would.
VecX least_squares(const MatX& a, const VecX& b) {
  return a.colPivHouseholderQr().solve(b);
}

/// Moves the weights towards the least-squares ones of the active rays, as far as they stay
/// non-negative; rays that reach zero leave. True when all of the way could be gone.
bool advance(const MatX& a, const VecX& b, Columns& active, VecX& t) {
  const VecX weights = least_squares(select(a, active), b);
  double step = 1;
  Index blocking = -1;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const double now = t[active[i]], next = weights[static_cast<Index>(i)];
    if (next >= 0 || now / (now - next) >= step) continue;
    step = now / (now - next);
    blocking = active[i];
  }
  for (std::size_t i = 0; i < active.size(); ++i)
    t[active[i]] += step * (weights[static_cast<Index>(i)] - t[active[i]]);
  if (blocking >= 0) t[blocking] = 0;
  std::erase_if(active, [&](Index j) { return t[j] <= 0; });
  return blocking < 0;
}

/// min |A t - b| over t >= 0 (Lawson and Hanson 1974): rays enter one at a time, those that would
/// need a negative weight leave again; finite because the distance strictly decreases.
VecX non_negative_least_squares(const MatX& a, const VecX& b) {
  const Index n = a.cols();
  VecX t = VecX::Zero(n);
  Columns active;
  const double noise = tolerance::rounding * b.norm();
  for (Index round = 0; round < 3 * n + 3; ++round) {
    const VecX rest = b - a * t;
    Index enter = -1;
    double best = 0;
    for (Index j = 0; j < n; ++j) {
      if (std::find(active.begin(), active.end(), j) != active.end()) continue;
      const double pull = a.col(j).dot(rest) / std::max(a.col(j).norm(), tolerance::smallest);
      if (pull > std::max(best, noise)) {
        best = pull;
        enter = j;
      }
    }
    if (enter < 0) break;
    active.push_back(enter);
    while (!active.empty() && !advance(a, b, active, t)) {
    }
  }
  return t;
}

VecX project_on_rays(const MatX& rays, const MatX& upper, const VecX& z) {
  if (rays.cols() == 0) return VecX::Zero(rays.rows());
  return rays * non_negative_least_squares(upper * rays, upper * z);
}

}  // namespace

PolyhedralCone PolyhedralCone::from_rays(const MatX& rays) {
  TACT_EXPECTS(rays.allFinite());
  return {rays, Form::rays};
}

PolyhedralCone PolyhedralCone::from_half_spaces(const MatX& normals) {
  TACT_EXPECTS(normals.allFinite());
  return {normals, Form::half_spaces};
}

VecX PolyhedralCone::project(const VecX& x) const {
  return project(x, Metric<Eigen::Dynamic>(ambient_dim()));
}

VecX PolyhedralCone::project(const VecX& x, const Metric<Eigen::Dynamic>& metric) const {
  TACT_EXPECTS(x.size() == ambient_dim() && metric.matrix().rows() == ambient_dim());
  if (form_ == Form::rays) return project_on_rays(columns_, metric.upper(), x);
  return project_on_dual(metric, x, [this](const MatX& upper, const VecX& z) {
    return project_on_rays(columns_, upper, z);
  });
}

double PolyhedralCone::margin(const VecX& x) const {
  const double outside = (project(x) - x).norm();
  const MatX normals = form_ == Form::rays ? facet_normals(columns_) : columns_;
  double least = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < normals.cols(); ++j)
    least = std::min(least, normals.col(j).dot(x) / normals.col(j).norm());
  return least < 0 ? std::min(least, -outside) : least;
}

VecX PolyhedralCone::support(const VecX& direction) const {
  if (form_ == Form::half_spaces || columns_.cols() == 0)
    return support_in_unit_ball(*this, direction);
  Index best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < columns_.cols(); ++j) {
    const double value = columns_.col(j).normalized().dot(direction);
    if (value > most) {
      most = value;
      best = j;
    }
  }
  return columns_.col(best).normalized();
}

PolyhedralCone PolyhedralCone::dual() const {
  return {columns_, form_ == Form::rays ? Form::half_spaces : Form::rays};
}

PolyhedralCone PolyhedralCone::mapped(const MatX& a) const {
  TACT_EXPECTS(a.rows() == ambient_dim() && a.cols() == ambient_dim());
  if (form_ == Form::rays) return {a * columns_, form_};
  return {a.transpose().colPivHouseholderQr().solve(columns_), form_};  // normals move with A^-T
}

MatX facet_normals(const MatX& rays) {
  const Index n = rays.rows(), k = rays.cols();
  MatX unit_rays = rays;
  unit_rays.colwise().normalize();
  const double tol = tolerance::face;

  // Directions in which the cone has no extent are walls on both sides.
  Eigen::ColPivHouseholderQR<MatX> qr(unit_rays);
  qr.setThreshold(tol);
  const Index rank = k == 0 ? 0 : qr.rank();
  const MatX q = k == 0 ? MatX(MatX::Identity(n, n)) : MatX(qr.householderQ());
  std::vector<VecX> normals;
  for (Index i = rank; i < n; ++i) {
    normals.emplace_back(q.col(i));
    normals.emplace_back(-q.col(i));
  }

  // In the span: every choice of rank - 1 rays that leaves the others on one side is a face.
  std::vector<bool> chosen(static_cast<std::size_t>(k), false);
  if (rank == 0) chosen.clear();
  std::fill(chosen.begin(), chosen.begin() + std::max<Index>(rank - 1, 0), true);
  if (rank == 0 || k < rank) chosen.clear();
  for (bool more = !chosen.empty(); more;
       more = std::prev_permutation(chosen.begin(), chosen.end())) {
    MatX wall(n, rank - 1 + n - rank);
    Index col = 0;
    for (Index j = 0; j < k; ++j)
      if (chosen[static_cast<std::size_t>(j)]) wall.col(col++) = unit_rays.col(j);
    for (Index i = rank; i < n; ++i) wall.col(col++) = q.col(i);
    Eigen::ColPivHouseholderQR<MatX> wall_qr(wall);
    wall_qr.setThreshold(tol);
    if (wall_qr.rank() < n - 1) continue;
    VecX normal = MatX(wall_qr.householderQ()).col(n - 1);
    const VecX sides = unit_rays.transpose() * normal;
    if (sides.maxCoeff() > tol && sides.minCoeff() < -tol) continue;
    if (sides.minCoeff() < -tol) normal = -normal;
    const bool known = std::any_of(normals.begin(), normals.end(), [&](const VecX& other) {
      return (other - normal).norm() < tol;
    });
    if (!known) normals.push_back(normal);
  }
  MatX out(n, static_cast<Index>(normals.size()));
  for (std::size_t i = 0; i < normals.size(); ++i) out.col(static_cast<Index>(i)) = normals[i];
  return out;
}

}  // namespace tact
