// body/motion_algebra.hpp - products of motions and inertias about one point, without temporaries.
#pragma once

#include "tact/body/kinematics.hpp"

namespace tact {

/// a × b.
[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

[[nodiscard]] inline Motion scaled(const Motion& m, double s) {
  return {m.w * s, m.v * s};
}

inline void add(const Motion& m, Motion& to) {
  to.w += m.w;
  to.v += m.v;
}

/// to += [a, b] = [ω_a × ω_b; ω_a × v_b + v_a × ω_b].
inline void add_bracket(const Motion& a, const Motion& b, Motion& to) {
  to.w += cross(a.w, b.w);
  to.v += cross(a.w, b.v) + cross(a.v, b.w);
}

/// What a free joint alone gives: its axes are the axes of W, and turns about O itself.
[[nodiscard]] inline Motion free_velocity(const Kinematics& kin, const double* qvel, Index dof) {
  const Motion* S = kin.axis.data() + dof + 3;
  return {S[0].w * qvel[3] + S[1].w * qvel[4] + S[2].w * qvel[5], Vec3(qvel[0], qvel[1], qvel[2])};
}

/// The momentum [about O, linear] of a motion, or the force of an acceleration, as (w, v).
[[nodiscard]] inline Motion momentum(const PointInertia& I, const Motion& m) {
  return {I.turned(m.w) + cross(I.moment, m.v), I.mass * m.v + cross(m.w, I.moment)};
}

/// The power of the force (moment w, force v) in a motion.
[[nodiscard]] inline double power(const Motion& m, const Motion& force) {
  return (m.w[0] * force.w[0] + m.w[1] * force.w[1] + m.w[2] * force.w[2]) +
         (m.v[0] * force.v[0] + m.v[1] * force.v[1] + m.v[2] * force.v[2]);
}

/// to += V ×* h: the rate of a momentum carried along by the motion V.
inline void add_dual_bracket(const Motion& V, const Motion& h, Motion& to) {
  to.w += cross(V.w, h.w) + cross(V.v, h.v);
  to.v += cross(V.w, h.v);
}

}  // namespace tact
