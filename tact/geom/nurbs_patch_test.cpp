#include "tact/geom/nurbs_patch.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/surface_zoo.hpp"

namespace tact {
namespace {

using namespace testing;

/// A patch of one span a direction is a product of Bernstein polynomials.
NurbsPatch bezier(int du, int dv, Rng& rng, bool rational) {
  NurbsPatch patch;
  patch.degree_u = du;
  patch.degree_v = dv;
  patch.count_u = du + 1;
  patch.count_v = dv + 1;
  for (int i = 0; i < 2 * (du + 1); ++i) patch.knots_u.push_back(i > du ? 1 : 0);
  for (int i = 0; i < 2 * (dv + 1); ++i) patch.knots_v.push_back(i > dv ? 1 : 0);
  for (Index i = 0; i < patch.count_u * patch.count_v; ++i) {
    patch.points.push_back(random_vec3(rng));
    if (rational) patch.weights.push_back(rng.uniform(0.5, 2));
  }
  return patch;
}

double bernstein(int n, int i, double t) {
  double choose = 1;
  for (int k = 0; k < i; ++k) choose *= static_cast<double>(n - k) / (k + 1);
  return choose * std::pow(t, i) * std::pow(1 - t, n - i);
}

TEST(NurbsPatch, OneSpanIsABezierPatch) {
  Rng rng(1);
  for (int du = 1; du <= NurbsPatch::max_degree; ++du)
    for (const bool rational : {false, true}) {
      const NurbsPatch patch = bezier(du, 3, rng, rational);
      ASSERT_FALSE(fault_of(patch));
      const double u = rng.uniform();
      const double v = rng.uniform();
      Vec3 sum = Vec3::Zero();
      double weight = 0;
      for (int i = 0; i <= du; ++i)
        for (int j = 0; j <= 3; ++j) {
          const double w = rational ? patch.weights[i * 4 + j] : 1;
          const double share = bernstein(du, i, u) * bernstein(3, j, v) * w;
          sum += share * patch.points[i * 4 + j];
          weight += share;
        }
      EXPECT_LE((evaluate(patch, u, v).f - sum / weight).norm(), rounding * 10);
    }
}

TEST(NurbsPatch, DerivativesAreDifferences) {
  Rng rng(2);
  const double h = difference_step;
  for (int i = 0; i < 100; ++i) {
    const NurbsPatch patch = bumpy_patch(rng, 1);
    ASSERT_FALSE(fault_of(patch));
    // Away from knots, where third derivatives jump.
    const double u = rng.uniform(0.5, 1);
    const double v = rng.uniform(0.1, 0.6);
    const PatchJet at = evaluate(patch, u, v);
    const PatchJet east = evaluate(patch, u + h, v);
    const PatchJet west = evaluate(patch, u - h, v);
    const PatchJet north = evaluate(patch, u, v + h);
    const PatchJet south = evaluate(patch, u, v - h);
    const double bound = 100 * difference_error;
    EXPECT_LE(((east.f - west.f) / (2 * h) - at.fu).norm(), bound);
    EXPECT_LE(((north.f - south.f) / (2 * h) - at.fv).norm(), bound);
    EXPECT_LE(((east.fu - west.fu) / (2 * h) - at.fuu).norm(), 10 * bound);
    EXPECT_LE(((north.fu - south.fu) / (2 * h) - at.fuv).norm(), 10 * bound);
    EXPECT_LE(((east.fv - west.fv) / (2 * h) - at.fuv).norm(), 10 * bound);
    EXPECT_LE(((north.fv - south.fv) / (2 * h) - at.fvv).norm(), 10 * bound);
  }
}

TEST(NurbsPatch, CubicsBendContinuouslyOverSimpleKnots) {
  Rng rng(3);
  const NurbsPatch patch = bumpy_patch(rng, 1);
  const double knot = patch.knots_u[4];
  const PatchJet before = evaluate(patch, std::nextafter(knot, 0), 0.3);
  const PatchJet after = evaluate(patch, knot, 0.3);
  EXPECT_LE((before.f - after.f).norm(), rounding);
  EXPECT_LE((before.fu - after.fu).norm(), 10 * rounding);
  EXPECT_LE((before.fuu - after.fuu).norm(), 1e3 * rounding);
}

TEST(NurbsPatch, EndsAreCorners) {
  Rng rng(4);
  const NurbsPatch patch = bumpy_patch(rng, 1);
  EXPECT_EQ(patch.lower(), Vec2(0, -1));
  EXPECT_EQ(patch.upper(), Vec2(2, 1));
  EXPECT_LE((evaluate(patch, 0, -1).f - patch.points.front()).norm(), rounding);
  EXPECT_LE((evaluate(patch, 2, 1).f - patch.points.back()).norm(), rounding);
}

// Knots that do not stop at the ends: a uniform cubic reproduces straight lines.
TEST(NurbsPatch, UniformKnots) {
  NurbsPatch patch;
  patch.degree_u = 3;
  patch.degree_v = 1;
  patch.count_u = 6;
  patch.count_v = 2;
  for (int i = 0; i < 10; ++i) patch.knots_u.push_back(i);
  patch.knots_v = {0, 0, 1, 1};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 2; ++j) patch.points.emplace_back(i, j, 0);
  ASSERT_FALSE(fault_of(patch));
  for (const double u : {3.0, 3.5, 4.0, 5.9, 6.0}) {
    const PatchJet jet = evaluate(patch, u, 0.25);
    EXPECT_LE((jet.f - Vec3(u - 2, 0.25, 0)).norm(), rounding);
    EXPECT_LE((jet.fu - Vec3::UnitX()).norm(), rounding);
    EXPECT_LE(jet.fuu.norm(), rounding);
  }
}

TEST(NurbsPatch, FaultsAreNamed) {
  Rng rng(5);
  const NurbsPatch good = bumpy_patch(rng, 1);
  const auto message = [&](auto change) {
    NurbsPatch patch = good;
    change(patch);
    const auto fault = fault_of(patch);
    return fault ? fault->message : std::string("good");
  };
  EXPECT_EQ(message([](NurbsPatch&) {}), "good");
  EXPECT_EQ(message([](NurbsPatch& p) { p.degree_u = 9; }),
            "the degree of a patch in u is 9: take 1 to 7");
  EXPECT_EQ(message([](NurbsPatch& p) { p.knots_v[5] = -2; }),
            "the knots of a patch in v must ascend");
  EXPECT_EQ(message([](NurbsPatch& p) { p.knots_v[5] = std::nan(""); }),
            "a knot in v is not finite");
  EXPECT_EQ(message([](NurbsPatch& p) { p.points.pop_back(); }),
            "a patch has 41 control points instead of 42");
  EXPECT_EQ(message([](NurbsPatch& p) { p.weights.pop_back(); }),
            "a patch has 41 weights instead of 42");
  EXPECT_EQ(message([](NurbsPatch& p) { p.weights[3] = 0; }),
            "a weight of a patch is not positive: take weights above 0");
  EXPECT_EQ(
      message([](NurbsPatch& p) { p.points[3][1] = std::numeric_limits<double>::infinity(); }),
      "a control point of a patch is not finite");
  EXPECT_EQ(message([](NurbsPatch& p) { p.count_u = 3; }),
            "a patch of degree 3 in u needs at least 4 control points along it, not 3");
  EXPECT_NE(message([](NurbsPatch& p) { p.knots_u[4] = p.knots_u[5] = 0; }), "good");
}

}  // namespace
}  // namespace tact
