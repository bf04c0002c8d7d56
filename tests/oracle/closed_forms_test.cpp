// Problems from textbooks, solved on paper: inclines, pushed boxes, wedges, tables.
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tests/support/bodies.hpp"

namespace tact {
namespace {

using namespace testing;
constexpr double g = 9.81, dt = 0.01, degree = std::numbers::pi / 180;
constexpr double close = 1e-10;

/// Gravity over a step, in axes along and across an incline.
Vec3 weight_on_incline(double mass, double angle) {
  return mass * g * dt * Vec3(std::sin(angle), 0, -std::cos(angle));
}

TEST(ClosedForms, InclineHolds) {
  const Vec3 p = weight_on_incline(2, 20 * degree);
  const auto x = outcome(point_mass(2, CoulombLaw{0.6}, Vec3::Zero(), p));
  EXPECT_LE((x.lambda + p).norm(), close * p.norm()) << "carries the weight";
  EXPECT_LE(x.velocity.norm(), close);
  EXPECT_EQ(x.labels[0].regime, Regime::stick);
  EXPECT_NEAR(x.labels[0].slip_margin,
              2 * g * dt * (0.6 * std::cos(20 * degree) - std::sin(20 * degree)), close);
}

TEST(ClosedForms, InclineSlips) {
  const Vec3 p = weight_on_incline(2, 45 * degree);
  const auto x = outcome(point_mass(2, CoulombLaw{0.3}, Vec3::Zero(), p));
  const double a = g * (std::sin(45 * degree) - 0.3 * std::cos(45 * degree));
  EXPECT_NEAR(x.velocity[0] / dt, a, close * a);
  EXPECT_EQ(x.labels[0].regime, Regime::slide);
  EXPECT_NEAR(x.labels[0].multiplier, a * dt, close);
}

/// It slips at the angle whose tangent is mu: bisected.
TEST(ClosedForms, AngleOfRepose) {
  for (const double mu : {0.1, 0.5, 1.0, 1.7}) {
    double low = 0, high = 89 * degree;
    for (int k = 0; k < 40; ++k) {
      const double angle = 0.5 * (low + high);
      const auto x =
          outcome(point_mass(1, CoulombLaw{mu}, Vec3::Zero(), weight_on_incline(1, angle)));
      (x.velocity.norm() > close ? high : low) = angle;
    }
    EXPECT_NEAR(std::tan(low), mu, 1e-7 * (1 + mu * mu));
  }
}

// ------------------------------------------------------------------------ friction by direction

/// What friction takes from a mass that slides fast under a unit load, along its motion.
double resistance(const Law& law, double direction) {
  const Vec3 fast(100 * std::cos(direction), 100 * std::sin(direction), -1);
  const auto x = outcome(point_mass(1, law, fast, Vec3::Zero()));
  EXPECT_NEAR(x.lambda[2], 1, close);
  return -(x.lambda[0] * std::cos(direction) + x.lambda[1] * std::sin(direction));
}

/// Over all directions: least, largest and mean.
struct Spread {
  double least = 1e300, largest = 0, mean = 0;
};
Spread spread(const Law& law) {
  Spread out;
  constexpr int directions = 720;
  for (int k = 0; k < directions; ++k) {
    const double r = resistance(law, 2 * std::numbers::pi * (k + 0.5) / directions);
    out.least = std::min(out.least, r);
    out.largest = std::max(out.largest, r);
    out.mean += r / directions;
  }
  return out;
}

TEST(ClosedForms, ConeResistsAllDirectionsAlike) {
  const Spread all = spread(CoulombLaw{0.5});
  EXPECT_NEAR(all.least, 0.5, close);
  EXPECT_NEAR(all.largest, 0.5, close);
}

/// c (|cos| + |sin|) of the half-width c: c along an axis, √2 c along a diagonal, 4c/π on average.
TEST(ClosedForms, BoxResistsDiagonalsMore) {
  const double root2 = std::numbers::sqrt2, pi = std::numbers::pi;
  for (const auto& [scale, least, largest, mean] :
       {std::array{1 / root2, 1 / root2, 1.0, 4 / (pi * root2)},
        std::array{1.0, 1.0, root2, 4 / pi}, std::array{pi / 4, pi / 4, pi * root2 / 4, 1.0}}) {
    const BoxLaw law{0.5, scale};
    EXPECT_NEAR(resistance(law, 45 * degree), 0.5 * largest, close) << scale;
    EXPECT_NEAR(resistance(law, 0), 0.5 * least, close) << scale;
    const Spread all = spread(law);
    // The directions lie a quarter of a degree beside the axes.
    EXPECT_NEAR(all.least, 0.5 * least, 0.5 * 0.005) << scale;
    EXPECT_NEAR(all.mean, 0.5 * mean, 1e-5) << scale;
  }
}

/// max -cos(φ - 2πi/k): 1 where a corner opposes the motion, cos(π/k) between two of them,
/// (k/π) sin(π/k) on average.
TEST(ClosedForms, PyramidResistsItsCornersMost) {
  for (const int k : {3, 4, 5, 8}) {
    const PyramidLaw law{0.5, k};
    const double pi = std::numbers::pi;
    EXPECT_NEAR(resistance(law, pi), 0.5, close) << k;
    EXPECT_NEAR(resistance(law, pi + pi / k), 0.5 * std::cos(pi / k), 1e-9) << k;
    EXPECT_NEAR(spread(law).mean, 0.5 * k / pi * std::sin(pi / k), 1e-4) << k;
  }
}

// --------------------------------------------------------------------------------- pushed boxes

/// A box under its weight, pushed with `push` at `height` above the ground.
ContactProblem pushed_box(const Crate& box, double push, double height) {
  const double lever = height - box.half_height;
  return free_box(box, Vec3(push, 0, -box.mass * g * dt), Vec3(0, lever * push, 0));
}

void stand_on_face(ContactProblem& p, const Crate& box, double mu, bool as_patch) {
  if (as_patch) return touch(p, rough_patch(face(box), mu), Vec3(0, 0, -box.half_height));
  for (const Vec3& foot : feet(box)) touch(p, CoulombLaw{mu}, foot);
}

/// It tips when the moment of the push about the far edge exceeds that of the weight: at the height
/// (w/2) W/F. A push of mu W would make it slide, so it can tip at all only above w/(2 mu).
TEST(ClosedForms, TippingThresholdOfAPushedBox) {
  const Crate box;
  const double weight = box.mass * g * dt;
  for (const bool as_patch : {true, false})
    for (const double mu : {0.5, 0.8}) {
      SCOPED_TRACE((as_patch ? "patch " : "points ") + std::to_string(mu));
      const double push = 0.95 * mu * weight;
      double low = 0, high = 4 * box.half_height;
      for (int k = 0; k < 45; ++k) {
        const double height = 0.5 * (low + high);
        ContactProblem p = pushed_box(box, push, height);
        stand_on_face(p, box, mu, as_patch);
        const auto x = outcome(p);
        (x.velocity[4] > 1e-9 ? high : low) = height;
      }
      EXPECT_NEAR(low, box.half_width * weight / push, 1e-6);
      EXPECT_GT(low, 2 * box.half_width / (2 * mu)) << "the rule w/(2 mu)";
    }
}

/// Below the threshold of tipping, above that of sliding: (F - mu W)/m, without turning.
TEST(ClosedForms, SlidingBox) {
  const Crate box;
  const double weight = box.mass * g * dt, mu = 0.3;
  for (const bool as_patch : {true, false}) {
    ContactProblem p = pushed_box(box, 0.5 * weight, 0.3);
    stand_on_face(p, box, mu, as_patch);
    const auto x = outcome(p);
    EXPECT_NEAR(x.velocity[0], (0.5 - mu) * g * dt, close);
    EXPECT_LE(x.velocity.tail(5).norm(), 1e-8);
  }
}

/// Low pushes press the front edge less than high ones: the centre of pressure moves by F y/W.
TEST(ClosedForms, CentreOfPressureOfAPushedBox) {
  const Crate box;
  const double weight = box.mass * g * dt;
  for (const double height : {0.0, 0.1, 0.4}) {
    ContactProblem p = pushed_box(box, 0.4 * weight, height);
    stand_on_face(p, box, 0.9, true);
    const auto x = outcome(p);
    ASSERT_TRUE(x.labels[0].cop);
    EXPECT_NEAR((*x.labels[0].cop)[0], 0.4 * height, close);
    EXPECT_NEAR(x.labels[0].tip_margin, weight * std::min(0.3 - 0.4 * height, box.half_depth),
                close);
  }
}

// --------------------------------------------------------------------------- moving walls, tables

/// A wedge drives under a load that leans on a wall: it rises with s tan α, whatever its mass.
TEST(ClosedForms, WedgeLiftsALoadAgainstAWall) {
  for (const double mass : {0.1, 3.0, 1e4})
    for (const double angle : {10 * degree, 37 * degree, 80 * degree}) {
      const double s = 2;
      ContactProblem p;
      p.contacts.resize(3);
      for (Contact& contact : p.contacts) contact.law = Frictionless{};
      p.mass = sparse(mass * MatX::Identity(2, 2));
      p.velocity = VecX::Zero(2);
      MatX rows(3, 2);
      rows << 0, 1, -std::sin(angle), std::cos(angle), 1, 0;  // ground, fork, wall
      p.rows = sparse(rows);
      p.excitation = Vec3(0, -s * std::sin(angle), 0);
      const auto x = outcome(p);
      const double rise = s * std::tan(angle);
      EXPECT_NEAR(x.velocity[1], rise, 1e-9 * rise);
      EXPECT_NEAR(x.velocity[0], 0, 1e-9 * rise);
      EXPECT_NEAR(x.lambda[1], mass * rise / std::cos(angle), 1e-9 * mass * rise / std::cos(angle));
      EXPECT_NEAR(x.lambda[2], x.lambda[1] * std::sin(angle), 1e-8 * x.lambda[1]);
      EXPECT_EQ(x.lambda[0], 0) << "off the ground";
    }
}

/// A ball thrown at a wall comes back with e of its speed; with mu it loses mu (1 + e) of the
/// other.
TEST(ClosedForms, Restitution) {
  for (const double e : {0.0, 0.4, 1.0}) {
    ContactProblem p = point_mass(1, CoulombLaw{0.2}, Vec3(5, 0, -2), Vec3::Zero());
    p.contacts[0].restitution = e;
    const auto x = outcome(p);
    EXPECT_NEAR(x.velocity[2], 2 * e, close);
    EXPECT_NEAR(x.velocity[0], 5 - 0.2 * (1 + e) * 2, close);
  }
}

/// A gap of 3 mm lets it fall 3 mm in the step, no more.
TEST(ClosedForms, GapClosesAndNoMore) {
  ContactProblem p = point_mass(1, Frictionless{}, Vec3(0, 0, -2), Vec3::Zero());
  p.rows = sparse(Vec3::UnitZ().transpose());
  p.contacts[0].gap = 0.003;
  p.dt = dt;
  EXPECT_NEAR(outcome(p).velocity[2], -0.3, close);
  p.contacts[0].gap = -0.001;
  p.contacts[0].stabilisation = 0.2;
  EXPECT_NEAR(outcome(p).velocity[2], 0.02, close) << "a fifth of the penetration a step";
}

/// Four legs: statics leaves one load open, the motion is the same from every start.
TEST(ClosedForms, TableOnFourLegs) {
  const Crate table{12, 0.6, 0.4, 0.35};
  const double weight = table.mass * g * dt;
  Rng rng(1);
  for (const double push : {0.0, 0.3, 0.8}) {
    ContactProblem p = pushed_box(table, push * weight, 0.1);
    stand_on_face(p, table, 0.5, false);
    for (int start = 0; start < 20; ++start) {
      VecX from(12);
      for (double& x : from) x = start == 0 ? 0.0 : weight * rng.normal();
      const auto x = outcome(p, from);
      EXPECT_NEAR(x.velocity[0], std::max(push - 0.5, 0.0) * g * dt, 1e-8) << push;
      EXPECT_LE(x.velocity.tail(5).norm(), 1e-8);
      EXPECT_NEAR(x.lambda[2] + x.lambda[5] + x.lambda[8] + x.lambda[11], weight, 1e-8 * weight);
    }
  }
}

}  // namespace
}  // namespace tact
