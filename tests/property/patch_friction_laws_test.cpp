// Laws that every model of patch friction must satisfy, over every shape.
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/cone/patch_friction.hpp"

namespace tact {
namespace {

struct Case {
  std::string name;
  PatchFriction model;
  PlanarSet hull;
  double accuracy;  ///< of its solve, relative: the vertex model uses an interior-point method
};

PlanarSet points(std::vector<Vec2> p) {
  return PlanarSet::hull_of_points(p);
}

Winkler bed() {
  std::vector<Vec2> nodes;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) nodes.emplace_back(i / 1.5 - 1, j / 1.5 - 1);
  return *Winkler::from_nodes(nodes, std::vector<double>(16, 0.25), std::vector<double>(16, 0.2));
}

std::vector<Case> all_cases() {
  const std::vector<std::pair<std::string, PlanarSet>> shapes{
      {"square", points({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})},
      {"pentagon", points({{0, 0}, {2, -0.5}, {3, 1}, {1.5, 2.5}, {-0.5, 1.5}})},
      {"sliver", points({{0, 0}, {1, 0}, {1, 1e-6}})},
      {"segment", points({{-1, 0.5}, {2, 1}})},
      {"point", points({{0.4, 0.7}})},
      {"tiny", points({{0, 0}, {1e-9, 0}, {1e-9, 1e-9}, {0, 1e-9}})},
      {"disc", PlanarSet::ellipse(disc_form({0.3, 0.1}, 0.8))},
      {"ellipse", PlanarSet::ellipse(ellipse_form({0, 0.1}, {1.5, 0.3}, 0.4))},
      {"stadium", PlanarSet::hull_of(
                      std::vector<EllipseForm>{disc_form({-1, 0}, 0.5), disc_form({1, 0.3}, 0.5)})},
  };
  std::vector<Case> cases;
  for (const auto& [name, hull] : shapes) {
    cases.push_back({name + ", 1+6", EffectivePatch{}, hull, 1e-10});
    cases.push_back({name + ", 4+8", EffectivePatch{NodePattern::four_eight}, hull, 1e-10});
    cases.push_back(
        {name + ", 4+8+12", EffectivePatch{NodePattern::four_eight_twelve}, hull, 1e-10});
    cases.push_back({name + ", ellipsoid", EllipsoidAtCop{}, hull, 1e-10});
    cases.push_back({name + ", vertices", VertexModel{24}, hull, 1e-6});
  }
  cases.push_back({"square, bed", bed(), shapes[0].second, 1e-10});
  return cases;
}

Vec3 random_vector(Rng& rng) {
  return {rng.normal(), rng.normal(), rng.normal()};
}

/// A centre of pressure anywhere in the hull, its rim included.
Vec2 random_centre(Rng& rng, const PlanarSet& hull) {
  const double angle = rng.uniform(0, 7);
  const Vec2 rim = hull.support({std::cos(angle), std::sin(angle)});
  const double share = rng.below(4) == 0 ? 1 : rng.uniform();
  return hull.nearest(hull.center() + share * (rim - hull.center()));
}

/// Motions and forces of comparable size on a patch of any size: spin in units of 1/radius.
struct Draw {
  FrictionSet set, twice;
  double size, bound;

  Draw(Rng& rng, const Case& c) : size(std::max(c.hull.radius(), 1e-3)) {
    if (c.hull.radius() > 0 && c.hull.radius() < 1e-3) size = c.hull.radius();
    const Vec2 centre = random_centre(rng, c.hull);
    const double f = rng.log_uniform(1e-3, 1e3), mu = rng.uniform(0.1, 1.5);
    bound = mu * f;
    set = make_friction_set(c.model, c.hull, NormalLoad::at(centre, f), mu);
    twice = make_friction_set(c.model, c.hull, NormalLoad::at(centre, 2 * f), mu);
  }
  [[nodiscard]] Vec3 motion(Rng& rng) const {
    Vec3 tau = random_vector(rng);
    tau[2] /= size;
    return tau;
  }
  /// A mobility in which force and torque of this patch matter alike.
  [[nodiscard]] Mat3 mobility(Rng& rng) const {
    Mat3 b;
    for (Index i = 0; i < 9; ++i) b(i) = rng.normal();
    const Vec3 units(1, 1, 1 / size);
    return units.asDiagonal() * (b * b.transpose() + 0.05 * Mat3::Identity()) * units.asDiagonal();
  }
};

TEST(PatchFrictionLaws, DissipationIsASupportFunctionOfDegreeOneInTheLoad) {
  Rng rng(1);
  for (const Case& c : all_cases()) {
    for (int i = 0; i < 30; ++i) {
      const Draw d(rng, c);
      const Vec3 a = d.motion(rng), b = d.motion(rng);
      const double sa = d.set.support(a), sb = d.set.support(b);
      const double rounding = 1e-12 * (sa + sb);
      EXPECT_GE(sa, 0) << c.name << ": 0 is in F";
      EXPECT_NEAR(d.set.support(-a), sa, rounding) << c.name;
      EXPECT_NEAR(d.set.support(3 * a), 3 * sa, 3 * rounding) << c.name;
      EXPECT_LE(d.set.support(a + b), sa + sb + rounding) << c.name;
      EXPECT_NEAR(d.twice.support(a), 2 * sa, 2 * rounding) << c.name;
      EXPECT_EQ(d.set.support(Vec3::Zero()), 0) << c.name;
    }
  }
}

TEST(PatchFrictionLaws, ForceDissipatesAllItCanAndStaysInTheSet) {
  Rng rng(2);
  for (const Case& c : all_cases()) {
    for (int i = 0; i < 30; ++i) {
      const Draw d(rng, c);
      const Vec3 a = d.motion(rng), b = d.motion(rng);
      const Vec3 T = d.set.force(a), U = d.set.force(b);
      EXPECT_NEAR(T.dot(a), -d.set.support(a), 1e-11 * d.set.support(a)) << c.name;
      // Any mean of two members is a member: F is convex.
      const Vec3 mean = 0.3 * T + 0.7 * U, probe = d.motion(rng);
      EXPECT_LE(mean.dot(probe), d.set.support(probe) * (1 + 1e-11)) << c.name;
      EXPECT_LE((T - U).dot(a - b), 1e-11 * (d.set.support(a) + d.set.support(b)))
          << c.name << ": more slip along a direction never means more force along it";
    }
  }
}

TEST(PatchFrictionLaws, ProjectionIsOptimalAndNonexpansiveInTheMetric) {
  Rng rng(3);
  FrictionWorkspace work;
  for (const Case& c : all_cases()) {
    for (int i = 0; i < 20; ++i) {
      const Draw d(rng, c);
      const Mat3 G = d.mobility(rng);
      Vec3 loads[2];
      FrictionSolution s[2];
      for (int k = 0; k < 2; ++k) {
        loads[k] = d.bound * rng.log_uniform(0.1, 10) * random_vector(rng);
        loads[k][2] *= d.size;
        s[k] = d.set.project(G, loads[k], work);
        ASSERT_EQ(s[k].status, FrictionStatus::converged) << c.name << " " << s[k].residual;
        const double energy = loads[k].dot(G * loads[k]);
        const Vec3 T0 = loads[k], T = s[k].T, tau = G * (T - T0);
        EXPECT_NEAR(d.set.support(tau) + T.dot(tau), 0, c.accuracy * energy) << c.name;
        const Vec3 probe = d.motion(rng);
        EXPECT_LE(T.dot(probe), d.set.support(probe) + c.accuracy * std::abs(T0.dot(probe)))
            << c.name;
        // The other entry answers the same.
        const FrictionSolution other = d.set.solve(G, -(G * T0), work);
        const Vec3 gap = other.T - T;
        EXPECT_LE(gap.dot(G * gap), c.accuracy * energy) << c.name;
      }
      const Vec3 before = loads[0] - loads[1], after = s[0].T - s[1].T;
      EXPECT_LE(after.dot(G * after), before.dot(G * before) * (1 + c.accuracy)) << c.name;
    }
  }
}

TEST(PatchFrictionLaws, DoNotDependOnTheFrameNorOnUnits) {
  Rng rng(4);
  for (const Case& c : all_cases()) {
    if (std::holds_alternative<Winkler>(c.model)) continue;  // its nodes are given in the frame
    for (int i = 0; i < 10; ++i) {
      // x' = λ Q (x - o); the patterns are tied to the axes, so the node models are only shifted
      // and scaled. A round rim is sampled relative to the axes too.
      const bool turns = std::holds_alternative<EllipsoidAtCop>(c.model) ||
                         (std::holds_alternative<VertexModel>(c.model) &&
                          c.hull.kind() == PlanarSet::Kind::polygon);
      const double angle = turns ? rng.uniform(0, 7) : 0, scale = rng.log_uniform(1e-3, 1e3);
      const Vec2 o = c.hull.radius() * Vec2(rng.normal(), rng.normal());
      Mat2 q;
      q << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
      const PlanarSet moved = c.hull.mapped(scale * q, -scale * q * o);
      const Vec2 centre = random_centre(rng, c.hull);
      const FrictionSet a = make_friction_set(c.model, c.hull, NormalLoad::at(centre, 2), 0.5);
      const FrictionSet b =
          make_friction_set(c.model, moved, NormalLoad::at(scale * q * (centre - o), 2), 0.5);
      Vec3 tau = random_vector(rng);
      tau[2] /= std::max(c.hull.radius(), 1e-9);
      // The same motion in the new frame: v' = λ Q (v + ω ẑ×o), ω' = ω.
      const Vec2 v = tau.head<2>() - tau[2] * perp(o);
      const Vec2 w = scale * q * v;
      EXPECT_NEAR(b.support({w[0], w[1], tau[2]}), scale * a.support(tau),
                  1e-6 * scale * a.support(tau))
          << c.name;
    }
  }
}

}  // namespace
}  // namespace tact
