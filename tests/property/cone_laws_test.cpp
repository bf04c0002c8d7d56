#include "cone_laws.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "patch_zoo.hpp"
#include "tact/cone/any.hpp"
#include "tact/cone/box.hpp"
#include "tact/cone/polyhedral.hpp"
#include "tact/cone/pyramid.hpp"

namespace tact {
namespace {

using testing::expect_cone_laws;
using testing::expect_moreau;
using testing::expect_projection;
using testing::law_tolerance;
using testing::lever;
using testing::patch_zoo;
using testing::probes;
using testing::random_metric;

TEST(ConeLaws, HalfLine) {
  expect_cone_laws(HalfLine{});
}

TEST(ConeLaws, CoulombAndItsDual) {
  for (const double mu : {0.0, 1e-6, 1e-3, 0.3, 1.0, 5.0, 1e3}) {
    SCOPED_TRACE(mu);
    expect_cone_laws(CoulombCone(mu), 1, mu);
  }
}

TEST(ConeLaws, BoxesAndPyramids) {
  for (const double mu : {0.0, 1e-3, 0.6, 2.0}) {
    SCOPED_TRACE(mu);
    expect_cone_laws(box_cone(mu));
    expect_cone_laws(box_cone(mu, BoxScale::circumscribed()));
    expect_cone_laws(box_cone(mu, BoxScale::mean_dissipation()));
    for (const int edges : {3, 4, 8, 16}) expect_cone_laws(pyramid_cone(mu, edges));
  }
}

TEST(ConeLaws, PolyhedralConesInSeveralDimensions) {
  Rng rng(5);
  for (const Index size : {2, 3, 5}) {
    for (const Index rays : {1, 2, 4, 7}) {
      MatX g(size, rays);
      for (Index i = 0; i < g.size(); ++i) g.data()[i] = rng.normal();
      g.row(size - 1) = g.row(size - 1).cwiseAbs();  // all on one side: pointed
      SCOPED_TRACE(std::to_string(rays) + " rays in dimension " + std::to_string(size));
      expect_cone_laws(PolyhedralCone::from_rays(g), 3, 0, size, 30);
    }
  }
}

TEST(ConeLaws, PatchesOfEveryShapeAndSize) {
  for (const double scale : {1.0, 1e-9, 1e-3, 1e6}) {
    for (const auto& [name, shape] : patch_zoo(scale)) {
      SCOPED_TRACE(name + " of size " + std::to_string(scale));
      const PatchCone cone(*convex_hull_of(shape));
      expect_cone_laws(cone, 1, lever(cone.hull()));
    }
  }
}

/// A box of friction is also a polyhedral cone: two algorithms, one projection.
TEST(ConeLaws, PlanarConesAgreeWithNonNegativeLeastSquares) {
  Rng rng(11);
  for (const auto& [name, shape] : patch_zoo()) {
    const PlanarSet set = *convex_hull_of(shape);
    if (set.kind() != PlanarSet::Kind::polygon) continue;
    SCOPED_TRACE(name);
    MatX rays(3, static_cast<Index>(set.vertices().size()));
    for (Index i = 0; i < rays.cols(); ++i)
      rays.col(i) << set.vertices()[static_cast<std::size_t>(i)], 1;
    const PlanarCone planar(set);
    const auto polyhedral = PolyhedralCone::from_rays(rays);
    for (const auto& x : probes<3>(2, 100)) {
      const auto metric = random_metric<3>(rng, 3);
      const Vec3 p = planar.project(x, metric);
      const VecX q = polyhedral.project(x, Metric<Eigen::Dynamic>::from_spd(metric.matrix()));
      // Nearly parallel rays cost the least-squares referee half its digits, not the planar kernel.
      EXPECT_LE(metric.norm(p - q), 1e-7 * metric.norm(x)) << x.transpose();
    }
  }
}

/// A disc added inside changes nothing but the way the set is stored: the general chain of arcs
/// must give the projections of the polygon.
TEST(ConeLaws, ChainsOfArcsAgreeWithPolygons) {
  Rng rng(12);
  const PatchShape foot = patch_zoo()[6].shape;
  const PatchShape stored_as_arcs{UnionShape{{foot, {DiscShape{Vec2(0, 0), 0.1}}}}};
  const PatchCone polygon(*convex_hull_of(foot)), chain(*convex_hull_of(stored_as_arcs));
  ASSERT_EQ(chain.hull().kind(), PlanarSet::Kind::arcs);
  for (const auto& x : probes<3>(3, 2000)) {
    const auto metric = random_metric<3>(rng, 5);
    EXPECT_LE(metric.norm(polygon.project(x, metric) - chain.project(x, metric)),
              law_tolerance * metric.norm(x));
  }
}

/// Projection commutes with a change of frame when the metric is carried along.
TEST(ConeLaws, EquivariantUnderChangeOfFrame) {
  Rng rng(7);
  for (const auto& [name, shape] : patch_zoo()) {
    SCOPED_TRACE(name);
    const PatchCone cone(*convex_hull_of(shape));
    for (int k = 0; k < 60; ++k) {
      const Vec2 origin(rng.normal(), rng.normal());
      const double angle = rng.uniform(-4, 4);
      const PatchCone moved = cone.in_frame(origin, angle);
      Mat3 a;  // wrench -> wrench in the new frame
      for (Index i = 0; i < 3; ++i)
        a.col(i) = change_frame_of_normal_wrench(Vec3::Unit(i), origin, angle);
      const auto metric = random_metric<3>(rng, 3);
      const Mat3 u = metric.upper() * a.inverse();
      const auto moved_metric = Metric<3>::from_spd(u.transpose() * u);
      const Vec3 x(rng.normal(), rng.normal(), rng.normal());
      const Vec3 here = a * cone.project(x, metric);
      const Vec3 there = moved.project(a * x, moved_metric);
      // The frame and the metric are rounded once more: by the lever of the shift.
      const double lost = tolerance::rounding * (1 + origin.norm()) * (1 + origin.norm());
      const double bar = law_tolerance + lost * a.norm() * metric.inverse_upper().norm();
      EXPECT_LE(moved_metric.norm(here - there), 10 * bar * metric.norm(x));
      // Power is the same in every frame, and so is membership of the dual.
      const Vec3 twist(rng.normal(), rng.normal(), rng.normal());
      const Vec3 moved_twist = change_frame_of_normal_twist(twist, origin, angle);
      const double size = (1 + origin.norm()) * (1 + origin.norm()) * x.norm() * twist.norm();
      EXPECT_NEAR((a * x).dot(moved_twist), x.dot(twist), tolerance::rounding * size);
      const double reach = (1 + origin.norm() + lever(cone.hull())) * twist.norm();
      EXPECT_NEAR(moved.dual_margin(moved_twist), cone.dual_margin(twist),
                  tolerance::rounding * reach);
    }
  }
}

/// Another unit of length: moments scale, forces do not. The points and the metric scale along, so
/// that they lie in, on and beside the cone at every size as they do at size one.
TEST(ConeLaws, EquivariantUnderChangeOfUnit) {
  Rng rng(8);
  const auto reference = patch_zoo();
  for (const double unit : {1e-9, 1e-6, 1e-3, 1e3, 1e6}) {
    const auto scaled = patch_zoo(unit);
    for (std::size_t i = 0; i < reference.size(); ++i) {
      SCOPED_TRACE(reference[i].name);
      const PatchCone a(*convex_hull_of(reference[i].shape)), b(*convex_hull_of(scaled[i].shape));
      const Vec3 s(unit, unit, 1);
      for (int k = 0; k < 40; ++k) {
        const auto metric = random_metric<3>(rng, 3);
        const Mat3 u = metric.upper() * s.cwiseInverse().asDiagonal();
        const auto scaled_metric = Metric<3>::from_spd(u.transpose() * u);
        const Vec3 x(rng.normal(), rng.normal(), rng.normal());
        const Vec3 p = s.cwiseProduct(a.project(x, metric));
        const Vec3 q = b.project(s.cwiseProduct(x), scaled_metric);
        EXPECT_LE(scaled_metric.norm(p - q), 10 * law_tolerance * metric.norm(x));
      }
    }
  }
}

TEST(ConeLaws, BoxTurnedByAQuarterIsItself) {
  Rng rng(9);
  const PlanarCone box = box_cone(0.7), turned = box.turned(std::numbers::pi / 2);
  const PlanarCone eighth = box.turned(std::numbers::pi / 4);
  bool differs = false;
  for (const auto& x : probes<3>(4, 100)) {
    EXPECT_LE((box.project(x) - turned.project(x)).norm(), law_tolerance * x.norm());
    differs = differs || (box.project(x) - eighth.project(x)).norm() > 0.01 * x.norm();
  }
  EXPECT_TRUE(differs) << "a box has corners: turned by an eighth it is another cone";
}

/// The inscribed n-gon misses the disc by its sagitta, R (1 - cos π/n) ~ 1/n²: so do margins and
/// distances. A projection slides along the flat side it falls on and converges like the root, 1/n.
TEST(ConeLaws, PolygonsConvergeToTheDisc) {
  const PlanarCone disc(*convex_hull_of({DiscShape{Vec2(0.3, 0.2), 1}}));
  const auto xs = probes<3>(6, 2000);
  double point_before = 0, distance_before = 0;
  for (const int corners : {16, 32, 64, 128, 256}) {
    const PlanarCone polygon(
        *convex_hull_of({PolygonShape{testing::regular_polygon(corners, 1, Vec2(0.3, 0.2))}}));
    double point = 0, distance = 0;
    for (const auto& x : xs) {
      if (x.norm() < 1e-8) continue;
      const Vec3 p = disc.project(x), q = polygon.project(x);
      point = std::max(point, (p - q).norm() / x.norm());
      distance = std::max(distance, std::abs((p - x).norm() - (q - x).norm()) / x.norm());
    }
    if (point_before > 0) {
      EXPECT_NEAR(point_before / point, 2, 0.3) << corners;
      EXPECT_NEAR(distance_before / distance, 4, 0.6) << corners;
    }
    point_before = point;
    distance_before = distance;
  }
}

/// Only the hull matters: samples of the inside and repeated corners change nothing, to the bit.
TEST(ConeLaws, FilledPatchIsItsHull) {
  Rng rng(10);
  for (const auto& [name, shape] : patch_zoo()) {
    const auto* outline = std::get_if<PolygonShape>(&shape.value);
    if (outline == nullptr || name == "sliver") continue;
    SCOPED_TRACE(name);
    PolygonShape filled = *outline;
    for (int k = 0; k < 500; ++k) {
      Vec2 x = Vec2::Zero();
      double sum = 0;
      for (const Vec2& v : outline->points) {
        const double w = rng.uniform();
        x += w * v;
        sum += w;
      }
      filled.points.insert(filled.points.begin(), x / sum);
    }
    filled.points.insert(filled.points.end(), outline->points.begin(), outline->points.end());
    EXPECT_EQ(PatchCone(*convex_hull_of({filled})), PatchCone(*convex_hull_of(shape)));
  }
}

/// Far from the origin of its frame a patch's cone is thin: its digits go with the ratio.
TEST(ConeLaws, PatchesFarFromTheOrigin) {
  Rng rng(13);
  for (const double distance : {10.0, 1e3, 1e5}) {
    for (const auto& [name, shape] : patch_zoo(1, distance * Vec2(0.8, 0.6))) {
      SCOPED_TRACE(name + " at " + std::to_string(distance));
      const PatchCone cone(*convex_hull_of(shape));
      for (const auto& x : probes<3>(7, 60)) {
        expect_projection(cone, x, Metric<3>(), lever(cone.hull()));
        expect_projection(cone, x, random_metric<3>(rng, 3), lever(cone.hull()));
      }
    }
  }
}

}  // namespace
}  // namespace tact
