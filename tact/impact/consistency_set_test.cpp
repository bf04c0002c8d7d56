#include "tact/impact/consistency_set.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tact {
namespace {

ImpactGenerators particle(std::vector<ExactVector> mass, std::vector<ExactVector> directions,
                          ExactVector chi, ExactVector z) {
  ImpactGenerators out;
  out.mass = std::move(mass);
  for (std::size_t k = 0; k < directions.size(); ++k) out.push.contact.push_back(Index(k));
  out.push.direction = std::move(directions);
  out.push.excitation = std::move(chi);
  out.open = out.push;
  out.before = z;
  out.free = std::move(z);
  return out;
}

/// A particle of mass 2 in the corner of a room whose right wall (x <= 3) is far away but touched
/// in velocity: P⁺ is the half-strip 0 <= x <= 3, y >= 0.
ConsistencySet strip() {
  return *consistency_set(
      particle({{2, 0}, {0, 2}}, {{1, 0}, {0, 1}, {-1, 0}}, {0, 0, 3}, {-1, -2}));
}

TEST(ConsistencySet, CornersRaysAndEdgesOfAHalfStrip) {
  const ConsistencySet set = strip();
  ASSERT_EQ(set.dimension(), 2);
  ASSERT_EQ(set.opening.corners.size(), 2U);
  const PolyhedronCorner& left = set.opening.corners[0];
  const PolyhedronCorner& right = set.opening.corners[1];
  EXPECT_EQ(left.velocity, (ExactVector{0, 0}));
  EXPECT_EQ(left.active, (std::vector<Index>{0, 1}));
  EXPECT_EQ(left.radius2, 2 * (1 + 4));
  EXPECT_EQ(right.velocity, (ExactVector{3, 0}));
  EXPECT_EQ(right.active, (std::vector<Index>{1, 2}));
  EXPECT_EQ(right.radius2, 2 * (16 + 4));
  ASSERT_EQ(set.opening.rays.size(), 1U);
  ExactVector up = velocity_at(set, set.opening.rays[0]);
  EXPECT_EQ(up[0] + 1, 0);  // of the ray itself: seen from z
  EXPECT_GT(up[1] + 2, 0);
  ASSERT_EQ(set.opening.edges.size(), 3U);
  int unbounded = 0;
  for (const PolyhedronEdge& e : set.opening.edges) unbounded += e.unbounded ? 1 : 0;
  EXPECT_EQ(unbounded, 2);
  EXPECT_EQ(velocity_at(set, *set.projection), (ExactVector{0, 0}));
  // Floor and both walls: impulses reach the half-plane above z.
  ASSERT_EQ(set.reach.size(), 1U);
  // P⁻ is empty: x <= 0 and x >= 3. Both walls pushed at once would be paid 3 for nothing.
  EXPECT_TRUE(set.closing.empty());
  ASSERT_TRUE(set.closing.contradiction);
  EXPECT_GT((*set.closing.contradiction)[0], 0);
  EXPECT_EQ((*set.closing.contradiction)[0], (*set.closing.contradiction)[2]);
}

TEST(ConsistencySet, MembershipSaysWhichPartFails) {
  const ConsistencySet set = strip();
  EXPECT_TRUE(membership(set, {0, 0}).inside());
  EXPECT_TRUE(membership(set, {1, 2}).inside());  // on the first circle
  EXPECT_EQ(membership(set, {1, 2}).least, Exact(0));
  const auto through = membership(set, {-1, 0});
  EXPECT_TRUE(through.reachable && through.dissipative && !through.admissible);
  const auto down = membership(set, {0, -3});
  EXPECT_TRUE(!down.reachable && !down.admissible);
  const auto fast = membership(set, {2, 2});
  EXPECT_TRUE(fast.admissible && fast.reachable && !fast.dissipative && !fast.inside());
  EXPECT_EQ(fast.least, Exact(8 - 5));
  EXPECT_EQ(fast.least_at, (std::vector<Index>{0}));
  EXPECT_FALSE(fast.most);
  EXPECT_FALSE(fast.strong);
  // Straight up: the impulse is the floor's alone and both corners of the floor explain it.
  EXPECT_EQ(membership(set, {-1, 0}).least_at, (std::vector<Index>{0, 1}));
}

/// Where the rows do not span, P⁺ itself has no corners; the slice has.
TEST(ConsistencySet, OneWallInThePlane) {
  const auto set = consistency_set(particle({{1, 0}, {0, 1}}, {{1, 0}}, {0}, {-1, 5}));
  ASSERT_TRUE(set);
  EXPECT_EQ(set->dimension(), 1);
  ASSERT_EQ(set->opening.corners.size(), 1U);
  EXPECT_EQ(set->opening.corners[0].velocity, (ExactVector{0, 5}));
  EXPECT_EQ(set->opening.corners[0].radius2, 1);
  const auto thrown = membership(*set, {2, 5});
  EXPECT_FALSE(thrown.dissipative);
  EXPECT_EQ(thrown.least, Exact(3, 2));
  EXPECT_FALSE(membership(*set, {1, 4}).reachable);
  EXPECT_TRUE(membership(*set, {1, 5}).inside());
}

TEST(ConsistencySet, NegativeWorkMayLeaveNothing) {
  const auto input = particle({{1}}, {{1}}, {0}, {-1});
  const auto some = consistency_set(input, Exact(-3, 8));
  ASSERT_TRUE(some);
  EXPECT_EQ(some->opening.corners[0].radius2, Exact(1, 4));
  EXPECT_TRUE(membership(*some, {Exact(1, 2)}).inside());
  EXPECT_FALSE(membership(*some, {Exact(2, 3)}).inside());
  const auto none = consistency_set(input, -1);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->opening.corners[0].radius2, -1);
  EXPECT_FALSE(membership(*none, {0}).dissipative);
}

TEST(ConsistencySet, WithoutContactsNothingMoves) {
  const auto set = consistency_set(particle({{1, 0}, {0, 1}}, {}, {}, {1, 2}));
  ASSERT_TRUE(set);
  EXPECT_EQ(set->dimension(), 0);
  ASSERT_EQ(set->opening.corners.size(), 1U);
  EXPECT_TRUE(membership(*set, {1, 2}).inside());
  EXPECT_FALSE(membership(*set, {1, 3}).inside());
  // A contact that nothing moves but that closes.
  const auto shut = consistency_set(particle({{1}}, {{0}}, {-1}, {0}));
  ASSERT_TRUE(shut);
  EXPECT_TRUE(shut->opening.empty());
  EXPECT_EQ(shut->opening.contradiction->size(), 1U);
  EXPECT_EQ(shut->jam, shut->opening.contradiction);
  EXPECT_FALSE(membership(*shut, {0}).inside());
}

TEST(ConsistencySet, RefusesWhatItCannotUse) {
  EXPECT_FALSE(consistency_set(particle({{1, 1}, {1, 1}}, {{1, 0}}, {0}, {0, 0})));
  EXPECT_FALSE(consistency_set(particle({{1}}, {{1, 0}}, {0}, {0})));
  EXPECT_FALSE(consistency_set(particle({{1}}, {{1}}, {}, {0})));
}

/// Planar friction is two generators, [Glocker] 5 with a cone in the place of a half-line.
TEST(ConsistencySet, GeneratorsOfFriction) {
  Impact<Exact> impact;
  impact.mass = {{1, 0}, {0, 1}};
  impact.rows = {{1, 0}, {0, 1}};
  impact.excitation = {Exact(-2), 0};  // a belt that runs at 2
  impact.before = impact.free = {0, -1};
  impact.impulse = {0, 0};
  impact.after = {0, 0};
  impact.offset = {0, 2};
  impact.cone = {impulse_cone<Exact>(CoulombLaw{0.5, true}, Exact(1, 2))};
  impact.opening = {opening_cone<Exact>(CoulombLaw{0.5, true})};
  const auto generators = impact_generators(impact);
  ASSERT_TRUE(generators);
  ASSERT_EQ(generators->push.direction.size(), 2U);
  EXPECT_EQ(generators->push.direction[0], (ExactVector{Exact(-1, 2), 1}));
  EXPECT_EQ(generators->push.direction[1], (ExactVector{Exact(1, 2), 1}));
  EXPECT_EQ(generators->push.excitation, (ExactVector{1, -1}));
  EXPECT_EQ(generators->push.contact, (std::vector<Index>{0, 0}));
  const auto set = consistency_set(*generators);
  ASSERT_TRUE(set);
  ASSERT_EQ(set->opening.corners.size(), 1U);
  EXPECT_EQ(set->opening.corners[0].velocity, (ExactVector{2, 0}));
  // Sliding on the belt is admissible though not in P⁺.
  EXPECT_TRUE(set->friction());
  EXPECT_EQ(generators->open.direction, (std::vector<ExactVector>{{0, 1}}));
  const auto sliding = membership(*set, {Exact(1, 2), 0});
  EXPECT_TRUE(sliding.inside());
  // Seen from the belt: ½(u⁺ - 2)² - ½(u⁻ - 2)² - ½ of the landing speed squared.
  EXPECT_EQ(sliding.least, Exact(9, 8) - 2 - Exact(1, 2));
  EXPECT_FALSE(membership(*set, {Exact(1, 2), Exact(-1, 8)}).admissible);

  impact.rows = {{1, 0}, {0, 1}, {1, 1}};
  impact.excitation = {0, 0, 0};
  impact.offset = {0, 3};
  impact.cone = {impulse_cone<Exact>(CoulombLaw{0.5, false}, Exact(1, 2))};
  impact.opening = {opening_cone<Exact>(CoulombLaw{0.5, false})};
  const auto round = impact_generators(impact);
  ASSERT_FALSE(round);
  EXPECT_NE(round.error().message.find("contacts[0]"), std::string::npos);
}

}  // namespace
}  // namespace tact
