// solve/pivoting.cpp - the tableau, the ratio test and the last basis.
#include "tact/solve/pivoting.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

/// Variables: w_k is k, z_k is n + k, z0 is 2 n.
struct Tableau {
  const MatX& M;
  const VecX& q;
  PivotWorkspace& t;
  Index n;
  double size;  ///< of q

  [[nodiscard]] Index artificial() const { return 2 * n; }
  [[nodiscard]] Index complement(Index variable) const {
    return variable < n ? variable + n : variable - n;
  }

  /// The column of a variable in w - M z - d z0 = q.
  void column_of(Index variable, Eigen::Ref<VecX> out) const {
    if (variable == artificial())
      out = -t.d;
    else if (variable >= n)
      out = -M.col(variable - n);
    else
      out = VecX::Unit(n, variable);
  }

  void start() const {
    t.basic.resize(n);
    t.nonbasic.resize(n + 1);
    t.place.resize(2 * n + 1);
    for (Index k = 0; k < n; ++k) {
      t.basic[k] = k;
      t.nonbasic[k] = n + k;
    }
    t.nonbasic[n] = artificial();
    t.tableau.resize(n, n + 1);
    t.tableau.leftCols(n) = -M;
    t.tableau.col(n) = -t.d;
    t.rhs = q;
    for (Index k = 0; k < n; ++k) t.place[t.basic[k]] = k;
    for (Index k = 0; k <= n; ++k) t.place[t.nonbasic[k]] = -1 - k;
  }

  void pivot(Index r, Index j) const {
    const double p = 1 / t.tableau(r, j);
    t.column = t.tableau.col(j);
    const double row_rhs = t.rhs[r] * p;
    for (Index k = 0; k <= n; ++k) {
      if (k == j) continue;
      const double entry = t.tableau(r, k) * p;
      if (entry == 0) continue;
      t.tableau.col(k) -= entry * t.column;
      t.tableau(r, k) = entry;
    }
    t.rhs -= row_rhs * t.column;
    t.rhs[r] = row_rhs;
    t.tableau.col(j) = -p * t.column;
    t.tableau(r, j) = p;
    std::swap(t.basic[r], t.nonbasic[j]);
    t.place[t.basic[r]] = r;
    t.place[t.nonbasic[j]] = -1 - j;
  }

  /// The present basis, factored.
  void factor() const {
    t.basis.resize(n, n);
    for (Index k = 0; k < n; ++k) column_of(t.basic[k], t.basis.col(k));
    t.lu.compute(t.basis);
  }

  /// The tableau of the present basis from M and q. False when the basis is singular.
  [[nodiscard]] bool refresh() const {
    factor();
    t.column.resize(n);
    for (Index k = 0; k <= n; ++k) {
      column_of(t.nonbasic[k], t.column);
      t.tableau.col(k) = t.lu.solve(t.column);
    }
    t.rhs = t.lu.solve(q);
    return t.tableau.allFinite() && t.rhs.allFinite();
  }

  /// Entry of row i of the inverse basis at the column of w_k.
  [[nodiscard]] double inverse(Index i, Index k) const {
    const Index at = t.place[k];
    if (at >= 0) return at == i ? 1 : 0;
    return t.tableau(i, -1 - at);
  }

  /// Whether row a comes before row b: (rhs, inverse basis) over the entry of column j.
  [[nodiscard]] bool lexicographically_less(Index a, Index b, Index j) const {
    const double pa = 1 / t.tableau(a, j);
    const double pb = 1 / t.tableau(b, j);
    for (Index k = 0; k < n; ++k) {
      const double x = inverse(a, k) * pa;
      const double y = inverse(b, k) * pb;
      if (std::abs(x - y) > tolerance::pivot * std::max(std::abs(x), std::abs(y))) return x < y;
    }
    return false;
  }

  /// The row that blocks the growth of the variable in column j; -1: none does.
  [[nodiscard]] Index blocking_row(Index j) const {
    const double entry = tolerance::pivot * t.tableau.col(j).cwiseAbs().maxCoeff();
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n; ++i)
      if (t.tableau(i, j) > entry)
        least = std::min(least, std::max(t.rhs[i], 0.0) / t.tableau(i, j));
    if (!std::isfinite(least)) return -1;
    Index best = -1;
    for (Index i = 0; i < n; ++i) {
      if (!(t.tableau(i, j) > entry)) continue;
      if (t.rhs[i] - least * t.tableau(i, j) > tolerance::tie * size) continue;
      if (t.basic[i] == artificial()) return i;
      if (best < 0 || lexicographically_less(i, best, j)) best = i;
    }
    return best;
  }

  /// Solves the basis anew, residuals in long double. False when a variable is negative.
  [[nodiscard]] bool finish(VecX& z) const {
    factor();
    t.rhs = t.lu.solve(q);
    constexpr int refinements = 3;
    for (int round = 0; round < refinements; ++round) {
      t.column.resize(n);
      for (Index i = 0; i < n; ++i) {
        auto sum = static_cast<long double>(q[i]);
        for (Index k = 0; k < n; ++k)
          sum -= static_cast<long double>(t.basis(i, k)) * static_cast<long double>(t.rhs[k]);
        t.column[i] = static_cast<double>(sum);
      }
      t.step = t.lu.solve(t.column);
      if (!t.step.allFinite()) return false;
      t.rhs += t.step;
    }
    const double largest = std::max(size, t.rhs.cwiseAbs().maxCoeff());
    if (!t.rhs.allFinite() || t.rhs.minCoeff() < -tolerance::basis * largest) return false;
    z.setZero(n);
    for (Index k = 0; k < n; ++k) {
      if (t.basic[k] == artificial()) return false;
      if (t.basic[k] >= n) z[t.basic[k] - n] = std::max(t.rhs[k], 0.0);
    }
    return true;
  }
};

/// First pivot: z0 enters, the most negative w leaves; on a tie the last.
Index first_row(const Tableau& tab) {
  Index row = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < tab.n; ++i) {
    const double ratio = tab.q[i] / tab.t.d[i];
    if (ratio <= least) {
      least = ratio;
      row = i;
    }
  }
  return row;
}

PivotEnd attempt(const Tableau& tab, int most, int& pivots, VecX& z) {
  PivotWorkspace& t = tab.t;
  tab.start();
  constexpr int interval = 40;
  const int refresh_after = std::max(interval, static_cast<int>(tab.n) / 2);
  Index row = first_row(tab);
  Index column = tab.n;
  for (int k = 1; k <= most; ++k) {
    const Index leaving = t.basic[row];
    tab.pivot(row, column);
    ++pivots;
    if (leaving == tab.artificial()) return tab.finish(z) ? PivotEnd::solution : PivotEnd::gave_up;
    if (k % refresh_after == 0 && !tab.refresh()) return PivotEnd::gave_up;
    column = -1 - t.place[tab.complement(leaving)];
    row = tab.blocking_row(column);
    if (row < 0) {
      if (!tab.refresh()) return PivotEnd::gave_up;
      row = tab.blocking_row(column);
    }
    if (row < 0) return PivotEnd::ray;
  }
  return PivotEnd::gave_up;
}

}  // namespace

PivotReport solve_lcp(const MatX& M, const VecX& q, const PivotOptions& options,
                      PivotWorkspace& work, VecX& z) {
  TACT_EXPECTS(M.rows() == q.size() && M.cols() == q.size());
  PivotReport report;
  const Index n = q.size();
  if (n == 0 || q.minCoeff() >= 0) {
    z.setZero(n);
    report.end = PivotEnd::solution;
    return report;
  }
  const Tableau tab{M, q, work, n, q.cwiseAbs().maxCoeff()};
  constexpr int per_row = 50;
  const int most = options.max_pivots > 0 ? options.max_pivots : per_row * static_cast<int>(n);
  work.d.resize(n);
  for (int k = 0; k < options.attempts && report.end != PivotEnd::solution; ++k) {
    // Ones first; then other directions, the same in every run.
    for (Index i = 0; i < n; ++i) {
      const double turn = std::sin(static_cast<double>((i + 1) * (k + 2)));
      work.d[i] = k == 0 ? 1 : 1 + turn * turn;
    }
    const PivotEnd end = attempt(tab, most, report.pivots, z);
    if (k == 0 || end == PivotEnd::solution) report.end = end;
  }
  return report;
}

}  // namespace tact
