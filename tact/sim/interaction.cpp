// sim/interaction.cpp - momentum balances of subtrees.
#include "tact/sim/interaction.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "tact/sim/observe_soft.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

bool has(const std::vector<Index>& bodies, Index body) {
  return std::binary_search(bodies.begin(), bodies.end(), body);
}

/// Whether a connect or weld ties one of the bodies to another one.
bool tied(const Model& model, const std::vector<Index>& bodies) {
  return std::any_of(model.equalities.begin(), model.equalities.end(), [&](const Equality& e) {
    return e.active && e.type != EqualityType::joint &&
           has(bodies, e.first) != has(bodies, e.second);
  });
}

/// Adds the load of a contact on geom 1, told in C, to that on the bodies about the world's origin.
void add_contact(const Model& model, const std::vector<Index>& bodies, Index geom1, Index geom2,
                 const Wrench& on_first_W, Wrench& sum) {
  const int side = static_cast<int>(has(bodies, model.geoms[geom1].body)) -
                   static_cast<int>(has(bodies, model.geoms[geom2].body));
  sum.m += side * on_first_W.m;
  sum.f += side * on_first_W.f;
}

/// Of all contacts, rigid and soft, between the bodies and others.
Wrench contact_load(const Simulation& sim, std::span<const ContactSample> contacts,
                    const std::vector<Index>& bodies) {
  const Model& model = sim.scene.model;
  Wrench sum{Vec3::Zero(), Vec3::Zero()};
  for (const ContactSample& c : contacts)
    add_contact(model, bodies, c.geom1, c.geom2, transform(c.X_WC, c.wrench_C), sum);
  if (sim.soft.empty()) return sum;
  std::vector<SoftSample> soft;
  observe_soft(sim, soft);
  for (const SoftSample& c : soft)
    add_contact(model, bodies, c.geom1, c.geom2, transform(c.X_WC, c.wrench_C), sum);
  return sum;
}

}  // namespace

std::vector<Index> subtree(const Model& model, Index body) {
  std::vector<Index> out{body};
  for (Index i = body + 1; i < static_cast<Index>(model.bodies.size()); ++i)
    if (has(out, model.bodies[i].parent)) out.push_back(i);
  return out;
}

SubtreeMotion subtree_motion(const Model& model, const Kinematics& kin, Index body) {
  SubtreeMotion out;
  Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();  // about the world's origin
  Vec3 first = Vec3::Zero();
  for (const Index i : subtree(model, body)) {
    const Body& b = model.bodies[i];
    const Vec3 c = transform_point(kin.X_WB[i], b.com_B);
    const Twist T = point_velocity(model, kin, i, c);
    const Mat3& R = kin.X_WB[i].R;
    out.mass += b.mass;
    first += b.mass * c;
    momentum += b.mass * T.v;
    angular += R * b.inertia_com_B * (R.transpose() * T.w) + b.mass * c.cross(T.v);
  }
  if (!(out.mass > 0)) return out;
  out.com_W = first / out.mass;
  out.velocity_W = momentum / out.mass;
  out.angular_momentum_W = angular - out.com_W.cross(momentum);
  return out;
}

Kinematics mean_rates(const Simulation& sim, const Kinematics& kin) {
  const StepWork& w = *sim.work;
  // u⁻ and u⁺ in the frame of the end of the step.
  Kinematics rates = kin;
  const VecX change = (w.velocity - w.velocity_before) / w.dt;
  forward_velocities(sim.scene.model, change, rates);
  return rates;
}

Twist mean_acceleration(const Model& model, const Kinematics& kin, const Kinematics& rates,
                        Index body, const Vec3& point_W) {
  Twist out = point_velocity(model, rates, body, point_W);
  const Twist bias = point_acceleration_bias(model, kin, body, point_W);
  out.w += bias.w;
  out.v += bias.v;
  return out;
}

std::optional<Wrench> interaction_wrench(const Simulation& sim, const Kinematics& kin,
                                         std::span<const ContactSample> contacts, Index body,
                                         const Vec3& about_W) {
  const Model& model = sim.scene.model;
  const std::vector<Index> bodies = subtree(model, body);
  if (sim.steps == 0 || tied(model, bodies)) return std::nullopt;
  Wrench out = contact_load(sim, contacts, bodies);
  out.m = about_W.cross(out.f) - out.m;  // less what contacts do, about the point
  out.f = -out.f;
  const Kinematics rates = mean_rates(sim, kin);
  for (const Index i : bodies) {
    const Body& b = model.bodies[i];
    const Mat3& R = kin.X_WB[i].R;
    const Vec3 c = transform_point(kin.X_WB[i], b.com_B);
    const Twist a = mean_acceleration(model, kin, rates, i, c);
    const Vec3 w = point_velocity(model, kin, i, c).w;
    const Mat3 inertia = R * b.inertia_com_B * R.transpose();
    const Vec3 force = b.mass * (a.v - (1 - b.gravity_compensation) * model.gravity);
    out.f += force;
    out.m += (c - about_W).cross(force) + inertia * a.w + w.cross(inertia * w);
  }
  return out;
}

}  // namespace tact
