// What a scene and its side-car say of a run, and what they may not say.
#include "tact/io/scene_simulation.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/scene_traits.hpp"

namespace tact {
namespace {

FileReader memory(const std::map<std::string, std::string>& files) {
  return {[=](const std::string& path) { return files.contains(path); },
          [=](const std::string& path) -> Result<std::string> { return files.at(path); }};
}

/// A ball over a belt, a mocap plate after a body that is none, and two motors.
constexpr std::string_view inside = R"(
  <worldbody>
    <geom name="belt" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 2"><joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1"/><geom name="ball" size="0.5"/></body>
    <body name="still" mocap="true" pos="5 0 0"><geom size="0.1"/></body>
    <body name="plate" mocap="true" pos="0 0 9"><geom name="plate" size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="x"/><motor joint="z"/></actuator>)";

Result<Scene> read(const std::string& car, const std::string& custom = "") {
  const std::string text = "<mujoco>" + custom + std::string(inside) + "</mujoco>";
  if (car.empty()) return read_mjcf_text(text, "s.xml", no_files());
  return read_mjcf_text(text, "s.xml",
                        memory({{"s.tact.json", R"({"format": "tact-scene/1", )" + car + "}"}}));
}

/// What is said about a side-car, or "none".
std::string complaint(const std::string& car) {
  const auto scene = read(car);
  return scene ? "none" : scene.error().message;
}

TEST(SceneSimulation, AnEllipsoidWithoutARadiusTakesThatOfThePatch) {
  const auto radius = [](const std::string& more) {
    const auto scene = read(R"("patch_friction": {"pressure": "ellipsoid")" + more + "}");
    EXPECT_TRUE(scene) << scene.error().message;
    return std::get<EllipsoidAtCop>(common_choice(*scene).pressure).radius;
  };
  EXPECT_FALSE(radius(""));
  EXPECT_EQ(radius(R"(, "radius": 0.25)"), 0.25);
}

TEST(SceneSimulation, DrivesBeltsAndControlsComeFromTheSideCar) {
  const auto scene = read(R"("drives": [{"body": "plate", "times": [0, 2],
      "motion": [[0, 0, 0, 0, 0, 0], [1, 0, -2, 0, 0, 3]]}],
      "geoms": [{"geom": "belt", "surface_velocity": [1, 0, 0],
                 "surface_angular_velocity": [0, 0, 2]}],
      "controls": {"times": [0, 1], "values": [[0, 0], [4, 8]]}, "time_of_impact": true)");
  ASSERT_TRUE(scene) << scene.error().message;
  const auto setup = scene_setup(*scene, "s.xml", "", SimOptions{});
  ASSERT_TRUE(setup) << setup.error().message;
  ASSERT_EQ(setup->prescribed.drives.size(), 1U);
  EXPECT_EQ(setup->prescribed.drives[0].driven, 1);
  VecX half(6);
  value_at(setup->prescribed.drives[0].motion, 1, half);
  VecX expected(6);
  expected << 0.5, 0, -1, 0, 0, 1.5;
  EXPECT_EQ(half, expected);
  ASSERT_EQ(setup->prescribed.surfaces.size(), 1U);
  EXPECT_EQ(setup->prescribed.surfaces[0].geom, 0);
  EXPECT_EQ(setup->prescribed.surfaces[0].velocity_G, Vec3(1, 0, 0));
  EXPECT_EQ(setup->prescribed.surfaces[0].angular_velocity_G, Vec3(0, 0, 2));
  VecX control(2);
  value_at(setup->prescribed.controls, 0.5, control);
  EXPECT_EQ(control, VecX(Vec2(2, 4)));
  EXPECT_TRUE(setup->options.time_of_impact);
}

TEST(SceneSimulation, TheSideCarsWordGoesBeforeThatOfCustom) {
  const std::string custom =
      R"(<custom><numeric name="tact_restitution" data="0.5"/><text name="tact_law" data="poisson"/></custom>)";
  const auto plain = scene_setup(*read("", custom), "s.xml", "", SimOptions{});
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(name(plain->options.law), "poisson");
  EXPECT_EQ(plain->choices.common.restitution, 0.5);
  const auto car = scene_setup(*read(R"("law": "moreau", "restitution": 0.25)", custom), "s.xml",
                               "", SimOptions{});
  ASSERT_TRUE(car) << car.error().message;
  EXPECT_EQ(car->options.law, ImpactLaw(Moreau{0.25}));
}

TEST(SceneSimulation, GeomsAndPairsHaveTheirOwnRestitution) {
  const auto scene = read(R"("restitution": 0.1, "geoms": [{"geom": "belt", "restitution": 0.2}],
      "pairs": [{"geoms": ["ball", "belt"], "restitution": 0.3}])");
  const auto setup = scene_setup(*scene, "s.xml", "", SimOptions{});
  ASSERT_TRUE(setup) << setup.error().message;
  SurfaceChoices choices = setup->choices;
  std::sort(choices.pairs.begin(), choices.pairs.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (Index a = 0; a < 4; ++a)
    for (Index b = 0; b < 4; ++b) {
      if (a == b) continue;
      EXPECT_EQ(choices.of(a, b).restitution, choice_of(*scene, a, b).restitution) << a << b;
    }
  EXPECT_EQ(choices.of(0, 1).restitution, 0.3);
  EXPECT_EQ(choices.of(3, 0).restitution, 0.2);
  EXPECT_EQ(choices.of(1, 3).restitution, 0.1);
}

TEST(SceneSimulation, OneLawForARun) {
  const auto refused = [](const std::string& car) {
    const auto scene = read(car);
    EXPECT_TRUE(scene) << scene.error().message;
    const auto setup = scene_setup(*scene, "s.xml", "", SimOptions{});
    return setup ? std::string("none") : setup.error().message;
  };
  EXPECT_NE(refused(R"("law": "newton", "geoms": [{"geom": "belt", "law": "poisson"}])")
                .find("a run has one law"),
            std::string::npos);
  EXPECT_NE(
      refused(R"("law": "moreau", "geoms": [{"geom": "belt", "restitution": 0.5}])").find("newton"),
      std::string::npos);
  const auto unknown =
      scene_setup(*read("", R"(<custom><text name="tact_law" data="magic"/></custom>)"), "s.xml",
                  "", SimOptions{});
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().message.starts_with("s.xml: the impact law: "));
}

/// As for a single impact: the wish, else what the scene says, else 1.
TEST(SceneSimulation, ReflectionsTakeTheRestitutionAsTheirBlend) {
  const auto blend = [](const std::string& car, const SetupWishes& wishes) {
    const auto setup = scene_setup(*read(car), "s.xml", "", SimOptions{}, wishes);
    EXPECT_TRUE(setup) << setup.error().message;
    return std::get<GeneralizedReflections>(setup->options.law).blend;
  };
  const std::string law = R"("law": "generalized_reflections")";
  EXPECT_EQ(blend(law, {}), 1);
  EXPECT_EQ(blend(law + R"(, "restitution": 0.25)", {}), 0.25);
  EXPECT_EQ(blend(law + R"(, "restitution": 0.25)", {"", 0.5}), 0.5);
  EXPECT_EQ(blend(law + R"(, "restitution": 0.25)", {"", 0.0}), 0);
  EXPECT_EQ(blend(R"("restitution": 0.25)", {"generalized_reflections", std::nullopt}), 0.25);
  const auto two = read(law + R"(, "geoms": [{"geom": "belt", "restitution": 0.5}])");
  const auto refused = scene_setup(*two, "s.xml", "", SimOptions{});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("generalized_reflections has one restitution"),
            std::string::npos);
}

TEST(SceneSimulation, ASimulationIsMadeOrRefusedWithTheFilesName) {
  const auto scene = read("");
  EXPECT_TRUE(scene_simulation(*scene, "s.xml", "", SimOptions{}));
  EXPECT_FALSE(scene_simulation(*scene, "s.xml", "chair", SimOptions{}));
  SimOptions backwards;
  backwards.dt = -1;
  const auto refused = scene_simulation(*scene, "s.xml", "", backwards);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("s.xml: ")) << refused.error().message;
}

TEST(SceneSimulation, BadFieldsAreRefusedWithPathAndRemedy) {
  const std::string motion = R"("times": [0], "motion": [[0, 0, 0, 0, 0, 0]]})";
  const struct {
    std::string car, place, remedy;
  } cases[] = {
      {R"("drives": [{"body": "chair", )" + motion + "]", "drives[0].body", "no body"},
      {R"("drives": [{"body": "ball", )" + motion + "]", "drives[0].body", "mocap"},
      {R"("drives": [{)" + motion + "]", "drives[0].body", "mocap body"},
      {R"("drives": [{"body": "plate", )" + motion + R"(, {"body": "plate", )" + motion + "]",
       "drives[1]", "already"},
      {R"("drives": [{"body": "plate", "times": [1, 0], "motion": []}])", "drives[0].times",
       "ascending"},
      {R"("drives": [{"body": "plate", "times": [], "motion": []}])", "drives[0].times",
       "at least one"},
      {R"("drives": [{"body": "plate", "times": [0, 1], "motion": [[0, 0, 0, 0, 0, 0]]}])",
       "drives[0].motion", "one row per time, here 2"},
      {R"("drives": [{"body": "plate", "times": [0], "motion": [[0, 0, 0]]}])",
       "drives[0].motion[0]", "wx, wy, wz"},
      {R"("drives": [{"body": "plate", "speed": 1, )" + motion + "]", "drives[0]", "speed"},
      {R"("controls": {"times": [0], "values": [[1]]})", "controls.values[0]", "here 2"},
      {R"("controls": {"times": [0]})", "controls.values", "one row per time"},
      {R"("geoms": [{"geom": "belt", "surface_velocity": [1, 0]}])", "surface_velocity",
       "[x, y, z]"},
      {R"("time_of_impact": 1)", "time_of_impact", ""},
  };
  for (const auto& c : cases) {
    const std::string said = complaint(c.car);
    EXPECT_TRUE(said.starts_with("s.tact.json")) << said;
    EXPECT_NE(said.find(c.place), std::string::npos) << c.place << " | " << said;
    EXPECT_NE(said.find(c.remedy), std::string::npos) << c.remedy << " | " << said;
  }
}

TEST(SceneSimulation, WishesGoBeforeTheScene) {
  const auto scene = read(R"("law": "poisson", "restitution": 0.2,
      "geoms": [{"geom": "ball", "restitution": 0.7}])");
  ASSERT_TRUE(scene) << scene.error().message;
  const auto asked = [&](const SetupWishes& wishes) {
    return scene_setup(*scene, "s.xml", "", SimOptions{}, wishes);
  };
  const auto both = asked({"moreau", 0.5});
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(std::get<Moreau>(both->options.law).e, 0.5);
  EXPECT_EQ(both->choices.of(0, 1).restitution, 0.5);
  // Moreau's law has one restitution, the scene two.
  EXPECT_FALSE(asked({"moreau", std::nullopt}));
  EXPECT_EQ(name(asked({})->options.law), "poisson");
}

}  // namespace
}  // namespace tact
