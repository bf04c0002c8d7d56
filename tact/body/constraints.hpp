// body/constraints.hpp - limits, dry friction and equalities as rows for a contact problem.
//
// Every row is the exact derivative of its scalar: row · q̇ = d/dt (gap or error).
// Weld:      the error of the orientation is φ = log(R_W1 R_12 R_W2ᵀ), in W.
#pragma once

#include "tact/body/forces.hpp"

namespace tact {

/// Unilateral: gap >= 0.
struct LimitRows {
  enum class Kind { joint, tendon };
  struct Source {
    Kind kind;
    Index index;
    bool upper;  ///< the larger end of the range
  };
  SparseRows rows;
  std::vector<double> gap;  ///< [rad] or [m], negative where the limit is passed
  std::vector<Source> source;
};

/// The limits of hinges, slides, balls (the angle) and tendons with gap <= margin.
void limit_rows(const Model& model, const State& state, double margin, LimitRows& out);

/// Box: |force along the row| <= bound.
struct FrictionRows {
  struct Source {
    LimitRows::Kind kind;
    Index index;
    Index axis;  ///< of the joint's degrees of freedom; 0 for a tendon
  };
  SparseRows rows;
  std::vector<double> bound;  ///< [N m] or [N]
  std::vector<Source> source;
};

/// Every dof and tendon with dry friction; the rows do not depend on the state.
void dry_friction_rows(const Model& model, FrictionRows& out);

/// Bilateral: error = 0.
struct EqualityRows {
  SparseRows rows;
  std::vector<double> error;    ///< [m] or [rad]
  std::vector<Index> begin{0};  ///< [groups + 1] first row of those that are one vector, or one
  std::vector<Index> equality;  ///< [groups] which it belongs to

  [[nodiscard]] Index groups() const { return static_cast<Index>(equality.size()); }
};

/// The active equalities. connect: three rows p_1 - p_2 along the axes of W; weld: three of φ, then
/// the same three; joint: q_1 - ref_1 - p(q_2 - ref_2). Expects forward_kinematics.
void equality_rows(const Model& model, const State& state, const Kinematics& kin,
                   EqualityRows& out);

/// The errors alone, row by row.
void equality_errors(const Model& model, const State& state, const Kinematics& kin,
                     std::vector<double>& out);

/// How fast the errors of a weld or connect grow, φ first, where its bodies move by these twists,
/// each about its own anchor.
void add_error_rates(const Kinematics& kin, const Equality& e, const Twist& first,
                     const Twist& second, double* out);

/// x_1 and p(x_2) of a joint equality, x the joints' ways from their references, and p'.
struct JointTie {
  double way = 0, polynomial = 0, slope = 0;
};
[[nodiscard]] JointTie joint_tie(const Model& model, const Equality& e, const VecX& qpos);

}  // namespace tact
