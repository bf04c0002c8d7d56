// base/expects.hpp - contracts. A broken contract is a bug in the caller.
#pragma once

#include <stdexcept>
#include <string>

/// tact: contact mechanics that explains and certifies.
namespace tact {

struct ContractViolation : std::logic_error {
  using std::logic_error::logic_error;
};

namespace detail {
[[noreturn]] inline void fail_contract(const char* condition, const char* file, int line) {
  throw ContractViolation(std::string(file) + ":" + std::to_string(line) + ": expects " +
                          condition);
}
}  // namespace detail

}  // namespace tact

/// Always on, at public boundaries only; never inside a loop.
#define TACT_EXPECTS(cond) \
  ((cond) ? void(0) : ::tact::detail::fail_contract(#cond, __FILE__, __LINE__))
