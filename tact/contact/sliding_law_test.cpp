#include "tact/contact/sliding_law.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

constexpr double mu = 0.5;

/// A patch with friction and the metric of a block.
struct One {
  LocalLaw law;
  std::vector<double> values;
  LocalWorkspace work;

  One(const PatchShape& shape, const PatchFriction& model, const MatX& block)
      : law(local_law(FrictionalPatch{shape, mu, model})),
        values(static_cast<std::size_t>(metric_size(law))) {
    make_local_metric(law, block.data(), 1, values.data());
  }
  [[nodiscard]] LocalMetric metric() const { return {6, values.data()}; }
};

PatchShape rectangle() {
  return {PolygonShape{{{-0.2, -0.1}, {0.2, -0.1}, {0.2, 0.1}, {-0.2, 0.1}}}};
}

MatX random_block(Rng& rng) {
  MatX root(6, 6);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j) root(i, j) = rng.normal();
  return root * root.transpose() + 0.1 * MatX::Identity(6, 6);
}

/// A load well inside the cone, and a slip.
void random_state(Rng& rng, double* y, double* u) {
  const double f = rng.uniform(0.5, 2), x = rng.uniform(-0.1, 0.1), z = rng.uniform(-0.05, 0.05);
  for (Index r = 0; r < 6; ++r) u[r] = rng.normal();
  y[0] = f * z;
  y[1] = -f * x;
  y[5] = f;
  for (const Index r : {2, 3, 4}) y[r] = rng.normal();
}

TEST(SlidingLaw, ByHand) {
  One one(rectangle(), EffectivePatch{}, MatX::Identity(6, 6));
  // 2 N at (0.1, 0): the moment is -0.2 N m about y. Sliding along x, friction is 1 N against it,
  // at the centre of pressure, so without a moment about the origin; along y it has one.
  const double y[6] = {0, -0.2, 0, 0, 0, 2};
  const double along_x[6] = {0, 0, 0, 3, 0, 0}, along_y[6] = {0, 0, 0, 0, 0.01, 0};
  SlidingLoad at;
  ASSERT_TRUE(sliding_load(one.law, one.metric(), y, along_x, one.work, at));
  EXPECT_EQ(at.N, Vec3(0, -0.2, 2));
  EXPECT_LT((at.T - Vec3(-1, 0, 0)).norm(), 1e-15);
  ASSERT_TRUE(sliding_load(one.law, one.metric(), y, along_y, one.work, at));
  EXPECT_LT((at.T - Vec3(0, -1, -0.1)).norm(), 1e-15);
}

TEST(SlidingLaw, IsTheFixedPointOfTheNaturalMap) {
  Rng rng(3);
  for (int k = 0; k < 50; ++k) {
    One one(rectangle(), EffectivePatch{}, random_block(rng));
    double y[6], u[6], lambda[6], image[6];
    random_state(rng, y, u);
    u[0] = u[1] = u[5] = 0;  // it stays closed
    SlidingLoad at;
    ASSERT_TRUE(sliding_load(one.law, one.metric(), y, u, one.work, at));
    const double all[6] = {at.N[0], at.N[1], at.T[2], at.T[0], at.T[1], at.N[2]};
    natural_argument(one.metric(), all, u, lambda);
    project(one.law, one.metric(), lambda, image, one.work);  // by search, without a guess
    double gap[6];
    for (Index r = 0; r < 6; ++r) gap[r] = image[r] - all[r];
    const double scale = energy(one.metric(), lambda);
    EXPECT_LT(std::sqrt(energy(one.metric(), gap) / scale), 1e-8);
    project(one.law, one.metric(), lambda, image, one.work, all);  // seen to be its own image
    for (Index r = 0; r < 6; ++r) gap[r] = image[r] - all[r];
    EXPECT_LT(std::sqrt(energy(one.metric(), gap) / scale), 1e-13);
  }
}

TEST(SlidingLaw, SlopesAreThoseOfDifferences) {
  Rng rng(4);
  constexpr Index normal[] = {0, 1, 5}, tangent[] = {3, 4, 2};
  constexpr double step = 1e-4;
  for (int k = 0; k < 30; ++k) {
    One one(rectangle(), EffectivePatch{}, random_block(rng));
    double y[6], u[6];
    random_state(rng, y, u);
    SlidingLoad at, ahead, back;
    ASSERT_TRUE(sliding_load(one.law, one.metric(), y, u, one.work, at));
    const SlidingSlope slope = sliding_slope(one.law, one.metric(), y, at, one.work);
    EXPECT_EQ(slope.by_y, Mat3::Identity()) << "inside its cone N is y";
    const auto difference = [&](double* x) {
      const double kept = *x;
      *x = kept + step;
      EXPECT_TRUE(sliding_load(one.law, one.metric(), y, u, one.work, ahead));
      *x = kept - step;
      EXPECT_TRUE(sliding_load(one.law, one.metric(), y, u, one.work, back));
      *x = kept;
      return Vec3((ahead.T - back.T) / (2 * step));
    };
    for (Index c = 0; c < 3; ++c) {
      const Vec3 by_tau = difference(u + tangent[c]), by_N = difference(y + normal[c]);
      EXPECT_LT((slope.by_tau.col(c) - by_tau).norm(), 1e-4 * (1 + by_tau.norm()));
      EXPECT_LT((slope.by_N.col(c) - by_N).norm(), 1e-3 * (1 + by_N.norm()));
    }
  }
}

TEST(SlidingLaw, TheRoughSlopeIsExactWhereNothingTurns) {
  Rng rng(7);
  for (int k = 0; k < 30; ++k) {
    One one(rectangle(), EffectivePatch{}, random_block(rng));
    double y[6], u[6];
    random_state(rng, y, u);
    SlidingLoad at;
    const auto off = [&] {
      EXPECT_TRUE(sliding_load(one.law, one.metric(), y, u, one.work, at));
      const SlidingSlope rough = rough_slope(one.law, at, one.work);
      const SlidingSlope fine = sliding_slope(one.law, one.metric(), y, at, one.work);
      EXPECT_EQ(rough.by_tau, fine.by_tau);
      return (rough.by_N - fine.by_N).norm() / fine.by_N.norm();
    };
    EXPECT_LT(off(), 2);
    u[2] = 0;
    EXPECT_LT(off(), 1e-6);
  }
}

TEST(SlidingLaw, HasNothingToSayOtherwise) {
  One one(rectangle(), EffectivePatch{}, MatX::Identity(6, 6));
  const double y[6] = {0, 0, 0, 0, 0, 1}, apart[6] = {0, 0, 0, 0, 0, -1};
  const double slides[6] = {0, 0, 0, 1, 0, 0}, rests[6] = {1, 1, 0, 0, 0, 1};
  SlidingLoad at;
  EXPECT_TRUE(sliding_load(one.law, one.metric(), y, slides, one.work, at));
  EXPECT_FALSE(sliding_load(one.law, one.metric(), y, rests, one.work, at));
  EXPECT_FALSE(sliding_load(one.law, one.metric(), apart, slides, one.work, at));
  One corners(rectangle(), VertexModel{}, MatX::Identity(6, 6));
  EXPECT_FALSE(sliding_load(corners.law, corners.metric(), y, slides, corners.work, at));
  One round({DiscShape{Vec2::Zero(), 0.1}}, EffectivePatch{}, MatX::Identity(6, 6));
  EXPECT_TRUE(sliding_load(round.law, round.metric(), y, slides, round.work, at));
  const double beyond[6] = {0, -1, 0, 0, 0, 1};
  EXPECT_FALSE(sliding_load(round.law, round.metric(), beyond, slides, round.work, at));
}

}  // namespace
}  // namespace tact
