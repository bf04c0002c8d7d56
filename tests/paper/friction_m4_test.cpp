// [FrictionM4] Complementarity conditions for friction: one test per claim, and for each printed
// error one that shows the printed form fail where the corrected one holds (docs/errata.md).
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/cone/box.hpp"
#include "tact/cone/coulomb.hpp"
#include "tact/cone/friction_law.hpp"
#include "tact/cone/pyramid.hpp"

namespace tact {
namespace {

constexpr double rounding = 1e-13;

struct Pair {
  Vec3 lambda, v;
};

/// Random pairs that satisfy the law, by construction: sticking, sliding, taking off.
Pair lawful_pair(Rng& rng, double mu) {
  const double n = rng.uniform(0.1, 3), angle = rng.uniform(0, 2 * std::numbers::pi);
  const Vec2 e(std::cos(angle), std::sin(angle));
  switch (rng.below(3)) {
    case 0: {
      const Vec2 t = mu * n * rng.uniform() * e;
      return {Vec3(t[0], t[1], n), Vec3::Zero()};
    }
    case 1: {
      const Vec2 t = -mu * n * e, slip = rng.uniform(0.1, 2) * e;
      return {Vec3(t[0], t[1], n), Vec3(slip[0], slip[1], 0)};
    }
    default:
      return {Vec3::Zero(), Vec3(rng.normal(), rng.normal(), rng.uniform(0.1, 2))};
  }
}

double all_residuals(double mu, const Pair& p, double rho) {
  return std::max({natural_map(mu, p.lambda, p.v, rho).norm(),
                   fischer_burmeister(mu, p.lambda, p.v, rho).norm(),
                   multiplier_residual(mu, p.lambda, p.v, rho)});
}
double least_residual(double mu, const Pair& p, double rho) {
  return std::min({natural_map(mu, p.lambda, p.v, rho).norm(),
                   fischer_burmeister(mu, p.lambda, p.v, rho).norm(),
                   multiplier_residual(mu, p.lambda, p.v, rho)});
}

// [FrictionM4] NCP: each residual vanishes on every lawful pair, for every scaling ρ, and on no
// other.
TEST(FrictionM4, ResidualsVanishExactlyOnTheLaw) {
  Rng rng(1);
  for (const double mu : {0.0, 0.2, 0.7, 1.5}) {
    for (int k = 0; k < 300; ++k) {
      const Pair p = lawful_pair(rng, mu);
      // Fischer-Burmeister takes roots of differences: half the digits remain at the boundary.
      for (const double rho : {0.1, 1.0, 10.0}) {
        EXPECT_LE(natural_map(mu, p.lambda, p.v, rho).norm(), 10 * rounding);
        EXPECT_LE(multiplier_residual(mu, p.lambda, p.v, rho), 10 * rounding);
        EXPECT_LE(fischer_burmeister(mu, p.lambda, p.v, rho).norm(), 1e-6);
        EXPECT_LE(signorini_residual(p.lambda[2], p.v[2], rho), rounding);
      }
      EXPECT_NEAR(dissipation_gap(mu, p.lambda, p.v), 0, 10 * rounding);
      EXPECT_NEAR(bipotential_gap(mu, p.lambda, p.v), 0, 10 * rounding);
      // Where one of them sees a violation all of them do: none vanishes anywhere else.
      Pair wrong = p;
      wrong.v[static_cast<Index>(rng.below(3))] += p.lambda[2] > 0 ? 0.5 : -3.0;
      EXPECT_GE(least_residual(mu, wrong, 1), 1e-4 * all_residuals(mu, wrong, 1) - 1e-6) << mu;
    }
  }
}

// The bipotential gap is non-negative on K x {v_n >= 0}: a certificate, not only a residual.
TEST(FrictionM4, BipotentialGapIsNonNegative) {
  Rng rng(2);
  for (int k = 0; k < 1000; ++k) {
    const double mu = rng.uniform(0, 2);
    const Vec3 lambda = CoulombCone(mu).project(Vec3(rng.normal(), rng.normal(), rng.normal()));
    const Vec3 v(rng.normal(), rng.normal(), std::abs(rng.normal()));
    EXPECT_GE(bipotential_gap(mu, lambda, v), -10 * rounding);
  }
}

// [FrictionM4] stick, slip, take-off: labels with margins and the slip multiplier; the note has no
// third regime and demands |λ_t| < μ λ_n for sticking, where equality is allowed.
TEST(FrictionM4, StickSlipTakeOff) {
  const PointScales scales;
  const double mu = 0.5;
  EXPECT_EQ(classify_point(mu, Vec3(0.1, 0, 1), Vec3::Zero(), scales).regime, PointRegime::stick);
  EXPECT_EQ(classify_point(mu, Vec3(0.5, 0, 1), Vec3::Zero(), scales).regime, PointRegime::stick)
      << "at the limit, and still at rest";
  const auto slide = classify_point(mu, Vec3(-0.3, -0.4, 1), Vec3(0.6, 0.8, 0), scales);
  EXPECT_EQ(slide.regime, PointRegime::slide);
  EXPECT_NEAR(slide.multiplier, 1, rounding);
  EXPECT_NEAR(slide.slip_margin, 0, rounding);
  EXPECT_EQ(classify_point(mu, Vec3::Zero(), Vec3(3, -1, 2), scales).regime, PointRegime::separate);
  EXPECT_EQ(classify_point(mu, Vec3::Zero(), Vec3(3, -1, 0), scales).regime, PointRegime::idle)
      << "as a patch of one point: nothing presses and nothing opens";
  EXPECT_EQ(classify_point(mu, Vec3::Zero(), Vec3::Zero(), scales).regime, PointRegime::idle);
  EXPECT_EQ(name(PointRegime::slide), "slide");
}

// [FrictionM4] normal: Signorini's condition as a residual.
TEST(FrictionM4, NormalComplementarity) {
  EXPECT_EQ(signorini_residual(2, 0, 1), 0);
  EXPECT_EQ(signorini_residual(0, 3, 1), 0);
  EXPECT_EQ(signorini_residual(2, 3, 1), 2);
  EXPECT_EQ(signorini_residual(-1, 3, 1), 1);
  EXPECT_EQ(signorini_residual(2, -1, 2), 2);
}

// [FrictionM4] maximum dissipation: printed as argmax λ'v_t, which pushes along the motion and
// contradicts the note's own result; argmin dissipates most.
TEST(FrictionM4, MaximumDissipationIsArgmin) {
  const double mu = 0.5;
  const Vec3 v(1, 0, 0);
  const Vec3 printed(mu, 0, 1), corrected(-mu, 0, 1);
  EXPECT_NEAR(printed.head<2>().dot(v.head<2>()), 0.5, rounding) << "power put in by friction";
  EXPECT_NEAR(corrected.head<2>().dot(v.head<2>()), -0.5, rounding);
  EXPECT_NEAR(dissipation_gap(mu, corrected, v), 0, rounding);
  EXPECT_NEAR(dissipation_gap(mu, printed, v), 1, rounding);
  Rng rng(3);
  for (int k = 0; k < 200; ++k) {  // no admissible force dissipates more
    const Vec3 other = CoulombCone(mu).project(Vec3(rng.normal(), rng.normal(), 1));
    EXPECT_GE(dissipation_gap(mu, other, v), -rounding);
  }
}

// [FrictionM4] box: with the printed signs a sliding mass at the bound gains energy, with the
// corrected ones it is braked: m = 1 kg, v = 1 m/s, bound 0.4 N s.
TEST(FrictionM4, BoxSignsArePrintedTheWrongWayRound) {
  const double bound = 0.4, mass = 1, before = 1;
  // Printed: upper bound active goes with v >= 0.
  const double printed_after = before + bound / mass;
  EXPECT_GE(printed_after, 0);
  EXPECT_NEAR(0.5 * mass * printed_after * printed_after, 0.98, rounding) << "from 0.5 J";
  // Corrected: the lower bound goes with v >= 0.
  const double after = before - bound / mass;
  const double c = 0.4;
  EXPECT_NEAR(box_residual(c, Vec3(-bound, 0, 1), Vec3(after, 0, 0), 1), 0, rounding);
  EXPECT_GT(box_residual(c, Vec3(bound, 0, 1), Vec3(printed_after, 0, 0), 1), 0.1);
  EXPECT_LT(0.5 * mass * after * after, 0.5);
}

// [FrictionM4] box: bounds and labels per axis.
TEST(FrictionM4, BoxBoundsPerAxis) {
  const PointScales scales;
  const auto bounds = box_bounds(0.5, Vec3(-0.5, 0.2, 1), scales);
  EXPECT_EQ(bounds[0], BoxBound::lower);
  EXPECT_EQ(bounds[1], BoxBound::stick);
  EXPECT_EQ(name(box_bounds(0.5, Vec3(0.1, 0.5, 1), scales)[1]), "upper");
  EXPECT_EQ(box_bounds(0.5, Vec3::Zero(), scales)[0], BoxBound::stick);
}

// [FrictionM4] box: μ/√2 is the inscribed box. Dissipation over that of the round cone, by
// direction.
TEST(FrictionM4, BoxScalesKeepDifferentProperties) {
  struct Case {
    BoxScale scale;
    double least, mean, most;
  };
  const double pi = std::numbers::pi;
  const double root2 = std::numbers::sqrt2;
  for (const Case& c : {Case{BoxScale::inscribed(), 1 / root2, 4 / (pi * root2), 1},
                        Case{BoxScale::circumscribed(), 1, 4 / pi, root2},
                        Case{BoxScale::mean_dissipation(), pi / 4, 1, root2 * pi / 4}}) {
    const PlanarCone box = box_cone(0.6, c.scale);
    double least = 10, most = 0, sum = 0;
    constexpr int directions = 3600;
    for (int i = 0; i < directions; ++i) {
      const double a = 2 * pi * i / directions;
      const Vec3 d(std::cos(a), std::sin(a), 0);
      const double share = box.support(d).dot(d) / 0.6;
      least = std::min(least, share);
      most = std::max(most, share);
      sum += share;
    }
    EXPECT_NEAR(least, c.least, 1e-6);
    EXPECT_NEAR(most, c.most, 1e-6);
    EXPECT_NEAR(sum / directions, c.mean, 1e-6);
  }
}

/// A pyramid of k edges reaches between cos(π/k) and 1 of the round cone.
TEST(FrictionM4, PyramidsApproachTheRoundCone) {
  for (const int k : {4, 8, 16, 64}) {
    const PlanarCone pyramid = pyramid_cone(0.8, k);
    const double half = std::numbers::pi / k;
    EXPECT_NEAR(pyramid.support(Vec3(1, 0, 0))[0], 0.8, rounding);
    const Vec3 between(std::cos(half), std::sin(half), 0);
    EXPECT_NEAR(pyramid.support(between).dot(between), 0.8 * std::cos(half), rounding);
  }
}

// [FrictionM4] NCP: the printed φ is no complementarity function. It has no velocity in it, it
// vanishes for λ_n = 0 whatever λ_t is, and on a cone that is not the friction cone; it does not
// vanish on lawful sticking and sliding.
TEST(FrictionM4, PrintedPhiIsNotAComplementarityFunction) {
  const auto phi = [](double mu, const Vec3& l) {
    const double t = l.head<2>().norm();
    return std::hypot(t, l[2]) - (mu * l[2] + t);
  };
  EXPECT_NEAR(phi(0.5, Vec3(3, 4, 0)), 0, rounding) << "friction without contact";
  EXPECT_NEAR(phi(0.5, Vec3(0.75, 0, 1)), 0, rounding) << "outside the cone: 0.75 > 0.5";
  EXPECT_NEAR(phi(0.5, Vec3(0.1, 0, 1)), 0.405, 1e-3) << "lawful sticking";
  EXPECT_NEAR(phi(0.5, Vec3(0.5, 0, 1)), 0.118, 1e-3) << "lawful sliding";
  EXPECT_NEAR(phi(1 / std::sqrt(3.0), Vec3(1 / std::sqrt(3.0), 0, 1)), 0, rounding)
      << "the two cones agree for this μ only";
}

// Box friction and pyramids follow the moving bound: at λ_n = 0 no tangential force is left.
TEST(FrictionM4, NoFrictionWithoutContact) {
  EXPECT_GT(box_residual(0.5, Vec3(0.1, 0, 0), Vec3::Zero(), 1), 0.05);
  EXPECT_LT(box_cone(0.5).margin(Vec3(0.1, 0, 0)), 0);
  EXPECT_LT(pyramid_cone(0.5, 8).margin(Vec3(0.1, 0, 0)), 0);
}

// De Saxcé's shift against the naive projection: without it a sliding contact lifts off.
TEST(FrictionM4, DeSaxceShift) {
  EXPECT_EQ(de_saxce_shift(0.5, Vec3(3, 4, 1)), Vec3(3, 4, 3.5));
  const double mu = 0.3;
  const Vec3 lambda(-mu, 0, 1), v(1, 0, 0);
  EXPECT_NEAR(natural_map(mu, lambda, v, 1).norm(), 0, rounding);
  const Vec3 naive = lambda - CoulombCone(mu).project(lambda - v);
  EXPECT_GT(naive.norm(), 0.1) << "associated flow is not Coulomb's law";
}

}  // namespace
}  // namespace tact
