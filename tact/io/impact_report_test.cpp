// The verdict in words and numbers: who is responsible, what is said, what is a violation.
#include "tact/io/impact_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tact {
namespace {

/// A mass of 2 kg that comes at 3 m/s, and one wall after the other.
ContactProblem walls(const std::vector<double>& rows, const std::vector<double>& chi,
                     double after) {
  ContactProblem p;
  p.name = "walls";
  const auto count = static_cast<Index>(rows.size());
  p.mass = MatX(MatX::Constant(1, 1, 2)).sparseView();
  p.rows = MatX(Eigen::Map<const VecX>(rows.data(), count)).sparseView();
  p.excitation = Eigen::Map<const VecX>(chi.data(), count);
  p.velocity = VecX::Constant(1, -3);
  p.contacts.resize(rows.size());
  p.contacts[0].name = "left";
  p.outcome.emplace();
  p.outcome->velocity = VecX::Constant(1, after);
  return p;
}

ImpactAnswer judged(const ContactProblem& p,
                    ImpactArithmetic arithmetic = ImpactArithmetic::automatic) {
  const auto answer = judge_impact(p, {}, arithmetic, tolerance::contact_work);
  EXPECT_TRUE(answer) << answer.error().message;
  EXPECT_TRUE(answer->checked);
  return *answer;
}

TEST(ImpactReport, NamesTheContactsThatDeliver) {
  const ImpactAnswer answer = judged(walls({1}, {0}, 4));
  EXPECT_EQ(verdict_of(answer), ImpactVerdict::inconsistent);
  EXPECT_TRUE(violates(answer));
  EXPECT_EQ(sentence(answer),
            "contact \"left\" delivered energy: no impulses that explain this velocity give less "
            "than +7 J");
  const auto json = nlohmann::json::parse(impact_json(answer));
  EXPECT_EQ(json["responsible"], nlohmann::json::array({0}));
  EXPECT_EQ(json["W_min"], 7);
  EXPECT_EQ(json["W_min_exact"], "7");
}

TEST(ImpactReport, NamesTheContactsThatClose) {
  const ImpactAnswer answer = judged(walls({1, -1}, {0, -1}, 0));
  EXPECT_EQ(sentence(answer),
            "contacts \"left\" and 1 close on each other: no admissible velocity exists");
  EXPECT_EQ(nlohmann::json::parse(impact_json(answer))["W_min"], "-inf");
}

TEST(ImpactReport, BothArithmeticsSayTheSame) {
  for (const double after : {-4.0, -1.0, 0.0, 3.0, 4.0}) {
    const ContactProblem p = walls({1}, {0}, after);
    const ImpactAnswer exact = judged(p, ImpactArithmetic::exact);
    const ImpactAnswer doubles = judged(p, ImpactArithmetic::doubles);
    EXPECT_TRUE(exact.certificate.exact());
    EXPECT_FALSE(doubles.certificate.exact());
    EXPECT_EQ(verdict_of(exact), verdict_of(doubles));
    EXPECT_EQ(violates(exact), violates(doubles));
  }
}

TEST(ImpactReport, GivenImpulsesCanViolateWhatTheVelocityDoesNot) {
  ContactProblem p = walls({1, 1}, {0, -2}, 2);
  EXPECT_FALSE(violates(judged(p)));
  p.outcome->impulses = {VecX::Constant(1, 10), VecX::Constant(1, 0)};
  const ImpactAnswer fixed = judged(p);
  EXPECT_FALSE(fixed.actual->generating());
  p.outcome->impulses = {VecX::Constant(1, 10), VecX::Constant(1, -1)};
  EXPECT_TRUE(violates(judged(p)));  // off by a pull, and by its momentum
}

}  // namespace
}  // namespace tact
