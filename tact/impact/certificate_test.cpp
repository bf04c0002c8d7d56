// Momentum where impulses are far larger than what they leave over.
#include "tact/impact/certificate.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/impact/judge.hpp"
#include "tact/impact/law.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {
namespace {

/// A body that drives into a wedge of two contacts, opposite to `angle`.
ContactProblem wedge(double angle, Rng& rng) {
  const auto random = [&] { return rng.normal(); };
  const MatX root = MatX::NullaryExpr(3, 3, random);
  VecX j = VecX::NullaryExpr(3, random), t = VecX::NullaryExpr(3, random);
  j.normalize();
  t -= j * j.dot(t);
  t.normalize();
  MatX rows(2, 3);
  rows << j.transpose(), (angle * t - j).transpose();
  ContactProblem p;
  p.mass = sparse(MatX(root * root.transpose() + MatX::Identity(3, 3)));
  p.rows = sparse(rows);
  p.velocity = -t - angle * rng.uniform(0.05, 0.25) * j;  // both contacts close
  p.impulse = VecX::Zero(3);
  for (const char* side : {"left", "right"}) {
    Contact contact{side, Frictionless{}};
    contact.restitution = 0.5;
    p.contacts.push_back(contact);
  }
  return p;
}

struct Claimed {
  Impact<double> impact;
  std::vector<double> lambda;
};

/// The outcome of a law; `off` is added to its velocity.
Claimed claimed(ContactProblem p, std::string_view law, const VecX& off) {
  const auto outcome = apply(p, *impact_law(law), ImpactOptions{});
  EXPECT_TRUE(outcome && outcome->status == ImpactStatus::solved);
  p.outcome.emplace();
  p.outcome->velocity = outcome->velocity + off;
  return {*impact(p), {outcome->impulses.begin(), outcome->impulses.end()}};
}

VecX change_of(const Impact<double>& impact) {
  VecX out(impact.dof());
  for (Index k = 0; k < out.size(); ++k) out[k] = impact.after[k] - impact.free[k];
  return out;
}

TEST(ImpactCertificate, NearlyOppositeContactsKeepTheirMomentum) {
  for (const double angle : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9})
    for (const char* law : {"moreau", "newton", "poisson"}) {
      Rng rng(3);
      for (int k = 0; k < 30; ++k) {
        SCOPED_TRACE(std::to_string(angle) + " " + law + " " + std::to_string(k));
        const Claimed c = claimed(wedge(angle, rng), law, VecX::Zero(3));
        const ActualWork actual = actual_work(c.impact, c.lambda);
        EXPECT_TRUE(actual.momentum) << actual.off_momentum;
        const auto found = judge(c.impact);
        EXPECT_NE(found.verdict, ImpactVerdict::kinetically_incompatible);
        EXPECT_EQ(refusal(c.impact, found), std::nullopt);
      }
    }
}

TEST(ImpactCertificate, LargeImpulsesExcuseTheirOwnRoundingAndNoMore) {
  // A hundred round-offs of what the impulses 1e7 times the change are made of, 1e-7 of it, along
  // what no contact of the wedge can give.
  Rng rng(3);
  for (int k = 0; k < 30; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem p = wedge(1e-7, rng);
    const Claimed right = claimed(p, "newton", VecX::Zero(3));
    const MatX rows(p.rows), mass(p.mass);
    const Vec3 across = Vec3(rows.row(0)).cross(Vec3(rows.row(1))).normalized();
    double made = 0;
    for (Index r = 0; r < 2; ++r) {
      const VecX row = rows.row(r);
      made += right.lambda[r] * std::sqrt(row.dot(mass.llt().solve(row)));
    }
    const double off = 100 * tolerance::epsilon * made / std::sqrt(across.dot(mass * across));
    const Claimed wrong = claimed(p, "newton", off * across);
    EXPECT_FALSE(actual_work(wrong.impact, wrong.lambda).momentum);
    EXPECT_NE(refusal(wrong.impact, judge(right.impact)), std::nullopt);
  }
}

TEST(ImpactCertificate, OrdinaryImpulsesHideNoShareOfTheChange) {
  // Contacts at a wide angle: 1e-9 of the change is the tolerance, twice as much is refused.
  for (const double share : {0.5, 2.0}) {
    Rng rng(3);
    for (int k = 0; k < 30; ++k) {
      SCOPED_TRACE(std::to_string(share) + " " + std::to_string(k));
      const ContactProblem p = wedge(1, rng);
      const Claimed right = claimed(p, "newton", VecX::Zero(3));
      const MatX rows(p.rows), mass(p.mass);
      const Vec3 across = Vec3(rows.row(0)).cross(Vec3(rows.row(1))).normalized();
      const VecX change = change_of(right.impact);
      const double length =
          std::sqrt(change.dot(mass * change)) / std::sqrt(across.dot(mass * across));
      const Claimed wrong = claimed(p, "newton", share * tolerance::contact_work * length * across);
      EXPECT_EQ(actual_work(wrong.impact, wrong.lambda).momentum, share < 1);
      EXPECT_EQ(refusal(wrong.impact, judge(right.impact)).has_value(), share > 1);
    }
  }
}

TEST(ImpactCertificate, ImpulsesThatCancelExcuseABoundedShare) {
  // Between two walls any pair of equal impulses explains the same velocity. However large the
  // claimed ones are, a change that is wrong by 1e-5 stays wrong.
  ContactProblem p;
  p.mass = sparse(MatX::Identity(2, 2));
  p.rows = sparse((MatX(2, 2) << 1, 0, -1, 0).finished());
  p.velocity = (VecX(2) << -1, 0.5).finished();
  p.impulse = VecX::Zero(2);
  p.contacts = {{"left", Frictionless{}}, {"right", Frictionless{}}};
  p.outcome.emplace();
  const auto data_of = [&](double wrong) {
    p.outcome->velocity = (VecX(2) << 0, 0.5 + wrong).finished();
    return *impact(p);
  };
  const auto right = data_of(0), wrong = data_of(1e-5);
  EXPECT_EQ(judge(wrong).verdict, ImpactVerdict::kinetically_incompatible);
  for (const double extra : {0.0, 1e6, 1e12}) {
    SCOPED_TRACE(extra);
    // 1e12 + 1 is exact: J'λ is the change whatever is added.
    EXPECT_TRUE(actual_work(right, {1 + extra, extra}).momentum);
    EXPECT_FALSE(actual_work(wrong, {1 + extra, extra}).momentum);
    auto inflated = judge(right);
    for (auto* end : {&inflated.minimum, &inflated.maximum})
      for (std::size_t i = 0; i < 2; ++i) {
        end->impulses[i] = {corners(right.cone[i])[0]};
        end->impulses[i][0].weight = i == 0 ? 1 + extra : extra;
      }
    EXPECT_EQ(refusal(right, inflated), std::nullopt);
    EXPECT_NE(refusal(wrong, inflated), std::nullopt);
  }
}

}  // namespace
}  // namespace tact
