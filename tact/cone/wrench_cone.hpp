// cone/wrench_cone.hpp - the wrench cone of a patch as data for controllers and optimisers.
//
// Columns in the order of a wrench, [m_T(2), m_N, f_T(2), f_N], about the origin of the patch
// frame; a wrench w is admissible iff A w <= 0, or iff every second-order cone |B w| <= d.w holds.
//
// References: cone over the corners with Coulomb's law, see cone/vertex_friction.hpp; closed form
// of a rectangular foot: Caron, Pham, Nakamura 2015, "Stability of surface contacts for humanoid
// robots".
#pragma once

#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

/// A w <= 0, one row per half-space, rows of unit length in [f] or [m / patch size].
using HalfSpaces = Eigen::Matrix<double, Eigen::Dynamic, 6>;

/// |B w| <= d.w.
struct SecondOrderCone {
  Eigen::Matrix<double, 2, 6> B = Eigen::Matrix<double, 2, 6>::Zero();
  Vec6 d = Vec6::Zero();
};

/// The friction cone of every corner, for the lifted form w = Σ map_i λ_i, λ_i = [f_t1, f_t2, f_n]
/// with |f_t| <= mu f_n. Exact for Coulomb's law; dually, v_N(x_i) >= mu |v_T(x_i)| at every
/// corner.
struct CornerCone {
  Eigen::Matrix<double, 6, 3> map;
  double mu = 0;
};

/// How the friction cone of a corner is cut into half-spaces.
enum class LinearFriction {
  box,      ///< |f_x|, |f_y| <= mu f_n in the axes of the patch frame
  pyramid,  ///< inscribed, corners at mu (cos 2πi/k, sin 2πi/k)
};
struct LinearFrictionOptions {
  LinearFriction kind = LinearFriction::box;
  int edges = 8;  ///< of the pyramid
};

/// Without friction: what [m_T, f_N] must satisfy; the other columns are zero. Polygons only (a
/// segment or a point gives pairs of opposite rows).
[[nodiscard]] Result<HalfSpaces> normal_half_spaces(const PlanarSet& hull);
/// The same for one ellipse or disc: |B^-1 (s - f c)| <= f.
[[nodiscard]] Result<SecondOrderCone> normal_second_order_cone(const PlanarSet& hull);

/// The cone of all forces at the corners of a polygon with linear friction, by enumerating its
/// faces. Refuses round shapes and more corners than can be enumerated.
[[nodiscard]] Result<HalfSpaces> frictional_half_spaces(const PlanarSet& hull, double mu,
                                                        const LinearFrictionOptions& options = {});

/// The generators of that cone, one column per corner and edge of the friction cone.
[[nodiscard]] Result<MatX> frictional_rays(const PlanarSet& hull, double mu,
                                           const LinearFrictionOptions& options = {});

/// Second-order-cone data of Coulomb's law at every corner of a polygon.
[[nodiscard]] Result<std::vector<CornerCone>> corner_cones(const PlanarSet& hull, double mu);

/// Box friction on the rectangle |x| <= X, |y| <= Y: sixteen half-spaces, in closed form,
///     |f_x|, |f_y| <= mu f_z,  |m_x| <= Y f_z,  |m_y| <= X f_z,
///     m_z >= -mu (X + Y) f_z + |Y f_x - mu m_x| + |X f_y - mu m_y|,
///     m_z <=  mu (X + Y) f_z - |Y f_x + mu m_x| - |X f_y + mu m_y|.
[[nodiscard]] HalfSpaces rectangle_half_spaces(double half_x, double half_y, double mu);

}  // namespace tact
