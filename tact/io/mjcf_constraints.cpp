#include "tact/io/mjcf_constraints.hpp"

#include <algorithm>

#include "tact/io/json_tree.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

void leave_out(Reading& r, const XmlElement& e, std::string_view kind) {
  const std::string name = detail::printable(e.name);
  r.notes.add(e, concat({name, " ", kind, " is not modelled"}),
              concat({name, " ", kind, "s are not modelled"}));
}

Pose reference_pose(const Model& m, Index body) {
  Pose X;
  for (; body > 0; body = m.bodies[static_cast<std::size_t>(body)].parent)
    X = m.bodies[static_cast<std::size_t>(body)].X_PB * X;
  return X;
}

void read_fixed(Reading& r, Draft& d, const Instance& in, const XmlElement& e) {
  Model& m = r.scene.model;
  const Settings s = settings_of(r, *in.source, e);
  FixedTendon t;
  t.name = full_name(in, e);
  double length = 0;
  for (const XmlElement& part : e.children) {
    if (part.name != "joint") continue;
    const Index joint = named(r, d, d.names.joints, in, alone(part), "joint");
    if (joint < 0) return;
    const double coefficient = number(r, alone(part), "coef", 1);
    const Joint& j = m.joints[static_cast<std::size_t>(joint)];
    if (j.type != JointType::hinge && j.type != JointType::slide)
      r.refuse(part, Errc::schema, "a fixed tendon pulls hinges and slides only");
    t.joints.emplace_back(joint, coefficient);
    length += coefficient * j.reference;
  }
  overlay(r, s, "range", {t.range.data(), 2}, 2);
  t.limited = limited(r, s, "limited", "range", in.source->compiler.autolimits);
  if (t.limited && !(t.range[0] < t.range[1]))
    r.refuse(e, Errc::value, "the range of this tendon is empty; write its ends in order");
  t.stiffness = leading(r, s, "stiffness");
  t.damping = leading(r, s, "damping");
  t.dry_friction = number(r, s, "frictionloss", 0);
  const std::vector<double> rest = list(r, s, "springlength");
  t.rest_length.setConstant(rest.empty() || rest[0] == -1 ? length : rest[0]);
  if (rest.size() > 1) t.rest_length[1] = rest[1];
  keep_name(r, d.names.tendons, e, t.name, static_cast<Index>(m.tendons.size()));
  m.tendons.push_back(std::move(t));
}

/// One of the two sides of connect and weld: a body, and a frame in it.
struct Side {
  Index body = 0;
  Pose X_BS;
};

bool read_sites(Reading& r, const Draft& d, const Instance& in, const Settings& s,
                Side (&sides)[2]) {
  constexpr std::string_view names[] = {"site1", "site2"};
  for (int i = 0; i < 2; ++i) {
    const Index site = named(r, d, d.names.sites, in, s, names[i]);
    if (site < 0) return false;
    const Site& found = r.scene.model.sites[static_cast<std::size_t>(site)];
    sides[i] = {found.body, found.X_BS};
  }
  return true;
}

bool read_sides(Reading& r, const Draft& d, const Instance& in, const Settings& s,
                Side (&sides)[2]) {
  sides[0].body = named(r, d, d.names.bodies, in, s, "body1");
  sides[1].body = has(s, "body2") ? named(r, d, d.names.bodies, in, s, "body2") : 0;
  return sides[0].body >= 0 && sides[1].body >= 0;
}

/// Both sides as given, or from the pose of the file.
bool read_connect(Reading& r, const Draft& d, const Instance& in, const Settings& s, Equality& eq) {
  Side sides[2];
  if (has(s, "site1")) {
    if (!read_sites(r, d, in, s, sides)) return false;
    eq.anchor_first = sides[0].X_BS.p;
    eq.anchor_second = sides[1].X_BS.p;
  } else {
    if (!read_sides(r, d, in, s, sides)) return false;
    if (!has(s, "anchor"))
      r.refuse(s.element(), Errc::schema, "<connect> needs an anchor, three numbers in body1");
    const Model& m = r.scene.model;
    eq.anchor_first = vec3(r, s, "anchor", Vec3::Zero());
    eq.anchor_second = transform_point(
        inverse(reference_pose(m, sides[1].body)) * reference_pose(m, sides[0].body),
        eq.anchor_first);
  }
  eq.first = sides[0].body;
  eq.second = sides[1].body;
  return true;
}

bool read_weld(Reading& r, const Draft& d, const Instance& in, const Settings& s, Equality& eq) {
  Side sides[2];
  if (has(s, "site1")) {
    if (!read_sites(r, d, in, s, sides)) return false;
    eq.anchor_first = sides[0].X_BS.p;
    eq.anchor_second = sides[1].X_BS.p;
    eq.R_first_second = sides[0].X_BS.R * sides[1].X_BS.R.transpose();
  } else {
    if (!read_sides(r, d, in, s, sides)) return false;
    const Model& m = r.scene.model;
    Eigen::Matrix<double, 7, 1> given = Eigen::Matrix<double, 7, 1>::Zero();
    overlay(r, s, "relpose", {given.data(), 7}, 7);
    Pose X_12 = inverse(reference_pose(m, sides[0].body)) * reference_pose(m, sides[1].body);
    const Vec4 q = given.tail<4>();
    if (q.norm() > 0) X_12 = {rotation_of(r, s.element(), q), given.head<3>()};
    eq.anchor_second = vec3(r, s, "anchor", Vec3::Zero());
    eq.anchor_first = transform_point(X_12, eq.anchor_second);
    eq.R_first_second = X_12.R;
  }
  eq.first = sides[0].body;
  eq.second = sides[1].body;
  return true;
}

bool read_joint_equality(Reading& r, const Draft& d, const Instance& in, const Settings& s,
                         Equality& eq) {
  eq.first = named(r, d, d.names.joints, in, s, "joint1");
  eq.second = has(s, "joint2") ? named(r, d, d.names.joints, in, s, "joint2") : -1;
  overlay(r, s, "polycoef", eq.polynomial);
  if (r.error || eq.first < 0 || (has(s, "joint2") && eq.second < 0)) return false;
  for (const Index joint : {eq.first, eq.second}) {
    if (joint < 0) continue;
    const JointType type = r.scene.model.joints[static_cast<std::size_t>(joint)].type;
    if (type != JointType::hinge && type != JointType::slide)
      r.refuse(s.element(), Errc::schema, "an equality ties hinges and slides only");
  }
  return true;
}

void read_pair(Reading& r, const Draft& d, const Instance& in, const XmlElement& e) {
  Model& m = r.scene.model;
  const Settings s = settings_of(r, *in.source, e);
  note_unread(r, "pair", e);
  GeomPair p;
  p.first = named(r, d, d.names.geoms, in, s, "geom1");
  p.second = named(r, d, d.names.geoms, in, s, "geom2");
  if (p.first < 0 || p.second < 0 || r.error) return;
  const Geom& a = m.geoms[static_cast<std::size_t>(p.first)];
  const Geom& b = m.geoms[static_cast<std::size_t>(p.second)];
  const bool first_rules = a.priority > b.priority, second_rules = b.priority > a.priority;
  p.condim = first_rules ? a.condim : second_rules ? b.condim : std::max(a.condim, b.condim);
  p.friction = first_rules    ? a.friction[0]
               : second_rules ? b.friction[0]
                              : std::max(a.friction[0], b.friction[0]);
  p.condim = integer(r, s, "condim", p.condim);
  p.margin = number(r, s, "margin", std::max(a.margin, b.margin));
  std::array<double, 5> friction{p.friction, p.friction, 0, 0, 0};
  const Index given = overlay(r, s, "friction", friction);
  p.friction = friction[0];
  if (given > 1 && friction[1] != friction[0])
    r.notes.add(e, "pair slides alike in both directions: its second friction is not modelled",
                "pairs slide alike in both directions: their second friction is not modelled");
  if (p.friction < 0) r.refuse(e, Errc::value, "friction cannot be negative");
  m.pairs.push_back(p);
}

void read_exclusion(Reading& r, const Draft& d, const Instance& in, const XmlElement& e) {
  const Index a = named(r, d, d.names.bodies, in, alone(e), "body1");
  const Index b = named(r, d, d.names.bodies, in, alone(e), "body2");
  if (a >= 0 && b >= 0) r.scene.model.exclusions.emplace_back(std::min(a, b), std::max(a, b));
}

void read_equality(Reading& r, const Draft& d, const Instance& in, const XmlElement& e) {
  const Settings s = settings_of(r, *in.source, e, {}, "equality");
  Equality eq;
  eq.name = full_name(in, e);
  eq.active = boolean(r, s, "active", true);
  bool kept = false;
  if (e.name == "connect") {
    kept = read_connect(r, d, in, s, eq);
  } else if (e.name == "weld") {
    eq.type = EqualityType::weld;
    kept = read_weld(r, d, in, s, eq);
  } else if (e.name == "joint") {
    eq.type = EqualityType::joint;
    kept = read_joint_equality(r, d, in, s, eq);
  } else {
    leave_out(r, e, "equality constraint");
  }
  if (!kept) return;
  note_unread(r, "equality", e);
  r.scene.model.equalities.push_back(std::move(eq));
}

}  // namespace

void read_tendons(Reading& r, Draft& draft, const Instance& in) {
  for (const XmlElement* e : section(*in.source, "tendon")) {
    if (r.error) return;
    if (e->name == "fixed") note_unread(r, "tendon", *e);
    for (const Instance& each : repeated(draft, in, *e)) {
      if (e->name == "fixed") {
        read_fixed(r, draft, each, *e);
        continue;
      }
      leave_out(r, *e, "tendon");
      keep_name(r, draft.names.spatial_tendons, *e, full_name(each, *e), 0);
    }
  }
}

void read_equalities(Reading& r, Draft& draft, const Instance& in) {
  for (const XmlElement* e : section(*in.source, "equality"))
    for (const Instance& each : repeated(draft, in, *e)) {
      if (r.error) return;
      read_equality(r, draft, each, *e);
    }
}

void read_contacts(Reading& r, Draft& draft, const Instance& in) {
  for (const XmlElement* e : section(*in.source, "contact"))
    for (const Instance& each : repeated(draft, in, *e)) {
      if (r.error) return;
      if (e->name == "pair")
        read_pair(r, draft, each, *e);
      else if (e->name == "exclude")
        read_exclusion(r, draft, each, *e);
      else
        leave_out(r, *e, "contact");
    }
}

}  // namespace tact::mjcf
