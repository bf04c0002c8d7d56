// 155 complementary pairs of wrench and twist with their regimes and extended centres of pressure.
#include "tact/cone/patch_regime.hpp"

#include <gtest/gtest.h>

#include "patch_oracle.hpp"
#include "tact/cone/patch_witness.hpp"

namespace tact {
namespace {

using namespace testing;

TEST(PatchOracle, Regimes) {
  const auto data = load_cases("regime.json");
  ASSERT_EQ(data["cases"].size(), 155U);
  for (const auto& c : data["cases"]) {
    SCOPED_TRACE("case " + c["id"].dump() + ", " + c["shape"]["kind"].dump());
    const PlanarSet hull = *convex_hull_of(shape(c["shape"]));
    const Wrench wrench = wrench_of_moments(vec3(c["wrench"]));
    const Twist twist = twist_of_moments(vec3(c["twist"]), vec3(c["tau"]));
    const RegimeScales scales{number(c["F0"]), number(c["V0"]), number(c["tol"])};
    const RegimeReport report = classify(hull, wrench, twist, scales);
    ASSERT_TRUE(report.regime) << report.wrench_margin << " " << report.twist_margin << " "
                               << report.power;
    const std::string expected = c["regime"];
    const std::string found(name(*report.regime));
    if (expected == "stick_or_slide") {  // a frictionless contact: no tangential motion is given
      EXPECT_EQ(found, "stick");
    } else {
      EXPECT_EQ(found, expected);
    }

    const ExtendedCop ecop = extended_center_of_pressure(hull, wrench, twist, scales);
    const std::string kind = c["ecop_kind"];
    EXPECT_EQ(ecop.kind == ExtendedCop::Kind::point, kind == "point");
    EXPECT_EQ(ecop.kind == ExtendedCop::Kind::edge, kind == "edge");
    EXPECT_EQ(ecop.kind == ExtendedCop::Kind::patch, kind == "patch");
    for (const auto& expected_point : c["ecop"]) {
      double nearest = 1e300;
      for (const Vec2& x : ecop.points)
        nearest = std::min(nearest, (x - vec2(expected_point)).norm());
      EXPECT_LE(nearest, 1e-9 * (hull.radius() + hull.center().norm()));
    }
  }
}

/// Each wrench has a pressure that realises it, and with the twist it obeys Signorini at every
/// point.
TEST(PatchOracle, EveryPairHasAPressureThatObeysSignoriniPointByPoint) {
  const auto data = load_cases("regime.json");  // named: a temporary would not outlive the range
  for (const auto& c : data["cases"]) {
    SCOPED_TRACE("case " + c["id"].dump());
    const PlanarSet hull = *convex_hull_of(shape(c["shape"]));
    const Wrench wrench = wrench_of_moments(vec3(c["wrench"]));
    const Twist twist = twist_of_moments(vec3(c["twist"]), vec3(c["tau"]));
    const RegimeScales own = natural_scales(hull, wrench, twist);
    const auto witness = pressure_witness(hull, wrench);
    ASSERT_TRUE(witness);
    const auto residual = pointwise_signorini(hull, witness->points(), twist);
    EXPECT_LE(residual.attraction, 0);
    EXPECT_LE(residual.penetration, 1e-9 * own.velocity);
    EXPECT_LE(std::abs(residual.power), 1e-9 * own.force * own.velocity);
  }
}

}  // namespace
}  // namespace tact
