// A box of 1 kg pushed along the ground for 10 ms: one patch of contact with Coulomb friction.
#include <cstdio>

#include "tact/contact/labels.hpp"
#include "tact/solve/solve.hpp"

int main() {
  using namespace tact;
  ContactProblem box;
  const double half = 0.1, m = 1, dt = 0.01;  // edge 0.2 m
  const double inertia = m * half * half * 2 / 3;
  VecX mass(6);
  mass << inertia, inertia, inertia, m, m, m;  // velocity [ω, v] of the centre, z up
  box.mass = sparse(MatX(mass.asDiagonal()));
  box.velocity = VecX::Zero(6);
  box.impulse = VecX::Zero(6);
  box.impulse << 0, 0, 0, 8 * dt, 0, -9.81 * m * dt;  // 8 N along x at the centre, and gravity
  const FrictionalPatch sole{
      {PolygonShape{{{-half, -half}, {half, -half}, {half, half}, {-half, half}}}}, 0.5};
  box.contacts = {{"ground", sole}};
  MatX twist = MatX::Identity(6, 6);  // rows [ω_T, ω_N, v_T, v_N] at the middle of the sole
  twist(3, 1) = -half;                // v_x = v_x + ω_y (-half)
  twist(4, 0) = half;
  box.rows = sparse(twist);

  const auto problem = reduce(box);
  VecX impulse;
  const SolveReport report = solve(*problem, {}, impulse);
  const auto label = labels(*problem, impulse).front();
  std::printf("%s, %s at %.4f m/s\n", name(report.status).data(), name(label.regime).data(),
              velocity_after(box, impulse)[3]);
}
