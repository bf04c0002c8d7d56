#include "tact/contact/law.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tact {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
const PatchShape square{PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}};

// Not inlined: the compiler sees uninitialised memory in the copy of a variant where there is none.
[[gnu::noinline]] Law smooth_patch(PatchShape shape) {
  return FrictionlessPatch{std::move(shape)};
}
[[gnu::noinline]] Law rough_patch(PatchShape shape, double mu) {
  return FrictionalPatch{std::move(shape), mu};
}

void expect_rows(const Law& law, std::string_view expected, Index normals, Index tangents) {
  SCOPED_TRACE(expected);
  EXPECT_EQ(name(law), expected);
  EXPECT_TRUE(validate(law));
  EXPECT_EQ(row_count(law), normals + tangents);
  const RowSplit split = row_split(law);
  EXPECT_EQ(split.normal_count, normals);
  EXPECT_EQ(split.tangent_count, tangents);
  // Together they are all the rows, each once; the normal force is the last row.
  std::vector<int> seen(static_cast<std::size_t>(row_count(law)), 0);
  for (Index k = 0; k < split.normal_count; ++k) ++seen[split.normal[k]];
  for (Index k = 0; k < split.tangent_count; ++k) ++seen[split.tangent[k]];
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  EXPECT_EQ(split.normal[split.normal_count - 1], row_count(law) - 1);
  EXPECT_EQ(friction_of(law), tangents > 0 ? 0.5 : 0.0);
}

TEST(Law, NamesAndRows) {
  expect_rows(Frictionless{}, "frictionless", 1, 0);
  expect_rows(CoulombLaw{0.5}, "coulomb", 1, 2);
  expect_rows(CoulombLaw{0.5, true}, "coulomb", 1, 1);
  expect_rows(BoxLaw{0.5}, "box", 1, 2);
  expect_rows(BoxLaw{0.5, 1, true}, "box", 1, 1);
  expect_rows(PyramidLaw{0.5, 6}, "pyramid", 1, 2);
  expect_rows(PyramidLaw{0.5, 6, true}, "pyramid", 1, 1);
  expect_rows(RollingLaw{0.5, 0.1, 0.2}, "rolling", 1, 5);
  expect_rows(smooth_patch(square), "patch", 3, 0);
  const Law rough = rough_patch(square, 0.5);
  expect_rows(rough, "patch_friction", 3, 3);
  EXPECT_EQ(row_split(rough).tangent[2], 2) << "T = [f_T, m_N]: the spin is row 2 of the twist";
}

void expect_refused(const Law& law, const std::string& sentence) {
  const auto result = validate(law);
  ASSERT_FALSE(result) << sentence;
  EXPECT_EQ(result.error().message.substr(0, sentence.size()), sentence);
}

TEST(Law, RefusalsStartWithTheFieldAtFault) {
  expect_refused(CoulombLaw{-0.1}, "mu must be a finite number, zero or more");
  expect_refused(CoulombLaw{nan}, "mu must be a finite number, zero or more");
  expect_refused(BoxLaw{0.5, inf}, "scale must be a finite number, zero or more");
  expect_refused(PyramidLaw{inf, 4}, "mu must be a finite number, zero or more");
  expect_refused(PyramidLaw{0.5, 2}, "edges must be three or more");
  expect_refused(RollingLaw{0.5, -1, 0}, "rolling must be a finite number, zero or more");
  expect_refused(RollingLaw{0.5, 0, nan}, "spinning must be a finite number, zero or more");
  expect_refused(rough_patch(square, -1), "mu must be a finite number, zero or more");
  expect_refused(smooth_patch({PolygonShape{}}), "patch: ");
  expect_refused(rough_patch({DiscShape{{0, 0}, -1}}, 0.5), "patch: ");
}

TEST(Law, ABoundedRowHasNoNormalLoad) {
  for (const BoundedLaw& law : {BoundedLaw{}, BoundedLaw{-1, 2}, BoundedLaw{0, inf},
                                BoundedLaw{-inf, -1}, BoundedLaw{3, 3}}) {
    EXPECT_TRUE(validate(law));
    EXPECT_EQ(name(law), "bounded");
    EXPECT_EQ(row_count(law), 1);
    EXPECT_EQ(row_split(law).normal_count, 0);
    ASSERT_EQ(row_split(law).tangent_count, 1);
    EXPECT_EQ(row_split(law).tangent[0], 0);
    EXPECT_EQ(friction_of(law), 0);
  }
  constexpr const char* sentence = "bounds must be two numbers, the lower one first";
  expect_refused(BoundedLaw{1, -1}, sentence);
  expect_refused(BoundedLaw{nan, 1}, sentence);
  expect_refused(BoundedLaw{-1, nan}, sentence);
  expect_refused(BoundedLaw{inf, inf}, sentence);
  expect_refused(BoundedLaw{-inf, -inf}, sentence);
}

TEST(Law, NoFrictionIsALawToo) {
  EXPECT_TRUE(validate(CoulombLaw{0}));
  EXPECT_TRUE(validate(BoxLaw{0, 0}));
  EXPECT_TRUE(validate(RollingLaw{}));
}

}  // namespace
}  // namespace tact
