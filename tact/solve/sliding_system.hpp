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
  Index row = -1;  ///< of the contact, which nothing else loads; -1 for a corner
};

/// A functional of the unit's own rows of u that must be zero; of a disc, also across the motion.
struct Equation {
  Index unit = 0;
  bool across = false;
  ExactVector functional;
};

/// Equations of the sizes of the loads, once directions are given.
struct LinearEquations {
  std::vector<ExactVector> effects;  ///< what one unit of every load moves
  std::vector<ExactVector> rows;     ///< rows.size = right
  ExactVector right;
};

inline VecX middle_of(const IntervalVector& x) {
  VecX out(static_cast<Index>(x.size()));
  for (Index r = 0; r < out.size(); ++r) out[r] = x[r].middle();
  return out;
}
inline MatX middle_of(const IntervalMatrix& m) {
  MatX out(static_cast<Index>(m.size()), static_cast<Index>(m.front().size()));
  for (Index r = 0; r < out.rows(); ++r) out.row(r) = middle_of(m[r]).transpose();
  return out;
}

/// u + size v.
inline IntervalVector plus(IntervalVector u, const Interval& size, const IntervalVector& v) {
  for (std::size_t r = 0; r < u.size(); ++r) u[r] = u[r] + v[r] * size;
  return u;
}

/// 1 - M F.
inline IntervalMatrix rest_of_one(const MatX& M, const IntervalMatrix& F) {
  const auto n = static_cast<std::size_t>(M.rows());
  IntervalMatrix out(n, IntervalVector(n));
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) {
      out[r][c] = Interval(r == c ? 1.0 : 0.0);
      for (std::size_t k = 0; k < F.size(); ++k)
        out[r][c] = out[r][c] - Interval(M(static_cast<Index>(r), static_cast<Index>(k))) * F[k][c];
    }
  return out;
}

class SlidingSystem {
 public:
  SlidingSystem(const ExactProblem& p, const ModeChoice& choice)
      : p_(p),
        choice_(choice),
        b_(enclose(p.b)),
        size_(p.units.size(), -1),
        angle_(p.units.size(), -1) {
    for (const ExactVector& row : p.G) G_.push_back(enclose(row));
    for (std::size_t i = 0; i < p.units.size(); ++i) add_unit(static_cast<Index>(i));
  }

  [[nodiscard]] Index size() const { return static_cast<Index>(unknowns_.size()); }
  [[nodiscard]] const std::vector<Unknown>& unknowns() const { return unknowns_; }

  /// Every solution of the modes lies in it; nothing when an impulse has no bound.
  [[nodiscard]] std::optional<IntervalVector> box() const {
    const PieceSystem modes = mode_system(p_, choice_, {32, false});
    IntervalVector out;
    double largest = 0;
    for (const Unknown& x : unknowns_) {
      const auto bound = x.angle ? std::optional(sector_of(x.unit)) : load_bounds(modes, x);
      if (!bound) return std::nullopt;
      out.push_back(*bound);
      if (!x.angle) largest = std::max({largest, std::abs(bound->low), std::abs(bound->high)});
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
      const IntervalVector own = derivative_load(x, z);
      for (std::size_t r = 0; r < own.size(); ++r) {
        Interval& l = lambda[p_.units[x.unit].at + r];
        l = l + own[r] * z[k];
      }
    }
    return lambda;
  }

  [[nodiscard]] IntervalVector motion(const IntervalVector& z) const {
    return pushed(b_, loads(z), 0);
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
      const IntervalVector moved = effect(k, z);
      for (std::size_t e = 0; e < equations_.size(); ++e) {
        out[e][k] = apply(equations_[e], z, moved);
        if (unknowns_[k].angle && equations_[e].across && equations_[e].unit == unknowns_[k].unit)
          out[e][k] = out[e][k] - speed(unknowns_[k].unit, z, u);
      }
    }
    return out;
  }

  /// What one unit of an unknown moves.
  [[nodiscard]] IntervalVector effect(std::size_t k, const IntervalVector& z) const {
    const Unknown& x = unknowns_[k];
    return pushed(IntervalVector(b_.size()), derivative_load(x, z), p_.units[x.unit].at);
  }

  [[nodiscard]] LinearEquations linear_equations(const std::vector<ExactDirection>& d) const {
    LinearEquations out;
    for (const Unknown& x : unknowns_) {
      if (x.angle) continue;
      const ExactUnit& unit = p_.units[x.unit];
      const ExactDirection& along = d[x.unit];
      const Exact against = -unit.mu;
      out.effects.push_back(effect_of(
          p_, unit.at, x.disc ? ExactVector{against * along.x, against * along.y, 1} : x.load));
    }
    for (const Equation& e : equations_) {
      const ExactVector f = e.across ? ExactVector{-d[e.unit].y, d[e.unit].x, 0} : e.functional;
      const Index at = p_.units[e.unit].at;
      ExactVector& row = out.rows.emplace_back();
      for (const ExactVector& effect : out.effects) row.push_back(dot_at(f, effect, at));
      out.right.push_back(-dot_at(f, p_.b, at));
    }
    return out;
  }

  /// The lowest value of everything that a solution of the modes keeps above zero: below zero for
  /// certain, above zero for certain, or neither.
  [[nodiscard]] SlidingVerdict::End judge(const IntervalVector& z) const {
    const IntervalVector u = motion(z), lambda = loads(z);
    bool good = true, bad = false;
    for (std::size_t i = 0; i < p_.units.size(); ++i)
      for (const Interval& x : kept_positive(static_cast<Index>(i), z, u, lambda)) {
        good = good && x.low > 0;
        bad = bad || x.high < 0;
      }
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
      unknowns_.push_back({i, false, unit.normal, true, unit.rows - 1});
      angle_[i] = size();
      unknowns_.push_back({i, true, {}, true, -1});
      equations_.push_back({i, false, unit.normal});
      equations_.push_back({i, true, {}});
      return;
    }
    if (unit.round || (mode.first < 0 && unit.corners.size() > 1)) return add_stick(i);
    const auto add_corner = [&](Index k) {
      unknowns_.push_back({i, false, unit.normal + unit.corners[k], false, -1});
    };
    equations_.push_back({i, false, unit.normal});
    add_corner(std::max<Index>(mode.first, 0));
    if (mode.last == mode.first) return;
    add_corner(mode.last);
    equations_.push_back({i, false, unit.corners[mode.last] - unit.corners[mode.first]});
  }

  /// All rows of a point: any load, no motion.
  void add_stick(Index i) {
    for (Index r = 0; r < p_.units[i].rows; ++r) {
      const ExactVector row = unit_vector(p_.units[i].rows, r);
      unknowns_.push_back({i, false, row, false, r});
      equations_.push_back({i, false, row});
    }
  }

  /// The angles of a disc that slides.
  [[nodiscard]] Interval sector_of(Index i) const {
    const double from = 2 * std::atan(choice_[i]->from);
    return {from, from + sector_width(*choice_[i])};
  }

  /// Least and greatest size of a load over the enclosure of the modes.
  [[nodiscard]] std::optional<Interval> load_bounds(const PieceSystem& modes,
                                                    const Unknown& x) const {
    const ExactVector f = size_functional(modes, x);
    const auto high = greatest(modes.system, f), low = greatest(modes.system, Exact(-1) * f);
    if (!high || !low) return std::nullopt;
    return Interval{enclose(-*low / p_.scale).low, enclose(*high / p_.scale).high};
  }

  /// The size of the unknown's load as a functional of the columns.
  [[nodiscard]] ExactVector size_functional(const PieceSystem& modes, const Unknown& x) const {
    const ExactUnit& unit = p_.units[x.unit];
    if (x.row >= 0) return load_row(p_, modes, unit.at + x.row);
    const ExactVector load = unit.scale * x.load;
    ExactVector out(1);
    for (const ExactColumn& column : modes.columns)
      out.push_back(column.unit == x.unit && column.load == load ? unit.scale : Exact(0));
    return out;
  }

  /// The load of one unit of an unknown.
  [[nodiscard]] IntervalVector derivative_load(const Unknown& x, const IntervalVector& z) const {
    if (!x.disc) return enclose(x.load);
    const Interval mu = enclose(p_.units[x.unit].mu);
    const Interval& angle = z[angle_[x.unit]];
    if (!x.angle) return {-(mu * cosine(angle)), -(mu * sine(angle)), Interval(1)};
    const Interval size = z[size_[x.unit]] * mu;
    return {size * sine(angle), -(size * cosine(angle)), Interval(0)};
  }

  /// u + G load, of a load that stands in the rows from `at` on.
  [[nodiscard]] IntervalVector pushed(IntervalVector u, const IntervalVector& load,
                                      Index at) const {
    for (std::size_t r = 0; r < u.size(); ++r)
      for (std::size_t c = 0; c < load.size(); ++c) u[r] = u[r] + G_[r][at + c] * load[c];
    return u;
  }

  /// f.x over the rows of a unit.
  [[nodiscard]] Interval value(const ExactVector& f, Index i, const IntervalVector& x) const {
    Interval sum;
    for (std::size_t r = 0; r < f.size(); ++r)
      if (sgn(f[r]) != 0) sum = sum + enclose(f[r]) * x[p_.units[i].at + r];
    return sum;
  }

  [[nodiscard]] Interval apply(const Equation& e, const IntervalVector& z,
                               const IntervalVector& u) const {
    if (!e.across) return value(e.functional, e.unit, u);
    const Index at = p_.units[e.unit].at;
    const Interval& angle = z[angle_[e.unit]];
    return cosine(angle) * u[at + 1] - sine(angle) * u[at];
  }

  [[nodiscard]] Interval speed(Index i, const IntervalVector& z, const IntervalVector& u) const {
    const Interval& angle = z[angle_[i]];
    const Index at = p_.units[i].at;
    return cosine(angle) * u[at] + sine(angle) * u[at + 1];
  }

  [[nodiscard]] IntervalVector kept_positive(Index i, const IntervalVector& z,
                                             const IntervalVector& u,
                                             const IntervalVector& lambda) const {
    const ExactUnit& unit = p_.units[i];
    const UnitMode& mode = *choice_[i];
    if (mode.kind == Kind::separate) return {value(unit.normal, i, u)};
    if (mode.kind == Kind::sector) {
      const Interval sector = sector_of(i), angle = z[angle_[i]];
      return {z[size_[i]], angle - Interval(sector.low), Interval(sector.high) - angle,
              speed(i, z, u)};
    }
    if (unit.round) {
      const Interval load = lambda[unit.at + 2];
      return {load, square(enclose(unit.mu)) * square(load) - square(lambda[unit.at]) -
                        square(lambda[unit.at + 1])};
    }
    IntervalVector out;
    for (const ExactVector& f : face_half_spaces(unit, mode)) out.push_back(value(f, i, lambda));
    for (Index k = 0; k < static_cast<Index>(unit.corners.size()) && mode.first >= 0; ++k)
      if (k != mode.first && k != mode.last)
        out.push_back(value(unit.corners[k] - unit.corners[mode.first], i, u));
    return out;
  }

  const ExactProblem& p_;
  const ModeChoice& choice_;
  IntervalMatrix G_;
  IntervalVector b_;
  std::vector<Unknown> unknowns_;
  std::vector<Equation> equations_;
  std::vector<Index> size_, angle_;  ///< unknowns of sliding discs; -1 for others
};

}  // namespace tact::detail
