// tests/oracle/compliant_oracle.hpp - reading the cases of tests/data/compliant.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "tact/linalg/types.hpp"

namespace tact::testing {

inline nlohmann::json compliant_cases(const std::string& name) {
  std::ifstream in(std::string(TACT_TEST_DATA) + "/compliant/" + name);
  return nlohmann::json::parse(in)["cases"];
}

/// A matrix of any fixed size, row by row; a vector is one number a row.
template <class Matrix>
Matrix read(const nlohmann::json& j) {
  Matrix m;
  if (static_cast<Index>(j.size()) != m.rows()) throw std::invalid_argument("wrong size");
  for (Index i = 0; i < m.rows(); ++i) {
    const nlohmann::json& row = j[static_cast<std::size_t>(i)];
    for (Index k = 0; k < m.cols(); ++k)
      m(i, k) = (row.is_array() ? row[static_cast<std::size_t>(k)] : row).template get<double>();
  }
  return m;
}

inline const nlohmann::json& named_case(const nlohmann::json& cases, const std::string& name) {
  for (const auto& c : cases)
    if (c["name"] == name) return c;
  throw std::invalid_argument(name);
}

}  // namespace tact::testing
