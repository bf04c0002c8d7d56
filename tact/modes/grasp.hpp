// modes/grasp.hpp - what a grasp holds: by its shape, by friction, and under one load for sure.
//
// Form closure: no velocity but zero keeps or opens every contact. Force closure: contact forces
// within friction can balance any load. Neither says what happens: where forces are undetermined,
// one load may allow several modes, and a grasp is stable only if the one it was made for is the
// only one. [Huang20] sec. 7
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/modes/mode_dynamics.hpp"
#include "tact/modes/modes.hpp"

namespace tact {

/// First order: the cone {N x >= 0} of the normal rows.
struct FormClosure {
  bool closed = false;
  Index freedom = 0;    ///< dimension of the velocities that remain
  Index both_ways = 0;  ///< dimension of those that keep every contact, {N x = 0}
  MatX keeping;         ///< a basis of these, as columns
  VecX escape;          ///< one that opens every contact that can open; zero if none can
  std::string forced;   ///< '0' for each contact that no velocity opens, '+' for the others
};

/// Decided by enumeration with the policy of `options`.
[[nodiscard]] Result<FormClosure> form_closure(const ModeSystem& system,
                                               const ModeOptions& options = {});

struct ForceClosure {
  bool closed = false;
  Index unresisted = 0;  ///< dimension of the velocities that no contact force works against
  VecX motion;           ///< one of them; zero if closed
};

/// Whether the forces N (n + mu s.t), N >= 0, |s| <= 1 for every tangent row, of all contacts span
/// the space of loads with non-negative factors. Decided as form closure is, for the rows n +- mu t
/// as doubles. On the boundary the answer is no. Refuses more than 10 tangents at a contact.
[[nodiscard]] Result<ForceClosure> force_closure(const ModeSystem& system,
                                                 const std::vector<double>& mu,
                                                 const ModeOptions& options = {});

struct ConsistentMode {
  std::string cs, ss;
  Index dim = 0;
  ModeDynamics dynamics;  ///< without `undetermined`
};

struct GraspOptions {
  ModeOptions modes;  ///< of the enumeration; its kind is sliding
  DynamicsOptions dynamics;
  Index limit = 200000;  ///< of modes; a system with more is refused
  /// Of grasp_report(): the mode, CS|SS, that should be the only one; empty means at rest, every
  /// contact stays and no tangent moves.
  std::string desired;
};

/// All modes that the load may start.
struct GraspStability {
  std::string wanted;                 ///< the desired mode, CS|SS
  Index examined = 0;                 ///< modes there are
  std::vector<ConsistentMode> modes;  ///< those with a solution, in the order of visit_modes
  std::optional<Index> desired;       ///< where the desired one stands among them
  bool desired_exists = false;        ///< whether it is a mode of the system at all
  [[nodiscard]] bool stable() const { return desired && modes.size() == 1; }
};

[[nodiscard]] Result<GraspStability> grasp_stability(const ModeSystem& system, const ModeLoad& load,
                                                     std::string_view desired_cs,
                                                     std::string_view desired_ss,
                                                     const GraspOptions& options = {});

/// All of it about one grasp.
struct GraspReport {
  FormClosure form;
  ForceClosure force;
  std::optional<GraspStability> stability;  ///< if a load was given
};

[[nodiscard]] Result<GraspReport> grasp_report(const ModeSystem& system,
                                               const std::vector<double>& mu,
                                               const std::optional<ModeLoad>& load = {},
                                               const GraspOptions& options = {});

}  // namespace tact
