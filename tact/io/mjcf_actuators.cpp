#include "tact/io/mjcf_actuators.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/tolerance.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

/// What the layers say one after the other: a shortcut sets several things at once.
struct Servo {
  std::string gain_type = "fixed", bias_type = "none", dynamics = "none";
  Vec3 gain = Vec3::UnitX(), bias = Vec3::Zero();
  double inherit_range = 0;
  bool damp_ratio = false;  ///< bias[2] is a damping ratio
  std::string unknown;      ///< a shortcut that is not modelled

  void apply(Reading& r, const XmlElement& layer);

 private:
  void general(Reading& r, const Settings& s);
  void position(Reading& r, const Settings& s);
  void velocity(double kv);
};

/// The leading three of up to ten parameters.
void parameters(Reading& r, const Settings& s, std::string_view name, Vec3& values) {
  const std::vector<double> given = list(r, s, name);
  for (std::size_t i = 0; i < given.size() && i < 3; ++i) values[static_cast<Index>(i)] = given[i];
}

void Servo::general(Reading& r, const Settings& s) {
  gain_type = text(s, "gaintype", gain_type);
  bias_type = text(s, "biastype", bias_type);
  dynamics = text(s, "dyntype", dynamics);
  parameters(r, s, "gainprm", gain);
  parameters(r, s, "biasprm", bias);
  if (has(s, "biasprm")) damp_ratio = false;
}

void Servo::position(Reading& r, const Settings& s) {
  const double kp = number(r, s, "kp", gain[0]);
  gain[0] = kp;
  bias[1] = -kp;
  if (has(s, "kv")) {
    bias[2] = -number(r, s, "kv", 0);
    damp_ratio = false;
  }
  if (has(s, "dampratio")) {
    bias[2] = number(r, s, "dampratio", 0);
    damp_ratio = true;
  }
  if (has(s, "timeconst")) dynamics = number(r, s, "timeconst", 0) > 0 ? "filterexact" : "none";
  inherit_range = number(r, s, "inheritrange", inherit_range);
  gain_type = "fixed";
  bias_type = "affine";
}

void Servo::velocity(double kv) {
  gain = {kv, 0, 0};
  bias = {0, 0, -kv};
  gain_type = "fixed";
  bias_type = "affine";
  dynamics = "none";
  damp_ratio = false;
}

void Servo::apply(Reading& r, const XmlElement& layer) {
  const Settings s = alone(layer);
  if (layer.name == "general") {
    general(r, s);
    return;
  }
  unknown.clear();
  if (layer.name == "motor") {
    *this = Servo{};
  } else if (layer.name == "position") {
    position(r, s);
  } else if (layer.name == "velocity") {
    velocity(number(r, s, "kv", gain[0]));
  } else if (layer.name == "damper") {
    const double kv = number(r, s, "kv", 0);
    *this = Servo{};
    gain_type = "affine";
    gain = {0, 0, -kv};
  } else {
    unknown = layer.name;
  }
}

struct ActuatorReader {
  Reading& r;
  Draft& d;
  const Instance& in;
  const Settings& s;
  Actuator a{};
  Servo servo{};

  /// False: left out, and said.
  bool leave_out(std::string_view what) {
    r.notes.add(s.element(), concat({what, " is not modelled"}),
                concat({what, "s are not modelled"}));
    return false;
  }

  bool transmission() {
    constexpr std::pair<std::string_view, Transmission> kinds[] = {
        {"joint", Transmission::joint},
        {"jointinparent", Transmission::joint_in_parent},
        {"tendon", Transmission::tendon},
        {"site", Transmission::site}};
    for (const std::string_view other : {"refsite", "cranksite", "body"})
      if (has(s, other)) return leave_out(concat({"actuator with ", other}));
    for (const auto& [name, kind] : kinds) {
      const std::string* target = find_text(s, name);
      if (!target) continue;
      if (kind == Transmission::tendon && find_name(d.names.spatial_tendons, in, *target) >= 0)
        return leave_out("actuator of a spatial tendon");
      a.transmission = kind;
      a.target = named(r, d,
                       kind == Transmission::tendon ? d.names.tendons
                       : kind == Transmission::site ? d.names.sites
                                                    : d.names.joints,
                       in, s, name);
      return a.target >= 0;
    }
    r.refuse(
        s.element(), Errc::schema,
        concat({"<", s.element().name, "> acts on nothing; name a joint, a tendon or a site"}));
    return false;
  }

  bool force() {
    for (const XmlElement* layer : s.layers) servo.apply(r, *layer);
    if (!servo.unknown.empty())
      return leave_out(concat({detail::printable(servo.unknown), " actuator"}));
    const std::string& dynamics = servo.dynamics;
    if (dynamics == "filter" || dynamics == "filterexact")
      r.notes.add(s.element(), "actuator acts without the lag of its filter",
                  "actuators act without the lag of their filters");
    else if (dynamics != "none")
      return leave_out(concat({"actuator with dyntype ", detail::printable(dynamics)}));
    if (servo.gain_type != "fixed" && servo.gain_type != "affine")
      return leave_out(concat({"actuator with gaintype ", detail::printable(servo.gain_type)}));
    if (servo.bias_type != "none" && servo.bias_type != "affine")
      return leave_out(concat({"actuator with biastype ", detail::printable(servo.bias_type)}));
    a.gain = servo.gain_type == "affine" ? servo.gain : Vec3(servo.gain[0], 0, 0);
    a.bias = servo.bias_type == "affine" ? servo.bias : Vec3(Vec3::Zero());
    return true;
  }

  void ranges() {
    const bool automatic = in.source->compiler.autolimits;
    overlay(r, s, "gear", {a.gear.data(), 6});
    overlay(r, s, "ctrlrange", {a.ctrl_range.data(), 2}, 2);
    overlay(r, s, "forcerange", {a.force_range.data(), 2}, 2);
    a.ctrl_limited = limited(r, s, "ctrllimited", "ctrlrange", automatic);
    a.force_limited = limited(r, s, "forcelimited", "forcerange", automatic);
    if (servo.inherit_range > 0 && !has(s, "ctrlrange")) inherit();
    const bool ctrl_ok = !a.ctrl_limited || a.ctrl_range[0] < a.ctrl_range[1];
    const bool force_ok = !a.force_limited || a.force_range[0] < a.force_range[1];
    if (!ctrl_ok || !force_ok)
      r.refuse(
          s.element(), Errc::value,
          concat({ctrl_ok ? "forcerange" : "ctrlrange", " is empty; write its ends in order"}));
  }

  void inherit() {
    const Model& m = r.scene.model;
    const auto target = static_cast<std::size_t>(a.target);
    const bool on_joint = a.transmission == Transmission::joint;
    const bool on_tendon = a.transmission == Transmission::tendon;
    const bool has_range =
        (on_joint && m.joints[target].limited) || (on_tendon && m.tendons[target].limited);
    if (!has_range) {
      r.refuse(s.element(), Errc::schema,
               "inheritrange needs a joint or tendon with a range to inherit");
      return;
    }
    const Vec2 range = on_joint ? m.joints[target].range : m.tendons[target].range;
    const double middle = range.mean(), half = (range[1] - range[0]) / 2 * servo.inherit_range;
    a.ctrl_range = {middle - half, middle + half};
    a.ctrl_limited = true;
  }

  /// kv = ratio 2 √(kp m), m the inertia that the actuator feels in the pose of the file.
  void damp() {
    if (!servo.damp_ratio) return;
    const Model& m = r.scene.model;
    double felt = 0;
    const auto add = [&](Index joint, double moment) {
      if (moment != 0) felt += reference_inertia(m, joint) / (moment * moment);
    };
    const auto target = static_cast<std::size_t>(a.target);
    if (a.transmission == Transmission::tendon) {
      for (const auto& [joint, coefficient] : m.tendons[target].joints)
        add(joint, a.gear[0] * coefficient);
    } else if (a.transmission != Transmission::site && m.joints[target].type != JointType::free &&
               m.joints[target].type != JointType::ball) {
      add(a.target, a.gear[0]);
    } else {
      r.notes.add(s.element(), "dampratio of an actuator of a site or ball is not modelled",
                  "dampratios of actuators of sites or balls are not modelled");
    }
    a.bias[2] = -servo.bias[2] * 2 * std::sqrt(std::max(0.0, a.gain[0] * felt));
  }
};

void read_actuator(Reading& r, Draft& draft, const Instance& in, const XmlElement& e) {
  std::vector<Actuator>& actuators = r.scene.model.actuators;
  const Settings s = settings_of(r, *in.source, e);
  ActuatorReader reader{r, draft, in, s};
  const bool kept = reader.force() && reader.transmission();
  const Index place = static_cast<Index>(actuators.size());
  draft.actuator_slots.push_back({in.index, kept ? place : -1});
  if (!kept || r.error) return;
  reader.ranges();
  if (r.error) return;
  reader.damp();
  reader.a.name = full_name(in, e);
  keep_name(r, draft.names.actuators, e, reader.a.name, place);
  actuators.push_back(reader.a);
}

/// World poses with all joints at their reference.
std::vector<Pose> reference_poses(const Model& model) {
  std::vector<Pose> X(model.bodies.size());
  for (std::size_t i = 1; i < X.size(); ++i)
    X[i] = X[static_cast<std::size_t>(model.bodies[i].parent)] * model.bodies[i].X_PB;
  return X;
}

}  // namespace

double reference_inertia(const Model& model, Index joint) {
  const Joint& j = model.joints[static_cast<std::size_t>(joint)];
  const std::vector<Pose> X = reference_poses(model);
  const auto own = static_cast<std::size_t>(j.body);
  const Vec3 axis = X[own].R * j.axis_B, anchor = transform_point(X[own], j.anchor_B);
  std::vector<bool> below(model.bodies.size(), false);
  below[own] = true;
  double inertia = j.armature;
  for (std::size_t i = own; i < below.size(); ++i) {
    const Body& b = model.bodies[i];
    if (i > own && !below[static_cast<std::size_t>(b.parent)]) continue;
    below[i] = true;
    const Vec3 arm = axis.cross(transform_point(X[i], b.com_B) - anchor);
    const Vec3 axis_B = X[i].R.transpose() * axis;
    inertia += j.type == JointType::slide
                   ? b.mass
                   : b.mass * arm.squaredNorm() + axis_B.dot(b.inertia_com_B * axis_B);
  }
  return inertia;
}

void read_actuators(Reading& r, Draft& draft, const Instance& in) {
  for (const XmlElement* e : section(*in.source, "actuator")) {
    note_unread(r, "actuator", *e);
    for (const Instance& each : repeated(draft, in, *e)) {
      if (r.error) return;
      read_actuator(r, draft, each, *e);
    }
  }
}

}  // namespace tact::mjcf
