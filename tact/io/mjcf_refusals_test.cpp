// What a scene file may not say: one sentence each, with file and line.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/mjcf_bodies.hpp"
#include "tact/io/mjcf_constraints.hpp"
#include "tact/io/mjcf_extras.hpp"
#include "tact/io/mjcf_shapes.hpp"
#include "tact/io/scene_file.hpp"
#include "tact/io/xml_document.hpp"

namespace tact {
namespace {

FileReader memory(const std::map<std::string, std::string>& files) {
  return {[=](const std::string& path) { return files.contains(path); },
          [=](const std::string& path) -> Result<std::string> { return files.at(path); }};
}

/// What is said about <mujoco> with these sections, from line 2 on.
std::string complaint(const std::string& inside,
                      const std::map<std::string, std::string>& files = {}) {
  const auto read = read_mjcf_text("<mujoco>\n" + inside + "\n</mujoco>", "d/s.xml", memory(files));
  if (read) return "none";
  EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
  return read.error().message;
}

/// The same inside of a body that is complete without it.
std::string in_body(const std::string& inside) {
  return complaint("<worldbody><body name='b'><joint name='j'/><geom size='1'/>\n" + inside +
                   "</body></worldbody>");
}

void expect_said(const std::string& said, const std::string& place, const std::string& part) {
  EXPECT_TRUE(said.starts_with("d/s.xml:" + place + ":")) << said;
  EXPECT_NE(said.find(part), std::string::npos) << said;
}

TEST(MjcfRefusals, PartsOfBodies) {
  expect_said(in_body("<joint type='screw'/>"), "3", "write one of free, ball, hinge, slide");
  expect_said(in_body("<geom type='torus'/>"), "3", "torus");
  expect_said(in_body("<geom size='-1'/>"), "3", "positive");
  expect_said(in_body("<geom size='1' mass='-1'/>"), "3", "negative");
  expect_said(in_body("<geom size='1' class='none'/>"), "3", "no default class \"none\"");
  expect_said(in_body("<geom size='1 x'/>"), "3", "finite numbers");
  expect_said(in_body("<geom size='1' pos='0 0'/>"), "3", "has 2 numbers; write 3");
  expect_said(in_body("<geom size='1' quat='0 0 0 0'/>"), "3", "quaternion");
  expect_said(in_body("<geom size='1' condim='2'/>"), "3", "1, 3, 4 or 6");
  expect_said(in_body("<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>"), "3", "the same");
  expect_said(in_body("<geom type='mesh' mesh='m'/>"), "3", "no mesh \"m\"");
  expect_said(in_body("<body><joint axis='0 0 0'/><geom size='1'/></body>"), "3", "axis");
  expect_said(in_body("<body><joint range='2 1'/><geom size='1'/></body>"), "3", "range");
  expect_said(in_body("<body name='b'><geom size='1'/></body>"), "3", "is taken");
  expect_said(in_body("<inertial mass='-1' pos='0 0 0'/>"), "3", "negative");
  expect_said(in_body("<inertial mass='1' pos='0 0 0' diaginertia='1 1 3'/>"), "3",
              "triangle inequality");
  expect_said(in_body("<attach model='m' body='b'/>"), "3", "no model \"m\"");
  expect_said(complaint("<worldbody><joint/></worldbody>"), "2", "put it in a body");
}

TEST(MjcfRefusals, WholeScenes) {
  expect_said(complaint("<worldbody><geom size='1'/></worldbody>"), "1", "no bodies");
  expect_said(complaint("<compiler coordinate='global'/>"), "2", "local");
  expect_said(complaint("<compiler angle='gon'/>"), "2", "radian, degree");
  expect_said(complaint("<option timestep='0'/>"), "2", "positive");
  expect_said(complaint("<default>\n<default/></default>"), "3", "needs a class");
  expect_said(complaint("<worldbody>\n<body></worldbody>"), "3", "not XML");
  EXPECT_EQ(read_mjcf_text("<robot/>", "r.urdf", no_files()).error().message,
            "r.urdf:1: the root is <robot>; an MJCF file begins with <mujoco>");
  EXPECT_EQ(read_mjcf_text("", "e.xml", no_files()).error().code, Errc::parse);
  const auto massless = complaint("<worldbody><body name='b'><joint/></body></worldbody>");
  EXPECT_NE(massless.find("\"b\""), std::string::npos) << massless;
}

TEST(MjcfRefusals, LaterSections) {
  const std::string world =
      "<worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody>\n";
  expect_said(complaint(world + "<keyframe><key qpos='1 2'/></keyframe>"), "3",
              "has 2 numbers and the model needs 1");
  expect_said(complaint(world + "<keyframe><key qpos='nan'/></keyframe>"), "3", "finite");
  expect_said(complaint(world + "<actuator><motor joint='k'/></actuator>"), "3", "no joint \"k\"");
  expect_said(complaint(world + "<actuator><motor/></actuator>"), "3", "acts on nothing");
  expect_said(complaint(world + "<actuator><motor joint='j' ctrlrange='1 -1'/></actuator>"), "3",
              "ctrlrange");
  expect_said(complaint(world + "<actuator><position joint='j' inheritrange='1'/></actuator>"), "3",
              "inherit");
  expect_said(complaint(world + "<equality><connect body1='b'/></equality>"), "3", "anchor");
  expect_said(complaint(world + "<equality><weld body1='x'/></equality>"), "3", "no body1 \"x\"");
  expect_said(complaint(world + "<tendon><fixed><joint joint='x'/></fixed></tendon>"), "3",
              "no joint \"x\"");
  expect_said(complaint(world + "<contact><exclude body1='b'/></contact>"), "3", "body2");
  expect_said(complaint(world + "<custom><numeric data='1'/></custom>"), "3", "name");
}

TEST(MjcfRefusals, Files) {
  const std::string world =
      "<worldbody><body><joint/><geom type='mesh' mesh='base'/></body>"
      "</worldbody>\n<compiler meshdir='meshes'/>\n";
  EXPECT_EQ(complaint(world + "<asset><mesh file='base.stl'/></asset>"),
            "d/s.xml:4: mesh \"base.stl\" not found (looked in d/meshes/); put the file there or "
            "correct the name");
  expect_said(complaint("<include file='x.xml'/>"), "2", "include \"x.xml\" not found");
  expect_said(complaint("<include/>"), "2", "names no file");
  const std::string cycle =
      complaint("<include file='a.xml'/>", {{"d/a.xml", "<m>\n<include file='b.xml'/></m>"},
                                            {"d/b.xml", "<m><include file='a.xml'/></m>"}});
  EXPECT_EQ(cycle, "d/b.xml:1: this includes d/a.xml, which includes it; break the cycle");
  const std::string doubled = complaint("<include file='a.xml'/><include file='a.xml'/>",
                                        {{"d/a.xml", "<m><visual/></m>"}});
  expect_said(doubled, "1", "no bodies");
}

TEST(MjcfRefusals, DepthIsBoundedAlsoOverIncludes) {
  std::string deep = "<a>", shallow = "<m>";
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (int i = 0; i < 100'000; ++i) deep += "</a>";
  const auto refused = parse_xml(deep + "</a>", "deep.xml");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("nested deeper"), std::string::npos);
  for (int i = 0; i < 300; ++i) shallow += "<a>";
  shallow += "<include file='next.xml'/>";
  for (int i = 0; i < 300; ++i) shallow += "</a>";
  const auto chained = complaint("<include file='a.xml'/>",
                                 {{"d/a.xml", shallow + "</m>"}, {"d/next.xml", shallow + "</m>"}});
  EXPECT_NE(chained, "none");
}

TEST(XmlDocument, KnowsItsLines) {
  const auto root = parse_xml("<!-- c\n -->\n<a x='1'>\n text <b/>\n\n<c y='&lt;'/></a>", "f");
  ASSERT_TRUE(root);
  EXPECT_EQ(place(*root), "f:3");
  EXPECT_EQ(place(root->children[0]), "f:4");
  EXPECT_EQ(place(root->children[1]), "f:6");
  EXPECT_EQ(*find_attribute(root->children[1], "y"), "<");
  EXPECT_EQ(find_attribute(*root, "y"), nullptr);
}

}  // namespace
}  // namespace tact
