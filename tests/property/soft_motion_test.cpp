// soft_motion_test.cpp - compliant motions that must not depend on names, frames and charts, and
// the limits of compliance: an hour of vibration, stiffness without end, rigid in the middle of a
// grasp.
#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/sim/simulate.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/hand_scenes.hpp"
#include "tests/support/shape_zoo.hpp"
#include "tests/support/sim_scenes.hpp"

namespace tact {
namespace {

// ---- names, frames, charts
// ------------------------------------------------------------------------

const Vec3 semi_axes(0.05, 0.035, 0.025);

/// Pads with two different stiffnesses each, their axes askew, and friction that knows directions.
SoftPair askew_pair() {
  SoftPair pair;
  pair.normal = HertzNormal{2e5, 0.1};
  Mat2 one, two, rub;
  one << 5300, 1600, 1600, 2200;
  two << 3000, -400, -400, 6000;
  rub << 0.5, 0.1, 0.1, 0.3;
  pair.tangent =
      PadTangent{SoftPad{one, 0.4, Vec3(1, 0.2, 0)}, SoftPad{two, 0.6, Vec3(0.3, 1, 0.4)}};
  pair.friction.tensor = FrictionTensor{rub, Vec3(0.5, 1, 0), false};
  pair.centre_share = 0.3;
  return pair;
}

/// How the same scene is written down.
struct Writing {
  Mat3 turn = Mat3::Identity();  ///< of the whole world
  bool exchanged = false;
  int chart = 0;  ///< which semi-axis is called the first
};

/// The axes of the geom in those of the body, and the semi-axes then.
Mat3 chart_axes(int chart) {
  Mat3 R = Mat3::Zero();
  for (int i = 0; i < 3; ++i) R((i + chart) % 3, i) = 1;
  return R;
}

struct Motion {
  VecX path;           ///< positions in the unturned world, all samples
  double nearest = 1;  ///< to the umbilic, as a difference of unit normals
};

/// An ellipsoid that rolls over one of its umbilics, where principal axes turn at once.
Motion roll(const Writing& how) {
  Model m = testing::floor_scene(0.5);
  const double a = semi_axes[0], b = semi_axes[1], c = semi_axes[2];
  // The normal at an umbilic: in the plane of the longest and the shortest axis.
  const Vec3 umbilic(a * std::sqrt((a * a - b * b) / (a * a - c * c)), 0,
                     c * std::sqrt((b * b - c * c) / (a * a - c * c)));
  const Vec3 normal = umbilic.cwiseQuotient(semi_axes.cwiseAbs2()).normalized();
  const Mat3 down = Eigen::Quaterniond::FromTwoVectors(normal, Vec3(0, 0, -1)).toRotationMatrix();
  const Mat3 R = exp_so3(Vec3(-0.1, 0, 0)) * down;  // it starts beside the umbilic
  const Vec3 n_B = R.transpose() * Vec3(0, 0, -1);
  const Vec3 lowest = semi_axes.cwiseAbs2().cwiseProduct(n_B) / semi_axes.cwiseProduct(n_B).norm();
  const Vec3 place(0, 0, -(R * lowest)[2] - 4e-4);
  const Mat3 chart = chart_axes(how.chart);
  testing::add_free_body(m, Ellipsoid{chart.transpose() * semi_axes}, 0.2, semi_axes,
                         Pose{how.turn * R, how.turn * place}, 0.5);
  m.geoms[0].X_BG.R = how.turn;
  m.geoms[1].X_BG.R = chart;
  m.gravity = how.turn * m.gravity;
  const Model model = testing::finished(std::move(m));
  SoftPair pair = askew_pair();
  auto& pads = std::get<PadTangent>(pair.tangent);
  pads.two->direction = chart.transpose() * pads.two->direction;  // in the frame of the geom
  auto geoms =
      how.exchanged ? soft_geoms(model, 0, 1, exchanged(pair)) : soft_geoms(model, 1, 0, pair);
  EXPECT_TRUE(geoms) << (geoms ? "" : geoms.error().message);
  SoftScene soft;
  soft.pairs.push_back(*std::move(geoms));
  State start = initial_state(model);
  const Vec3 omega(8, 0, 0);  // in W; rolling over the umbilic
  start.qvel.head<3>() = how.turn * omega.cross(Vec3(0, 0, place[2]));
  start.qvel.segment<3>(3) = R.transpose() * omega;
  Simulation sim = testing::soft_simulation(model, start, 5e-4, soft);
  Motion out;
  StepReport report;
  constexpr int steps = 240;
  out.path.resize(3 * steps);
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(step(sim, report));
    const State now = state_of(sim);
    out.path.segment<3>(3 * k) = how.turn.transpose() * now.qpos.head<3>();
    const Eigen::Quaterniond q(now.qpos[3], now.qpos[4], now.qpos[5], now.qpos[6]);
    const Vec3 facing =
        (q.toRotationMatrix().transpose() * (how.turn * Vec3(0, 0, -1))).normalized();
    out.nearest = std::min(out.nearest, (facing - normal).norm());
  }
  return out;
}

TEST(SoftMotion, IsTheSameForAnyNamesFramesAndCharts) {
  const Motion plain = roll({});

  EXPECT_LT(plain.nearest, 0.01);  // it does pass the umbilic
  EXPECT_GT((plain.path.tail<3>() - plain.path.head<3>()).norm(), 0.005);
  Rng rng(11);
  std::vector<Writing> others{
      {Mat3::Identity(), true, 0}, {Mat3::Identity(), false, 1}, {Mat3::Identity(), true, 2}};
  for (int k = 0; k < 4; ++k) others.push_back({testing::random_rotation(rng), k % 2 == 1, k % 3});
  for (const Writing& how : others)
    EXPECT_LE((roll(how).path - plain.path).cwiseAbs().maxCoeff(), 1e-10)
        << how.exchanged << how.chart;
}

// ---- limits
// ---------------------------------------------------------------------------------------

/// A ball that can slide but not turn, pressed onto the floor by its weight.
Model sliding_ball(double radius, double mass) {
  Model m = testing::floor_scene(0.5);
  testing::add_free_body(m, Sphere{radius}, mass, Vec3::Constant(radius),
                         Pose{Mat3::Identity(), Vec3(0, 0, radius)}, 0.5);
  m.joints.clear();
  for (int axis = 0; axis < 3; ++axis) {
    Joint j;
    j.type = JointType::slide;
    j.body = 1;
    j.axis_B = Vec3::Unit(axis);
    m.joints.push_back(j);
  }
  return testing::finished(std::move(m));
}

// Shaken by less than friction holds: where it is at the end of a cycle does not change, for an
// hour where TACT_MANY is set and else for a minute.
TEST(SoftMotion, AnHourOfVibrationBelowTheThresholdMovesNothing) {
  const Model model = sliding_ball(0.02, 0.1);
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 1};
  pair.friction.coefficient = 0.5;
  pair.damping.tangential_s = 1e-3;
  pair.cells = 1;
  auto geoms = soft_geoms(model, 1, 0, pair);
  ASSERT_TRUE(geoms);
  SoftScene soft;
  soft.pairs.push_back(*std::move(geoms));
  Simulation sim = testing::soft_simulation(model, initial_state(model), 1e-3, soft);
  const double weight = 9.81, turn = 2 * std::acos(-1.0) * 20;  // 20 Hz: 50 steps
  const int seconds = std::getenv("TACT_MANY") != nullptr ? 3600 : 60;
  StepReport report;
  Vec2 first = Vec2::Zero();
  double farthest = 0, swing = 0;
  for (int k = 1; k <= 1000 * seconds; ++k) {
    const double t = (k % 1000) * 1e-3;
    // As the floor sees it: its own acceleration, 60 % of what friction holds.
    sim.scene.model.tree.gravity = sim.scene.model.gravity =
        Vec3(0.3 * weight * std::sin(turn * t), 0.1 * weight * std::cos(turn * t), -weight);
    ASSERT_TRUE(step(sim, report));
    const Vec2 at = sim.state.qpos.head<2>();
    if (k == 2000) first = at;
    if (k > 2000) swing = std::max(swing, (at - first).norm());
    if (k > 2000 && k % 1000 == 0) farthest = std::max(farthest, (at - first).norm());
  }
  EXPECT_GT(swing, 1e-6);
  EXPECT_LT(farthest, 1e-9);
}

/// Where a ball is after 0.3 s on a slope, rolling or sliding; stiffness zero: rigid.
VecX on_slope(double modulus, double mu) {
  constexpr double radius = 0.02, mass = 0.1;
  Model m = testing::floor_scene(mu);
  testing::add_free_body(m, Sphere{radius}, mass, Vec3::Constant(radius),
                         Pose{Mat3::Identity(), Vec3(0, 0, radius)}, mu);
  m.bodies[1].inertia_com_B = 0.4 * mass * radius * radius * Mat3::Identity();
  const Vec3 gravity(9.81 * std::sin(0.4), 0, -9.81 * std::cos(0.4));
  m.gravity = gravity;
  const Model model = testing::finished(std::move(m));
  SoftScene soft;
  State start = initial_state(model);
  if (modulus > 0) {
    SoftPair pair;
    pair.normal = HertzNormal{modulus, 0.5};
    pair.tangent = MindlinTangent{modulus, modulus};
    pair.friction.coefficient = mu;
    // Begins at its static depth: 4/3 E √r d^(3/2) = m g.
    const double force = -mass * gravity[2];
    start.qpos[2] -= std::pow(0.75 * force / (modulus * std::sqrt(radius)), 2.0 / 3);
    auto geoms = soft_geoms(model, 1, 0, pair);
    EXPECT_TRUE(geoms);
    soft.pairs.push_back(*std::move(geoms));
  }
  Simulation sim = testing::soft_simulation(model, start, 1e-3, soft);
  StepReport report;
  for (int k = 0; k < 300; ++k) EXPECT_TRUE(step(sim, report));
  VecX out(9);
  out << sim.state.qpos.head<3>(), sim.state.qvel;
  return out;
}

TEST(SoftMotion, StiffnessWithoutEndIsRigid) {
  for (const double mu : {0.6, 0.05}) {  // rolls; slides and rolls
    const VecX rigid = on_slope(0, mu);
    double before = std::numeric_limits<double>::infinity();
    for (const double modulus : {1e8, 1e11, 1e14}) {
      const double apart = (on_slope(modulus, mu) - rigid).norm() / rigid.norm();
      EXPECT_LT(apart, before / 10) << mu << ' ' << modulus;
      before = apart;
    }
    EXPECT_LT(before, 1e-6) << mu;
  }
}

// Soft, rigid and soft again while the ball is turned: it stays held, and every joule is booked.
TEST(SoftMotion, RigidInTheMiddleOfAGraspKeepsTheBooks) {
  Simulation sim = testing::sim_scene("grasp");
  StepReport report;
  const auto run = [&](int steps) {
    double worst = 0;
    for (int k = 0; k < steps; ++k) {
      EXPECT_TRUE(step(sim, report));
      worst = std::max(worst, std::abs(sim.ledger.closure()));
    }
    return worst;
  };
  const auto all = [&](bool are_soft) {
    for (Index p = 0; p < static_cast<Index>(sim.soft.pairs.size()); ++p)
      set_soft(sim, p, are_soft);
  };
  EXPECT_LT(run(900), 1e-8);
  all(false);
  EXPECT_LT(sim.ledger.of(Account::switched), -1e-4);  // what the tips had stored
  EXPECT_LT(run(300), 1e-8);
  all(true);
  EXPECT_LT(run(800), 1e-8);
  EXPECT_NEAR(sim.state.qpos[9], 0.01, 2e-3);  // lifted, and still between the tips
}

}  // namespace
}  // namespace tact
