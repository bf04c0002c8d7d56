// sim/smooth_motion.cpp - weight, springs, dampers, actuators, gyroscopic impulses.
#include "tact/sim/smooth_motion.hpp"

#include <algorithm>

#include "tact/sim/free_flight.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

bool has_springs_or_dampers(const Model& model) {
  return std::any_of(model.joints.begin(), model.joints.end(),
                     [](const Joint& j) { return j.stiffness != 0 || j.damping != 0; }) ||
         std::any_of(model.tendons.begin(), model.tendons.end(),
                     [](const FixedTendon& t) { return t.stiffness != 0 || t.damping != 0; });
}

/// Springs at q_m; dampers at u⁻, of which those of joints become implicit.
void passive(const Simulation& sim, double dt, StepWork& w) {
  const Model& model = sim.scene.model;
  SmoothMotion& s = w.smooth;
  if (!has_springs_or_dampers(model)) return;
  w.mid.qvel.swap(s.middle);  // u⁻ is kept there
  w.mid.qvel.setZero(model.nv);
  passive_force(model, w.mid, s.springs);
  w.mid.qvel.swap(s.middle);
  passive_force(model, w.mid, s.total);
  s.conservative += dt * s.springs;
  s.damping = dt * (s.total - s.springs);
  for (const Joint& j : model.joints)
    for (Index d = j.dof; d < j.dof + dof_size(j.type); ++d) s.implicit[d] += j.damping;
}

/// Forces of the actuators; what they lose with speed becomes implicit where one joint feels it and
/// no limit holds the force.
void actuators(const Simulation& sim, double dt, StepWork& w) {
  const Model& model = sim.scene.model;
  SmoothMotion& s = w.smooth;
  if (model.actuators.empty()) return;
  s.total.setZero(model.nv);
  actuator_force(model, w.mid, w.kin, s.actuation, s.total);
  s.actuators = dt * s.total;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& a = model.actuators[i];
    if (a.transmission != Transmission::joint) continue;
    const Joint& j = model.joints[a.target];
    if (j.type != JointType::hinge && j.type != JointType::slide) continue;
    const double force = s.actuation.force[static_cast<Index>(i)];
    if (a.force_limited && (force <= a.force_range[0] || force >= a.force_range[1])) continue;
    const double ctrl = a.ctrl_limited ? std::clamp(w.mid.ctrl[static_cast<Index>(i)],
                                                    a.ctrl_range[0], a.ctrl_range[1])
                                       : w.mid.ctrl[static_cast<Index>(i)];
    const double slope = -(a.bias[2] + a.gain[2] * ctrl) * a.gear[0] * a.gear[0];
    s.implicit[j.dof] += std::max(slope, 0.0);
    s.implicit_servo[j.dof] += std::max(slope, 0.0);
  }
}

/// Weight and gyroscopic impulse of the bodies that fly; the others' bias force.
void weight_and_bias(const Simulation& sim, double dt, const VecX& bias, StepWork& w) {
  const Model& model = sim.scene.model;
  SmoothMotion& s = w.smooth;
  for (std::size_t i = 0; i < model.tree.links.size(); ++i) {
    const Tree::Link& link = model.tree.links[i];
    const Index d = link.first_dof;
    if (!sim.scene.flies[i]) {
      s.conservative.segment(d, link.dof_count) -= dt * bias.segment(d, link.dof_count);
      continue;
    }
    const double share = 1 - model.bodies[link.body].gravity_compensation;
    s.conservative.segment<3>(d) += dt * share * link.mass * model.gravity;
    const Vec3 omega = w.mid.qvel.segment<3>(d + 3);
    const Vec3 torque = s.actuators.segment<3>(d + 3) / dt;
    const Vec3 after = turned_velocity(link.inertia_com_B, omega, torque, dt);
    s.gyroscopic.segment<3>(d + 3) =
        link.inertia_com_B * (after - omega) - s.actuators.segment<3>(d + 3);
  }
}

void free_velocity(const Simulation& sim, StepWork& w) {
  SmoothMotion& s = w.smooth;
  s.z = s.conservative + s.actuators + s.damping + s.gyroscopic;
  solve_in_place(sim.scene.model, w.factor, s.z);
  s.z += w.mid.qvel;
}

}  // namespace

void expect_loads(const Simulation& sim, double dt, StepWork& w) {
  const Model& model = sim.scene.model;
  SmoothMotion& s = w.smooth;
  const auto turns = [&](std::size_t i) {
    const Index d = model.tree.links[i].first_dof + 3;
    return sim.scene.flies[i] && dt * w.mid.qvel.segment<3>(d).norm() > tolerance::turn;
  };
  bool any = false;
  for (std::size_t i = 0; i < model.tree.links.size() && !any; ++i) any = turns(i);
  if (!any || w.recalled.isZero(0)) return;
  w.impulse.setZero(model.nv);
  add_row_impulses(model, w.rows, w.recalled, w.impulse);
  s.total.setZero(model.nv);
  any = false;
  for (std::size_t i = 0; i < model.tree.links.size(); ++i) {
    if (!turns(i)) continue;
    const Tree::Link& link = model.tree.links[i];
    const Index d = link.first_dof + 3;
    const Vec3 omega = w.mid.qvel.segment<3>(d), load = w.impulse.segment<3>(d);
    if (load.isZero(0)) continue;
    // Not those of a blow, which will not come again.
    constexpr double smooth = 0.1;
    const Vec3 momentum = link.inertia_com_B * omega;
    if (load.norm() > smooth * momentum.norm()) continue;
    const Vec3 known = s.actuators.segment<3>(d) + load;
    const Vec3 after = turned_velocity(link.inertia_com_B, omega, known / dt, dt);
    const Vec3 gyroscopic = link.inertia_com_B * (after - omega) - known;
    s.total.segment<3>(d) = gyroscopic - s.gyroscopic.segment<3>(d);
    if (s.total.segment<3>(d).norm() <= tolerance::rounding * momentum.norm()) {
      s.total.segment<3>(d).setZero();
      continue;
    }
    s.gyroscopic.segment<3>(d) = gyroscopic;
    any = true;
  }
  if (!any) return;
  solve_in_place(model, w.factor, s.total);
  s.z += s.total;
}

bool smooth_motion(const Simulation& sim, double dt, StepWork& w) {
  const Model& model = sim.scene.model;
  SmoothMotion& s = w.smooth;
  for (VecX* x :
       {&s.implicit, &s.implicit_servo, &s.conservative, &s.actuators, &s.damping, &s.gyroscopic})
    x->setZero(model.nv);
  mass_matrix(model, w.kin, w.mass);
  passive(sim, dt, w);
  actuators(sim, dt, w);
  w.lumped = w.mass.values;
  for (Index d = 0; d < model.nv; ++d) w.lumped[model.tree.row[d + 1] - 1] += dt * s.implicit[d];
  if (!factor(model, w.lumped, w.factor)) return false;

  if (!sim.tree_kinetic) {
    weight_and_bias(sim, dt, s.bias, w);
    free_velocity(sim, w);
    return true;
  }
  // Half a step with the bias at u⁻ gives the velocity in the middle; the bias is taken there.
  s.springs = s.conservative;
  bias_force(model, w.mid.qvel, w.kin, s.bias_work, s.bias);
  weight_and_bias(sim, dt, s.bias, w);
  free_velocity(sim, w);
  s.middle = 0.5 * (w.mid.qvel + s.z);
  forward_velocities(model, s.middle, w.kin);
  bias_force(model, s.middle, w.kin, s.bias_work, s.bias);
  s.conservative = s.springs;
  weight_and_bias(sim, dt, s.bias, w);
  free_velocity(sim, w);
  return true;
}

}  // namespace tact
