#include "tact/geom/support.hpp"

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tests/support/geom_referee.hpp"
#include "tests/support/shape_zoo.hpp"

namespace tact {
namespace {

TEST(Support, IsTheFarthestPointForEveryShape) {
  Rng rng(1);
  for (int kind = 0; kind < testing::half_space_kind; ++kind) {
    SCOPED_TRACE(testing::kind_name(kind));
    const Shape shape = testing::random_shape(rng, kind);
    const Convex c = convex_of(shape, {});
    for (int k = 0; k < 200; ++k) {
      const Vec3 d = Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
      int vertex = 0;
      const double h = d.dot(core_support(c, d, vertex)) + c.radius;
      EXPECT_NEAR(h, std::visit(testing::SupportFunction{d}, shape), 1e-15 * 8);
      EXPECT_LE(h, extent(c) * (1 + 1e-15));
    }
  }
}

TEST(Support, WalksOverALargeMeshToTheFarthestVertex) {
  Rng rng(2);
  const Polyhedron mesh = testing::random_polyhedron(rng, 80, Vec3(1, 0.5, 2));
  const Convex c = convex_of(mesh, {});
  int vertex = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec3 d(rng.normal(), rng.normal(), rng.normal());
    double far = d.dot(mesh.vertices[0]);
    for (const Vec3& x : mesh.vertices) far = std::max(far, d.dot(x));
    EXPECT_EQ(d.dot(core_support(c, d, vertex)), far);
    EXPECT_EQ(mesh.vertices[vertex], core_support(c, d, vertex));
  }
}

TEST(Support, AxesOfAnEllipsoidMayDifferByTwelveOrders) {
  const Convex c = convex_of(Ellipsoid{Vec3(1e-6, 1, 1e6)}, {});
  int vertex = 0;
  EXPECT_EQ(core_support(c, Vec3::UnitX(), vertex), Vec3(1e-6, 0, 0));
  EXPECT_EQ(core_support(c, Vec3(0, 0, -1e-200), vertex), Vec3(0, 0, -1e6));
}

TEST(Support, AHeightFieldIsNotConvex) {
  EXPECT_THROW((void)convex_of(HeightField{}, {}), ContractViolation);
}

}  // namespace
}  // namespace tact
