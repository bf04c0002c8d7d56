// cone/friction_nodes.hpp - a friction set as a sum of discs and ellipsoids: support, force,
// projection.
//
// A node carries the friction bound k at the point x and resists spin like a small ring of radius
// r.
//
//     σ(τ) = Σ k_i |A_i τ|,   A_i = [1 0 -x_y; 0 1 x_x; 0 0 r_i],   F = { T : -T.τ <= σ(τ) for all
//     τ }
//          = { Σ k_i A_i' u_i : |u_i| <= 1 }.
//
// Notation: τ = [v_T, ω_N] [m/s, rad/s], T = [f_T, m_N] [N, N m], both about the origin of the
// patch frame. F is symmetric, F = -F.
//
// The two questions below are one: with b = -G T0,
//     T = argmin_{T in F} ½ |T - T0|²_G       is       T in F, τ = G T + b, T = argmin_{T in F}
//     T.τ.
//
// Method. With |τ|² measured by G^-1, friction sticks iff σ(τ) + T0.τ >= 0 for every τ; otherwise τ
// points where that sum is least on the unit sphere, and its length is minus the least value. So
// the search is for a direction, in two dimensions, and as well conditioned at the limit of stick
// as far from it. Newton's method with a line search; nodes that nearly do not move keep their own
// force as an unknown (the primal-dual step of Chan, Golub and Mulet 1999), so that turning about a
// node is no obstacle. Stick is never guessed: it is reported with forces u_i that add up to T0, or
// when the direction of least margin has been found and the margin is not negative to rounding.
#pragma once

#include <span>
#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

struct FrictionNode {
  Vec2 x = Vec2::Zero();  ///< [m]
  double k = 0;           ///< friction bound: mu times its share of the normal force [N]
  double r = 0;           ///< [m]
};

/// σ(τ), the dissipation [W].
[[nodiscard]] double friction_support(std::span<const FrictionNode> nodes, const Vec3& tau);

/// T = -Σ k_i A_i'A_i τ / |A_i τ|, with T.τ = -σ(τ). A node that does not move may carry any force
/// up to its bound; here it carries none.
[[nodiscard]] Vec3 friction_force(std::span<const FrictionNode> nodes, const Vec3& tau);

/// min { γ >= 0 : T in γ F }: at most one iff T is in F, infinite where no multiple of F reaches T.
[[nodiscard]] double friction_gauge(std::span<const FrictionNode> nodes, const Vec3& T);

enum class FrictionMode {
  stick,  ///< τ = 0: T0 is in F
  slip,
};
enum class FrictionStatus {
  converged,
  not_converged,  ///< T is in F all the same; `residual` says how far τ and T are from agreeing
};

struct FrictionSolution {
  Vec3 T = Vec3::Zero();
  Vec3 tau = Vec3::Zero();
  FrictionMode mode = FrictionMode::stick;
  FrictionStatus status = FrictionStatus::converged;
  int iterations = 0;
  /// The larger of |τ - (G T + b)| and the share of dissipation that T misses, in the energy norm
  /// relative to |b|.
  double residual = 0;
  /// Of slip, or of least margin while sticking: pass it as the next `start`.
  Vec3 direction = Vec3::Zero();
};

/// Scratch; dirty is fine. Allocates only when it sees more nodes than ever before.
struct FrictionWorkspace {
  using Two = Eigen::Array<double, 2, 1>;
  /// Two nodes side by side, as registers hold them. Of an odd number the last is there twice, the
  /// second time without a bound.
  struct Pair {
    Two k, xi_x, xi_y, radius;  ///< in units of the set's own size about its own centre
    Two rho;                    ///< the radius, or more for a start
    Two z[3], norm;             ///< A τ and its length
    Two u[3];                   ///< force over bound, |u| <= 1
  };
  std::vector<Pair> pairs;
  std::size_t count = 0;  ///< of nodes
};

/// T in F, τ = G T + b, T = argmin_{T in F} T.τ. G symmetric positive definite.
[[nodiscard]] FrictionSolution solve_friction(std::span<const FrictionNode> nodes, const Mat3& G,
                                              const Vec3& b, FrictionWorkspace& work,
                                              const Vec3& start = Vec3::Zero());

/// argmin_{T in F} ½ |T - T0|²_G; the solution's τ is G (T - T0).
[[nodiscard]] FrictionSolution project_on_friction(std::span<const FrictionNode> nodes,
                                                   const Mat3& G, const Vec3& T0,
                                                   FrictionWorkspace& work,
                                                   const Vec3& start = Vec3::Zero());

}  // namespace tact
