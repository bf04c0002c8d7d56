// linalg/types.hpp - one spelling for each vector and matrix in use.
#pragma once

#include <Eigen/Core>

namespace tact {

using Index = Eigen::Index;

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using VecX = Eigen::VectorXd;

using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using Mat4 = Eigen::Matrix4d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using MatX = Eigen::MatrixXd;

/// x^perp = [x_y, -x_x]: x turned by -90 degrees about the contact normal; (x^perp)^perp = -x.
[[nodiscard]] inline Vec2 perp(const Vec2& x) {
  return {x[1], -x[0]};
}

/// a × b in the plane.
[[nodiscard]] inline double cross(const Vec2& a, const Vec2& b) {
  return a[0] * b[1] - a[1] * b[0];
}

}  // namespace tact
