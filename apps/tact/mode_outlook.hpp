// What an enumeration of modes is up against: said before it runs, shown while it does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "tact/modes/modes.hpp"

namespace tact::app {

/// How many modes a visit will see.
struct Outlook {
  ModeCounts counts;
  bool complete = false;  ///< else counts.full alone is set, from below
};

/// Counts for at most about a second: parts multiply, so that even 2^40 modes may be counted at
/// once. `system` must be valid.
[[nodiscard]] Outlook look_ahead(const ModeSystem& system, const ModeOptions& options);

/// Rings, in a thread of its own, if it lives longer than that.
class Alarm {
 public:
  Alarm(std::chrono::seconds patience, std::function<void()> ring);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watch_;
};

/// A line on stderr, from one second on, twice a second, if someone is looking.
class Progress {
 public:
  Progress(bool wanted, bool resumed);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `all`, of which nothing is known if it is 0, and the modes found with them.
  void show(ModeCount done, ModeCount all, std::string_view what, std::optional<ModeCount> modes);
  /// Takes the line away, before something else is printed.
  void wipe();
  [[nodiscard]] double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool wanted_;
  bool shown_ = false;
  double last_ = 0;
  double first_part_;  ///< what was done before, by a run that this one goes on from; -1: not known
                       ///< yet
};

}  // namespace tact::app
