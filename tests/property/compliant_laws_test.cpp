// Laws of the compliant contact: what every pair must obey, whatever its constants.
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/soft/motion_split.hpp"
#include "tact/soft/slip.hpp"
#include "tact/soft/soft_pair.hpp"
#include "tact/soft/stiffness.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::random_vec3;
using testing::rounding;

constexpr double pi = std::numbers::pi;

Mat2 random_spd(Rng& rng, double scale) {
  const Mat2 m = (Mat2() << rng.normal(), rng.normal(), rng.normal(), rng.normal()).finished();
  return scale * (m * m.transpose() + 0.2 * Mat2::Identity());
}

/// One of everything a pair may be.
SoftPair random_pair(Rng& rng) {
  SoftPair pair;
  switch (rng.below(3)) {
    case 0:
      pair.normal = LinearNormal{rng.uniform(1e3, 1e5), rng.uniform(0, 10), 0, true};
      break;
    case 1:
      pair.normal = HertzNormal{std::pow(10, rng.uniform(5, 8)), rng.uniform(0, 2), false};
      break;
    default:
      pair.normal = HertzNormal{std::pow(10, rng.uniform(5, 8)), rng.uniform(0, 2), true};
  }
  if (rng.below(2) == 0) {
    pair.tangent = MindlinTangent{std::pow(10, rng.uniform(5, 8)), std::pow(10, rng.uniform(5, 8))};
  } else {
    PadTangent pads;
    pads.one = SoftPad{random_spd(rng, 3e3), rng.uniform(0.1, 1), random_vec3(rng)};
    if (rng.below(2) == 0)
      pads.two = SoftPad{random_spd(rng, 3e3), rng.uniform(0.1, 1), random_vec3(rng)};
    pair.tangent = pads;
  }
  pair.patch = rng.below(2) == 0 ? PatchModel::hertz : PatchModel::quadric;
  pair.friction.coefficient = rng.uniform(0.1, 1.5);
  if (rng.below(2) == 0)
    pair.friction.tensor =
        FrictionTensor{random_spd(rng, 0.3), random_vec3(rng), rng.below(2) == 0};
  return pair;
}

struct Meeting {
  PairGeometry geometry;
  Mat3 R12;
};

Meeting random_meeting(Rng& rng) {
  const Pose X = testing::random_pose(rng);
  Meeting m{{}, exp_so3(testing::random_rotation_vector(rng))};
  m.geometry.E = X.R.leftCols<2>();
  m.geometry.n = X.R.col(2);
  m.geometry.p1 = X.p;
  m.geometry.gap = -std::pow(10.0, rng.uniform(-6, -2.5));
  m.geometry.A1 = random_spd(rng, 30);
  m.geometry.A2 = random_spd(rng, 30);
  return m;
}

TEST(CompliantLaws, RandomPairsAreAcceptedAndTheirTensorsDefinite) {
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const auto pair = checked(random_pair(rng));
    ASSERT_TRUE(pair) << pair.error().message;
    const Meeting m = random_meeting(rng);
    const SoftResponse r = respond(*pair, place_of(*pair, m.geometry, m.R12));
    EXPECT_GT(r.normal.energy, 0);
    EXPECT_GT(r.normal.force, 0);
    EXPECT_GT(r.K_t(0, 0), 0);
    EXPECT_GT(r.K_t.determinant(), 0);
    EXPECT_LE((r.K_t_root * r.K_t_root - r.K_t).norm(), rounding * r.K_t.norm());
    EXPECT_GT(r.Q.determinant(), 0);
    EXPECT_GT(r.Q(2, 2), 0);
    EXPECT_EQ(r.Q, r.Q.transpose());
    EXPECT_EQ(r.normal.dU_dA, r.normal.dU_dA.transpose());
    // More pressed is harder: U is convex in the gap, falls with curvature.
    EXPECT_LE(r.normal.dU_dA.trace(), 0);
    EXPECT_GE(r.normal.patch.a, r.normal.patch.b);
  }
}

// The pair (N, N*) behind (P, P*): whatever K_t and the frame do, s·ṡ is the power of the wrench.
TEST(CompliantLaws, SpringsKeepTheEnergyWhateverTheStiffnessDoes) {
  Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    const SoftPair pair = random_pair(rng);
    const Meeting m = random_meeting(rng);
    const SoftResponse r = respond(pair, place_of(pair, m.geometry, m.R12));
    const MotionSplit split = motion_split(m.geometry, pair.centre_share);
    const Twist T = testing::random_twist(rng);
    const Vec3 s = random_vec3(rng, 0.01);
    const Vec4 xi = strain_rate(split, T);
    Vec3 rate;
    rate << r.K_t_root * xi.head<2>(), r.k_theta_root * xi[3];
    Vec4 w;
    w << r.K_t_root * s.head<2>(), -r.normal.force, r.k_theta_root * s[2];
    const double stored = s.dot(rate) - r.normal.force * xi[2];
    const double given = power(T, spring_wrench(split, w));
    EXPECT_NEAR(stored, given, rounding * w.norm() * (1 + split.c.norm()) * T.vec().norm() * 4);
  }
}

// Random closed ways in gap, curvature and tangent: what went in is stored or lost, and what is
// lost is not negative.
TEST(CompliantLaws, NoCycleMakesEnergy) {
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const SoftPair pair = random_pair(rng);
    Meeting m = random_meeting(rng);
    const double depth = -m.geometry.gap;
    Vec3 s = Vec3::Zero();
    double work = 0, loss = 0;
    bool slipped = false;
    for (int k = 0; k < 200; ++k) {
      const double phase = 2 * pi * k / 200;
      m.geometry.gap = -depth * (1.01 - std::cos(phase));
      const SoftResponse r = respond(pair, place_of(pair, m.geometry, m.R12));
      const double f = normal_force(pair, place_of(pair, m.geometry, m.R12), r, rng.normal());
      const Vec3 motion(depth * rng.normal(), depth * rng.normal(), 0.05 * rng.normal());
      Vec3 increment;
      increment << r.K_t_root * motion.head<2>(), r.k_theta_root * motion[2];
      const SlipStep step = slip_step(r.Q, f, s, increment, slipped ? 1 : 0.5);
      EXPECT_GE(step.loss, 0);
      work += step.force_state.dot(increment);
      loss += step.loss;
      s = step.s1;
      slipped = step.slips;
    }
    EXPECT_NEAR(work, loss + s.squaredNorm() / 2, 1e-12 * (loss + s.squaredNorm()));
  }
}

// The form f = k_t(Δ) x with an extension x instead of the state s: sheared under a small load and
// released under a large one it gives back more than it got.
TEST(CompliantLaws, ExtensionInsteadOfStateMakesEnergy) {
  const auto pair = elastic_pair(Material{1e6, 0.3, 0}, hard_material, 10);
  ASSERT_TRUE(pair);
  const auto stiffness = [&](double gap) {
    SoftPlace place;
    place.gap = gap;
    place.A_rel = 50 * Mat2::Identity();
    return respond(*pair, place).K_t(0, 0);
  };
  const double low = stiffness(-1e-4), high = stiffness(-1e-3), x = 1e-5;
  const double naive = low * x * x / 2 - high * x * x / 2;
  EXPECT_LT(naive, -0.5 * low * x * x) << "work into the contact over the cycle";
  // The state that the shear left, s = √k_low x, is released along √k_high: what comes out is ½s².
  const double s = std::sqrt(low) * x, way = s / std::sqrt(high);
  EXPECT_NEAR(std::sqrt(high) * s * way / 2, low * x * x / 2, rounding * low * x * x);
}

TEST(CompliantLaws, CurvatureMovesTheEnergySmoothlyThroughUmbilics) {
  // A_rel is led straight through a multiple of the unit: the energy by its derivative, all the
  // way.
  const SoftPair pair;
  Rng rng(4);
  for (int i = 0; i < 20; ++i) {
    const Mat2 way = (Mat2() << rng.normal(), rng.normal(), 0, rng.normal()).finished();
    const Mat2 direction = 10 * (way + way.transpose()) / way.norm();
    SoftPlace place;
    place.gap = -1e-3;
    const auto at = [&](double t) {
      place.A_rel = 60 * Mat2::Identity() + t * direction;
      return respond(pair, place).normal;
    };
    constexpr int steps = 400;
    double sum = 0;
    for (int k = 0; k < steps; ++k)
      sum += at(-1 + (2.0 * k + 1) / steps).dU_dA.cwiseProduct(2.0 / steps * direction).sum();
    const double change = at(1).energy - at(-1).energy;
    EXPECT_NEAR(sum, change, 1e-5 * at(0).energy);
  }
}

}  // namespace
}  // namespace tact
