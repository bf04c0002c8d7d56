// io/gzip.hpp - compressed files: gzip in memory.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"

namespace tact {

[[nodiscard]] bool is_gzip(std::string_view bytes);

/// At most 256 MiB come out. One sentence when the data is damaged, ends early or is larger;
/// `source` names it there.
[[nodiscard]] Result<std::string> gunzip(std::string_view bytes, const std::string& source);

/// The same bytes every time: no name, no date.
[[nodiscard]] std::string gzip(std::string_view bytes);

}  // namespace tact
