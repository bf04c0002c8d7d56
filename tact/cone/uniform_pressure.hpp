// cone/uniform_pressure.hpp - friction of an even pressure on the effective patch, exactly: the
// reference.
//
// σ(τ) = (mu f / |P_c|) ∫_{P_c} |v_T(x)| dx and its gradient in closed form: a polygon edge by edge
// about the instantaneous centre of rotation, a segment in one integral, a disc under its own
// centre by elliptic integrals. Other round shapes are measured on the polygon of `count` points
// (error about 20/count²). The node patterns of cone/patch_friction.hpp are held against it.
//
// Notation as in cone/patch_friction.hpp; P_c, Σ_c as in cone/effective_patch.hpp.
#pragma once

#include <vector>

#include "tact/cone/patch_friction.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

struct UniformPressure {
  Vec2 c = Vec2::Zero();
  double bound = 0;           ///< mu f [N]
  std::vector<Vec2> part;     ///< P_c relative to c; a point, a segment or a polygon
  Mat2 sigma = Mat2::Zero();  ///< its second moment [m²]
  double disc_radius = 0;     ///< > 0: P_c is the whole disc
};
[[nodiscard]] UniformPressure uniform_pressure(const PlanarSet& hull, const NormalLoad& load,
                                               double mu, int count = 256);

/// σ(τ) [W].
[[nodiscard]] double friction_support(const UniformPressure& set, const Vec3& tau);
/// T = -∂σ/∂τ; zero for τ = 0.
[[nodiscard]] Vec3 friction_force(const UniformPressure& set, const Vec3& tau);

/// Force and torque/R over mu f of a disc under even pressure, slipping with v = ε R ω.
[[nodiscard]] Vec2 disc_force_and_torque(double epsilon);

}  // namespace tact
