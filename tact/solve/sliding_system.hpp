// solve/sliding_system.hpp - the equations of exact Coulomb discs that slide, over intervals.
//
// Inside of sliding_box.hpp and sliding_family.hpp: unknowns are the sizes of fixed loads, and load
// and angle of every disc that slides; equations say which motions vanish.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "tact/linalg/interval.hpp"
#include "tact/solve/sliding_box.hpp"
#include "tact/solve/solution_piece.hpp"

namespace tact::detail {

using Kind = UnitMode::Kind;
using IntervalVector = std::vector<Interval>;
using IntervalMatrix = std::vector<IntervalVector>;

inline Interval enclose(const Exact& x) {
  const double d = nearest(x);
  if (Exact(d) == x) return {d};
  return {Interval::down(d), Interval::up(d)};
}
inline IntervalVector enclose(const ExactVector& x) {
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

inline IntervalVector middle_of(const IntervalVector& Z) {
  IntervalVector out;
  for (const Interval& x : Z) out.emplace_back(x.middle());
  return out;
}

}  // namespace tact::detail
