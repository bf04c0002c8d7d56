// sim/centred_model.cpp - frames moved, anchors with them.
#include "tact/sim/centred_model.hpp"

#include "tact/base/expects.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

/// Whether forces are written in the coordinates of the free joint itself.
bool has_forces_of_its_own(const Model& model, Index joint) {
  const Joint& j = model.joints[joint];
  if (j.stiffness != 0 || j.damping != 0 || j.armature != 0 || j.dry_friction != 0) return true;
  for (const Actuator& a : model.actuators)
    if (a.transmission != Transmission::tendon && a.transmission != Transmission::site &&
        a.target == joint)
      return true;
  return false;
}

/// Everything fixed to the body, seen from its new origin c.
void move_frame(Model& model, Index body, const Vec3& c) {
  Body& b = model.bodies[body];
  b.X_PB.p += b.X_PB.R * c;
  b.com_B -= c;
  for (Geom& g : model.geoms)
    if (g.body == body) g.X_BG.p -= c;
  for (Site& s : model.sites)
    if (s.body == body) s.X_BS.p -= c;
  for (Body& child : model.bodies)
    if (&child != &b && child.parent == body) child.X_PB.p -= c;
  for (Equality& e : model.equalities) {
    if (e.type == EqualityType::joint) continue;
    if (e.first == body) e.anchor_first -= c;
    if (e.second == body) e.anchor_second -= c;
  }
}

Mat3 rotation_at(const VecX& qpos, Index at) {
  return to_matrix(normalized(Quaternion{qpos[at], qpos[at + 1], qpos[at + 2], qpos[at + 3]}));
}

/// p += sign R c and v += sign R (ω × c) for every shifted body.
void shift_state(const CentredModel& m, double sign, State& state) {
  for (std::size_t i = 0; i < m.shift.size(); ++i) {
    const Vec3& c = m.shift[i];
    if (c.isZero(0)) continue;
    const Tree::Link& link = m.model.tree.links[i];
    const Index q = m.model.joints[link.first_joint].qpos, d = link.first_dof;
    const Mat3 R = rotation_at(state.qpos, q + 3);
    const Vec3 w = state.qvel.segment<3>(d + 3);
    state.qpos.segment<3>(q) += sign * (R * c);
    state.qvel.segment<3>(d) += sign * (R * w.cross(c));
  }
}

}  // namespace

CentredModel centred(const Model& model) {
  CentredModel out{model, {}, {}};
  const Tree& tree = model.tree;
  for (const Tree::Link& link : tree.links) {
    const bool flies = link.alone && !has_forces_of_its_own(model, link.first_joint);
    out.flies.push_back(flies);
    out.shift.push_back(flies ? link.com_B : Vec3(Vec3::Zero()));
    if (flies && !link.com_B.isZero(0)) move_frame(out.model, link.body, link.com_B);
  }
  out.model.keyframes.clear();  // they are positions of the old frames
  auto made = make_model(std::move(out.model));
  TACT_EXPECTS(made.has_value());
  out.model = *std::move(made);
  return out;
}

void to_centred(const CentredModel& centred, const State& from, State& to) {
  to = from;
  shift_state(centred, 1, to);
}

void from_centred(const CentredModel& centred, const State& from, State& to) {
  to = from;
  shift_state(centred, -1, to);
}

}  // namespace tact
