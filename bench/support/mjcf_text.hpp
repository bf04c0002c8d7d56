// support/mjcf_text.hpp - composes a scene as MJCF text.
//
// SI units, angles in radians. Numbers are written so that they are read back bit for bit.
#pragma once

#include <string>

#include <Eigen/Geometry>

#include "tact/linalg/types.hpp"

namespace tact::bench {

/// The shortest text that is read back as the same number.
[[nodiscard]] std::string number(double x);
/// Several, with spaces between.
[[nodiscard]] std::string numbers(const VecX& x);
/// `NAME` and a number, such as b12.
[[nodiscard]] std::string numbered(const char* name, int number);
/// ` NAME="VALUE"`.
[[nodiscard]] std::string attribute(const char* name, const std::string& value);
[[nodiscard]] std::string attribute(const char* name, double value);
[[nodiscard]] std::string attribute(const char* name, const VecX& value);

/// What an MJCF geom is beside its shape.
struct GeomTraits {
  double friction = 0.6;  ///< sliding coefficient μ
  double mass = 0;        ///< [kg]; zero: by the density of water
  bool visual = false;    ///< collides with nothing
  Vec3 at = Vec3::Zero();
};
[[nodiscard]] std::string box_geom(const Vec3& half_extents, const GeomTraits& traits);
[[nodiscard]] std::string sphere_geom(double radius, const GeomTraits& traits);
/// From one end of the axis to the other.
[[nodiscard]] std::string capsule_geom(const Vec3& from, const Vec3& to, double radius,
                                       const GeomTraits& traits);
/// `shape` is what follows `<geom type=`, the type in quotes included.
[[nodiscard]] std::string geom(const std::string& shape, const GeomTraits& traits);

/// `<body name pos quat>`, to be closed by the caller.
[[nodiscard]] std::string open_body(const std::string& name, const Vec3& at,
                                    const Eigen::Quaterniond& turn);
[[nodiscard]] std::string open_body(const std::string& name, const Vec3& at);

class MjcfText {
 public:
  MjcfText(const std::string& name, double dt, const Vec3& gravity = {0, 0, -9.81});

  /// The plane z = 0.
  void add_ground(double friction);
  void add_fixed_box(const Vec3& half_extents, const Vec3& at, double friction);
  /// A body of its own with a free joint; `geoms` are in its frame.
  void add_free_body(const Vec3& at, const std::string& geoms,
                     const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity());
  /// Elements of <worldbody>.
  void add_world(const std::string& elements) { world_ += elements; }
  void add_asset(const std::string& elements) { assets_ += elements; }
  /// A section of its own, such as `equality`.
  void add_section(const std::string& tag, const std::string& elements);
  /// MuJoCo finds one contact of two meshes unless it is asked for more.
  void ask_for_mesh_faces() { mesh_faces_ = true; }

  [[nodiscard]] std::string text() const;

 private:
  std::string name_, option_, assets_, world_, sections_;
  int free_bodies_ = 0;
  bool mesh_faces_ = false;
};

}  // namespace tact::bench
