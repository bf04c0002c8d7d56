#include "tact/io/orientation.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/io/number_text.hpp"
#include "tact/spatial/so3.hpp"

namespace tact::mjcf {

namespace {

/// A direction; refused when it has none.
Vec3 direction(Reading& r, const XmlElement& at, const Vec3& v) {
  const double length = v.norm();
  if (length > tolerance::smallest) return v / length;
  r.refuse(at, Errc::value, concat({"a direction of <", at.name, "> has length zero"}));
  return Vec3::UnitZ();
}

Mat3 from_euler(Reading& r, const XmlElement& at, const Vec3& angles, const AngleStyle& style) {
  Mat3 R = Mat3::Identity();
  for (Index i = 0; i < 3; ++i) {
    const char c = style.euler_sequence[static_cast<std::size_t>(i)];
    const bool fixed = c == 'X' || c == 'Y' || c == 'Z';
    const Index axis = fixed ? c - 'X' : c - 'x';
    if (axis < 0 || axis > 2) {
      r.refuse(at, Errc::schema, "eulerseq must be three letters of xyz or XYZ");
      return R;
    }
    const Mat3 turn = exp_so3(angle(style, angles[i]) * Vec3::Unit(axis));
    R = fixed ? Mat3(turn * R) : Mat3(R * turn);
  }
  return R;
}

Mat3 from_axes(Reading& r, const XmlElement& at, const Vec6& xy) {
  Mat3 R;
  R.col(0) = direction(r, at, xy.head<3>());
  R.col(1) = direction(r, at, xy.tail<3>() - xy.tail<3>().dot(R.col(0)) * R.col(0));
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

constexpr std::string_view alternatives[] = {"axisangle", "euler", "xyaxes", "zaxis"};

Mat3 from_alternative(Reading& r, const XmlElement& at, std::string_view which,
                      const AngleStyle& style) {
  Vec6 v = Vec6::Zero();
  const Index size = which == "axisangle" ? 4 : which == "xyaxes" ? 6 : 3;
  overlay(r, alone(at), which, {v.data(), static_cast<std::size_t>(size)}, size);
  if (r.error) return Mat3::Identity();
  if (which == "axisangle") return exp_so3(angle(style, v[3]) * direction(r, at, v.head<3>()));
  if (which == "euler") return from_euler(r, at, v.head<3>(), style);
  if (which == "xyaxes") return from_axes(r, at, v);
  return rotation_to(direction(r, at, v.head<3>()));
}

}  // namespace

double angle(const AngleStyle& style, double written) {
  return style.degrees ? written * std::numbers::pi / 180 : written;
}

Mat3 rotation_to(const Vec3& z) {
  const Vec3 axis = Vec3::UnitZ().cross(z);
  const double sine = axis.norm();
  if (sine > 0) return exp_so3(std::atan2(sine, z[2]) / sine * axis);
  return z[2] > 0 ? Mat3::Identity() : Mat3(Vec3(1, -1, -1).asDiagonal());
}

Mat3 rotation_of(Reading& r, const XmlElement& at, const Vec4& quaternion) {
  if (quaternion.norm() > tolerance::smallest)
    return to_matrix({quaternion[0], quaternion[1], quaternion[2], quaternion[3]});
  r.refuse(at, Errc::value,
           concat({"a quaternion of <", at.name, "> is zero; write 1 0 0 0 for no rotation"}));
  return Mat3::Identity();
}

Mat3 orientation(Reading& r, const Settings& settings, const AngleStyle& style) {
  for (auto layer = settings.layers.rbegin(); layer != settings.layers.rend(); ++layer)
    for (const std::string_view which : alternatives)
      if (find_attribute(**layer, which)) return from_alternative(r, **layer, which, style);
  Vec4 q = Vec4::UnitX();
  overlay(r, settings, "quat", {q.data(), 4}, 4);
  return rotation_of(r, settings.element(), q);
}

Pose pose(Reading& r, const Settings& settings, const AngleStyle& style) {
  return {orientation(r, settings, style), vec3(r, settings, "pos", Vec3::Zero())};
}

}  // namespace tact::mjcf
