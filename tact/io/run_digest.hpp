// io/run_digest.hpp - what a run is, as one number: its scene and its options, bit for bit.
#pragma once

#include <cstdint>

#include "tact/sim/simulation.hpp"

namespace tact {

/// Of everything that steps read but do not write: model, prescribed motions, surfaces, options.
/// Names, and the number of threads, do not count.
[[nodiscard]] std::uint64_t run_digest(const Simulation& sim);

}  // namespace tact
