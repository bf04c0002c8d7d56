// tests/support/random_problems.hpp - random contact problems in both forms, and when two are the
// same to the last bit.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/contact/problem.hpp"

namespace tact::testing {

inline VecX random_vector(Rng& rng, Index size) {
  VecX out(size);
  for (double& x : out) x = rng.normal() * rng.log_uniform(1e-3, 1e3);
  return out;
}

/// About a third of the entries.
inline SparseMatrix random_matrix(Rng& rng, Index rows, Index cols) {
  std::vector<Eigen::Triplet<double, int>> entries;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      if (rng.below(3) == 0) entries.emplace_back(i, j, rng.normal());
  SparseMatrix out(rows, cols);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

inline SparseMatrix random_mass(Rng& rng, Index dof) {
  const MatX root = MatX(random_matrix(rng, dof, dof));
  const MatX half = 0.5 * root * root.transpose() + MatX(VecX::Ones(dof).asDiagonal());
  return sparse(half + half.transpose());
}

/// Coulomb contacts; the mass form starts at rest, as the files of others do.
inline ContactProblem random_coulomb(Rng& rng, bool mass_form, bool planar, int contacts) {
  ContactProblem p;
  p.name = "random";
  p.contacts.resize(static_cast<std::size_t>(contacts));
  for (Contact& c : p.contacts) c.law = CoulombLaw{rng.uniform(), planar};
  const Index rows = row_offsets(p.contacts).back();
  if (mass_form) {
    const Index dof = 3 + static_cast<Index>(rng.below(30));
    p.mass = random_mass(rng, dof);
    p.velocity = VecX::Zero(dof);
    p.impulse = random_vector(rng, dof);
    p.rows = random_matrix(rng, rows, dof);
    p.excitation = random_vector(rng, rows);
  } else {
    p.delassus = random_matrix(rng, rows, rows);
    p.free_velocity = random_vector(rng, rows);
  }
  return p;
}

inline void expect_same_bits(double a, double b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " " << b;
}
inline void expect_same_bits(const VecX& a, const VecX& b) {
  ASSERT_EQ(a.size(), b.size());
  for (Index i = 0; i < a.size(); ++i) expect_same_bits(a[i], b[i]);
}
inline void expect_same_bits(const SparseMatrix& a, const SparseMatrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  ASSERT_EQ(a.nonZeros(), b.nonZeros());
  for (Index row = 0; row < a.outerSize(); ++row) {
    SparseMatrix::InnerIterator x(a, row), y(b, row);
    for (; x; ++x, ++y) {
      ASSERT_EQ(x.col(), y.col());
      expect_same_bits(x.value(), y.value());
    }
  }
}
inline void expect_same_contacts(const ContactProblem& a, const ContactProblem& b) {
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    EXPECT_EQ(a.contacts[i].law, b.contacts[i].law) << i;
    expect_same_bits(a.contacts[i].restitution, b.contacts[i].restitution);
    expect_same_bits(a.contacts[i].gap, b.contacts[i].gap);
    expect_same_bits(a.contacts[i].stabilisation, b.contacts[i].stabilisation);
  }
}
/// Names of contacts are left out: not every format has them.
inline void expect_same_bits(const ContactProblem& a, const ContactProblem& b) {
  expect_same_contacts(a, b);
  expect_same_bits(a.mass, b.mass);
  expect_same_bits(a.velocity, b.velocity);
  expect_same_bits(a.impulse, b.impulse);
  expect_same_bits(a.rows, b.rows);
  expect_same_bits(a.excitation, b.excitation);
  expect_same_bits(a.dt, b.dt);
  expect_same_bits(a.delassus, b.delassus);
  expect_same_bits(a.free_velocity, b.free_velocity);
  ASSERT_EQ(a.outcome.has_value(), b.outcome.has_value());
  if (!a.outcome) return;
  expect_same_bits(a.outcome->velocity, b.outcome->velocity);
  ASSERT_EQ(a.outcome->impulses.has_value(), b.outcome->impulses.has_value());
  if (!a.outcome->impulses) return;
  ASSERT_EQ(a.outcome->impulses->size(), b.outcome->impulses->size());
  for (std::size_t i = 0; i < a.outcome->impulses->size(); ++i)
    expect_same_bits((*a.outcome->impulses)[i], (*b.outcome->impulses)[i]);
}

}  // namespace tact::testing
