// io/patch_friction_json.hpp - friction on a patch as it stands in files.
#pragma once

#include <string>

#include "tact/io/json_reader.hpp"
#include "tact/io/patch_file.hpp"

namespace tact {

/// The fields of docs/patch-file.md, no others.
[[nodiscard]] PatchFrictionSpec read_patch_friction(const JsonField& friction);
[[nodiscard]] std::string patch_friction_json(const PatchFrictionSpec& spec);

}  // namespace tact
