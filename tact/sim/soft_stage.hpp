// sim/soft_stage.hpp - the compliant part of a step: elastic impulses at the end they lead to.
//
// The velocity u⁺ of the step obeys
//     M (u⁺ - z) = Jᵀλ + Σ J_sᵀ p_s(T_s, q⁺) + g(ū) - g(z̄),   T_s = J_s ū + χ,   ū = ½(u⁻ + u⁺),
// with the impulses p_s of soft contacts and springs as soft/ defines them: they depend on where
// the step ends, q⁺ = q ⊕ h ū. g is the gyroscopic impulse of free bodies, taken at the true mean.
// Newton's method with M + ½ Σ J_sᵀ S J_s, S the slopes of the elements; where rigid rows act on
// the same trees, each iteration solves their contact problem with that matrix in place of M.
// Whatever the iteration leaves, the energy of every element is accounted for exactly.
#pragma once

#include "tact/contact/constraint_rows.hpp"
#include "tact/linalg/small_lu.hpp"
#include "tact/sim/simulation.hpp"

namespace tact {

/// Scratch of soft_stage.hpp.
struct SoftWork {
  /// A touch or a spring in this step.
  struct Element {
    Index touch = -1, spring = -1;  ///< one of them
    Index pair = -1;                ///< of the touch
    bool followed = true;           ///< false: far, and lost for now
    Index group = -1;               ///< of `rows`; none: too far to touch in this step
    SoftFrame frame;
    SoftAnswer answer;
    SpringAnswer spring_answer;
    Pose X_WA, X_WB;  ///< of a spring, at the end
  };
  std::vector<Element> elements;
  Index element_count = 0;  ///< the rest is kept for its memory
  ConstraintRows rows;
  VecX chi_minus, chi_plus, rates, impulses, shakes;
  std::vector<Index> dofs, place;  ///< of the trees that elastic elements act on, and the inverse
  MatX mass, matrix;               ///< over these dofs
  SmallLu lu, mass_lu;
  VecX mean, velocity, next, residual, correction, last;
  MatX differences;                ///< of the velocities of the last steps, column by order
  VecX free, change, rigid_loads;  ///< with rigid rows: without their loads; the loads kept
  Kinematics kin;
  State end;
  std::vector<Twist> drives;
  MatX rigid_rows, rigid_columns, answers, mass_answers, coupling;
  std::vector<double> lifted;  ///< [elements] energy that corrected positions gave [J]
  DelassusProblem coupled;
  // ---- of soft_touches.hpp: which pairs may come near
  std::vector<Twist> drives_now;
  std::vector<double> travel;                           ///< [geoms] in a few steps; < 0: not known
  std::vector<Index> geoms;                             ///< that soft pairs name, ascending
  std::vector<std::pair<std::uint64_t, Index>> of_key;  ///< pairs by their geoms, ascending
  std::vector<Bounds> bounds;                           ///< [geoms of soft pairs]
  BroadPhaseWorkspace broad;
  std::vector<IndexPair> boxes;
  std::vector<Index> near;  ///< pairs
  bool failed = false;
  TrackStatus why = TrackStatus::tracked;
  Index failed_pair = -1;  ///< none: Newton's method found no answer
};

/// Corrects work.velocity, lambda and what follows from them. Expects a step whose rows are solved
/// and their loads applied. False where no answer was found: the step must be shorter, and
/// work.soft says why.
[[nodiscard]] bool soft_stage(Simulation& sim, double dt, StepReport& report);

/// Books the step's elastic works, and moves the memory to `end`. `corrected`: positions were.
/// False where a contact cannot be followed there.
[[nodiscard]] bool finish_soft_stage(Simulation& sim, const State& end, bool corrected);

}  // namespace tact
