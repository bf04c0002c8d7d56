// The examples of [Glocker] as scenes, one test each: corners, intervals of contact work, sets, and
// the picture's words; and that the judge of impacts says the same.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tact/impact/consistency_set.hpp"
#include "tact/impact/judge.hpp"
#include "tact/io/consistency_picture.hpp"
#include "tact/io/exact_entries.hpp"
#include "tact/io/file.hpp"
#include "tact/io/problem_file.hpp"

namespace tact {
namespace {

struct Example {
  Impact<double> rounded;
  Impact<Exact> impact;
  ConsistencySet set;
  ConsistencyShown shown;

  [[nodiscard]] ConsistencyMembership verdict() const { return membership(set, impact.after); }
};

std::string folder() {
  return std::string(TACT_TEST_DATA) + "/../../scenes/impacts/";
}

Example read(const std::string& name) {
  const std::string path = folder() + name + ".json";
  const auto file = read_problem_file(*read_file(path), path);
  EXPECT_TRUE(file) << name;
  Example out;
  out.rounded = *impact(file->problem);
  out.impact = *exact_impact(file->problem, exact_entries(*file));
  out.set = *consistency_set(*impact_generators(out.impact));
  out.shown.name = file->problem.name;
  for (const Contact& c : file->problem.contacts) out.shown.contacts.push_back(c.name);
  out.shown.after = out.impact.after;
  return out;
}

void expect_work(const std::string& name, const Exact& least, const Exact& most) {
  const auto m = read(name).verdict();
  EXPECT_TRUE(m.reachable) << name;
  EXPECT_EQ(m.least, least) << name;
  EXPECT_EQ(m.most, most) << name;
}

/// ½ u'Mu.
Exact kinetic_energy(const Example& e, const ExactVector& u) {
  return dot(u, momentum(e.impact, u)) / 2;
}

std::vector<ExactVector> corners(const VelocityPolyhedron& p) {
  std::vector<ExactVector> out;
  for (const PolyhedronCorner& b : p.corners) out.push_back(b.velocity);
  std::sort(out.begin(), out.end());
  return out;
}

// [Glocker] 1: against a fixed wall the contact work is T⁺ - T⁻ = -½mv².
TEST(GlockerConsistency, FixedWall) {
  const Example e = read("fixed-wall");
  expect_work("fixed-wall", -9, -9);
  EXPECT_EQ(kinetic_energy(e, e.impact.after) - kinetic_energy(e, e.impact.before), -9);
  EXPECT_TRUE(e.verdict().inside() && e.verdict().strong);
}

// [Glocker] 1: the kinetic energy of a mass that a moving wall catches grows by ½mv², and seen from
// the wall it shrinks by as much. [Glocker] 3: the contact work is one number for both.
TEST(GlockerConsistency, MovingWallInTwoFrames) {
  const Example fixed = read("moving-wall"), comoving = read("moving-wall-comoving");
  const auto gain = [](const Example& e) {
    return Exact(kinetic_energy(e, e.impact.after) - kinetic_energy(e, e.impact.before));
  };
  EXPECT_EQ(gain(fixed), 9);
  EXPECT_EQ(gain(comoving), -9);
  expect_work("moving-wall", -9, -9);
  expect_work("moving-wall-comoving", -9, -9);
  EXPECT_EQ(fixed.set.opening.corners[0].radius2, comoving.set.opening.corners[0].radius2);
}

// [Glocker] 1, "too many moving walls": no frame stills both walls, P⁺ = [0, 1] has two corners.
TEST(GlockerConsistency, BallBetweenAFixedAndAMovingWall) {
  const Example e = read("ball-between-walls");
  EXPECT_EQ(corners(e.set.opening), (std::vector<ExactVector>{{0}, {1}}));
  EXPECT_TRUE(e.set.closing.empty());  // nothing closes both: any work above the least is possible
  EXPECT_EQ(e.verdict().least, Exact(-3, 2));
  EXPECT_FALSE(e.verdict().most);
  EXPECT_TRUE(e.verdict().inside());
  EXPECT_FALSE(membership(e.set, {Exact(9, 8)}).admissible);
}

// The same with a wall that closes in: P⁺ is empty, and the ray says that the two walls do it.
TEST(GlockerConsistency, BallThatIsSqueezed) {
  const Example e = read("squeezed-ball");
  EXPECT_TRUE(e.set.opening.empty());
  ASSERT_TRUE(e.set.jam);
  EXPECT_EQ((*e.set.jam)[0], (*e.set.jam)[1]);
  EXPECT_GT((*e.set.jam)[0], 0);
  EXPECT_FALSE(e.verdict().least);
  const SliceView view = slice_view(e.set, e.shown);
  EXPECT_EQ(verdict_word(e.set, view), "kinematically_infeasible");
  EXPECT_EQ(verdict_sentence(e.set, view, e.shown),
            "no admissible velocity exists: fixed wall and moving wall close on the body");
}

// [Glocker] 4: W in [-½mv², +½mv²]; and the set for other lifts, [v, 2v].
TEST(GlockerConsistency, MassWaitingForALift) {
  expect_work("lift", -9, 9);
  const Example e = read("lift");
  EXPECT_EQ(corners(e.set.opening), (std::vector<ExactVector>{{3}}));
  EXPECT_EQ(corners(e.set.closing), (std::vector<ExactVector>{{0}}));
  EXPECT_TRUE(membership(e.set, {6}).inside());
  EXPECT_FALSE(membership(e.set, {Exact(601, 100)}).inside());
  EXPECT_FALSE(membership(e.set, {Exact(299, 100)}).inside());
}

// [Glocker] 8: the forklift truck. Corners (v, ±v/a), balls about them through u⁻ = 0.
TEST(GlockerConsistency, ForkliftTruck) {
  const Example e = read("forklift");
  const Exact tilt(4, 3);
  EXPECT_EQ(corners(e.set.opening), (std::vector<ExactVector>{{2, Exact(-tilt)}, {2, tilt}}));
  for (const PolyhedronCorner& b : e.set.opening.corners)
    EXPECT_EQ(b.radius2, 2 * kinetic_energy(e, b.velocity));
  const auto m = e.verdict();
  EXPECT_TRUE(m.inside());
  EXPECT_FALSE(m.strong);
  EXPECT_EQ(e.set.opening.corners[m.least_at.at(0)].velocity, (ExactVector{2, tilt}));
  EXPECT_EQ(velocity_at(e.set, *e.set.projection), (ExactVector{2, 0}));
  EXPECT_TRUE(membership(e.set, {4, 0}).inside());  // where both circles meet again
  EXPECT_EQ(membership(e.set, {4, 0}).least, Exact(0));
  const auto thrown = read("forklift-thrown").verdict();
  EXPECT_TRUE(thrown.admissible && thrown.reachable && !thrown.dissipative);
  EXPECT_EQ(thrown.least, Exact(104, 225));
}

// [Glocker] 9: walls that move as one body b₀ leave one corner, one ball, one work.
TEST(GlockerConsistency, UniformExcitation) {
  const Example e = read("uniform-excitation");
  const ExactVector body{1, Exact(1, 2)};
  EXPECT_EQ(corners(e.set.opening), (std::vector<ExactVector>{body}));
  EXPECT_EQ(corners(e.set.closing), (std::vector<ExactVector>{body}));
  const auto f = [&](const ExactVector& u) {
    ExactVector from_body = u;
    for (std::size_t k = 0; k < u.size(); ++k) from_body[k] -= body[k];
    return kinetic_energy(e, from_body);
  };
  expect_work("uniform-excitation", f(e.impact.after) - f(e.impact.before),
              f(e.impact.after) - f(e.impact.before));
}

// [Glocker] 10: without excitation the corner is rest and W = T⁺ - T⁻.
TEST(GlockerConsistency, NoExcitation) {
  const Example e = read("no-excitation");
  EXPECT_EQ(corners(e.set.opening), (std::vector<ExactVector>{{0, 0}}));
  const Exact gain = kinetic_energy(e, e.impact.after) - kinetic_energy(e, e.impact.before);
  expect_work("no-excitation", gain, gain);
}

// [Glocker] 11, with the hammer first: W = -(1 - e²)P²/2m, and exactly e <= 1 is consistent. Z⁺ is
// P⁺ shifted by half of what the hammer does.
TEST(GlockerConsistency, Hammer) {
  const Example e = read("hammer");
  const Exact bounce(1, 2), hit(2);
  const Exact work = -(1 - bounce * bounce) * hit * hit / 2;
  expect_work("hammer", work, work);
  EXPECT_TRUE(membership(e.set, {2}).inside());
  EXPECT_FALSE(membership(e.set, {Exact(201, 100)}).inside());
  EXPECT_EQ(velocity_at(e.set, e.set.half_impulse), (ExactVector{-2 - 1}));

  const Example two = read("hammer-forklift");
  const ExactVector shifted = velocity_at(two.set, two.set.half_impulse);
  for (std::size_t k = 0; k < shifted.size(); ++k)
    EXPECT_EQ(shifted[k] - two.impact.free[k], (two.impact.free[k] - two.impact.before[k]) / 2);
  EXPECT_TRUE(two.verdict().inside());
}

// Momentum of the cradle is lineality: P⁺ has no corner, its slice has one.
TEST(GlockerConsistency, CradleNeedsTheSlice) {
  const Example e = read("cradle");
  EXPECT_EQ(e.set.dimension(), 2);
  const ExactVector mean(3, Exact(1, 3));
  EXPECT_EQ(corners(e.set.opening), (std::vector<ExactVector>{mean}));
  expect_work("cradle", 0, 0);
  EXPECT_FALSE(membership(e.set, {0, 0, 2}).reachable);
  EXPECT_FALSE(membership(e.set, {Exact(-1, 10), 0, Exact(11, 10)}).dissipative);
}

// [Glocker] 5 with friction cones: belts at v₁ = 1 and v₂ = -1 that share a landing of momentum N
// and give p along them work in c ± ½|v₁ - v₂|μN, c = T⁺ - T⁻ - ½(v₁ + v₂)p. Sliding is admissible
// though outside P⁺.
TEST(GlockerConsistency, BlockOnTwoBelts) {
  const Example e = read("two-belts");
  const Exact c = kinetic_energy(e, e.impact.after) - kinetic_energy(e, e.impact.before);
  expect_work("two-belts", c - Exact(1, 2), c + Exact(1, 2));
  EXPECT_TRUE(e.set.friction());
  EXPECT_EQ(corners(e.set.opening), (std::vector<ExactVector>{{0, Exact(1, 2)}}));
  EXPECT_TRUE(e.verdict().inside());
  EXPECT_FALSE(e.verdict().strong);
}

/// Every scene can be drawn, and the linear programs of the judge find the corners' numbers.
TEST(GlockerConsistency, EverySceneAgreesWithTheJudge) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const std::string name = entry.path().stem().string();
    const Example e = read(name);
    const auto certificate = judge(e.impact, judge(e.rounded));
    const SliceView view = slice_view(e.set, e.shown);
    EXPECT_EQ(verdict_word(e.set, view), tact::name(certificate.verdict)) << name;
    const auto m = e.verdict();
    EXPECT_EQ(m.least.has_value(), certificate.minimum.end == WorkBound<Exact>::End::finite);
    EXPECT_EQ(m.most.has_value(), certificate.maximum.end == WorkBound<Exact>::End::finite);
    EXPECT_EQ(m.least.value_or(0), m.least ? certificate.minimum.low : Exact(0)) << name;
    EXPECT_EQ(m.most.value_or(0), m.most ? certificate.maximum.low : Exact(0)) << name;
    ASSERT_TRUE(can_be_drawn(e.set)) << name;
    const std::string picture = consistency_svg(e.set, e.shown);
    EXPECT_TRUE(picture.starts_with("<svg ") && picture.ends_with("</svg>\n")) << name;
    EXPECT_EQ(picture.find("nan"), std::string::npos) << name;
    EXPECT_NE(picture.find(std::string(verdict_word(e.set, view))), std::string::npos);
    ++seen;
  }
  EXPECT_GE(seen, 15);
}

}  // namespace
}  // namespace tact
