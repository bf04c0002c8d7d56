#include "mechanisms.hpp"

#include <cmath>
#include <numbers>

#include "mjcf_text.hpp"

namespace tact::bench {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;

constexpr double pi = std::numbers::pi;
constexpr double weight = 9.81;  ///< of a kilogramme [N]
constexpr double dt = 0.001;     ///< [s]

/// What hinges of a mechanism have in common.
struct HingeTraits {
  double friction = 0;  ///< dry [N m]
  double damping = 0;   ///< [N m s]
  double armature = 0;  ///< [kg m²]
};
/// About y, or against it.
std::string hinge(const std::string& name, int sense, double low, double high,
                  const HingeTraits& traits) {
  return "<joint" + attribute("name", name) + attribute("axis", Vec3(0, sense, 0)) +
         attribute("range", Vec2(low, high)) + attribute("limited", std::string("true")) +
         attribute("frictionloss", traits.friction) + attribute("damping", traits.damping) +
         attribute("armature", traits.armature) + "/>";
}

std::string servo(const std::string& joint, double stiffness) {
  return "<position" + attribute("joint", joint) + attribute("kp", stiffness) + "/>\n";
}

/// One keyframe of that name.
std::string keyframe(const std::string& name, const VecX& qpos, const VecX& ctrl) {
  return "<key" + attribute("name", name) + attribute("qpos", qpos) + attribute("ctrl", ctrl) +
         "/>\n";
}

/// Joins two bodies at `anchor`, given in the frame of the first; no second one is the world.
std::string connect(const std::string& body1, const std::string& body2, const Vec3& anchor) {
  return "<connect" + attribute("body1", body1) + (body2.empty() ? "" : attribute("body2", body2)) +
         attribute("anchor", anchor) + "/>\n";
}

/// q1 = ratio q2.
std::string couple(const std::string& joint1, const std::string& joint2, double ratio) {
  VecX coefficients = VecX::Zero(5);
  coefficients[1] = ratio;
  return "<joint" + attribute("joint1", joint1) + attribute("joint2", joint2) +
         attribute("polycoef", coefficients) + "/>\n";
}

Vec3 on_circle(int k, int n, double radius, double z) {
  const double angle = 2 * pi * k / n;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

}  // namespace

std::string car_mjcf(const std::string& name, bool round) {
  constexpr double friction = 1, radius = 0.1, torque = 0.3;
  MjcfText scene(name, dt);
  scene.add_ground(friction);
  std::string car =
      open_body("car", {0, 0, radius}) + "<freejoint/>" +
      box_geom({0.3, 0.15, 0.05}, {.friction = friction, .mass = 5, .at = {0, 0, 0.05}});
  const GeomTraits traits{.friction = friction, .mass = 0.5};
  const double turn = std::sqrt(0.5);  // the axis of a cylinder from z to y
  const std::string wheel =
      round ? sphere_geom(radius, traits)
            : geom(R"("cylinder" size="0.1 0.03")" + attribute("quat", Vec4(turn, turn, 0, 0)),
                   traits);
  std::string motors;
  int k = 0;
  for (const double x : {0.2, -0.2})
    for (const double y : {0.2, -0.2}) {
      const std::string joint = numbered("wheel", k++);
      car += open_body(joint, {x, y, 0}) + "<joint" + attribute("name", joint) +
             R"( axis="0 1 0"/>)" + wheel + "</body>\n";
      motors += "<motor" + attribute("joint", joint) + "/>\n";
    }
  scene.add_world(car + "</body>\n");
  scene.add_section("actuator", motors);
  VecX qpos = VecX::Zero(11);
  qpos[2] = radius;
  qpos[3] = 1;
  scene.add_section("keyframe", keyframe("init", qpos, VecX::Constant(4, torque)));
  return scene.text();
}

std::string biped_mjcf(const std::string& name, bool closed) {
  constexpr double bone = 0.4, crank = 0.08, rod = 0.3;  // lengths; the linkage is a parallelogram
  constexpr double crouch = 0.5;                         // [rad] of thigh and shin
  constexpr double hip_height_above_sole = 0.05;         // beyond the bones
  const HingeTraits driven{.friction = 0.2, .damping = 4, .armature = 0.02};
  const HingeTraits passive{.friction = 0.2, .damping = 0.1, .armature = 0};
  const auto bone_geom = [](const Vec3& to, double radius, double mass) {
    return capsule_geom(Vec3::Zero(), to, radius, {.mass = mass, .visual = true});
  };
  MjcfText scene(name, 0.0005);
  scene.add_ground(0.8);
  const double height = 2 * bone * std::cos(crouch) + hip_height_above_sole;
  std::string robot =
      open_body("trunk", {0, 0, height}) + "<freejoint/>" +
      box_geom({0.1, 0.12, 0.1}, {.friction = 0.8, .mass = 20, .at = {0, 0, 0.15}}) + "\n";
  std::string servos, loops;
  for (const bool left : {true, false}) {
    const std::string of = left ? "_l" : "_r";
    robot += open_body("thigh" + of, {0, left ? 0.1 : -0.1, 0}) +
             hinge("hip" + of, 1, -1.5, 1, driven) + bone_geom({0, 0, -bone}, 0.03, 2) + "\n";
    robot += open_body("crank" + of, {0, 0, rod - bone}) + hinge("crank" + of, 1, -0.2, 2, driven) +
             bone_geom({-crank, 0, 0}, 0.015, 0.2) + "\n";
    robot += open_body("rod" + of, {-crank, 0, 0}) + hinge("rod" + of, 1, -2.2, 0.4, passive) +
             bone_geom({0, 0, -rod}, 0.01, 0.2) + "</body></body>\n";
    robot += open_body("shin" + of, {0, 0, -bone}) + hinge("knee" + of, 1, -0.2, 2, passive) +
             bone_geom({0, 0, -bone}, 0.025, 1) + bone_geom({-crank, 0, 0}, 0.015, 0.1) + "\n";
    robot += open_body("foot" + of, {0, 0, -bone}) + hinge("ankle" + of, 1, -1.5, 1.5, driven) +
             box_geom({0.1, 0.04, 0.02}, {.friction = 0.8, .mass = 0.5, .at = {0.02, 0, -0.03}}) +
             "</body></body></body>\n";
    servos += servo("hip" + of, 500) + servo("crank" + of, 500) + servo("ankle" + of, 400);
    // Two points of the pin: every hinge is about y, so the second adds nothing.
    for (const double y : {0.02, -0.02}) loops += connect("rod" + of, "shin" + of, {0, y, -rod});
  }
  scene.add_world(robot + "</body>\n");
  if (closed) scene.add_section("equality", loops);
  scene.add_section("actuator", servos);
  VecX qpos(17), ctrl(6);
  qpos << 0, 0, height, 1, 0, 0, 0, VecX::Zero(10);
  for (const Index leg : {0, 1}) {
    qpos.segment<5>(7 + 5 * leg) << -crouch, 2 * crouch, -2 * crouch, 2 * crouch, -crouch;
    ctrl.segment<3>(3 * leg) << -crouch, 2 * crouch, -crouch;
  }
  scene.add_section("keyframe", keyframe("init", qpos, ctrl));
  return scene.text();
}

std::string gripper_mjcf(const std::string& name, bool closed) {
  constexpr double friction = 0.8;
  const HingeTraits traits{.friction = 0.005, .damping = 0.05, .armature = 0.001};
  MjcfText scene(name, dt);
  scene.add_ground(friction);
  scene.add_free_body({0, 0, 0.02},
                      box_geom(Vec3::Constant(0.02), {.friction = friction, .mass = 0.064}));
  std::string palm = open_body("palm", {0, 0, 0.19}) +
                     box_geom({0.04, 0.02, 0.01}, {.mass = 0.3, .visual = true}) + "\n";
  std::string equalities;
  for (const int side : {1, -1}) {
    const std::string of = side > 0 ? "_r" : "_l";
    const Vec3 link(0.04 * side, 0, -0.06);  // driver and follower alike: a parallelogram
    const std::string bar = capsule_geom(Vec3::Zero(), link, 0.005, {.mass = 0.03, .visual = true});
    palm += open_body("driver" + of, {0.03 * side, 0, -0.02}) +
            hinge("driver" + of, side, 0, 0.9, traits) + bar + "\n";
    palm +=
        open_body("tip" + of, link) + hinge("tip" + of, side, -1, 0.1, traits) +
        box_geom({0.005, 0.012, 0.04}, {.friction = friction, .mass = 0.05, .at = {0, 0, -0.05}}) +
        "</body></body>\n";
    palm += open_body("follower" + of, {0.01 * side, 0, -0.04}) +
            hinge("follower" + of, side, -0.1, 1, traits) + bar + "</body>\n";
    equalities += connect("tip" + of, "follower" + of, {-0.02 * side, 0, -0.02});
  }
  equalities += couple("driver_l", "driver_r", 1);
  scene.add_world(palm + "</body>\n");
  if (closed) scene.add_section("equality", equalities);
  scene.add_section("actuator", servo("driver_r", 5));
  VecX qpos = VecX::Zero(13);
  qpos[2] = 0.02;
  qpos[3] = 1;
  scene.add_section("keyframe", keyframe("init", qpos, VecX::Constant(1, 0.8)));
  return scene.text();
}

std::string hand_mjcf(const std::string& name, bool coupled) {
  constexpr int fingers = 3;
  const GeomTraits skin{.friction = 0.8};
  const HingeTraits traits{.friction = 0.005, .damping = 0.01, .armature = 0.0005};
  const auto bone = [](double from, double to, double mass) {
    return capsule_geom({0, 0, from}, {0, 0, to}, 0.008, {.friction = 0.8, .mass = mass});
  };
  MjcfText scene(name, dt);
  scene.add_ground(0.8);
  scene.add_world(open_body("palm", {0, 0, 0.1}) +
                  geom(R"("cylinder" size="0.05 0.01")", {.friction = 0.8, .mass = 0.3}) +
                  "</body>\n");
  scene.add_free_body({0, 0, 0.14}, sphere_geom(0.03, skin));
  std::string equalities, servos;
  for (int k = 0; k < fingers; ++k) {
    const std::string of = numbered("_", k);
    const Quaterniond outwards(AngleAxisd(2 * pi * k / fingers, Vec3::UnitZ()));
    scene.add_world(open_body("proximal" + of, on_circle(k, fingers, 0.06, 0.11), outwards) +
                    hinge("proximal" + of, -1, -0.5, 1.5, traits) + bone(0.01, 0.045, 0.02) + "\n");
    scene.add_world(open_body("middle" + of, {0, 0, 0.05}) +
                    hinge("middle" + of, -1, 0, 1.6, traits) + bone(0.005, 0.03, 0.015) + "\n");
    scene.add_world(open_body("distal" + of, {0, 0, 0.035}) +
                    hinge("distal" + of, -1, 0, 1.2, traits) + bone(0.005, 0.025, 0.01) +
                    "</body></body></body>\n");
    equalities += couple("distal" + of, "middle" + of, 0.7);
    servos += servo("proximal" + of, 0.5) + servo("middle" + of, 0.3);
  }
  if (coupled) scene.add_section("equality", equalities);
  scene.add_section("actuator", servos);
  VecX qpos = VecX::Zero(7 + 3 * fingers), ctrl(2 * fingers);
  qpos[2] = 0.14;
  qpos[3] = 1;
  for (Index k = 0; k < fingers; ++k) ctrl.segment<2>(2 * k) << 0.6, 0.8;
  scene.add_section("keyframe", keyframe("init", qpos, ctrl));
  return scene.text();
}

std::string overlapping_leg_mjcf(const std::string& name) {
  MjcfText scene(name, 0.002);
  scene.add_world(open_body("trunk", {0, 0, 1}) +
                  box_geom({0.2, 0.1, 0.05}, {.friction = 1, .mass = 5}) +
                  open_body("hip", {0.2, 0.1, 0}) + R"(<joint name="abduct" axis="1 0 0"/>)" +
                  sphere_geom(0.01, {.mass = 0.2, .visual = true}) +
                  open_body("thigh", {0, 0.01, 0}) + R"(<joint name="flex" axis="0 1 0"/>)" +
                  capsule_geom(Vec3::Zero(), {0, 0, -0.16}, 0.013, {.friction = 1, .mass = 0.2}) +
                  "</body></body></body>\n");
  return scene.text();
}

std::string coaxial_mjcf(const std::string& name) {
  MjcfText scene(name, 0.002);
  const double turn = std::sqrt(0.5);
  const std::string disc =
      geom(R"("cylinder" size="0.04 0.02")" + attribute("quat", Vec4(turn, turn, 0, 0)),
           {.friction = 1, .mass = 0.2});
  const std::string off_axis = sphere_geom(0.01, {.mass = 0.1, .visual = true, .at = {0.1, 0, 0}});
  scene.add_world(open_body("a", {0, 0, 1}) + R"(<joint axis="0 1 0"/>)" + disc + off_axis +
                  "</body>\n" + open_body("b", {0, 0.02, 1}) + R"(<joint axis="0 1 0"/>)" + disc +
                  "</body>\n");
  return scene.text();
}

std::string chain_mjcf(const std::string& name, const Chain& chain) {
  constexpr double mass = 0.1, length = 0.1, end_mass = 100, end_radius = 0.05, thick = 0.01;
  constexpr double share = 0.3;
  const int links = chain.links;
  const double swing = chain.swing * pi / 180;
  const double step = share / std::sqrt(end_mass * weight / (mass * length));
  const Vec3 along(std::sin(swing), 0, -std::cos(swing));
  const Quaterniond turn(AngleAxisd(0.5 * pi - swing, Vec3::UnitY()));  // x along the chain
  const auto inertial = [](double m, const Vec3& inertia) {
    return R"(<inertial pos="0 0 0")" + attribute("mass", m) + attribute("diaginertia", inertia) +
           "/>";
  };
  const Vec3 half(0.5 * length, 0, 0), top(0, 0, length * links + 0.5);
  const double slender = mass * length * length / 12;
  const std::string link = inertial(mass, {mass * thick * thick, slender, slender}) +
                           capsule_geom(-half, half, thick, {.visual = true});
  MjcfText scene(name, step);
  std::string joints, last;
  for (int k = 0; k < links; ++k) {
    scene.add_free_body(top + length * (k + 0.5) * along, link, turn);
    const std::string body = numbered("b", k);
    joints += connect(body, last, -half);
    last = body;
  }
  const Vec3 ball = Vec3::Constant(0.4 * end_mass * end_radius * end_radius);
  scene.add_free_body(top + (length * links + end_radius) * along,
                      inertial(end_mass, ball) + sphere_geom(end_radius, {.visual = true}), turn);
  joints += connect(numbered("b", links), last, {-end_radius, 0, 0});
  scene.add_section("equality", joints);
  return scene.text();
}

std::string stool_mjcf(const std::string& name, int feet) {
  constexpr double foot = 0.1, all = 3, radius = 0.03, leg = 0.3;
  MjcfText scene(name, dt);
  scene.add_ground(0.6);
  std::string geoms = geom(R"("cylinder" size="0.2 0.02")", {.mass = all - foot * feet});
  for (int k = 0; k < feet; ++k)
    geoms += sphere_geom(radius, {.mass = foot, .at = on_circle(k, feet, 0.15, -leg)});
  scene.add_free_body({0, 0, leg + radius}, geoms);
  return scene.text();
}

}  // namespace tact::bench
