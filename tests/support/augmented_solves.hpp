// support/augmented_solves.hpp - solved by the augmented Lagrangian, and what a test says of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/solve/augmented_newton.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/boxes_on_boxes.hpp"
#include "tests/support/random_contacts.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/scene_rows.hpp"

namespace tact::testing {

inline constexpr int default_systems = 200;

struct Solved {
  SolveReport report;
  VecX lambda, u, ray;
};

inline VecX velocities(const DelassusProblem& p, const VecX& lambda) {
  VecX u;
  multiply(p.G, lambda, u);
  return u + p.b;
}

/// From `start`, or from zero.
inline Solved solved(const DelassusProblem& p, const SolveOptions& options = {},
                     const AugmentedNewtonOptions& settings = {}, const VecX& start = {}) {
  Solved out;
  AugmentedNewtonWorkspace work;
  out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(p.rows()));
  out.report = augmented_newton(p, options, settings, work, out.lambda);
  out.u = velocities(p, out.lambda);
  out.ray = work.ray;
  return out;
}

/// The same on the bodies.
inline Solved solved(const BodyProblem& p, const SolveOptions& options = {}) {
  Solved out;
  AugmentedNewtonWorkspace work;
  out.lambda = VecX::Zero(p.contacts.rows());
  out.report = augmented_newton(p, options, {}, work, out.lambda);
  out.u = velocities(p.contacts, out.lambda);
  return out;
}

inline Solved solved(const ContactProblem& p) {
  const auto reduced = reduce(p);
  EXPECT_TRUE(reduced) << (reduced ? "" : reduced.error().message);
  return solved(*reduced);
}

/// What the report claims, checked with the residual alone.
inline void expect_honest(const DelassusProblem& p, const Solved& s, double tolerance) {
  const Residual own = residual(p, s.lambda);
  EXPECT_EQ(s.report.status == SolveStatus::converged, accepted(own, tolerance));
  EXPECT_NEAR(s.report.residual.natural, own.natural, 1e-3 * own.natural + 1e-15);
  EXPECT_LE(s.report.iterations, default_systems + 1);
}

/// |u| in the metric of the constraints: the scale of velocities.
inline double size_of(const DelassusProblem& p, const VecX& u) {
  double sum = 0;
  for (Index i = 0; i < p.contacts(); ++i)
    for (Index r = 0; r < p.laws[i].rows; ++r) {
      const double x = u[p.G.offset[i] + r];
      sum += x * x * p.metric(i).inverse(r, r);
    }
  return std::sqrt(sum);
}
/// The distance of two velocities as a share of the free velocity.
inline double apart(const DelassusProblem& p, const VecX& a, const VecX& b) {
  return size_of(p, a - b) / std::max(size_of(p, p.b), tolerance::smallest);
}

inline DelassusProblem dense_problem(const std::vector<Law>& laws, const MatX& G, const VecX& b) {
  std::vector<LocalLaw> local;
  std::vector<Index> offset{0};
  for (const Law& law : laws) {
    local.push_back(local_law(law));
    offset.push_back(offset.back() + row_count(law));
  }
  return delassus_problem(local, block_matrix(sparse(G), offset), b);
}

// ---- closed forms -------------------------------------------------------------------------------

}  // namespace tact::testing
