#include "tact/io/scene_moment.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/io/number_text.hpp"

namespace tact {
namespace {

constexpr const char* box = R"(<mujoco model="box">
  <option timestep="0.001"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="box" pos="0 0 0.5">
      <joint name="lift" type="slide" axis="0 0 1" limited="true" range="-1 0.5"/>
      <geom name="box" type="box" size="0.1 0.2 0.3" mass="2" friction="0.4 0 0"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="up" joint="lift" ctrllimited="true" ctrlrange="-3 5"/>
    <position name="spring" joint="lift" kp="10"/>
  </actuator>
  <keyframe>
    <key name="down" qpos="-0.2"/>
    <key name="top" qpos="0.5" ctrl="2 0"/>
  </keyframe>
  <custom><numeric name="tact_restitution" data="0.5"/></custom>
</mujoco>)";

Scene scene() {
  auto out = read_mjcf_text(box, "box.xml", no_files());
  EXPECT_TRUE(out) << out.error().message;
  return *std::move(out);
}

TEST(SceneMoment, KeyframesByNameNumberOrNone) {
  const Scene s = scene();
  EXPECT_EQ((*scene_state(s, "box.xml", "down")).qpos[0], -0.2);
  EXPECT_EQ((*scene_state(s, "box.xml", "1")).qpos[0], 0.5);
  EXPECT_EQ((*scene_state(s, "box.xml", "none")).qpos[0], 0);
  EXPECT_EQ((*scene_state(s, "box.xml", "")).qpos[0], 0) << "there is no init";
  const auto none = scene_state(s, "box.xml", "up");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "box.xml: there is no keyframe \"up\"; the scene has down, top");
}

TEST(SceneMoment, WhatTouchesIsThere) {
  const Scene s = scene();
  MomentOptions options;
  options.use = MomentUse::modes;
  EXPECT_EQ(moment_of(s, *scene_state(s, "", "none"), options)->contacts.contacts.size(), 0U);
  const auto down = moment_of(s, *scene_state(s, "", "down"), options);
  ASSERT_TRUE(down) << down.error().message;
  ASSERT_EQ(down->made.problem.contacts.size(), 1U);
  EXPECT_EQ(down->made.problem.contacts[0].name, "box on floor");
  EXPECT_EQ(down->made.problem.contacts[0].restitution, 0.5);
  EXPECT_EQ(friction_of(down->made.problem.contacts[0].law), 1) << "the larger of the two";
  EXPECT_EQ(down->made.problem.rows.rows(), 6);
}

TEST(SceneMoment, AJointAtItsLimitIsAContact) {
  const Scene s = scene();
  const auto top = moment_of(s, *scene_state(s, "", "top"), {});
  ASSERT_TRUE(top) << top.error().message;
  ASSERT_EQ(top->made.problem.contacts.size(), 1U);
  EXPECT_EQ(top->made.problem.contacts[0].name, "upper limit of joint \"lift\"");
  EXPECT_EQ(MatX(top->made.problem.rows)(0, 0), -1);
  // Weight, the motor's 2 N, and the spring's 10 (0 - 0.5) N.
  EXPECT_NEAR(top->made.problem.impulse[0], 0.001 * (-2 * 9.81 + 2 - 5), tolerance::rounding);
}

TEST(SceneMoment, ActuatorsHaveTheForcesThatTheirControlsAllow) {
  const Scene s = scene();
  const auto made = moment_of(s, *scene_state(s, "", "top"), {});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->made.actuator_lower[0], -3);
  EXPECT_EQ(made->made.actuator_upper[0], 5);
  EXPECT_EQ(made->made.actuator_upper[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(MatX(made->made.actuation), MatX(MatX::Ones(1, 2)));
}

TEST(SceneMoment, TheForceRangeOfAJointBoundsItsActuator) {
  const auto bounds = [](std::string_view actuators) {
    const std::string text = concat(
        {"<mujoco><worldbody><body><joint name='j' type='slide' actuatorfrcrange='-4 6'/>",
         "<geom size='1'/></body></worldbody><actuator>", actuators, "</actuator></mujoco>"});
    const auto read = read_mjcf_text(text, "range.xml", no_files());
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    auto made = moment_of(*read, *scene_state(*read, "", ""), {});
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made->made;
  };
  const SceneProblem wide = bounds("<motor joint='j'/>");
  EXPECT_EQ(wide.actuator_lower[0], -4);
  EXPECT_EQ(wide.actuator_upper[0], 6);
  // Twice the force at the joint, the other way.
  const SceneProblem geared = bounds("<motor joint='j' gear='-2'/>");
  EXPECT_EQ(geared.actuator_lower[0], -3);
  EXPECT_EQ(geared.actuator_upper[0], 2);
  const SceneProblem narrow = bounds("<motor joint='j' ctrlrange='-1 9'/>");
  EXPECT_EQ(narrow.actuator_lower[0], -1);
  EXPECT_EQ(narrow.actuator_upper[0], 6);
  EXPECT_TRUE(narrow.notes.empty());
  const SceneProblem shared = bounds("<motor joint='j'/><motor joint='j'/>");
  EXPECT_EQ(shared.actuator_upper[1], std::numeric_limits<double>::infinity());
  ASSERT_EQ(shared.notes.size(), 1U);
  EXPECT_EQ(
      shared.notes[0],
      "the force range of joint \"j\" holds for its actuators together and bounds none of them");
}

TEST(SceneMoment, ASummaryCounts) {
  EXPECT_EQ(scene_summary(scene()),
            "box: 1 body, 1 joint, 1 dof, 2 geoms, 2 kg, 2 actuators, 2 keyframes");
}

TEST(SceneMoment, NamesOfScenes) {
  EXPECT_TRUE(is_scene_name("a/robot.xml"));
  EXPECT_TRUE(is_scene_name("robot.URDF"));
  EXPECT_FALSE(is_scene_name("problem.json"));
  EXPECT_FALSE(is_scene_name("-"));
  EXPECT_EQ(scene_format("robot.urdf"), "URDF");
}

}  // namespace
}  // namespace tact
