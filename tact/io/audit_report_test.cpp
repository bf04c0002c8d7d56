#include "tact/io/audit_report.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/shaken_stack.hpp"

namespace tact {
namespace {

struct Stack {
  AuditReport report;
  AuditTrace trace;
};

Stack run(testing::Fault fault, int steps) {
  testing::StackOptions options;
  options.fault = fault;
  testing::ShakenStack stack(options);
  Stack out;
  out.report.name = "stack <1>";
  LedgerWorkspace work;
  StepLedger ledger;
  for (int k = 0; k < steps; ++k) {
    const testing::StackStep& s = stack.step();
    step_ledger(s.problem, s.laws, {s.free, s.after, s.lambda, std::nullopt}, work, ledger);
    const StepFindings findings = judge(ledger);
    const AuditedStep step{k, options.dt * k, s.problem, ledger, findings};
    add_step(out.report.audit, step);
    add_point(out.trace, out.report.audit, step);
  }
  return out;
}

TEST(AuditReport, JsonKeepsItsPromise) {
  const Stack r = run(testing::Fault::dropped_contact, 100);
  const auto json = nlohmann::json::parse(audit_json(r.report));
  EXPECT_EQ(json["steps"], 100);
  EXPECT_EQ(json["clean"], false);
  EXPECT_EQ(json["violations"]["momentum"], r.report.audit.of(Violation::momentum).steps);
  EXPECT_FALSE(json["violations"].contains("consistency")) << "nobody asked";
  for (const char* field : {"step", "contact", "amount", "kind", "limit", "unit"})
    EXPECT_TRUE(json["worst"].contains(field)) << field;
  EXPECT_EQ(json["worst_by_kind"]["momentum"]["dof"],
            r.report.audit.of(Violation::momentum).worst.finding.dof);
  EXPECT_EQ(json["ledger"]["W_wall"], r.report.audit.ledger.wall);
  EXPECT_EQ(json["ledger"]["closure"], r.report.audit.ledger.closure);
}

TEST(AuditReport, CleanRunsSaySo) {
  AuditReport report;
  report.audit.steps = 3;
  EXPECT_EQ(nlohmann::json::parse(audit_json(report))["worst"], nullptr);
  EXPECT_NE(audit_table(report).find("clean: every step"), std::string::npos);
}

TEST(AuditReport, ConsistencyIsShownWhereItWasAsked) {
  AuditReport report;
  report.consistency["consistent_weak"] = 2;
  const auto json = nlohmann::json::parse(audit_json(report));
  EXPECT_EQ(json["consistency"]["consistent_weak"], 2);
  EXPECT_EQ(json["violations"]["consistency"], 0);
  EXPECT_NE(audit_table(report).find("consistent_weak: 2 steps"), std::string::npos);
}

TEST(AuditReport, PeopleReadTheWorstAsASentence) {
  const std::string lost = audit_table(run(testing::Fault::dropped_contact, 100).report);
  EXPECT_NE(lost.find("momentum"), std::string::npos);
  const std::string flipped = audit_table(run(testing::Fault::flipped_walls, 300).report);
  EXPECT_NE(flipped.find("worst: step "), std::string::npos);
  EXPECT_NE(flipped.find("stack <1>\n"), std::string::npos);
  for (const std::string& text : {lost, flipped}) {
    EXPECT_EQ(text.find(" \n"), std::string::npos) << "no blanks at the end of a line";
    EXPECT_EQ(text.find("nan"), std::string::npos);
  }
}

TEST(AuditReport, TheTraceStaysSmallAndForgetsNoFlag) {
  AuditTrace trace;
  Audit audit;
  const ContactProblem problem;
  StepLedger ledger;
  StepFindings clean, bad;
  bad[static_cast<std::size_t>(Violation::cone)] = Finding{1, 0};
  constexpr int steps = 100000, culprit = 31415;
  for (int k = 0; k < steps; ++k) {
    ledger.W_force = 1;
    const AuditedStep step{k, 1.0 * k, problem, ledger, k == culprit ? bad : clean};
    add_step(audit, step);
    add_point(trace, audit, step);
  }
  EXPECT_LE(trace.points.size(), 4096);
  EXPECT_GE(trace.points.size(), 1024);
  int flagged = 0;
  for (std::size_t i = 0; i < trace.points.size(); ++i) {
    const AuditTrace::Point& p = trace.points[i];
    EXPECT_EQ(p.force, p.time + 1) << "sums up to the step itself";
    if (p.flags == 0) continue;
    ++flagged;
    EXPECT_GE(p.time, culprit);
    EXPECT_LT(p.time, culprit + trace.stride);
  }
  EXPECT_EQ(flagged, 1);
}

TEST(AuditReport, PicturesAreEscapedAndShowEveryKind) {
  const Stack r = run(testing::Fault::flipped_walls, 300);
  const std::string svg = audit_picture(r.report, r.trace);
  EXPECT_NE(svg.find("stack &lt;1&gt;"), std::string::npos);
  EXPECT_NE(svg.find("penetration "), std::string::npos);
  EXPECT_NE(svg.find("kinetic energy"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(audit_picture(AuditReport{}, AuditTrace{}).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace tact
