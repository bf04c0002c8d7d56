// solve/sliding_family.cpp - directions as small rationals, their loads, and that there are no
// others.
#include "tact/solve/sliding_family.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include <Eigen/QR>

namespace tact::detail {

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

namespace {

/// To the rank that the tolerance shows.
Eigen::CompleteOrthogonalDecomposition<MatX> decomposed(const MatX& A) {
  Eigen::CompleteOrthogonalDecomposition<MatX> out;
  out.setThreshold(tolerance::rank);
  out.compute(A);
  return out;
}

/// A zero of the equations near the middle of the box, in doubles.
VecX near_zero(const SlidingSystem& system, const IntervalVector& box) {
  VecX z = middle_of(box);
  constexpr int steps = 20;
  for (int k = 0; k < steps; ++k) {
    const IntervalVector at(z.begin(), z.end());
    const VecX F = middle_of(system.equations(at));
    z -= decomposed(middle_of(system.derivative(at))).solve(F).eval();
  }
  return z;
}

/// The affine family of loads that goes with fixed directions.
class Family {
 public:
  /// False if no loads go with them.
  bool find(const ExactProblem& p, const SlidingSystem& system,
            const std::vector<ExactDirection>& d, const std::vector<double>& angles) {
    system_ = &system;
    const LinearEquations linear = system.linear_equations(d);
    const auto one = solve_exactly(linear.rows, linear.right);
    if (!one) return false;
    Index loads = 0;
    for (const Unknown& x : system.unknowns()) place_.push_back(x.angle ? -1 : loads++);
    const std::vector<ExactVector> free = null_space(linear.rows, loads);
    base_ = enclose(*one);
    u_ = enclose(combined(p.b, linear.effects, *one));
    for (const ExactVector& v : free) {
      along_.push_back(enclose(v));
      u_along_.push_back(enclose(combined(ExactVector(p.b.size()), linear.effects, v)));
      const auto chosen = own_load(v, free, *one);
      if (!chosen) return false;
      chosen_.push_back(*chosen);
    }
    for (std::size_t i = 0; i < d.size(); ++i) {
      const double angle = std::atan2(d[i].y.get_d(), d[i].x.get_d());
      const double near = angles[i] - std::remainder(angles[i] - angle, 2 * std::numbers::pi);
      angle_.emplace_back(near - tolerance::rounding, near + tolerance::rounding);
    }
    return !free.empty();
  }

  /// Whether no zero within the box is outside of the family; `pieces` bounds the work.
  bool holds_all(const IntervalVector& box, int& pieces) const {
    if (--pieces < 0) return false;
    if (no_other(box)) return true;
    const std::size_t widest =
        *std::max_element(chosen_.begin(), chosen_.end(), [&](std::size_t a, std::size_t b) {
          return box[a].high - box[a].low < box[b].high - box[b].low;
        });
    IntervalVector half = box;
    const double middle = box[widest].middle();
    half[widest] = {box[widest].low, middle};
    if (!holds_all(half, pieces)) return false;
    half[widest] = {middle, box[widest].high};
    return holds_all(half, pieces);
  }

 private:
  const SlidingSystem* system_ = nullptr;
  std::vector<Index> place_;         ///< of an unknown among the loads; -1 for angles
  std::vector<std::size_t> chosen_;  ///< the unknown that is t, per free direction
  IntervalVector base_, u_, angle_;
  IntervalMatrix along_, u_along_;

  /// The first unknown that is t in `v`, and is nothing to the others.
  [[nodiscard]] std::optional<std::size_t> own_load(const ExactVector& v,
                                                    const std::vector<ExactVector>& free,
                                                    const ExactVector& one) const {
    for (std::size_t k = 0; k < place_.size(); ++k) {
      const Index at = place_[k];
      if (at < 0 || v[at] != 1 || sgn(one[at]) != 0) continue;
      if (std::count_if(free.begin(), free.end(),
                        [&](const ExactVector& w) { return sgn(w[at]) != 0; }) == 1)
        return k;
    }
    return std::nullopt;
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
    for (const std::size_t k : chosen_) t.push_back(box[k]);
    std::vector<std::size_t> open;  // unknowns that are y
    IntervalVector z = box, family = box, Y;
    for (std::size_t k = 0; k < box.size(); ++k) {
      if (std::find(chosen_.begin(), chosen_.end(), k) != chosen_.end()) continue;
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
    for (std::size_t j = 0; j < t.size(); ++j) u = plus(u, t[j], u_along_[j]);
    for (std::size_t i = 0; i < open.size(); ++i) u = plus(u, Y[i], system_->effect(open[i], z));
    IntervalMatrix F;  // the columns of y
    for (const IntervalVector& row : system_->derivative(z, u)) {
      IntervalVector& own = F.emplace_back();
      for (const std::size_t k : open) own.push_back(row[k]);
    }
    const auto solver = decomposed(middle_of(F));
    if (solver.rank() < static_cast<Index>(open.size())) return std::nullopt;
    return rest_of_one(solver.pseudoInverse(), F);
  }
};

/// Whether a direction lies inside the sector, not on its border.
bool inside_sector(const ExactDirection& d, const UnitMode& sector) {
  const ExactDirection a = direction_at(sector.from), b = direction_at(sector.to);
  return sgn(Exact(a.x * d.y - a.y * d.x)) > 0 && sgn(Exact(d.x * b.y - d.y * b.x)) > 0;
}

}  // namespace

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
  if (!family.find(p, system, d, angles) || !family.holds_all(box, pieces)) return out;
  out.singular = false;
  const bool some = decide(mode_system(p, out.rays, {}).system).feasible;
  out.end = some ? SlidingVerdict::End::family : SlidingVerdict::End::none;
  return out;
}

}  // namespace tact::detail
