// tests/support/hand_scenes.hpp - scenes for the simulator, written by hand.
#pragma once

#include <utility>

#include <gtest/gtest.h>

#include "tact/sim/simulation.hpp"

namespace tact::testing {

/// A world with a floor z = 0 of that friction.
inline Model floor_scene(double mu) {
  Model m;
  m.bodies.resize(1);
  Geom floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  floor.friction[0] = mu;
  m.geoms.push_back(floor);
  return m;
}

/// Adds a free body; its inertia is that of a box of the half sizes.
inline Index add_free_body(Model& m, const Shape& shape, double mass, const Vec3& half,
                           const Pose& X_WB, double mu) {
  Body b;
  b.name = 'b';
  b.name += std::to_string(m.bodies.size());
  b.mass = mass;
  b.X_PB = X_WB;
  const Vec3 s = half.cwiseAbs2();
  b.inertia_com_B = (mass / 3 * Vec3(s[1] + s[2], s[2] + s[0], s[0] + s[1])).asDiagonal();
  const auto index = static_cast<Index>(m.bodies.size());
  m.bodies.push_back(b);
  Joint j;
  j.type = JointType::free;
  j.body = index;
  m.joints.push_back(j);
  Geom g;
  g.name = b.name;
  g.body = index;
  g.shape = shape;
  g.friction[0] = mu;
  m.geoms.push_back(g);
  return index;
}

inline Index add_box(Model& m, double mass, const Vec3& half, const Pose& X_WB, double mu) {
  return add_free_body(m, Box{half}, mass, half, X_WB, mu);
}

[[nodiscard]] inline Model finished(Model draft) {
  auto made = make_model(std::move(draft));
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return *std::move(made);
}

/// Ready, or the test fails.
[[nodiscard]] inline Simulation simulation_of(const Model& model, const State& start,
                                              const SimOptions& options,
                                              const Prescribed& prescribed = {},
                                              const SurfaceChoices& choices = {}) {
  auto made = make_simulation(model, start, options, prescribed, choices);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return *std::move(made);
}

/// The same with a compliant part, at this step [s].
[[nodiscard]] inline Simulation soft_simulation(const Model& model, const State& start, double dt,
                                                const SoftScene& soft) {
  SimOptions options;
  options.dt = dt;
  auto made = make_simulation(model, start, options, {}, {}, soft);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return *std::move(made);
}

/// n boxes of 20 cm on a floor, each touching the one below; the last of another mass.
[[nodiscard]] inline Model tower_scene(int n, double top_mass, double mu = 0.5) {
  Model m = floor_scene(mu);
  for (int i = 0; i < n; ++i)
    add_box(m, i + 1 == n ? top_mass : 1, Vec3(0.1, 0.1, 0.1),
            Pose{Mat3::Identity(), Vec3(0, 0, 0.1 + 0.2 * i)}, mu);
  return finished(std::move(m));
}

}  // namespace tact::testing
