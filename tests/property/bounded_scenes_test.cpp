// Dry friction of joints and equations between bodies in the contact problems of scenes: exact
// where a hand can work it out, and the same motion whether equations are eliminated or rows.
#include <cmath>

#include <gtest/gtest.h>

#include "tact/contact/detect.hpp"
#include "tact/contact/labels.hpp"
#include "tact/contact/scene_problem.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/robots.hpp"

namespace tact {
namespace {

/// A wheel of 0.5 kg m² about z, without weight.
Model wheel(double friction) {
  Model m;
  m.gravity.setZero();
  m.bodies.resize(2);
  m.bodies[1].mass = 1;
  m.bodies[1].inertia_com_B = 0.5 * Mat3::Identity();
  Joint hinge;
  hinge.name = "axle";
  hinge.body = 1;
  hinge.type = JointType::hinge;
  hinge.axis_B = Vec3::UnitZ();
  hinge.dry_friction = friction;
  m.joints.push_back(hinge);
  return *make_model(std::move(m));
}

struct Step {
  ContactProblem problem;
  VecX lambda, velocity;
  std::vector<ContactLabel> labels;
};

Step step(const ContactProblem& problem) {
  Step out{problem, {}, {}, {}};
  const auto reduced = reduce(problem);
  EXPECT_TRUE(reduced) << reduced.error().message;
  SolveOptions options;
  options.polish = true;
  EXPECT_EQ(solve(*reduced, options, out.lambda).status, SolveStatus::converged);
  out.velocity = velocity_after(problem, out.lambda);
  out.labels = labels(*reduced, out.lambda);
  return out;
}

TEST(BoundedScenes, AWheelSlowsDownAtTheBoundAndThenSticks) {
  constexpr double friction = 3, inertia = 0.5, dt = 0.01;
  const Model m = wheel(friction);
  State s = initial_state(m);
  s.qvel[0] = 1;
  SceneProblemOptions options;
  options.dt = dt;
  double expected = 1;
  for (int k = 0; k < 40; ++k) {
    const auto made = scene_problem(m, s, {}, options);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE(made->notes.empty());
    ASSERT_EQ(made->problem.contacts.size(), 1U);
    EXPECT_EQ(made->problem.contacts[0].name, "dry friction of joint \"axle\"");
    EXPECT_EQ(made->problem.contacts[0].law, Law(BoundedLaw{-friction * dt, friction * dt}));
    const Step now = step(made->problem);
    const bool slides = expected > friction * dt / inertia;
    expected = slides ? expected - friction * dt / inertia : 0;
    EXPECT_NEAR(now.velocity[0], expected, 40 * tolerance::epsilon);
    EXPECT_EQ(now.labels[0].regime, slides ? Regime::slide : Regime::stick);
    s.qvel = now.velocity;
  }
  EXPECT_LE(std::abs(s.qvel[0]), tolerance::epsilon);
}

/// Held: the friction is what the motor gives; beyond the bound the rest accelerates.
TEST(BoundedScenes, AMotorMustOvercomeTheFriction) {
  constexpr double friction = 3, inertia = 0.5, dt = 0.01;
  const Model m = wheel(friction);
  const State s = initial_state(m);
  SceneProblemOptions options;
  options.dt = dt;
  for (const double torque : {-5.0, -2.9, 0.0, 2.9, 5.0}) {
    const auto made = scene_problem(m, s, {}, options);
    ASSERT_TRUE(made);
    ContactProblem driven = made->problem;
    driven.impulse[0] += dt * torque;
    const Step now = step(driven);
    const double left = std::copysign(std::max(std::abs(torque) - friction, 0.0), torque);
    EXPECT_NEAR(now.velocity[0], dt * left / inertia, tolerance::epsilon);
    EXPECT_NEAR(now.lambda[0], dt * (left - torque), tolerance::epsilon);
    if (left == 0)
      EXPECT_NEAR(now.labels[0].slip_margin, dt * (friction - std::abs(torque)),
                  tolerance::epsilon);
    else
      EXPECT_EQ(now.labels[0].bound, torque > 0 ? BoxBound::lower : BoxBound::upper);
  }
}

TEST(BoundedScenes, FrictionIsAForceAndCanBeLeftOut) {
  const Model m = wheel(3);
  const State s = initial_state(m);
  SceneProblemOptions options;
  options.with_dry_friction = false;
  const auto without = scene_problem(m, s, {}, options);
  ASSERT_TRUE(without);
  EXPECT_TRUE(without->problem.contacts.empty());
  ASSERT_EQ(without->notes.size(), 1U);
  EXPECT_EQ(without->notes[0],
            "dry friction of 1 joint or tendon is not part of the contact problem");
  options = {};
  options.with_forces = false;
  const auto impact = scene_problem(m, s, {}, options);
  ASSERT_TRUE(impact);
  EXPECT_TRUE(impact->problem.contacts.empty());
  EXPECT_TRUE(impact->notes.empty());
}

/// Ties between random bodies: points held together, welds, coupled joints.
void add_ties(Model& m, Rng& rng, int count) {
  const auto bodies = static_cast<std::uint64_t>(m.bodies.size());
  std::vector<Index> scalar;
  for (Index i = 0; i < static_cast<Index>(m.joints.size()); ++i)
    if (m.joints[i].type == JointType::hinge || m.joints[i].type == JointType::slide)
      scalar.push_back(i);
  for (int k = 0; k < count; ++k) {
    Equality e;
    e.type = rng.below(3) == 0 ? EqualityType::weld : EqualityType::connect;
    e.first = 1 + static_cast<Index>(rng.below(bodies - 1));
    e.second = static_cast<Index>(rng.below(bodies));
    if (e.first == e.second) e.second = 0;
    e.anchor_first = testing::random_vec3(rng, 0.3);
    e.anchor_second = testing::random_vec3(rng, 0.3);
    if (scalar.size() >= 2 && rng.below(3) == 0) {
      e.type = EqualityType::joint;
      e.first = scalar[0];
      e.second = scalar[1 + rng.below(scalar.size() - 1)];
    }
    m.equalities.push_back(e);
  }
}

/// Speed in the metric of the mass.
double speed(const ContactProblem& p, const VecX& u) {
  return std::sqrt(u.dot(p.mass * u));
}

TEST(BoundedScenes, EquationsAsRowsMoveAsEliminated) {
  int compared = 0;
  double worst = 0;
  for (int k = 0; k < testing::cases(200); ++k) {
    SCOPED_TRACE(k);
    Rng rng(static_cast<std::uint64_t>(k) + 1);
    Model m = testing::random_tree(rng, 5 + static_cast<Index>(rng.below(4)));
    for (Joint& j : m.joints)
      if (rng.below(2) == 0) j.dry_friction = rng.uniform(0, 5);
    add_ties(m, rng, 1 + static_cast<int>(rng.below(2)));
    const State s = testing::random_state(m, rng);
    SceneProblemOptions options;
    options.dt = 0.01;
    const auto held = scene_problem(m, s, {}, options);
    if (!held) continue;  // nothing is left to move
    options.equalities_as_rows = true;
    const auto rows = scene_problem(m, s, {}, options);
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->basis.cols(), 0);
    EXPECT_GT(rows->problem.contacts.size(), held->problem.contacts.size());
    const Step one = step(held->problem), two = step(rows->problem);
    VecX u = one.velocity;
    if (held->basis.cols() > 0) u = held->basis * u;
    const double size = std::max(speed(rows->problem, u), speed(rows->problem, s.qvel));
    const double apart = speed(rows->problem, two.velocity - u);
    EXPECT_LE(apart, 1e-9 * size);
    worst = std::max(worst, apart / size);
    ++compared;
  }
  RecordProperty("largest difference", std::to_string(worst * 1e9) + "e-9");
  EXPECT_GE(compared, testing::cases(150));
}

/// A quadruped on its feet, two of them tied together, rubbing in every joint.
Model walking(double friction) {
  Model m = testing::quadruped();
  Geom floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  m.geoms.push_back(floor);
  for (const char* leg : {"fr_calf", "fl_calf", "rr_calf", "rl_calf"}) {
    Geom foot;
    foot.name = leg;
    foot.body = find_body(m, leg);
    foot.shape = Sphere{0.02};
    foot.X_BG.p = {0, 0, -0.2};
    foot.friction = {0.8, 0.01, 0.005};
    foot.condim = leg[0] == 'f' ? 3 : 6;
    m.geoms.push_back(foot);
  }
  for (Joint& j : m.joints) {
    if (j.type == JointType::free) continue;
    j.dry_friction = friction;
    j.limited = true;
    j.range = {-0.005, 0.8};
  }
  Equality bar;
  bar.name = "bar";
  bar.type = EqualityType::connect;
  bar.first = find_body(m, "fr_calf");
  bar.second = find_body(m, "fl_calf");
  bar.anchor_first = {0, 0.13, -0.15};
  bar.anchor_second = {0, -0.13, -0.15};
  m.equalities.push_back(bar);
  auto made = make_model(std::move(m));
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

TEST(BoundedScenes, ARobotWithEverythingIsSolved) {
  int feet = 0;
  for (int k = 0; k < testing::cases(40); ++k) {
    SCOPED_TRACE(k);
    Rng rng(static_cast<std::uint64_t>(k) + 100);
    const Model m = walking(rng.uniform(0, 2));
    State s = initial_state(m);
    s.qpos[2] = 0.415 + 0.01 * rng.uniform(0, 1);
    for (Index i = 0; i < m.nv; ++i) s.qvel[i] = 0.5 * rng.normal();
    Kinematics kin;
    forward_kinematics(m, s, kin);
    forward_velocities(m, s.qvel, kin);
    DetectWorkspace work;
    prepare(m, work);
    SceneContacts contacts;
    detect(m, kin, {0.02, 0, 0}, work, contacts);
    feet += static_cast<int>(contacts.contacts.size());
    for (const bool as_rows : {false, true}) {
      SceneProblemOptions options;
      options.dt = 0.005;
      options.limit_reach = 0.02;
      options.equalities_as_rows = as_rows;
      options.equality_stabilisation = 0.2;
      const auto made = scene_problem(m, s, contacts, options);
      ASSERT_TRUE(made) << made.error().message;
      const auto p = reduce(made->problem);
      ASSERT_TRUE(p);
      VecX lambda;
      EXPECT_EQ(solve(*p, {}, lambda).status, SolveStatus::converged);
      EXPECT_LE(residual(*p, lambda).figure(), 1e-8);
    }
  }
  EXPECT_GE(feet, testing::cases(40) * 2);
}

/// Of the error of an equation the given share is taken back in one step.
TEST(BoundedScenes, ErrorsOfEquationsAreTakenBack) {
  Model m = wheel(0);
  Equality held;
  held.type = EqualityType::joint;
  held.first = 0;
  held.second = -1;
  held.polynomial = {0, 0, 0, 0, 0};
  m.equalities.push_back(held);
  State s = initial_state(m);
  s.qpos[0] = 0.3;
  s.qvel[0] = 2;
  SceneProblemOptions options;
  options.dt = 0.01;
  options.equalities_as_rows = true;
  for (const double share : {0.0, 0.2, 1.0}) {
    options.equality_stabilisation = share;
    const auto made = scene_problem(m, s, {}, options);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->problem.contacts.size(), 1U);
    EXPECT_EQ(made->problem.contacts[0].name, "equality 0");
    EXPECT_NEAR(made->problem.contacts[0].gap, 0.3, tolerance::epsilon);
    const Step now = step(made->problem);
    EXPECT_NEAR(s.qpos[0] + options.dt * now.velocity[0], (1 - share) * 0.3,
                4 * tolerance::epsilon);
  }
}

}  // namespace
}  // namespace tact
