// Blocks of modes over the ranks of an MPI run; alone when there is none.
#pragma once

#include <vector>

#include "tact/modes/mode_work.hpp"

namespace tact::app {

/// The ranks of this run: one if it was not started by mpirun or was built without MPI. Made once
/// in a command that can share work.
class Ranks {
 public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] bool first() const { return rank_ == 0; }
  /// Started by mpirun, but built without MPI: every rank would do everything.
  [[nodiscard]] static bool missing();

  /// Shares the blocks out, first come first served; on the first rank all of them in order.
  std::vector<ModeBlock> share(ModeWork& work, bool& complete);

 private:
  int count_ = 1;
  int rank_ = 0;
};

}  // namespace tact::app
