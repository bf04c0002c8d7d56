// io/trace_file_test.cpp - traces of compliant pairs as CSV, their reports, and what is refused.
#include "tact/io/trace_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/io/fit_report.hpp"

namespace tact {
namespace {

TEST(TraceFile, ColumnsInAnyOrderWithComments) {
  const auto trace = read_trace(
      "# a pad\n gap_m , time_s,normal_force_N,slide_x_m,slide_y_m,shear_x_N,shear_y_N\r\n"
      "-1e-3,0,2.5,0,0,0.1,0\n\n-2e-3,0.1,5,1e-4,0,0.2,-1\n",
      "t.csv");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->time_s, (std::vector<double>{0, 0.1}));
  EXPECT_EQ(trace->gap_m, (std::vector<double>{-1e-3, -2e-3}));
  EXPECT_EQ(trace->normal_force_N[1], 5);
  EXPECT_EQ(trace->shear_force_N[1], Vec2(0.2, -1));
  EXPECT_TRUE(trace->gap_rate_m_per_s.empty());
}

TEST(TraceFile, WhatIsWrongIsSaidWithItsLine) {
  const auto refused = [](const char* text, const char* place, const char* word) {
    const auto trace = read_trace(text, "t.csv");
    ASSERT_FALSE(trace) << text;
    EXPECT_TRUE(trace.error().message.starts_with(place)) << trace.error().message;
    EXPECT_NE(trace.error().message.find(word), std::string::npos) << trace.error().message;
  };
  refused("", "t.csv: ", "no samples");
  refused("time_s,gap_m\n", "t.csv:1", "normal_force_N");
  refused("time_s,gap_m,normal_force_N,colour\n", "t.csv:1", "colour");
  refused("time_s,gap_m,gap_m,normal_force_N\n", "t.csv:1", "twice");
  refused("time_s,gap_m,normal_force_N,slide_x_m\n", "t.csv:1", "all four");
  refused("time_s,gap_m,normal_force_N\n0,1\n", "t.csv:2", "3 columns");
  refused("time_s,gap_m,normal_force_N\n0,1,nan\n", "t.csv:2", "finite");
  refused("time_s,gap_m,normal_force_N\n0,1,2x\n", "t.csv:2", "finite");
}

TEST(FitReport, SaysValuesIntervalsAndValidation) {
  FitReport report;
  report.source = "a.csv";
  report.fit.stiffness = {1000, 10, 980, 1020};
  report.fit.exponent = {1.5, 0.01, 1.48, 1.52};
  report.fit.converged = true;
  TangentFit tangent;
  tangent.friction = {0.4, std::numeric_limits<double>::infinity(), 0.4,
                      std::numeric_limits<double>::infinity()};
  report.fit.tangent = tangent;
  report.checked_source = "b.csv";
  report.check = FitCheck{0.1, 5, 0, 0, true};
  const std::string text = fit_text(report);
  for (const char* word : {"a.csv", "980 to 1020", "at least 0.4", "b.csv is explained"})
    EXPECT_NE(text.find(word), std::string::npos) << text;
  const auto json = nlohmann::json::parse(fit_json(report));
  EXPECT_EQ(json["exponent"]["high"], 1.52);
  EXPECT_TRUE(json["tangential"]["friction"]["high"].is_null());
  EXPECT_EQ(json["validation"]["explains"], true);
}

}  // namespace
}  // namespace tact
