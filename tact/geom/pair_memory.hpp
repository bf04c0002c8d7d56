// geom/pair_memory.hpp - what is remembered of a pair of shapes from one step to the next.
//
// Memory saves time (an axis that separated still does) and settles choices between faces that are
// as good as each other. It never changes a distance: with a fresh one every answer is right.
#pragma once

#include <utility>

#include "tact/linalg/types.hpp"

namespace tact {

struct PairMemory {
  Vec3 axis_W = Vec3::Zero();  ///< the last normal or separating axis; zero: none
  int face_first = -1;         ///< the faces that met; -1: none
  int face_second = -1;
  bool area = false;  ///< they met as a patch with an area or a line, not in a point
};

/// The memory of the pair in the other order.
[[nodiscard]] inline PairMemory swapped(const PairMemory& m) {
  return {-m.axis_W, m.face_second, m.face_first, m.area};
}

}  // namespace tact
