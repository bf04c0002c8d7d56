// [MontMarin25] On the Conic Complementarity of Planar Contacts: one test per claim, and for each
// printed error one that shows the printed form fail where the corrected one holds
// (docs/errata.md).
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/cone/halfline.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/cone/patch_regime.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/cone/patch_witness.hpp"

namespace tact {
namespace {

constexpr double rounding = 1e-13;

Vec2 random_point(Rng& rng) {
  return {rng.normal(), rng.normal()};
}
Twist random_twist(Rng& rng) {
  Vec6 rows;
  for (Index i = 0; i < 6; ++i) rows[i] = rng.normal();
  return Twist::from(rows);
}

PlanarSet triangle() {
  return PlanarSet::hull_of_points(std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}});
}
PlanarSet square() {
  return PlanarSet::hull_of_points(std::vector<Vec2>{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
}

/// A random pressure: forces at random points of a convex polygon.
std::vector<PressurePoint> random_pressure(Rng& rng, const PlanarSet& hull, int count) {
  std::vector<PressurePoint> out;
  for (int i = 0; i < count; ++i) {
    Vec2 x = Vec2::Zero();
    double sum = 0;
    for (const Vec2& v : hull.vertices()) {
      const double w = rng.uniform();
      x += w * v;
      sum += w;
    }
    out.push_back({x / sum, rng.uniform(0, 3)});
  }
  return out;
}
Wrench wrench_of_pressure_points(std::span<const PressurePoint> pressure) {
  Wrench sum;
  for (const PressurePoint& p : pressure) sum += wrench_of(PointForce{p.x, Vec3(0, 0, p.force)});
  return sum;
}

// [MontMarin25] (3): v(x) = ω × [x, 0] + v, split into plane and normal.
TEST(MontMarin25, Eq3VelocityFieldIsTheRigidOne) {
  Rng rng(1);
  for (int k = 0; k < 200; ++k) {
    const Twist twist = random_twist(rng);
    const Vec2 x = random_point(rng);
    const Vec3 rigid = twist.w.cross(Vec3(x[0], x[1], 0)) + twist.v;
    EXPECT_LE((velocity_at(twist, x) - rigid).norm(), rounding * 10);
  }
}

// Erratum to the text after (3): x^perp is x turned by -90 degrees, not by +90.
TEST(MontMarin25, Eq3PerpTurnsByMinusNinetyDegrees) {
  EXPECT_EQ(perp(Vec2(1, 0)), Vec2(0, -1));
  EXPECT_EQ(perp(perp(Vec2(0.3, -2))), Vec2(-0.3, 2));
}

// [MontMarin25] (4a), (4b), (4c): sum and moment of forces; on points against the cross product, on
// lines and triangles against many points.
TEST(MontMarin25, Eq4WrenchOfPointsLinesAndAreas) {
  Rng rng(2);
  for (int k = 0; k < 50; ++k) {
    const Vec2 a = random_point(rng), b = random_point(rng), c = random_point(rng);
    const Vec3 fa(rng.normal(), rng.normal(), rng.normal());
    const Vec3 fb(rng.normal(), rng.normal(), rng.normal());
    const Vec3 fc(rng.normal(), rng.normal(), rng.normal());
    const Wrench point = wrench_of(PointForce{a, fa});
    EXPECT_LE((point.m - Vec3(a[0], a[1], 0).cross(fa)).norm(), 100 * rounding);
    EXPECT_EQ(point.f, fa);

    constexpr int pieces = 400;  // the mid-point rule errs by O(pieces^-2) of the whole
    Wrench line, area;
    const double cell = std::abs(cross(b - a, c - a)) / 2 / (pieces * pieces);
    for (int i = 0; i < pieces; ++i) {
      const double s = (i + 0.5) / pieces;
      line +=
          wrench_of(PointForce{a + s * (b - a), (b - a).norm() / pieces * (fa + s * (fb - fa))});
    }
    for (int i = 0; i < pieces; ++i) {
      for (int j = 0; j < pieces - i; ++j) {
        // Upward and downward cells of the triangle, by their centroids.
        for (const double third : {1.0 / 3, 2.0 / 3}) {
          if (third > 0.5 && j == pieces - i - 1) continue;
          const double s = (i + third) / pieces, t = (j + third) / pieces;
          area += wrench_of(PointForce{a + s * (b - a) + t * (c - a),
                                       cell * (fa + s * (fb - fa) + t * (fc - fa))});
        }
      }
    }
    const double scale = 30.0 / (pieces * pieces) * (1 + a.norm() + b.norm() + c.norm()) * 30;
    EXPECT_LE((wrench_of(LineForce{a, b, fa, fb}).vec() - line.vec()).norm(), scale);
    EXPECT_LE((wrench_of(TriangleForce{a, b, c, fa, fb, fc}).vec() - area.vec()).norm(), scale);
  }
}

// [MontMarin25] (4b) for a linear pressure on a rectangle: closed form.
TEST(MontMarin25, Eq4LinearPressureOnARectangle) {
  const std::vector<Vec2> rectangle{{-0.2, -0.1}, {0.2, -0.1}, {0.2, 0.1}, {-0.2, 0.1}};
  const Wrench w = wrench_of_pressure(rectangle, 100, Vec2(30, -50));
  const double area = 0.08;
  EXPECT_NEAR(w.f_n(), 100 * area, 1e-12);
  const Vec2 first_moment(30 * area * 0.2 * 0.2 / 3, -50 * area * 0.1 * 0.1 / 3);
  EXPECT_LE((w.m_t() - perp(first_moment)).norm(), 1e-13);
}

// [MontMarin25] (5): at a point the cone is R+, its own dual.
TEST(MontMarin25, Eq5PointwiseSignorini) {
  const HalfLine k;
  for (const double x : {-2.0, 0.0, 3.0}) {
    const auto p = k.project(HalfLine::Vector(x));
    EXPECT_EQ(p[0] - k.dual().project(HalfLine::Vector(-x))[0], x);
    EXPECT_EQ(p[0] * k.dual().project(HalfLine::Vector(-x))[0], 0);
  }
}

// [MontMarin25] (6), (7), (8): the mean point of the pressure is the point without moment.
TEST(MontMarin25, Eq678CenterOfPressureIsTheZeroMomentPoint) {
  Rng rng(3);
  for (int k = 0; k < 100; ++k) {
    const auto pressure = random_pressure(rng, square(), 5);
    const Wrench w = wrench_of_pressure_points(pressure);
    Vec2 mean = Vec2::Zero();
    for (const PressurePoint& p : pressure) mean += p.force * p.x;
    mean /= w.f_n();
    const Vec2 c = *center_of_pressure(w);
    EXPECT_LE((c - mean).norm(), 10 * rounding) << "(6)";
    EXPECT_LE(moment_about(w, c).norm(), 10 * rounding * w.f_n()) << "(7)";
    EXPECT_LE((perp(c) - w.m_t() / w.f_n()).norm(), 10 * rounding) << "(8)";
  }
  EXPECT_FALSE(center_of_pressure(Wrench{}));
}

// Erratum to (19): the printed +m_T^perp / f_N is the mirror image of the centre of pressure.
TEST(MontMarin25, Eq19PrintedSignIsWrong) {
  const Vec2 x(0.3, -0.1);
  const Wrench w = wrench_of(PointForce{x, Vec3(0, 0, 7)});
  EXPECT_LE((*center_of_pressure(w) - x).norm(), rounding);
  const Vec2 printed = perp(w.m_t()) / w.f_n();
  EXPECT_LE((printed + x).norm(), rounding) << "the printed form gives -x";
}

// [MontMarin25] (9): needs f_N > 0 in its first case. A pulling force with its moment in the hull
// passes the printed condition and is not in the cone (10).
TEST(MontMarin25, Eq9PrintedFormAcceptsAPullingForce) {
  const PatchCone cone(square());
  const Vec3 pulling(-0.2, -0.1, -1);
  const Vec2 ratio = pulling.head<2>() / pulling[2];
  EXPECT_TRUE(cone.hull().contains(-perp(ratio))) << "as printed";
  EXPECT_LT(cone.margin(pulling), 0) << "corrected";
  EXPECT_GE(cone.margin(-pulling), 0);
}

// [MontMarin25] (10), (11) and Lemma 1: every pressure gives a wrench in K_P, and back.
TEST(MontMarin25, Lemma1PressuresAreTheCone) {
  Rng rng(4);
  for (const PlanarSet& hull : {square(), triangle()}) {
    const PatchCone cone(hull);
    for (int k = 0; k < 200; ++k) {
      const auto pressure = random_pressure(rng, hull, 1 + static_cast<int>(rng.below(6)));
      const Wrench w = wrench_of_pressure_points(pressure);
      EXPECT_GE(cone.margin(normal_part(w)), -rounding * w.f_n());
      const auto witness = pressure_witness(hull, w);
      ASSERT_TRUE(witness);
      EXPECT_LE(witness->points().size(), 3U);
      const Wrench again = wrench_of_pressure_points(witness->points());
      EXPECT_LE((again.vec() - w.vec()).norm(), 100 * rounding * w.f_n());
    }
    // Outside: nothing realises it.
    EXPECT_FALSE(pressure_witness(hull, wrench_of(PointForce{Vec2(3, 3), Vec3(0, 0, 1)})));
    EXPECT_FALSE(pressure_witness(hull, wrench_of(PointForce{Vec2(0.1, 0.1), Vec3(0, 0, -1)})));
  }
}

// Erratum to Lemma 1: the weights are α f_N and (1 - α) f_N; with the printed α and 1 - α the force
// is 1 N whatever f_N is.
TEST(MontMarin25, Lemma1PrintedWeightsLoseTheForce) {
  const Vec2 x1(-1, 0), x2(1, 0);
  const double f = 5, alpha = 0.25;
  const Wrench w = wrench_of(PointForce{alpha * x1 + (1 - alpha) * x2, Vec3(0, 0, f)});
  const std::vector<PressurePoint> printed{{x1, alpha}, {x2, 1 - alpha}};
  const std::vector<PressurePoint> corrected{{x1, alpha * f}, {x2, (1 - alpha) * f}};
  EXPECT_NEAR(wrench_of_pressure_points(printed).f_n(), 1, rounding);
  EXPECT_LE((wrench_of_pressure_points(corrected).vec() - w.vec()).norm(), 10 * rounding);
}

// Erratum to Lemma 1: two points do not suffice on a disconnected patch. The barycentre of three
// feet at the corners of the unit right triangle is 0.2357 m from every segment between two of
// them.
TEST(MontMarin25, Lemma1NeedsThreePointsOnADisconnectedPatch) {
  const std::vector<Vec2> feet{{0, 0}, {1, 0}, {0, 1}};
  const Vec2 c = (feet[0] + feet[1] + feet[2]) / 3;
  double nearest = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const PlanarSet pair = PlanarSet::hull_of_points(std::vector<Vec2>{feet[i], feet[(i + 1) % 3]});
    nearest = std::min(nearest, (pair.nearest(c) - c).norm());
  }
  EXPECT_NEAR(nearest, std::sqrt(2.0) / 6, rounding);
  const auto witness = pressure_witness(triangle(), wrench_of(PointForce{c, Vec3(0, 0, 3)}));
  ASSERT_TRUE(witness);
  EXPECT_EQ(witness->points().size(), 3U);
  for (const PressurePoint& p : witness->points()) EXPECT_NEAR(p.force, 1, 10 * rounding);
}

// [MontMarin25] (12), (13), (14) and Lemma 2: K_P* is where no point of the patch closes.
TEST(MontMarin25, Lemma2NoPointClosesIffTheTwistIsInTheDual) {
  Rng rng(5);
  const PlanarSet hull = square();
  const PatchCone cone(hull);
  int inside = 0;
  for (int k = 0; k < 500; ++k) {
    Twist twist = random_twist(rng);
    twist.v[2] = std::abs(twist.v[2]) * 2;
    double least = 1e300;
    for (const Vec2& x : hull.vertices()) least = std::min(least, normal_velocity_at(twist, x));
    for (const PressurePoint& p : random_pressure(rng, hull, 20))
      EXPECT_GE(normal_velocity_at(twist, p.x), least - rounding) << "affine: least at a corner";
    EXPECT_NEAR(cone.dual_margin(normal_part(twist)), least, 10 * rounding);
    EXPECT_EQ(contains(cone.dual(), normal_part(twist)), least >= 0);
    inside += least >= 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 50);
}

// Erratum to (13): homogeneous coordinates [α x^perp, α] need α >= 0; with α = -1 the printed
// inequality fails for a twist that opens everywhere.
TEST(MontMarin25, Eq13NeedsNonNegativeAlpha) {
  const Vec3 opening(0, 0, 1);
  const Vec2 x(0.2, 0.1);
  for (const double alpha : {1.0, -1.0}) {
    const Vec3 coordinates(alpha * perp(x)[0], alpha * perp(x)[1], alpha);
    EXPECT_EQ(opening.dot(coordinates) >= 0, alpha > 0);
  }
}

// [MontMarin25] (15): the zero-line, its side and orientation.
TEST(MontMarin25, Eq15ZeroLine) {
  Rng rng(6);
  for (int k = 0; k < 100; ++k) {
    const Twist twist = random_twist(rng);
    const auto line = zero_line(square(), twist);
    ASSERT_TRUE(line);
    for (const double s : {-2.0, 0.0, 5.0}) {
      const Vec2 x = line->point + s * line->direction;
      EXPECT_NEAR(normal_velocity_at(twist, x), 0, 1e-11) << "(15a)";
      EXPECT_NEAR(x.dot(perp(twist.w_t())), twist.v_n(), 1e-11) << "(15b)";
    }
    EXPECT_GT(normal_velocity_at(twist, line->point + line->normal), 0);
    EXPECT_NEAR(cross(line->direction, line->normal), 1, rounding) << "opening side on the left";
  }
  EXPECT_FALSE(zero_line(square(), Twist{Vec3(0, 0, 1), Vec3(1, 2, 3)}));
}

// [MontMarin25] (16): the product of the pair is the power, Σ ρ v_N(x), for every pressure.
TEST(MontMarin25, Eq16ProductIsThePower) {
  Rng rng(7);
  for (int k = 0; k < 100; ++k) {
    const auto pressure = random_pressure(rng, square(), 4);
    const Twist twist = random_twist(rng);
    const Wrench w = wrench_of_pressure_points(pressure);
    double sum = 0;
    for (const PressurePoint& p : pressure) sum += p.force * normal_velocity_at(twist, p.x);
    EXPECT_NEAR(normal_part(w).dot(normal_part(twist)), sum, 100 * rounding);
  }
}

// [MontMarin25] (2), (17) and Prop. 1, both ways: pointwise Signorini gives the planar condition,
// and any pressure (not just one) compatible with a complementary pair obeys Signorini point by
// point.
TEST(MontMarin25, Prop1PlanarConditionIsPointwiseSignorini) {
  Rng rng(8);
  const PlanarSet hull = square();
  const PatchCone cone(hull);
  for (int k = 0; k < 200; ++k) {
    // A complementary pair by Moreau: p = P_K(z), q = P_K*(-z).
    const Vec3 z(rng.normal(), rng.normal(), rng.normal());
    const Vec3 p = cone.project(z), q = cone.project_dual(-z);
    EXPECT_NEAR(p.dot(q), 0, 10 * rounding);
    const Wrench w{Vec3(p[0], p[1], 0), Vec3(0, 0, p[2])};
    const Twist twist{Vec3(q[0], q[1], 0), Vec3(0, 0, q[2])};
    const auto witness = pressure_witness(hull, w);
    ASSERT_TRUE(witness);
    const auto residual = pointwise_signorini(hull, witness->points(), twist);
    EXPECT_LE(residual.attraction, 0);
    EXPECT_LE(residual.penetration, 10 * rounding);
    EXPECT_LE(std::abs(residual.power), 100 * rounding);
    for (const PressurePoint& point : witness->points())
      EXPECT_LE(point.force * std::abs(normal_velocity_at(twist, point.x)), 100 * rounding);
  }
  // And the other way: a pressure on the edge about which a patch tips.
  const Twist tipping{Vec3(0, 1, 0), Vec3(0, 0, 1)};  // v_N(x) = 1 - x
  const std::vector<PressurePoint> on_edge{{Vec2(1, -0.5), 2}, {Vec2(1, 0.8), 1}};
  const Wrench w = wrench_of_pressure_points(on_edge);
  EXPECT_GE(cone.margin(normal_part(w)), -rounding);
  EXPECT_GE(cone.dual_margin(normal_part(tipping)), -rounding);
  EXPECT_NEAR(normal_part(w).dot(normal_part(tipping)), 0, rounding);
}

// Erratum to the proof of Prop. 1: three point forces at the corners of a triangle have their
// centre of pressure inside, and no segment between two of the points meets the interior.
TEST(MontMarin25, Prop1ProofFailsForThreePointForces) {
  const PlanarSet hull = triangle();
  const auto v = hull.vertices();
  for (std::size_t i = 0; i < 3; ++i)
    for (const double s : {0.1, 0.5, 0.9})
      EXPECT_NEAR(hull.signed_distance(v[i] + s * (v[(i + 1) % 3] - v[i])), 0, rounding);
  EXPECT_GT(hull.signed_distance((v[0] + v[1] + v[2]) / 3), 0.1);
}

// [MontMarin25] (18), (19): the extended centre of pressure is set-valued: a point, an edge, the
// patch.
TEST(MontMarin25, Eq18And19ExtendedCenterOfPressure) {
  const PlanarSet hull = square();
  const RegimeScales scales;
  const Twist towards_edge{Vec3(0, 1, 0), Vec3(0, 0, 3)};  // v_N = 3 - x: the right edge is lowest
  const Twist towards_corner{Vec3(-1, 1, 0), Vec3(0, 0, 3)};  // v_N = 3 - x - y
  const Twist lift{Vec3(0, 0, 0), Vec3(0, 0, 1)};
  const auto edge = extended_center_of_pressure(hull, Wrench{}, towards_edge, scales);
  EXPECT_EQ(edge.kind, ExtendedCop::Kind::edge);
  for (const Vec2& x : edge.points) EXPECT_EQ(x[0], 1);
  const auto corner = extended_center_of_pressure(hull, Wrench{}, towards_corner, scales);
  EXPECT_EQ(corner.kind, ExtendedCop::Kind::point);
  EXPECT_EQ(corner.points[0], Vec2(1, 1));
  EXPECT_EQ(extended_center_of_pressure(hull, Wrench{}, lift, scales).kind,
            ExtendedCop::Kind::patch);
  const Wrench pressed = wrench_of(PointForce{Vec2(0.2, -0.4), Vec3(0, 0, 10)});
  EXPECT_LE(
      (extended_center_of_pressure(hull, pressed, lift, scales).points[0] - Vec2(0.2, -0.4)).norm(),
      rounding);
  // (18) where there is force and tipping: the centre of pressure is one of the support points.
  const Wrench at_edge = wrench_of(PointForce{Vec2(1, 0.3), Vec3(0, 0, 10)});
  const Twist tipping{Vec3(0, 1, 0), Vec3(0, 0, 1)};
  EXPECT_EQ(classify(hull, at_edge, tipping, scales).regime, Regime::tip_edge);
  EXPECT_NEAR((*center_of_pressure(at_edge)).dot(perp(tipping.w_t())),
              hull.support_value(perp(tipping.w_t())), rounding);
}

// [MontMarin25] Fig. 5 is not exhaustive: grazing and idle exist. Every regime, on one square.
TEST(MontMarin25, Fig5CompletedHasNineRegimes) {
  const PlanarSet hull = square();
  const RegimeScales scales;
  const Wrench none, middle = wrench_of(PointForce{Vec2(0, 0), Vec3(0, 0, 1)});
  const Wrench corner = wrench_of(PointForce{Vec2(1, 1), Vec3(0, 0, 1)});
  const Wrench edge = wrench_of(PointForce{Vec2(1, 0), Vec3(0, 0, 1)});
  const auto twist = [](double wx, double wy, double vx, double vn) {
    return Twist{Vec3(wx, wy, 0), Vec3(vx, 0, vn)};
  };
  const auto regime = [&](const Wrench& w, const Twist& t) {
    return classify(hull, w, t, scales).regime;
  };
  EXPECT_EQ(regime(none, twist(0, 0, 0, 0)), Regime::idle);
  EXPECT_EQ(regime(none, twist(0, 0, 0, 1)), Regime::separate);
  EXPECT_EQ(regime(none, twist(0, 1, 0, 1)), Regime::separate_grazing);
  EXPECT_EQ(regime(middle, twist(0, 0, 0, 0)), Regime::stick);
  EXPECT_EQ(regime(middle, twist(0, 0, 1, 0)), Regime::slide);
  EXPECT_EQ(regime(edge, twist(0, 1, 0, 1)), Regime::tip_edge);
  EXPECT_EQ(regime(edge, twist(0, 1, 1, 1)), Regime::slide_tip_edge);
  EXPECT_EQ(regime(corner, twist(-1, 1, 0, 2)), Regime::tip_vertex);
  EXPECT_EQ(regime(corner, twist(-1, 1, 1, 2)), Regime::slide_tip_vertex);
  EXPECT_EQ(regime(middle, twist(0, 1, 0, 1)), std::nullopt) << "force while opening: not (17)";
  EXPECT_EQ(regime(none, twist(0, 0, 0, -1)), std::nullopt) << "closing: not (17)";
}

// Sec. IV-C: a patch of one point is the punctual law: K = {0} x R+, K* = R² x R+.
TEST(MontMarin25, SinglePointRecoversThePunctualLaw) {
  const PatchCone point;
  Rng rng(9);
  for (int k = 0; k < 100; ++k) {
    const Vec3 z(rng.normal(), rng.normal(), rng.normal());
    EXPECT_LE((point.project(z) - Vec3(0, 0, std::max(z[2], 0.0))).norm(), rounding);
    EXPECT_LE((point.project_dual(z) - Vec3(z[0], z[1], std::max(z[2], 0.0))).norm(), rounding);
  }
}

// Erratum to "independent of the frame": the condition is, the Euclidean projection is not.
TEST(MontMarin25, EuclideanProjectionDependsOnTheFrame) {
  const PatchCone cone(square());
  const Vec2 origin(3, 0);
  const Vec3 z(0, 2, 1);
  const Vec3 moved = change_frame_of_normal_wrench(z, origin, 0);
  const Vec3 here = change_frame_of_normal_wrench(cone.project(z), origin, 0);
  const Vec3 there = cone.in_frame(origin, 0).project(moved);
  EXPECT_GT((here - there).norm(), 0.1);
}

}  // namespace
}  // namespace tact
