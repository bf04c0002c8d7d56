#include "tact/io/urdf_robot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/urdf_values.hpp"

namespace tact::detail {

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The first element or value that xacro would still have to replace.
const XmlElement* find_xacro(const XmlElement& element) {
  if (element.name.starts_with("xacro:")) return &element;
  // What other programs read may have parameters of its own.
  if (is_one_of(element.name, {"gazebo", "ros2_control", "transmission"})) return nullptr;
  for (const auto& [name, value] : element.attributes)
    if (value.find("${") != std::string::npos || value.find("$(") != std::string::npos)
      return &element;
  for (const XmlElement& child : element.children)
    if (const XmlElement* found = find_xacro(child)) return found;
  return nullptr;
}

class RobotReader {
 public:
  RobotReader(const XmlElement& root, const std::string& source) : root_(root), values_(source) {}

  Result<UrdfRobot> read() {
    check_kind();
    if (!values_.error()) {
      if (const std::string* name = find_attribute(root_, "name")) robot_.name = *name;
      for (const XmlElement& element : root_.children) top_level(element);
      for (const XmlElement* element : gazebo_) gazebo(*element);
    }
    if (!values_.error() && robot_.links.empty())
      values_.fail(root_, "has no link; a robot has one at least");
    if (values_.error()) return *values_.error();
    robot_.not_modelled = unread_;
    return std::move(robot_);
  }

 private:
  void check_kind() {
    if (root_.name == "mujoco")
      return values_.fail(root_, "makes this an MJCF file; read it as one");
    if (root_.name != "robot")
      return values_.fail(root_, "is the root, and a URDF file has <robot>; name a URDF file");
    if (const XmlElement* found = find_xacro(root_))
      values_.fail(*found, "is for xacro; expand with xacro first (xacro FILE > robot.urdf)");
  }

  void top_level(const XmlElement& element) {
    if (element.name == "link") return link(element);
    if (element.name == "joint") return joint(element);
    if (element.name == "gazebo") return gazebo_.push_back(&element);
    if (element.name != "material") unread(element);
  }

  void unread(const XmlElement& element) {
    unread_.note(element.line, concat({"<", printable(element.name), "> is not modelled"}));
  }

  std::string unique_name(const XmlElement& element, std::set<std::string>& names) {
    std::string name = values_.text(element, "name");
    if (!values_.error() && name.empty()) values_.fail(element, "has an empty name; give it one");
    if (!names.insert(name).second)
      values_.fail(element, concat({"\"", printable(name),
                                    "\" has the name of an earlier one; "
                                    "give it another"}));
    return name;
  }

  Pose origin(const XmlElement& element) {
    const XmlElement* found = find_child(element, "origin");
    if (!found) return {};
    const Vec3 rpy = values_.vector(*found, "rpy", Vec3::Zero());
    return {rotation_of_rpy(rpy), values_.vector(*found, "xyz", Vec3::Zero())};
  }

  /// The child, which must be there.
  const XmlElement* needed(const XmlElement& element, std::string_view name) {
    const XmlElement* found = find_child(element, name);
    if (!found) values_.fail(element, concat({"has no <", name, ">; give it one"}));
    return found;
  }

  // ---- links

  void link(const XmlElement& element) {
    UrdfLink out;
    out.line = element.line;
    out.name = unique_name(element, link_names_);
    for (const XmlElement& child : element.children) {
      if (child.name == "inertial")
        inertial(child, out);
      else if (child.name == "collision")
        collision(child, out);
      else if (child.name == "contact")
        bullet_contact(child, out);
      else if (child.name != "visual")
        unread(child);
    }
    robot_.links.push_back(std::move(out));
  }

  void inertial(const XmlElement& element, UrdfLink& link) {
    const XmlElement* mass = needed(element, "mass");
    const XmlElement* inertia = needed(element, "inertia");
    if (!mass || !inertia) return;
    const Pose X_BI = origin(element);
    link.mass = values_.number(*mass, "value");
    if (link.mass < 0)
      values_.fail(*mass,
                   concat({"value is ", values_.text(*mass, "value"), "; a mass is not negative"}));
    const auto entry = [&](const char* name) { return values_.number(*inertia, name, 0); };
    const double xy = entry("ixy"), xz = entry("ixz"), yz = entry("iyz");
    Mat3 I;
    I << values_.number(*inertia, "ixx"), xy, xz,  //
        xy, values_.number(*inertia, "iyy"), yz,   //
        xz, yz, values_.number(*inertia, "izz");
    if (link.mass == 0 && !I.isZero(0)) {
      unread_.note(inertia->line, "<inertia> of a link without mass is not modelled");
      I.setZero();
    }
    link.com_B = X_BI.p;
    link.inertia_com_B = X_BI.R * I * X_BI.R.transpose();
  }

  void collision(const XmlElement& element, UrdfLink& link) {
    const XmlElement* geometry = needed(element, "geometry");
    if (!geometry) return;
    if (geometry->children.empty())
      return values_.fail(*geometry, "is empty; write box, cylinder, sphere, capsule or mesh");
    UrdfCollision out;
    if (const std::string* name = find_attribute(element, "name")) out.name = *name;
    out.X_BG = origin(element);
    const XmlElement& shape = geometry->children[0];
    out.line = shape.line;
    out.shape = shape_of(shape);
    link.collisions.push_back(std::move(out));
  }

  std::variant<Shape, UrdfMesh> shape_of(const XmlElement& shape) {
    if (shape.name == "sphere") return Shape(Sphere{values_.positive(shape, "radius")});
    if (shape.name == "cylinder")
      return Shape(
          Cylinder{values_.positive(shape, "radius"), values_.positive(shape, "length") / 2});
    if (shape.name == "capsule")
      return Shape(
          Capsule{values_.positive(shape, "radius"), values_.positive(shape, "length") / 2});
    if (shape.name == "box") {
      const Vec3 size = values_.vector(shape, "size");
      if (!(size.minCoeff() > 0))
        values_.fail(shape, concat({"size is \"", printable(values_.text(shape, "size")),
                                    "\"; its three numbers must be positive"}));
      return Shape(Box{size / 2});
    }
    if (shape.name == "mesh") {
      UrdfMesh mesh{values_.text(shape, "filename"), values_.vector(shape, "scale", Vec3::Ones())};
      if ((mesh.scale.array() == 0).any())
        values_.fail(shape, "has a zero in its scale; write three numbers that are not zero");
      return mesh;
    }
    values_.fail(shape, "is no shape of a collision; write box, cylinder, sphere, capsule or mesh");
    return Shape(Sphere{1});
  }

  // ---- joints

  UrdfJointType joint_type(const XmlElement& element) {
    constexpr std::array<std::pair<std::string_view, UrdfJointType>, 7> types{{
        {"revolute", UrdfJointType::revolute},
        {"continuous", UrdfJointType::continuous},
        {"prismatic", UrdfJointType::prismatic},
        {"fixed", UrdfJointType::fixed},
        {"floating", UrdfJointType::floating},
        {"planar", UrdfJointType::planar},
        {"spherical", UrdfJointType::spherical},
    }};
    const std::string type = values_.text(element, "type");
    for (const auto& [name, value] : types)
      if (type == name) return value;
    values_.fail(element, concat({"has type \"", printable(type),
                                  "\"; write revolute, continuous, prismatic, fixed, floating, "
                                  "planar or spherical"}));
    return UrdfJointType::fixed;
  }

  void joint(const XmlElement& element) {
    UrdfJoint out;
    out.line = element.line;
    out.name = unique_name(element, joint_names_);
    out.type = joint_type(element);
    if (const XmlElement* parent = needed(element, "parent"))
      out.parent = values_.text(*parent, "link");
    if (const XmlElement* child = needed(element, "child"))
      out.child = values_.text(*child, "link");
    out.X_PB = origin(element);
    axis(element, out);
    limit(element, out);
    dynamics(element, out);
    mimic(element, out);
    for (const XmlElement& child : element.children)
      if (!is_one_of(child.name,
                     {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"}))
        unread(child);
    robot_.joints.push_back(std::move(out));
  }

  static bool has_axis(UrdfJointType type) {
    return type == UrdfJointType::revolute || type == UrdfJointType::continuous ||
           type == UrdfJointType::prismatic || type == UrdfJointType::planar;
  }
  static bool is_motion_along_axis(UrdfJointType type) {
    return has_axis(type) && type != UrdfJointType::planar;
  }

  void axis(const XmlElement& element, UrdfJoint& joint) {
    const XmlElement* found = find_child(element, "axis");
    if (!found || !has_axis(joint.type)) return;
    const Vec3 axis = values_.vector(*found, "xyz", Vec3::UnitX());
    const double length = axis.stableNorm();
    if (length > 0 && std::isfinite(length))
      joint.axis = (axis / length).normalized();
    else
      values_.fail(*found, concat({"xyz is \"", printable(values_.text(*found, "xyz")),
                                   "\"; write a direction"}));
  }

  void limit(const XmlElement& element, UrdfJoint& joint) {
    const XmlElement* found = find_child(element, "limit");
    const bool bounded =
        joint.type == UrdfJointType::revolute || joint.type == UrdfJointType::prismatic;
    const bool given =
        found && (find_attribute(*found, "lower") || find_attribute(*found, "upper"));
    if (bounded && !given)
      unread_.note(element.line,
                   "a revolute or prismatic joint has no lower and upper limit, so it has none");
    if (!found) return;
    if (find_attribute(*found, "velocity"))
      unread_.note(found->line, "<limit velocity> is not modelled");
    if (!is_motion_along_axis(joint.type))
      return unread_.note(found->line, "<limit> of a joint without axis is not modelled");
    if (const double effort = values_.number(*found, "effort", 0); effort > 0)
      joint.effort = effort;
    else
      unread_.note(found->line,
                   "<limit effort> is missing or not positive, so the motor has no limit");
    if (!bounded || !given) return;
    constexpr const char* hint =
        " (a joint that does not move is fixed, one without limits is continuous)";
    joint.range = Vec2(values_.number(*found, "lower", 0), values_.number(*found, "upper", 0));
    if (!values_.error() && joint.range->isZero(0)) {  // what exporters write for "not known"
      joint.range.reset();
      return unread_.note(found->line,
                          "<limit> has lower 0 and upper 0, so the joint has no limits");
    }
    if (!values_.error() && !((*joint.range)[0] < (*joint.range)[1]))
      values_.fail(*found,
                   concat({"has lower ", short_number((*joint.range)[0]), " and upper ",
                           short_number((*joint.range)[1]), "; lower must be the smaller", hint}));
  }

  void dynamics(const XmlElement& element, UrdfJoint& joint) {
    const XmlElement* found = find_child(element, "dynamics");
    if (!found) return;
    if (!is_motion_along_axis(joint.type))
      return unread_.note(found->line, "<dynamics> of a joint without axis is not modelled");
    joint.damping = values_.not_negative(*found, "damping", 0);
    joint.friction = values_.not_negative(*found, "friction", 0);
  }

  void mimic(const XmlElement& element, UrdfJoint& joint) {
    const XmlElement* found = find_child(element, "mimic");
    if (!found) return;
    if (!is_motion_along_axis(joint.type))
      return values_.fail(*found,
                          "belongs to revolute, continuous and prismatic joints; remove it");
    joint.mimic = UrdfMimic{values_.text(*found, "joint"), values_.number(*found, "multiplier", 1),
                            values_.number(*found, "offset", 0)};
  }

  // ---- friction, which URDF itself does not know

  /// Bullet's <contact> in a link.
  void bullet_contact(const XmlElement& element, UrdfLink& link) {
    for (const XmlElement& child : element.children) {
      if (child.name == "lateral_friction")
        link.friction = values_.not_negative(child, "value", 0);
      else
        unread_.note(child.line,
                     concat({"<contact> <", printable(child.name), "> is not modelled"}));
    }
  }

  /// `<mu1>0.5</mu1>` or `<mu1 value="0.5"/>`; nothing where it is neither.
  static std::optional<double> gazebo_number(const XmlElement& element) {
    const std::string* value = find_attribute(element, "value");
    const auto numbers = xml_numbers(value ? *value : element.text);
    if (!numbers || numbers->size() != 1 || (*numbers)[0] < 0) return std::nullopt;
    return (*numbers)[0];
  }

  void gazebo(const XmlElement& element) {
    const std::string* reference = find_attribute(element, "reference");
    const auto link =
        std::find_if(robot_.links.begin(), robot_.links.end(),
                     [&](const UrdfLink& l) { return reference && l.name == *reference; });
    const XmlElement* mu1 = find_child(element, "mu1");
    const XmlElement* mu2 = find_child(element, "mu2");
    for (const XmlElement& child : element.children)
      if (&child != mu1 && &child != mu2)
        unread_.note(child.line,
                     concat({"<gazebo> <", printable(child.name), "> is not modelled"}));
    if (!mu1 && !mu2) return;
    const auto first = gazebo_number(mu1 ? *mu1 : *mu2), second = gazebo_number(mu2 ? *mu2 : *mu1);
    if (link != robot_.links.end() && first && first == second)
      link->friction = first;
    else
      unread_.note(element.line,
                   "<gazebo> friction that differs by direction, is no number or names no link is "
                   "not modelled");
  }

  const XmlElement& root_;
  XmlValues values_;
  UrdfRobot robot_;
  UrdfUnread unread_;
  std::set<std::string> link_names_, joint_names_;
  std::vector<const XmlElement*> gazebo_;  ///< read last: they name links
};

}  // namespace

void UrdfUnread::note(Index line, std::string_view sentence) {
  for (Kind& kind : kinds_)
    if (kind.sentence == sentence) {
      ++kind.count;
      return;
    }
  kinds_.push_back({std::string(sentence), 1, line});
}

std::vector<std::string> UrdfUnread::lines(const std::string& source) const {
  std::vector<std::string> out;
  for (const Kind& kind : kinds_) {
    const std::string times =
        kind.count == 1 ? "" : concat({" (", std::to_string(kind.count), " times)"});
    out.push_back(concat({source, ":", std::to_string(kind.line), ": ", kind.sentence, times}));
  }
  return out;
}

Mat3 rotation_of_rpy(const Vec3& rpy) {
  const Vec3 c = rpy.array().cos(), s = rpy.array().sin();
  Mat3 R;
  R << c[2] * c[1], c[2] * s[1] * s[0] - s[2] * c[0], c[2] * s[1] * c[0] + s[2] * s[0],  //
      s[2] * c[1], s[2] * s[1] * s[0] + c[2] * c[0], s[2] * s[1] * c[0] - c[2] * s[0],   //
      -s[1], c[1] * s[0], c[1] * c[0];
  return R;
}

Result<UrdfRobot> read_urdf_robot(std::string_view text, const std::string& source) {
  const auto root = parse_xml(text, source);
  if (!root) return root.error();
  return RobotReader(*root, source).read();
}

}  // namespace tact::detail
