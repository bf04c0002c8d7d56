// impact/consistency_set.hpp - the velocities after an impact that contacts can have caused without
// giving energy, as a set that can be listed and drawn.
//
//     I = A ∩ (z + cone M⁻¹W) ∩ W_α,     W_α = { u : |u - b|² <= 2α + |z - b|² for b in E },
// with |x|² = x'Mx, P⁺ = { b : γ(b) = W'b + χ >= 0 } and E the corners of P⁺; then α bounds the
// least contact work with which u can be explained. A holds what opens or keeps every contact: it
// is P⁺ itself, and more than P⁺ where friction adds generators. [Glocker] 7, 8. Three things
// differ there (docs/consistency-set.md):
// - P⁺ has corners only where W has full rank. Everything is therefore taken in the slice
//   z + M⁻¹ Im W, which holds all that impulses can reach and in which P⁺ has corners whenever it
//   is not empty. A shift across the slice changes no ball and no work.
// - A radius is kept as its square, which is negative where a ball is empty.
// - P⁺ may be empty; then a jam ray y >= 0 with W y = 0, χ'y < 0 says why.
//
// Corners, rays, faces and memberships are decided over the rationals. Their number grows
// exponentially with the dimension of the slice: for pictures and small impacts, not for steps.
#pragma once

#include <optional>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/impact/impact.hpp"

namespace tact {

/// Every contact pushes along nonnegative sums of its generators.
struct GeneratorList {
  std::vector<ExactVector> direction;  ///< columns of W: J_i'g for every generator g of contact i
  ExactVector excitation;              ///< χ_i.g
  std::vector<Index> contact;          ///< whose generator it is

  [[nodiscard]] std::size_t size() const { return contact.size(); }
  [[nodiscard]] ExactVector gamma(const ExactVector& u) const;
  bool operator==(const GeneratorList&) const = default;
};

struct ImpactGenerators {
  std::vector<ExactVector> mass;  ///< M, row by row
  GeneratorList push;             ///< of all impulses
  GeneratorList open;             ///< of those without friction: A = { u : γ >= 0 for these }
  ExactVector before;             ///< u⁻
  ExactVector free;               ///< z
};

/// Refuses cones that are not polyhedral (Coulomb's disc, round patches).
[[nodiscard]] Result<ImpactGenerators> impact_generators(const Impact<Exact>& impact);

struct PolyhedronCorner {
  ExactVector at;             ///< coordinates in the slice
  ExactVector velocity;       ///< the same point among velocities
  std::vector<Index> active;  ///< generators with γ = 0; ±M⁻¹w of these span the normal cone
  Exact radius2;              ///< 2α + |z - b|²
};

/// From a corner to another, or along a ray to infinity.
struct PolyhedronEdge {
  Index from = 0;
  Index to = 0;  ///< of the corners, or of the rays
  bool unbounded = false;
};

/// P⁺ or P⁻ in the slice.
struct VelocityPolyhedron {
  std::vector<PolyhedronCorner> corners;  ///< in a fixed order
  std::vector<ExactVector> rays;          ///< of its recession cone, coordinates in the slice
  std::vector<PolyhedronEdge> edges;
  /// Why there is no corner: y >= 0 with W y = 0 and χ'y < 0 (P⁺, a jam) or > 0 (P⁻, a pump).
  std::optional<ExactVector> contradiction;

  [[nodiscard]] bool empty() const { return corners.empty(); }
};

/// { u : constant + normal.y >= 0 } in coordinates of the slice, one per generator.
struct SliceRows {
  std::vector<ExactVector> normal;
  ExactVector constant;  ///< γ(z)
};

/// Coordinates in the slice: u = z + Σ y_j axis_j.
struct ConsistencySet {
  ImpactGenerators given;
  Exact alpha;
  std::vector<Index> basis;               ///< generators that span all directions
  std::vector<ExactVector> axis;          ///< M⁻¹w of the basis
  std::vector<ExactVector> metric;        ///< Gram matrix of the axes: |u - z|² = y'Gy
  std::vector<ExactVector> push;          ///< M⁻¹w of every generator
  SliceRows dual;                         ///< P⁺
  SliceRows open;                         ///< A
  std::vector<ExactVector> reach;         ///< impulses reach y where reach.y >= 0 for all of these
  VelocityPolyhedron opening;             ///< P⁺
  VelocityPolyhedron closing;             ///< P⁻
  std::optional<ExactVector> jam;         ///< why A is empty: y >= 0, W y = 0, χ'y < 0 over `open`
  std::optional<ExactVector> projection;  ///< prox of z on P⁺
  ExactVector before;                     ///< u⁻ seen in the slice: its projection
  /// π/2 seen in the slice: Z⁺ = P⁺ + π/2 holds the corners of the average split. [Glocker] 11
  ExactVector half_impulse;

  [[nodiscard]] Index dof() const { return static_cast<Index>(given.free.size()); }
  [[nodiscard]] bool friction() const { return !(given.push == given.open); }
  [[nodiscard]] Index dimension() const { return static_cast<Index>(basis.size()); }
};

/// Refuses a singular mass, sizes that do not fit and more corners than anyone draws.
[[nodiscard]] Result<ConsistencySet> consistency_set(ImpactGenerators given,
                                                     const Exact& alpha = Exact(0));

/// z + Σ y_j axis_j.
[[nodiscard]] ExactVector velocity_at(const ConsistencySet& set, const ExactVector& y);
/// Coordinates of the point of the slice that is nearest to u.
[[nodiscard]] ExactVector seen_in_slice(const ConsistencySet& set, const ExactVector& u);
/// y'Gy.
[[nodiscard]] Exact square(const ConsistencySet& set, const ExactVector& y);

struct ConsistencyMembership {
  bool admissible = false;   ///< u in A
  bool reachable = false;    ///< u in z + cone M⁻¹W
  bool dissipative = false;  ///< u in W_α: in all balls about corners of P⁺
  bool strong = false;       ///< in some ball about a corner of P⁻: no distribution gives more
  /// F(b) = ½|u - b|² - ½|z - b|²: its maximum over the corners of P⁺ is the least contact work
  /// that explains a reachable u, its minimum over those of P⁻ the most. Nothing where they are
  /// unbounded.
  std::optional<Exact> least, most;
  std::vector<Index> least_at;  ///< corners of P⁺ where it is attained: b₀

  /// u in I.
  [[nodiscard]] bool inside() const { return admissible && reachable && dissipative; }
};
[[nodiscard]] ConsistencyMembership membership(const ConsistencySet& set, const ExactVector& u);

}  // namespace tact
