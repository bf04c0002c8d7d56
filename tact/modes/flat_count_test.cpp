#include "tact/modes/flat_count.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/modes/face_visit.hpp"
#include "tact/modes/stop_wish.hpp"
#include "tests/support/whole_space.hpp"

namespace tact::detail {
namespace {

using testing::space;

std::vector<ModeCount> by_visiting(const SplitCone<Whole64>& cone) {
  FaceVisit<Whole64> visit{Whole64{}};
  std::vector<ModeCount> out(cone.dim + 1, 0);
  visit.visit(cone, 0, false, "", [&](const FaceSigns& signs, const SplitCone<Whole64>*) {
    ++out[cone.dim - signs.dim];
    return true;
  });
  return out;
}

ModeCount sum(const std::vector<ModeCount>& counts) {
  return std::accumulate(counts.begin(), counts.end(), ModeCount{0});
}

/// x_i = x_j for all pairs: every rank-2 flat is a pencil of three or a pair.
std::vector<std::vector<std::int64_t>> braid(int n) {
  std::vector<std::vector<std::int64_t>> rows;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      std::vector<std::int64_t> row(n - 1, 0);  // x_n = 0: nothing else moves
      if (i < n - 1) row[i] = 1;
      if (j < n - 1) row[j] = -1;
      rows.push_back(row);
    }
  return rows;
}

TEST(FlatCount, OrderedPartitionsOfASet) {
  // A face of the braid arrangement is a ranking with ties: Fubini's numbers.
  const std::vector<int> fubini = {1, 3, 13, 75, 541, 4683};
  for (int n = 2; n <= 6; ++n) {
    const auto cone = space(braid(n));
    FlatCount<Whole64> count{Whole64{}};
    EXPECT_EQ(sum(count.faces(cone)), static_cast<ModeCount>(fubini[n - 1])) << n;
    EXPECT_EQ(count.faces(cone), by_visiting(cone)) << n;
  }
}

TEST(FlatCount, StopsInTheMiddleAndStartsAnew) {
  const auto cone = space(braid(5));
  std::atomic<bool> stop = true;
  FlatCount<Whole64> count{Whole64{}};
  count.obey({&stop});
  EXPECT_THROW((void)count.faces(cone), WorkStopped);
  stop = false;
  EXPECT_EQ(sum(count.faces(cone)), ModeCount{541});
}

TEST(FlatCount, CoordinatePlanesGiveThreeToTheN) {
  std::vector<std::vector<std::int64_t>> rows(5, std::vector<std::int64_t>(5, 0));
  for (int k = 0; k < 5; ++k) rows[k][k] = 1;
  FlatCount<Whole64> count{Whole64{}};
  EXPECT_EQ(sum(count.faces(space(rows))), ModeCount{243});
}

/// Points on the moment curve: any d rows are independent.
std::vector<std::vector<std::int64_t>> moment_curve(int d, int m) {
  std::vector<std::vector<std::int64_t>> rows;
  for (int t = 1; t <= m; ++t) {
    std::vector<std::int64_t> row;
    std::int64_t power = 1;
    for (int k = 0; k < d; ++k, power *= t) row.push_back(power);
    rows.push_back(row);
  }
  return rows;
}

/// Buck (1943): m planes through the origin in general position in d dimensions.
ModeCount buck(int d, int m) {
  const auto choose = [](int n, int k) {
    ModeCount out = 1;
    for (int j = 0; j < k; ++j)
      out = out * static_cast<ModeCount>(n - j) / static_cast<ModeCount>(j + 1);
    return k < 0 || k > n ? ModeCount{0} : out;
  };
  ModeCount total = 1;  // the origin
  for (int k = 1; k <= d; ++k) {
    ModeCount chambers = 0;  // of m - d + k planes in general position in k dimensions
    for (int i = 0; i < k; ++i) chambers += choose(m - d + k - 1, i);
    total += 2 * chambers * choose(m, d - k);
  }
  return total;
}

TEST(FlatCount, BuckGeneralPosition) {
  FlatCount<Whole64> count{Whole64{}};
  EXPECT_EQ(sum(count.faces(space(moment_curve(3, 8)))), buck(3, 8));
  EXPECT_EQ(sum(count.faces(space(moment_curve(4, 9)))), buck(4, 9));
  const std::string known = to_string(buck(6, 14));
  EXPECT_EQ(known, "134009");
  EXPECT_EQ(to_string(sum(count.faces(space(moment_curve(6, 14))))), known);
}

bool parallel(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (a[i] * b[j] != a[j] * b[i]) return false;
  return true;
}

TEST(FlatCount, AgreesWithVisitingInRandomCones) {
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    const int dof = 2 + static_cast<int>(rng.below(3));
    const int planes = 2 + static_cast<int>(rng.below(6));
    std::vector<std::vector<std::int64_t>> rows;
    while (static_cast<int>(rows.size()) < planes) {
      std::vector<std::int64_t> row(dof);
      for (auto& x : row) x = static_cast<std::int64_t>(rng.below(7)) - 3;
      const auto twin = [&](const std::vector<std::int64_t>& other) {
        return parallel(row, other);
      };
      const bool zero = std::all_of(row.begin(), row.end(), [](auto x) { return x == 0; });
      if (!zero && std::none_of(rows.begin(), rows.end(), twin)) rows.push_back(row);
    }
    SplitCone<Whole64> cone = space(rows);
    SplitCone<Whole64> half;
    Cutter<Whole64> cutter{Whole64{}};
    for (int k = 0; k < 2; ++k) {  // an open cone with facets
      const int h = next_in(cone.cut.data(), cone.plane_words, 0);
      if (h < 0) break;
      cutter.cut(cone, h, 1, h, half);
      half.classify();
      std::swap(cone, half);
    }
    FlatCount<Whole64> count{Whole64{}};
    std::vector<ModeCount> flats = count.faces(cone);
    flats.resize(cone.dim + 1, 0);
    ASSERT_EQ(flats, by_visiting(cone)) << round;
  }
}

TEST(FaceVisit, PathsShareTheFacesOut) {
  const auto cone = space(moment_curve(4, 9));
  FaceVisit<Whole64> visit{Whole64{}};
  std::vector<std::string> all;
  const auto keep = [&](const FaceSigns& signs, const SplitCone<Whole64>*) {
    std::string text;
    for (int k = 0; k < cone.planes; ++k)
      text.push_back(has(signs.positive, k) ? '+' : (has(signs.negative, k) ? '-' : '0'));
    all.push_back(text);
    return true;
  };
  visit.visit(cone, 0, false, "", keep);
  const std::vector<std::string> whole = std::move(all);
  EXPECT_TRUE(std::is_sorted(whole.begin(), whole.end()));
  EXPECT_EQ(std::adjacent_find(whole.begin(), whole.end()), whole.end());
  for (const int depth : {1, 3, 20}) {
    std::vector<std::string> paths;
    visit.paths(cone, 0, depth, paths);
    all.clear();
    for (const std::string& path : paths) visit.visit(cone, 0, false, path, keep);
    EXPECT_EQ(all, whole) << depth;
  }
}

}  // namespace
}  // namespace tact::detail
