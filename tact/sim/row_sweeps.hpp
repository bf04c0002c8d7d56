// sim/row_sweeps.hpp - sweeps over the rows of a large pile, body by body.
//
// With Y of G = Y Yᵀ and w = Yᵀ λ, kept in the degrees of freedom, the velocity of a contact is
// u = Y w + b: a visit reads and writes its two bodies and never looks at another contact. A visit
// takes the load that brings the contact to rest where its law allows that, else projects the
// normal load, then friction given that load. The ellipsoid model's radius is asked anew when the
// centre of pressure has moved by a share of the patch that changes it less than the sweeps leave
// open.
//
// For a budget of sweeps: what they leave is the judge's to say. A pile is never solved to rounding
// this way, and its boxes creep by what is missing.
#pragma once

#include <span>
#include <vector>

#include "tact/contact/residual.hpp"
#include "tact/sim/step_rows.hpp"

namespace tact {

struct RowSweepWork {
  std::vector<double> inverse;  ///< of the diagonal blocks; a first entry of zero: none
  std::vector<Index> at;        ///< where each group's begins
  VecX w;                       ///< Yᵀ λ
  VecX u;                       ///< Y w + b
  VecX normal;                  ///< of positions: Λ over the rows of the step
  std::vector<Vec3> target;     ///< [groups] of positions: Γ/h + W(ū₀)
  std::vector<Index> order;     ///< groups from the lowest up
  /// What the visits of a contact remember. Of the ellipsoid model: the radius at the centre of
  /// pressure it was last asked at; of others the direction of slip.
  struct Spin {
    Vec2 at = Vec2::Zero();
    double radius = -1;
    Vec3 slip = Vec3::Zero();
  };
  std::vector<Spin> spins;  ///< [groups]
  LocalWorkspace local;
};

/// `sweeps` over `groups`, forwards and backwards in turn; λ is the start and the answer, the loads
/// of other groups stay. Of G the diagonal is used. The judge's residual of all.
[[nodiscard]] Residual sweep_rows(const Model& model, const StepRows& rows,
                                  const DelassusProblem& problem, std::span<const Index> groups,
                                  int sweeps, RowSweepWork& work, VecX& lambda);

/// Where bodies are to be moved apart, Y_N w + target in K*, the rows along the plane of groups
/// that stick held: the same for the positions, from zero. A stack that sank would need as many
/// sweeps as the square of its height; the last two go from the ground up instead and move the
/// upper of two bodies alone. Positions carry no momentum, so that nothing but the lift is wrong
/// with it, and that is booked. work.w is the answer, see unscaled().
void sweep_positions(const Model& model, const StepRows& rows, const DelassusProblem& problem,
                     std::span<const Index> groups, const std::vector<bool>& sticks, int sweeps,
                     RowSweepWork& work);

/// Velocities of the degrees of freedom that w = Yᵀ λ stands for: M⁻¹ Jᵀ λ.
void unscaled(const Model& model, const TreeFactor& factor, const VecX& w, VecX& out);

}  // namespace tact
