// cone/effective_patch.hpp - the part of a patch that carries a given centre of pressure evenly.
//
// P_c = C ∩ (2c - C) is the largest part of the hull C that is symmetric about the point c, so an
// even pressure on it has its centre exactly at c; of a rectangle it is Meyerhof's reduced
// rectangle. All that friction needs of it is the normalised second moment
//
//     Σ_c = (1/|P_c|) ∫_{P_c} (x - c)(x - c)' dx     [m²].
//
// It shrinks continuously to the segment of an edge and to zero at a vertex or on a round rim.
//
// How: polygons by clipping; an ellipse as the affine image of the lens of two discs (closed form);
// any other chain of arcs by Green's theorem over the boundary of P_c, each piece exactly
// (straight) or by Gauss quadrature of a trigonometric polynomial (round): 1e-12 relative where c
// is inside, and 1e-9 as near to the rim as 1e-6 of the patch size.
#pragma once

#include <vector>

#include "tact/linalg/types.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

/// Σ_c and its symmetric root Σ_c^{1/2}, which is exact where Σ_c is singular.
struct EffectiveMoment {
  Mat2 sigma = Mat2::Zero();  ///< [m²]
  Mat2 root = Mat2::Zero();   ///< [m]
};

/// Scratch; dirty is fine. Once grown, polygons and ellipses allocate nothing.
struct EffectivePatchWorkspace {
  std::vector<Vec2> part;
  std::vector<Vec2> scratch;
};

/// c in C; a point outside is replaced by the nearest point of C, so that rounding of c is
/// harmless.
[[nodiscard]] EffectiveMoment effective_moment(const PlanarSet& hull, const Vec2& c,
                                               EffectivePatchWorkspace& work);
[[nodiscard]] EffectiveMoment effective_moment(const PlanarSet& hull, const Vec2& c);

/// P_c itself as a polygon, counter-clockwise; round parts by at most `count` points per turn.
/// One point where it has no length, two where it has no area.
void effective_part(const PlanarSet& hull, const Vec2& c, int count, EffectivePatchWorkspace& work,
                    std::vector<Vec2>& out);

/// Diagonal of the second moment of { |u| <= 1 } ∩ (2c - { |u| <= 1 }), |c| = e in [0, 1]: along c
/// and across it.
[[nodiscard]] Vec2 unit_lens_moment(double e);

}  // namespace tact
