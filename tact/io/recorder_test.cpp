#include "tact/io/recorder.hpp"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tact/base/rng.hpp"
#include "tact/io/recording.hpp"
#include "tests/support/recorded_run.hpp"

namespace tact {
namespace {

using recorded::Folder;
using recorded::sliding_boxes;

TEST(Recorder, RefusesPathsThatCannotBeWritten) {
  const Folder folder;
  const Simulation sim = sliding_boxes(1);
  for (const std::string& path : {folder / "no/run.tact", folder / "."}) {
    const auto recorder = Recorder::open(path, sim);
    ASSERT_FALSE(recorder.has_value());
    EXPECT_TRUE(recorder.error().message.starts_with(path + ": ")) << recorder.error().message;
    EXPECT_NE(recorder.error().message.find(';'), std::string::npos) << "has a remedy";
  }
}

TEST(Recorder, AFullDiskAtTheStartIsSaid) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  const auto recorder = Recorder::open("/dev/full", sliding_boxes(1));
  ASSERT_FALSE(recorder.has_value());
  EXPECT_NE(recorder.error().message.find("No space left"), std::string::npos)
      << recorder.error().message;
}

/// A limit on the size of files stands for the disk: the write that crosses it gets through in
/// part.
TEST(Recorder, AFullDiskEndsTheRecordingAndNotTheFile) {
  const Folder folder;
  const std::string path = folder / "run.tact";
  Simulation sim = sliding_boxes(2);
  auto opened = Recorder::open(path, sim);
  ASSERT_TRUE(opened.has_value());
  Recorder recorder = *std::move(opened);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  constexpr rlim_t room = 10'000;
  const rlimit limit{static_cast<rlim_t>(recorder.bytes()) + room, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const RunSummary stopped = simulate(sim, {1, 10}, recording_watcher(recorder, true));
  const RunSummary more = simulate(sim, {0.02, 10}, recording_watcher(recorder, false));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  (void)std::signal(SIGXFSZ, old_action);

  EXPECT_EQ(stopped.status, RunStatus::stopped);
  EXPECT_EQ(more.status, RunStatus::finished) << "a run may go on without being recorded";
  ASSERT_TRUE(recorder.error().has_value());
  const std::string& said = recorder.error()->message;
  EXPECT_TRUE(said.starts_with(path + ": cannot be written any more (File too large)")) << said;
  EXPECT_EQ(std::filesystem::file_size(path), recorder.bytes()) << "whole blocks only";
  const auto read = read_recording(path);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->cut, std::nullopt);
  EXPECT_EQ(static_cast<Index>(read->frames.size()), recorder.frames());
  EXPECT_EQ(static_cast<Index>(read->frames.size()), stopped.steps)
      << "the start, all but the last";
  EXPECT_EQ(read->end, std::nullopt);
}

/// Writes frames as fast as it can, until it is killed. Never returns.
[[noreturn]] void record_for_ever(Simulation& sim, const std::string& path) {
  auto opened = Recorder::open(path, sim);
  if (!opened) std::_Exit(1);
  Recorder recorder = *std::move(opened);
  StepReport report;
  while (step(sim, report))
    if (recorder.record(sim, report, false)) std::_Exit(1);
  std::_Exit(1);
}

/// However busy the machine is.
void wait_for_frames(const std::string& path) {
  constexpr std::uintmax_t some_frames = 20'000;
  const timespec moment{0, 1'000'000};
  std::error_code missing;
  for (std::uintmax_t size = 0; missing || size < some_frames;) {
    nanosleep(&moment, nullptr);
    size = std::filesystem::file_size(path, missing);
  }
}

TEST(Recorder, WhatWasRecordedOutlivesTheProcess) {
  const Folder folder;
  Rng rng(7);
  constexpr int times = 100;
  Simulation sim = sliding_boxes(2);
  int with_header = 0;
  Index most = 0;
  for (int k = 0; k < times; ++k) {
    const std::string path = folder / (std::to_string(k) + ".tact");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) record_for_ever(sim, path);
    const timespec wait{0, static_cast<long>(rng.uniform(0, 30e6))};
    nanosleep(&wait, nullptr);
    if (k % 10 == 0) wait_for_frames(path);
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the recorder failed by itself";
    if (!std::filesystem::exists(path)) continue;
    const auto read = read_recording(path);
    if (!read) {  // killed before the header was whole
      EXPECT_NE(read.error().message.find("before its header"), std::string::npos)
          << read.error().message;
      continue;
    }
    ++with_header;
    Index last = -1;
    for (const RecordedFrame& f : read->frames) {
      EXPECT_EQ(f.step, last + 1);
      last = f.step;
    }
    if (read->cut) {
      EXPECT_NE(read->cut->find("ends within a block"), std::string::npos) << *read->cut;
    }
    most = std::max(most, last);
  }
  EXPECT_GT(with_header, 0);
  EXPECT_GT(most, 0);
}

}  // namespace
}  // namespace tact
