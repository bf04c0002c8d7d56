// base/rational.hpp - a rational number as text: exact, of any length, without a number library.
#pragma once

#include <string>

namespace tact {

/// numerator / denominator, both decimal integers of any length, the denominator positive; not
/// necessarily in lowest terms.
struct Rational {
  std::string numerator = "0";
  std::string denominator = "1";
  bool operator==(const Rational&) const = default;
};

}  // namespace tact
