// body/mass_matrix.hpp - the mass matrix of a model, sparse as its tree, and its factor.
//
// Reference: [Featherstone] secs. 6.2 and 6.5: composite rigid bodies, M = Lᵀ D L without fill-in.
// Notation:  M_de = S_e · (I_d S_d) for e = d or above it, I_d the inertia of everything that dof d
//            moves, plus the armature on the diagonal. Pattern and order of a row: body/tree.hpp.
// Free body: with v of its origin in W and ω in B the block is [m 1, -m R ĉ; m ĉ Rᵀ, I_B], I_B
//            about the origin and constant: bodies that nothing moves relative to are written so.
#pragma once

#include <vector>

#include "tact/body/kinematics.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {

/// Kept by the caller; allocates nothing once it has seen the model.
struct MassMatrix {
  VecX values;                          ///< row after row, pattern of model.tree
  std::vector<PointInertia> composite;  ///< [links] of the link and what hangs on it; workspace
};

/// L (unit diagonal, not stored) and 1/D, in the pattern of the tree; 1/D where the diagonal is.
struct TreeFactor {
  VecX values;
};

/// Expects forward_kinematics.
void mass_matrix(const Model& model, const Kinematics& kin, MassMatrix& mass);

/// M = Lᵀ D L. False where M is not positive definite.
[[nodiscard]] bool factor(const Model& model, const MassMatrix& mass, TreeFactor& factor);

/// The same of any matrix with that pattern, such as M + h D with the damping of the joints.
[[nodiscard]] bool factor(const Model& model, const VecX& values, TreeFactor& factor);

/// x ← M⁻¹ x.
void solve_in_place(const Model& model, const TreeFactor& factor, Eigen::Ref<VecX> x);

/// y = M x. Expects that y is not x.
void product(const Model& model, const MassMatrix& mass, const VecX& x, VecX& y);

[[nodiscard]] MatX dense(const Model& model, const MassMatrix& mass);

/// Both triangles; entries that are exactly zero are left out except on the diagonal.
[[nodiscard]] SparseMatrix sparse(const Model& model, const MassMatrix& mass);

}  // namespace tact
