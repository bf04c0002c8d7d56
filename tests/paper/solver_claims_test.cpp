// What the sources say of laws, as constraints of a solver: patches by their corners, friction that
// dissipates most.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tests/support/bodies.hpp"

namespace tact {
namespace {

using namespace testing;

VecX random_motion(Rng& rng) {
  VecX v(6);
  for (double& x : v) x = rng.normal();
  v[2] -= 1;
  return v;
}

/// [MontMarin25] (17): what a patch may carry is what its corners may carry together, so a polygon
/// moves as its corners do; how they share the load is of no account.
TEST(SolverClaims, APatchMovesAsItsCornersDo) {
  Rng rng(1);
  int tipped = 0;
  for (int k = 0; k < 300; ++k) {
    const Crate box{1 + rng.uniform(), rng.uniform(0.1, 1), rng.uniform(0.1, 1),
                    rng.uniform(0.1, 1)};
    ContactProblem patch = free_box(box, Vec3::Zero(), Vec3::Zero());
    patch.velocity = random_motion(rng);
    ContactProblem points = patch;
    touch(patch, smooth_patch(face(box)), Vec3(0, 0, -box.half_height));
    for (const Vec3& foot : feet(box)) touch(points, Frictionless{}, foot);
    const auto a = outcome(patch), b = outcome(points);
    EXPECT_LE((a.velocity - b.velocity).norm(), 1e-7 * (1 + b.velocity.norm())) << k;
    EXPECT_NEAR(a.lambda[2], b.lambda.sum(), 1e-7 * (1 + b.lambda.sum())) << k;
    tipped += a.labels[0].regime == Regime::tip_edge || a.labels[0].regime == Regime::tip_vertex;
  }
  EXPECT_GT(tipped, 50) << "cases that turn over an edge or a corner";
}

/// [MontMarin25] (10), (17): only the hull counts. A disc is the limit of its polygons: the
/// cones differ by 1/n², and the nearest points of two such cones by the root of that.
TEST(SolverClaims, ADiscIsTheLimitOfItsPolygons) {
  const Crate box;
  Rng rng(2);
  for (int k = 0; k < 20; ++k) {
    ContactProblem disc = free_box(box, Vec3::Zero(), Vec3::Zero());
    disc.velocity = random_motion(rng);
    const auto with = [&](const PatchShape& shape) {
      ContactProblem p = disc;
      touch(p, smooth_patch(shape), Vec3(0, 0, -box.half_height));
      return outcome(p).velocity;
    };
    const VecX round = with({DiscShape{{0, 0}, 0.3}});
    for (const int corners : {16, 64, 256}) {
      PolygonShape polygon;
      for (int i = 0; i < corners; ++i) {
        const double a = 2 * std::numbers::pi * i / corners;
        polygon.points.emplace_back(0.3 * std::cos(a), 0.3 * std::sin(a));
      }
      EXPECT_LE((with({polygon}) - round).norm(), 2 * (1 + round.norm()) / corners) << corners;
    }
  }
}

/// [MontMarin25] (17): no force where the patch opens, no opening where it presses.
TEST(SolverClaims, PressureOnlyWhereItStaysClosed) {
  Rng rng(3);
  for (int k = 0; k < 300; ++k) {
    const Crate box;
    ContactProblem p = free_box(box, Vec3::Zero(), Vec3::Zero());
    p.velocity = random_motion(rng);
    touch(p, rough_patch(face(box), rng.uniform()), Vec3(0, 0, -box.half_height));
    const auto x = outcome(p);
    const VecX motion = p.rows * x.velocity;
    for (const Vec3& foot : feet(box))
      EXPECT_GE(motion[5] + motion[0] * foot[1] - motion[1] * foot[0], -1e-9) << k;
    const double power =
        x.lambda[0] * motion[0] + x.lambda[1] * motion[1] + x.lambda[5] * motion[5];
    EXPECT_NEAR(power, 0, 1e-9);
    if (!x.labels[0].cop) continue;
    const Vec2 c = *x.labels[0].cop;
    EXPECT_NEAR(motion[5] + motion[0] * c[1] - motion[1] * c[0], 0, 1e-8) << "closed at the centre";
  }
}

/// [FrictionM4] stick, slip: of all impulses friction may choose under the same load it takes the
/// one that dissipates most, and none when a smaller one stops the motion.
TEST(SolverClaims, FrictionDissipatesMost) {
  Rng rng(4);
  for (int k = 0; k < 200; ++k) {
    const double mu = rng.uniform(0, 2);
    const Vec3 velocity(rng.normal(), rng.normal(), -rng.uniform(0.1, 1));
    const auto x = outcome(point_mass(2, CoulombLaw{mu}, velocity, Vec3::Zero()));
    const double n = x.lambda[2], before = std::hypot(velocity[0], velocity[1]);
    EXPECT_NEAR(n, -2 * velocity[2], 1e-9);
    const double after = std::hypot(x.velocity[0], x.velocity[1]);
    EXPECT_NEAR(after, std::max(before - mu * n / 2, 0.0), 1e-9) << "slowed by mu n or stopped";
    for (int j = 0; j < 20; ++j) {
      const double a = rng.uniform(0, 2 * std::numbers::pi), r = mu * n * rng.uniform();
      const Vec2 other(r * std::cos(a), r * std::sin(a));
      EXPECT_LE(x.lambda.head<2>().dot(x.velocity.head<2>()),
                other.dot(Vec2(x.velocity.head<2>())) + 1e-9);
    }
  }
}

/// [FrictionM4] box: each axis is bounded on its own, so that two planar contacts with half the
/// load each would not do; the axes do not know of each other.
TEST(SolverClaims, AxesOfABoxDoNotKnowOfEachOther) {
  Rng rng(5);
  for (int k = 0; k < 200; ++k) {
    const double mu = rng.uniform(0, 2), c = mu * BoxScale::inscribed().value;
    const Vec3 velocity(rng.normal(), rng.normal(), -rng.uniform(0.1, 1));
    const auto x = outcome(point_mass(1, BoxLaw{mu}, velocity, Vec3::Zero()));
    for (Index i = 0; i < 2; ++i)
      EXPECT_NEAR(x.lambda[i], std::clamp(-velocity[i], c * velocity[2], -c * velocity[2]), 1e-9);
  }
}

}  // namespace
}  // namespace tact
