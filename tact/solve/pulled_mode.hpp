// solve/pulled_mode.hpp - the mode of contacts in loops: pulled towards the loads that were there.
//
// A box on two columns, and every larger heap, can share its weight in more ways than one. G is
// then singular where contacts rest, and among many contacts some always slide or tip: the mode of
// G is hardly found, and what is found changes from step to step. Solved here is
//     λ = Π(λ - D⁻¹ (u + α D (λ - λ₀))),   u = G λ + b,
// with λ₀ the loads of the last step, by Newton's method on the natural map: a few systems, as
// G + α D is regular. The pull leaves a velocity α D (λ - λ₀), that of an elastic contact which
// gives way by α h² D per unit of force, much less than a micrometre in a pile of boxes. It does
// not add up: loads that change no more leave none, bodies do not creep, and the rest of a pile is
// exact. A step that brings the error down neither whole nor in part was too long where the loads
// are least determined: it is taken again with a stronger pull towards where it began (Levenberg
// 1944), which weakens tenfold with every success. Where all digits are asked for it is first taken
// whole all the same, with a few more after it, and kept if the error is less in the end (the
// watchdog of Chamberlain, Powell, Lemaréchal and Pedersen 1982): a contact between two that rest
// gives way to nothing until one of them tips, and the way there is uphill.
#pragma once

#include "tact/contact/residual.hpp"
#include "tact/solve/mode_system.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

struct PulledModeWorkspace {
  VecX centre;           ///< λ₀
  VecX u, pulled;        ///< G λ + b, and with the pull
  VecX direction, rate;  ///< of λ and of u
  VecX from, from_u;     ///< where a step began
  VecX leapt_from, leapt_from_u;
  ModePieces pieces, trial, leapt_from_pieces;
  LocalWorkspace local;
  VecX best;  ///< of proximal_modes
};

struct PulledMode {
  int systems = 0;
  bool settled = false;  ///< the pulled problem is solved; else λ is the nearest that was seen
};

/// The problem pulled by options.pull > 0 towards the λ it begins with, to options.tolerance of the
/// problem's scale of energy; at most options.max_iterations systems, by default 24, of more than
/// 333 contacts fewer, down to 8; of a leap uphill, at most `farthest_leap`. The judge is not
/// asked.
PulledMode pulled_mode(const DelassusProblem& problem, const SolveOptions& options, BlockLu& lu,
                       PulledModeWorkspace& work, VecX& lambda, int farthest_leap = 0);

/// Without the pull: pulled modes one after the other, each towards the answer of the one before
/// and, where that settled, pulled a tenth as much, else ten times (the proximal point method),
/// until the judge accepts at options.tolerance. At most eight of 36 systems, with leaps; λ is the
/// best that was seen. Begins with options.pull > 0.
SolveReport proximal_modes(const DelassusProblem& problem, const SolveOptions& options, BlockLu& lu,
                           PulledModeWorkspace& work, JudgeWorkspace& judge, VecX& lambda);

}  // namespace tact
