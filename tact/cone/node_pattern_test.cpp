#include "tact/cone/node_pattern.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

namespace tact {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;

TEST(NodePattern, NodesAreTheCentroidsOfCellsOfEqualArea) {
  const std::map<NodePattern, std::vector<int>> rings{{NodePattern::one_six, {1, 6}},
                                                      {NodePattern::four_eight, {4, 8}},
                                                      {NodePattern::four_eight_twelve, {4, 8, 12}}};
  for (const auto& [pattern, counts] : rings) {
    const auto nodes = unit_nodes(pattern);
    const auto total = static_cast<double>(nodes.size());
    double inside = 0, factor = 0;
    std::size_t at = 0;
    for (const int count : counts) {
      const double r1 = 2 * std::sqrt(inside / total);
      inside += count;
      const double r2 = 2 * std::sqrt(inside / total);
      const double half = pi / count;
      const double centroid = count == 1 ? 0
                                         : 2.0 / 3 * (r2 * r2 * r2 - r1 * r1 * r1) /
                                               (r2 * r2 - r1 * r1) * std::sin(half) / half;
      const double gyration = std::sqrt((r1 * r1 + r2 * r2) / 2 - centroid * centroid);
      for (int i = 0; i < count; ++i, ++at) {
        EXPECT_NEAR(nodes[at].xi.norm(), centroid, rounding);
        if (factor == 0) factor = nodes[at].rho / gyration;
        EXPECT_NEAR(nodes[at].rho / gyration, factor, rounding);
      }
    }
  }
}

TEST(NodePattern, IsBalancedRoundAndSpinsLikeADisc) {
  for (const NodePattern pattern :
       {NodePattern::one_six, NodePattern::four_eight, NodePattern::four_eight_twelve}) {
    double weight = 0, spin = 0;
    Vec2 mean = Vec2::Zero();
    Mat2 moment = Mat2::Zero();
    for (const UnitNode& n : unit_nodes(pattern)) {
      weight += n.weight;
      mean += n.weight * n.xi;
      moment += n.weight * n.xi * n.xi.transpose();
      spin += n.weight * std::hypot(n.xi.norm(), n.rho);
    }
    EXPECT_NEAR(weight, 1, rounding);
    EXPECT_LE(mean.norm(), rounding);
    EXPECT_NEAR(moment(0, 0), moment(1, 1), rounding);
    EXPECT_NEAR(moment(0, 1), 0, rounding);
    EXPECT_NEAR(spin, 4.0 / 3, rounding) << "2R/3 with R = 2";
  }
}

}  // namespace
}  // namespace tact
