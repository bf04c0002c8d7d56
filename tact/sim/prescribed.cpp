// sim/prescribed.cpp - schedules read, driven bodies moved.
#include "tact/sim/prescribed.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

void value_at(const Schedule& schedule, double time, Eigen::Ref<VecX> out) {
  TACT_EXPECTS(!schedule.empty() && schedule.time.size() == schedule.value.size());
  const auto next = std::upper_bound(schedule.time.begin(), schedule.time.end(), time);
  const auto at = static_cast<std::size_t>(next - schedule.time.begin());
  if (at == 0) {
    out = schedule.value.front();
  } else if (at == schedule.time.size()) {
    out = schedule.value.back();
  } else {
    const double from = schedule.time[at - 1], to = schedule.time[at];
    const double share = (time - from) / (to - from);
    out = (1 - share) * schedule.value[at - 1] + share * schedule.value[at];
  }
}

void drive_velocities(const Model& model, const Prescribed& prescribed, double time,
                      std::vector<Twist>& out) {
  out.assign(model.bodies.size(), Twist{Vec3::Zero(), Vec3::Zero()});
  if (prescribed.drives.empty()) return;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Index driven = model.tree.frames[i].driven;
    if (driven < 0) continue;
    for (const Drive& drive : prescribed.drives) {
      if (drive.driven != driven) continue;
      Vec6 motion = Vec6::Zero();
      if (!drive.motion.empty()) value_at(drive.motion, time, motion);
      for (const SmoothMove& move : drive.moves) {
        const double s = (time - move.start) / move.duration;
        if (s > 0 && s < 1)
          motion += (30 * s * s * (1 - s) * (1 - s) / move.duration) * move.change;
      }
      out[i] = {motion.tail<3>(), motion.head<3>()};
    }
  }
}

Index driven_carrier(const Model& model, Index body) {
  while (body > 0 && model.bodies[body].joint_count == 0 && !model.bodies[body].driven)
    body = model.bodies[body].parent;
  return body;
}

Twist driven_velocity(const Model& model, const Kinematics& kin, const std::vector<Twist>& bodies,
                      Index body, const Vec3& point_W) {
  const Index carrier = driven_carrier(model, body);
  const Twist& T = bodies[carrier];
  return {T.w, T.v + T.w.cross(point_W - kin.X_WB[carrier].p)};
}

Twist belt_velocity(const Model& model, const Kinematics& kin, const Prescribed& prescribed,
                    Index geom, const Vec3& point_W) {
  Twist out{Vec3::Zero(), Vec3::Zero()};
  for (const SurfaceMotion& surface : prescribed.surfaces) {
    if (surface.geom != geom) continue;
    const Geom& g = model.geoms[geom];
    const Pose X_WG = kin.X_WB[static_cast<std::size_t>(g.body)] * g.X_BG;
    const Vec3 turning = X_WG.R * surface.angular_velocity_G;
    out.w += turning;
    out.v += X_WG.R * surface.velocity_G + turning.cross(point_W - X_WG.p);
  }
  return out;
}

Twist surface_velocity(const Model& model, const Kinematics& kin, const Prescribed& prescribed,
                       const std::vector<Twist>& bodies, Index geom, const Vec3& point_W) {
  return driven_velocity(model, kin, bodies, model.geoms[geom].body, point_W) +
         belt_velocity(model, kin, prescribed, geom, point_W);
}

void driven_travel(const Model& model, const Kinematics& kin, const std::vector<Twist>& now,
                   const std::vector<Twist>& then, const std::vector<double>& sizes, double time,
                   std::vector<double>& out) {
  out.clear();
  const auto moves = [](const Twist& T) { return !T.w.isZero(0) || !T.v.isZero(0); };
  if (std::none_of(now.begin(), now.end(), moves) && std::none_of(then.begin(), then.end(), moves))
    return;
  for (Index i = 0; i < static_cast<Index>(model.geoms.size()); ++i) {
    const Geom& g = model.geoms[i];
    const Vec3 middle = transform_point(kin.X_WB[g.body], g.X_BG.p);
    const double size = std::isfinite(sizes[i]) ? sizes[i] : 0;
    double fastest = 0;
    for (const std::vector<Twist>* bodies : {&now, &then}) {
      const Twist T = driven_velocity(model, kin, *bodies, g.body, middle);
      fastest = std::max(fastest, T.v.norm() + T.w.norm() * size);
    }
    out.push_back(time * fastest);
  }
}

void move_driven(const Model& model, const std::vector<Twist>& bodies, double dt, State& state) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Index driven = model.tree.frames[i].driven;
    if (driven < 0) continue;
    Pose& X = state.driven[static_cast<std::size_t>(driven)];
    X.p += dt * bodies[i].v;
    if (!bodies[i].w.isZero(0)) X.R = exp_so3(dt * bodies[i].w) * X.R;
  }
}

}  // namespace tact
