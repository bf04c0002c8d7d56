#include "tact/cone/patch_shape.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace tact {

namespace {

using Parts = std::vector<EllipseForm>;

/// Appends what the hull of a shape is the hull of; says what is wrong with it otherwise.
struct Collector {
  Parts& parts;

  [[nodiscard]] std::optional<Error> point(const Vec2& x) const {
    if (!x.allFinite()) return Error{Errc::value, "a point of the patch is not finite"};
    parts.push_back(point_form(x));
    return {};
  }
  [[nodiscard]] std::optional<Error> disc(const Vec2& center, double radius) const {
    if (!center.allFinite() || !std::isfinite(radius))
      return Error{Errc::value, "a disc needs a finite centre and a finite radius"};
    if (radius < 0) return Error{Errc::value, "a radius cannot be negative"};
    parts.push_back(disc_form(center, radius));
    return {};
  }

  std::optional<Error> operator()(const PolygonShape& s) const {
    if (s.points.empty())
      return Error{Errc::geometry, "a patch needs at least one point; this point set is empty"};
    for (const Vec2& x : s.points)
      if (auto error = point(x)) return error;
    return {};
  }
  std::optional<Error> operator()(const DiscShape& s) const { return disc(s.center, s.radius); }
  std::optional<Error> operator()(const EllipseShape& s) const {
    if (!s.center.allFinite() || !s.semi_axes.allFinite() || !std::isfinite(s.angle))
      return Error{Errc::value, "an ellipse needs finite numbers"};
    if (s.semi_axes.minCoeff() < 0) return Error{Errc::value, "a semi-axis cannot be negative"};
    parts.push_back(ellipse_form(s.center, s.semi_axes, s.angle));
    return {};
  }
  std::optional<Error> operator()(const SegmentShape& s) const {
    if (auto error = point(s.a)) return error;
    return point(s.b);
  }
  std::optional<Error> operator()(const PointShape& s) const { return point(s.at); }
  std::optional<Error> operator()(const StadiumShape& s) const {
    if (auto error = disc(s.a, s.radius)) return error;
    return disc(s.b, s.radius);
  }
  std::optional<Error> operator()(const UnionShape& s) const {
    if (s.parts.empty())
      return Error{Errc::geometry, "a patch needs at least one point; this union is empty"};
    for (const PatchShape& part : s.parts)
      if (auto error = std::visit(*this, part.value)) return error;
    return {};
  }
};

}  // namespace

Result<PlanarSet> convex_hull_of(const PatchShape& shape) {
  Parts parts;
  if (auto error = std::visit(Collector{parts}, shape.value)) return *error;
  return PlanarSet::hull_of(parts);
}

}  // namespace tact
