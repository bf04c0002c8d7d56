// soft/spring.cpp - mean forces, damper, and the energy closed.
#include "tact/soft/spring.hpp"

#include "tact/base/tolerance.hpp"
#include "tact/soft/close_energy.hpp"

namespace tact {
namespace {

/// K sin θ axis, on A.
Vec3 turning_torque(const BodySpring& spring, const Mat3& R_A, const Mat3& R_B) {
  const Mat3 R = R_B * R_A.transpose();
  return 0.5 * spring.turning_Nm_per_rad *
         Vec3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
}

}  // namespace

double spring_energy(const BodySpring& spring, const Pose& X_WA, const Pose& X_WB) {
  // 3 - tr R = ½|R_A - R_B|², without cancellation.
  return 0.5 * spring.stiffness_N_per_m * (X_WA.p - X_WB.p).squaredNorm() +
         0.25 * spring.turning_Nm_per_rad * (X_WA.R - X_WB.R).squaredNorm();
}

SpringAnswer try_spring_step(const BodySpring& spring, double energy0, const Pose& X_WA0,
                             const Pose& X_WB0, const Pose& X_WA1, const Pose& X_WB1,
                             const Twist& T, double dt) {
  SpringAnswer out;
  out.energy = spring_energy(spring, X_WA1, X_WB1);
  const Vec3 stretch = 0.5 * ((X_WA0.p - X_WB0.p) + (X_WA1.p - X_WB1.p));
  const Vec3 torque =
      0.5 * (turning_torque(spring, X_WA0.R, X_WB0.R) + turning_torque(spring, X_WA1.R, X_WB1.R));
  out.impulse << dt * torque, -dt * spring.stiffness_N_per_m * stretch;
  const double length = spring.stiffness_N_per_m > 0 && spring.turning_Nm_per_rad > 0
                            ? std::sqrt(spring.turning_Nm_per_rad / spring.stiffness_N_per_m)
                            : 1;
  const Vec6 rates = T.vec();
  const double reach = X_WA1.p.norm() + X_WB1.p.norm();
  const double size = energy0 + out.energy + spring.stiffness_N_per_m * stretch.norm() * reach;
  out.shake =
      close_energy(rates, length, energy0 - out.energy, tolerance::rounding * size, out.impulse);
  out.shake *= tolerance::epsilon * size;
  out.impulse.head<3>() -= dt * spring.turning_damping_Nms_per_rad * T.w;
  out.impulse.tail<3>() -= dt * spring.damping_Ns_per_m * T.v;
  out.loss = dt * (spring.turning_damping_Nms_per_rad * T.w.squaredNorm() +
                   spring.damping_Ns_per_m * T.v.squaredNorm());
  const double turn =
      dt * (0.5 * dt * spring.turning_Nm_per_rad + spring.turning_damping_Nms_per_rad);
  const double move = dt * (0.5 * dt * spring.stiffness_N_per_m + spring.damping_Ns_per_m);
  out.slope.diagonal() << turn, turn, turn, move, move, move;
  return out;
}

}  // namespace tact
