// Points of surfaces, rates of facing points and signed distances, computed elsewhere by other
// means: by finite differences of Newton's solutions and by maximising over directions.
#include <gtest/gtest.h>

#include "surface_oracle.hpp"
#include "tact/geom/curvature.hpp"
#include "tact/soft/track.hpp"

namespace tact {
namespace {

using namespace testing;

constexpr double surface_bar = 1e-10;  ///< of the largest curvature
constexpr double rate_bar = 1e-9;      ///< of the rate
constexpr double point_bar = 1e-10;    ///< [m]
constexpr double window_bar = 1e-9;    ///< of the window: 1/κ, the reference takes differences
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(SurfaceOracle, NormalsAndGaussMaps) {
  const auto cases = surface_cases("points.json");
  ASSERT_EQ(cases.size(), 18U);
  for (const auto& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const Surface surface = surface_of(c["surface"]);
    SurfacePoint at;
    ASSERT_TRUE(project(surface, vector_of(c["p"]), at));
    EXPECT_LE((at.p - vector_of(c["p"])).norm(), point_bar * at.p.norm());
    EXPECT_LE((at.n - vector_of(c["n"])).norm(), surface_bar);
    const Mat3 dn = matrix_of(c["dn"]);
    EXPECT_LE((at.dn - dn).norm(), surface_bar * dn.norm());
    const double scale = dn.norm();
    const Vec2 kappa = principal_curvatures(at).kappa;
    EXPECT_NEAR(kappa[0], c["kappa"][0].get<double>(), surface_bar * scale);
    EXPECT_NEAR(kappa[1], c["kappa"][1].get<double>(), surface_bar * scale);
    if (!c.contains("mean")) continue;
    EXPECT_NEAR(mean_curvature(at), c["mean"].get<double>(), surface_bar * scale);
    EXPECT_NEAR(gauss_curvature(at), c["gauss"].get<double>(), surface_bar * scale * scale);
  }
}

TEST(SurfaceOracle, DerivativesOfARationalPatch) {
  for (const auto cases = surface_cases("points.json"); const auto& c : cases) {
    if (!c.contains("uv")) continue;
    const NurbsSurface surface = nurbs_of(c["surface"]);
    const PatchJet jet =
        evaluate(*surface.patch, c["uv"][0].get<double>(), c["uv"][1].get<double>());
    const double scale = vector_of(c["fuu"]).norm();
    EXPECT_LE((jet.f - vector_of(c["p"])).norm(), surface_bar * scale);
    EXPECT_LE((jet.fu - vector_of(c["fu"])).norm(), surface_bar * scale);
    EXPECT_LE((jet.fv - vector_of(c["fv"])).norm(), surface_bar * scale);
    EXPECT_LE((jet.fuu - vector_of(c["fuu"])).norm(), surface_bar * scale);
    EXPECT_LE((jet.fuv - vector_of(c["fuv"])).norm(), surface_bar * scale);
    EXPECT_LE((jet.fvv - vector_of(c["fvv"])).norm(), surface_bar * scale);
  }
}

/// null: no bound on this side.
void expect_bound(const nlohmann::json& wanted, double got, double none) {
  if (wanted.is_null())
    EXPECT_EQ(got, none);
  else
    EXPECT_NEAR(got, wanted.get<double>(), window_bar * std::abs(wanted.get<double>()));
}

FacingPoints facing_of(const nlohmann::json& c, const Surface& one, const Surface& two) {
  FacingPoints facing;
  EXPECT_TRUE(project(one, vector_of(c["p1"]), facing.one));
  EXPECT_TRUE(project(two, vector_of(c["p2"]), facing.two));
  facing.gap = c["gap"];
  return facing;
}

TEST(SurfaceOracle, RatesOfFacingPoints) {
  const auto cases = surface_cases("facing.json");
  ASSERT_EQ(cases.size(), 34U);
  for (const auto& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const Surface one = surface_of(c["one"]);
    const Surface two = surface_of(c["two"]);
    const Pose X_12 = pose_of(c["X_12"]);
    const Twist T{vector_of(c["w"]), vector_of(c["v"])};
    FacingPoints facing = facing_of(c, one, two);
    ASSERT_EQ(track(one, two, X_12, facing), TrackStatus::tracked);
    EXPECT_LE((facing.one.p - vector_of(c["p1"])).norm(), point_bar);
    EXPECT_LE((facing.two.p - vector_of(c["p2"])).norm(), point_bar);
    EXPECT_LE((facing.one.n - vector_of(c["n1"])).norm(), rate_bar);
    EXPECT_LE((facing.two.n - vector_of(c["n2"])).norm(), rate_bar);
    EXPECT_NEAR(facing.gap, c["gap"].get<double>(), point_bar);

    const PairGeometry g = pair_geometry(facing, X_12);
    const PointRates rates = point_rates(g, X_12.R);
    const Vec3 p1_rate = vector_of(c["p1_rate"]);
    const Vec3 p2_rate = vector_of(c["p2_rate"]);
    EXPECT_LE((rates.J1 * T.vec() - p1_rate).norm(), rate_bar * p1_rate.norm());
    EXPECT_LE((rates.J2 * T.vec() - p2_rate).norm(), rate_bar * p2_rate.norm());
    EXPECT_NEAR(gap_rate(g, T), c["gap_rate"].get<double>(), rate_bar * T.vec().norm());
    const auto window = gap_window(g.A1, g.A2);
    ASSERT_TRUE(window);
    expect_bound(c["least"], window->least, -infinite);
    expect_bound(c["most"], window->most, infinite);
  }
}

TEST(SurfaceOracle, FacingPointsAreFoundWithoutAStart) {
  for (const auto cases = surface_cases("facing.json"); const auto& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const FacingSearch search =
        find_facing(surface_of(c["one"]), surface_of(c["two"]), pose_of(c["X_12"]));
    ASSERT_EQ(search.status, TrackStatus::tracked);
    double nearest = infinite;
    for (const FacingPoints& f : search.found)
      nearest = std::min(nearest, (f.one.p - vector_of(c["p1"])).norm() +
                                      (f.two.p - vector_of(c["p2"])).norm() +
                                      std::abs(f.gap - c["gap"].get<double>()));
    EXPECT_LE(nearest, point_bar);
  }
}

TEST(SurfaceOracle, SignedDistances) {
  const auto cases = surface_cases("nearest.json");
  ASSERT_EQ(cases.size(), 6U);
  for (const auto& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const Pose X_12 = pose_of(c["X_12"]);
    const FacingSearch search = find_facing(surface_of(c["one"]), surface_of(c["two"]), X_12);
    ASSERT_EQ(search.status, TrackStatus::tracked);
    ASSERT_EQ(search.found.size(), 1U);
    const FacingPoints& f = search.found.front();
    EXPECT_NEAR(f.gap, c["gap"].get<double>(), point_bar);
    EXPECT_LE((f.one.p - vector_of(c["p1"])).norm(), point_bar);
    EXPECT_LE((f.two.p - vector_of(c["p2"])).norm(), point_bar);
    EXPECT_LE((f.one.n - vector_of(c["n1"])).norm(), rate_bar);
    const PairGeometry g = pair_geometry(f, X_12);
    expect_bound(c["least"], gap_window(g.A1, g.A2)->least, -infinite);
  }
}

}  // namespace
}  // namespace tact
