#include "tact/linalg/types.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Types, PerpTurnsByMinusNinetyDegrees) {
  EXPECT_EQ(perp(Vec2(1, 0)), Vec2(0, -1));
  EXPECT_EQ(perp(Vec2(0, 1)), Vec2(1, 0));
  const Vec2 x(3, -7);
  EXPECT_EQ(perp(perp(x)), -x);
  EXPECT_EQ(perp(x).dot(x), 0);
}

TEST(Types, CrossIsTheAreaAndPerpWritesItAsAProduct) {
  EXPECT_EQ(cross(Vec2(1, 0), Vec2(0, 1)), 1);
  const Vec2 a(3, -7), b(2, 5);
  EXPECT_EQ(cross(a, b), 29);
  EXPECT_EQ(cross(a, b), -cross(b, a));
  EXPECT_EQ(cross(a, b), a.dot(perp(b)));
}

}  // namespace
}  // namespace tact
