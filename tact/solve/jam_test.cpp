#include "tact/solve/jam.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tact/linalg/nnls.hpp"
#include "tact/solve/lemke.hpp"
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
