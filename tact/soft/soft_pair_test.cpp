#include "tact/soft/soft_pair.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tact/soft/slip.hpp"
#include "tests/support/motions.hpp"

namespace tact {
namespace {

using testing::rounding;

constexpr double pi = std::numbers::pi;

/// A pad that is stiffer along one direction, on both bodies, with friction that has a grain.
SoftPair grained_pair() {
  SoftPair pair;
  pair.normal = HertzNormal{1e6, 0.4, false};
  pair.tangent =
      PadTangent{SoftPad{(Mat2() << 5300, 1600, 1600, 2200).finished(), 0.7, Vec3(0.4, 1, -0.2)},
                 SoftPad{(Mat2() << 9000, -500, -500, 3000).finished(), 0.4, Vec3(0.1, -0.3, 1)}};
  pair.friction.tensor = FrictionTensor{(Mat2() << 0.3, 0.05, 0.05, 0.1).finished(), Vec3(1, 1, 1)};
  pair.centre_share = 0.3;
  return pair;
}

struct Scene {
  PairGeometry geometry;
  Mat3 R12;
};

Scene random_scene(Rng& rng) {
  const Pose X = testing::random_pose(rng);
  Scene scene{{}, exp_so3(testing::random_rotation_vector(rng))};
  PairGeometry& g = scene.geometry;
  g.E = X.R.leftCols<2>();
  g.n = X.R.col(2);
  g.gap = -rng.uniform(1e-4, 2e-3);
  const Mat2 R = Eigen::Rotation2Dd(rng.uniform(0, pi)).toRotationMatrix();
  g.A1 = R * Vec2(rng.uniform(10, 40), rng.uniform(10, 40)).asDiagonal() * R.transpose();
  g.A2 = Vec2(rng.uniform(-5, 40), rng.uniform(-5, 40)).asDiagonal();
  return scene;
}

/// The scene as body 2 sees it: its own frame, its own normal, any tangent basis.
Scene seen_from_two(const Scene& scene) {
  const PairGeometry& g = scene.geometry;
  Scene out{g, scene.R12.transpose()};
  const Mat2 exchange = (Mat2() << 0, 1, 1, 0).finished();  // e2, e1: turns the normal round
  out.geometry.n = -(out.R12 * g.n);
  out.geometry.E = out.R12 * g.E * exchange;
  out.geometry.A1 = exchange * g.A2 * exchange;
  out.geometry.A2 = exchange * g.A1 * exchange;
  return out;
}

/// Tensors of the tangent plane in space, the same whatever the basis was.
struct InSpace {
  Mat3 K_t, dU_dA, Q;
};
InSpace in_space(const SoftResponse& r, const Mat32& E) {
  return {E * r.K_t * E.transpose(), E * r.normal.dU_dA * E.transpose(),
          E * r.Q.topLeftCorner<2, 2>() * E.transpose()};
}

void expect_same(const SoftResponse& a, const Mat32& Ea, const SoftResponse& b, const Mat32& Eb) {
  const double bound = 64 * rounding;
  const InSpace x = in_space(a, Ea), y = in_space(b, Eb);
  EXPECT_NEAR(a.normal.energy, b.normal.energy, bound * a.normal.energy);
  EXPECT_NEAR(a.normal.force, b.normal.force, bound * a.normal.force);
  EXPECT_LE((x.dU_dA - y.dU_dA).norm(), bound * x.dU_dA.norm());
  EXPECT_LE((x.K_t - y.K_t).norm(), bound * x.K_t.norm());
  EXPECT_LE((x.Q - y.Q).norm(), bound * x.Q.norm());
  EXPECT_NEAR(a.k_theta, b.k_theta, bound * a.k_theta);
  EXPECT_NEAR(a.r_tau, b.r_tau, bound * a.r_tau);
  EXPECT_NEAR(a.Q(2, 2), b.Q(2, 2), bound * a.Q(2, 2));
}

TEST(SoftPair, AnswersTheSameInAnyTangentBasis) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const Scene scene = random_scene(rng);
    Scene turned = scene;
    const Mat2 R = Eigen::Rotation2Dd(rng.uniform(-pi, pi)).toRotationMatrix();
    turned.geometry.E = scene.geometry.E * R;
    turned.geometry.A1 = R.transpose() * scene.geometry.A1 * R;
    turned.geometry.A2 = R.transpose() * scene.geometry.A2 * R;
    const SoftPair pair = grained_pair();
    expect_same(respond(pair, place_of(pair, scene.geometry, scene.R12)), scene.geometry.E,
                respond(pair, place_of(pair, turned.geometry, turned.R12)), turned.geometry.E);
  }
}

TEST(SoftPair, AnswersTheSameWhenTheBodiesAreExchanged) {
  Rng rng(2);
  for (int i = 0; i < 200; ++i) {
    const Scene scene = random_scene(rng), other = seen_from_two(scene);
    const SoftPair pair = grained_pair(), swapped = exchanged(pair);
    EXPECT_DOUBLE_EQ(swapped.centre_share, 0.7);
    const Mat32 E2 = scene.R12 * other.geometry.E;
    expect_same(respond(pair, place_of(pair, scene.geometry, scene.R12)), scene.geometry.E,
                respond(swapped, place_of(swapped, other.geometry, other.R12)), E2);
  }
}

TEST(SoftPair, AnswersTheSameInAnyFrame) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const Scene scene = random_scene(rng);
    const Mat3 R = exp_so3(testing::random_rotation_vector(rng));
    Scene moved = scene;  // body 1 is described in a frame turned by R
    moved.geometry.E = R * scene.geometry.E;
    moved.geometry.n = R * scene.geometry.n;
    moved.R12 = R * scene.R12;
    const SoftPair pair = grained_pair();
    SoftPair described = pair;
    auto& pads = std::get<PadTangent>(described.tangent);
    pads.one->direction = R * pads.one->direction;
    described.friction.tensor->direction = R * described.friction.tensor->direction;
    const SoftResponse a = respond(pair, place_of(pair, scene.geometry, scene.R12));
    const SoftResponse b = respond(described, place_of(described, moved.geometry, moved.R12));
    expect_same(a, scene.geometry.E, b, R.transpose() * moved.geometry.E);
  }
}

TEST(SoftPair, MindlinsStiffnessGrowsWithThePatch) {
  const Material tip{4e5, 0.48, 1.5};
  const auto pair = elastic_pair(tip, hard_material, 0.8);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->centre_share, 1);
  SoftPlace place;
  place.gap = -1e-3;
  place.A_rel = Mat2::Identity() / 0.012;
  const SoftResponse r = respond(*pair, place);
  const double a = std::sqrt(0.012 * 1e-3), G = 4e5 / (2 * 1.48);
  EXPECT_NEAR(r.normal.patch.a, a, rounding * a);
  EXPECT_LE((r.K_t - 8 * G / 1.52 * a * Mat2::Identity()).norm(), rounding * r.K_t.norm());
  EXPECT_NEAR(r.k_theta, 16.0 / 3 * G * a * a * a, rounding * r.k_theta);
  EXPECT_NEAR(r.r_tau, 3 * pi / 16 * a, rounding * a);
  EXPECT_LE((r.Q.topLeftCorner<2, 2>() - r.K_t / 0.64).norm(), rounding * r.Q.norm());
  EXPECT_NEAR(r.Q(2, 2), r.k_theta / std::pow(0.8 * r.r_tau, 2), rounding * r.Q(2, 2));
  EXPECT_NEAR(normal_force(*pair, place, r, -0.1), r.normal.force * 1.15,
              rounding * r.normal.force);
}

TEST(SoftPair, LimitsOfForceAreTheSoftFingersEllipsoid) {
  Rng rng(4);
  const SoftPair pair = grained_pair();
  const Scene scene = random_scene(rng);
  const SoftPlace place = place_of(pair, scene.geometry, scene.R12);
  const SoftResponse r = respond(pair, place);
  const double f_n = 3;
  for (int i = 0; i < 50; ++i) {
    const Vec3 s = return_map(r.Q, f_n, testing::random_vec3(rng)).s;
    const Vec2 f_t = r.K_t_root * s.head<2>();
    const double torque = r.k_theta_root * s[2];
    Mat2 M = pair.friction.tensor->squared;
    const Mat2 frame = (Mat2() << place.friction_axis[0], -place.friction_axis[1],
                        place.friction_axis[1], place.friction_axis[0])
                           .finished();
    M = frame * M * frame.transpose();
    const double used = f_t.dot(M.inverse() * f_t) / (f_n * f_n) +
                        std::pow(torque / (pair.friction.coefficient * r.r_tau * f_n), 2);
    EXPECT_NEAR(used, 1, 1e-12);
  }
}

TEST(SoftPair, ApartNothingAnswers) {
  const SoftPair pair = grained_pair();
  SoftPlace place;
  place.A_rel = 50 * Mat2::Identity();
  for (const double gap : {0.0, 1e-3}) {
    place.gap = gap;
    const SoftResponse r = respond(pair, place);
    EXPECT_EQ(r.normal.force, 0);
    EXPECT_EQ(r.K_t, Mat2::Zero());
    EXPECT_EQ(r.k_theta, 0);
    EXPECT_EQ(normal_force(pair, place, r, -1), 0);
  }
}

TEST(SoftPair, FrozenCurvatureHasNoRollingWrench) {
  Rng rng(5);
  const Scene scene = random_scene(rng);
  SoftPair pair = grained_pair();
  const SoftResponse free = respond(pair, place_of(pair, scene.geometry, scene.R12));
  EXPECT_GT(free.normal.dU_dA.norm(), 0);
  pair.curvature = CurvatureUse::frozen;
  const Vec2 touch = relative_curvatures(scene.geometry.A1 + scene.geometry.A2);
  Scene rolled = scene;
  rolled.geometry.A1 *= 2;
  const SoftResponse frozen = respond(pair, place_of(pair, rolled.geometry, rolled.R12, &touch));
  EXPECT_NEAR(frozen.normal.energy, free.normal.energy, 64 * rounding * free.normal.energy);
  EXPECT_EQ(frozen.normal.dU_dA, Mat2::Zero());
}

TEST(SoftPair, WithoutFrictionThereAreNoTangentialSprings) {
  SoftPair pair = grained_pair();
  pair.friction = SoftFriction{0, {}, {}, 1};
  SoftPlace place;
  place.gap = -1e-3;
  place.A_rel = 50 * Mat2::Identity();
  const SoftResponse r = respond(pair, place);
  EXPECT_GT(r.normal.force, 0);
  EXPECT_EQ(r.K_t, Mat2::Zero());
  EXPECT_EQ(r.Q, Mat3::Zero());
}

TEST(SoftPair, WithInfiniteFrictionNothingSlips) {
  SoftPair pair = grained_pair();
  pair.friction = SoftFriction{std::numeric_limits<double>::infinity(), {}, {}, 1};
  pair.patch = PatchModel::none;
  ASSERT_TRUE(checked(pair));
  SoftPlace place;
  place.gap = -1e-3;
  place.A_rel = 50 * Mat2::Identity();
  const SoftResponse r = respond(pair, place);
  EXPECT_GT(r.K_t.norm(), 0);
  EXPECT_GT(r.k_theta, 0);
  EXPECT_EQ(r.Q, Mat3::Zero());
}

TEST(SoftPair, DampingBesideTheSprings) {
  SoftPair pair = grained_pair();
  pair.damping = {0.002, 0.01, 0.003};
  SoftPlace place;
  place.gap = -1e-3;
  place.A_rel = 50 * Mat2::Identity();
  const SoftResponse r = respond(pair, place);
  EXPECT_LE((r.B_t - 0.002 * r.K_t - 0.01 * r.K_t_root).norm(), rounding * r.B_t.norm());
  EXPECT_DOUBLE_EQ(r.b_theta, 0.003 * r.k_theta);
}

/// The sentence about a pair after something was changed in it.
template <class Change>
std::string fault(Change change) {
  SoftPair pair = grained_pair();
  change(pair);
  const auto answer = checked(pair, "thumb and cup");
  return answer ? "accepted" : answer.error().message;
}

TEST(SoftPairChecks, SaidWithTheNameOfThePair) {
  EXPECT_EQ(fault([](SoftPair&) {}), "accepted");
  EXPECT_EQ(fault([](SoftPair& p) {
              p.normal = LinearNormal{-1, 0, 0, true};
            }),
            "thumb and cup: the normal stiffness must be positive");
  EXPECT_EQ(fault([](SoftPair& p) {
              p.normal = HertzNormal{std::nan(""), 0, false};
            }),
            "thumb and cup: the contact modulus E* must be positive");
  EXPECT_EQ(fault([](SoftPair& p) {
              p.normal = LinearNormal{1, -1, 0, true};
            }),
            "thumb and cup: the normal damping must not be negative: it would make energy");
  EXPECT_EQ(fault([](SoftPair& p) { p.normal = UserNormal{}; }),
            "thumb and cup: a normal law of the user needs its energy function");
  EXPECT_EQ(fault([](SoftPair& p) { p.friction.coefficient = -0.1; }),
            "thumb and cup: the friction coefficient must not be negative");
  EXPECT_EQ(fault([](SoftPair& p) { p.friction.static_ratio = 0.9; }),
            "thumb and cup: static friction must not be less than sliding friction: a ratio of 1 "
            "or more");
  EXPECT_EQ(fault([](SoftPair& p) { p.centre_share = 1.2; }),
            "thumb and cup: the contact centre must lie between the bodies: a share from 0 to 1");
  EXPECT_EQ(fault([](SoftPair& p) { p.cells = 65; }), "thumb and cup: friction cells are 1 to 64");
  EXPECT_EQ(fault([](SoftPair& p) { p.damping.torsion_s = -1; }),
            "thumb and cup: the tangential damping must not be negative: it would make energy");
}

TEST(SoftPairChecks, OfTangentsAndFriction) {
  EXPECT_EQ(fault([](SoftPair& p) { p.friction.torsion_arm_m = -1; }),
            "thumb and cup: the torque arm of friction must not be negative");
  EXPECT_EQ(fault([](SoftPair& p) { p.friction.tensor->direction.setZero(); }),
            "thumb and cup: the direction of the friction tensor must not be zero");
  EXPECT_EQ(
      fault([](SoftPair& p) { p.friction.coefficient = 0; }),
      "thumb and cup: a friction tensor needs a positive coefficient beside it, for drilling");
  EXPECT_EQ(fault([](SoftPair& p) {
              p.tangent = MindlinTangent{-1, 1};
            }),
            "thumb and cup: the shear moduli G* and G_e must not be negative");
  EXPECT_EQ(fault([](SoftPair& p) { p.tangent = PadTangent{}; }),
            "thumb and cup: friction needs a pad on one body at least; a coefficient of zero needs "
            "none");
  EXPECT_EQ(fault([](SoftPair& p) {
              p.tangent = MindlinTangent{};
              p.patch = PatchModel::none;
            }),
            "thumb and cup: tangential stiffness after Mindlin needs a patch: hertz or quadric");
  EXPECT_EQ(
      fault([](SoftPair& p) { std::get<PadTangent>(p.tangent).two->torsion_Nm_per_rad = -1; }),
      "thumb and cup: a torsion stiffness must not be negative");
  EXPECT_EQ(fault([](SoftPair& p) { std::get<PadTangent>(p.tangent).one->direction.setZero(); }),
            "thumb and cup: the direction of a pad must not be zero");
}

TEST(SoftPairChecks, TensorsThatAreNotPositiveDefinite) {
  const std::string remedy =
      " must be positive definite; give positive numbers on the diagonal and less beside it";
  EXPECT_EQ(
      fault([](SoftPair& p) { std::get<PadTangent>(p.tangent).one->stiffness_N_per_m *= -1; }),
      "thumb and cup: the stiffness tensor of body 1" + remedy);
  EXPECT_EQ(fault([](SoftPair& p) { std::get<PadTangent>(p.tangent).two->stiffness_N_per_m *= 0; }),
            "thumb and cup: the stiffness tensor of body 2" + remedy);
  EXPECT_EQ(fault([](SoftPair& p) { p.friction.tensor->squared *= -1; }),
            "thumb and cup: the friction tensor" + remedy);
  EXPECT_FALSE(elastic_pair(Material{-1, 0.3, 0}, Material{}, 0.5));
  EXPECT_FALSE(elastic_pair(Material{}, Material{}, -0.5));
}

}  // namespace
}  // namespace tact
