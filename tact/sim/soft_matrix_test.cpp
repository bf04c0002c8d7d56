// sim/soft_matrix_test.cpp - the matrix is that of the rows, whatever chains they act on.
#include "tact/sim/soft_matrix.hpp"

#include <gtest/gtest.h>

#include "tact/sim/soft_stage.hpp"
#include "tact/sim/step_work.hpp"
#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

/// A ball, and a carriage of `slides` joints, tied to each other and to the world.
Simulation tied(int slides) {
  Model m = testing::floor_scene(0.5);
  testing::add_free_body(m, Sphere{0.1}, 1, Vec3::Constant(0.1),
                         Pose{Mat3::Identity(), Vec3(0.1, 0.2, 1)}, 0.5);
  testing::add_free_body(m, Sphere{0.1}, 2, Vec3::Constant(0.1),
                         Pose{Mat3::Identity(), Vec3(-0.3, 0.2, 1.2)}, 0.5);
  m.joints.pop_back();
  for (int k = 0; k < slides; ++k) {
    Joint joint;
    joint.type = JointType::slide;
    joint.body = 2;
    joint.axis_B = Vec3::Unit(k % 3);
    m.joints.push_back(joint);
  }
  const Model model = testing::finished(std::move(m));
  SoftScene soft;
  SceneSpring spring;
  spring.spring = {300, 2, 0.4, 0.01};
  spring.body1 = 1;
  spring.body2 = 2;
  spring.X_B1A.p = Vec3(0.03, -0.02, 0.05);
  soft.springs.push_back(spring);
  spring.body1 = 0;
  soft.springs.push_back(spring);
  State start = initial_state(model);
  start.qvel.setLinSpaced(-0.5, 0.7);
  return testing::soft_simulation(model, start, 1e-3, soft);
}

TEST(SoftMatrix, IsMassPlusTheSlopesThroughTheRows) {
  for (const int slides : {1, 2, 3}) {
    Simulation sim = tied(slides);
    StepReport report;
    ASSERT_TRUE(step(sim, report));
    SoftWork& w = sim.work->soft;
    const auto n = static_cast<Index>(w.dofs.size());
    ASSERT_EQ(n, 6 + slides);
    ASSERT_TRUE(factor_soft_matrix(sim, w));
    MatX expected = w.mass;
    EXPECT_GT(expected.diagonal().minCoeff(), 0);
    MatX J(w.rows.rows, n);
    VecX rates;
    for (Index k = 0; k < n; ++k) {
      row_velocities(sim.scene.model, w.rows, VecX::Unit(sim.scene.model.nv, w.dofs[k]), rates);
      J.col(k) = rates;
    }
    for (Index i = 0; i < w.element_count; ++i) {
      const SoftWork::Element& e = w.elements[i];
      const MatX rows = J.middleRows(w.rows.groups[e.group].first_row, 6);
      expected += 0.5 * rows.transpose() * e.spring_answer.slope * rows;
    }
    EXPECT_LT((w.matrix - expected).norm(), 1e-14 * expected.norm());
    VecX x = VecX::Ones(n);
    w.lu.solve_in_place(x);
    EXPECT_LT((w.matrix * x - VecX::Ones(n)).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace tact
