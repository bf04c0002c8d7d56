#include "tact/solve/static_equilibrium.hpp"

#include <gtest/gtest.h>

#include "tact/contact/residual.hpp"
#include "tests/support/random_contacts.hpp"
#include "tests/support/scene_rows.hpp"

namespace tact {
namespace {

/// b of the contacts of a scene after a step under its weight, from rest.
testing::SceneRows at_rest(const Model& model, double dt) {
  VecX fall = VecX::Zero(model.nv);
  for (Index d = 2; d < model.nv; d += 6) fall[d] = -9.81 * dt;
  return testing::scene_rows(model, initial_state(model), fall, 1e-3);
}

Model pyramid(double mu) {
  Model m = testing::floor_scene(mu);
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3 - r; ++k)
      testing::add_box(m, 1 + k, Vec3(0.1, 0.1, 0.1),
                       {Mat3::Identity(), Vec3(0.2 * (k + 0.5 * r), 0, 0.1 + 0.2 * r)}, mu);
  return testing::finished(std::move(m));
}

/// Impulses that hold a pyramid: by their own laws, and nothing moves.
TEST(StaticEquilibrium, HoldsWhatStands) {
  const testing::SceneRows scene = at_rest(pyramid(0.5), 1e-2);
  SolveOptions options;
  options.tolerance = 1e-12;
  StaticEquilibriumWorkspace work;
  VecX lambda = VecX::Zero(scene.problem.rows());
  static_impulses(scene.on_bodies(), options, work, lambda);
  const VecX u = testing::dense_of(scene.problem.G) * lambda + scene.problem.b;
  for (Index i = 0; i < scene.problem.contacts(); ++i) {
    const LocalLaw& law = scene.problem.laws[i];
    const Index at = scene.problem.G.offset[i];
    if (lambda.segment(at, law.rows).isZero(1e-9)) continue;
    EXPECT_LE(u.segment(at, law.rows).norm(), 1e-9) << "what carries does not move";
    EXPECT_GE(lambda[at + law.normal_row()], 0);
  }
  LocalWorkspace local;
  AugmentedNewtonWorkspace newton;
  EXPECT_LE(residual(scene.on_bodies(), lambda, newton.force, newton.u, local).figure(), 1e-9);
  EXPECT_GT(work.iterations, 0);
}

/// Without friction a leaning plank slides, whatever presses it.
TEST(StaticEquilibrium, DoesNotHoldWhatSlides) {
  Model m = testing::floor_scene(0.1);
  const Mat3 tilted = Eigen::AngleAxisd(0.5, Vec3::UnitY()).matrix();
  m.gravity = tilted.transpose() * Vec3(0, 0, -9.81);
  testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1), {Mat3::Identity(), Vec3(0, 0, 0.1)}, 0.1);
  m = testing::finished(std::move(m));
  VecX fall = VecX::Zero(m.nv);
  fall.head<3>() = 1e-2 * m.gravity;
  const testing::SceneRows scene = testing::scene_rows(m, initial_state(m), fall, 1e-3);
  StaticEquilibriumWorkspace work;
  VecX lambda = VecX::Zero(scene.problem.rows());
  static_impulses(scene.on_bodies(), SolveOptions{}, work, lambda);
  const VecX u = testing::dense_of(scene.problem.G) * lambda + scene.problem.b;
  EXPECT_GE(u.norm(), 1e-2);
}

}  // namespace
}  // namespace tact
