// geom/contact_patch.hpp - the patch over which two faces meet, and the gap over it.
//
// Both faces are projected along the normal n onto the contact plane; the patch is what they have
// in common, the gap the difference of their heights: affine, and nowhere less than the signed
// distance, which it attains at the nearest points.
//
// Faces: one of the two must lie across n (alignment at least `reference_alignment`, less
// `reference_slack` if it was so in the step before), the other may be tilted. Otherwise edges
// meet: parallel ones in a segment, crossed ones in a point.
#pragma once

#include "tact/base/tolerance.hpp"
#include "tact/geom/clip_faces.hpp"
#include "tact/geom/closed_distance.hpp"
#include "tact/geom/face_of.hpp"
#include "tact/geom/pair_memory.hpp"
#include "tact/geom/surface_contact.hpp"

namespace tact {

/// 8.1 degrees between the normal and a reference face. An edge that meets another where no face is
/// nearer leaves a gap of a seventh of the length already: the rest of the patch is out of reach.
inline constexpr double reference_alignment = 0.99;
inline constexpr double reference_slack = 0.005;

/// A face steeper than this is seen edge-on and meets with its edge (84 degrees).
inline constexpr double least_alignment = 0.1;

/// Lines whose angle has a smaller sine are parallel and meet in a segment; those that did stay so
/// up to twice this.
inline constexpr double line_sine = 1e-3;

/// Points of a patch nearer than this share of its size are one.
inline constexpr double same_point = tolerance::regime;

/// Appends the contact of two shapes whose signed distance is known, and updates the faces in the
/// memory. `d` and the shapes are relative to `origin_W`, as close by as the caller likes. If
/// `exchanged` the contact is told, and its corners are named, as of (second, first); the memory is
/// that of the shapes as given.
void append_contact(const Convex& first, const Convex& second, const ShapeDistance& d,
                    const Vec3& origin_W, bool exchanged, PairMemory& memory, ContactBuffer& out);

/// The least gap over the patch; of a disc or an ellipse exactly.
[[nodiscard]] double least_gap(const SurfaceContact& contact, const ContactBuffer& buffer);

/// Area of the patch; zero for points and segments.
[[nodiscard]] double patch_area(const SurfaceContact& contact, const ContactBuffer& buffer);

}  // namespace tact
