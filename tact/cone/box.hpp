// cone/box.hpp - box friction: each tangential axis bounded on its own, |f_i| <= c f_n.
//
// Reference: [FrictionM4] box. The half-width c = scale mu decides which property of the round cone
// the box keeps; along a diagonal it allows √2 times as much as along an axis.
#pragma once

#include "tact/cone/planar.hpp"

namespace tact {

/// c / mu. The box is a stand-in for the disc of radius mu; say which.
struct BoxScale {
  double value;

  static BoxScale inscribed();  ///< 1/√2: never more friction than Coulomb (the note's choice)
  static BoxScale circumscribed();     ///< 1: never less
  static BoxScale mean_dissipation();  ///< π/4: the same dissipation on average over directions
};

/// K = { (f_1, f_2, f_n) : |f_i| <= c f_n }, c = scale * mu.
[[nodiscard]] PlanarCone box_cone(double mu, BoxScale scale = BoxScale::inscribed());

}  // namespace tact
