#include "tact/body/collision_rules.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

/// World, a cart on a slide, an arm hinged to it, a hand welded to the arm, a finger hinged to the
/// hand, a free ball, and a body that the user moves; one sphere each.
Model workshop() {
  Model m;
  const auto body = [&](const char* name, Index parent) {
    Body b;
    b.name = name;
    b.parent = parent;
    b.mass = 1;
    b.inertia_com_B = Mat3::Identity();
    m.bodies.push_back(b);
    return static_cast<Index>(m.bodies.size()) - 1;
  };
  const auto joint = [&](Index of, JointType type) {
    Joint j;
    j.body = of;
    j.type = type;
    m.joints.push_back(j);
  };
  m.bodies.emplace_back();
  joint(body("cart", 0), JointType::slide);
  joint(body("arm", 1), JointType::hinge);
  body("hand", 2);
  joint(body("finger", 3), JointType::hinge);
  joint(body("ball", 0), JointType::free);
  m.bodies[static_cast<std::size_t>(body("tray", 0))].driven = true;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    Geom g;
    g.body = static_cast<Index>(i);
    m.geoms.push_back(g);
  }
  return m;
}

enum : Index { world, cart, arm, hand, finger, ball, tray };

Model made(Model draft) {
  auto model = make_model(std::move(draft));
  EXPECT_TRUE(model) << model.error().message;
  return *std::move(model);
}

bool collide(const Model& m, Index a, Index b) {
  const CollisionRules rules = collision_rules(m);
  EXPECT_EQ(may_collide(m, rules, a, b), may_collide(m, rules, b, a));
  return may_collide(m, rules, a, b);
}

TEST(CollisionRules, RelativesDoNotCollideUnlessWithTheWorld) {
  const Model m = made(workshop());
  EXPECT_TRUE(collide(m, world, cart));  // a child of the world may touch it
  EXPECT_FALSE(collide(m, cart, arm));
  EXPECT_FALSE(collide(m, arm, hand));    // welded
  EXPECT_FALSE(collide(m, arm, finger));  // the hand is part of the arm
  EXPECT_FALSE(collide(m, hand, finger));
  EXPECT_TRUE(collide(m, cart, finger));  // once removed
  EXPECT_TRUE(collide(m, ball, finger));
  EXPECT_FALSE(collide(m, ball, ball));
}

TEST(CollisionRules, WhatNoForceMovesDoesNotCollideWithItsLike) {
  const Model m = made(workshop());
  EXPECT_FALSE(collide(m, world, tray));
  EXPECT_TRUE(collide(m, ball, tray));
}

TEST(CollisionRules, MasksExclusionsAndNamedPairs) {
  Model draft = workshop();
  draft.geoms[ball].contype = 2;
  draft.geoms[ball].conaffinity = 0;
  EXPECT_FALSE(collide(made(draft), ball, finger));
  draft.geoms[finger].conaffinity = 2;
  EXPECT_TRUE(collide(made(draft), ball, finger));
  draft.exclusions.emplace_back(finger, ball);
  EXPECT_FALSE(collide(made(draft), ball, finger));
  draft.pairs.push_back({cart, arm, 1, 0.25, 0.01});
  const Model m = made(draft);
  EXPECT_TRUE(collide(m, cart, arm)) << "named, although parent and child";
  const PairParameters p = pair_parameters(m, collision_rules(m), arm, cart);
  EXPECT_EQ(p.condim, 1);
  EXPECT_EQ(p.friction[0], 0.25);
  EXPECT_EQ(p.margin, 0.01);
}

TEST(CollisionRules, TheLargerParametersUnlessOneHasPriority) {
  Model draft = workshop();
  draft.geoms[ball].friction = {0.2, 0.1, 0};
  draft.geoms[cart].friction = {0.5, 0, 0.3};
  draft.geoms[cart].condim = 1;
  draft.geoms[cart].margin = 0.02;
  Model m = made(draft);
  const PairParameters both = pair_parameters(m, collision_rules(m), ball, cart);
  EXPECT_EQ(both.friction, Vec3(0.5, 0.1, 0.3));
  EXPECT_EQ(both.condim, 3);
  EXPECT_EQ(both.margin, 0.02);
  draft.geoms[cart].priority = 1;
  m = made(draft);
  const PairParameters one = pair_parameters(m, collision_rules(m), ball, cart);
  EXPECT_EQ(one.friction, Vec3(0.5, 0, 0.3));
  EXPECT_EQ(one.condim, 1);
}

}  // namespace
}  // namespace tact
