// spatial/twist.hpp - velocities and forces of rigid bodies, as types that the compiler keeps
// apart.
//
// Reference: [Stramigioli] sec. 2.2: the twist [ω, v] and its dual, the wrench [τ, F].
// Notation:  w angular velocity ω [rad/s], v velocity of the body's point at the origin [m/s],
//            m moment about the origin [N m], f force [N]; in a contact frame z is the normal N, x
//            and y are the tangents T, so that the rows are [ω_T, ω_N, v_T, v_N], [m_T, m_N, f_T,
//            f_N].
// Kinds:     within a kind one may add and scale; between the kinds there is one product, power.
//            A twist times seconds is a displacement, a wrench times seconds an impulse or a
//            momentum: they transform alike and share the types.
#pragma once

#include <concepts>

#include <Eigen/Geometry>  // the cross product

#include "tact/linalg/types.hpp"

namespace tact {

/// Velocity of a rigid body in space, at the origin of the frame it is expressed in.
struct Twist {
  Vec3 w = Vec3::Zero();
  Vec3 v = Vec3::Zero();

  [[nodiscard]] static Twist from(const Vec6& rows) { return {rows.head<3>(), rows.tail<3>()}; }
  [[nodiscard]] Vec6 vec() const { return (Vec6() << w, v).finished(); }

  [[nodiscard]] Vec2 w_t() const { return w.head<2>(); }
  [[nodiscard]] double w_n() const { return w[2]; }
  [[nodiscard]] Vec2 v_t() const { return v.head<2>(); }
  [[nodiscard]] double v_n() const { return v[2]; }
  bool operator==(const Twist&) const = default;
};

/// Force and moment on a rigid body in space, about the origin of the frame it is expressed in.
struct Wrench {
  Vec3 m = Vec3::Zero();
  Vec3 f = Vec3::Zero();

  [[nodiscard]] static Wrench from(const Vec6& rows) { return {rows.head<3>(), rows.tail<3>()}; }
  [[nodiscard]] Vec6 vec() const { return (Vec6() << m, f).finished(); }

  [[nodiscard]] Vec2 m_t() const { return m.head<2>(); }
  [[nodiscard]] double m_n() const { return m[2]; }
  [[nodiscard]] Vec2 f_t() const { return f.head<2>(); }
  [[nodiscard]] double f_n() const { return f[2]; }
  bool operator==(const Wrench&) const = default;
};

/// The same in the plane: rows [ω, v_x, v_y].
struct Twist2 {
  double w = 0;
  Vec2 v = Vec2::Zero();

  [[nodiscard]] static Twist2 from(const Vec3& rows) { return {rows[0], rows.tail<2>()}; }
  [[nodiscard]] Vec3 vec() const { return {w, v[0], v[1]}; }
  bool operator==(const Twist2&) const = default;
};

/// The same in the plane: rows [m, f_x, f_y].
struct Wrench2 {
  double m = 0;
  Vec2 f = Vec2::Zero();

  [[nodiscard]] static Wrench2 from(const Vec3& rows) { return {rows[0], rows.tail<2>()}; }
  [[nodiscard]] Vec3 vec() const { return {m, f[0], f[1]}; }
  bool operator==(const Wrench2&) const = default;
};

/// The closed set of kinds that share the vector-space operations below.
template <class S>
concept Screw = std::same_as<S, Twist> || std::same_as<S, Wrench> || std::same_as<S, Twist2> ||
    std::same_as<S, Wrench2>;

template <Screw S>
[[nodiscard]] S operator+(const S& a, const S& b) {
  return S::from(a.vec() + b.vec());
}
template <Screw S>
[[nodiscard]] S operator-(const S& a, const S& b) {
  return S::from(a.vec() - b.vec());
}
template <Screw S>
[[nodiscard]] S operator-(const S& a) {
  return S::from(-a.vec());
}
template <Screw S>
[[nodiscard]] S operator*(double s, const S& a) {
  return S::from(s * a.vec());
}
template <Screw S>
[[nodiscard]] S operator*(const S& a, double s) {
  return s * a;
}
template <Screw S>
[[nodiscard]] S operator/(const S& a, double s) {
  return S::from(a.vec() / s);
}
template <Screw S>
S& operator+=(S& a, const S& b) {
  return a = a + b;
}
template <Screw S>
S& operator-=(S& a, const S& b) {
  return a = a - b;
}
template <Screw S>
S& operator*=(S& a, double s) {
  return a = s * a;
}

/// The dual product ω·m + v·f [W]; both in the same frame, at the same point.
[[nodiscard]] inline double power(const Twist& twist, const Wrench& wrench) {
  return twist.w.dot(wrench.m) + twist.v.dot(wrench.f);
}
[[nodiscard]] inline double power(const Twist2& twist, const Wrench2& wrench) {
  return twist.w * wrench.m + twist.v.dot(wrench.f);
}

/// The same motion seen at the point r away from the present one, axes unchanged: v + ω × r.
[[nodiscard]] inline Twist shift(const Twist& twist, const Vec3& r) {
  return {twist.w, twist.v + twist.w.cross(r)};
}
[[nodiscard]] inline Twist2 shift(const Twist2& twist, const Vec2& r) {
  return {twist.w, twist.v - twist.w * perp(r)};
}

/// The same load about the point r away from the present one, axes unchanged: m - r × f (Varignon).
[[nodiscard]] inline Wrench shift(const Wrench& wrench, const Vec3& r) {
  return {wrench.m - r.cross(wrench.f), wrench.f};
}
[[nodiscard]] inline Wrench2 shift(const Wrench2& wrench, const Vec2& r) {
  return {wrench.m - cross(r, wrench.f), wrench.f};
}

}  // namespace tact
