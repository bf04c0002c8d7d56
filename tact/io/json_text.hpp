// io/json_text.hpp - JSON as people like to read it: objects over lines, lists of numbers on one.
#pragma once

#include <string>
#include <string_view>

namespace tact {

/// The same valid JSON text, laid out. Numbers read back exactly; a zero loses its sign.
[[nodiscard]] std::string json_text(std::string_view json);

}  // namespace tact
