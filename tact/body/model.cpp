#include "tact/body/model.hpp"

#include <algorithm>
#include <numeric>

#include "tact/base/expects.hpp"
#include "tact/body/mass_check.hpp"
#include "tact/body/model_check.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

Index size_of(const auto& list) {
  return static_cast<Index>(list.size());
}

/// Sorts by body, keeping the order within a body; answers where each item went.
template <class Item>
std::vector<Index> sort_by_body(std::vector<Item>& items) {
  std::vector<Index> order(items.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return items[a].body < items[b].body; });
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  std::vector<Index> place(items.size());
  for (const Index from : order) {
    place[from] = size_of(sorted);
    sorted.push_back(std::move(items[from]));
  }
  items = std::move(sorted);
  return place;
}

/// Everything that speaks of joints follows them to their new places; -1 stays.
void rename_joints(Model& m, const std::vector<Index>& place) {
  for (FixedTendon& tendon : m.tendons)
    for (auto& [joint, coefficient] : tendon.joints) joint = place[joint];
  for (Actuator& a : m.actuators)
    if (a.transmission == Transmission::joint || a.transmission == Transmission::joint_in_parent)
      a.target = place[a.target];
  for (Equality& e : m.equalities)
    if (e.type == EqualityType::joint) {
      e.first = place[e.first];
      if (e.second >= 0) e.second = place[e.second];
    }
  for (Sensor& s : m.sensors)
    if (s.object_kind == "joint" && s.object >= 0) s.object = place[s.object];
}

void rename_geoms(Model& m, const std::vector<Index>& place) {
  for (GeomPair& pair : m.pairs) {
    pair.first = place[pair.first];
    pair.second = place[pair.second];
  }
  for (Sensor& s : m.sensors)
    if (s.object_kind == "geom" && s.object >= 0) s.object = place[s.object];
}

void set_addresses(Model& m) {
  for (Body& b : m.bodies) b.joint_count = b.dof_count = b.geom_count = 0;
  m.nq = m.nv = 0;
  m.dof_joint.clear();
  m.dof_body.clear();
  for (Index i = 0; i < size_of(m.joints); ++i) {
    Joint& j = m.joints[i];
    Body& b = m.bodies[j.body];
    if (b.joint_count++ == 0) {
      b.first_joint = i;
      b.first_dof = m.nv;
    }
    j.qpos = m.nq;
    j.dof = m.nv;
    m.nq += qpos_size(j.type);
    m.nv += dof_size(j.type);
    b.dof_count += dof_size(j.type);
    m.dof_joint.resize(static_cast<std::size_t>(m.nv), i);
    m.dof_body.resize(static_cast<std::size_t>(m.nv), j.body);
  }
  for (Index i = 0; i < size_of(m.geoms); ++i) {
    Body& b = m.bodies[m.geoms[i].body];
    if (b.geom_count++ == 0) b.first_geom = i;
  }
}

/// The tree of the dofs.
void set_tree(Model& m) {
  std::vector<Index> last_dof(m.bodies.size(), -1);  // of the body or the nearest one above
  m.dof_parent.assign(static_cast<std::size_t>(m.nv), -1);
  for (Index i = 1; i < size_of(m.bodies); ++i) {
    Body& b = m.bodies[i];
    b.root = b.parent == 0 ? i : m.bodies[b.parent].root;
    Index last = last_dof[b.parent];
    for (Index d = 0; d < b.dof_count; ++d) {
      m.dof_parent[b.first_dof + d] = last;
      last = b.first_dof + d;
    }
    last_dof[i] = last;
  }
}

void set_reference_pose(Model& m) {
  m.qpos0.resize(m.nq);
  for (const Joint& j : m.joints) {
    switch (j.type) {
      case JointType::free: {
        const Pose& X = m.bodies[j.body].X_PB;
        const Quaternion q = to_quaternion(X.R);
        m.qpos0.segment<7>(j.qpos) << X.p, q.w, q.x, q.y, q.z;
        break;
      }
      case JointType::ball:
        m.qpos0.segment<4>(j.qpos) = Vec4::UnitX();
        break;
      case JointType::hinge:
      case JointType::slide:
        m.qpos0[j.qpos] = j.reference;
        break;
    }
  }
}

template <class List>
Index find(const List& list, const std::string& name) {
  for (Index i = 0; i < size_of(list); ++i)
    if (list[i].name == name) return i;
  return -1;
}

}  // namespace

Index qpos_size(JointType type) {
  switch (type) {
    case JointType::free:
      return 7;
    case JointType::ball:
      return 4;
    case JointType::hinge:
    case JointType::slide:
      break;
  }
  return 1;
}

Index dof_size(JointType type) {
  switch (type) {
    case JointType::free:
      return 6;
    case JointType::ball:
      return 3;
    case JointType::hinge:
    case JointType::slide:
      break;
  }
  return 1;
}

Result<Model> make_model(Model draft) {
  if (auto e = check_parts(draft)) return *e;
  for (Joint& j : draft.joints)
    if (j.type == JointType::hinge || j.type == JointType::slide) j.axis_B.normalize();
  for (Body& b : draft.bodies) {
    b.X_PB.R = nearest_rotation(b.X_PB.R);
    b.inertia_com_B = (b.inertia_com_B + b.inertia_com_B.transpose().eval()) / 2;
  }
  rename_joints(draft, sort_by_body(draft.joints));
  rename_geoms(draft, sort_by_body(draft.geoms));
  for (auto& [first, second] : draft.exclusions)
    if (first > second) std::swap(first, second);
  set_addresses(draft);
  set_tree(draft);
  set_reference_pose(draft);
  if (auto e = check_whole(draft)) return *e;
  draft.tree = make_tree(draft);
  if (auto e = check_mass(draft)) return *e;
  return draft;
}

void normalize_quaternions(const Model& model, VecX& qpos) {
  TACT_EXPECTS(qpos.size() == model.nq);
  for (const Joint& j : model.joints) {
    if (j.type != JointType::free && j.type != JointType::ball) continue;
    auto q = qpos.segment<4>(j.type == JointType::free ? j.qpos + 3 : j.qpos);
    const double n = q.norm();
    if (n > 0)
      q /= n;
    else
      q = Vec4::UnitX();  // no rotation is meant by a quaternion of zeros
  }
}

State initial_state(const Model& model) {
  State s;
  s.qpos = model.qpos0;
  s.qvel = VecX::Zero(model.nv);
  s.ctrl = VecX::Zero(size_of(model.actuators));
  for (const Body& b : model.bodies)
    if (b.driven) s.driven.push_back(b.X_PB);
  return s;
}

State keyframe_state(const Model& model, const Keyframe& key) {
  State s = initial_state(model);
  s.time = key.time;
  const auto take = [](const VecX& from, VecX& to) {
    TACT_EXPECTS(from.size() == 0 || from.size() == to.size());
    if (from.size() > 0) to = from;
  };
  take(key.qpos, s.qpos);
  take(key.qvel, s.qvel);
  take(key.ctrl, s.ctrl);
  normalize_quaternions(model, s.qpos);
  return s;
}

Index find_body(const Model& model, const std::string& name) {
  return find(model.bodies, name);
}
Index find_joint(const Model& model, const std::string& name) {
  return find(model.joints, name);
}
Index find_geom(const Model& model, const std::string& name) {
  return find(model.geoms, name);
}
Index find_keyframe(const Model& model, const std::string& name) {
  return find(model.keyframes, name);
}

}  // namespace tact
