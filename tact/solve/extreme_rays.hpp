// solve/extreme_rays.hpp - the extreme rays of a pointed cone given by half-spaces, exactly.
#pragma once

#include <optional>
#include <vector>

#include "tact/poly/exact_lp.hpp"

namespace tact {

/// Extreme rays of { z : a.z >= 0 for every row a }, each scaled so that its first entry that is
/// not zero is ±1, in a fixed order. Nothing when the cone contains a line, or when more than
/// `most` rays turn up on the way. Some z must have a.z > 0 for every row that is not zero.
[[nodiscard]] std::optional<std::vector<ExactVector>> extreme_rays(
    const std::vector<ExactVector>& half_spaces, Index dimension, Index most);

}  // namespace tact
