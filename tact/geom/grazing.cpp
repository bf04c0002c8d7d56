#include "tact/geom/grazing.hpp"

#include <algorithm>

#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

bool is_polyhedral(const Convex& shape) {
  using Core = Convex::Core;
  return shape.radius == 0 && (shape.core == Core::box || shape.core == Core::mesh);
}

/// The shapes, and where they touch.
struct Touch {
  const Convex& first;
  const Convex& second;
  Vec3 at_W;
  double slack;
};

void try_normal(const Touch& touch, const Vec3& normal_W, std::vector<SeparatingFace>& out) {
  const auto same = [&](const SeparatingFace& face) {
    return face.normal_W.cross(normal_W).norm() <= tolerance::face;
  };
  int one = 0, two = 0;
  const double separation = normal_W.dot(core_support_world(touch.first, -normal_W, one) -
                                         core_support_world(touch.second, normal_W, two));
  if (separation < -touch.slack || std::any_of(out.begin(), out.end(), same)) return;
  out.push_back({normal_W, separation});
}

/// The outward normals of the faces of `shape` that the contact lies on, times `sign`.
void try_faces(const Touch& touch, const Convex& shape, double sign,
               std::vector<SeparatingFace>& out) {
  const Vec3 at = shape.X_W.R.transpose() * (touch.at_W - shape.X_W.p);
  if (shape.core == Convex::Core::box) {
    for (Index i = 0; i < 3; ++i) {
      if (std::abs(std::abs(at[i]) - shape.size[i]) > touch.slack) continue;
      const double side = at[i] > 0 ? sign : -sign;
      try_normal(touch, side * shape.X_W.R.col(i), out);
    }
    return;
  }
  for (const Polyhedron::Face& face : shape.mesh->faces)
    if (std::abs(face.normal.dot(at) - face.offset) <= touch.slack)
      try_normal(touch, sign * (shape.X_W.R * face.normal), out);
}

}  // namespace

void separating_faces(const Convex& first, const Convex& second, const Vec3& at_W, double slack,
                      std::vector<SeparatingFace>& out) {
  out.clear();
  if (!is_polyhedral(first) || !is_polyhedral(second)) return;
  const Touch touch{first, second, at_W, slack};
  try_faces(touch, first, -1, out);
  try_faces(touch, second, 1, out);
}

}  // namespace tact
