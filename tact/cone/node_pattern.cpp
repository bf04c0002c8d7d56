#include "tact/cone/node_pattern.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace tact {

namespace {

/// `count` nodes at one distance from the centre, the first at `phase` times the angle between two.
struct Ring {
  int count;
  double phase;
  double radius;  ///< of the centroids
  double rho;
};

std::vector<UnitNode> make(std::span<const Ring> rings) {
  int total = 0;
  for (const Ring& ring : rings) total += ring.count;
  std::vector<UnitNode> nodes;
  for (const Ring& ring : rings) {
    for (int i = 0; i < ring.count; ++i) {
      const double angle = 2 * std::numbers::pi * (i + ring.phase) / ring.count;
      nodes.push_back(
          {ring.radius * Vec2(std::cos(angle), std::sin(angle)), 1.0 / total, ring.rho});
    }
  }
  return nodes;
}

}  // namespace

std::string_view name(NodePattern pattern) {
  switch (pattern) {
    case NodePattern::one_six:
      return "1+6";
    case NodePattern::four_eight:
      return "4+8";
    case NodePattern::four_eight_twelve:
      return "4+8+12";
  }
  return "";
}

std::span<const UnitNode> unit_nodes(NodePattern pattern) {
  static const std::vector<UnitNode> one_six = make(std::vector<Ring>{
      {1, 0, 0, 0.44790201452822276}, {6, 0.5, 1.405239583267634, 0.4673135817106266}});
  static const std::vector<UnitNode> four_eight =
      make(std::vector<Ring>{{4, 0, 0.6930638233188231, 0.3472794082336094},
                             {8, 0.5, 1.5739072784763053, 0.3502056707584975}});
  static const std::vector<UnitNode> four_eight_twelve =
      make(std::vector<Ring>{{4, 0, 0.49007012926381516, 0.2490910591975493},
                             {8, 0.5, 1.1129205095694592, 0.2511899623128313},
                             {12, 0, 1.7042331082889792, 0.2523119366686276}});
  switch (pattern) {
    case NodePattern::one_six:
      return one_six;
    case NodePattern::four_eight:
      return four_eight;
    case NodePattern::four_eight_twelve:
      return four_eight_twelve;
  }
  return one_six;
}

}  // namespace tact
