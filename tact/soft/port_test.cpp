// soft/port_test.cpp - a contact inside somebody else's integrator.
#include "tact/soft/port.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

SoftPair rubber() {
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 0.3};
  pair.friction.coefficient = 0.4;
  return pair;
}

// A leapfrog that knows nothing of energy throws a spinning ball onto a plate.
TEST(SoftPort, WhatIsSuppliedIsStoredOrDissipated) {
  constexpr double mass = 0.1, radius = 0.02, dt = 2e-5;
  const double inertia = 0.4 * mass * radius * radius;
  Pose ball{Mat3::Identity(), Vec3(0, 0, radius + 1e-4)};
  const Pose plate;
  const auto made = soft_port(Surface{SphereSurface{radius}, false}, Surface{PlaneSurface{}, false},
                              rubber(), ball, plate);
  ASSERT_TRUE(made) << made.error().message;
  SoftPort port = *made;
  Vec3 v(0.5, -0.3, -1), w(10, -20, 15);
  double most = 0;
  for (int k = 0; k < 1500; ++k) {
    const Twist T{w, v - w.cross(ball.p)};  // at the origin of W
    const PortStep step = advance(port, ball, T, plate, Twist{}, dt);
    ASSERT_EQ(step.status, TrackStatus::tracked);
    most = std::max(most, stored_energy(port));
    EXPECT_NEAR(port.supplied, stored_energy(port) + port.dissipated, 1e-12 * most + 1e-18);
    ball = integrate_spatial(ball, T, dt);
    const Wrench about_centre = shift(step.on_body1, ball.p);
    v += dt / mass * step.on_body1.f;
    w += dt / inertia * about_centre.m;
  }
  EXPECT_GT(most, 1e-3);
  EXPECT_GT(v[2], 0.5);
  EXPECT_EQ(stored_energy(port), 0);
  EXPECT_GT(port.dissipated, 1e-3);
}

// Both bodies carried about together: the wrench goes with them.
TEST(SoftPort, FramesDoNotMatter) {
  Rng rng(2);
  const auto vector = [&](double size) {
    return Vec3(rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size));
  };
  const Surface egg{EllipsoidSurface{Vec3(0.05, 0.04, 0.03)}, false};
  for (int c = 0; c < 20; ++c) {
    const Pose X1{exp_so3(vector(1)), Vec3(0, 0, 0.06)}, X2{exp_so3(vector(1)), Vec3::Zero()};
    const Pose other{exp_so3(vector(2)), vector(1)};
    const Twist T1{vector(1), vector(0.1) - Vec3(0, 0, 3)}, T2{vector(1), vector(0.1)};
    auto here = soft_port(egg, egg, rubber(), X1, X2);
    auto there = soft_port(egg, egg, rubber(), other * X1, other * X2);
    ASSERT_TRUE(here && there);
    SoftPort a = *std::move(here), b = *std::move(there);
    const PortStep one = advance(a, X1, T1, X2, T2, 5e-3);
    const PortStep two =
        advance(b, other * X1, transform(other, T1), other * X2, transform(other, T2), 5e-3);
    ASSERT_EQ(one.status, two.status);
    if (one.status != TrackStatus::tracked) continue;
    const Wrench carried = transform(other, one.on_body1);
    EXPECT_LE((carried.vec() - two.on_body1.vec()).norm(), 1e-9 * (1 + carried.vec().norm()));
  }
}

TEST(SoftPort, BadPartsAreRefused) {
  const Surface ball{SphereSurface{0.1}, false};
  const Pose up{Mat3::Identity(), Vec3(0, 0, 0.3)};
  SoftPair bad = rubber();
  bad.normal = HertzNormal{-1, 0};
  EXPECT_FALSE(soft_port(ball, ball, bad, up, Pose{}));
  EXPECT_FALSE(soft_port(Surface{SphereSurface{-1}, false}, ball, rubber(), up, Pose{}));
  EXPECT_FALSE(soft_port(Surface{PlaneSurface{}, false}, Surface{PlaneSurface{}, false}, rubber(),
                         up, Pose{}));
}

}  // namespace
}  // namespace tact
