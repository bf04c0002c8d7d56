// impact/reflections.cpp - events, and when to stop.
#include "tact/impact/reflections.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/least_distance.hpp"

namespace tact {
namespace {

class Row {
 public:
  Row(const ImpactFrame& frame, double motion, int most)
      : f_(frame), most_(most), length_(frame.columns.colwise().norm()), motion_(motion) {
    out_.sizes.setZero(frame.approach.size());
    y_.setZero(frame.columns.rows());
    last_ = before_last_ = y_;
    gamma_ = frame.approach;
  }

  /// `event` adds to the sizes; false when it cannot.
  template <class Event>
  Reflections run(Event event) {
    int next_look = 8 * (static_cast<int>(length_.size()) + 1);
    while (approached()) {
      if (out_.events >= most_) return ended(Reflections::End::cap);
      if (!event(*this)) return ended(Reflections::End::lost);
      ++out_.events;
      update();
      const bool back = returned();
      if (!back && out_.events < next_look) continue;
      next_look *= 2;
      out_.ray = thinness(f_, motion_);
      if (out_.ray.size() > 0) return ended(Reflections::End::forever);
    }
    return settle();
  }

  [[nodiscard]] bool approaches(Index j) const {
    const double size = length_[j] * motion_ + std::abs(f_.approach[j]);
    return length_[j] > 0 && gamma_[j] < -tolerance::settled * size;
  }

  [[nodiscard]] const VecX& gamma() const { return gamma_; }
  [[nodiscard]] const VecX& length() const { return length_; }
  [[nodiscard]] VecX& sizes() { return out_.sizes; }

 private:
  [[nodiscard]] bool approached() const {
    for (Index j = 0; j < gamma_.size(); ++j)
      if (approaches(j)) return true;
    return false;
  }

  void update() {
    std::swap(before_last_, last_);
    std::swap(last_, y_);
    y_.noalias() = f_.columns * out_.sizes;
    gamma_ = f_.approach;
    gamma_.noalias() += f_.columns.transpose() * y_;
    motion_ = std::max(motion_, y_.norm());
  }

  /// Whether the state is that of two events ago.
  [[nodiscard]] bool returned() const {
    return out_.events > 2 && (y_ - before_last_).norm() <= tolerance::rounding * motion_;
  }

  Reflections settle() {
    const LeastDistance rest = least_distance(f_.columns, gamma_);
    if (rest.end != LeastDistance::End::found) return ended(Reflections::End::lost);
    out_.sizes += rest.x;
    return ended(Reflections::End::over);
  }

  Reflections ended(Reflections::End end) {
    out_.end = end;
    return std::move(out_);
  }

  const ImpactFrame& f_;
  int most_;
  VecX length_, gamma_, y_, last_, before_last_;
  double motion_;  ///< the largest |y| so far, that of the projection included
  Reflections out_;
};

}  // namespace

Reflections reflect_together(const ImpactFrame& frame, double motion, int max_events) {
  std::vector<Index> chosen;
  MatX columns;
  VecX gamma;
  return Row(frame, motion, max_events).run([&](Row& row) {
    chosen.clear();
    for (Index j = 0; j < row.gamma().size(); ++j)
      if (row.approaches(j)) chosen.push_back(j);
    const auto count = static_cast<Index>(chosen.size());
    columns.resize(frame.columns.rows(), count);
    gamma.resize(count);
    for (Index k = 0; k < count; ++k) {
      columns.col(k) = frame.columns.col(chosen[k]);
      gamma[k] = row.gamma()[chosen[k]];
    }
    const LeastDistance found = least_distance(columns, gamma);
    if (found.end != LeastDistance::End::found) return false;
    for (Index k = 0; k < count; ++k) row.sizes()[chosen[k]] += 2 * found.x[k];
    return true;
  });
}

Reflections reflect_in_turn(const ImpactFrame& frame, double motion, int max_events) {
  return Row(frame, motion, max_events).run([&](Row& row) {
    Index fastest = -1;
    double most = 0;
    for (Index j = 0; j < row.gamma().size(); ++j) {
      if (!row.approaches(j)) continue;
      const double speed = -row.gamma()[j] / row.length()[j];
      if (speed > most) {
        most = speed;
        fastest = j;
      }
    }
    row.sizes()[fastest] += (1 + frame.restitution[fastest]) * most / row.length()[fastest];
    return true;
  });
}

VecX thinness(const ImpactFrame& frame, double motion) {
  VecX deeper = frame.approach;
  for (Index j = 0; j < deeper.size(); ++j)
    deeper[j] -= tolerance::thin * frame.columns.col(j).norm() * motion;
  LeastDistance found = least_distance(frame.columns, deeper);
  if (found.end != LeastDistance::End::infeasible) return {};
  return std::move(found.x);
}

}  // namespace tact
