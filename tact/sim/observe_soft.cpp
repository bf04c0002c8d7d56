#include "tact/sim/observe_soft.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/tolerance.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {

namespace {

/// 1/√x, infinite where x is zero.
double inverse_root(double x) {
  return x > 0 ? 1 / std::sqrt(x) : std::numeric_limits<double>::infinity();
}

/// Σ √φ K^(-1/2) s over the cells: the extension of one spring that pulls as all of them do.
Vec3 extension_of(const SoftContactModel& model, const SoftWork::Element& e,
                  const SoftResponse& response) {
  if (!(response.K_t.trace() > 0)) return Vec3::Zero();
  Vec2 shear = Vec2::Zero();
  double torsion = 0;
  for (std::size_t i = 0; i < e.answer.end.cells.size(); ++i) {
    const double root = std::sqrt(model.cells.stiffness[i]);
    shear += root * (e.frame.geometry.E.transpose() * e.answer.end.cells[i].shear);
    torsion += root * e.answer.end.cells[i].torsion;
  }
  const Vec2 moved = response.K_t_root.inverse() * shear;
  return {moved[0], moved[1], response.k_theta_root > 0 ? torsion / response.k_theta_root : 0};
}

/// Where the ellipsoid f'M⁻¹f + (τ/μr)² = f_N² meets the axes of C.
Vec3 slip_limits_of(const SoftFriction& friction, const SoftResponse& response, const Mat2& axes,
                    double held) {
  if (!friction.tensor && !(friction.coefficient > 0)) return Vec3::Zero();
  if (!(held > 0) || !(response.K_t.trace() > 0)) return Vec3::Zero();
  const Mat2 root = response.K_t_root.inverse();
  const Mat2 M = axes.transpose() * root * response.Q.topLeftCorner<2, 2>() * root * axes;
  const double turning = response.k_theta > 0 ? response.Q(2, 2) / response.k_theta : 0;
  return held * Vec3(inverse_root(M(0, 0)), inverse_root(M(1, 1)), inverse_root(turning));
}

SoftSample sample_of(const Simulation& sim, const SoftWork::Element& e) {
  const SoftGeoms& pair = sim.soft.pairs[e.pair];
  const SoftContactState& end = e.answer.end;
  SoftSample out;
  out.geom1 = pair.geom1;
  out.geom2 = pair.geom2;
  out.depth = -end.facing.gap;
  out.energy = stored_energy(end);
  SoftPlace place = e.frame.place;
  place.gap = std::min(end.facing.gap, 0.0);
  const SoftResponse response = respond(pair.model.pair, place);
  const PatchEllipse& patch = response.normal.patch;
  out.semi_axes = Vec2(patch.a, patch.b);
  Mat2 axes = Mat2::Identity();
  // A circle has no axes: those of the tangent basis do not jump.
  if (patch.a > (1 + tolerance::label) * patch.b)
    axes << patch.long_axis[0], -patch.long_axis[1], patch.long_axis[1], patch.long_axis[0];
  Mat3 turn = Mat3::Identity();
  turn.topLeftCorner<2, 2>() = axes;
  out.X_WC = geom_pose(sim.scene.model, sim.work->kin, pair.geom2) * e.frame.X_1C;
  out.X_WC.R = out.X_WC.R * turn;
  const Vec6 load = e.answer.impulse / sim.work->dt;
  out.wrench_C.m = turn.transpose() * load.head<3>();
  out.wrench_C.f = turn.transpose() * load.tail<3>();
  out.extension = turn.transpose() * extension_of(pair.model, e, response);
  // What sticks may carry static_ratio times what slides.
  const SoftFriction& friction = pair.model.pair.friction;
  const double share =
      e.answer.slips && e.answer.friction_use <= 1 ? 1.0 : std::max(1.0, friction.static_ratio);
  out.friction_use = e.answer.friction_use / share;
  out.slip_limits = slip_limits_of(friction, response, axes, share * e.answer.normal_force);
  if (end.touches) out.state = e.answer.slips ? SoftState::slips : SoftState::sticks;
  return out;
}

}  // namespace

void observe_soft(const Simulation& sim, std::vector<SoftSample>& out) {
  out.clear();
  const SoftWork& w = sim.work->soft;
  for (Index i = 0; i < w.element_count; ++i) {
    const SoftWork::Element& e = w.elements[i];
    if (e.touch < 0 || e.group < 0) continue;
    out.push_back(sample_of(sim, e));
    if (!(std::isfinite(out.back().depth))) {
      out.pop_back();  // lost on the way, and looked for again in the next step
      continue;
    }
    for (const SoftSample& before : out)
      if (&before != &out.back() && before.geom1 == out.back().geom1 &&
          before.geom2 == out.back().geom2)
        ++out.back().which;
  }
}

}  // namespace tact
