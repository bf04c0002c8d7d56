// The files of scenes/patches, inside the program.
#pragma once

#include <span>
#include <string_view>

namespace tact::app {

struct BuiltInScene {
  std::string_view name;  ///< of the file, without .json
  std::string_view text;
};
[[nodiscard]] std::span<const BuiltInScene> built_in_patches();

}  // namespace tact::app
