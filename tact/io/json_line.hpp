// io/json_line.hpp - JSON of vectors, and JSON as one line of text.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tact/linalg/types.hpp"

namespace tact {

/// One line; bytes that are no UTF-8 are replaced.
[[nodiscard]] inline std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The entries of an Eigen vector.
template <class Vector>
[[nodiscard]] nlohmann::ordered_json list(const Vector& values) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (Index i = 0; i < values.size(); ++i) out.push_back(values[i]);
  return out;
}

}  // namespace tact
