#include "tact/modes/modes.hpp"

#include <algorithm>

#include "tact/modes/mode_work.hpp"

namespace tact {

std::string to_string(ModeCount count) {
  std::string out;
  do {
    out.push_back(static_cast<char>('0' + static_cast<int>(count % 10)));
    count /= 10;
  } while (count != 0);
  std::reverse(out.begin(), out.end());
  return out;
}

Result<bool> validate(const ModeSystem& system, const ModeOptions& options) {
  if (options.policy == ModePolicy::tolerance && !(options.tolerance >= 0 && options.tolerance < 1))
    return Error{Errc::value, "the tolerance of modes is a number from 0 to below 1"};
  return validate(system);
}

namespace {

Result<ModeVisit> do_all(const ModeSystem& system, const ModeOptions& options, bool visit,
                         const ModeSink& sink) {
  auto work = ModeWork::prepare(system, options, visit);
  if (!work) return work.error();
  ModeTotals totals;
  ModeWork machine = *std::move(work);
  std::uint64_t next = 0;
  const bool all = machine.run([&] { return std::optional(next++); },
                               [&](const ModeBlock& block) { totals.add(block); }, sink);
  ModeVisit out{machine.counts(totals), totals.hash.value()};
  out.counts.stopped = !all;
  return out;
}

}  // namespace

Result<ModeCounts> count_modes(const ModeSystem& system, const ModeOptions& options) {
  auto all = do_all(system, options, false, {});
  if (!all) return all.error();
  ModeVisit visit = *std::move(all);
  return std::move(visit.counts);
}

Result<ModeVisit> visit_modes(const ModeSystem& system, const ModeOptions& options,
                              const ModeSink& sink) {
  return do_all(system, options, true, sink);
}

}  // namespace tact
