// solve/sliding_box.cpp - the equations of sliding over a box, and Krawczyk's step.
#include "tact/solve/sliding_box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include <Eigen/LU>
#include <Eigen/QR>

#include "tact/linalg/interval.hpp"
#include "tact/solve/solution_piece.hpp"

namespace tact {
namespace {

using Kind = UnitMode::Kind;
using IntervalVector = std::vector<Interval>;
using IntervalMatrix = std::vector<IntervalVector>;

Interval enclose(const Exact& x) {
  const double d = nearest(x);
  if (Exact(d) == x) return {d};
  return {Interval::down(d), Interval::up(d)};
}
IntervalVector enclose(const ExactVector& x) {
  IntervalVector out;
  for (const Exact& v : x) out.push_back(enclose(v));
  return out;
}

/// One unknown of a unit: the size of a fixed load, or the angle of a disc that slides.
struct Unknown {
  Index unit = 0;
  bool angle = false;
  ExactVector load;  ///< in the rows of the contact; of a sliding disc the normal, friction follows
  bool disc = false;
};

/// A functional of the unit's own rows of u that must be zero; of a disc, also across the motion.
struct Equation {
  Index unit = 0;
  bool across = false;
  ExactVector functional;
};

class SlidingSystem {
 public:
  SlidingSystem(const ExactProblem& p, const ModeChoice& choice) : p_(p), choice_(choice) {
    for (const ExactVector& row : p.G) G_.push_back(enclose(row));
    b_ = enclose(p.b);
    angle_.assign(p.units.size(), -1);
    size_.assign(p.units.size(), -1);
    for (std::size_t i = 0; i < p.units.size(); ++i) add_unit(static_cast<Index>(i));
  }

  [[nodiscard]] Index size() const { return static_cast<Index>(unknowns_.size()); }

  /// Every solution of the modes lies in it; nothing when an impulse has no bound.
  [[nodiscard]] std::optional<IntervalVector> box() const {
    const PieceSystem modes = mode_system(p_, choice_, {32, false});
    IntervalVector out;
    double largest = 0;
    for (const Unknown& x : unknowns_) {
      if (x.angle) {
        const UnitMode& sector = *choice_[x.unit];
        const double from = 2 * std::atan(sector.from);
        out.emplace_back(from, from + sector_width(sector));
        continue;
      }
      const auto bound = load_bounds(modes, x);
      if (!bound) return std::nullopt;
      out.push_back(*bound);
      largest = std::max({largest, std::abs(bound->low), std::abs(bound->high)});
    }
    // Room on all sides, so that a solution at a bound lies inside.
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double scale = unknowns_[k].angle ? 1 : largest;
      const double room = 0.05 * (out[k].high - out[k].low) + tolerance::regime * scale;
      out[k] = {Interval::down(out[k].low - room), Interval::up(out[k].high + room)};
    }
    return out;
  }

  [[nodiscard]] IntervalVector loads(const IntervalVector& z) const {
    IntervalVector lambda(b_.size());
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
      const Unknown& x = unknowns_[k];
      if (x.angle) continue;
      const IntervalVector own = x.disc ? disc_load(x.unit, z) : enclose(x.load);
      for (std::size_t r = 0; r < own.size(); ++r) {
        Interval& l = lambda[p_.units[x.unit].at + r];
        l = l + own[r] * z[k];
      }
    }
    return lambda;
  }

  [[nodiscard]] IntervalVector motion(const IntervalVector& z) const {
    const IntervalVector lambda = loads(z);
    IntervalVector u = b_;
    for (std::size_t r = 0; r < u.size(); ++r)
      for (std::size_t c = 0; c < u.size(); ++c) u[r] = u[r] + G_[r][c] * lambda[c];
    return u;
  }

  [[nodiscard]] IntervalVector equations(const IntervalVector& z) const {
    const IntervalVector u = motion(z);
    IntervalVector out;
    for (const Equation& e : equations_) out.push_back(apply(e, z, u));
    return out;
  }

  [[nodiscard]] IntervalMatrix derivative(const IntervalVector& z) const {
    return derivative(z, motion(z));
  }
  /// With velocities that are known better than z tells.
  [[nodiscard]] IntervalMatrix derivative(const IntervalVector& z, const IntervalVector& u) const {
    IntervalMatrix out(equations_.size(), IntervalVector(unknowns_.size()));
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
      const IntervalVector moved = push(derivative_load(unknowns_[k], z), unknowns_[k].unit);
      for (std::size_t e = 0; e < equations_.size(); ++e) {
        out[e][k] = apply(equations_[e], z, moved);
        if (unknowns_[k].angle && equations_[e].across && equations_[e].unit == unknowns_[k].unit)
          out[e][k] = out[e][k] - speed(unknowns_[k].unit, z, u);
      }
    }
    return out;
  }

  [[nodiscard]] const std::vector<Unknown>& unknowns() const { return unknowns_; }

  /// What one unit of an unknown moves.
  [[nodiscard]] IntervalVector effect(Index k, const IntervalVector& z) const {
    return push(derivative_load(unknowns_[k], z), unknowns_[k].unit);
  }

  /// The equations in the sizes of the loads, directions given: rows.size = right.
  void linear_equations(const std::vector<ExactDirection>& d, std::vector<ExactVector>& rows,
                        ExactVector& right) const {
    for (const Equation& e : equations_) {
      const ExactVector f = e.across ? ExactVector{-d[e.unit].y, d[e.unit].x, 0} : e.functional;
      ExactVector row;
      for (const Unknown& x : unknowns_)
        if (!x.angle) row.push_back(power(e.unit, f, x.unit, exact_load(x, d)));
      Exact r;
      for (std::size_t k = 0; k < f.size(); ++k) r -= f[k] * p_.b[p_.units[e.unit].at + k];
      rows.push_back(std::move(row));
      right.push_back(std::move(r));
    }
  }
  /// Velocities of sizes of loads, directions given; without b for a direction of them.
  [[nodiscard]] ExactVector exact_motion(const std::vector<ExactDirection>& d,
                                         const ExactVector& sizes, bool with_b) const {
    ExactVector lambda(p_.b.size());
    std::size_t next = 0;
    for (const Unknown& x : unknowns_) {
      if (x.angle) continue;
      const ExactVector load = exact_load(x, d);
      for (std::size_t r = 0; r < load.size(); ++r)
        lambda[p_.units[x.unit].at + r] += load[r] * sizes[next];
      ++next;
    }
    ExactVector u = motion_of(p_, lambda);
    for (std::size_t r = 0; r < u.size() && !with_b; ++r) u[r] -= p_.b[r];
    return u;
  }

  /// The lowest value of everything that a solution of the modes keeps above zero: below zero for
  /// certain, above zero for certain, or neither.
  [[nodiscard]] SlidingVerdict::End judge(const IntervalVector& z) const {
    const IntervalVector u = motion(z), lambda = loads(z);
    bool good = true, bad = false;
    const auto above = [&](const Interval& x) {
      good = good && x.low > 0;
      bad = bad || x.high < 0;
    };
    for (std::size_t i = 0; i < p_.units.size(); ++i) judge_unit(i, z, u, lambda, above);
    if (bad) return SlidingVerdict::End::none;
    return good ? SlidingVerdict::End::unique : SlidingVerdict::End::unknown;
  }

 private:
  void add_unit(Index i) {
    const ExactUnit& unit = p_.units[i];
    const UnitMode& mode = *choice_[i];
    if (mode.kind == Kind::separate) return;
    if (mode.kind == Kind::sector) {
      size_[i] = size();
      unknowns_.push_back({i, false, unit.normal, true});
      angle_[i] = size();
      unknowns_.push_back({i, true, {}, true});
      equations_.push_back({i, false, unit.normal});
      equations_.push_back({i, true, {}});
      return;
    }
    const auto count = static_cast<Index>(unit.corners.size());
    if (unit.round || (mode.first < 0 && count > 1)) return add_stick(i);
    equations_.push_back({i, false, unit.normal});
    for (const Index k : {mode.first < 0 ? 0 : mode.first, mode.last}) {
      if (k < 0 || (k == mode.last && mode.last == mode.first && k != mode.first)) continue;
      ExactVector load = unit.normal;
      for (std::size_t r = 0; r < load.size(); ++r) load[r] += unit.corners[k][r];
      unknowns_.push_back({i, false, load, false});
      if (mode.last == mode.first) break;
    }
    if (mode.first < 0 || mode.last == mode.first) return;
    ExactVector along = unit.corners[mode.last];
    for (std::size_t r = 0; r < along.size(); ++r) along[r] -= unit.corners[mode.first][r];
    equations_.push_back({i, false, along});
  }

  /// All rows of a point: any load, no motion.
  void add_stick(Index i) {
    for (Index r = 0; r < p_.units[i].rows; ++r) {
      ExactVector row(static_cast<std::size_t>(p_.units[i].rows));
      row[r] = 1;
      unknowns_.push_back({i, false, row, false});
      equations_.push_back({i, false, row});
    }
  }

  /// Least and greatest size of a load over the enclosure of the modes.
  [[nodiscard]] std::optional<Interval> load_bounds(const PieceSystem& modes,
                                                    const Unknown& x) const {
    const ExactVector f = size_functional(modes, x);
    ExactVector down = f;
    for (Exact& v : down) v = -v;
    const ExactMaximum high = maximise(modes.system, f, 0), low = maximise(modes.system, down, 0);
    if (high.end != ExactMaximum::End::found || low.end != ExactMaximum::End::found)
      return std::nullopt;
    return Interval{enclose(-low.value / p_.scale).low, enclose(high.value / p_.scale).high};
  }

  /// The size of the unknown's load as a functional of the columns.
  [[nodiscard]] ExactVector size_functional(const PieceSystem& modes, const Unknown& x) const {
    const ExactUnit& unit = p_.units[x.unit];
    const UnitMode& mode = *choice_[x.unit];
    const bool stick = !x.disc && (unit.round || (mode.first < 0 && unit.corners.size() > 1));
    if (x.disc) return load_row(p_, modes, unit.at + unit.rows - 1);
    if (stick) {
      const auto r = std::find(x.load.begin(), x.load.end(), Exact(1)) - x.load.begin();
      return load_row(p_, modes, unit.at + r);
    }
    ExactVector out(1);
    for (const ExactColumn& column : modes.columns) {
      ExactVector load = x.load;
      for (Exact& v : load) v *= unit.scale;
      const bool mine = column.unit == x.unit && column.load == load;
      out.push_back(mine ? unit.scale : Exact(0));
    }
    return out;
  }

  [[nodiscard]] ExactVector exact_load(const Unknown& x,
                                       const std::vector<ExactDirection>& d) const {
    if (!x.disc) return x.load;
    const Exact& mu = p_.units[x.unit].mu;
    return {-mu * d[x.unit].x, -mu * d[x.unit].y, Exact(1)};
  }
  /// f G load, of the rows of one unit and the load of another.
  [[nodiscard]] Exact power(Index i, const ExactVector& f, Index j, const ExactVector& load) const {
    Exact sum;
    for (std::size_t r = 0; r < f.size(); ++r)
      for (std::size_t c = 0; c < load.size(); ++c)
        sum += f[r] * p_.G[p_.units[i].at + r][p_.units[j].at + c] * load[c];
    return sum;
  }

  [[nodiscard]] IntervalVector disc_load(Index i, const IntervalVector& z) const {
    const Interval mu = enclose(p_.units[i].mu);
    const Interval& angle = z[angle_[i]];
    return {-(mu * cosine(angle)), -(mu * sine(angle)), Interval(1)};
  }
  [[nodiscard]] IntervalVector derivative_load(const Unknown& x, const IntervalVector& z) const {
    if (!x.disc) return enclose(x.load);
    if (!x.angle) return disc_load(x.unit, z);
    const Interval size = z[size_[x.unit]] * enclose(p_.units[x.unit].mu);
    const Interval& angle = z[angle_[x.unit]];
    return {size * sine(angle), -(size * cosine(angle)), Interval(0)};
  }

  [[nodiscard]] IntervalVector push(const IntervalVector& own, Index i) const {
    IntervalVector u(b_.size());
    for (std::size_t r = 0; r < u.size(); ++r)
      for (std::size_t c = 0; c < own.size(); ++c) u[r] = u[r] + G_[r][p_.units[i].at + c] * own[c];
    return u;
  }

  [[nodiscard]] Interval apply(const Equation& e, const IntervalVector& z,
                               const IntervalVector& u) const {
    const Index at = p_.units[e.unit].at;
    if (e.across) {
      const Interval& angle = z[angle_[e.unit]];
      return cosine(angle) * u[at + 1] - sine(angle) * u[at];
    }
    Interval sum;
    for (std::size_t r = 0; r < e.functional.size(); ++r)
      if (sgn(e.functional[r]) != 0) sum = sum + enclose(e.functional[r]) * u[at + r];
    return sum;
  }

  [[nodiscard]] Interval speed(Index i, const IntervalVector& z, const IntervalVector& u) const {
    const Interval& angle = z[angle_[i]];
    const Index at = p_.units[i].at;
    return cosine(angle) * u[at] + sine(angle) * u[at + 1];
  }

  template <class Above>
  void judge_unit(std::size_t i, const IntervalVector& z, const IntervalVector& u,
                  const IntervalVector& lambda, const Above& above) const {
    const ExactUnit& unit = p_.units[i];
    const UnitMode& mode = *choice_[i];
    const auto value = [&](const ExactVector& f, const IntervalVector& of) {
      Interval sum;
      for (Index r = 0; r < unit.rows; ++r)
        if (sgn(f[r]) != 0) sum = sum + enclose(f[r]) * of[unit.at + r];
      return sum;
    };
    if (mode.kind == Kind::separate) return above(value(unit.normal, u));
    if (mode.kind == Kind::sector) {
      const double from = 2 * std::atan(mode.from);
      above(z[size_[i]]);
      above(z[angle_[i]] - Interval(from));
      above(Interval(from + sector_width(mode)) - z[angle_[i]]);
      return above(speed(static_cast<Index>(i), z, u));
    }
    if (unit.round) {
      const Interval load = lambda[unit.at + 2];
      above(load);
      return above(square(enclose(unit.mu)) * square(load) - square(lambda[unit.at]) -
                   square(lambda[unit.at + 1]));
    }
    for (const ExactVector& f : face_half_spaces(unit, mode)) above(value(f, lambda));
    if (mode.first < 0) return;
    for (Index k = 0; k < static_cast<Index>(unit.corners.size()); ++k) {
      if (k == mode.first || k == mode.last) continue;
      ExactVector f = unit.corners[k];
      for (std::size_t r = 0; r < f.size(); ++r) f[r] -= unit.corners[mode.first][r];
      above(value(f, u));
    }
  }

  const ExactProblem& p_;
  const ModeChoice& choice_;
  IntervalMatrix G_;
  IntervalVector b_;
  std::vector<Unknown> unknowns_;
  std::vector<Equation> equations_;
  std::vector<Index> size_, angle_;  ///< unknowns of sliding discs; -1 for others
};

IntervalVector middle_of(const IntervalVector& Z) {
  IntervalVector out;
  for (const Interval& x : Z) out.emplace_back(x.middle());
  return out;
}

/// K(Z); nothing when the derivative in the middle is singular.
std::optional<IntervalVector> krawczyk(const SlidingSystem& system, const IntervalVector& Z) {
  const Index n = system.size();
  const IntervalVector z = middle_of(Z);
  const IntervalMatrix at_middle = system.derivative(z);
  MatX A(n, n);
  for (Index r = 0; r < n; ++r)
    for (Index c = 0; c < n; ++c) A(r, c) = at_middle[r][c].middle();
  const Eigen::FullPivLU<MatX> lu(A);
  if (!lu.isInvertible()) return std::nullopt;
  const MatX Y = lu.inverse();
  if (!Y.allFinite()) return std::nullopt;
  const IntervalVector F = system.equations(z);
  const IntervalMatrix J = system.derivative(Z);
  IntervalVector out;
  for (Index r = 0; r < n; ++r) {
    Interval sum = z[r];
    for (Index c = 0; c < n; ++c) sum = sum - Interval(Y(r, c)) * F[c];
    for (Index c = 0; c < n; ++c) {
      Interval rest(r == c ? 1.0 : 0.0);
      for (Index k = 0; k < n; ++k) rest = rest - Interval(Y(r, k)) * J[k][c];
      sum = sum + rest * (Z[c] - z[c]);
    }
    out.push_back(sum);
  }
  return out;
}

SolutionPiece piece_of(const ExactProblem& p, const ModeChoice& choice, const SlidingSystem& system,
                       const IntervalVector& z) {
  SolutionPiece out;
  std::vector<bool> loaded;
  for (const auto& mode : choice) {
    out.modes.push_back(*mode);
    loaded.push_back(mode->kind != Kind::separate);
  }
  out.labels = piece_labels(p, out.modes, loaded);
  out.round = true;
  const IntervalVector lambda = system.loads(z), u = system.motion(z);
  const auto fill = [&](const IntervalVector& x, VecX& low, VecX& high, VecX& middle) {
    low.resize(p.rows());
    high.resize(p.rows());
    middle.resize(p.rows());
    for (Index r = 0; r < p.rows(); ++r) {
      low[r] = x[r].low;
      high[r] = x[r].high;
      middle[r] = x[r].middle();
    }
  };
  fill(lambda, out.low, out.high, out.lambda);
  fill(u, out.u_low, out.u_high, out.u);
  for (const Interval& x : lambda) out.enclosed = std::max(out.enclosed, x.radius());
  return out;
}

// --------------------------------------------------------------------------------- a family

/// The direction of whole numbers and whole length at an angle, if there is a simple one.
std::optional<UnitMode> ray_at(double angle) {
  // tan of half the angle, or its inverse, is rational then: by its continued fraction.
  const double c = std::cos(angle / 2), s = std::sin(angle / 2);
  const bool steep = std::abs(s) > std::abs(c);
  const double ratio = steep ? c / s : s / c;
  constexpr double most = 1 << 20;
  double p0 = 1, q0 = 0, p = std::round(ratio), q = 1, rest = ratio - p;
  while (std::abs(ratio - p / q) > tolerance::regime) {
    const double next = std::round(1 / rest);
    rest = 1 / rest - next;
    std::tie(p0, p) = std::pair(p, next * p + p0);
    std::tie(q0, q) = std::pair(q, next * q + q0);
    if (std::abs(q) > most || !std::isfinite(rest)) return std::nullopt;
  }
  const double x = (q * q - p * p) * (steep ? -1 : 1), y = 2 * p * q;
  const auto common =
      static_cast<double>(std::gcd(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)));
  return UnitMode{Kind::ray, -1, -1, x / common, y / common};
}

/// A zero of the equations near the middle of the box, in doubles.
VecX near_zero(const SlidingSystem& system, const IntervalVector& box) {
  const Index n = system.size();
  IntervalVector z = middle_of(box);
  MatX A(n, n);
  VecX F(n);
  constexpr int steps = 20;
  for (int k = 0; k < steps; ++k) {
    const IntervalVector value = system.equations(z);
    const IntervalMatrix J = system.derivative(z);
    for (Index r = 0; r < n; ++r) {
      F[r] = value[r].middle();
      for (Index c = 0; c < n; ++c) A(r, c) = J[r][c].middle();
    }
    Eigen::CompleteOrthogonalDecomposition<MatX> solver;
    solver.setThreshold(tolerance::rank);
    const VecX step = solver.compute(A).solve(F);
    for (Index c = 0; c < n; ++c) z[c] = Interval(z[c].middle() - step[c]);
  }
  VecX out(n);
  for (Index c = 0; c < n; ++c) out[c] = z[c].middle();
  return out;
}

/// The affine family of loads that goes with fixed directions.
class Family {
 public:
  /// False if no loads go with them.
  bool find(const SlidingSystem& system, const std::vector<ExactDirection>& d,
            const std::vector<double>& angles) {
    system_ = &system;
    std::vector<ExactVector> rows;
    ExactVector right;
    system.linear_equations(d, rows, right);
    const auto one = solve_exactly(rows, right);
    if (!one) return false;
    Index loads = 0;
    for (const Unknown& x : system.unknowns()) place_.push_back(x.angle ? -1 : loads++);
    free_ = null_space(std::move(rows), loads);
    base_ = enclose(*one);
    u_ = enclose(system.exact_motion(d, *one, true));
    for (const ExactVector& v : free_) {
      along_.push_back(enclose(v));
      u_along_.push_back(enclose(system.exact_motion(d, v, false)));
      const auto chosen = std::find_if(v.begin(), v.end(), [&](const Exact& x) {
        const auto k = static_cast<std::size_t>(&x - v.data());
        return x == 1 && sgn((*one)[k]) == 0 &&
               std::count_if(free_.begin(), free_.end(),
                             [&](const ExactVector& w) { return sgn(w[k]) != 0; }) == 1;
      });
      if (chosen == v.end()) return false;
      chosen_.push_back(static_cast<Index>(chosen - v.begin()));
    }
    for (std::size_t i = 0; i < d.size(); ++i) {
      const double angle = std::atan2(d[i].y.get_d(), d[i].x.get_d());
      const double near = angles[i] - std::remainder(angles[i] - angle, 2 * std::numbers::pi);
      angle_.emplace_back(near - tolerance::rounding, near + tolerance::rounding);
    }
    return !free_.empty();
  }

  /// Whether no zero within the box is outside of the family; `pieces` bounds the work.
  bool holds_all(const IntervalVector& box, int& pieces) const {
    if (--pieces < 0) return false;
    if (no_other(box)) return true;
    Index widest = -1;
    for (const Index k : chosen_) {
      const auto at = std::find(place_.begin(), place_.end(), k) - place_.begin();
      if (widest < 0 || box[at].high - box[at].low > box[widest].high - box[widest].low)
        widest = at;
    }
    IntervalVector half = box;
    const double middle = box[widest].middle();
    half[widest] = {box[widest].low, middle};
    if (!holds_all(half, pieces)) return false;
    half[widest] = {middle, box[widest].high};
    return holds_all(half, pieces);
  }

 private:
  const SlidingSystem* system_ = nullptr;
  std::vector<Index> place_;  ///< of an unknown among the loads; -1 for angles
  std::vector<ExactVector> free_;
  std::vector<Index> chosen_;  ///< the load that is t, per free direction
  IntervalVector base_, u_, angle_;
  IntervalMatrix along_, u_along_;

  [[nodiscard]] bool is_chosen(std::size_t k) const {
    return place_[k] >= 0 && std::find(chosen_.begin(), chosen_.end(), place_[k]) != chosen_.end();
  }

  /// The value of an unknown in the family, over a box.
  [[nodiscard]] Interval member(std::size_t k, const IntervalVector& t) const {
    if (place_[k] < 0) return angle_[system_->unknowns()[k].unit];
    Interval out = base_[place_[k]];
    for (std::size_t j = 0; j < t.size(); ++j) out = out + along_[j][place_[k]] * t[j];
    return out;
  }

  [[nodiscard]] bool no_other(const IntervalVector& box) const {
    IntervalVector t;
    for (const Index k : chosen_)
      t.push_back(box[std::find(place_.begin(), place_.end(), k) - place_.begin()]);
    std::vector<std::size_t> open;  // unknowns that are y
    IntervalVector z = box, family = box, Y;
    for (std::size_t k = 0; k < box.size(); ++k) {
      if (is_chosen(k)) continue;
      family[k] = member(k, t);
      open.push_back(k);
      const Interval y = box[k] - family[k];
      Y.emplace_back(std::min(y.low, 0.0), std::max(y.high, 0.0));
    }
    constexpr int steps = 20;
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < open.size(); ++i) z[open[i]] = family[open[i]] + Y[i];
      const auto R = remainder(z, t, open, Y);
      if (!R) return false;
      bool contracts = true, shrinks = false;
      IntervalVector next = Y;
      for (std::size_t r = 0; r < open.size(); ++r) {
        Interval sum;
        double bound = 0, size = largest(Y[r]);
        for (std::size_t c = 0; c < open.size(); ++c) {
          sum = sum + (*R)[r][c] * Y[c];
          bound = Interval::up(bound + Interval::up(largest((*R)[r][c]) * largest(Y[c])));
        }
        contracts = contracts && (bound < size || size == 0);
        const Interval both = meet(sum, Y[r]);
        next[r] = {std::min(both.low, 0.0), std::max(both.high, 0.0)};
        shrinks = shrinks || next[r].high - next[r].low < 0.9 * (Y[r].high - Y[r].low);
      }
      if (contracts) return true;
      if (!shrinks) return false;
      Y = next;
    }
    return false;
  }
  static double largest(const Interval& x) { return std::max(std::abs(x.low), std::abs(x.high)); }

  /// 1 - M F_y over the box; nothing when the middle of F_y is singular.
  [[nodiscard]] std::optional<IntervalMatrix> remainder(const IntervalVector& z,
                                                        const IntervalVector& t,
                                                        const std::vector<std::size_t>& open,
                                                        const IntervalVector& Y) const {
    IntervalVector u = u_;
    for (std::size_t r = 0; r < u.size(); ++r)
      for (std::size_t j = 0; j < t.size(); ++j) u[r] = u[r] + u_along_[j][r] * t[j];
    for (std::size_t i = 0; i < open.size(); ++i) {
      const IntervalVector moved = system_->effect(static_cast<Index>(open[i]), z);
      for (std::size_t r = 0; r < u.size(); ++r) u[r] = u[r] + moved[r] * Y[i];
    }
    const IntervalMatrix J = system_->derivative(z, u);
    const auto rows = static_cast<Index>(J.size()), n = static_cast<Index>(open.size());
    MatX A(rows, n);
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < n; ++c) A(r, c) = J[r][open[c]].middle();
    Eigen::CompleteOrthogonalDecomposition<MatX> solver;
    solver.setThreshold(tolerance::rank);
    solver.compute(A);
    if (solver.rank() < n) return std::nullopt;
    const MatX M = solver.pseudoInverse();
    IntervalMatrix out(open.size(), IntervalVector(open.size()));
    for (Index r = 0; r < n; ++r)
      for (Index c = 0; c < n; ++c) {
        Interval rest(r == c ? 1.0 : 0.0);
        for (Index k = 0; k < rows; ++k) rest = rest - Interval(M(r, k)) * J[k][open[c]];
        out[r][c] = rest;
      }
    return out;
  }
};

/// Whether a direction lies inside the sector, not on its border.
bool inside_sector(const ExactDirection& d, const UnitMode& sector) {
  const ExactDirection a = direction_at(sector.from), b = direction_at(sector.to);
  return sgn(Exact(a.x * d.y - a.y * d.x)) > 0 && sgn(Exact(d.x * b.y - d.y * b.x)) > 0;
}

/// Redundant contacts: all solutions of the modes slide in the same directions, or nothing is
/// known.
SlidingVerdict sliding_family(const ExactProblem& p, const ModeChoice& choice,
                              const SlidingSystem& system, const IntervalVector& box) {
  SlidingVerdict out;
  out.singular = true;
  const VecX zero = near_zero(system, box);
  std::vector<ExactDirection> d(p.units.size(), ExactDirection{1, 0});
  std::vector<double> angles(p.units.size(), 0.0);
  out.rays = choice;
  for (std::size_t i = 0; i < choice.size(); ++i)
    if (p.units[i].round && choice[i]->kind == Kind::face) return out;  // polygons are not it
  for (Index k = 0; k < system.size(); ++k) {
    const Unknown& x = system.unknowns()[k];
    if (!x.angle) continue;
    if (!box[k].holds(zero[k])) return out;
    const auto ray = ray_at(zero[k]);
    if (!ray || !inside_sector(direction_of(*ray), *choice[x.unit])) return out;
    d[x.unit] = direction_of(*ray);
    angles[x.unit] = zero[k];
    out.rays[x.unit] = ray;
  }
  Family family;
  constexpr int most = 64;
  int pieces = most;
  if (!family.find(system, d, angles) || !family.holds_all(box, pieces)) return out;
  out.singular = false;
  const bool some = decide(mode_system(p, out.rays, {}).system).feasible;
  out.end = some ? SlidingVerdict::End::family : SlidingVerdict::End::none;
  return out;
}

}  // namespace

SlidingVerdict sliding_solution(const ExactProblem& p, const ModeChoice& choice) {
  SlidingVerdict out;
  constexpr double widest = 0.4;  // [rad] beyond it the step never contracts
  for (const auto& mode : choice)
    if (mode->kind == Kind::sector && sector_width(*mode) > widest) return out;
  const SlidingSystem system(p, choice);
  const auto box = system.box();
  if (!box) return out;
  IntervalVector Z = *box;
  bool one = false;
  constexpr int steps = 30;
  for (int k = 0; k < steps; ++k) {
    const auto K = krawczyk(system, Z);
    if (!K) return sliding_family(p, choice, system, *box);
    bool inside = true, shrinks = false;
    for (std::size_t i = 0; i < Z.size(); ++i) {
      inside = inside && (*K)[i].inside(Z[i]);
      const Interval common = meet(Z[i], (*K)[i]);
      if (!(common.low <= common.high)) {
        out.end = SlidingVerdict::End::none;
        return out;
      }
      shrinks = shrinks || common.high - common.low < 0.9 * (Z[i].high - Z[i].low);
      Z[i] = common;
    }
    one = one || inside;
    if (!shrinks) break;
  }
  const SlidingVerdict::End end = system.judge(Z);
  if (end == SlidingVerdict::End::none) {
    out.end = end;
  } else if (one && end == SlidingVerdict::End::unique) {
    out.end = end;
    out.piece = piece_of(p, choice, system, Z);
  }
  return out;
}

}  // namespace tact
