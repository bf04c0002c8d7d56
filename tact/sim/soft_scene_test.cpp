// sim/soft_scene_test.cpp - pairs of geoms that may touch softly, and those that may not.
#include "tact/sim/soft_scene.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

Model scene() {
  Model m = testing::floor_scene(0.5);
  testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1), Pose{Mat3::Identity(), Vec3(0, 0, 0.1)}, 0.5);
  testing::add_free_body(m, Sphere{0.02}, 0.1, Vec3::Constant(0.02),
                         Pose{Mat3::Identity(), Vec3(1, 0, 0.02)}, 0.5);
  return testing::finished(std::move(m));
}

TEST(SoftScene, TheFirstBodyOfAPairIsTheSecondGeom) {
  const Model model = scene();
  const auto made = soft_geoms(model, 2, 0, SoftPair{});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(std::holds_alternative<PlaneSurface>(made->model.one.form));
  EXPECT_TRUE(std::holds_alternative<SphereSurface>(made->model.two.form));
}

TEST(SoftScene, FacesAndBadNumbersAreRefusedWithTheirNames) {
  const Model model = scene();
  const auto box = soft_geoms(model, 1, 0, SoftPair{});
  ASSERT_FALSE(box);
  EXPECT_NE(box.error().message.find("b1"), std::string::npos) << box.error().message;
  EXPECT_NE(box.error().message.find("faces"), std::string::npos);
  SoftPair negative;
  negative.normal = HertzNormal{-1, 0};
  EXPECT_FALSE(soft_geoms(model, 2, 0, negative));
  EXPECT_FALSE(soft_geoms(model, 2, 2, SoftPair{}));
}

}  // namespace
}  // namespace tact
