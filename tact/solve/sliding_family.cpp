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
  if (!family.find(system, d, angles) || !family.holds_all(box, pieces)) return out;
  out.singular = false;
  const bool some = decide(mode_system(p, out.rays, {}).system).feasible;
  out.end = some ? SlidingVerdict::End::family : SlidingVerdict::End::none;
  return out;
}

}  // namespace tact::detail
