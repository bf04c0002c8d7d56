// io/orientation.hpp - orientations in the ways MJCF writes them.
#pragma once

#include <string>

#include "tact/io/mjcf_reading.hpp"
#include "tact/spatial/se3.hpp"

namespace tact::mjcf {

/// How angles are written.
struct AngleStyle {
  bool degrees = true;
  std::string euler_sequence = "xyz";  ///< lower case: axes that turn along; upper: fixed ones
};

/// In radians.
[[nodiscard]] double angle(const AngleStyle& style, double written);

/// The shortest turn of the z axis to the direction z; half a turn about x when it is opposite.
/// Expects z not zero.
[[nodiscard]] Mat3 rotation_to(const Vec3& z);

/// Of a quaternion w x y z of any length; zero is refused.
[[nodiscard]] Mat3 rotation_of(Reading& r, const XmlElement& at, const Vec4& quaternion);

/// quat, or whichever of axisangle, euler, xyaxes and zaxis the last layer gives: these win over
/// quat.
[[nodiscard]] Mat3 orientation(Reading& r, const Settings& settings, const AngleStyle& style);

/// pos and orientation.
[[nodiscard]] Pose pose(Reading& r, const Settings& settings, const AngleStyle& style);

}  // namespace tact::mjcf
