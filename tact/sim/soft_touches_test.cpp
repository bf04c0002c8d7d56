// sim/soft_touches_test.cpp - which pairs are followed: none that is fast is missed, many are
// found through their boxes, and what is not convex touches in several places.
#include "tact/sim/soft_touches.hpp"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tact/sim/simulate.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

SoftPair hard_pair(double modulus_Pa, double friction = 0) {
  SoftPair pair;
  pair.normal = HertzNormal{modulus_Pa, 0};
  pair.friction.coefficient = friction;
  return pair;
}

void add_soft(const Model& model, Index geom1, Index geom2, const SoftPair& pair, SoftScene& out,
              const GeomSurfaces& given = {}) {
  auto made = soft_geoms(model, geom1, geom2, pair, given);
  ASSERT_TRUE(made) << made.error().message;
  out.pairs.push_back(*std::move(made));
}

Model world_with(const Shape& shape) {
  Model m = testing::floor_scene(0);
  m.geoms[0].shape = shape;
  m.geoms[0].name = "world";
  m.gravity.setZero();
  return m;
}

// A step takes the ball sixty times its size: it must meet what stands in its way.
TEST(SoftTouches, AFastBallDoesNotPassThroughAThinPlate) {
  const Shape plates[] = {Ellipsoid{Vec3(0.5, 0.5, 0.002)}, Sphere{0.002}, Capsule{0.002, 0.3}};
  for (const Shape& plate : plates)
    for (const double speed : {3.0, 30.0, 300.0})
      for (const double height : {0.05, 0.1234, 0.31}) {
        SCOPED_TRACE(std::to_string(speed) + " m/s from " + std::to_string(height) + " m");
        Model m = world_with(plate);
        testing::add_free_body(m, Sphere{0.005}, 0.001, Vec3::Constant(0.005),
                               Pose{Mat3::Identity(), Vec3(height, 0.0003, 0)}, 0);
        m.geoms[0].X_BG.R << 0, 0, 1, 1, 0, 0, 0, 1, 0;  // its thin side towards x
        if (std::holds_alternative<Capsule>(plate)) m.geoms[0].X_BG.R = Mat3::Identity();
        const Model model = testing::finished(std::move(m));
        SoftScene soft;
        add_soft(model, 1, 0, hard_pair(1e11), soft);
        State start = initial_state(model);
        start.qvel[0] = -speed;
        Simulation sim = testing::soft_simulation(model, start, 1e-3, soft);
        StepReport report;
        while (sim.state.time < 2 * height / speed + 2e-3) ASSERT_TRUE(step(sim, report));
        EXPECT_GT(sim.state.qvel[0], 0.5 * speed) << "it bounced";
        EXPECT_NEAR(sim.state.qvel.head<3>().norm(), speed, 1e-6 * speed);
        // The rounding of force times size, at forces of 1e5 N.
        EXPECT_LT(std::abs(sim.ledger.closure()), 1e-9 * sim.ledger.moved);
      }
}

// A driven wall comes to a ball that rests.
TEST(SoftTouches, AFastWallMeetsABallAtRest) {
  Model m = world_with(HalfSpace{});
  testing::add_free_body(m, Sphere{0.005}, 0.001, Vec3::Constant(0.005),
                         Pose{Mat3::Identity(), Vec3(0, 0, 0.4)}, 0);
  Body wall;
  wall.name = "wall";
  wall.driven = true;
  m.bodies.push_back(wall);
  m.geoms[0].body = 2;
  const Model model = testing::finished(std::move(m));
  SoftScene soft;
  add_soft(model, 1, 0, hard_pair(1e11), soft);
  Prescribed prescribed;
  Drive drive;
  drive.driven = 0;
  drive.motion.time = {0};
  drive.motion.value = {VecX::Unit(6, 2) * 150};
  prescribed.drives.push_back(drive);
  SimOptions options;
  options.dt = 1e-3;
  auto made = make_simulation(model, initial_state(model), options, prescribed, {}, soft);
  ASSERT_TRUE(made) << made.error().message;
  Simulation sim = *std::move(made);
  StepReport report;
  while (sim.state.time < 6e-3) ASSERT_TRUE(step(sim, report));
  EXPECT_NEAR(sim.state.qvel[2], 300, 1e-6);  // twice the wall, without loss
}

/// n x n balls on a grid over a floor, all pairs of neighbours and of ball and floor soft.
Simulation crowd(int n) {
  Model m = testing::floor_scene(0);
  constexpr double radius = 0.01, apart = 0.03;
  for (int i = 0; i < n * n; ++i)
    testing::add_free_body(m, Sphere{radius}, 0.01, Vec3::Constant(radius),
                           Pose{Mat3::Identity(), Vec3(apart * (i % n), apart * (i / n), 0.02)}, 0);
  const Model model = testing::finished(std::move(m));
  SoftScene soft;
  for (Index i = 1; i <= n * n; ++i) {
    add_soft(model, i, 0, hard_pair(1e6), soft);
    for (Index j = 1; j < i; ++j) add_soft(model, i, j, hard_pair(1e6), soft);
  }
  State start = initial_state(model);
  for (Index i = 0; i < n * n; ++i)  // towards each other
    start.qvel.segment<2>(6 * i) =
        Vec2(std::sin(1.7 * static_cast<double>(i)), std::cos(2.3 * static_cast<double>(i)));
  return testing::soft_simulation(model, start, 5e-4, soft);
}

// What is found through boxes is what a look at every pair finds.
TEST(SoftTouches, TheBroadPhaseFindsWhatIsNear) {
  Simulation sim = crowd(5);
  StepReport report;
  Index met = 0;
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(step(sim, report));
    for (std::size_t p = 0; p < sim.soft.pairs.size(); ++p) {
      const SoftGeoms& pair = sim.soft.pairs[p];
      const Pose X_12 = relative_pose(sim.scene.model, sim.work->soft.kin, pair);
      const double gap = std::holds_alternative<PlaneSurface>(pair.model.one.form)
                             ? X_12.p[2] - 0.01
                             : X_12.p.norm() - 0.02;
      if (gap > 0.002) continue;
      const auto& touches = sim.soft_memory.touches;
      const bool followed = std::any_of(touches.begin(), touches.end(), [&](const SoftTouch& t) {
        return t.pair == static_cast<Index>(p);
      });
      EXPECT_TRUE(followed) << p;
      met += gap < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(met, 100);
  EXPECT_LT(sim.work->soft.near.size(), sim.soft.pairs.size() / 2);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-11 * sim.ledger.moved);
}

Shape field_of(double (*height)(double x, double y)) {
  HeightGrid grid;
  grid.rows = grid.columns = 41;
  grid.half_size = Vec2(0.4, 0.4);
  grid.base = 0.1;
  for (Index i = 0; i < grid.rows; ++i)
    for (Index j = 0; j < grid.columns; ++j)
      grid.heights.push_back(
          height(-0.4 + 0.02 * static_cast<double>(j), -0.4 + 0.02 * static_cast<double>(i)));
  return HeightField{std::make_shared<const HeightGrid>(std::move(grid))};
}

Simulation on_field(const Shape& field, const Shape& body, const Vec3& at, const SoftPair& pair) {
  Model m = world_with(field);
  m.gravity = Vec3(0, 0, -9.81);
  testing::add_free_body(m, body, 0.1, Vec3::Constant(0.02), Pose{Mat3::Identity(), at}, 0);
  const Model model = testing::finished(std::move(m));
  SoftScene soft;
  add_soft(model, 1, 0, pair, soft);
  return testing::soft_simulation(model, initial_state(model), 5e-4, soft);
}

// A ball swings in a bowl of a height field: what it has in height it has in speed.
TEST(SoftTouches, ABallRollsInAHeightField) {
  const Shape bowl = field_of([](double x, double y) { return 0.6 * (x * x + y * y); });
  Simulation sim = on_field(bowl, Sphere{0.02}, Vec3(0.15, 0, 0.0372), hard_pair(1e7));
  StepReport report;
  double lowest = 1, farthest = 0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_TRUE(step(sim, report)) << sim.state.time;
    lowest = std::min(lowest, sim.state.qpos[2]);
    farthest = std::min(farthest, sim.state.qpos[0]);
  }
  EXPECT_GT(lowest, 0.0195);
  EXPECT_LT(lowest, 0.0201);
  EXPECT_NEAR(farthest, -0.15, 0.004);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-10 * sim.ledger.moved);
}

// In a gutter it lies on two points, the second of which is found on the way down.
TEST(SoftTouches, ABallLiesOnBothSidesOfAGutter) {
  const Shape gutter =
      field_of([](double x, double /*y*/) { return 0.05 * (1 - std::cos(31.4 * x)); });
  SoftPair pair = hard_pair(1e6);
  std::get<HertzNormal>(pair.normal).damping_s_per_m = 3;
  Simulation sim = on_field(gutter, Sphere{0.06}, Vec3(0.01, 0, 0.09), pair);
  const RunSummary run = simulate(sim, {.duration = 2, .label_every = 0});
  ASSERT_EQ(run.status, RunStatus::finished) << run.why;
  Index touching = 0;
  double up = 0;
  for (const SoftTouch& t : sim.soft_memory.touches) {
    if (!t.state.touches) continue;
    ++touching;
    up += t.state.facing.one.n[0];
  }
  EXPECT_EQ(touching, 2);
  EXPECT_NEAR(up, 0, 1e-3);  // one on each side
  EXPECT_NEAR(sim.state.qpos[0], 0, 1e-4);
}

// A bar lies across a ring: two places of one pair.
TEST(SoftTouches, ABarLiesAcrossARing) {
  Model m = world_with(Sphere{0.1});
  m.gravity = Vec3(0, 0, -9.81);
  testing::add_free_body(m, Ellipsoid{Vec3(0.3, 0.02, 0.02)}, 0.1, Vec3(0.2, 0.02, 0.02),
                         Pose{Mat3::Identity(), Vec3(0, 0, 0.0405)}, 0);
  const Model model = testing::finished(std::move(m));
  SoftPair pair = hard_pair(1e6, 0.5);
  std::get<HertzNormal>(pair.normal).damping_s_per_m = 3;
  SoftScene soft;
  add_soft(model, 1, 0, pair, soft, {std::nullopt, Surface{TorusSurface{0.1, 0.02}}});
  Simulation sim = testing::soft_simulation(model, initial_state(model), 5e-4, soft);
  const RunSummary run = simulate(sim, {.duration = 1, .label_every = 0});
  ASSERT_EQ(run.status, RunStatus::finished) << run.why;
  const auto touching =
      std::count_if(sim.soft_memory.touches.begin(), sim.soft_memory.touches.end(),
                    [](const SoftTouch& t) { return t.state.touches; });
  EXPECT_EQ(touching, 2);
  EXPECT_GT(sim.state.qpos[2], 0.035);
  EXPECT_LT(std::abs(sim.ledger.closure()), 1e-10 * sim.ledger.moved);
}

// A sphere inside out is a bowl.
TEST(SoftTouches, ABallSwingsInABowl) {
  Model m = world_with(Sphere{0.1});
  m.gravity = Vec3(0, 0, -9.81);
  testing::add_free_body(m, Sphere{0.02}, 0.1, Vec3::Constant(0.02),
                         Pose{Mat3::Identity(), Vec3(0.04, 0, -0.069)}, 0);
  const Model model = testing::finished(std::move(m));
  SoftScene soft;
  add_soft(model, 1, 0, hard_pair(1e7), soft, {std::nullopt, Surface{SphereSurface{0.1}, true}});
  Simulation sim = testing::soft_simulation(model, initial_state(model), 5e-4, soft);
  StepReport report;
  double farthest = 0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_TRUE(step(sim, report)) << sim.state.time;
    EXPECT_LT(sim.state.qpos.head<3>().norm(), 0.081);
    farthest = std::min(farthest, sim.state.qpos[0]);
  }
  EXPECT_NEAR(farthest, -0.04, 0.001);
}

TEST(SoftTouches, ASurfaceThatIsNoneIsRefusedWithNames) {
  Model m = world_with(Sphere{0.1});
  testing::add_free_body(m, Sphere{0.02}, 0.1, Vec3::Constant(0.02), Pose{}, 0);
  const Model model = testing::finished(std::move(m));
  const auto made =
      soft_geoms(model, 1, 0, hard_pair(1e7), {std::nullopt, Surface{TorusSurface{0.1, -0.02}}});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("world"), std::string::npos) << made.error().message;
}

}  // namespace
}  // namespace tact
