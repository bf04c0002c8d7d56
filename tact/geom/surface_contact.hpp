// geom/surface_contact.hpp - where two shapes meet: a plane, a patch in it, and the gap over the
// patch.
//
// Frame C of a contact: origin in the contact plane, z = n the normal from shape 2 into shape 1.
// The gap between two nearly parallel faces is an affine function over the patch,
//     gap(x, y) = gap[0] + gap[1] x + gap[2] y                                            [m],
// so that a face, an edge and a corner that touch are labels of one patch and not three contacts.
// Where the patch is flat on both sides the contact plane lies midway: its points are half a gap
// away from either surface. The least gap over the patch is the signed distance of the two shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "tact/geom/patch_scratch.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

enum class PatchKind : std::uint8_t {
  point,    ///< points[0]
  segment,  ///< points[0], points[1]
  polygon,  ///< convex, counter-clockwise, three points or more
  disc,     ///< points[0] its centre, and `radius`
  ellipse,  ///< points[0] its centre, `semi_axes` along x and y of C
  stadium,  ///< points[0], points[1], and `radius`
};

struct SurfaceContact {
  Pose X_WC;
  PatchKind kind = PatchKind::point;
  Index first_point = 0;  ///< in ContactBuffer::points
  Index point_count = 0;
  double radius = 0;
  Vec2 semi_axes = Vec2::Zero();
  Vec3 gap = Vec3::Zero();
  double distance = 0;        ///< of the two shapes [m], negative when they overlap
  std::uint64_t feature = 0;  ///< names the pair of faces: stable while the contact persists
};

/// Owned by the caller and used again and again; collide() appends to it.
struct ContactBuffer {
  std::vector<SurfaceContact> contacts;
  std::vector<Vec2> points;                   ///< in C, contact after contact
  std::vector<std::uint32_t> point_features;  ///< names of the points by features of the bodies
  PatchScratch scratch;                       ///< working memory of collide(), of no other meaning

  void clear() {
    contacts.clear();
    points.clear();
    point_features.clear();
  }
};

}  // namespace tact
