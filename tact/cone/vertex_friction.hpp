// cone/vertex_friction.hpp - friction of all pressure distributions at once: Coulomb's law at the
// corners.
//
// F(N) = { Σ A_i'u_i : |u_i| <= mu f_i, Σ f_i = f, Σ f_i x_i = s, f_i >= 0 } over the corners x_i
// of the hull, A_i = [1 0 -x_y; 0 1 x_x]. Its dissipation is mu f times the concave envelope of
// |v_T| over the hull at the centre of pressure: the most that any pressure with this centre can
// dissipate. It is an outer bound; a disc spins with 1.5, a square with 1.85 times the torque of an
// even pressure.
//
// Notation as in cone/friction_nodes.hpp.
#pragma once

#include <span>
#include <vector>

#include "tact/cone/friction_nodes.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// F(N) of one load: corners (one or more, convex position, counter-clockwise), normal force f with
/// its centre of pressure c in their hull, and mu.
struct VertexFriction {
  std::vector<Vec2> corners;
  Vec2 c = Vec2::Zero();
  double bound = 0;  ///< mu f
};

/// Shares f_i/f that maximise Σ f_i values_i: the face of the concave envelope above c, by
/// pivoting.
void envelope_weights(std::span<const Vec2> corners, std::span<const double> values, const Vec2& c,
                      std::vector<double>& weights);

[[nodiscard]] double friction_support(const VertexFriction& set, const Vec3& tau);
/// One force of maximal dissipation; where several corners may share the load differently, one of
/// them.
[[nodiscard]] Vec3 friction_force(const VertexFriction& set, const Vec3& tau);
[[nodiscard]] double friction_gauge(const VertexFriction& set, const Vec3& T);
/// As in cone/friction_nodes.hpp; up to three corners leave no choice of shares and are solved as
/// nodes, more by the interior-point method of cone/conic_qp.hpp. A motion below tolerance::conic
/// of b is stick.
[[nodiscard]] FrictionSolution solve_friction(const VertexFriction& set, const Mat3& G,
                                              const Vec3& b, FrictionWorkspace& work);
[[nodiscard]] FrictionSolution project_on_friction(const VertexFriction& set, const Mat3& G,
                                                   const Vec3& T0, FrictionWorkspace& work);

}  // namespace tact
