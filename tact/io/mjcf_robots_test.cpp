// What files of real robots say beside their bodies: limits of joints, replicas and attached models
// that other sections speak of, and parts that are left out without stopping the load.
#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/mjcf_keyframes.hpp"
#include "tact/io/scene_file.hpp"

namespace tact {
namespace {

FileReader memory(const std::map<std::string, std::string>& files) {
  return {[=](const std::string& path) { return files.contains(path); },
          [=](const std::string& path) -> Result<std::string> { return files.at(path); }};
}

Result<Scene> read(const std::string& inside,
                   const std::map<std::string, std::string>& files = {}) {
  return read_mjcf_text("<mujoco>" + inside + "</mujoco>", "s.xml", memory(files));
}

Scene scene(const std::string& inside, const std::map<std::string, std::string>& files = {}) {
  auto got = read(inside, files);
  EXPECT_TRUE(got) << got.error().message;
  return got ? *std::move(got) : Scene{};
}

bool says(const Scene& s, const std::string& part) {
  return std::any_of(s.not_modelled.begin(), s.not_modelled.end(),
                     [&](const std::string& line) { return line.find(part) != line.npos; });
}

TEST(MjcfRobots, JointsLimitTheForceOfTheirActuators) {
  const std::string world = R"(<default><joint actuatorfrcrange='-3 5'/></default><worldbody>
    <body><joint name='a'/><geom size='1'/>
      <body><joint name='b' type='slide' actuatorfrclimited='false'/><geom size='1'/>
        <body><joint name='c' type='ball'/><geom size='1'/>
          <body><joint name='d' actuatorfrcrange='0 1'/><geom size='1'/></body>
    </body></body></body></worldbody>)";
  const Model m = scene(world).model;
  EXPECT_TRUE(m.joints[0].force_limited);
  EXPECT_EQ(m.joints[0].force_range, Vec2(-3, 5));
  EXPECT_FALSE(m.joints[1].force_limited);
  EXPECT_FALSE(m.joints[2].force_limited) << "a ball has none";
  EXPECT_EQ(m.joints[3].force_range, Vec2(0, 1));
  const Model manual = scene("<compiler autolimits='false'/>" + world).model;
  EXPECT_FALSE(manual.joints[0].force_limited) << "only where limits follow from ranges";
  const auto empty = read(
      "<worldbody><body><joint actuatorfrcrange='2 1'/><geom size='1'/></body>"
      "</worldbody>");
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message.find("actuatorfrcrange is empty"), std::string::npos);
}

// Each replica of what an element names has an element of its own; what stands outside is shared.
TEST(MjcfRobots, SectionsSpeakOfAllReplicas) {
  const Scene s = scene(R"(<worldbody>
      <body name='hub'><joint name='turn'/><geom name='hull' size='1'/></body>
      <replicate count='3' sep='-' euler='0 0 120'>
        <body name='leg' pos='2 0 0'><joint name='hip'/><geom name='shin' size='0.1'/>
          <site name='tip'/></body></replicate></worldbody>
    <tendon><fixed name='pull'><joint joint='hip' coef='2'/><joint joint='turn'/></fixed></tendon>
    <equality><joint name='tie' joint1='hip' joint2='turn'/></equality>
    <contact><exclude body1='hub' body2='leg'/><pair geom1='hull' geom2='shin'/></contact>
    <actuator><motor name='drive' joint='hip'/><motor name='wire' tendon='pull'/>
      <motor name='spin' joint='turn'/></actuator>
    <sensor><touch name='feel' site='tip'/><actuatorfrc name='load' actuator='drive'/></sensor>
    <keyframe><key qpos='0 1 2 3' ctrl='1 2 3 4 5 6 7'/></keyframe>)");
  const Model& m = s.model;
  ASSERT_EQ(m.tendons.size(), 3U);
  EXPECT_EQ(m.tendons[2].name, "pull-2");
  EXPECT_EQ(m.tendons[2].joints[0].first, find_joint(m, "hip-2"));
  EXPECT_EQ(m.tendons[2].joints[1].first, find_joint(m, "turn"));
  ASSERT_EQ(m.equalities.size(), 3U);
  EXPECT_EQ(m.equalities[1].first, find_joint(m, "hip-1"));
  EXPECT_EQ(m.exclusions.size(), 3U);
  EXPECT_EQ(m.pairs.size(), 3U);
  ASSERT_EQ(m.actuators.size(), 7U);
  EXPECT_EQ(m.actuators[4].name, "wire-1");
  EXPECT_EQ(m.actuators[4].target, 1);
  EXPECT_EQ(m.actuators[6].name, "spin");
  ASSERT_EQ(m.sensors.size(), 6U);
  EXPECT_EQ(m.sensors[5].name, "load-2");
  EXPECT_EQ(m.sensors[5].object, 2);
  EXPECT_EQ(m.keyframes[0].ctrl[6], 7);
}

TEST(MjcfRobots, ReplicasInReplicasAreAllMeant) {
  const Model m = scene(R"(<worldbody><replicate count='2' sep='o' offset='9 0 0'>
      <body name='hand'><joint name='wrist'/><geom size='1'/>
        <replicate count='2' sep='i' offset='0 2 0'>
          <body name='finger'><joint name='knuckle'/><geom size='1'/></body></replicate>
      </body></replicate></worldbody>
    <equality><joint joint1='knuckle' joint2='wrist'/></equality>)")
                      .model;
  ASSERT_EQ(m.equalities.size(), 4U);
  for (const Equality& e : m.equalities) {
    const std::string inner = m.joints[static_cast<std::size_t>(e.first)].name;
    const std::string outer = m.joints[static_cast<std::size_t>(e.second)].name;
    EXPECT_EQ(inner.substr(inner.size() - 2), outer.substr(outer.size() - 2)) << inner;
  }
  EXPECT_EQ(m.joints[static_cast<std::size_t>(m.equalities[3].first)].name, "knucklei1o1");
}

const std::map<std::string, std::string> arm_file{{"arm.xml", R"(<mujoco>
    <worldbody><body name='base' pos='0 0 1'><freejoint/><geom size='1'/>
      <body name='link'><joint name='j' ref='10'/><geom size='1'/></body></body></worldbody>
    <actuator><muscle joint='j'/><motor name='m' joint='j'/></actuator>
    <keyframe><key name='home' time='2' qpos='1 2 3 2 0 0 0 0.5' ctrl='8 9'/></keyframe>
  </mujoco>)"}};

TEST(MjcfRobots, KeyframesOfAttachedModelsComeAlong) {
  const Scene s = scene(R"(<asset><model name='arm' file='arm.xml'/></asset><worldbody>
      <body name='cart'><joint name='x' type='slide' ref='7'/><geom size='1'/></body>
      <frame pos='5 0 0'><attach model='arm' prefix='l/'/></frame>
      <frame pos='0 5 0'><attach model='arm' prefix='r/'/></frame></worldbody>
    <keyframe><key name='own' qpos='1  0 0 0 1 0 0 0 1  0 0 0 1 0 0 0 1'/></keyframe>)",
                        arm_file);
  const Model& m = s.model;
  ASSERT_EQ(m.keyframes.size(), 3U);
  EXPECT_EQ(m.keyframes[0].name, "own");
  const Keyframe& right = m.keyframes[static_cast<std::size_t>(find_keyframe(m, "r/home"))];
  EXPECT_EQ(right.time, 2);
  ASSERT_EQ(right.qpos.size(), 17);
  EXPECT_EQ(right.qpos[0], 7) << "what it does not count stays where it begins";
  EXPECT_EQ(Vec3(right.qpos.segment<3>(1)), Vec3(5, 0, 1));
  EXPECT_EQ(Vec4(right.qpos.segment<4>(12)), Vec4(1, 0, 0, 0)) << "normalised";
  EXPECT_EQ(Vec3(right.qpos.segment<3>(9)), Vec3(1, 2, 3));
  EXPECT_EQ(right.qpos[16], 0.5);
  EXPECT_EQ(right.ctrl, Vec2(0, 9)) << "the muscle is left out";
}

TEST(MjcfRobots, KeyframesOfAPartAreLeftOutAndSaid) {
  const Scene s = scene(R"(<asset><model name='arm' file='arm.xml'/></asset>
    <worldbody><attach model='arm' body='link' prefix='l/'/></worldbody>)",
                        arm_file);
  EXPECT_TRUE(s.model.keyframes.empty());
  EXPECT_TRUE(says(s, "keyframe of other coordinates is left out"));
}

TEST(MjcfRobots, AttachedModelsInReplicasKeepTheirSections) {
  const Model m = scene(R"(<asset><model name='arm' file='arm.xml'/></asset><worldbody>
      <replicate count='2' offset='9 0 0'><attach model='arm' prefix='a/'/></replicate>
    </worldbody>)",
                        arm_file)
                      .model;
  ASSERT_EQ(m.actuators.size(), 2U);
  EXPECT_EQ(m.actuators[1].name, "a/m1");
  EXPECT_EQ(m.actuators[1].target, find_joint(m, "a/j1"));
  EXPECT_EQ(m.keyframes.size(), 2U);
}

TEST(MjcfRobots, ReferencesToPartsLeftOutAreLeftOutToo) {
  const Scene s = scene(R"(<worldbody><body name='b'><joint name='j'/><geom size='1'/>
      <composite type='cable' prefix='c' count='9 1 1'/></body></worldbody>
    <contact><exclude body1='b' body2='cB_1'/></contact>
    <equality><weld body1='cB_last' body2='b'/></equality>
    <actuator><motor joint='cJ_1'/><motor joint='j'/></actuator>
    <keyframe><key qpos='1 2 3 4 5 6 7 8 9'/></keyframe>)");
  EXPECT_EQ(s.model.exclusions.size() + s.model.equalities.size(), 0U);
  EXPECT_EQ(s.model.actuators.size(), 1U);
  for (const char* part : {"<composite> is not", "<exclude> of a part", "<weld> of a part",
                           "<motor> of a part", "keyframe of other coordinates"})
    EXPECT_TRUE(says(s, part)) << part;
}

TEST(MjcfRobots, InertiaWithoutMassIsNotABodys) {
  const Scene s = scene(R"(<worldbody><body><joint/><geom size='1'/>
      <body name='lens'><inertial mass='0' pos='0 0 0' diaginertia='1 1 1'/></body></body>
    </worldbody>)");
  EXPECT_EQ(s.model.bodies[2].inertia_com_B, Mat3::Zero());
  EXPECT_TRUE(says(s, "inertia without mass"));
}

TEST(MjcfRobots, CoefficientsOfHigherOrderOfTendons) {
  const Scene s = scene(R"(<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>
    <tendon><fixed stiffness='4 0 1' damping='2 0'><joint joint='j'/></fixed></tendon>)");
  EXPECT_EQ(s.model.tendons[0].stiffness, 4);
  EXPECT_EQ(s.model.tendons[0].damping, 2);
  EXPECT_TRUE(says(s, "stiffness of higher order"));
  EXPECT_FALSE(says(s, "damping of higher order"));
}

// A geom whose masks keep it out of all contacts is only looked at, unless a pair names it.
TEST(MjcfRobots, PairedMeshesKeepTheirHulls) {
  const Model m =
      scene(R"(<default><geom contype='0' conaffinity='0' type='mesh' mesh='t'/></default>
    <asset><mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>
    <worldbody><geom name='floor' type='plane' size='1 1 1'/>
      <body><freejoint/><geom name='foot'/><geom name='cover'/></body></worldbody>
    <contact><pair geom1='foot' geom2='floor'/></contact>)")
          .model;
  const auto corners = [&](const char* name) {
    const Geom& g = m.geoms[static_cast<std::size_t>(find_geom(m, name))];
    return std::get<ConvexMesh>(g.shape).polyhedron->vertices.size();
  };
  EXPECT_EQ(corners("foot"), 4U);
  EXPECT_EQ(corners("cover"), 8U) << "the box around it";
}

// Needles and crumbs among collision meshes: no hull, but a robot all the same.
TEST(MjcfRobots, AMeshWithoutHullIsTheBoxAroundIt) {
  const Scene s = scene(R"(<asset><mesh name='needle' inertia='shell'
      vertex='0 0 0  1 0 0  2 0 1e-9  3 0 0' face='0 1 2 1 3 2'/></asset>
    <worldbody><body><joint/><geom size='1'/><geom type='mesh' mesh='needle' mass='0'/></body>
    </worldbody>)");
  EXPECT_TRUE(says(s, "taken as the box around it"));
  ASSERT_EQ(s.model.geoms.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<ConvexMesh>(s.model.geoms[1].shape));
}

}  // namespace
}  // namespace tact
