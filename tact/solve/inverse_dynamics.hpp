// solve/inverse_dynamics.hpp - the forces behind a wanted motion: actuators and contacts, or the
// reason why there are none.
//
// Given the velocity u⁺ after a step of length h, find forces τ of the actuators and impulses λ of
// the contacts with
//     M (u⁺ - u⁻) = p + h B τ + J'λ,      law(λ, J u⁺ + χ + e γ⁻ + s),     lower <= τ <= upper,
// the law and its shift those of the forward problem (contact/problem.hpp). Because u⁺ is known, so
// is what every contact does, and with it the cone of loads it may carry (solve/load_set.hpp). Of
// all answers the one of least
//     ½ Σ weight_j τ_j²  +  regularisation × (the size of λ),
// by a conic program (solve/force_program.hpp). Patches whose friction depends on the centre of
// pressure are not convex: there the program is solved about a pattern until pattern and answer
// agree, and the answer is the least about its own pattern.
//
// The judge of the forward problem decides (contact/residual.hpp), never the program.
#pragma once

#include <string>
#include <vector>

#include "tact/contact/labels.hpp"
#include "tact/contact/problem.hpp"
#include "tact/contact/residual.hpp"

namespace tact {

struct InverseWish {
  VecX velocity;                                       ///< u⁺
  MatX actuation;                                      ///< B [dof x m]
  double dt = 0;                                       ///< h [s]; zero: the problem's
  VecX lower, upper;                                   ///< of τ; may be infinite, empty: no bounds
  VecX weight;                                         ///< of τ², positive; empty: ones
  std::vector<std::string> actuator_names, dof_names;  ///< for sentences; may be empty
};

struct InverseOptions {
  /// The judge's figure that counts as solved, and the share of the motion's scale below which a
  /// velocity at a contact is none.
  double tolerance = tolerance::regime;
  /// Weight of the contacts' loads against that of the actuators, both in units of what the whole
  /// motion needs: decides between loads that need the same actuators.
  double regularisation = tolerance::proximal;
  int max_patterns = 60;  ///< programs about a pressure pattern
};

enum class InverseStatus { solved, infeasible, not_converged };
[[nodiscard]] std::string_view name(InverseStatus status);

/// What stands in the way of a motion.
enum class InverseObstacle {
  none,
  penetration,  ///< a contact would be entered
  actuator,     ///< more actuator force would do
  friction,     ///< more friction would do, or another than sliding gives
  pull,         ///< contacts that pull, or push while they open, would do
  direction,    ///< none of these alone
};

struct InverseReport {
  InverseStatus status = InverseStatus::not_converged;
  VecX tau;           ///< [N] or [N m]
  VecX lambda;        ///< [N s]
  double cost = 0;    ///< ½ Σ weight τ²
  double gap = 0;     ///< of the last program, relative: how far from the least
  Residual residual;  ///< the judge's, of the forward problem with these actuators
  /// What decides: the judge's error over the larger of its own scale and that of the motion before
  /// and after. Actuators that hold a contact at rest by themselves leave the judge only rounding
  /// to compare with.
  double figure = 0;
  double motion_error = 0;  ///< |u⁺ - what τ and λ give| over the largest speed, by mass
  std::vector<ContactLabel> labels;  ///< what every contact does; empty unless solved
  int patterns = 0;                  ///< programs solved

  // ---- when infeasible
  InverseObstacle obstacle = InverseObstacle::none;
  std::string reason;  ///< one sentence
  Index contact = -1;  ///< at fault, or -1
  Index actuator = -1;
  double amount = 0;  ///< speed of penetration [m/s], force needed over bound, or pull [N]
  /// A motion d that proves it: all admissible τ and λ have d.(h B τ + J'λ) <= ray_most, but the
  /// wanted motion needs ray_needed. With patches made about a pattern it proves it for the last
  /// pattern only: `ray_is_proof` says. Empty for a penetration.
  VecX ray;
  double ray_most = 0, ray_needed = 0;  ///< [J]
  bool ray_is_proof = false;
};

/// Refuses what validate() refuses, a problem that is not in mass form, and sizes that do not fit.
[[nodiscard]] Result<InverseReport> inverse_dynamics(const ContactProblem& problem,
                                                     const InverseWish& wish,
                                                     const InverseOptions& options = {});

/// The forward problem with the actuators' impulse h B τ added to p.
[[nodiscard]] ContactProblem actuated(const ContactProblem& problem, const InverseWish& wish,
                                      const VecX& tau);

}  // namespace tact
