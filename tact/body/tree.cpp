#include "tact/body/tree.hpp"

#include "tact/body/model.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

/// |r|² 1 - r rᵀ: the rotational inertia of a unit mass at r about the origin.
Mat3 unit_mass_at(const Vec3& r) {
  return r.squaredNorm() * Mat3::Identity() - r * r.transpose();
}

/// Adds a body, at X_LB in the frame of the link's moving body, to the sums of a link, which are
/// about the origin until all are in: com_B is the first moment.
void add(Tree::Link& link, const Pose& X_LB, const Body& b) {
  const Vec3 c = transform_point(X_LB, b.com_B);
  link.mass += b.mass;
  link.com_B += b.mass * c;
  link.inertia_B += X_LB.R * b.inertia_com_B * X_LB.R.transpose() + b.mass * unit_mass_at(c);
}

/// The sums about the origin become mass, centre and inertia about the centre. A link of one body
/// takes its numbers as they are.
void finish(Tree::Link& link, const Body& only, bool single) {
  if (link.mass > 0) link.com_B /= link.mass;
  link.inertia_com_B = link.inertia_B - link.mass * unit_mass_at(link.com_B);
  if (single) {
    link.com_B = only.com_B;
    link.inertia_com_B = only.inertia_com_B;
  }
  const Mat3& I = link.inertia_com_B;
  link.diagonal = I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0;
}

void set_pattern(const Model& m, Tree& t) {
  t.row.assign(static_cast<std::size_t>(m.nv) + 1, 0);
  for (Index d = 0; d < m.nv; ++d) {
    const Index p = m.dof_parent[d];
    t.row[d] = static_cast<Index>(t.column.size());
    if (p >= 0)
      for (Index e = t.row[p]; e < t.row[p + 1]; ++e) t.column.push_back(t.column[e]);
    t.column.push_back(d);
    t.row[d + 1] = static_cast<Index>(t.column.size());
  }
}

void set_joints(const Model& m, Tree& t) {
  t.armature.resize(m.nv);
  for (const Joint& j : m.joints) {
    Tree::Joint joint;
    joint.type = j.type;
    joint.off_centre = !j.anchor_B.isZero(0) && j.type != JointType::free;
    for (int k = 0; k < 3; ++k)
      if (j.axis_B == Vec3::Unit(k)) joint.along = k;
    joint.qpos = j.qpos;
    joint.dof = j.dof;
    joint.reference = j.reference;
    joint.anchor_B = j.anchor_B;
    joint.axis_B = j.axis_B;
    t.joints.push_back(joint);
    t.armature.segment(j.dof, dof_size(j.type)).setConstant(j.armature);
  }
}

/// The link that begins with body i, below link `above`.
Tree::Link begin_link(const Model& m, Index i, Index above, const Tree& t) {
  const Body& b = m.bodies[i];
  const auto here = static_cast<Index>(t.links.size());
  Tree::Link link;
  link.body = i;
  link.parent = above;
  link.root = above < 0 ? here : t.links[above].root;
  link.first_joint = b.first_joint;
  link.joint_count = b.joint_count;
  link.first_dof = b.first_dof;
  link.dof_count = b.dof_count;
  link.free = link.alone = m.joints[b.first_joint].type == JointType::free;
  return link;
}

}  // namespace

Tree make_tree(const Model& m) {
  Tree t;
  t.gravity = m.gravity;
  set_pattern(m, t);
  set_joints(m, t);
  std::vector<Pose> X_LB(m.bodies.size());  // of a body in its link
  std::vector<int> bodies_of;               // of each link
  Index driven = 0;
  for (Index i = 0; i < static_cast<Index>(m.bodies.size()); ++i) {
    const Body& b = m.bodies[i];
    Tree::Frame f;
    f.parent = i == 0 ? 0 : b.parent;
    f.X_PB = i == 0 ? Pose{} : b.X_PB;
    f.turned = f.X_PB.R != Mat3::Identity();
    f.moves = b.joint_count > 0;
    f.link = i == 0 ? -1 : t.frames[b.parent].link;
    if (b.driven) f.driven = driven++;
    if (b.gravity_compensation != 0) t.compensated = true;
    if (f.moves) {
      if (f.link >= 0) t.links[f.link].alone = false;
      t.links.push_back(begin_link(m, i, f.link, t));
      f.link = static_cast<Index>(t.links.size()) - 1;
      bodies_of.push_back(0);
    } else if (i > 0) {
      X_LB[i] = X_LB[b.parent] * b.X_PB;
    }
    if (f.link >= 0) {
      add(t.links[f.link], X_LB[i], b);
      ++bodies_of[f.link];
    }
    t.frames.push_back(f);
  }
  for (std::size_t k = 0; k < t.links.size(); ++k)
    finish(t.links[k], m.bodies[t.links[k].body], bodies_of[k] == 1);
  return t;
}

}  // namespace tact
