// tests/support/bodies.hpp - small scenes written by hand: a point mass, a box on the ground.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "tact/contact/labels.hpp"
#include "tact/solve/solve.hpp"

namespace tact::testing {

struct Outcome {
  VecX lambda, velocity;
  std::vector<ContactLabel> labels;
};

/// Solved to all digits, or the test fails.
inline Outcome outcome(const ContactProblem& problem, const VecX& start = {}) {
  const auto reduced = reduce(problem);
  EXPECT_TRUE(reduced) << reduced.error().message;
  Outcome out;
  SolveOptions options;
  options.polish = true;
  SolveWorkspace work;
  out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(reduced->rows()));
  EXPECT_EQ(solve(*reduced, options, work, out.lambda).status, SolveStatus::converged);
  out.velocity = velocity_after(problem, out.lambda);
  out.labels = labels(*reduced, out.lambda);
  return out;
}

/// A point mass with one contact; rows [t1, t2, n] are the axes.
inline ContactProblem point_mass(double mass, const Law& law, const Vec3& velocity,
                                 const Vec3& impulse) {
  ContactProblem p;
  p.contacts.resize(1);
  p.contacts[0].law = law;
  p.mass = sparse(mass * MatX::Identity(3, 3));
  p.velocity = velocity;
  p.impulse = impulse;
  p.rows = sparse(MatX::Identity(3, 3));
  return p;
}

// Not inlined: the compiler sees uninitialised memory in the copy of a variant where there is none.
[[gnu::noinline]] inline Law smooth_patch(PatchShape shape) {
  return FrictionlessPatch{std::move(shape)};
}
[[gnu::noinline]] inline PatchFriction usual_pressure() {
  return EffectivePatch{};
}
[[gnu::noinline]] inline Law rough_patch(PatchShape shape, double mu) {
  return FrictionalPatch{std::move(shape), mu, usual_pressure()};
}

struct Crate {
  double mass = 2, half_width = 0.3, half_depth = 0.2, half_height = 0.5;
};

/// A free body [v, w] about its centre, nothing touching yet.
inline ContactProblem free_box(const Crate& box, const Vec3& force, const Vec3& moment) {
  ContactProblem p;
  const double x = box.half_width * box.half_width, y = box.half_depth * box.half_depth,
               z = box.half_height * box.half_height;
  VecX mass(6);
  mass << 1, 1, 1, (y + z) / 3, (x + z) / 3, (x + y) / 3;
  p.mass = sparse(MatX((box.mass * mass).asDiagonal()));
  p.velocity = VecX::Zero(6);
  p.impulse.resize(6);
  p.impulse << force, moment;
  p.rows = SparseMatrix(0, 6);
  return p;
}

/// Adds a contact at `at` (from the body's centre) with the world's axes and the normal upwards:
/// those of the rows [w_x, w_y, w_z, v_x, v_y, v_z] there that the law uses.
inline void touch(ContactProblem& p, const Law& law, const Vec3& at) {
  MatX six = MatX::Zero(6, 6);
  six.topRightCorner<3, 3>().setIdentity();
  six.bottomLeftCorner<3, 3>().setIdentity();
  for (int k = 0; k < 3; ++k) six.row(3 + k).tail<3>() = at.cross(Vec3::Unit(k)).transpose();
  std::vector<Index> used{0, 1, 2, 3, 4, 5};
  const Index rows = row_count(law);
  if (rows == 1) used = {5};
  if (rows == 3) used = {3, 4, 5};
  if (std::holds_alternative<FrictionlessPatch>(law)) used = {0, 1, 5};
  MatX all(p.rows.rows() + rows, 6);
  if (p.rows.rows() > 0) all.topRows(p.rows.rows()) = MatX(p.rows);
  for (Index r = 0; r < rows; ++r)
    all.row(p.rows.rows() + r) = six.row(used[static_cast<std::size_t>(r)]);
  p.rows = sparse(all);
  Contact contact;
  contact.law = law;
  p.contacts.push_back(std::move(contact));
}

/// The corners of the lower face, from the centre.
inline std::vector<Vec3> feet(const Crate& box) {
  const double x = box.half_width, y = box.half_depth, z = -box.half_height;
  return {{x, y, z}, {-x, y, z}, {-x, -y, z}, {x, -y, z}};
}
inline PatchShape face(const Crate& box) {
  PolygonShape polygon;
  for (const Vec3& foot : feet(box)) polygon.points.emplace_back(foot[0], foot[1]);
  return {polygon};
}

}  // namespace tact::testing
