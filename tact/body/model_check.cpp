#include "tact/body/model_check.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include <Eigen/Eigenvalues>

#include "tact/base/tolerance.hpp"
#include "tact/body/called.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

using Complaint = std::optional<Error>;

/// "body "leg": its mass is -1; ..."
template <class... Parts>
Error complaint(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return {Errc::value, text.str()};
}

Index size_of(const auto& list) {
  return static_cast<Index>(list.size());
}

bool inside(Index i, const auto& list) {
  return i >= 0 && i < size_of(list);
}

bool finite(const Pose& X) {
  return X.R.allFinite() && X.p.allFinite();
}

bool rotates(JointType type) {
  return type != JointType::slide;
}

Complaint check_inertia(const std::string& who, const Body& b) {
  if (!(b.mass >= 0) || !std::isfinite(b.mass))
    return complaint(who, ": its mass is ", b.mass, "; give zero or a positive number");
  if (!b.com_B.allFinite() || !b.inertia_com_B.allFinite())
    return complaint(who, ": its centre of mass or inertia is not finite");
  const Mat3& I = b.inertia_com_B;
  const double skew = (I - I.transpose()).cwiseAbs().maxCoeff();
  if (skew > tolerance::written * I.cwiseAbs().maxCoeff())
    return complaint(who, ": its inertia differs from its transpose by ", skew,
                     "; give a symmetric matrix");
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen((I + I.transpose()) / 2, Eigen::EigenvaluesOnly);
  const Vec3& moments = eigen.eigenvalues();  // ascending
  const double largest = moments.cwiseAbs().maxCoeff();
  if (moments[0] < -tolerance::written * largest)
    return complaint(who, ": its smallest principal moment of inertia is ", moments[0],
                     "; all three must be positive");
  const double excess = moments[2] - moments[0] - moments[1];
  if (excess > tolerance::triangle * largest)
    return complaint(who, ": its largest principal moment exceeds the sum of the other two by ",
                     excess, "; no body has that (triangle inequality)");
  if (b.mass == 0 && largest > 0)
    return complaint(who, ": it has rotational inertia but no mass; give it some");
  return {};
}

Complaint check_body(const Model& m, Index i) {
  const Body& b = m.bodies[i];
  const std::string who = called("body", b.name, i);
  if (!finite(b.X_PB) || !is_rotation(b.X_PB.R, {tolerance::written}))
    return complaint(who, ": its pose is not a rotation and a finite position");
  if (!std::isfinite(b.gravity_compensation))
    return complaint(who, ": its gravity compensation is not finite");
  if (auto e = check_inertia(who, b)) return e;
  if (i == 0) return {};
  if (b.parent < 0 || b.parent >= i)
    return complaint(who, ": its parent is body ", b.parent, "; a parent comes before its child");
  if (b.driven && b.parent != 0)
    return complaint(who, ": it is driven (mocap) but not a child of the world");
  return {};
}

Complaint check_joint_numbers(const std::string& who, const Joint& j) {
  if (!j.anchor_B.allFinite() || !j.axis_B.allFinite() || !j.range.allFinite() ||
      !std::isfinite(j.reference) || !std::isfinite(j.spring_reference))
    return complaint(who, ": its anchor, axis, range or reference is not finite");
  const struct {
    const char* name;
    double value;
  } coefficients[] = {{"stiffness", j.stiffness},
                      {"damping", j.damping},
                      {"armature", j.armature},
                      {"dry friction", j.dry_friction}};
  for (const auto& c : coefficients)
    if (!(c.value >= 0) || !std::isfinite(c.value))
      return complaint(who, ": its ", c.name, " is ", c.value, "; give zero or more");
  const bool has_axis = j.type == JointType::hinge || j.type == JointType::slide;
  if (has_axis && std::abs(j.axis_B.norm() - 1) > tolerance::written)
    return complaint(who, ": its axis has length ", j.axis_B.norm(), "; give a unit vector");
  if (j.limited && j.type == JointType::free) return complaint(who, ": a free joint has no limits");
  if (j.limited && !(j.range[0] < j.range[1]))
    return complaint(who, ": its range is ", j.range[0], " to ", j.range[1],
                     "; the first must be the smaller");
  if (j.force_limited && !has_axis)
    return complaint(who, ": only a hinge or slide limits the force of its actuators");
  if (j.force_limited && !(j.force_range.allFinite() && j.force_range[0] < j.force_range[1]))
    return complaint(who, ": its force range is ", j.force_range[0], " to ", j.force_range[1],
                     "; the first must be the smaller");
  if (j.limited && j.type == JointType::ball && j.range[0] != 0)
    return complaint(who, ": the range of a ball joint begins at ", j.range[0],
                     "; it must begin at 0");
  return {};
}

/// With the joints of the same body that come before it.
Complaint check_joint(const Model& m, Index i) {
  const Joint& j = m.joints[i];
  const std::string who = called("joint", j.name, i);
  if (!inside(j.body, m.bodies) || j.body == 0)
    return complaint(who, ": it belongs to body ", j.body, ", which cannot move or is not there");
  const Body& b = m.bodies[j.body];
  if (b.driven)
    return complaint(who, ": its ", called("body", b.name, j.body), " is driven and has no joints");
  if (j.type == JointType::free && b.parent != 0)
    return complaint(who, ": a free joint belongs to a child of the world, and ",
                     called("body", b.name, j.body), " is not one");
  for (Index k = 0; k < i; ++k) {
    const Joint& other = m.joints[k];
    if (other.body != j.body) continue;
    if (j.type == JointType::free || other.type == JointType::free)
      return complaint(who, ": ", called("body", b.name, j.body),
                       " has a free joint and another one");
    const bool ball = j.type == JointType::ball || other.type == JointType::ball;
    if (ball && rotates(j.type) && rotates(other.type))
      return complaint(who, ": ", called("body", b.name, j.body),
                       " has a ball joint and another one that turns");
  }
  return check_joint_numbers(who, j);
}

Complaint check_tendon(const Model& m, Index i) {
  const FixedTendon& t = m.tendons[i];
  const std::string who = called("tendon", t.name, i);
  for (const auto& [joint, coefficient] : t.joints) {
    if (!inside(joint, m.joints)) return complaint(who, ": there is no joint ", joint);
    const JointType type = m.joints[joint].type;
    if (type != JointType::hinge && type != JointType::slide)
      return complaint(who, ": ", called("joint", m.joints[joint].name, joint),
                       " is neither hinge nor slide");
    if (!std::isfinite(coefficient)) return complaint(who, ": a coefficient is not finite");
  }
  const bool passive = t.stiffness >= 0 && t.damping >= 0 && t.dry_friction >= 0;
  if (!passive || !std::isfinite(t.stiffness + t.damping + t.dry_friction))
    return complaint(who, ": its stiffness, damping and friction must be zero or more");
  if (t.limited && !(t.range[0] < t.range[1]))
    return complaint(who, ": its range is ", t.range[0], " to ", t.range[1],
                     "; the first must be the smaller");
  if (!(t.rest_length[0] <= t.rest_length[1]) || !t.rest_length.allFinite())
    return complaint(who, ": its rest length is ", t.rest_length[0], " to ", t.rest_length[1]);
  return {};
}

Complaint check_actuator(const Model& m, Index i) {
  const Actuator& a = m.actuators[i];
  const std::string who = called("actuator", a.name, i);
  bool there = false;
  switch (a.transmission) {
    case Transmission::joint:
    case Transmission::joint_in_parent:
      there = inside(a.target, m.joints);
      break;
    case Transmission::tendon:
      there = inside(a.target, m.tendons);
      break;
    case Transmission::site:
      there = inside(a.target, m.sites);
      break;
  }
  if (!there) return complaint(who, ": its target ", a.target, " is not there");
  if (!a.gear.allFinite() || !a.gain.allFinite() || !a.bias.allFinite())
    return complaint(who, ": its gear, gain or bias is not finite");
  if (a.ctrl_limited && !(a.ctrl_range[0] < a.ctrl_range[1]))
    return complaint(who, ": its control range is ", a.ctrl_range[0], " to ", a.ctrl_range[1]);
  if (a.force_limited && !(a.force_range[0] < a.force_range[1]))
    return complaint(who, ": its force range is ", a.force_range[0], " to ", a.force_range[1]);
  return {};
}

Complaint check_equality(const Model& m, Index i) {
  const Equality& e = m.equalities[i];
  const std::string who = called("equality", e.name, i);
  if (e.type != EqualityType::joint) {
    if (!inside(e.first, m.bodies) || !inside(e.second, m.bodies) || e.first == e.second)
      return complaint(who, ": it ties bodies ", e.first, " and ", e.second);
    if (!e.anchor_first.allFinite() || !e.anchor_second.allFinite() ||
        !is_rotation(e.R_first_second, {tolerance::written}))
      return complaint(who, ": its anchors or its rotation are not usable");
    return {};
  }
  const auto scalar = [&](Index k) {
    return inside(k, m.joints) &&
           (m.joints[k].type == JointType::hinge || m.joints[k].type == JointType::slide);
  };
  if (!scalar(e.first) || (e.second != -1 && !scalar(e.second)) || e.first == e.second)
    return complaint(who, ": it needs one or two hinges or slides, not joints ", e.first, " and ",
                     e.second);
  for (const double c : e.polynomial)
    if (!std::isfinite(c)) return complaint(who, ": its polynomial is not finite");
  return {};
}

Complaint check_geom(const Model& m, Index i) {
  const Geom& g = m.geoms[i];
  const std::string who = called("geom", g.name, i);
  if (!inside(g.body, m.bodies)) return complaint(who, ": there is no body ", g.body);
  if (!finite(g.X_BG) || !is_rotation(g.X_BG.R, {tolerance::written}))
    return complaint(who, ": its pose is not a rotation and a finite position");
  if (!g.friction.allFinite() || g.friction.minCoeff() < 0 || !std::isfinite(g.margin))
    return complaint(who, ": its friction or margin is not usable");
  return {};
}

Complaint check_site(const Model& m, Index i) {
  const Site& s = m.sites[i];
  const std::string who = called("site", s.name, i);
  if (!inside(s.body, m.bodies)) return complaint(who, ": there is no body ", s.body);
  if (!finite(s.X_BS) || !is_rotation(s.X_BS.R, {tolerance::written}))
    return complaint(who, ": its pose is not a rotation and a finite position");
  return {};
}

Complaint check_pairs(const Model& m) {
  for (Index i = 0; i < size_of(m.pairs); ++i)
    if (!inside(m.pairs[i].first, m.geoms) || !inside(m.pairs[i].second, m.geoms))
      return complaint("pair ", i, ": it speaks of geoms ", m.pairs[i].first, " and ",
                       m.pairs[i].second);
  for (const auto& [first, second] : m.exclusions)
    if (!inside(first, m.bodies) || !inside(second, m.bodies))
      return complaint("exclusion: it speaks of bodies ", first, " and ", second);
  for (Index i = 0; i < size_of(m.sensors); ++i) {
    const Sensor& s = m.sensors[i];
    const bool joint = s.object_kind == "joint" && s.object >= size_of(m.joints);
    const bool geom = s.object_kind == "geom" && s.object >= size_of(m.geoms);
    if (joint || geom)
      return complaint(called("sensor", s.name, i), ": there is no ", s.object_kind, " ", s.object);
  }
  return {};
}

template <class List, class Check>
Complaint check_each(const Model& m, const List& list, Check check) {
  for (Index i = 0; i < size_of(list); ++i)
    if (auto e = check(m, i)) return e;
  return {};
}

/// Mass, first and second moments about the world's origin of a body with all that hangs on it.
struct Moments {
  double mass = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();  ///< rotational inertia about the origin

  [[nodiscard]] Mat3 about(const Vec3& a) const {
    const Mat3 shift = hat(a) * hat(first);
    return second + shift + shift.transpose() - mass * hat(a) * hat(a);
  }
};

/// Of every body's subtree and the poses of the file.
std::vector<Moments> subtree_moments(const Model& m, std::vector<Pose>& X_WB) {
  std::vector<Moments> sum(m.bodies.size());
  X_WB.assign(m.bodies.size(), Pose{});
  for (Index i = 1; i < size_of(m.bodies); ++i) {
    const Body& b = m.bodies[i];
    X_WB[i] = X_WB[b.parent] * b.X_PB;
    const Vec3 c = transform_point(X_WB[i], b.com_B);
    sum[i].mass = b.mass;
    sum[i].first = b.mass * c;
    sum[i].second = X_WB[i].R * b.inertia_com_B * X_WB[i].R.transpose() - b.mass * hat(c) * hat(c);
  }
  for (Index i = size_of(m.bodies) - 1; i > 0; --i) {
    Moments& above = sum[m.bodies[i].parent];
    above.mass += sum[i].mass;
    above.first += sum[i].first;
    above.second += sum[i].second;
  }
  return sum;
}

/// Whether every direction of the joint meets inertia, more than the rounding of what its subtree
/// sums to. The pivots of mass_check.hpp do not see that: an entry that is all rounding, as of a
/// point mass on an oblique axis, is large beside its own rounding.
bool moves_something(const Joint& j, const Moments& below, const Pose& X_WB) {
  if (j.armature > 0) return true;
  if (j.type == JointType::slide) return below.mass > 0;
  const Mat3 I = below.about(transform_point(X_WB, j.anchor_B));
  const double little = tolerance::rounding * (I.trace() + below.second.trace());
  if (j.type == JointType::hinge) {
    const Vec3 axis = X_WB.R * j.axis_B;
    return axis.dot(I * axis) > little;
  }
  if (j.type == JointType::free && !(below.mass > 0)) return false;
  const Mat3 about = j.type == JointType::free ? below.about(below.first / below.mass) : I;
  return Eigen::SelfAdjointEigenSolver<Mat3>(about, Eigen::EigenvaluesOnly).eigenvalues()[0] >
         little;
}

}  // namespace

std::optional<Error> check_parts(const Model& draft) {
  if (draft.bodies.empty()) return complaint("the model has no bodies; the first is the world");
  if (!draft.gravity.allFinite()) return complaint("gravity is not finite");
  if (!(draft.timestep > 0) || !std::isfinite(draft.timestep))
    return complaint("the time step is ", draft.timestep, "; give a positive number of seconds");
  if (auto e = check_each(draft, draft.bodies, check_body)) return e;
  if (auto e = check_each(draft, draft.joints, check_joint)) return e;
  if (auto e = check_each(draft, draft.geoms, check_geom)) return e;
  if (auto e = check_each(draft, draft.sites, check_site)) return e;
  if (auto e = check_each(draft, draft.tendons, check_tendon)) return e;
  if (auto e = check_each(draft, draft.actuators, check_actuator)) return e;
  if (auto e = check_each(draft, draft.equalities, check_equality)) return e;
  return check_pairs(draft);
}

std::optional<Error> check_whole(const Model& model) {
  for (Index i = 0; i < size_of(model.keyframes); ++i) {
    const Keyframe& k = model.keyframes[i];
    const std::string who = called("keyframe", k.name, i);
    const auto fits = [](const VecX& x, Index n) { return x.size() == 0 || x.size() == n; };
    if (!fits(k.qpos, model.nq) || !fits(k.qvel, model.nv) ||
        !fits(k.ctrl, size_of(model.actuators)))
      return complaint(who, ": qpos, qvel or ctrl has not as many numbers as the model (", model.nq,
                       ", ", model.nv, ", ", model.actuators.size(), ")");
    if (!k.qpos.allFinite() || !k.qvel.allFinite() || !k.ctrl.allFinite() || !std::isfinite(k.time))
      return complaint(who, ": a number is not finite");
  }
  std::vector<Pose> X_WB;
  const std::vector<Moments> below = subtree_moments(model, X_WB);
  for (Index i = 0; i < size_of(model.joints); ++i) {
    const Joint& j = model.joints[i];
    if (!moves_something(j, below[j.body], X_WB[j.body]))
      return complaint(
          called("body", model.bodies[j.body].name, j.body),
          ": mass and inertia of moving bodies must be positive, and ", called("joint", j.name, i),
          " moves nothing that has them; give the body some, or the joint an armature");
  }
  return {};
}

}  // namespace tact
