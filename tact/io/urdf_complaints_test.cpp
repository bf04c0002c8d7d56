#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/io/urdf_mesh.hpp"
#include "tact/io/urdf_reader.hpp"
#include "tact/io/urdf_robot.hpp"
#include "tact/io/urdf_values.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

const std::string good = R"(<robot name="r">
<link name="a"/>
<link name="b">
<inertial><origin xyz="0 0 1"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><geometry><sphere radius="0.5"/></geometry></collision>
</link>
<joint name="j" type="revolute">
<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.5"/>
</joint>
</robot>)";

std::string complaint(const std::string& text) {
  const auto scene = read_urdf_text(text, "r.urdf", no_files());
  if (scene) return "none";
  EXPECT_TRUE(scene.error().message.starts_with("r.urdf:")) << scene.error().message;
  EXPECT_EQ(scene.error().message.find('\n'), std::string::npos);
  return scene.error().message.substr(7);
}

/// What is said when the first `what` of the good robot is replaced.
std::string with(const std::string& what, const std::string& by) {
  std::string text = good;
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return complaint(text.replace(at, what.size(), by));
}

TEST(UrdfComplaints, TheRobotTheyAreAboutIsGood) {
  EXPECT_EQ(complaint(good), "none");
}

TEST(UrdfComplaints, Texts) {
  EXPECT_TRUE(with("</link>", "").starts_with("11: this is not XML (")) << with("</link>", "");
  std::string deep = "<robot>";
  for (int i = 0; i < deepest_xml; ++i) deep += "<a>";
  for (int i = 0; i < deepest_xml; ++i) deep += "</a>";
  EXPECT_EQ(complaint(deep + "</robot>"),
            "1: elements are nested deeper than 400; flatten the file");
  EXPECT_EQ(complaint("<mujoco/>"), "1: <mujoco> makes this an MJCF file; read it as one");
  EXPECT_EQ(complaint("\n<sdf/>"),
            "2: <sdf> is the root, and a URDF file has <robot>; name a URDF file");
  EXPECT_EQ(complaint("<robot/>"), "1: <robot> has no link; a robot has one at least");
}

TEST(UrdfComplaints, Xacro) {
  EXPECT_EQ(with("<link name=\"a\"/>", "<xacro:leg side=\"l\"/>"),
            "2: <xacro:leg> is for xacro; expand with xacro first (xacro FILE > robot.urdf)");
  EXPECT_EQ(with("value=\"1\"", "value=\"${m}\""),
            "4: <mass> is for xacro; expand with xacro first (xacro FILE > robot.urdf)");
  EXPECT_EQ(with("<link name=\"a\"/>",
                 "<link name=\"a\"/><gazebo><plugin filename=\"$(find x)\"/></gazebo>"),
            "none");
}

TEST(UrdfComplaints, Values) {
  EXPECT_EQ(with("xyz=\"0 0 1\"", "xyz=\"0 0\""),
            "4: <origin> xyz is \"0 0\"; write three finite numbers");
  EXPECT_EQ(with("xyz=\"0 0 1\"", "xyz=\"0 nan 0\""),
            "4: <origin> xyz is \"0 nan 0\"; write three finite numbers");
  EXPECT_EQ(with("value=\"1\"", "value=\"one\""),
            "4: <mass> value is \"one\"; write a finite number");
  EXPECT_EQ(with("value=\"1\"", "value=\"-1\""), "4: <mass> value is -1; a mass is not negative");
  EXPECT_EQ(with("<mass value=\"1\"/>", ""), "4: <inertial> has no <mass>; give it one");
  EXPECT_EQ(with(" izz=\"1\"", ""), "4: <inertia> has no izz; give it one");
  EXPECT_EQ(with("radius=\"0.5\"", "radius=\"0\""), "5: <sphere> radius is 0; it must be positive");
  EXPECT_EQ(with("<sphere radius=\"0.5\"/>", "<box size=\"1 -1 1\"/>"),
            "5: <box> size is \"1 -1 1\"; its three numbers must be positive");
  EXPECT_EQ(with("<sphere radius=\"0.5\"/>", ""),
            "5: <geometry> is empty; write box, cylinder, sphere, capsule or mesh");
  EXPECT_EQ(with("<sphere radius=\"0.5\"/>", "<cone/>"),
            "5: <cone> is no shape of a collision; write box, cylinder, sphere, capsule or mesh");
  EXPECT_EQ(with("<sphere radius=\"0.5\"/>", "<mesh filename=\"m.obj\" scale=\"1 0 1\"/>"),
            "5: <mesh> has a zero in its scale; write three numbers that are not zero");
  EXPECT_EQ(with("damping=\"0.5\"", "damping=\"-2\""),
            "9: <dynamics> damping is -2; it must not be negative");
}

TEST(UrdfComplaints, Joints) {
  EXPECT_EQ(with("type=\"revolute\"", ""), "7: <joint> has no type; give it one");
  EXPECT_EQ(with("type=\"revolute\"", "type=\"ball&#10;ed\""),
            "7: <joint> has type \"ball ed\"; write revolute, continuous, prismatic, fixed, "
            "floating, planar or spherical");
  EXPECT_EQ(with("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>"),
            "8: <axis> xyz is \"0 0 0\"; write a direction");
  EXPECT_EQ(with("lower=\"-1\"", "lower=\"1\""),
            "9: <limit> has lower 1 and upper 1; lower must be the smaller (a joint that does not "
            "move is fixed, one without limits is continuous)");
  EXPECT_EQ(with("<parent link=\"a\"/>", ""), "7: <joint> has no <parent>; give it one");
  EXPECT_EQ(with("<child link=\"b\"/>", "<child link=\"c\"/>"),
            "7: joint \"j\" names link \"c\", which is not there; correct the name");
  const std::string mimic = "; name another joint that is revolute, continuous or prismatic";
  EXPECT_EQ(with("<dynamics damping=\"0.5\"/>", "<mimic joint=\"k\"/>"),
            "7: joint \"j\" mimics \"k\"" + mimic);
  EXPECT_EQ(with("<dynamics damping=\"0.5\"/>", "<mimic joint=\"j\"/>"),
            "7: joint \"j\" mimics \"j\"" + mimic);
  EXPECT_EQ(with("\"revolute\">", "\"fixed\"><mimic joint=\"k\"/>"),
            "7: <mimic> belongs to revolute, continuous and prismatic joints; remove it");
}

TEST(UrdfComplaints, Trees) {
  const std::string end = "</robot>";
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"fixed\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/></joint>\n</robot>";
  };
  EXPECT_EQ(with(end, "<link name=\"a\"/></robot>"),
            "11: <link> \"a\" has the name of an earlier one; give it another");
  EXPECT_EQ(with(end, joint("j", "a", "b")),
            "11: <joint> \"j\" has the name of an earlier one; give it another");
  EXPECT_EQ(with(end, joint("k", "a", "b")),
            "11: joint \"k\" gives link \"b\" a second parent; a URDF robot is a tree, remove one "
            "joint");
  EXPECT_EQ(with(end, joint("k", "b", "a")),
            "2: every link has a parent; remove a joint of the loop");
  EXPECT_EQ(with(end, "<link name=\"c\"/></robot>"),
            "11: link \"c\" has no parent, and neither has \"a\"; join them by a joint");
  EXPECT_EQ(with(end, "<link name=\"c\"/>" + joint("k", "c", "c")),
            "11: link \"c\" is part of a loop of joints; remove one of them");
  EXPECT_EQ(with(end, "<link name=\"world\"/>" + joint("k", "b", "world")),
            "11: link \"world\" hangs on a joint, and that name is the world's; rename it");
  EXPECT_EQ(with("name=\"a\"", "name=\"\""), "2: <link> has an empty name; give it one");
}

TEST(UrdfComplaints, WhatNoBodyHasIsSaidWithItsLine) {
  EXPECT_TRUE(with("izz=\"1\"", "izz=\"3\"").starts_with("3: body \"b\": its largest principal"))
      << with("izz=\"1\"", "izz=\"3\"");
  const std::string on_axis =
      with("xyz=\"0 0 1\"/><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"",
           "xyz=\"0 0 1\"/><mass value=\"1\"/><inertia ixx=\"0\" iyy=\"0\" izz=\"0\"");
  EXPECT_TRUE(on_axis.starts_with("3: body \"b\": ")) << on_axis;
}

TEST(UrdfComplaints, Meshes) {
  EXPECT_EQ(with("<sphere radius=\"0.5\"/>", "<mesh filename=\"m.obj\"/>"),
            "5: the mesh \"m.obj\" is not at m.obj; put it there or correct the name");
  const auto packaged = read_urdf_text(
      "<robot><link name='a'><collision><geometry><mesh filename='package://p/m.stl'/></geometry>"
      "</collision></link></robot>",
      "/x/p/r.urdf", no_files());
  ASSERT_FALSE(packaged);
  EXPECT_EQ(packaged.error().message,
            "/x/p/r.urdf:1: the mesh \"package://p/m.stl\" is not at /x/p/m.stl nor in 5 folders "
            "above; put it there or correct the name");
  const FileReader bad{
      [](const std::string&) { return true; },
      [](const std::string&) -> Result<std::string> { return std::string("v 0"); }};
  const auto broken = read_urdf_text(
      "<robot><link name='a'>\n<collision><geometry><mesh filename='m.obj'/></geometry>"
      "</collision></link></robot>",
      "r.urdf", bad);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message, "r.urdf:2: m.obj:1: the file ends here; write a finite number");
}

TEST(UrdfParts, MeshCandidatesNearestFirst) {
  EXPECT_EQ(
      detail::mesh_candidates("package://p/m/a.stl", "/x/p/u/r.urdf"),
      (std::vector<std::string>{"/x/p/u/m/a.stl", "/x/p/u/p/m/a.stl", "/x/p/m/a.stl",
                                "/x/p/p/m/a.stl", "/x/p/m/a.stl", "/p/m/a.stl", "/x/p/m/a.stl"}));
}

TEST(UrdfParts, RollPitchYawTurnAboutFixedAxes) {
  const Vec3 rpy(0.3, -1.2, 2.5);
  const Mat3 wanted = exp_so3({0, 0, rpy[2]}) * exp_so3({0, rpy[1], 0}) * exp_so3({rpy[0], 0, 0});
  EXPECT_LT((detail::rotation_of_rpy(rpy) - wanted).norm(), tolerance::rounding);
}

TEST(UrdfParts, XmlElementsKnowTheirLines) {
  const auto root = parse_xml("\xef\xbb\xbf<!-- c\n -->\n<a x='1 +2 -3e1'>\n t <b/>\n</a>", "f");
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->name, "a");
  EXPECT_EQ(root->line, 3);
  EXPECT_EQ(root->text, "t");
  ASSERT_TRUE(detail::find_child(*root, "b"));
  EXPECT_EQ(detail::find_child(*root, "b")->line, 4);
  EXPECT_EQ(detail::find_child(*root, "c"), nullptr);
  detail::XmlValues values("f");
  EXPECT_EQ(values.vector(*root, "x"), Vec3(1, 2, -30));
  EXPECT_FALSE(values.error());
  EXPECT_FALSE(detail::xml_numbers("1 2x"));
  EXPECT_EQ(detail::read_urdf_robot("<robot><link name='l'/></robot>", "f")->links[0].name, "l");
}

}  // namespace
}  // namespace tact
