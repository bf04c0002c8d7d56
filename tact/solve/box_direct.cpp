// solve/box_direct.cpp - modes, the system they make, and what contradicts them.
#include "tact/solve/box_direct.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"

namespace tact {
namespace {

/// Half widths per unit of load. False when the law is no box along the axes.
bool half_widths(const LocalLaw& law, double* c) {
  c[law.normal_row()] = 0;
  if (law.kind == LawKind::frictionless) return true;
  if (law.kind == LawKind::interval) {
    c[0] = law.mu;
    return true;
  }
  if (law.kind != LawKind::polygon) return false;
  c[0] = c[1] = 0;
  if (law.polygon->size() == 1) return law.polygon->front().isZero(0);
  for (const Vec2& corner : *law.polygon) {
    c[0] = std::max(c[0], std::abs(corner[0]));
    c[1] = std::max(c[1], std::abs(corner[1]));
  }
  if (law.polygon->size() != 4) return false;
  return std::all_of(law.polygon->begin(), law.polygon->end(), [&](const Vec2& corner) {
    return std::abs(std::abs(corner[0]) - c[0]) <= tolerance::rounding * c[0] &&
           std::abs(std::abs(corner[1]) - c[1]) <= tolerance::rounding * c[1];
  });
}

/// Everything in units of the diagonal of D: x = λ / unit, u = unit times the velocity.
struct Exchange {
  const DelassusProblem& p;
  BoxWorkspace& w;
  int most = 0;
  int systems = 0;
  double alpha = 0;  ///< the part of the diagonal that is in A

  [[nodiscard]] Index rows() const { return p.rows(); }
  [[nodiscard]] bool is_normal(Index r) const { return w.normal[r] == r; }

  bool prepare() {
    const Index n = rows();
    w.bound.resize(n);
    w.unit.resize(n);
    w.normal.resize(n);
    w.modes.resize(n);
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index at = p.G.offset[i];
      double c[6];
      if (!half_widths(p.laws[i], c)) return false;
      for (Index r = 0; r < p.laws[i].rows; ++r) {
        w.normal[at + r] = at + p.laws[i].normal_row();
        w.bound[at + r] = c[r];
        w.unit[at + r] = 1 / std::sqrt(p.metric(i).matrix(r, r));
      }
    }
    // The bound in units of the rows.
    for (Index r = 0; r < n; ++r) w.bound[r] *= w.unit[w.normal[r]] / w.unit[r];
    w.A.setZero(n, n);
    for (Index i = 0; i < p.contacts(); ++i)
      for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
        const auto block = p.G.block(i, e);
        w.A.block(p.G.offset[i], p.G.offset[p.G.col[e]], block.rows(), block.cols()) = block;
      }
    w.A = w.unit.asDiagonal() * w.A * w.unit.asDiagonal();
    return true;
  }

  /// A = G + α D, and the centre of the proximal term at λ.
  void centre(double share, const VecX& lambda) {
    w.A.diagonal().array() += share - alpha;
    alpha = share;
    w.q = w.unit.cwiseProduct(p.b) - alpha * lambda.cwiseQuotient(w.unit);
  }

  /// The modes that the natural map of λ shows.
  void modes_of(const VecX& lambda) {
    multiply(p.G, lambda, w.u);
    for (Index r = rows() - 1; r >= 0; --r) {
      const double y = lambda[r] / w.unit[r] - w.unit[r] * (w.u[r] + p.b[r]);
      w.x[r] = y;
      if (is_normal(r))
        w.modes[r] = y > 0 ? RowMode::held : RowMode::open;
      else if (w.modes[w.normal[r]] == RowMode::open)
        w.modes[r] = RowMode::open;
      else if (w.bound[r] > 0 && std::abs(y) <= w.bound[r] * w.x[w.normal[r]])
        w.modes[r] = RowMode::held;
      else
        w.modes[r] = y > 0 ? RowMode::top : RowMode::bottom;
    }
  }

  /// x of the modes, and the velocities. lagged: sliding forces from the load in w.held.
  bool solve(bool lagged) {
    ++systems;
    const Index n = rows();
    w.system = w.A;
    w.rhs = -w.q;
    for (Index r = 0; r < n; ++r) {
      if (w.modes[r] == RowMode::held) continue;
      w.system.row(r).setZero();
      w.system(r, r) = 1;
      w.rhs[r] = 0;
      if (w.modes[r] == RowMode::open) continue;
      const double c = w.modes[r] == RowMode::top ? w.bound[r] : -w.bound[r];
      if (lagged)
        w.rhs[r] = c * w.held[w.normal[r]];
      else
        w.system(r, w.normal[r]) = -c;
    }
    w.lu.compute(w.system);
    w.x = w.lu.solve(w.rhs);
    w.u = w.q;
    w.u.noalias() += w.A * w.x;
    return w.x.allFinite();
  }

  /// The mode that the answer asks for in row r.
  [[nodiscard]] RowMode wanted(Index r, bool lagged, double slack) const {
    const RowMode mode = w.modes[r];
    if (is_normal(r)) {
      if (mode == RowMode::open) return w.u[r] < -slack ? RowMode::held : mode;
      return w.x[r] < -slack ? RowMode::open : mode;
    }
    if (w.modes[w.normal[r]] == RowMode::open && !lagged) return RowMode::open;
    if (!(w.bound[r] > 0)) return mode;
    const double load = lagged ? w.held[w.normal[r]] : std::max(w.x[w.normal[r]], 0.0);
    switch (mode) {
      case RowMode::held:
        if (std::abs(w.x[r]) <= w.bound[r] * load + slack) return mode;
        return w.x[r] > 0 ? RowMode::top : RowMode::bottom;
      case RowMode::top:
        return w.u[r] > slack ? RowMode::held : mode;
      case RowMode::bottom:
        return w.u[r] < -slack ? RowMode::held : mode;
      case RowMode::open:
        break;
    }
    return RowMode::held;
  }

  void change(Index r, RowMode mode, bool lagged) {
    w.modes[r] = mode;
    if (!is_normal(r) || lagged) return;
    // Friction follows its load: it sticks when the contact closes.
    for (Index k = r - 1; k >= 0 && w.normal[k] == r; --k)
      w.modes[k] = mode == RowMode::open ? RowMode::open
                   : w.bound[k] > 0      ? RowMode::held
                                         : RowMode::top;
  }

  /// True when nothing contradicts the modes.
  bool run(bool lagged, int limit) {
    Index least = rows() + 1;
    constexpr int trials = 5;
    int patience = trials;
    for (int k = 0; k < limit && systems < most; ++k) {
      if (!solve(lagged)) return false;
      const double slack =
          tolerance::tie * std::max(w.x.cwiseAbs().maxCoeff(), w.q.cwiseAbs().maxCoeff());
      Index wrong = 0;
      Index last = -1;
      for (Index r = 0; r < rows(); ++r)
        if (wanted(r, lagged, slack) != w.modes[r]) {
          ++wrong;
          last = r;
        }
      if (wrong == 0) return true;
      if (wrong < least) {
        least = wrong;
        patience = trials;
      } else {
        --patience;
      }
      if (patience <= 0) {
        change(last, wanted(last, lagged, slack), lagged);
        continue;
      }
      for (Index r = rows() - 1; r >= 0; --r) {
        const RowMode mode = wanted(r, lagged, slack);
        if (mode != w.modes[r]) change(r, mode, lagged);
      }
    }
    return false;
  }

  /// One proximal problem. The coupled exchange; where it goes round in circles, loads from held
  /// bounds first.
  bool step() {
    constexpr int short_run = 25;
    const int limit = short_run + static_cast<int>(rows());
    if (run(false, limit)) return true;
    constexpr int updates = 12;
    w.held = w.x.cwiseMax(0);
    for (int k = 0; k < updates && systems < most; ++k) {
      for (Index r = 0; r < rows(); ++r)
        if (!is_normal(r) && w.modes[r] == RowMode::open) w.modes[r] = RowMode::held;
      if (!run(true, 2 * limit)) return false;
      w.held = w.x.cwiseMax(0);
      for (Index r = 0; r < rows(); ++r)
        if (!is_normal(r) && w.modes[w.normal[r]] == RowMode::open) w.modes[r] = RowMode::open;
      if (run(false, short_run)) return true;
    }
    return false;
  }

  /// λ of x, made to obey the bounds exactly.
  void write(VecX& lambda) const {
    for (Index r = rows() - 1; r >= 0; --r) {
      double x = w.x[r];
      if (is_normal(r)) {
        x = std::max(x, 0.0);
      } else {
        const double most_x = w.bound[r] * lambda[w.normal[r]] / w.unit[w.normal[r]];
        x = std::clamp(x, -most_x, most_x);
      }
      lambda[r] = w.unit[r] * x;
    }
  }
};

}  // namespace

SolveReport box_direct(const DelassusProblem& p, const SolveOptions& options, BoxWorkspace& work,
                       VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  SolveReport report;
  report.solver = SolverName::box;
  report.residual = residual(p, lambda, work.judge);
  constexpr int base = 100;
  constexpr int per_row = 50;
  const int most = options.max_iterations > 0 ? options.max_iterations
                                              : base + per_row * static_cast<int>(p.rows());
  Exchange exchange{p, work, most};
  if (!exchange.prepare()) {
    report.status = SolveStatus::unsupported;
    return report;
  }
  work.best = lambda;
  work.x.resize(p.rows());
  work.modes.resize(p.rows());
  if (p.rows() > 0) exchange.modes_of(lambda);
  // The proximal loop: α small first; larger where the exchange fails, smaller again where it ends.
  constexpr double largest = 10;
  constexpr double ten = 10;
  constexpr int patience = 6;  // rounds without gain
  double alpha = tolerance::box;
  for (int stale = 0; stale < patience && exchange.systems < most;) {
    if (accepted(report.residual, options.tolerance)) break;
    exchange.centre(alpha, lambda);
    if (!exchange.step()) {
      alpha *= ten * ten;
      if (alpha > largest) break;
      lambda = work.best;
      exchange.modes_of(lambda);
      continue;
    }
    exchange.write(lambda);
    alpha = std::max(tolerance::box, alpha / ten);
    const Residual now = residual(p, lambda, work.judge);
    ++stale;
    if (!(now.natural < report.residual.natural)) continue;
    if (now.natural < 0.5 * report.residual.natural) stale = 0;
    report.residual = now;
    work.best = lambda;
  }
  lambda = work.best;
  report.iterations = exchange.systems;
  report.status = accepted(report.residual, options.tolerance) ? SolveStatus::converged
                                                               : SolveStatus::not_converged;
  return report;
}

}  // namespace tact
