#include "tact/poly/calipers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/poly/exact_sign.hpp"
#include "tact/poly/hull.hpp"

namespace tact {
namespace {

using Points = std::vector<Vec2>;

Points integer_cloud(Rng& rng, std::size_t n, double range) {
  Points points;
  for (std::size_t i = 0; i < n; ++i) {
    points.emplace_back(std::floor(rng.uniform(0, range)), std::floor(rng.uniform(0, range)));
  }
  return points;
}

TEST(Calipers, FindDiameterAndWidthOfARectangle) {
  const Points rectangle{{0, 0}, {4, 0}, {4, 3}, {0, 3}};
  const Chord chord = longest_chord(rectangle);
  EXPECT_EQ((rectangle[static_cast<std::size_t>(chord.to)] -
             rectangle[static_cast<std::size_t>(chord.from)])
                .norm(),
            5);
  EXPECT_EQ(least_width(rectangle), 3);
  EXPECT_EQ(least_width(Points{{1, 2}}), 0);
}

TEST(Calipers, AgreeWithAllPairs) {
  Rng rng(9);
  for (int k = 0; k < 300; ++k) {
    const Points h = exact_hull(integer_cloud(rng, 3 + rng.below(40), 50));
    double longest = 0, width = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < h.size(); ++i) {
      const Vec2& next = h[(i + 1) % h.size()];
      double height = 0;
      for (const Vec2& p : h) {
        longest = std::max(longest, (p - h[i]).norm());
        height = std::max(height, orient(h[i], next, p) / (next - h[i]).norm());
      }
      width = std::min(width, height);
    }
    const Chord chord = longest_chord(h);
    const Vec2 found =
        h[static_cast<std::size_t>(chord.to)] - h[static_cast<std::size_t>(chord.from)];
    EXPECT_EQ(found.norm(), longest);
    if (h.size() > 2) {
      EXPECT_EQ(least_width(h), width);
    }
  }
}

}  // namespace
}  // namespace tact
