#include "tact/geom/gjk.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tact/geom/epa.hpp"
#include "tact/geom/refine_normal.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

constexpr double far = std::numeric_limits<double>::infinity();

CorePair boxes(const Vec3& between, const Vec3& turn) {
  return core_pair(convex_of(Box{Vec3(1, 1, 1)}, {exp_so3(turn), between}),
                   convex_of(Box{Vec3(1, 1, 1)}, {}));
}

TEST(Gjk, FindsFacesEdgesAndCorners) {
  CorePair faces = boxes(Vec3(0.3, 0.2, 2.5), Vec3::Zero());
  GjkResult r = gjk(faces, far, Vec3::Zero());
  EXPECT_EQ(r.verdict, GjkVerdict::apart);
  EXPECT_NEAR(r.distance, 0.5, 1e-14);
  EXPECT_TRUE(r.normal.isApprox(Vec3::UnitZ(), 1e-14));
  CorePair corners = boxes(Vec3(3, 4, 4), Vec3::Zero());
  r = gjk(corners, far, Vec3::Zero());
  EXPECT_NEAR(r.distance, 3, 1e-14);
  EXPECT_TRUE(r.on_second.isApprox(Vec3(1, 1, 1)));
  EXPECT_TRUE(r.on_first.isApprox(Vec3(2, 3, 3)));
}

TEST(Gjk, StopsOnceTheMarginIsPassed) {
  CorePair pair = boxes(Vec3(9, 1, 1), Vec3(0.1, 0.2, 0.3));
  const GjkResult r = gjk(pair, 1, Vec3::Zero());
  EXPECT_EQ(r.verdict, GjkVerdict::beyond);
  EXPECT_GT(r.distance, 1);
}

TEST(Gjk, SaysOverlapWhereThereIsOne) {
  CorePair pair = boxes(Vec3(0.5, 0.4, 1.5), Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(gjk(pair, far, Vec3::Zero()).verdict, GjkVerdict::overlap);
}

TEST(Gjk, AFlatSimplexHoldsNothing) {
  GjkSimplex s;
  s.count = 4;
  for (int i = 0; i < 4; ++i) s.points[i].w = Vec3(i % 2 == 0 ? 1 : -1, i < 2 ? 1 : -1, 0.25);
  EXPECT_TRUE(nearest_of_simplex(s).isApprox(Vec3(0, 0, 0.25)));
  EXPECT_LT(s.count, 4);
}

TEST(Epa, DepthOfBoxesIsTheLeastOverTheFaces) {
  CorePair pair = boxes(Vec3(0.5, 0.4, 1.5), Vec3::Zero());
  const GjkResult g = gjk(pair, far, Vec3::Zero());
  ASSERT_EQ(g.verdict, GjkVerdict::overlap);
  const EpaResult e = epa(pair, g.simplex, 1e-13);
  EXPECT_NEAR(e.depth, 0.5, 1e-13);
  EXPECT_TRUE(e.normal.isApprox(Vec3::UnitZ(), 1e-13));
  EXPECT_LE(e.lower, e.depth + 1e-13);
}

TEST(Epa, CommonCentreAndNoSimplexToStartFrom) {
  CorePair pair = core_pair(convex_of(Box{Vec3(1, 2, 3)}, {}), convex_of(Box{Vec3(2, 1, 3)}, {}));
  EXPECT_NEAR(epa(pair, {}, 1e-13).depth, 3, 1e-12);
}

TEST(Epa, CoplanarSegmentsHaveNoDepth) {
  CorePair pair = core_pair(convex_of(Capsule{0.1, 1}, {}),
                            convex_of(Capsule{0.1, 1}, {exp_so3(Vec3(1, 0, 0)), Vec3::Zero()}));
  const EpaResult e = epa(pair, {}, 1e-13);
  EXPECT_EQ(e.depth, 0);
  EXPECT_NEAR(std::abs(e.normal[0]), 1, 1e-14);
}

TEST(RefineNormal, AnEllipsoidFromARoughGuessIsExact) {
  const Convex ball = convex_of(Ellipsoid{Vec3(1, 1, 1)}, {Mat3::Identity(), Vec3(2, 1, 2)});
  CorePair pair = core_pair(ball, convex_of(Ellipsoid{Vec3(1, 1, 1)}, {}));
  const Direction d = refined(pair, along(pair, Vec3(2.2, 0.7, 2).normalized()), false);
  EXPECT_NEAR(d.separation, 1, 1e-15);
  EXPECT_TRUE(d.n.isApprox(Vec3(2, 1, 2) / 3, 1e-14));
}

TEST(RefineNormal, AFaceThatIsAsGoodToRoundingIsTakenBitForBit) {
  CorePair pair = boxes(Vec3(0.3, 0.2, 2), Vec3::Zero());
  const Vec3 nearly = Vec3(1e-15, -1e-15, 1).normalized();
  EXPECT_EQ(refined(pair, along(pair, nearly), true).n, Vec3::UnitZ());
}

}  // namespace
}  // namespace tact
