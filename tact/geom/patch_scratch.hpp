// geom/patch_scratch.hpp - working memory of the making of patches: grows to the largest face seen.
#pragma once

#include <cstdint>
#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

/// A corner of a polygon in the contact plane.
struct PatchCorner {
  Vec2 at = Vec2::Zero();
  std::uint32_t name = 0;
  std::uint32_t edge = 0;  ///< name of the edge from here to the next point
  int clip_edge = -1;      ///< number of that edge on the clipping polygon, -1 if it is not on it
};
using NamedPolygon = std::vector<PatchCorner>;

/// Corners of a face in the world, or the two ends of a line, and the numbers of the vertices.
struct OutlinePoints {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> names;
};

struct PatchScratch {
  OutlinePoints points_first, points_second;
  NamedPolygon first, second, spare;
};

}  // namespace tact
