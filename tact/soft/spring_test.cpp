// soft/spring_test.cpp - energy, torque and work of a spring between two frames.
#include "tact/soft/spring.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

Vec3 random_vector(Rng& rng, double size) {
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}

Pose random_pose(Rng& rng) {
  return {exp_so3(random_vector(rng, 1)), random_vector(rng, 1)};
}

TEST(Spring, EnergyOfAStretchAndOfATurn) {
  const BodySpring spring{400, 0, 0.5, 0};
  const Pose A, B{exp_so3(Vec3(0, 0, 0.3)), Vec3(0.1, 0, 0)};
  EXPECT_NEAR(spring_energy(spring, A, B), 0.5 * 400 * 0.01 + 0.5 * (1 - std::cos(0.3)), 1e-15);
}

// Work and loss are what the energy lost, for any end and any twist.
TEST(Spring, TheBooksCloseInEveryStep) {
  Rng rng(5);
  for (int k = 0; k < 200; ++k) {
    const BodySpring spring{rng.uniform(0, 500), rng.uniform(0, 5), rng.uniform(0, 1),
                            rng.uniform(0, 0.1)};
    const Pose A0 = random_pose(rng), B0 = random_pose(rng), A1 = random_pose(rng),
               B1 = random_pose(rng);
    const Twist T{random_vector(rng, 1), random_vector(rng, 1)};
    const double V0 = spring_energy(spring, A0, B0);
    const SpringAnswer answer = try_spring_step(spring, V0, A0, B0, A1, B1, T, 0.01);
    EXPECT_NEAR(answer.impulse.dot(T.vec()) + answer.loss, V0 - answer.energy,
                1e-12 * (V0 + answer.energy));
    EXPECT_GE(answer.loss, 0);
  }
}

// For a step that becomes short the impulse is h times the force -∇V, by differences of V.
TEST(Spring, ForceAndTorqueAreTheGradient) {
  Rng rng(6);
  const BodySpring spring{400, 0, 0.5, 0};
  for (int k = 0; k < 50; ++k) {
    const Pose A = random_pose(rng), B = random_pose(rng);
    const double V = spring_energy(spring, A, B), step = 1e-6;
    const SpringAnswer still = try_spring_step(spring, V, A, B, A, B, Twist{}, 1);
    for (int i = 0; i < 6; ++i) {
      const auto at = [&](double s) {
        Pose X = A;
        const Vec3 along = s * Vec3::Unit(i % 3);
        if (i < 3)
          X.R = exp_so3(along) * A.R;
        else
          X.p += along;
        return spring_energy(spring, X, B);
      };
      EXPECT_NEAR(still.impulse[i], -(at(step) - at(-step)) / (2 * step), 1e-6);
    }
  }
}

}  // namespace
}  // namespace tact
