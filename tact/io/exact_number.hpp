// io/exact_number.hpp - what a file's numbers mean exactly: a number its double, a text its
// rational.
//
// Exact algorithms ask here; everything else uses the doubles. Places are named as in complaints,
// `contacts[0].normal[2]`; an entry of a matrix is `mass[0][2]`, whichever way it was written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tact/base/rational.hpp"

namespace tact {

/// The value of a finite double.
[[nodiscard]] Rational exact_value(double value);
/// The value of "-1/2", "0.1", "2e-3": everything that nearest_double (io/json_reader.hpp) takes.
[[nodiscard]] std::optional<Rational> exact_value(std::string_view text);

class ExactNumbers {
 public:
  ExactNumbers() = default;
  explicit ExactNumbers(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}

  /// What is written at a place; nothing where a plain number stands.
  [[nodiscard]] std::optional<std::string_view> text(const std::string& place) const;
  /// The exact value at a place whose double is `value`.
  [[nodiscard]] Rational at(const std::string& place, double value) const;
  [[nodiscard]] const std::map<std::string, std::string>& texts() const { return texts_; }
  bool operator==(const ExactNumbers&) const = default;

 private:
  std::map<std::string, std::string> texts_;
};

}  // namespace tact
