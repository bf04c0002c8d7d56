#include "tact/contact/scene_problem.hpp"

#include <gtest/gtest.h>

#include "tact/base/tolerance.hpp"
#include "tact/contact/residual.hpp"
#include "tact/contact/surface_law.hpp"

namespace tact {
namespace {

constexpr double weight = 9.81 * 2;

/// A free box of 2 kg, half sizes 0.1, 0.2, 0.3, on the plane z = 0.
Model box_model() {
  Model m;
  m.name = "box";
  m.bodies.resize(2);
  Body& box = m.bodies[1];
  box.name = "box";
  box.X_PB.p = {0, 0, 0.3};
  box.mass = 2;
  box.inertia_com_B = Vec3(0.1, 0.2, 0.3).asDiagonal();
  Joint free;
  free.type = JointType::free;
  free.body = 1;
  m.joints.push_back(free);
  Geom floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  m.geoms.push_back(floor);
  Geom geom;
  geom.body = 1;
  geom.shape = Box{{0.1, 0.2, 0.3}};
  m.geoms.push_back(geom);
  auto made = make_model(std::move(m));
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

/// The face of the box on the floor, as the narrow phase gives it.
SceneContacts face(double gap) {
  SceneContacts out;
  SceneContact c;
  c.geom1 = 1;
  c.geom2 = 0;
  c.surface.kind = PatchKind::polygon;
  c.surface.point_count = 4;
  c.surface.gap[0] = c.surface.distance = gap;
  c.pair.friction[0] = 0.5;
  out.buffer.points = {{-0.1, -0.2}, {0.1, -0.2}, {0.1, 0.2}, {-0.1, 0.2}};
  out.contacts.push_back(c);
  return out;
}

TEST(SceneProblem, ABoxOnAPlaneIsOnePatch) {
  const Model m = box_model();
  const State s = initial_state(m);
  const auto made = scene_problem(m, s, face(0), {});
  ASSERT_TRUE(made) << made.error().message;
  const ContactProblem& p = made->problem;
  EXPECT_TRUE(validate(p));
  ASSERT_EQ(p.contacts.size(), 1U);
  EXPECT_EQ(p.contacts[0].name, "box on floor");
  EXPECT_EQ(p.rows.rows(), 6);
  EXPECT_EQ(p.dt, m.timestep);
  EXPECT_DOUBLE_EQ(p.impulse[2], -weight * m.timestep);
  // v_N is the rise of the box; v_N at the corner x is that of a body turning about its centre.
  VecX rise = VecX::Zero(6);
  rise[2] = 1;
  EXPECT_DOUBLE_EQ((p.rows * rise)[5], 1);
}

/// The impulse that carries the weight, at the centre, solves the problem: judged from outside.
TEST(SceneProblem, TheWeightIsCarried) {
  const Model m = box_model();
  const auto made = scene_problem(m, initial_state(m), face(0), {});
  ASSERT_TRUE(made);
  const auto reduced = reduce(made->problem);
  ASSERT_TRUE(reduced) << reduced.error().message;
  VecX lambda = VecX::Zero(6);
  lambda[5] = weight * m.timestep;
  EXPECT_LE(residual(*reduced, lambda).figure(), tolerance::rounding);
  lambda[5] *= 1.001;
  EXPECT_GE(residual(*reduced, lambda).figure(), tolerance::label);
}

TEST(SceneProblem, GapsAndForcesAreKeptWhereAsked) {
  const Model m = box_model();
  const State s = initial_state(m);
  const auto step = scene_problem(m, s, face(0.01), {});
  ASSERT_TRUE(step);
  EXPECT_EQ(step->problem.contacts[0].gap, 0.01);
  SceneProblemOptions options;
  options.with_gaps = options.with_forces = false;
  const auto impact = scene_problem(m, s, face(0.01), options);
  ASSERT_TRUE(impact);
  EXPECT_EQ(impact->problem.contacts[0].gap, 0);
  EXPECT_EQ(impact->problem.impulse.size(), 0);
}

TEST(SceneProblem, ChoicesOfAPairAreTaken) {
  const Model m = box_model();
  SceneProblemOptions options;
  options.choices.push_back({0.5, VertexModel{}});
  const auto made = scene_problem(m, initial_state(m), face(0), options);
  ASSERT_TRUE(made);
  const Contact& c = made->problem.contacts[0];
  EXPECT_EQ(c.restitution, 0.5);
  EXPECT_TRUE(std::holds_alternative<VertexModel>(std::get<FrictionalPatch>(c.law).model));
}

TEST(SurfaceLaw, CondimAndShapeChoose) {
  SurfaceContact c;
  ContactBuffer buffer;
  buffer.points = {{0, 0}, {1, 0}};
  c.point_count = 1;
  PairParameters pair;
  pair.friction = {0.7, 0.01, 0.02};
  const auto law = [&](int condim) {
    pair.condim = condim;
    return surface_law(c, buffer, pair, EffectivePatch{});
  };
  EXPECT_EQ(law(1), Law(Frictionless{}));
  EXPECT_EQ(law(3), Law(CoulombLaw{0.7}));
  EXPECT_EQ(law(4), Law(RollingLaw{0.7, 0, 0.01}));
  EXPECT_EQ(law(6), Law(RollingLaw{0.7, 0.02, 0.01}));
  c.kind = PatchKind::disc;
  c.radius = 0.3;
  EXPECT_EQ(law(1), Law(FrictionlessPatch{{DiscShape{{0, 0}, 0.3}}}));
  EXPECT_EQ(law(6), Law(FrictionalPatch{{DiscShape{{0, 0}, 0.3}}, 0.7}));
  c.kind = PatchKind::segment;
  c.point_count = 2;
  EXPECT_EQ(law(3), Law(FrictionalPatch{{SegmentShape{{0, 0}, {1, 0}}}, 0.7}));
  pair.friction[0] = 0;
  EXPECT_EQ(law(3), Law(FrictionlessPatch{{SegmentShape{{0, 0}, {1, 0}}}}));
}

TEST(SceneProblem, NothingThatMovesIsRefused) {
  Model m;
  m.bodies.resize(1);
  const auto model = make_model(std::move(m));
  ASSERT_TRUE(model);
  const auto made = scene_problem(*model, initial_state(*model), {}, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "nothing can move; a body needs a joint for contacts to act on");
}

}  // namespace
}  // namespace tact
