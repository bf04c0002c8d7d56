#include "tact/contact/mass_pattern.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

/// Every entry of M and of JᵀJ has its place, and the blocks are those of M.
TEST(MassPattern, HasRoomForEveryPairOfBodies) {
  for (int k = 0; k < 70; ++k) {
    const ContactProblem scene = testing::numbered_scene(k, {});
    SCOPED_TRACE(scene.name);
    const auto problem = mass_problem(scene);
    ASSERT_TRUE(problem);
    MassPattern pattern;
    BlockMatrix matrix;
    make_mass_pattern(*problem, pattern, matrix);
    ASSERT_EQ(pattern.rows.size(), static_cast<std::size_t>(problem->contacts()));
    const VecX x = VecX::LinSpaced(problem->M.rows(), 1, 2);
    VecX y;
    multiply(matrix, x, y);
    EXPECT_LE((y - problem->M * x).norm(), 1e-12 * y.norm());
    for (Index i = 0; i < problem->contacts(); ++i) {
      const MassPattern::Rows& rows = pattern.rows[i];
      VecX velocity = VecX::Zero(problem->laws[i].rows);
      for (std::size_t a = 0; a < rows.block.size(); ++a) {
        const Index at = matrix.offset[rows.block[a]];
        velocity += rows.jacobian[a] * x.segment(at, matrix.rows_of(rows.block[a]));
        for (std::size_t b = 0; b < rows.block.size(); ++b)
          EXPECT_EQ(matrix.col[rows.entry[a * rows.block.size() + b]], rows.block[b]);
      }
      const VecX whole = problem->J * x;
      EXPECT_LE((velocity - whole.segment(problem->offset[i], velocity.size())).norm(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace tact
