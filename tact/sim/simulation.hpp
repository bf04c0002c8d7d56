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

#include "tact/body/bias.hpp"
#include "tact/body/constraints.hpp"
#include "tact/body/energy.hpp"
#include "tact/contact/body_problem.hpp"
#include "tact/contact/constraint_rows.hpp"
#include "tact/contact/detect.hpp"
#include "tact/impact/law.hpp"
#include "tact/impact/ledger.hpp"
#include "tact/linalg/small_lu.hpp"
#include "tact/sim/accounts.hpp"
#include "tact/sim/centred_model.hpp"
#include "tact/sim/prescribed.hpp"
#include "tact/sim/row_sweeps.hpp"
#include "tact/sim/soft_scene.hpp"
#include "tact/solve/solve.hpp"
#include "tact/solve/static_equilibrium.hpp"

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

/// What one step did.
struct StepReport {
  SolveReport solve;
  Index contacts = 0, patches = 0;  ///< near enough to matter
  Index position_solves = 0;
  double penetration = 0;  ///< [m] the deepest at the end of the step, as far as the rows know
  double joint_error = 0;  ///< [m, rad] limits passed and equations missed, likewise
  std::vector<ImpactEvent> impacts;
  Index unsolved_impacts = 0;  ///< the law had no answer; met at e = 0
};

/// What a step remembers of a group of rows to start the next from.
struct RememberedLoad {
  RowKey key;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  ///< of surfaces, in W, about `at` [N s, N m s]
  Vec3 at = Vec3::Zero();
  double load = 0;  ///< of single rows
};

/// The loads of the last step. With them, and with what detection remembers of pairs, a run goes on
/// bit for bit.
struct StepMemory {
  std::vector<RememberedLoad> loads;   ///< in the order of RowKey
  std::vector<RememberedLoad> before;  ///< workspace
};

struct SmoothMotion {
  VecX implicit;        ///< [nv] damping of joints and servos taken at u⁺, per unit of time
  VecX implicit_servo;  ///< of which the servos'
  VecX conservative;    ///< impulses of weight, springs and, for trees, -h c
  VecX actuators, damping, gyroscopic;  ///< the other impulses
  VecX z;
  // ---- workspace
  VecX bias, springs, total, middle;
  Actuation actuation;
  BiasWorkspace bias_work;
};

/// Scratch of position_step.hpp.
struct PositionWork {
  struct Part {
    Index group, member;  ///< of the step, and its place among the groups that are solved
    Index first, count;   ///< rows first ... of the problem below
    bool normal;          ///< the normal rows of the group, else one row that is held
    Index row;            ///< of the group, where it is one that is held
  };
  std::vector<Part> parts;
  DelassusProblem problem;       ///< of the parts; of G the diagonal alone
  BodyRows bodies, part_bodies;  ///< of the groups, and of the parts
  std::vector<double> Y;         ///< of the parts
  AugmentedNewtonWorkspace newton;
  VecX load, begun;  ///< Λ + ½λ, and its start
  VecX expected, moved;
  VecX impulse;  ///< Λ over the rows of the step
  VecX rates, change;
};

/// Scratch of settle_positions.
struct SettleWork {
  Kinematics kin;
  SceneContacts contacts;
  ConstraintRows rows;
  DelassusProblem problem;
  std::vector<Vec3> gaps;
  std::vector<bool> sticks;
  VecX velocity;
  VecX moved;  ///< by all passes of the step
  std::vector<Index> local;
  DetectWorkspace detect;
  PositionWork position;
};

/// An impact by its law, as it was solved: what a judge needs.
struct KeptImpact {
  ContactProblem problem;  ///< over the bodies that were hit; contacts are named
  ImpactOutcome outcome;
  std::size_t event = 0;  ///< in StepReport::impacts
};

/// Scratch of impact_phase.hpp.
struct ImpactWork {
  /// Asked for by whoever records: the impacts of the last step, each with its problem. Between
  /// steps they stay.
  bool keep = false;
  std::vector<KeptImpact> kept;
  Kinematics kin;
  DetectWorkspace detect;
  SceneContacts contacts, closed;
  ConstraintRows rows;
  MassMatrix mass;
  EqualityRows equalities;
  LimitRows limits;
  VecX rates, free_rates;
  std::vector<Vec2> points;
  std::vector<Twist> drives, drives_then;  ///< at the start of the flight, and at its end
  std::vector<double> driven;              ///< [geoms] as in StepWork
  std::vector<bool> hit, member;           ///< [links] by their roots, [closed contacts]
  std::vector<Index> dofs, place;
};

/// What the landings of a step are found with.
struct LandingWork {
  std::vector<std::size_t> landed;                      ///< groups
  std::vector<std::pair<std::size_t, double>> stopped;  ///< that came closed, and how fast [m/s]
  std::vector<double> of_group;                         ///< [groups] work [J]
  std::vector<Vec2> points;                             ///< of one contact
  VecX gained;                                          ///< γ~(u⁺) - γ~(z) = J M⁻¹Jᵀ λ
};

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

/// Rows of a step, all or those of an island, and what they are solved with.
struct StepProblem {
  double dt = 0;            ///< of the last step, or part of one
  ConstraintRows rows;      ///< of an island: groups and laws only
  DelassusProblem problem;  ///< of a pile that is swept G has its diagonal alone
  VecX recalled;            ///< λ that the solve began with
  VecX expected;            ///< velocities of the rows if nothing changes, gaps as in b
  BodyRows bodies;          ///< of the rows above
  AugmentedNewtonWorkspace newton;
  VecX lambda;
  std::vector<bool> sticks;  ///< [groups]
  std::vector<Vec3> gaps;    ///< [groups] at the start of the step
  SolveWorkspace solve;
  PositionWork position;
};

/// Contacts that share no moving body with any other.
struct StepIsland : StepProblem {
  std::vector<Index> members;  ///< groups of the step, ascending
  std::vector<Index> leaves;   ///< last dofs of its bodies
  SolveReport report;
  StaticEquilibriumWorkspace statics;
  VecX moving;          ///< impulses of a motion that may not be
  bool solved = false;  ///< not swept
  bool opened = false;  ///< the position solve has an answer
};

/// Scratch of step_islands.hpp.
struct StepIslands {
  std::vector<StepIsland> kept;  ///< of this step and earlier ones, for their memory
  std::vector<Index> found;      ///< in `kept`, by their first group: all of the step
  std::vector<Index> present;    ///< those that are solved; none: the step is one problem, or swept
  std::vector<Index> at_leaf;    ///< [dofs + 1] in `kept`, of the island whose lowest leaf it is
  std::vector<Index> up;         ///< [groups] towards the first group of the island
  std::vector<Index> place;      ///< [groups] of the first group of an island: in `kept`
  std::vector<Index> renamed;    ///< [groups] scratch of sub_matrix
  std::vector<Index> joined;     ///< [dofs + 1] of a search for loops
  std::vector<Index> local;      ///< [dofs] scratch of make_body_rows
  SweptParts left;               ///< groups of islands that are neither solved nor open
  VecX momentum, gained;         ///< [dofs] M u⁻, and what a step of free motion adds to it
};

/// Scratch of carried_rows.hpp.
struct CarriedWork {
  State end;  ///< where u⁻ leads
  Kinematics kin;
  EqualityRows equalities;  ///< of the start of the step
  VecX rates_start, rates_end;
};

/// Scratch of a step; of no meaning between steps, except where said.
struct StepWork : StepProblem {
  State mid;
  Kinematics kin, kin_end;
  MassMatrix mass;
  VecX lumped;  ///< M + h D
  TreeFactor factor;
  SmoothMotion smooth;
  SceneContacts contacts;
  LimitRows limits;
  FrictionRows dry;
  EqualityRows equalities;
  CarriedWork carried;
  StepIslands islands;
  VecX chi_minus, chi_plus, gamma_minus, gamma_plus, velocity, impulse;
  VecX velocity_before;  ///< u⁻ of the last step
  VecX mean0, mean;      ///< the mean velocity, and the one that positions move with
  State end;
  State uncorrected;  ///< where the mean velocity alone would have led; with trees
  SettleWork settle;
  RowSweepWork sweep;
  bool swept = false;       ///< this step is one of sweeps
  double left_overlap = 0;  ///< [m] of links of one robot, not opened
  std::vector<Twist> drive_minus, drive_plus;
  std::vector<double> driven;  ///< [geoms] how far they may be driven in this step [m]; or empty
  ImpactWork impact;
  LandingWork landing;
  SoftWork soft;
};

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

  StepWork work;
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
