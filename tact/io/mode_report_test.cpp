#include "tact/io/mode_report.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/modes/mode_scenes.hpp"

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

ModeReport report_of_a_contact() {
  ModeReport report;
  report.name = "one";
  report.contacts = 1;
  report.dof = 3;
  report.planes_least = report.planes_most = 1;
  report.counts.cs = 2;
  report.counts.full = 4;
  report.counts.cs_by_dim = {0, 0, 1, 1};
  report.counts.full_by_dim = {0, 1, 2, 1};
  report.seconds = 0.25;
  return report;
}

ModeReport listed() {
  ModeReport report = report_of_a_contact();
  report.list = {{"+", {""}, {Vec3(0, 0, 1)}},
                 {"0", {"+", "-", "0"}, {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0)}}};
  return report;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ModeReport, JsonHasWhatItPromises) {
  const Json json = Json::parse(mode_json(report_of_a_contact()));
  EXPECT_EQ(json["name"], "one");
  EXPECT_EQ(json["contacts"], 1);
  EXPECT_EQ(json["dof"], 3);
  EXPECT_EQ(json["policy"], "exact");
  EXPECT_EQ(json["kind"], "sliding");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["cs"], 2);
  EXPECT_EQ(json["full"], 4);
  EXPECT_EQ(json["cs_by_dim"], Json::parse(R"({"2": 1, "3": 1})"));
  EXPECT_EQ(json["full_by_dim"], Json::parse(R"({"1": 1, "2": 2, "3": 1})"));
  EXPECT_EQ(json["seconds"], 0.25);
  for (const char* field : {"modes", "witnesses", "hash", "notes", "tolerance", "inconsistent"})
    EXPECT_FALSE(json.contains(field)) << field;
}

TEST(ModeReport, JsonOfATolerance) {
  ModeReport report = report_of_a_contact();
  report.options.policy = ModePolicy::tolerance;
  report.options.tolerance = 0.125;
  report.counts.inconsistent = true;
  const Json json = Json::parse(mode_json(report));
  EXPECT_EQ(json["policy"], "tolerance");
  EXPECT_EQ(json["tolerance"], 0.125);
  EXPECT_EQ(json["inconsistent"], true);
  const std::string table = mode_table(report);
  EXPECT_TRUE(contains(table, "policy tolerance (zero up to 0.125)")) << table;
  EXPECT_TRUE(contains(table, "signs contradict each other")) << table;
}

TEST(ModeReport, CountsBeyondDoublesAreStrings) {
  constexpr ModeCount edge = ModeCount{1} << 53U;
  ModeReport report = report_of_a_contact();
  report.counts.cs = edge;
  report.counts.full = edge + 1;
  report.counts.cs_by_dim = {edge - 1, 0, 1};
  report.counts.full_by_dim = {1, edge << 50U};
  const Json json = Json::parse(mode_json(report));
  EXPECT_TRUE(json["cs"].is_number_unsigned());
  EXPECT_EQ(json["cs"], 9007199254740992U);
  EXPECT_EQ(json["full"], "9007199254740993");
  EXPECT_EQ(json["cs_by_dim"], Json::parse(R"({"0": 9007199254740991, "2": 1})"));
  EXPECT_EQ(json["full_by_dim"],
            Json::parse(R"({"0": 1, "1": "10141204801825835211973625643008"})"));
  EXPECT_TRUE(contains(mode_table(report), "9 007 199 254 740 993"));
}

TEST(ModeReport, DigitsComeInThrees) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(29046), "29 046");
  EXPECT_EQ(grouped(123456), "123 456");
  EXPECT_EQ(grouped(1000000), "1 000 000");
  EXPECT_EQ(grouped(most_modes - 1), "340 282 366 920 938 463 463 374 607 431 768 211 454");
}

/// The largest count stands for all beyond it, and no number may be read out of that.
TEST(ModeReport, CountsWithoutEndSaySo) {
  EXPECT_EQ(grouped(most_modes), "at least 340 282 366 920 938 463 463 374 607 431 768 211 455");
  ModeReport report = report_of_a_contact();
  report.counts.full = most_modes;
  EXPECT_EQ(Json::parse(mode_json(report))["full"],
            "at least 340282366920938463463374607431768211455");
}

TEST(ModeReport, JsonOfAList) {
  ModeReport report = listed();
  report.hash = 0xabcU;
  Json json = Json::parse(mode_json(report));
  EXPECT_EQ(json["modes"].dump(), R"({"+":[""],"0":["+","-","0"]})");  // in order
  EXPECT_EQ(json["witnesses"]["0"][1], Json::parse("[-1, 0, 0]"));
  EXPECT_EQ(json["hash"], "0000000000000abc");
  for (ListedModes& group : *report.list) group.witnesses.clear();
  report.list_cut = true;
  json = Json::parse(mode_json(report));
  EXPECT_FALSE(json.contains("witnesses"));
  EXPECT_EQ(json["complete"], false);
}

TEST(ModeReport, TableOfAList) {
  ModeReport report = listed();
  std::string table = mode_table(report);
  EXPECT_TRUE(contains(table, "one   1 contact, 3 dof, 1 plane per contact")) << table;
  EXPECT_TRUE(contains(table, "policy exact")) << table;
  EXPECT_TRUE(contains(table, "\n  +\n      (nothing slides)   velocity 0 0 1\n  0\n")) << table;
  EXPECT_TRUE(contains(table, "\n      -   velocity −1 0 0\n")) << table;
  EXPECT_TRUE(contains(table, "full modes       4     by dimension  1:1  2:2  3:1\n")) << table;
  EXPECT_FALSE(contains(table, "limit")) << table;

  report.list_cut = true;
  report.notes = {"a note"};
  report.planes_most = 4;
  table = mode_table(report);
  EXPECT_TRUE(contains(table, "the limit of the list is reached")) << table;
  EXPECT_TRUE(contains(table, "  note: a note\n")) << table;
  EXPECT_TRUE(contains(table, "1 to 4 planes")) << table;
}

TEST(ModeReport, KindsHaveTheirWords) {
  ModeReport report = listed();
  report.options.kind = ModeKind::contacting;
  EXPECT_EQ(Json::parse(mode_json(report))["kind"], "contacting");
  EXPECT_FALSE(contains(mode_table(report), "full modes"));
  report.options.kind = ModeKind::slipping;
  EXPECT_EQ(Json::parse(mode_json(report))["kind"], "slipping");
  EXPECT_TRUE(contains(mode_table(report), "  stick/slip  "));
}

TEST(ModeReport, AnInterruptionIsTold) {
  ModeReport report = report_of_a_contact();
  report.counts.stopped = true;
  EXPECT_EQ(Json::parse(mode_json(report))["complete"], false);
  EXPECT_TRUE(contains(mode_table(report), "found so far, not all"));
}

/// One contact above a floor, sliding along +t.
TEST(ModeReport, ConeOfAMode) {
  ModeSystem system;
  add_contact(system, Vec3(0, 0, 1), Vec3(1, 0, 0).transpose());
  const auto cone = mode_cone(system, "0", "+", {});
  ASSERT_TRUE(cone && *cone);
  const Json json = Json::parse(mode_cone_json(**cone, "0", "+"));
  EXPECT_EQ(json["cs"], "0");
  EXPECT_EQ(json["ss"], "+");
  EXPECT_EQ(json["exists"], true);
  EXPECT_EQ(json["dim"], 2);
  EXPECT_EQ(json["rays"], Json::parse("[[1, 0, 0]]"));
  EXPECT_EQ(json["witness"], Json::parse("[1, 0, 0]"));
  EXPECT_EQ(json["exact_witness"], Json::parse(R"(["1", "0", "0"])"));
  ASSERT_EQ(json["lines"].size(), 1U);
  EXPECT_EQ(json["lines"][0][0], 0);
  EXPECT_NE(json["lines"][0][1], 0);
  const std::string table = mode_cone_table(**cone, "0", "+");
  EXPECT_TRUE(contains(table, "mode 0|+   velocities of dimension 2\n")) << table;
  EXPECT_TRUE(contains(table, "\n  ray ")) << table;
  EXPECT_TRUE(contains(table, "\n  line +- ")) << table;
}

}  // namespace
}  // namespace tact
