#include "mode_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#ifdef TACT_WITH_MPI
#include <mpi.h>
#endif

namespace tact::app {

namespace {

/// Set by Open MPI's mpirun for each process it starts.
bool started_by_mpirun() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
}

}  // namespace

#ifdef TACT_WITH_MPI

namespace {

/// A block as 64-bit words, for the way to another rank.
void pack(const std::vector<ModeCount>& counts, std::vector<std::uint64_t>& out) {
  out.push_back(counts.size());
  for (const ModeCount count : counts) {
    out.push_back(static_cast<std::uint64_t>(count));
    out.push_back(static_cast<std::uint64_t>(count >> 64U));
  }
}
void pack(const ModeBlock& block, std::vector<std::uint64_t>& out) {
  out.insert(out.end(), {block.index, static_cast<std::uint64_t>(block.part), block.hash.value(),
                         block.hash.power(), static_cast<std::uint64_t>(block.inconsistent)});
  pack(block.cs_by_dim, out);
  pack(block.full_by_dim, out);
}

const std::uint64_t* unpack(const std::uint64_t* from, std::vector<ModeCount>& counts) {
  counts.resize(*from++);
  for (ModeCount& count : counts) {
    count = from[0] + (static_cast<ModeCount>(from[1]) << 64U);
    from += 2;
  }
  return from;
}
const std::uint64_t* unpack(const std::uint64_t* from, ModeBlock& block) {
  block.index = from[0];
  block.part = static_cast<int>(from[1]);
  block.hash = ModeHash::restore(from[2], from[3]);
  block.inconsistent = from[4] != 0;
  return unpack(unpack(from + 5, block.cs_by_dim), block.full_by_dim);
}

/// All words of all ranks, on the first one.
std::vector<std::uint64_t> gather(const std::vector<std::uint64_t>& own, int ranks) {
  const int size = static_cast<int>(own.size());
  std::vector<int> sizes(ranks), starts(ranks, 0);
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 1; r < ranks; ++r) starts[r] = starts[r - 1] + sizes[r - 1];
  std::vector<std::uint64_t> all(starts.back() + sizes.back());
  MPI_Gatherv(own.data(), size, MPI_UINT64_T, all.data(), sizes.data(), starts.data(), MPI_UINT64_T,
              0, MPI_COMM_WORLD);
  return all;
}

}  // namespace

bool Ranks::missing() {
  return false;
}

Ranks::Ranks() {
  if (!started_by_mpirun()) return;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
}

Ranks::~Ranks() {
  if (started_by_mpirun()) MPI_Finalize();
}

std::vector<ModeBlock> Ranks::share(ModeWork& work, bool& complete) {
  // One counter, on the first rank, from which everyone takes the next number: whoever has more to
  // do takes fewer.
  std::uint64_t* counter = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(rank_ == 0 ? sizeof(std::uint64_t) : 0, sizeof(std::uint64_t), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &counter, &window);
  if (rank_ == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  const auto next = [&]() -> std::optional<std::uint64_t> {
    const std::uint64_t one = 1;
    std::uint64_t number = 0;
    MPI_Fetch_and_op(&one, &number, MPI_UINT64_T, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    return number;
  };
  std::vector<std::uint64_t> own;
  const bool all = work.run(next, [&](const ModeBlock& block) { pack(block, own); }, {});
  MPI_Win_unlock_all(window);
  const int mine = all ? 1 : 0;
  int least = 0;
  MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Win_free(&window);
  complete = least == 1;

  const std::vector<std::uint64_t> words = gather(own, count_);
  std::vector<ModeBlock> blocks;
  for (const std::uint64_t* at = words.data(); at != words.data() + words.size();)
    at = unpack(at, blocks.emplace_back());
  std::sort(blocks.begin(), blocks.end(),
            [](const ModeBlock& a, const ModeBlock& b) { return a.index < b.index; });
  return blocks;
}

#else

bool Ranks::missing() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  return started_by_mpirun() && std::strcmp(size, "1") != 0;
}

Ranks::Ranks() = default;
Ranks::~Ranks() = default;

std::vector<ModeBlock> Ranks::share(ModeWork& work, bool& complete) {
  std::vector<ModeBlock> blocks;
  std::uint64_t next = 0;
  complete = work.run([&] { return std::optional(next++); },
                      [&](ModeBlock block) { blocks.push_back(std::move(block)); }, {});
  return blocks;
}

#endif

}  // namespace tact::app
