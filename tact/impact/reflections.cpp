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

/// Sizes of pushes that move nothing and do no work: P+ = { γ >= 0 } is thinner than
/// tolerance::thin of the motion. Empty when it is not.
VecX thinness(const ImpactFrame& frame, double motion) {
  VecX deeper = frame.approach;
  for (Index j = 0; j < deeper.size(); ++j)
    deeper[j] -= tolerance::thin * frame.columns.col(j).norm() * motion;
  LeastDistance found = least_distance(frame.columns, deeper);
  if (found.end != LeastDistance::End::infeasible) return {};
  return std::move(found.x);
}

/// The state between events.
struct Row {
  const ImpactFrame& f;
  double motion;  ///< the largest |y| so far, that of the projection included
  VecX length = f.columns.colwise().norm();
  VecX sizes = VecX::Zero(f.approach.size());
  VecX gamma = f.approach;
  VecX y = VecX::Zero(f.columns.rows()), last = y, before_last = y;

  [[nodiscard]] std::vector<Index> approaching() const {
    std::vector<Index> out;
    for (Index j = 0; j < gamma.size(); ++j) {
      const double size = length[j] * motion + std::abs(f.approach[j]);
      if (length[j] > 0 && gamma[j] < -tolerance::settled * size) out.push_back(j);
    }
    return out;
  }

  void update() {
    std::swap(before_last, last);
    std::swap(last, y);
    y.noalias() = f.columns * sizes;
    gamma = f.approach;
    gamma.noalias() += f.columns.transpose() * y;
    motion = std::max(motion, y.norm());
  }

  /// Whether the state is that of two events ago.
  [[nodiscard]] bool returned() const {
    return (y - before_last).norm() <= tolerance::rounding * motion;
  }
};

/// `event` adds to the sizes of the approaching pushes; false when it cannot.
ImpactOutcome in_a_row(Row row, int max_events, const auto& event) {
  ImpactOutcome out;
  const auto ended = [&](ImpactStatus status, const char* why) {
    out.status = status;
    out.why = why;
    out.impulses = row.sizes;
    return out;
  };
  int next_look = 8 * (static_cast<int>(row.length.size()) + 1);
  for (auto near = row.approaching(); !near.empty(); near = row.approaching()) {
    if (out.events >= max_events) return ended(ImpactStatus::not_converged, capped);
    if (!event(row, near)) return ended(ImpactStatus::not_converged, lost_to_rounding);
    ++out.events;
    row.update();
    const bool back = out.events > 2 && row.returned();
    if (!back && out.events < next_look) continue;
    next_look *= 2;
    out.ray = thinness(row.f, row.motion);
    if (out.ray.size() > 0) return ended(ImpactStatus::does_not_end, forever);
  }
  const LeastDistance rest = least_distance(row.f.columns, row.gamma);
  if (rest.end != LeastDistance::End::found)
    return ended(ImpactStatus::not_converged, lost_to_rounding);
  row.sizes += rest.x;
  return ended(ImpactStatus::solved, "");
}

}  // namespace

ImpactOutcome reflect_together(const ImpactFrame& frame, double motion, int max_events) {
  return in_a_row({frame, motion}, max_events, [](Row& row, const std::vector<Index>& near) {
    const LeastDistance found = least_distance(row.f.columns(Eigen::all, near), row.gamma(near));
    if (found.end != LeastDistance::End::found) return false;
    row.sizes(near) += 2 * found.x;
    return true;
  });
}

ImpactOutcome reflect_in_turn(const ImpactFrame& frame, double motion, int max_events) {
  return in_a_row({frame, motion}, max_events, [](Row& row, const std::vector<Index>& near) {
    const auto speed = [&](Index j) { return -row.gamma[j] / row.length[j]; };
    const Index fastest = *std::max_element(near.begin(), near.end(),
                                            [&](Index a, Index b) { return speed(a) < speed(b); });
    row.sizes[fastest] += (1 + row.f.restitution[fastest]) * speed(fastest) / row.length[fastest];
    return true;
  });
}

}  // namespace tact
