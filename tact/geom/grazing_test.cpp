#include "tact/geom/grazing.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tests/support/motions.hpp"

namespace tact {
namespace {

constexpr double slack = 1e-6;

/// Faces that separate a cube of side 2 from another one at `at`, wherever both are.
std::size_t faces_between(const Vec3& at, const Mat3& turned, const Vec3& touch) {
  Rng rng(8);
  std::size_t count = 0;
  for (int k = 0; k < 20; ++k) {
    const Pose X = testing::random_pose(rng, 3);
    std::vector<SeparatingFace> faces;
    separating_faces(convex_of(Box{Vec3::Ones()}, X * Pose{turned, at}),
                     convex_of(Box{Vec3::Ones()}, X), transform_point(X, touch), slack, faces);
    if (k > 0) EXPECT_EQ(faces.size(), count);
    count = faces.size();
    for (const SeparatingFace& face : faces) {
      EXPECT_NEAR(face.separation, 0, slack);
      EXPECT_GE(face.normal_W.dot(X.R * at), 0) << "from the second to the first";
    }
  }
  return count;
}

TEST(Grazing, CubesThatShareAFaceAnEdgeOrACornerHaveOneTwoOrThreeFacesBetweenThem) {
  const Mat3 none = Mat3::Identity();
  EXPECT_EQ(faces_between(Vec3(2, 0, 0), none, Vec3(1, 0, 0)), 1U);
  EXPECT_EQ(faces_between(Vec3(2, 0.3, -0.4), none, Vec3(1, 0.1, 0)), 1U);
  EXPECT_EQ(faces_between(Vec3(2, 2, 0.5), none, Vec3(1, 1, 0.2)), 2U);
  EXPECT_EQ(faces_between(Vec3(2, 2, 2), none, Vec3(1, 1, 1)), 3U);
}

TEST(Grazing, AnEdgeOnAFaceHasOne) {
  const Mat3 turned = Eigen::AngleAxisd(0.25 * M_PI, Vec3::UnitY()).matrix();
  EXPECT_EQ(faces_between(Vec3(0, 0, 1 + std::sqrt(2.0)), turned, Vec3(0, 0, 1)), 1U);
}

TEST(Grazing, WhatIsRoundHasNone) {
  std::vector<SeparatingFace> faces;
  const Pose up{Mat3::Identity(), Vec3(0, 0, 2)};
  separating_faces(convex_of(Sphere{1}, up), convex_of(Box{Vec3::Ones()}, Pose{}), Vec3(0, 0, 1),
                   slack, faces);
  EXPECT_TRUE(faces.empty());
}

}  // namespace
}  // namespace tact
