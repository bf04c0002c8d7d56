// poly/exact_lp.cpp - a tableau for doubles and rationals alike, and bases made exact.
#include "tact/poly/exact_lp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

/// a.x - surplus + artificial = rhs; x, surplus, artificial >= 0.
struct StandardForm {
  const ExactSystem& system;
  std::vector<bool> has_surplus;
  ExactVector rhs;          ///< zero or positive
  ExactVector cost;         ///< to be maximised; empty when only a point is asked for
  std::vector<long> power;  ///< rows divided by two to this have entries of size one

  [[nodiscard]] Index m() const { return static_cast<Index>(system.rows.size()); }
  [[nodiscard]] Index n() const { return system.columns; }
};

/// What is basic in a row of the tableau.
struct Basic {
  enum class Kind : std::uint8_t { column, surplus, artificial };
  Kind kind = Kind::artificial;
  Index of = 0;
};

enum class LpEnd { optimal, infeasible, unbounded, gave_up };
struct LpBasis {
  LpEnd end = LpEnd::gave_up;
  std::vector<Basic> basic;  ///< one per row
};

/// x = mantissa 2^power, without overflow whatever the size of x.
struct Scaled {
  double mantissa = 0;
  long power = 0;
};
Scaled scaled(const Exact& x) {
  long top = 0, bottom = 0;
  const double a = mpz_get_d_2exp(&top, x.get_num_mpz_t());
  const double b = mpz_get_d_2exp(&bottom, x.get_den_mpz_t());
  return {a / b, top - bottom};
}

Exact two_to(long power) {
  mpz_class out = 1;
  out <<= static_cast<unsigned long>(std::abs(power));
  return power < 0 ? Exact(mpz_class(1), out) : Exact(out);
}

/// The power of two of the largest entry; zero of a row of zeros.
long size_of(const ExactVector& row) {
  long out = std::numeric_limits<long>::min();
  for (const Exact& x : row)
    if (sgn(x) != 0) out = std::max(out, scaled(x).power);
  return out == std::numeric_limits<long>::min() ? 0 : out;
}

template <class T>
struct Arithmetic;

/// Entries are of size one after scaling; what pivots leave below this is rounding.
template <>
struct Arithmetic<double> {
  static constexpr bool exact = false;
  static double from(const Exact& x, long power) {
    const Scaled s = scaled(x);
    // A product of two powers this small is none; a larger one does not occur after scaling.
    constexpr long tiny = -1000;
    return std::ldexp(s.mantissa, static_cast<int>(std::clamp(s.power - power, tiny, -tiny)));
  }
  static bool positive(double x) { return x > tolerance::basis; }
};
template <>
struct Arithmetic<Exact> {
  static constexpr bool exact = true;
  static const Exact& from(const Exact& x, long) { return x; }
  static bool positive(const Exact& x) { return sgn(x) > 0; }
};

template <class T>
class Tableau {
 public:
  explicit Tableau(const StandardForm& form) : form_(form), m_(form.m()), n_(form.n()) {
    width_ = n_ + m_ + 1;
    table_.assign(static_cast<std::size_t>((m_ + 2) * width_), T(0));
    basic_.resize(static_cast<std::size_t>(m_));
    const std::vector<long> column = column_powers(form);
    for (Index r = 0; r < m_; ++r) {
      for (Index c = 0; c < n_; ++c)
        at(r, c) = Arithmetic<T>::from(form.system.rows[r][c], form.power[r] + column[c]);
      if (form.has_surplus[r]) at(r, n_ + r) = T(-1);
      at(r, n_ + m_) = Arithmetic<T>::from(form.rhs[r], form.power[r]);
      basic_[r] = {Basic::Kind::artificial, r};
      for (Index c = 0; c < width_; ++c) at(m_, c) += at(r, c);
    }
    const long cost = cost_power(form, column);
    for (Index c = 0; c < static_cast<Index>(form.cost.size()); ++c)
      at(m_ + 1, c) = Arithmetic<T>::from(form.cost[c], cost + column[c]);
  }

  LpBasis run() {
    LpBasis out;
    const LpEnd first = climb(m_);
    out.end = first;
    if (first == LpEnd::optimal) {
      if (Arithmetic<T>::positive(at(m_, n_ + m_)))
        out.end = LpEnd::infeasible;
      else if (!form_.cost.empty())
        out.end = second_phase();
    }
    out.basic = basic_;
    return out;
  }

 private:
  /// Of every column, after the rows are scaled.
  static std::vector<long> column_powers(const StandardForm& form) {
    std::vector<long> out(static_cast<std::size_t>(form.n()), 0);
    for (Index c = 0; c < form.n(); ++c) {
      long most = std::numeric_limits<long>::min();
      for (Index r = 0; r < form.m(); ++r)
        if (sgn(form.system.rows[r][c]) != 0)
          most = std::max(most, scaled(form.system.rows[r][c]).power - form.power[r]);
      if (most > std::numeric_limits<long>::min()) out[c] = most;
    }
    return out;
  }
  static long cost_power(const StandardForm& form, const std::vector<long>& column) {
    long most = std::numeric_limits<long>::min();
    for (std::size_t c = 0; c < form.cost.size(); ++c)
      if (sgn(form.cost[c]) != 0) most = std::max(most, scaled(form.cost[c]).power - column[c]);
    return most == std::numeric_limits<long>::min() ? 0 : most;
  }

  T& at(Index r, Index c) { return table_[static_cast<std::size_t>(r * width_ + c)]; }

  [[nodiscard]] bool is_artificial(Index r) const {
    return basic_[r].kind == Basic::Kind::artificial;
  }

  LpEnd second_phase() {
    in_second_ = true;
    return climb(m_ + 1);
  }

  /// The first column of positive price, or the largest price.
  Index entering(Index price, bool bland) {
    Index best = -1;
    for (Index c = 0; c < n_ + m_; ++c) {
      if (c >= n_ && !form_.has_surplus[c - n_]) continue;
      if (!Arithmetic<T>::positive(at(price, c))) continue;
      if (bland) return c;
      if (best < 0 || at(price, c) > at(price, best)) best = c;
    }
    return best;
  }

  /// Order of variables for Bland's rule: artificials first, so that they leave.
  [[nodiscard]] Index rank_of(Index r) const {
    const Basic& b = basic_[r];
    if (b.kind == Basic::Kind::artificial) return b.of - m_;
    return b.kind == Basic::Kind::surplus ? n_ + b.of : b.of;
  }

  Index leaving(Index column, bool bland) {
    Index best = -1;
    for (Index r = 0; r < m_; ++r) {
      T& pivot = at(r, column);
      // In the second phase artificials are zero and must stay so, whatever the sign.
      if (in_second_ && is_artificial(r) && Arithmetic<T>::positive(T(pivot * pivot))) return r;
      if (!Arithmetic<T>::positive(pivot)) continue;
      if (best < 0) {
        best = r;
        continue;
      }
      const T mine = at(r, n_ + m_) * at(best, column);
      const T other = at(best, n_ + m_) * pivot;
      if (tied(mine, other) ? better(r, best, column, bland) : mine < other) best = r;
    }
    return best;
  }
  static bool tied(const T& a, const T& b) {
    if constexpr (Arithmetic<T>::exact)
      return a == b;
    else
      return std::abs(a - b) <= tolerance::tie * (std::abs(a) + std::abs(b));
  }
  bool better(Index r, Index best, Index column, bool bland) {
    if (bland || Arithmetic<T>::exact) return rank_of(r) < rank_of(best);
    return at(r, column) > at(best, column);
  }

  void pivot(Index row, Index column) {
    const T inverse = T(1) / at(row, column);
    for (Index c = 0; c < width_; ++c)
      if (at(row, c) != 0) at(row, c) *= inverse;
    at(row, column) = T(1);
    for (Index r = 0; r < m_ + 2; ++r) {
      if (r == row || at(r, column) == 0) continue;
      const T factor = at(r, column);
      for (Index c = 0; c < width_; ++c)
        if (at(row, c) != 0) at(r, c) -= factor * at(row, c);
      at(r, column) = T(0);
      if constexpr (!Arithmetic<T>::exact)
        if (r < m_ && at(r, n_ + m_) < 0) at(r, n_ + m_) = 0;
    }
    // An artificial that has left is gone: there is no column for it.
    if (column < n_)
      basic_[row] = {Basic::Kind::column, column};
    else
      basic_[row] = {Basic::Kind::surplus, column - n_};
  }

  LpEnd climb(Index price) {
    const Index patient = 10 * (m_ + n_);
    const Index limit = Arithmetic<T>::exact ? std::numeric_limits<Index>::max() : 5 * patient;
    for (Index k = 0; k < limit; ++k) {
      const bool bland = Arithmetic<T>::exact || k > patient;
      const Index c = entering(price, bland);
      if (c < 0) return LpEnd::optimal;
      const Index r = leaving(c, bland);
      if (r < 0) return LpEnd::unbounded;
      pivot(r, c);
    }
    return LpEnd::gave_up;
  }

  const StandardForm& form_;
  Index m_, n_, width_ = 0;
  std::vector<T> table_;
  std::vector<Basic> basic_;
  bool in_second_ = false;
};

/// Which rows are tight, which multipliers are known, which columns are basic.
struct SplitBasis {
  std::vector<Index> columns, tight, open;
  std::vector<bool> slack_row, artificial_row;
};

SplitBasis split(const StandardForm& form, const LpBasis& basis) {
  SplitBasis out;
  out.slack_row.assign(static_cast<std::size_t>(form.m()), false);
  out.artificial_row = out.slack_row;
  for (const Basic& b : basis.basic) {
    if (b.kind == Basic::Kind::column) out.columns.push_back(b.of);
    if (b.kind == Basic::Kind::surplus) out.slack_row[b.of] = true;
    if (b.kind == Basic::Kind::artificial) out.artificial_row[b.of] = true;
  }
  for (Index r = 0; r < form.m(); ++r) {
    if (!out.slack_row[r]) out.tight.push_back(r);
    if (!out.slack_row[r] && !out.artificial_row[r]) out.open.push_back(r);
  }
  return out;
}

std::optional<ExactVector> exact_point(const StandardForm& form, const LpBasis& basis) {
  const SplitBasis s = split(form, basis);
  std::vector<ExactVector> A;
  ExactVector r;
  for (const Index row : s.tight) {
    ExactVector a;
    for (const Index c : s.columns) a.push_back(form.system.rows[row][c]);
    A.push_back(std::move(a));
    r.push_back(form.rhs[row]);
  }
  const auto x = solve_exactly(std::move(A), std::move(r));
  if (!x) return std::nullopt;
  ExactVector point(static_cast<std::size_t>(form.n()));
  for (std::size_t k = 0; k < s.columns.size(); ++k) {
    if (sgn((*x)[k]) < 0) return std::nullopt;
    point[s.columns[k]] = (*x)[k];
  }
  return point;
}

/// y.A = c on the basic columns, zero on rows with room, and where an artificial is basic its
/// price.
std::optional<ExactVector> exact_prices(const StandardForm& form, const LpBasis& basis,
                                        const ExactVector& artificial, const ExactVector& cost) {
  const SplitBasis s = split(form, basis);
  std::vector<ExactVector> A;
  ExactVector r;
  for (const Index c : s.columns) {
    ExactVector a;
    for (const Index row : s.open) a.push_back(form.system.rows[row][c]);
    Exact rest = cost.empty() ? Exact(0) : cost[c];
    for (const Index row : s.tight)
      if (s.artificial_row[row]) rest -= artificial[row] * form.system.rows[row][c];
    A.push_back(std::move(a));
    r.push_back(std::move(rest));
  }
  const auto y = solve_exactly(std::move(A), std::move(r));
  if (!y || y->size() != s.open.size()) return std::nullopt;
  ExactVector out(static_cast<std::size_t>(form.m()));
  for (std::size_t k = 0; k < s.open.size(); ++k) out[s.open[k]] = (*y)[k];
  for (Index row = 0; row < form.m(); ++row)
    if (s.artificial_row[row]) out[row] = artificial[row];
  return out;
}

/// `artificial`: what the pivots paid for an artificial of every row.
std::optional<ExactVerdict> verdict(const StandardForm& form, const LpBasis& basis,
                                    const ExactVector& artificial) {
  ExactVerdict out;
  if (basis.end == LpEnd::optimal) {
    const auto point = exact_point(form, basis);
    if (!point || !satisfies(form.system, *point)) return std::nullopt;
    out.feasible = true;
    out.point = *point;
    return out;
  }
  if (basis.end != LpEnd::infeasible) return std::nullopt;
  const auto prices = exact_prices(form, basis, artificial, {});
  if (!prices || !refutes(form.system, *prices)) return std::nullopt;
  out.multipliers = *prices;
  return out;
}

using IntegerRow = std::vector<mpz_class>;

/// The row times the least number that leaves no fractions.
IntegerRow without_fractions(const ExactVector& row) {
  mpz_class common = 1;
  for (const Exact& x : row)
    if (x.get_den() != 1) common = lcm(common, x.get_den());
  IntegerRow out;
  out.reserve(row.size());
  for (const Exact& x : row) out.emplace_back(x.get_num() * (common / x.get_den()));
  return out;
}

/// row = (pivot row - factor other) / before, which leaves no fractions (Bareiss 1968).
void eliminate(IntegerRow& row, const IntegerRow& other, std::size_t column,
               const mpz_class& before) {
  const mpz_class factor = row[column];
  const mpz_class& pivot = other[column];
  for (std::size_t k = 0; k < row.size(); ++k) {
    row[k] *= pivot;
    if (sgn(factor) != 0 && sgn(other[k]) != 0) row[k] -= factor * other[k];
    if (before != 1) mpz_divexact(row[k].get_mpz_t(), row[k].get_mpz_t(), before.get_mpz_t());
  }
}

/// Reduced row echelon form; the columns with a pivot. Over the integers, because fractions that
/// are shortened at every step spend their time on common divisors.
std::vector<Index> reduce_rows(std::vector<ExactVector>& A, Index columns) {
  std::vector<IntegerRow> rows;
  rows.reserve(A.size());
  for (const ExactVector& row : A) rows.push_back(without_fractions(row));
  std::vector<Index> pivots;
  mpz_class before = 1;
  for (Index c = 0; c < columns && pivots.size() < rows.size(); ++c) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(pivots.size());
    const auto found =
        std::find_if(first, rows.end(), [&](const IntegerRow& row) { return sgn(row[c]) != 0; });
    if (found == rows.end()) continue;
    std::swap(*first, *found);
    for (auto row = rows.begin(); row != rows.end(); ++row)
      if (row != first) eliminate(*row, *first, static_cast<std::size_t>(c), before);
    before = (*first)[c];
    pivots.push_back(c);
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t k = 0; k < rows[r].size(); ++k) {
      A[r][k] = Exact(rows[r][k], r < pivots.size() ? rows[r][pivots[r]] : mpz_class(1));
      A[r][k].canonicalize();
    }
  return pivots;
}

}  // namespace

double nearest(const Exact& x) {
  // mpq_get_d truncates towards zero; the neighbour may be closer.
  const double low = x.get_d();
  if (!std::isfinite(low) || Exact(low) == x) return low;
  const double high = std::nextafter(low, sgn(x) * std::numeric_limits<double>::infinity());
  if (!std::isfinite(high)) return low;
  return abs(Exact(x - low)) <= abs(Exact(high - x)) ? low : high;
}

Exact dot(const ExactVector& a, const ExactVector& b) {
  TACT_EXPECTS(a.size() == b.size());
  Exact sum;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (sgn(a[k]) != 0 && sgn(b[k]) != 0) sum += a[k] * b[k];
  return sum;
}

std::optional<ExactVector> solve_exactly(std::vector<ExactVector> A, ExactVector r) {
  if (A.empty()) return ExactVector{};
  const auto columns = static_cast<Index>(A[0].size());
  for (std::size_t k = 0; k < A.size(); ++k) A[k].push_back(r[k]);
  const auto pivots = reduce_rows(A, columns);
  for (std::size_t k = pivots.size(); k < A.size(); ++k)
    if (sgn(A[k][columns]) != 0) return std::nullopt;
  ExactVector x(static_cast<std::size_t>(columns));
  for (std::size_t k = 0; k < pivots.size(); ++k) x[pivots[k]] = A[k][columns];
  return x;
}

std::vector<ExactVector> null_space(std::vector<ExactVector> A, Index columns) {
  const auto pivots = reduce_rows(A, columns);
  std::vector<ExactVector> out;
  for (Index c = 0; c < columns; ++c) {
    if (std::find(pivots.begin(), pivots.end(), c) != pivots.end()) continue;
    ExactVector x(static_cast<std::size_t>(columns));
    x[c] = 1;
    for (std::size_t k = 0; k < pivots.size(); ++k) x[pivots[k]] = -A[k][c];
    out.push_back(std::move(x));
  }
  return out;
}

Index exact_rank(std::vector<ExactVector> A) {
  if (A.empty()) return 0;
  const auto columns = static_cast<Index>(A[0].size());
  return static_cast<Index>(reduce_rows(A, columns).size());
}

bool refutes(const ExactSystem& system, const ExactVector& y) {
  if (y.size() != system.rows.size()) return false;
  bool counts = false;
  for (std::size_t r = 0; r < y.size(); ++r) {
    if (system.sense[r] != Sense::zero && sgn(y[r]) < 0) return false;
    if (system.sense[r] == Sense::above && sgn(y[r]) > 0) counts = true;
  }
  if (!counts) return false;
  for (Index c = 0; c < system.columns; ++c) {
    Exact sum;
    for (std::size_t r = 0; r < y.size(); ++r)
      if (sgn(y[r]) != 0) sum += y[r] * system.rows[r][c];
    if (sgn(sum) > 0) return false;
  }
  return true;
}

bool satisfies(const ExactSystem& system, const ExactVector& x) {
  if (static_cast<Index>(x.size()) != system.columns) return false;
  if (std::any_of(x.begin(), x.end(), [](const Exact& v) { return sgn(v) < 0; })) return false;
  for (std::size_t r = 0; r < system.rows.size(); ++r) {
    const int sign = sgn(dot(system.rows[r], x));
    if (system.sense[r] == Sense::zero && sign != 0) return false;
    if (system.sense[r] == Sense::at_least && sign < 0) return false;
    if (system.sense[r] == Sense::above && sign <= 0) return false;
  }
  return true;
}

ExactVerdict decide(const ExactSystem& system) {
  StandardForm form{system, {}, {}, {}, {}};
  ExactVector paid;
  for (std::size_t r = 0; r < system.rows.size(); ++r) {
    form.has_surplus.push_back(system.sense[r] != Sense::zero);
    form.power.push_back(size_of(system.rows[r]));
    // Above zero is above any positive number; this one is of the size of the row.
    form.rhs.push_back(system.sense[r] == Sense::above ? two_to(form.power[r]) : Exact(0));
    paid.push_back(two_to(-form.power[r]));
  }
  if (const auto quick = verdict(form, Tableau<double>(form).run(), paid)) return *quick;
  const ExactVector ones(system.rows.size(), Exact(1));
  const auto slow = verdict(form, Tableau<Exact>(form).run(), ones);
  TACT_EXPECTS(slow.has_value());
  return *slow;
}

bool bounds(const ExactSystem& system, const ExactVector& c, Index unit, const Exact& value,
            const ExactVector& m) {
  if (m.size() != system.rows.size()) return false;
  for (std::size_t r = 0; r < m.size(); ++r)
    if (system.sense[r] != Sense::zero && sgn(m[r]) < 0) return false;
  for (Index k = 0; k < system.columns; ++k) {
    Exact rest = k == unit ? value : Exact(0);
    rest -= c[k];
    for (std::size_t r = 0; r < m.size(); ++r)
      if (sgn(m[r]) != 0) rest -= m[r] * system.rows[r][k];
    if (sgn(rest) < 0) return false;
  }
  return true;
}

namespace {

/// Whether c grows along a direction that the closed conditions allow, x[unit] held.
bool grows_without_end(const ExactSystem& system, const ExactVector& c, Index unit) {
  ExactSystem away;
  away.columns = system.columns;
  for (std::size_t r = 0; r < system.rows.size(); ++r)
    away.add(system.rows[r], system.sense[r] == Sense::zero ? Sense::zero : Sense::at_least);
  ExactVector held(static_cast<std::size_t>(system.columns));
  held[unit] = 1;
  away.add(std::move(held), Sense::zero);
  away.add(c, Sense::above);
  return decide(away).feasible;
}

}  // namespace

ExactMaximum maximise(const ExactSystem& system, const ExactVector& c, Index unit) {
  ExactSystem closed = system;
  for (Sense& s : closed.sense)
    if (s == Sense::above) s = Sense::at_least;
  ExactVector one(static_cast<std::size_t>(system.columns));
  one[unit] = 1;
  closed.add(std::move(one), Sense::zero);
  StandardForm form{closed, {}, {}, c, {}};
  for (std::size_t r = 0; r < closed.rows.size(); ++r) {
    form.has_surplus.push_back(closed.sense[r] != Sense::zero);
    form.power.push_back(size_of(closed.rows[r]));
    form.rhs.emplace_back(0);
  }
  form.rhs.back() = 1;
  const ExactVector free(closed.rows.size());

  const auto finish = [&](const LpBasis& basis) -> std::optional<ExactMaximum> {
    ExactMaximum out;
    if (basis.end != LpEnd::optimal) return std::nullopt;
    const auto point = exact_point(form, basis);
    const auto prices = exact_prices(form, basis, free, c);
    if (!point || !prices || (*point)[unit] != 1) return std::nullopt;
    out.end = ExactMaximum::End::found;
    out.value = dot(c, *point);
    out.point = *point;
    // Prices of rows a.x >= 0 that hold c down are negative: m = -y.
    for (std::size_t r = 0; r + 1 < prices->size(); ++r) out.multipliers.push_back(-(*prices)[r]);
    if (!bounds(system, c, unit, out.value, out.multipliers)) return std::nullopt;
    return out;
  };
  const LpBasis basis = Tableau<double>(form).run();
  if (auto quick = finish(basis)) return *quick;
  ExactMaximum out;
  if (basis.end == LpEnd::unbounded && decide(system).feasible &&
      grows_without_end(system, c, unit)) {
    out.end = ExactMaximum::End::unbounded;
    return out;
  }
  const LpBasis slow = Tableau<Exact>(form).run();
  if (slow.end == LpEnd::infeasible) return out;
  if (slow.end == LpEnd::unbounded) {
    out.end = ExactMaximum::End::unbounded;
    return out;
  }
  const auto sure = finish(slow);
  TACT_EXPECTS(sure.has_value());
  return *sure;
}

}  // namespace tact
