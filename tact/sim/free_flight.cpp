// sim/free_flight.cpp - three equations by Newton's method.
#include "tact/sim/free_flight.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

/// Whether a body that nothing pushes keeps its velocity to rounding: the least moment of inertia
/// is at least det I / (½ tr I)².
bool turns_evenly(const Mat3& inertia, const Vec3& omega, double dt) {
  const double half = 0.5 * inertia.trace();
  const double least = inertia.determinant() / (half * half);
  const double moment = omega.cross(inertia * omega).cwiseAbs().sum();
  return dt * moment <= 0.5 * tolerance::epsilon * least * omega.cwiseAbs().maxCoeff();
}

}  // namespace

Vec3 turned_velocity(const Mat3& inertia, const Vec3& omega, const Vec3& torque, double dt) {
  const Vec3 push = dt * torque;
  if (push.isZero(0) && (omega.isZero(0) || turns_evenly(inertia, omega, dt))) return omega;
  Vec3 after = omega;
  // Newton's method squares the error, which starts at h |ω|²; a step that is no more than rounding
  // ends it, and so does the limit, which only turns of more than half a circle a step reach.
  constexpr int most = 20;
  double size = omega.norm();
  if (!push.isZero(0))
    size += inertia.inverse().cwiseAbs().rowwise().sum().maxCoeff() * push.cwiseAbs().maxCoeff();
  for (int i = 0; i < most; ++i) {
    const Vec3 middle = 0.5 * (omega + after);
    const Vec3 momentum = inertia * middle;
    const Vec3 error = inertia * (after - omega) - push + dt * middle.cross(momentum);
    // d(m × I m)/dω₁ = ½ (m̂ I - (I m)^)
    Mat3 turn, spin;
    turn << 0, -middle[2], middle[1], middle[2], 0, -middle[0], -middle[1], middle[0], 0;
    spin << 0, -momentum[2], momentum[1], momentum[2], 0, -momentum[0], -momentum[1], momentum[0],
        0;
    const Mat3 slope = inertia + 0.5 * dt * (turn * inertia - spin);
    const Vec3 change = slope.inverse() * error;
    after -= change;
    if (!(change.norm() > tolerance::epsilon * size)) break;
  }
  return after;
}

}  // namespace tact
