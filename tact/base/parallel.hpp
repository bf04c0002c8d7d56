// base/parallel.hpp - the same work on any number of threads, with the same result.
//
// The work is a list of independent pieces, each of which writes only what is its own; which thread
// does which piece is then of no account, and the bits are the same for any number of threads.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tact {

/// Calls work(piece, worker) for piece = 0 ... pieces - 1, worker < threads being the thread that
/// does it, for its scratch memory. With one thread: in order, in the caller's thread, without
/// allocation. The first exception is rethrown when all threads have stopped.
template <class Work>
void parallel_for(int pieces, int threads, Work&& work) {
  if (threads <= 1 || pieces <= 1) {
    for (int piece = 0; piece < pieces; ++piece) work(piece, 0);
    return;
  }
  std::atomic<int> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto run = [&](int worker) {
    try {
      for (int piece = next++; piece < pieces; piece = next++) work(piece, worker);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
      next = pieces;
    }
  };
  {
    std::vector<std::jthread> crew;
    for (int worker = 1; worker < threads; ++worker) crew.emplace_back(run, worker);
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tact
