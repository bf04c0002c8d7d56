// A stranger's program: it sees only what is installed.
#include <string>

#include "tact/base/result.hpp"
#include "tact/base/version.hpp"
#include "tact/linalg/types.hpp"

int main() {
  const tact::Result<tact::Vec2> turned = tact::perp(tact::Vec2(1, 0));
  return *turned == tact::Vec2(0, -1) && std::string(tact::version()) == EXPECTED_VERSION ? 0 : 1;
}
