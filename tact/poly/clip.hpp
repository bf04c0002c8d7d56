// poly/clip.hpp - parts of convex polygons: half planes, intersections, point reflections.
//
// Polygons as in poly/polygon.hpp; a result has no vertex where the intersection is empty, one
// where it is a point, two where it is a segment. Every decision has one slack, a length: a vertex
// within slack of a line lies on it and is kept as it is, so that a polygon touching a line leaves
// the edge or the vertex it touches with, and no sliver thinner than slack is cut off or left.
// Results are convex up to rounding.
//
// The variants with `out` allocate nothing once out (and scratch) have grown; what they held before
// does not matter, but they must not be the memory of an input.
#pragma once

#include <span>
#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// { x : normal · x <= offset }; the normal need not have length one.
struct HalfPlane {
  Vec2 normal = Vec2::Zero();
  double offset = 0;
};

/// polygon ∩ h; slack = point_set_slack(polygon, relative).
[[nodiscard]] std::vector<Vec2> clip(std::span<const Vec2> polygon, const HalfPlane& h,
                                     double relative = tolerance::collinear);
void clip(std::span<const Vec2> polygon, const HalfPlane& h, double slack, std::vector<Vec2>& out);

/// a ∩ b; slack of the larger of both. O(|a| |b|).
[[nodiscard]] std::vector<Vec2> intersect(std::span<const Vec2> a, std::span<const Vec2> b,
                                          double relative = tolerance::collinear);
void intersect(std::span<const Vec2> a, std::span<const Vec2> b, double slack,
               std::vector<Vec2>& out, std::vector<Vec2>& scratch);

/// 2c - polygon, counter-clockwise again.
[[nodiscard]] std::vector<Vec2> reflect(std::span<const Vec2> polygon, const Vec2& c);
void reflect(std::span<const Vec2> polygon, const Vec2& c, std::vector<Vec2>& out);

/// polygon ∩ (2c - polygon): the largest part that is symmetric about c. A segment for c on an
/// edge, a point for c at a vertex, empty for c outside by more than slack.
[[nodiscard]] std::vector<Vec2> symmetric_part(std::span<const Vec2> polygon, const Vec2& c,
                                               double relative = tolerance::centre);
void symmetric_part(std::span<const Vec2> polygon, const Vec2& c, double slack,
                    std::vector<Vec2>& out, std::vector<Vec2>& scratch);

}  // namespace tact
