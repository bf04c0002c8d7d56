// Mass and frame of meshes against MuJoCo's compiler, where its library is installed.
#include <gtest/gtest.h>

#include "tact/geom/mass_properties.hpp"

#ifdef TACT_HAVE_MUJOCO

#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <Eigen/Geometry>
#include <mujoco/mujoco.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

/// MuJoCo keeps vertices in single precision and moves them to their frame before it integrates.
constexpr double single = 1e-5;

/// A torus-like ring, lumpy, neither convex nor star-shaped about its centre. Coordinates are exact
/// in single precision.
TriangleMesh lumpy_ring(Rng& rng) {
  constexpr int around = 12;
  constexpr int across = 6;
  TriangleMesh mesh;
  const auto exact = [](double x) { return std::round(x * 1024) / 1024; };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double a = 2 * M_PI * i / around;
      const double b = 2 * M_PI * j / across;
      const double thick = 0.2 * rng.uniform(0.7, 1.3);
      const double r = 1 + thick * std::cos(b);
      mesh.vertices.emplace_back(exact(r * std::cos(a) + 0.3), exact(1.4 * r * std::sin(a) - 2),
                                 exact(thick * std::sin(b) + 0.2 * std::cos(a)));
      const int i1 = (i + 1) % around;
      const int j1 = (j + 1) % across;
      const int p = i * across + j;
      const int q = i1 * across + j;
      const int u = i * across + j1;
      const int v = i1 * across + j1;
      mesh.triangles.push_back({p, q, v});
      mesh.triangles.push_back({p, v, u});
    }
  }
  return mesh;
}

struct Compiled {
  double mass;
  Vec3 center, moments, geom_at;
  Mat3 R_inertia, R_geom;
};

Mat3 rotation(const double* quat) {
  return Eigen::Quaterniond(quat[0], quat[1], quat[2], quat[3]).toRotationMatrix();
}

Compiled compile(const TriangleMesh& mesh, bool exact, bool shell) {
  std::ostringstream xml;
  xml.precision(17);
  xml << "<mujoco><compiler exactmeshinertia=\"" << (exact ? "true" : "false")
      << "\"/><asset><mesh name=\"m\" vertex=\"";
  for (const Vec3& v : mesh.vertices) xml << v.transpose() << ' ';
  xml << "\" face=\"";
  for (const auto& [a, b, c] : mesh.triangles) xml << a << ' ' << b << ' ' << c << ' ';
  xml << "\"/></asset><worldbody><body><freejoint/><geom type=\"mesh\" mesh=\"m\" density=\"1\" "
         "shellinertia=\""
      << (shell ? "true" : "false") << "\"/></body></worldbody></mujoco>";
  const std::string path = ::testing::TempDir() + "tact_mesh_inertia.xml";
  std::ofstream(path) << xml.str();
  char error[1000] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m(
      mj_loadXML(path.c_str(), nullptr, error, sizeof error), &mj_deleteModel);
  if (m == nullptr) throw std::runtime_error(error);
  return {m->body_mass[1],   Vec3(m->body_ipos + 3),      Vec3(m->body_inertia + 3),
          Vec3(m->geom_pos), rotation(m->body_iquat + 4), rotation(m->geom_quat)};
}

/// The mass may be that of another volume; moments follow the mass.
void expect_same(const MassProperties& ours, double volume, const Compiled& theirs) {
  EXPECT_NEAR(theirs.mass / volume, 1, single);
  EXPECT_LT((theirs.center - ours.center).norm(), single);
  const Mat3 D = theirs.moments.asDiagonal();
  const Mat3 inertia = theirs.R_inertia * D * theirs.R_inertia.transpose();
  EXPECT_LT((inertia - volume / ours.volume * ours.inertia).norm(), single * inertia.norm());
  const MeshFrame frame = mesh_frame(ours);
  EXPECT_LT((frame.center - theirs.geom_at).norm(), single);
  EXPECT_LT((frame.R - theirs.R_geom).norm(), single);
}

TEST(MeshInertia, AgreesWithMujoco) {
  Rng rng(31);
  for (int k = 0; k < 8; ++k) {
    const TriangleMesh mesh = lumpy_ring(rng);
    const auto exact = mass_properties(mesh, MeshInertia::exact);
    const auto legacy = mass_properties(mesh, MeshInertia::legacy);
    const auto shell = mass_properties(mesh, MeshInertia::shell);
    ASSERT_TRUE(exact && legacy && shell);
    expect_same(*exact, exact->volume, compile(mesh, true, false));
    // MuJoCo 2.2 weighs a legacy mesh by its box of equal inertia.
    const double box = 8 * equivalent_box(*legacy).prod();
    expect_same(*legacy, box, compile(mesh, false, false));
    // Of its shells only the mass agrees: 2.2.2 reports another centre and other axes.
    EXPECT_NEAR(compile(mesh, true, true).mass / shell->volume, 1, single);
  }
}

}  // namespace
}  // namespace tact

#else

TEST(MeshInertia, AgreesWithMujoco) {
  GTEST_SKIP() << "MuJoCo is not here (apt install libmujoco-dev)";
}

#endif
