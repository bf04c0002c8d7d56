// solve/mode_system.hpp - every contact on its piece of the natural map, and the linear system of
// all.
//
// At (λ, u) a contact sticks, slides, tips or is apart, that is it lies on one piece of
// λ = Π(λ - D⁻¹ u). The rows of its piece, as if it held everywhere: u = 0 where it rests, λ = 0
// where it is apart, else (1 - P) δλ + P D⁻¹ δu = Π - λ with the slope P of Π there.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "tact/contact/local_law.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/linalg/block_lu.hpp"

namespace tact {

struct ModeSystem {
  BlockLu lu;
  VecX step;                         ///< the right side
  std::vector<std::uint32_t> words;  ///< [contacts] of the system, as `lu` is told them
};

/// The system at λ and the velocities u, with G + pull D in place of G. `lu` has analysed G; factor
/// and solve are left to the caller. Returns |λ - Π|²_D, or, as soon as there is more than `most`,
/// that much; then there is no system.
double linearise(const DelassusProblem& problem, const VecX& lambda, const VecX& u, double pull,
                 ModeSystem& system, LocalWorkspace& work,
                 double most = std::numeric_limits<double>::infinity());

}  // namespace tact
