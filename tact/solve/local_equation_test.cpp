#include "tact/solve/local_equation.hpp"

#include <gtest/gtest.h>

#include "tact/cone/friction_law.hpp"
#include "tact/contact/delassus.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

struct One {
  LocalLaw law;
  std::vector<double> values;
  [[nodiscard]] LocalMetric metric() const { return {law.rows, values.data()}; }
};

One random_one(Rng& rng, int k) {
  testing::SceneOptions options;
  options.family = testing::all_families[k % 7];
  One out{local_law(testing::detail::random_law(rng, options)), {}};
  const Index n = out.law.rows;
  MatX root(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) root(i, j) = rng.normal();
  const MatX G = root * root.transpose() + 0.5 * MatX::Identity(n, n);
  out.values.resize(static_cast<std::size_t>(metric_size(out.law)));
  make_local_metric(out.law, G.data(), 1, out.values.data());
  return out;
}

VecX random_vector(Rng& rng, Index n) {
  VecX x(n);
  for (double& value : x) value = rng.normal();
  return x;
}

VecX equation(NewtonMap map, const One& one, const VecX& lambda, const VecX& u) {
  LocalWorkspace work;
  VecX F(lambda.size());
  local_equation(map, one.law, one.metric(), lambda.data(), u.data(), F.data(), work);
  return F;
}

/// The fixed sizes of points give what the general form gives.
TEST(LocalEquation, PointsInFixedSizes) {
  Rng rng(9);
  int open = 0, closed = 0;
  for (int k = 0; k < 1400; ++k) {
    const One one = random_one(rng, k);
    if (one.law.kind != LawKind::disc && one.law.kind != LawKind::polygon) continue;
    const VecX lambda = random_vector(rng, 3), u = random_vector(rng, 3);
    LocalMatrix A, B;
    LocalWorkspace work;
    Vec3 F, fixed_F;
    local_equation(NewtonMap::natural, one.law, one.metric(), lambda.data(), u.data(), F.data(), A,
                   B, work);
    Mat3 fixed_A = Mat3::Identity(), fixed_B = Mat3::Zero();
    const bool touches = point_equation(one.law, one.metric(), lambda.data(), u.data(),
                                        fixed_F.data(), fixed_A, fixed_B);
    (touches ? closed : open) += 1;
    const double bound = 1e-10 * (1 + lambda.norm() + u.norm());  // a root found from two starts
    EXPECT_LE((F - fixed_F).norm(), bound);
    EXPECT_LE((A - fixed_A).norm(), bound);
    EXPECT_LE((B - fixed_B).norm(), bound * (1 + B.norm()));
  }
  EXPECT_GT(open, 50);
  EXPECT_GT(closed, 50);
}

/// [FrictionM4] NCP: both maps vanish on pairs of the law and nowhere else.
TEST(LocalEquation, VanishesOnTheLawAlone) {
  Rng rng(1);
  for (int k = 0; k < 1400; ++k) {
    const One one = random_one(rng, k);
    const Index n = one.law.rows;
    const VecX y = 2 * random_vector(rng, n);
    VecX lambda(n);
    LocalWorkspace work;
    project(one.law, one.metric(), y.data(), lambda.data(), work);
    const VecX u = one.metric().matrix() * (lambda - y);
    for (const NewtonMap map : {NewtonMap::natural, NewtonMap::fischer_burmeister}) {
      SCOPED_TRACE(std::to_string(k) + (map == NewtonMap::natural ? " natural" : " FB"));
      // Fischer-Burmeister takes the root of a difference: half the digits at the rim.
      // So does the effective patch on a round rim: it opens as the root of the rounding of its
      // centre, some 1e-8.
      const bool round =
          one.law.is_patch() && one.law.patch->cone.hull().kind() != PlanarSet::Kind::polygon;
      const double natural = round ? 1e-7 : 1e-8;
      const double bound = map == NewtonMap::natural ? natural : 1e-6;
      EXPECT_LE(equation(map, one, lambda, u).norm(), bound * (1 + y.norm()));
      VecX wrong = lambda;
      wrong[n - 1] += 1;
      VecX away = u;
      away[n - 1] += 1;
      EXPECT_GE(equation(map, one, wrong, away).norm(), 1e-3);
    }
  }
}

/// dF = A dλ + B du by central differences, where the two one-sided ones agree.
TEST(LocalEquation, Derivatives) {
  Rng rng(2);
  int compared = 0;
  for (int k = 0; k < 1400; ++k) {
    const One one = random_one(rng, k);
    const Index n = one.law.rows;
    const VecX lambda = random_vector(rng, n), u = random_vector(rng, n);
    for (const NewtonMap map : {NewtonMap::natural, NewtonMap::fischer_burmeister}) {
      SCOPED_TRACE(std::to_string(k) + (map == NewtonMap::natural ? " natural" : " FB"));
      LocalWorkspace work;
      LocalMatrix A, B;
      VecX F(n);
      local_equation(map, one.law, one.metric(), lambda.data(), u.data(), F.data(), A, B, work);
      EXPECT_LE((F - equation(map, one, lambda, u)).norm(), 1e-14 * (1 + F.norm()));
      constexpr double h = 1e-5;
      for (Index c = 0; c < 2 * n; ++c) {
        VecX dl = VecX::Zero(n), du = VecX::Zero(n);
        (c < n ? dl[c] : du[c - n]) = h;
        const VecX right = (equation(map, one, lambda + dl, u + du) - F) / h;
        const VecX left = (F - equation(map, one, lambda - dl, u - du)) / h;
        if ((right - left).norm() > 1e-3 * (1 + right.norm())) continue;
        ++compared;
        const VecX column = c < n ? A.col(c) : B.col(c - n);
        // A patch's own differences are good to a few percent where its friction iterates.
        const double bound = one.law.kind == LawKind::patch_friction ? 0.05 : 2e-3;
        EXPECT_LE((column - 0.5 * (right + left)).norm(), bound * (1 + right.norm()));
      }
    }
  }
  EXPECT_GT(compared, 10000);
}

/// Where it is defined it is the function of the friction laws, up to the scale of its argument.
TEST(LocalEquation, FischerBurmeisterIsThatOfThePoint) {
  Rng rng(3);
  const double mu = 0.7;
  One one{local_law(CoulombLaw{mu}), std::vector<double>(18)};
  const Mat3 identity = Mat3::Identity();
  make_local_metric(one.law, identity.data(), 1, one.values.data());
  for (int k = 0; k < 100; ++k) {
    const Vec3 lambda = random_vector(rng, 3), u = random_vector(rng, 3);
    const VecX F = equation(NewtonMap::fischer_burmeister, one, lambda, u);
    EXPECT_LE((F - fischer_burmeister(mu, lambda, u, 1)).norm(), 1e-12 * (1 + F.norm()));
  }
}

}  // namespace
}  // namespace tact
