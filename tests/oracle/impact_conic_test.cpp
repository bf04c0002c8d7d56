// Contact work of impacts with round cones against values computed elsewhere: closed forms, and
// brackets of cutting planes.
#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/impact/judge.hpp"

namespace tact {
namespace {

using Numbers = std::vector<double>;

const nlohmann::json& cases() {
  static const nlohmann::json data = [] {
    nlohmann::json j;
    std::ifstream(TACT_TEST_DATA "/impact_conic.json") >> j;
    return j;
  }();
  return data;
}

Law law_of(const nlohmann::json& c, std::size_t contact) {
  const std::string kind = c["law"];
  if (kind == "disc_patch")
    return FrictionlessPatch{DiscShape{Vec2::Zero(), c["radius"].get<double>()}};
  return CoulombLaw{c["mu"][contact].get<double>(), kind == "planar"};
}

Impact<double> impact_of(const nlohmann::json& c) {
  Impact<double> out;
  out.mass = c["mass"].get<std::vector<Numbers>>();
  out.rows = c["rows"].get<std::vector<Numbers>>();
  out.excitation = c["excitation"].get<Numbers>();
  out.before = out.free = c["before"].get<Numbers>();
  out.impulse.assign(out.before.size(), 0.0);
  out.after = c["after"].get<Numbers>();
  out.offset = {0};
  for (std::size_t i = 0; out.offset.back() < static_cast<Index>(out.rows.size()); ++i) {
    const Law law = law_of(c, i);
    out.cone.push_back(impulse_cone<double>(law, friction_of(law)));
    out.opening.push_back(opening_cone<double>(law));
    out.offset.push_back(out.offset.back() + row_count(law));
  }
  return out;
}

/// The oracle's ends are no closer to each other than this, relative to the work.
constexpr double oracle_width = 1e-6;
/// Ours are: rounding of data with all digits.
constexpr double own_width = 1e-10;

void expect_bound(const WorkBound<double>& bound, const nlohmann::json& expected, bool closed) {
  ASSERT_EQ(bound.end, WorkBound<double>::End::finite);
  const double low = expected[0], high = expected[1];
  const double scale = std::max(1.0, std::abs(low));
  EXPECT_LE(std::abs(bound.high - bound.low), own_width * scale);
  EXPECT_LE(bound.low, bound.high + own_width * scale);
  if (closed) {
    EXPECT_NEAR(bound.low, low, own_width * scale);
    EXPECT_NEAR(bound.high, high, own_width * scale);
  } else {
    // Both brackets contain the same number.
    EXPECT_LE(bound.low, high + own_width * scale);
    EXPECT_GE(bound.high, low - own_width * scale);
    EXPECT_NEAR(bound.low, low, oracle_width * scale);
    EXPECT_NEAR(bound.high, high, oracle_width * scale);
  }
}

TEST(ImpactConicOracle, BoundsOfContactWork) {
  ASSERT_EQ(cases().size(), 11U);
  for (const auto& c : cases()) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const auto impact = impact_of(c);
    const auto certificate = judge(impact);
    EXPECT_EQ(refusal(impact, certificate), std::nullopt);
    expect_bound(certificate.minimum, c["minimum"], c["law"] == "planar");
    expect_bound(certificate.maximum, c["maximum"], c["law"] == "planar");
  }
}

/// The same patches, as regular polygons in the disc.
double least_work_of_polygon(const nlohmann::json& c, int corners) {
  auto impact = impact_of(c);
  std::vector<Vec2> vertices;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    vertices.emplace_back(c["radius"].get<double>() * Vec2(std::cos(angle), std::sin(angle)));
  }
  const Law law = FrictionlessPatch{PolygonShape{vertices}};
  for (auto& cone : impact.cone) cone = impulse_cone<double>(law, 0.0);
  for (auto& cone : impact.opening) cone = opening_cone<double>(law);
  const auto certificate = judge(impact);
  EXPECT_EQ(refusal(impact, certificate), std::nullopt);
  return certificate.minimum.low;
}

TEST(ImpactConicOracle, PolygonsInTheDiscConvergeWithTheSquareOfTheirCorners) {
  for (const auto& c : cases()) {
    if (c["name"] != "disc_patch_1") continue;
    const double disc = judge(impact_of(c)).minimum.low;
    EXPECT_NEAR(disc, -0.174254, 1e-6);
    const double p8 = least_work_of_polygon(c, 8), p64 = least_work_of_polygon(c, 64),
                 p256 = least_work_of_polygon(c, 256);
    EXPECT_NEAR(p8, -0.150176, 1e-6);
    EXPECT_NEAR(p64, -0.174038, 1e-6);
    EXPECT_NEAR(p256, -0.174224, 1e-6);
    // O(1/N²), up to where the worst direction falls between corners: a factor of two either way.
    EXPECT_GT(p8, p64);
    EXPECT_GT(p64, p256);
    EXPECT_GT(p256, disc);
    const double most = (p8 - disc) * 8 * 8;
    EXPECT_LT((p64 - disc) * 64 * 64, 2 * most);
    EXPECT_LT((p256 - disc) * 256 * 256, 2 * most);
  }
}

}  // namespace
}  // namespace tact
