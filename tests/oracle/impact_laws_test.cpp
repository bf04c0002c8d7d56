// Impacts whose outcome under each law was computed by other means: a cradle, a corner with a
// contact that opens, gaps between walls, a forklift, rods with friction, a rocking block.
#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/base/tolerance.hpp"
#include "tact/impact/law.hpp"
#include "tests/support/impacts.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr double agreement = 5e-15;  // of the numbers that are not written as fractions

/// A number, or a fraction "p/q".
double number(const nlohmann::json& x) {
  if (x.is_number()) return x.get<double>();
  const auto text = x.get<std::string>();
  const auto slash = text.find('/');
  if (slash == std::string::npos) return std::stod(text);
  return std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

VecX vector(const nlohmann::json& list) {
  VecX out(static_cast<Index>(list.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = number(list[static_cast<std::size_t>(i)]);
  return out;
}

MatX matrix(const nlohmann::json& rows) {
  MatX out(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) = vector(rows[static_cast<std::size_t>(i)]).transpose();
  return out;
}

ImpactLaw law_of(const nlohmann::json& c) {
  if (c["law"] == "moreau") return Moreau{number(c["e"])};
  if (c["law"] == "generalized_reflections") return GeneralizedReflections{number(c["blend"])};
  return *impact_law(c["law"].get<std::string>());
}

ContactProblem problem_of(const nlohmann::json& c) {
  const MatX normals = matrix(c["normals"]);
  const VecX e = c.contains("restitution") ? vector(c["restitution"]) : VecX();
  return smooth_impact(matrix(c["mass"]), normals.transpose(), vector(c["excitation"]),
                       vector(c["velocity"]), e);
}

TEST(ImpactOracle, EveryLawGivesTheKnownOutcome) {
  std::ifstream in(std::string(TACT_TEST_DATA) + "/impact_laws.json");
  const auto cases = nlohmann::json::parse(in)["cases"];
  ASSERT_EQ(cases.size(), 15U);
  for (const auto& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>() + " " + c["law"].get<std::string>());
    const ContactProblem p = problem_of(c);
    const auto out = apply(p, law_of(c), {});
    ASSERT_TRUE(out) << out.error().message;
    if (c.contains("status")) {
      EXPECT_EQ(name(out->status), c["status"].get<std::string>());
      continue;
    }
    ASSERT_EQ(out->status, ImpactStatus::solved) << out->why;
    EXPECT_LE((out->velocity - vector(c["after"])).norm(), agreement);
    EXPECT_LE((out->impulses - vector(c["impulses"])).norm(), agreement);
    EXPECT_NEAR(out->work, number(c["work"]), agreement);
    EXPECT_EQ(out->gamma_plus.minCoeff() < -1e-12, c["penetrates"].get<bool>());
    EXPECT_EQ(out->work > tolerance::contact_work * out->work_size, c["gains"].get<bool>());
  }
}

/// A block of half width a and half height h that rocks over from one corner to the other with
/// friction enough: ω⁺/ω⁻ = 1 - (3/2) a²/(a² + h²) = 17/20 (Housner 1963).
TEST(ImpactOracle, RockingBlock) {
  const double a = 1, h = 3;
  const MatX mass = Vec3(1, 1, (a * a + h * h) / 3).asDiagonal();
  MatX W_N(3, 2), W_T(3, 2);  // corners (-a, -h) and (a, -h), unknowns (x, y, angle)
  W_N << 0, 0, 1, 1, -a, a;
  W_T << 1, 1, 0, 0, h, h;
  // Turning about the right corner; the left one arrives.
  const ContactProblem p =
      planar_impact(mass, W_N, W_T, Vec3(3, -1, -1).cwiseProduct(Vec3(1, 1, 1)), VecX::Zero(2), 2);
  const auto out = apply(p, Moreau{}, {});
  ASSERT_TRUE(out);
  ASSERT_EQ(out->status, ImpactStatus::solved) << out->why;
  EXPECT_LE((out->velocity - Vec3(2.55, 0.85, -0.85)).norm(), 1e-13);
  EXPECT_NEAR(out->work, -1.85, 1e-13);
  EXPECT_LE((out->impulses - Vec4(0, 0, -0.45, 1.85)).norm(), 1e-13);
}

}  // namespace
}  // namespace tact
