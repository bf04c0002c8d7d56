#include "tact/solve/jam.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/linalg/nnls.hpp"
#include "tact/solve/lemke.hpp"
#include "tact/solve/solve.hpp"
#include "tests/support/random_contacts.hpp"

namespace tact {
namespace {

using testing::random_contacts;
using testing::random_dense;
using testing::RandomContacts;

std::optional<VecX> ray_of(const RandomContacts& c) {
  return jam_ray(c.problem());
}

FrictionalPatch rubbing_stadium(const Vec2& at) {
  FrictionalPatch law;
  law.shape.value = StadiumShape{at, Vec2(0, 1), 0.3};
  law.mu = 0.4;
  return law;
}

/// Points with exact friction, patches of all kinds, then a rolling contact.
std::vector<Law> any_laws(Rng& rng, std::uint64_t count) {
  std::vector<Law> laws;
  for (std::uint64_t k = 0; k < count; ++k) {
    const Vec2 at(rng.normal(), rng.normal());
    switch (rng.below(6)) {
      case 0:
        laws.emplace_back(Frictionless{});
        break;
      case 1:
        laws.emplace_back(CoulombLaw{0.5});
        break;
      case 2:
        laws.emplace_back(FrictionlessPatch{{DiscShape{at, 0.7}}});
        break;
      case 3:
        laws.emplace_back(rubbing_stadium(at));
        break;
      case 4:
        laws.emplace_back(FrictionlessPatch{{PolygonShape{{at, Vec2(1, 0), Vec2(0, 2)}}}});
        break;
      default:
        laws.emplace_back(RollingLaw{0.5, 0.1, 0.1});
    }
  }
  return laws;
}

/// A load of the normal cones, inside: near the rim where it is round, at corners otherwise.
VecX random_load(Rng& rng, const DelassusProblem& p) {
  VecX z = VecX::Zero(p.rows());
  for (Index i = 0; i < p.contacts(); ++i) {
    double* at = z.data() + p.G.offset[i];
    at[p.laws[i].normal_row()] = rng.uniform(0.2, 2);
    if (!p.laws[i].is_patch()) continue;
    const PatchCone& cone = p.laws[i].patch->cone;
    const Vec2 middle = perp(cone.hull().center());
    const Vec3 centre(middle[0], middle[1], 1);
    const Vec3 rim = cone.support(Vec3(rng.normal(), rng.normal(), rng.normal()));
    const double share = cone.hull().kind() == PlanarSet::Kind::polygon ? 0 : 0.05;
    const Vec3 load = at[p.laws[i].normal_row()] * (rim + share * (centre - rim));
    at[0] = load[0];
    at[1] = load[1];
    at[p.laws[i].normal_row()] = load[2];
  }
  return z;
}

TEST(Jam, TwoWallsByHand) {
  RandomContacts c;
  c.laws = {Frictionless{}, Frictionless{}};
  c.J.resize(2, 1);
  c.J << 1, -2;
  c.inverse_mass = MatX::Identity(1, 1);
  c.b = Eigen::Vector2d(0, -1);
  const auto ray = ray_of(c);
  ASSERT_TRUE(ray.has_value());
  EXPECT_NEAR((*ray)[0], 2 * (*ray)[1], tolerance::rounding);
  c.b = Eigen::Vector2d(1, -1);
  EXPECT_FALSE(is_jam_ray(c.problem(), Eigen::Vector2d(2, 1)));
  EXPECT_FALSE(ray_of(c).has_value());
}

/// Constraints that contradict each other: walls that close with friction, equations with other
/// targets than their sum has, a body between contacts, limits and equations; and bystanders.
struct Contradiction {
  ContactProblem problem;
  std::vector<bool> holds;  ///< [contacts]
};
Contradiction random_contradiction(Rng& rng, int kind) {
  // Room for the bystanders: their rows are independent of the others.
  const auto n = static_cast<Index>(5 + rng.below(6));
  const auto vector = [&] {
    VecX out(n);
    for (double& x : out) x = rng.normal();
    return out;
  };
  Contradiction out;
  ContactProblem& p = out.problem;
  const double mu = rng.below(3) == 0 ? 0 : rng.uniform(0.1, 1.5);
  std::vector<VecX> rows;
  std::vector<double> chi;
  const auto add = [&](const Law& law, const VecX& row, double target, bool holds) {
    const Index tangents = row_split(law).tangent_count;
    for (Index k = 0; k < tangents && row_count(law) > 1; ++k) {
      rows.push_back(vector());
      chi.push_back(0);
    }
    rows.push_back(row);
    chi.push_back(target);
    p.contacts.push_back({std::to_string(p.contacts.size()), law});
    out.holds.push_back(holds);
  };
  const Law point = mu > 0 ? Law(CoulombLaw{mu}) : Law(Frictionless{});
  const auto parts = static_cast<Index>(kind == 0 ? 1 : 1 + rng.below(n - 4));
  VecX sum = VecX::Zero(n);
  double target = rng.uniform(0.1, 1);
  for (Index i = 0; i < parts; ++i) {
    const bool equation = kind == 1 || (kind == 2 && rng.below(2) == 0);
    const double weight = rng.uniform(0.2, 1) * (equation && rng.below(2) == 0 ? -1 : 1);
    const VecX row = vector();
    const double own = rng.normal();
    add(equation ? Law(BoundedLaw{}) : point, row, own, true);
    sum += weight * row;
    target += weight * own;
  }
  // Σ w_i γ_i + γ_last = -(what is missing) whatever the velocity.
  add(kind == 1 ? Law(BoundedLaw{}) : point, -sum, -target, true);
  for (std::uint64_t k = rng.below(3); k > 0; --k) add(point, vector(), 0, false);
  if (rng.below(3) == 0) add(BoundedLaw{-0.1, 0.1}, vector(), 0, false);
  MatX M = MatX::Identity(n, n);
  for (Index i = 0; i < n; ++i) {
    const VecX v = vector();
    M += v * v.transpose();
  }
  p.mass = sparse(MatX(std::pow(10, rng.uniform(-3, 3)) * M));
  p.velocity = vector();
  MatX J(static_cast<Index>(rows.size()), n);
  for (Index r = 0; r < J.rows(); ++r) J.row(r) = rows[r].transpose();
  p.rows = sparse(J);
  p.excitation = Eigen::Map<const VecX>(chi.data(), J.rows());
  return out;
}

TEST(Jam, RandomContradictionsAreToldByAllMethodsAndNamed) {
  Rng rng(25);
  for (int k = 0; k < 240; ++k) {
    const Contradiction c = random_contradiction(rng, k % 3);
    const DelassusProblem p = *reduce(c.problem);
    SolveWorkspace work;
    VecX lambda = VecX::Zero(p.rows());
    const SolveReport report = solve(p, {}, work, lambda);
    ASSERT_EQ(report.status, SolveStatus::infeasible) << k;
    ASSERT_TRUE(is_jam_ray(p, work.jam_ray)) << k;
    for (const Index i : held_by(judged(p), work.jam_ray)) EXPECT_TRUE(c.holds[i]) << k;
    for (const SolverName solver : {SolverName::newton, SolverName::gauss_seidel}) {
      lambda.setZero();
      SolveOptions few;
      few.max_iterations = 200;
      EXPECT_EQ(solve_with(solver, p, few, work, lambda).status, SolveStatus::infeasible) << k;
    }
    lambda.setZero();
    const MassProblem mass = *mass_problem(c.problem);
    const SolveReport by_mass = solve_mass(c.problem, mass, {}, work, lambda);
    EXPECT_EQ(by_mass.status, SolveStatus::infeasible) << k;
    EXPECT_LE(by_mass.iterations, 250) << k;
    EXPECT_TRUE(is_jam_ray(p, work.jam_ray)) << k;
  }
}

TEST(Jam, HeldByLeavesOutWhatIsRounding) {
  RandomContacts c;
  c.laws = {Frictionless{}, Frictionless{}, Frictionless{}};
  c.J = MatX::Identity(3, 3);
  c.inverse_mass = MatX::Identity(3, 3);
  c.b = Vec3::Zero();
  const DelassusProblem p = c.problem();
  EXPECT_EQ(held_by(judged(p), Vec3(1, 1e-9, 0.5)), (std::vector<Index>{0, 2}));
  EXPECT_EQ(held_by(judged(p), Vec3(1, 1e-9, 0.5), 0.7), (std::vector<Index>{0}));
  EXPECT_TRUE(held_by(judged(p), Vec3::Zero()).empty());
}

TEST(Jam, TheCheckRefusesWhatIsNoRay) {
  RandomContacts c;
  c.laws = {Frictionless{}, Frictionless{}};
  c.J.resize(2, 1);
  c.J << 1, -1;
  c.inverse_mass = MatX::Identity(1, 1);
  c.b = Eigen::Vector2d(0, -1);
  const DelassusProblem p = c.problem();
  EXPECT_TRUE(is_jam_ray(p, Eigen::Vector2d(1, 1)));
  EXPECT_TRUE(is_jam_ray(p, Eigen::Vector2d(1e9, 1e9)));
  EXPECT_FALSE(is_jam_ray(p, Eigen::Vector2d(-1, -1)));
  EXPECT_FALSE(is_jam_ray(p, Eigen::Vector2d(1, 1.001)));
  EXPECT_FALSE(is_jam_ray(p, Eigen::Vector2d(0, 0)));
}

TEST(Jam, FeasibleProblemsHaveNone) {
  Rng rng(1);
  for (int k = 0; k < 200; ++k) {
    const auto laws = any_laws(rng, 1 + rng.below(7));
    const auto dof = static_cast<Index>(2 + rng.below(8));
    // b = J v + c: -v satisfies everything; c = 0 on half of them, the marginal case.
    EXPECT_FALSE(ray_of(random_contacts(rng, laws, dof)).has_value()) << k;
  }
}

TEST(Jam, InfeasibleProblemsShowTheirRay) {
  Rng rng(2);
  for (int k = 0; k < 200; ++k) {
    const auto laws = any_laws(rng, 2 + rng.below(6));
    const auto dof = static_cast<Index>(2 + rng.below(8));
    RandomContacts c = random_contacts(rng, laws, dof);
    // Rows moved so that a load z in the cones does no work on any motion: J'z = 0.
    const VecX z = random_load(rng, c.problem());
    c.J -= z * (z.transpose() * c.J) / z.squaredNorm();
    c.b = c.J * random_dense(rng, dof, 1) - rng.uniform(0.01, 1) * z / z.norm();
    const auto ray = ray_of(c);
    ASSERT_TRUE(ray.has_value()) << k;
    EXPECT_TRUE(is_jam_ray(c.problem(), *ray));
    EXPECT_LE((c.J.transpose() * *ray).norm(), 1e-5 * ray->norm());
  }
}

TEST(Jam, IllConditionedIsNotJammed) {
  // Nearly opposite walls: the mass can slip out sideways, slowly, whatever the angle.
  for (const double angle : {1e-1, 1e-2, 1e-3, 1e-4}) {
    RandomContacts c;
    c.laws = {Frictionless{}, Frictionless{}};
    c.J.resize(2, 2);
    c.J << std::sin(angle), std::cos(angle), std::sin(angle), -std::cos(angle);
    c.inverse_mass = MatX::Identity(2, 2);
    c.b = Eigen::Vector2d(-1, -1);
    EXPECT_FALSE(ray_of(c).has_value()) << angle;
    LemkeWorkspace work;
    VecX lambda = VecX::Zero(2);
    EXPECT_EQ(lemke(c.problem(), {}, work, lambda).status, SolveStatus::converged) << angle;
  }
}

}  // namespace
}  // namespace tact
