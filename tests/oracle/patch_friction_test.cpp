// Patch friction against facts computed elsewhere: 40-digit node sums, elliptic integrals, tight
// integration of a disc that slides and spins to rest.
#include "tact/cone/patch_friction.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/base/rng.hpp"
#include "tact/cone/uniform_pressure.hpp"

namespace tact {
namespace {

const nlohmann::json& facts() {
  static const nlohmann::json data = [] {
    nlohmann::json j;
    std::ifstream(TACT_TEST_DATA "/patch_friction.json") >> j;
    return j;
  }();
  return data;
}

Vec2 vec2(const nlohmann::json& j) {
  return {j[0].get<double>(), j[1].get<double>()};
}
Vec3 vec3(const nlohmann::json& j) {
  return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()};
}
NodePattern pattern_of(const std::string& text) {
  for (const NodePattern p :
       {NodePattern::one_six, NodePattern::four_eight, NodePattern::four_eight_twelve})
    if (name(p) == text) return p;
  throw std::invalid_argument(text);
}
constexpr std::array all_patterns{NodePattern::one_six, NodePattern::four_eight,
                                  NodePattern::four_eight_twelve};

PlanarSet hull_of(const nlohmann::json& set) {
  if (set.contains("V") && !set["V"].is_null()) {
    std::vector<Vec2> points;
    for (const auto& p : set["V"]) points.push_back(vec2(p));
    return PlanarSet::hull_of_points(points);
  }
  return PlanarSet::ellipse(disc_form(vec2(set["c0"]), set["R"].get<double>()));
}

TEST(PatchFrictionOracle, UnitNodesOfEveryPattern) {
  for (const auto& [text, expected] : facts()["patterns"].items()) {
    const auto nodes = unit_nodes(pattern_of(text));
    ASSERT_EQ(nodes.size(), expected["w"].size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      EXPECT_LE((nodes[i].xi - vec2(expected["xi"][i])).norm(), 1e-14);
      EXPECT_NEAR(nodes[i].weight, expected["w"][i].get<double>(), 1e-15);
      EXPECT_NEAR(nodes[i].rho, expected["r"][i].get<double>(), 1e-14);
    }
  }
}

TEST(PatchFrictionOracle, SecondMomentSupportAndForceOfSixtySets) {
  for (const auto& set : facts()["sets"]) {
    const PlanarSet hull = hull_of(set);
    const Vec2 c = vec2(set["c"]);
    const Mat2 sigma = effective_moment(hull, c).sigma;
    Mat2 expected;
    expected.row(0) = vec2(set["Sigma_c"][0]);
    expected.row(1) = vec2(set["Sigma_c"][1]);
    const double size2 = hull.radius() * hull.radius();
    EXPECT_LE((sigma - expected).norm(), 1e-12 * size2) << set;

    // On a segment or an edge the facts take the root of a determinant that is zero up to rounding;
    // the nodes are off its line by up to 1e-9. Ours are on it.
    const bool flat = cross(sigma.col(0), sigma.col(1)) <= 1e-12 * sigma.trace() * sigma.trace();
    const double accuracy = flat ? 1e-9 : 1e-12;
    const EffectivePatch model{pattern_of(set["pattern"].get<std::string>())};
    const FrictionSet f = make_friction_set(model, hull, NormalLoad::at(c, 1), set["mu_f"]);
    const Vec3 tau = vec3(set["tau"]), T = vec3(set["T"]);
    EXPECT_NEAR(f.support(tau), set["sigma"].get<double>(), accuracy * set["sigma"].get<double>());
    EXPECT_LE((f.force(tau) - T).norm(), accuracy * (1 + hull.radius()) * T.norm()) << set;
  }
}

TEST(PatchFrictionOracle, ProjectionInAMetricOfFortySets) {
  FrictionWorkspace work;
  for (const auto& fact : facts()["prox"]) {
    Mat3 G;
    for (Index i = 0; i < 3; ++i)
      G.row(i) = vec3(fact["G"][static_cast<std::size_t>(i)]).transpose();
    std::vector<FrictionNode> nodes;
    for (const auto& n : fact["nodes"]) nodes.push_back({vec2(n[0]), n[1], n[2]});
    const FrictionSolution s = solve_friction(nodes, G, vec3(fact["b"]), work);
    const Vec3 T = vec3(fact["T"]), tau = vec3(fact["tau"]);
    EXPECT_EQ(s.status, FrictionStatus::converged);
    EXPECT_EQ(s.mode == FrictionMode::stick, fact["mode"] == "stick");
    EXPECT_LE((s.T - T).norm(), 1e-11 * T.norm());
    EXPECT_LE((s.tau - tau).norm(), 1e-11 * vec3(fact["b"]).norm());
  }
}

TEST(PatchFrictionOracle, DiscUnderEvenPressure) {
  for (const auto& row : facts()["disc_FT"]) {
    const Vec2 ft = disc_force_and_torque(row[0]);
    EXPECT_NEAR(ft[0], row[1].get<double>(), 1e-10);
    EXPECT_NEAR(ft[1], row[2].get<double>(), 1e-10);
  }
}

// ------------------------------------------------------------- a disc that slides and spins to
// rest

struct Stop {
  double time = 0;
  double distance = 0;
};

/// m dv/dt = f, ½ m R² dω/dt = torque, with R = m = mu g = 1, sliding along `direction`.
/// Runge-Kutta 4 with steps in proportion to the motion left; speed falls by at least 2/3 of dt, so
/// the rest below the last step adds less than 1e-6.
template <class Force>
Stop run_to_rest(double v0, double w0, const Vec2& direction, Force&& force) {
  Vec3 u(v0 * direction[0], v0 * direction[1], w0);
  Stop out;
  const auto rate = [&](const Vec3& at) {
    const Vec3 T = force(at);
    return Vec3(T[0], T[1], 2 * T[2]);
  };
  while (u.head<2>().norm() + std::abs(u[2]) > 1e-7) {
    const double dt = 0.02 * (u.head<2>().norm() + std::abs(u[2]) / 2);
    const Vec3 k1 = rate(u), k2 = rate(u + dt / 2 * k1), k3 = rate(u + dt / 2 * k2);
    const Vec3 k4 = rate(u + dt * k3);
    const Vec3 next = u + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    out.distance += dt / 2 * (u.head<2>().norm() + next.head<2>().norm());
    out.time += dt;
    u = next;
  }
  return out;
}

TEST(PatchFrictionOracle, SlidingAndSpinningDiscStopsWhereItShould) {
  const PlanarSet disc = PlanarSet::ellipse(disc_form(Vec2::Zero(), 1));
  const UniformPressure exact = uniform_pressure(disc, NormalLoad::at(Vec2::Zero(), 1), 1);
  for (const auto& fact : facts()["disc_stop"]) {
    const double v0 = fact["v0"], w0 = fact["w0"];
    const double time = fact["t_stop"], distance = fact["distance"];
    const Stop reference =
        run_to_rest(v0, w0, Vec2::UnitX(), [&](const Vec3& u) { return friction_force(exact, u); });
    EXPECT_NEAR(reference.time / time, 1, 1e-4);
    EXPECT_NEAR(reference.distance / distance, 1, 1e-3);
    for (const NodePattern pattern : all_patterns) {
      const FrictionSet set =
          make_friction_set(EffectivePatch{pattern}, disc, NormalLoad::at(Vec2::Zero(), 1), 1);
      const Stop stop =
          run_to_rest(v0, w0, Vec2::UnitX(), [&](const Vec3& u) { return set.force(u); });
      const double time_error = stop.time / time - 1, distance_error = stop.distance / distance - 1;
      const std::string which =
          std::string(name(pattern)) + "_v" + fact["v0"].dump() + "_w" + fact["w0"].dump();
      RecordProperty("time_error_" + which, std::to_string(time_error));
      RecordProperty("distance_error_" + which, std::to_string(distance_error));
      EXPECT_LE(std::abs(time_error), 0.01) << which;
      if (v0 / w0 >= 0.3) {
        EXPECT_LE(std::abs(distance_error), 0.01) << which;
      } else if (pattern == NodePattern::four_eight_twelve) {
        EXPECT_LE(std::abs(distance_error), 0.02) << which;
      } else {
        EXPECT_LE(std::abs(distance_error), 0.10) << which;  // the coarse patterns: -8.6 %, +2.3 %
      }
    }
  }
}

TEST(PatchFrictionOracle, SpinTorqueOfADiscIsTwoThirds) {
  const double R = 0.7, mu = 0.4, f = 30;
  const PlanarSet disc = PlanarSet::ellipse(disc_form(Vec2(1, 2), R));
  const NormalLoad load = NormalLoad::at(Vec2(1, 2), f);
  const Vec3 spin(2, -1, 1);  // about (1, 2)
  const double expected = 2.0 / 3 * mu * f * R;
  for (const NodePattern pattern : all_patterns)
    EXPECT_NEAR(make_friction_set(EffectivePatch{pattern}, disc, load, mu).support(spin), expected,
                1e-12 * expected);
  EXPECT_NEAR(make_friction_set(EllipsoidAtCop{}, disc, load, mu).support(spin), expected,
              1e-12 * expected);
  // All pressures at once: the rim carries everything. The ring of 64 points loses nothing in spin.
  EXPECT_NEAR(make_friction_set(VertexModel{}, disc, load, mu).support(spin), 1.5 * expected,
              1e-12 * expected);
}

/// The largest error of force and torque/size over mu f, over all directions of motion.
double worst_error(const FrictionSet& set, const UniformPressure& exact, double size,
                   double* dissipation) {
  Rng rng(9);
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 tau(rng.normal(), rng.normal(), rng.log_uniform(0.01, 100) / size);
    Vec3 e = (set.force(tau) - friction_force(exact, tau)) / exact.bound;
    e[2] /= size;
    worst = std::max(worst, e.norm());
    const double sigma = friction_support(exact, tau);
    *dissipation = std::max(*dissipation, std::abs(set.support(tau) - sigma) / sigma);
  }
  return worst;
}

TEST(PatchFrictionOracle, SlidingAndTurningBoxIsWithinSixPercent) {
  for (const double aspect : {1.0, 2.0}) {
    const PlanarSet box = PlanarSet::hull_of_points(
        std::vector<Vec2>{{-aspect, -1}, {aspect, -1}, {aspect, 1}, {-aspect, 1}});
    const NormalLoad load = NormalLoad::at(Vec2::Zero(), 2);
    const UniformPressure exact = uniform_pressure(box, load, 0.5);
    const double size = std::sqrt(exact.sigma.trace());
    for (const NodePattern pattern : all_patterns) {
      double dissipation = 0;
      const double worst = worst_error(make_friction_set(EffectivePatch{pattern}, box, load, 0.5),
                                       exact, size, &dissipation);
      const std::string which = std::string(name(pattern)) + "_" + std::to_string(aspect);
      RecordProperty("wrench_error_" + which, std::to_string(worst));
      RecordProperty("dissipation_error_" + which, std::to_string(dissipation));
      EXPECT_LE(worst, 0.06) << which;
      EXPECT_LE(dissipation, 0.025) << which;
    }
  }
}

}  // namespace
}  // namespace tact
