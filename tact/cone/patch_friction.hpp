// cone/patch_friction.hpp - Coulomb friction on a patch: what a face may transmit in its plane.
//
//     T in argmin_{T in F(N)} T.τ,    σ(N; τ) = max_{T in F(N)} (-T.τ)     (the dissipation, >= 0)
//
// N = (s, f) is the normal load, f its force [N] and s = f c the first moment of the pressure [N
// m], c the centre of pressure; τ = [v_T, ω_N], T = [f_T, m_N] about the origin of the patch frame.
// F(N) is convex, compact, contains 0, depends continuously on N and grows in proportion to it.
// With mu = 0 it is {0}: friction vanishes exactly.
//
// Statics leaves the pressure open, and with it the friction; a model closes the question:
//   EffectivePatch  even pressure on the part of the hull that is symmetric about c, by few nodes.
//   The
//                   default. At an edge it is line friction, at a vertex point friction without
//                   spin.
//   EllipsoidAtCop  one node at c. The fastest; a disc's spin torque is exact, its slip is not.
//   VertexModel     all pressures at once: the largest F(N). Overestimates spin.
//   Winkler         an elastic bed of given nodes.
// The node patterns are tied to the axes of the patch frame: turning the frame changes the
// dissipation by up to one percent ('1+6'). Everything else commutes with changes of frame and
// unit.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "tact/cone/effective_patch.hpp"
#include "tact/cone/friction_nodes.hpp"
#include "tact/cone/node_pattern.hpp"
#include "tact/cone/vertex_friction.hpp"
#include "tact/cone/winkler.hpp"
#include "tact/linalg/types.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

struct EffectivePatch {
  NodePattern pattern = NodePattern::one_six;
  bool operator==(const EffectivePatch&) const = default;
};
struct EllipsoidAtCop {
  /// Spin torque over mu f [m]; by default 2√2/3 sqrt(tr Σ_c), exact for a disc, 0.6 % more than
  /// exact for a square.
  std::optional<double> radius;
  bool operator==(const EllipsoidAtCop&) const = default;
};
struct VertexModel {
  /// Round rims are replaced by the polygon of this many points on them; a centre of pressure
  /// beyond that polygon (by at most 0.12 % of the radius for 64 points) is taken to its nearest
  /// point.
  int ring = 64;
  bool operator==(const VertexModel&) const = default;
};
using PatchFriction = std::variant<EffectivePatch, EllipsoidAtCop, VertexModel, Winkler>;

struct NormalLoad {
  Vec2 s = Vec2::Zero();  ///< [N m]
  double f = 0;           ///< [N], >= 0

  /// From [m_T, f_N], m_T = s^perp.
  [[nodiscard]] static NormalLoad from_wrench(const Vec3& normal_wrench) {
    return {-perp(normal_wrench.head<2>()), normal_wrench[2]};
  }
  [[nodiscard]] static NormalLoad at(const Vec2& c, double f) { return {f * c, f}; }
};

struct PatchFrictionWorkspace {
  EffectivePatchWorkspace effective;
  FrictionWorkspace friction;
  std::vector<double> weights;
};

/// Whether T is in F(N), decided without making the set: true only where it is, false where that is
/// not clear. Node models on polygons.
[[nodiscard]] bool clearly_in_friction_set(const PatchFriction& model, const PlanarSet& hull,
                                           const NormalLoad& load, double mu, const Vec3& T);

/// F(N) for one normal load. Made once, then asked as often as needed.
class FrictionSet {
 public:
  /// Of a node model; empty for the vertex model.
  [[nodiscard]] std::span<const FrictionNode> nodes() const { return nodes_; }
  /// Of the vertex model.
  [[nodiscard]] const VertexFriction& vertices() const { return vertices_; }
  [[nodiscard]] bool by_vertices() const { return by_vertices_; }
  /// Whether the model found a pressure for this load; only an elastic bed may fail to.
  [[nodiscard]] bool reliable() const { return reliable_; }

  /// σ(N; τ) [W].
  [[nodiscard]] double support(const Vec3& tau) const;
  /// One T with T.τ = -σ(N; τ).
  [[nodiscard]] Vec3 force(const Vec3& tau) const;
  /// min { γ : T in γ F(N) }; T is in F(N) iff it is at most one.
  [[nodiscard]] double gauge(const Vec3& T) const;
  /// T in F(N), τ = G T + b, T = argmin T.τ.
  [[nodiscard]] FrictionSolution solve(const Mat3& G, const Vec3& b, FrictionWorkspace& work,
                                       const Vec3& start = Vec3::Zero()) const;
  /// argmin_{T in F(N)} ½ |T - T0|²_G.
  [[nodiscard]] FrictionSolution project(const Mat3& G, const Vec3& T0, FrictionWorkspace& work,
                                         const Vec3& start = Vec3::Zero()) const;

 private:
  friend void make_friction_set(const PatchFriction& model, const PlanarSet& hull,
                                const NormalLoad& load, double mu, PatchFrictionWorkspace& work,
                                FrictionSet& out);
  std::vector<FrictionNode> nodes_;
  VertexFriction vertices_;
  bool by_vertices_ = false;
  bool reliable_ = true;  ///< the elastic bed was solved
};

/// F(N), N in K_P; a centre of pressure outside the hull is taken to its nearest point. mu >= 0, f
/// >= 0. Reuses the memory of `out`: node models on polygons and ellipses allocate nothing once it
/// has grown.
void make_friction_set(const PatchFriction& model, const PlanarSet& hull, const NormalLoad& load,
                       double mu, PatchFrictionWorkspace& work, FrictionSet& out);
[[nodiscard]] FrictionSet make_friction_set(const PatchFriction& model, const PlanarSet& hull,
                                            const NormalLoad& load, double mu);

}  // namespace tact
