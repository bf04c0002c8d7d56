// Accelerations and forces of one mode: textbook cases, and what holds for every system.
#include "tact/modes/mode_dynamics.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/modes/modes.hpp"

namespace tact {
namespace {

/// What the balance may be off, in units of the numbers that are balanced.
constexpr double close = 10 * tolerance::solved;

/// A block on a slope: dof along it and away from it.
struct Block {
  ModeSystem system;
  ModeLoad load;
};
Block block(double along, double into, double mu) {
  Block out;
  VecX normal(2), force(2);
  normal << 0, 1;
  force << along, -into;
  MatX tangent(1, 2);
  tangent << 1, 0;
  add_contact(out.system, normal, tangent);
  out.load = {2 * MatX::Identity(2, 2), force, {mu}};
  return out;
}
ModeDynamics solve(const Block& b, std::string_view cs, std::string_view ss) {
  return *mode_dynamics(b.system, b.load, cs, ss);
}

/// The judge: the equations as they are written down, without what the solver makes of them.
void expect_solves(const ModeSystem& system, const ModeLoad& load, std::string_view cs,
                   std::string_view ss, const ModeDynamics& found) {
  const ModeEquations equations = *mode_equations(system, load, cs, ss);
  VecX x(found.acceleration.size() + found.forces.size());
  x << found.acceleration, found.forces;
  const double size = 1 + x.cwiseAbs().maxCoeff() + load.load.cwiseAbs().maxCoeff();
  EXPECT_LE((equations.equal * x - equations.right).cwiseAbs().maxCoeff(), close * size);
  const VecX signs = equations.sign * x;
  for (Index k = 0; k < signs.size(); ++k) {
    EXPECT_GE(signs[k], -close * size);
    if (equations.moving[k]) {
      EXPECT_GT(signs[k], 0);
    }
  }
}

TEST(ModeDynamics, ABlockSticksWithinTheConeAndSlidesOutsideIt) {
  const Block held = block(3, 10, 0.5);
  const ModeDynamics stick = solve(held, "0", "0");
  ASSERT_TRUE(stick.consistent);
  EXPECT_NEAR(stick.forces[0], 10, close * 10);
  EXPECT_NEAR(stick.forces[1], -3, close * 10);
  EXPECT_EQ(stick.undetermined, 0);
  for (const char* ss : {"+", "-"}) EXPECT_FALSE(solve(held, "0", ss).consistent);
  EXPECT_FALSE(solve(held, "+", "").consistent);

  const Block loose = block(7, 10, 0.5);
  EXPECT_FALSE(solve(loose, "0", "0").consistent);
  EXPECT_FALSE(solve(loose, "0", "-").consistent);
  const ModeDynamics slide = solve(loose, "0", "+");
  ASSERT_TRUE(slide.consistent);
  EXPECT_NEAR(slide.acceleration[0], (7 - 0.5 * 10) / 2, close * 10);
  EXPECT_NEAR(slide.forces[1], -5, close * 10);
  expect_solves(loose.system, loose.load, "0", "+", slide);
}

TEST(ModeDynamics, OnTheConeItSticks) {
  const Block limit = block(5, 10, 0.5);
  EXPECT_TRUE(solve(limit, "0", "0").consistent);
  EXPECT_FALSE(solve(limit, "0", "+").consistent);
}

TEST(ModeDynamics, WhatIsPulledAwayLeaves) {
  const Block lifted = block(1, -4, 0.5);
  const ModeDynamics leave = solve(lifted, "+", "");
  ASSERT_TRUE(leave.consistent);
  EXPECT_EQ(leave.forces, VecX::Zero(2));
  EXPECT_NEAR(leave.acceleration[1], 2, close * 10);
  for (const char* ss : {"0", "+", "-"}) EXPECT_FALSE(solve(lifted, "0", ss).consistent);
  // Without any load nothing moves and nothing presses.
  const Block idle = block(0, 0, 0.5);
  EXPECT_TRUE(solve(idle, "0", "0").consistent);
  EXPECT_FALSE(solve(idle, "+", "").consistent);
  EXPECT_FALSE(solve(idle, "0", "+").consistent);
}

TEST(ModeDynamics, UnitsDoNotMatter) {
  for (const double unit : {1e-9, 1e9}) {
    Block b = block(3, 10, 0.5);
    b.load.load *= unit;
    EXPECT_TRUE(solve(b, "0", "0").consistent);
    EXPECT_FALSE(solve(b, "0", "+").consistent);
    Block heavy = block(7, 10, 0.5);
    heavy.load.mass *= unit;
    heavy.system.rows *= 3;
    const ModeDynamics slide = solve(heavy, "0", "+");
    ASSERT_TRUE(slide.consistent);
    EXPECT_NEAR(slide.acceleration[0] * unit, 1, close);
    EXPECT_NEAR(slide.forces[0], 10.0 / 3, close);
  }
}

TEST(ModeDynamics, RowsThatMoveNothing) {
  // A table that is not part of the motion: the normal load is whatever it must be.
  ModeSystem system;
  MatX tangent(1, 1);
  tangent << 1;
  add_contact(system, VecX::Zero(1), tangent);
  const ModeLoad load{MatX::Identity(1, 1), VecX::Constant(1, 4), {0.5}};
  EXPECT_TRUE(mode_dynamics(system, load, "0", "0")->consistent);
  EXPECT_TRUE(mode_dynamics(system, load, "0", "+")->consistent);
  EXPECT_FALSE(mode_dynamics(system, load, "0", "-")->consistent);
  EXPECT_FALSE(mode_dynamics(system, load, "+", "")->consistent);
  EXPECT_EQ(mode_dynamics(system, load, "0", "0")->undetermined, 1);
}

/// A random system with a random load and masses that differ by up to 10^4.
Block random_block(Rng& rng, bool friction) {
  Block out;
  const Index dof = 1 + static_cast<Index>(rng.below(4));
  const auto random = [&](Index rows, Index cols) {
    MatX m(rows, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) m(i, j) = static_cast<double>(rng.below(7)) - 3;
    return m;
  };
  const auto contacts = 1 + rng.below(4);
  for (std::uint64_t c = 0; c < contacts; ++c) {
    add_contact(out.system, random(1, dof).transpose(),
                random(static_cast<Index>(rng.below(3)), dof));
    out.load.mu.push_back(friction ? rng.uniform(0, 0.8) : 0);
  }
  const MatX root = random(dof, dof);
  VecX scale(dof);
  for (double& s : scale) s = rng.log_uniform(0.1, 10);
  out.load.mass = root * root.transpose() + MatX::Identity(dof, dof);
  out.load.mass = scale.asDiagonal() * out.load.mass * scale.asDiagonal();
  out.load.load = VecX(random(dof, 1)) + VecX::Constant(dof, 0.1);
  return out;
}

/// Consistent modes, each judged.
int consistent_modes(const Block& b) {
  int count = 0;
  const DynamicsSolver solver(b.system, b.load, {});
  const auto visit = visit_modes(b.system, {}, [&](const ModeView& mode) {
    const ModeDynamics found = solver.solve(mode.cs, mode.ss);
    if (!found.consistent) return true;
    ++count;
    expect_solves(b.system, b.load, mode.cs, mode.ss, found);
    return true;
  });
  EXPECT_TRUE(visit);
  return count;
}

TEST(ModeDynamics, WithoutFrictionThereIsExactlyOneMode) {
  Rng rng(7);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    EXPECT_EQ(consistent_modes(random_block(rng, false)), 1);
  }
}

TEST(ModeDynamics, WithFrictionThereIsAtLeastOne) {
  Rng rng(8);
  int several = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const int count = consistent_modes(random_block(rng, true));
    EXPECT_GE(count, 1);
    several += count > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 0);
}

TEST(ModeDynamics, SaysWhatItRefuses) {
  const Block good = block(1, 1, 0.5);
  EXPECT_FALSE(mode_dynamics(good.system, good.load, "00", "0"));
  EXPECT_FALSE(mode_dynamics(good.system, good.load, "-", "0"));
  EXPECT_FALSE(mode_dynamics(good.system, good.load, "0", ""));
  EXPECT_FALSE(mode_dynamics(good.system, good.load, "+", "0"));
  EXPECT_FALSE(mode_dynamics(good.system, good.load, "0", "s"));
  const auto refused = [&](auto&& change) {
    ModeLoad load = good.load;
    change(load);
    return !mode_equations(good.system, load, "0", "0");
  };
  EXPECT_TRUE(refused([](ModeLoad& l) { l.mass(0, 1) = 1; }));
  EXPECT_TRUE(refused([](ModeLoad& l) { l.mass *= -1; }));
  EXPECT_TRUE(refused([](ModeLoad& l) { l.mass.resize(1, 1); }));
  EXPECT_TRUE(refused([](ModeLoad& l) { l.load[0] = std::numeric_limits<double>::quiet_NaN(); }));
  EXPECT_TRUE(refused([](ModeLoad& l) { l.mu[0] = -1; }));
  EXPECT_TRUE(refused([](ModeLoad& l) { l.mu.clear(); }));
  EXPECT_FALSE(refused([](ModeLoad&) {}));
}

}  // namespace
}  // namespace tact
