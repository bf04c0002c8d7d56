// What must not change a verdict: the frame, the units, the order of contacts, contacts given
// several times, directions no contact touches.
#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/impact/judge.hpp"

namespace tact {
namespace {

double normal(Rng& rng) {
  return rng.uniform(-1, 1) + rng.uniform(-1, 1);
}

/// Any mass, any rows, walls that move; the outcome is one that impulses explain.
ContactProblem random_impact(Rng& rng, Index dof, Index contacts) {
  ContactProblem p;
  const MatX root = MatX::NullaryExpr(dof, dof, [&] { return normal(rng); });
  const MatX mass = root * root.transpose() + 0.1 * MatX::Identity(dof, dof);
  p.mass = mass.sparseView();
  const MatX rows = MatX::NullaryExpr(contacts, dof, [&] { return normal(rng); });
  p.rows = rows.sparseView();
  p.excitation = VecX::NullaryExpr(contacts, [&] { return normal(rng); });
  p.velocity = VecX::NullaryExpr(dof, [&] { return normal(rng); });
  p.contacts.resize(static_cast<std::size_t>(contacts));
  const VecX lambda = VecX::NullaryExpr(contacts, [&] { return std::max(normal(rng), 0.0); });
  p.outcome.emplace();
  p.outcome->velocity = p.velocity + mass.llt().solve(rows.transpose() * lambda);
  return p;
}

/// The same with numbers of few binary digits: a large number added to a velocity rounds nothing.
ContactProblem short_impact(Rng& rng, Index dof, Index contacts) {
  const auto whole = [&](double most) { return std::floor(rng.uniform(-most, most + 1)); };
  ContactProblem p;
  const VecX mass = VecX::NullaryExpr(dof, [&] { return std::exp2(whole(2)); });
  p.mass = MatX(mass.asDiagonal()).sparseView();
  const MatX rows = MatX::NullaryExpr(contacts, dof, [&] { return whole(3); });
  p.rows = rows.sparseView();
  p.excitation = VecX::NullaryExpr(contacts, [&] { return whole(8) / 8; });
  p.velocity = VecX::NullaryExpr(dof, [&] { return whole(8) / 8; });
  p.contacts.resize(static_cast<std::size_t>(contacts));
  const VecX lambda = VecX::NullaryExpr(contacts, [&] { return std::max(whole(8), 0.0) / 8; });
  p.outcome.emplace();
  p.outcome->velocity = p.velocity + (rows.transpose() * lambda).cwiseQuotient(mass);
  return p;
}

struct Verdict {
  ImpactVerdict verdict;
  double least, most, scale;
};

double value(const WorkBound<double>& b) {
  if (b.end != WorkBound<double>::End::finite) return 0;
  return b.low + (b.high - b.low) / 2;
}

Verdict judged(const ContactProblem& p) {
  const auto data = impact(p);
  EXPECT_TRUE(data) << data.error().message;
  const auto c = judge(*data);
  EXPECT_EQ(refusal(*data, c).value_or(""), "");
  double scale = half_square_of_change(*data, c.after);
  for (const auto* b : {&c.minimum, &c.maximum}) scale += std::abs(value(*b));
  return {c.verdict, value(c.minimum), value(c.maximum), scale};
}

void expect_same(const Verdict& a, const Verdict& b, double unit) {
  constexpr double share = 1e-8;
  EXPECT_EQ(name(a.verdict), name(b.verdict));
  EXPECT_NEAR(a.least * unit, b.least, share * b.scale);
  EXPECT_NEAR(a.most * unit, b.most, share * b.scale);
}

class ImpactInvariance : public ::testing::Test {
 protected:
  /// Applies `change` to random impacts; `unit` is what it does to energies.
  template <class Change>
  void expect_unchanged(Change change, double unit) {
    Rng rng(5);
    int counted[7] = {};
    for (int trial = 0; trial < 300; ++trial) {
      SCOPED_TRACE(trial);
      ContactProblem p = random_impact(rng, 1 + trial % 5, 1 + trial % 7);
      const Verdict before = judged(p);
      ++counted[static_cast<int>(before.verdict)];
      change(p, rng);
      expect_same(before, judged(p), unit);
    }
    EXPECT_GT(counted[static_cast<int>(ImpactVerdict::inconsistent)], 10);
    EXPECT_GT(counted[static_cast<int>(ImpactVerdict::consistent_weak)] +
                  counted[static_cast<int>(ImpactVerdict::consistent_strong)],
              10);
    EXPECT_GT(counted[static_cast<int>(ImpactVerdict::kinematically_infeasible)], 10);
  }
};

TEST(ImpactFrames, AFrameThatMovesAMillionTimesFaster) {
  Rng rng(5);
  int consistent = 0, inconsistent = 0;
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(trial);
    ContactProblem p = short_impact(rng, 1 + trial % 5, 1 + trial % 7);
    const Verdict before = judged(p);
    const VecX boost = VecX::NullaryExpr(p.dof(), [&] { return std::floor(1e6 * normal(rng)); });
    p.velocity += boost;
    p.outcome->velocity += boost;
    p.excitation -= p.rows * boost;
    expect_same(before, judged(p), 1);
    consistent += before.verdict >= ImpactVerdict::consistent_weak ? 1 : 0;
    inconsistent += before.verdict == ImpactVerdict::inconsistent ? 1 : 0;
  }
  EXPECT_GT(consistent, 20);
  EXPECT_GT(inconsistent, 20);
}

TEST_F(ImpactInvariance, OtherUnits) {
  for (const double length : {1e-6, 1e6})
    for (const double mass : {1e-6, 1e6})
      expect_unchanged(
          [&](ContactProblem& p, Rng&) {
            p.velocity *= length;
            p.outcome->velocity *= length;
            p.excitation *= length;
            p.mass *= mass;
          },
          length * length * mass);
}

TEST_F(ImpactInvariance, OtherUnitsForEveryCoordinate) {
  expect_unchanged(
      [](ContactProblem& p, Rng& rng) {
        const VecX unit = VecX::NullaryExpr(p.dof(), [&] { return std::pow(10, 3 * normal(rng)); });
        p.velocity = p.velocity.cwiseProduct(unit);
        p.outcome->velocity = p.outcome->velocity.cwiseProduct(unit);
        const MatX inverse = unit.cwiseInverse().asDiagonal();
        p.mass = SparseMatrix((inverse * MatX(p.mass) * inverse).sparseView());
        p.rows = SparseMatrix((MatX(p.rows) * inverse).sparseView());
      },
      1);
}

TEST_F(ImpactInvariance, EveryContactTenTimes) {
  expect_unchanged(
      [](ContactProblem& p, Rng&) {
        const MatX rows = MatX(p.rows).replicate(10, 1);
        p.rows = rows.sparseView();
        p.excitation = VecX(p.excitation.replicate(10, 1));
        p.contacts.resize(10 * p.contacts.size());
      },
      1);
}

TEST_F(ImpactInvariance, AnotherOrder) {
  expect_unchanged(
      [](ContactProblem& p, Rng&) {
        p.rows = SparseMatrix(MatX(MatX(p.rows).colwise().reverse()).sparseView());
        p.excitation = VecX(p.excitation.reverse());
      },
      1);
}

/// 60 coordinates and 5 contacts: 55 directions that nothing touches. The same impact in the span
/// of the rows alone has the same work.
TEST(ImpactLineality, DirectionsThatNothingTouches) {
  Rng rng(8);
  for (int trial = 0; trial < 30; ++trial) {
    SCOPED_TRACE(trial);
    const ContactProblem p = random_impact(rng, 60, 5);
    const MatX mass = p.mass, rows = p.rows;
    const MatX moved = mass.llt().solve(rows.transpose());
    const MatX gram = rows * moved;
    // Coordinates λ of u = u⁻ + M⁻¹ J'λ: mass G, rows G, walls at γ(u⁻).
    ContactProblem small;
    small.mass = gram.sparseView();
    small.rows = gram.sparseView();
    small.velocity = VecX::Zero(5);
    small.excitation = rows * p.velocity + p.excitation;
    small.contacts.resize(5);
    small.outcome.emplace();
    small.outcome->velocity = gram.ldlt().solve(rows * (p.outcome->velocity - p.velocity));
    expect_same(judged(small), judged(p), 1);
    // A change where nothing can push is not explained.
    ContactProblem pushed = p;
    VecX aside = VecX::NullaryExpr(60, [&] { return normal(rng); });
    aside -= moved * gram.ldlt().solve(rows * aside);
    pushed.outcome->velocity += 1e-3 * aside;
    EXPECT_EQ(judged(pushed).verdict, ImpactVerdict::kinetically_incompatible);
  }
}

/// [Glocker] 3: a wall that moves is a body of great mass; the difference fades as its inverse.
TEST(ImpactWalls, AWallIsABodyOfGreatMass) {
  const double speed = 2, before = -1, e = 0.5;
  const double after = speed - e * (before - speed);
  const double lambda = after - before;
  std::vector<double> gap;
  for (const double wall : {1e3, 1e4, 1e5}) {
    ContactProblem p;
    MatX mass(2, 2);
    mass << 1, 0, 0, wall;
    p.mass = mass.sparseView();
    p.rows = MatX((MatX(1, 2) << 1, -1).finished()).sparseView();
    p.velocity = Vec2(before, speed);
    p.contacts.resize(1);
    p.outcome.emplace();
    p.outcome->velocity = Vec2(after, speed - lambda / wall);
    gap.push_back(judged(p).least);
  }
  ContactProblem p;
  p.mass = MatX(MatX::Identity(1, 1)).sparseView();
  p.rows = MatX(MatX::Identity(1, 1)).sparseView();
  p.velocity = VecX::Constant(1, before);
  p.excitation = VecX::Constant(1, -speed);
  p.contacts.resize(1);
  p.outcome.emplace();
  p.outcome->velocity = VecX::Constant(1, after);
  const double limit = judged(p).least;
  for (double& g : gap) g = std::abs(g - limit);
  EXPECT_NEAR(gap[0] / gap[1], 10, 0.2);
  EXPECT_NEAR(gap[1] / gap[2], 10, 0.02);
}

}  // namespace
}  // namespace tact
