#include "tact/io/consistency_picture.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/io/consistency_parts.hpp"
#include "tact/io/label_placer.hpp"
#include "tact/io/slice_view.hpp"

namespace tact {
namespace {

/// A particle with walls; `size` scales velocities, `far` is an observer's speed.
ImpactGenerators walls(Index dof, const Exact& mass, const Exact& size, const Exact& far) {
  ImpactGenerators out;
  const auto n = static_cast<std::size_t>(dof);
  for (std::size_t k = 0; k < n; ++k) {
    out.mass.emplace_back(n);
    out.mass[k][k] = mass;
    ExactVector w(n);
    w[k] = 1;
    out.push.excitation.push_back(Exact(-far) - (k == 0 ? size : Exact(0)));
    out.push.direction.push_back(std::move(w));
    out.push.contact.push_back(static_cast<Index>(k));
    out.before.push_back(far - size);
  }
  // One more, aslant: two corners in the plane and above.
  if (dof > 1) {
    ExactVector w(n);
    w[0] = w[1] = 1;
    out.push.excitation.push_back(-2 * far - 2 * size);
    out.push.direction.push_back(std::move(w));
    out.push.contact.push_back(dof);
  }
  out.open = out.push;
  out.free = out.before;
  return out;
}

ConsistencyShown shown(const ConsistencySet& set) {
  ConsistencyShown out;
  out.after = velocity_at(set, *set.projection);
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ConsistencyPicture, EveryDimensionSizeAndPlaceCanBeDrawn) {
  for (const Index dof : {1, 2, 3})
    for (const Exact& size : {Exact(1, 1000000), Exact(1), Exact(1000000)})
      for (const Exact& far : {Exact(0), Exact(1000)})
        for (const Exact& mass : {Exact(1, 1000), Exact(5)}) {
          const auto set = consistency_set(walls(dof, mass, size, far));
          ASSERT_TRUE(set);
          ASSERT_EQ(set->dimension(), dof);
          const std::string picture = consistency_svg(*set, shown(*set));
          EXPECT_TRUE(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
          EXPECT_FALSE(has(picture, "nan"));
          EXPECT_TRUE(has(picture, "consistent_"));
          EXPECT_EQ(picture, consistency_svg(*set, shown(*set)));
        }
}

TEST(ConsistencyPicture, OnlyLinesPlanesAndSpaces) {
  ImpactGenerators none = walls(1, 1, 1, 0);
  none.push = none.open = {};
  const auto point = consistency_set(none);
  ASSERT_TRUE(point);
  EXPECT_FALSE(can_be_drawn(*point));
  EXPECT_THROW((void)consistency_svg(*point, {}), ContractViolation);
  const auto four = consistency_set(walls(4, 1, 1, 0));
  ASSERT_TRUE(four);
  EXPECT_FALSE(can_be_drawn(*four));
}

TEST(ConsistencyPicture, ShowsWhatTheCaseHas) {
  ImpactGenerators g = walls(2, 1, 1, 0);
  auto set = consistency_set(g);
  const std::string plain = consistency_svg(*set, {});
  EXPECT_TRUE(has(plain, "consistency set"));
  EXPECT_TRUE(has(plain, " A"));  // arcs
  EXPECT_FALSE(has(plain, "Z\u207a"));
  EXPECT_FALSE(has(plain, "b\u2080"));
  ConsistencyShown all = shown(*set);
  all.contacts = {"left wall", "floor", "chamfer"};
  all.repaired = ExactVector{2, 1};
  const std::string full = consistency_svg(*set, all);
  for (const char* word : {"b\u2080", "left wall", "chamfer", "repaired", "u\u207a"})
    EXPECT_TRUE(has(full, word)) << word;
  g.free = {-2, -2};  // a hammer
  EXPECT_TRUE(has(consistency_svg(*consistency_set(g), {}), "Z\u207a"));
  all.after = ExactVector{5, 5};
  EXPECT_TRUE(has(consistency_svg(*set, all), "must have delivered energy"));
  all.after = ExactVector{0, 0};
  EXPECT_TRUE(has(consistency_svg(*set, all), "u\u207a closes left wall and chamfer"));
  all.after = ExactVector{-2, 0};
  EXPECT_TRUE(has(consistency_svg(*set, all), "no impulses of the contacts lead to u\u207a"));
  const auto bounded = consistency_set(walls(2, 1, 1, 0), Exact(1, 2));
  all.after = ExactVector{2, 1};
  EXPECT_TRUE(has(consistency_svg(*bounded, all), "0.5 J allowed"));
}

/// Two walls that move alike: P⁺ is a point on the line, a line in the plane.
TEST(ConsistencyPicture, FlatAndJammedSets) {
  for (const Index dof : {1, 2, 3})
    for (const int closing : {0, 1}) {
      ImpactGenerators g = walls(dof, 1, 1, 0);
      ExactVector opposite(static_cast<std::size_t>(dof));
      opposite[0] = -1;
      g.push.direction.push_back(std::move(opposite));
      g.push.excitation.emplace_back(1 - closing);
      g.push.contact.push_back(dof + 1);
      g.open = g.push;
      const auto set = consistency_set(g);
      ASSERT_TRUE(set);
      EXPECT_EQ(set->jam.has_value(), closing == 1);
      const std::string picture = consistency_svg(*set, {});
      EXPECT_FALSE(has(picture, "nan"));
      EXPECT_EQ(has(picture, "no admissible velocity exists"), closing == 1);
    }
}

/// Belts that pull apart: friction can take any energy, yet nothing closes.
TEST(ConsistencyPicture, FrictionWithoutCorners) {
  for (const Index dof : {1, 2, 3}) {
    ImpactGenerators g = walls(dof, 1, 1, 0);
    g.push = g.open = {};
    for (Index k = 0; k < dof; ++k)
      for (const int side : {-1, 1}) {
        ExactVector w(static_cast<std::size_t>(dof));
        w[k] = side;
        g.push.direction.push_back(std::move(w));
        g.push.excitation.emplace_back(-1);
        g.push.contact.push_back(0);
      }
    g.open.direction = {g.push.direction[1]};
    g.open.excitation = {0};
    g.open.contact = {0};
    const auto set = consistency_set(g);
    ASSERT_TRUE(set);
    EXPECT_TRUE(set->opening.empty());
    EXPECT_FALSE(set->jam);
    ConsistencyShown given;
    given.after = ExactVector(static_cast<std::size_t>(dof), Exact(4));
    const std::string picture = consistency_svg(*set, given);
    EXPECT_FALSE(has(picture, "nan"));
    EXPECT_FALSE(has(picture, "inf"));
    EXPECT_TRUE(has(picture, "consistent_weak"));
    EXPECT_TRUE(has(picture, "contact work at most"));
  }
}

TEST(SliceView, LengthsAreEnergies) {
  ImpactGenerators g = walls(2, 1, 1, 0);
  g.mass = {{2, Exact(1, 2)}, {Exact(1, 2), 1}};
  const auto set = consistency_set(g);
  const SliceView general = slice_view(*set, shown(*set));
  for (std::size_t i = 0; i < general.corners.size(); ++i)
    EXPECT_NEAR((general.corners[i].center - general.free).squaredNorm(),
                nearest(set->opening.corners[i].radius2), 1e-12);
  EXPECT_EQ(general.unit, VecX::Ones(2));
  const auto diagonal = consistency_set(walls(2, 4, 1, 0));
  const SliceView plain = slice_view(*diagonal, shown(*diagonal));
  EXPECT_EQ(plain.unit, VecX::Constant(2, 2));
  EXPECT_EQ(plain.free, VecX::Constant(2, -2));
  EXPECT_EQ(contact_name(ConsistencyShown{"", {"a", ""}, {}, {}}, 0), "a");
  EXPECT_EQ(contact_name(ConsistencyShown{"", {"a", ""}, {}, {}}, 1), "contact 2");
}

TEST(ConsistencyParts, PointsAtOnePlaceShareALabel) {
  const auto set = consistency_set(walls(2, 1, 1, 0));
  const auto points = named_points(slice_view(*set, shown(*set)));
  ASSERT_EQ(points.size(), 4U);
  SvgCanvas canvas(100, 100);
  LabelPlacer labels({0, 0}, {100, 100});
  draw_points(canvas, labels, points, {{10, 10}, {10, 10}, {80, 80}, {80, 80}});
  const std::string text = canvas.finish("", "");
  EXPECT_TRUE(has(text, ">u\u207b = z<"));
  EXPECT_TRUE(has(text, ">p = u\u207a<"));
}

TEST(LabelPlacer, KeepsClear) {
  SvgCanvas canvas(200, 200);
  LabelPlacer labels({0, 0}, {200, 200});
  labels.place(canvas, {100, 100}, "first", {});
  labels.place(canvas, {100, 100}, "second", {});
  const std::string text = canvas.finish("", "");
  const auto place = [&](const char* word) {
    const std::size_t end = text.find(word), begin = text.rfind("<text", end);
    return text.substr(begin, text.find("class", begin) - begin);
  };
  EXPECT_NE(place(">first"), place(">second"));
}

TEST(Svg, OutlinesOfSegmentsAndArcs) {
  SvgCanvas canvas(10, 10);
  const std::vector<OutlineStep> steps = {
      {{0, 0}, {1, 0}, 0}, {{1, 0}, {0, 0}, 2}, {{5, 5}, {6, 5}, 0, true}};
  canvas.outline(steps, {.fill = "stick"});
  EXPECT_TRUE(has(canvas.finish("", ""), "M0,0 L1,0 L1,0 A2,2 0 0 0 0,0 Z M5,5 L6,5 Z"));
}

}  // namespace
}  // namespace tact
