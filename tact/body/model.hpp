// body/model.hpp - what does not change: bodies in a tree, their joints, shapes, actuators,
// constraints.
//
// Body 0 is the world. A body comes after its parent. Joints sit between a body and its parent, in
// the order given; a body without joints is welded to its parent. A free joint is the only one of
// its body, whose parent is the world.
//
// Coordinates, as in MuJoCo: free joint qpos = [p_WB, quaternion w x y z], qvel = [ṗ_WB in W, ω in
// B]; ball qpos = quaternion, qvel = ω in B; hinge [rad, rad/s] and slide [m, m/s] along the axis.
// Frames: B body, P its parent, J joint anchor, G geom, S site, I inertial (centre of mass).
// Units: SI; angles in radians.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/body/tree.hpp"
#include "tact/geom/shape.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

enum class JointType { free, ball, hinge, slide };

struct Joint {
  std::string name;
  JointType type = JointType::hinge;
  Index body = 0;
  Vec3 anchor_B = Vec3::Zero();  ///< hinge and ball turn about it
  Vec3 axis_B = Vec3::UnitZ();   ///< unit; hinge and slide
  double reference = 0;          ///< qpos of hinge or slide in the pose X_PB of the file
  bool limited = false;
  Vec2 range = Vec2::Zero();    ///< of qpos; for a ball range[1] bounds the angle
  double stiffness = 0;         ///< [N m/rad] or [N/m]
  double spring_reference = 0;  ///< qpos at which the spring is at rest
  double damping = 0;           ///< [N m s/rad] or [N s/m], of every dof of the joint
  double armature = 0;          ///< added to the diagonal of the mass matrix [kg m²] or [kg]
  double dry_friction = 0;      ///< [N m] or [N], of every dof
  bool force_limited = false;   ///< hinge and slide: all actuators together stay in force_range
  Vec2 force_range = Vec2::Zero();
  Index qpos = 0, dof = 0;  ///< first coordinate and velocity: set by make_model
};

struct Body {
  std::string name;
  Index parent = 0;
  Pose X_PB;        ///< with all joints at their reference
  double mass = 0;  ///< may be zero where a moving descendant carries mass
  Vec3 com_B = Vec3::Zero();
  Mat3 inertia_com_B = Mat3::Zero();  ///< rotational, about the centre of mass, axes of B
  bool driven = false;  ///< moved by the user (mocap), not by forces: a child of the world
  double gravity_compensation = 0;         ///< share of the weight taken off
  Index first_joint = 0, joint_count = 0;  ///< the next four lines are set by make_model
  Index first_dof = 0, dof_count = 0;      ///< of its own joints
  Index first_geom = 0, geom_count = 0;
  Index root = 0;  ///< the child of the world above it, or itself
};

struct Geom {
  std::string name;
  Index body = 0;
  Shape shape = Sphere{1};
  Pose X_BG;
  Vec3 friction{1, 0.005, 0.0001};   ///< sliding [1], torsional [m], rolling [m]
  int contype = 1, conaffinity = 1;  ///< collide if (contype1 & conaffinity2) or the reverse
  int condim = 3;                    ///< 1 frictionless, 3 sliding, 4 and 6 torsional and rolling
  int priority = 0;
  int group = 0;
  double margin = 0;       ///< [m]
  bool from_mesh = false;  ///< the hull of a mesh stands for it
};

struct Site {
  std::string name;
  Index body = 0;
  Pose X_BS;
};

/// Σ coefficient · qpos over hinges and slides.
struct FixedTendon {
  std::string name;
  std::vector<std::pair<Index, double>> joints;  ///< joint and coefficient
  bool limited = false;
  Vec2 range = Vec2::Zero();
  double stiffness = 0, damping = 0, dry_friction = 0;
  Vec2 rest_length = Vec2::Zero();  ///< no spring force in between
};

enum class Transmission { joint, joint_in_parent, tendon, site };

/// Force along its transmission: gain(l, l̇) · ctrl + bias(l, l̇), affine: g0 + g1 l + g2 l̇ and
/// b0 + b1 l + b2 l̇, l = gear · length; clamped to force_range where force_limited.
struct Actuator {
  std::string name;
  Transmission transmission = Transmission::joint;
  Index target = 0;  ///< joint, tendon or site
  Vec6 gear =
      Vec6::Unit(0);  ///< [1] for hinge and slide; [force, torque] for free joints and sites
  Vec3 gain = Vec3::UnitX();
  Vec3 bias = Vec3::Zero();
  bool ctrl_limited = false, force_limited = false;
  Vec2 ctrl_range = Vec2::Zero(), force_range = Vec2::Zero();
};

enum class EqualityType { connect, weld, joint };

struct Equality {
  std::string name;
  EqualityType type = EqualityType::connect;
  bool active = true;
  Index first = 0, second = 0;       ///< bodies, or joints; second joint -1: first is held at p(0)
  Vec3 anchor_first = Vec3::Zero();  ///< connect and weld: the common point, in each body
  Vec3 anchor_second = Vec3::Zero();
  Mat3 R_first_second = Mat3::Identity();           ///< weld: orientation to be held
  std::array<double, 5> polynomial{0, 1, 0, 0, 0};  ///< joint: q1 - ref1 = p(q2 - ref2)
};

struct GeomPair {
  Index first = 0, second = 0;
  int condim = 3;
  double friction = 1;
  double margin = 0;
};

struct Keyframe {
  std::string name;
  double time = 0;
  VecX qpos, qvel, ctrl;
};

struct Sensor {
  std::string name;
  std::string type;         ///< the MJCF element: touch, force, gyro, ...
  std::string object_kind;  ///< body, geom, site, joint, ... ; empty where there is none
  Index object = -1;
};

struct Model {
  std::string name;
  Vec3 gravity{0, 0, -9.81};
  double timestep = 0.002;
  std::vector<Body> bodies;  ///< at least the world
  std::vector<Joint> joints;
  std::vector<Geom> geoms;
  std::vector<Site> sites;
  std::vector<FixedTendon> tendons;
  std::vector<Actuator> actuators;
  std::vector<Equality> equalities;
  std::vector<GeomPair> pairs;                      ///< collide by explicit order
  std::vector<std::pair<Index, Index>> exclusions;  ///< bodies that never collide, first < second
  std::vector<Keyframe> keyframes;
  std::vector<Sensor> sensors;

  // ---- set by make_model
  Index nq = 0, nv = 0;
  VecX qpos0;                     ///< the pose of the file
  std::vector<Index> dof_joint;   ///< [nv]
  std::vector<Index> dof_body;    ///< [nv]
  std::vector<Index> dof_parent;  ///< [nv] the dof before it on the way to the root, or -1
  Tree tree;                      ///< the same again, as the recursions read it
};

/// What changes. Sizes fit one model.
struct State {
  double time = 0;
  VecX qpos, qvel;
  VecX ctrl;                 ///< one per actuator
  std::vector<Pose> driven;  ///< X_WB of the driven bodies, in the order of the bodies
};

/// Sorts joints and geoms by body (keeping their order), sets all addresses and qpos0, and refuses
/// what cannot be: a parent after its child, a free joint below another body, a mass or inertia
/// that no body has, a moving body without mass, indices out of range, numbers that are not finite.
/// The sentence names the body or joint.
[[nodiscard]] Result<Model> make_model(Model draft);

/// How many coordinates and how many velocities a joint has: 7 and 6, 4 and 3, 1 and 1.
[[nodiscard]] Index qpos_size(JointType type);
[[nodiscard]] Index dof_size(JointType type);

/// Unit quaternions for free and ball joints; a quaternion of zeros becomes no rotation.
void normalize_quaternions(const Model& model, VecX& qpos);

/// qpos0, at rest, controls zero.
[[nodiscard]] State initial_state(const Model& model);

/// The state of a keyframe; what it leaves out is as in initial_state.
[[nodiscard]] State keyframe_state(const Model& model, const Keyframe& key);

/// The body, joint, ... of that name, or -1.
[[nodiscard]] Index find_body(const Model& model, const std::string& name);
[[nodiscard]] Index find_joint(const Model& model, const std::string& name);
[[nodiscard]] Index find_geom(const Model& model, const std::string& name);
[[nodiscard]] Index find_keyframe(const Model& model, const std::string& name);

}  // namespace tact
