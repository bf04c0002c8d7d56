#include "tact/io/solve_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/solve/solve.hpp"

namespace tact {
namespace {

/// A block of 2 kg on a plane, pushed sideways beyond its friction: u⁺ = (1.5 - 0.5 · 2)/2.
ContactProblem pushed_block() {
  ContactProblem p;
  p.name = "pushed block";
  p.mass = sparse(MatX(2 * MatX::Identity(2, 2)));
  p.velocity = VecX::Zero(2);
  p.impulse = VecX::Zero(2);
  p.impulse << 1.5, -2;
  p.contacts = {{"ground", CoulombLaw{0.5, true}}};
  p.rows = sparse(MatX(MatX::Identity(2, 2)));
  return p;
}

SolveAnswer answer_of(const ContactProblem& p) {
  const auto reduced = reduce(p);
  VecX lambda;
  const SolveReport report = solve(*reduced, {}, lambda);
  VecX u;
  multiply(reduced->G, lambda, u);
  u += reduced->b;
  return explain(p, judged(*reduced), report, lambda, u);
}

TEST(SolveReport, SaysWhatFollowsFromTheImpulses) {
  const SolveAnswer answer = answer_of(pushed_block());
  EXPECT_NEAR((*answer.velocity)[0], 0.25, tolerance::rounding);
  EXPECT_NEAR(answer.lambda[1], 2, tolerance::rounding);
  EXPECT_EQ(answer.labels.front().regime, Regime::slide);
  EXPECT_NEAR(answer.labels.front().multiplier, 0.25, tolerance::rounding);
  EXPECT_LE(*answer.momentum, tolerance::rounding);
}

TEST(SolveReport, JsonKeepsItsPromises) {
  const ContactProblem p = pushed_block();
  const auto json = nlohmann::json::parse(solve_json(p, answer_of(p), {}, {true}));
  for (const char* field : {"status", "solver", "iterations", "residual", "impulses",
                            "contact_velocities", "velocity", "labels", "seconds", "residual_fc3d"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json["status"], "converged");
  EXPECT_EQ(json["labels"][0], "slide");
  EXPECT_EQ(json["impulses"][0].size(), 2U);
}

/// A body between a wall that comes, its limit and an equality, beside a contact that takes no
/// part.
ContactProblem wedged() {
  ContactProblem p;
  p.mass = sparse(MatX(MatX::Identity(3, 3)));
  p.velocity = VecX::Zero(3);
  p.contacts = {{"ground", Frictionless{}},
                {"", CoulombLaw{0.5, true}},
                {"upper limit of joint \"lift\"", Frictionless{}},
                {"equality \"loop\"", BoundedLaw{}}};
  // x_0 = x_1 and x_1 <= 0, but the wall pushes x_0 up: z = (1, 1, 1) cancels.
  MatX J = MatX::Zero(5, 3);
  J(0, 2) = 1;
  J(1, 2) = 1;
  J(2, 0) = 1;
  J(3, 1) = -1;
  J(4, 0) = -1;
  J(4, 1) = 1;
  p.rows = sparse(J);
  p.excitation = (VecX(5) << -1, 0, -2, 0, 0).finished();
  return p;
}

TEST(SolveReport, AnInfeasibleProblemNamesWhatHolds) {
  const ContactProblem p = wedged();
  const auto reduced = reduce(p);
  SolveWorkspace work;
  VecX lambda = VecX::Zero(5);
  const SolveReport report = solve(*reduced, {}, work, lambda);
  ASSERT_EQ(report.status, SolveStatus::infeasible);
  VecX u;
  multiply(reduced->G, lambda, u);
  u += reduced->b;
  const SolveAnswer answer = explain(p, judged(*reduced), report, lambda, u, work.jam_ray);
  const std::vector<std::string> names{"1", "upper limit of joint \"lift\"", "equality \"loop\""};
  EXPECT_EQ(answer.held_by, names);
  const auto json = nlohmann::json::parse(solve_json(p, answer, {}, {}));
  EXPECT_EQ(json["held_by"].get<std::vector<std::string>>(), names);
  EXPECT_NE(
      solve_table(p, answer, {})
          .find("hold each other (a jam): 1, upper limit of joint \"lift\", equality \"loop\";"),
      std::string::npos);
}

TEST(SolveReport, TableNamesTheContactAndTheVerdict) {
  const ContactProblem p = pushed_block();
  SolveAnswer answer = answer_of(p);
  EXPECT_NE(solve_table(p, answer, {}).find("ground"), std::string::npos);
  EXPECT_NE(solve_table(p, answer, {}).find("solved"), std::string::npos);
  answer.report.status = SolveStatus::not_converged;
  EXPECT_NE(solve_table(p, answer, {}).find("NOT SOLVED"), std::string::npos);
}

}  // namespace
}  // namespace tact
