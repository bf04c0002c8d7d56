// solve/exact_problem.hpp - a contact problem over the rationals, and the linear conditions of its
// modes.
//
// A unit is a point contact, or one corner of a frictionless patch: a normal h and the corners c_k
// of its friction bound, both as vectors in the rows of its contact, so that its loads are
//     λ = Σ_k (h + c_k) x_k,  x >= 0,        u_n = h.u,       c_k.u the power of a corner.
// Everything about the problem that a mode assumes is linear in (x_0, x): x_0 > 0 carries the
// constants.
#pragma once

#include <vector>

#include "tact/poly/exact_lp.hpp"
#include "tact/solve/all_solutions.hpp"

namespace tact {

struct ExactUnit {
  Index contact = 0;
  Index at = 0;    ///< first row of the contact
  Index rows = 1;  ///< of the contact
  ExactVector normal;
  std::vector<ExactVector> corners;  ///< counter-clockwise; one, zero, without friction
  bool round = false;                ///< exact Coulomb disc: `corners` is empty
  Exact mu;                          ///< of a disc
  Exact scale = 1;                   ///< a power of two that makes h'G h of size one
};

struct ExactProblem {
  std::vector<ExactUnit> units;
  std::vector<ExactVector> G;
  ExactVector b;
  Exact scale = 1;  ///< of the constants: a power of two

  [[nodiscard]] Index rows() const { return static_cast<Index>(b.size()); }
};

/// G = J M⁻¹ J' and b without rounding.
[[nodiscard]] Result<ExactProblem> exact_problem(const ContactProblem& problem,
                                                 const std::vector<ExactNumber>& exact);

/// Entry by entry.
[[nodiscard]] ExactVector operator+(ExactVector a, const ExactVector& b);
[[nodiscard]] ExactVector operator-(ExactVector a, const ExactVector& b);
[[nodiscard]] ExactVector operator*(const Exact& size, ExactVector a);
[[nodiscard]] ExactVector unit_vector(Index size, Index k);
/// start + Σ size_k v_k.
[[nodiscard]] ExactVector combined(ExactVector start, const std::vector<ExactVector>& v,
                                   const ExactVector& sizes);
/// f.x over the rows from `at` on.
[[nodiscard]] Exact dot_at(const ExactVector& f, const ExactVector& x, Index at);

/// A load of a unit.
struct ExactColumn {
  Index unit = 0;
  ExactVector load;    ///< in the rows of the contact, times the unit's scale
  ExactVector effect;  ///< G load, all rows
};

/// Modes chosen so far; units without one may do anything that their bounds allow.
using ModeChoice = std::vector<std::optional<UnitMode>>;

/// How round cones are replaced by polygonal ones.
struct RoundStick {
  Index rim = 8;        ///< corners
  bool inside = false;  ///< inscribed instead of circumscribed
};

struct PieceSystem {
  std::vector<ExactColumn> columns;  ///< column k of the system is columns[k - 1]; 0 is x_0
  ExactSystem system;
};
/// Rows, in this order: x_0 above zero; then unit by unit, in the order of unit_conditions.
[[nodiscard]] PieceSystem mode_system(const ExactProblem& problem, const ModeChoice& choice,
                                      const RoundStick& round);

/// Every mode of a unit, in a fixed order: separate, corners, edges, all; of a disc: separate,
/// stick, and the four sectors to begin with.
[[nodiscard]] std::vector<UnitMode> modes_of(const ExactUnit& unit);
/// The two halves of a sector.
[[nodiscard]] std::pair<UnitMode, UnitMode> halves(const UnitMode& sector);
/// Angle between the ends of a sector.
[[nodiscard]] double sector_width(const UnitMode& sector);
/// The unit vector of rational coordinates at the angle 2 atan t.
struct ExactDirection {
  Exact x, y;
};
[[nodiscard]] ExactDirection direction_at(double t);
/// That of a ray.
[[nodiscard]] ExactDirection direction_of(const UnitMode& ray);

/// Impulses and velocities as functionals of the columns: λ_r and u_r = (row r).x.
[[nodiscard]] ExactVector load_row(const ExactProblem& problem, const PieceSystem& modes,
                                   Index row);
[[nodiscard]] ExactVector velocity_row(const ExactProblem& problem, const PieceSystem& modes,
                                       Index row);

/// The loads of all columns x put together, and λ of a point of the system, for which x_0 counts.
[[nodiscard]] ExactVector sum_of_loads(const ExactProblem& problem, const PieceSystem& modes,
                                       const ExactVector& x);
[[nodiscard]] ExactVector load_of(const ExactProblem& problem, const PieceSystem& modes,
                                  const ExactVector& point);
/// G times a load that stands in the rows from `at` on.
[[nodiscard]] ExactVector effect_of(const ExactProblem& problem, Index at, const ExactVector& load);
/// u = G λ + b.
[[nodiscard]] ExactVector motion_of(const ExactProblem& problem, const ExactVector& lambda);
[[nodiscard]] VecX as_doubles(const ExactVector& x);

}  // namespace tact
