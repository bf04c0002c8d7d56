#include "tact/contact/local_law.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "tests/support/law_check.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

/// One contact with its metric, from a random scene.
struct One {
  Law law;
  LocalLaw local;
  std::vector<double> values;
  MatX block;

  One(const Law& given, const MatX& G, double spare = 1)
      : law(given),
        local(local_law(given)),
        values(static_cast<std::size_t>(metric_size(local))),
        block(G) {
    make_local_metric(local, block.data(), spare, values.data());
  }
  [[nodiscard]] LocalMetric metric() const { return {local.rows, values.data()}; }
};

MatX random_block(Rng& rng, Index n) {
  MatX root(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) root(i, j) = rng.normal();
  return root * root.transpose() + 0.1 * MatX::Identity(n, n);
}

One random_one(Rng& rng, int k) {
  testing::SceneOptions options;
  options.family = testing::all_families[k % 7];
  const Law law = testing::detail::random_law(rng, options);
  return {law, random_block(rng, row_count(law))};
}

VecX random_vector(Rng& rng, Index n) {
  VecX x(n);
  for (double& value : x) value = rng.normal();
  return x;
}

VecX projected(const One& one, const VecX& y) {
  LocalWorkspace work;
  VecX out(y.size());
  project(one.local, one.metric(), y.data(), out.data(), work);
  return out;
}

/// Of a projection, in units of the energy: rounding for points; friction on a patch is found by
/// iteration, which ends when the power is right to tolerance::friction.
double accuracy(const One& one) {
  constexpr double iterated = 1e-8;
  return one.local.kind == LawKind::patch_friction ? iterated : 1e-12;
}

TEST(LocalLaw, KindsAndRows) {
  EXPECT_EQ(local_law(Frictionless{}).kind, LawKind::frictionless);
  EXPECT_EQ(local_law(CoulombLaw{0.5}).kind, LawKind::disc);
  EXPECT_EQ(local_law(CoulombLaw{0.5, true}).kind, LawKind::interval);
  EXPECT_EQ(local_law(BoxLaw{0.5, 0.8, true}).kind, LawKind::interval);
  EXPECT_EQ(local_law(BoxLaw{0.5, 0.8, true}).mu, 0.4) << "half the width, not the coefficient";
  EXPECT_EQ(local_law(PyramidLaw{0.5, 5}).kind, LawKind::polygon);
  EXPECT_EQ(local_law(PyramidLaw{0.5, 5}).polygon->size(), 5U);
  Rng rng(1);
  for (int k = 0; k < 70; ++k) {
    const One one = random_one(rng, k);
    EXPECT_EQ(one.local.rows, row_count(one.law));
    EXPECT_EQ(one.local.is_patch(), one.law.index() >= 5);
    EXPECT_EQ(one.local.normal_row(), one.local.rows - 1);
  }
}

/// One row: Π cuts at the bounds, and its derivative is one between them.
TEST(LocalLaw, BoundedRowsAreCut) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  LocalWorkspace work;
  LocalMatrix derivative;
  const auto at = [&](const BoundedLaw& law, double y) {
    const One one(law, MatX::Constant(1, 1, 2));
    EXPECT_EQ(one.local.kind, LawKind::bounded);
    EXPECT_FALSE(one.local.is_patch());
    double out = 0;
    project(one.local, one.metric(), &y, &out, derivative, work);
    EXPECT_EQ(out, projected(one, VecX::Constant(1, y))[0]);
    return out;
  };
  EXPECT_EQ(at({-1, 2}, 0.5), 0.5);
  EXPECT_EQ(derivative(0, 0), 1);
  EXPECT_EQ(at({-1, 2}, 5), 2);
  EXPECT_EQ(derivative(0, 0), 0);
  EXPECT_EQ(at({-1, 2}, -5), -1);
  EXPECT_EQ(derivative(0, 0), 0);
  EXPECT_EQ(at({}, -5), -5);
  EXPECT_EQ(derivative(0, 0), 1);
  EXPECT_EQ(at({-infinity, -3}, 0), -3);
  EXPECT_EQ(at({4, 4}, 0), 4);
}

/// Π of equations is the identity; their metric is regular whatever the block, and the same in all
/// directions.
TEST(LocalLaw, EquationsTakeEveryImpulse) {
  const LocalLaw law = equation_law(3);
  EXPECT_EQ(law.rows, 3);
  const Vec3 along = Vec3(1, -2, 0.5).normalized();
  std::vector<double> values(static_cast<std::size_t>(metric_size(law)));
  const LocalMetric metric{3, values.data()};
  for (const Mat3& G : {Mat3(2 * Mat3::Identity()), Mat3(along * along.transpose()),
                        Mat3(Vec3(1, 1e-9, 0).asDiagonal()), Mat3(Mat3::Zero())}) {
    make_local_metric(law, G.data(), 0.5, values.data());
    const double mean = G.trace() > 0 ? G.trace() / 3 : 0.5;
    EXPECT_LE((metric.matrix() - mean * Mat3::Identity()).norm(), 1e-15 * mean);
    EXPECT_LE((metric.inverse() * metric.matrix() - Mat3::Identity()).norm(), 1e-15);
    const Vec3 y(3, -1e6, 1e-9);
    Vec3 out;
    LocalWorkspace work;
    LocalMatrix derivative;
    project(law, metric, y.data(), out.data(), derivative, work);
    EXPECT_EQ(out, y);
    EXPECT_EQ(MatX(derivative), MatX(Mat3::Identity()));
  }
}

/// D keeps the diagonal, and the coupling within the normal rows and within each part of friction.
TEST(LocalLaw, TheMetricIsTheBlockWithoutTheCouplingOfLoadAndFriction) {
  Rng rng(2);
  for (int k = 0; k < 70; ++k) {
    const One one = random_one(rng, k);
    const MatX D = one.metric().matrix(), inverse = one.metric().inverse();
    const Index n = one.local.rows;
    EXPECT_LE((D.diagonal() - one.block.diagonal()).norm(), 1e-14 * one.block.norm());
    EXPECT_LE((D * inverse - MatX::Identity(n, n)).norm(), 1e-10);
    EXPECT_EQ(D, MatX(D.transpose()));
    const RowSplit split = row_split(one.law);
    for (Index a = 0; a < split.normal_count; ++a)
      for (Index b = 0; b < split.tangent_count; ++b)
        EXPECT_EQ(D(split.normal[a], split.tangent[b]), 0);
    const VecX x = random_vector(rng, n);
    EXPECT_NEAR(energy(one.metric(), x.data()), x.dot(D * x), 1e-12 * x.dot(D * x));
    const VecX u = random_vector(rng, n);
    VecX y(n);
    natural_argument(one.metric(), x.data(), u.data(), y.data());
    EXPECT_LE((y - x + inverse * u).norm(), 1e-12 * (x.norm() + (inverse * u).norm()));
  }
}

/// λ = Π(λ - D⁻¹u) exactly where the law holds; [MontMarin25] (17), [FrictionM4] stick, slip.
TEST(LocalLaw, FixedPointsAreThePairsThatObeyTheLaw) {
  Rng rng(3);
  for (int k = 0; k < 2100; ++k) {
    const One one = random_one(rng, k);
    SCOPED_TRACE(std::string(name(one.law)) + " " + std::to_string(k));
    const Index n = one.local.rows;
    // λ = Π(y), u = D (λ - y) is a pair of the law for every y.
    const VecX y = 2 * random_vector(rng, n);
    const VecX lambda = projected(one, y);
    const VecX u = one.metric().matrix() * (lambda - y);
    std::vector<Contact> contacts(1);
    contacts[0].law = one.law;
    const DelassusProblem p =
        delassus_problem({one.local}, block_matrix(sparse(one.block), std::vector<Index>{0, n}),
                         u - one.block * lambda);
    const double scale =
        std::sqrt(energy(one.metric(), lambda.data()) + u.dot(one.metric().inverse() * u));
    EXPECT_LE(testing::law_violation(contacts, p, lambda, scale), accuracy(one));
    EXPECT_LE((projected(one, y) - lambda).norm(), 0);
    // A pair that is pushed off the law is pushed off the fixed point as well.
    VecX wrong = u;
    wrong[n - 1] -= 1 + std::abs(wrong[n - 1]);
    VecX argument(n);
    natural_argument(one.metric(), lambda.data(), wrong.data(), argument.data());
    EXPECT_GE((projected(one, argument) - lambda).norm(), 1e-3 * (projected(one, argument)).norm());
  }
}

TEST(LocalLaw, ProjectionsAreProjections) {
  Rng rng(4);
  for (int k = 0; k < 700; ++k) {
    const One one = random_one(rng, k);
    SCOPED_TRACE(name(one.law));
    const VecX y = random_vector(rng, one.local.rows);
    const VecX once = projected(one, y);
    EXPECT_LE((projected(one, once) - once).norm(), 1e-9 * (1 + once.norm()));
    // Positively homogeneous: no law knows a unit of impulse.
    EXPECT_LE((projected(one, 8 * y) - 8 * once).norm(), 1e-9 * (1 + once.norm()));
    EXPECT_GE(once[one.local.normal_row()], 0);
  }
}

/// Central differences of a piecewise smooth map, where both sides agree.
TEST(LocalLaw, DerivativesAreThoseOfTheMap) {
  Rng rng(5);
  int compared = 0;
  for (int k = 0; k < 1400; ++k) {
    const One one = random_one(rng, k);
    SCOPED_TRACE(std::string(name(one.law)) + " " + std::to_string(k));
    const Index n = one.local.rows;
    const VecX y = random_vector(rng, n);
    LocalWorkspace work;
    LocalMatrix derivative;
    VecX image(n);
    project(one.local, one.metric(), y.data(), image.data(), derivative, work);
    EXPECT_LE((image - projected(one, y)).norm(), 1e-14 * (1 + image.norm()));
    constexpr double h = 1e-5;
    for (Index c = 0; c < n; ++c) {
      VecX step = VecX::Zero(n);
      step[c] = h;
      const VecX right = (projected(one, y + step) - image) / h;
      const VecX left = (image - projected(one, y - step)) / h;
      if ((right - left).norm() > 1e-3 * (1 + right.norm())) continue;  // a kink within the step
      ++compared;
      // The curvature over a step, and for patches the library's own forward difference, whose
      // step is ten times what the iteration leaves.
      const double bound = one.local.kind == LawKind::patch_friction ? 0.05 : 2e-3;
      EXPECT_LE((derivative.col(c) - 0.5 * (right + left)).norm(), bound * (1 + right.norm()));
    }
  }
  EXPECT_GT(compared, 3000);
}

/// The associated law of static equilibrium: normal and friction go onto the cone together, in the
/// metric d I. The nearest point of the cone, by the conditions of Moreau, and its derivative.
TEST(LocalLaw, AssociatedFrictionProjectsOntoItsCone) {
  Rng rng(6);
  int inside = 0, edge = 0, apex = 0;
  for (int k = 0; k < 900; ++k) {
    const double mu = 0.1 + rng.uniform();
    LocalLaw law = local_law(CoulombLaw{mu});
    law.associated = true;
    double values[18];
    const MatX block = random_block(rng, 3);
    make_local_metric(law, block.data(), 1, values);
    const LocalMetric metric{3, values};
    EXPECT_LE((MatX(metric.matrix()) - metric.matrix(0, 0) * MatX::Identity(3, 3)).norm(),
              1e-14 * block.norm());
    const Vec3 y = random_vector(rng, 3);
    LocalWorkspace work;
    Vec3 on, image;
    LocalMatrix derivative;
    project(law, metric, y.data(), on.data(), work);
    project(law, metric, y.data(), image.data(), derivative, work);
    EXPECT_EQ(on, image);
    const Vec3 rest = y - on;  // in the polar cone, and across the image
    EXPECT_LE(on.head<2>().norm(), mu * on[2] + 1e-14);
    EXPECT_LE(rest[2] + mu * rest.head<2>().norm(), 1e-14);
    EXPECT_LE(std::abs(on.dot(rest)), 1e-14 * y.squaredNorm());
    (on.isZero(0) ? apex : rest.isZero(1e-14) ? inside : edge) += 1;
    constexpr double h = 1e-6;
    for (Index c = 0; c < 3; ++c) {
      Vec3 ahead, behind;
      const Vec3 step = h * Vec3::Unit(c), up = y + step, down = y - step;
      project(law, metric, up.data(), ahead.data(), work);
      project(law, metric, down.data(), behind.data(), work);
      const Vec3 left = (on - behind) / h, right = (ahead - on) / h;
      if ((left - right).norm() > 1e-3) continue;  // a kink within the step
      EXPECT_LE((derivative.col(c) - 0.5 * (left + right)).norm(), 1e-4);
    }
  }
  EXPECT_GT(std::min({inside, edge, apex}), 50);
}

TEST(LocalLaw, SingularBlocksGetARegularMetric) {
  Rng rng(6);
  for (int k = 0; k < 70; ++k) {
    testing::SceneOptions options;
    options.family = testing::all_families[k % 7];
    const Law law = testing::detail::random_law(rng, options);
    const Index n = row_count(law);
    const VecX direction = random_vector(rng, n);
    for (const MatX& block : {MatX(MatX::Zero(n, n)), MatX(direction * direction.transpose())}) {
      SCOPED_TRACE(std::string(name(law)) + " of rank " + (block.isZero(0) ? "0" : "1"));
      const One one(law, block, 2.5);
      const MatX D = one.metric().matrix();
      ASSERT_TRUE(D.allFinite() && one.metric().inverse().allFinite());
      EXPECT_GT(D.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0);
      const VecX unit = D.diagonal().cwiseSqrt();
      const MatX product = unit.cwiseInverse().asDiagonal() * D * one.metric().inverse();
      EXPECT_LE((product * unit.asDiagonal() - MatX::Identity(n, n)).norm(),
                tolerance::rounding / tolerance::metric);
      if (block.isZero(0)) {
        EXPECT_EQ(D(n - 1, n - 1), 2.5);
      }
      const VecX image = projected(one, random_vector(rng, n));
      EXPECT_TRUE(image.allFinite());
    }
  }
}

/// Turning rows are measured per squared length, in whatever unit of length.
TEST(LocalLaw, TheMetricOfARollingPointKnowsNoUnitOfLength) {
  Rng rng(7);
  const MatX block = random_block(rng, 6);
  const One metres(RollingLaw{0.5, 0.1, 0.05}, block);
  for (const double unit : {1e-6, 1e-3, 1e3, 1e6}) {
    VecX scale = VecX::Ones(6);
    scale.head<3>().setConstant(1 / unit);
    const MatX scaled = scale.asDiagonal() * block * scale.asDiagonal();
    const One other(RollingLaw{0.5, 0.1 * unit, 0.05 * unit}, scaled);
    const MatX back = scale.cwiseInverse().asDiagonal() * MatX(other.metric().matrix()) *
                      scale.cwiseInverse().asDiagonal();
    EXPECT_LE((back - metres.metric().matrix()).norm(), 1e-12 * block.norm()) << unit;
  }
}

}  // namespace
}  // namespace tact
