// geom/join_patches.hpp - coplanar patches of one pair of bodies become one patch.
//
// A foot of several boxes on a floor, a box on several stairs, a plate on the cells of a height
// field: bodies that are unions of convex pieces meet in as many patches as pieces. What a patch
// can transmit depends on its hull alone ([MontMarin25] (10)), so patches in one plane are one
// contact over the hull of their union: three unknowns, and a wrench that is unique.
//
// Rule. Points, segments and polygons (round patches stay as they are) of the same two bodies are
// joined when
//   - their normals differ by a sine of at most `angle`,
//   - the face that the normal belongs to, half a distance above or below each patch, has the same
//     height along the normal in all, on the first body or on the second, and
//   - one affine function is the gap at all points,
// the last two up to `offset` times the size of the joined patch. A contact joins the first group
// that it fits, in the order of the buffer. The plane of the joined patch lies midway, and its
// normal is that of the part with the largest extent.
#pragma once

#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/geom/surface_contact.hpp"

namespace tact {

struct JoinOptions {
  double angle = 1e-4;
  double offset = tolerance::coplanar;
};

/// A patch that went into a joined one: friction depends on where the pressure can be.
struct PatchPart {
  Index contact;  ///< the joined contact, as a place in ContactBuffer::contacts
  PatchKind kind;
  Index first_point, point_count;  ///< in JoinedParts::points
};

struct JoinedParts {
  std::vector<PatchPart> parts;  ///< of joined contacts only, in their order
  std::vector<Vec2> points;      ///< in the frame C of the joined contact
};

/// Memory that is used again.
struct JoinWorkspace {
  struct Lifted {
    Vec2 at;  ///< in the plane of the group
    double gap;
    Index point;  ///< in the buffer
  };
  std::vector<Lifted> lifted;
  std::vector<Index> group;
  std::vector<char> taken;
  std::vector<Vec2> flat;
  ContactBuffer joined;
};

/// Joins the contacts from `first_contact` to the end of the buffer, which belong to one pair of
/// bodies; they are replaced by the joined ones. `parts`, where given, is appended to. The distance
/// of a joined contact is the least of its parts, and its feature the least.
void join_patches(ContactBuffer& buffer, Index first_contact, JoinWorkspace& workspace,
                  const JoinOptions& options = {}, JoinedParts* parts = nullptr);

}  // namespace tact
