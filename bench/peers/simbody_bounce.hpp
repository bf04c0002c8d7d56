// peers/simbody_bounce.hpp - a ball thrown onto a plane in Simbody, with its Hunt-Crossley force.
#pragma once

namespace tact::bench {

struct Bounce {
  double restitution = 0;
  double seconds = 0;  ///< CPU, of the motion alone
  int steps = 0;
};

/// What is thrown: both sides of the contact know Hertz' and Hunt and Crossley's law.
struct Throw {
  double radius = 0.02, mass = 0.1, speed = 1;
  double modulus_Pa = 1e6;         ///< E*
  double dissipation_s_per_m = 0;  ///< d of f = f_Hertz (1 + d v)
  double duration = 0;             ///< [s] twice the time of contact, or more
};

/// By its error-controlled Runge-Kutta-Merson integrator at this accuracy, timed by this clock [s].
/// A file of its own because Simbody's headers are not C++20.
[[nodiscard]] Bounce simbody_bounce(const Throw& what, double accuracy, double (*clock)());

}  // namespace tact::bench
