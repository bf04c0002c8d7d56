#include "tact/sim/free_flight.hpp"

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

Mat3 random_inertia(Rng& rng) {
  const Vec3 s = testing::random_vec3(rng).cwiseAbs2();
  const Mat3 I = Vec3(s[1] + s[2], s[2] + s[0], s[0] + s[1]).asDiagonal();
  const Mat3 R = exp_so3(testing::random_vec3(rng));
  const Mat3 turned = R * I * R.transpose();
  return 0.5 * (turned + turned.transpose());
}

/// cay(x) = (1 - x̂/2)⁻¹ (1 + x̂/2).
Mat3 cayley(const Vec3& x) {
  const Mat3 h = 0.5 * hat(x);
  return (Mat3::Identity() - h).inverse() * (Mat3::Identity() + h);
}

TEST(FreeFlight, EnergyAndMomentumAreKeptExactly) {
  Rng rng(3);
  for (int n = 0; n < 200; ++n) {
    const Mat3 I = random_inertia(rng);
    const Vec3 w = testing::random_vec3(rng, 10);
    const double dt = 0.01;
    const Vec3 after = turned_velocity(I, w, Vec3::Zero(), dt);
    const double energy = w.dot(I * w);
    EXPECT_NEAR(after.dot(I * after), energy, 1e-13 * energy);
    const Mat3 R = cayley(dt * 0.5 * (w + after));
    const double size = (I * w).norm();
    EXPECT_LT((R * (I * after) - I * w).norm(), 1e-13 * size);
  }
}

TEST(FreeFlight, TorqueTurnsABodyAboutItsAxis) {
  const Mat3 I = Vec3(1, 2, 3).asDiagonal();
  const Vec3 after = turned_velocity(I, Vec3(0, 0, 5), Vec3(0, 0, 6), 0.1);
  EXPECT_LT((after - Vec3(0, 0, 5.2)).norm(), 1e-14);
}

TEST(FreeFlight, SecondOrderAgainstEulersEquations) {
  const Mat3 I = Vec3(1, 2, 3.5).asDiagonal();
  const auto run = [&](double dt, int steps) {
    Vec3 w(1, 5, 0.3);
    for (int k = 0; k < steps; ++k) w = turned_velocity(I, w, Vec3(0.1, 0, 0.2), dt);
    return w;
  };
  const Vec3 fine = run(1e-4, 10000), middle = run(1e-2, 100), coarse = run(2e-2, 50);
  const double ratio = (coarse - fine).norm() / (middle - fine).norm();
  EXPECT_GT(ratio, 3.7);
  EXPECT_LT(ratio, 4.3);
}

}  // namespace
}  // namespace tact
