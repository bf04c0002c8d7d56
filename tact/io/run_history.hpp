// io/run_history.hpp - a run thinned to what a page can show.
//
// A watcher of sim/simulate.hpp. Keeps at most 2 × 600 moments: when there are more, every second
// one goes and from then on half as many are taken. What is summed over steps (deepest penetration,
// worst residual) is kept for all of them.
#pragma once

#include <string>
#include <vector>

#include "tact/sim/simulate.hpp"

namespace tact {

struct HistoryMoment {
  double time = 0;
  double kinetic = 0, potential = 0;          ///< changes since the start [J]
  std::array<double, account_count> works{};  ///< [J]
  double penetration = 0, residual = 0;       ///< the worst since the moment before
  std::vector<ContactSample> contacts;
};

struct RunHistory {
  std::vector<HistoryMoment> moments;
  std::vector<ImpactEvent> impacts;
  Index stride = 1, since = 0;  ///< steps between moments, steps since the last
  double penetration = 0, residual = 0;
};

/// To be called after every step; `last` keeps the moment whatever the stride.
void add_moment(const Simulation& sim, const StepReport& report, bool last, RunHistory& history);

}  // namespace tact
