#include "tact/cone/patch.hpp"

#include <cmath>

namespace tact {

namespace {

/// Components along axes turned by `angle`.
Mat2 to_turned_axes(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat2 q;
  q << c, s, -s, c;
  return q;
}

}  // namespace

PatchCone PatchCone::in_frame(const Vec2& origin, double angle) const {
  const Mat2 q = to_turned_axes(angle);
  return PatchCone(hull_.mapped(q, -q * origin));
}

Vec3 change_frame_of_normal_wrench(const Vec3& wrench, const Vec2& origin, double angle) {
  Vec3 out;
  out << to_turned_axes(angle) * (wrench.head<2>() - wrench[2] * perp(origin)), wrench[2];
  return out;
}

Vec3 change_frame_of_normal_twist(const Vec3& twist, const Vec2& origin, double angle) {
  Vec3 out;
  out << to_turned_axes(angle) * twist.head<2>(), twist[2] + twist.head<2>().dot(perp(origin));
  return out;
}

}  // namespace tact
