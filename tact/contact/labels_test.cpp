#include "tact/contact/labels.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tact {
namespace {

/// One contact with the identity as its matrix, so that b = u - λ gives any pair.
ContactLabel label(const Law& law, const VecX& lambda, const VecX& u) {
  const Index n = row_count(law);
  const DelassusProblem p = delassus_problem(
      {local_law(law)}, block_matrix(sparse(MatX::Identity(n, n)), std::vector<Index>{0, n}),
      u - lambda);
  return labels(judged(p), lambda, u, {1, 1}).front();
}
VecX v1(double a) {
  return VecX::Constant(1, a);
}
VecX v3(double a, double b, double c) {
  return Vec3(a, b, c);
}
VecX v6(double a, double b, double c, double d, double e, double f) {
  VecX out(6);
  out << a, b, c, d, e, f;
  return out;
}
const PatchShape square{PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}};

TEST(Labels, FrictionlessPoint) {
  EXPECT_EQ(label(Frictionless{}, v1(0), v1(0)).regime, Regime::idle);
  EXPECT_EQ(label(Frictionless{}, v1(0), v1(2)).regime, Regime::separate);
  const ContactLabel pressed = label(Frictionless{}, v1(3), v1(0));
  EXPECT_EQ(pressed.regime, Regime::stick);
  EXPECT_EQ(pressed.lift_margin, 3);
  EXPECT_EQ(pressed.slip_margin, 0);
}

TEST(Labels, CoulombPoint) {
  const ContactLabel stick = label(CoulombLaw{0.5}, v3(0.3, 0.4, 2), v3(0, 0, 0));
  EXPECT_EQ(stick.regime, Regime::stick);
  EXPECT_NEAR(stick.slip_margin, 0.5 * 2 - 0.5, 1e-15);
  EXPECT_EQ(stick.lift_margin, 2);
  EXPECT_EQ(stick.multiplier, 0);
  EXPECT_EQ(stick.direction, Vec2(0, 0));
  const ContactLabel slide = label(CoulombLaw{0.5}, v3(-0.6, -0.8, 2), v3(3, 4, 0));
  EXPECT_EQ(slide.regime, Regime::slide);
  EXPECT_NEAR(slide.multiplier, 5, 1e-14) << "v_t = -multiplier T/|T|";
  EXPECT_LE((slide.direction - Vec2(0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(slide.slip_margin, 0);
  EXPECT_EQ(label(CoulombLaw{0.5}, v3(0, 0, 0), v3(3, 4, 1)).regime, Regime::separate);
  const ContactLabel planar = label(CoulombLaw{0.5, true}, Vec2(-1, 2), Vec2(0.25, 0));
  EXPECT_EQ(planar.regime, Regime::slide);
  EXPECT_NEAR(planar.multiplier, 0.25, 1e-15);
  EXPECT_EQ(planar.direction, Vec2(1, 0));
}

TEST(Labels, BoxBoundsOfEachAxis) {
  const BoxLaw law{0.5, 1};
  const ContactLabel one = label(law, v3(-1, 0.25, 2), v3(0.5, 0, 0));
  EXPECT_EQ(one.regime, Regime::slide);
  ASSERT_TRUE(one.bounds);
  EXPECT_EQ((*one.bounds)[0], BoxBound::lower);
  EXPECT_EQ((*one.bounds)[1], BoxBound::stick);
  const ContactLabel both = label(law, v3(1, -1, 2), v3(-0.5, 0.1, 0));
  EXPECT_EQ((*both.bounds)[0], BoxBound::upper);
  EXPECT_EQ((*both.bounds)[1], BoxBound::lower);
  const ContactLabel stick = label(law, v3(0.7, 0.25, 2), v3(0, 0, 0));
  EXPECT_NEAR(stick.slip_margin, 0.3, 1e-15) << "the nearest side of the box of half-width 1";
  EXPECT_FALSE(label(CoulombLaw{0.5}, v3(0, 0, 1), v3(0, 0, 0)).bounds);
}

TEST(Labels, PyramidMarginIsTheDistanceToItsSide) {
  // A diamond of radius 1 at n = 2: its sides are 1/√2 from the centre.
  const ContactLabel stick = label(PyramidLaw{0.5, 4}, v3(0, 0, 2), v3(0, 0, 0));
  EXPECT_NEAR(stick.slip_margin, std::sqrt(0.5), 1e-15);
  EXPECT_FALSE(stick.bounds) << "a diamond is no box";
}

TEST(Labels, PatchTipsAboutAnEdgeOrACorner) {
  const FrictionlessPatch law{square};
  const ContactLabel rest = label(law, v3(0.4, -0.6, 2), v3(0, 0, 0));
  EXPECT_EQ(rest.regime, Regime::stick);
  ASSERT_TRUE(rest.cop);
  EXPECT_LE((*rest.cop - Vec2(0.3, 0.2)).norm(), 1e-15) << "m_T = f_N (c_y, -c_x)";
  EXPECT_NEAR(rest.tip_margin, 2 * 0.7, 1e-12) << "f_N times the distance to x = 1";
  EXPECT_EQ(rest.lift_margin, 2);
  // Turning about x = 1: v_N(x) = v + ω_x y - ω_y x = 0 there.
  const ContactLabel edge = label(law, v3(0.4, -2, 2), v3(0, 0.5, 0.5));
  EXPECT_EQ(edge.regime, Regime::tip_edge);
  ASSERT_TRUE(edge.pivot);
  EXPECT_TRUE(edge.pivot->is_edge());
  EXPECT_EQ(edge.pivot->first[0], 1);
  EXPECT_EQ(edge.pivot->last[0], 1);
  EXPECT_NEAR(edge.tip_margin, 0, 1e-12);
  const ContactLabel corner = label(law, v3(2, -2, 2), v3(-0.5, 0.5, 1));
  EXPECT_EQ(corner.regime, Regime::tip_vertex);
  ASSERT_TRUE(corner.pivot);
  EXPECT_FALSE(corner.pivot->is_edge());
  EXPECT_LE((corner.pivot->first - Vec2(1, 1)).norm(), 1e-12);
  EXPECT_EQ(label(law, v3(0, 0, 0), v3(0, 0, 1)).regime, Regime::separate);
  EXPECT_EQ(label(law, v3(0, 0, 0), v3(0, 0, 0)).regime, Regime::idle);
}

TEST(Labels, PatchWithFriction) {
  const FrictionalPatch law{square, 0.5, EllipsoidAtCop{0.5}};
  const ContactLabel stick = label(law, v6(0, 0, 0, 0.25, 0, 2), VecX::Zero(6));
  EXPECT_EQ(stick.regime, Regime::stick);
  EXPECT_NEAR(stick.slip_margin, 0.75, 1e-9) << "a quarter of mu f_N = 1 is used";
  EXPECT_EQ(stick.multiplier, 0);
  const ContactLabel slide = label(law, v6(0, 0, 0, -1, 0, 2), v6(0, 0, 0, 0.75, 0, 0));
  EXPECT_EQ(slide.regime, Regime::slide);
  EXPECT_NEAR(slide.multiplier, 0.75, 1e-12);
  EXPECT_EQ(slide.direction, Vec2(1, 0));
  EXPECT_EQ(slide.slip_margin, 0);
  const ContactLabel tips = label(law, v6(0, -2, 0, -1, 0, 2), v6(0, 0.5, 0, 0.75, 0, 0.5));
  EXPECT_EQ(tips.regime, Regime::slide_tip_edge);
}

TEST(Labels, RollingPointIsLabelledByItsForce) {
  const RollingLaw law{0.5, 0.1, 0.1};
  EXPECT_EQ(label(law, v6(0, 0, 0, 0.1, 0, 1), v6(1, 2, 3, 0, 0, 0)).regime, Regime::stick)
      << "it rolls without sliding";
  EXPECT_EQ(label(law, v6(0, 0, 0, -0.5, 0, 1), v6(0, 0, 0, 1, 0, 0)).regime, Regime::slide);
}

TEST(Labels, BoundedRowsStickOrSlideAtABound) {
  const BoundedLaw friction{-2, 3};
  const ContactLabel stick = label(friction, v1(1.5), v1(0));
  EXPECT_EQ(stick.regime, Regime::stick);
  EXPECT_EQ(stick.bound, BoxBound::stick);
  EXPECT_EQ(stick.slip_margin, 1.5) << "to the nearer bound";
  EXPECT_EQ(stick.lift_margin, 0);
  const ContactLabel lower = label(friction, v1(-2), v1(0.25));
  EXPECT_EQ(lower.regime, Regime::slide);
  EXPECT_EQ(lower.bound, BoxBound::lower);
  EXPECT_EQ(lower.multiplier, 0.25);
  EXPECT_EQ(lower.direction, Vec2(1, 0));
  EXPECT_EQ(lower.slip_margin, 0);
  const ContactLabel upper = label(friction, v1(3), v1(-0.25));
  EXPECT_EQ(upper.bound, BoxBound::upper);
  EXPECT_EQ(upper.direction, Vec2(-1, 0));
  const ContactLabel just = label(friction, v1(3), v1(0));
  EXPECT_EQ(just.regime, Regime::stick) << "at the bound, and not moving";
  EXPECT_EQ(just.bound, BoxBound::upper);
  EXPECT_EQ(just.slip_margin, 0);
  const ContactLabel equation = label(BoundedLaw{}, v1(7), v1(0));
  EXPECT_EQ(equation.regime, Regime::stick);
  EXPECT_EQ(equation.bound, BoxBound::stick);
  EXPECT_TRUE(std::isinf(equation.slip_margin));
  EXPECT_FALSE(label(Frictionless{}, v1(3), v1(0)).bound);
}

LabelScales scales_of(const DelassusProblem& p, const VecX& lambda) {
  VecX u;
  multiply(p.G, lambda, u);
  return label_scales(judged(p), lambda, u + p.b);
}

/// A joint that spins fast must not make the creep of a contact look like nothing.
TEST(Labels, BoundedRowsHaveNoPartInTheScales) {
  const DelassusProblem p = delassus_problem(
      {local_law(Frictionless{}), local_law(BoundedLaw{-9, 9})},
      block_matrix(sparse(MatX::Identity(2, 2)), std::vector<Index>{0, 1, 2}), Vec2(-3, 1e6));
  const LabelScales scales = scales_of(p, Vec2(3, -9));
  EXPECT_EQ(scales.force, 3);
  EXPECT_EQ(scales.velocity, 3);
}

/// A share of the largest impulse hides real loads next to a jam; a share of the weight does not.
TEST(Labels, NextToAJamAWeightIsStillALoad) {
  const DelassusProblem p = delassus_problem(
      {local_law(CoulombLaw{0.5}), local_law(CoulombLaw{0.5}), local_law(CoulombLaw{0.5})},
      block_matrix(sparse(MatX::Identity(9, 9)), std::vector<Index>{0, 3, 6, 9}), VecX::Zero(9));
  const VecX u = VecX::Zero(9);
  VecX lambda = VecX::Zero(9);
  lambda[2] = 1e9;
  lambda[5] = 5;
  lambda[8] = 1e-9;
  LabelScales scales = label_scales(judged(p), lambda, u);
  EXPECT_EQ(labels(judged(p), lambda, u, scales)[1].regime, Regime::idle);
  scales.weight = 20;
  const auto found = labels(judged(p), lambda, u, scales);
  EXPECT_EQ(found[0].regime, Regime::stick);
  EXPECT_EQ(found[1].regime, Regime::stick);
  EXPECT_EQ(found[2].regime, Regime::idle) << "no share of any weight";
}

TEST(Labels, ScalesAreTheLargestOfTheProblem) {
  const DelassusProblem p =
      delassus_problem({local_law(Frictionless{}), local_law(CoulombLaw{0.5})},
                       block_matrix(sparse(MatX::Identity(4, 4)), std::vector<Index>{0, 1, 4}),
                       (VecX(4) << -3, 0.5, 0, -1).finished());
  const LabelScales scales = scales_of(p, (VecX(4) << 3, -9, 0, 2).finished());
  EXPECT_EQ(scales.force, 3) << "of the normal impulses";
  EXPECT_EQ(scales.velocity, 8.5) << "of u and b";
  const DelassusProblem still = delassus_problem(
      {local_law(Frictionless{})},
      block_matrix(sparse(MatX::Identity(1, 1)), std::vector<Index>{0, 1}), VecX::Zero(1));
  EXPECT_EQ(scales_of(still, VecX::Zero(1)).force, 1);
  EXPECT_EQ(scales_of(still, VecX::Zero(1)).velocity, 1);
}

}  // namespace
}  // namespace tact
