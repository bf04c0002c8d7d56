// io/scene_traits.hpp - how two geoms of a scene behave in contact beyond what MJCF says of them.
#pragma once

#include "tact/contact/scene_problem.hpp"
#include "tact/io/scene_file.hpp"

namespace tact {

/// Of a pair: its own, else those of its geoms (of both the first), else those of all.
[[nodiscard]] ContactTraits traits_of(const SideCar& car, Index geom1, Index geom2);

/// Restitution and pressure of a pair; what the side-car leaves out is tact_restitution and the
/// effective patch.
[[nodiscard]] ContactChoice choice_of(const Scene& scene, Index geom1, Index geom2);
/// Of pairs that the side-car does not name.
[[nodiscard]] ContactChoice common_choice(const Scene& scene);

}  // namespace tact
