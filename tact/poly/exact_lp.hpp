// poly/exact_lp.hpp - small linear programs over the rationals, every answer with its proof.
//
// Pivots are found in floating point; what they end on is a basis, and a basis is made exact by one
// small linear system and judged by signs of rationals. Where that fails (ties, tiny pivots), the
// same pivoting runs over the rationals with Bland's rule. Either way the answer is exact.
//
// For rooms that decide exactly; it brings GMP's rationals with it.
#pragma once

#include <optional>
#include <vector>

#include <gmpxx.h>

#include "tact/linalg/types.hpp"

namespace tact {

using Exact = mpq_class;
using ExactVector = std::vector<Exact>;

/// a.x = 0, a.x >= 0 or a.x > 0.
enum class Sense { zero, at_least, above };

/// A homogeneous system in x >= 0. Inhomogeneous ones carry a column of constants and a row that
/// keeps it above zero.
struct ExactSystem {
  Index columns = 0;
  std::vector<ExactVector> rows;
  std::vector<Sense> sense;

  void add(ExactVector row, Sense s) {
    rows.push_back(std::move(row));
    sense.push_back(s);
  }
};

/// Either a point, or one multiplier per row that proves there is none.
struct ExactVerdict {
  bool feasible = false;
  ExactVector point;
  ExactVector multipliers;  ///< see refutes()
};

/// Motzkin's alternative: y >= 0 on inequalities, y.A <= 0 in every column, and y > 0 on some row
/// that must be above zero. Then 0 < y.A x <= 0 for every x that satisfies the rows.
[[nodiscard]] bool refutes(const ExactSystem& system, const ExactVector& multipliers);
/// Whether the point satisfies every row and is not negative.
[[nodiscard]] bool satisfies(const ExactSystem& system, const ExactVector& point);

[[nodiscard]] ExactVerdict decide(const ExactSystem& system);

/// max c.x over the closure of the system (above becomes at_least) with x[unit] = 1.
struct ExactMaximum {
  enum class End { found, empty, unbounded };
  End end = End::empty;
  Exact value;
  ExactVector point;
  /// c.x = value x[unit] - Σ m_r a_r.x - (something >= 0).x: m >= 0 on inequalities and
  /// value e_unit - c - m.A >= 0 in every column prove that nothing is larger.
  ExactVector multipliers;
};
[[nodiscard]] ExactMaximum maximise(const ExactSystem& system, const ExactVector& c, Index unit);
[[nodiscard]] bool bounds(const ExactSystem& system, const ExactVector& c, Index unit,
                          const Exact& value, const ExactVector& multipliers);

/// One solution of A x = r in unknowns as many as columns, free ones zero; nothing when there is
/// none.
[[nodiscard]] std::optional<ExactVector> solve_exactly(std::vector<ExactVector> A, ExactVector r);
/// Vectors that span { x : A x = 0 }.
[[nodiscard]] std::vector<ExactVector> null_space(std::vector<ExactVector> A, Index columns);
[[nodiscard]] Index exact_rank(std::vector<ExactVector> A);

/// The double next to a rational.
[[nodiscard]] double nearest(const Exact& x);
[[nodiscard]] Exact dot(const ExactVector& a, const ExactVector& b);

}  // namespace tact
