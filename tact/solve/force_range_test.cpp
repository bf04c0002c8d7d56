#include "tact/solve/force_range.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tact/solve/gauss_seidel.hpp"
#include "tact/solve/lemke.hpp"
#include "tests/support/random_contacts.hpp"

namespace tact {
namespace {

using Status = ForceRange::Status;
using testing::random_contacts;
using testing::RandomContacts;

constexpr double infinity = std::numeric_limits<double>::infinity();
const Vec2 legs[] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

/// A square table, legs at the corners, the weight 1 above (x, y). Motions: v_z, ω_x, ω_y.
RandomContacts table(double x, double y) {
  RandomContacts c;
  c.laws.assign(4, Frictionless{});
  c.J.resize(4, 3);
  for (Index k = 0; k < 4; ++k) c.J.row(k) << 1, legs[k][1], -legs[k][0];
  c.inverse_mass = MatX::Identity(3, 3);
  c.b = c.J * Vec3(-1, -y, x);
  return c;
}

VecX solution(const DelassusProblem& p) {
  LemkeWorkspace work;
  VecX lambda = VecX::Zero(p.rows());
  EXPECT_EQ(lemke(p, {}, work, lambda).status, SolveStatus::converged);
  return lambda;
}

TEST(ForceRange, TableOnFourLegs) {
  // N = W/4 (1 ± x)(1 ± y) + t (1, -1, 1, -1): all the freedom there is.
  for (const double x : {0.0, 0.3, -0.8}) {
    for (const double y : {0.0, 0.5, 1.0}) {
      const DelassusProblem p = table(x, y).problem();
      const ForceRange range = force_range(p, solution(p));
      ASSERT_EQ(range.status, Status::found);
      double n[4];
      for (Index k = 0; k < 4; ++k) n[k] = (1 + legs[k][0] * x) * (1 + legs[k][1] * y) / 4;
      const double down = std::min(n[0], n[2]), up = std::min(n[1], n[3]);
      for (Index k = 0; k < 4; ++k) {
        const bool odd = k % 2 == 1;
        EXPECT_NEAR(range.low[k], n[k] - (odd ? up : down), 1e-12);
        EXPECT_NEAR(range.high[k], n[k] + (odd ? down : up), 1e-12);
        EXPECT_EQ(range.unique[k], range.high[k] - range.low[k] < tolerance::range);
        EXPECT_NEAR(range.least_load(k, k), range.low[k], 1e-12);
        EXPECT_NEAR(range.greatest_load(k, k), range.high[k], 1e-12);
        EXPECT_LE(residual(p, range.least_load.col(k)).natural, 1e-12);
        EXPECT_LE(residual(p, range.greatest_load.col(k)).natural, 1e-12);
      }
      // All legs are alike, so the smallest is the share without t where it may be.
      EXPECT_LE(residual(p, range.smallest).natural, 1e-12);
      for (Index k = 0; k < 4; ++k)
        EXPECT_LE(range.smallest.norm(), range.least_load.col(k).norm() + 1e-12);
    }
  }
}

// A stiff top on four springs sinks and tilts as a plane: N_k = k_k (a + b x_k + c y_k), balanced
// by the weight: three equations for a, b and c.
TEST(ForceRange, TheElasticChoiceIsATopOnSprings) {
  Rng rng(5);
  for (int turn = 0; turn < 50; ++turn) {
    const double x = rng.uniform(-0.3, 0.3), y = rng.uniform(-0.3, 0.3);
    const DelassusProblem p = table(x, y).problem();
    VecX stiffness(4);
    for (Index k = 0; k < 4; ++k) stiffness[k] = rng.log_uniform(1e3, 3e3);
    Mat3 A = Mat3::Zero();
    for (Index k = 0; k < 4; ++k) {
      const Vec3 leg(1, legs[k][0], legs[k][1]);
      A += stiffness[k] * leg * leg.transpose();
    }
    const Vec3 sink = A.ldlt().solve(Vec3(1, x, y));
    const ForceRange range = force_range(p, solution(p), {.stiffness = stiffness});
    ASSERT_EQ(range.status, Status::found);
    for (Index k = 0; k < 4; ++k) {
      const double expected = stiffness[k] * Vec3(1, legs[k][0], legs[k][1]).dot(sink);
      ASSERT_GT(expected, 0) << "a leg that lifts: choose smaller offsets";
      EXPECT_NEAR(range.elastic[k], expected, 1e-12);
    }
    const ForceRange scaled = force_range(p, solution(p), {.stiffness = 1e6 * stiffness});
    EXPECT_LE((scaled.elastic - range.elastic).norm(), 1e-12);
    EXPECT_LE(residual(p, range.elastic).natural, 1e-12);
  }
}

TEST(ForceRange, ThreeLegsAreUnique) {
  RandomContacts c = table(0.1, 0.2);
  c.laws.pop_back();
  c.J.conservativeResize(3, Eigen::NoChange);
  c.b.conservativeResize(3);
  const DelassusProblem p = c.problem();
  const VecX lambda = solution(p);
  const ForceRange range = force_range(p, lambda);
  ASSERT_EQ(range.status, Status::found);
  EXPECT_EQ(range.freedom, 0);
  EXPECT_LE((range.low - lambda).norm() + (range.high - lambda).norm(), 1e-12);
  EXPECT_TRUE(range.unique[0] && range.unique[1] && range.unique[2]);
}

TEST(ForceRange, AWedgedBodyHasNoUpperBound) {
  // Between two walls at rest, pushed by nothing but its weight on a floor.
  RandomContacts c;
  c.laws.assign(3, Frictionless{});
  c.J.resize(3, 2);
  c.J << 1, 0, -1, 0, 0, 1;
  c.inverse_mass = MatX::Identity(2, 2);
  c.b = Vec3(0, 0, -1);
  const DelassusProblem p = c.problem();
  const ForceRange range = force_range(p, solution(p));
  ASSERT_EQ(range.status, Status::found);
  EXPECT_EQ(range.freedom, 1);
  EXPECT_NEAR(range.low[0], 0, 1e-12);
  EXPECT_EQ(range.high[0], infinity);
  EXPECT_EQ(range.high[1], infinity);
  EXPECT_NEAR(range.greatest_load(0, 0), range.greatest_load(1, 0), 1e-12);
  EXPECT_FALSE(range.unique[0]);
  EXPECT_TRUE(range.unique[2]);
  EXPECT_NEAR(range.low[2], 1, 1e-12);
  EXPECT_NEAR(range.high[2], 1, 1e-12);
}

TEST(ForceRange, OddPolygonsAndSlidingContactsKeepTheirLaw) {
  Rng rng(1);
  int loose = 0;
  for (int k = 0; k < 60; ++k) {
    std::vector<Law> laws;
    const auto count = 1 + rng.below(4);
    for (std::uint64_t i = 0; i < count; ++i) laws.push_back(testing::polygonal_law(rng));
    const DelassusProblem p = random_contacts(rng, laws, 3).problem();
    const VecX lambda = solution(p);
    const ForceRange range = force_range(p, lambda);
    ASSERT_EQ(range.status, Status::found) << k;
    for (Index i = 0; i < p.contacts(); ++i) {
      if (!range.unique[i]) ++loose;
      EXPECT_LE(residual(p, range.least_load.col(i)).natural, 1e-7) << k;
      const double most = range.high[p.G.offset[i] + p.laws[i].normal_row()];
      if (!std::isfinite(most)) continue;
      EXPECT_LE(residual(p, range.greatest_load.col(i)).natural, 1e-7) << k;
    }
    for (Index r = 0; r < p.rows(); ++r) {
      const double slack = 1e-7 * lambda.norm();
      EXPECT_LE(range.low[r], lambda[r] + slack) << k;
      EXPECT_GE(range.high[r], lambda[r] - slack) << k;
    }
    EXPECT_LE(residual(p, range.smallest).natural, 1e-7) << k;
  }
  EXPECT_GT(loose, 0);
}

TEST(ForceRange, ExactDiscs) {
  // Two points, one above the other in effect: a point mass held twice. Total T = (0.3, 0),
  // N = 1, mu = 0.5: N_1 anything in 0 ... 1; T_1 follows. With N_1 = n: |T_1| <= n/2,
  // |T - T_1| <= (1 - n)/2. Greatest T_1x: n/2 with the rest anything -> n = 1 gives 0.3;
  // T_1x = n/2 and 0.3 - n/2 >= -(1 - n)/2 -> n = 0.8, T_1x = 0.4.
  RandomContacts c;
  c.laws = {CoulombLaw{0.5}, CoulombLaw{0.5}};
  c.J.resize(6, 3);
  c.J.topRows(3) = c.J.bottomRows(3) = MatX::Identity(3, 3);
  c.inverse_mass = MatX::Identity(3, 3);
  c.b = c.J * Vec3(-0.3, 0, -1);
  const DelassusProblem p = c.problem();
  VecX lambda(6);
  lambda << 0.15, 0, 0.5, 0.15, 0, 0.5;
  ASSERT_LE(residual(p, lambda).natural, 1e-12);
  const ForceRange range = force_range(p, lambda);
  ASSERT_EQ(range.status, Status::found);
  EXPECT_NEAR(range.low[2], 0, 1e-9);
  EXPECT_NEAR(range.high[2], 1, 1e-9);
  EXPECT_NEAR(range.high[0], 0.4, 1e-9);
  EXPECT_NEAR(range.low[0], -0.1, 1e-9);
  // Across: |T_1y| <= n/2 with the other end (0.3 - x, -y): the foci of an ellipse.
  EXPECT_NEAR(range.high[1], 0.2, 1e-6);
  EXPECT_NEAR(range.low[1], -0.2, 1e-6);
  EXPECT_LE((range.smallest - lambda).norm(), 1e-6);
}

TEST(ForceRange, RoundPatches) {
  // Two discs of radius 1 under one plate, centres at (±2, 0) of the plate, weight above (0.5, 0).
  RandomContacts c;
  const FrictionlessPatch foot{{DiscShape{{0, 0}, 1}}};
  c.laws = {foot, foot};
  c.J = MatX::Zero(6, 3);  // [ω_x, ω_y, v_N] of each from (ω_x, ω_y, v_z) of the plate
  for (const Index k : {0, 1}) {
    const double x = k == 0 ? 2 : -2;
    c.J(3 * k, 0) = c.J(3 * k + 1, 1) = c.J(3 * k + 2, 2) = 1;
    c.J(3 * k + 2, 1) = -x;
  }
  c.inverse_mass = MatX::Identity(3, 3);
  c.b = c.J * -(c.J.transpose() * (VecX(6) << 0, 0, 0.625, 0, 0, 0.375).finished());
  const DelassusProblem p = c.problem();
  VecX lambda(6);
  lambda << 0, 0, 0.625, 0, 0, 0.375;
  ASSERT_LE(residual(p, lambda).natural, 1e-12);
  const ForceRange range = force_range(p, lambda);
  ASSERT_EQ(range.status, Status::found);
  // Centres of pressure x_1 in 1 ... 3, x_2 in -3 ... -1: f_1 x_1 + (1 - f_1) x_2 = 0.5.
  EXPECT_NEAR(range.high[2], 3.5 / 4, 1e-9);  // x_1 = 1, x_2 = -3
  EXPECT_NEAR(range.low[2], 1.5 / 4, 1e-9);   // x_1 = 3, x_2 = -1
}

TEST(ForceRange, RoundPatchesThatTouchAlongAnEdge) {
  // A capsule on its side edge y = -0.2 from x = -1 to 1, turning about x: it opens everywhere
  // else. Two of the same plate under one weight share it anywhere along their edges.
  RandomContacts c;
  const FrictionlessPatch foot{{StadiumShape{{-1, 0}, {1, 0}, 0.2}}};
  c.laws = {foot, foot};
  c.J = MatX::Zero(6, 3);
  c.J.topRows(3) = c.J.bottomRows(3) = MatX::Identity(3, 3);
  c.inverse_mass = MatX::Identity(3, 3);
  // v_N(x) = v + ω_x y - ω_y x: zero at y = -0.2 for ω_x = 1, v = 0.2.
  const Vec3 moving(1, 0, 0.2);
  const Vec3 load = Vec3(-0.2, 0, 1) * 2;  // [m_x, m_y, f]: in the middle of the edge
  c.b = c.J * (moving - 2 * load);
  VecX lambda(6);
  lambda << load, load;
  const DelassusProblem p = c.problem();
  ASSERT_LE(residual(p, lambda).natural, 1e-12);
  const ForceRange range = force_range(p, lambda);
  ASSERT_EQ(range.status, Status::found);
  EXPECT_EQ(range.freedom, 2) << "a load and a moment go from one to the other";
  EXPECT_NEAR(range.high[2], 4, 1e-9);
  EXPECT_NEAR(range.low[2], 0, 1e-9);
  // m_y = -f x, the most where half of the load is at either end.
  EXPECT_NEAR(range.high[1], 2, 1e-9);
  EXPECT_NEAR(range.low[1], -2, 1e-9);
}

TEST(ForceRange, RollingContactsShareTheirMoments) {
  // Two wheels' worth of the same contact: N = 1, spin torque 0.05 of at most 0.1 each per load.
  RandomContacts c;
  c.laws = {RollingLaw{0.5, 0.2, 0.1}, RollingLaw{0.5, 0.2, 0.1}};
  c.J.resize(12, 6);
  c.J.topRows(6) = c.J.bottomRows(6) = MatX::Identity(6, 6);
  c.inverse_mass = MatX::Identity(6, 6);
  VecX total = VecX::Zero(6);
  total[2] = 0.05;
  total[5] = 1;
  c.b = -c.J * total;
  const DelassusProblem p = c.problem();
  VecX lambda(12);
  lambda << total / 2, total / 2;
  ASSERT_LE(residual(p, lambda).natural, 1e-12);
  const ForceRange range = force_range(p, lambda);
  ASSERT_EQ(range.status, Status::found);
  EXPECT_NEAR(range.high[5], 1, 1e-8);
  EXPECT_NEAR(range.low[5], 0, 1e-8);
  // m_1 <= 0.1 n and 0.05 - m_1 >= -0.1 (1 - n): m_1 = 0.075 at n = 0.75.
  EXPECT_NEAR(range.high[2], 0.075, 1e-8);
  EXPECT_FALSE(range.unique[0]);
}

TEST(ForceRange, FrictionInAWedgeIsUnboundedToo) {
  // Two opposite walls, planar friction, and a weight along them.
  RandomContacts c;
  c.laws = {CoulombLaw{0.5, true}, CoulombLaw{0.5, true}};
  c.J.resize(4, 2);
  c.J << 0, 1, 1, 0, 0, 1, -1, 0;
  c.inverse_mass = MatX::Identity(2, 2);
  c.b = c.J * Vec2(0, -1);
  const DelassusProblem p = c.problem();
  VecX lambda(4);
  lambda << 0.5, 2, 0.5, 2;
  ASSERT_LE(residual(p, lambda).natural, 1e-12);
  const ForceRange range = force_range(p, lambda);
  ASSERT_EQ(range.status, Status::found);
  EXPECT_NEAR(range.low[1], 1, 1e-12);  // 2 mu N = W
  EXPECT_EQ(range.high[1], infinity);
  EXPECT_EQ(range.high[0], infinity);
  EXPECT_EQ(range.low[0], -infinity);
}

TEST(ForceRange, SaysWhatItCannotDo) {
  RandomContacts c;
  c.laws = {CoulombLaw{0.5}};
  c.J = c.inverse_mass = MatX::Identity(3, 3);
  c.b = Vec3(0, 0, -1);
  const DelassusProblem p = c.problem();
  EXPECT_EQ(force_range(p, Vec3(0, 0, 1)).status, Status::found);
  EXPECT_EQ(force_range(p, Vec3(0, 0, 0.5)).status, Status::not_solved);
  EXPECT_EQ(force_range(p, Vec3(0.4, 0, 0.1)).status, Status::not_solved);
  FrictionalPatch rubbing;
  rubbing.shape.value = DiscShape{{0, 0}, 1};
  RandomContacts patch;
  patch.laws = {rubbing};
  patch.J = patch.inverse_mass = MatX::Identity(6, 6);
  patch.b = VecX::Zero(6);
  EXPECT_EQ(force_range(patch.problem(), VecX::Zero(6)).status, Status::unsupported);
}

}  // namespace
}  // namespace tact
