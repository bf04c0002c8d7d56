// io/side_car_soft_test.cpp - compliant pairs and springs of a side-car, and what is refused.
#include "tact/io/side_car_soft.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/io/scene_file.hpp"
#include "tact/soft/material.hpp"

namespace tact {
namespace {

constexpr const char* scene_text = R"(<mujoco><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <body name="anchor" mocap="true"/>
  <body name="b" pos="0 0 1"><freejoint/><geom name="ball" type="sphere" size="0.1"/></body>
  <body name="c" pos="1 0 1"><freejoint/><geom name="crate" type="box" size="0.1 0.1 0.1"/></body>
</worldbody></mujoco>)";

Result<SideCar> read(const std::string& fields) {
  const auto scene = read_mjcf_text(scene_text, "s.xml", no_files());
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
  return read_side_car(R"({"format": "tact-scene/1", )" + fields + "}", "s.tact.json",
                       scene->model);
}

TEST(SideCarSoft, MaterialsMakeAHertzPair) {
  const auto car = read(R"("compliance": [{"geoms": ["ball", "floor"],
      "materials": [{"young_Pa": 1e6, "poisson": 0.4}, "hard"], "friction": 0.7,
      "damping_s_per_m": 0.5, "curvature": "frozen", "cells": 4, "when_lost": "rigid"}])");
  ASSERT_TRUE(car) << car.error().message;
  ASSERT_EQ(car->soft.pairs.size(), 1U);
  const SoftGeoms& pair = car->soft.pairs[0];
  const auto& normal = std::get<HertzNormal>(pair.model.pair.normal);
  EXPECT_NEAR(normal.modulus_Pa, 1e6 / (1 - 0.16), 1e-6);
  EXPECT_EQ(normal.damping_s_per_m, 0.5);
  // The floor is the first body and hard: the contact centre lies on it.
  EXPECT_EQ(pair.model.pair.centre_share, 0);
  EXPECT_EQ(pair.model.pair.friction.coefficient, 0.7);
  EXPECT_EQ(pair.model.pair.curvature, CurvatureUse::frozen);
  EXPECT_EQ(pair.model.cells.count, 4);
  EXPECT_TRUE(pair.rigid_when_lost);
}

TEST(SideCarSoft, StiffnessesAndSprings) {
  const auto car = read(R"("compliance": [{"geoms": ["floor", "ball"], "stiffness_N_per_m": 2000,
      "damping_Ns_per_m": 3, "tangential_stiffness_N_per_m": 500}],
      "springs": [{"between": ["b", {"body": "anchor", "pos": [0, 0, 2]}],
                   "stiffness_N_per_m": 40, "turning_damping_Nms_per_rad": 0.1}])");
  ASSERT_TRUE(car) << car.error().message;
  const auto& normal = std::get<LinearNormal>(car->soft.pairs[0].model.pair.normal);
  EXPECT_EQ(normal.stiffness_N_per_m, 2000);
  EXPECT_EQ(normal.damping_Ns_per_m, 3);
  ASSERT_EQ(car->soft.springs.size(), 1U);
  const SceneSpring& spring = car->soft.springs[0];
  EXPECT_EQ(spring.X_B2B.p, Vec3(0, 0, 2));
  EXPECT_EQ(spring.spring.stiffness_N_per_m, 40);
  EXPECT_EQ(spring.spring.turning_damping_Nms_per_rad, 0.1);
}

// A ring and a bowl have no shape in MJCF; a geom stands in for them.
TEST(SideCarSoft, SurfacesThatNoShapeHas) {
  const auto car = read(R"("compliance": [
      {"geoms": ["ball", "crate"], "stiffness_N_per_m": 2000, "torsion_damping_s": 0.01,
       "surfaces": [null, {"torus": {"ring_m": 0.1, "tube_m": 0.02}}]},
      {"geoms": ["floor", "ball"], "stiffness_N_per_m": 2000,
       "surfaces": [null, {"inside_out": true}]},
      {"geoms": ["floor", "crate"], "stiffness_N_per_m": 2000,
       "surfaces": [null, {"superellipsoid": {"semi_axes_m": [0.1, 0.1, 0.2], "e1": 0.5}}]}])");
  ASSERT_TRUE(car) << car.error().message;
  const auto& pairs = car->soft.pairs;
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].model.pair.damping.torsion_s, 0.01);
  EXPECT_EQ(std::get<TorusSurface>(pairs[0].model.one.form).tube, 0.02);
  EXPECT_EQ(std::get<SphereSurface>(pairs[0].model.two.form).radius, 0.1);
  EXPECT_TRUE(pairs[1].model.one.inside_out);
  EXPECT_EQ(std::get<SphereSurface>(pairs[1].model.one.form).radius, 0.1);
  const auto& super = std::get<SuperellipsoidSurface>(pairs[2].model.one.form);
  EXPECT_EQ(super.semi_axes, Vec3(0.1, 0.1, 0.2));
  EXPECT_EQ(super.e1, 0.5);
  EXPECT_EQ(super.e2, 1);
}

TEST(SideCarSoft, WhatIsWrongIsSaidWithItsPlace) {
  const auto refused = [](const std::string& fields, const std::string& word) {
    const auto car = read(fields);
    ASSERT_FALSE(car) << fields;
    EXPECT_NE(car.error().message.find("s.tact.json"), std::string::npos) << car.error().message;
    EXPECT_NE(car.error().message.find(word), std::string::npos) << car.error().message;
  };
  const std::string pair = R"("compliance": [{"geoms": ["ball", "floor"], )";
  refused(R"("compliance": [{"geoms": ["ball"], "stiffness_N_per_m": 1}])", "two geoms");
  refused(R"("compliance": [{"geoms": ["ball", "sea"], "stiffness_N_per_m": 1}])", "no geom");
  refused(R"("compliance": [{"geoms": ["crate", "floor"], "stiffness_N_per_m": 1}])", "faces");
  refused(pair + R"("stiffness_N_per_m": -1}])", "positive");
  refused(pair + R"("friction": 1}])", "one of them");
  refused(pair + R"("materials": [{"young_Pa": 1e6}, "soft"]}])", "hard");
  refused(pair + R"("materials": [{"young_Pa": 1e6, "poisson": 0.7}, "hard"]}])", "0.7");
  refused(pair + R"("stiffness_N_per_m": 1, "cells": 0}])", "1 to 64");
  const std::string formed = pair + R"("stiffness_N_per_m": 1, "surfaces": )";
  refused(formed + R"([null]}])", "two geoms");
  refused(formed + R"([{"torus": {"ring_m": 0.1}}, null]}])", "tube_m");
  refused(formed + R"([{"torus": {"ring_m": 0.1, "tube_m": 0.2}}, null]}])", "tube");
  refused(formed + R"([{"superellipsoid": {"semi_axes_m": [1, 1, 1], "e1": 2}}, null]}])", "e1");
  refused(formed + R"([{"knot": 1}, null]}])", "knot");
  refused(pair + R"("stiffness_N_per_m": 1, "hue": 2}])", "hue");
  refused(R"("springs": [{"between": ["b", "b"], "stiffness_N_per_m": 1}])", "different");
  refused(R"("springs": [{"between": ["b", "x"], "stiffness_N_per_m": 1}])", "no body");
}

}  // namespace
}  // namespace tact
