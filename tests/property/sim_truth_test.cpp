// The truth table: scenes with a closed form, and how near the simulator comes to it.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/sim/observe.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/sim_scenes.hpp"
#include "tests/support/towers.hpp"

namespace tact {
namespace {

using testing::run;
using testing::sim_scene;

constexpr double g = 9.81;

/// Printed beside the bar, and kept in the report of the test program.
void figure(const char* what, double value) {
  ::testing::Test::RecordProperty(what, std::to_string(value));
  std::printf("             %s: %.9g\n", what, value);
}

double largest_change(const State& a, const State& b) {
  return (a.qpos - b.qpos).lpNorm<Eigen::Infinity>();
}

// ---- friction of one body

TEST(SimTruth, ABoxOnASlopeSteeperThanNothingRests) {
  Simulation sim = sim_scene("incline_stick");
  const State start = state_of(sim);
  run(sim, 10);
  const double drift = largest_change(start, state_of(sim));
  figure("drift_m", drift);
  EXPECT_LT(drift, 1e-9);
}

TEST(SimTruth, ABoxSlidesDownASlopeWithItsAcceleration) {
  Simulation sim = sim_scene("incline_slip");
  const State start = state_of(sim);
  run(sim, 1);
  const State end = state_of(sim);
  const double slope = std::numbers::pi / 6;
  const double a = g * (std::sin(slope) - 0.3 * std::cos(slope));
  const double speed = end.qvel.head<3>().norm();
  const double way = (end.qpos - start.qpos).head<3>().norm();
  figure("acceleration_error", speed / a - 1);
  figure("way_error", way / (a / 2) - 1);
  EXPECT_NEAR(speed / a, 1, 1e-6);
  EXPECT_NEAR(way / (a / 2), 1, 1e-6);
  EXPECT_LT((end.qpos - start.qpos).tail<4>().norm(), 1e-9);
}

TEST(SimTruth, BoxesSlideEquallyFarInAllDirections) {
  Simulation sim = sim_scene("sliding_boxes");
  const State start = state_of(sim);
  run(sim, 1);
  const State end = state_of(sim);
  const double exact = 2 * 2 / (2 * 0.3 * g);
  double worst = 0;
  for (Index i = 0; i < 8; ++i) {
    const double way = (end.qpos - start.qpos).segment<2>(7 * i).norm();
    worst = std::max(worst, std::abs(way / exact - 1));
    EXPECT_LT((end.qpos - start.qpos).segment<4>(7 * i + 3).norm(), 1e-9);
  }
  figure("worst_way_error", worst);
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(end.qvel.norm(), 1e-9);
}

/// The tipping box under a constant push.
Simulation pushed_box(double force) {
  return sim_scene("tipping_box", [&](Scene&, SceneSetup& setup) {
    setup.prescribed.controls.time = {0};
    setup.prescribed.controls.value = {VecX::Constant(1, force)};
  });
}

TEST(SimTruth, APushedBoxTipsAtItsThreshold) {
  const double threshold = g * 0.1 / 0.2;
  for (const double share : {0.5, 0.9995}) {
    Simulation sim = pushed_box(share * threshold);
    const State start = state_of(sim);
    run(sim, 1);
    EXPECT_LT(largest_change(start, state_of(sim)), 1e-9) << share;
    std::vector<ContactSample> contacts;
    observe(sim, contacts);
    ASSERT_EQ(contacts.size(), 1U);
    ASSERT_EQ(contacts[0].extended.points.size(), 1U);
    const Vec2 at = contacts[0].extended.points[0];
    const Pose& X = contacts[0].X_WC;
    const Vec3 cop = X.p + X.R * Vec3(at[0], at[1], 0);
    EXPECT_NEAR(cop[0], 0.1 * share, 1e-9);
    EXPECT_NEAR(cop[1], 0, 1e-9);
    EXPECT_EQ(contacts[0].label.regime, Regime::stick);
  }
  Simulation sim = pushed_box(1.0005 * threshold);
  run(sim, 1);
  // The lever of 0.05 % of the weight turns the box at the edge: more than any rounding does.
  EXPECT_GT(std::abs(state_of(sim).qvel[4]), 1e-3);
  double least = 0.999, most = 1.001;
  for (int k = 0; k < 20; ++k) {
    const double middle = 0.5 * (least + most);
    Simulation probe = pushed_box(middle * threshold);
    run(probe, 0.2);
    (state_of(probe).qvel.norm() > 1e-9 ? most : least) = middle;
  }
  figure("threshold", 0.5 * (least + most));
  EXPECT_NEAR(0.5 * (least + most), 1, 1e-3);
}

TEST(SimTruth, PatchesThatSpinAreBrakedAsUniformPressureDoes) {
  const double weight = 0.3 * g;
  const double square = (std::numbers::sqrt2 + std::log1p(std::numbers::sqrt2)) / 6;
  const struct {
    const char* scene;
    double torque, inertia;
  } cases[] = {{"spinning_disc", 2.0 / 3 * weight * 0.1, 0.5 * 0.01},
               {"spinning_square", square * weight * 0.2, (0.04 + 0.04) / 12}};
  for (const auto& c : cases) {
    Simulation sim = sim_scene(c.scene);
    run(sim, 0.1);
    const State end = state_of(sim);
    const double ratio = (10 - end.qvel[5]) / end.time * c.inertia / c.torque;
    figure(c.scene, ratio);
    EXPECT_NEAR(ratio, 1, 0.01);
    EXPECT_LT(end.qvel.head<5>().norm(), 1e-9);
  }
}

/// Force against the motion and torque of uniform pressure under a disc of radius 1, per μN, that
/// slides with v and turns with w.
Vec2 disc_friction(double v, double w) {
  constexpr int rings = 16, rays = 32;
  Vec2 out = Vec2::Zero();
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < rays; ++k) {
      const double r = std::sqrt((i + 0.5) / rings);  // rings of equal area
      const double angle = 2 * std::numbers::pi * (k + 0.5) / rays;
      const double x = r * std::cos(angle), y = r * std::sin(angle);
      const Vec2 slip(v - w * y, w * x);
      const double speed = slip.norm();
      if (speed > 0) out += Vec2(slip[0], x * slip[1] - y * slip[0]) / speed / (rings * rays);
    }
  return out;
}

struct DiscRun {
  double time = 0, way = 0;
  double late_ratio = 0;  ///< v/(R w) when v is 1 % of what it was
};

/// The same disc by its differential equation: midpoint rule until v is 1 % of what it was. From
/// there on both speeds go down in proportion.
DiscRun exact_disc(double v, double w, double mu, double radius) {
  DiscRun out;
  constexpr double dt = 5e-4;
  const double end = 0.01 * v;
  const auto rates = [&](double vv, double ww) {
    const Vec2 f = disc_friction(vv, ww * radius);
    return Vec2(-mu * g * f[0], -mu * g * f[1] * radius / (0.5 * radius * radius));
  };
  while (v > end) {
    const Vec2 k1 = rates(v, w);
    const Vec2 k2 = rates(v + dt / 2 * k1[0], w + dt / 2 * k1[1]);
    const double next = v + dt * k2[0];
    out.way += dt * (v + next) / 2;
    w += dt * k2[1];
    v = next;
    out.time += dt;
  }
  const double brake = -rates(v, w)[0];
  out.late_ratio = v / (radius * w);
  out.time += v / brake;
  out.way += v * v / (2 * brake);
  return out;
}

DiscRun simulated_disc(double v0, NodePattern pattern) {
  Simulation sim = sim_scene("sliding_spinning_disc", [&](Scene&, SceneSetup& setup) {
    setup.choices.common.pressure = EffectivePatch{pattern};
  });
  DiscRun out;
  run(sim, 1, [&](const StepReport&) {
    const State x = state_of(sim);
    const double v = x.qvel.head<2>().norm(), w = x.qvel[5];
    if (v > 1e-6 || std::abs(w) > 1e-6) out.time = x.time;
    if (out.late_ratio == 0 && v < 0.01 * v0 && w > 0) out.late_ratio = v / (0.1 * w);
    out.way = x.qpos.head<2>().norm();
  });
  return out;
}

TEST(SimTruth, ADiscThatSlidesAndSpinsStopsBothAtOnce) {
  const DiscRun exact = exact_disc(1, 10, 0.3, 0.1);
  figure("late_ratio_exact", exact.late_ratio);
  for (const NodePattern pattern :
       {NodePattern::one_six, NodePattern::four_eight, NodePattern::four_eight_twelve}) {
    const DiscRun seen = simulated_disc(1, pattern);
    figure("time_error", seen.time / exact.time - 1);
    figure("way_error", seen.way / exact.way - 1);
    figure("late_ratio", seen.late_ratio);
    EXPECT_NEAR(seen.time / exact.time, 1, 0.01) << name(pattern);
    EXPECT_NEAR(seen.way / exact.way, 1, 0.01) << name(pattern);
    EXPECT_NEAR(seen.late_ratio, 0.653, 0.03) << name(pattern);
  }
}

TEST(SimTruth, ALaunchedCubeStaysFlatAndASlidingDiscStraight) {
  const struct {
    const char* scene;
    double v, mu;
  } cases[] = {{"launched_cube", 3, 0.8}, {"sliding_disc", 1, 0.3}};
  for (const auto& c : cases) {
    Simulation sim = sim_scene(c.scene);
    const State start = state_of(sim);
    double tilt = 0, lift = 0;
    run(sim, 1, [&](const StepReport&) {
      const State x = state_of(sim);
      tilt = std::max(tilt, (x.qpos - start.qpos).tail<4>().norm());
      lift = std::max(lift, std::abs(x.qpos[2] - start.qpos[2]));
    });
    figure(c.scene, tilt);
    EXPECT_LT(tilt, 1e-9);
    EXPECT_LT(lift, 1e-9);
    EXPECT_NEAR(state_of(sim).qpos[0] / (c.v * c.v / (2 * c.mu * g)), 1, 1e-3);
  }
}

// ---- impacts

TEST(SimTruth, NewtonsCradleByEachLaw) {
  const std::array<double, 5> last = {0, 0, 0, 0, 1}, shared = {-0.6, 0.4, 0.4, 0.4, 0.4};
  const struct {
    ImpactLaw law;
    const std::array<double, 5>& after;
  } cases[] = {{GeneralizedReflections{}, last},
               {tact::Newton{}, shared},
               {Poisson{}, shared},
               {Moreau{1}, shared}};
  for (const auto& c : cases) {
    Simulation sim =
        sim_scene("newtons_cradle", [&](Scene&, SceneSetup& setup) { setup.options.law = c.law; });
    Index dissipative = 0, others = 0;
    run(sim, 0.06, [&](const StepReport& r) {
      for (const ImpactEvent& e : r.impacts)
        ++(e.verdict == WorkVerdict::dissipative ? dissipative : others);
    });
    EXPECT_GE(dissipative, 1) << name(c.law);
    EXPECT_EQ(others, 0) << name(c.law);
    double worst = 0;
    for (std::size_t i = 0; i < 5; ++i)
      worst = std::max(worst, std::abs(sim.state.qvel[static_cast<Index>(6 * i)] - c.after[i]));
    figure(std::string(name(c.law)).c_str(), worst);
    EXPECT_LT(worst, 1e-9) << name(c.law);
  }
}

TEST(SimTruth, ABallBetweenWallsKeepsItsEnergy) {
  Simulation sim =
      sim_scene("ball_between_walls", [](Scene&, SceneSetup& setup) { setup.options.dt = 0.01; });
  Index bounces = 0, generating = 0;
  run(sim, 1000 * 0.8 / 3, [&](const StepReport& r) {
    bounces += static_cast<Index>(r.impacts.size());
    for (const ImpactEvent& e : r.impacts) generating += e.verdict == WorkVerdict::generating;
  });
  const double speed = sim.state.qvel.head<3>().norm();
  figure("bounces", static_cast<double>(bounces));
  figure("speed_error", speed / 3 - 1);
  EXPECT_NEAR(static_cast<double>(bounces), 1000, 1);
  EXPECT_EQ(generating, 0);
  EXPECT_NEAR(speed, 3, 3e-12);
  EXPECT_LT(sim.state.qvel.tail<5>().norm(), 1e-12);
}

TEST(SimTruth, ABouncingBallRisesByTheSquareOfItsRestitution) {
  Simulation sim = sim_scene("bouncing_ball");
  std::vector<double> peaks;
  double highest = 0, rest = 0, last_impact = 0;
  run(sim, 6, [&](const StepReport& r) {
    const State x = state_of(sim);
    if (!r.impacts.empty()) {
      peaks.push_back(highest);
      highest = 0;
      last_impact = r.impacts.back().time;
    }
    highest = std::max(highest, x.qpos[2] - 0.1 + x.qvel[2] * x.qvel[2] / (2 * g));
    if (std::abs(x.qvel[2]) > 1e-9) rest = x.time;
  });
  double worst = 0;
  for (std::size_t k = 1; k < 6; ++k)
    worst = std::max(worst, std::abs(peaks[k] / std::pow(0.64, k) - 1));
  const double exact = (1 + 0.8) / (1 - 0.8) * std::sqrt(2 / g);
  figure("peak_error", worst);
  figure("rest_time_error", rest / exact - 1);
  figure("last_impact_s", last_impact);
  EXPECT_LT(worst, 1e-9);
  EXPECT_NEAR(rest / exact, 1, 0.01);
  EXPECT_NEAR(sim.state.qpos[2], 0.1, 1e-9);
}

/// What is left of ω when a block that turns about one edge lands on the other: 1 - 3/2 sin² of the
/// angle between the diagonal and the upright.
double housner() {
  const double sine2 = 0.1 * 0.1 / (0.1 * 0.1 + 0.4 * 0.4);
  return 1 - 1.5 * sine2;
}

TEST(SimTruth, ARockingBlockLandsAsHousnerSays) {
  for (const ImpactLaw& law :
       {ImpactLaw(tact::Newton{}), ImpactLaw(Poisson{}), ImpactLaw(Moreau{0})}) {
    // Flat, turning about the edge at x = 0.1; without gravity nothing else changes ω.
    Simulation sim = sim_scene("rocking_block", [&](Scene& scene, SceneSetup& setup) {
      scene.model.gravity.setZero();
      setup.options.law = law;
      setup.start.qpos << 0, 0, 0.4, 1, 0, 0, 0;
      setup.start.qvel << -0.4, 0, -0.1, 0, -1, 0;
    });
    StepReport report;
    ASSERT_TRUE(step(sim, report));
    ASSERT_EQ(report.impacts.size(), 1U);
    EXPECT_EQ(report.impacts[0].verdict, WorkVerdict::dissipative);
    const double left = -sim.state.qvel[4];
    figure(std::string(name(law)).c_str(), left - housner());
    EXPECT_NEAR(left, housner(), 1e-10) << name(law);
  }
}

/// r of the first five landings: between two of them the energy above the upright block is
/// constant, and r is the root of its ratio at the two tops.
std::vector<double> rocking_ratios(double dt) {
  Simulation sim =
      sim_scene("rocking_block", [&](Scene&, SceneSetup& setup) { setup.options.dt = dt; });
  double height = 0;
  std::vector<double> tops, out;
  run(sim, 2.5, [&](const StepReport& r) {
    height = std::max(height, state_of(sim).qpos[2] - 0.4);
    if (r.impacts.empty()) return;
    tops.push_back(height);
    height = 0;
  });
  for (std::size_t k = 0; k + 1 < std::min<std::size_t>(tops.size(), 6); ++k)
    out.push_back(std::sqrt(tops[k + 1] / tops[k]));
  return out;
}

TEST(SimTruth, ARockingBlockInTime) {
  for (const double dt : {1e-3, 5e-4, 2.5e-4}) {
    const std::vector<double> ratios = rocking_ratios(dt);
    ASSERT_EQ(ratios.size(), 5U);
    double worst = 0;
    for (const double r : ratios) {
      figure("r", r);
      worst = std::max(worst, std::abs(r - housner()));
    }
    EXPECT_LT(worst, 0.001) << dt;
  }
}

// ---- free flight

TEST(SimTruth, ATumblingBodyKeepsEnergyAndMomentum) {
  Simulation sim = sim_scene("tumbling_body");
  const Vec3 inertia = 2.0 / 3 * Vec3(0.13, 0.10, 0.05);
  const auto look = [&] {
    const State x = state_of(sim);
    const Eigen::Quaterniond q(x.qpos[3], x.qpos[4], x.qpos[5], x.qpos[6]);
    const Vec3 w = x.qvel.tail<3>(), turn = inertia.cwiseProduct(w);
    const Vec3 momentum = q.normalized() * turn;
    return Eigen::Vector4d(momentum[0], momentum[1], momentum[2], 0.5 * w.dot(turn));
  };
  const Eigen::Vector4d start = look();
  double worst_momentum = 0, worst_energy = 0;
  Index flips = 0;
  double last = 1;
  run(sim, 100, [&](const StepReport&) {
    const Eigen::Vector4d now = look();
    worst_momentum =
        std::max(worst_momentum, (now - start).head<3>().norm() / start.head<3>().norm());
    worst_energy = std::max(worst_energy, std::abs(now[3] / start[3] - 1));
    const double w = sim.state.qvel[4];
    if (w * last < 0) {
      ++flips;
      last = w;
    }
  });
  figure("flips", static_cast<double>(flips));
  figure("momentum_error", worst_momentum);
  figure("energy_error", worst_energy);
  EXPECT_GT(flips, 10);
  EXPECT_LT(worst_momentum, 1e-12);
  EXPECT_LT(worst_energy, 1e-12);
}

// ---- rest

TEST(SimTruth, TowersStand) {
  for (const char* scene : {"box_tower", "box_tower_heavy_top", "tall_tower", "heavy_top_tower"})
    for (const double tolerance : {tolerance::solved, 1e-6}) {
      Simulation sim =
          sim_scene(scene, [&](Scene&, SceneSetup& setup) { setup.options.tolerance = tolerance; });
      const State start = state_of(sim);
      double drift = 0;
      const RunSummary summary = run(sim, 5, [&](const StepReport&) {
        drift = std::max(drift, largest_change(start, state_of(sim)));
      });
      const double bar = tolerance == tolerance::solved ? 1e-9 : 1e-6;
      figure(scene, drift);
      EXPECT_LT(drift, bar) << scene;
      // Contacts that stick are solved to rounding whatever the tolerance: a step rounds every
      // coordinate once.
      const double rounded = static_cast<double>(summary.steps) * tolerance::epsilon *
                             start.qpos.lpNorm<Eigen::Infinity>();
      EXPECT_LT(drift, rounded) << scene;
      EXPECT_LT(summary.max_penetration, bar) << scene;
    }
}

/// Ten boxes of 20 cm, each 4 cm above the next, shifted by up to 2 cm and turned by up to 8
/// degrees, fall on each other: one column of a pile. Steps of 2 ms.
Simulation falling_column(std::uint64_t seed) {
  constexpr double gap = 0.04, shift = 0.02, turn = 0.14;
  Model model = testing::tower(10, 1, gap);
  model.timestep = 2e-3;
  State start = initial_state(model);
  Rng rng(seed);
  for (Index b = 0; 7 * b < start.qpos.size(); ++b) {
    for (Index k = 0; k < 2; ++k) start.qpos[7 * b + k] += rng.uniform(-shift, shift);
    for (Index k = 4; k < 7; ++k) start.qpos[7 * b + k] = 0.5 * rng.uniform(-turn, turn);
    start.qpos.segment<4>(7 * b + 3).normalize();
  }
  auto made = make_simulation(model, start, {});
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

TEST(SimTruth, AColumnThatFellRocksForSecondsAndThenRestsToRounding) {
  // What a pile of such columns does when every step is solved: most of them still rock at 3 s.
  const int columns = TACT_ADDRESS_SANITIZER ? 2 : 8;
  constexpr double still = 1e-20;  // [J]; a box that falls 1 mm has 1e-2
  int moving = 0;
  double mean = 0, last = 0;
  for (int k = 0; k < columns; ++k) {
    Simulation sim = falling_column(static_cast<std::uint64_t>(k));
    double worst = 0;
    const auto watch = [&](const StepReport& r) {
      worst = std::max(worst, r.solve.residual.figure());
    };
    run(sim, 3, watch);
    // Cubes of 1 kg and 20 cm: the radius of gyration is the same about all axes.
    const auto energy = [&] {
      double twice = 0;
      for (Index d = 0; d < sim.state.qvel.size(); d += 6)
        twice += sim.state.qvel.segment<3>(d).squaredNorm() +
                 0.02 / 3 * sim.state.qvel.segment<3>(d + 3).squaredNorm();
      return 0.5 * twice / 10;
    };
    moving += energy() > still ? 1 : 0;
    mean += energy() / columns;
    run(sim, 9, watch);
    last = std::max(last, energy());
    EXPECT_LT(energy(), still) << k;
    EXPECT_LT(worst, sim.options.tolerance) << k;
  }
  figure("of_columns_moving_at_3_s", moving);
  figure("joules_per_box_at_3_s", mean);
  std::printf("             at 12 s at most: %.3g\n", last);
  EXPECT_GT(moving, 0);
}

TEST(SimTruth, APinchedCapsuleDoesNotCreep) {
  Simulation sim = sim_scene("pinched_capsule");
  const State start = state_of(sim);
  run(sim, 10);
  const double creep = largest_change(start, state_of(sim)) / 10;
  figure("creep_m_per_s", creep);
  EXPECT_LT(creep, 1e-9);
}

}  // namespace
}  // namespace tact
