// compile_fail/power_of_two_twists.cpp - power pairs a twist with a wrench, never two twists.
#include "tact/spatial/twist.hpp"

int main() {
  [[maybe_unused]] const tact::Twist twist{};
  [[maybe_unused]] const tact::Wrench wrench{};
  [[maybe_unused]] const tact::Vec6 rows = tact::Vec6::Zero();
#ifdef TACT_MUST_FAIL
  (void)power(twist, twist);
#else
  (void)power(twist, wrench);
#endif
}
