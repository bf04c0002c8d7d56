// Structures whose bodies hold each other: more constraints than motions, impulses that are not
// unique. They rest, in every position in the world and at every size, and symmetric ones carry
// symmetric forces.
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/sim/observe.hpp"
#include "tact/sim/simulation.hpp"
#include "tests/support/hand_scenes.hpp"
#include "tests/support/mjcf_text.hpp"

namespace tact {
namespace {

/// Where a structure stands and how large it is.
struct Place {
  Pose X_W;  ///< turned about the vertical, shifted
  double size = 1;
};
const Place places[] = {
    {},
    {{Eigen::AngleAxisd(0.7, Vec3::UnitZ()).matrix(), Vec3(3, -2, 0)}, 1},
    {{Eigen::AngleAxisd(-2.1, Vec3::UnitZ()).matrix(), Vec3::Zero()}, 0.05},
    {{Mat3::Identity(), Vec3(0.1, 0.2, 0)}, 20},
};

void add_cube(Model& m, const Place& place, const Vec3& at, double half) {
  const double h = half * place.size;
  const Vec3 p = place.X_W.R * Vec3(place.size * at) + place.X_W.p;
  testing::add_box(m, 1000 * 8 * h * h * h, Vec3(h, h, h), {place.X_W.R, p}, 0.6);
}

/// Rows of cubes, each row one less, half a cube to the side.
Model pyramid(int rows, const Place& place, double spacing = 0.2) {
  Model m = testing::floor_scene(0.6);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < rows - r; ++k)
      add_cube(m, place, Vec3(spacing * (k + 0.5 * (r - rows + 1)), 0, 0.1 + 0.2 * r), 0.1);
  return testing::finished(std::move(m));
}

/// side x side x layers cubes that touch.
Model block(int side, int layers, const Place& place) {
  Model m = testing::floor_scene(0.6);
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) add_cube(m, place, Vec3(0.2 * x, 0.2 * y, 0.1 + 0.2 * z), 0.1);
  return testing::finished(std::move(m));
}

/// Nothing moves, and every step says that it is solved. Energies are those of weights: size⁴.
void expect_rest(const Model& model, double size, int steps) {
  SimOptions options;
  options.dt = 2e-3;
  Simulation sim = testing::simulation_of(model, initial_state(model), options);
  const VecX start = sim.state.qpos;
  StepReport report;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(step(sim, report));
    ASSERT_EQ(report.solve.status, SolveStatus::converged) << k;
  }
  EXPECT_LE((sim.state.qpos - start).cwiseAbs().maxCoeff(), 1e-9 * std::max(size, 1.0));
  EXPECT_LE(sim.state.qvel.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE(std::abs(sim.ledger.of(Account::stabilisation)), 1e-9 * std::pow(size, 4));
}

TEST(Structures, PyramidsRestWhereverTheyStand) {
  for (const Place& place : places) {
    SCOPED_TRACE(place.size);
    expect_rest(pyramid(6, place), place.size, 60);
  }
}

TEST(Structures, BlocksOfTouchingCubesRestWhereverTheyStand) {
  for (const Place& place : places) {
    SCOPED_TRACE(place.size);
    expect_rest(block(3, 2, place), place.size, 40);
  }
}

/// What has come to rest is not solved again, and does not move by a bit: not in a thousandth of a
/// nanometre per hour.
TEST(Structures, WhatRestsStandsStill) {
  for (const Place& place : places)
    for (const Model& model : {pyramid(6, place), block(3, 2, place)}) {
      SCOPED_TRACE(place.size);
      SimOptions options;
      options.dt = 2e-3;
      Simulation sim = testing::simulation_of(model, initial_state(model), options);
      StepReport report;
      for (int k = 0; k < 20; ++k) ASSERT_TRUE(step(sim, report));
      const VecX rests = sim.state.qpos;
      for (int k = 0; k < 100; ++k) {
        ASSERT_TRUE(step(sim, report));
        EXPECT_EQ(report.solve.iterations, 0) << k;
      }
      EXPECT_EQ(sim.state.qpos, rests);
      EXPECT_TRUE(sim.state.qvel.isZero(0));
    }
}

/// Mirror images carry mirror images of the forces: the impulses from zero are those of least
/// energy, and these are unique.
TEST(Structures, APyramidCarriesSymmetricForces) {
  for (const int rows : {4, 7}) {
    const Model model = pyramid(rows, {}, 0.201);
    Simulation sim = testing::simulation_of(model, initial_state(model), {});
    StepReport report;
    ASSERT_TRUE(step(sim, report));
    std::vector<double> ground(static_cast<std::size_t>(rows), 0.0);
    std::vector<ContactSample> samples;
    observe(sim, samples);
    double total = 0;
    for (const ContactSample& s : samples) {
      const Index low = std::min(s.geom1, s.geom2), high = std::max(s.geom1, s.geom2);
      if (low != 0 || high > rows) continue;
      ground[static_cast<std::size_t>(high - 1)] += s.wrench_C.f[2];
      total += s.wrench_C.f[2];
    }
    EXPECT_NEAR(total, 8 * 9.81 * rows * (rows + 1) / 2, 1e-6 * total);
    for (int k = 0; k < rows; ++k)
      EXPECT_NEAR(ground[static_cast<std::size_t>(k)],
                  ground[static_cast<std::size_t>(rows - 1 - k)], 1e-9 * total);
  }
}

/// Three logs, one on two that touch: the friction that holds them is tan 15°, since what turns a
/// lower log at its two contacts is the same. Above they stand and below they roll apart, wherever
/// they lie and however large they are; Coulomb's law alone allows both above it.
TEST(Structures, LogsStandAboveTheirFrictionAndFallBelow) {
  const double holds = std::tan(M_PI / 12);
  const auto moves = [](double mu, const Place& place) {
    Model m = testing::floor_scene(mu);
    const double r = 0.1 * place.size, length = place.size;
    const Mat3 lying = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()).matrix();
    for (const Vec3& at : {Vec3(-1, 0, 1), Vec3(1, 0, 1), Vec3(0, 0, 1 + std::sqrt(3.0))}) {
      const Vec3 half(r, r, length / 2);
      const Pose X{place.X_W.R * lying, place.X_W.R * Vec3(r * at) + place.X_W.p};
      testing::add_free_body(m, Cylinder{r, length / 2}, 500 * r * r * length, half, X, mu);
    }
    m = testing::finished(std::move(m));
    SimOptions options;
    options.dt = 1e-3 * std::sqrt(place.size);
    Simulation sim = testing::simulation_of(m, initial_state(m), options);
    const VecX start = sim.state.qpos;
    StepReport report;
    for (int k = 0; k < 500; ++k) EXPECT_TRUE(step(sim, report));
    return (sim.state.qpos - start).cwiseAbs().maxCoeff() / place.size;
  };
  for (const Place& place : places) {
    SCOPED_TRACE(place.size);
    EXPECT_LE(moves(1.01 * holds, place), 1e-9);
    EXPECT_GE(moves(0.99 * holds, place), 1e-3);
  }
}

/// A planar four-bar on hinges, closed by two `connect`s though one would do: four of the six rows
/// are redundant. It swings as the same linkage closed once, and gains nothing.
TEST(Structures, RedundantClosuresChangeNothing) {
  const auto linkage = [](int closures) {
    std::string text =
        "<option timestep='0.001'/><worldbody>"
        "<body pos='0 0 1'><joint type='hinge' axis='0 1 0' damping='0'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.02' contype='0' conaffinity='0'/>"
        "<body name='bar' pos='0 0 -0.3'><joint type='hinge' axis='0 1 0'/>"
        "<geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.02' contype='0' conaffinity='0'/>"
        "</body></body>"
        "<body name='arm' pos='0.4 0 1'><joint type='hinge' axis='0 1 0'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.02' contype='0' conaffinity='0'/>"
        "</body></worldbody><equality>";
    for (int k = 0; k < closures; ++k)
      text += "<connect body1='bar' body2='arm' anchor='0.4 " + std::to_string(0.01 * k) + " 0'/>";
    return testing::mjcf_scene(text + "</equality>");
  };
  VecX swung[2];
  for (int closures = 1; closures <= 2; ++closures) {
    const Scene scene = linkage(closures);
    State state = initial_state(scene.model);
    state.qvel.setZero();
    state.qvel[0] = 1;  // both arms turn, the bar stays level
    state.qvel[1] = -1;
    state.qvel[2] = 1;
    SimOptions options;
    options.dt = 1e-3;
    Simulation sim = testing::simulation_of(scene.model, state, options);
    StepReport report;
    double error = 0;
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(step(sim, report));
      ASSERT_EQ(report.solve.status, SolveStatus::converged) << k;
      error = std::max(error, report.joint_error);
    }
    EXPECT_LE(error, 1e-6);
    EXPECT_LE(std::abs(sim.ledger.of(Account::equalities)), 1e-6 * sim.ledger.moved);
    swung[closures - 1] = sim.state.qpos;
  }
  EXPECT_LE((swung[0] - swung[1]).cwiseAbs().maxCoeff(), 1e-6);
}

/// Two wheels on one axis whose faces overlap: they can turn and nothing else, so that no impulse
/// parts them. They turn on; nothing is driven apart, nothing asserts.
TEST(Structures, FacesThatNothingCanPartRun) {
  const Scene scene = testing::mjcf_scene(
      "<option timestep='0.002' gravity='0 0 0'/><worldbody>"
      "<body><joint type='hinge' axis='0 0 1'/>"
      "<geom name='a' type='cylinder' size='0.1 0.05' friction='0.5'/></body>"
      "<body pos='0 0 0.09'><joint type='hinge' axis='0 0 1'/>"
      "<geom name='b' type='cylinder' size='0.1 0.05' friction='0.5'/></body></worldbody>");
  State state = initial_state(scene.model);
  state.qvel[0] = 2;
  Simulation sim = testing::simulation_of(scene.model, state, {});
  StepReport report;
  const double energy = 4;  // ½ ω² per unit of inertia of both, at most
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(sim, report));
  EXPECT_LE(sim.state.qvel.squaredNorm(), energy * (1 + 1e-9));
}

/// A thigh that begins inside the trunk that carries it: its joint goes nowhere for that.
TEST(Structures, LinksThatOverlapAreNotDrivenApart) {
  const Scene scene = testing::mjcf_scene(
      "<option timestep='0.002' gravity='0 0 0'/><worldbody>"
      "<body name='trunk' pos='0 0 1'><freejoint/><geom type='box' size='0.2 0.1 0.1'/>"
      "<body name='hip' pos='0.1 0 -0.12'><joint type='hinge' axis='1 0 0'/>"
      "<geom type='sphere' size='0.01' contype='0' conaffinity='0'/>"
      "<body name='thigh' pos='0 0 -0.02'><joint type='hinge' axis='0 1 0'/>"
      "<geom type='box' size='0.04 0.04 0.043'/></body></body></body></worldbody>");
  Simulation sim = testing::simulation_of(scene.model, initial_state(scene.model), {});
  StepReport report;
  for (int k = 0; k < 250; ++k) ASSERT_TRUE(step(sim, report));
  EXPECT_GT(report.penetration, 1e-3) << "the overlap that is left is said";
  EXPECT_LE(sim.state.qvel.cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace tact
