// body/jacobian.hpp - how the velocity of a point of a body depends on the velocities of the
// joints.
//
// Only the dofs between a body and the root of its tree move it: its chain. The columns over a
// chain are [ω; v of the point] in the axes of W; rows over all dofs are kept sparse. What J̇ q̇
// adds to the acceleration is point_acceleration_bias of body/kinematics.hpp.
#pragma once

#include <span>
#include <vector>

#include "tact/body/kinematics.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {

/// The dofs that move a body, from the root downwards; empty for bodies that no joint moves.
[[nodiscard]] std::span<const Index> chain(const Model& model, Index body);

/// One column for each dof of the chain: the motion of the body with the velocity of its point at
/// `point_W`. Expects forward_kinematics; allocates nothing once `columns` has been as large.
void point_jacobian(const Model& model, const Kinematics& kin, Index body, const Vec3& point_W,
                    std::vector<Motion>& columns);

/// Sparse rows that grow one by one; columns of a row ascend.
struct SparseRows {
  std::vector<Index> begin{0};
  std::vector<Index> column;
  std::vector<double> value;

  [[nodiscard]] Index rows() const { return static_cast<Index>(begin.size()) - 1; }
  void clear();
  void add(Index at, double entry);  ///< to the row in the making
  void finish_row();
  [[nodiscard]] double times(Index row, const VecX& x) const;
  /// y += rowᵀ s.
  void add_transposed(Index row, double s, VecX& y) const;
};

[[nodiscard]] SparseMatrix sparse(const SparseRows& rows, Index columns);

/// What a row says of one body: direction · (velocity of its point) + axis · (its ω), all in W.
struct RowSide {
  Index body = 0;
  Vec3 point_W = Vec3::Zero();
  Vec3 direction = Vec3::Zero();
  Vec3 axis = Vec3::Zero();
};

/// The sum of the two sides. Dofs above both that do nothing, as for one point and opposite
/// directions, are left out.
void append_row(const Model& model, const Kinematics& kin, const RowSide& first,
                const RowSide& second, SparseRows& rows);
void append_row(const Model& model, const Kinematics& kin, const RowSide& side, SparseRows& rows);

}  // namespace tact
