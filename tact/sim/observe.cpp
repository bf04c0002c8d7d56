// sim/observe.cpp - rows of the last step read back as contacts.
#include "tact/sim/observe.hpp"

#include <algorithm>

#include "tact/geom/contact_patch.hpp"
#include "tact/sim/position_step.hpp"
#include "tact/sim/step_work.hpp"
#include "tact/sim/warm_start.hpp"

namespace tact {
namespace {

void copy_shape(const SceneContacts& contacts, const RowGroup& group, ContactSample& out) {
  const SceneContact& c = contacts.contacts[group.place];
  out.geom1 = c.geom1;
  out.geom2 = c.geom2;
  out.which = group.key.which;
  out.X_WC = group.X_WC;
  out.kind = c.surface.kind;
  out.radius = c.surface.radius;
  out.semi_axes = c.surface.semi_axes;
  out.mu = c.pair.condim > 1 ? c.pair.friction[0] : 0;
  const auto first = contacts.buffer.points.begin() + c.surface.first_point;
  out.points.assign(first, first + c.surface.point_count);
  if (out.kind == PatchKind::point) out.points.assign(1, Vec2::Zero());  // the frame is there
}

/// What one step of gravity gives is a scale too: of what rests only rounding is left.
LabelScales scales_of(const Simulation& sim, const JudgedContacts& contacts, const VecX& u) {
  const Model& model = sim.scene.model;
  const double fall = model.gravity.norm();
  LabelScales out = label_scales(contacts, sim.work->lambda, u);
  out.velocity = std::max(out.velocity, fall * sim.options.dt);
  double mass = 0;
  for (const Tree::Link& link : model.tree.links) mass += link.mass;
  if (mass * fall > 0) out.weight = mass * fall * sim.work->dt;
  return out;
}

}  // namespace

void observe(const Simulation& sim, std::vector<ContactSample>& out) {
  const StepWork& w = *sim.work;
  const auto& groups = w.rows.groups;
  std::size_t count = 0;
  while (count < groups.size() && groups[count].key.source == RowSource::surface) ++count;
  out.resize(count);
  if (count == 0) return;  // as before the first step
  // Through the bodies: of a pile G is not made.
  VecX u;
  row_velocities(sim.scene.model, w.rows, w.velocity - w.smooth.z, u);
  u += w.problem.b;
  const JudgedContacts contacts = judged(w.problem);
  const std::vector<ContactLabel> all = labels(contacts, w.lambda, u, scales_of(sim, contacts, u));
  for (std::size_t i = 0; i < count; ++i) {
    ContactSample& sample = out[i];
    const RowGroup& group = groups[i];
    const LocalLaw& law = w.rows.laws[i];
    copy_shape(w.contacts, group, sample);
    const Vec6 load = whole_wrench(law, w.lambda.data() + group.first_row) / w.dt;
    const Vec6 motion = whole_wrench(law, w.gamma_plus.data() + group.first_row);
    sample.wrench_C = {load.head<3>(), load.tail<3>()};
    sample.twist_C = {motion.head<3>(), motion.tail<3>()};
    const Vec6 closing = whole_wrench(law, u.data() + group.first_row);
    sample.closing_C = {closing.head<3>(), closing.tail<3>()};
    sample.distance = least_gap(law, w.gaps[i]);
    sample.label = all[i];
    sample.extended = {};
    if (!law.is_patch()) {
      sample.extended.points.assign(1, Vec2::Zero());
      continue;
    }
    const PlanarSet& hull = law.patch->cone.hull();
    sample.extended =
        extended_center_of_pressure(hull, sample.wrench_C, sample.closing_C,
                                    natural_scales(hull, sample.wrench_C, sample.closing_C));
  }
}

void note_overlap(const Overlap& found, std::vector<Overlap>& out) {
  for (Overlap& one : out)
    if (one.geom1 == found.geom1 && one.geom2 == found.geom2) {
      one.depth = std::max(one.depth, found.depth);
      return;
    }
  out.push_back(found);
}

std::vector<Overlap> overlaps(const Simulation& sim) {
  const Model& model = sim.scene.model;
  Kinematics kin;
  forward_kinematics(model, sim.state, kin);
  DetectWorkspace work = sim.detect;  // what the run remembers stays as it is
  SceneContacts found;
  detect(model, kin, {}, work, found);
  std::vector<Overlap> out;
  for (const SceneContact& c : found.contacts) {
    const double depth = -least_gap(c.surface, found.buffer);
    const bool one = of_one_robot(model, model.geoms[c.geom1].body, model.geoms[c.geom2].body);
    if (depth > 0) note_overlap({c.geom1, c.geom2, depth, one}, out);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
  return out;
}

}  // namespace tact
