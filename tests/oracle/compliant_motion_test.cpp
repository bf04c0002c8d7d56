// compliant_motion_test.cpp - an ellipsoid that rocks on a half-space against reference motions.
//
// The stiffness follows the curvature, with the rolling wrench, or is frozen at touch-down: motions
// that differ by 6e-4 m, six hundred times what is allowed here. A third one is damped.
#include <gtest/gtest.h>

#include "compliant_oracle.hpp"
#include "tact/sim/soft_scene.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

using testing::read;

Simulation rocking(const nlohmann::json& c, double dt) {
  Model m = testing::floor_scene(0.5);
  const Vec3 axes = read<Vec3>(c["semi_axes"]);
  testing::add_free_body(m, Ellipsoid{axes}, c["mass"].get<double>(), axes,
                         Pose{read<Mat3>(c["rotation"]), read<Vec3>(c["position"])}, 0.5);
  m.bodies[1].inertia_com_B = read<Vec3>(c["inertia"]).asDiagonal();
  const Model model = testing::finished(std::move(m));
  SoftPair pair;
  HertzNormal normal;
  normal.modulus_Pa = c["modulus"].get<double>();
  normal.circular = true;
  normal.damping_s_per_m = c.value("damping", 0.0);
  pair.normal = normal;
  SoftPad pad;
  pad.stiffness_N_per_m = c["shear"].get<double>() * Mat2::Identity();
  pad.torsion_Nm_per_rad = c["torsion"].get<double>();
  pair.tangent = PadTangent{pad, std::nullopt};
  pair.friction.coefficient = std::numeric_limits<double>::infinity();
  pair.damping.tangential_s = c.value("shear_damping", 0.0) / c["shear"].get<double>();
  pair.centre_share = 0;
  if (c["frozen"].get<bool>()) pair.curvature = CurvatureUse::frozen;
  auto geoms = soft_geoms(model, 1, 0, pair);
  EXPECT_TRUE(geoms) << (geoms ? "" : geoms.error().message);
  SoftScene soft;
  soft.pairs.push_back(*std::move(geoms));
  State start = initial_state(model);
  start.qvel.segment<3>(3) = read<Vec3>(c["spin_B"]);
  return testing::soft_simulation(model, start, dt, soft);
}

/// The largest distance from the reference at its samples [m].
double distance_from(const nlohmann::json& c, double dt, double& lost) {
  Simulation sim = rocking(c, dt);
  StepReport report;
  double worst = 0;
  for (const auto& sample : c["samples"]) {
    while (sim.state.time < sample["time"].get<double>() - dt / 2)
      if (!step(sim, report)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, (sim.state.qpos.head<3>() - read<Vec3>(sample["position"])).norm());
    const double dissipated = sample.value("dissipated", 0.0);
    lost = std::max(lost, std::abs(-sim.ledger.of(Account::viscous) - dissipated));
  }
  return worst;
}

TEST(CompliantMotion, ARockingEllipsoidFollowsTheReferenceWithSecondOrder) {
  for (const auto& c : testing::compliant_cases("rocking.json")) {
    SCOPED_TRACE(c["name"].get<std::string>());
    double lost_coarse = 0, lost = 0;
    const double coarse = distance_from(c, 4e-4, lost_coarse), fine = distance_from(c, 1e-4, lost);
    EXPECT_LT(fine, 1e-6);
    EXPECT_LT(lost, 1e-7);  // of 1e-3 J
    EXPECT_LE(lost, lost_coarse / 8);
    EXPECT_LT(fine, coarse / 12);  // second order: 16
  }
}

}  // namespace
}  // namespace tact
