// What mechanisms do to contacts: loads that move nothing, bodies that cannot tilt, starts that
// overlap, landings at every length of step.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/sim_scenes.hpp"

namespace tact {
namespace {

using testing::run;
using testing::sim_scene;

constexpr double g = 9.81;

Result<Simulation> simulation_of(const std::string& text, const SimOptions& options = {}) {
  auto scene = read_mjcf_text(text, "test.xml", no_files());
  if (!scene) return scene.error();
  return scene_simulation(*scene, "test.xml", "", options);
}

std::string number(double x) {
  return std::to_string(x);
}

/// A cube between two plates on slides, pressed by `force` [N] from both sides; they cannot tilt,
/// and nothing says which of the two faces keeps the cube from it.
std::string grip(double force) {
  const auto plate = [](double x, const char* joint) {
    return "<body pos=\"" + number(x) + " 0 1\"><joint name=\"" + joint +
           "\" type=\"slide\" axis=\"1 0 0\"/><geom type=\"box\" size=\".05 .1 .1\" "
           "mass=\"1\"/></body>";
  };
  return "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/>"
         "<default><geom friction=\"0.3 0.005 0.0001\"/></default><worldbody>" +
         plate(-0.15, "l") + plate(0.15, "r") +
         "<body name=\"cube\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\" "
         "mass=\"0.1\"/></body></worldbody>"
         "<actuator><motor joint=\"l\"/><motor joint=\"r\"/></actuator>"
         "<keyframe><key name=\"init\" ctrl=\"" +
         number(force) + " " + number(-force) + "\"/></keyframe></mujoco>";
}

TEST(SimMechanism, ACubeSlipsBetweenPlatesAsFrictionSays) {
  constexpr double mass = 0.1, mu = 0.3;
  for (const double force : {0.5, 0.75, 1.0, 1.25, 1.5, 1.7}) {
    auto made = simulation_of(grip(force));
    ASSERT_TRUE(made) << made.error().message;
    Simulation sim = *std::move(made);
    const RunSummary summary = run(sim, 0.1);
    EXPECT_LE(summary.max_penetration, 1e-9) << force;
    const double falls = std::max(0.0, g - 2 * mu * force / mass);
    const double speed = -state_of(sim).qvel[4];  // the plates' two before it
    // Where the two faces press is a choice, and a cube that slips may turn with it.
    EXPECT_NEAR(speed, 0.1 * falls, 1e-3) << force;
  }
}

TEST(SimMechanism, AStartThatOverlapsIsSaid) {
  const auto box_at = [](double height) {
    return "<mujoco><worldbody><geom name=\"floor\" type=\"plane\" size=\"5 5 1\"/><body pos=\"0 "
           "0 " +
           number(height) +
           "\"><freejoint/><geom name=\"box\" type=\"box\" size=\".1 .1 .1\"/></body></worldbody>"
           "</mujoco>";
  };
  auto made = simulation_of(box_at(0.09));
  ASSERT_TRUE(made);
  Simulation deep = *std::move(made);
  const RunSummary summary = run(deep, 0.05);
  EXPECT_NEAR(summary.max_penetration, 0.01, 1e-12);
  EXPECT_EQ(summary.max_penetration_time, 0);
  ASSERT_EQ(summary.warnings.size(), 1U);
  EXPECT_EQ(summary.warnings[0],
            "\"box\" and \"floor\" begin 0.01 m inside each other and are moved apart; what that "
            "takes is stabilisation");
  made = simulation_of(box_at(0.1));
  ASSERT_TRUE(made);
  Simulation touching = *std::move(made);
  EXPECT_TRUE(run(touching, 0.05).warnings.empty());
}

TEST(SimMechanism, AStartBeyondAllMeasureIsRefused) {
  const std::string text =
      "<mujoco><worldbody><body><freejoint/><geom type=\"sphere\" size=\".1\"/></body></worldbody>"
      "<keyframe><key name=\"init\" qvel=\"0 0 1e200 0 0 0\"/></keyframe></mujoco>";
  const auto made = simulation_of(text);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("qvel"), std::string::npos);
}

/// A rim that turns while it lands is closed elsewhere than it was lowest.
TEST(SimMechanism, LandingsOfARimAreCounted) {
  for (int k = 0; k < 20; ++k) {
    const double turn = 0.3 * k, tilt = 0.3 + 0.02 * k;
    const double c = std::cos(tilt / 2), s = std::sin(tilt / 2);
    auto made = simulation_of(
        "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><default><geom "
        "friction=\"0.4 0 0\"/></default><worldbody><geom type=\"plane\" size=\"5 5 1\"/><body "
        "pos=\"0 0 .12\" quat=\"" +
        number(c) + " " + number(s * std::cos(turn)) + " " + number(s * std::sin(turn)) +
        " 0\"><freejoint/><geom type=\"cylinder\" size=\".04 .06\" mass=\"1\"/></body></worldbody>"
        "<keyframe><key name=\"init\" qvel=\"0.5 0.2 0 0 0 0\"/></keyframe></mujoco>");
    ASSERT_TRUE(made) << made.error().message;
    Simulation sim = *std::move(made);
    Index fast = 0;
    run(sim, 0.12, [&](const StepReport& r) {
      for (const ImpactEvent& e : r.impacts) fast += e.approach > 0.3;
    });
    EXPECT_GE(fast, 1) << k;
  }
}

/// The edge of a rocking block comes down while the other one bears it: a landing at any length of
/// step, wherever in the step it comes.
TEST(SimMechanism, EveryLandingOfARockingBlockIsCounted) {
  for (const double dt : {1e-3, 3e-4, 1e-4, 7e-5, 5e-5, 3e-5, 2e-5}) {
    Simulation sim = sim_scene("rocking_block", [&](Scene&, SceneSetup& setup) {
      setup.options.dt = dt;
      setup.options.time_of_impact = false;
    });
    Index landings = 0;
    run(sim, 0.57, [&](const StepReport& r) {
      for (const ImpactEvent& e : r.impacts) landings += e.approach > 0.1;
    });
    EXPECT_EQ(landings, 1) << dt;
  }
}

}  // namespace
}  // namespace tact
