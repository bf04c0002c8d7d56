// cone/patch_witness.hpp - a pressure that realises a wrench, and Signorini's law checked point by
// point.
//
// Reference: [MontMarin25] Lemma 1 and Prop. 1, as corrected in docs/errata.md: the weights are
// α f_N and (1 - α) f_N, and a disconnected patch may need three points (Carathéodory), not two.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/types.hpp"
#include "tact/poly/planar_set.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

struct PressurePoint {
  Vec2 x = Vec2::Zero();  ///< an extreme point of the hull, and so a point of the patch itself
  double force = 0;       ///< >= 0 [N]
};

/// At most three point pressures, without heap.
class PressureWitness {
 public:
  void add(const Vec2& x, double force) { points_[size_++] = {x, force}; }
  [[nodiscard]] std::span<const PressurePoint> points() const { return {points_.data(), size_}; }

 private:
  std::array<PressurePoint, 3> points_{};
  std::size_t size_ = 0;
};

/// Point pressures ρ >= 0 on the patch with the moment and force of a wrench in K_P; nothing when
/// the wrench lies outside by more than `tolerance` of its size. No point for a wrench that is
/// zero. [MontMarin25] Lemma 1
[[nodiscard]] std::optional<PressureWitness> pressure_witness(const PlanarSet& hull,
                                                              const Wrench& wrench,
                                                              double tolerance = tolerance::regime);

/// 0 <= ρ(x) ⟂ v_N(x) >= 0 at every point of the patch: how far from it a pressure and a twist are.
/// All of it follows from the power identity  <[m_T, f_N], [ω_T, v_N]> = Σ ρ(x) v_N(x).
/// [MontMarin25] (5), Prop. 1
struct SignoriniResidual {
  double attraction = 0;   ///< largest -ρ(x) [N]
  double penetration = 0;  ///< largest -v_N(x) over the whole patch [m/s]
  double power = 0;        ///< Σ ρ(x) v_N(x) [W]
};
[[nodiscard]] SignoriniResidual pointwise_signorini(const PlanarSet& hull,
                                                    std::span<const PressurePoint> pressure,
                                                    const Twist& twist);

}  // namespace tact
