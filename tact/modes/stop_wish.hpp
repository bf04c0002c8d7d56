// modes/stop_wish.hpp - someone's wish to end the work, heard in the middle of it.
#pragma once

#include <atomic>

namespace tact::detail {

/// Thrown where the wish was heard; whoever started the work drops what it did so far.
struct WorkStopped {};

/// The wish of ModeOptions::stop; null wishes nothing.
struct StopWish {
  const std::atomic<bool>* flag = nullptr;

  [[nodiscard]] bool heard() const {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
  }
  void heed() const {
    if (heard()) throw WorkStopped{};
  }
};

}  // namespace tact::detail
