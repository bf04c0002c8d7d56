// sim/warm_start.hpp - what contacts carried, from one step to the next.
//
// Loads of surfaces are kept as wrenches in W: frames of contacts may turn from one step to the
// next, wrenches hardly do. A patch that slides takes its load along.
#pragma once

#include <vector>

#include "tact/contact/constraint_rows.hpp"

namespace tact {

/// What a step remembers of a group of rows to start the next from.
struct RememberedLoad {
  RowKey key;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  ///< in W, about `at` [N s, N m s]
  Vec3 at = Vec3::Zero();  ///< of other rows than surfaces zero, and the force is what they have
};

/// The loads of the last step. With them, and with what detection remembers of pairs, a run goes on
/// bit for bit.
struct StepMemory {
  std::vector<RememberedLoad> loads;   ///< in the order of RowKey
  std::vector<RememberedLoad> before;  ///< workspace
};

/// [m, f] in C, or [ω, v], of the rows that a law has; what it has no row for is zero.
[[nodiscard]] Vec6 whole_wrench(const LocalLaw& law, const double* rows);

/// λ of every group that was there before; zero for the others.
void recall_loads(const StepMemory& memory, const ConstraintRows& rows, VecX& lambda);

/// What is as it was recalled stays as it was, to the last bit.
void remember_loads(const ConstraintRows& rows, const VecX& recalled, const VecX& lambda,
                    StepMemory& memory);

}  // namespace tact
