// solve/jam.hpp - problems without a solution, with the proof: a system of pushes that cancel.
//
// A velocity with W in K* at every contact exists unless there is a ray: loads z of the normal
// cones, friction left out, that move nothing and yet do work against the given velocities,
//     z in K,      G z = 0,      b.z < 0                                             (Farkas)
// as when two walls close in on a body. Then no impulse whatever solves the contact problem.
// A bounded row has the cone of its loads without bound: a line for an equation, a half-line with
// one bound, nothing with two.
// In finite precision a ray is a bound: u = G λ + b in K* needs 0 <= z.u = (G'z).λ + b.z, so every
// solution has |λ|_D >= -b.z / |G'z|_{D⁻¹}. It is called a jam when this is beyond
// |b|_{D⁻¹} / tolerance; D here is the diagonal of the contacts' metrics, because a block of low
// rank has no honest inverse. A problem that is only ill-conditioned has a solution within the
// bound.
#pragma once

#include <optional>
#include <vector>

#include "tact/contact/residual.hpp"

namespace tact {

/// Checks by products alone: z is zero on the rows of friction, lies in the normal cones to
/// rounding, and bounds all solutions from below by |b|_{D⁻¹} / tolerance.
[[nodiscard]] bool is_jam_ray(const DelassusProblem& problem, const VecX& z,
                              double tolerance = tolerance::jam);

/// A ray of unit size |z|_D that is_jam_ray accepts. Any law, any hull: non-negative least squares
/// over the corners of the normal cones; of round hulls, points of the rim are added where the
/// velocity left over is the worst. Nothing: none was found; a ray that needs a force exactly on a
/// round rim, the limit between jam and no jam, is only found to half the digits and not reported.
[[nodiscard]] std::optional<VecX> jam_ray(const DelassusProblem& problem);

/// The constraints that hold each other: those whose part of the ray, |z_i|_D, is above this share
/// of the largest. Ascending.
[[nodiscard]] std::vector<Index> held_by(const JudgedContacts& contacts, const VecX& ray,
                                         double share = tolerance::cancelled);

}  // namespace tact
