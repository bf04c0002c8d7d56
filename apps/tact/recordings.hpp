// Recordings among the files that commands are given.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"

namespace tact::app {

/// Whether a file is there and begins as recordings do, of any version.
[[nodiscard]] bool is_recording_file(const std::string& path);
/// Whether bytes begin so.
[[nodiscard]] bool is_recording(std::string_view bytes);

/// What `tact check` says of a recording. Refuses one that is damaged; one that was cut off is
/// said to be.
[[nodiscard]] Result<std::string> recording_summary(const std::string& path);

}  // namespace tact::app
