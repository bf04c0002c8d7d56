#include "tact/io/mjcf_mesh.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/geom/convex_hull.hpp"

namespace tact::mjcf {

namespace {

/// The faces of the hull as fans.
Result<TriangleMesh> hull_triangles(const TriangleMesh& mesh) {
  const Result<Polyhedron> hull = convex_hull(mesh.vertices);
  if (!hull) return hull.error();
  TriangleMesh out{hull->vertices, {}};
  for (const Polyhedron::Face& face : hull->faces)
    for (std::size_t i = 2; i < face.corners.size(); ++i)
      out.triangles.push_back({face.corners[0], face.corners[i - 1], face.corners[i]});
  return out;
}

struct Corners {
  Vec3 a, b, c;

  [[nodiscard]] Vec3 area_vector() const { return (b - a).cross(c - a) / 2; }
  [[nodiscard]] Vec3 centre() const { return (a + b + c) / 3; }
};

std::vector<Corners> corners_of(const TriangleMesh& mesh) {
  std::vector<Corners> out;
  out.reserve(mesh.triangles.size());
  for (const auto& [i, j, k] : mesh.triangles)
    out.push_back({mesh.vertices[static_cast<std::size_t>(i)],
                   mesh.vertices[static_cast<std::size_t>(j)],
                   mesh.vertices[static_cast<std::size_t>(k)]});
  return out;
}

/// The share of one triangle: of a shell its area, otherwise the pyramid over it with its tip at
/// `tip`.
double share(const Corners& t, const Vec3& tip, MjcfMeshInertia kind) {
  if (kind == MjcfMeshInertia::shell) return t.area_vector().norm();
  const double volume = (t.centre() - tip).dot(t.area_vector()) / 3;
  return kind == MjcfMeshInertia::legacy ? std::abs(volume) : volume;
}

/// ∫ x xᵀ over a triangle (times its share) or over its pyramid with the tip at the origin, per
/// share.
Mat3 second_moment(const Corners& t, MjcfMeshInertia kind) {
  const Vec3 s = t.a + t.b + t.c;
  const Mat3 squares =
      t.a * t.a.transpose() + t.b * t.b.transpose() + t.c * t.c.transpose() + s * s.transpose();
  return squares / (kind == MjcfMeshInertia::shell ? 12 : 20);
}

Vec3 surface_centre(const std::vector<Corners>& triangles, double& area) {
  Vec3 centre = Vec3::Zero();
  area = 0;
  for (const Corners& t : triangles) {
    const double a = t.area_vector().norm();
    area += a;
    centre += a * t.centre();
  }
  return area > 0 ? Vec3(centre / area) : centre;
}

struct Moments {
  double size = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  ///< about com
};

Moments moments_of(const std::vector<Corners>& triangles, const Vec3& middle,
                   MjcfMeshInertia kind) {
  Moments m;
  const double far = kind == MjcfMeshInertia::shell ? 1.0 : 0.75;
  for (const Corners& t : triangles) {
    const double volume = share(t, middle, kind);
    m.size += volume;
    m.com += volume * (far * t.centre() + (1 - far) * middle);
  }
  if (!(m.size > 0)) return m;
  m.com /= m.size;
  // The pyramids of `legacy` have another volume about the centre of mass: the moments are those of
  // equal mass.
  Mat3 second = Mat3::Zero();
  double about_com = 0;
  for (const Corners& t : triangles) {
    const Corners about{t.a - m.com, t.b - m.com, t.c - m.com};
    const double volume = share(about, Vec3::Zero(), kind);
    about_com += volume;
    second += volume * second_moment(about, kind);
  }
  second *= m.size / about_com;
  m.inertia = second.trace() * Mat3::Identity() - second;
  return m;
}

/// Columns are the principal axes, moments descending, right-handed.
Mat3 principal_axes(const Mat3& inertia, Vec3& moments) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  moments = eigen.eigenvalues().reverse();
  Mat3 R = eigen.eigenvectors().rowwise().reverse();
  if (R.determinant() < 0) R.col(2) = -R.col(2);
  return R;
}

}  // namespace

Result<CentredMesh> centred(const TriangleMesh& mesh_M, MjcfMeshInertia kind) {
  const bool cloud = mesh_M.triangles.empty();
  Result<TriangleMesh> hull = TriangleMesh{};
  if (cloud || kind == MjcfMeshInertia::convex) hull = hull_triangles(mesh_M);
  if (!hull) return hull.error();
  const std::vector<Corners> triangles =
      corners_of(cloud || kind == MjcfMeshInertia::convex ? *hull : mesh_M);
  double area = 0;
  const Vec3 middle = surface_centre(triangles, area);
  if (!(area > 0)) return Error{Errc::geometry, "the mesh has no surface"};

  CentredMesh out;
  Moments m = moments_of(triangles, middle, kind);
  // Pyramids over a flat surface leave the rounding of its area times its size.
  out.flat =
      kind != MjcfMeshInertia::shell && !(m.size > tolerance::coplanar * area * std::sqrt(area));
  if (out.flat) m = moments_of(triangles, middle, MjcfMeshInertia::shell);
  out.X_MG = {principal_axes(m.inertia, out.extent.moments), m.com};
  out.extent.size = m.size;
  const Vec3& I = out.extent.moments;
  const Vec3 squares = (I.sum() * Vec3::Ones() - 2 * I) * 1.5 / m.size;
  out.inertia_box = squares.cwiseMax(0).cwiseSqrt();
  out.mesh_G = cloud ? *hull : mesh_M;
  for (Vec3& v : out.mesh_G.vertices) v = out.X_MG.R.transpose() * (v - out.X_MG.p);
  return out;
}

}  // namespace tact::mjcf
