#include "tact/geom/box_box.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

/// Everything in the frame of the first box: R and t of the second, and |R|.
struct Layout {
  Mat3 R, abs_R;
  Vec3 t;  ///< from the first centre to the second
  Vec3 a, b;
};

struct Best {
  double separation = -std::numeric_limits<double>::infinity();
  double along = 0;   ///< sign of the centre distance along the axis
  double length = 1;  ///< of the edge product
  int code = -1;
};

void faces(const Layout& l, double beyond, Best& best) {
  for (int i = 0; i < 3; ++i) {
    const double s = std::abs(l.t[i]) - l.a[i] -
                     (l.abs_R(i, 0) * l.b[0] + l.abs_R(i, 1) * l.b[1] + l.abs_R(i, 2) * l.b[2]);
    if (s > best.separation) best = {s, l.t[i], 1, i};
  }
  if (best.separation > beyond) return;
  for (int j = 0; j < 3; ++j) {
    const double along = l.R.col(j).dot(l.t);
    const double s = std::abs(along) - l.b[j] - l.abs_R.col(j).dot(l.a);
    if (s > best.separation) best = {s, along, 1, 3 + j};
  }
}

/// Of nearly parallel edges the product carries rounding over its length: an edge axis has to be
/// better than the faces by more than that. Shorter products than `least` are left to the faces.
void edges(const Layout& l, double noise, double beyond, Best& best) {
  constexpr double least = tolerance::regime;
  const double faces_best = best.separation;
  double ahead = faces_best;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const double length2 = l.R(i1, j) * l.R(i1, j) + l.R(i2, j) * l.R(i2, j);
      if (length2 < least * least) continue;
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // e_i × R e_j has components -R(i2, j) and R(i1, j) along i1 and i2.
      const double along = l.t[i2] * l.R(i1, j) - l.t[i1] * l.R(i2, j);
      const double reach = l.a[i1] * l.abs_R(i2, j) + l.a[i2] * l.abs_R(i1, j) +
                           l.b[j1] * l.abs_R(i, j2) + l.b[j2] * l.abs_R(i, j1);
      const double over = std::abs(along) - reach;
      // One root for the nine: compare over/length with the best so far by squares first.
      if (over * std::abs(over) <= ahead * std::abs(ahead) * length2) continue;
      const double length = std::sqrt(length2);
      const double s = over / length;
      if (s <= faces_best + noise / length || s <= best.separation) continue;
      best = {s, along, length, 6 + 3 * i + j};
      ahead = s;
      if (s > beyond) return;
    }
  }
}

Vec3 axis_of(const Layout& l, const Mat3& R_W, const Best& best) {
  Vec3 axis;
  if (best.code < 3) {
    axis = R_W.col(best.code);
  } else if (best.code < 6) {
    axis = R_W * l.R.col(best.code - 3);
  } else {
    const int i = (best.code - 6) / 3, j = (best.code - 6) % 3;
    Vec3 product = Vec3::Zero();
    product[(i + 1) % 3] = -l.R((i + 2) % 3, j);
    product[(i + 2) % 3] = l.R((i + 1) % 3, j);
    axis = R_W * (product / best.length);
  }
  return best.along > 0 ? Vec3(-axis) : axis;  // t points to the second, the normal to the first
}

}  // namespace

BoxAxis box_axis(const Convex& first, const Convex& second, double beyond) {
  Layout l;
  const Mat3 to_first = first.X_W.R.transpose();
  l.R = to_first * second.X_W.R;
  l.t = to_first * (second.X_W.p - first.X_W.p);
  l.abs_R = l.R.cwiseAbs();
  l.a = first.size;
  l.b = second.size;
  Best best;
  faces(l, beyond, best);
  if (best.separation <= beyond) {
    const double size = l.a.sum() + l.b.sum() + l.t.cwiseAbs().sum();
    edges(l, tolerance::rounding * size, beyond, best);
  }
  return {best.separation, axis_of(l, first.X_W.R, best), best.code, best.separation > beyond};
}

}  // namespace tact
