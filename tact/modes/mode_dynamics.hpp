// modes/mode_dynamics.hpp - from rest into a mode: the accelerations and forces it would take.
//
// A system at rest with mass M and load f (gravity, motors, inertia of a moving frame) starts into
// the mode of its acceleration a: M a = f + sum of normal and friction forces through the rows.
// A contact that separates carries nothing. One that stays has n a = 0 and a normal force N >= 0;
// each of its tangent rows t carries friction of its own, -mu N where t a > 0, mu N where t a < 0,
// and anything between where t a = 0. So friction is a box on the tangent rows (of two axes), the
// law of maximal dissipation over a zonotope in general: exact in the plane, and in space as good
// as the caller's rows. Every solution belongs to exactly one mode.
#pragma once

#include <string_view>
#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/modes/mode_system.hpp"

namespace tact {

/// What the contacts of a system at rest have to withstand.
struct ModeLoad {
  MatX mass;               ///< symmetric positive definite, dof x dof
  VecX load;               ///< generalised force
  std::vector<double> mu;  ///< of each contact
};

struct DynamicsOptions {
  /// What may be left of the equations, as a share of the largest unknown, when all is measured in
  /// the metric of the mass and scaled until every row that moves moves by at least 1 and the load
  /// is at least 1. Rounding leaves some 1e-15; a mode without solution 3e-7 and more where masses
  /// differ by a factor of up to 10^4.
  double balance = 64 * tolerance::rounding;
};

/// Refuses sizes that do not fit, numbers that are not finite, a mass that is not symmetric
/// positive definite and negative friction.
[[nodiscard]] Result<bool> validate(const ModeSystem& system, const ModeLoad& load);

/// The linear system of a mode in x = [a, one force per row of the system].
struct ModeEquations {
  MatX equal;  ///< equal x = right
  VecX right;
  MatX sign;                 ///< sign x >= 0
  std::vector<bool> moving;  ///< per row of `sign`: must be > 0, because it says how the mode moves
};

/// The strings are those of modes.hpp; others are refused.
[[nodiscard]] Result<ModeEquations> mode_equations(const ModeSystem& system, const ModeLoad& load,
                                                   std::string_view cs, std::string_view ss);

struct ModeDynamics {
  bool consistent = false;
  VecX acceleration;    ///< of one solution, if there is any
  VecX forces;          ///< of the same, one per row of the system
  double residual = 0;  ///< what is left of the equations; see DynamicsOptions::balance
  /// Dimension of what the equations leave open: 0 if acceleration and forces are unique.
  Index undetermined = 0;
};

/// Decides by non-negative least squares, whose remainder proves that there is no solution
/// (Farkas).
[[nodiscard]] Result<ModeDynamics> mode_dynamics(const ModeSystem& system, const ModeLoad& load,
                                                 std::string_view cs, std::string_view ss,
                                                 const DynamicsOptions& options = {});

/// The same for mode after mode of one system: what does not depend on the mode is done once.
class DynamicsSolver {
 public:
  /// The load must be valid; the system must outlive the solver.
  DynamicsSolver(const ModeSystem& system, const ModeLoad& load, const DynamicsOptions& options);

  /// Without `undetermined`. The strings must fit the system.
  [[nodiscard]] ModeDynamics solve(std::string_view cs, std::string_view ss) const;

 private:
  const ModeSystem& system_;
  DynamicsOptions options_;
  std::vector<double> mu_;
  MatX factor_;  ///< L, M = L L'
  MatX unit_;    ///< columns L^-1 row', of length 1 or 0
  VecX length_;  ///< what they were divided by
  VecX push_;    ///< L^-1 f, of length 1 or 0
  double scale_ = 0;
};

}  // namespace tact
