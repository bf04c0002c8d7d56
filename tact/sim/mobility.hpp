// sim/mobility.hpp - what one group of rows gives way to, and how it is read.
//
// With the normal rows N, the held rows C and B between them, S = N - B C⁻¹ Bᵀ is what the normal
// rows move by when a unit of load is on them and the held rows do not move.
#pragma once

#include <cmath>

#include "tact/sim/position_step.hpp"

namespace tact {

using Mobility = PositionWork::Mobility;

/// S and its factors, and what the held rows carry. False where a row is a combination of others.
[[nodiscard]] bool make_mobility(const RowGroup& group, const LocalLaw& law, bool held,
                                 const BlockMatrix::Block& block, Mobility& m);

[[nodiscard]] inline Index count(std::span<const Index> rows) {
  return static_cast<Index>(rows.size());
}

[[nodiscard]] inline LocalMetric metric_of(const Mobility& m) {
  return {3, m.metric};
}

/// S⁻¹.
[[nodiscard]] inline Eigen::Map<const Mat3> inverse_of(const Mobility& m) {
  return Eigen::Map<const Mat3>(m.metric + 9);
}

/// √S of the normal row: what makes the root of an energy that row's speed.
[[nodiscard]] inline double speed_scale(const Mobility& m) {
  return std::sqrt(m.normal.size() == 3 ? m.metric[8] : m.metric[0]);
}

/// The normal rows of a group out of its own.
[[nodiscard]] inline Vec3 gathered(const Mobility& m, const double* rows) {
  Vec3 out = Vec3::Zero();
  for (Index k = 0; k < count(m.normal); ++k) out[k] = rows[m.normal[k]];
  return out;
}

}  // namespace tact
