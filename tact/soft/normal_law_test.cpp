#include "tact/soft/normal_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tests/support/restitution.hpp"

namespace tact {
namespace {

using testing::Bounce;

const Mat2 round_tip = 50 * Mat2::Identity();

/// A mass thrown at the law, by Runge-Kutta of fourth order; the last step is cut at the end of the
/// contact.
Bounce thrown(const NormalLaw& law, double m, double v0, double dt) {
  const auto force = [&](double gap, double rate) {
    const NormalState state = normal_state(law, PatchModel::none, gap, round_tip);
    return damped_force(law, gap, state.force, rate);
  };
  const auto step = [&](double& x, double& v, double h) {
    const double v1 = v, a1 = force(x, v) / m;
    const double v2 = v + h / 2 * a1, a2 = force(x + h / 2 * v1, v2) / m;
    const double v3 = v + h / 2 * a2, a3 = force(x + h / 2 * v2, v3) / m;
    const double v4 = v + h * a3, a4 = force(x + h * v3, v4) / m;
    x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  };
  Bounce out;
  double x = -tolerance::smallest, v = -v0, t = 0;
  while (v < 0 || force(x, v) > 0) {
    step(x, v, dt);
    t += dt;
    out.depth = std::max(out.depth, -x);
  }
  out.time = t;
  out.restitution = v / v0;
  return out;
}

TEST(NormalLaw, KelvinVoigtBouncesAsItsClosedForm) {
  const double m = 0.1, k = 2e4;
  for (const double b : {5.0, 40.0}) {
    const Bounce expected = testing::kelvin_voigt_bounce(m, k, b, 0.5);
    const Bounce seen = thrown(LinearNormal{k, b, 0, true}, m, 0.5, 1e-6);
    EXPECT_NEAR(seen.restitution, expected.restitution, 1e-6);
    EXPECT_NEAR(seen.depth, expected.depth, 1e-6 * expected.depth);
    EXPECT_NEAR(seen.time, expected.time, 2e-6);
  }
}

TEST(NormalLaw, HertzBouncesAsItsClosedForm) {
  const double m = 0.1, modulus = 1e6, K_h = 4.0 / 3 * modulus / std::sqrt(50.0);
  for (const double v0 : {0.2, 2.0}) {
    const Bounce expected = testing::hertz_bounce(m, K_h, v0);
    const Bounce seen = thrown(HertzNormal{modulus, 0, false}, m, v0, 2e-6);
    EXPECT_NEAR(seen.restitution, 1, 1e-6);
    EXPECT_NEAR(seen.depth, expected.depth, 1e-6 * expected.depth);
    EXPECT_NEAR(seen.time, expected.time, 4e-6);
    EXPECT_NEAR(expected.time, 2.9433 * expected.depth / v0, 1e-4 * expected.time);
  }
}

TEST(NormalLaw, HuntCrossleyBouncesAsItsClosedFormWhateverTheExponent) {
  for (const double d : {0.2, 0.6})
    for (const double v0 : {0.1, 1.0, 2.0}) {
      const double expected = testing::hunt_crossley_restitution(d, v0);
      EXPECT_NEAR(thrown(HertzNormal{1e6, d, false}, 0.1, v0, 4e-6).restitution, expected, 1e-6);
      EXPECT_NEAR(thrown(LinearNormal{2e4, 0, d, true}, 0.3, v0, 4e-6).restitution, expected, 1e-5);
    }
}

TEST(NormalLaw, NeverPullsUnlessAskedTo) {
  for (const NormalLaw& law :
       {NormalLaw(LinearNormal{1e4, 50, 0, true}), NormalLaw(HertzNormal{1e6, 3, false})}) {
    const double elastic = normal_state(law, PatchModel::none, -1e-4, round_tip).force;
    EXPECT_GT(elastic, 0);
    EXPECT_EQ(damped_force(law, -1e-4, elastic, 10), 0);
    EXPECT_GT(damped_force(law, -1e-4, elastic, -10), elastic);
    EXPECT_EQ(damped_force(law, -1e-4, elastic, 0), elastic);
    EXPECT_EQ(damped_force(law, 0, 0, -10), 0) << "bodies that are apart are not damped";
  }
  EXPECT_LT(damped_force(LinearNormal{1e4, 50, 0, false}, -1e-4, 1, 10), 0);
}

TEST(NormalLaw, ForceIsTheDerivativeOfTheEnergy) {
  const Mat2 A = (Mat2() << 30, 4, 4, 80).finished();
  const double gap = -2e-4, h = 1e-9;
  for (const NormalLaw& law : {NormalLaw(LinearNormal{}), NormalLaw(HertzNormal{}),
                               NormalLaw(HertzNormal{1e6, 0, true})}) {
    const auto U = [&](double g) { return normal_state(law, PatchModel::none, g, A).energy; };
    const double force = normal_state(law, PatchModel::none, gap, A).force;
    EXPECT_NEAR(-(U(gap + h) - U(gap - h)) / (2 * h), force, 1e-6 * force);
  }
}

/// Hertz as a user would write it, in the curvatures alone.
NormalEnergy circular_by_hand(double gap, const Vec2& k) {
  const double K_h = 4.0 / 3 * 1e6 / std::sqrt(k.sum() / 2);
  const double U = 0.4 * K_h * std::pow(-gap, 2.5);
  return {U, K_h * std::pow(-gap, 1.5), Vec2::Constant(-U / (2 * k.sum()))};
}

TEST(NormalLaw, OfTheUserIsAnyOther) {
  const NormalLaw mine = UserNormal{circular_by_hand, 0.3}, built_in = HertzNormal{1e6, 0.3, true};
  Rng rng(2);
  for (int i = 0; i < 50; ++i) {
    const Mat2 R = Eigen::Rotation2Dd(rng.uniform(0, 3)).toRotationMatrix();
    const double ka = rng.uniform(5, 50), kb = ka * (1 + std::pow(10.0, rng.uniform(-17, 1)));
    const Mat2 A = R * Vec2(ka, kb).asDiagonal() * R.transpose();
    const NormalState a = normal_state(mine, PatchModel::quadric, -1e-3, A);
    const NormalState b = normal_state(built_in, PatchModel::quadric, -1e-3, A);
    EXPECT_NEAR(a.energy, b.energy, 1e-14);
    EXPECT_NEAR(a.force, b.force, 1e-12 * b.force);
    EXPECT_LE((a.dU_dA - b.dU_dA).norm(), 1e-12 * b.dU_dA.norm());
    EXPECT_EQ(a.patch.a, b.patch.a);
    EXPECT_DOUBLE_EQ(damped_force(mine, -1e-3, a.force, 0.4),
                     damped_force(built_in, -1e-3, a.force, 0.4));
  }
}

/// An energy that likes one curvature more than the other: its derivative must follow the axes.
TEST(NormalLaw, OfTheUserHasItsDerivativeInTheRightDirections) {
  const auto energy = [](double gap, const Vec2& k) {
    const double U = -gap * (std::sin(k[0] / 30) + std::cos(k[1] / 40));
    return NormalEnergy{U, -U / gap,
                        Vec2(-gap * std::cos(k[0] / 30) / 30, gap * std::sin(k[1] / 40) / 40)};
  };
  const NormalLaw law = UserNormal{energy, 0};
  const Mat2 A = (Mat2() << 30, 12, 12, 45).finished();
  const Mat2 said = normal_state(law, PatchModel::none, -1e-3, A).dU_dA;
  const double h = 1e-4;
  for (const Mat2& d : {Mat2(Vec2(1, 0).asDiagonal()), Mat2(Vec2(0, 1).asDiagonal()),
                        Mat2((Mat2() << 0, 1, 1, 0).finished())}) {
    const double change = (normal_state(law, PatchModel::none, -1e-3, A + h * d).energy -
                           normal_state(law, PatchModel::none, -1e-3, A - h * d).energy) /
                          (2 * h);
    EXPECT_NEAR(change, said.cwiseProduct(d).sum(), 1e-8 * said.norm());
  }
}

TEST(NormalLaw, PatchIsWhatWasAskedFor) {
  const Mat2 A = Vec2(5, 50).asDiagonal();
  for (const NormalLaw& law : {NormalLaw(LinearNormal{}), NormalLaw(HertzNormal{})}) {
    const auto patch = [&](PatchModel model) { return normal_state(law, model, -1e-4, A).patch; };
    EXPECT_NEAR(patch(PatchModel::hertz).b / patch(PatchModel::hertz).a, 0.222, 5e-4);
    EXPECT_NEAR(patch(PatchModel::quadric).b / patch(PatchModel::quadric).a, std::sqrt(0.1), 1e-14);
    EXPECT_EQ(patch(PatchModel::none).a, 0);
  }
}

TEST(NormalLaw, LinearLawNeedsNoCurvatureAndHertzRefusesALine) {
  EXPECT_EQ(normal_state(LinearNormal{}, PatchModel::none, -1e-4, Mat2::Zero()).force, 1.0);
  EXPECT_THROW((void)normal_state(HertzNormal{}, PatchModel::hertz, -1e-4, Mat2::Zero()),
               ContractViolation);
}

}  // namespace
}  // namespace tact
