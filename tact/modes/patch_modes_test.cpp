// The classes of a patch: against the regimes of loaded patches, and of polygons against the modes
// of their corners.
#include "tact/modes/patch_modes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tact/cone/patch_field.hpp"
#include "tact/modes/modes.hpp"

namespace tact {
namespace {

PatchShape polygon(std::vector<Vec2> points) {
  return {PolygonShape{std::move(points)}};
}
PatchShape square() {
  return polygon({{1, 1}, {-1, 1}, {-1, -1}, {1, -1}});
}
PatchShape disc() {
  return {DiscShape{{0.5, -1}, 2}};
}
PatchShape stadium() {
  return {StadiumShape{{-1, 0}, {2, 0.5}, 0.5}};
}
/// A disc and a point beside it: one corner, one round part, two edges.
PatchShape drop() {
  return {UnionShape{{disc(), {PointShape{{6, 3}}}}}};
}
PatchShape triangle() {
  return polygon({{0, 0}, {10, 0}, {5, 0.5}});
}

std::vector<PatchShape> zoo() {
  return {square(),
          triangle(),
          polygon({{0, 0}, {4, 0}, {5, 2}, {2, 4}, {-1, 2}}),
          polygon({{1, 1}, {1, 1}}),
          {SegmentShape{{1, 2}, {4, -2}}},
          {PointShape{{3, 4}}},
          disc(),
          {EllipseShape{{1, 1}, {3, 1}, 0.4}},
          stadium(),
          drop()};
}

std::map<PatchMotion, int> motions(const PatchModes& modes) {
  std::map<PatchMotion, int> out;
  for (const PatchMode& mode : modes.modes) ++out[mode.motion];
  return out;
}

/// A unit force at the point the class keeps in contact.
Wrench load(const PatchMode& mode) {
  if (mode.motion == PatchMotion::separate) return {};
  return wrench_of(PointForce{mode.held, Vec3::UnitZ()});
}

TEST(PatchModes, WitnessesAreWhatTheRegimesOfALoadedPatchCallThem) {
  for (const PatchShape& shape : zoo()) {
    const PatchModes found = *patch_modes(shape);
    for (const PatchMode& mode : found.modes) {
      SCOPED_TRACE(std::string(name(mode.motion)) + " " + std::string(name(mode.slip)));
      const RegimeScales scales{.force = 1, .velocity = std::max(1.0, found.hull.radius())};
      const RegimeReport report = classify(found.hull, load(mode), mode.witness, scales);
      ASSERT_TRUE(report.regime);
      EXPECT_EQ(name(*report.regime), name(regime_of(mode)));
      if (mode.motion == PatchMotion::tip_edge || mode.motion == PatchMotion::tip_vertex) {
        ASSERT_TRUE(report.pivot);
        const auto corner = [&](Index place) { return found.hull.vertices()[place]; };
        const double close = tolerance::face * found.hull.radius();
        // Either way round: an edge is the same from both ends.
        const double same = (report.pivot->first - corner(mode.first)).norm() +
                            (report.pivot->last - corner(mode.last)).norm();
        const double turned = (report.pivot->first - corner(mode.last)).norm() +
                              (report.pivot->last - corner(mode.first)).norm();
        EXPECT_LE(std::min(same, turned), close);
      }
    }
  }
}

/// How deep inside the hull the centre of turning must lie.
struct Depth {
  double least, most;
};
Depth depth_of(PatchSlip slip, const PlanarSet& hull) {
  const double size = hull.radius(), close = tolerance::regime * size;
  if (slip == PatchSlip::turn_outside) return {-10 * size, -size};
  if (slip == PatchSlip::turn_inside && hull.has_interior()) return {0.01 * size, size};
  return {-close, close};  // on the rim, or inside a segment, which is all rim
}

void expect_centre(const PatchModes& found, const PatchMode& mode) {
  const Twist& twist = mode.witness;
  const Vec2 pole = -perp(twist.v_t()) / twist.w_n();
  EXPECT_LE(tangential_velocity_at(twist, pole).norm(), tolerance::rounding * found.hull.radius());
  const double depth = found.hull.signed_distance(pole);
  EXPECT_GE(depth, depth_of(mode.slip, found.hull).least);
  EXPECT_LE(depth, depth_of(mode.slip, found.hull).most);
  if (mode.slip != PatchSlip::turn_inside) return;
  for (const Vec2& end : found.hull.vertices())  // also of a segment: not at an end
    EXPECT_GT((end - pole).norm(), 0.01 * found.hull.radius());
}

TEST(PatchModes, FlatPatchesSlideAboutTheCentreTheClassSays) {
  for (const PatchShape& shape : zoo()) {
    const PatchModes found = *patch_modes(shape);
    for (const PatchMode& mode : found.modes) {
      if (mode.motion != PatchMotion::flat) continue;
      SCOPED_TRACE(name(mode.slip));
      const bool turns = mode.slip == PatchSlip::turn_inside ||
                         mode.slip == PatchSlip::turn_on_rim ||
                         mode.slip == PatchSlip::turn_outside;
      EXPECT_EQ(normal_part(mode.witness), Vec3::Zero());
      EXPECT_EQ(mode.witness.w_n() != 0, turns);
      EXPECT_EQ(mode.witness == Twist{}, mode.slip == PatchSlip::stick);
      if (turns) expect_centre(found, mode);
    }
  }
}

// [MontMarin25] (12), Lemma 2: the least normal velocity of a polygon is at a corner, so that the
// faces of K_P* are the contacting and separating modes of the corners.
TEST(PatchModes, PolygonsHaveTheModesOfTheirCorners) {
  for (const PatchShape& shape :
       {square(), triangle(), polygon({{0, 0}, {4, 0}, {5, 2}, {2, 4}, {-1, 2}}),
        PatchShape{SegmentShape{{1, 2}, {4, -2}}}, PatchShape{PointShape{{3, 4}}}}) {
    const PatchModes found = *patch_modes(shape);
    std::map<std::string, Index> classes;  // the largest dimension of each
    for (const PatchMode& mode : found.modes) {
      Index& dim = classes[cs_of(found, mode)];
      dim = std::max(dim, mode.dim);
    }
    ModeSystem system;
    ASSERT_EQ(*add_patch(system, MatX::Identity(6, 6), shape),
              static_cast<Index>(found.hull.vertices().size()));
    std::map<std::string, Index> modes;
    const auto visit =
        visit_modes(system, {.kind = ModeKind::contacting}, [&](const ModeView& mode) {
          modes[std::string(mode.cs)] = mode.dim;
          return true;
        });
    ASSERT_TRUE(visit);
    EXPECT_EQ(classes, modes);
  }
}

TEST(PatchModes, TheSquareHasTen) {
  const PatchModes found = *patch_modes(square());
  std::set<std::string> strings;
  for (const PatchMode& mode : found.modes) strings.insert(cs_of(found, mode));
  EXPECT_EQ(strings, (std::set<std::string>{"++++", "0+++", "+0++", "++0+", "+++0", "00++", "+00+",
                                            "++00", "0++0", "0000"}));
  // Corners and edges once sticking and once sliding, and five ways of being flat.
  EXPECT_EQ(found.modes.size(), 1U + 8U + 8U + 5U);
  ModeSystem system;
  ASSERT_TRUE(add_patch(system, MatX::Identity(6, 6), square()));
  EXPECT_EQ(count_modes(system)->full, ModeCount{196});
}

TEST(PatchModes, RoundRimsAreOneClassPerRoundPart) {
  using Counts = std::map<PatchMotion, int>;
  const Counts round = {
      {PatchMotion::separate, 1}, {PatchMotion::tip_rim, 2}, {PatchMotion::flat, 5}};
  EXPECT_EQ(motions(*patch_modes(disc())), round);
  EXPECT_EQ(motions(*patch_modes({EllipseShape{{1, 1}, {3, 1}, 0.4}})), round);
  EXPECT_EQ(motions(*patch_modes(stadium())), (Counts{{PatchMotion::separate, 1},
                                                      {PatchMotion::tip_rim, 4},
                                                      {PatchMotion::tip_edge, 4},
                                                      {PatchMotion::flat, 5}}));
  EXPECT_EQ(motions(*patch_modes(drop())), (Counts{{PatchMotion::separate, 1},
                                                   {PatchMotion::tip_vertex, 2},
                                                   {PatchMotion::tip_rim, 2},
                                                   {PatchMotion::tip_edge, 4},
                                                   {PatchMotion::flat, 5}}));
}

TEST(PatchModes, DimensionsOfADisc) {
  std::map<std::pair<PatchMotion, PatchSlip>, Index> dims;
  const PatchModes found = *patch_modes(disc());
  for (const PatchMode& mode : found.modes) dims[{mode.motion, mode.slip}] = mode.dim;
  // Tipping: the twist and the rim point satisfy two equations (contact, and no slope along the
  // rim) in 6 + 1 unknowns; sticking is two more.
  EXPECT_EQ((dims[{PatchMotion::tip_rim, PatchSlip::slide}]), 5);
  EXPECT_EQ((dims[{PatchMotion::tip_rim, PatchSlip::stick}]), 3);
  EXPECT_EQ((dims[{PatchMotion::flat, PatchSlip::stick}]), 0);
  EXPECT_EQ((dims[{PatchMotion::flat, PatchSlip::translate}]), 2);
  EXPECT_EQ((dims[{PatchMotion::flat, PatchSlip::turn_inside}]), 3);
  EXPECT_EQ((dims[{PatchMotion::flat, PatchSlip::turn_on_rim}]), 2);
  EXPECT_EQ((dims[{PatchMotion::flat, PatchSlip::turn_outside}]), 3);
}

TEST(AddPatch, RowsAreTheVelocitiesOfTheCorners) {
  const PatchShape shape = polygon({{0, 0}, {4, 1}, {2, 3}});
  const PlanarSet hull = *convex_hull_of(shape);
  ModeSystem system;
  ASSERT_EQ(*add_patch(system, MatX::Identity(6, 6), shape), 3);
  const Twist twist{{0.5, -2, 3}, {4, 5, -6}};
  for (Index k = 0; k < 3; ++k) {
    const Vec3 v = velocity_at(twist, hull.vertices()[k]);
    EXPECT_EQ(VecX(system.rows.middleRows(3 * k, 3) * twist.vec()), VecX(Vec3(v[2], v[0], v[1])));
  }
  // Behind other contacts, through the rows of two bodies.
  MatX relative(6, 12);
  relative << MatX::Identity(6, 6), -MatX::Identity(6, 6);
  ModeSystem both;
  add_contact(both, VecX::Ones(12), MatX(0, 12));
  ASSERT_TRUE(add_patch(both, relative, shape, {.planes = 0}));
  EXPECT_EQ(both.contacts.size(), 4U);
  EXPECT_EQ(both.rows.bottomRows(3).leftCols(6), -both.rows.bottomRows(3).rightCols(6));
}

TEST(AddPatch, ARoundRimNeedsCorners) {
  ModeSystem system;
  const auto refused = add_patch(system, MatX::Identity(6, 6), disc());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("`rim`"), std::string::npos);
  EXPECT_EQ(system.contacts.size(), 0U);
  EXPECT_EQ(*add_patch(system, MatX::Identity(6, 6), disc(), {.planes = 0, .rim = 8}), 8);
  // A cone over an octagon: 8 corners, 8 edges, flat, separate.
  EXPECT_EQ(count_modes(system)->cs, ModeCount{18});
  EXPECT_FALSE(add_patch(system, MatX::Identity(6, 6), polygon({})));
  EXPECT_FALSE(patch_modes(polygon({})));
}

}  // namespace
}  // namespace tact
