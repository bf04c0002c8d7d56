#include "mode_outlook.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tact/io/mode_report.hpp"
#include "tact/modes/mode_work.hpp"

namespace tact::app {

Outlook look_ahead(const ModeSystem& system, const ModeOptions& options) {
  std::atomic<bool> late = false;
  const Alarm alarm(std::chrono::seconds(1), [&] { late = true; });
  Outlook out;
  ModeOptions hurried = options;
  hurried.stop = &late;
  auto prepared = ModeWork::prepare(system, hurried, false);
  if (!prepared) return out;
  ModeWork work = *std::move(prepared);
  ModeTotals totals;
  std::uint64_t next = 0;
  out.complete = work.run([&] { return std::optional(next++); },
                          [&](const ModeBlock& block) { totals.add(block); }, {});
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

Alarm::Alarm(std::chrono::seconds patience, std::function<void()> ring)
    : watch_([this, patience, ring = std::move(ring)] {
        std::unique_lock lock(mutex_);
        if (!ended_.wait_for(lock, patience, [this] { return over_; })) ring();
      }) {}

Alarm::~Alarm() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  watch_.join();
}

Progress::Progress(bool wanted, bool resumed)
    : wanted_(wanted && isatty(STDERR_FILENO) != 0), first_part_(resumed ? -1 : 0) {}

Progress::~Progress() {
  wipe();
}

void Progress::wipe() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

namespace {

/// A line as wide as the terminal would begin another, and the next would not overwrite it.
std::size_t line_width() {
  constexpr std::size_t usual = 80;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (known ? size.ws_col : usual) - 1;
}

std::string rough_duration(double seconds) {
  constexpr double minute = 60, hour = 3600, day = 86400;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.0f} h", seconds / hour);
  return fmt::format("{:.0f} days", seconds / day);
}

}  // namespace

void Progress::show(ModeCount done, ModeCount all, std::string_view what,
                    std::optional<ModeCount> modes) {
  if (!wanted_) return;
  const double part =
      all == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  if (first_part_ < 0) first_part_ = part;
  const double now = seconds();
  if (now < 1 || now < last_ + 0.5) return;
  last_ = now;
  shown_ = true;
  std::string line =
      fmt::format("{}{} {}", grouped(done), all == 0 ? "" : " of " + grouped(all), what);
  if (part > first_part_)
    line += fmt::format(", about {} left", rough_duration(now * (1 - part) / (part - first_part_)));
  if (modes) line += fmt::format(", {} modes so far", grouped(*modes));
  line.resize(std::min(line.size(), line_width()));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace tact::app
