// tests/support/whole.hpp - whole numbers of 128 bits that refuse to overflow, and a little exact
// linear algebra.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "tact/modes/mode_system.hpp"

namespace tact::testing {

/// Every operation is exact or throws; / is for quotients that are known to be whole.
class Whole {
 public:
  __extension__ using Int = __int128;

  Whole() = default;
  Whole(int value) : value_(value) {}  // NOLINT(google-explicit-constructor): a number is one
  static Whole of(Int value) {
    Whole w;
    w.value_ = value;
    return w;
  }

  [[nodiscard]] Int value() const { return value_; }
  [[nodiscard]] int sign() const { return (value_ > 0 ? 1 : 0) - (value_ < 0 ? 1 : 0); }
  auto operator<=>(const Whole&) const = default;

  friend Whole operator+(Whole a, Whole b) {
    return checked(a, b, [](Int x, Int y, Int* z) { return __builtin_add_overflow(x, y, z); });
  }
  friend Whole operator-(Whole a, Whole b) {
    return checked(a, b, [](Int x, Int y, Int* z) { return __builtin_sub_overflow(x, y, z); });
  }
  friend Whole operator*(Whole a, Whole b) {
    return checked(a, b, [](Int x, Int y, Int* z) { return __builtin_mul_overflow(x, y, z); });
  }
  friend Whole operator/(Whole a, Whole b) {
    if (a.value_ % b.value_ != 0) throw std::domain_error("quotient is not whole");
    return of(a.value_ / b.value_);
  }
  friend Whole operator-(Whole a) { return Whole(0) - a; }

 private:
  template <class Operation>
  static Whole checked(Whole a, Whole b, Operation operation) {
    Whole result;
    if (operation(a.value_, b.value_, &result.value_)) throw std::overflow_error("128 bits");
    return result;
  }

  Int value_ = 0;
};

/// For messages of failed tests.
inline void PrintTo(const Whole& w, std::ostream* out) {
  *out << static_cast<double>(w.value());
}

using WholeRow = std::vector<Whole>;
using WholeRows = std::vector<WholeRow>;

inline Whole dot(const WholeRow& a, const WholeRow& b) {
  Whole sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum = sum + a[k] * b[k];
  return sum;
}

inline WholeRow negated(WholeRow row) {
  for (Whole& x : row) x = -x;
  return row;
}

/// The same direction in smallest whole numbers.
inline WholeRow reduced(WholeRow row) {
  Whole::Int divisor = 0;
  for (const Whole& x : row) {
    Whole::Int a = divisor;
    Whole::Int b = x.sign() < 0 ? -x.value() : x.value();
    while (b != 0) {
      const Whole::Int rest = a % b;
      a = b;
      b = rest;
    }
    divisor = a;
  }
  if (divisor > 1)
    for (Whole& x : row) x = x / Whole::of(divisor);
  return row;
}

/// A row of doubles as whole numbers of the same direction. Throws unless all are whole in units of
/// the largest over 2^40.
inline WholeRow whole_row(const VecX& row) {
  constexpr int places = 40;
  int exponent = 0;
  (void)std::frexp(row.size() > 0 ? row.cwiseAbs().maxCoeff() : 0.0, &exponent);
  WholeRow result;
  for (Index k = 0; k < row.size(); ++k) {
    const double scaled = std::ldexp(row[k], places - exponent);
    if (scaled != std::floor(scaled)) throw std::domain_error("not a small binary fraction");
    result.push_back(Whole::of(static_cast<Whole::Int>(scaled)));
  }
  return reduced(result);
}

inline WholeRows whole_rows(const ModeSystem& system) {
  WholeRows rows;
  for (Index k = 0; k < system.rows.rows(); ++k)
    rows.push_back(whole_row(system.rows.row(k).transpose()));
  return rows;
}

/// Gauss-Jordan without fractions: every pivot column is `scale` times a unit vector.
struct Echelon {
  WholeRows rows;  ///< the pivot rows only
  std::vector<std::size_t> pivots;
  Whole scale = 1;
};

inline Echelon echelon(WholeRows rows, std::size_t columns) {
  Echelon e;
  std::size_t rank = 0;
  for (std::size_t c = 0; c < columns && rank < rows.size(); ++c) {
    std::size_t p = rank;
    while (p < rows.size() && rows[p][c].sign() == 0) ++p;
    if (p == rows.size()) continue;
    std::swap(rows[p], rows[rank]);
    const WholeRow pivot = rows[rank];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == rank) continue;
      const Whole factor = rows[i][c];
      for (std::size_t k = 0; k < columns; ++k)
        rows[i][k] = (rows[i][k] * pivot[c] - factor * pivot[k]) / e.scale;
    }
    e.scale = pivot[c];
    e.pivots.push_back(c);
    ++rank;
  }
  rows.resize(rank);
  e.rows = std::move(rows);
  return e;
}

inline std::size_t rank_of(const WholeRows& rows, std::size_t columns) {
  return echelon(rows, columns).pivots.size();
}

/// A basis of { x : rows x = 0 }.
inline WholeRows null_space(const WholeRows& rows, std::size_t columns) {
  const Echelon e = echelon(rows, columns);
  WholeRows basis;
  for (std::size_t f = 0; f < columns; ++f) {
    if (std::ranges::find(e.pivots, f) != e.pivots.end()) continue;
    WholeRow x(columns);
    x[f] = e.scale;
    for (std::size_t k = 0; k < e.pivots.size(); ++k) x[e.pivots[k]] = -e.rows[k][f];
    basis.push_back(reduced(x));
  }
  return basis;
}

/// Rows as they act on coordinates of a subspace.
inline WholeRows on_subspace(const WholeRows& rows, const WholeRows& basis) {
  WholeRows result;
  for (const WholeRow& row : rows) {
    WholeRow r;
    for (const WholeRow& direction : basis) r.push_back(dot(row, direction));
    result.push_back(reduced(r));
  }
  return result;
}

}  // namespace tact::testing
