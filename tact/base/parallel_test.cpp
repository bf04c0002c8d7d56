#include "tact/base/parallel.hpp"

#include <atomic>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Parallel, EveryPieceOnceWhateverTheThreads) {
  for (const int threads : {-1, 0, 1, 2, 4, 9})
    for (const int pieces : {0, 1, 2, 7, 1000}) {
      std::vector<int> done(static_cast<std::size_t>(pieces), 0);
      std::atomic<bool> worker_known{true};
      parallel_for(pieces, threads, [&](int piece, int worker) {
        ++done[static_cast<std::size_t>(piece)];
        if (worker < 0 || worker >= std::max(threads, 1)) worker_known = false;
      });
      EXPECT_EQ(done, std::vector<int>(static_cast<std::size_t>(pieces), 1));
      EXPECT_TRUE(worker_known);
    }
}

TEST(Parallel, OneThreadWorksInOrderInTheCallersThread) {
  std::vector<int> order;
  const auto caller = std::this_thread::get_id();
  parallel_for(5, 1, [&](int piece, int worker) {
    EXPECT_EQ(worker, 0);
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(piece);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(Parallel, AWorkerHasItsScratchForItself) {
  constexpr int threads = 4;
  std::vector<int> busy(threads, 0);
  std::atomic<bool> shared{false};
  parallel_for(2000, threads, [&](int, int worker) {
    int& mine = busy[static_cast<std::size_t>(worker)];
    if (mine != 0) shared = true;
    ++mine;
    std::this_thread::yield();
    --mine;
  });
  EXPECT_FALSE(shared);
}

TEST(Parallel, AnExceptionReachesTheCallerAndTheRestIsLeft) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<int> done{0};
    const auto work = [&](int piece, int) {
      if (piece == 3) throw std::runtime_error("three");
      ++done;
    };
    try {
      parallel_for(100000, threads, work);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "three");
    }
    EXPECT_LT(done, 100000);
  }
}

}  // namespace
}  // namespace tact
