// solve/all_solutions.hpp - every solution of a contact problem, or the proof that there is none.
//
// With a polygon of friction at every contact the solutions are the union of finitely many convex
// pieces, one per joint mode of the velocities:
//     separate      λ = 0,                        u_n > 0
//     a face F      λ in cone(F),  u_n = 0,       c.u_t least on the corners c of F and nowhere
//     else
// F is a corner or an edge of the polygon (slide) or all of it (stick). Every solution has exactly
// one joint mode, so nothing is counted twice; within a mode, impulses with u = G λ + b are a
// polyhedron. The search goes through the modes contact by contact and drops a branch only with a
// proof: multipliers of the branch's linear conditions that add up to 0 > 0.
//
// The exact Coulomb disc: stick is a round cone, enclosed by polygons from both sides; sliding
// directions are searched by halving sectors, each enclosed by a polygonal cone. What is left of a
// sector is proved to hold one solution by an interval Newton step, or solutions that all slide in
// the same directions, a polyhedron then, or reported as undecided.
//
// All decisions are made on the numbers as they are given, without rounding: doubles are rationals,
// G = J M⁻¹ J' is computed exactly, and signs are exact.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tact/contact/delassus.hpp"
#include "tact/contact/labels.hpp"

namespace tact {

/// A number of the problem that is not the double it holds: its value as "p/q".
struct ExactNumber {
  enum class Field : std::uint8_t {
    mass,
    velocity,
    impulse,
    rows,
    excitation,
    delassus,
    free_velocity,
    mu,
    restitution,
    gap,
    stabilisation,
    dt,
    after,    ///< the velocity of the outcome
    impulses  ///< of the outcome, row by row
  };
  Field field = Field::mass;
  Index i = 0, j = 0;  ///< row and column, or the contact
  std::string value;
};

/// Numbers that are not zero, by index, as "p/q".
using ExactTerms = std::vector<std::pair<Index, std::string>>;

/// What a unit (a point, or a corner of a patch) is assumed to do.
struct UnitMode {
  enum class Kind : std::uint8_t { separate, face, sector, ray };
  Kind kind = Kind::separate;
  Index first = -1, last = -1;  ///< corners of the face; -1: all of them, stick
  /// Sector of sliding: directions at 2 atan(from), 2 atan(to). Ray: the direction of (from, to),
  /// whole numbers with a whole length.
  double from = 0, to = 0;
  bool operator==(const UnitMode&) const = default;
};

/// One node of the proof. Its conditions are those of the modes on the way to it.
struct ProofNode {
  enum class End : std::uint8_t { branch, refuted, solution, unique, undecided };
  End end = End::undecided;
  Index unit = -1;       ///< which unit the mode below is of; -1 at the root
  UnitMode mode;         ///< assumed here
  Index branching = -1;  ///< the unit whose modes, or halves of a sector, the children assume
  std::vector<Index> children;
  Index rim = 0;           ///< corners of the polygons that enclose round sticking cones here
  ExactTerms multipliers;  ///< refuted: of the rows of the conditions
  Index piece = -1;        ///< solution and unique: which one
};

/// One convex piece of the solutions.
struct SolutionPiece {
  std::vector<UnitMode> modes;  ///< of every unit
  std::vector<Regime> labels;   ///< of every contact
  Index component = 0;          ///< pieces of one component are connected
  bool round = false;           ///< exact friction discs take part: enclosed, not listed
  VecX lambda, u;               ///< impulses inside the piece, and their velocities G λ + b
  Index force_freedom = 0;      ///< dimension of the impulses
  Index velocity_freedom = 0;   ///< dimension of the velocities; 0: one velocity
  VecX low, high;               ///< range of every row of λ; infinite when unbounded
  VecX u_low, u_high;           ///< range of every row of u
  bool listed = false;          ///< whether the next two are complete
  std::vector<VecX> vertices;   ///< of the polyhedron of λ
  std::vector<VecX> rays;
  double enclosed = 0;  ///< unique: half-width of the box that λ is proved to lie in

  // For the check: a point of the conditions' columns, and why the velocity is unique.
  std::vector<std::string> witness;
  std::vector<Index> idle_columns;  ///< columns that are zero all over the piece
  std::vector<ExactTerms> idle_proofs;
  std::vector<ExactTerms> velocity_proofs;  ///< per row of u, when there is one velocity: rows of
                                            ///< the conditions that add up to u_r - its value
};

struct AllSolutionsOptions {
  Index max_nodes = 20000;           ///< of the search; more is refused with an estimate
  Index max_rows = 96;               ///< of λ
  double least_sector = 1.0 / 1024;  ///< [rad] sectors are halved down to this
  /// [rad] the same where loads are redundant while discs slide: solutions are curves then, and
  /// no sector is small enough.
  double redundant_sector = 1.0 / 8;
  Index max_vertices = 2000;  ///< of a piece; above it none are listed
};

struct AllSolutions {
  enum class Status : std::uint8_t {
    complete,   ///< these are all solutions
    undecided,  ///< these are solutions, and there may be others where a node says undecided
    too_large,  ///< the search was given up: see `estimate`
  };
  Status status = Status::too_large;
  std::vector<SolutionPiece> pieces;
  Index components = 0;  ///< connected sets of solutions: how many different solutions there are
  std::vector<ProofNode> proof;
  Index certificates = 0;                   ///< refuted nodes
  Index undecided = 0;                      ///< undecided nodes
  std::vector<std::vector<UnitMode>> open;  ///< of every undecided node, the modes of all units
  double estimate = 0;  ///< too_large: nodes that the whole search would take, from its start
};

/// Refuses what reduce() refuses, and laws without such modes: rolling, patches with friction,
/// patches with a round rim.
[[nodiscard]] Result<AllSolutions> all_solutions(const ContactProblem& problem,
                                                 const AllSolutionsOptions& options = {},
                                                 const std::vector<ExactNumber>& exact = {});

/// Walks the proof and believes nothing: branches go through all modes, multipliers refute, pieces
/// are solutions. Products and signs of rationals only; for sectors, intervals.
[[nodiscard]] Result<bool> check_all_solutions(const ContactProblem& problem,
                                               const AllSolutions& solutions,
                                               const std::vector<ExactNumber>& exact = {});

}  // namespace tact
