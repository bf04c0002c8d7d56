// compile_fail/twist_from_wrench.cpp - a wrench does not turn into a twist.
#include "tact/spatial/twist.hpp"

int main() {
  const tact::Wrench wrench{};
#ifdef TACT_MUST_FAIL
  [[maybe_unused]] const tact::Twist twist = wrench;
#else
  [[maybe_unused]] const tact::Wrench copy = wrench;
#endif
}
