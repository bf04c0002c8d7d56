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

/// Whether a built-in scene is called so; a hyphen counts as an underscore.
[[nodiscard]] bool is_built_in(const std::string& word);
/// A built-in scene by its name, else a file, or standard input for "-".
[[nodiscard]] Result<Scene> named_scene(const std::string& word);

/// How long a scene runs: as asked where that is positive, else <numeric name="tact_duration">,
/// else ten seconds. Refuses a tact_duration that is none, and more steps than can be counted.
/// `source` names the scene in the sentence.
[[nodiscard]] Result<double> run_duration(double asked, const Scene& scene,
                                          const std::string& source, double dt);
/// Steps from frame to frame: as asked where that is positive, else about sixty frames a second.
[[nodiscard]] Index frame_stride(Index asked, double dt);

}  // namespace tact::app
