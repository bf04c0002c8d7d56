// compliant_pad_test.cpp - a ball pushed sideways on an anisotropic pad, against reference motions.
//
// The ball is integrated here, by the midpoint rule, with the contact as a foreign simulator would
// see it: an impulse for a mean twist, and its slope.
#include <gtest/gtest.h>

#include "compliant_oracle.hpp"
#include "tact/geom/surface.hpp"
#include "tact/soft/soft_contact.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

using testing::read;

SoftContactModel pad_model(const nlohmann::json& c) {
  SoftPair pair;
  HertzNormal normal;
  normal.modulus_Pa = c["modulus"].get<double>();
  normal.damping_s_per_m = c["damping"].get<double>();
  pair.normal = normal;
  const double torsion = 2 * c["torsion"].get<double>();  // two alike in series
  pair.tangent = PadTangent{SoftPad{read<Mat2>(c["pad_floor"]), torsion, Vec3::UnitX()},
                            SoftPad{read<Mat2>(c["pad_ball"]), torsion, Vec3::UnitX()}};
  pair.friction.coefficient = std::numeric_limits<double>::infinity();
  pair.centre_share = 0;
  return soft_contact_model(Surface{PlaneSurface{Vec3::UnitZ(), 0}},
                            Surface{SphereSurface{c["radius"].get<double>()}}, pair);
}

struct Ball {
  Pose X_W;
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  ///< in W
};

/// One step; its end is found by Newton's method with the slope that the contact tells.
bool step_ball(const nlohmann::json& c, const SoftContactModel& model, double time, double dt,
               Ball& ball, SoftContactState& state) {
  const double m = c["mass"].get<double>(), r = c["radius"].get<double>(), J = 0.4 * m * r * r;
  const auto moved = [&](const Vec3& v, const Vec3& w, double h) {
    return Pose{exp_so3(h * w) * ball.X_W.R, ball.X_W.p + h * v};
  };
  Vec6 u;
  u << ball.w, ball.v;
  const Vec6 before = u;
  SoftFrame frame;
  SoftAnswer answer;
  const Pose middle = moved(ball.v, ball.w, dt / 2);
  if (begin_soft_step(model, state, middle, frame) != TrackStatus::tracked) return false;
  const double ramp = std::min((time + dt / 2) / 0.02, 1.0);
  const Vec3 f = read<Vec3>(c["force"]);
  const double share = ramp * ramp * (3 - 2 * ramp);
  Vec6 load;
  load.tail<3>() = Vec3(share * f[0], share * f[1], f[2]);
  load.head<3>() = Vec3(0, 0, -middle.p[2]).cross(Vec3(share * f[0], share * f[1], 0));
  // J_C: from (ω, v) of the ball's centre to the twist at C.
  Mat6 JC = Mat6::Zero();
  const Mat3 R = frame.X_1C.R.transpose();
  JC.topLeftCorner<3, 3>() = R;
  JC.bottomRightCorner<3, 3>() = R;
  JC.bottomLeftCorner<3, 3>() = R * hat(middle.p - frame.X_1C.p);
  Vec6 inertia;
  inertia << J, J, J, m, m, m;
  for (int k = 0; k < 30; ++k) {
    const Vec6 mean = 0.5 * (before + u);
    const Twist T = Twist::from(JC * mean);
    try_soft_step(model, state, frame, T, dt, moved(mean.tail<3>(), mean.head<3>(), dt), answer);
    if (answer.status != TrackStatus::tracked) return false;
    const Vec6 residual =
        inertia.cwiseProduct(u - before) - dt * load - JC.transpose() * answer.impulse;
    Mat6 A = 0.5 * JC.transpose() * answer.slope * JC;
    A.diagonal() += inertia;
    const Vec6 change = A.lu().solve(residual);
    u -= change;
    if (change.tail<3>().norm() + r * change.head<3>().norm() < 1e-15) break;
  }
  const Vec6 mean = 0.5 * (before + u);
  ball.X_W = moved(mean.tail<3>(), mean.head<3>(), dt);
  ball.w = u.head<3>();
  ball.v = u.tail<3>();
  state = answer.end;
  return true;
}

double distance_from(const nlohmann::json& c, double dt) {
  const SoftContactModel model = pad_model(c);
  Ball ball;
  ball.X_W.p = read<Vec3>(c["position"]);
  ball.w = read<Vec3>(c["spin_B"]);
  const FacingSearch search = find_facing(model.one, model.two, ball.X_W);
  if (search.status != TrackStatus::tracked) return std::numeric_limits<double>::infinity();
  SoftContactState state = soft_contact_state(model, search.found.front(), ball.X_W);
  double worst = 0;
  int done = 0;
  for (const auto& sample : c["samples"]) {
    for (; done < std::lround(sample["time"].get<double>() / dt); ++done)
      if (!step_ball(c, model, done * dt, dt, ball, state))
        return std::numeric_limits<double>::infinity();
    worst = std::max(worst, (ball.X_W.p - read<Vec3>(sample["position"])).norm());
  }
  return worst;
}

TEST(CompliantMotion, ABallOnAnAnisotropicPadFollowsTheReferenceWithSecondOrder) {
  for (const auto& c : testing::compliant_cases("pads.json")) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const double coarse = distance_from(c, 1e-4), fine = distance_from(c, 2.5e-5);
    RecordProperty("fine", std::to_string(fine));
    EXPECT_LT(fine, 1e-8);  // of 6e-5 m that it moves
    EXPECT_LT(fine, coarse / 12);
  }
}

}  // namespace
}  // namespace tact
