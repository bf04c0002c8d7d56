// compliant_drop_test.cpp - a ball thrown onto a half-space, upright and aslant with spin,
// simulated and compared with reference motions.
#include <gtest/gtest.h>

#include "compliant_oracle.hpp"
#include "tact/sim/soft_scene.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

using nlohmann::json;
using testing::read;

double number(const json& c, const char* name) {
  return c.contains(name) ? c[name].get<double>() : 0.0;
}

SoftPair pair_of(const json& c) {
  const json& p = c["params"];
  SoftPair pair;
  if (c["law"] == "kv" || (p.contains("n") && p["n"] == 1.0)) {
    LinearNormal normal;
    normal.stiffness_N_per_m = number(p, c["law"] == "kv" ? "k" : "Kh");
    normal.damping_Ns_per_m = number(p, "b");
    normal.damping_s_per_m = number(p, "d");
    pair.normal = normal;
  } else {
    // K_h = (4/3) E* √r
    const double modulus = number(p, "Kh") / (4.0 / 3 * std::sqrt(c["radius"].get<double>()));
    pair.normal = HertzNormal{modulus, number(p, "d")};
  }
  pair.friction.coefficient = 0;
  if (p.contains("kt")) {
    SoftPad pad;
    pad.stiffness_N_per_m = number(p, "kt") * Mat2::Identity();
    pad.torsion_Nm_per_rad = number(p, "kth");
    pair.tangent = PadTangent{pad, std::nullopt};
    pair.friction.coefficient = std::numeric_limits<double>::infinity();
    pair.damping.tangential_s = number(p, "bt") / number(p, "kt");
  }
  pair.centre_share = 0;
  return pair;
}

Simulation thrown(const json& c, double dt) {
  const double mass = c["mass"], radius = c["radius"];
  Model m = testing::floor_scene(0.5);
  testing::add_free_body(m, Sphere{radius}, mass, Vec3::Constant(radius),
                         Pose{Mat3::Identity(), Vec3(0, 0, radius)}, 0.5);
  m.bodies[1].inertia_com_B = 0.4 * mass * radius * radius * Mat3::Identity();
  m.gravity = Vec3(0, 0, -c["gravity"].get<double>());
  const Model model = testing::finished(std::move(m));
  auto geoms = soft_geoms(model, 1, 0, pair_of(c));
  EXPECT_TRUE(geoms) << (geoms ? "" : geoms.error().message);
  SoftScene soft;
  soft.pairs.push_back(*std::move(geoms));
  State start = initial_state(model);
  start.qvel << c["sideways"][0], c["sideways"][1], -c["speed"].get<double>(), 0, 0, 0;
  start.qvel.tail<3>() = read<Vec3>(c["spin_B"]);
  return testing::soft_simulation(model, start, dt, soft);
}

struct Landing {
  double depth = 0, viscous = 0, left = 0, closure = 0;
  Vec6 velocity = Vec6::Zero();  ///< v in W, ω in the ball
};

Landing landing(const json& c, double dt) {
  Simulation sim = thrown(c, dt);
  const double radius = c["radius"];
  StepReport report;
  Landing out;
  do {
    if (!step(sim, report)) return {};
    out.depth = std::max(out.depth, radius - sim.state.qpos[2]);
  } while (sim.soft_memory.touches[0].state.touches && sim.state.time < 1);
  out.viscous = -sim.ledger.of(Account::viscous);
  out.left = -sim.ledger.of(Account::slip);
  out.closure = std::abs(sim.ledger.closure()) / sim.ledger.moved;
  // Back to the moment at which they part: then there is weight alone.
  out.velocity = sim.state.qvel;
  out.velocity[2] += c["gravity"].get<double>() * (sim.state.time - c["duration"].get<double>());
  return out;
}

TEST(CompliantMotion, AThrownBallLeavesAsTheReferenceSays) {
  for (const json& c : testing::compliant_cases("drops.json")) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const double duration = c["duration"], speed = c["speed"], mass = c["mass"];
    const Landing fine = landing(c, duration / 4000);
    Vec6 expected;
    expected << read<Vec3>(c["velocity"]), read<Vec3>(c["spin_after_B"]);
    const double energy = 0.5 * mass * speed * speed;
    EXPECT_NEAR(fine.velocity[2] / speed, c["restitution"].get<double>(), 1e-6);
    EXPECT_NEAR(fine.depth, c["depth"].get<double>(), 1e-6 * fine.depth);
    EXPECT_NEAR(fine.viscous, c["viscous"].get<double>(), 1e-6 * energy);
    EXPECT_NEAR(fine.left, c["left"].get<double>(), 1e-5 * energy);
    const double radius = c["radius"];
    const auto miss = [&](const Landing& l) {
      const Vec6 d = l.velocity - expected;
      return (d.head<3>().norm() + radius * d.tail<3>().norm()) / speed;
    };
    EXPECT_LT(miss(fine), 1e-6);
    if (c["params"].contains("kt")) {
      EXPECT_LT(miss(fine), miss(landing(c, duration / 1000)) / 12) << "second order: 16";
    }
    EXPECT_LT(fine.closure, 1e-12);
  }
}

}  // namespace
}  // namespace tact
