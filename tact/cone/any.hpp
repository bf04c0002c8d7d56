// cone/any.hpp - the closed set of cones a contact may carry at run time.
#pragma once

#include <variant>

#include "tact/cone/coulomb.hpp"
#include "tact/cone/halfline.hpp"
#include "tact/cone/patch.hpp"
#include "tact/cone/planar.hpp"

namespace tact {

/// Adding a cone is adding one alternative here; the compiler then lists every place that must
/// decide what to do with it. Box and pyramid are PlanarCones.
using AnyCone = std::variant<HalfLine, CoulombCone, PlanarCone, PatchCone>;

[[nodiscard]] inline int dim(const AnyCone& cone) {
  return std::visit([](const auto& k) { return k.dim; }, cone);
}

/// x <- P_K(x) in the Euclidean metric; x has dim(cone) entries.
inline void project_in_place(const AnyCone& cone, Eigen::Ref<VecX> x) {
  std::visit([&](const auto& k) { x = k.project(x); }, cone);
}

}  // namespace tact
