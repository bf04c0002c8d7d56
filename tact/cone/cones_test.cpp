// The small rooms together: half-line, Coulomb, box, pyramid, polyhedral, any. Their laws are in
// tests/property/cone_laws_test.cpp; here the cases one can do by hand and the contracts.
#include <limits>

#include <gtest/gtest.h>

#include "tact/cone/any.hpp"
#include "tact/cone/box.hpp"
#include "tact/cone/patch_shape.hpp"
#include "tact/cone/polyhedral.hpp"
#include "tact/cone/pyramid.hpp"

namespace tact {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Coulomb, StickSlipOpen) {
  const CoulombCone k(0.5);
  EXPECT_EQ(k.project(Vec3(0.3, 0, 1)), Vec3(0.3, 0, 1));
  EXPECT_EQ(k.project(Vec3(1, 0, -3)), Vec3::Zero());
  EXPECT_LE((k.project(Vec3(1, 0, 0)) - Vec3(0.2, 0, 0.4)).norm(), tolerance::rounding);
  EXPECT_EQ(k.margin(Vec3(0.3, 0, 1)), 0.2);
  EXPECT_EQ(CoulombDual(0.5).margin(Vec3(1, 0, 1)), 0.5);
  EXPECT_EQ(CoulombCone(0).project(Vec3(0, 0, -1)), Vec3::Zero());
}

TEST(Cones, ContractsAtTheDoor) {
  EXPECT_THROW(CoulombCone(-0.1), ContractViolation);
  EXPECT_THROW(CoulombCone{nan}, ContractViolation);
  EXPECT_THROW((void)box_cone(-1), ContractViolation);
  EXPECT_THROW((void)box_cone(1, BoxScale{0}), ContractViolation);
  EXPECT_THROW((void)pyramid_cone(0.5, 2), ContractViolation);
  EXPECT_THROW((void)PolyhedralCone::from_rays(MatX::Constant(3, 2, nan)), ContractViolation);
  EXPECT_THROW((void)PolyhedralCone::from_rays(MatX::Ones(3, 2)).project(VecX::Ones(2)),
               ContractViolation);
}

TEST(Box, InscribedBoxTouchesTheRoundCone) {
  const PlanarCone box = box_cone(1);
  EXPECT_NEAR(box.support(Vec3(1, 1, 0)).head<2>().norm(), 1, tolerance::rounding);
  EXPECT_EQ(box_cone(0), PlanarCone());
}

TEST(Polyhedral, FacetsOfTheOrthantAndOfAFlatCone) {
  EXPECT_EQ(facet_normals(MatX::Identity(3, 3)).cols(), 3);
  MatX flat(3, 2);
  flat << 1, 0, 0, 1, 0, 0;
  EXPECT_EQ(facet_normals(flat).cols(), 4) << "two edges and a wall on both sides";
  const auto orthant = PolyhedralCone::from_rays(MatX::Identity(3, 3));
  EXPECT_NEAR(orthant.margin(Vec3(1, 2, 3)), 1, tolerance::rounding);
  EXPECT_NEAR(orthant.margin(Vec3(-3, 2, -4)), -5, tolerance::rounding);
  EXPECT_EQ(orthant.dual().form(), PolyhedralCone::Form::half_spaces);
}

TEST(Polyhedral, MappedConeContainsMappedPoints) {
  MatX a(2, 2);
  a << 2, 1, 0, 1;
  const auto cone = PolyhedralCone::from_half_spaces(MatX::Identity(2, 2)).mapped(a);
  EXPECT_GE(cone.margin(a * Vec2(1, 3)), 0);
  EXPECT_LT(cone.margin(a * Vec2(1, -0.5)), 0);
}

TEST(Any, DispatchesToTheConeItHolds) {
  VecX x(3);
  x << 1, 2, 0.5;
  const AnyCone cone = CoulombCone(0.5);
  VecX y = x;
  project_in_place(cone, y);
  EXPECT_EQ(Vec3(y), CoulombCone(0.5).project(Vec3(x)));
  EXPECT_EQ(dim(cone), 3);
  EXPECT_EQ(dim(AnyCone(HalfLine{})), 1);
}

TEST(PatchShape, RefusesWhatIsNoPatch) {
  const auto message = [](const PatchShape& shape) {
    return convex_hull_of(shape).error().message;
  };
  EXPECT_EQ(message({PolygonShape{}}), "a patch needs at least one point; this point set is empty");
  EXPECT_EQ(message({UnionShape{}}), "a patch needs at least one point; this union is empty");
  EXPECT_EQ(message({PointShape{Vec2(nan, 0)}}), "a point of the patch is not finite");
  EXPECT_EQ(message({DiscShape{Vec2(0, 0), -1}}), "a radius cannot be negative");
  EXPECT_EQ(message({DiscShape{Vec2(0, 0), nan}}),
            "a disc needs a finite centre and a finite radius");
  EXPECT_EQ(message({EllipseShape{Vec2(0, 0), Vec2(1, -1), 0}}), "a semi-axis cannot be negative");
  EXPECT_EQ(message({UnionShape{{{PointShape{Vec2(0, 0)}}, {PolygonShape{}}}}}),
            "a patch needs at least one point; this point set is empty");
}

}  // namespace
}  // namespace tact
