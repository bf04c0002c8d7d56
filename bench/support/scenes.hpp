// support/scenes.hpp - contact problems of bodies made to measure: towers, piles, given spectra.
//
// All in SI units and fixed by their arguments and a seed.
#pragma once

#include <cstdint>

#include "tact/contact/problem.hpp"

namespace tact::bench {

/// What the bodies do before the contacts act, gravity apart.
enum class Motion {
  resting,
  tipping,  ///< random angular velocities about horizontal axes
  pushed,   ///< random horizontal velocities and spins
};
[[nodiscard]] const char* name(Motion motion);

/// A tower of cubes (edge 0.2 m) or cylinders (radius 0.1 m, height 0.2 m) of 1 kg on the ground.
struct Tower {
  int bodies = 1;
  bool round = false;
  int points = 0;  ///< of every interface: 0 is one patch; a square number for cubes
  double mu = 0;
  double top = 1;  ///< mass of the topmost [kg]
  Motion motion = Motion::resting;
  std::uint64_t seed = 1;
};
[[nodiscard]] ContactProblem tower(const Tower& tower);

/// Spheres of 0.8 to 1.2 of a radius on a jittered close-packed lattice on the ground, 2.5 contacts
/// a sphere: the pairs that are closest. Masses follow the radii; small random velocities.
[[nodiscard]] ContactProblem pile(Index contacts, double mu, std::uint64_t seed);

/// A column of spheres, the upper the heavier: the topmost has `ratio` times the mass of the
/// lowest.
[[nodiscard]] ContactProblem column(int bodies, double ratio, const Law& law, std::uint64_t seed);

/// A dense problem whose matrix has a random basis and eigenvalues spread evenly over
/// log(1/condition) ... 0, made so that a solution exists in which contacts stick, slide and open.
[[nodiscard]] ContactProblem with_spectrum(Index contacts, double condition, const Law& law,
                                           std::uint64_t seed);

/// Spectrum of G. Its nonzero eigenvalues are those of M^{-1/2} J' J M^{-1/2}.
struct Spectrum {
  Index rank = 0;
  double condition = 1;  ///< largest over smallest of the nonzero ones, lengths in units of 0.1 m
  double scaled = 1;     ///< the same in the metric of the diagonal blocks, which has no units
};
[[nodiscard]] Spectrum spectrum(const ContactProblem& problem);

}  // namespace tact::bench
