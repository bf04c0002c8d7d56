#include "tact/soft/material.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(PairModuli, OfARubberTipOnAHardObject) {
  const auto m = pair_moduli({4e5, 0.48, 0}, {5e7, 0.3, 0});
  ASSERT_TRUE(m);
  EXPECT_NEAR(m->normal_Pa, 514880.03295232204, 1e-8 * m->normal_Pa);
  EXPECT_NEAR(m->shear_Pa, 88211.42514378463, 1e-8 * m->shear_Pa);
  EXPECT_NEAR(m->centre_share, 0.9906291834002677, 1e-12);
}

TEST(PairModuli, ExchangeOfTheBodiesMirrorsTheCentre) {
  const Material one{1e6, 0.2, 0.7}, two{3e7, 0.45, 0.1};
  const auto a = pair_moduli(one, two), b = pair_moduli(two, one);
  ASSERT_TRUE(a && b);
  EXPECT_DOUBLE_EQ(a->normal_Pa, b->normal_Pa);
  EXPECT_DOUBLE_EQ(a->shear_Pa, b->shear_Pa);
  EXPECT_DOUBLE_EQ(a->torsion_Pa, b->torsion_Pa);
  EXPECT_DOUBLE_EQ(a->damping_s_per_m, b->damping_s_per_m);
  EXPECT_NEAR(a->centre_share + b->centre_share, 1, 1e-15);
}

// Two Hunt-Crossley bodies one after the other: each takes the share σ_i of the approach and of its
// speed, so that to first order in d the force f (1 - d_i σ_i ġap) is that of both; the depth which
// each of them has at that force is then less by what its dashpot holds, f'(depth) σ_i² d_i a
// share.
TEST(PairModuli, DampingOfEqualBodiesIsHalfOfOne) {
  const Material m{1e6, 0.3, 0.8};
  EXPECT_DOUBLE_EQ(pair_moduli(m, m)->damping_s_per_m, 0.4);
  EXPECT_DOUBLE_EQ(pair_moduli(m, hard_material)->damping_s_per_m, 0.8);
  EXPECT_DOUBLE_EQ(pair_moduli(m, hard_material)->centre_share, 1);
  EXPECT_DOUBLE_EQ(pair_moduli(m, hard_material)->normal_Pa, 1e6 / (1 - 0.09));
}

TEST(PairModuli, SaysWhatIsWrong) {
  const auto message = [](const Material& a, const Material& b) {
    const auto r = pair_moduli(a, b, "tip and cup");
    return r ? std::string("accepted") : r.error().message;
  };
  EXPECT_EQ(message({-1, 0.3, 0}, {}),
            "tip and cup: Young's modulus must be positive (material of body 1)");
  EXPECT_EQ(message({}, {1e6, 0.7, 0}),
            "tip and cup: Poisson's ratio must lie above -1, up to 0.5 (material of body 2)");
  EXPECT_EQ(message({1e6, 0.3, -1}, {}),
            "tip and cup: the damping must not be negative (material of body 1)");
  EXPECT_EQ(message(hard_material, hard_material),
            "tip and cup: two hard bodies have no compliant contact; make one softer or the pair "
            "rigid");
}

}  // namespace
}  // namespace tact
