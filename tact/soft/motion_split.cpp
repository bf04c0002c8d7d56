#include "tact/soft/motion_split.hpp"

#include "tact/base/expects.hpp"

namespace tact {

Vec3 contact_centre(const PairGeometry& geometry, double alpha) {
  return geometry.p1 + alpha * geometry.gap * geometry.n;
}

double centre_share(double normal_compliance1, double normal_compliance2) {
  TACT_EXPECTS(normal_compliance1 >= 0 && normal_compliance2 >= 0);
  TACT_EXPECTS(normal_compliance1 + normal_compliance2 > 0);
  return normal_compliance1 / (normal_compliance1 + normal_compliance2);
}

MotionSplit motion_split(const PairGeometry& geometry, double alpha) {
  return {geometry.E, geometry.n, contact_centre(geometry, alpha)};
}

Vec4 strain_rate(const MotionSplit& split, const Twist& T) {
  const Vec3 at_centre = T.v + T.w.cross(split.c);
  Vec4 xi;
  xi << split.E.transpose() * at_centre, split.n.dot(at_centre), split.n.dot(T.w);
  return xi;
}

Wrench spring_wrench(const MotionSplit& split, const Vec4& w) {
  const Vec3 f = split.E * w.head<2>() + w[2] * split.n;
  return {split.c.cross(f) + w[3] * split.n, f};
}

Mat46 projection(const MotionSplit& split) {
  Mat46 P = Mat46::Zero();
  // Row of a direction d: d·(v + ω × c) = d·v + (c × d)·ω.
  for (Index i = 0; i < 3; ++i) {
    const Vec3 d = i < 2 ? Vec3(split.E.col(i)) : split.n;
    P.row(i) << split.c.cross(d).transpose(), d.transpose();
  }
  P.row(3).head<3>() = split.n.transpose();
  return P;
}

}  // namespace tact
