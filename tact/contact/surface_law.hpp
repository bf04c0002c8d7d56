// contact/surface_law.hpp - from a contact of two surfaces to its law.
//
// A flat contact keeps its shape: one patch, one cone K_P [MontMarin25] (17). Its gap is the affine
// function that the geometry found, in the frame C of the contact.
#pragma once

#include "tact/body/collision_rules.hpp"
#include "tact/contact/patch_pool.hpp"
#include "tact/contact/problem.hpp"
#include "tact/geom/surface_contact.hpp"

namespace tact {

/// The patch in the frame C.
[[nodiscard]] PatchShape patch_shape(const SurfaceContact& contact, const ContactBuffer& buffer);

/// condim 1 is frictionless; 3 slides with Coulomb friction; 4 and 6 resist spinning and rolling
/// too, at a point (a patch resists spinning by itself). `model` is the pressure that a patch
/// assumes.
[[nodiscard]] Law surface_law(const SurfaceContact& contact, const ContactBuffer& buffer,
                              const PairParameters& pair, const PatchFriction& model);

/// Law and gap, without a name.
[[nodiscard]] Contact surface_contact(const SurfaceContact& contact, const ContactBuffer& buffer,
                                      const PairParameters& pair, const PatchFriction& model);

/// local_law() of the law above, made in the pool's memory: nothing is allocated for faces that the
/// pool has seen the like of.
[[nodiscard]] LocalLaw surface_local_law(const SurfaceContact& contact, const ContactBuffer& buffer,
                                         const PairParameters& pair, const PatchFriction& model,
                                         PatchPool& pool);

}  // namespace tact
