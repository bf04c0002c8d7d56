// solve/augmented_newton.hpp - the solver for redundant constraints: an augmented Lagrangian whose
// inner problems Newton's method solves in velocity space.
//
// Every constraint has a law λ = Π(λ - D⁻¹u), u = G λ + b, with D its own Delassus block. With the
// proximal weight α and the centre λ0 an inner problem asks for
//     λ(x) = Π(λ0 - (αD)⁻¹ (J x + b)),      F(x) = M x - Jᵀλ(x) = 0,      x = v - v*,
// v* the free velocity. Its matrix H = M + JᵀCJ, C = -∂λ/∂u, is regular whatever the constraints:
// redundant ones, and those that nothing can move, are ordinary input. The outer iteration moves
// the centre, λ0 ← λ. At its fixed point α has no influence: the answer is exact. Among impulses
// that are not unique it is the one nearest to the start: from zero the one of least energy, so
// that symmetric structures get symmetric forces, and warm the one of the last step.
//
// From impulses that are nearly right, as those of the last step, Newton's method on the natural
// map comes first (natural_newton.hpp). Inner problems: from zero every constraint that is not
// clearly open sticks in the first system; in later outer iterations the first system takes the
// last active set, and is kept only if |F| falls. Then dx = -H⁻¹F with a line search on the slope
// dx·F(x + t dx), which is one pass over the constraints. Where dx is no descent direction C gives
// way to its symmetric part for one system.
//
// Three operators, one method: `BodyOperator` factors H on the graph of bodies, and never makes G;
// `ExplicitOperator` has G and factors αD + G row by row, for few constraints on many degrees of
// freedom and for problems that are given as G and b; `MassOperator` takes a mass matrix of any
// pattern. Reference: Alart and Curnier 1991; Rockafellar 1976 for the outer iteration.
#pragma once

#include <vector>

#include "tact/contact/body_problem.hpp"
#include "tact/contact/mass_pattern.hpp"
#include "tact/contact/residual.hpp"
#include "tact/linalg/block_lu.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

/// What a constraint does at the current point.
enum class Piece : std::uint8_t {
  open,     ///< Π is zero, and so is its slope
  resting,  ///< Π is the identity: the velocity is zero
  other,    ///< slides, tips, or lies at a bound
};

/// Scratch of the method; dirty is fine.
struct AugmentedNewtonWorkspace {
  VecX u, du, last_u;   ///< J x + b, its change, and where the last inner problem ended
  VecX image, trial;    ///< λ(x)
  VecX best, previous;  ///< impulses: of least residual, and the centre before
  std::vector<Piece> piece, factored_piece;
  std::vector<LocalMatrix> slope;     ///< [constraints] of Π; written where the piece is `other`
  std::vector<LocalMatrix> factored;  ///< those of the factor at hand
  LocalWorkspace local;
  JudgeWorkspace judge;
  VecX ray;  ///< after `infeasible`: impulses that cancel and yet do work, see jam.hpp
  // ---- of the operators
  VecX point, direction, force;  ///< x, dx, F; of ExplicitOperator impulses instead of motions
  VecX momentum;                 ///< of those, G F
  BlockMatrix graph;             ///< pattern of H
  BodyPattern pattern;
  MassPattern mass_pattern;
  BlockLu lu;
};

struct AugmentedNewtonOptions {
  double least_weight = tolerance::least_weight;  ///< the smallest α
  /// From zero, too, steps on the natural map come first: quick where it does not matter which of
  /// several impulses are found.
  bool natural_from_zero = false;
  /// Of what is at rest: it is solved from a residual above `rest_tolerance` on, and then down to
  /// `goal`, as long as every outer iteration halves it. What is solved to rounding stays solved in
  /// the next step, for nothing, and does not creep. 0: as everything else.
  double rest_tolerance = 0, goal = 0;
  /// A residual at which the method ends as soon as an outer iteration does not halve it.
  double acceptable = 0;
  /// From impulses of a larger residual nothing is begun. 0: something is, always.
  double hopeless = 0;
  /// So many systems that do not halve the residual are the last. 0: all that there may be.
  int most_idle = 0;
};

/// From `lambda` to better impulses. options.max_iterations is the number of linear systems, by
/// default 200. `expected` are the velocities u of what goes on as it was: what is at rest is
/// solved again where impulses change them.
SolveReport augmented_newton(const DelassusProblem& problem, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, AugmentedNewtonWorkspace& work,
                             VecX& lambda, const VecX* expected = nullptr);
SolveReport augmented_newton(const BodyProblem& problem, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, AugmentedNewtonWorkspace& work,
                             VecX& lambda, const VecX* expected = nullptr);

SolveReport augmented_newton(const MassProblem& problem, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, AugmentedNewtonWorkspace& work,
                             VecX& lambda);

}  // namespace tact
