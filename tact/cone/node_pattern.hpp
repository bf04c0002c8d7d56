// cone/node_pattern.hpp - few nodes that rub like an even pressure on a disc.
//
// The disc of radius 2 (unit second moment) is cut into cells of equal area: a core and rings of
// sectors. Each cell is one node at its centroid; its radius is that of gyration of the cell about
// its centroid, times one factor per pattern that makes the torque of a spinning disc exact. Mapped
// by Σ^{1/2} the nodes stand for any centrally symmetric patch of second moment Σ.
#pragma once

#include <span>
#include <string_view>

#include "tact/linalg/types.hpp"

namespace tact {

enum class NodePattern {
  one_six,            ///< 1 + 6 nodes, the default
  four_eight,         ///< 4 + 8
  four_eight_twelve,  ///< 4 + 8 + 12
};
/// "1+6", "4+8", "4+8+12".
[[nodiscard]] std::string_view name(NodePattern pattern);

struct UnitNode {
  Vec2 xi;        ///< in units of the root of the second moment
  double weight;  ///< share of the force; equal
  double rho;     ///< radius in units of sqrt(tr Σ / 2)
};
[[nodiscard]] std::span<const UnitNode> unit_nodes(NodePattern pattern);

}  // namespace tact
