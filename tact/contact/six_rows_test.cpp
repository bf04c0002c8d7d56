#include "tact/contact/six_rows.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

MatX random_block(Rng& rng, Index n) {
  MatX root(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) root(i, j) = rng.normal();
  return root * root.transpose() + 0.1 * MatX::Identity(n, n);
}

PatchShape square() {
  return {PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}};
}

/// The sums over all rows, zeros and all, against those that leave them out.
TEST(SixRows, AreWhatAllRowsSay) {
  Rng rng(5);
  const Law laws[] = {FrictionalPatch{square(), 0.5, EffectivePatch{}},
                      RollingLaw{0.5, 0.1, 0.2},
                      FrictionlessPatch{square()},
                      CoulombLaw{0.5},
                      CoulombLaw{0.5, true},
                      Frictionless{}};
  for (const Law& law : laws)
    for (int k = 0; k < 20; ++k) {
      const LocalLaw local = local_law(law);
      const MatX block = random_block(rng, local.rows);
      std::vector<double> values(static_cast<std::size_t>(metric_size(local)));
      make_local_metric(local, block.data(), 1, values.data());
      const LocalMetric metric{local.rows, values.data()};
      double x[6] = {}, u[6] = {}, y[6] = {};
      for (Index r = 0; r < local.rows; ++r) {
        x[r] = rng.normal();
        u[r] = rng.normal();
      }
      const Eigen::Map<const VecX> all_x(x, local.rows), all_u(u, local.rows);
      const double energy = all_x.dot(metric.matrix() * all_x);
      EXPECT_NEAR(energy_of(metric, x), energy, 1e-13 * energy);
      argument_of(metric, x, u, y);
      const VecX expected = all_x - metric.inverse() * all_u;
      const double size = all_x.norm() + (metric.inverse() * all_u).norm();
      EXPECT_LT((Eigen::Map<const VecX>(y, local.rows) - expected).norm(), 1e-13 * size);
    }
}

TEST(SixRows, MoveByTheirBlock) {
  Rng rng(6);
  const MatX G = random_block(rng, 6);
  Vec6 b, lambda, u;
  for (Index r = 0; r < 6; ++r) {
    b[r] = rng.normal();
    lambda[r] = rng.normal();
  }
  velocity_of_six(G.data(), b.data(), lambda.data(), u.data());
  EXPECT_LT((u - (G * lambda + b)).norm(), 1e-13 * (G.norm() * lambda.norm() + b.norm()));
}

}  // namespace
}  // namespace tact
