// impact/reflections.cpp - events, and when to stop.
#include "tact/impact/reflections.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/least_distance.hpp"

namespace tact {
namespace {

constexpr const char* forever =
    "impacts follow each other for ever: the admissible velocities have no interior, the ray "
    "shows the contacts that leave none";
constexpr const char* capped =
    "impacts still follow each other at the largest number allowed; raise max_events";

class Row {
 public:
  Row(const ImpactFrame& frame, double motion, int most)
      : f_(frame), most_(most), length_(frame.columns.colwise().norm()), motion_(motion) {
    out_.impulses.setZero(frame.approach.size());
    y_.setZero(frame.columns.rows());
    last_ = before_last_ = y_;
    gamma_ = frame.approach;
  }

  /// `event` adds to the sizes; false when it cannot.
  template <class Event>
  ImpactOutcome run(Event event) {
    int next_look = 8 * (static_cast<int>(length_.size()) + 1);
    while (approached()) {
      if (out_.events >= most_) return ended(ImpactStatus::not_converged, capped);
      if (!event(*this)) return ended(ImpactStatus::not_converged, lost_to_rounding);
      ++out_.events;
      update();
      const bool back = returned();
      if (!back && out_.events < next_look) continue;
      next_look *= 2;
      out_.ray = thinness(f_, motion_);
      if (out_.ray.size() > 0) return ended(ImpactStatus::does_not_end, forever);
    }
    return settle();
  }

  [[nodiscard]] bool approaches(Index j) const {
    const double size = length_[j] * motion_ + std::abs(f_.approach[j]);
    return length_[j] > 0 && gamma_[j] < -tolerance::settled * size;
  }

  [[nodiscard]] const VecX& gamma() const { return gamma_; }
  [[nodiscard]] const VecX& length() const { return length_; }
  [[nodiscard]] VecX& sizes() { return out_.impulses; }

 private:
  [[nodiscard]] bool approached() const {
    for (Index j = 0; j < gamma_.size(); ++j)
      if (approaches(j)) return true;
    return false;
  }

  void update() {
    std::swap(before_last_, last_);
    std::swap(last_, y_);
    y_.noalias() = f_.columns * out_.impulses;
    gamma_ = f_.approach;
    gamma_.noalias() += f_.columns.transpose() * y_;
    motion_ = std::max(motion_, y_.norm());
  }

  /// Whether the state is that of two events ago.
  [[nodiscard]] bool returned() const {
    return out_.events > 2 && (y_ - before_last_).norm() <= tolerance::rounding * motion_;
  }

  ImpactOutcome settle() {
    const LeastDistance rest = least_distance(f_.columns, gamma_);
    if (rest.end != LeastDistance::End::found)
      return ended(ImpactStatus::not_converged, lost_to_rounding);
    out_.impulses += rest.x;
    return ended(ImpactStatus::solved, "");
  }

  ImpactOutcome ended(ImpactStatus status, const char* why) {
    out_.status = status;
    out_.why = why;
    return std::move(out_);
  }

  const ImpactFrame& f_;
  int most_;
  VecX length_, gamma_, y_, last_, before_last_;
  double motion_;  ///< the largest |y| so far, that of the projection included
  ImpactOutcome out_;
};

}  // namespace

ImpactOutcome reflect_together(const ImpactFrame& frame, double motion, int max_events) {
  return Row(frame, motion, max_events).run([&](Row& row) {
    std::vector<Index> chosen;
    for (Index j = 0; j < row.gamma().size(); ++j)
      if (row.approaches(j)) chosen.push_back(j);
    const LeastDistance found =
        least_distance(frame.columns(Eigen::all, chosen), row.gamma()(chosen));
    if (found.end != LeastDistance::End::found) return false;
    row.sizes()(chosen) += 2 * found.x;
    return true;
  });
}

ImpactOutcome reflect_in_turn(const ImpactFrame& frame, double motion, int max_events) {
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
