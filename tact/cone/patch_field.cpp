#include "tact/cone/patch_field.hpp"

namespace tact {

Vec2 tangential_velocity_at(const Twist& twist, const Vec2& x) {
  return twist.v_t() - twist.w_n() * perp(x);
}

double normal_velocity_at(const Twist& twist, const Vec2& x) {
  return twist.v_n() + twist.w_t().dot(perp(x));
}

Vec3 velocity_at(const Twist& twist, const Vec2& x) {
  const Vec2 tangential = tangential_velocity_at(twist, x);
  return {tangential[0], tangential[1], normal_velocity_at(twist, x)};
}

Vec3 normal_part(const Twist& twist) {
  return {twist.w[0], twist.w[1], twist.v[2]};
}

Vec3 normal_part(const Wrench& wrench) {
  return {wrench.m[0], wrench.m[1], wrench.f[2]};
}

Wrench wrench_of(const PointForce& load) {
  const Vec2 m_t = load.force[2] * perp(load.x);
  return {Vec3(m_t[0], m_t[1], -load.force.head<2>().dot(perp(load.x))), load.force};
}

Wrench wrench_of(const LineForce& load) {
  // Moments are quadratic along the line: Simpson's rule is exact.
  const double sixth = (load.b - load.a).norm() / 6;
  return wrench_of(PointForce{load.a, sixth * load.at_a}) +
         wrench_of(PointForce{(load.a + load.b) / 2, 2 * sixth * (load.at_a + load.at_b)}) +
         wrench_of(PointForce{load.b, sixth * load.at_b});
}

Wrench wrench_of(const TriangleForce& load) {
  // Moments are quadratic on the triangle: the rule at the three mid-points is exact.
  const double share = std::abs(cross(load.b - load.a, load.c - load.a)) / 6;
  const auto at_middle = [share](const Vec2& x, const Vec2& y, const Vec3& p, const Vec3& q) {
    return wrench_of(PointForce{(x + y) / 2, share / 2 * (p + q)});
  };
  return at_middle(load.a, load.b, load.at_a, load.at_b) +
         at_middle(load.b, load.c, load.at_b, load.at_c) +
         at_middle(load.c, load.a, load.at_c, load.at_a);
}

Wrench wrench_of(std::span<const PointForce> loads) {
  Wrench sum;
  for (const PointForce& load : loads) sum += wrench_of(load);
  return sum;
}

Wrench wrench_of_pressure(std::span<const Vec2> polygon, double at_origin, const Vec2& gradient) {
  const auto density = [&](const Vec2& x) { return Vec3(0, 0, at_origin + gradient.dot(x)); };
  Wrench sum;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const Vec2 &a = polygon[0], &b = polygon[i], &c = polygon[i + 1];
    sum += wrench_of(TriangleForce{a, b, c, density(a), density(b), density(c)});
  }
  return sum;
}

Vec2 moment_about(const Wrench& wrench, const Vec2& c) {
  return wrench.m_t() - wrench.f_n() * perp(c);
}

std::optional<Vec2> center_of_pressure(const Wrench& wrench) {
  if (wrench.f_n() == 0) return std::nullopt;
  return Vec2(-perp(wrench.m_t()) / wrench.f_n());  // minus: docs/errata.md, MontMarin25 (19)
}

}  // namespace tact
