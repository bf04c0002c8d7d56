#include "tact/io/sim_report.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/io/run_history.hpp"
#include "tact/io/run_page.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

struct SlidBox {
  Simulation sim;
  RunReport report;
  RunHistory history;
};

/// A box that slides to rest.
SlidBox slid_box(double duration) {
  const Model model = testing::tower_scene(1, 1, 0.3);
  State start = initial_state(model);
  start.qvel[0] = 1;
  SimOptions options;
  options.dt = 1e-3;
  SlidBox out{testing::simulation_of(model, start, options), {}, {}};
  const RunSummary run =
      simulate(out.sim, {duration, 1}, [&](const Simulation& s, const StepReport& r, bool last) {
        add_moment(s, r, last, out.history);
        return true;
      });
  out.report = run_report(out.sim, run, "a box <slides>", 0.25);
  return out;
}

TEST(SimReport, WordsAndFieldsSayTheSame) {
  const SlidBox run = slid_box(0.5);
  const std::string text = run_text(run.report);
  for (const char* word : {"a box <slides>", "500 steps of 1 ms", "500 µs per step", "slide",
                           "stick", "closes to", "friction −0.5"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
  const auto json = nlohmann::json::parse(run_json(run.report));
  EXPECT_EQ(json["steps"], 500);
  EXPECT_EQ(json["status"], "finished");
  EXPECT_NEAR(json["simulated"].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(json["ledger"]["accounts"]["friction"].get<double>(), -0.5, 1e-9);
  EXPECT_EQ(json["ledger"]["closure"].get<double>(), run.report.ledger.closure());
  EXPECT_EQ(json["final"]["qpos"].size(), 7U);
  EXPECT_EQ(json["final"]["qpos"][0].get<double>(), run.report.final.qpos[0]);
  EXPECT_EQ(json["hash"].get<std::string>().size(), 16U);
  EXPECT_TRUE(json["warnings"].empty());
}

TEST(SimReport, AResidualWithoutANumberIsAWord) {
  SlidBox run = slid_box(0.01);
  run.report.run.max_residual = std::numeric_limits<double>::infinity();
  EXPECT_EQ(nlohmann::json::parse(run_json(run.report))["max_residual"], "inf");
}

TEST(SimReport, WhatIsMissingIsAmongTheWarnings) {
  SlidBox run = slid_box(0.01);
  run.report.run.warnings = {"one"};
  run.report.recording_trouble = "two";
  run.report.unwritten = {"three"};
  const auto json = nlohmann::json::parse(run_json(run.report));
  EXPECT_EQ(json["warnings"], (nlohmann::json{"one", "two", "three"}));
  EXPECT_NE(run_text(run.report).find("three"), std::string::npos);
}

TEST(RunHistory, LongRunsAreThinnedAndTheLastMomentStays) {
  const SlidBox run = slid_box(3);
  EXPECT_LT(run.history.moments.size(), 1200U);
  EXPECT_GE(run.history.moments.size(), 300U);
  EXPECT_NEAR(run.history.moments.back().time, 3, 1e-9);
  for (std::size_t i = 1; i < run.history.moments.size(); ++i)
    EXPECT_LT(run.history.moments[i - 1].time, run.history.moments[i].time);
  EXPECT_EQ(run.history.moments.back().contacts.size(), 1U);
}

TEST(RunPage, ShowsTheLedgerAndEveryContact) {
  const SlidBox run = slid_box(0.5);
  const std::string page = run_page(run.sim.scene.model, run.report, run.history);
  for (const char* word : {"<!DOCTYPE html>", "a box &lt;slides&gt;", "friction", "b1 on floor",
                           "centre of pressure", "</html>"})
    EXPECT_NE(page.find(word), std::string::npos) << word;
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_NE(ledger_picture(run.history).find("kinetic"), std::string::npos);
  EXPECT_NE(figures_picture(run.history).find("residual"), std::string::npos);
  EXPECT_NE(contact_picture(run.sim.scene.model, run.history, run.history.moments[3].contacts[0])
                .find("polyline"),
            std::string::npos);
}

}  // namespace
}  // namespace tact
