#include "tact/geom/collide.hpp"

#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "tact/geom/clip_faces.hpp"
#include "tact/geom/contact_patch.hpp"
#include "tact/geom/distance.hpp"
#include "tact/geom/face_of.hpp"
#include "tact/geom/pair_memory.hpp"
#include "tact/geom/patch_scratch.hpp"
#include "tact/geom/surface_contact.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/polyhedra.hpp"

namespace tact {
namespace {

constexpr double right = std::numbers::pi / 2;

Pose at(const Vec3& turn, const Vec3& p) {
  return {exp_so3(turn), p};
}

ContactBuffer contact(const Shape& first, const Pose& X1, const Shape& second, const Pose& X2,
                      double margin = 1e-3) {
  ContactBuffer out;
  PairMemory memory;
  collide(first, X1, second, X2, {margin}, memory, out);
  return out;
}

TEST(Collide, ABoxOnThePlaneIsItsWholeBottomAtAnyTilt) {
  for (const double tilt : {0.0, 1e-9, 0.1, 0.7}) {
    const double lowest = 0.1 * std::cos(tilt) + 0.2 * std::sin(tilt);
    const ContactBuffer out = contact(
        Box{Vec3(0.3, 0.2, 0.1)}, at(Vec3(tilt, 0, 0), Vec3(0, 0, lowest - 1e-4)), HalfSpace{}, {});
    ASSERT_EQ(out.contacts.size(), 1U);
    const SurfaceContact& c = out.contacts[0];
    EXPECT_EQ(c.kind, PatchKind::polygon);
    EXPECT_EQ(c.point_count, 4);
    EXPECT_NEAR(patch_area(c, out), 4 * 0.3 * 0.2 * std::cos(tilt), 1e-14);
    EXPECT_NEAR(least_gap(c, out), -1e-4, 1e-15);
    EXPECT_NEAR(c.gap.tail<2>().norm(), std::tan(tilt), 1e-13);
    EXPECT_EQ(c.X_WC.R.col(2), Vec3::UnitZ());
  }
}

TEST(Collide, BoxesShareTheExactPolygonOfTheirFaces) {
  // A square of side 2 over one turned by 45 degrees: a regular octagon about the unit circle.
  const ContactBuffer out = contact(Box{Vec3(1, 1, 1)}, at(Vec3(0, 0, right / 2), Vec3(5, 0, 2)),
                                    Box{Vec3(1, 1, 1)}, at(Vec3::Zero(), Vec3(5, 0, 0)));
  ASSERT_EQ(out.contacts.size(), 1U);
  EXPECT_EQ(out.contacts[0].point_count, 8);
  EXPECT_NEAR(patch_area(out.contacts[0], out), 8 * std::tan(right / 4), 1e-14);
  EXPECT_LE((out.contacts[0].X_WC.p - Vec3(5, 0, 1)).norm(), 1e-14);
  EXPECT_EQ(std::set<std::uint32_t>(out.point_features.begin(), out.point_features.end()).size(),
            8U);
}

TEST(Collide, EqualFacesKeepTheirFourCorners) {
  const ContactBuffer out =
      contact(Box{Vec3(1, 2, 1)}, at(Vec3::Zero(), Vec3(1e-15, 0, 2)), Box{Vec3(1, 2, 1)}, {});
  ASSERT_EQ(out.contacts.size(), 1U);
  EXPECT_EQ(out.contacts[0].point_count, 4);
  EXPECT_NEAR(patch_area(out.contacts[0], out), 8, 1e-13);
}

TEST(Collide, CrossedEdgesMeetInAPoint) {
  const ContactBuffer out =
      contact(Box{Vec3(1, 1, 1)}, at(Vec3(right / 2, 0, 0), Vec3(0, 0, 2 * std::numbers::sqrt2)),
              Box{Vec3(1, 1, 1)}, at(Vec3(0, right / 2, 0), Vec3::Zero()));
  ASSERT_EQ(out.contacts.size(), 1U);
  EXPECT_EQ(out.contacts[0].kind, PatchKind::point);
  EXPECT_LE((out.contacts[0].X_WC.p - Vec3(0, 0, std::numbers::sqrt2)).norm(), 1e-12);
}

TEST(Collide, CapsulesLieOnSegments) {
  const Shape capsule = Capsule{0.1, 0.5};
  const Pose lying = at(Vec3(right, 0, 0), Vec3(0, 0, 0.1));
  const ContactBuffer plane = contact(capsule, lying, HalfSpace{}, {});
  ASSERT_EQ(plane.contacts.size(), 1U);
  EXPECT_EQ(plane.contacts[0].kind, PatchKind::segment);
  EXPECT_NEAR((plane.points[1] - plane.points[0]).norm(), 1, 1e-14);
  // On a box that is narrower than the capsule is long.
  const ContactBuffer box =
      contact(capsule, lying, Box{Vec3(1, 0.2, 1)}, at(Vec3::Zero(), Vec3(0, 0, -1)));
  ASSERT_EQ(box.contacts.size(), 1U);
  EXPECT_EQ(box.contacts[0].kind, PatchKind::segment);
  EXPECT_NEAR((box.points[1] - box.points[0]).norm(), 0.4, 4 * tolerance::distance);
  // Beside another, half a length aside.
  const ContactBuffer other =
      contact(capsule, lying, capsule, at(Vec3(right, 0, 0), Vec3(0, 0.5, -0.1)));
  ASSERT_EQ(other.contacts.size(), 1U);
  EXPECT_EQ(other.contacts[0].kind, PatchKind::segment);
  EXPECT_NEAR((other.points[1] - other.points[0]).norm(), 0.5, 1e-12);
}

TEST(Collide, ACylinderIsADiscAnEllipseASegment) {
  const Shape cylinder = Cylinder{0.1, 0.2};
  const auto on_plane = [&](double tilt) {
    const double lowest = 0.2 * std::cos(tilt) + 0.1 * std::sin(tilt);
    return contact(cylinder, at(Vec3(tilt, 0, 0), Vec3(0, 0, lowest)), HalfSpace{}, {});
  };
  EXPECT_EQ(on_plane(0).contacts[0].kind, PatchKind::disc);
  EXPECT_EQ(on_plane(0).contacts[0].radius, 0.1);
  const ContactBuffer tilted = on_plane(0.5);
  EXPECT_EQ(tilted.contacts[0].kind, PatchKind::ellipse);
  EXPECT_NEAR(tilted.contacts[0].semi_axes[1], 0.1 * std::cos(0.5), 1e-15);
  EXPECT_NEAR(least_gap(tilted.contacts[0], tilted), 0, 1e-15);
  EXPECT_EQ(on_plane(right).contacts[0].kind, PatchKind::segment);
}

TEST(Collide, ACapOverhangingABoxIsAnInscribedPolygon) {
  // Half of the disc lies on the box.
  const ContactBuffer out =
      contact(Cylinder{0.1, 0.2}, at(Vec3::Zero(), Vec3(1, 0, 1.2)), Box{Vec3(1, 1, 1)}, {});
  ASSERT_EQ(out.contacts.size(), 1U);
  EXPECT_EQ(out.contacts[0].kind, PatchKind::polygon);
  const double half_disc = std::numbers::pi * 0.01 / 2, area = patch_area(out.contacts[0], out);
  EXPECT_LT(area, half_disc);
  EXPECT_GT(area, half_disc * (1 - 0.0065));
  const ContactBuffer inside =
      contact(Cylinder{0.1, 0.2}, at(Vec3::Zero(), Vec3(0.5, 0, 1.2)), Box{Vec3(1, 1, 1)}, {});
  EXPECT_EQ(inside.contacts[0].kind, PatchKind::disc);
}

TEST(Collide, AMeshOfABoxMeetsAsTheBoxDoes) {
  const Vec3 half(0.5, 0.4, 0.3);
  const Shape mesh = testing::mesh_shape(testing::box_mesh(half));
  const Pose X = at(Vec3(0.02, 0.01, 0.4), Vec3(0.1, 0.2, 1.29));
  const ContactBuffer a = contact(Box{half}, X, Box{Vec3(1, 1, 1)}, {});
  const ContactBuffer b = contact(mesh, X, Box{Vec3(1, 1, 1)}, {});
  ASSERT_EQ(a.contacts.size(), 1U);
  ASSERT_EQ(b.contacts.size(), 1U);
  EXPECT_NEAR(a.contacts[0].distance, b.contacts[0].distance, 1e-13);
  EXPECT_NEAR(patch_area(a.contacts[0], a), patch_area(b.contacts[0], b), 1e-12);
  EXPECT_TRUE(a.contacts[0].X_WC.R.isApprox(b.contacts[0].X_WC.R, 1e-12));
}

TEST(Collide, BeyondTheMarginThereIsNothingAndTheAxisIsRemembered) {
  PairMemory memory;
  ContactBuffer out;
  collide(Box{Vec3(1, 1, 1)}, at(Vec3::Zero(), Vec3(0, 0, 2.2)), Box{Vec3(1, 1, 1)}, {}, {0.1},
          memory, out);
  EXPECT_TRUE(out.contacts.empty());
  EXPECT_EQ(memory.axis_W, Vec3::UnitZ());
  collide(HalfSpace{}, {}, HalfSpace{}, {}, {0.1}, memory, out);
  EXPECT_TRUE(out.contacts.empty());
}

TEST(FaceOf, TheOldFaceStaysUntilAnotherIsBetter) {
  const Convex box = convex_of(Box{Vec3(1, 1, 1)}, {});
  OutlinePoints points;
  const auto face = [&](double angle, int kept) {
    const Vec3 d(std::sin(angle), 0, std::cos(angle));
    return face_toward(box, d, d, kept, points).face;
  };
  EXPECT_EQ(face(right / 2 - 1e-4, -1), 4);
  EXPECT_EQ(face(right / 2 + 1e-4, -1), 0);
  EXPECT_EQ(face(right / 2 + 1e-4, 4), 4);
  EXPECT_EQ(face(right / 2 + 1e-3, 4), 0);
}

TEST(ClipFaces, CornersAndCrossingsKeepTheirNames) {
  const auto square = [](double side, const Vec2& at, std::uint32_t shape) {
    NamedPolygon p;
    const Vec2 corners[] = {{-side, -side}, {side, -side}, {side, side}, {-side, side}};
    for (std::uint32_t i = 0; i < 4; ++i)
      p.push_back(
          {at + corners[i], feature_name(shape, i, 0), edge_name(shape, i, (i + 1) % 4), -1});
    return p;
  };
  NamedPolygon spare, subject = square(1, Vec2(1, 1), 1);
  clip_polygon(subject, square(1, Vec2::Zero(), 2), 1e-9, spare);
  ASSERT_EQ(subject.size(), 4U);
  std::set<std::uint32_t> names;
  for (const PatchCorner& p : subject) names.insert(p.name);
  const std::set<std::uint32_t> expected{feature_name(1, 0, 0), feature_name(2, 2, 0),
                                         feature_name(3, edge_name(1, 0, 1), edge_name(2, 1, 2)),
                                         feature_name(3, edge_name(1, 3, 0), edge_name(2, 2, 3))};
  EXPECT_EQ(names, expected);
  EXPECT_NEAR(area_centre(subject).area, 1, 1e-15);
}

TEST(PairMemoryOf, ThePairInTheOtherOrder) {
  const PairMemory m{Vec3::UnitX(), 1, 2, true};
  EXPECT_EQ(swapped(m).axis_W, -Vec3::UnitX());
  EXPECT_EQ(swapped(m).face_first, 2);
}

}  // namespace
}  // namespace tact
