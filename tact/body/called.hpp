// body/called.hpp - what a part of a model is called in a sentence.
#pragma once

#include <string>
#include <string_view>

#include "tact/linalg/types.hpp"

namespace tact {

/// Its kind with its name in quotes, or with its number where it has no name: body "leg", joint 3.
[[nodiscard]] inline std::string called(std::string_view kind, const std::string& name, Index i) {
  return std::string(kind) + ' ' + (name.empty() ? std::to_string(i) : '"' + name + '"');
}

}  // namespace tact
