// tests/support/whole_space.hpp - all of space as a cone, with planes to cut it by.
#pragma once

#include <cstdint>
#include <vector>

#include "tact/modes/split_cone.hpp"

namespace tact::testing {

/// The rows of a whole matrix are the planes.
inline tact::detail::SplitCone<tact::detail::Whole64> space(
    const std::vector<std::vector<std::int64_t>>& rows) {
  const int planes = static_cast<int>(rows.size());
  const int dof = static_cast<int>(rows[0].size());
  tact::detail::SplitCone<tact::detail::Whole64> cone;
  cone.shape(planes, planes, std::max(1, tact::detail::words_for(planes)));
  cone.reserve(0, dof);
  cone.lines = cone.dim = dof;
  for (int j = 0; j < dof; ++j) {
    for (int i = 0; i < planes; ++i) cone.line(j)[i] = rows[i][j];
    cone.line_tag(j) = tact::detail::Whole64::tag_of(cone.line(j), planes, planes);
  }
  cone.classify();
  return cone;
}

}  // namespace tact::testing
