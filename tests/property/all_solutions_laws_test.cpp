// Laws of all_solutions, on random problems: Lemke's answer is among the solutions, complementary
// bases find the same set of velocities, proofs hold, and order, units and repetition of contacts
// change nothing.
#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/solve/all_solutions.hpp"
#include "tact/solve/exact_problem.hpp"
#include "tact/solve/lemke.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

using Status = AllSolutions::Status;

constexpr int problems = testing::cases(1000);

/// Lemke's method works in doubles on G rounded to doubles: condition numbers of random bases, and
/// of G itself, reach 1e6.
constexpr double agree = 1e6 * tolerance::rounding;

Law random_law(Rng& rng) {
  const double mu =
      rng.below(2) == 0 ? rng.uniform(0.05, 1.5) : 0.25 * static_cast<double>(1 + rng.below(5));
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

/// How far λ is from the polyhedron of the piece, over the size of λ: from its conditions, with x
/// of exact_problem.hpp and what inequalities exceed zero by as unknowns that are not negative.
double outside(const ExactProblem& p, const SolutionPiece& piece, const VecX& lambda) {
  const PieceSystem modes = mode_system(p, ModeChoice(piece.modes.begin(), piece.modes.end()), {});
  const auto conditions = static_cast<Index>(modes.system.rows.size());
  const Index columns = modes.system.columns, rows = p.rows();
  const double size = size_of(lambda), scale = p.scale.get_d();
  MatX A = MatX::Zero(rows + conditions + 1, columns + conditions);
  VecX target = VecX::Zero(A.rows());
  for (Index c = 1; c < columns; ++c) {
    const ExactColumn& column = modes.columns[c - 1];
    for (std::size_t r = 0; r < column.load.size(); ++r)
      A(p.units[column.unit].at + static_cast<Index>(r), c) = Exact(column.load[r]).get_d() / scale;
  }
  target.head(rows) = lambda;
  for (Index r = 0; r < conditions; ++r) {
    for (Index c = 0; c < columns; ++c) A(rows + r, c) = modes.system.rows[r][c].get_d() / scale;
    if (modes.system.sense[r] != Sense::zero) A(rows + r, columns + r) = -1;
  }
  A(rows + conditions, 0) = target[rows + conditions] = size;  // x_0 = 1
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

/// Where answers were looked for.
struct Places {
  int continua = 0;     ///< pieces with several velocities
  int in_continua = 0;  ///< answers in one of them
  int compared = 0;     ///< pieces
  int apart = 0;        ///< of these, how many do not hold what is no answer
};

/// λ meets the conditions of some piece, and lies between its corners where they are listed.
void expect_member(const ContactProblem& problem, const AllSolutions& all, const VecX& lambda,
                   Places& places) {
  const ExactProblem exact = *exact_problem(problem, {});
  const VecX elsewhere = lambda + VecX::Ones(lambda.size());
  double nearest = std::numeric_limits<double>::infinity();
  const SolutionPiece* closest = nullptr;
  for (const SolutionPiece& piece : all.pieces) {
    places.continua += piece.velocity_freedom > 0 ? 1 : 0;
    // Where the motion varies with the loads their corners are not listed.
    EXPECT_EQ(piece.listed, piece.velocity_freedom == 0);
    const double away = outside(exact, piece, lambda);
    if (away < nearest) closest = &piece;
    nearest = std::min(nearest, away);
    places.apart += outside(exact, piece, elsewhere) > agree ? 1 : 0;
    ++places.compared;
  }
  EXPECT_LE(nearest, agree);
  if (closest == nullptr) return;
  places.in_continua += closest->listed ? 0 : 1;
  if (closest->listed) {
    EXPECT_LE(distance(*closest, lambda), agree);
  }
}

TEST(AllSolutionsLaws, LemkesAnswerIsAmongThem) {
  Rng rng(20);
  int several = 0, none = 0, answered = 0, certificates = 0;
  Places places;
  for (int k = 0; k < problems; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = random_problem(rng, 4);
    const AllSolutions all = found(problem);
    if (k % 10 == 0) {
      EXPECT_TRUE(*check_all_solutions(problem, all));
    }
    several += all.components > 1 ? 1 : 0;
    none += all.components == 0 ? 1 : 0;
    certificates += static_cast<int>(all.certificates);
    const DelassusProblem p = *reduce(problem);
    VecX lambda = VecX::Zero(p.rows());
    LemkeWorkspace work;
    const SolveReport report = lemke(p, {}, work, lambda);
    if (report.status == SolveStatus::infeasible) {
      EXPECT_EQ(all.components, 0);
    }
    if (report.status != SolveStatus::converged) continue;
    ++answered;
    EXPECT_GT(all.components, 0);
    const VecX u = velocity_of(p, lambda);
    EXPECT_TRUE(has_velocity(all, u, lambda)) << u.transpose();
    expect_member(problem, all, lambda, places);
  }
  RecordProperty("answered by Lemke", answered);
  RecordProperty("several solutions", several);
  RecordProperty("no solution", none);
  RecordProperty("certificates", certificates);
  RecordProperty("pieces with several velocities", places.continua);
  RecordProperty("answers among several velocities", places.in_continua);
  EXPECT_GT(answered, problems / 2);
  EXPECT_GT(places.in_continua, 0);
  // Conditions that anything meets would prove nothing.
  EXPECT_GT(places.apart, places.compared * 9 / 10);
  EXPECT_GT(several, 0);
  EXPECT_GT(none, 0);
}

// ------------------------------------------------------------------------------- another referee

/// Velocities of all complementary bases of the LCP, in doubles: every choice of z_k = 0 or w_k =
/// 0.
std::vector<VecX> basic_velocities(const DelassusProblem& p, const ContactLcp& lcp) {
  const Index n = lcp.q.size();
  std::vector<VecX> out;
  for (std::uint64_t mask = 0; mask < (std::uint64_t{1} << n); ++mask) {
    std::vector<Index> in;
    for (Index k = 0; k < n; ++k)
      if ((mask >> k & 1U) != 0) in.push_back(k);
    VecX z = VecX::Zero(n);
    if (!in.empty()) {
      const Eigen::FullPivLU<MatX> lu(lcp.M(in, in));
      if (!lu.isInvertible() || lu.rcond() < tolerance::quadratic) continue;
      z(in) = lu.solve(-lcp.q(in));
    }
    const VecX w = lcp.M * z + lcp.q;
    const double size = std::max(z.cwiseAbs().maxCoeff(), lcp.q.cwiseAbs().maxCoeff());
    if (z.minCoeff() < -tolerance::regime * size || w.minCoeff() < -tolerance::regime * size)
      continue;
    VecX lambda;
    impulses(p, lcp, z, lambda);
    out.push_back(velocity_of(p, lambda));
  }
  return out;
}

bool contains(const std::vector<VecX>& all, const VecX& u) {
  return std::any_of(all.begin(), all.end(), [&](const VecX& v) {
    return (u - v).cwiseAbs().maxCoeff() <= tolerance::regime * 1e3 * size_of(u);
  });
}

TEST(AllSolutionsLaws, ComplementaryBasesFindTheSame) {
  Rng rng(21);
  int compared = 0, several = 0;
  for (int k = 0; k < testing::cases(400); ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = random_problem(rng, 2);
    const DelassusProblem p = *reduce(problem);
    ContactLcp lcp;
    ASSERT_TRUE(write_lcp(p, lcp));
    if (lcp.q.size() > 12) continue;
    const AllSolutions all = found(problem);
    const auto basic = basic_velocities(p, lcp);
    for (const VecX& u : basic) EXPECT_TRUE(has_velocity(all, u, u)) << u.transpose();
    if (all.components == 0) {
      EXPECT_TRUE(basic.empty());
    }
    // A corner of a piece is a basis, if not always a regular one: where data are simple, some
    // corners have singular bases only.
    const bool generic = std::none_of(problem.velocity.begin(), problem.velocity.end(),
                                      [](double x) { return x == std::round(x); });
    for (const SolutionPiece& piece : all.pieces)
      if (generic && piece.force_freedom == 0) {
        EXPECT_TRUE(contains(basic, piece.u)) << piece.u.transpose();
      }
    ++compared;
    several += all.components > 1 ? 1 : 0;
  }
  RecordProperty("compared", compared);
  RecordProperty("several solutions", several);
  EXPECT_GT(compared, testing::cases(400) / 3);
}

// --------------------------------------------------------------------------------- invariances

/// Of pieces with one velocity.
std::vector<VecX> velocities(const AllSolutions& all) {
  std::vector<VecX> out;
  for (const SolutionPiece& piece : all.pieces)
    if (piece.velocity_freedom == 0) out.push_back(piece.u);
  return out;
}

void expect_same_velocities(const std::vector<VecX>& a, const std::vector<VecX>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const VecX& u : a)
    EXPECT_TRUE(std::any_of(b.begin(), b.end(), [&](const VecX& v) { return u == v; }));
}

/// The rows of some contacts, picked from those of others.
VecX picked(const VecX& u, const std::vector<Index>& from, const std::vector<Contact>& contacts,
            const std::vector<Index>& order) {
  std::vector<double> out;
  for (const Index i : order)
    for (Index r = from[i]; r < from[i] + row_count(contacts[i].law); ++r) out.push_back(u[r]);
  return Eigen::Map<VecX>(out.data(), static_cast<Index>(out.size()));
}

TEST(AllSolutionsLaws, OrderOfContactsIsOfNoAccount) {
  Rng rng(22);
  for (int k = 0; k < testing::cases(100); ++k) {
    SCOPED_TRACE(k);
    const ContactProblem old = random_problem(rng, 3);
    std::vector<Index> reversed;
    for (auto i = static_cast<Index>(old.contacts.size()); i-- > 0;) reversed.push_back(i);
    const AllSolutions a = found(old);
    const AllSolutions b = found(testing::with_contacts(old, reversed));
    EXPECT_EQ(a.components, b.components);
    std::vector<VecX> turned;
    for (const VecX& u : velocities(a))
      turned.push_back(picked(u, row_offsets(old.contacts), old.contacts, reversed));
    // Exact arithmetic: the same bits, not only the same numbers.
    expect_same_velocities(turned, velocities(b));
  }
}

TEST(AllSolutionsLaws, ContactsGivenTwiceMoveAlike) {
  Rng rng(23);
  for (int k = 0; k < testing::cases(100); ++k) {
    SCOPED_TRACE(k);
    const ContactProblem old = random_problem(rng, 2);
    std::vector<Index> twice;
    for (Index i = 0; i < static_cast<Index>(old.contacts.size()); ++i)
      twice.insert(twice.end(), {i, i});
    const AllSolutions a = found(old);
    const AllSolutions b = found(testing::with_contacts(old, twice));
    EXPECT_EQ(a.components, b.components);
    std::vector<VecX> doubled;
    for (const VecX& u : velocities(a))
      doubled.push_back(picked(u, row_offsets(old.contacts), old.contacts, twice));
    expect_same_velocities(doubled, velocities(b));
  }
}

TEST(AllSolutionsLaws, UnitsAreOfNoAccount) {
  Rng rng(24);
  constexpr double mass = 0x1p20, speed = 0x1p-13;  // exact in doubles
  for (int k = 0; k < testing::cases(100); ++k) {
    SCOPED_TRACE(k);
    const ContactProblem old = random_problem(rng, 3);
    ContactProblem other = old;
    other.mass *= mass;
    other.velocity *= speed;
    other.excitation *= speed;
    const AllSolutions a = found(old), b = found(other);
    EXPECT_EQ(a.components, b.components);
    EXPECT_EQ(a.certificates, b.certificates);
    std::vector<VecX> scaled;
    for (const VecX& u : velocities(a)) scaled.emplace_back(u * speed);
    expect_same_velocities(scaled, velocities(b));
  }
}

// --------------------------------------------------------------------------------- exact discs

TEST(AllSolutionsLaws, SolversOfExactDiscsAreAmongThem) {
  Rng rng(25);
  int complete = 0, several = 0;
  constexpr int count = testing::cases(60);
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(k);
    ContactProblem problem = random_problem(rng, 2);
    for (Contact& c : problem.contacts) c.law = CoulombLaw{rng.uniform(0.1, 1.5)};
    const Index rows = row_offsets(problem.contacts).back();
    const Index dof = 3 + static_cast<Index>(rng.below(4));
    MatX J(rows, dof);
    for (Index i = 0; i < J.size(); ++i) J(i) = rng.normal();
    problem.mass = sparse(MatX::Identity(dof, dof));
    problem.rows = sparse(J);
    problem.velocity.resize(dof);
    for (double& x : problem.velocity) x = rng.normal();
    problem.excitation.resize(0);
    const auto all = all_solutions(problem);
    ASSERT_TRUE(all);
    EXPECT_TRUE(*check_all_solutions(problem, *all));
    complete += all->status == Status::complete ? 1 : 0;
    several += all->components > 1 ? 1 : 0;
    const DelassusProblem p = *reduce(problem);
    SolveWorkspace work;
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport report = solve_with(SolverName::automatic, p, {}, work, lambda);
    if (report.status != SolveStatus::converged) continue;
    const VecX u = velocity_of(p, lambda);
    const bool known =
        std::any_of(all->pieces.begin(), all->pieces.end(), [&](const SolutionPiece& piece) {
          return (piece.u - u).cwiseAbs().maxCoeff() <= 1e-6 * size_of(u);
        });
    EXPECT_TRUE(known || all->undecided > 0) << u.transpose();
  }
  RecordProperty("complete", complete);
  RecordProperty("several solutions", several);
  EXPECT_GT(complete, count * 9 / 10);
}

}  // namespace
}  // namespace tact
