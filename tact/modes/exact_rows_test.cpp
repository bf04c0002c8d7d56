#include "tact/modes/exact_rows.hpp"

#include <gtest/gtest.h>

#include "tact/modes/modes.hpp"

namespace tact {
namespace {

TEST(ExactRows, EntriesBetweenDoublesAreKept) {
  const std::vector<ExactEntry> third = {{0, 1, {"1", "3"}}};
  const ExactVector row = exact_row(Eigen::Vector2d(0.5, 0.3), third, 0);
  EXPECT_EQ(row[1], mpq_class(1, 3));
  ModeSystem system;
  add_contact(system, row, {combined(row, 3, row)});
  EXPECT_EQ(system.rows(0, 0), 0.5);
  EXPECT_EQ(system.rows(1, 0), 2);
  ASSERT_EQ(system.exact.size(), 2U);
  EXPECT_EQ(system.exact[0].value, (Rational{"1", "3"}));
  EXPECT_EQ(system.exact[1].value, (Rational{"4", "3"}));
}

TEST(ExactRows, PlanesOfAnyNumberShareTheLineOfTheirAxes) {
  // Around one contact the planes are a pencil: 4 n + 1 sliding modes, and one that separates.
  const VecX normal = Eigen::Vector4d(0, 0, 0, 1);
  const ExactVector n(normal.begin(), normal.end());
  const ExactVector t1 = {0.1, 0.7, 0.3, 0};
  const ExactVector t2 = {0.3, 0.13, 1.7, 0};
  for (const Index planes : {2, 3, 4, 5, 8}) {
    ModeSystem system;
    add_contact(system, n, exact_planes(t1, t2, planes));
    EXPECT_EQ(to_string(count_modes(system)->full), std::to_string(4 * planes + 2)) << planes;
  }
}

}  // namespace
}  // namespace tact
