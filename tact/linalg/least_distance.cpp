// linalg/least_distance.cpp - steps of the dual method, and the last active set solved anew.
#include "tact/linalg/least_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/growing_qr.hpp"

namespace tact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The active set with one orthogonal factorisation that grows and shrinks by columns.
class DualActiveSet {
 public:
  DualActiveSet(const MatX& A, const VecX& g)
      : a_(A), h_(g), qr_(A.rows(), std::min(A.rows(), A.cols())) {
    length_ = A.colwise().norm();
    for (Index j = 0; j < A.cols(); ++j) {
      if (!(length_[j] > 0)) continue;
      a_.col(j) /= length_[j];
      h_[j] /= length_[j];
    }
    state_.assign(static_cast<std::size_t>(A.cols()), State::free);
    for (Index j = 0; j < A.cols(); ++j)
      if (!(length_[j] > 0)) state_[j] = State::barred;
    y_.setZero(A.rows());
  }

  /// A constraint that nothing moves and that does not hold, or -1.
  [[nodiscard]] Index immovable() const {
    const double size = h_.size() > 0 ? h_.cwiseAbs().maxCoeff() : 0.0;
    for (Index j = 0; j < h_.size(); ++j)
      if (!(length_[j] > 0) && h_[j] < -tolerance::rounding * size) return j;
    return -1;
  }

  /// The column violated most, in units of its length, or -1.
  [[nodiscard]] Index worst() const {
    Index best = -1;
    double most = 0;
    const double distance = y_.norm();
    for (Index j = 0; j < h_.size(); ++j) {
      if (state_[j] != State::free) continue;
      const double slack = a_.col(j).dot(y_) + h_[j];
      if (slack < -tolerance::rounding * (distance + std::abs(h_[j])) && slack < most) {
        most = slack;
        best = j;
      }
    }
    return best;
  }

  enum class Step { joined, barred, ray, lost };

  /// Raises the multiplier of column p until its constraint holds, dropping those of others that
  /// reach zero on the way.
  [[nodiscard]] Step enter(Index p, VecX& ray) {
    double mine = 0;
    const auto most = static_cast<Index>(set_.size()) + 1;
    for (Index round = 0; round <= most; ++round) {
      split(p);
      const double slack = a_.col(p).dot(y_) + h_[p];
      const double full =
          parts_.rest > tolerance::dependent ? -slack / (parts_.rest * parts_.rest) : infinity;
      const Index leaving = first_to_leave();
      const double partial = leaving < 0 ? infinity : u_[leaving] / dual_[leaving];
      if (full == infinity && partial == infinity) return judge_ray(p, slack, ray);
      const double t = std::min(full, partial);
      for (std::size_t k = 0; k < set_.size(); ++k) u_[k] -= t * dual_[static_cast<Index>(k)];
      mine += t;
      if (full < infinity) y_ += t * parts_.beside;
      if (full <= partial) {
        append(p);
        u_.push_back(mine);
        solve_set();
        return Step::joined;
      }
      drop(leaving);
    }
    return Step::lost;
  }

  [[nodiscard]] bool refine() {
    constexpr int rounds = 3;
    const auto k = static_cast<Index>(set_.size());
    VecX miss(k);
    for (int round = 0; round < rounds; ++round) {
      const auto y = exact_point();
      for (Index i = 0; i < k; ++i) {
        auto sum = static_cast<long double>(h_[set_[i]]);
        for (Index d = 0; d < a_.rows(); ++d)
          sum += static_cast<long double>(a_(d, set_[i])) * y[d];
        miss[i] = -static_cast<double>(sum);
      }
      solve_normal(miss);
      if (!miss.allFinite()) return false;
      for (Index i = 0; i < k; ++i) u_[i] += miss[i];
    }
    for (double& u : u_) u = std::max(u, 0.0);
    y_ = exact_point().cast<double>();
    return true;
  }

  /// Whether all constraints hold, those that were barred as well: to the rounding of y = Σ a u,
  /// whose terms are large and cancel where active columns are nearly dependent.
  [[nodiscard]] bool all_hold() const {
    double terms = 0;
    for (const double u : u_) terms += u;
    const double distance = y_.norm();
    for (Index j = 0; j < h_.size(); ++j) {
      if (!(length_[j] > 0)) continue;
      const double slack = tolerance::solved * (distance + std::abs(h_[j]));
      if (a_.col(j).dot(y_) + h_[j] < -slack - tolerance::rounding * terms) return false;
    }
    return true;
  }

  [[nodiscard]] LeastDistance result(LeastDistance::End end, int steps) const {
    LeastDistance out;
    out.end = end;
    out.steps = steps;
    out.y = y_;
    out.x.setZero(h_.size());
    for (std::size_t k = 0; k < set_.size(); ++k) out.x[set_[k]] = u_[k] / length_[set_[k]];
    out.active = set_;
    return out;
  }

  /// The ray in the caller's units.
  [[nodiscard]] VecX unscaled(const VecX& ray) const {
    VecX out = ray;
    for (Index j = 0; j < out.size(); ++j)
      if (length_[j] > 0) out[j] /= length_[j];
    return out;
  }

 private:
  enum class State : std::uint8_t { free, active, barred };
  using LongVec = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

  /// a_p = Q along + beside, and dual = R⁻¹ along.
  void split(Index p) {
    parts_ = qr_.split(a_.col(p));
    dual_ = qr_.upper().solve(parts_.along);
  }

  /// Of the multipliers that fall, the one that is first at zero.
  [[nodiscard]] Index first_to_leave() const {
    const double size = dual_.size() > 0 ? std::max(1.0, dual_.cwiseAbs().maxCoeff()) : 1.0;
    Index best = -1;
    double least = infinity;
    for (Index k = 0; k < dual_.size(); ++k) {
      if (!(dual_[k] > tolerance::rounding * size)) continue;
      const double t = std::max(u_[k], 0.0) / dual_[k];
      if (t < least) {
        least = t;
        best = k;
      }
    }
    return best;
  }

  /// Column p depends on the active ones and none of those gives way: a ray, unless all of it is
  /// rounding.
  [[nodiscard]] Step judge_ray(Index p, double slack, VecX& ray) {
    ray.setZero(h_.size());
    ray[p] = 1;
    for (std::size_t k = 0; k < set_.size(); ++k)
      ray[set_[k]] = std::max(-dual_[static_cast<Index>(k)], 0.0);
    double size = 0;
    for (Index j = 0; j < ray.size(); ++j)
      if (ray[j] > 0) size = std::max(size, std::abs(h_[j]));
    // Every point of the polyhedron has |y| >= gain / |A ray|.
    const VecX image = a_ * ray;
    const double gain = -h_.dot(ray);
    const bool real = -slack > tolerance::solved * (size + y_.norm());
    if (real && image.norm() * size <= tolerance::jam * gain) return Step::ray;
    state_[p] = State::barred;
    return Step::barred;
  }

  void append(Index p) {
    qr_.append(parts_);
    set_.push_back(p);
    state_[p] = State::active;
  }

  void drop(Index k) {
    const std::vector<Index> later(set_.begin() + k + 1, set_.end());
    state_[set_[k]] = State::free;
    u_.erase(u_.begin() + k);
    set_.resize(static_cast<std::size_t>(k));
    qr_.keep(k);
    for (const Index j : later) {
      split(j);
      append(j);
    }
  }

  /// R'R x = x.
  void solve_normal(VecX& x) const {
    qr_.lower().solveInPlace(x);
    qr_.upper().solveInPlace(x);
  }

  /// y and u of the active set: R'w = -h, y = Q w, R u = w.
  void solve_set() {
    const auto k = static_cast<Index>(set_.size());
    VecX w(k);
    for (Index i = 0; i < k; ++i) w[i] = -h_[set_[i]];
    qr_.lower().solveInPlace(w);
    y_ = qr_.basis() * w;
    qr_.upper().solveInPlace(w);
    for (Index i = 0; i < k; ++i) u_[i] = std::max(w[i], 0.0);
  }

  [[nodiscard]] LongVec exact_point() const {
    LongVec y = LongVec::Zero(a_.rows());
    for (std::size_t k = 0; k < set_.size(); ++k)
      for (Index d = 0; d < a_.rows(); ++d)
        y[d] += static_cast<long double>(a_(d, set_[k])) * static_cast<long double>(u_[k]);
    return y;
  }

  MatX a_;
  VecX h_;
  GrowingQr qr_;            ///< of the active columns
  GrowingQr::Split parts_;  ///< of the column at hand
  VecX length_, y_, dual_;
  std::vector<State> state_;
  std::vector<Index> set_;
  std::vector<double> u_;
};

}  // namespace

LeastDistance least_distance(const MatX& A, const VecX& g) {
  TACT_EXPECTS(A.cols() == g.size());
  using End = LeastDistance::End;
  DualActiveSet set(A, g);
  if (const Index j = set.immovable(); j >= 0) {
    LeastDistance out = set.result(End::infeasible, 0);
    out.x = VecX::Unit(g.size(), j);
    return out;
  }
  constexpr int per_column = 50;
  const int most = per_column * static_cast<int>(A.cols() + 1);
  VecX ray;
  for (int step = 0; step < most; ++step) {
    const Index p = set.worst();
    if (p < 0) {
      const bool good = set.refine() && set.all_hold();
      return set.result(good ? End::found : End::gave_up, step);
    }
    switch (set.enter(p, ray)) {
      case DualActiveSet::Step::joined:
      case DualActiveSet::Step::barred:
        break;
      case DualActiveSet::Step::ray: {
        LeastDistance out = set.result(End::infeasible, step);
        out.x = set.unscaled(ray);
        return out;
      }
      case DualActiveSet::Step::lost:
        return set.result(End::gave_up, step);
    }
  }
  return set.result(End::gave_up, most);
}

}  // namespace tact
