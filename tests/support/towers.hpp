// tests/support/towers.hpp - boxes on each other and on a plane, as models to simulate.
#pragma once

#include <gtest/gtest.h>

#include "tact/body/model.hpp"
#include "tact/sim/simulation.hpp"

namespace tact::testing {

/// `count` cubes of 0.2 m and 1 kg on the plane z = 0, the last `top` times as heavy; `gap` between
/// neighbours, `shift` from each to the next along x.
inline Model tower(int count, double top = 1, double gap = 0, double shift = 0) {
  constexpr double half = 0.1;
  Model m;
  m.timestep = 1e-3;
  m.bodies.resize(1);
  Geom floor;
  floor.shape = HalfSpace{};
  m.geoms.push_back(floor);
  for (int i = 0; i < count; ++i) {
    Body body;
    body.X_PB.p = Vec3(shift * i, 0, half + gap + i * (2 * half + gap));
    body.mass = i + 1 == count ? top : 1;
    body.inertia_com_B = body.mass * 2 * half * half / 3 * Mat3::Identity();
    m.bodies.push_back(body);
    const auto own = static_cast<Index>(m.bodies.size()) - 1;
    Joint free;
    free.type = JointType::free;
    free.body = own;
    m.joints.push_back(free);
    Geom geom;
    geom.body = own;
    geom.shape = Box{Vec3::Constant(half)};
    m.geoms.push_back(geom);
  }
  auto made = make_model(std::move(m));
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

inline Simulation simulation_of(const Model& model, const SimOptions& options = {}) {
  auto made = make_simulation(model, initial_state(model), options);
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

}  // namespace tact::testing
