// geom/face_of.hpp - the face with which a shape meets another: a polygon, a cap, a line, a point.
//
// Rule: of the faces that hold the nearest point the one whose outward normal N is nearest
//       to d is taken (largest d · N, called its alignment); the face of the step before stays
//       until another is better by `face_switch`. A box changes from face to face at 45 degrees, a
//       cylinder from cap to side, a capsule from line to end.
#pragma once

#include <cstdint>

#include "tact/geom/patch_scratch.hpp"
#include "tact/geom/support.hpp"

namespace tact {

/// A new face must be better aligned than the old one by this much.
inline constexpr double face_switch = 1e-3;

struct Outline {
  enum class Kind : std::uint8_t { point, segment, polygon, ellipse, plane };
  Kind kind = Kind::point;
  int face = 0;                ///< number of the face on its shape; box: 2 axis + (1 if negative)
  double alignment = 1;        ///< d · N
  Vec3 normal = Vec3::Zero();  ///< N, in the world
  Vec3 anchor = Vec3::Zero();  ///< the point of the shape farthest along d
  Vec3 centre = Vec3::Zero();  ///< ellipse: centre + cos u + sin v, the cap's own angle
  Vec3 u = Vec3::Zero(), v = Vec3::Zero();
};

/// In the world, d a unit vector, `nearest_W` the point of the surface that is nearest to the other
/// shape, `kept` the face of the step before or -1. Replaces `points`: the
/// corners of a polygon, counter-clockwise seen from outside, or the two ends of a line.
[[nodiscard]] Outline face_toward(const Convex& shape, const Vec3& d_W, const Vec3& nearest_W,
                                  int kept, OutlinePoints& points);

}  // namespace tact
