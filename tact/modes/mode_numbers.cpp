#include <bit>
#include <cmath>
#include <cstdint>

#include "tact/base/tolerance.hpp"
#include "tact/modes/exact_rows.hpp"
#include "tact/modes/mode_parts.hpp"

namespace tact::detail {

namespace {

/// x = mantissa 2^exponent, mantissa odd or zero.
struct Binary {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

Binary binary(double x) {
  if (x == 0) return {};
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  constexpr int digits = 53;
  auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, digits));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  mantissa /= std::int64_t{1} << zeros;
  return {mantissa, exponent - digits + zeros};
}

/// Most rows are multiples of 2^-20 below 2^20: true if this one is.
bool simple_row(const ModeSystem& system, Index row, std::int64_t* out) {
  constexpr double grid = 1 << 20;
  std::uint64_t all = 0;
  for (Index j = 0; j < system.dof(); ++j) {
    const double x = system.rows(row, j) * grid;
    if (!(std::abs(x) < grid * grid)) return false;
    out[j] = static_cast<std::int64_t>(x);
    if (static_cast<double>(out[j]) != x) return false;
    all |= static_cast<std::uint64_t>(out[j]);
  }
  if (all == 0) return true;
  const std::int64_t common = std::int64_t{1} << std::countr_zero(all);
  for (Index j = 0; j < system.dof(); ++j) out[j] /= common;
  return true;
}

/// One row of doubles as whole numbers without a common power of two.
void whole_row(const ModeSystem& system, Index row, std::int64_t* out) {
  if (simple_row(system, row, out)) return;
  const Index dof = system.dof();
  int lowest = 0;
  bool first = true;
  for (Index j = 0; j < dof; ++j) {
    const Binary b = binary(system.rows(row, j));
    if (b.mantissa == 0) continue;
    lowest = first ? b.exponent : std::min(lowest, b.exponent);
    first = false;
  }
  std::uint64_t common = 0;
  for (Index j = 0; j < dof; ++j) {
    const Binary b = binary(system.rows(row, j));
    const auto size = static_cast<std::uint64_t>(std::abs(b.mantissa));
    const int shift = b.mantissa == 0 ? 0 : b.exponent - lowest;
    if (shift > 61 || std::bit_width(size) + shift > 61) throw NumberTooLarge{};
    out[j] = b.mantissa * (std::int64_t{1} << shift);
    common = std::gcd(common, size << shift);
  }
  if (common > 1)
    for (Index j = 0; j < dof; ++j) out[j] /= static_cast<std::int64_t>(common);
}

void big_row(const ModeSystem& system, Index row, mpz_class* out) {
  const ExactVector entries = exact_row(system.rows.row(row).transpose(), system.exact, row);
  mpz_class scale = 1;
  for (const Exact& e : entries) scale = lcm(scale, e.get_den());
  mpz_class common = 0;
  for (std::size_t j = 0; j < entries.size(); ++j) {
    out[j] = entries[j].get_num() * (scale / entries[j].get_den());
    common = gcd(common, out[j]);
  }
  if (common > 1)
    for (std::size_t j = 0; j < entries.size(); ++j) out[j] /= common;
}

}  // namespace

NumberRows<WholeBig> big_rows(const ModeSystem& system) {
  NumberRows<WholeBig> out{{}, system.rows.rows(), system.dof()};
  out.values.resize(out.rows * out.dof);
  for (Index row = 0; row < out.rows; ++row)
    big_row(system, row, out.values.data() + row * out.dof);
  return out;
}

NumberRows<Whole64> small_rows(const ModeSystem& system) {
  NumberRows<Whole64> out{{}, system.rows.rows(), system.dof()};
  out.values.resize(out.rows * out.dof);
  std::vector<char> exact(out.rows, 0);
  for (const ExactEntry& entry : system.exact) exact[entry.row] = 1;
  std::vector<mpz_class> big(out.dof);
  for (Index row = 0; row < out.rows; ++row) {
    std::int64_t* to = out.values.data() + row * out.dof;
    if (!exact[row]) {
      whole_row(system, row, to);
      continue;
    }
    big_row(system, row, big.data());
    for (Index j = 0; j < out.dof; ++j) {
      if (mpz_sizeinbase(big[j].get_mpz_t(), 2) > 61) throw NumberTooLarge{};
      to[j] = big[j].get_si();
    }
  }
  return out;
}

NumberRows<Snapped> scaled_rows(const ModeSystem& system) {
  NumberRows<Snapped> out{{}, system.rows.rows(), system.dof()};
  out.values.resize(out.rows * out.dof);
  const double scene = system.rows.size() > 0 ? system.rows.cwiseAbs().maxCoeff() : 0;
  for (Index i = 0; i < out.rows; ++i) {
    const double largest = out.dof > 0 ? system.rows.row(i).cwiseAbs().maxCoeff() : 0;
    if (largest <= tolerance::mode_row * scene) continue;  // zero, and noise not to be blown up
    for (Index j = 0; j < out.dof; ++j) out.values[i * out.dof + j] = system.rows(i, j) / largest;
  }
  return out;
}

}  // namespace tact::detail
