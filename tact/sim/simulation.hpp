// sim/simulation.hpp - a scene in motion: everything that a step reads and writes.
//
// One step of Moreau and Jean at the level of velocities, in stages that step.cpp names:
//     1  impacts, where restitution asks for their time                       impact_phase.hpp
//     2  z = u⁻ + M⁻¹ (h f + gyroscopic impulse), forces at q_m = q ⊕ ½h u⁻    smooth_motion.hpp
//     3  contacts detected once, at q_m; gap at the start Γ = Γ_m - ½h γ(u⁻)
//     4  u⁺:  K ∋ N ⟂ W(u⁺) + Γ⁺/h ∈ K*, friction against τ(u⁺)                solve/
//     5  mean velocity; where a gap would end below zero, a position solve     position_step.hpp
//     6  q⁺ = q ⊕ h u
//     7  the ledger                                                            accounts.hpp
// The gap of a patch is an affine function over it, an element of the space of W, so that edge,
// vertex and face are labels of one patch. A penetration is taken back at the level of positions
// alone (Γ⁺ is Γ lifted to zero): contact velocity is never used to push bodies apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tact/base/owned.hpp"
#include "tact/contact/detect.hpp"
#include "tact/impact/law.hpp"
#include "tact/impact/ledger.hpp"
#include "tact/sim/accounts.hpp"
#include "tact/sim/centred_model.hpp"
#include "tact/sim/prescribed.hpp"
#include "tact/sim/soft_scene.hpp"
#include "tact/sim/warm_start.hpp"
#include "tact/solve/solver.hpp"

namespace tact {

/// How pairs of geoms behave beyond what MJCF says of them.
struct SurfaceChoices {
  ContactChoice common;
  std::vector<std::pair<std::uint64_t, ContactChoice>> pairs;  ///< by pair_key, sorted

  [[nodiscard]] const ContactChoice& of(Index geom1, Index geom2) const;
};

struct SimOptions {
  double dt = 0;                   ///< [s]; zero takes the model's
  ImpactLaw law = tact::Newton{};  ///< of impacts with restitution
  SolverName solver = SolverName::automatic;
  /// Of the contact solve: the judge's residual. A hundred times what a single problem is asked
  /// for: what one step leaves the next one takes up, and contacts that stick are exact all the
  /// same.
  double tolerance = 100 * tolerance::solved;
  int max_iterations = 0;  ///< of the solver; 0: its default
  int threads = 1;         ///< of islands, solved or swept; the bits do not depend on it
  /// Faces within this share of the smaller geom's size are contacts with an extended centre of
  /// pressure, though nothing touches.
  double margin_share = 1e-3;
  /// Impacts without restitution are met at their time too, by the law; else within a step.
  bool time_of_impact = false;
  /// From this many contacts of free bodies on, islands (step_islands.hpp) that are large or move
  /// get a budget of sweeps (row_sweeps.hpp) by the automatic solver, and the step says what that
  /// leaves; those next to rest are solved. 0: all are.
  Index swept_from = 200;
  Index solved_island = 3000;  ///< contacts of the largest that is solved then; 0: all are swept
  int sweeps = 8, position_sweeps = 6;
  int most_impacts = 20;  ///< in one step, each at its time; what comes later is met at e = 0
};

/// What one impact was.
struct ImpactEvent {
  double time = 0;
  Index contacts = 0;          ///< that took part
  Index geom1 = 0, geom2 = 0;  ///< the pair that approached fastest
  double approach = 0;         ///< [m/s] its speed before
  double work = 0;             ///< of the contacts [J]; of one that lands within a step its own,
                               ///< unless all of the step together have given energy: theirs
  WorkVerdict verdict = WorkVerdict::dissipative;
  bool at_its_time = false;  ///< by the impact law; else within a step, at e = 0
};

/// Two geoms inside each other.
struct Overlap {
  Index geom1 = 0, geom2 = 0;
  double depth = 0;        ///< [m]
  bool one_robot = false;  ///< of_one_robot()
};

/// What one step did.
struct StepReport {
  SolveReport solve;
  Index contacts = 0, patches = 0;  ///< near enough to matter
  Index position_solves = 0;
  double penetration = 0;  ///< [m] the deepest at the end of the step, as far as the rows know
  double joint_error = 0;  ///< [m, rad] limits passed and equations missed, likewise
  std::vector<Overlap> overlaps_left;  ///< of links of one robot, or what no joint opens
  /// What the forces of joints gave, where that is more than integration explains [J]; which.
  double constraint_work = 0;
  Account constraint = Account::equalities;
  WorkVerdict constraint_verdict = WorkVerdict::dissipative;
  std::vector<ImpactEvent> impacts;
  Index unsolved_impacts = 0;  ///< the law had no answer; met at e = 0
};

/// An impact by its law, as it was solved: what a judge needs.
struct KeptImpact {
  ContactProblem problem;  ///< over the bodies that were hit; contacts are named
  ImpactOutcome outcome;
  std::size_t event = 0;  ///< in StepReport::impacts
};

struct StepWork;

/// Positions are corrected by at most this share of the smallest geom that moves, in one step.
inline constexpr double largest_correction_share = 0.2;

struct Simulation {
  CentredModel scene;
  Prescribed prescribed;
  SurfaceChoices choices;
  SoftScene soft;
  SimOptions options;
  double largest_correction = 0;  ///< [m] of positions in one step
  bool bounces = false;           ///< some contact has restitution, or the law does not ask for it

  State state;  ///< of scene.model, not of the user's: state_of()
  StepMemory memory;
  SoftMemory soft_memory;
  EnergyLedger ledger;
  Index steps = 0;
  std::optional<double> tree_kinetic, tree_potential;  ///< at `state`; where there are trees

  /// Asked for by whoever records: the impacts of the last step, each with its problem.
  bool keep_impacts = false;
  std::vector<KeptImpact> kept_impacts;

  Owned<StepWork> work;  ///< step_work.hpp: scratch, of no meaning between steps but where said
  DetectWorkspace detect;
};

/// Refuses dt <= 0 or not finite, a restitution out of range, and a model in which nothing moves.
[[nodiscard]] Result<Simulation> make_simulation(const Model& model, const State& start,
                                                 const SimOptions& options,
                                                 const Prescribed& prescribed = {},
                                                 const SurfaceChoices& choices = {},
                                                 const SoftScene& soft = {});

/// In the coordinates of the user's model.
[[nodiscard]] State state_of(const Simulation& sim);
/// From there on; the ledger and what was remembered are kept.
void set_state(Simulation& sim, const State& state);

/// Finite, and far from where squares are not, in single precision either: recordings have that.
[[nodiscard]] bool believable(const VecX& x);

/// Hash of time, positions and velocities.
[[nodiscard]] std::uint64_t state_hash(const State& state);

/// One step of options.dt. False where the numbers are no longer finite or the mass matrix has no
/// inverse: the state is then the last good one.
[[nodiscard]] bool step(Simulation& sim, StepReport& report);

}  // namespace tact
