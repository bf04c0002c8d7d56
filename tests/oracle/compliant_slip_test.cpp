// Slip against facts computed elsewhere: return maps, a path of stick and slip by an event-driven
// integrator, sub-threshold vibration, steady sliding with drilling.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "compliant_oracle.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/soft/slip.hpp"
#include "tact/soft/stiffness.hpp"

namespace tact {
namespace {

using nlohmann::json;
using testing::compliant_cases;
using testing::named_case;
using testing::read;

constexpr double slip_bar = 1e-10;

/// Roots of the stiffness and the metric of friction.
struct Tangents {
  Mat3 N = Mat3::Zero(), Q = Mat3::Zero();
};

Tangents tangents(const Mat2& K_t, double k_theta, const Mat2& M, double mu_torsion, double arm) {
  Tangents out;
  const Mat2 root = symmetric_root(K_t);
  out.N.topLeftCorner<2, 2>() = root;
  out.N(2, 2) = std::sqrt(k_theta);
  out.Q.topLeftCorner<2, 2>() = root * M.inverse() * root;
  out.Q(2, 2) = k_theta / std::pow(mu_torsion * arm, 2);
  return out;
}

Tangents isotropic(const json& c) {
  const double mu = c["mu"];
  return tangents(read<Mat2>(c["Kt"]), c["kth"], mu * mu * Mat2::Identity(), mu, c["r_tau"]);
}

TEST(CompliantOracle, ReturnMaps) {
  int seen = 0;
  for (const json& c : compliant_cases("slip.json")) {
    if (!c.contains("s_trial")) continue;
    SCOPED_TRACE(c["name"].get<std::string>());
    ++seen;
    const Tangents t = tangents(read<Mat2>(c["Kt"]), c["kth"], read<Mat2>(c["friction_tensor"]),
                                c["mu_torsion"], c["r_tau"]);
    const Vec3 trial = read<Vec3>(c["s_trial"]), expected = read<Vec3>(c["s"]);
    const ReturnMap map = return_map(t.Q, c["fN"], trial);
    EXPECT_EQ(map.slips, !c["sticking"].get<bool>());
    EXPECT_LE((map.s - expected).norm(), slip_bar * expected.norm());
    EXPECT_NEAR(map.lambda, c["lam"].get<double>(), slip_bar * map.lambda);
    const Vec3 force = t.N * map.s, given = read<Vec3>(c["force_fx_fy_tau"]);
    EXPECT_LE((force - given).head<2>().norm(), slip_bar * given.norm());
    EXPECT_NEAR(force[2], given[2], slip_bar * std::abs(given[2]));
    // One implicit step from rest ends there and loses σ·(s_tr - σ) beside ½|σ|².
    const SlipStep step = slip_step(t.Q, c["fN"], Vec3::Zero(), trial, 1);
    const double slid = step.loss - step.s1.squaredNorm() / 2;
    const double loss = c["dissipation_increment"];
    EXPECT_NEAR(slid, loss, slip_bar * std::max(loss, trial.squaredNorm()));
  }
  EXPECT_GE(seen, 12);
}

struct PathEnd {
  Vec3 s = Vec3::Zero();
  double loss = 0, work = 0;
};

/// The path of the facts in n implicit steps.
PathEnd along_path(const json& c, int n) {
  const Tangents t = isotropic(c);
  const double h = c["T"].get<double>() / n;
  PathEnd out;
  for (int i = 0; i < n; ++i) {
    const double mid = (i + 0.5) * h, end = (i + 1) * h;
    const Vec3 velocity = 0.5 * Vec3(0.008 * std::cos(2 * mid), 0.009 * std::cos(3 * mid + 0.4),
                                     0.85 * std::cos(1.7 * mid));
    const double f_n = 3 + 1.5 * std::sin(1.3 * end);
    const SlipStep step = slip_step(t.Q, f_n, out.s, h * (t.N * velocity), 1);
    EXPECT_GE(step.loss, 0);
    out.work += step.force_state.dot(h * (t.N * velocity));
    out.loss += step.loss;
    out.s = step.s1;
  }
  return out;
}

TEST(CompliantOracle, PathOfStickAndSlipIsReachedInTheFirstOrder) {
  const json c = named_case(compliant_cases("slip.json"), "slip_path_general");
  const Vec3 s_end = read<Vec3>(c["s_end"]);
  const double loss = c["dissipated"], work = c["work_in"];
  const PathEnd coarse = along_path(c, 10000), fine = along_path(c, 20000);
  EXPECT_NEAR((coarse.s - s_end).norm() / (fine.s - s_end).norm(), 2, 0.1);
  EXPECT_NEAR(fine.work, fine.loss + fine.s.squaredNorm() / 2, 1e-13);
  // Extrapolated, the first order is gone.
  EXPECT_LE((2 * fine.s - coarse.s - s_end).norm(), 1e-6 * s_end.norm());
  EXPECT_NEAR(2 * fine.loss - coarse.loss, loss, 1e-6 * loss);
  EXPECT_NEAR(2 * fine.work - coarse.work, work, 1e-6 * work);
}

TEST(CompliantOracle, SteadySlidingWithDrillingIsNormalToTheEllipsoid) {
  const json c = named_case(compliant_cases("slip.json"), "steady_sliding_spin_ellipse");
  const Tangents t = isotropic(c);
  const Vec3 velocity = read<Vec3>(c["v_slip"]);
  Vec3 s = Vec3::Zero();
  for (int i = 0; i < 20000; ++i) s = slip_step(t.Q, c["fN"], s, 1e-4 * (t.N * velocity), 1).s1;
  const Vec3 force = t.N * s, expected = read<Vec3>(c["expected_force"]);
  EXPECT_LE((force - expected).head<2>().norm(), slip_bar * expected.norm());
  EXPECT_NEAR(force[2], expected[2], slip_bar * expected[2]);
}

TEST(CompliantOracle, VibrationBelowTheThresholdDriftsNowhere) {
  const json c = named_case(compliant_cases("slip.json"), "no_drift_subthreshold");
  const double m = c["m"], k = c["kt"], mu = c["mu"], f_n = c["fN"];
  const Mat3 Q = Vec3(k / (mu * mu), k / (mu * mu), 0).asDiagonal();
  // Implicit midpoint of m ẍ = F(t) - √k σ, with steps that divide the period of the load, from the
  // forced vibration x = 1/k + A sin ωt of that rule, v = A (2/h) tan(ωh/2) cos ωt.
  constexpr int per_period = 400;
  const double omega = 20, h = 2 * std::numbers::pi / omega / per_period, half = omega * h / 2;
  const double rate = 2 / h * std::tan(half);
  const double amplitude = 0.6 / (k * std::cos(half) - m * 2 / h * rate * std::sin(half));
  double x = 1.0 / k, v = amplitude * rate;
  Vec3 s(std::sqrt(k) * x, 0, 0);
  double reference = 0;
  for (int i = 0; i < 191 * per_period; ++i) {  // 60 s
    if (i == 48 * per_period) reference = x;    // 15 s
    const double load = 1.0 + 0.6 * std::sin(omega * (i + 0.5) * h);
    // While it sticks σ = s + ½ h √k v_m, which is linear: solved once, then checked.
    const double middle =
        (v + h / (2 * m) * (load - std::sqrt(k) * s[0])) / (1 + h * h * k / (4 * m));
    const SlipStep step = slip_step(Q, f_n, s, Vec3(h * std::sqrt(k) * middle, 0, 0), 0.5);
    ASSERT_FALSE(step.slips);
    ASSERT_EQ(step.loss, 0);
    s = step.s1;
    x += h * middle;
    v = 2 * middle - v;
  }
  EXPECT_LE(std::abs(x - reference), 1e-12) << "the facts ask for 1e-9 m; others drift 94 mm";
  EXPECT_LE(std::abs(x - s[0] / std::sqrt(k)), 1e-12) << "the state is where the mass is";
}

}  // namespace
}  // namespace tact
