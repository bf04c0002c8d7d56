// solve/lcp.hpp - a contact problem with polygonal laws as one linear complementarity problem.
//
//     0 <= z ⟂ w = M z + q >= 0,      λ = λ_0 + Σ g_j z_j.
// Unknowns of a contact:
//     N                 the load of a point, g = normal;                    w = u_n
//     β_k               shares of the corners c_k of the friction polygon,  w = c_k.u_t + σ
//     σ                 the power of sliding per unit of load,              w = N - Σβ
//     α_i               of a patch: loads at the corners x_i of its hull, g = [x_i^perp, 1];
//                                                                           w = v_N(x_i)
//     z                 of a bounded row: λ = lower + z, w = u + σ;  σ: w = upper - lower - z. With
//                       one bound z alone, from that bound; with none λ = z - z' and no σ.
// Box, pyramid and planar friction are of this kind: a pure LCP, with bounds that follow the load.
// [FrictionM4] box, pyramid. M is copositive when G is positive semidefinite; G may be
// non-symmetric.
//
// M, q and z are in units of the contacts' own metric D, so that all are of the size of one
// energy: z here times `scale` is the z above, w here is `scale` times the w above.
#pragma once

#include <cstdint>
#include <vector>

#include "tact/contact/delassus.hpp"

namespace tact {

enum class LcpRole : std::uint8_t { load, friction, sliding };

struct LcpColumn {
  Index contact = 0;
  LcpRole role = LcpRole::load;
  Vec3 g = Vec3::Zero();  ///< in the rows of the contact, at most three; zero for σ
};

struct ContactLcp {
  std::vector<LcpColumn> columns;
  std::vector<Index> begin;  ///< first column of every contact, and their number at the end
  MatX M;
  VecX q;
  std::vector<double> scale;  ///< of the columns
  VecX base;                  ///< λ_0: where bounded rows start from
  VecX free;                  ///< G λ_0 + b
};

/// Whether the law can be written so: frictionless, planar, box, pyramid, a bounded row, or a
/// frictionless patch whose hull is a polygon.
[[nodiscard]] bool has_lcp(const LocalLaw& law);

/// False when a law has no such form, or for more than 8000 unknowns: pivoting is dense. Allocates
/// only for more unknowns than ever before.
[[nodiscard]] bool write_lcp(const DelassusProblem& problem, ContactLcp& out);

/// λ of a solution.
void impulses(const DelassusProblem& problem, const ContactLcp& lcp, const VecX& z, VecX& lambda);

}  // namespace tact
