#include "tact/cone/effective_patch.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/poly/polygon.hpp"

namespace tact {
namespace {

constexpr double rounding = 1e-13;  // a few hundred units of round-off

PlanarSet rectangle(double a, double b) {
  return PlanarSet::hull_of_points(std::vector<Vec2>{{-a, -b}, {a, -b}, {a, b}, {-a, b}});
}

PlanarSet stadium(const Vec2& a, const Vec2& b, double radius) {
  return PlanarSet::hull_of(std::vector<EllipseForm>{disc_form(a, radius), disc_form(b, radius)});
}

Mat2 turn(double angle) {
  Mat2 q;
  q << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  return q;
}

void expect_near(const Mat2& a, const Mat2& b, double tolerance) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance) << a << "\n is not \n" << b;
}

/// Σ_c of the fine polygon inscribed in the hull: an independent path, O(1/count²).
Mat2 by_outline(const PlanarSet& hull, const Vec2& c, int count) {
  EffectivePatchWorkspace work;
  std::vector<Vec2> part;
  effective_part(hull, c, count, work, part);
  return second_moment(part, c);
}

TEST(EffectivePatch, OfARectangleIsTheReducedRectangle) {
  const PlanarSet hull = rectangle(2, 1);
  for (const Vec2& c : {Vec2(0, 0), Vec2(0.5, -0.25), Vec2(-1.9, 0.9)}) {
    const double a = 2 - std::abs(c[0]), b = 1 - std::abs(c[1]);
    const Mat2 expected = Vec2(a * a / 3, b * b / 3).asDiagonal();
    expect_near(effective_moment(hull, c).sigma, expected, rounding);
  }
}

TEST(EffectivePatch, OfAParallelogramIsTheReducedOne) {
  const Vec2 middle(0.3, -0.2), a(2, 0.5), b(-0.4, 1);
  const PlanarSet hull = PlanarSet::hull_of_points(
      std::vector<Vec2>{middle - a - b, middle + a - b, middle + a + b, middle - a + b});
  for (const Vec2& at : {Vec2(0, 0), Vec2(0.5, -0.25), Vec2(-0.9, 0.999), Vec2(0.2, -0.99999)}) {
    const Vec2 c = middle + at[0] * a + at[1] * b;
    const double along = 1 - std::abs(at[0]), across = 1 - std::abs(at[1]);
    const Mat2 expected =
        (along * along * a * a.transpose() + across * across * b * b.transpose()) / 3;
    expect_near(effective_moment(hull, c).sigma, expected, rounding);
  }
  // Four corners that are none: the part that a polygon cuts out of itself.
  const PlanarSet kite =
      PlanarSet::hull_of_points(std::vector<Vec2>{{-1, 0}, {0, -0.5}, {2, 0}, {0, 0.5}});
  for (const Vec2& c : {Vec2(0, 0), Vec2(0.4, 0.1)})
    expect_near(effective_moment(kite, c).sigma, by_outline(kite, c, 4), rounding);
}

TEST(EffectivePatch, OfASegmentAndOfAPoint) {
  const PlanarSet segment = PlanarSet::hull_of_points(std::vector<Vec2>{{0, 0}, {3, 4}});
  const EffectiveMoment m = effective_moment(segment, Vec2(0.6, 0.8));
  const Vec2 u(0.6, 0.8);
  expect_near(m.sigma, u * u.transpose() / 3, rounding);
  expect_near(m.root, u * u.transpose() / std::sqrt(3.0), rounding);
  EXPECT_EQ(effective_moment(PlanarSet(), Vec2(0, 0)).sigma, Mat2::Zero());
}

TEST(EffectivePatch, ShrinksContinuouslyToAnEdgeAndAVertex) {
  const PlanarSet hull = rectangle(2, 1);
  const Mat2 edge = Vec2(1.5 * 1.5 / 3, 0).asDiagonal();
  for (const double depth : {1e-3, 1e-6, 1e-8, 1e-10, 0.0, -1e-12}) {
    const Mat2 sigma = effective_moment(hull, Vec2(0.5, 1 - depth)).sigma;
    expect_near(sigma, edge, rounding + std::abs(depth));
    const Mat2 corner = effective_moment(hull, Vec2(2 - depth, 1 - depth)).sigma;
    expect_near(corner, Mat2::Zero(), depth * depth + rounding);
  }
}

TEST(EffectivePatch, OfADiscAtItsCentreAndOnItsRim) {
  const PlanarSet disc = PlanarSet::ellipse(disc_form(Vec2(1, 2), 3));
  expect_near(effective_moment(disc, Vec2(1, 2)).sigma, 9.0 / 4 * Mat2::Identity(), 1e-12);
  EXPECT_EQ(effective_moment(disc, Vec2(4, 2)).sigma, Mat2::Zero());
  EXPECT_EQ(effective_moment(disc, Vec2(5, 2)).sigma, Mat2::Zero()) << "outside counts as the rim";
}

TEST(EffectivePatch, LensSeriesMeetsItsLimitAndItsClosedForm) {
  // Near the rim, depth h: a lens of half width √(2h) and half thickness h, xx = 4 h²/35 · ... ;
  // the leading terms of the integrals are α⁷ 2/105, α⁵/15 and α³/3.
  const double h = 1e-8, alpha = std::sqrt(2 * h);
  const Vec2 m = unit_lens_moment(1 - h);
  EXPECT_NEAR(m[0] / (std::pow(alpha, 4) * 2 / 35), 1, 1e-7);
  EXPECT_NEAR(m[1] / (alpha * alpha / 5), 1, 1e-7);
  const double switch_over = std::cos(1.0);
  const double below = std::nextafter(switch_over, 0.0), above = std::nextafter(switch_over, 1.0);
  EXPECT_LE((unit_lens_moment(below) - unit_lens_moment(above)).norm(), rounding);
}

TEST(EffectivePatch, OfDiscsEllipsesAndStadiaAgreesWithFinePolygons) {
  Rng rng(7);
  constexpr int count = 400;
  constexpr double outline_error =
      40.0 / count / count;  // chord error (2π/count)², doubled near rims
  for (int trial = 0; trial < 30; ++trial) {
    const EllipseForm form =
        ellipse_form(Vec2(rng.normal(), rng.normal()),
                     Vec2(rng.uniform(0.5, 2), rng.uniform(0.2, 2)), rng.uniform(0, 3));
    const PlanarSet ellipse = PlanarSet::ellipse(form);
    const Vec2 c = form.center + rng.uniform(0, 0.9) * form.axes * turn(rng.uniform(0, 7)).col(0);
    expect_near(effective_moment(ellipse, c).sigma, by_outline(ellipse, c, count), outline_error);

    const PlanarSet round = stadium(Vec2(-1, 0.3), Vec2(0.7, 0.1), rng.uniform(0.2, 1));
    const Vec2 d(rng.uniform(-0.9, 0.6), rng.uniform(0.05, 0.35));
    expect_near(effective_moment(round, d).sigma, by_outline(round, d, count), outline_error);
  }
}

TEST(EffectivePatch, ChainsOfArcsGiveTheClosedFormOfADisc) {
  // A point of the disc's own rim added as a vertex makes it a chain; the set is the same.
  Rng rng(11);
  for (int trial = 0; trial < 50; ++trial) {
    const double bump = 1 + 1e-13;
    const PlanarSet chain = PlanarSet::hull_of(
        std::vector<EllipseForm>{disc_form(Vec2::Zero(), 1), point_form(bump * Vec2(0.6, 0.8))});
    const double e = rng.uniform(0, 0.999);
    const Vec2 c = e * turn(rng.uniform(0, 7)).col(0);
    const EffectiveMoment closed = effective_moment(PlanarSet::ellipse(disc_form({0, 0}, 1)), c);
    expect_near(effective_moment(chain, c).sigma, closed.sigma, 1e-9 * closed.sigma.trace());
  }
}

TEST(EffectivePatch, OfAStadiumIsContinuousAtItsEdge) {
  const PlanarSet hull = stadium(Vec2(-1, 0), Vec2(1, 0), 0.5);
  const Mat2 edge = effective_moment(hull, Vec2(0.25, 0.5)).sigma;
  expect_near(edge, Mat2(Vec2(0.75 * 0.75 / 3, 0).asDiagonal()), rounding);
  for (const double depth : {1e-3, 1e-5, 1e-7}) {
    // The round ends add a piece of length √(2 R depth) to the strip.
    expect_near(effective_moment(hull, Vec2(0.25, 0.5 - depth)).sigma, edge, 3 * std::sqrt(depth));
  }
}

TEST(EffectivePatch, FollowsAffineMaps) {
  Rng rng(3);
  const PlanarSet pentagon = PlanarSet::hull_of_points(
      std::vector<Vec2>{{0, 0}, {2, -0.5}, {3, 1}, {1.5, 2.5}, {-0.5, 1.5}});
  const PlanarSet round = stadium(Vec2(-1, 0), Vec2(1, 0.5), 0.4);
  for (int trial = 0; trial < 20; ++trial) {
    Mat2 a;
    a << rng.normal(), rng.normal(), rng.normal(), rng.normal();
    if (std::abs(a.determinant()) < 0.1) continue;
    const Vec2 b(rng.normal(), rng.normal());
    for (const PlanarSet* hull : {&pentagon, &round}) {
      const Vec2 c = hull->center() + 0.1 * Vec2(rng.uniform(), rng.uniform());
      const Mat2 mapped = effective_moment(hull->mapped(a, b), a * c + b).sigma;
      const Mat2 expected = a * effective_moment(*hull, c).sigma * a.transpose();
      expect_near(mapped, expected, 1e-11 * expected.trace());
    }
  }
}

}  // namespace
}  // namespace tact
