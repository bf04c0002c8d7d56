// io/fc3d.hpp - Coulomb contact problems the way other people's files order them: normal first.
//
// A contact has `dim` rows, [n, t1, t2] or [n, t]; with W, q (local) or M, H, f, b (global)
//     local:  u = W r + q,             global:  M v = f + H r,  u = H'v + b,
//     K ∋ r ⟂ u + mu |u_t| e_n ∈ K*    at every contact.
// tact's own order is [t1, t2, n]; both ways of the conversion are here.
#pragma once

#include <string>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {

struct Fc3d {
  std::string name;
  bool global = false;
  Index dim = 3;   ///< 2 or 3, or 5 with rolling friction: [n, t1, t2] and two rolling moments
  SparseMatrix M;  ///< W when local
  SparseMatrix H;  ///< global only, one column per contact row
  VecX f;          ///< global only
  VecX b;          ///< q when local
  VecX mu;         ///< one per contact
  VecX rolling;    ///< [m], one per contact where dim is 5

  VecX v;  ///< somebody's solution, global only; may be empty
  VecX r;  ///< somebody's solution; may be empty

  [[nodiscard]] Index contact_count() const { return mu.size(); }
};

inline constexpr Index rolling_dim = 5;

/// The row in tact's order of row `i` in normal-first order.
[[nodiscard]] inline Index normal_last(Index i, Index dim) {
  const Index in_contact = i % dim;
  return in_contact == 0 ? i + dim - 1 : i - 1;
}

/// Refuses sizes that do not fit together, numbers that are not finite and negative mu. The global
/// form becomes the mass form with velocity 0, impulse f, rows H', excitation b and a mass that may
/// be any regular matrix; dim 5 becomes RollingLaw without spinning, whose sixth row is empty; the
/// local form the Delassus form. A solution becomes the outcome; a global one needs both v and r.
[[nodiscard]] Result<ContactProblem> from_normal_first(const Fc3d& problem);

/// Refuses laws other than Coulomb's at points, and planar contacts beside others. In mass form
/// f = M u⁻ + p, and restitution and stabilisation are put into b.
[[nodiscard]] Result<Fc3d> normal_first(const ContactProblem& problem);

}  // namespace tact
