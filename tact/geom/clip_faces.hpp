// geom/clip_faces.hpp - what two faces have in common, in the plane, with names for the corners.
//
// Every point of the result is named after the features of the two bodies that make it: a corner of
// the first or the second, the crossing of two edges, a place on a rim. The names outlive the
// clipping, so that a corner is the same corner in the next step wherever it is in the list.
#pragma once

#include <cstdint>

#include "tact/geom/patch_scratch.hpp"

namespace tact {

/// Names: hashes of what they are made of, 32 bits; two of one patch collide once in 10⁸.
[[nodiscard]] std::uint32_t feature_name(std::uint32_t kind, std::uint32_t a, std::uint32_t b);
[[nodiscard]] std::uint32_t edge_name(std::uint32_t shape, std::uint32_t vertex_a,
                                      std::uint32_t vertex_b);

/// The part of the convex polygon `subject` within the convex polygon `clip`, both
/// counter-clockwise. The result is in `subject`; `scratch` is overwritten. Points nearer to each
/// other than `same` are one.
void clip_polygon(NamedPolygon& subject, const NamedPolygon& clip, double same,
                  NamedPolygon& scratch);

/// The part of the segment within the convex counter-clockwise polygon moved outward by `slack`, so
/// that a line along an edge is inside whatever the rounding: true if there is one. Expects a
/// subject of two points.
[[nodiscard]] bool clip_segment(NamedPolygon& subject, const NamedPolygon& clip, double slack);

/// The part of the segment within the ellipse centre + [U] x, |x| <= 1; none of a line that only
/// grazes it.
[[nodiscard]] bool clip_segment(NamedPolygon& subject, const Vec2& centre, const Mat2& U);

/// How many points a whole rim is sampled with: an inscribed polygon of this many corners misses
/// 0.64 % of the area and 0.48 % of the radius.
inline constexpr int rim_points = 32;

enum class EllipseClip : std::uint8_t { empty, whole, polygon };

/// The part of the ellipse centre + [U] x, |x| <= 1, within the convex counter-clockwise polygon:
/// the whole ellipse, or an inscribed polygon whose corners on edges are exact and whose arcs are
/// sampled at fixed angles of the rim, and at `deepest` too (an angle of x, or not a number).
/// Expects det U > 0. `turn` = -1 says that the rim's own angle runs the other way.
[[nodiscard]] EllipseClip clip_ellipse(const Vec2& centre, const Mat2& U, double turn,
                                       double deepest, const NamedPolygon& clip, NamedPolygon& out);

/// Unites neighbours nearer than `same`; the one with the smaller name stays.
void unite_neighbours(NamedPolygon& polygon, double same);

struct AreaCentre {
  double area = 0;
  Vec2 centre = Vec2::Zero();
};
[[nodiscard]] AreaCentre area_centre(const NamedPolygon& polygon);

}  // namespace tact
