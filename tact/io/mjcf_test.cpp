#include <map>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/mjcf_actuators.hpp"
#include "tact/io/mjcf_assets.hpp"
#include "tact/io/mjcf_draft.hpp"
#include "tact/io/mjcf_reading.hpp"
#include "tact/io/mjcf_source.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/orientation.hpp"
#include "tact/io/scene_file.hpp"
#include "tact/spatial/so3.hpp"
#include "tests/support/mjcf_text.hpp"

namespace tact {
namespace {

using std::numbers::pi;
using testing::mjcf_scene;

constexpr double same = 1e-12;  ///< a few operations on numbers of size one

std::string ball(const std::string& attributes) {
  return "<worldbody><body " + attributes + "><freejoint/><geom size='1'/></body></worldbody>";
}

TEST(Mjcf, OrientationsInAllForms) {
  const Mat3 quarter = exp_so3(Vec3(0, 0, pi / 2));
  for (const char* form : {"quat='1 0 0 1'", "quat='-7 0 0 -7'", "axisangle='0 0 2 90'",
                           "euler='0 0 90'", "xyaxes='0 3 0 -1 1 0'"})
    EXPECT_LE((mjcf_scene(ball(form)).model.bodies[1].X_PB.R - quarter).norm(), same) << form;
  const Mat3 tilt = mjcf_scene(ball("zaxis='0 -1 0'")).model.bodies[1].X_PB.R;
  EXPECT_LE((tilt - exp_so3(Vec3(pi / 2, 0, 0))).norm(), same);
  const Scene fixed =
      mjcf_scene("<compiler angle='radian' eulerseq='XYZ'/>" + ball("euler='1 2 3'"));
  const Mat3 R = exp_so3(Vec3(0, 0, 3)) * exp_so3(Vec3(0, 2, 0)) * exp_so3(Vec3(1, 0, 0));
  EXPECT_LE((fixed.model.bodies[1].X_PB.R - R).norm(), same);
}

TEST(Mjcf, FramesMoveWhatStandsInThem) {
  const Scene s = mjcf_scene(R"(<worldbody>
    <frame pos='1 0 0' euler='0 0 90'><body name='b' pos='1 0 0'>
      <frame pos='0 0 2' axisangle='1 0 0 90'><joint type='hinge' axis='0 1 0' pos='0 1 0'/>
        <geom size='0.1' pos='0 0 1'/><site name='s' pos='0 1 0'/></frame>
    </body></frame></worldbody>)");
  EXPECT_LE((s.model.bodies[1].X_PB.p - Vec3(1, 1, 0)).norm(), same);
  EXPECT_LE((s.model.joints[0].axis_B - Vec3(0, 0, 1)).norm(), same);
  EXPECT_LE((s.model.joints[0].anchor_B - Vec3(0, 0, 3)).norm(), same);
  EXPECT_LE((s.model.geoms[0].X_BG.p - Vec3(0, -1, 2)).norm(), same);
  EXPECT_LE((s.model.sites[0].X_BS.p - Vec3(0, 0, 3)).norm(), same);
}

TEST(Mjcf, DefaultsNestAndChildClassesReachDown) {
  const Scene s = mjcf_scene(R"(
    <default><geom friction='0.8' size='0.3'/>
      <default class='a'><geom friction='0.7 0.01'/><joint axis='0 1 0'/>
        <default class='b'><geom condim='4' type='box' size='0.1 0.2 0.3'/></default></default>
    </default>
    <worldbody><body childclass='a'><joint/><geom/><geom class='b'/>
      <frame childclass='b'><geom size='0.5'/></frame>
      <body><joint class='main'/><geom/></body></body></worldbody>)");
  const std::vector<Geom>& g = s.model.geoms;
  EXPECT_EQ(g[0].friction, Vec3(0.7, 0.01, 0.0001));
  EXPECT_EQ(std::get<Sphere>(g[0].shape).radius, 0.3);
  EXPECT_EQ(g[1].condim, 4);
  EXPECT_EQ(std::get<Box>(g[1].shape).half_extents, Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(std::get<Box>(g[2].shape).half_extents, Vec3(0.5, 0.2, 0.3));
  EXPECT_EQ(std::get<Sphere>(g[3].shape).radius, 0.3);
  EXPECT_EQ(s.model.joints[0].axis_B, Vec3::UnitY());
  EXPECT_EQ(s.model.joints[1].axis_B, Vec3::UnitZ());
}

TEST(Mjcf, IncludesAreLookedForBesideTheMainFileAndBesideTheirOwn) {
  const Scene s = mjcf_scene(
      "<include file='parts/robot.xml'/><worldbody><geom type='plane' size='1 1 1'/></worldbody>",
      {{"parts/robot.xml",
        "<mujoco><compiler meshdir='m'/><include file='arm.xml'/>"
        "<asset><mesh file='tet.obj'/></asset></mujoco>"},
       {"parts/arm.xml",
        "<mujocoinclude><worldbody><body><joint/>"
        "<geom type='mesh' mesh='tet'/></body></worldbody></mujocoinclude>"},
       {"parts/m/tet.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
        "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"}});
  ASSERT_EQ(s.model.bodies.size(), 2U);
  EXPECT_NEAR(s.model.bodies[1].mass, 1000.0 / 6, 1e-9);
  EXPECT_LE((s.model.bodies[1].com_B - Vec3::Constant(0.25)).norm(), same);
  ASSERT_EQ(s.meshes.size(), 1U);
  EXPECT_EQ(s.geom_mesh, (std::vector<Index>{-1, 0}));
}

TEST(Mjcf, AttachedModelsBringTheirPartsUnderTheirPrefix) {
  const std::string arm = R"(<mujoco><compiler angle='radian'/>
    <default><joint damping='3'/></default>
    <worldbody><geom size='9'/><body name='arm' pos='0 0 1'><joint name='j' range='-1 1'/>
      <geom name='g' size='0.1'/></body><body name='other'><joint name='k'/><geom size='1'/></body></worldbody>
    <actuator><motor name='m' joint='j'/><motor joint='k'/></actuator></mujoco>)";
  const Scene s = mjcf_scene(R"(<asset><model name='arm' file='arm.xml'/></asset>
    <worldbody><body name='base'><attach model='arm' body='arm' prefix='l_'/>
      <frame pos='2 0 0'><attach model='arm' body='arm' prefix='r_'/></frame></body></worldbody>
    <actuator><motor name='m' joint='r_j'/></actuator>)",
                             {{"arm.xml", arm}});
  ASSERT_EQ(s.model.bodies.size(), 4U);
  EXPECT_EQ(s.model.bodies[3].name, "r_arm");
  EXPECT_EQ(s.model.bodies[3].X_PB.p, Vec3(2, 0, 1));
  EXPECT_EQ(s.model.joints[0].damping, 3);
  EXPECT_EQ(s.model.joints[0].range, Vec2(-1, 1));
  ASSERT_EQ(s.model.actuators.size(), 3U);
  EXPECT_EQ(s.model.actuators[0].name, "l_m");
  EXPECT_EQ(s.model.actuators[1].target, 1);
  EXPECT_EQ(s.model.actuators[2].target, 1);
}

TEST(Mjcf, ReplicasStepOnAndNumberTheirNames) {
  const Scene s =
      mjcf_scene(R"(<worldbody><replicate count='3' offset='1 0 0' euler='0 0 90' sep='_'>
      <body name='b' pos='0 0 1'><freejoint/><geom size='0.1'/></body></replicate></worldbody>)");
  ASSERT_EQ(s.model.bodies.size(), 4U);
  EXPECT_EQ(s.model.bodies[3].name, "b_2");
  EXPECT_LE((s.model.bodies[3].X_PB.p - Vec3(1, 1, 1)).norm(), same);
}

TEST(Mjcf, FixedTendonsServosAndInheritedRanges) {
  const Scene s = mjcf_scene(R"(<compiler angle='radian'/>
    <default><position kp='5' kv='2'/></default>
    <worldbody><body><joint name='a' axis='1 0 0' range='-1 3' ref='0.5' armature='0.5'/>
      <inertial pos='0 1 0' mass='2' diaginertia='1 1 1'/></body></worldbody>
    <tendon><fixed name='t'><joint joint='a' coef='2'/></fixed></tendon>
    <actuator><position joint='a' inheritrange='0.5'/><position joint='a' kp='8' dampratio='1' gear='2'/>
      <velocity tendon='t' kv='3'/><position joint='a' timeconst='0.1' forcerange='-1 1'/></actuator>)");
  const std::vector<Actuator>& a = s.model.actuators;
  EXPECT_EQ(a[0].gain, Vec3(5, 0, 0));
  EXPECT_EQ(a[0].bias, Vec3(0, -5, -2));
  EXPECT_TRUE(a[0].ctrl_limited);
  EXPECT_EQ(a[0].ctrl_range, Vec2(0, 2));
  EXPECT_NEAR(mjcf::reference_inertia(s.model, 0), 0.5 + 1 + 2, same);
  EXPECT_NEAR(a[1].bias[2], -2 * std::sqrt(8 * 3.5 / 4), same);
  EXPECT_EQ(a[2].transmission, Transmission::tendon);
  EXPECT_EQ(a[2].bias, Vec3(0, 0, -3));
  EXPECT_TRUE(a[3].force_limited);
  EXPECT_EQ(s.model.tendons[0].rest_length, Vec2(1, 1));
  EXPECT_EQ(s.not_modelled,
            (std::vector<std::string>{"s.xml:7: 1 actuator acts without the lag of its filter"}));
}

TEST(Mjcf, EqualitiesBetweenSitesNeedNoPose) {
  const Scene s = mjcf_scene(R"(<worldbody>
    <body name='p' pos='1 0 0'><joint/><geom size='0.1'/><site name='s' pos='0 0 1' euler='0 0 90'/></body>
    <body name='q'><joint/><geom size='0.1'/><site name='t' pos='0 2 0' euler='90 0 0'/></body></worldbody>
    <equality><connect site1='s' site2='t'/><weld site1='s' site2='t' active='false'/></equality>)");
  for (const Equality& e : s.model.equalities) {
    EXPECT_EQ(e.first, 1);
    EXPECT_EQ(e.anchor_first, Vec3(0, 0, 1));
    EXPECT_EQ(e.anchor_second, Vec3(0, 2, 0));
  }
  const Mat3 R = exp_so3(Vec3(0, 0, pi / 2)) * exp_so3(Vec3(-pi / 2, 0, 0));
  EXPECT_LE((s.model.equalities[1].R_first_second - R).norm(), same);
  EXPECT_FALSE(s.model.equalities[1].active);
}

TEST(Mjcf, WhatIsLeftOutIsSaidOncePerKind) {
  const Scene s = mjcf_scene(R"(
<worldbody><body name='b'><joint name='j' stiffness='1'/><geom size='1' solref='0.1 1' glow='1'/>
<geom size='1' solref='0.1 1'/><composite type='cable'/><camera/><light/></body></worldbody>
<tendon><spatial name='t'/><spatial/></tendon>
<actuator><muscle joint='j'/><motor joint='j'/><motor tendon='t'/></actuator>
<option wind='1 0 0' solver='Newton'/><visual/><statistic/><size/><novelty/>
<extension><plugin plugin='p'/></extension>
<sensor><gyro site='nowhere'/><jointpos name='q' joint='j'/><rangefinder site='x'/>
<framepos objtype='body' objname='b' reftype='body' refname='world'/></sensor>
<keyframe><key ctrl='1 2 3'/></keyframe>)");
  const std::vector<std::string> lines{
      "s.xml:6: 1 option attribute wind is not modelled",
      "s.xml:2: 2 geom attributes solref are not modelled",
      "s.xml:2: 1 geom attribute glow is not modelled",
      "s.xml:3: 1 <composite> is not modelled",
      "s.xml:4: 2 spatial tendons are not modelled",
      "s.xml:5: 1 muscle actuator is not modelled",
      "s.xml:5: 1 actuator of a spatial tendon is not modelled",
      "s.xml:6: 1 section <novelty> is not modelled",
      "s.xml:7: 1 <plugin> of <extension> is not modelled",
      "s.xml:8: 1 gyro sensor has no object that is modelled",
      "s.xml:8: 1 rangefinder sensor is not modelled",
      "s.xml:9: 1 framepos sensor relative to another frame is not modelled"};
  EXPECT_EQ(s.not_modelled.size(), lines.size());
  for (const std::string& line : lines)
    EXPECT_NE(std::find(s.not_modelled.begin(), s.not_modelled.end(), line), s.not_modelled.end())
        << line;
  ASSERT_EQ(s.model.sensors.size(), 1U);
  EXPECT_EQ(s.model.sensors[0].object_kind, "joint");
  EXPECT_EQ(s.model.keyframes[0].ctrl, VecX::Constant(1, 2));
}

TEST(Mjcf, CustomDataAndDrivenBodiesOfKeyframes) {
  const Scene s = mjcf_scene(R"(
    <custom><numeric name='tact_restitution' data='0.5'/><numeric name='n' size='3' data='1 2'/>
      <text name='tact_law' data='poisson'/></custom>
    <option gravity='0 0 -1'><flag gravity='disable'/></option>
    <worldbody><body mocap='true' pos='1 0 0'><geom size='1'/></body></worldbody>
    <keyframe><key name='a' mpos='0 0 7'/><key name='b'/></keyframe>)");
  EXPECT_EQ(s.numerics.at("tact_restitution"), VecX::Constant(1, 0.5));
  EXPECT_EQ(s.numerics.at("n"), Vec3(1, 2, 0));
  EXPECT_EQ(s.texts.at("tact_law"), "poisson");
  EXPECT_EQ(s.model.gravity, Vec3::Zero());
  ASSERT_EQ(s.key_driven.size(), 2U);
  EXPECT_EQ(s.key_driven[0][0].p, Vec3(0, 0, 7));
  EXPECT_TRUE(s.key_driven[1].empty());
  EXPECT_TRUE(s.model.bodies[1].driven);
}

TEST(Mjcf, TheSideCarSpeaksOfGeomsByName) {
  const std::string text =
      "<worldbody><geom name='floor' type='plane' size='1 1 1'/><body><freejoint/>"
      "<geom name='box' size='1'/></body></worldbody>";
  const Scene s = mjcf_scene(text, {{"s.tact.json", R"({"format": "tact-scene/1", "law": "poisson",
      "geoms": [{"geom": "box", "restitution": 0.25}],
      "pairs": [{"geoms": ["box", "floor"], "patch_friction": {"pressure": "ellipsoid", "radius": 2}}]})"}});
  EXPECT_EQ(s.side_car.all.law, "poisson");
  ASSERT_EQ(s.side_car.geoms.size(), 1U);
  EXPECT_EQ(s.side_car.geoms[0].first, 1);
  EXPECT_EQ(s.side_car.geoms[0].second.restitution, 0.25);
  EXPECT_EQ(s.side_car.pairs[0].first, (std::pair<Index, Index>(0, 1)));
  EXPECT_EQ(s.side_car.pairs[0].second.patch, PressureModel::ellipsoid);
  for (const char* bad : {R"({"format": "tact-scene/1", "colour": 1})",
                          R"({"format": "tact-scene/1", "restitution": 2})",
                          R"({"format": "tact-scene/1", "law": "magic"})",
                          R"({"format": "tact-scene/1", "geoms": [{"geom": "chair"}]})"}) {
    const auto refused = read_mjcf_text("<mujoco>" + text + "</mujoco>", "s.xml",
                                        testing::memory({{"s.tact.json", bad}}));
    ASSERT_FALSE(refused) << bad;
    EXPECT_TRUE(refused.error().message.starts_with("s.tact.json")) << refused.error().message;
  }
}

TEST(MjcfReading, NumbersLieOverDefaultsOneByOne) {
  const auto root = parse_xml("<d><g size='1 2 3' type='box'/><g size='7'/></d>", "f.xml");
  ASSERT_TRUE(root);
  mjcf::Reading r;
  const mjcf::Settings s{{root->children.data(), &root->children[1]}};
  Vec3 size = Vec3::Zero();
  EXPECT_EQ(mjcf::overlay(r, s, "size", {size.data(), 3}), 3);
  EXPECT_EQ(size, Vec3(7, 2, 3));
  EXPECT_EQ(mjcf::text(s, "type"), "box");
  EXPECT_EQ(mjcf::number(r, s, "mass", 4), 4);
  EXPECT_FALSE(r.error);
}

TEST(MjcfReading, PathsAndNames) {
  EXPECT_EQ(mjcf::folder_of("a/b.c/d.xml"), "a/b.c/");
  EXPECT_EQ(mjcf::folder_of("d.xml"), "");
  EXPECT_EQ(mjcf::stem_of("a/b.c/d.stl"), "d");
  EXPECT_EQ(mjcf::default_kind("muscle"), "actuator");
  EXPECT_EQ(mjcf::default_kind("weld"), "equality");
  const mjcf::NameMap map{{"world", 0}, {"l_arm", 3}};
  mjcf::Instance left;
  left.prefix = "l_";
  left.depth = 1;
  EXPECT_EQ(mjcf::find_name(map, left, "arm"), 3);
  EXPECT_EQ(mjcf::find_name(map, left, "world"), 0);
  EXPECT_EQ(mjcf::find_name(map, left, "l_arm"), -1);
}

TEST(MjcfReading, TurnsOfTheZAxis) {
  for (const Vec3& z : {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(0.6, 0, 0.8), Vec3(0, -0.6, -0.8)}) {
    const Mat3 R = mjcf::rotation_to(z);
    EXPECT_TRUE(is_rotation(R));
    EXPECT_LE((R * Vec3::UnitZ() - z).norm(), same);
  }
}

TEST(MjcfReading, HeightsMayLieBesideTheSceneOrAmongTheMeshes) {
  const std::string text =
      R"(<compiler meshdir='m'/><asset><hfield name='h' file='a/p.png' size='1 1 1 1'/></asset>
      <worldbody><geom type='hfield' hfield='h'/><body><joint/><geom size='1'/></body></worldbody>)";
  EXPECT_EQ(mjcf_scene(text, {{"a/p.png", ""}}).model.geoms.size(), 2U);
  EXPECT_EQ(mjcf_scene(text, {{"m/a/p.png", ""}}).model.geoms.size(), 2U);
}

}  // namespace
}  // namespace tact
