#include "tact/sim/sensors.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// Two feet of different load under one beam: a box on two posts that are welded to it.
struct Table {
  Simulation sim;
  std::vector<ContactSample> contacts;
};
Table standing_table(double com_x) {
  Model m = testing::floor_scene(0.8);
  testing::add_box(m, 3, Vec3(0.5, 0.1, 0.02), Pose{Mat3::Identity(), Vec3(0, 0, 0.4)}, 0.8);
  m.bodies[1].com_B = Vec3(com_x, 0, 0);
  for (const double x : {-0.4, 0.4}) {
    Body post;
    post.name = x < 0 ? "left" : "right";
    post.parent = 1;
    post.X_PB.p = Vec3(x, 0, -0.2);
    m.bodies.push_back(post);
    Geom g;
    g.body = static_cast<Index>(m.bodies.size()) - 1;
    g.shape = Box{Vec3(0.05, 0.05, 0.2)};
    m.geoms.push_back(g);
  }
  const Model model = testing::finished(std::move(m));
  Table out{testing::simulation_of(model, initial_state(model), {}), {}};
  StepReport report;
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(step(out.sim, report));
  observe(out.sim, out.contacts);
  return out;
}

TEST(Sensors, TheCentreOfPressureOfBothFeetLiesUnderTheCentreOfMass) {
  for (const double x : {0.0, 0.1, -0.25}) {
    const Table table = standing_table(x);
    std::vector<Index> bodies;
    for (Index b = 1; b < static_cast<Index>(table.sim.scene.model.bodies.size()); ++b)
      bodies.push_back(b);
    const NetContact net = net_contact(table.sim.scene.model, table.contacts, bodies);
    EXPECT_NEAR(net.normal_force, 3 * 9.81, 1e-8);
    EXPECT_NEAR(net.wrench_W.f[2], 3 * 9.81, 1e-8);
    ASSERT_TRUE(net.cop_W);
    EXPECT_LT((*net.cop_W - Vec3(x, 0, 0)).norm(), 1e-8);
  }
}

TEST(Sensors, PressureTimesAreaIsTheForce) {
  const Model model = testing::tower_scene(1, 2);
  Simulation sim = testing::simulation_of(model, initial_state(model), {});
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  std::vector<ContactSample> contacts;
  observe(sim, contacts);
  const auto map = pressure_map(contacts.at(0));
  ASSERT_TRUE(map);
  EXPECT_NEAR(map->area, 0.04, 1e-12);
  EXPECT_NEAR(map->pressure * map->area, 2 * 9.81, 1e-9);
}

TEST(Sensors, ABoxAtRestFeelsItsWeightAndNothingElse) {
  Model m = testing::floor_scene(0.5);
  testing::add_box(m, 2, Vec3(0.1, 0.1, 0.1), Pose{Mat3::Identity(), Vec3(0, 0, 0.1)}, 0.5);
  Site site;
  site.body = 1;
  site.X_BS.p = Vec3(0.02, 0, 0.05);
  m.sites.push_back(site);
  const Model model = testing::finished(std::move(m));
  Simulation sim = testing::simulation_of(model, initial_state(model), {});
  StepReport report;
  ASSERT_TRUE(step(sim, report));
  std::vector<ContactSample> contacts;
  observe(sim, contacts);
  const auto read = [&](const char* type) {
    std::vector<double> out;
    read_sensor(sim, contacts, Sensor{"s", type, "site", 0}, out);
    EXPECT_TRUE(sensor_is_modelled(type));
    return out;
  };
  EXPECT_NEAR(read("touch").at(0), 2 * 9.81, 1e-9);
  EXPECT_NEAR(read("accelerometer").at(2), 9.81, 1e-9);
  EXPECT_NEAR(read("framepos").at(2), 0.15, 1e-12);
  EXPECT_NEAR(read("gyro").at(0), 0, 1e-12);
  EXPECT_EQ(read("clock").at(0), sim.state.time);
  EXPECT_FALSE(sensor_is_modelled("rangefinder"));
}

TEST(Sensors, ATurningBodyFeelsItsCentripetalAcceleration) {
  Model m;
  m.bodies.resize(1);
  m.gravity.setZero();
  testing::add_box(m, 1, Vec3(0.2, 0.2, 0.1), Pose{}, 1);
  Site site;
  site.body = 1;
  site.X_BS.p = Vec3(0.3, 0, 0);
  m.sites.push_back(site);
  const Model model = testing::finished(std::move(m));
  State start = initial_state(model);
  start.qvel[5] = 4;
  SimOptions options;
  options.dt = 1e-3;
  Simulation sim = testing::simulation_of(model, start, options);
  StepReport report;
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(step(sim, report));
  std::vector<double> out;
  read_sensor(sim, {}, Sensor{"a", "accelerometer", "site", 0}, out);
  ASSERT_EQ(out.size(), 3U);
  EXPECT_NEAR(out[0], -0.3 * 16, 1e-9);
  EXPECT_NEAR(out[1], 0, 1e-9);
  read_sensor(sim, {}, Sensor{"v", "velocimeter", "site", 0}, out);
  EXPECT_NEAR(out[1], 1.2, 1e-12);
}

}  // namespace
}  // namespace tact
