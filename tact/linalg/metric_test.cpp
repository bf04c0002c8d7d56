#include "tact/linalg/metric.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

TEST(Metric, FactorsAreTriangularAndMultiplyBack) {
  Rng rng(1);
  for (int k = 0; k < 100; ++k) {
    Mat3 a;
    for (Index i = 0; i < 9; ++i) a.data()[i] = rng.normal();
    const Mat3 m = a * a.transpose() + 0.01 * Mat3::Identity();
    const auto metric = Metric<3>::from_matrix(m);
    ASSERT_TRUE(metric);
    const double bound = tolerance::rounding * m.norm();
    EXPECT_LE((metric->upper().transpose() * metric->upper() - m).norm(), bound);
    EXPECT_LE((metric->reverse() * metric->reverse().transpose() - m).norm(), bound);
    EXPECT_TRUE(metric->upper().isUpperTriangular(0) && metric->reverse().isUpperTriangular(0));
    const Vec3 x(rng.normal(), rng.normal(), rng.normal());
    const double condition = metric->upper().norm() * metric->inverse_upper().norm();
    EXPECT_LE((metric->solve(metric->apply(x)) - x).norm(),
              tolerance::rounding * condition * condition * x.norm());
    EXPECT_NEAR(metric->norm(x) * metric->norm(x), metric->dot(x, x), bound * x.squaredNorm());
  }
}

TEST(Metric, InverseUpperIsTheFactorOfTheInverse) {
  Mat3 m;
  m << 4, 1, -1, 1, 3, 0.5, -1, 0.5, 2;
  const auto metric = Metric<3>::from_spd(m);
  const Mat3 u = metric.inverse_upper();
  EXPECT_LE((u.transpose() * u * m - Mat3::Identity()).norm(), tolerance::rounding);
}

TEST(Metric, RefusesWhatDoesNotMeasure) {
  Mat3 m = Mat3::Identity();
  m(0, 1) = 0.3;
  EXPECT_EQ(Metric<3>::from_matrix(m).error().message, "a metric must be symmetric");
  m = Mat3::Identity();
  m(2, 2) = -1;
  EXPECT_EQ(Metric<3>::from_matrix(m).error().message, "a metric must be positive definite");
  EXPECT_FALSE(Metric<3>::from_matrix(Mat3::Zero()));
  EXPECT_FALSE(Metric<3>::from_matrix(Mat3::Ones())) << "singular";
  m(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Metric<3>::from_matrix(m).error().message, "a metric must have finite entries");
  EXPECT_FALSE(Metric<Eigen::Dynamic>::from_matrix(MatX::Ones(2, 3)));
  EXPECT_THROW((void)Metric<3>::from_spd(-Mat3::Identity()), ContractViolation);
}

}  // namespace
}  // namespace tact
