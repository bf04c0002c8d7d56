#include "tact/cone/wrench_cone.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "tact/base/expects.hpp"
#include "tact/cone/polyhedral.hpp"

namespace tact {

namespace {

constexpr Index m_x = 0, m_y = 1, m_z = 2, f_x = 3, f_y = 4, f_z = 5;

/// Choices of five rays out of these many are still enumerated in a moment.
constexpr Index most_rays = 32;

Error not_a_polygon() {
  return {Errc::geometry,
          "half-spaces need a polygon: take a polygon inscribed in the round patch, or its "
          "second-order cone"};
}

/// The wrench of a force at the point x.
Eigen::Matrix<double, 6, 3> wrench_map(const Vec2& x) {
  Eigen::Matrix<double, 6, 3> map = Eigen::Matrix<double, 6, 3>::Zero();
  map(m_x, 2) = x[1];
  map(m_y, 2) = -x[0];
  map(m_z, 0) = -x[1];
  map(m_z, 1) = x[0];
  map(f_x, 0) = map(f_y, 1) = map(f_z, 2) = 1;
  return map;
}

std::vector<Vec2> friction_corners(double mu, const LinearFrictionOptions& options) {
  if (mu == 0) return {Vec2::Zero()};
  if (options.kind == LinearFriction::box) return {{mu, mu}, {-mu, mu}, {-mu, -mu}, {mu, -mu}};
  std::vector<Vec2> out;
  for (int i = 0; i < options.edges; ++i) {
    const double angle = 2 * std::numbers::pi * i / options.edges;
    out.emplace_back(mu * std::cos(angle), mu * std::sin(angle));
  }
  return out;
}

/// Half-space a.(s, f) <= 0 as a row on [m_T, f_N], s = (-m_y, m_x).
void put_row(HalfSpaces& rows, Index at, const Vec2& on_s, double on_f) {
  rows(at, m_x) = on_s[1];
  rows(at, m_y) = -on_s[0];
  rows(at, f_z) = on_f;
}

}  // namespace

Result<HalfSpaces> normal_half_spaces(const PlanarSet& hull) {
  if (hull.kind() != PlanarSet::Kind::polygon) return not_a_polygon();
  const auto v = hull.vertices();
  const auto k = static_cast<Index>(v.size());
  HalfSpaces rows = HalfSpaces::Zero(k > 2 ? k : k == 2 ? 4 : 5, 6);
  if (k > 2) {
    for (Index i = 0; i < k; ++i) {
      const Vec2& a = v[static_cast<std::size_t>(i)];
      const Vec2 n = perp(v[static_cast<std::size_t>((i + 1) % k)] - a).normalized();
      put_row(rows, i, n, -n.dot(a));
    }
  } else {
    // On the line and between its ends; of a point: on both lines, and pushing.
    const Vec2& a = v.front();
    const Vec2& b = v.back();
    const Vec2 u = k == 2 ? Vec2((b - a).normalized()) : Vec2::UnitX();
    const Vec2 n = perp(u);
    put_row(rows, 0, n, -n.dot(a));
    put_row(rows, 1, -n, n.dot(a));
    put_row(rows, 2, u, -u.dot(b));
    put_row(rows, 3, -u, u.dot(a));
    if (k == 1) put_row(rows, 4, Vec2::Zero(), -1);
  }
  return rows;
}

Result<SecondOrderCone> normal_second_order_cone(const PlanarSet& hull) {
  if (hull.kind() != PlanarSet::Kind::ellipse)
    return Error{Errc::geometry, "one second-order cone describes one disc or ellipse only"};
  const Mat2 inverse = hull.form().axes.inverse();
  SecondOrderCone cone;
  cone.B.col(m_x) = inverse.col(1);
  cone.B.col(m_y) = -inverse.col(0);
  cone.B.col(f_z) = -inverse * hull.form().center;
  cone.d[f_z] = 1;
  return cone;
}

Result<MatX> frictional_rays(const PlanarSet& hull, double mu,
                             const LinearFrictionOptions& options) {
  TACT_EXPECTS(mu >= 0 && std::isfinite(mu) && options.edges >= 3);
  if (hull.kind() != PlanarSet::Kind::polygon) return not_a_polygon();
  const std::vector<Vec2> friction = friction_corners(mu, options);
  MatX rays(6, static_cast<Index>(hull.vertices().size() * friction.size()));
  Index at = 0;
  for (const Vec2& x : hull.vertices())
    for (const Vec2& t : friction) rays.col(at++) = wrench_map(x) * Vec3(t[0], t[1], 1);
  return rays;
}

Result<HalfSpaces> frictional_half_spaces(const PlanarSet& hull, double mu,
                                          const LinearFrictionOptions& options) {
  const Result<MatX> rays = frictional_rays(hull, mu, options);
  if (!rays) return rays.error();
  if (rays->cols() > most_rays)
    return Error{Errc::value, "a friction cone of " + std::to_string(rays->cols()) +
                                  " rays is too large to enumerate: use at most " +
                                  std::to_string(most_rays) + ", or its corner cones"};
  // About the middle of the patch, in units of its size and of mu, so that no unit spoils the
  // signs.
  const double size = hull.radius() > 0 ? hull.radius() : 1, slip = mu > 0 ? mu : 1;
  Mat6 to = Mat6::Identity();
  const Vec2& c = hull.center();
  to(m_x, f_z) = -c[1];
  to(m_y, f_z) = c[0];
  to(m_z, f_x) = c[1];
  to(m_z, f_y) = -c[0];
  Vec6 units;
  units << 1 / size, 1 / size, 1 / (size * slip), 1 / slip, 1 / slip, 1;
  to = units.asDiagonal() * to;
  const MatX normals = facet_normals(to * *rays);
  HalfSpaces rows = -(normals.transpose() * to);
  for (Index i = 0; i < rows.rows(); ++i) {
    Vec6 scaled = rows.row(i).transpose();
    scaled.head<3>() *= size;
    rows.row(i) /= scaled.norm();
  }
  return rows;
}

Result<std::vector<CornerCone>> corner_cones(const PlanarSet& hull, double mu) {
  TACT_EXPECTS(mu >= 0 && std::isfinite(mu));
  if (hull.kind() != PlanarSet::Kind::polygon)
    return Error{Errc::geometry, "a round patch has no corners: take a polygon inscribed in it"};
  std::vector<CornerCone> cones;
  for (const Vec2& x : hull.vertices()) cones.push_back({wrench_map(x), mu});
  return cones;
}

HalfSpaces rectangle_half_spaces(double half_x, double half_y, double mu) {
  TACT_EXPECTS(half_x >= 0 && half_y >= 0 && mu >= 0);
  HalfSpaces rows = HalfSpaces::Zero(16, 6);
  Index at = 0;
  const auto bound = [&](Index column, double by) {
    for (const double sign : {1.0, -1.0}) {
      rows(at, column) = sign;
      rows(at++, f_z) = -by;
    }
  };
  bound(f_x, mu);
  bound(f_y, mu);
  bound(m_x, half_y);
  bound(m_y, half_x);
  // The two absolute values of each bound on m_z, opened in all four ways.
  for (const double side : {1.0, -1.0}) {  // +1: upper bound, -1: lower bound
    for (const double first : {1.0, -1.0}) {
      for (const double second : {1.0, -1.0}) {
        rows(at, m_z) = side;
        rows(at, f_z) = -mu * (half_x + half_y);
        rows(at, f_x) = first * half_y;
        rows(at, m_x) = first * side * mu;
        rows(at, f_y) = second * half_x;
        rows(at++, m_y) = second * side * mu;
      }
    }
  }
  return rows;
}

}  // namespace tact
