#include "tact/io/dynamics_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tact {
namespace {

/// A point mass of 2 in the plane on a floor with friction 1/2, pressed down by 4.
struct Puck {
  ModeSystem system;
  ModeLoad load{2 * MatX::Identity(2, 2), Vec2(0, -4), {0.5}};
  Puck() {
    MatX along(1, 2);
    along << 1, 0;
    add_contact(system, Vec2(0, 1), along);
  }
};

TEST(DynamicsReport, SlidesUnderFriction) {
  Puck puck;
  puck.load.load = Vec2(6, -4);  // 2 more than friction of 1/2 on 4 holds, and 2 again
  const auto report = dynamics_report(puck.system, puck.load, "0", "+");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->unknowns, (std::vector<std::string>{"a0", "a1", "N0", "T0.0"}));
  const auto json = nlohmann::json::parse(dynamics_json(*report));
  EXPECT_TRUE(json.at("consistent").get<bool>());
  EXPECT_EQ(json.at("undetermined").get<int>(), 0);
  EXPECT_NEAR(json.at("acceleration").at(0).get<double>(), 2, tolerance::rounding);
  EXPECT_NEAR(json.at("forces").at(0).get<double>(), 4, tolerance::rounding);
  EXPECT_NEAR(json.at("forces").at(1).get<double>(), -2, tolerance::rounding);
  EXPECT_EQ(json.at("equal").size(), 4U);
  EXPECT_EQ(json.at("strict").get<std::vector<bool>>(), (std::vector<bool>{false, true}));
  const std::string text = dynamics_text(*report);
  for (const char* part : {"mode 0|+   can follow", "a0 = 2  a1 = 0", "N0 = 4  T0.0 = −2",
                           "    2 a0 − T0.0 = 6\n", "    2 a1 − N0 = −4\n", "    a1 = 0\n",
                           "    0.5 N0 + T0.0 = 0\n", "    N0 ≥ 0\n", "    a0 > 0\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("open"), std::string::npos);
}

TEST(DynamicsReport, SaysThatTheLoadForbidsIt) {
  const Puck puck;
  const auto report = dynamics_report(puck.system, puck.load, "+", "");
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->dynamics.consistent);
  const auto json = nlohmann::json::parse(dynamics_json(*report));
  EXPECT_FALSE(json.at("consistent").get<bool>());
  EXPECT_FALSE(json.contains("acceleration"));
  EXPECT_FALSE(json.contains("forces"));
  const std::string text = dynamics_text(*report);
  EXPECT_NE(text.find("cannot follow"), std::string::npos);
  EXPECT_EQ(text.find("acceleration"), std::string::npos);
}

TEST(DynamicsReport, RefusesStringsThatDoNotFit) {
  const Puck puck;
  EXPECT_FALSE(dynamics_report(puck.system, puck.load, "00", "++"));
  EXPECT_FALSE(dynamics_report(puck.system, puck.load, "0", ""));
}

}  // namespace
}  // namespace tact
