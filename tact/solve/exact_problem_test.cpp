#include "tact/solve/exact_problem.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tact/contact/delassus.hpp"
#include "tact/solve/sliding_box.hpp"
#include "tact/solve/solution_piece.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

TEST(ExactProblem, AgreesWithTheReductionInDoubles) {
  int compared = 0;
  for (int k = 0; k < testing::cases(100); ++k) {
    const ContactProblem problem = testing::numbered_scene(k, {});
    const auto exact = exact_problem(problem, {});
    if (!exact) continue;
    ++compared;
    const DelassusProblem p = *reduce(problem);
    const VecX probe = VecX::LinSpaced(p.rows(), -1, 1);
    VecX u;
    multiply(p.G, probe, u);
    u += p.b;
    ExactVector lambda;
    for (const double x : probe) lambda.emplace_back(x);
    const VecX wanted = as_doubles(motion_of(*exact, lambda));
    EXPECT_LE((u - wanted).norm(), 1e-11 * (u.norm() + p.b.norm() + 1)) << problem.name;
  }
  EXPECT_GT(compared, testing::cases(20));
}

TEST(ExactProblem, GAndBAreNotRounded) {
  // G of one row is 1/3, which no double is.
  ContactProblem p;
  p.contacts.resize(1);
  p.mass = sparse(MatX::Constant(1, 1, 3));
  p.rows = sparse(MatX::Ones(1, 1));
  p.velocity = VecX::Constant(1, -1);
  p.impulse = VecX::Constant(1, 1);
  p.contacts[0].restitution = 0.5;
  p.contacts[0].gap = -0.25;
  p.contacts[0].stabilisation = 0.5;
  p.dt = 0.125;
  const auto exact = exact_problem(p, {});
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->G[0][0], Exact(1, 3));
  // -1 + 1/3 - 1/2 - 1/2 1/4 8
  EXPECT_EQ(exact->b[0], Exact(-13, 6));
  p.mass = sparse(MatX::Zero(1, 1));
  EXPECT_FALSE(exact_problem(p, {}));
}

TEST(ExactProblem, DirectionsAreUnitAndSectorsAreHalved) {
  ExactUnit disc;
  disc.rows = 3;
  disc.round = true;
  double total = 0;
  for (const UnitMode& mode : modes_of(disc)) {
    if (mode.kind != UnitMode::Kind::sector) continue;
    const ExactDirection d = direction_at(mode.from);
    EXPECT_EQ(d.x * d.x + d.y * d.y, 1);
    total += sector_width(mode);
    UnitMode part = mode;
    for (int k = 0; k < 20; ++k) {
      const auto [first, second] = halves(part);
      EXPECT_EQ(first.from, part.from);
      EXPECT_EQ(first.to, second.from);
      EXPECT_EQ(second.to, part.to);
      EXPECT_GT(sector_width(first), 0.3 * sector_width(part));
      EXPECT_GT(sector_width(second), 0.3 * sector_width(part));
      part = k % 2 == 0 ? first : second;
    }
  }
  EXPECT_NEAR(total, 2 * std::numbers::pi, tolerance::rounding);
}

TEST(ExactProblem, ModesOfPolygons) {
  ExactUnit unit;
  unit.corners.resize(1);
  EXPECT_EQ(modes_of(unit).size(), 2U);  // separate, contact
  unit.corners.resize(2);
  EXPECT_EQ(modes_of(unit).size(), 4U);  // separate, left, right, stick
  unit.corners.resize(5);
  EXPECT_EQ(modes_of(unit).size(), 12U);  // separate, five corners, five edges, stick
}

TEST(SolutionPiece, TermsAreReadBack) {
  const ExactVector y{Exact(0), Exact(-1, 3), Exact(0), Exact(7)};
  const auto back = from_terms(as_terms(y), 4);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, y);
  EXPECT_FALSE(from_terms(as_terms(y), 3).has_value());
  EXPECT_FALSE(from_terms({{0, "one"}}, 3).has_value());
  EXPECT_FALSE(from_terms({{0, "1/0"}}, 3).has_value());
  EXPECT_FALSE(from_terms({{-1, "1"}}, 3).has_value());
}

TEST(SlidingBox, OneNoneAndUnknown) {
  // u = λ + b with b = (3, 4, -2) and mu = 1/2: sliding along (3, 4)/5.
  ContactProblem puck;
  puck.contacts.resize(1);
  puck.contacts[0].law = CoulombLaw{0.5};
  puck.delassus = sparse(MatX::Identity(3, 3));
  puck.free_velocity = Vec3(3, 4, -2);
  const ExactProblem p = *exact_problem(puck, {});
  const auto around = [&](double angle, double half) {
    UnitMode mode{UnitMode::Kind::sector, -1, -1, std::tan((angle - half) / 2),
                  std::tan((angle + half) / 2)};
    return sliding_solution(p, {mode});
  };
  const double angle = std::atan2(4, 3);
  const SlidingVerdict one = around(angle, 0.05);
  ASSERT_EQ(one.end, SlidingVerdict::End::unique);
  EXPECT_LE((one.piece.lambda - Vec3(-0.6, -0.8, 2)).norm(), 2 * one.piece.enclosed);
  // Beside it there is none.
  for (const double beside : {-0.5, -0.2, -0.06, 0.06, 0.2, 0.5})
    EXPECT_NE(around(angle + beside, 0.05).end, SlidingVerdict::End::unique) << beside;
  EXPECT_EQ(around(angle, 0.5).end, SlidingVerdict::End::unknown);  // too wide to try
}

/// Coupled rows, where the enclosure of a sector is wider than what it encloses: every sector
/// around the circle, one after the other, and exactly one of them holds the solution.
TEST(SlidingBox, OneOfAllSectors) {
  ContactProblem puck;
  puck.contacts.resize(1);
  puck.contacts[0].law = CoulombLaw{0.75};
  MatX G(3, 3);
  G << 4, 1, 1, 1, 2, -1, 1, -1, 3;
  puck.delassus = sparse(G);
  puck.free_velocity = Vec3(6, -2, -2);
  const ExactProblem p = *exact_problem(puck, {});
  int unique = 0, none = 0;
  for (const UnitMode& quarter : modes_of(p.units[0])) {
    if (quarter.kind != UnitMode::Kind::sector) continue;
    std::vector<UnitMode> parts{quarter};
    for (int k = 0; k < 5; ++k) {
      std::vector<UnitMode> smaller;
      for (const UnitMode& part : parts) {
        const auto [first, second] = halves(part);
        smaller.insert(smaller.end(), {first, second});
      }
      parts = smaller;
    }
    for (const UnitMode& part : parts) {
      if (!decide(mode_system(p, {part}, {}).system).feasible) continue;
      const SlidingVerdict verdict = sliding_solution(p, {part});
      EXPECT_NE(verdict.end, SlidingVerdict::End::unknown);
      unique += verdict.end == SlidingVerdict::End::unique ? 1 : 0;
      none += verdict.end == SlidingVerdict::End::none ? 1 : 0;
    }
  }
  EXPECT_EQ(unique, 1);
  RecordProperty("sectors without, by the interval step", none);
}

}  // namespace
}  // namespace tact
