// compile_fail/twist_plus_wrench.cpp - adding a wrench to a twist.
#include "tact/spatial/twist.hpp"

int main() {
  [[maybe_unused]] const tact::Twist twist{};
  [[maybe_unused]] const tact::Wrench wrench{};
  [[maybe_unused]] const tact::Vec6 rows = tact::Vec6::Zero();
#ifdef TACT_MUST_FAIL
  (void)(twist + wrench);
#else
  (void)(twist + twist);
#endif
}
