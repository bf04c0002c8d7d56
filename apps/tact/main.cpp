#include <cstdio>

#include "tact/base/version.hpp"

int main() {
  std::printf("tact %s\n", tact::version());
  return 0;
}
