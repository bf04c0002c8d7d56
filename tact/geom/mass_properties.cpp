#include "tact/geom/mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>

#include <Eigen/Geometry>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/convex_hull.hpp"
#include "tact/geom/polyhedron.hpp"

namespace tact {

namespace {

/// Integrals of 1, x and x xᵀ.
struct Moments {
  double measure = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

using Corners = std::array<Vec3, 3>;

/// The tetrahedron (0, a, b, c) of the given volume: ∫x = V (a + b + c)/4 and
/// ∫x xᵀ = V/20 (aaᵀ + bbᵀ + ccᵀ + ssᵀ) with s = a + b + c.
void add_tetrahedron(Moments& sum, const Corners& t, double volume) {
  const Vec3 s = t[0] + t[1] + t[2];
  sum.measure += volume;
  sum.first += volume / 4 * s;
  sum.second += volume / 20 *
                (t[0] * t[0].transpose() + t[1] * t[1].transpose() + t[2] * t[2].transpose() +
                 s * s.transpose());
}

/// The triangle (a, b, c): ∫x = A (a + b + c)/3 and ∫x xᵀ = A/12 (aaᵀ + bbᵀ + ccᵀ + ssᵀ).
void add_triangle(Moments& sum, const Corners& t) {
  const Vec3 s = t[0] + t[1] + t[2];
  const double area = (t[1] - t[0]).cross(t[2] - t[0]).norm() / 2;
  sum.measure += area;
  sum.first += area / 3 * s;
  sum.second += area / 12 *
                (t[0] * t[0].transpose() + t[1] * t[1].transpose() + t[2] * t[2].transpose() +
                 s * s.transpose());
}

double signed_volume(const Corners& t) {
  return t[0].cross(t[1]).dot(t[2]) / 6;
}

template <class Add>
Moments summed(const TriangleMesh& mesh, const Vec3& origin, Add add) {
  Moments sum;
  for (const auto& [a, b, c] : mesh.triangles) {
    add(sum,
        Corners{mesh.vertices[a] - origin, mesh.vertices[b] - origin, mesh.vertices[c] - origin});
  }
  return sum;
}

/// About the centre, from moments about `origin`.
MassProperties from_moments(const Moments& m, const Vec3& origin) {
  const Vec3 c = m.first / m.measure;
  const Mat3 spread = m.second - m.measure * c * c.transpose();
  return {m.measure, origin + c, spread.trace() * Mat3::Identity() - spread};
}

Vec3 surface_center(const TriangleMesh& mesh) {
  const Vec3& origin = mesh.vertices[0];
  const Moments shell = summed(mesh, origin, add_triangle);
  return shell.measure > 0 ? Vec3(origin + shell.first / shell.measure) : origin;
}

/// Tetrahedra from a point, all positive: the centre, then everything again about the centre.
MassProperties legacy_properties(const TriangleMesh& mesh) {
  const auto positive = [](Moments& sum, const Corners& t) {
    add_tetrahedron(sum, t, std::abs(signed_volume(t)));
  };
  const Vec3 apex = surface_center(mesh);
  const Moments first = summed(mesh, apex, positive);
  if (!(first.measure > 0)) return {};
  const Vec3 center = apex + first.first / first.measure;
  const Moments again = summed(mesh, center, positive);
  // The second sum has a centre of its own, which MuJoCo does not move to.
  return {again.measure, center, again.second.trace() * Mat3::Identity() - again.second};
}

MassProperties exact_properties(const TriangleMesh& mesh) {
  const Vec3 origin = surface_center(mesh);
  const Moments sum = summed(
      mesh, origin, [](Moments& m, const Corners& t) { add_tetrahedron(m, t, signed_volume(t)); });
  return sum.measure > 0 ? from_moments(sum, origin) : MassProperties{sum.measure, origin, {}};
}

Error refusal(const std::string& what) {
  return {Errc::geometry, std::string("mesh: ").append(what)};
}

std::optional<Error> unusable(const TriangleMesh& mesh) {
  const auto count = static_cast<int>(mesh.vertices.size());
  if (mesh.triangles.empty()) return refusal("there are no triangles; give some, or take the hull");
  for (const auto& triangle : mesh.triangles) {
    for (const int v : triangle) {
      if (v >= 0 && v < count) continue;
      return refusal(std::string("a triangle has corner ")
                         .append(std::to_string(v))
                         .append(" of ")
                         .append(std::to_string(count))
                         .append("; corners are counted from 0"));
    }
  }
  for (const Vec3& v : mesh.vertices) {
    if (!v.allFinite()) return refusal("a vertex is not finite; give numbers");
  }
  return std::nullopt;
}

/// Two triangles that run along an edge in the same direction do not agree on what is outside.
/// Triangles without area are not asked, and vertices in one place are one.
std::optional<Error> turned_triangle(const TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto less = [&](int a, int b) {
    const double* p = mesh.vertices[a].data();
    const double* q = mesh.vertices[b].data();
    return std::lexicographical_compare(p, p + 3, q, q + 3);
  };
  std::sort(order.begin(), order.end(), less);
  std::vector<int> name(mesh.vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && !less(order[i - 1], order[i]);
    name[order[i]] = same ? name[order[i - 1]] : order[i];
  }
  std::vector<std::pair<int, int>> edges;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3& apex = mesh.vertices[a];
    if ((mesh.vertices[b] - apex).cross(mesh.vertices[c] - apex).isZero(0)) continue;
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      edges.emplace_back(name[from], name[to]);
    }
  }
  std::sort(edges.begin(), edges.end());
  const auto twice = std::adjacent_find(edges.begin(), edges.end());
  if (twice == edges.end()) return std::nullopt;
  return refusal(std::string("two triangles run from vertex ")
                     .append(std::to_string(twice->first))
                     .append(" to ")
                     .append(std::to_string(twice->second))
                     .append("; turn one around, or ask for the inertia of the hull"));
}

double ball_volume(double a, double b, double c) {
  return 4 * std::numbers::pi / 3 * a * b * c;
}

MassProperties with_volume(double volume, const Inertia& inertia) {
  return {volume, inertia.com(), inertia.about_com()};
}

struct Solid {
  MassProperties operator()(const Sphere& s) const {
    const double v = ball_volume(s.radius, s.radius, s.radius);
    return with_volume(v, sphere_inertia(v, s.radius));
  }
  MassProperties operator()(const Ellipsoid& s) const {
    const double v = ball_volume(s.semi_axes[0], s.semi_axes[1], s.semi_axes[2]);
    return with_volume(v, ellipsoid_inertia(v, s.semi_axes));
  }
  MassProperties operator()(const Box& s) const {
    const double v = 8 * s.half_extents.prod();
    return with_volume(v, box_inertia(v, s.half_extents));
  }
  MassProperties operator()(const Cylinder& s) const {
    const double v = 2 * std::numbers::pi * s.radius * s.radius * s.half_length;
    return with_volume(v, cylinder_inertia(v, s.radius, s.half_length));
  }
  MassProperties operator()(const Capsule& s) const {
    const double v = 2 * std::numbers::pi * s.radius * s.radius * s.half_length +
                     ball_volume(s.radius, s.radius, s.radius);
    return with_volume(v, capsule_inertia(v, s.radius, s.half_length));
  }
  MassProperties operator()(const ConvexMesh& s) const {
    TACT_EXPECTS(s.polyhedron != nullptr);
    return mass_properties(*s.polyhedron);
  }
  template <class Other>
  MassProperties operator()(const Other&) const {
    static_assert(std::is_same_v<Other, HalfSpace> || std::is_same_v<Other, HeightField>);
    TACT_EXPECTS(false);  // half-spaces and height fields have no mass
    return {};
  }
};

/// The unit properties of a shape that can have a mass.
Result<MassProperties> massive(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape)) {
    return Error{Errc::geometry,
                 "inertia: a half-space or a height field has no mass; fix it to the world"};
  }
  const MassProperties unit = mass_properties(shape);
  if (!(unit.volume > 0)) {
    return Error{Errc::geometry,
                 "inertia: a flat mesh has no volume; give the inertia, or a mesh with thickness"};
  }
  return unit;
}

/// One of Jacobi's rotations: R stays a rotation, and the largest entry off the diagonal of
/// RᵀA R becomes zero. False when it is zero already, to rounding.
bool jacobi_rotation(const Mat3& A, Mat3& R) {
  const Mat3 D = R.transpose() * A * R;
  Index i = 1;
  Index j = 2;
  if (std::abs(D(0, 1)) > std::abs(D(0, 2)) && std::abs(D(0, 1)) > std::abs(D(1, 2))) {
    i = 0;
    j = 1;
  } else if (std::abs(D(0, 2)) > std::abs(D(1, 2))) {
    i = 0;
  }
  if (!(std::abs(D(i, j)) > tolerance::rounding * A.diagonal().maxCoeff())) return false;
  const double tau = (D(j, j) - D(i, i)) / (2 * D(i, j));
  const double t = std::copysign(1 / (std::abs(tau) + std::sqrt(1 + tau * tau)), tau);
  const double c = 1 / std::sqrt(1 + t * t);
  const double s = t * c;
  const Vec3 u = R.col(i);
  R.col(i) = c * u - s * R.col(j);
  R.col(j) = s * u + c * R.col(j);
  return true;
}

}  // namespace

Result<MassProperties> mass_properties(const TriangleMesh& mesh, MeshInertia kind) {
  if (std::optional<Error> error = unusable(mesh)) return *std::move(error);
  MassProperties result;
  switch (kind) {
    case MeshInertia::exact:
      if (std::optional<Error> error = turned_triangle(mesh)) return *std::move(error);
      result = exact_properties(mesh);
      break;
    case MeshInertia::convex: {
      const Result<Polyhedron> hull = convex_hull(mesh.vertices);
      if (!hull) return hull.error();
      result = mass_properties(*hull);
      break;
    }
    case MeshInertia::shell: {
      const Vec3& origin = mesh.vertices[0];
      const Moments sum = summed(mesh, origin, add_triangle);
      if (sum.measure > 0) result = from_moments(sum, origin);
      break;
    }
    case MeshInertia::legacy:
      result = legacy_properties(mesh);
      break;
  }
  if (result.volume < 0) {
    return refusal("the volume is negative; turn the triangles around, or take the hull");
  }
  if (!(result.volume > 0)) {
    return refusal("there is no volume; ask for the inertia of the shell, or give it");
  }
  return result;
}

MassProperties mass_properties(const Polyhedron& polyhedron) {
  if (polyhedron.faces.size() == 2) {
    const Result<MassProperties> plate =
        mass_properties(triangles_of(polyhedron), MeshInertia::shell);
    return {0, plate ? plate->center : polyhedron.vertices[0], Mat3::Zero()};
  }
  return exact_properties(triangles_of(polyhedron));
}

MassProperties mass_properties(const Shape& shape) {
  return std::visit(Solid{}, shape);
}

Result<Inertia> inertia_from_density(const Shape& shape, double density) {
  const Result<MassProperties> unit = massive(shape);
  if (!unit) return unit.error();
  return Inertia::from(density * unit->volume, unit->center, density * unit->inertia);
}

Result<Inertia> inertia_from_mass(const Shape& shape, double mass) {
  const Result<MassProperties> unit = massive(shape);
  if (!unit) return unit.error();
  return Inertia::from(mass, unit->center, mass / unit->volume * unit->inertia);
}

MeshFrame mesh_frame(const MassProperties& properties) {
  const Mat3& A = properties.inertia;
  TACT_EXPECTS(A.allFinite());
  Mat3 R = Mat3::Identity();
  constexpr int enough = 100;  // each sweep of three squares what is left
  for (int i = 0; i < enough && jacobi_rotation(A, R); ++i) {
  }
  Vec3 moments = (R.transpose() * A * R).diagonal();
  const double same = tolerance::rounding * moments.maxCoeff();
  for (const Index i : {0, 1, 0}) {
    if (!(moments[i] + same < moments[i + 1])) continue;
    std::swap(moments[i], moments[i + 1]);
    const Vec3 u = R.col(i);  // a quarter turn about the third axis
    R.col(i) = R.col(i + 1);
    R.col(i + 1) = -u;
  }
  return {properties.center, R, properties.volume, moments};
}

Vec3 equivalent_box(const MassProperties& properties) {
  TACT_EXPECTS(properties.volume > 0);
  const Vec3 I = mesh_frame(properties).principal_moments;
  // ∫ x² dm of a box is V h²/3, and the sum of the other two moments less this one is twice that.
  const Vec3 twice(I[1] + I[2] - I[0], I[2] + I[0] - I[1], I[0] + I[1] - I[2]);
  return (1.5 / properties.volume * twice).cwiseMax(0).cwiseSqrt();
}

}  // namespace tact
