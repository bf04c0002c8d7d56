#include "tact/solve/sliding_patch.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tact/contact/sliding_law.hpp"

namespace tact {
namespace {

constexpr double mu = 0.5;

struct One {
  LocalLaw law;
  std::vector<double> values;
  LocalWorkspace work;
  Mat6 G;

  explicit One(const Mat6& block)
      : law(local_law(
            FrictionalPatch{{PolygonShape{{{-0.2, -0.1}, {0.2, -0.1}, {0.2, 0.1}, {-0.2, 0.1}}}},
                            mu,
                            EffectivePatch{}})),
        values(static_cast<std::size_t>(metric_size(law))),
        G(block) {
    make_local_metric(law, G.data(), 1, values.data());
  }
  bool slide(const Vec6& b, Vec6& lambda) {
    const double scale2 = lambda.dot(G * lambda);
    return slide_patch(law, {6, values.data()}, G.data(), b.data(), scale2, lambda.data(), work);
  }
};

/// 1 kg that turns with 0.1 kg m², pressed down with 1 N s while it moves along x.
TEST(SlidingPatch, ByHand) {
  One one((Vec6() << 10, 10, 10, 1, 1, 1).finished().asDiagonal());
  const Vec6 b = (Vec6() << 0, 0, 0, 2, 0, -1).finished();
  Vec6 lambda = (Vec6() << 0, 0.01, 0, -0.4, 0.1, 0.9).finished();
  ASSERT_TRUE(one.slide(b, lambda));
  EXPECT_LT((lambda - (Vec6() << 0, 0, 0, -0.5, 0, 1).finished()).norm(), 1e-13);
}

TEST(SlidingPatch, SolvesItsOwnLawWithCoupling) {
  Mat6 G = (Vec6() << 10, 10, 10, 1, 1, 1).finished().asDiagonal();
  G(1, 3) = G(3, 1) = 1;  // what pulls along x tips about y
  G(0, 4) = G(4, 0) = -1;
  One one(G);
  const Vec6 b = (Vec6() << 0, 0, 3, 2, 0.5, -1).finished();
  Vec6 lambda = (Vec6() << 0, 0, 0, -0.4, -0.1, 1).finished();
  ASSERT_TRUE(one.slide(b, lambda));
  const Vec6 u = G * lambda + b;
  EXPECT_LT(Vec3(u[0], u[1], u[5]).norm(), 1e-12);
  SlidingLoad at;
  ASSERT_TRUE(sliding_load(one.law, {6, one.values.data()}, lambda.data(), u.data(), one.work, at));
  EXPECT_LT((at.T - Vec3(lambda[3], lambda[4], lambda[2])).norm(), 1e-12);
}

TEST(SlidingPatch, SaysNoWhereItSticks) {
  One one((Vec6() << 10, 10, 10, 1, 1, 1).finished().asDiagonal());
  const Vec6 b = (Vec6() << 0, 0, 0, 0.2, 0, -1).finished();  // 0.2 N s is less than friction
  Vec6 lambda = (Vec6() << 0, 0, 0, -0.1, 0, 1).finished();
  EXPECT_FALSE(one.slide(b, lambda));
}

}  // namespace
}  // namespace tact
