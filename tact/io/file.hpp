// io/file.hpp - whole files: read at once, written entirely or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tact/base/result.hpp"

namespace tact {

/// All bytes of a regular file or pipe. One sentence when it is missing, a folder, or not readable.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// Writes to a temporary name in the same folder and renames: whoever looks sees the old file or the
/// whole new one. Nothing is left behind on failure.
[[nodiscard]] std::optional<Error> write_file(const std::string& path, std::string_view content);

}  // namespace tact
