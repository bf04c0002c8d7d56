#include "tact/spatial/inertia.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::max_error;
using testing::random_pose;
using testing::random_twist;
using testing::random_vec3;
using testing::rounding;

constexpr int trials = 200;

Mat3 diagonal(double a, double b, double c) {
  return Vec3(a, b, c).asDiagonal();
}

/// A box of random mass, size and place.
Inertia random_inertia(Rng& rng, double length = 1) {
  const double mass = rng.log_uniform(0.1, 10);
  const double x = rng.uniform(0.1, 1);
  const double y = rng.uniform(0.1, 1);
  const double z = rng.uniform(0.1, 1);
  return transform(random_pose(rng, length), box_inertia(mass, length * Vec3(x, y, z)));
}

/// The largest entry that can occur in sums of the two, which bounds what rounding can do.
double size(const Inertia& a) {
  return matrix(a).cwiseAbs().maxCoeff();
}

std::string reason(double mass, const Vec3& com, const Mat3& about_com) {
  const Result<Inertia> r = Inertia::from(mass, com, about_com);
  return r ? "" : r.error().message;
}

TEST(Inertia, FactoryAcceptsWhatABodyCanHave) {
  const Result<Inertia> r = Inertia::from(2, {1, 2, 3}, diagonal(3, 4, 5));
  ASSERT_TRUE(r);
  EXPECT_EQ(r->mass(), 2);
  EXPECT_EQ(r->com(), Vec3(1, 2, 3));
  EXPECT_EQ(r->about_com(), diagonal(3, 4, 5));
  // A thin plate is the limit of the triangle inequality, also as a file prints it.
  EXPECT_TRUE(Inertia::from(1, Vec3::Zero(), diagonal(1, 1, 2)));
  EXPECT_TRUE(Inertia::from(1, Vec3::Zero(), diagonal(0.333333, 0.333333, 0.666667)));
}

TEST(Inertia, FactoryNamesWhatIsWrong) {
  const Vec3 o = Vec3::Zero();
  const Mat3 good = diagonal(1, 1, 1);
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(reason(1, o, good), "");
  for (const double mass : {0.0, -1.0, nan, inf}) {
    EXPECT_NE(reason(mass, o, good).find("mass"), std::string::npos);
  }
  EXPECT_NE(reason(1, {0, nan, 0}, good).find("centre of mass"), std::string::npos);
  EXPECT_NE(reason(1, o, inf * good).find("finite"), std::string::npos);
  EXPECT_NE(reason(1, o, good + Mat3(hat(Vec3(0, 0, 0.1)))).find("symmetric"), std::string::npos);
  EXPECT_NE(reason(1, o, diagonal(1, 1, 0)).find("smallest principal"), std::string::npos);
  EXPECT_NE(reason(1, o, diagonal(1, 1, -1)).find("smallest principal"), std::string::npos);
  EXPECT_NE(reason(1, o, Mat3::Zero()).find("smallest principal"), std::string::npos);
  EXPECT_NE(reason(1, o, diagonal(1, 1, 2.1)).find("triangle"), std::string::npos);
  // The principal moments count, not the diagonal.
  const Mat3 R = exp_so3({0.3, 0.5, -0.2});
  const Mat3 turned = R * diagonal(1, 1, 2.1) * R.transpose();
  EXPECT_NE(reason(1, o, (turned + turned.transpose()) / 2).find("triangle"), std::string::npos);
}

TEST(Inertia, FactoryJudgesAlikeInEveryUnit) {
  for (const double s : {1e-30, 1e-9, 1.0, 1e9, 1e30}) {
    EXPECT_TRUE(Inertia::from(s, Vec3::Zero(), s * diagonal(1, 1, 2)));
    EXPECT_FALSE(Inertia::from(s, Vec3::Zero(), s * diagonal(1, 1, 2.1)));
    EXPECT_FALSE(Inertia::from(s, Vec3::Zero(), s * diagonal(1, 1, 0)));
  }
}

TEST(Inertia, MatrixMomentumAndEnergyAgree) {
  Rng rng(1);
  for (int i = 0; i < trials; ++i) {
    const Inertia M = random_inertia(rng);
    const Twist T = random_twist(rng);
    const Wrench p = momentum(M, T);
    const double bound = rounding * size(M) * T.vec().norm();
    EXPECT_LE(max_error(matrix(M) * T.vec(), p.vec()), bound);
    EXPECT_NEAR(kinetic_energy(M, T), power(T, p) / 2, bound * T.vec().norm());
    EXPECT_EQ(matrix(M), matrix(M).transpose());
    EXPECT_GT(kinetic_energy(M, T), 0);
  }
}

TEST(Inertia, ChangeOfFrameKeepsEnergyAndCarriesMomentum) {
  Rng rng(2);
  for (int i = 0; i < trials; ++i) {
    const double length = rng.log_uniform(1e-4, 1e4);
    const Inertia M_B = random_inertia(rng, length);
    const Pose X_AB = random_pose(rng, length);
    const Twist T_B = random_twist(rng, length);
    const Inertia M_A = transform(X_AB, M_B);
    const Twist T_A = transform(X_AB, T_B);
    // Energies of parts that may cancel: mass times the squared speed of the farthest lever arm.
    const double speed =
        (T_B.w.norm() * (M_B.com().norm() + X_AB.p.norm() + length)) + T_B.v.norm();
    const double energy = M_B.mass() * speed * speed;
    EXPECT_NEAR(kinetic_energy(M_A, T_A), kinetic_energy(M_B, T_B), rounding * energy);
    const Wrench carried = transform(X_AB, momentum(M_B, T_B));
    const Wrench direct = momentum(M_A, T_A);
    const double lever = M_A.com().norm() + M_B.com().norm() + X_AB.p.norm() + length;
    EXPECT_LE((carried.f - direct.f).norm(), rounding * M_B.mass() * speed);
    EXPECT_LE((carried.m - direct.m).norm(), rounding * M_B.mass() * speed * lever);
  }
}

TEST(Inertia, MatrixIsCarriedByTheCoadjoint) {
  Rng rng(3);
  for (int i = 0; i < trials; ++i) {
    const Inertia M_B = random_inertia(rng);
    const Pose X_AB = random_pose(rng);
    const Mat6 Ad = coadjoint(X_AB);
    const double arm = 1 + X_AB.p.norm();
    EXPECT_LE(max_error(matrix(transform(X_AB, M_B)), Ad * matrix(M_B) * Ad.transpose()),
              rounding * size(M_B) * arm * arm);
  }
}

TEST(Inertia, ParallelAxisTheorem) {
  Rng rng(4);
  for (int i = 0; i < trials; ++i) {
    const Inertia M = random_inertia(rng);
    const Vec3 point = random_vec3(rng);
    const Vec3 w = random_vec3(rng);
    // Turning about an axis through the point: the energy is ½ ω·I_point ω.
    const Twist about_point{w, point.cross(w)};
    EXPECT_NEAR(kinetic_energy(M, about_point), w.dot(rotational_about(M, point) * w) / 2,
                rounding * size(M) * w.squaredNorm() * (1 + point.squaredNorm()));
  }
  const Inertia ball = sphere_inertia(2, 1);
  EXPECT_EQ(rotational_about(ball, {3, 0, 0})(0, 0), ball.about_com()(0, 0));
  EXPECT_DOUBLE_EQ(rotational_about(ball, {3, 0, 0})(1, 1), ball.about_com()(1, 1) + 2 * 9);
}

TEST(Inertia, SumAddsMatricesMomentaAndEnergies) {
  Rng rng(5);
  for (int i = 0; i < trials; ++i) {
    const Inertia a = random_inertia(rng);
    const Inertia b = random_inertia(rng);
    EXPECT_LE(max_error(matrix(a + b), matrix(a) + matrix(b)), rounding * (size(a) + size(b)));
    EXPECT_TRUE(Inertia::from((a + b).mass(), (a + b).com(), (a + b).about_com()));
  }
}

TEST(Inertia, TwoHalvesOfABoxAreTheBox) {
  const Pose left{Mat3::Identity(), {-0.5, 0, 0}};
  const Pose right{Mat3::Identity(), {0.5, 0, 0}};
  const Inertia half = box_inertia(1, {0.5, 2, 3});
  const Inertia whole = transform(left, half) + transform(right, half);
  EXPECT_LE(max_error(matrix(whole), matrix(box_inertia(2, {1, 2, 3}))), rounding * size(whole));
}

TEST(Inertia, SolidsHaveTheirTextbookMoments) {
  const double m = 3;
  EXPECT_LE(max_error(box_inertia(m, {1, 2, 3}).about_com(), diagonal(13, 10, 5)), 13 * rounding);
  EXPECT_LE(max_error(sphere_inertia(m, 2).about_com(), diagonal(4.8, 4.8, 4.8)), 5 * rounding);
  EXPECT_LE(max_error(ellipsoid_inertia(5, {1, 2, 3}).about_com(), diagonal(13, 10, 5)),
            13 * rounding);
  // Cylinder: m r²/2 along, m (3 r² + L²)/12 across, L = 2 h.
  EXPECT_LE(max_error(cylinder_inertia(m, 2, 3).about_com(), diagonal(12, 12, 6)), 12 * rounding);
  // A capsule without a middle is nearly a ball, one without caps nearly a cylinder.
  const double thin = 1e-9;
  EXPECT_LE(max_error(capsule_inertia(m, 2, thin).about_com(), sphere_inertia(m, 2).about_com()),
            8 * m * 2 * thin);
  EXPECT_LE(
      max_error(capsule_inertia(m, thin, 2).about_com(), cylinder_inertia(m, thin, 2).about_com()),
      8 * m * 2 * thin);
}

// The capsule against the sum of many thin discs, by the midpoint rule, whose error is (dz)².
TEST(Inertia, CapsuleIsTheSumOfItsSlices) {
  const double r = 0.7;
  const double h = 0.4;
  const int slices = 20000;
  const double dz = 2 * (r + h) / slices;
  double volume = 0;
  double xx = 0;
  double zz = 0;
  for (int i = 0; i < slices; ++i) {
    const double z = -(r + h) + (i + 0.5) * dz;
    const double over = std::max(0.0, std::abs(z) - h);
    const double disc = r * r - over * over;  // squared radius, times π is the area
    volume += disc * dz;
    xx += disc * disc / 4 * dz;  // ∫ x² over a disc is π ρ⁴/4
    zz += disc * z * z * dz;
  }
  const double mass = 2.5;
  const Mat3 sum = mass / volume * diagonal(xx + zz, xx + zz, 2 * xx);
  EXPECT_LE(max_error(capsule_inertia(mass, r, h).about_com(), sum), mass * dz * dz);
}

TEST(Inertia, UnitsOfLengthDoNotMatter) {
  const double unit = 1024;  // a power of two: every bit agrees
  const Inertia metre = capsule_inertia(2, 0.3, 0.5) + box_inertia(1, {0.1, 0.2, 0.3});
  const Inertia other =
      capsule_inertia(2, unit * 0.3, unit * 0.5) + box_inertia(1, unit * Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(other.about_com(), unit * unit * metre.about_com());
}

TEST(Inertia, ContractsAreChecked) {
  EXPECT_THROW((void)box_inertia(0, {1, 1, 1}), ContractViolation);
  EXPECT_THROW((void)box_inertia(1, {1, 0, 1}), ContractViolation);
  EXPECT_THROW((void)sphere_inertia(1, -1), ContractViolation);
  EXPECT_THROW((void)cylinder_inertia(1, std::nan(""), 1), ContractViolation);
  EXPECT_THROW((void)capsule_inertia(1, 1, 0), ContractViolation);
}

}  // namespace
}  // namespace tact
