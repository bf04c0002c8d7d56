#include "tact/cone/friction_search.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact::detail {
namespace {

std::vector<FrictionNode> some_nodes(Rng& rng, int count = 5) {
  std::vector<FrictionNode> nodes;
  for (int i = 0; i < count; ++i)
    nodes.push_back({Vec2(3 + rng.normal(), rng.normal()), rng.uniform(0.1, 1), 0.2});
  return nodes;
}

TEST(FrictionSearch, TheSetLooksLikeABallFromItsOwnPlace) {
  Rng rng(1);
  const std::vector<FrictionNode> nodes = some_nodes(rng);
  const FrictionPlace place = place_of(nodes);
  FrictionWorkspace own;
  load(nodes, place, own);
  Mat3 sum = Mat3::Zero();
  for (const auto& n : own.pairs)
    for (int i = 0; i < 2; ++i) {
      Mat3 a;
      a << 1, 0, -n.xi_y[i], 0, 1, n.xi_x[i], 0, 0, n.radius[i];
      sum += n.k[i] * a.transpose() * a;
    }
  EXPECT_LE((sum - place.bound * Mat3::Identity()).norm(), 1e-13);
}

/// Nodes go two by two; of an odd number the last is not counted twice.
TEST(FrictionSearch, DissipationIsThatOfTheNodesHoweverMany) {
  Rng rng(4);
  FrictionWorkspace own;  // dirty from round to round
  for (const int count : {7, 2, 9, 3, 24, 5}) {
    std::vector<FrictionNode> nodes = some_nodes(rng, count);
    for (FrictionNode& node : nodes) node.r = 1;  // small ones would begin larger than they are
    const FrictionPlace place = place_of(nodes);
    load(nodes, place, own);
    EXPECT_EQ(own.count, static_cast<std::size_t>(count));
    ASSERT_EQ(own.pairs.size(), static_cast<std::size_t>((count + 1) / 2));
    const FrictionSearch search(own, place, nullptr, Vec3(1, 2, 3));
    const Vec3 tau(rng.normal(), rng.normal(), rng.normal());
    const double expected = friction_support(nodes, tau);
    EXPECT_NEAR(search.sigma(place.velocity_in(tau)), expected, 1e-13 * expected) << count;
  }
}

TEST(FrictionSearch, CoordinatesKeepPower) {
  Rng rng(2);
  const FrictionPlace place = place_of(some_nodes(rng));
  const Vec3 tau(rng.normal(), rng.normal(), rng.normal()), T(rng.normal(), rng.normal(), 1);
  EXPECT_NEAR(place.velocity_in(tau).dot(place.force_in(T)), tau.dot(T), 1e-13);
  EXPECT_LE((place.velocity_out(place.velocity_in(tau)) - tau).norm(), 1e-13);
  EXPECT_LE((place.force_out(place.force_in(T)) - T).norm(), 1e-13);
}

TEST(FrictionSearch, LeastMarginIsALowerBoundThatIsReached) {
  Rng rng(3);
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<FrictionNode> nodes = some_nodes(rng);
    const FrictionPlace place = place_of(nodes);
    FrictionWorkspace own;
    load(nodes, place, own);
    const Vec3 T(rng.normal(), rng.normal(), rng.normal());
    FrictionSearch search(own, place, nullptr, T);
    Vec3 y = -search.a;
    const double least = search.least_margin(y, true);
    EXPECT_TRUE(search.converged);
    EXPECT_NEAR(search.sigma(y) / -search.a.dot(y), least, 1e-12 * least);
    for (int i = 0; i < 20; ++i) {
      const Vec3 tau(rng.normal(), rng.normal(), rng.normal());
      EXPECT_GE(friction_support(nodes, tau), least * std::abs(T.dot(tau)) * (1 - 1e-12));
    }
  }
}

}  // namespace
}  // namespace tact::detail
