// contact/patch_pool.hpp - patches whose memory is used again from step to step.
//
// A LocalLaw shares its patch, and laws are copied freely; a pool hands the same patches out again
// once all laws of the last round are out of date. A copy of a pool begins empty, and the pool that
// was copied gives its patches up: they stay what they are for those who hold them.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "tact/contact/local_law.hpp"

namespace tact {

class PatchPool {
 public:
  PatchPool() = default;
  PatchPool(const PatchPool& other) { other.given_up_ = true; }
  PatchPool(PatchPool&& other) noexcept { swap(other); }
  PatchPool& operator=(const PatchPool& other) {
    if (this == &other) return *this;
    other.given_up_ = true;
    patches_.clear();
    used_ = 0;
    return *this;
  }
  PatchPool& operator=(PatchPool&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PatchPool() = default;

  /// From here on the patches that were handed out may change.
  void restart() {
    if (given_up_.exchange(false)) patches_.clear();
    used_ = 0;
  }
  /// One that no law of this round has.
  [[nodiscard]] const std::shared_ptr<LocalPatch>& next() {
    if (used_ == patches_.size()) patches_.push_back(std::make_shared<LocalPatch>());
    return patches_[used_++];
  }

 private:
  void swap(PatchPool& other) noexcept {
    patches_.swap(other.patches_);
    std::swap(used_, other.used_);
    given_up_ = other.given_up_.exchange(given_up_);
  }

  std::vector<std::shared_ptr<LocalPatch>> patches_;
  std::size_t used_ = 0;
  mutable std::atomic<bool> given_up_{false};
};

}  // namespace tact
