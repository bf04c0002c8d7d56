// contact/scene_problem.hpp - the contact problem of a scene at one moment.
//
//     M (u⁺ - u⁻) = dt (τ - c) + J'λ,
// M mass matrix, c bias forces with the weight, τ passive and actuator forces, J the rows of
// contacts, of joints at their limits and of joints with dry friction. Joints that close loops and
// welds between bodies are eliminated, held_rows.hpp, or rows without bounds.
#pragma once

#include <string>
#include <vector>

#include "tact/body/kinematics.hpp"
#include "tact/contact/held_rows.hpp"
#include "tact/contact/scene_contacts.hpp"

namespace tact {

struct SceneProblemOptions {
  double dt = 0;               ///< [s]; zero takes the model's
  bool with_gaps = true;       ///< else contacts count as closed: modes, impacts
  bool with_forces = true;     ///< weight, bias, springs; not for impacts
  bool with_actuators = true;  ///< their forces at the state's controls
  bool with_limits = true;     ///< joints at their limits
  double limit_reach = 0;      ///< [rad, m] joints nearer to a limit than this have a row for it
  /// Dry friction of joints and tendons as bounded rows; else a note says that it is left out. It
  /// is a force, and of no account without forces.
  bool with_dry_friction = true;
  /// Equations of joints and welds as rows without bounds, in the model's own coordinates, instead
  /// of elimination; of their errors `equality_stabilisation` is taken back in the step.
  bool equalities_as_rows = false;
  double equality_stabilisation = 0;   ///< 0 ... 1
  std::vector<ContactChoice> choices;  ///< one per contact, or none
};

struct SceneProblem {
  ContactProblem problem;
  SparseMatrix basis;      ///< u = Z y where equations were eliminated; else without columns
  SparseMatrix actuation;  ///< dof x actuators, in the coordinates of the problem
  VecX actuator_lower, actuator_upper;  ///< forces that controls and limits leave; may be infinite
  std::vector<std::string> notes;       ///< what the problem leaves out, one sentence each
};

[[nodiscard]] Result<SceneProblem> scene_problem(const Model& model, const State& state,
                                                 const SceneContacts& contacts,
                                                 const SceneProblemOptions& options);

}  // namespace tact
