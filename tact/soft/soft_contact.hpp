// soft/soft_contact.hpp - one compliant contact over one time step, without ever creating energy.
//
// A step goes from the pose X_12 at its start, where the state belongs, to a pose at its end that
// the caller tries; T is the mean twist of body 2 relative to body 1 in between, in a frame C at
// the contact centre c with axes (e1, e2, n), all taken at a middle pose of the caller's choice.
// The contact gives back the impulse on body 2 in the same frame, so that impulse · T is the work
// it does:
//   normal       f = -(U(gap1) - U(gap0))/(gap1 - gap0) at the curvatures of the middle, times
//                1 - d gap' (Hunt-Crossley) or less b gap' (Kelvin-Voigt), never pulling
//   rolling      -∂U/∂A : Ȧ(T), without which a stiffness that follows the curvature gives energy
//   closing      R M T with the R that makes the elastic work -(U1 - U0) exactly: third order
//   tangential   s_tr = s0 + h N ξ,  σ = Proj_C(θ s_tr + (1 - θ) s0),  impulse -h Nᵀσ
// Whatever the middle pose, the tried end and the step, impulse · T + stored1 + lost = stored0 with
// every loss >= 0. What the middle pose decides is accuracy: second order when it is within O(h²).
//
// The tangential state s_t is carried along from normal to normal by the minimal rotation of each
// body, and lies half-way between what the two say: an exchange of the bodies changes nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "tact/soft/slip.hpp"
#include "tact/soft/soft_pair.hpp"
#include "tact/soft/track.hpp"

namespace tact {

/// Two bodies, and how they touch. Constant.
struct SoftContactModel {
  Surface one, two;
  SoftPair pair;
  SlipCells cells;
};

/// With the cells that the pair asks for. Expects checked parts.
[[nodiscard]] SoftContactModel soft_contact_model(Surface one, Surface two, SoftPair pair);

/// One friction cell: its part of the elastic state.
struct SoftCell {
  Vec3 shear = Vec3::Zero();  ///< s_t in the frame of body 1, perpendicular to n [√J]
  double torsion = 0;         ///< s_θ [√J]
  bool slips = false;         ///< in the last step
};

/// All that a contact remembers between steps.
struct SoftContactState {
  FacingPoints facing;
  Pose X_12;                 ///< at which they face each other
  double normal_energy = 0;  ///< U [J]
  bool touches = false;
  Vec2 touch_down = Vec2::Zero();  ///< curvatures then; of a frozen pair
  std::vector<SoftCell> cells;
};

/// A state without load for points that face each other at X_12.
[[nodiscard]] SoftContactState soft_contact_state(const SoftContactModel& model,
                                                  const FacingPoints& facing, const Pose& X_12);

/// U + ½ Σ|s|² [J].
[[nodiscard]] double stored_energy(const SoftContactState& state);

/// The geometry of a step: all that does not depend on how it ends.
struct SoftFrame {
  FacingPoints facing;
  Pose X_12;
  PairGeometry geometry;
  SoftPlace place;
  Pose X_1C;                 ///< frame C of twist and impulse, seen from body 1
  Mat36 curvature_rates_C;   ///< of (A11, A12, A22) by the twist in C
  NormalState normal_start;  ///< at the first gap and the curvatures of the middle
  double metric_length = 0;  ///< [m] that compares turning with moving in the closing term
  bool rolls = false;        ///< the stiffness depends on curvature and follows it
  /// Set by who looks for the end of the step: energy is then closed up to the rounding of gaps, 64
  /// units in the last place of force times size, because less would shake the iterates.
  bool iterated = false;
};

/// Follows the points to the middle pose. `tracked`, or why not; `frame` is then of no use.
[[nodiscard]] TrackStatus begin_soft_step(const SoftContactModel& model,
                                          const SoftContactState& state, const Pose& X_12_middle,
                                          SoftFrame& frame);

/// What the contact does when the step ends as tried.
struct SoftAnswer {
  TrackStatus status = TrackStatus::not_converged;
  Vec6 impulse = Vec6::Zero();             ///< on body 2 in C, (moment, force) [N m s, N s]
  Mat6 slope = Mat6::Zero();               ///< about -∂impulse/∂T; what Newton's method needs
  Vec6 shake = Vec6::Zero();               ///< of the impulse, by the rounding of gap and energy
  double normal_force = 0;                 ///< mean over the step [N]
  double viscous_loss = 0, slip_loss = 0;  ///< [J] >= 0
  bool slips = false;
  double friction_use = 0;  ///< √(σ'Qσ)/f_N of the cell that is nearest to slip, or beyond
  SoftContactState end;     ///< the state then
};

/// @param T_C   mean twist of body 2 relative to body 1 in C
/// @param X_12_end  where the step ends
void try_soft_step(const SoftContactModel& model, const SoftContactState& state,
                   const SoftFrame& frame, const Twist& T_C, double dt, const Pose& X_12_end,
                   SoftAnswer& answer);

/// The state at another pose, reached without work by the contact: positions that were corrected.
[[nodiscard]] TrackStatus move_soft_contact(const SoftContactModel& model, const Pose& X_12,
                                            SoftContactState& state);

}  // namespace tact
