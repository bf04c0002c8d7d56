// compile_fail/raw_vector_as_twist.cpp - six raw numbers do not say whether they are a twist or a
// wrench.
#include "tact/spatial/twist.hpp"

int main() {
  [[maybe_unused]] const tact::Twist twist{};
  [[maybe_unused]] const tact::Wrench wrench{};
  [[maybe_unused]] const tact::Vec6 rows = tact::Vec6::Zero();
#ifdef TACT_MUST_FAIL
  (void)power(rows, wrench);
#else
  (void)power(tact::Twist::from(rows), wrench);
#endif
}
