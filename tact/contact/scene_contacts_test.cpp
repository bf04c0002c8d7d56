#include "tact/contact/scene_contacts.hpp"

#include <gtest/gtest.h>

#include "tests/support/hand_scenes.hpp"

namespace tact {
namespace {

TEST(SceneContacts, AreCalledByTheirGeomsElseTheirBodies) {
  Model m = testing::floor_scene(0.5);
  for (int k = 0; k < 3; ++k)
    testing::add_box(m, 1, Vec3(0.1, 0.1, 0.1), {Mat3::Identity(), Vec3(k, 0, 1)}, 0.5);
  m.geoms[1].name = "crate";
  m.geoms[2].name.clear();
  m.geoms[3].name.clear();
  m.bodies[3].name.clear();
  m.geoms[0].name.clear();
  m.bodies[0].name.clear();
  EXPECT_EQ(geom_name(m, 1), "crate");
  EXPECT_EQ(geom_name(m, 2), m.bodies[2].name);
  EXPECT_EQ(geom_name(m, 3), "body 3");
  EXPECT_EQ(geom_name(m, 0), "world");
  SceneContact contact;
  contact.geom1 = 1;
  contact.geom2 = 0;
  EXPECT_EQ(contact_name(m, contact), "crate on world");
}

}  // namespace
}  // namespace tact
