#include "tact/io/grasp_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tact {
namespace {

/// A point mass in the plane between two walls, with friction on both.
ModeSystem between_walls() {
  ModeSystem system;
  MatX up(1, 2);
  up << 0, 1;
  add_contact(system, Vec2(1, 0), up);
  add_contact(system, Vec2(-1, 0), up);
  return system;
}

TEST(GraspReport, TellsClosureAndStability) {
  const ModeSystem system = between_walls();
  ModeLoad load{MatX::Identity(2, 2), Vec2(0, -1), {0.5, 0.5}};
  const auto report = grasp_report(system, load.mu, load);
  ASSERT_TRUE(report);
  const auto json = nlohmann::json::parse(grasp_json(*report));
  EXPECT_FALSE(json.at("form_closure").get<bool>());  // it slides up and down
  EXPECT_TRUE(json.at("force_closure").get<bool>());
  // Squeezed or not, nobody says: it may hold, and it may fall.
  EXPECT_FALSE(json.at("stability").at("stable").get<bool>());
  EXPECT_EQ(json.at("stability").at("consistent_modes").size(), 2U);
  const std::string text = grasp_text(*report);
  EXPECT_NE(text.find("force closure    yes"), std::string::npos);
  EXPECT_NE(text.find("not the only one"), std::string::npos);
}

TEST(GraspReport, SaysWhatNothingResists) {
  const ModeSystem system = between_walls();
  const auto report = grasp_report(system, {0.0, 0.0});
  ASSERT_TRUE(report);
  const auto json = nlohmann::json::parse(grasp_json(*report));
  EXPECT_FALSE(json.at("force_closure").get<bool>());
  EXPECT_EQ(json.at("unresisted_motion").at(0).get<double>(), 0);
  EXPECT_NE(json.at("unresisted_motion").at(1).get<double>(), 0);
  EXPECT_FALSE(json.contains("stability"));
}

}  // namespace
}  // namespace tact
