// tests/support/sim_scenes.hpp - the scenes of scenes/sim, made into simulations and run.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/scene_simulation.hpp"
#include "tact/sim/simulate.hpp"

namespace tact::testing {

/// What a test changes before the simulation is made.
using Change = std::function<void(Scene& scene, SceneSetup& setup)>;

inline Simulation sim_scene(const std::string& name, const Change& change = {}) {
  const std::string path = std::string(TACT_TEST_DATA) + "/../../scenes/sim/" + name + ".xml";
  auto read = read_scene(path);
  if (!read) throw std::runtime_error(read.error().message);
  Scene scene = *std::move(read);
  auto said = scene_setup(scene, path, "", SimOptions{});
  if (!said) throw std::runtime_error(said.error().message);
  SceneSetup setup = *std::move(said);
  if (change) change(scene, setup);
  auto made = make_simulation(scene.model, setup.start, setup.options, setup.prescribed,
                              setup.choices, setup.soft);
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}

/// Runs it for so many seconds; `watch` after every step.
inline RunSummary run(Simulation& sim, double seconds,
                      const std::function<void(const StepReport&)>& watch = {}) {
  RunOptions options;
  options.duration = seconds;
  options.label_every = 0;
  const RunSummary out = simulate(sim, options, [&](const Simulation&, const StepReport& r, bool) {
    if (watch) watch(r);
    return true;
  });
  EXPECT_EQ(out.status, RunStatus::finished) << out.why;
  return out;
}

}  // namespace tact::testing
