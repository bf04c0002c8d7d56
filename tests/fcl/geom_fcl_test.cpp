// FCL, where it is installed, as a second referee of distances and overlaps.
#include <cmath>
#include <memory>
#include <tuple>

#include <fcl/fcl.h>
#include <gtest/gtest.h>

#include "tact/geom/distance.hpp"
#include "tests/support/geom_referee.hpp"
#include "tests/support/shape_zoo.hpp"

namespace tact {
namespace {

/// Kinds 0 to 4 of the zoo: sphere, capsule, ellipsoid, cylinder, box. FCL's lengths are whole.
struct ToFcl {
  using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;
  Geometry operator()(const Sphere& s) const { return std::make_shared<fcl::Sphered>(s.radius); }
  Geometry operator()(const Capsule& s) const {
    return std::make_shared<fcl::Capsuled>(s.radius, 2 * s.half_length);
  }
  Geometry operator()(const Ellipsoid& s) const {
    return std::make_shared<fcl::Ellipsoidd>(s.semi_axes[0], s.semi_axes[1], s.semi_axes[2]);
  }
  Geometry operator()(const Cylinder& s) const {
    return std::make_shared<fcl::Cylinderd>(s.radius, 2 * s.half_length);
  }
  Geometry operator()(const Box& s) const {
    const Vec3 sides = 2 * s.half_extents;
    return std::make_shared<fcl::Boxd>(sides[0], sides[1], sides[2]);
  }
  template <class Other>
  Geometry operator()(const Other& /*s*/) const {
    return nullptr;
  }
};

fcl::CollisionObjectd object(const Shape& shape, const Pose& X_W) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X_W.R;
  T.translation() = X_W.p;
  return {std::visit(ToFcl{}, shape), T};
}

/// FCL's iterations stop at this. Its distance is that of two points, an upper bound of the truth,
/// where ours is a lower one; on round shapes it stops early at times (by 1e-2 seen in 2000).
constexpr double fcl_tolerance = 1e-6, fcl_excess = 2e-2, close_call = 2e-3;

class FclPair : public ::testing::TestWithParam<std::tuple<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Geom, FclPair,
                         ::testing::Combine(::testing::Range(0, 5), ::testing::Range(0, 5)));

TEST_P(FclPair, AgreesOnDistanceAndOverlap) {
  const auto [a, b] = GetParam();
  Rng rng{static_cast<std::uint64_t>(900 + 10 * a + b)};
  int apart = 0, overlapping = 0;
  for (int k = 0; k < testing::how_many(250); ++k) {
    SCOPED_TRACE(k);
    testing::ShapePair p{testing::random_shape(rng, a), testing::random_shape(rng, b), {}, {}};
    testing::random_place(rng, k, 3, p);
    const double d = distance(p.first, p.X_W1, p.second, p.X_W2).distance;
    if (std::abs(d) < close_call) continue;  // close calls are its own affair
    const auto one = object(p.first, p.X_W1), two = object(p.second, p.X_W2);
    fcl::CollisionRequestd ask;
    fcl::CollisionResultd touch;
    EXPECT_EQ(fcl::collide(&one, &two, ask, touch) > 0, d < 0) << d;
    ++(d < 0 ? overlapping : apart);
    if (d < 0) continue;
    fcl::DistanceRequestd request;
    request.distance_tolerance = fcl_tolerance;
    fcl::DistanceResultd answer;
    const double theirs = fcl::distance(&one, &two, request, answer);
    EXPECT_GE(theirs, d - fcl_tolerance);
    EXPECT_LE(theirs, d + fcl_excess);
  }
  EXPECT_GT(apart, 20);
  EXPECT_GT(overlapping, 20);
}

}  // namespace
}  // namespace tact
