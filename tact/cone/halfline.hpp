// cone/halfline.hpp - R+: Signorini's law at a point, 0 <= f_n ⟂ v_n >= 0. [MontMarin25] (5)
#pragma once

#include "tact/cone/cone.hpp"

namespace tact {

struct HalfLine {
  static constexpr int dim = 1;
  using Vector = Eigen::Matrix<double, 1, 1>;

  [[nodiscard]] Vector project(const Vector& x) const { return x.cwiseMax(0.0); }
  /// On a line every metric gives the same projection.
  [[nodiscard]] Vector project(const Vector& x, const Metric<1>&) const { return project(x); }
  [[nodiscard]] double margin(const Vector& x) const { return x[0]; }
  [[nodiscard]] Vector support(const Vector&) const { return Vector::Ones(); }
  [[nodiscard]] HalfLine dual() const { return {}; }
  bool operator==(const HalfLine&) const = default;
};

static_assert(Cone<HalfLine>);

}  // namespace tact
