#include "tact/soft/track.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/facing_pairs.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr double exact = 1e3 * rounding;  ///< of the size: Newton's method converges to rounding

/// The two equations of facing points, as lengths.
double misfit(const FacingPair& pair, const Pose& X_12, const FacingPoints& f) {
  const Vec3 between = transform_point(X_12, f.two.p) - f.one.p;
  const double arm = f.one.p.norm() + f.two.p.norm();
  // And both points are on their surfaces.
  SurfacePoint one = f.one;
  SurfacePoint two = f.two;
  EXPECT_TRUE(project(pair.one, f.one.p, one));
  EXPECT_TRUE(project(pair.two, f.two.p, two));
  return (between - f.gap * f.one.n).norm() + arm * (f.one.n + X_12.R * f.two.n).norm() +
         (one.p - f.one.p).norm() + (two.p - f.two.p).norm();
}

double size_of(const FacingPair& pair) {
  return pair.facing.one.p.norm() + pair.facing.two.p.norm() + pair.X_12.p.norm();
}

class EveryTrackedPair : public ::testing::TestWithParam<int> {};

TEST_P(EveryTrackedPair, IsFoundAgainAfterASmallMotion) {
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const PointRates rates = point_rates(g, pair.X_12.R);
    const Twist T = slow_twist(rng, g, rates);
    for (const double time : {0.0, 1e-6, 1e-3, 0.03}) {
      const Pose X = integrate_spatial(pair.X_12, T, time);
      FacingPoints facing = pair.facing;
      ASSERT_EQ(track(pair.one, pair.two, X, facing), TrackStatus::tracked);
      EXPECT_LE(misfit(pair, X, facing), exact * size_of(pair));
      // To first order where the rates say.
      const Vec3 predicted = pair.facing.one.p + time * (rates.J1 * T.vec());
      const double curve = g.A1.norm() + g.A2.norm();
      EXPECT_LE((facing.one.p - predicted).norm(),
                100 * time * time / curve + exact * size_of(pair));
    }
  }
}

// The same facing points whichever body is called the first, and in whichever frames.
TEST_P(EveryTrackedPair, DoesNotDependOnNames) {
  Rng rng(2);
  for (int i = 0; i < 20; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const Pose X =
        integrate_spatial(pair.X_12, slow_twist(rng, g, point_rates(g, pair.X_12.R)), 0.01);
    FacingPoints a = pair.facing;
    FacingPoints b{pair.facing.two, pair.facing.one, pair.facing.gap};
    ASSERT_EQ(track(pair.one, pair.two, X, a), TrackStatus::tracked);
    ASSERT_EQ(track(pair.two, pair.one, inverse(X), b), TrackStatus::tracked);
    const double bound = exact * size_of(pair) * 10;
    EXPECT_LE((a.one.p - b.two.p).norm(), bound);
    EXPECT_LE((a.two.p - b.one.p).norm(), bound);
    EXPECT_NEAR(a.gap, b.gap, bound);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryTrackedPair, ::testing::Range(0, pair_kinds),
                         [](const auto& test) { return pair_name(test.param); });

// Ten seconds of tumbling in steps of 20 ms, one call a step.
TEST(Track, TumblingEllipsoids) {
  const FacingPair pair{{EllipsoidSurface{Vec3(0.05, 0.03, 0.02)}},
                        {EllipsoidSurface{Vec3(0.04, 0.06, 0.03)}},
                        {exp_so3(Vec3(0.3, 0.2, 0.1)), Vec3(0.03, 0.04, 0.05)},
                        {}};
  FacingPoints facing = find_facing(pair.one, pair.two, pair.X_12).found.at(0);
  Pose X = pair.X_12;
  for (int i = 0; i < 500; ++i) {
    const double t = 0.02 * i;
    X.R = exp_so3(Vec3(1.3 * t, std::sin(t), 0.4 * t)) * pair.X_12.R;
    X.p = exp_so3(Vec3(std::sin(0.7 * t), 0.9 * t, 0)) * pair.X_12.p;
    ASSERT_EQ(track(pair.one, pair.two, X, facing), TrackStatus::tracked);
    ASSERT_LE(misfit(pair, X, facing), exact);
    if (i % 50 == 0) {
      EXPECT_NEAR(find_facing(pair.one, pair.two, X).found.at(0).gap, facing.gap, exact);
    }
  }
}

// A local optimum of depth at 0.97 Δ_min, none at 1.03.
TEST(Track, TheWindowEndsAtTheLeastRadius) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    FacingPair pair = random_facing_pair(rng, 3);
    const PairGeometry g = pair_geometry(pair.facing, pair.X_12);
    const double least = gap_window(g.A1, g.A2)->least;
    for (const double share : {0.97, 1.03}) {
      Pose X = pair.X_12;
      X.p += (share * least - pair.facing.gap) * g.n;
      FacingPoints facing = pair.facing;
      facing.gap = share * least;
      const TrackStatus status = track(pair.one, pair.two, X, facing);
      EXPECT_EQ(status, share < 1 ? TrackStatus::tracked : TrackStatus::past_window);
      EXPECT_NEAR(facing.gap, share * least, exact);
    }
  }
}

TEST(Track, ABallIsLostInTheMiddleOfABowl) {
  const Surface bowl{SphereSurface{0.08}, true};
  const Surface ball{SphereSurface{0.02}};
  for (const double off : {0.01, 0.001}) {
    const FacingSearch search = find_facing(bowl, ball, {Mat3::Identity(), Vec3(0, 0, -off)});
    ASSERT_EQ(search.found.size(), 1U);
    EXPECT_NEAR(search.found[0].gap, 0.06 - off, exact);
  }
  FacingPoints facing = find_facing(bowl, ball, {Mat3::Identity(), Vec3(0, 0, -0.01)}).found.at(0);
  EXPECT_EQ(track(bowl, ball, {}, facing), TrackStatus::past_window);
  EXPECT_EQ(find_facing(bowl, ball, {}).status, TrackStatus::past_window);
}

TEST(Track, LinesAndFacesAreRejected) {
  const Surface plane{PlaneSurface{}};
  const Pose lying{exp_so3(Vec3(std::numbers::pi / 2, 0, 0)), Vec3(0, 0, 0.02)};
  const Pose above{exp_so3(Vec3(std::numbers::pi, 0, 0)), Vec3(0, 0, 0.02)};
  const Surface cylinder{CylinderSurface{0.02}};
  const Surface capsule{CapsuleSurface{0.02, 0.05}};
  EXPECT_EQ(find_facing(plane, cylinder, lying).status, TrackStatus::lost_convexity);
  EXPECT_EQ(find_facing(plane, capsule, lying).status, TrackStatus::lost_convexity);
  EXPECT_EQ(find_facing(plane, plane, above).status, TrackStatus::lost_convexity);
  EXPECT_EQ(find_facing(cylinder, cylinder, {Mat3::Identity(), Vec3(0.05, 0, 0)}).status,
            TrackStatus::lost_convexity);
  // A ball that just fits into its bowl touches all over.
  EXPECT_EQ(find_facing({SphereSurface{0.02}, true}, {SphereSurface{0.02}}, {}).status,
            TrackStatus::lost_convexity);
  // A superellipsoid stands on a flat point.
  const Surface pillow{SuperellipsoidSurface{Vec3(0.04, 0.03, 0.05), 0.5, 0.5}};
  EXPECT_EQ(find_facing(plane, pillow, {Mat3::Identity(), Vec3(0, 0, 0.05)}).status,
            TrackStatus::lost_convexity);
  for (const TrackStatus s : {TrackStatus::lost_convexity, TrackStatus::past_window,
                              TrackStatus::not_converged, TrackStatus::left_surface})
    EXPECT_GT(describe(s).size(), 20U);
}

TEST(Track, ARejectedStartStaysAsItWas) {
  const Surface plane{PlaneSurface{}};
  const Surface cylinder{CylinderSurface{0.02}};
  const Pose lying{exp_so3(Vec3(std::numbers::pi / 2, 0.1, 0)), Vec3(0, 0, 0.02)};
  FacingPoints facing;
  ASSERT_TRUE(project(plane, Vec3::Zero(), facing.one));
  ASSERT_TRUE(project(cylinder, Vec3(0, -1, 0), facing.two));
  const FacingPoints before = facing;
  EXPECT_NE(track(plane, cylinder, lying, facing), TrackStatus::tracked);
  EXPECT_EQ(facing.two.p, before.two.p);
}

TEST(Track, APatchIsLeftOverItsEdge) {
  Rng rng(4);
  const Surface waves{saddle_waves(0.004, 8, 9, 0)};
  const Surface ball{SphereSurface{0.02}};
  Pose X{Mat3::Identity(), Vec3(0.47, 0, 0.03)};
  FacingSearch search = find_facing(waves, ball, X);
  ASSERT_EQ(search.status, TrackStatus::tracked);
  FacingPoints facing = search.found.at(0);
  TrackStatus status = TrackStatus::tracked;
  for (int i = 0; i < 100 && status == TrackStatus::tracked; ++i) {
    X.p[0] += 0.001;
    status = track(waves, ball, X, facing);
  }
  EXPECT_EQ(status, TrackStatus::left_surface);
  EXPECT_LE(facing.one.p[0], 0.5);
}

TEST(Track, CrossedCylindersTouchInAPoint) {
  const Surface one{CylinderSurface{0.02}};
  const Surface two{CylinderSurface{0.03}};
  const Pose X{exp_so3(Vec3(1.1, 0, 0)), Vec3(0.055, 0.1, 0.2)};
  const FacingSearch search = find_facing(one, two, X);
  ASSERT_EQ(search.status, TrackStatus::tracked);
  EXPECT_NEAR(search.found.at(0).gap, 0.005, exact);
  // From the other side through the first: deep, and no nearest pair.
  const FacingSearch deep = find_facing(one, two, {X.R, Vec3(0.001, 0.1, 0.2)});
  ASSERT_EQ(deep.status, TrackStatus::tracked);
  EXPECT_NEAR(deep.found.at(0).gap, -0.049, exact);
}

class EveryConvexPair : public ::testing::TestWithParam<int> {};

// max over n of -h1(n) - h2(-n): no direction of many separates more than the found one, apart or
// overlapping.
TEST_P(EveryConvexPair, TheGapIsTheSignedDistance) {
  Rng rng(5);
  const int kind_one = 1 + GetParam() / 5;
  const int kind_two = 1 + GetParam() % 5;
  int found = 0;
  for (int i = 0; i < 40; ++i) {
    const Surface one = random_surface(rng, kind_one);
    const Surface two = random_surface(rng, kind_two);
    const Pose X = random_pose(rng, rng.log_uniform(0.01, 0.1));
    const FacingSearch search = find_facing(one, two, X);
    if (search.status == TrackStatus::past_window || search.status == TrackStatus::lost_convexity)
      continue;  // the maximum lies at a ridge: an axis is crossed, a capsule seen end on
    ASSERT_EQ(search.status, TrackStatus::tracked)
        << surface_name(kind_one) << ' ' << surface_name(kind_two) << ' ' << i;
    ++found;
    ASSERT_EQ(search.found.size(), 1U);
    const FacingPoints& f = search.found[0];
    const FacingPair pair{one, two, X, f};
    EXPECT_LE(misfit(pair, X, f), exact * size_of(pair));
    const auto separation = [&](const Vec3& n) {
      const auto p = support_point(one, n);
      const auto q = support_point(two, -(X.R.transpose() * n));
      return p && q ? n.dot(transform_point(X, *q) - *p) : -1.0;
    };
    for (int k = 0; k < 300; ++k)
      EXPECT_LE(separation(random_direction(rng)), f.gap + exact * size_of(pair));
    for (int k = 0; k < 100; ++k)
      EXPECT_LE(separation((f.one.n + random_vec3(rng, 0.01)).normalized()),
                f.gap + exact * size_of(pair));
  }
  EXPECT_GE(found, 36);
}

INSTANTIATE_TEST_SUITE_P(Pairs, EveryConvexPair, ::testing::Range(0, 25), [](const auto& test) {
  return surface_name(1 + test.param / 5) + "_" + surface_name(1 + test.param % 5);
});

// Two contacts each; the bar is not pushed out through the torus, though points face there too.
TEST(FindFacing, SeveralContactsOfOnePair) {
  const Surface torus{TorusSurface{0.06, 0.02}};
  const Surface bar{CapsuleSurface{0.01, 0.1, Vec3::UnitX()}};
  // A bar over the torus rests on two places of the tube.
  const FacingSearch over = find_facing(torus, bar, {Mat3::Identity(), Vec3(0, 0, 0.029)});
  ASSERT_EQ(over.status, TrackStatus::tracked);
  ASSERT_EQ(over.found.size(), 2U);
  for (const FacingPoints& f : over.found) {
    EXPECT_NEAR(f.gap, -0.001, exact);
    EXPECT_NEAR(std::abs(f.one.p[0]), 0.06, exact);
  }
  // Waves with crests 1/20 of a turn apart: a large ball rests on two crests.
  const Surface waves{HeightSurface{[](double x, double y) {
    const double k = 60;
    const double a = 0.004;
    return HeightJet{a * std::cos(k * x) - y * y,
                     -a * k * std::sin(k * x),
                     -2 * y,
                     -a * k * k * std::cos(k * x),
                     0,
                     -2};
  }}};
  const double middle = std::numbers::pi / 60;
  const FacingSearch trough =
      find_facing(waves, {SphereSurface{0.12}}, {Mat3::Identity(), Vec3(middle, 0, 0.112)});
  ASSERT_EQ(trough.status, TrackStatus::tracked);
  ASSERT_GE(trough.found.size(), 2U);
  EXPECT_NEAR(trough.found[0].gap, trough.found[1].gap, exact);
  EXPECT_NEAR(trough.found[0].one.p[0] + trough.found[1].one.p[0], 2 * middle, exact);
  for (std::size_t i = 1; i < trough.found.size(); ++i)
    EXPECT_LE(trough.found[i - 1].gap, trough.found[i].gap);
}

TEST(FindFacing, FarPairsAreLeftOutOnRequest) {
  const Surface ball{SphereSurface{0.02}};
  const Pose X{Mat3::Identity(), Vec3(0.1, 0, 0)};
  EXPECT_EQ(find_facing(ball, ball, X, {.max_gap = 0.07}).found.size(), 1U);
  const FacingSearch none = find_facing(ball, ball, X, {.max_gap = 0.05});
  EXPECT_EQ(none.status, TrackStatus::tracked);
  EXPECT_TRUE(none.found.empty());
}

class EveryFoundPair : public ::testing::TestWithParam<int> {};

// What faces each other by construction is among what the search finds.
TEST_P(EveryFoundPair, IsFoundWithoutAStart) {
  Rng rng(6);
  int missed = 0;
  for (int i = 0; i < 20; ++i) {
    const FacingPair pair = random_facing_pair(rng, GetParam());
    const FacingSearch search = find_facing(pair.one, pair.two, pair.X_12, {.max_found = 1000});
    double nearest = 1;
    for (const FacingPoints& f : search.found)
      nearest = std::min(
          nearest, (f.one.p - pair.facing.one.p).norm() + (f.two.p - pair.facing.two.p).norm());
    // Of convex pairs only the signed distance is given, which is never less.
    const bool convex = is_convex(pair.one) && is_convex(pair.two);
    if (convex && !search.found.empty() && search.found[0].gap > pair.facing.gap) continue;
    if (nearest > 100 * exact * size_of(pair)) ++missed;
  }
  EXPECT_EQ(missed, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryFoundPair, ::testing::Range(0, pair_kinds),
                         [](const auto& test) { return pair_name(test.param); });

}  // namespace
}  // namespace tact
