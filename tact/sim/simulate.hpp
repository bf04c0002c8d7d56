// sim/simulate.hpp - a run: steps until a time, what they were like, and who watches.
//
// A watcher sees every step; it may record, print or stop the run. The library knows no files: a
// recorder is a watcher of io.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tact/sim/observe.hpp"

namespace tact {

enum class RunStatus {
  finished,
  stopped,   ///< by a watcher
  diverged,  ///< a number is not finite any more; the state is the last good one
};
/// The words above.
[[nodiscard]] std::string_view name(RunStatus status);

/// How two geoms touched softly over a run.
struct SoftPairSummary {
  std::array<std::string, 2> geoms;
  Index touching = 0, slipping = 0;        ///< steps
  Index released = 0;                      ///< how often the pair parted
  double least_force = 0, most_force = 0;  ///< [N] normal, while touching
  double most_used = 0;                    ///< share of the friction that holds
  double deepest = 0;                      ///< [m]
  double slip_loss = 0;                    ///< [J]
  bool touches = false;                    ///< at the end
};

/// Two geoms that began inside each other, or came to be and were left so.
struct OverlapSummary {
  std::array<std::string, 2> geoms;
  double depth = 0;        ///< [m]
  bool one_robot = false;  ///< of_one_robot()
};

struct RunSummary {
  RunStatus status = RunStatus::finished;
  std::string why;  ///< of diverged: one sentence that names the body
  Index steps = 0;
  double simulated = 0;  ///< [s]
  Index most_contacts = 0, most_patches = 0;
  double max_residual = 0;     ///< the judge's, over all steps
  double max_penetration = 0;  ///< [m]
  double max_penetration_time = 0;
  double max_joint_error = 0;  ///< [m, rad] of limits and equations
  double max_joint_error_time = 0;
  /// The most that equalities, limits or dry friction gave after a time when they had given least
  /// [J]; which of them; in how many steps more than integration explains.
  double constraints_gave = 0;
  Account constraint = Account::equalities;
  Index constraints_generating = 0;
  WorkVerdict constraint_verdict = WorkVerdict::dissipative;  ///< of the whole run
  Index not_converged = 0;  ///< steps whose solve did not reach the tolerance
  Index position_solves = 0;
  Index impacts_dissipative = 0, impacts_generating = 0, impacts_unsolved = 0;
  std::array<Index, 9> regimes{};  ///< [Regime] samples with that label
  std::vector<SoftPairSummary> soft_pairs;
  std::vector<OverlapSummary> overlaps;
  std::vector<std::string> warnings;  ///< one sentence each
};

/// Called after every step; `last`: no step follows. False stops the run.
using Watcher = std::function<bool(const Simulation& sim, const StepReport& report, bool last)>;

struct RunOptions {
  double duration = 0;     ///< [s] from the state's time on
  Index label_every = 10;  ///< steps between two looks at the labels
};

/// Steps until the duration is over (the last one ends at or after it, by rounding only).
[[nodiscard]] RunSummary simulate(Simulation& sim, const RunOptions& options,
                                  const Watcher& watcher = {});

/// The same of many independent simulations over threads; the bits are those of one by one.
[[nodiscard]] std::vector<RunSummary> simulate_all(std::vector<Simulation>& sims,
                                                   const RunOptions& options, int threads);

}  // namespace tact
