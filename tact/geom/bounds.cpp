#include "tact/geom/bounds.hpp"

#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Bounds around(const Vec3& center, const Vec3& reach) {
  return {center - reach, center + reach};
}

void include(Bounds& box, const Vec3& point) {
  box.lower = box.lower.cwiseMin(point);
  box.upper = box.upper.cwiseMax(point);
}

struct Reach {
  const Pose& X;

  Bounds operator()(const HalfSpace&) const {
    Bounds box{Vec3::Constant(-infinity), Vec3::Constant(infinity)};
    const Vec3 n = X.R.col(2);
    for (Index i = 0; i < 3; ++i) {
      if (n[(i + 1) % 3] != 0 || n[(i + 2) % 3] != 0) continue;
      (n[i] > 0 ? box.upper : box.lower)[i] = X.p[i];
    }
    return box;
  }
  Bounds operator()(const Sphere& s) const { return around(X.p, Vec3::Constant(s.radius)); }
  Bounds operator()(const Capsule& s) const {
    return around(X.p, (s.half_length * X.R.col(2)).cwiseAbs().array() + s.radius);
  }
  Bounds operator()(const Cylinder& s) const {
    Vec3 reach;
    for (Index i = 0; i < 3; ++i) {
      reach[i] = s.half_length * std::abs(X.R(i, 2)) + s.radius * std::hypot(X.R(i, 0), X.R(i, 1));
    }
    return around(X.p, reach);
  }
  Bounds operator()(const Ellipsoid& s) const {
    return around(X.p, (X.R * s.semi_axes.asDiagonal()).rowwise().norm());
  }
  Bounds operator()(const Box& s) const { return around(X.p, X.R.cwiseAbs() * s.half_extents); }
  Bounds operator()(const ConvexMesh& s) const {
    TACT_EXPECTS(s.polyhedron != nullptr && !s.polyhedron->vertices.empty());
    Bounds box{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
    for (const Vec3& v : s.polyhedron->vertices) include(box, transform_point(X, v));
    return box;
  }
  Bounds operator()(const HeightField& s) const {
    TACT_EXPECTS(s.grid != nullptr && s.grid->rows >= 2 && s.grid->columns >= 2);
    const HeightGrid& g = *s.grid;
    Bounds box{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
    for (Index i = 0; i < g.rows; ++i) {
      for (Index j = 0; j < g.columns; ++j) {
        const double x =
            g.half_size[0] * (2 * static_cast<double>(j) / static_cast<double>(g.columns - 1) - 1);
        const double y =
            g.half_size[1] * (2 * static_cast<double>(i) / static_cast<double>(g.rows - 1) - 1);
        include(box, transform_point(X, {x, y, g.heights[i * g.columns + j]}));
        include(box, transform_point(X, {x, y, -g.base}));
      }
    }
    return box;
  }
};

}  // namespace

Bounds bounds_of(const Shape& shape, const Pose& X_WS, double margin) {
  Bounds box = std::visit(Reach{X_WS}, shape);
  box.lower.array() -= margin;
  box.upper.array() += margin;
  return box;
}

}  // namespace tact
