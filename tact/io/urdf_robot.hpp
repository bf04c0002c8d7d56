// io/urdf_robot.hpp - what a URDF text says, checked piece by piece and not yet put together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/geom/shape.hpp"
#include "tact/spatial/se3.hpp"

namespace tact::detail {

struct UrdfMesh {
  std::string filename;  ///< as written
  Vec3 scale = Vec3::Ones();
};

struct UrdfCollision {
  std::string name;
  Pose X_BG;
  std::variant<Shape, UrdfMesh> shape = Shape(Sphere{1});
  Index line = 0;
};

struct UrdfLink {
  std::string name;
  double mass = 0;
  Vec3 com_B = Vec3::Zero();
  Mat3 inertia_com_B = Mat3::Zero();
  std::vector<UrdfCollision> collisions;
  std::optional<double> friction;  ///< sliding, where the file gives it
  Index line = 0;
};

enum class UrdfJointType { revolute, continuous, prismatic, fixed, floating, planar, spherical };

struct UrdfMimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

struct UrdfJoint {
  std::string name;
  UrdfJointType type = UrdfJointType::fixed;
  std::string parent, child;
  Pose X_PB;
  Vec3 axis = Vec3::UnitX();     ///< unit
  std::optional<Vec2> range;     ///< of revolute and prismatic joints
  std::optional<double> effort;  ///< [N m] or [N], above zero
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;
  Index line = 0;
};

/// What is read over, counted by kind in the order of the first of each.
class UrdfUnread {
 public:
  void note(Index line, std::string_view sentence);
  /// "robot.urdf:12: <transmission> is not modelled (6 times)".
  [[nodiscard]] std::vector<std::string> lines(const std::string& source) const;

 private:
  struct Kind {
    std::string sentence;
    Index count, line;
  };
  std::vector<Kind> kinds_;
};

struct UrdfRobot {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  UrdfUnread not_modelled;
};

/// X = Rz(yaw) Ry(pitch) Rx(roll).
[[nodiscard]] Mat3 rotation_of_rpy(const Vec3& rpy);

/// Names are unique; what joints say of links and of each other is not looked at.
[[nodiscard]] Result<UrdfRobot> read_urdf_robot(std::string_view text, const std::string& source);

}  // namespace tact::detail
