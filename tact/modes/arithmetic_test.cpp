#include "tact/modes/arithmetic.hpp"

#include <array>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/modes/bits.hpp"
#include "tact/modes/filtered.hpp"

namespace tact::detail {
namespace {

constexpr int width = 7;

/// Generators in one kind of number, and what becomes of them.
template <class A>
struct Bench {
  A arithmetic;
  std::vector<std::vector<typename A::Value>> values;
  std::vector<typename A::Tag> tags;

  explicit Bench(A a) : arithmetic(std::move(a)) {}
  [[nodiscard]] View<A> view(std::size_t k) const { return {values[k].data(), &tags[k]}; }
  void eliminate(int plane, std::size_t x, std::size_t y) {
    std::vector<typename A::Value> out(width);
    typename A::Tag tag{};
    arithmetic.eliminate(plane, view(x), view(y), width, width, out.data(), tag);
    out[plane] = 0;
    values.push_back(std::move(out));
    tags.push_back(tag);
  }
};

std::vector<std::int64_t> random_whole(Rng& rng, std::uint64_t size) {
  std::vector<std::int64_t> out(width);
  for (std::int64_t& x : out)
    x = static_cast<std::int64_t>(rng.below(2 * size + 1)) - static_cast<std::int64_t>(size);
  return out;
}

Bench<Whole64> small_bench(const std::vector<std::vector<std::int64_t>>& given) {
  Bench<Whole64> out{Whole64{}};
  for (const auto& x : given) {
    out.values.push_back(x);
    out.tags.push_back(Whole64::tag_of(x.data(), width, width));
  }
  return out;
}
Bench<WholeBig> big_bench(const std::vector<std::vector<std::int64_t>>& given) {
  Bench<WholeBig> out{WholeBig{}};
  for (const auto& x : given) {
    out.values.emplace_back(x.begin(), x.end());
    out.tags.emplace_back();
  }
  return out;
}
Bench<Filtered> filtered_bench(const std::vector<std::vector<std::int64_t>>& given) {
  Bench<Filtered> out{Filtered{}};
  for (const auto& x : given) {
    out.values.emplace_back(width);
    out.tags.push_back(Filtered::given({x.begin(), x.end()}, out.values.back().data()));
  }
  return out;
}

template <class A>
std::vector<int> signs(const Bench<A>& bench) {
  std::vector<int> out;
  for (const auto& v : bench.values)
    for (const auto& x : v) out.push_back(sign_of(x));
  return out;
}

TEST(Arithmetic, KindsOfNumberAgreeOnEverySign) {
  Rng rng(7);
  int large = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::vector<std::int64_t>> given;
    const std::uint64_t size = round % 2 == 0 ? 3 : 1000;  // full of coincidences, or hardly any
    for (int k = 0; k < 4; ++k) given.push_back(random_whole(rng, size));
    auto small = small_bench(given);
    auto big = big_bench(given);
    auto filtered = filtered_bench(given);
    bool fits = true;
    for (int step = 0; step < 12; ++step) {
      const auto x = static_cast<std::size_t>(rng.below(big.values.size()));
      const auto y = static_cast<std::size_t>(rng.below(big.values.size()));
      const int plane = static_cast<int>(rng.below(width));
      if (x == y || sign_of(big.values[y][plane]) == 0) continue;
      big.eliminate(plane, x, y);
      filtered.eliminate(plane, x, y);
      try {
        if (fits) small.eliminate(plane, x, y);
      } catch (const NumberTooLarge&) {
        fits = false;
        ++large;
      }
    }
    ASSERT_EQ(signs(filtered), signs(big));
    if (fits) {
      ASSERT_EQ(signs(small), signs(big));
    }
  }
  EXPECT_GT(large, 0);
}

TEST(Arithmetic, EliminationIsPositiveBetweenTwoSides) {
  // x_0 = 3 > 0 > y_0 = -2: 2 x + 3 y.
  auto bench = small_bench({{3, 1, 0, 0, 0, 0, 5}, {-2, 0, 1, 0, 0, 0, 5}});
  bench.eliminate(0, 0, 1);
  EXPECT_EQ(bench.values[2], (std::vector<std::int64_t>{0, 2, 3, 0, 0, 0, 25}));
}

TEST(Arithmetic, MinorsVanishWhereRatiosAgree) {
  const std::vector<std::vector<std::int64_t>> given = {{2, 4, 1, 0, 0, 0, 0},
                                                        {-3, -6, 1, 0, 0, 0, 0}};
  const auto small = small_bench(given);
  const auto filtered = filtered_bench(given);
  EXPECT_TRUE(Whole64::minor_vanishes(small.view(0), small.view(1), 0, 1));
  EXPECT_FALSE(Whole64::minor_vanishes(small.view(0), small.view(1), 0, 2));
  EXPECT_TRUE(Filtered::minor_vanishes(filtered.view(0), filtered.view(1), 0, 1));
  EXPECT_FALSE(Filtered::minor_vanishes(filtered.view(0), filtered.view(1), 0, 2));
}

TEST(Arithmetic, FilterSeesWhatDoublesCannot) {
  // 2^60 + 1 against 2^60: the doubles are equal, the difference is one.
  const std::int64_t large = std::int64_t{1} << 60;
  auto bench = filtered_bench({{1, large + 1, 0, 0, 0, 0, 1}, {1, large, 0, 0, 0, 0, 1}});
  ASSERT_EQ(bench.values[0][1], bench.values[1][1]);
  bench.eliminate(0, 0, 1);
  EXPECT_GT(bench.values[2][1], 0);
  EXPECT_EQ(bench.values[2][6], 0);
}

TEST(Arithmetic, SnappingIsRelativeToTheTerms) {
  const Snapped arithmetic(1e-8);
  std::array<double, 3> x = {1, 1, 0.5};
  std::array<double, 3> y = {1, 1 - 1e-9, 0.25};
  const Snapped::Tag none;
  Snapped::Tag tag;
  std::array<double, 3> out{};
  arithmetic.eliminate(0, {x.data(), &none}, {y.data(), &none}, 3, 3, out.data(), tag);
  EXPECT_EQ(out, (std::array<double, 3>{0, 0, 1}));
}

TEST(Bits, FirstElementFromAPlaceOn) {
  std::array<Word, 3> set = {};
  for (const int k : {0, 63, 64, 150}) put(set.data(), k);
  EXPECT_EQ(size_of(set.data(), 3), 4);
  std::vector<int> found;
  for (int k = next_in(set.data(), 3, 0); k >= 0; k = next_in(set.data(), 3, k + 1))
    found.push_back(k);
  EXPECT_EQ(found, (std::vector<int>{0, 63, 64, 150}));
  remove(set.data(), 64);
  EXPECT_FALSE(has(set.data(), 64));
  EXPECT_EQ(next_in(set.data(), 3, 64), 150);
  EXPECT_EQ(next_in(set.data(), 3, 151), -1);
}

}  // namespace
}  // namespace tact::detail
