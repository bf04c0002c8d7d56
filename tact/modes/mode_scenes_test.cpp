#include "tact/modes/mode_scenes.hpp"

#include <map>
#include <set>
#include <utility>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tests/support/mode_referee.hpp"

namespace tact {
namespace {

using testing::mode_rows;
using testing::ModeRows;

ModeRows rows_of(std::string_view name) {
  return mode_rows(mode_scene(name).value().system);
}

TEST(ModeScenes, EveryNameIsASceneAndNoOtherIs) {
  std::set<std::string_view> seen;
  for (const ModeSceneName& about : mode_scene_names()) {
    EXPECT_TRUE(seen.insert(about.name).second) << about.name;
    EXPECT_FALSE(about.description.empty());
    const auto scene = mode_scene(about.name);
    ASSERT_TRUE(scene.has_value()) << about.name;
    EXPECT_TRUE(validate(scene->system).has_value());
    EXPECT_EQ(scene->contact_names.size(), scene->system.contacts.size());
    const std::set<std::string> names(scene->contact_names.begin(), scene->contact_names.end());
    EXPECT_EQ(names.size(), scene->contact_names.size()) << "a contact name twice";
  }
  EXPECT_EQ(mode_scene("box-6"), std::nullopt);
  EXPECT_EQ(mode_scene(""), std::nullopt);
}

// [Huang20] Table 1, columns n and d.
TEST(ModeScenes, HaveTheContactsAndDegreesOfFreedomOfTheTable) {
  const std::map<std::string_view, std::pair<std::size_t, Index>> table{
      {"box-1", {4, 6}},      {"box-2", {8, 6}},      {"box-3", {12, 6}}, {"box-4", {16, 6}},
      {"box-5", {20, 6}},     {"peg-4", {8, 6}},      {"peg-8", {16, 6}}, {"box-box-1", {8, 9}},
      {"box-box-2", {16, 9}}, {"hand-ball", {12, 17}}};
  for (const auto& [name, size] : table) {
    const ModeSystem system = mode_scene(name).value().system;
    EXPECT_EQ(system.contacts.size(), size.first) << name;
    EXPECT_EQ(system.dof(), size.second) << name;
  }
}

TEST(ModeScenes, RowsAreBinaryFractions) {
  for (const ModeSceneName& about : mode_scene_names()) {
    const ModeSystem system = mode_scene(about.name).value().system;
    EXPECT_NO_THROW((void)testing::whole_rows(system)) << about.name;
    EXPECT_TRUE(system.exact.empty());
  }
}

TEST(ModeScenes, CountsOfSmallScenesAreThoseOfTheReferee) {
  for (const char* name : {"box-1", "box-2", "box-3", "box-4", "box-5", "peg-4", "peg-8"}) {
    const auto about = std::ranges::find(mode_scene_names(), name, &ModeSceneName::name);
    const ModeRows rows = rows_of(name);
    EXPECT_EQ(testing::tried_cs_modes(rows).size(), about->cs) << name;
    EXPECT_EQ(testing::tried_modes(rows).size(), about->full) << name;
  }
}

TEST(ModeScenes, ContactingModesOfLargerScenesAreThoseOfTheReferee) {
  for (const char* name : {"box-box-1", "box-box-2", "box-in-hand"}) {
    const auto about = std::ranges::find(mode_scene_names(), name, &ModeSceneName::name);
    EXPECT_EQ(testing::tried_cs_modes(rows_of(name)).size(), about->cs) << name;
  }
}

// Independent normals: any contact may separate whatever the others do.
TEST(ModeScenes, HandBallHasIndependentNormals) {
  const ModeRows rows = rows_of("hand-ball");
  EXPECT_EQ(testing::rank_of(rows.normals, rows.dof), 12U);
}

TEST(ModeScenes, BoxHasTheRowsOfItsCorner) {
  const ModeScene scene = mode_scene("box-2").value();
  EXPECT_EQ(scene.contact_names[0], "floor 0");
  EXPECT_EQ(scene.contact_names[4], "back 0");
  MatX corner(6, 6);  // (-1/2, -1/2, -1/2) on the floor, then against the wall; [ω, v]
  corner << -0.5, 0.5, 0, 0, 0, 1,  //
      0, -0.5, 0.5, 1, 0, 0,        //
      0.5, 0, -0.5, 0, 1, 0,        //
      0.5, 0, -0.5, 0, 1, 0,        //
      -0.5, 0.5, 0, 0, 0, 1,        //
      0, -0.5, 0.5, 1, 0, 0;
  EXPECT_EQ(scene.system.rows.topRows(3), corner.topRows(3));
  EXPECT_EQ(scene.system.rows.middleRows(12, 3), corner.bottomRows(3));
}

/// The columns of joints that a contact's rows depend on.
std::set<Index> joints_of(const ModeScene& scene, std::string_view contact, Index joints) {
  const auto place = std::ranges::find(scene.contact_names, contact);
  const auto k = static_cast<std::size_t>(place - scene.contact_names.begin());
  const ModeContact& rows = scene.system.contacts.at(k);
  std::set<Index> moved;
  for (Index c = 0; c < joints; ++c)
    if (!scene.system.rows.block(rows.normal, c, 3, 1).isZero(0)) moved.insert(c);
  return moved;
}

TEST(ModeScenes, LinksOfAHandMoveWithTheJointsBeforeThem) {
  const ModeScene ball = mode_scene("hand-ball").value();
  EXPECT_EQ(joints_of(ball, "palm", 11), (std::set<Index>{}));
  EXPECT_EQ(joints_of(ball, "index 0", 11), (std::set<Index>{0}));
  EXPECT_EQ(joints_of(ball, "middle 2", 11), (std::set<Index>{3, 4, 5}));
  EXPECT_EQ(joints_of(ball, "ring 1", 11), (std::set<Index>{6, 7}));
  EXPECT_EQ(joints_of(ball, "thumb 1", 11), (std::set<Index>{9, 10}));
  const ModeScene box = mode_scene("box-in-hand").value();
  EXPECT_EQ(joints_of(box, "palm 3", 4), (std::set<Index>{}));
  EXPECT_EQ(joints_of(box, "right 1", 4), (std::set<Index>{0, 1}));
  EXPECT_EQ(joints_of(box, "left 0", 4), (std::set<Index>{2}));
}

TEST(ModeScenes, NormalsOfTheHandPointIntoTheBall) {
  const ModeScene scene = mode_scene("hand-ball").value();
  for (const ModeContact& contact : scene.system.contacts) {
    const Vec3 n = scene.system.rows.row(contact.normal).tail<3>();
    const Vec3 t1 = scene.system.rows.row(contact.normal + 1).tail<3>();
    const Vec3 t2 = scene.system.rows.row(contact.normal + 2).tail<3>();
    EXPECT_EQ(n.dot(t1), 0);
    EXPECT_EQ(n.dot(t2), 0);
    EXPECT_EQ(t1.dot(t2), 0);
    // (p x t1) . t2 = p . (t1 x t2), and t1 x t2 is a positive multiple of n.
    const Vec3 p_cross_t1 = scene.system.rows.row(contact.normal + 1).segment<3>(11);
    EXPECT_GT(t1.cross(t2).dot(n), 0);
    EXPECT_LT(p_cross_t1.dot(t2), 0) << "p . n > 0 would be a normal out of the ball";
  }
}

TEST(ModeScenes, AnyNumberOfDividingPlanes) {
  const ModeSystem system = mode_scene("hand-ball", 5).value().system;
  for (const ModeContact& contact : system.contacts) EXPECT_EQ(contact.tangents, 5);
  EXPECT_EQ(mode_scene("box-1", 0).value().system.rows.rows(), 4);
  EXPECT_THROW((void)mode_scene("box-1", -1), ContractViolation);
}

}  // namespace
}  // namespace tact
