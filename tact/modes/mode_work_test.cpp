#include "tact/modes/mode_work.hpp"

#include <chrono>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/modes/mode_hash.hpp"
#include "tact/modes/mode_scenes.hpp"

namespace tact {
namespace {

ModeSystem scene(std::string_view name) {
  return mode_scene(name)->system;
}

ModeWork prepared(const ModeSystem& system, const ModeOptions& options, bool visit) {
  auto work = ModeWork::prepare(system, options, visit);
  return *std::move(work);
}

/// The blocks some of `workers` did, taking turns in a fixed disorder.
std::vector<ModeBlock> shared(const ModeSystem& system, const ModeOptions& options, bool visit,
                              int workers) {
  std::vector<ModeBlock> all;
  for (int worker = 0; worker < workers; ++worker) {
    ModeWork work = prepared(system, options, visit);
    auto next = static_cast<std::uint64_t>(worker);
    const auto source = [&] {
      const std::uint64_t number = next;
      next += static_cast<std::uint64_t>(workers);
      return std::optional(number);
    };
    EXPECT_TRUE(work.run(source, [&](ModeBlock block) { all.push_back(std::move(block)); }, {}));
  }
  std::sort(all.begin(), all.end(),
            [](const ModeBlock& a, const ModeBlock& b) { return a.index < b.index; });
  return all;
}

ModeTotals totals_of(const std::vector<ModeBlock>& blocks) {
  ModeTotals totals;
  for (const ModeBlock& block : blocks) totals.add(block);
  return totals;
}

TEST(ModeHash, SequencesJoin) {
  ModeHash whole, left, right;
  const std::vector<std::pair<std::string, std::string>> modes = {
      {"0+", "+-"}, {"0+", "00"}, {"00", "+--0"}, {"++", ""}};
  for (std::size_t k = 0; k < modes.size(); ++k) {
    whole.add(modes[k].first, modes[k].second);
    (k < 2 ? left : right).add(modes[k].first, modes[k].second);
  }
  left.add(right);
  EXPECT_EQ(left, whole);
  EXPECT_EQ(ModeHash::restore(left.value(), left.power()), whole);
  ModeHash swapped;
  swapped.add(modes[1].first, modes[1].second);
  swapped.add(modes[0].first, modes[0].second);
  ModeHash straight;
  straight.add(modes[0].first, modes[0].second);
  straight.add(modes[1].first, modes[1].second);
  EXPECT_NE(swapped, straight);  // the order counts
  ModeHash moved;
  moved.add("0", "++");
  ModeHash other;
  other.add("0+", "+");
  EXPECT_NE(moved, other);  // and where a string ends
}

TEST(ModeWork, AnySharingAddsUpToTheSame) {
  const ModeSystem system = scene("box-box-2");
  for (const bool visit : {false, true}) {
    ModeOptions options;
    const ModeTotals one = totals_of(shared(system, options, visit, 1));
    const ModeWork work = prepared(system, options, visit);
    const ModeCounts counts = work.counts(one);
    EXPECT_EQ(to_string(counts.full), "29046");
    for (const int workers : {2, 3, 7}) {
      options.threads = workers;
      const ModeTotals some = totals_of(shared(system, options, visit, workers));
      EXPECT_EQ(work.counts(some), counts) << workers;
      EXPECT_EQ(some.hash, one.hash) << workers;
      EXPECT_EQ(some.next, one.next) << workers;
    }
    EXPECT_GT(one.next, 2U);
  }
}

TEST(ModeWork, GoesOnWhereItStopped) {
  const ModeSystem system = scene("box-box-1");
  ModeOptions options;
  options.threads = 2;
  const ModeTotals whole = totals_of(shared(system, options, true, 1));
  for (std::uint64_t stop = 0; stop <= whole.next; stop += 3) {
    ModeTotals totals;
    while (true) {  // a new run for every few blocks
      ModeWork work = prepared(system, options, true);
      const std::uint64_t end = totals.next + stop + 1;
      std::uint64_t next = totals.next;
      const auto source = [&]() -> std::optional<std::uint64_t> {
        if (next == end) return std::nullopt;
        return next++;
      };
      const std::uint64_t before = totals.next;
      work.run(source, [&](const ModeBlock& block) { totals.add(block); }, {});
      if (totals.next == before) break;
    }
    EXPECT_EQ(totals.hash, whole.hash) << stop;
    EXPECT_EQ(totals.next, whole.next) << stop;
  }
}

TEST(ModeWork, StopEndsItAndTheBlockAtHandIsNotCounted) {
  const ModeSystem system = scene("box-box-2");
  std::atomic<bool> stop = false;
  ModeOptions options;
  options.stop = &stop;
  ModeWork work = prepared(system, options, true);
  std::uint64_t next = 0;
  std::uint64_t done = 0;
  const bool complete = work.run([&] { return std::optional(next++); },
                                 [&](const ModeBlock&) { stop = ++done == 3; }, {});
  EXPECT_FALSE(complete);
  EXPECT_EQ(done, 3U);
}

/// Contacts that never separate, each with one direction to slide in: one contacting mode, and
/// hours of work in it.
ModeSystem one_long_face() {
  Rng rng(7);
  ModeSystem system;
  constexpr Index dof = 12;
  for (int k = 0; k < 60; ++k) {
    MatX tangent(1, dof);
    for (double& x : tangent.reshaped()) x = static_cast<double>(rng.below(7)) - 3;
    add_contact(system, VecX::Zero(dof), tangent);
  }
  return system;
}

TEST(ModeWork, StopIsHeardInsideOneContactingMode) {
  // It ends only because it listens; the delay lets it come to the middle.
  const ModeSystem system = one_long_face();
  for (const ModeKind kind : {ModeKind::sliding, ModeKind::slipping})
    for (const bool visit : {false, true})
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(threads);
        std::atomic<bool> stop = false, started = false;
        ModeOptions options;
        options.kind = kind;
        options.threads = threads;
        options.stop = &stop;
        ModeWork work = prepared(system, options, visit);
        std::thread other([&] {
          while (!started) std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          stop = true;
        });
        std::uint64_t next = 0;
        std::uint64_t done = 0;
        const auto source = [&] {
          started = true;
          return std::optional(next++);
        };
        EXPECT_FALSE(work.run(source, [&](const ModeBlock&) { ++done; }, {}));
        other.join();
        if (!visit) {
          EXPECT_EQ(done, 0U);
        }
      }
}

}  // namespace
}  // namespace tact
