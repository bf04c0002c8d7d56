#include "tact/modes/split_cone.hpp"

#include <gtest/gtest.h>

#include "tests/support/whole_space.hpp"

namespace tact::detail {
namespace {

using testing::space;

/// The cone on given sides of its first planes.
SplitCone<Whole64> cut(SplitCone<Whole64> cone, const std::vector<int>& sides) {
  Cutter<Whole64> cutter{Whole64{}};
  SplitCone<Whole64> next;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const int plane = static_cast<int>(k);
    EXPECT_TRUE(has(cone.cut.data(), plane)) << k;
    cutter.cut(cone, plane, sides[k], plane, next);
    next.classify();
    std::swap(cone, next);
  }
  return cone;
}

TEST(SplitCone, OrthantsAndTheirFaces) {
  const auto all = space({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, -1, 0}});
  const auto orthant = cut(all, {1, 1, 1});
  EXPECT_EQ(orthant.rays, 3);
  EXPECT_EQ(orthant.lines, 0);
  EXPECT_EQ(orthant.dim, 3);
  EXPECT_FALSE(has(orthant.cut.data(), 3));  // x + y + z > 0 all over
  EXPECT_TRUE(has(orthant.positive.data(), 3));
  EXPECT_TRUE(has(orthant.cut.data(), 4));
  const auto face = cut(all, {1, 0, 1});
  EXPECT_EQ(face.dim, 2);
  EXPECT_EQ(face.rays, 2);
  EXPECT_TRUE(has(face.zero.data(), 1));
  EXPECT_TRUE(has(face.positive.data(), 4));
}

TEST(SplitCone, ASquareConeHasFourRaysAndNoDiagonal) {
  const auto all = space({{1, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, 1}, {1, 1, 0}});
  const auto square = cut(all, {1, 1, 1, 1});
  EXPECT_EQ(square.rays, 4);
  // x + y = 0 goes through two opposite rays: the section has those two alone.
  Cutter<Whole64> cutter{Whole64{}};
  SplitCone<Whole64> section;
  cutter.cut(square, 4, 0, -1, section);
  EXPECT_EQ(section.rays, 2);
  SplitCone<Whole64> half;
  cutter.cut(square, 4, 1, 4, half);
  EXPECT_EQ(half.rays, 3);
}

TEST(SplitCone, SignsDoNotDependOnWhenTheyAreAskedFor) {
  // Seventy planes, two words of signs; cuts in a row, classified after each or at the end alone.
  std::vector<std::vector<std::int64_t>> rows = {{1, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, 1}};
  for (std::int64_t k = 4; k < 70; ++k) rows.push_back({k - 37, 3 * k % 11 - 5, 5});
  const auto all = space(rows);
  for (const int side : {1, -1, 0}) {
    const auto often = cut(all, {1, 1, 1, side});
    SplitCone<Whole64> once = all;
    SplitCone<Whole64> next;
    Cutter<Whole64> cutter{Whole64{}};
    for (int plane = 0; plane < 4; ++plane) {
      cutter.cut(once, plane, plane < 3 ? 1 : side, plane, next);
      std::swap(once, next);
    }
    once.classify();
    EXPECT_EQ(once.rays, often.rays);
    for (int w = 0; w < 2; ++w) {
      EXPECT_EQ(once.cut[w], often.cut[w]) << side;
      EXPECT_EQ(once.zero[w], often.zero[w]) << side;
      EXPECT_EQ(once.positive[w], often.positive[w]) << side;
      EXPECT_EQ(once.negative[w], often.negative[w]) << side;
    }
    EXPECT_GT(size_of(often.cut.data(), 2), 0);
  }
}

TEST(SplitCone, LinesThatNoPlaneFeelsStillCountForTheRest) {
  // Four planes of a cone with rays and two lines that are one on the planes: when a cut has used
  // the first up, the second has become silent. Not to know that makes neighbours strangers.
  SplitCone<Whole64> cone;
  cone.shape(2, 2, 1);
  cone.reserve(4, 2);
  cone.lines = 2;
  cone.rays = 4;
  cone.dim = 5;
  const std::int64_t lines[2][2] = {{1, 0}, {-1, 0}};
  const std::int64_t rays[4][2] = {{0, 1}, {0, 1}, {0, -1}, {0, -1}};
  for (int l = 0; l < 2; ++l) {
    std::copy(lines[l], lines[l] + 2, cone.line(l));
    cone.line_tag(l) = 1;
  }
  for (int r = 0; r < 4; ++r) {  // a square cone: facets 0 to 3, ray r on facets r and r + 1
    std::copy(rays[r], rays[r] + 2, cone.ray(r));
    cone.ray_tag(r) = 1;
    cone.facets_of(r)[0] = (Word{1} << r) | (Word{1} << ((r + 1) % 4));
  }
  cone.facets[0] = 15;
  cone.classify();
  Cutter<Whole64> cutter{Whole64{}};
  SplitCone<Whole64> first, second;
  cutter.cut(cone, 0, 0, -1, first);
  first.classify();
  EXPECT_EQ(first.lines, 0);
  EXPECT_EQ(first.silent, 1);
  cutter.cut(first, 1, 0, -1, second);
  EXPECT_EQ(second.rays, 2);  // between rays 1, 2 and rays 3, 0
}

}  // namespace
}  // namespace tact::detail
