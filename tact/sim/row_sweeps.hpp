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
// this way, and its boxes creep by what is missing. What is missing never gives energy: loads of a
// part whose work b.λ + ½ λ.G λ is positive, at the start or at the end, are shrunk to the share of
// them that takes most.
#pragma once

#include <span>
#include <vector>

#include "tact/contact/constraint_rows.hpp"
#include "tact/contact/residual.hpp"

namespace tact {

/// Groups in parts that share no moving body: swept one by one, each is small enough to stay near
/// the processor, and what order and which thread they are taken in makes no difference.
struct SweptParts {
  std::vector<Index> groups;
  std::vector<Index> end;  ///< [parts] past the last group of each

  [[nodiscard]] bool empty() const { return groups.empty(); }
  [[nodiscard]] int parts() const { return static_cast<int>(end.size()); }
  [[nodiscard]] std::span<const Index> part(int k) const {
    const Index first = k == 0 ? 0 : end[k - 1];
    return std::span(groups).subspan(static_cast<std::size_t>(first),
                                     static_cast<std::size_t>(end[k] - first));
  }
  void clear() {
    groups.clear();
    end.clear();
  }
  void add(std::span<const Index> part) {
    groups.insert(groups.end(), part.begin(), part.end());
    end.push_back(static_cast<Index>(groups.size()));
  }
};

struct RowSweepWork {
  std::vector<double> inverse;  ///< of the diagonal blocks; a first entry of zero: none
  std::vector<Index> at;        ///< where each group's begins
  VecX w;                       ///< Yᵀ λ
  VecX u;                       ///< Y w + b
  VecX normal;                  ///< of positions: Λ over the rows of the step
  std::vector<Vec3> target;     ///< [groups] of positions: Γ/h + W(ū₀)
  std::vector<Index> order;     ///< the groups of every part from the lowest up
  /// What the visits of a contact remember. Of the ellipsoid model: the radius at the centre of
  /// pressure it was last asked at; of others the direction of slip.
  struct Spin {
    Vec2 at = Vec2::Zero();
    double radius = -1;
    Vec3 slip = Vec3::Zero();
  };
  std::vector<Spin> spins;            ///< [groups]
  std::vector<LocalWorkspace> local;  ///< [threads]
};

/// `sweeps` over the parts, forwards and backwards in turn; λ is the start and the answer, the
/// loads of other groups stay. Of G the diagonal is used. The judge's residual of all.
[[nodiscard]] Residual sweep_rows(const Model& model, const ConstraintRows& rows,
                                  const DelassusProblem& problem, const SweptParts& parts,
                                  int sweeps, int threads, RowSweepWork& work, VecX& lambda);

/// Where bodies are to be moved apart, Y_N w + target in K*, the rows along the plane of groups
/// that stick held: the same for the positions, from zero. A stack that sank would need as many
/// sweeps as the square of its height; the last two go from the ground up instead and move the
/// upper of two bodies alone. Positions carry no momentum, so that nothing but the lift is wrong
/// with it, and that is booked. work.w is the answer, see unscaled().
void sweep_positions(const Model& model, const ConstraintRows& rows, const DelassusProblem& problem,
                     const SweptParts& parts, const std::vector<bool>& sticks, int sweeps,
                     int threads, RowSweepWork& work);

/// Velocities of the degrees of freedom that w = Yᵀ λ stands for: M⁻¹ Jᵀ λ.
void unscaled(const Model& model, const TreeFactor& factor, const VecX& w, VecX& out);

}  // namespace tact
