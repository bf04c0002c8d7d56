#include "tact/io/urdf_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tact/io/file.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/mesh_file.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/urdf_mesh.hpp"
#include "tact/io/urdf_robot.hpp"
#include "tact/io/urdf_values.hpp"

namespace tact {

namespace {

using detail::UrdfCollision;
using detail::UrdfJoint;
using detail::UrdfJointType;
using detail::UrdfLink;
using detail::UrdfMesh;
using detail::UrdfRobot;

constexpr const char* world_name = "world";

/// Two axes that make a right-handed frame with the normal; x and y where it is z.
std::pair<Vec3, Vec3> plane_axes(const Vec3& normal) {
  Index largest = 0;
  normal.cwiseAbs().maxCoeff(&largest);
  const Vec3 along = Vec3::Unit((largest + 1) % 3);
  const Vec3 first = (along - along.dot(normal) * normal).normalized();
  return {first, normal.cross(first)};
}

/// Puts links and joints together to a draft of a model, parents first.
class UrdfAssembly {
 public:
  UrdfAssembly(const UrdfRobot& robot, std::string source, const std::string& path,
               const FileReader& files, const UrdfOptions& options)
      : robot_(robot),
        source_(std::move(source)),
        meshes_(path, files),
        options_(options),
        parent_joint_(robot.links.size(), nullptr),
        parent_(robot.links.size(), 0),
        children_(robot.links.size()),
        body_(robot.links.size(), -1),
        is_static_(robot.links.size(), false),
        has_mass_(robot.links.size(), false),
        unread_(robot.not_modelled) {}

  Result<Scene> assemble() {
    tie_links();
    find_masses();
    const std::optional<std::size_t> root = error_ ? std::nullopt : find_root();
    if (root) walk(*root);
    if (!error_) add_mimics();
    if (error_) return *error_;
    auto model = make_model(std::move(model_));
    if (!model) return with_line(model.error());
    Scene scene;
    scene.model = *std::move(model);
    scene.not_modelled = unread_.lines(source_);
    scene.meshes = meshes_.meshes();
    scene.geom_mesh = geom_mesh_;
    return scene;
  }

 private:
  void fail(Index line, std::string_view sentence) {
    if (error_) return;
    error_ = Error{Errc::schema,
                   concat({source_, ":", std::to_string(line), ": ", detail::one_line(sentence)})};
  }

  /// What make_model refuses begins with the name of a body or joint, whose line is known here.
  [[nodiscard]] Error with_line(const Error& error) const {
    const auto speaks_of = [&](const char* kind, const std::string& name) {
      return error.message.starts_with(concat({kind, " \"", name, "\""}));
    };
    Index line = 0;
    for (const UrdfLink& link : robot_.links)
      if (speaks_of("body", link.name)) line = link.line;
    for (const UrdfJoint& joint : robot_.joints)
      if (speaks_of("joint", joint.name)) line = joint.line;
    const std::string place = line == 0 ? source_ : concat({source_, ":", std::to_string(line)});
    return {error.code, concat({place, ": ", detail::one_line(error.message)})};
  }

  // ---- the tree

  /// The place of a link that a joint names.
  std::optional<std::size_t> link_called(const std::map<std::string, std::size_t>& places,
                                         const UrdfJoint& joint, const std::string& name) {
    const auto found = places.find(name);
    if (found != places.end()) return found->second;
    fail(joint.line, concat({"joint \"", detail::printable(joint.name), "\" names link \"",
                             detail::printable(name), "\", which is not there; correct the name"}));
    return std::nullopt;
  }

  void tie_links() {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) places[robot_.links[i].name] = i;
    for (const UrdfJoint& joint : robot_.joints) {
      const auto parent = link_called(places, joint, joint.parent);
      const auto child = link_called(places, joint, joint.child);
      if (!parent || !child) return;
      if (parent_joint_[*child])
        return fail(joint.line,
                    concat({"joint \"", detail::printable(joint.name), "\" gives link \"",
                            detail::printable(joint.child),
                            "\" a second parent; a URDF robot is a tree, remove one joint"}));
      parent_joint_[*child] = &joint;
      parent_[*child] = *parent;
      children_[*parent].push_back(*child);
    }
  }

  std::optional<std::size_t> find_root() {
    std::optional<std::size_t> root;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const UrdfLink& link = robot_.links[i];
      const std::string shown = detail::printable(link.name);
      if (parent_joint_[i] && link.name == world_name)
        fail(link.line, "link \"world\" hangs on a joint, and that name is the world's; rename it");
      if (parent_joint_[i]) continue;
      if (root)
        fail(link.line,
             concat({"link \"", shown, "\" has no parent, and neither has \"",
                     detail::printable(robot_.links[*root].name), "\"; join them by a joint"}));
      root = i;
    }
    if (!root) fail(robot_.links[0].line, "every link has a parent; remove a joint of the loop");
    return error_ ? std::nullopt : root;
  }

  void walk(std::size_t root) {
    Body world;
    world.name = world_name;
    model_.bodies.push_back(world);
    model_.name = robot_.name;
    add_root(root);
    std::vector<std::size_t> open{root};
    std::size_t visited = 0;
    while (!open.empty() && !error_) {
      const std::size_t link = open.back();
      open.pop_back();
      ++visited;
      if (link != root) add_link(link);
      add_collisions(link);
      const std::vector<std::size_t>& children = children_[link];
      open.insert(open.end(), children.rbegin(), children.rend());
    }
    if (error_ || visited == robot_.links.size()) return;
    const auto lost = std::find(body_.begin(), body_.end(), -1) - body_.begin();
    fail(robot_.links[static_cast<std::size_t>(lost)].line,
         concat({"link \"", detail::printable(robot_.links[static_cast<std::size_t>(lost)].name),
                 "\" is part of a loop of joints; remove one of them"}));
  }

  // ---- bodies

  Index add_body(const UrdfLink& link, Index parent, const Pose& X_PB) {
    Body body;
    body.name = link.name;
    body.parent = parent;
    body.X_PB = X_PB;
    body.mass = link.mass;
    body.com_B = link.com_B;
    body.inertia_com_B = link.inertia_com_B;
    model_.bodies.push_back(std::move(body));
    return static_cast<Index>(model_.bodies.size()) - 1;
  }

  void add_root(std::size_t root) {
    const UrdfLink& link = robot_.links[root];
    const bool world = link.name == world_name;
    body_[root] = world ? 0 : add_body(link, 0, Pose{});
    is_static_[root] = world || !options_.free_base;
    if (is_static_[root]) return;
    Joint joint;
    joint.name = "free_base";
    joint.type = JointType::free;
    joint.body = body_[root];
    model_.joints.push_back(std::move(joint));
  }

  /// Marks the links that have mass themselves or below them.
  void find_masses() {
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (robot_.links[i].mass > 0)
        for (std::size_t up = i; !has_mass_[up]; up = parent_[up]) {
          has_mass_[up] = true;
          if (!parent_joint_[up]) break;
        }
  }

  /// A joint that moves nothing but frames is none: no force says where they are.
  [[nodiscard]] UrdfJoint effective_joint(std::size_t link) {
    UrdfJoint joint = *parent_joint_[link];
    if (joint.type == UrdfJointType::fixed || has_mass_[link]) return joint;
    unread_.note(joint.line, "a joint moves links without mass only, so it is fixed");
    joint.type = UrdfJointType::fixed;
    fixed_.insert(joint.name);
    return joint;
  }

  void add_link(std::size_t i) {
    const UrdfJoint joint = effective_joint(i);
    const std::size_t above = parent_[i];
    const bool free = joint.type == UrdfJointType::floating && is_static_[above];
    is_static_[i] = joint.type == UrdfJointType::fixed && is_static_[above];
    Index parent = body_[above];
    Pose X_PB = joint.X_PB;
    // A free body is a child of the world; the links on the way stand still.
    for (; free && parent != 0; parent = model_.bodies[static_cast<std::size_t>(parent)].parent)
      X_PB = model_.bodies[static_cast<std::size_t>(parent)].X_PB * X_PB;
    body_[i] = add_body(robot_.links[i], parent, X_PB);
    add_joints(joint, body_[i], free);
    // What floats may come to lie on the link it floats over.
    if (body_[above] != 0 && joint.type != UrdfJointType::floating)
      model_.exclusions.emplace_back(body_[above], body_[i]);
  }

  void add_collisions(std::size_t i) {
    const UrdfLink& link = robot_.links[i];
    for (const UrdfCollision& collision : link.collisions) {
      Geom geom;
      geom.name = collision.name;
      geom.body = body_[i];
      geom.X_BG = collision.X_BG;
      if (link.friction) geom.friction[0] = *link.friction;
      Index mesh = -1;
      if (const auto* named = std::get_if<UrdfMesh>(&collision.shape)) {
        if (!is_mesh_name(named->filename)) {
          unread_.note(collision.line,
                       "a collision mesh that is neither OBJ, STL nor MSH is not modelled");
          continue;
        }
        const auto found = meshes_.find(*named);
        if (!found) return fail(collision.line, found.error().message);
        geom.shape = found->hull;
        geom.from_mesh = true;
        mesh = found->mesh;
      } else {
        geom.shape = std::get<Shape>(collision.shape);
      }
      model_.geoms.push_back(std::move(geom));
      geom_mesh_.push_back(mesh);
    }
  }

  // ---- joints

  void add_joint(const UrdfJoint& from, const char* suffix, JointType type, Index body,
                 const Vec3& axis) {
    Joint joint;
    joint.name = concat({from.name, suffix});
    joint.type = type;
    joint.body = body;
    joint.axis_B = axis;
    joint.damping = from.damping;
    joint.dry_friction = from.friction;
    joint.limited = from.range.has_value();
    if (from.range) joint.range = *from.range;
    model_.joints.push_back(std::move(joint));
  }

  void add_joints(const UrdfJoint& from, Index body, bool free) {
    switch (from.type) {
      case UrdfJointType::fixed:
        return;
      case UrdfJointType::revolute:
      case UrdfJointType::continuous:
        add_joint(from, "", JointType::hinge, body, from.axis);
        return add_motor(from);
      case UrdfJointType::prismatic:
        add_joint(from, "", JointType::slide, body, from.axis);
        return add_motor(from);
      case UrdfJointType::planar: {
        const auto [first, second] = plane_axes(from.axis);
        add_joint(from, "_x", JointType::slide, body, first);
        add_joint(from, "_y", JointType::slide, body, second);
        return add_joint(from, "_turn", JointType::hinge, body, from.axis);
      }
      case UrdfJointType::spherical:
        return add_joint(from, "", JointType::ball, body, Vec3::UnitZ());
      case UrdfJointType::floating:
        if (free) return add_joint(from, "", JointType::free, body, Vec3::UnitZ());
        add_joint(from, "_x", JointType::slide, body, Vec3::UnitX());
        add_joint(from, "_y", JointType::slide, body, Vec3::UnitY());
        add_joint(from, "_z", JointType::slide, body, Vec3::UnitZ());
        return add_joint(from, "_turn", JointType::ball, body, Vec3::UnitZ());
    }
  }

  void add_motor(const UrdfJoint& from) {
    const Index joint = static_cast<Index>(model_.joints.size()) - 1;
    joint_place_[from.name] = joint;
    if (from.mimic) return;
    Actuator motor;
    motor.name = from.name;
    motor.target = joint;
    motor.force_limited = from.effort.has_value();
    if (from.effort) motor.force_range = Vec2(-*from.effort, *from.effort);
    model_.actuators.push_back(std::move(motor));
  }

  /// q = multiplier · (q of the other) + offset.
  void add_mimics() {
    for (const UrdfJoint& joint : robot_.joints) {
      if (!joint.mimic || fixed_.contains(joint.name)) continue;
      if (fixed_.contains(joint.mimic->joint)) {
        unread_.note(joint.line, "<mimic> of a joint that is fixed is not modelled");
        continue;
      }
      const auto other = joint_place_.find(joint.mimic->joint);
      if (other == joint_place_.end() || joint.mimic->joint == joint.name)
        return fail(joint.line,
                    concat({"joint \"", detail::printable(joint.name), "\" mimics \"",
                            detail::printable(joint.mimic->joint),
                            "\"; name another joint that is revolute, continuous or prismatic"}));
      Equality tie;
      tie.name = joint.name;
      tie.type = EqualityType::joint;
      tie.first = joint_place_.at(joint.name);
      tie.second = other->second;
      tie.polynomial = {joint.mimic->offset, joint.mimic->multiplier, 0, 0, 0};
      model_.equalities.push_back(std::move(tie));
    }
  }

  const UrdfRobot& robot_;
  std::string source_;
  detail::UrdfMeshes meshes_;
  UrdfOptions options_;
  std::vector<const UrdfJoint*> parent_joint_;      ///< [link]
  std::vector<std::size_t> parent_;                 ///< [link]
  std::vector<std::vector<std::size_t>> children_;  ///< [link] in the order of the joints
  std::vector<Index> body_;                         ///< [link]
  std::vector<bool> is_static_;                     ///< [link] stands still in the world
  std::vector<bool> has_mass_;                      ///< [link] or a link below it
  std::map<std::string, Index> joint_place_;        ///< of those that a mimic may name
  std::set<std::string> fixed_;                     ///< joints that move nothing
  std::vector<Index> geom_mesh_;
  detail::UrdfUnread unread_;
  Model model_;
  std::optional<Error> error_;
};

/// `path` is where the file is, `name` how it is called.
Result<Scene> read(std::string_view text, const std::string& name, const std::string& path,
                   const FileReader& files, const UrdfOptions& options) {
  const auto robot = detail::read_urdf_robot(text, name);
  if (!robot) return robot.error();
  return UrdfAssembly(*robot, name, path, files, options).assemble();
}

}  // namespace

Result<Scene> read_urdf(const std::string& path, const UrdfOptions& options) {
  const auto text = read_file(path);
  if (!text) return text.error();
  // Packages are looked for in all folders above, also where the path is a bare name.
  std::error_code status;
  const std::filesystem::path absolute = std::filesystem::absolute(path, status);
  std::vector<std::string> used{path};
  Result<Scene> scene = read(*text, path, status ? path : absolute.lexically_normal().string(),
                             noted(disk_files(), used), options);
  if (!scene) return scene;
  Scene out = *std::move(scene);
  out.files = std::move(used);
  return out;
}

Result<Scene> read_urdf_text(std::string_view text, const std::string& name,
                             const FileReader& files, const UrdfOptions& options) {
  return read(text, name, name, files, options);
}

}  // namespace tact
