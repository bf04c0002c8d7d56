#include "tact/cone/box.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "tact/base/expects.hpp"

namespace tact {

BoxScale BoxScale::inscribed() {
  return {1 / std::numbers::sqrt2};
}
BoxScale BoxScale::circumscribed() {
  return {1};
}
BoxScale BoxScale::mean_dissipation() {
  return {std::numbers::pi / 4};
}

PlanarCone box_cone(double mu, BoxScale scale) {
  TACT_EXPECTS(mu >= 0 && std::isfinite(mu));
  TACT_EXPECTS(scale.value > 0 && std::isfinite(scale.value));
  const double c = scale.value * mu;
  const std::array<Vec2, 4> corners{Vec2(-c, -c), Vec2(c, -c), Vec2(c, c), Vec2(-c, c)};
  return PlanarCone(PlanarSet::hull_of_points(corners));
}

}  // namespace tact
