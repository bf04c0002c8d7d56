// Energetic Consistency Conditions for Perfect Collisions: what the slides say about the contact
// work of a given outcome, with the corrections of docs/errata.md.
#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/impact/judge.hpp"

namespace tact {
namespace {

using End = WorkBound<double>::End;

struct Walls {
  MatX mass, rows;
  VecX chi, before, after;
  VecX impulse;  ///< smooth; may be empty

  [[nodiscard]] ContactProblem problem() const {
    ContactProblem p;
    p.mass = mass.sparseView();
    p.rows = rows.sparseView();
    p.excitation = chi;
    p.velocity = before;
    p.impulse = impulse;
    p.contacts.resize(static_cast<std::size_t>(rows.rows()));
    p.outcome.emplace();
    p.outcome->velocity = after;
    return p;
  }
};

MatX matrix(Index r, Index c, std::initializer_list<double> x) {
  MatX out(r, c);
  auto it = x.begin();
  for (Index i = 0; i < r; ++i)
    for (Index j = 0; j < c; ++j) out(i, j) = *it++;
  return out;
}
VecX vector(std::initializer_list<double> x) {
  return Eigen::Map<const VecX>(x.begin(), static_cast<Index>(x.size()));
}

ImpactCertificate<double> judged(const Walls& w) {
  const auto data = impact(w.problem());
  EXPECT_TRUE(data);
  const auto c = judge(*data);
  EXPECT_EQ(refusal(*data, c).value_or(""), "");
  return c;
}

double number(Rng& rng) {
  return rng.uniform(-1, 1);
}

/// Walls whose outcome is explained by `lambda`; some velocity is admissible.
Walls random_walls(Rng& rng, Index dof, Index contacts, VecX& lambda) {
  Walls w;
  const auto any = [&] { return number(rng); };
  const MatX root = MatX::NullaryExpr(dof, dof, any);
  w.mass = root * root.transpose() + MatX::Identity(dof, dof);
  w.rows = MatX::NullaryExpr(contacts, dof, any);
  const VecX admissible = VecX::NullaryExpr(dof, any);
  w.chi = VecX::NullaryExpr(contacts, [&] { return rng.uniform(0, 1); }) - w.rows * admissible;
  w.before = VecX::NullaryExpr(dof, any);
  lambda = VecX::NullaryExpr(contacts, any).cwiseMax(0.0);
  w.after = w.before + w.mass.llt().solve(w.rows.transpose() * lambda);
  return w;
}

/// [Glocker] 1: a wall at rest and the same wall seen from a train; T falls in one frame and rises
/// in the other, the contact work is the same.
TEST(GlockerWork, TheSameWallInTwoFrames) {
  const Walls rest{matrix(1, 1, {1}), matrix(1, 1, {1}), vector({0}),
                   vector({-2}),      vector({0}),       {}};
  const Walls moving{matrix(1, 1, {1}), matrix(1, 1, {1}), vector({-2}),
                     vector({0}),       vector({2}),       {}};
  for (const Walls* w : {&rest, &moving}) {
    const auto c = judged(*w);
    EXPECT_EQ(c.verdict, ImpactVerdict::consistent_strong);
    EXPECT_NEAR(c.minimum.high, -2, 1e-14);
    EXPECT_NEAR(c.maximum.low, -2, 1e-14);
  }
}

/// [Glocker] 3: W = ½(γ⁺ + γ⁻).λ, and 6: the same number for every b.
TEST(GlockerWork, OneNumberInManyForms) {
  Rng rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    VecX lambda;
    const Walls w = random_walls(rng, 1 + trial % 5, 1 + trial % 6, lambda);
    const auto data = *impact(w.problem());
    const std::vector<double> l(lambda.begin(), lambda.end());
    const VecX early = w.rows * w.before + w.chi, late = w.rows * w.after + w.chi;
    const double work = 0.5 * (early + late).dot(lambda);
    const VecX b = VecX::NullaryExpr(w.before.size(), [&] { return number(rng); });
    const auto square = [&](const VecX& x) { return 0.5 * x.dot(w.mass * x); };
    const double scale = 1 + square(w.after - w.before) + early.cwiseAbs().dot(lambda);
    EXPECT_NEAR(work_of(data, data.after, l), work, 1e-13 * scale);
    EXPECT_NEAR(actual_work(data, l).work, work, 1e-13 * scale);
    const VecX gamma_b = w.rows * b + w.chi;
    EXPECT_NEAR(square(w.after - b) - square(w.before - b) + gamma_b.dot(lambda), work,
                1e-12 * scale);
    EXPECT_NEAR(work_bound_of(data, data.after, {b.begin(), b.end()}),
                square(w.after - b) - square(w.before - b), 1e-12 * scale);
    // Energy the walls' drives deliver: T⁺ - T⁻ = W - χ.λ.
    EXPECT_NEAR(square(w.after) - square(w.before), work - w.chi.dot(lambda), 1e-12 * scale);
  }
}

/// [Glocker] 4: a mass on the ground, waiting for a lift; every work from -½mv² to ½mv².
TEST(GlockerWork, TheLift) {
  const double m = 3, v = 2;
  const Walls w{matrix(1, 1, {m}), matrix(2, 1, {1, 1}), vector({0, -v}),
                vector({0}),       vector({v}),          {}};
  const auto c = judged(w);
  EXPECT_EQ(c.verdict, ImpactVerdict::consistent_weak);
  EXPECT_NEAR(c.minimum.high, -m * v * v / 2, 1e-13);
  EXPECT_NEAR(c.maximum.low, m * v * v / 2, 1e-13);
}

/// [Glocker] 1: a ball that hits a fixed and a moving wall. Walls that close leave nothing
/// admissible, which the slides' proof of existence passes over (erratum).
TEST(GlockerWork, WallsThatClose) {
  const Walls w{matrix(1, 1, {1}), matrix(2, 1, {1, -1}), vector({0, -1}),
                vector({-0.5}),    vector({0}),           {}};
  const auto c = judged(w);
  EXPECT_EQ(c.verdict, ImpactVerdict::kinematically_infeasible);
  EXPECT_EQ(c.minimum.end, End::unbounded);
  EXPECT_NEAR(c.maximum.low, -0.125, 1e-14);
  ASSERT_EQ(c.jam.size(), 2U);
}

/// [Glocker] 7: the minimum is attained, with γ_i(b₀) λ_i = 0; and the bounds -½|du|² for an
/// admissible u⁺, ½|du|² for an approaching u⁻.
TEST(GlockerWork, ComplementaryWitnessesAndBounds) {
  Rng rng(2);
  int admissible_outcomes = 0, approaching = 0;
  for (int trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(trial);
    VecX lambda;
    const Walls w = random_walls(rng, 1 + trial % 4, 1 + trial % 6, lambda);
    const auto data = *impact(w.problem());
    const auto c = judged(w);
    ASSERT_EQ(c.minimum.end, End::finite);
    const double change = half_square_of_change(data, c.after);
    const double scale = 1 + change + std::abs(c.minimum.low);
    const auto gamma = contact_velocity(data, c.minimum.velocity);
    const auto least = impulses_of(data, c.minimum.impulses);
    for (std::size_t i = 0; i < gamma.size(); ++i)
      EXPECT_NEAR(gamma[i] * least[i], 0, 1e-10 * scale);
    // The impulses that really were there do not do less, nor more.
    const double real = work_of(data, data.after, {lambda.begin(), lambda.end()});
    EXPECT_GE(real, c.minimum.low - 1e-10 * scale);
    if (c.maximum.end == End::finite) {
      EXPECT_LE(real, c.maximum.high + 1e-10 * scale);
    }
    if ((w.rows * w.after + w.chi).minCoeff() >= 0) {
      ++admissible_outcomes;
      EXPECT_GE(c.minimum.low, -change - 1e-10 * scale);
    }
    if ((w.rows * w.before + w.chi).maxCoeff() <= 0) {
      ++approaching;
      ASSERT_EQ(c.maximum.end, End::finite);
      EXPECT_LE(c.maximum.high, change + 1e-10 * scale);
    }
  }
  EXPECT_GT(admissible_outcomes, 10);
  EXPECT_GT(approaching, 10);
}

/// [Glocker] 9, 10: where one velocity stops all contacts the work is unique; with walls at rest it
/// is T⁺ - T⁻.
TEST(GlockerWork, UniformExcitation) {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    VecX lambda;
    Walls w = random_walls(rng, 1 + trial % 4, 1 + trial % 6, lambda);
    const VecX b = trial % 2 == 0 ? VecX(VecX::Zero(w.before.size()))
                                  : VecX::NullaryExpr(w.before.size(), [&] { return number(rng); });
    w.chi = -w.rows * b;
    const auto c = judged(w);
    const auto square = [&](const VecX& x) { return 0.5 * x.dot(w.mass * x); };
    const double work = square(w.after - b) - square(w.before - b);
    const double scale = 1 + square(w.after - w.before);
    EXPECT_NEAR(c.minimum.high, work, 1e-10 * scale);
    EXPECT_NEAR(c.maximum.low, work, 1e-10 * scale);
  }
}

/// [Glocker] 11 with the sequential split: a hammer on a mass that rests. The slides' criterion
/// W <= W_p, with W of the average split, refuses every bounce; the sequential one refuses e > 1
/// (erratum).
TEST(GlockerWork, AHammerOnAMassAtRest) {
  const double m = 2, strength = 3;
  for (const double e : {0.0, 0.5, 0.95, 1.05}) {
    Walls w{matrix(1, 1, {m}),  matrix(1, 1, {1}), vector({0}), vector({0}), {},
            vector({-strength})};
    w.after = vector({e * strength / m});
    const auto data = *impact(w.problem());
    const auto c = judged(w);
    const double sequential = -(1 - e * e) * strength * strength / (2 * m);
    EXPECT_NEAR(c.minimum.high, sequential, 1e-14);
    EXPECT_EQ(c.verdict == ImpactVerdict::inconsistent, e > 1);
    const double lambda = strength * (1 + e);
    const ActualWork actual = actual_work(data, {lambda});
    EXPECT_NEAR(actual.work, sequential, 1e-14);
    EXPECT_NEAR(actual.average, e * (1 + e) * strength * strength / (2 * m), 1e-14);
    const double by_hammer = -0.5 * strength * (e * strength / m);
    EXPECT_EQ(actual.average <= by_hammer, e == 0);
  }
}

/// The slides test u⁺ by balls about the corners of P⁺; a particle before one wall has none, and
/// the test would take everything (erratum). In the span of the rows it has one.
TEST(GlockerWork, NoCornersIsNoLicence) {
  const Walls w{MatX::Identity(2, 2), matrix(1, 2, {1, 0}), vector({0}),
                vector({-1, 0.7}),    vector({2, 0.7}),     {}};
  const auto c = judged(w);
  EXPECT_EQ(c.verdict, ImpactVerdict::inconsistent);
  EXPECT_NEAR(c.minimum.low, 1.5, 1e-14);
}

/// W_min is convex in u⁺, W_max is not.
TEST(GlockerWork, ConvexBelowNotAbove) {
  Rng rng(4);
  int bent = 0;
  for (int trial = 0; trial < 300; ++trial) {
    VecX lambda;
    Walls w = random_walls(rng, 2, 4, lambda);
    const VecX other = VecX::NullaryExpr(4, [&] { return number(rng); }).cwiseMax(0.0);
    Walls there = w, middle = w;
    there.after = w.before + w.mass.llt().solve(w.rows.transpose() * other);
    middle.after = 0.5 * (w.after + there.after);
    const auto a = judged(w), b = judged(there), c = judged(middle);
    EXPECT_LE(c.minimum.low, 0.5 * (a.minimum.high + b.minimum.high) + 1e-10);
    if (a.maximum.end == End::finite && b.maximum.end == End::finite)
      bent += c.maximum.low > 0.5 * (a.maximum.high + b.maximum.high) + 1e-6 ? 1 : 0;
  }
  EXPECT_GT(bent, 0);
}

}  // namespace
}  // namespace tact
