// base/rng.hpp - seeded random numbers. No other source of randomness exists in the library.
//
// The standard engines are portable but the standard distributions are not: these are, bit for bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace tact {

/// SplitMix64 (Steele, Lea, Flood 2014): one word of state, every seed is a good seed.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  /// In [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// In {0, ..., n - 1}; the bias of 2^-64 n is below anything a test can see.
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>(uniform() * static_cast<double>(n));
  }

  /// Standard normal, by Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2 * std::log1p(-uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  /// Log-uniform: every decade between low and high is equally likely.
  double log_uniform(double low, double high) {
    return low * std::exp(uniform() * std::log(high / low));
  }

 private:
  std::uint64_t state_;
};

}  // namespace tact
