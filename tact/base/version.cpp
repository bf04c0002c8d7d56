#include "tact/base/version.hpp"

#include "tact/base/version_info.hpp"

namespace tact {

const char* version() {
  return TACT_VERSION;
}

}  // namespace tact
