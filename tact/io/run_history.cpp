// io/run_history.cpp - moments taken and thinned.
#include "tact/io/run_history.hpp"

#include <algorithm>

namespace tact {
namespace {

constexpr std::size_t most_moments = 1200;
constexpr std::size_t most_impacts = 5000;

/// Two neighbours become one: the later, with the worst figures of both.
void thin(RunHistory& history) {
  auto& all = history.moments;
  for (std::size_t k = 0; 2 * k + 1 < all.size(); ++k) {
    HistoryMoment merged = std::move(all[2 * k + 1]);
    merged.penetration = std::max(merged.penetration, all[2 * k].penetration);
    merged.residual = std::max(merged.residual, all[2 * k].residual);
    all[k] = std::move(merged);
  }
  all.resize(all.size() / 2);
  history.stride *= 2;
}

}  // namespace

void add_moment(const Simulation& sim, const StepReport& report, bool last, RunHistory& history) {
  history.penetration = std::max(history.penetration, report.penetration);
  history.residual = std::max(history.residual, report.solve.residual.figure());
  for (const ImpactEvent& event : report.impacts)
    if (history.impacts.size() < most_impacts) history.impacts.push_back(event);
  if (++history.since < history.stride && !last) return;
  HistoryMoment moment;
  moment.time = sim.state.time;
  moment.kinetic = sim.ledger.kinetic_change.value();
  moment.potential = sim.ledger.potential_change.value();
  for (std::size_t i = 0; i < account_count; ++i) moment.works[i] = sim.ledger.accounts[i].value();
  moment.penetration = history.penetration;
  moment.residual = history.residual;
  observe(sim, moment.contacts);
  history.moments.push_back(std::move(moment));
  history.since = 0;
  history.penetration = history.residual = 0;
  if (history.moments.size() >= most_moments) thin(history);
}

}  // namespace tact
