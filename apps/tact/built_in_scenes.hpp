// The files of scenes/patches and scenes/sim, inside the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tact/io/scene_file.hpp"

namespace tact::app {

struct BuiltInScene {
  std::string_view name;  ///< of the file, without .json
  std::string_view text;
};
[[nodiscard]] std::span<const BuiltInScene> built_in_patches();

struct BuiltInSim {
  std::string_view name;  ///< of the file, without .xml
  std::string_view text, side_car;
};
[[nodiscard]] std::span<const BuiltInSim> built_in_sims();

/// The scene of that name, read with its side-car.
[[nodiscard]] Result<Scene> built_in_scene(const std::string& name);

}  // namespace tact::app
