// Masses, meshes and height fields of scene files.
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/mjcf_inertia.hpp"
#include "tact/io/mjcf_mesh.hpp"
#include "tact/io/scene_file.hpp"
#include "tests/support/mjcf_text.hpp"

namespace tact {
namespace {

using std::numbers::pi;
using testing::mjcf_scene;

constexpr double same = 1e-12;  ///< a few operations on numbers of size one

/// A shell is what a solid gains when it grows by little along every axis, where all sizes are of
/// one kind: area and moments are derivatives.
TEST(MjcfMass, ShellsAreDerivativesOfSolids) {
  const double h = 1e-5;  // the square of which is the error of a central difference
  const auto expect = [&](const Shape& shape, const Shape& larger, const Shape& smaller) {
    const mjcf::Extent shell = mjcf::shell_extent(shape), out = mjcf::solid_extent(larger),
                       in = mjcf::solid_extent(smaller);
    EXPECT_NEAR(shell.size, (out.size - in.size) / (2 * h), 1e-8);
    EXPECT_LE((shell.moments - (out.moments - in.moments) / (2 * h)).norm(), 1e-8);
  };
  expect(Sphere{0.3}, Sphere{0.3 + h}, Sphere{0.3 - h});
  expect(Capsule{0.3, 0.5}, Capsule{0.3 + h, 0.5}, Capsule{0.3 - h, 0.5});
  expect(Cylinder{0.3, 0.5}, Cylinder{0.3 + h, 0.5 + h}, Cylinder{0.3 - h, 0.5 - h});
  const Vec3 e(0.1, 0.2, 0.4);
  expect(Box{e}, Box{e + Vec3::Constant(h)}, Box{e - Vec3::Constant(h)});
  const mjcf::Extent round = mjcf::shell_extent(Ellipsoid{Vec3::Constant(0.3)});
  const mjcf::Extent sphere = mjcf::shell_extent(Sphere{0.3});
  EXPECT_NEAR(round.size, sphere.size, same);
  EXPECT_LE((round.moments - sphere.moments).norm(), same);
}

TriangleMesh cuboid(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back((i & 1) ? high[0] : low[0], (i & 2) ? high[1] : low[1],
                               (i & 4) ? high[2] : low[2]);
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TEST(MjcfMass, ACuboidOfTrianglesIsABox) {
  const TriangleMesh mesh = cuboid(Vec3(1, 2, 3), Vec3(2, 4, 6));
  for (const auto kind : {MeshInertia::legacy, MeshInertia::exact, MeshInertia::convex}) {
    const auto c = mjcf::centred(mesh, kind);
    ASSERT_TRUE(c);
    EXPECT_NEAR(c->extent.size, 6, same);
    EXPECT_LE((c->X_MG.p - Vec3(1.5, 3, 4.5)).norm(), same);
    EXPECT_LE((c->inertia_box - Vec3(0.5, 1, 1.5)).norm(), same);  // moments descend
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      EXPECT_LE((transform_point(c->X_MG, c->mesh_G.vertices[i]) - mesh.vertices[i]).norm(), same);
  }
  const auto shell = mjcf::centred(mesh, MeshInertia::shell);
  const mjcf::Extent box = mjcf::shell_extent(Box{Vec3(0.5, 1, 1.5)});
  EXPECT_NEAR(shell->extent.size, box.size, same);
  EXPECT_LE((shell->extent.moments - box.moments).norm(), 100 * same);
}

TEST(MjcfMass, AFlatMeshCountsAsAShell) {
  TriangleMesh mesh = cuboid(Vec3(0, 0, 0), Vec3(1, 1, 0));
  const auto c = mjcf::centred(mesh, MeshInertia::legacy);
  ASSERT_TRUE(c);
  EXPECT_TRUE(c->flat);
  EXPECT_NEAR(c->extent.size, 2, same);
  mesh.vertices.assign(8, Vec3::Zero());
  EXPECT_FALSE(mjcf::centred(mesh, MeshInertia::legacy));
}

constexpr const char* cube =
    "<mesh name='c' vertex='0 0 0 2 0 0 0 2 0 0 0 2 2 2 0 2 0 2 0 2 2 2 2 2'/>";

TEST(MjcfMass, VisualMeshesHaveMassButNoHullOfTheirOwn) {
  const Scene s = mjcf_scene(std::string("<asset>") + cube + R"(</asset><worldbody><body><joint/>
      <geom type='mesh' mesh='c' contype='0' conaffinity='0' pos='1 0 0'/></body>
      <body><joint/><geom type='mesh' mesh='c'/></body></worldbody>)");
  EXPECT_NEAR(s.model.bodies[1].mass, 8000, 1e-8);
  EXPECT_LE((s.model.bodies[1].com_B - Vec3(2, 1, 1)).norm(), same);
  EXPECT_TRUE(s.model.geoms[0].from_mesh);
  const auto hull = [&](Index i) {
    return std::get<ConvexMesh>(s.model.geoms[i].shape).polyhedron;
  };
  EXPECT_EQ(hull(0)->vertices.size(), 8U);
  EXPECT_EQ(hull(1)->faces.size(), 6U);
  EXPECT_NE(hull(0), hull(1));
  EXPECT_EQ(s.meshes.size(), 1U);
}

TEST(MjcfMass, PrimitivesFittedToAMesh) {
  const Scene s = mjcf_scene(std::string("<compiler fitaabb='true'/><asset>") + cube + R"(</asset>
      <worldbody><body><joint/><geom type='box' mesh='c'/><geom type='sphere' mesh='c' fitscale='2'/>
        <geom type='capsule' mesh='c'/><geom type='cylinder' mesh='c'/></body></worldbody>)");
  const std::vector<Geom>& g = s.model.geoms;
  for (const Geom& geom : g) EXPECT_LE((geom.X_BG.p - Vec3::Ones()).norm(), same);
  EXPECT_NEAR(std::get<Sphere>(g[1].shape).radius, 2 * std::sqrt(3), 1e-9);
  EXPECT_GE(std::get<Box>(g[0].shape).half_extents.minCoeff(), 1 - same);
  const auto capsule = std::get<Capsule>(g[2].shape);
  EXPECT_GE(capsule.radius + capsule.half_length, 1 - same);
  EXPECT_FALSE(g[0].from_mesh);
}

TEST(MjcfMass, SumsBoundsAndTotals) {
  const Scene s = mjcf_scene(R"(<compiler boundmass='2' boundinertia='0.5' settotalmass='10'/>
    <worldbody><body><joint/><geom size='0.1' mass='1' pos='1 0 0'/><geom size='0.1' mass='3' pos='-1 0 0'/></body>
    <body><joint/><geom size='0.1' mass='1'/></body></worldbody>)");
  const std::vector<Body>& b = s.model.bodies;
  EXPECT_NEAR(b[1].mass, 10 * 4.0 / 6, same);
  EXPECT_NEAR(b[2].mass, 10 * 2.0 / 6, same);
  EXPECT_LE((b[1].com_B - Vec3(-0.5, 0, 0)).norm(), same);
  EXPECT_LE((b[2].inertia_com_B - Mat3::Identity() * 0.5 * 10 / 6).norm(), same);
  const double own = 0.4 * 4 * 0.01;
  EXPECT_NEAR(b[1].inertia_com_B(1, 1), (own + 1 * 2.25 + 3 * 0.25) * 10 / 6, same);
}

TEST(MjcfMass, HeightFieldsWrittenBinaryAndAsPictures) {
  std::string binary(8 + 4 * 4, '\0');
  const std::int32_t size[2] = {2, 2};
  const float heights[4] = {1, 3, 2, 1};
  std::memcpy(binary.data(), size, 8);
  std::memcpy(binary.data() + 8, heights, 16);
  const Scene s = mjcf_scene(
      R"(<asset><hfield name='w' nrow='2' ncol='3' size='1 2 10 0.5' elevation='0 1 2 4 4 4'/>
      <hfield file='b.bin' size='1 1 2 1'/><hfield file='p.png' size='1 1 2 1'/></asset>
      <worldbody><geom type='hfield' hfield='w'/><geom type='hfield' hfield='b'/>
      <geom type='hfield' hfield='p'/><body><joint/><geom size='1'/></body></worldbody>)",
      {{"b.bin", binary}, {"p.png", "picture"}});
  const auto grid = [&](Index i) { return std::get<HeightField>(s.model.geoms[i].shape).grid; };
  EXPECT_EQ(grid(0)->heights, (std::vector<double>{10, 10, 10, 0, 2.5, 5}));
  EXPECT_EQ(grid(0)->half_size, Vec2(1, 2));
  EXPECT_EQ(grid(0)->base, 0.5);
  EXPECT_EQ(grid(1)->heights, (std::vector<double>{0, 2, 1, 0}));
  EXPECT_EQ(grid(2)->heights, std::vector<double>(4, 0));
  EXPECT_EQ(s.not_modelled.size(), 1U);
}

}  // namespace
}  // namespace tact
