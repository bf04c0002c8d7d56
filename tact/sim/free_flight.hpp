// sim/free_flight.hpp - how a free body turns during one step.
//
// The implicit midpoint rule in the axes of the body,
//     I (ω₁ - ω) = h (τ - ω_m × I ω_m),      ω_m = ½ (ω + ω₁),
// keeps the energy of a body without torque, a quadratic invariant; with the Cayley map
// R⁺ = R cay(h ω_m) of body/positions.hpp it keeps R I ω too: (1 + ½h ω̂_m) Π⁺ = (1 - ½h ω̂_m) Π⁻.
#pragma once

#include "tact/linalg/types.hpp"

namespace tact {

/// ω₁. `inertia` about the centre of mass; torque in the axes of the body [N m].
[[nodiscard]] Vec3 turned_velocity(const Mat3& inertia, const Vec3& omega, const Vec3& torque,
                                   double dt);

}  // namespace tact
