// cone/winkler.hpp - how an elastic bed of nodes shares a normal load.
//
//     min ½ Σ ρ_i²/A_i   subject to   Σ ρ_i = f,  Σ ρ_i x_i = s,  ρ_i >= 0:
//     ρ_i = A_i max(0, a + g.x_i), three unknowns (a, g).
//
// Where every node presses this is one linear system (the kernel of the hull); nearer to the rim
// nodes lift off. A centre of pressure outside the hull of the nodes has no answer: the loads are
// those of the nearest point of that hull, and the report says not converged.
#pragma once

#include <span>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"
#include "tact/poly/planar_set.hpp"

namespace tact {

/// Nodes with the area each stands for and the radius with which it resists spin. To be right near
/// edges the nodes must include the corners of the patch and two points per edge.
class Winkler {
 public:
  Winkler() : Winkler({Vec2::Zero()}, {1}, {0}) {}
  /// Refuses different counts, no node, areas that are not positive, negative radii, and NaN.
  [[nodiscard]] static Result<Winkler> from_nodes(std::vector<Vec2> points,
                                                  std::vector<double> areas,
                                                  std::vector<double> radii);

  [[nodiscard]] std::span<const Vec2> points() const { return points_; }
  [[nodiscard]] std::span<const double> areas() const { return areas_; }
  [[nodiscard]] std::span<const double> radii() const { return radii_; }
  [[nodiscard]] const PlanarSet& hull() const { return hull_; }
  bool operator==(const Winkler&) const = default;

 private:
  Winkler(std::vector<Vec2> points, std::vector<double> areas, std::vector<double> radii);

  std::vector<Vec2> points_;
  std::vector<double> areas_;
  std::vector<double> radii_;
  PlanarSet hull_;
};

struct WinklerReport {
  bool converged = true;
  int iterations = 0;
  double residual = 0;  ///< of force and moment, relative to force and size of the bed
};

/// The loads ρ_i of a unit force with centre of pressure c: their sum is one to rounding.
WinklerReport winkler_weights(const Winkler& bed, const Vec2& c, std::span<double> weights);

}  // namespace tact
