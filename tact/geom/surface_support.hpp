// geom/surface_support.hpp - surfaces as a whole: support points of convex ones, points all over.
#pragma once

#include <optional>
#include <vector>

#include "tact/geom/surface.hpp"

namespace tact {

/// The solid is convex, and bounded but for planes and cylinders: it has a support function.
[[nodiscard]] bool is_convex(const Surface& surface);

/// The farthest point along d ≠ 0, in closed form; of a plane only along its normal and of a
/// cylinder only across its axis, none along others. Expects is_convex.
[[nodiscard]] std::optional<Vec3> support_point(const Surface& surface, const Vec3& d);

/// Whether p lies in the solid. None beside the edge of a patch or of a height field, which say
/// nothing about it.
[[nodiscard]] std::optional<bool> contains(const Surface& surface, const Vec3& p);

/// How far from the origin the surface goes, to first order for charts that are not NURBS; infinite
/// for planes, cylinders and what says nothing about it.
[[nodiscard]] double extent(const Surface& surface);

/// About `count` points spread over the surface, over what lies within `reach` of `centre` where it
/// is unbounded.
[[nodiscard]] std::vector<SurfacePoint> spread_points(const Surface& surface, Index count,
                                                      const Vec3& centre, double reach);

}  // namespace tact
