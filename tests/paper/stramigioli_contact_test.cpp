// [Stramigioli] sec. 2.3 and 4: surfaces, regular and generalised contact kinematics; one test a
// claim, in the paper's own homogeneous matrices.
#include <cmath>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "tact/geom/curvature.hpp"
#include "tact/soft/track.hpp"
#include "tests/support/facing_pairs.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr int trials = 10;
constexpr double exact = 1e4 * rounding;

Vec4 point(const Vec3& p) {
  return {p[0], p[1], p[2], 1};
}
Vec4 free_vector(const Vec3& v) {
  return {v[0], v[1], v[2], 0};
}
/// g_* as Table 1 has it: vectors to vectors.
Mat4 tall(const Mat3& dn) {
  Mat4 m = Mat4::Zero();
  m.topLeftCorner<3, 3>() = dn;
  return m;
}

/// What the equations of section 4 are written in; the twists are T_2^{1,1} and T_1^{2,2}.
struct Paper {
  Mat4 H12, H21, T2, T1, g1_star, g2_star;
  Vec4 p1, p2, g1, g2, p1_rate, p2_rate;
  double gap, gap_speed;
};

Paper in_paper(const FacingPair& pair, const Twist& T) {
  const Pose X_21 = inverse(pair.X_12);
  const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
  const PointRates rates = point_rates(g, pair.X_12.R);
  const SurfacePoint& one = pair.facing.one;
  const SurfacePoint& two = pair.facing.two;
  return {matrix(pair.X_12),
          matrix(X_21),
          hat(T),
          hat(transform(X_21, -T)),
          tall(one.dn),
          tall(two.dn),
          point(one.p),
          point(two.p),
          free_vector(one.n),
          free_vector(two.n),
          free_vector(rates.J1 * T.vec()),
          free_vector(rates.J2 * T.vec()),
          pair.facing.gap,
          gap_rate(g, T)};
}

template <class F>
void for_pairs(std::uint64_t seed, F f) {
  Rng rng(seed);
  for (int kind = 0; kind < pair_kinds; ++kind)
    for (int i = 0; i < trials; ++i) {
      SCOPED_TRACE(pair_name(kind));
      f(random_facing_pair(rng, kind), rng);
    }
}

Twist twist_of(const FacingPair& pair, Rng& rng) {
  const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
  return slow_twist(rng, g, point_rates(g, pair.X_12.R));
}

/// The first line of (22), both sides, with a freely chosen velocity on the left.
Mat4 left_of_22(const Paper& m) {
  return m.g1_star + m.H12 * m.g2_star * m.H21 * (Mat4::Identity() + m.gap * m.g1_star);
}
Vec4 right_of_22(const Paper& m) {
  return m.T2 * m.g1 + m.H12 * m.g2_star * (m.gap_speed * m.g2 - m.T1 * m.p2);
}

// [Stramigioli] (12): ζ with <ζ, g_* ζ> = 1 is an ellipse where the surface is convex; a flat
// surface has "an infinite circle".
TEST(StramigioliContact, Eq12RadiusCurvatureQuadric) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const Surface surface = random_surface(rng, 2);
    for (const SurfacePoint& at : some_points(surface, rng, 5)) {
      const CurvatureQuadric q = curvature_quadric(at);
      for (double angle = 0; angle < 6; angle += 0.5) {
        const Vec3 zeta = std::cos(angle) * q.radii[0] * q.principal.e1 +
                          std::sin(angle) * q.radii[1] * q.principal.e2;
        EXPECT_NEAR(zeta.dot(at.dn * zeta), 1, exact);
      }
    }
  }
  SurfacePoint flat;
  ASSERT_TRUE(project({PlaneSurface{}}, Vec3::Zero(), flat));
  EXPECT_TRUE(std::isinf(curvature_quadric(flat).radii[0]));
}

// [Stramigioli] (13), (14): of a chart f with f_* = [fu fv] the velocity of u gives the velocity of
// the point, and g_* f_* the velocity of the normal.
TEST(StramigioliContact, Eq13Eq14ChartsAndTheirTangents) {
  Rng rng(2);
  const ParametricSurface chart = torus_chart(0.06, 0.02);
  for (int i = 0; i < trials; ++i) {
    const Vec2 u(rng.uniform(0, 6), rng.uniform(0, 6));
    const Vec2 u_rate = random_vec2(rng);
    const auto at = [&](double t) {
      SurfacePoint s;
      const PatchJet jet = chart.patch(u[0] + t * u_rate[0], u[1] + t * u_rate[1]);
      s.uv = u + t * u_rate;
      EXPECT_TRUE(project({chart}, jet.f, s));
      return s;
    };
    const double h = std::pow(tolerance::epsilon, 0.2);
    const auto rate = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
      return Vec3((8 * (a - b) - (c - d)) / (12 * h));
    };
    const SurfacePoint a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h), here = at(0);
    const PatchJet jet = chart.patch(u[0], u[1]);
    const Vec3 p_rate = jet.fu * u_rate[0] + jet.fv * u_rate[1];
    const double bound = 1e3 * std::pow(tolerance::epsilon, 0.8);
    EXPECT_LE((rate(a.p, b.p, c.p, d.p) - p_rate).norm(), bound);
    EXPECT_LE((rate(a.n, b.n, c.n, d.n) - here.dn * p_rate).norm(), bound);
  }
}

// [Stramigioli] (15) prints (n, 1) for the value of the Gauss map; it must be (n, 0), as Table 1
// has it, or H would translate normals.
TEST(StramigioliContact, Eq15NormalsAreNotTranslated) {
  for_pairs(3, [](const FacingPair& pair, Rng& rng) {
    const Paper m = in_paper(pair, twist_of(pair, rng));
    EXPECT_LE((m.g1 + m.H12 * m.g2).norm(), exact);
    const Vec4 printed = m.H12 * point(pair.facing.two.n);
    EXPECT_NEAR((printed - m.H12 * m.g2).head<3>().norm(), pair.X_12.p.norm(), exact);
  });
}

// [Stramigioli] (16)-(19): Montana's kinematics are those of a gap that is zero and stays zero.
TEST(StramigioliContact, Eq16To19RegularContact) {
  for_pairs(4, [](FacingPair pair, Rng& rng) {
    pair.X_12.p -= pair.facing.gap * pair.facing.one.n;
    pair.facing.gap = 0;
    Twist T = twist_of(pair, rng);
    T.v -= gap_rate(pair_geometry(pair.facing, pair.X_12), T) * pair.facing.one.n;
    const Paper m = in_paper(pair, T);
    EXPECT_NEAR(m.gap_speed, 0, exact * T.v.norm());
    EXPECT_LE((m.p1 - m.H12 * m.p2).norm(), exact);  // (16)
    const double speed = m.p1_rate.norm() + m.p2_rate.norm() + T.v.norm();
    const Mat4 H12_rate = m.T2 * m.H12;
    EXPECT_LE((m.p1_rate - H12_rate * m.p2 - m.H12 * m.p2_rate).norm(), exact * speed);  // (17)
    const double turn = exact * speed * (1 + m.g1_star.norm() + m.g2_star.norm());
    EXPECT_LE((m.g1_star * m.p1_rate - m.T2 * m.g1 + m.H12 * m.g2_star * m.p2_rate).norm(),  // (18)
              turn);
    const Vec4 first = (m.g1_star + m.H12 * m.g2_star * m.H21) * m.p1_rate -
                       (m.T2 * m.g1 - m.H12 * m.g2_star * m.T1 * m.p2);
    const Vec4 second = (m.g2_star + m.H21 * m.g1_star * m.H12) * m.p2_rate -
                        (m.T1 * m.g2 - m.H21 * m.g1_star * m.T2 * m.p1);
    EXPECT_LE(first.norm(), turn);  // (19)
    EXPECT_LE(second.norm(), turn);
  });
}

// [Stramigioli] (20), (21), (23)-(25): p1 + Δ g1 = H p2, g1 = -H g2, their rates, and the rate of
// Δ.
TEST(StramigioliContact, Eq20To25GeneralisedContact) {
  for_pairs(5, [](const FacingPair& pair, Rng& rng) {
    const Twist T = twist_of(pair, rng);
    const Paper m = in_paper(pair, T);
    EXPECT_LE((m.p1 + m.gap * m.g1 - m.H12 * m.p2).norm(), exact);
    EXPECT_NEAR(m.g1.dot(m.H12 * m.p2 - m.p1), m.gap, exact);
    const double speed = m.p1_rate.norm() + m.p2_rate.norm() + T.v.norm() + T.w.norm();
    const Mat4 H12_rate = m.T2 * m.H12;
    EXPECT_NEAR(m.g1.dot(H12_rate * m.p2), m.gap_speed, exact * speed);
    EXPECT_NEAR(m.g1.dot(m.T2 * m.p1), m.gap_speed, exact * speed);
    const Vec4 points = m.p1_rate + m.gap_speed * m.g1 + m.gap * m.g1_star * m.p1_rate -
                        H12_rate * m.p2 - m.H12 * m.p2_rate;
    const Vec4 normals = m.g1_star * m.p1_rate - m.T2 * m.g1 + m.H12 * m.g2_star * m.p2_rate;
    const double turn = exact * speed * (1 + m.g1_star.norm() + m.g2_star.norm());
    EXPECT_LE(points.norm(), turn);
    EXPECT_LE(normals.norm(), turn);
  });
}

// [Stramigioli] (22) prints the velocities of the points exchanged: the first line is of p1.
TEST(StramigioliContact, Eq22HoldsWithTheVelocitiesExchanged) {
  double printed = 0;
  int cases = 0;
  for_pairs(6, [&](const FacingPair& pair, Rng& rng) {
    const Paper m = in_paper(pair, twist_of(pair, rng));
    const Vec4 right = right_of_22(m);
    const double scale = right.norm() + left_of_22(m).norm() * m.p1_rate.norm();
    EXPECT_LE((left_of_22(m) * m.p1_rate - right).norm(), exact * scale);
    // As printed, and with the velocity of p2 turned into the frame of 1 to be fair.
    const Vec4 as_printed = left_of_22(m) * (m.H12 * m.p2_rate) - right;
    printed += as_printed.norm() / scale;
    ++cases;
  });
  EXPECT_GT(printed / cases, 0.1);
}

// The matrix of (22) is no 4x4 matrix to invert: its fourth column is that of points, H12 g2_* H21
// applied to the origin, and a pseudo-inverse mixes it in.
TEST(StramigioliContact, Eq22IsNotSolvedByAPseudoInverseOfFourRows) {
  double worst = 0;
  for_pairs(7, [&](const FacingPair& pair, Rng& rng) {
    const Paper m = in_paper(pair, twist_of(pair, rng));
    const Mat4 left = left_of_22(m);
    // The rank is two: what rounding leaves of other directions is none.
    Eigen::CompleteOrthogonalDecomposition<Mat4> four;
    four.setThreshold(tolerance::rank);
    four.compute(left);
    Eigen::CompleteOrthogonalDecomposition<Mat3> three;
    three.setThreshold(tolerance::rank);
    three.compute(left.topLeftCorner<3, 3>());
    const Vec4 mixed = four.solve(right_of_22(m));
    const Vec3 plain = three.solve(Vec3(right_of_22(m).head<3>()));
    const double speed = m.p1_rate.norm();
    EXPECT_LE((plain - m.p1_rate.head<3>()).norm(), 1e3 * exact * speed);
    worst = std::max(worst, (mixed - m.p1_rate).norm() / speed);
  });
  EXPECT_GT(worst, 1e-3);
}

// [Stramigioli] (28) adds quadrics of radii; what adds are the quadratic forms: the gap over the
// tangent plane is ½ ζᵀ(A1 + A2)ζ, to which a plane adds nothing.
TEST(StramigioliContact, Eq28FormsAddAndNotRadii) {
  for_pairs(8, [](FacingPair pair, Rng& rng) {
    pair.X_12.p -= pair.facing.gap * pair.facing.one.n;
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const double h = std::pow(tolerance::epsilon, 0.2) / (g.A1.norm() + g.A2.norm());
    const Vec2 zeta = random_vec2(rng).normalized();
    // Height of a body over the common tangent plane at ±h along a tangent, mean of both sides.
    const auto height = [&](const Surface& surface, const SurfacePoint& at, const Vec3& t) {
      double sum = 0;
      for (const double s : {-h, h}) {
        SurfacePoint there = at;
        EXPECT_TRUE(slide(surface, s * t, there));
        // The slide ends a little beside s t: the height there, by the quadric, at s t instead.
        const Vec3 way = there.p - at.p;
        sum += way.dot(at.n) * h * h / (way - way.dot(at.n) * at.n).squaredNorm();
      }
      return sum / 2;
    };
    const Vec3 t = g.E * zeta;
    const double gap = -height(pair.one, pair.facing.one, t) -
                       height(pair.two, pair.facing.two, pair.X_12.R.transpose() * t);
    const double form = zeta.dot((g.A1 + g.A2) * zeta) * h * h / 2;
    EXPECT_NEAR(gap, form, 0.02 * (g.A1.norm() + g.A2.norm()) * h * h);
  });
}

}  // namespace
}  // namespace tact
