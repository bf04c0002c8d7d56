// tests/support/scene_rows.hpp - all constraints of a model at a state, with G and on the bodies.
#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tact/body/constraints.hpp"
#include "tact/contact/body_problem.hpp"
#include "tact/contact/detect.hpp"
#include "tests/support/hand_scenes.hpp"
#include "tests/support/robots.hpp"

namespace tact::testing {

/// The rows of a scene. `bodies` points into `rows`: not to be copied.
struct SceneRows {
  ConstraintRows rows;
  DelassusProblem problem;
  BodyRows bodies;
  MassMatrix mass;

  SceneRows() = default;
  SceneRows(SceneRows&&) = default;
  SceneRows& operator=(SceneRows&&) = default;
  SceneRows(const SceneRows&) = delete;
  SceneRows& operator=(const SceneRows&) = delete;
  ~SceneRows() = default;

  [[nodiscard]] BodyProblem on_bodies() const { return {problem, bodies}; }
};

inline std::vector<Index> all_groups(const ConstraintRows& rows) {
  std::vector<Index> out(rows.groups.size());
  std::iota(out.begin(), out.end(), Index{0});
  return out;
}

/// Contacts within `reach`, limits within 0.3 rad, dry friction and equalities; b = J v, so that -v
/// obeys every constraint.
inline SceneRows scene_rows(const Model& model, const State& state, const VecX& v,
                            double reach = 0.05) {
  constexpr double margin = 0.3, dt = 0.01;
  SceneRows out;
  Kinematics kin;
  forward_kinematics(model, state, kin);
  mass_matrix(model, kin, out.mass);
  TreeFactor factored;
  EXPECT_TRUE(factor(model, out.mass, factored));
  DetectWorkspace work;
  prepare(model, work);
  SceneContacts contacts;
  DetectOptions near;
  near.reach = reach;
  detect(model, kin, near, work, contacts);
  clear(out.rows);
  for (Index i = 0; i < static_cast<Index>(contacts.contacts.size()); ++i)
    add_surface(model, kin, contacts, i, EffectivePatch{}, out.rows);
  LimitRows limits;
  limit_rows(model, state, margin, limits);
  for (Index i = 0; i < limits.rows.rows(); ++i) add_limit(model, limits, i, out.rows);
  FrictionRows dry;
  dry_friction_rows(model, dry);
  for (Index i = 0; i < dry.rows.rows(); ++i) add_dry_friction(model, dry, i, dt, out.rows);
  EqualityRows equalities;
  equality_rows(model, state, kin, equalities);
  for (Index i = 0; i < equalities.groups(); ++i) add_equality(model, equalities, i, out.rows);
  scale_rows(model, factored, out.rows);
  make_delassus(model, out.rows, out.problem);
  row_velocities(model, out.rows, v, out.problem.b);
  std::vector<Index> local(static_cast<std::size_t>(model.nv));
  make_body_rows(model, out.rows, all_groups(out.rows), local, out.bodies);
  return out;
}

inline MatX dense_of(const BlockMatrix& G) {
  MatX out(G.size(), G.size());
  VecX y;
  for (Index i = 0; i < G.size(); ++i) {
    multiply(G, VecX::Unit(G.size(), i), y);
    out.col(i) = y;
  }
  return out;
}

/// A quadruped with round feet on a floor, limits and dry friction in its hinges, and `boxes` boxes
/// before it, one on the other.
inline Model standing_quadruped(int boxes, double mu = 0.6) {
  Model draft = quadruped();
  Geom floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  floor.friction[0] = mu;
  draft.geoms.push_back(floor);
  for (const char* calf : {"fr_calf", "fl_calf", "rr_calf", "rl_calf"}) {
    Geom foot;
    foot.name = calf;
    foot.body = find_body(draft, calf);
    foot.shape = Sphere{0.02};
    foot.X_BG.p = Vec3(0, 0, -0.18);
    foot.friction[0] = mu;
    draft.geoms.push_back(foot);
  }
  for (Joint& j : draft.joints)
    if (j.type == JointType::hinge) {
      j.limited = true;
      j.range = Vec2(-0.5, 0.5);
      j.dry_friction = 0.2;
    }
  for (int k = 0; k < boxes; ++k)
    add_box(draft, 1 + k, Vec3(0.1, 0.1, 0.1),
            Pose{Mat3::Identity(), Vec3(1, 0.01 * k, 0.1 + 0.2 * k)}, mu);
  return finished(std::move(draft));
}

/// Joints of a robot moved by up to some tenths of a radian; its base stays.
inline State bent_state(const Model& model, Rng& rng) {
  State state = initial_state(model);
  for (const Joint& j : model.joints)
    if (j.type == JointType::hinge) state.qpos[j.qpos] += rng.uniform(-0.3, 0.3);
  return state;
}

}  // namespace tact::testing
