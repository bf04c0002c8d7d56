#include "tact/soft/stiffness.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::rounding;

template <int N>
Eigen::Matrix<double, N, N> random_spd(Rng& rng, double scale) {
  const Eigen::Matrix<double, N, N> m =
      Eigen::Matrix<double, N, N>::NullaryExpr([&] { return rng.normal(); });
  return scale * (m * m.transpose() + Eigen::Matrix<double, N, N>::Identity());
}

Mat4 decoupled(Rng& rng) {
  Mat4 K = Mat4::Zero();
  K.topLeftCorner<2, 2>() = random_spd<2>(rng, 3e3);
  K(2, 2) = rng.uniform(1e3, 1e5);
  K(3, 3) = rng.uniform(0.1, 3);
  return K;
}

// [Stramigioli] (29), (30)
TEST(Stiffness, SeriesAddsCompliances) {
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Mat4 K1 = random_spd<4>(rng, 1e3), K2 = random_spd<4>(rng, 5e3);
    const Mat4 K = series(K1, K2);
    const Mat4 expected = (K1.inverse() + K2.inverse()).inverse();
    EXPECT_LE((K - expected).norm(), 1e3 * rounding * expected.norm());
    EXPECT_EQ(K, K.transpose());
    EXPECT_LE((K - series(K2, K1)).norm(), 1e3 * rounding * K.norm());
    const Mat2 T1 = K1.topLeftCorner<2, 2>(), T2 = K2.topLeftCorner<2, 2>();
    const Mat2 small = (T1.inverse() + T2.inverse()).inverse();
    EXPECT_LE((series(T1, T2) - small).norm(), 1e3 * rounding * small.norm());
  }
}

TEST(Stiffness, OfAMuchHarderBodyDoesNotCount) {
  Rng rng(2);
  const Mat4 K = random_spd<4>(rng, 1e3);
  EXPECT_LE((series(K, 1e20 * Mat4::Identity()) - K).norm(), rounding * K.norm());
}

TEST(Stiffness, MetricNormalisesAndAlignsTheCurvature) {
  Rng rng(4);
  for (int i = 0; i < 100; ++i) {
    const Mat4 K = decoupled(rng);
    const Mat2 A = random_spd<2>(rng, 20);
    const auto [N, curvatures] = stiffness_metric(K, A);
    EXPECT_LE((N.transpose() * N - K).norm(), rounding * K.norm());
    const Mat2 X = N.topLeftCorner<2, 2>().inverse();
    const Mat2 form = X.transpose() * A * X;
    EXPECT_NEAR(form(0, 1), 0, 1e3 * rounding * form.norm());
    EXPECT_NEAR(form(0, 0), curvatures[0], 1e3 * rounding * form.norm());
    EXPECT_NEAR(form(1, 1), curvatures[1], 1e3 * rounding * form.norm());
    EXPECT_LE(curvatures[0], curvatures[1]);
    // The symmetric root gives the same forces: the coordinates differ by a rotation.
    const Mat2 turn = N.topLeftCorner<2, 2>() * symmetric_root(K.topLeftCorner<2, 2>()).inverse();
    EXPECT_LE((turn * turn.transpose() - Mat2::Identity()).norm(), 1e3 * rounding);
  }
}

TEST(Stiffness, CoupledTensorsHaveNoMetricOfThisKind) {
  Mat4 K = 1e3 * Mat4::Identity();
  K(0, 2) = K(2, 0) = 10;
  EXPECT_THROW((void)stiffness_metric(K, Mat2::Identity()), ContractViolation);
}

TEST(Stiffness, FieldTurnsWithTheBasisAndWithTheSide) {
  Rng rng(5);
  const Mat2 K = (Mat2() << 5, 1, 1, 2).finished();
  const Pose X = testing::random_pose(rng);
  const Eigen::Matrix<double, 3, 2> E = X.R.leftCols<2>();
  const Vec3 direction(0.3, -0.2, 0.9);
  const auto in_space = [&](const Eigen::Matrix<double, 3, 2>& basis, bool mirrored) {
    return Mat3(basis * in_basis(K, frame_axis(basis, direction), mirrored) * basis.transpose());
  };
  const Mat2 R = (Mat2() << 0.28, -0.96, 0.96, 0.28).finished();
  const Eigen::Matrix<double, 3, 2> other = E * R;
  EXPECT_LE((in_space(E, false) - in_space(other, false)).norm(), rounding * K.norm());
  EXPECT_LE((in_space(E, true) - in_space(other, true)).norm(), rounding * K.norm());
  // Seen from the other side, with the basis of the normal -n, the mirrored tensor is the plain
  // one.
  Eigen::Matrix<double, 3, 2> behind;
  behind << E.col(1), E.col(0);
  EXPECT_LE((in_space(E, true) - in_space(behind, false)).norm(), rounding * K.norm());
  EXPECT_GT((in_space(E, true) - in_space(E, false)).norm(), 0.1);
}

TEST(Stiffness, FieldHasAnAxisAlsoWhereItsDirectionIsTheNormal) {
  const Eigen::Matrix<double, 3, 2> E = Mat3::Identity().leftCols<2>();
  for (const Vec3& d : {Vec3(0, 0, 1), Vec3(0, 0, -2), Vec3(1, 0, 0), Vec3(1e-12, 0, 1)})
    EXPECT_NEAR(frame_axis(E, d).norm(), 1, rounding);
}

TEST(Stiffness, RefusesWhatIsNoStiffness) {
  const auto message = [](const Mat2& m) {
    const auto r = checked_spd<2>(m, "pad of the thumb");
    return r ? std::string("accepted") : r.error().message;
  };
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(Mat2::Identity()), "accepted");
  EXPECT_EQ(message((Mat2() << 1e6, 0, 0, 1e-6).finished()), "accepted") << "units differ";
  EXPECT_EQ(message(inf * Mat2::Identity()), "pad of the thumb must have finite entries");
  EXPECT_EQ(message((Mat2() << 1, 2, 0, 1).finished()),
            "pad of the thumb must be symmetric; give the same number on both sides of the "
            "diagonal");
  const std::string not_positive =
      "pad of the thumb must be positive definite; give positive numbers on the diagonal and less "
      "beside it";
  EXPECT_EQ(message(-Mat2::Identity()), not_positive);
  EXPECT_EQ(message(Mat2::Zero()), not_positive);
  EXPECT_EQ(message((Mat2() << 1, 1, 1, 1).finished()), not_positive);
  EXPECT_EQ(message((Mat2() << 1, 2, 2, 1).finished()), not_positive);
}

}  // namespace
}  // namespace tact
