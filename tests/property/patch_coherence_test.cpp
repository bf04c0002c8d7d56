// Patches over prescribed motions: what changes does so continuously, or at events that can be
// named.
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tact/geom/collide.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/shape_zoo.hpp"

namespace tact {
namespace {

constexpr int steps = 100'000;

/// Follows one pair and counts what happens to its patch from step to step.
struct Follower {
  PairMemory memory;
  ContactBuffer now, before;
  int kind_changes = 0, face_changes = 0, lost = 0;
  double largest_turn = 0;       ///< of the normal [rad], steps with a change of face apart
  double largest_area_step = 0;  ///< the same of the area [m²]
  double largest_gap_error = 0;

  void step(const Shape& first, const Pose& X1, const Shape& second, const Pose& X2,
            double margin) {
    std::swap(now, before);
    now.clear();
    collide(first, X1, second, X2, {margin}, memory, now);
    if (now.contacts.empty() != before.contacts.empty()) ++lost;
    if (now.contacts.empty()) return;
    const SurfaceContact& c = now.contacts[0];
    largest_gap_error = std::max(largest_gap_error, std::abs(least_gap(c, now) - c.distance));
    if (before.contacts.empty()) return;
    const SurfaceContact& b = before.contacts[0];
    const bool event = c.feature != b.feature;
    if (event) ++face_changes;
    if (c.kind != b.kind) ++kind_changes;
    if (event || c.kind != b.kind) return;
    largest_turn = std::max(largest_turn, (c.X_WC.R.col(2) - b.X_WC.R.col(2)).norm());
    largest_area_step =
        std::max(largest_area_step, std::abs(patch_area(c, now) - patch_area(b, before)));
  }
};

/// A box about to tip over its edge at y = 0, tilted by the angle.
Pose tipped(const Vec3& half, double angle) {
  const Mat3 R = exp_so3(Vec3(angle, 0, 0));
  return {R, R * Vec3(0, half[1], half[2])};
}

TEST(PatchCoherence, ABoxThatTipsOverIsOneFaceUntilTheNextIsBetter) {
  const Vec3 half(0.1, 0.1, 0.1);
  for (const bool on_box : {false, true}) {
    SCOPED_TRACE(on_box);
    const Shape ground = on_box ? Shape(Box{Vec3(1, 1, 1)}) : Shape(HalfSpace{});
    const Pose below{Mat3::Identity(), Vec3(0, 0, on_box ? -1 : 0)};
    Follower f;
    Rng rng(1);
    for (int k = 0; k <= steps; ++k) {
      // From flat over 90 degrees to the next side, slowly, with a tremble of 1e-9 rad and metres.
      Pose X = tipped(half, -std::numbers::pi / 2 * k / steps + 1e-9 * rng.normal());
      X.p[2] += 1e-9 * rng.normal();
      X.p[0] += 0.3 * k / steps;
      f.step(Box{half}, X, ground, below, 1e-3);
    }
    EXPECT_EQ(f.lost, 1);
    EXPECT_EQ(f.face_changes, 1);  // at 45 degrees
    EXPECT_EQ(f.kind_changes, 0);
    EXPECT_LE(f.largest_turn, on_box ? 1e-4 : 0);
    EXPECT_LE(f.largest_area_step, 0.04 * 1e-4);
    EXPECT_LE(f.largest_gap_error, 1e-12);
  }
}

TEST(PatchCoherence, ABoxThatTremblesAtTheSwitchingAngleDoesNotFlicker) {
  const Vec3 half(0.1, 0.1, 0.1);
  Follower f;
  Rng rng(2);
  for (int k = 0; k <= steps; ++k) {
    const double angle = -std::numbers::pi / 4 + 1e-4 * rng.normal();  // below face_switch
    f.step(Box{half}, tipped(half, angle), HalfSpace{}, {}, 1e-3);
  }
  EXPECT_EQ(f.lost, 1);
  EXPECT_LE(f.face_changes, 1);
  EXPECT_EQ(f.kind_changes, 0);
}

TEST(PatchCoherence, ACylinderRolledOntoItsRimAndItsSideChangesOnce) {
  const double r = 0.1, l = 0.15;
  Follower f;
  for (int k = 0; k <= steps; ++k) {
    const double angle = std::numbers::pi / 2 * k / steps;
    const Mat3 R = exp_so3(Vec3(angle, 0, 0));
    const double height = r * std::sin(angle) + l * std::cos(angle);
    f.step(Cylinder{r, l}, {R, Vec3(0, 0, height)}, HalfSpace{}, {}, 1e-3);
  }
  EXPECT_EQ(f.lost, 1);
  EXPECT_EQ(f.face_changes, 1);
  EXPECT_EQ(f.kind_changes, 2);  // disc to ellipse at the start, ellipse to segment at 45 degrees
  EXPECT_EQ(f.largest_turn, 0);
  EXPECT_LE(f.largest_area_step, std::numbers::pi * r * r * 2 * std::numbers::pi / steps);
  EXPECT_LE(f.largest_gap_error, 1e-14);
}

TEST(PatchCoherence, AFootThatCrossesAStairLosesItsAreaContinuously) {
  // A foot slides over the edge of a stair, pitching a little: the patch shrinks to nothing and is
  // left as an edge; the corners that remain keep their names.
  const Vec3 half(0.12, 0.05, 0.02);
  Follower f;
  std::set<std::uint32_t> names;
  for (int k = 0; k <= steps; ++k) {
    const double t = static_cast<double>(k) / steps;
    const Mat3 R = exp_so3(Vec3(0, 1e-3 * std::sin(20 * t), 0.2));
    // Low enough that the foot never leaves the margin before it has left the stair.
    f.step(Box{half}, {R, Vec3(0.4 * t, 0, 0.02 - 1e-4)}, Box{Vec3(0.2, 0.5, 0.1)},
           {Mat3::Identity(), Vec3(-0.2, 0, -0.1)}, 1e-3);
    names.insert(f.now.point_features.begin(), f.now.point_features.end());
  }
  EXPECT_LE(f.largest_area_step, 0.4 / steps * 0.12);
  EXPECT_LE(f.largest_gap_error, 1e-12);
  EXPECT_LE(names.size(), 16U);  // corners of the foot and crossings with one edge of the stair
  EXPECT_LE(f.face_changes, 2);  // at the very end, where the foot passes below the edge
}

TEST(PatchCoherence, BoxesThatShearAndTurnOnEachOtherKeepTheirNormal) {
  const Shape upper = Box{Vec3(0.1, 0.2, 0.05)}, lower = Box{Vec3(0.15, 0.15, 0.1)};
  Follower f;
  Rng rng(3);
  for (int k = 0; k <= steps; ++k) {
    const double t = static_cast<double>(k) / steps;
    const Mat3 R = exp_so3(Vec3(1e-12 * rng.normal(), 1e-12 * rng.normal(), 3 * t));
    const Vec3 p(0.05 * std::sin(9 * t), 0.04 * std::cos(7 * t), 0.15 + 1e-12 * rng.normal());
    f.step(upper, {R, p}, lower, {}, 1e-3);
  }
  EXPECT_EQ(f.lost, 1);
  EXPECT_EQ(f.face_changes, 0);
  EXPECT_EQ(f.kind_changes, 0);
  EXPECT_LE(f.largest_turn, 1e-10);
  EXPECT_LE(f.largest_area_step, 0.3 * 10.0 / steps);
}

TEST(PatchCoherence, MeshesThatRestOnEachOtherKeepTheirFaces) {
  const Shape upper = testing::mesh_shape(testing::prism(6, 0.1, 0.05));
  const Shape lower = testing::mesh_shape(testing::prism(40, 0.2, 0.1));
  Follower f;
  Rng rng(4);
  for (int k = 0; k <= steps / 10; ++k) {
    const double t = 10.0 * k / steps;
    const Mat3 R = exp_so3(Vec3(1e-10 * rng.normal(), 1e-10 * rng.normal(), t));
    const Vec3 p(0.15 * t, 0.02 * std::sin(7 * t), 0.15 + 1e-10 * rng.normal());
    f.step(upper, {R, p}, lower, {}, 1e-3);
  }
  EXPECT_EQ(f.lost, 1);
  EXPECT_EQ(f.face_changes, 0);
  EXPECT_EQ(f.kind_changes, 0);
  EXPECT_LE(f.largest_turn, 1e-8);
  EXPECT_LE(f.largest_area_step, 0.3 * 0.3 * 100.0 / steps);
}

TEST(PatchCoherence, MemoryChangesNoDistance) {
  Rng rng(5);
  for (int a = 0; a < testing::half_space_kind; ++a)
    for (int b = a; b < testing::shape_kinds; ++b) {
      SCOPED_TRACE(testing::kind_name(a) + testing::kind_name(b));
      testing::ShapePair p{testing::random_shape(rng, a), testing::random_shape(rng, b), {}, {}};
      testing::random_place(rng, 1, 1.5, p);
      PairMemory memory;
      ContactBuffer kept, fresh;
      for (int k = 0; k < 100; ++k) {
        p.X_W1.R *= exp_so3(0.02 * Vec3(rng.normal(), rng.normal(), rng.normal()));
        p.X_W1.p += 0.02 * Vec3(rng.normal(), rng.normal(), rng.normal());
        kept.clear();
        fresh.clear();
        PairMemory none;
        collide(p.first, p.X_W1, p.second, p.X_W2, {0.3}, memory, kept);
        collide(p.first, p.X_W1, p.second, p.X_W2, {0.3}, none, fresh);
        ASSERT_EQ(kept.contacts.size(), fresh.contacts.size());
        if (kept.contacts.empty()) continue;
        EXPECT_NEAR(kept.contacts[0].distance, fresh.contacts[0].distance, 1e-13);
      }
    }
}

}  // namespace
}  // namespace tact
