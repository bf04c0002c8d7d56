#include "tact/contact/delassus.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tests/support/random_problems.hpp"
#include "tests/support/random_scenes.hpp"

namespace tact {
namespace {

MatX dense(const BlockMatrix& m) {
  MatX out = MatX::Zero(m.size(), m.size());
  for (Index i = 0; i < m.blocks(); ++i)
    for (Index e = m.row_begin[i]; e < m.row_begin[i + 1]; ++e)
      out.block(m.offset[i], m.offset[m.col[e]], m.rows_of(i), m.rows_of(m.col[e])) = m.block(i, e);
  return out;
}

TEST(Delassus, ByHandWithEveryTerm) {
  // Two degrees of freedom, one planar contact: rows [t, n] = axes.
  ContactProblem p;
  p.contacts.resize(1);
  p.contacts[0].law = CoulombLaw{0.5, true};
  p.contacts[0].restitution = 0.5;
  p.mass = sparse(Vec2(2, 4).asDiagonal().toDenseMatrix());
  p.velocity = Vec2(1, -3);
  p.impulse = Vec2(2, 8);
  p.rows = sparse(MatX::Identity(2, 2));
  p.excitation = Vec2(0.25, -1);
  p.dt = 0.1;
  const auto q = reduce(p);
  ASSERT_TRUE(q);
  EXPECT_TRUE(dense(q->G).isApprox((MatX(2, 2) << 0.5, 0, 0, 0.25).finished(), 1e-15));
  // t: 1 + 2/2 + 0.25; n: -3 + 8/4 - 1 + 0.5 (-3 - 1), restitution on the normal row alone.
  EXPECT_TRUE(q->b.isApprox(VecX(Vec2(2.25, -4)), 1e-15));

  p.contacts[0].gap = 0.3;  // open: may close by 3 m/s, whatever the stabilisation
  EXPECT_NEAR(reduce(p)->b[1], -4 + 3, 1e-14);
  p.contacts[0].gap = -0.3;
  EXPECT_NEAR(reduce(p)->b[1], -4, 1e-14) << "a penetration is left alone ...";
  p.contacts[0].stabilisation = 0.2;
  EXPECT_NEAR(reduce(p)->b[1], -4 - 0.6, 1e-14) << "... but for the share asked for";
  EXPECT_NEAR(reduce(p)->b[0], 2.25, 1e-14);
}

/// b = J (u⁻ + M⁻¹ p) + χ + e γ⁻ + s written out densely.
TEST(Delassus, AsTheDenseFormula) {
  Rng rng(1);
  for (int k = 0; k < 100; ++k) {
    ContactProblem p = testing::numbered_scene(k, {});
    SCOPED_TRACE(p.name);
    p.dt = 0.5;
    p.excitation = VecX::Zero(p.rows.rows());
    for (double& x : p.excitation) x = rng.normal();
    for (Contact& contact : p.contacts) {
      contact.restitution = rng.uniform();
      contact.gap = rng.normal();
      contact.stabilisation = rng.uniform();
    }
    const MatX J = p.rows, inverse = MatX(p.mass).inverse();
    const VecX before = J * p.velocity + p.excitation;
    VecX b = before + J * inverse * p.impulse;
    const auto offset = row_offsets(p.contacts);
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const Contact& c = p.contacts[i];
      const Index last = offset[i + 1] - 1;
      std::vector<Index> normal{last};
      if (c.law.index() >= 5) normal.insert(normal.end(), {offset[i], offset[i] + 1});
      for (const Index row : normal) b[row] += c.restitution * before[row];
      b[last] += (std::max(c.gap, 0.0) + c.stabilisation * std::min(c.gap, 0.0)) / p.dt;
    }
    const auto q = reduce(p);
    ASSERT_TRUE(q);
    const MatX G = J * inverse * J.transpose();
    EXPECT_LE((dense(q->G) - G).norm(), 1e-11 * G.norm());
    EXPECT_LE((q->b - b).norm(), 1e-11 * (b.norm() + before.norm()));
    EXPECT_EQ(q->rows(), offset.back());
    EXPECT_EQ(q->contacts(), static_cast<Index>(p.contacts.size()));
    // And after any impulses the contacts move with J u⁺ + χ.
    VecX lambda(b.size());
    for (double& x : lambda) x = rng.normal();
    const VecX after = velocity_after(p, lambda);
    EXPECT_LE((after - p.velocity - inverse * (p.impulse + J.transpose() * lambda)).norm(),
              1e-10 * (after.norm() + 1));
    EXPECT_LE((contact_velocity(p, after) - J * after - p.excitation).norm(),
              1e-12 * (J.norm() * after.norm() + 1));
  }
}

TEST(Delassus, TheProblemsOwnMatrixIsTakenAsItIs) {
  Rng rng(2);
  const ContactProblem p = testing::random_coulomb(rng, false, false, 4);
  const auto q = reduce(p);
  ASSERT_TRUE(q);
  EXPECT_EQ(dense(q->G), MatX(p.delassus));
  EXPECT_EQ(q->b, p.free_velocity);
}

TEST(Delassus, PassesRefusalsOn) {
  Rng rng(3);
  ContactProblem p = testing::random_coulomb(rng, true, false, 2);
  p.velocity.resize(1);
  EXPECT_EQ(reduce(p).error().message.substr(0, 8), "velocity");
  p = testing::random_coulomb(rng, true, false, 2);
  p.mass.coeffRef(1, 1) = -1;
  EXPECT_EQ(reduce(p).error().message.substr(0, 4), "mass");
}

/// Three scenes side by side, their contacts dealt like cards.
TEST(Delassus, IslandsAreTheProblemTakenApart) {
  std::vector<std::pair<int, Index>> deck;
  std::vector<DelassusProblem> parts;
  for (int k = 0; k < 3; ++k) {
    testing::SceneOptions options;
    options.bodies = 1;
    options.contacts = 3;
    parts.push_back(*reduce(testing::random_scene(static_cast<std::uint64_t>(k), options)));
  }
  std::vector<LocalLaw> laws;
  std::vector<Index> offset{0};
  for (Index i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      deck.emplace_back(k, i);
      laws.push_back(parts[static_cast<std::size_t>(k)].laws[static_cast<std::size_t>(i)]);
      offset.push_back(offset.back() + laws.back().rows);
    }
  MatX big = MatX::Zero(offset.back(), offset.back());
  VecX b(offset.back());
  for (std::size_t r = 0; r < deck.size(); ++r)
    for (std::size_t c = 0; c < deck.size(); ++c) {
      const auto& [k, i] = deck[r];
      const auto& [m, j] = deck[c];
      const DelassusProblem& part = parts[static_cast<std::size_t>(k)];
      if (r == c)
        b.segment(offset[r], laws[r].rows) = part.b.segment(part.G.offset[i], laws[r].rows);
      if (k != m) continue;
      big.block(offset[r], offset[c], laws[r].rows, laws[c].rows) =
          dense(part.G).block(part.G.offset[i], part.G.offset[j], laws[r].rows, laws[c].rows);
    }
  const DelassusProblem whole = delassus_problem(laws, block_matrix(sparse(big), offset), b);
  Islands islands = split(whole);
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(islands.problems.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(islands.contacts[k],
                (std::vector<Index>{static_cast<Index>(k), static_cast<Index>(k) + 3,
                                    static_cast<Index>(k) + 6}));
      EXPECT_EQ(dense(islands.problems[k].G), dense(parts[k].G));
      EXPECT_EQ(islands.problems[k].b, parts[k].b);
      for (Index i = 0; i < 3; ++i)
        EXPECT_EQ(islands.problems[k].metric(i).matrix(), parts[k].metric(i).matrix());
    }
    split(whole, islands);  // into the memory of the last
  }
  // Of another problem: the structure is made anew.
  split(parts[0], islands);
  ASSERT_EQ(islands.problems.size(), 1U);
  EXPECT_EQ(islands.problems[0].b, parts[0].b);
}

TEST(Delassus, MetricsFollowTheMatrix) {
  DelassusProblem p = delassus_problem(
      {local_law(CoulombLaw{0.5})},
      block_matrix(sparse(MatX::Identity(3, 3)), std::vector<Index>{0, 3}), VecX::Zero(3));
  EXPECT_EQ(p.metric(0).matrix(), MatX::Identity(3, 3));
  for (double& x : p.G.values) x *= 4;
  update_metrics(p);
  EXPECT_EQ(p.metric(0).matrix(), 4 * MatX::Identity(3, 3));
  EXPECT_EQ(p.metric(0).inverse(), 0.25 * MatX::Identity(3, 3));
}

}  // namespace
}  // namespace tact
