// contact/constraint_rows.hpp - the rows of one time step: contacts, limits, dry friction and
// equalities over the dofs, and their Delassus matrix through the factor of the mass matrix.
//
// A row is a sum of sides. A side reaches from the root of a tree down to one dof, its leaf, and is
// dense over that chain: of a contact each of the two bodies gives one side, a joint's limit has
// one. With M = LᵀDL of body/mass_matrix.hpp
//     G = J M⁻¹ Jᵀ = Y Yᵀ,      Y = J L⁻¹ D^-½,
// Y has the pattern of J, and two sides meet in the dofs that their chains begin with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tact/body/constraints.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/contact/patch_pool.hpp"
#include "tact/contact/scene_contacts.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

enum class RowSource : std::uint8_t { surface, limit, dry_friction, equality };

/// What a group of rows belongs to; the same in every step in which it is there.
struct RowKey {
  RowSource source = RowSource::surface;
  std::uint64_t what = 0;   ///< geoms, or the joint, tendon or equality
  std::uint32_t which = 0;  ///< of several of the same
  bool operator==(const RowKey&) const = default;
};
[[nodiscard]] bool before(const RowKey& a, const RowKey& b);

/// The rows of one contact, limit, ... of the step.
struct RowGroup {
  RowKey key;
  Index place = 0;  ///< in the list it comes from: SceneContacts, LimitRows, ...
  Index first_row = 0, row_count = 0;
  Index first_side = 0, side_count = 0;
  Pose X_WC;                ///< of a surface: where its rows are taken
  bool one_robot = false;   ///< of a surface: of_one_robot()
  bool opens = false;       ///< of a surface: some joint moves it along its normal
  Vec3 gap = Vec3::Zero();  ///< of the rows that have one, up to [2]: [ω_T, v_N], v_N, errors
};

struct ChainRows {
  Index group = 0;
  Index leaf = 0, length = 0;
  Index at = 0;  ///< of its first value; row after row
};

struct ConstraintRows {
  std::vector<RowGroup> groups;
  std::vector<ChainRows> sides;
  std::vector<double> jacobian, scaled;  ///< J and Y
  std::vector<LocalLaw> laws;            ///< [groups]
  Index rows = 0;

  // ---- workspace
  PatchPool patches;
  std::vector<Motion> columns;
  std::vector<Index> side_tree;  ///< [sides] the first dof of its tree, known once G is made
  std::vector<Index> listed;     ///< all groups, likewise
  std::vector<Index> tree_begin, tree_side, seen, place;
};

void clear(ConstraintRows& rows);

/// The rows of a contact of two surfaces, its law and its gap. Expects forward_kinematics.
void add_surface(const Model& model, const Kinematics& kin, const SceneContacts& all, Index contact,
                 const PatchFriction& pressure, ConstraintRows& rows);

/// Six rows, the twist of body1 at p1_W less that of body2 at p2_W in the axes R_WC, with no law.
void add_twist_rows(const Model& model, const Kinematics& kin, Index body1, Index body2,
                    const Mat3& R_WC, const Vec3& p1_W, const Vec3& p2_W, ConstraintRows& rows);

/// Takes the group that was added last away again.
void drop_last(ConstraintRows& rows);

/// Rows that are given by their entries, from `first` on as many as the law has; their gap.
RowGroup& add_rows(const Model& model, const SparseRows& from, Index first, const RowKey& key,
                   const LocalLaw& law, ConstraintRows& rows);

/// Row `i` of each: a limit, its gap included; dry friction over dt seconds. Group `i`: equations,
/// without bounds, their errors included.
void add_limit(const Model& model, const LimitRows& from, Index i, ConstraintRows& rows);
void add_dry_friction(const Model& model, const FrictionRows& from, Index i, double dt,
                      ConstraintRows& rows);
void add_equality(const Model& model, const EqualityRows& from, Index i, ConstraintRows& rows);

/// J. With `place`, over those degrees of freedom only that have one, [nv], else -1: `count` of
/// them.
[[nodiscard]] SparseMatrix sparse(const Model& model, const ConstraintRows& rows);
[[nodiscard]] SparseMatrix sparse(const Model& model, const ConstraintRows& rows,
                                  std::span<const Index> place, Index count);

/// Y. To be called when all rows are there.
void scale_rows(const Model& model, const TreeFactor& factor, ConstraintRows& rows);

/// G, pattern and values; the metrics follow. `b` keeps what it has.
void make_delassus(const Model& model, ConstraintRows& rows, DelassusProblem& out);

/// The same with no block of G but those on the diagonal: what sweeps need.
void make_own_blocks(const Model& model, ConstraintRows& rows, DelassusProblem& out);

/// G of `groups`, ascending, which share no tree with any other; `own` has the blocks on the
/// diagonal, of all groups. Expects make_own_blocks or make_delassus.
void make_island_matrix(const Model& model, ConstraintRows& rows, std::span<const Index> groups,
                        const BlockMatrix& own, BlockMatrix& G);

/// out = J u.
void row_velocities(const Model& model, const ConstraintRows& rows, const VecX& u, VecX& out);

/// p += Jᵀ λ.
void add_row_impulses(const Model& model, const ConstraintRows& rows, const VecX& lambda, VecX& p);

/// The gap [m] as an element of the space of [ω_T, v_N]: gap(x) = v_N + ω_T . x^perp.
[[nodiscard]] inline Vec3 gap_twist(const Vec3& affine) {
  return {affine[2], -affine[1], affine[0]};
}

/// That function, or the normal velocity of a twist [ω_T, v_N], at a point of the patch.
[[nodiscard]] inline double value_at(const Vec3& twist, const Vec2& x) {
  return twist[2] + twist[0] * x[1] - twist[1] * x[0];
}

}  // namespace tact
