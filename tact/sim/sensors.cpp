// sim/sensors.cpp - loads added up, frames and joints read.
#include "tact/sim/sensors.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <Eigen/Geometry>

#include "tact/body/energy.hpp"
#include "tact/cone/effective_patch.hpp"
#include "tact/contact/surface_law.hpp"
#include "tact/poly/polygon.hpp"
#include "tact/sim/interaction.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

/// +1 where the first geom is of these bodies and the second not, -1 the other way, else 0.
int side_of(const Model& model, const ContactSample& c, std::span<const Index> bodies) {
  const auto has = [&](Index geom) {
    return std::find(bodies.begin(), bodies.end(), model.geoms[geom].body) != bodies.end();
  };
  return static_cast<int>(has(c.geom1)) - static_cast<int>(has(c.geom2));
}

Vec3 in_world(const ContactSample& c, const Vec2& x) {
  return transform_point(c.X_WC, Vec3(x[0], x[1], 0));
}

Vec3 middle_of(const ContactSample& c, const std::vector<Vec2>& points) {
  Vec2 sum = Vec2::Zero();
  for (const Vec2& x : points) sum += x;
  return in_world(c, points.empty() ? sum : Vec2(sum / static_cast<double>(points.size())));
}

/// The point of the plane (at, n) about which the wrench has no moment along the plane.
Vec3 centre_of_pressure(const Wrench& about_origin, const Vec3& at, const Vec3& n) {
  const Vec3 moment = about_origin.m - at.cross(about_origin.f);
  return at + n.cross(moment) / n.dot(about_origin.f);
}

/// Everything a sensor may look at, after the last step.
struct Moment {
  const Simulation& sim;
  Kinematics kin;
  std::vector<Twist> drives;

  explicit Moment(const Simulation& s) : sim(s) {
    forward_kinematics(s.scene.model, s.state, kin);
    forward_velocities(s.scene.model, s.state.qvel, kin);
    drive_velocities(s.scene.model, s.prescribed, s.state.time, drives);
  }
  [[nodiscard]] const Model& model() const { return sim.scene.model; }

  /// The frame of an object and the body it sits on; -1 where it is no frame.
  [[nodiscard]] Index frame(const Sensor& s, Pose& X) const {
    if (s.object < 0) return -1;
    if (s.object_kind == "site") {
      const Site& site = model().sites[s.object];
      X = kin.X_WB[site.body] * site.X_BS;
      return site.body;
    }
    if (s.object_kind == "geom") {
      const Geom& geom = model().geoms[s.object];
      X = kin.X_WB[geom.body] * geom.X_BG;
      return geom.body;
    }
    if (s.object_kind != "body") return -1;
    X = kin.X_WB[s.object];
    // The simulation keeps free bodies at their centres of mass: back to the frame of the file.
    const Index link = model().tree.link_of(s.object);
    if (link >= 0 && model().tree.links[link].body == s.object) X.p -= X.R * sim.scene.shift[link];
    return s.object;
  }
};

void put(const Vec3& x, std::vector<double>& out) {
  out.assign(x.begin(), x.end());
}

/// Of a driven body's point, mean over the last step.
Twist driven_acceleration(const Moment& m, Index body, const Vec3& p) {
  const double dt = m.sim.options.dt;
  std::vector<Twist> before;
  drive_velocities(m.model(), m.sim.prescribed, m.sim.state.time - dt, before);
  const Index carrier = driven_carrier(m.model(), body);
  const Twist &now = m.drives[carrier], &then = before[carrier];
  const Vec3 arm = p - m.kin.X_WB[carrier].p;
  const Vec3 turning = (now.w - then.w) / dt;
  return {turning, (now.v - then.v) / dt + turning.cross(arm) + now.w.cross(now.w.cross(arm))};
}

/// Means over the last step; the accelerometer's is less gravity, and in its own axes.
bool read_acceleration(const Moment& m, const Sensor& s, Index body, const Pose& X,
                       std::vector<double>& out) {
  const Twist a = mean_acceleration(m.model(), m.kin, mean_rates(m.sim, m.kin), body, X.p) +
                  driven_acceleration(m, body, X.p);
  if (s.type == "accelerometer")
    put(X.R.transpose() * (a.v - m.model().gravity), out);
  else if (s.type == "framelinacc")
    put(a.v, out);
  else if (s.type == "frameangacc")
    put(a.w, out);
  else
    return false;
  return true;
}

bool read_frame(const Moment& m, const Sensor& s, std::vector<double>& out) {
  Pose X;
  const Index body = m.frame(s, X);
  if (body < 0) return false;
  const Twist T = point_velocity(m.model(), m.kin, body, X.p) +
                  driven_velocity(m.model(), m.kin, m.drives, body, X.p);
  if (s.type == "framepos") {
    put(X.p, out);
  } else if (s.type == "framequat") {
    const Quaternion q = to_quaternion(X.R);
    out = {q.w, q.x, q.y, q.z};
  } else if (s.type == "framexaxis") {
    put(X.R.col(0), out);
  } else if (s.type == "frameyaxis") {
    put(X.R.col(1), out);
  } else if (s.type == "framezaxis") {
    put(X.R.col(2), out);
  } else if (s.type == "framelinvel") {
    put(T.v, out);
  } else if (s.type == "frameangvel") {
    put(T.w, out);
  } else if (s.type == "gyro") {
    put(X.R.transpose() * T.w, out);
  } else if (s.type == "velocimeter") {
    put(X.R.transpose() * T.v, out);
  } else {
    return m.sim.steps > 0 && read_acceleration(m, s, body, X, out);
  }
  return true;
}

/// Sums over a body and what hangs on it, and what its parent does to it.
bool read_subtree(const Moment& m, std::span<const ContactSample> contacts, const Sensor& s,
                  std::vector<double>& out) {
  Pose X;
  const Index body = m.frame(s, X);
  if (body < 0) return false;
  if (s.type == "force" || s.type == "torque") {
    const auto wrench = interaction_wrench(m.sim, m.kin, contacts, body, X.p);
    if (wrench) put(X.R.transpose() * (s.type == "force" ? wrench->f : wrench->m), out);
    return true;
  }
  const SubtreeMotion motion = subtree_motion(m.model(), m.kin, body);
  if (s.type == "subtreecom")
    put(motion.com_W, out);
  else if (s.type == "subtreelinvel")
    put(motion.velocity_W, out);
  else if (s.type == "subtreeangmom")
    put(motion.angular_momentum_W, out);
  else
    return false;
  return true;
}

bool read_joint(const Moment& m, const Sensor& s, std::vector<double>& out) {
  if (s.object < 0 || s.object_kind != "joint") return false;
  const Joint& j = m.model().joints[s.object];
  const State& x = m.sim.state;
  if (s.type == "jointpos" && qpos_size(j.type) == 1)
    out = {x.qpos[j.qpos]};
  else if (s.type == "jointvel" && qpos_size(j.type) == 1)
    out = {x.qvel[j.dof]};
  else if (s.type == "ballquat" && j.type == JointType::ball)
    out.assign(x.qpos.data() + j.qpos, x.qpos.data() + j.qpos + 4);
  else if (s.type == "ballangvel" && j.type == JointType::ball)
    out.assign(x.qvel.data() + j.dof, x.qvel.data() + j.dof + 3);
  else
    return false;
  return true;
}

bool read_drive(const Moment& m, const Sensor& s, std::vector<double>& out) {
  if (s.object < 0) return false;
  if (s.object_kind == "tendon") {
    if (s.type == "tendonpos") out = {tendon_length(m.model(), s.object, m.sim.state.qpos)};
    if (s.type == "tendonvel") out = {tendon_speed(m.model(), s.object, m.sim.state.qvel)};
    return !out.empty();
  }
  if (s.object_kind != "actuator") return false;
  Actuation actuation;
  VecX total = VecX::Zero(m.model().nv);
  actuator_force(m.model(), m.sim.state, m.kin, actuation, total);
  if (s.type == "actuatorpos") out = {actuation.length[s.object]};
  if (s.type == "actuatorvel") out = {actuation.speed[s.object]};
  if (s.type == "actuatorfrc") out = {actuation.force[s.object]};
  return !out.empty();
}

/// The normal forces on the body of a site.
void read_touch(const Moment& m, std::span<const ContactSample> contacts, const Sensor& s,
                std::vector<double>& out) {
  Pose X;
  const Index body = m.frame(s, X);
  if (body < 0) return;
  double sum = 0;
  for (const ContactSample& c : contacts)
    if (side_of(m.model(), c, std::span(&body, 1)) != 0) sum += c.wrench_C.f[2];
  out = {sum};
}

}  // namespace

NetContact net_contact(const Model& model, std::span<const ContactSample> contacts,
                       std::span<const Index> bodies) {
  NetContact out;
  out.wrench_W = {Vec3::Zero(), Vec3::Zero()};
  Vec3 at = Vec3::Zero(), normal = Vec3::Zero();
  double nearest = std::numeric_limits<double>::infinity();
  for (const ContactSample& c : contacts) {
    const int side = side_of(model, c, bodies);
    if (side == 0) continue;
    const double load = c.wrench_C.f[2];
    if (load > 0) {
      const Wrench on_first = transform(c.X_WC, c.wrench_C);
      out.wrench_W.m += side * on_first.m;
      out.wrench_W.f += side * on_first.f;
      out.normal_force += load;
      at += load * in_world(c, c.label.cop.value_or(Vec2(Vec2::Zero())));
      normal += side * load * c.X_WC.R.col(2);
    }
    if (c.distance < nearest && !c.extended.points.empty()) {
      nearest = c.distance;
      out.extended_cop_W = middle_of(c, c.extended.points);
    }
  }
  if (out.normal_force > 0 && normal.norm() > 0) {
    const Vec3 n = normal.normalized();
    if (n.dot(out.wrench_W.f) > 0) {
      out.cop_W = centre_of_pressure(out.wrench_W, at / out.normal_force, n);
      out.extended_cop_W = out.cop_W;
    }
  }
  return out;
}

std::optional<PressureMap> pressure_map(const ContactSample& c) {
  if (c.kind == PatchKind::point || !c.label.cop || !(c.wrench_C.f[2] > 0)) return std::nullopt;
  SurfaceContact surface;
  surface.kind = c.kind;
  surface.radius = c.radius;
  surface.semi_axes = c.semi_axes;
  surface.point_count = static_cast<Index>(c.points.size());
  ContactBuffer buffer;
  buffer.points = c.points;
  const auto hull = convex_hull_of(patch_shape(surface, buffer));
  if (!hull) return std::nullopt;
  PressureMap out;
  EffectivePatchWorkspace work;
  constexpr int around = 96;
  effective_part(*hull, *c.label.cop, around, work, out.part);
  out.area = out.part.size() > 2 ? area(out.part) : 0;
  out.pressure = c.wrench_C.f[2] / out.area;
  return out;
}

bool sensor_is_modelled(const std::string& type) {
  constexpr std::array<std::string_view, 30> known = {
      "touch",         "jointpos",      "jointvel",    "ballquat",    "ballangvel",
      "actuatorpos",   "actuatorvel",   "actuatorfrc", "tendonpos",   "tendonvel",
      "framepos",      "framequat",     "framexaxis",  "frameyaxis",  "framezaxis",
      "framelinvel",   "frameangvel",   "framelinacc", "frameangacc", "gyro",
      "velocimeter",   "accelerometer", "force",       "torque",      "subtreecom",
      "subtreelinvel", "subtreeangmom", "clock",       "e_kinetic",   "e_potential"};
  return std::find(known.begin(), known.end(), type) != known.end();
}

void read_sensor(const Simulation& sim, std::span<const ContactSample> contacts,
                 const Sensor& sensor, std::vector<double>& out) {
  out.clear();
  const Moment moment(sim);
  if (sensor.type == "clock") {
    out = {sim.state.time};
  } else if (sensor.type == "e_kinetic") {
    out = {kinetic_energy(moment.model(), sim.state.qvel, moment.kin)};
  } else if (sensor.type == "e_potential") {
    out = {gravity_potential(moment.model(), moment.kin) +
           spring_potential(moment.model(), sim.state)};
  } else if (sensor.type == "touch") {
    read_touch(moment, contacts, sensor, out);
  } else if (!read_frame(moment, sensor, out) && !read_joint(moment, sensor, out) &&
             !read_drive(moment, sensor, out)) {
    (void)read_subtree(moment, contacts, sensor, out);
  }
}

}  // namespace tact
