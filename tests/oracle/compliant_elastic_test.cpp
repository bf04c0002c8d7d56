// The elastic law against facts computed elsewhere: K, P, forces, energies and damping of random
// pairs of pads; Hertz by potential integrals; restitution by tight integration.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "compliant_oracle.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/soft/hertz.hpp"
#include "tact/soft/motion_split.hpp"
#include "tact/soft/normal_law.hpp"
#include "tact/soft/soft_pair.hpp"
#include "tact/soft/stiffness.hpp"
#include "tests/support/restitution.hpp"

namespace tact {
namespace {

using nlohmann::json;
using testing::compliant_cases;
using testing::read;

constexpr double elastic_bar = 1e-10;
constexpr double hertz_bar = 1e-8;

template <class A, class B>
void expect_near(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b, double bar,
                 const char* what) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), bar * b.cwiseAbs().maxCoeff()) << what << "\n"
                                                                          << a << "\nexpected\n"
                                                                          << b;
}

MotionSplit split_of(const json& c) {
  PairGeometry g;
  g.p1 = read<Vec3>(c["p1"]);
  g.n = read<Vec3>(c["n"]);
  g.E = read<Mat32>(c["E"]);
  g.gap = c["Delta"];
  return motion_split(g, centre_share(read<Mat4>(c["K1"]), read<Mat4>(c["K2"])));
}

TEST(CompliantOracle, CentreAndProjection) {
  for (const json& c : compliant_cases("elastic.json")) {
    SCOPED_TRACE(c["name"].get<std::string>());
    EXPECT_NEAR(centre_share(read<Mat4>(c["K1"]), read<Mat4>(c["K2"])), c["alpha"].get<double>(),
                elastic_bar);
    const MotionSplit split = split_of(c);
    expect_near(split.c, read<Vec3>(c["c"]), elastic_bar, "c");
    expect_near(projection(split), read<Mat46>(c["P"]), elastic_bar, "P");
    const Vec4 xi = strain_rate(split, Twist::from(read<Vec6>(c["twist"])));
    expect_near(xi, read<Vec4>(c["xi"]), elastic_bar, "strain rate");
  }
}

TEST(CompliantOracle, SeriesForcesAndEnergy) {
  for (const json& c : compliant_cases("elastic.json")) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const Mat4 K = series(read<Mat4>(c["K1"]), read<Mat4>(c["K2"]));
    expect_near(K, read<Mat4>(c["K"]), elastic_bar, "K");
    const Vec4 x = read<Vec4>(c["disp_x_y_Delta_theta"]), w = K * x;
    expect_near(w, read<Vec4>(c["w_quadratic"]), elastic_bar, "force");
    const double energy = c["energy_quadratic"];
    EXPECT_NEAR(x.dot(w) / 2, energy, elastic_bar * energy);
    const Vec6 on_spring = spring_wrench(split_of(c), w).vec();
    expect_near(on_spring, read<Vec6>(c["wrench_on_spring_by_body2_tau_f_in_Psi1_at_origin"]),
                elastic_bar, "wrench");
    expect_near(-on_spring, read<Vec6>(c["wrench_on_body2"]), elastic_bar, "on body 2");
    expect_near(on_spring, read<Vec6>(c["wrench_on_body1"]), elastic_bar, "on body 1");
  }
}

TEST(CompliantOracle, SeriesOfDampers) {
  for (const json& c : compliant_cases("elastic.json")) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const Mat4 B1 = read<Mat4>(c["B1"]), B2 = read<Mat4>(c["B2"]);
    const Mat4 B = series_damping(read<Mat4>(c["K1"]), B1, read<Mat4>(c["K2"]), B2);
    expect_near(B, read<Mat4>(c["B_quasistatic"]), elastic_bar, "B");
    expect_near(series(B1, B2), read<Mat4>(c["B_series_eq38"]), elastic_bar, "printed (38)");
    const Vec4 xi = read<Vec4>(c["xi"]);
    expect_near(B * xi, read<Vec4>(c["damp_w"]), elastic_bar, "damping force");
    const double loss = c["damp_power"];
    EXPECT_NEAR(xi.dot(B * xi), loss, elastic_bar * loss);
  }
}

TEST(CompliantOracle, CoordinatesOfTheMetric) {
  int seen = 0;
  for (const json& c : compliant_cases("elastic.json")) {
    if (!c.contains("N")) continue;  // coupled tensors have none
    SCOPED_TRACE(c["name"].get<std::string>());
    ++seen;
    const Mat4 K = series(read<Mat4>(c["K1"]), read<Mat4>(c["K2"]));
    StiffnessMetric metric = stiffness_metric(K, read<Mat2>(c["A_rel"]));
    expect_near(metric.curvatures, read<Vec2>(c["gen_curvatures_lambda"]), elastic_bar, "Λ");
    // An axis has no sign: the facts' choice is taken.
    const Mat4 N = read<Mat4>(c["N"]);
    for (Index i = 0; i < 2; ++i)
      if (metric.N.row(i).dot(N.row(i)) < 0) metric.N.row(i) *= -1;
    expect_near(metric.N, N, elastic_bar, "N");
    const Vec4 s = metric.N * read<Vec4>(c["disp_x_y_Delta_theta"]);
    expect_near(s, read<Vec4>(c["s"]), elastic_bar, "s");
    const Mat4 B = read<Mat4>(c["B_quasistatic"]);
    expect_near(state_damping(B, metric.N, s, 1), read<Mat4>(c["B_HC_psd_n1"]), elastic_bar, "B_H");
    // The printed form of (40), to see that it is the one the facts call indefinite.
    const Mat4 printed = B * metric.N.inverse() * s.asDiagonal() * metric.N;
    const Eigen::SelfAdjointEigenSolver<Mat4> eigen((printed + printed.transpose()) / 2);
    expect_near(eigen.eigenvalues(), read<Vec4>(c["eq40_printed_symmetric_part_eigs"]), elastic_bar,
                "printed (40)");
    EXPECT_LT(eigen.eigenvalues()[0], 0);
  }
  EXPECT_GE(seen, 9);
}

TEST(CompliantOracle, HertzOfEllipticPatches) {
  for (const json& c : compliant_cases("hertz.json")) {
    SCOPED_TRACE(c["kappa"].dump());
    const Vec2 kappa = read<Vec2>(c["kappa"]);
    const HertzContact h = hertz_contact(c["Estar"], c["delta"], kappa.asDiagonal());
    const auto near = [&](double value, const char* key) {
      const double expected = c[key];
      EXPECT_NEAR(value, expected, hertz_bar * expected) << key;
    };
    near(h.K_h, "Kh");
    near(h.force, "F");
    near(h.patch.a, "a");
    near(h.patch.b, "b");
    near(h.peak_pressure, "p0");
    near(h.energy, "energy");
    near(h.patch.b / h.patch.a, "hertz_axis_ratio_b_over_a");
    const PatchEllipse quadric = quadric_patch(relative_curvature(kappa.asDiagonal()), 1);
    near(quadric.b / quadric.a, "dupin_axis_ratio");

    SoftPair pair;
    pair.normal = HertzNormal{c["Estar"], 0, false};
    SoftPlace place;
    place.gap = -c["delta"].get<double>();
    place.A_rel = kappa.asDiagonal();
    near(respond(pair, place).r_tau, "torsion_limit_over_muF");
  }
}

TEST(CompliantOracle, RestitutionInClosedForm) {
  for (const json& c : compliant_cases("restitution.json")) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const json& p = c["params"];
    const double m = c["m"], v0 = c["v0"];
    constexpr double bar = 1e-8;  // the facts were integrated to 1e-9
    if (c["law"] == "kv") {
      const testing::Bounce b = testing::kelvin_voigt_bounce(m, p["k"], p["b"], v0);
      EXPECT_NEAR(b.restitution, c["restitution"].get<double>(), bar);
      EXPECT_NEAR(b.depth, c["max_penetration"].get<double>(), bar * b.depth);
      EXPECT_NEAR(b.time, c["t_force_zero"].get<double>(), bar * b.time);
      EXPECT_NEAR(b.time_of_depth, c["t_max_pen"].get<double>(), bar * b.time);
    } else if (c["law"] == "hertz") {
      const testing::Bounce b = testing::hertz_bounce(m, p["Kh"], v0);
      EXPECT_NEAR(b.depth, c["max_penetration"].get<double>(), bar * b.depth);
      EXPECT_NEAR(b.time, c["t_geometric_separation"].get<double>(), bar * b.time);
    } else {
      EXPECT_NEAR(testing::hunt_crossley_restitution(p["d"], v0), c["restitution"].get<double>(),
                  bar);
    }
  }
}

// Press at the sharp pole of an ellipsoid on a plane, roll to the flat one, release: with the force
// alone, without the rolling wrench, the contact gives what the stiffness grew by. The derivative
// by curvature, led along the way, is that much.
TEST(CompliantOracle, RollingChangesTheEnergyByWhatTheCurvatureSays) {
  const json c = testing::named_case(compliant_cases("cycles.json"), "cycle_naive_-");
  const Vec3 axes = read<Vec3>(c["semi_axes"]);
  const double depth = c["penetration"], given = c["net_work_into_contact"];
  const NormalLaw law = HertzNormal{c["Estar"], 0, true};
  // In the plane of the longest and the shortest axis: κ along the meridian and across it.
  const auto curvature = [&](double t) {
    const double a = axes[0], b = axes[1], s = axes[2];
    const double x = a * std::cos(t), z = s * std::sin(t);
    const double h = 1 / std::hypot(x / (a * a), z / (s * s));
    return Mat2(Vec2(std::pow(h, 3) / (a * a * s * s), h / (b * b)).asDiagonal());
  };
  const auto state = [&](double t) {
    return normal_state(law, PatchModel::none, -depth, curvature(t));
  };
  const double difference = state(0).energy - state(std::numbers::pi / 2).energy;
  EXPECT_NEAR(difference, given, 1e-8 * std::abs(given));
  constexpr int steps = 20000;
  double rolled = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = i * std::numbers::pi / 2 / steps, dt = std::numbers::pi / 2 / steps;
    rolled += state(t + dt / 2).dU_dA.cwiseProduct(curvature(t + dt) - curvature(t)).sum();
  }
  EXPECT_NEAR(rolled, -difference, 1e-8 * std::abs(difference));
}

}  // namespace
}  // namespace tact
