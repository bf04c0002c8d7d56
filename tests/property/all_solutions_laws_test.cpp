// Laws of all_solutions, on random problems: Lemke's answer is among the solutions, complementary
// bases find the same set of velocities, proofs hold, and order, units and repetition of contacts
// change nothing.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/solve/all_solutions.hpp"
#include "tact/solve/lemke.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

using Status = AllSolutions::Status;

constexpr int problems = testing::cases(1000);

/// Lemke's method works in doubles on G rounded to doubles: condition numbers of random bases, and
/// of G itself, reach 1e6.
constexpr double agree = 1e6 * tolerance::rounding;

Law random_law(Rng& rng) {
  const double mu = rng.below(2) == 0 ? rng.uniform(0.05, 1.5) : 0.25 * (1 + rng.below(5));
  switch (rng.below(5)) {
    case 0:
      return Frictionless{};
    case 1:
    case 2:
      return CoulombLaw{mu, true};
    case 3:
      return BoxLaw{mu, 1, rng.below(2) == 0};
    default:
      return PyramidLaw{mu, 3 + static_cast<int>(rng.below(3))};
  }
}

/// Normal numbers, or small integers, with which a problem is full of ties.
double number(Rng& rng, bool simple) {
  if (!simple) return rng.normal();
  return static_cast<double>(rng.below(5)) - 2;
}

ContactProblem random_problem(Rng& rng, std::uint64_t most) {
  ContactProblem p;
  const bool simple = rng.below(3) == 0;
  const auto dof = static_cast<Index>(1 + rng.below(6));
  p.contacts.resize(1 + rng.below(most));
  for (Contact& c : p.contacts) c.law = random_law(rng);
  const Index rows = row_offsets(p.contacts).back();
  MatX M = MatX::Zero(dof, dof);
  for (Index i = 0; i < dof; ++i)
    M(i, i) = simple ? std::ldexp(1.0, static_cast<int>(rng.below(3))) : rng.log_uniform(0.1, 10);
  MatX J(rows, dof);
  for (Index i = 0; i < J.size(); ++i) J(i) = number(rng, simple);
  p.mass = sparse(M);
  p.rows = sparse(J);
  p.velocity.resize(dof);
  for (double& x : p.velocity) x = number(rng, simple);
  if (rng.below(3) == 0) {
    p.excitation.resize(rows);
    for (double& x : p.excitation) x = 0.5 * number(rng, simple);
  }
  if (rng.below(4) == 0)
    for (Contact& c : p.contacts) c.restitution = 0.5;
  return p;
}

AllSolutions found(const ContactProblem& p) {
  const auto all = all_solutions(p);
  EXPECT_TRUE(all) << (all ? "" : all.error().message);
  if (!all) return {};
  EXPECT_EQ(all->status, Status::complete);
  return *all;
}

double size_of(const VecX& u) {
  return std::max(u.cwiseAbs().maxCoeff(), 1.0);
}

/// Distance of λ to the convex hull of the corners plus the rays, over the size of λ: zero sums of
/// shares are kept by a row of their own.
double distance(const SolutionPiece& piece, const VecX& lambda) {
  const auto n = static_cast<Index>(piece.vertices.size());
  const auto m = static_cast<Index>(piece.rays.size());
  const double size = size_of(lambda);
  MatX A = MatX::Zero(lambda.size() + 1, n + m);
  for (Index k = 0; k < n; ++k) A.col(k) << piece.vertices[k], size;
  for (Index k = 0; k < m; ++k) A.col(n + k).head(lambda.size()) = piece.rays[k];
  VecX target(lambda.size() + 1);
  target << lambda, size;
  return nnls(A, target).residual.norm() / size;
}

bool has_velocity(const AllSolutions& all, const VecX& u, const VecX& lambda) {
  const double slack = agree * (size_of(u) + size_of(lambda));
  return std::any_of(all.pieces.begin(), all.pieces.end(), [&](const SolutionPiece& piece) {
    return (u - piece.u_low).minCoeff() >= -slack && (piece.u_high - u).minCoeff() >= -slack;
  });
}

VecX velocity_of(const DelassusProblem& p, const VecX& lambda) {
  VecX u;
  multiply(p.G, lambda, u);
  return u + p.b;
}

TEST(AllSolutionsLaws, LemkesAnswerIsAmongThem) {
  Rng rng(20);
  int several = 0, none = 0, answered = 0, certificates = 0, continua = 0;
  for (int k = 0; k < problems; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = random_problem(rng, 4);
    const AllSolutions all = found(problem);
    if (k % 10 == 0) EXPECT_TRUE(*check_all_solutions(problem, all));
    several += all.components > 1 ? 1 : 0;
    none += all.components == 0 ? 1 : 0;
    certificates += static_cast<int>(all.certificates);
    const DelassusProblem p = *reduce(problem);
    VecX lambda = VecX::Zero(p.rows());
    LemkeWorkspace work;
    const SolveReport report = lemke(p, {}, work, lambda);
    if (report.status == SolveStatus::infeasible) EXPECT_EQ(all.components, 0);
    if (report.status != SolveStatus::converged) continue;
    ++answered;
    EXPECT_GT(all.components, 0);
    const VecX u = velocity_of(p, lambda);
    EXPECT_TRUE(has_velocity(all, u, lambda)) << u.transpose();
    double nearest = std::numeric_limits<double>::infinity();
    for (const SolutionPiece& piece : all.pieces) {
      continua += piece.velocity_freedom > 0 ? 1 : 0;
      EXPECT_TRUE(piece.listed);
      if (piece.listed) nearest = std::min(nearest, distance(piece, lambda));
    }
    EXPECT_LE(nearest, agree);
  }
  RecordProperty("answered by Lemke", answered);
  RecordProperty("several solutions", several);
  RecordProperty("no solution", none);
  RecordProperty("certificates", certificates);
  RecordProperty("pieces with several velocities", continua);
  EXPECT_GT(answered, problems / 2);
  EXPECT_GT(several, 0);
  EXPECT_GT(none, 0);
}

}  // namespace
}  // namespace tact
