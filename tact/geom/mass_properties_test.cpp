#include "tact/geom/mass_properties.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/convex_hull.hpp"
#include "tact/geom/polyhedron.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

/// Sums of a few hundred terms of one size: far above their rounding, far below any mistake.
constexpr double close = 1e-12;

TriangleMesh moved(TriangleMesh mesh, const Pose& X) {
  for (Vec3& v : mesh.vertices) v = transform_point(X, v);
  return mesh;
}

TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
  const int offset = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& [i, j, k] : b.triangles) {
    a.triangles.push_back({i + offset, j + offset, k + offset});
  }
  return a;
}

TriangleMesh box_mesh(const Vec3& half, const Vec3& at) {
  return moved(triangles_of(box_polyhedron(half)), {Mat3::Identity(), at});
}

TEST(MassProperties, OfABoxMeshAreThoseOfTheBox) {
  const Vec3 half(0.3, 0.5, 0.7);
  const Pose X{exp_so3({0.3, -1, 0.4}), {5, -6, 7}};
  const TriangleMesh mesh = moved(triangles_of(box_polyhedron(half)), X);
  const MassProperties box = mass_properties(Shape(Box{half}));
  for (const auto kind : {MeshInertia::exact, MeshInertia::convex, MeshInertia::legacy}) {
    const auto m = mass_properties(mesh, kind);
    ASSERT_TRUE(m) << m.error().message;
    EXPECT_NEAR(m->volume, box.volume, close);
    EXPECT_LT((m->center - X.p).norm(), 10 * close);
    EXPECT_LT((m->inertia - X.R * box.inertia * X.R.transpose()).norm(), close);
  }
}

// Six rectangles: area 8 (ab + bc + ca), and the moment of a plate a × b at distance c twice, ...
TEST(MassProperties, OfTheShellOfABox) {
  const Vec3 h(0.3, 0.5, 0.7);
  const auto m = mass_properties(box_mesh(h, {1, 2, 3}), MeshInertia::shell);
  ASSERT_TRUE(m);
  Vec3 second = Vec3::Zero();
  double area = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const double plates = 8 * h[u] * h[v];
    area += plates;
    second[axis] += plates * h[axis] * h[axis];
    second[u] += plates * h[u] * h[u] / 3;
    second[v] += plates * h[v] * h[v] / 3;
  }
  EXPECT_NEAR(m->volume, area, close);
  EXPECT_LT((m->center - Vec3(1, 2, 3)).norm(), close);
  const Vec3 moments(second[1] + second[2], second[2] + second[0], second[0] + second[1]);
  EXPECT_LT((m->inertia - Mat3(moments.asDiagonal())).norm(), close);
}

TEST(MassProperties, OfTwoBoxesApartAreTheSum) {
  const Vec3 a(0.3, 0.5, 0.7);
  const Vec3 b(0.1, 0.2, 0.4);
  const Vec3 at(3, 1, -2);
  const auto m =
      mass_properties(joined(box_mesh(a, Vec3::Zero()), box_mesh(b, at)), MeshInertia::exact);
  ASSERT_TRUE(m);
  const Inertia sum = box_inertia(8 * a.prod(), a) +
                      transform({Mat3::Identity(), at}, box_inertia(8 * b.prod(), b));
  EXPECT_NEAR(m->volume, sum.mass(), close);
  EXPECT_LT((m->center - sum.com()).norm(), close);
  EXPECT_LT((m->inertia - sum.about_com()).norm(), close * sum.about_com().norm());
}

// A cavity: the inner box turned inside out. The signed sum sees the hole, the others do not.
TEST(MassProperties, OnlyTheSignedSumSeesACavity) {
  TriangleMesh inner = box_mesh(Vec3::Constant(0.5), Vec3::Zero());
  for (auto& t : inner.triangles) std::swap(t[0], t[1]);
  const TriangleMesh hollow = joined(box_mesh(Vec3::Ones(), Vec3::Zero()), inner);
  EXPECT_NEAR(mass_properties(hollow, MeshInertia::exact)->volume, 7, close);
  EXPECT_NEAR(mass_properties(hollow, MeshInertia::legacy)->volume, 9, close);
  EXPECT_NEAR(mass_properties(hollow, MeshInertia::convex)->volume, 8, close);
}

TEST(MassProperties, OfFineMeshesApproachThoseOfTheSolids) {
  const int n = 400;
  std::vector<Vec3> rim;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    for (const double z : {-0.4, 0.4}) rim.emplace_back(0.5 * std::cos(a), 0.5 * std::sin(a), z);
  }
  const MassProperties mesh = mass_properties(*convex_hull(rim));
  const MassProperties solid = mass_properties(Shape(Cylinder{0.5, 0.4}));
  const double chords = 2 * std::numbers::pi * std::numbers::pi / (3.0 * n * n);  // 1 - sin(x)/x
  EXPECT_NEAR(mesh.volume / solid.volume, 1 - chords, chords * chords);
  EXPECT_LT((mesh.inertia - solid.inertia).norm(), 2 * chords * solid.inertia.norm());
}

TEST(MassProperties, OfPrimitivesHaveTheVolumesOfSchool) {
  const double pi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(mass_properties(Shape(Sphere{2})).volume, 32 * pi / 3);
  EXPECT_DOUBLE_EQ(mass_properties(Shape(Ellipsoid{{1, 2, 3}})).volume, 8 * pi);
  EXPECT_DOUBLE_EQ(mass_properties(Shape(Cylinder{2, 3})).volume, 24 * pi);
  EXPECT_DOUBLE_EQ(mass_properties(Shape(Capsule{2, 3})).volume, 24 * pi + 32 * pi / 3);
  EXPECT_DOUBLE_EQ(mass_properties(Shape(Box{{1, 2, 3}})).volume, 48);
  EXPECT_THROW((void)mass_properties(Shape(HalfSpace{})), ContractViolation);
}

TEST(MassProperties, FromDensityAndFromMassAgree) {
  const Polyhedron body =
      *convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const Shape shape = ConvexMesh{std::make_shared<Polyhedron>(body)};
  const auto a = inertia_from_density(shape, 1000);
  const auto b = inertia_from_mass(shape, 1000.0 / 6);
  ASSERT_TRUE(a && b);
  EXPECT_NEAR(a->mass(), b->mass(), close * a->mass());
  EXPECT_LT((a->com() - Vec3::Constant(0.25)).norm(), close);
  EXPECT_NEAR(a->about_com()(0, 0), 1000.0 / 6 * (3.0 / 40), close * 1000);  // m (3/80) (b² + c²)
  EXPECT_LT((a->about_com() - b->about_com()).norm(), close * a->about_com().norm());
  EXPECT_EQ(inertia_from_mass(Shape(HalfSpace{}), 1).error().code, Errc::geometry);
  EXPECT_EQ(inertia_from_density(Shape(HeightField{}), 1).error().code, Errc::geometry);
  EXPECT_EQ(inertia_from_mass(Shape(Sphere{1}), -1).error().code, Errc::value);
  const auto plate = convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const Shape flat = ConvexMesh{std::make_shared<Polyhedron>(*plate)};
  EXPECT_EQ(inertia_from_density(flat, 1).error().code, Errc::geometry);
  EXPECT_LT((mass_properties(flat).center - Vec3(1 / 3.0, 1 / 3.0, 0)).norm(), close);
}

TEST(MassProperties, RefuseBrokenMeshes) {
  const TriangleMesh box = box_mesh(Vec3::Ones(), Vec3::Zero());
  const auto message = [](const TriangleMesh& mesh, MeshInertia kind) {
    return mass_properties(mesh, kind).error().message;
  };
  TriangleMesh bad = box;
  bad.triangles[3][1] = 99;
  EXPECT_NE(message(bad, MeshInertia::shell).find("99"), std::string::npos);
  bad = box;
  bad.vertices[0][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(mass_properties(bad, MeshInertia::legacy));
  bad = box;
  std::swap(bad.triangles[3][0], bad.triangles[3][1]);
  EXPECT_NE(message(bad, MeshInertia::exact).find("turn one around"), std::string::npos);
  EXPECT_NEAR(mass_properties(bad, MeshInertia::legacy)->volume, 8, close);
  for (auto& t : bad.triangles) std::swap(t[0], t[1]);
  std::swap(bad.triangles[3][0], bad.triangles[3][1]);
  EXPECT_NE(message(bad, MeshInertia::exact).find("negative"), std::string::npos);
  const TriangleMesh plate{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_NE(message(plate, MeshInertia::exact).find("shell"), std::string::npos);
  EXPECT_NEAR(mass_properties(plate, MeshInertia::shell)->volume, 1, close);
  EXPECT_FALSE(mass_properties(TriangleMesh{}, MeshInertia::exact));
}

// An STL file repeats the vertices of every triangle.
TEST(MassProperties, OfATriangleSoupAreThoseOfTheMesh) {
  const TriangleMesh box = box_mesh({1, 2, 3}, {4, 5, 6});
  TriangleMesh soup;
  for (const auto& t : box.triangles) {
    const int at = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(box.vertices[v]);
    soup.triangles.push_back({at, at + 1, at + 2});
  }
  const auto a = mass_properties(box, MeshInertia::exact);
  const auto b = mass_properties(soup, MeshInertia::exact);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->volume, b->volume);
  EXPECT_EQ(a->inertia, b->inertia);
  std::swap(soup.triangles[0][0], soup.triangles[0][1]);
  EXPECT_FALSE(mass_properties(soup, MeshInertia::exact));
}

TEST(MeshFrame, DiagonalisesAndOrders) {
  Rng rng(21);
  for (int k = 0; k < 200; ++k) {
    const Mat3 R = exp_so3({rng.normal(), rng.normal(), rng.normal()});
    const Vec3 s(rng.log_uniform(1e-3, 1), rng.uniform(), rng.uniform());
    const Vec3 moments(s[1] + s[2], s[2] + s[0], s[0] + s[1]);
    const double scale = rng.log_uniform(1e-12, 1e3);
    const MassProperties m{2, {1, 2, 3}, scale * R * moments.asDiagonal() * R.transpose()};
    const MeshFrame frame = mesh_frame(m);
    EXPECT_EQ(frame.center, m.center);
    EXPECT_NEAR(frame.R.determinant(), 1, close);
    EXPECT_LT((frame.R.transpose() * frame.R - Mat3::Identity()).norm(), close);
    const Mat3 D = frame.principal_moments.asDiagonal();
    EXPECT_LT((frame.R * D * frame.R.transpose() - m.inertia).norm(), close * m.inertia.norm());
    EXPECT_GE(frame.principal_moments[0], frame.principal_moments[1]);
    EXPECT_GE(frame.principal_moments[1], frame.principal_moments[2]);
  }
}

TEST(MeshFrame, OfACubeIsNotTurned) {
  const MassProperties cube = mass_properties(Shape(Box{Vec3::Ones()}));
  EXPECT_EQ(mesh_frame(cube).R, Mat3::Identity());
}

TEST(MeshFrame, EquivalentBoxOfABoxIsTheBox) {
  const MassProperties box = mass_properties(Shape(Box{{3, 1, 2}}));
  EXPECT_LT((equivalent_box(box) - Vec3(1, 2, 3)).norm(), close);  // the thin way turns hardest
}

}  // namespace
}  // namespace tact
