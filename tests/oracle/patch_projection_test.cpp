// 180 projections onto patch cones and their duals, computed elsewhere by other means.
#include <gtest/gtest.h>

#include "patch_oracle.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/planar.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr double primal_bar = 1e-12;  ///< of |z|
constexpr double dual_bar = 1e-9;     ///< of |z| in the metric: the reference carries up to 1.7e-10
constexpr double rounding = 1e-13;    ///< members are members up to this share of |z|

TEST(PatchOracle, Projections) {
  const auto data = load_cases("projection.json");
  ASSERT_EQ(data["cases"].size(), 180U);
  for (const auto& c : data["cases"]) {
    SCOPED_TRACE("case " + c["id"].dump() + ", " + c["shape"]["kind"].dump());
    const PlanarCone cone(*convex_hull_of(shape(c["shape"])));
    const auto metric = Metric<3>::from_matrix(mat3(c["metric"]));
    ASSERT_TRUE(metric);
    const Vec3 z = vec3(c["z"]);
    EXPECT_LE((cone.project(z, *metric) - vec3(c["proj_K"])).norm(), primal_bar * z.norm());
    const Vec3 dual_error = cone.project_dual(z, *metric) - vec3(c["proj_Kdual"]);
    EXPECT_LE(metric->norm(dual_error), dual_bar * metric->norm(z));
    EXPECT_EQ(cone.margin(z) >= -rounding * z.norm(), c["in_K"].get<bool>());
    EXPECT_EQ(cone.dual_margin(z) >= -rounding * z.norm(), c["in_Kdual"].get<bool>());
  }
}

/// The same cases in the paper's own coordinates [m_T, f_N]: a rotation of the plane.
TEST(PatchOracle, ProjectionsInThePapersCoordinates) {
  Mat3 turn = Mat3::Zero();
  turn(0, 1) = 1;
  turn(1, 0) = -1;
  turn(2, 2) = 1;
  const auto data =
      load_cases("projection.json");  // named: a temporary would not outlive the range
  for (const auto& c : data["cases"]) {
    const PatchCone cone(*convex_hull_of(shape(c["shape"])));
    const Mat3 m = turn * mat3(c["metric"]) * turn.transpose();
    const auto metric = Metric<3>::from_spd(m);
    const Vec3 z = to_paper(vec3(c["z"]));
    EXPECT_LE((cone.project(z, metric) - to_paper(vec3(c["proj_K"]))).norm(),
              primal_bar * z.norm());
  }
}

}  // namespace
}  // namespace tact
