// soft/slip.hpp - slip that remembers: the elastic state kept in an ellipsoid by a return map.
//
// State s = (s_t, s_θ) in normalised coordinates, energy ½|s|². Friction holds it in
//     C = { s : s'Qs <= f_N² },   Q = blkdiag(K_t^½ M_μ⁻¹ K_t^½, k_θ / (μ r_τ)²),
// the soft-finger ellipsoid (f_t / μ f_N)² + (τ / μ r_τ f_N)² <= 1 in forces. Slip is normal to C
// in the energy norm: the state goes to the nearest point of C, keeps its extension and sticks
// again with it. With V_slip = ½ s'Qs and S = ½ f_N² this is [Stramigioli] (41)-(43), which leaves
// the law open.
#pragma once

#include <array>
#include <span>

#include "tact/linalg/types.hpp"

namespace tact {

/// The nearest point of C.
struct ReturnMap {
  Vec3 s = Vec3::Zero();
  double lambda = 0;  ///< (I + λQ) s = s_trial; zero when the trial sticks
  bool slips = false;
  int iterations = 0;
};

/// The nearest point to s_trial in { s : s'Qs <= limit² }; limit = 0 gives 0 in the range of Q.
/// Q symmetric positive semidefinite, limit >= 0. Exact to rounding for condition numbers to 1e6.
[[nodiscard]] ReturnMap return_map(const Mat3& Q, double limit, const Vec3& s_trial);

/// One step of the θ-scheme: σ = Proj_C(θ s_tr + (1-θ) s0), s1 = (σ - (1-θ) s0)/θ.
struct SlipStep {
  Vec3 force_state = Vec3::Zero();  ///< σ: the force of the step is N'σ
  Vec3 s1 = Vec3::Zero();           ///< the state afterwards
  double loss = 0;                  ///< dissipated, >= 0: (θ-½)|s1-s0|² + σ·(s_tr - s1) [J]
  bool slips = false;
};

/// @param increment  h N ξ, so that s_tr = s0 + increment
/// @param theta      ½ (lossless while sticking) to 1, more with a dashpot; fixed during a step
[[nodiscard]] SlipStep slip_step(const Mat3& Q, double limit, const Vec3& s0, const Vec3& increment,
                                 double theta);

/// What a step that sticks may carry over what slides: with μ_s > μ_k the trial is tested against
/// static_ratio × limit when the contact was sticking, and slip returns to limit itself. C shrinks,
/// so nothing is gained.
/// @param theta  of (x, y, drilling), the first two alike; drilling may have a dashpot of its own
[[nodiscard]] SlipStep slip_step(const Mat3& Q, double limit, double static_ratio,
                                 bool was_slipping, const Vec3& s0, const Vec3& increment,
                                 const Vec3& theta);

/// V_slip = ½ s'Qs and the level S = ½ f_N² it must not exceed. [Stramigioli] (41)-(43)
[[nodiscard]] double slip_potential(const Mat3& Q, const Vec3& s);
[[nodiscard]] double slip_level(double normal_force);

/// Parallel cells (Iwan): cell i has the stiffness share φ_i and holds the share η_i of the
/// friction, Σφ = Ση = 1. In normalised coordinates its increment is √φ_i h N ξ, its limit η_i
/// f_N/√φ_i, and its force √φ_i N'σ_i.
inline constexpr int max_slip_cells = 64;
struct SlipCells {
  int count = 1;
  std::array<double, max_slip_cells> stiffness{1};  ///< φ
  std::array<double, max_slip_cells> strength{1};   ///< η
};

/// Cells whose backbone is that of Mindlin, T = μP (1 - (1 - δ/δ_s)^(3/2)), δ_s = 3μP/(2 k_t).
[[nodiscard]] SlipCells mindlin_cells(int count);

/// One step of all cells: s0 and s1 have cells.count states. The result carries the sums: the force
/// of the contact is N'σ with its force_state, s1 has no meaning there.
[[nodiscard]] SlipStep slip_step(const SlipCells& cells, const Mat3& Q, double normal_force,
                                 std::span<const Vec3> s0, const Vec3& increment, double theta,
                                 std::span<Vec3> s1);

}  // namespace tact
