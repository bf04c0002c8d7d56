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

#include "tact/contact/delassus.hpp"
#include "tact/contact/local_law.hpp"
#include "tact/linalg/block_lu.hpp"

namespace tact {

/// Every contact's piece.
struct ModePieces {
  std::vector<std::uint32_t> words;  ///< [contacts] BlockLu::Word: rests, is apart, or else
  std::vector<LocalMatrix> slopes;   ///< [contacts at least] P
  VecX right;                        ///< [rows] -u where it rests, Π - λ elsewhere
};

/// The pieces at λ and the velocities u. Returns |λ - Π|²_D, or, as soon as there is more than
/// `most`, that much; the rest is not read then.
double read_pieces(const DelassusProblem& problem, const VecX& lambda, const VecX& u,
                   ModePieces& pieces, LocalWorkspace& work,
                   double most = std::numeric_limits<double>::infinity());

/// Their system, with G + pull D in place of G. `lu` has analysed G; to factor and solve it is left
/// to the caller.
void make_system(const DelassusProblem& problem, const ModePieces& pieces, double pull,
                 BlockLu& lu);

}  // namespace tact
