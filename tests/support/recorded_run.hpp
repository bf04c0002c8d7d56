// Short simulations to be recorded, and a folder for their files.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tact/io/recorder.hpp"
#include "tact/io/scene_file.hpp"

namespace tact::recorded {

/// Removed at the end of the test.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("tact_recording_" + std::to_string(getpid()) + "_" + std::to_string(next()++))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }

 private:
  static int& next() {
    static int count = 0;
    return count;
  }
  std::filesystem::path path_;
};

/// `boxes` boxes beside each other on a floor, each pushed a little; their frames are not at their
/// centres of mass.
inline Simulation sliding_boxes(int boxes, double restitution = 0, double height = 0.05) {
  std::string text = R"(<mujoco model="sliding boxes"><option timestep="0.004"/>
    <default><geom friction="0.3 0.005 0.0001"/></default><worldbody>
    <geom name="floor" type="plane" size="9 9 0.1"/>)";
  for (int i = 0; i < boxes; ++i)
    text += "<body name=\"box" + std::to_string(i) + "\" pos=\"" + std::to_string(0.5 * i) + " 0 " +
            std::to_string(height) + "\"><freejoint/><geom name=\"box" + std::to_string(i) +
            "\" type=\"box\" size=\"0.05 0.06 0.05\" pos=\"0.01 0 0\" mass=\"1\"/></body>";
  text += "</worldbody></mujoco>";
  auto scene = read_mjcf_text(text, "boxes.xml", no_files());
  EXPECT_TRUE(scene.has_value());
  State state = initial_state(scene->model);
  for (int i = 0; i < boxes; ++i) {
    state.qvel[6 * i + 1] = 0.3 + 0.05 * i;
    state.qvel[6 * i + 5] = 0.5;
  }
  SurfaceChoices choices;
  choices.common.restitution = restitution;
  auto made = make_simulation(scene->model, state, {}, {}, choices);
  EXPECT_TRUE(made.has_value());
  return *std::move(made);
}

/// The whole run in a file.
inline RunSummary record_run(Simulation& sim, const std::string& path, double duration,
                             const RecordOptions& options = {}) {
  auto recorder = Recorder::open(path, sim, options);
  EXPECT_TRUE(recorder.has_value());
  Recorder writes = *std::move(recorder);
  const RunSummary summary = simulate(sim, {duration, 10}, recording_watcher(writes, true));
  EXPECT_FALSE(writes.finish(summary).has_value());
  return summary;
}

}  // namespace tact::recorded
