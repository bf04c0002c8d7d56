// cone/pyramid.hpp - the friction cone with k flat sides, inscribed in the round one.
#pragma once

#include "tact/cone/planar.hpp"

namespace tact {

/// The cone over the regular polygon of k corners mu (cos 2πi/k, sin 2πi/k); k >= 3.
[[nodiscard]] PlanarCone pyramid_cone(double mu, int edges);

}  // namespace tact
