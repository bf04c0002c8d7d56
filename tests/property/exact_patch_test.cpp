// Patches of boxes that meet face to face against the same overlap in exact rational numbers.
//
// The referee takes the boxes, their poses and the frame of the contact as the rationals that the
// doubles are, so that all it disagrees about is what the patch itself got wrong.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/geom/collide.hpp"
#include "tests/support/shape_zoo.hpp"

namespace tact {
namespace {

using Exact3 = std::array<mpq_class, 3>;
struct Exact2 {
  mpq_class x, y;
  bool operator==(const Exact2&) const = default;
};
using ExactPolygon = std::vector<Exact2>;

Exact3 exact(const Vec3& v) {
  return {mpq_class(v[0]), mpq_class(v[1]), mpq_class(v[2])};
}
mpq_class dot(const Exact3& a, const Exact3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Exact3 cross(const Exact3& a, const Exact3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Exact3 sum(const Exact3& a, const mpq_class& factor, const Exact3& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// Twice the area of the triangle, positive if it turns to the left.
mpq_class turn(const Exact2& a, const Exact2& b, const Exact2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
Vec2 rounded(const Exact2& p) {
  return {p.x.get_d(), p.y.get_d()};
}

/// A face of a box in the frame of a contact: corners in its plane, and where the face is above it.
struct ExactFace {
  ExactPolygon corners;  ///< counter-clockwise
  Exact3 normal, middle;
  double alignment;
};

/// The face whose outward normal is most nearly along d.
ExactFace face_along(const Box& box, const Pose& X_W, const Vec3& d_W, const Pose& X_WC) {
  const Vec3 d = X_W.R.transpose() * d_W;
  Index axis = 0;
  ExactFace f;
  f.alignment = d.cwiseAbs().maxCoeff(&axis);
  const Index u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Exact3 zero{};
  const Exact3 du = sum(zero, box.half_extents[u], exact(X_W.R.col(u)));
  const Exact3 dv = sum(zero, box.half_extents[v], exact(X_W.R.col(v)));
  const double out = std::copysign(box.half_extents[axis], d[axis]);
  f.middle = sum(exact(X_W.p), out, exact(X_W.R.col(axis)));
  f.normal = cross(du, dv);
  const Exact3 x = exact(X_WC.R.col(0)), y = exact(X_WC.R.col(1)), origin = exact(X_WC.p);
  constexpr std::array<std::array<int, 2>, 4> signs{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
  for (const auto& s : signs) {
    const Exact3 corner = sum(sum(sum(f.middle, s[0], du), s[1], dv), -1, origin);
    f.corners.push_back({dot(x, corner), dot(y, corner)});
  }
  if (turn(f.corners[0], f.corners[1], f.corners[2]) < 0)
    std::reverse(f.corners.begin(), f.corners.end());
  return f;
}

/// How far along the normal of the contact the face lies over a point of the contact plane.
mpq_class height(const ExactFace& f, const Pose& X_WC, const Vec2& at) {
  Exact3 p = sum(exact(X_WC.p), at[0], exact(X_WC.R.col(0)));
  p = sum(p, at[1], exact(X_WC.R.col(1)));
  return dot(f.normal, sum(f.middle, -1, p)) / dot(f.normal, exact(X_WC.R.col(2)));
}

/// Sutherland and Hodgman (1974).
ExactPolygon overlap(ExactPolygon subject, const ExactPolygon& clip) {
  for (std::size_t e = 0; e < clip.size() && !subject.empty(); ++e) {
    const Exact2 &a = clip[e], &b = clip[(e + 1) % clip.size()];
    ExactPolygon left;
    for (std::size_t i = 0; i < subject.size(); ++i) {
      const Exact2 &from = subject[i], &to = subject[(i + 1) % subject.size()];
      const mpq_class here = turn(a, b, from), there = turn(a, b, to);
      if (here >= 0) left.push_back(from);
      if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
        const mpq_class t = here / (here - there);
        left.push_back({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
      }
    }
    subject.swap(left);
  }
  return subject;
}

double area(const ExactPolygon& p) {
  mpq_class twice = 0;
  for (std::size_t i = 1; i + 1 < p.size(); ++i) twice += turn(p[0], p[i], p[i + 1]);
  return twice.get_d() / 2;
}

/// Distance of a point from the line through an edge, positive on its left.
double beside(const ExactPolygon& p, std::size_t edge, const Exact2& x) {
  const Exact2 &a = p[edge], &b = p[(edge + 1) % p.size()];
  const double length = (rounded(b) - rounded(a)).norm();
  return length > 0 ? turn(a, b, x).get_d() / length : std::numeric_limits<double>::infinity();
}
double least_beside(const ExactPolygon& p, const Exact2& x) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < p.size(); ++e) least = std::min(least, beside(p, e, x));
  return least;
}

/// The largest sine between edges of the two faces that pass through the point: how well they
/// determine it.
double best_sine(const ExactPolygon& one, const ExactPolygon& two, const Exact2& x) {
  std::vector<Vec2> through;
  for (const ExactPolygon* p : {&one, &two})
    for (std::size_t e = 0; e < p->size(); ++e) {
      const Exact2 &a = (*p)[e], &b = (*p)[(e + 1) % p->size()];
      if (turn(a, b, x) == 0) through.push_back((rounded(b) - rounded(a)).normalized());
    }
  double best = 0;
  for (const Vec2& a : through)
    for (const Vec2& b : through) best = std::max(best, std::abs(a[0] * b[1] - a[1] * b[0]));
  return best;
}

// What the patch is allowed, as shares of the size of the scene. Points outside an edge by less
// than `outside` count as inside, corners nearer than `united` are one: docs/geometry.md.
constexpr double few_roundings = 32 * std::numeric_limits<double>::epsilon();
constexpr double outside = 1e-12, united = 1e-9;

/// Nothing so near to an edge or to another corner that the patch may have taken it for equal.
bool is_clear(const ExactPolygon& one, const ExactPolygon& two, const ExactPolygon& common,
              double size) {
  const auto off_edges = [&](const ExactPolygon& of, const ExactPolygon& points) {
    for (std::size_t e = 0; e < of.size(); ++e)
      for (const Exact2& x : points)
        if (std::abs(beside(of, e, x)) < 2 * outside * size) return false;
    return true;
  };
  for (std::size_t i = 0; i < common.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((rounded(common[i]) - rounded(common[j])).norm() < 2 * united * size) return false;
  return off_edges(one, two) && off_edges(two, one);
}

struct Tally {
  int clear = 0, close = 0, slivers = 0, tilted = 0, skipped = 0;
};

void expect_corners(const ExactPolygon& one, const ExactPolygon& two, const ExactPolygon& common,
                    const ExactPolygon& patch, double size) {
  ASSERT_EQ(patch.size(), common.size());
  for (const Exact2& corner : common) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Exact2& p : patch)
      nearest = std::min(nearest, (rounded(p) - rounded(corner)).norm());
    EXPECT_LE(nearest, few_roundings * size / best_sine(one, two, corner));
  }
}

void compare(const Box& first, const Pose& X_W1, const Box& second, const Pose& X_W2,
             Tally& tally) {
  ContactBuffer out;
  PairMemory memory;
  collide(first, X_W1, second, X_W2, {1}, memory, out);
  ASSERT_EQ(out.contacts.size(), 1);
  const SurfaceContact& c = out.contacts[0];
  const Vec3 n = c.X_WC.R.col(2);
  const ExactFace one = face_along(first, X_W1, -n, c.X_WC);
  const ExactFace two = face_along(second, X_W2, n, c.X_WC);
  const double size = first.half_extents.norm() + second.half_extents.norm() + X_W1.p.norm();
  // Where neither face lies in the contact plane edges meet, and that is another patch.
  if (std::max(one.alignment, two.alignment) < 0.991) return void(++tally.skipped);
  const ExactPolygon common = overlap(one.corners, two.corners);
  if (c.kind != PatchKind::polygon) {
    double across = 0;
    for (const Exact2& p : common)
      across = std::max(across, (rounded(p) - rounded(common[0])).norm());
    if (!common.empty()) {
      EXPECT_LE(area(common), 2 * united * across * size);  // corners across it are one
    }
    return void(++tally.slivers);
  }
  ExactPolygon patch;
  double across = 0;
  for (const Vec2& x : out.points) {
    patch.push_back({mpq_class(x[0]), mpq_class(x[1])});
    across = std::max(across, (x - out.points[0]).norm());
    const mpq_class gap = height(one, c.X_WC, x) - height(two, c.X_WC, x);
    const double steep = std::min(one.alignment, two.alignment);
    EXPECT_NEAR(c.gap[0] + c.gap.tail<2>().dot(x), gap.get_d(), few_roundings * size / steep);
    EXPECT_GE(least_beside(one.corners, patch.back()), -2 * outside * size);
    EXPECT_GE(least_beside(two.corners, patch.back()), -2 * outside * size);
  }
  if (is_clear(one.corners, two.corners, common, size)) {
    ++tally.clear;
    expect_corners(one.corners, two.corners, common, patch, size);
    EXPECT_NEAR(patch_area(c, out), area(common), few_roundings * size * across);
  } else {
    ++tally.close;
    for (const Exact2& corner : common) EXPECT_GE(least_beside(patch, corner), -2 * united * size);
    EXPECT_NEAR(patch_area(c, out), area(common), 4 * united * size * across);
  }
  if (one.alignment < 1 - 1e-15 || two.alignment < 1 - 1e-15) ++tally.tilted;
}

/// A rotation that is rational but for the last rounding: of a quaternion of small integers.
Mat3 rational_rotation(Rng& rng) {
  Quaternion q;
  do {
    const auto small = [&] { return static_cast<double>(rng.below(11)) - 5; };
    q = {small(), small(), small(), small()};
  } while (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z == 0);
  return to_matrix(normalized(q));
}

double dyadic(Rng& rng, int low, int high) {
  return (low + static_cast<int>(rng.below(static_cast<std::uint64_t>(high - low)))) / 256.0;
}

/// The first above the top of the second, turned about the common normal by a rational angle; the
/// kinds: anywhere; tilted a little; with a corner or an edge that covers the other by a hair.
void face_to_face(int kind, Tally& tally) {
  Rng rng{static_cast<std::uint64_t>(700 + kind)};
  const int many = testing::how_many(1500);
  for (int k = 0; k < many; ++k) {
    SCOPED_TRACE(k);
    const auto sides = [&] {
      return Vec3(dyadic(rng, 16, 256), dyadic(rng, 16, 256), dyadic(rng, 16, 256));
    };
    const Box first{sides()}, second{sides()};
    const double a = static_cast<double>(rng.below(9)), b = static_cast<double>(rng.below(5));
    const Mat3 about_z =
        a == 0 && b == 0 ? Mat3(Mat3::Identity()) : to_matrix(normalized(Quaternion{a, 0, 0, b}));
    const Vec3 reach = about_z.cwiseAbs() * first.half_extents;
    Vec3 p(dyadic(rng, -64, 64), dyadic(rng, -64, 64), 0);
    const double hair = std::ldexp(1.0, -static_cast<int>(3 + rng.below(36)));
    if (kind == 2) p[0] = second.half_extents[0] + reach[0] - hair;
    // Apart, so that the normal is that of the faces however little they cover each other.
    p[2] = first.half_extents[2] + second.half_extents[2] + dyadic(rng, kind == 2 ? 1 : -2, 8);
    Mat3 R = about_z;
    if (kind == 1) R = exp_so3(hair * Vec3(rng.normal(), rng.normal(), rng.normal())) * about_z;
    const Mat3 R2 = k % 3 == 0 ? Mat3(Mat3::Identity()) : rational_rotation(rng);
    const Pose X_W2{R2, Vec3::Zero()}, X_W1{R2 * R, R2 * p};
    compare(first, X_W1, second, X_W2, tally);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(ExactPatch, FacesThatOverlapAnyhow) {
  Tally t;
  face_to_face(0, t);
  EXPECT_GT(t.clear, 100 * t.skipped);
  EXPECT_GT(t.close, 0);  // parallel faces of equal sides
}

TEST(ExactPatch, FacesThatAreNearlyParallel) {
  Tally t;
  face_to_face(1, t);
  EXPECT_GT(t.clear, 10 * t.skipped);
  EXPECT_GT(t.tilted, t.clear / 2);
}

TEST(ExactPatch, FacesThatOverlapByAHair) {
  Tally t;
  face_to_face(2, t);
  EXPECT_GT(t.clear, 5 * t.skipped);  // beside each other: nothing in common
  EXPECT_GT(t.slivers, 0);
}

}  // namespace
}  // namespace tact
