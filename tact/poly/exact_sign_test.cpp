#include "tact/poly/exact_sign.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

__extension__ using Int128 = __int128;

int sign(Int128 x) {
  return (x > 0) - (x < 0);
}

/// The oracle: coordinates are integers times `unit`, a power of two; |integer| <= 2^53.
Int128 exact_cross_of(const Vec2& a, const Vec2& b, const Vec2& c, double unit) {
  const auto whole = [unit](double x) { return static_cast<Int128>(x / unit); };
  return (whole(b[0]) - whole(a[0])) * (whole(c[1]) - whole(a[1])) -
         (whole(b[1]) - whole(a[1])) * (whole(c[0]) - whole(a[0]));
}

TEST(ExactSign, KnowsLeftFromRight) {
  const Vec2 o(0, 0), x(1, 0), y(0, 1);
  EXPECT_EQ(orient_sign(o, x, y), 1);
  EXPECT_EQ(orient_sign(o, y, x), -1);
  EXPECT_EQ(orient_sign(o, x, Vec2(7, 0)), 0);
  EXPECT_EQ(orient_sign(o, o, y), 0);
  EXPECT_EQ(orient(o, x, y), 1);
}

/// Cyclic permutations keep the sign, a swap turns it.
using Signs = std::array<int, 4>;
Signs signs_in_every_order(const Vec2& a, const Vec2& b, const Vec2& c) {
  return {orient_sign(a, b, c), orient_sign(b, c, a), orient_sign(c, a, b), orient_sign(b, a, c)};
}

// The classic failure of floating point: a fine grid of points around a line through three points.
TEST(ExactSign, AgreesWithIntegersOneUlpOffALine) {
  const double unit = 0x1p-53;
  const Vec2 b(12, 12), c(24, 24);
  int undecided_by_filter = 0;
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const Vec2 a(0.5 + i * unit, 0.5 + j * unit);
      const int expected = sign(exact_cross_of(a, b, c, unit));
      EXPECT_EQ(signs_in_every_order(a, b, c), (Signs{expected, expected, expected, -expected}));
      undecided_by_filter += !detail::FilteredCross(a, b, a, c).decides();
    }
  }
  EXPECT_GT(undecided_by_filter, 1000) << "the test must reach the exact branch";
}

TEST(ExactSign, AgreesWithIntegersOnRandomNearlyCollinearTriples) {
  Rng rng(1);
  for (int k = 0; k < 20000; ++k) {
    const double bits = std::exp2(std::floor(rng.uniform(2, 50)));
    const auto whole = [&] { return std::floor(rng.uniform(-bits, bits)); };
    const Vec2 a(whole(), whole()), b(whole(), whole());
    const double t = rng.uniform(-2, 2);
    const Vec2 c = (a + t * (b - a)).array().round().matrix();
    EXPECT_EQ(orient_sign(a, b, c), sign(exact_cross_of(a, b, c, 1)));
    const double unit = std::exp2(std::floor(rng.uniform(-300, 300)));
    EXPECT_EQ(orient_sign(unit * a, unit * b, unit * c), orient_sign(a, b, c)) << "scaled";
  }
}

TEST(ExactSign, OfDotAndDeterminantSeesWhatRoundingHides) {
  const double up = 1 + tolerance::epsilon, down = 1 - tolerance::epsilon;
  EXPECT_EQ(up * down, 1) << "floating point sees no difference";
  EXPECT_EQ(det_sign(Vec2(1, up), Vec2(down, 1)), 1);
  EXPECT_EQ(det_sign(Vec2(up, 1), Vec2(1, down)), -1);
  EXPECT_EQ(dot_sign(Vec2(1, up), Vec2(1, -down)), 1);
  EXPECT_EQ(dot_sign(Vec2(1, 2), Vec2(-2, 1)), 0);
}

TEST(ExactSign, ComparesDirectionsOfTwoChords) {
  const Vec2 a(0.1, 0.7), b(0.3, 0.9), shift(1024, 512);
  EXPECT_EQ(cross_sign(a, b, a, b), 0);
  EXPECT_EQ(cross_sign(a, b, b, a), 0);
  const Vec2 c(0.25, 0.5), d(0.75, 1.5);
  EXPECT_EQ(cross_sign(c, d, c + shift, d + shift), 0) << "exact in binary: parallel";
  EXPECT_EQ(cross_sign(c, d, c + shift, d + shift + Vec2(0, 0x1p-42)), 1);
}

TEST(ExactSign, OrientIsAccurateForSlivers) {
  const double bound = 16 * tolerance::epsilon;
  Rng rng(2);
  for (int k = 0; k < 20000; ++k) {
    const auto whole = [&] { return std::floor(rng.uniform(-0x1p50, 0x1p50)); };
    const Vec2 a(whole(), whole()), b(whole(), whole());
    const Vec2 c = (a + rng.uniform() * (b - a)).array().round().matrix();
    const double expected = static_cast<double>(exact_cross_of(a, b, c, 1));
    EXPECT_LE(std::abs(orient(a, b, c) - expected), bound * std::abs(expected));
  }
}

TEST(ExactSign, HoldsAtTheEndsOfItsRange) {
  for (const double unit : {1e-140, 1e140}) {
    const Vec2 a(unit, unit), b(3 * unit, 3 * unit);
    const Vec2 above(2 * unit, std::nextafter(2 * unit, std::numeric_limits<double>::max()));
    EXPECT_EQ(orient_sign(a, b, above), 1);
    EXPECT_EQ(orient_sign(a, above, b), -1);
  }
}

}  // namespace
}  // namespace tact
