// tests/property/patch_zoo.hpp - patches of every shape and size, the degenerate ones first.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tact/base/rng.hpp"
#include "tact/cone/patch_shape.hpp"

namespace tact::testing {

struct ZooPatch {
  std::string name;
  PatchShape shape;
};

inline std::vector<Vec2> regular_polygon(int corners, double radius, const Vec2& center) {
  std::vector<Vec2> out;
  for (int i = 0; i < corners; ++i) {
    const double a = 2 * std::numbers::pi * i / corners;
    out.push_back(center + radius * Vec2(std::cos(a), std::sin(a)));
  }
  return out;
}

/// All shapes at unit size around `at`, then scaled about the origin by `scale`.
inline std::vector<ZooPatch> patch_zoo(double scale = 1, const Vec2& at = Vec2::Zero()) {
  const auto p = [&](double x, double y) { return Vec2(scale * (at + Vec2(x, y))); };
  const auto all = [&](std::vector<Vec2> points) {
    for (Vec2& x : points) x = scale * (at + x);
    return PatchShape{PolygonShape{points}};
  };
  std::vector<ZooPatch> zoo;
  zoo.push_back({"point", {PointShape{p(0, 0)}}});
  zoo.push_back({"off-centre point", {PointShape{p(0.3, -0.7)}}});
  zoo.push_back({"segment", {SegmentShape{p(-1, -0.5), p(1, 0.5)}}});
  zoo.push_back({"sliver", all({{-1, 0}, {1, 0}, {0.2, 1e-7}})});
  zoo.push_back({"triangle", all({{-1, -1}, {1, -0.5}, {0.2, 1}})});
  zoo.push_back({"square", all({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})});
  zoo.push_back(
      {"foot", all({{-1, -0.4}, {0.5, -0.4}, {1, -0.2}, {1, 0.3}, {0.4, 0.5}, {-1, 0.4}})});
  zoo.push_back({"24-gon", all(regular_polygon(24, 1, Vec2::Zero()))});
  zoo.push_back({"disc", {DiscShape{p(0, 0), scale}}});
  zoo.push_back({"off-centre disc", {DiscShape{p(1.5, -0.5), 0.7 * scale}}});
  zoo.push_back({"ellipse", {EllipseShape{p(0.2, 0.1), scale * Vec2(1, 0.4), 0.6}}});
  zoo.push_back({"flat ellipse", {EllipseShape{p(0.2, 0.1), scale * Vec2(1, 1e-3), 2.1}}});
  zoo.push_back({"stadium", {StadiumShape{p(-0.6, 0), p(0.5, 0.4), 0.4 * scale}}});
  const PatchShape heel{DiscShape{p(-0.7, 0), 0.3 * scale}};
  const PatchShape toe = all({{0.4, -0.4}, {0.9, -0.3}, {0.9, 0.3}, {0.4, 0.4}});
  const PatchShape side{EllipseShape{p(0.1, 0.5), scale * Vec2(0.5, 0.2), -0.3}};
  zoo.push_back({"heel and toe", {UnionShape{{heel, toe}}}});
  zoo.push_back({"heel, toe and side", {UnionShape{{heel, toe, side}}}});
  zoo.push_back({"crossed ellipses",
                 {UnionShape{{PatchShape{EllipseShape{p(0, 0), scale * Vec2(1, 0.2), 0}},
                              PatchShape{EllipseShape{p(0.1, 0), scale * Vec2(1, 0.2), 1.5}}}}}});
  return zoo;
}

}  // namespace tact::testing
