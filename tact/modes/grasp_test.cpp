// Grasps in the plane whose answers can be derived by hand. Velocities are [v_x, v_y, ω] at the
// centre of mass.
#include "tact/modes/grasp.hpp"

#include <cmath>
#include <set>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/linalg/nnls.hpp"

namespace tact {
namespace {

/// A point p of a body touched along the inward normal n: the body moves, its surroundings do not.
/// The tangent is n turned by -90 degrees.
void touch(ModeSystem& system, const Vec2& p, const Vec2& n) {
  const auto row = [&](const Vec2& d) {
    VecX out(3);
    out << d, cross(p, d);
    return out;
  };
  add_contact(system, row(n), row(perp(n)).transpose());
}

ModeSystem fingers(const std::vector<std::pair<Vec2, Vec2>>& touched) {
  ModeSystem system;
  system.rows.resize(0, 3);
  for (const auto& [p, n] : touched) touch(system, p, n);
  return system;
}

/// A box of half width 1 between two opposite points.
ModeSystem pinch() {
  return fingers({{{-1, 0}, {1, 0}}, {{1, 0}, {-1, 0}}});
}

ModeLoad with(double fx, double fy, double moment, Index contacts, double mu) {
  VecX force(3);
  force << fx, fy, moment;
  VecX mass(3);
  mass << 2, 2, 1.5;
  return {mass.asDiagonal(), force, std::vector<double>(contacts, mu)};
}

std::set<std::string> strings(const GraspStability& found) {
  std::set<std::string> out;
  for (const ConsistentMode& mode : found.modes) out.insert(mode.cs + "|" + mode.ss);
  return out;
}

TEST(FormClosure, FourPointsHoldABoxInThePlaneIfTheirCouplesAreOpposed) {
  // Left and right make a couple clockwise; bottom and top one counter-clockwise, none, or another
  // one clockwise.
  const auto box = [](double bottom, double top) {
    return *form_closure(fingers(
        {{{-1, 0.5}, {1, 0}}, {{1, -0.5}, {-1, 0}}, {{bottom, -1}, {0, 1}}, {{top, 1}, {0, -1}}}));
  };
  const FormClosure opposed = box(0.5, -0.5);
  EXPECT_TRUE(opposed.closed);
  EXPECT_EQ(opposed.freedom, 0);
  EXPECT_EQ(opposed.forced, "0000");
  EXPECT_EQ(opposed.keeping.cols(), 0);
  EXPECT_EQ(opposed.escape, VecX::Zero(3));

  // v_y follows from ω <= 0, and |v_x| <= -ω / 2.
  const FormClosure one = box(0.5, 0.5);
  EXPECT_FALSE(one.closed);
  EXPECT_EQ(one.freedom, 2);
  EXPECT_EQ(one.both_ways, 0);
  EXPECT_EQ(one.forced, "++00");

  const FormClosure same = box(-0.5, 0.5);
  EXPECT_EQ(same.freedom, 3);
  EXPECT_EQ(same.forced, "++++");
  EXPECT_LT(same.escape[2], 0);
}

TEST(FormClosure, WhatRemainsIsNamed) {
  const auto found = form_closure(pinch());
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->closed);
  EXPECT_EQ(found->freedom, 2);  // up and down, and turning
  EXPECT_EQ(found->both_ways, 2);
  EXPECT_EQ(found->forced, "00");
  ASSERT_EQ(found->keeping.cols(), 2);
  EXPECT_LE(found->keeping.row(0).cwiseAbs().maxCoeff(), tolerance::rounding);

  const auto floor = form_closure(fingers({{{-1, -1}, {0, 1}}, {{1, -1}, {0, 1}}}));
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->freedom, 3);
  EXPECT_EQ(floor->both_ways, 1);
  EXPECT_EQ(floor->forced, "++");
  EXPECT_GT(floor->escape[1] - std::abs(floor->escape[2]), 0);

  const auto nothing = form_closure(fingers({}));
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->freedom, 3);
  EXPECT_EQ(nothing->both_ways, 3);
  EXPECT_EQ(nothing->keeping.cols(), 3);
}

TEST(ForceClosure, TwoOppositePointsWithFriction) {
  // The line between them lies inside both cones: Nguyen's condition.
  EXPECT_TRUE(force_closure(pinch(), {0.25, 0.25})->closed);
  const auto smooth = force_closure(pinch(), {0, 0});
  EXPECT_FALSE(smooth->closed);
  EXPECT_EQ(smooth->unresisted, 2);
  EXPECT_NEAR(smooth->motion.norm(), 1, tolerance::rounding);
  EXPECT_NEAR(smooth->motion[0], 0, tolerance::rounding);
  const auto one = force_closure(pinch(), {0.25, 0});
  EXPECT_FALSE(one->closed);
  // Shifted against each other by as much as the cones open, and a little less.
  const auto shifted = fingers({{{-1, 0.5}, {1, 0}}, {{1, -0.5}, {-1, 0}}});
  EXPECT_FALSE(force_closure(shifted, {0.5, 0.5})->closed);
  EXPECT_TRUE(force_closure(shifted, {0.5625, 0.5625})->closed);
  EXPECT_FALSE(force_closure(shifted, {0.4375, 0.4375})->closed);
}

/// Forces span all loads iff they span the space and some positive combination of them vanishes.
bool spans(const ModeSystem& system, double mu) {
  std::vector<VecX> forces;
  for (const ModeContact& contact : system.contacts)
    for (const double side : {-mu, mu})
      forces.emplace_back(system.rows.row(contact.normal) +
                          side * system.rows.row(contact.normal + 1));
  MatX G(3, static_cast<Index>(forces.size()));
  for (Index k = 0; k < G.cols(); ++k) G.col(k) = forces[k];
  if (Eigen::FullPivLU<MatX>(G).rank() < 3) return false;
  const VecX ones = VecX::Ones(G.cols());
  return nnls(G, -G * ones).residual.norm() <= tolerance::solved * (G * ones).norm();
}

TEST(ForceClosure, AgreesWithNonNegativeLeastSquares) {
  Rng rng(3);
  int closed = 0;
  constexpr int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    ModeSystem system;
    for (int c = 0; c < 3; ++c) {
      const double angle = rng.uniform(0, 6.3);
      const Vec2 p(std::cos(angle), std::sin(angle));
      touch(system, p, Vec2(-p + 0.4 * Vec2(rng.normal(), rng.normal())).normalized());
    }
    const double mu = rng.uniform(0.05, 0.8);
    const auto found = force_closure(system, {mu, mu, mu});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->closed, spans(system, mu)) << trial;
    closed += found->closed ? 1 : 0;
    // What is not resisted has non-negative power with every force.
    for (const ModeContact& contact : system.contacts) {
      const double n = system.rows.row(contact.normal).dot(found->motion);
      const double t = system.rows.row(contact.normal + 1).dot(found->motion);
      EXPECT_GE(n - mu * std::abs(t), -tolerance::rounding);
    }
  }
  EXPECT_GT(closed, trials / 10);
  EXPECT_LT(closed, trials - trials / 10);
}

// [Huang20] sec. 7: force closure does not make a grasp stable. The fingers stand still; squeezed
// hard enough they hold the box, not squeezed at all they let it fall, and rigid bodies do not say
// which. Any other mode is excluded by hand: N is the same on both sides, for the box cannot move
// in x. If one side slid down and the other not, the friction mu N there would be the larger one
// and lift that side.
TEST(GraspStability, AForceClosureGraspThatMayLetGo) {
  const auto found = grasp_stability(pinch(), with(0, -20, 0, 2, 0.5), "00", "00");
  ASSERT_TRUE(found);
  EXPECT_TRUE(force_closure(pinch(), {0.5, 0.5})->closed);
  EXPECT_EQ(found->examined, 9);
  // Tangents are n turned clockwise: down on the left, up on the right.
  EXPECT_EQ(strings(*found), (std::set<std::string>{"00|00", "00|+-"}));
  EXPECT_TRUE(found->desired_exists);
  ASSERT_TRUE(found->desired);
  EXPECT_FALSE(found->stable());
}

/// The same with a finger that presses: a fourth freedom x_f of the right finger, moved by a force.
ModeSystem pressed_pinch() {
  const ModeSystem fixed = pinch();
  ModeSystem system;
  for (std::size_t c = 0; c < 2; ++c) {
    const auto rows = fixed.rows.middleRows(fixed.contacts[c].normal, 2);
    VecX normal(4);
    normal << rows.row(0).transpose(), (c == 1 ? 1 : 0);  // the finger comes from +x, n = -x
    MatX tangent(1, 4);
    tangent << rows.row(1), 0;
    add_contact(system, normal, tangent);
  }
  return system;
}

TEST(GraspStability, AFingerThatPressesHardEnoughMakesItStable) {
  const auto held = [&](double press) {
    VecX mass(4), force(4);
    mass << 2, 2, 1.5, 1;
    force << 0, -20, 0, -press;
    return *grasp_stability(pressed_pinch(), {mass.asDiagonal(), force, {0.5, 0.5}}, "00", "00");
  };
  // N = press on both sides: held iff 2 mu press >= 20.
  EXPECT_TRUE(held(21).stable());
  EXPECT_TRUE(held(20).stable());
  const GraspStability falls = held(19);
  EXPECT_FALSE(falls.desired);
  EXPECT_TRUE(falls.desired_exists);
  ASSERT_EQ(strings(falls), (std::set<std::string>{"00|+-"}));
  EXPECT_NEAR(falls.modes[0].dynamics.acceleration[1], -0.5, 10 * tolerance::solved);
}

// Stable pushing. In the frame of a pusher that accelerates by (sideways, 1), or that moves so
// slowly that only the friction of the table counts, the load on the box is -(sideways, 1) through
// its centre. Two points of the pusher at (+-c, -1) carry it without moving iff
// |sideways| <= mu (the sum of the forces lies in the cone) and |sideways| <= c (the line of the
// load passes between the points): take moments about the centre.
TEST(GraspStability, PushingABoxWithTwoPoints) {
  const auto pushed = [&](double sideways, double c, double mu) {
    const ModeSystem pusher = fingers({{{-c, -1}, {0, 1}}, {{c, -1}, {0, 1}}});
    return *grasp_stability(pusher, with(-2 * sideways, -2, 0, 2, mu), "00", "00");
  };
  for (const double side : {-1.0, 1.0}) {
    // Twice the load of a unit mass: the bounds are |2 sideways| <= 2 mu, 2 c.
    EXPECT_TRUE(pushed(side * 0.29, 0.5, 0.3).stable());
    EXPECT_FALSE(pushed(side * 0.31, 0.5, 0.3).desired);
    EXPECT_TRUE(pushed(side * 0.24, 0.25, 0.4).stable());
    EXPECT_FALSE(pushed(side * 0.26, 0.25, 0.4).desired);
  }
  // Beyond friction the box slides along the pusher, beyond the points it rolls about one of them.
  EXPECT_EQ(strings(pushed(0.31, 0.5, 0.3)), (std::set<std::string>{"00|--"}));
  const GraspStability rolls = pushed(0.26, 0.25, 0.4);
  ASSERT_EQ(rolls.modes.size(), 1U);
  EXPECT_EQ(rolls.modes[0].cs, "0+");
}

// A grasp that uses its surroundings: a box on a floor and against a wall, pushed by one finger
// from the other side. Weight and finger do negative work on every motion that keeps or opens the
// contacts, so that nothing moves, whatever the forces are: the only mode is the one at rest.
TEST(GraspStability, ABoxAgainstFloorAndWall) {
  const ModeSystem corner =
      fingers({{{-1, -1}, {0, 1}}, {{1, -1}, {0, 1}}, {{-1, -1}, {1, 0}}, {{-1, 1}, {1, 0}}});
  for (const double mu : {0.0, 0.25, 2.0}) {
    const auto found = grasp_stability(corner, with(-5, -20, 0, 4, mu), "0000", "0000");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->stable());
  }
  // Pulled upwards at its free side by more than its weight it turns about the corner or leaves it.
  const auto torn = grasp_stability(corner, with(-5, 25, 25, 4, 0.25), "0000", "0000");
  ASSERT_TRUE(torn);
  EXPECT_FALSE(torn->desired);
  EXPECT_FALSE(torn->modes.empty());
}

// Without the floor the wall and the finger alone hold it by friction: iff mu press >= weight.
TEST(GraspStability, ABoxPressedAgainstAWall) {
  const ModeSystem wall = fingers({{{-1, -1}, {1, 0}}, {{-1, 1}, {1, 0}}});
  const auto pressed = [&](double press) {
    // The finger pushes where the moment of friction at the wall is balanced: at the centre's
    // height the two points of the wall share the load as they like.
    return *grasp_stability(wall, with(-press, -10, 0, 2, 0.5), "00", "00");
  };
  EXPECT_TRUE(pressed(25).stable());
  EXPECT_FALSE(pressed(19).desired);
}

/// A cube of half width 1 on a floor, [v, ω] at its centre, tangents along x and y.
ModeSystem cube_on_floor() {
  ModeSystem system;
  for (const Vec2& xy : {Vec2(1, 1), Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)}) {
    MatX rows(3, 6);  // v + ω x p, p = (x, y, -1)
    rows << 1, 0, 0, 0, -1, -xy[1], 0, 1, 0, 1, 0, xy[0], 0, 0, 1, xy[1], -xy[0], 0;
    add_contact(system, rows.row(2), rows.topRows(2));
  }
  return system;
}

// Pushed along x at the height of its centre by a share of its weight: it stays up to mu, slides up
// to 1, and tips about its edge x = 1 beyond 1 if friction allows: moments about that edge.
TEST(GraspStability, ACubeOnAFloorStaysSlidesOrTips) {
  const ModeSystem cube = cube_on_floor();
  const auto pushed = [&](double share, double mu) {
    VecX mass(6), force(6);
    mass << 3, 3, 3, 2, 2, 2;
    force << 30 * share, 0, -30, 0, 0, 0;
    const std::vector<double> coefficients(4, mu);
    return *grasp_report(cube, coefficients, ModeLoad{mass.asDiagonal(), force, coefficients});
  };
  const GraspReport rests = pushed(0.4, 0.5);
  EXPECT_EQ(rests.stability->examined, 196);
  EXPECT_TRUE(rests.stability->stable());
  EXPECT_FALSE(rests.form.closed);
  EXPECT_EQ(rests.form.both_ways, 3);
  EXPECT_FALSE(rests.force.closed);  // nothing holds it down
  EXPECT_FALSE(grasp_report(cube, {1, 1, 1, 1})->stability);

  const GraspStability slides = *pushed(0.6, 0.5).stability;
  EXPECT_EQ(strings(slides), (std::set<std::string>{"0000|+0+0+0+0"}));
  EXPECT_NEAR(slides.modes[0].dynamics.acceleration[0], 1, 100 * tolerance::solved);

  const GraspStability tips = *pushed(1.1, 2).stability;
  EXPECT_EQ(strings(tips), (std::set<std::string>{"0++0|0000"}));
}

TEST(GraspStability, SaysWhatItRefuses) {
  GraspOptions few;
  few.limit = 8;
  const auto large = grasp_stability(pinch(), with(0, -1, 0, 2, 0.5), "00", "00", few);
  ASSERT_FALSE(large);
  EXPECT_NE(large.error().message.find("9 modes"), std::string::npos);
  EXPECT_FALSE(grasp_stability(pinch(), with(0, -1, 0, 1, 0.5), "00", "00"));
  EXPECT_FALSE(force_closure(pinch(), {0.5, -0.5}));
  EXPECT_THROW((void)force_closure(pinch(), {0.5}), ContractViolation);
  const auto missing = grasp_stability(pinch(), with(0, -1, 0, 2, 0.5), "++", "");
  ASSERT_TRUE(missing);
  EXPECT_FALSE(missing->desired_exists);
  EXPECT_FALSE(missing->stable());
}

}  // namespace
}  // namespace tact
