// A Result may hold the reason why there is no value: dropping it unread is a mistake.
// error: unused-result
#include "tact/base/result.hpp"

tact::Result<double> half(double x) {
  return x / 2;
}

double use() {
#ifdef TACT_MUST_FAIL
  half(3);
#endif
  const tact::Result<double> h = half(3);
  return h ? *h : 0;
}
