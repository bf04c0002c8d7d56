// body/positions.hpp - steps along velocities on the space of positions, and steps between two of
// them.
//
// Notation:  q ⊕ v: hinges and slides add; origins of free bodies add in W; orientations turn by a
//            rotation in B, R ← R e^(ω̂) or R cay(ω) = R (1 - ω̂/2)⁻¹(1 + ω̂/2). The two agree to
//            the second order of the angle; a whole turn is out of reach of the second.
#pragma once

#include "tact/body/model.hpp"

namespace tact {

enum class RotationMap { exponential, cayley };

/// qpos ← qpos ⊕ dt qvel; quaternions stay of length one.
void integrate(const Model& model, VecX& qpos, const VecX& qvel, double dt,
               RotationMap map = RotationMap::exponential);

/// qvel with from ⊕ dt qvel = to, turning by at most half a turn. Expects dt not zero.
void difference(const Model& model, const VecX& from, const VecX& to, double dt, VecX& qvel,
                RotationMap map = RotationMap::exponential);

}  // namespace tact
