#include "mode_outlook.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <unistd.h>

#include "tact/io/mode_report.hpp"
#include "tact/modes/mode_work.hpp"

namespace tact::app {

Outlook look_ahead(const ModeSystem& system, const ModeOptions& options) {
  constexpr std::chrono::seconds enough{1};
  const auto start = std::chrono::steady_clock::now();
  Outlook out;
  auto prepared = ModeWork::prepare(system, options, false);
  if (!prepared) return out;
  ModeWork work = *std::move(prepared);
  ModeTotals totals;
  std::uint64_t next = 0;
  bool late = false;
  const auto source = [&]() -> std::optional<std::uint64_t> {
    late = std::chrono::steady_clock::now() - start > enough;
    return late ? std::nullopt : std::optional(next++);
  };
  const bool all = work.run(source, [&](const ModeBlock& block) { totals.add(block); }, {});
  out.complete = all && !late;
  if (out.complete) {
    out.counts = work.counts(totals);
    return out;
  }
  out.counts.full = 1;
  for (const ModeTotals::Part& part : totals.parts) {
    ModeCount sum = 0;
    for (const ModeCount count : part.full_by_dim) sum += count;
    if (__builtin_mul_overflow(out.counts.full, std::max<ModeCount>(sum, 1), &out.counts.full))
      out.counts.full = most_modes;
  }
  return out;
}

Patience::Patience(std::string sentence)
    : watch_([this, sentence = std::move(sentence)] {
        constexpr std::chrono::seconds long_enough{3};
        std::unique_lock lock(mutex_);
        if (!ended_.wait_for(lock, long_enough, [this] { return over_; }))
          fmt::print(stderr, "tact: {}\n", sentence);
      }) {}

Patience::~Patience() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  watch_.join();
}

Progress::Progress(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(ModeCount done, ModeCount all, std::string_view what, ModeCount modes) {
  if (!wanted_) return;
  const double part =
      all == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  if (first_part_ < 0) first_part_ = part;
  const double now = seconds();
  if (now < 1 || now < last_ + 0.5) return;
  last_ = now;
  shown_ = true;
  fmt::print(stderr, "\r\033[K {}{} {}, {} modes so far", grouped(done),
             all == 0 ? "" : " of " + grouped(all), what, grouped(modes));
  if (part > first_part_)
    fmt::print(stderr, ", about {:.0f} s left", now * (1 - part) / (part - first_part_));
  std::fflush(stderr);
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace tact::app
