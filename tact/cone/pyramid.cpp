#include "tact/cone/pyramid.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "tact/base/expects.hpp"

namespace tact {

PlanarCone pyramid_cone(double mu, int edges) {
  TACT_EXPECTS(mu >= 0 && std::isfinite(mu));
  TACT_EXPECTS(edges >= 3);
  std::vector<Vec2> corners;
  for (int i = 0; i < edges; ++i) {
    const double angle = 2 * std::numbers::pi * i / edges;
    corners.emplace_back(mu * std::cos(angle), mu * std::sin(angle));
  }
  return PlanarCone(PlanarSet::hull_of_points(corners));
}

}  // namespace tact
