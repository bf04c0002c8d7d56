// base/version.hpp - the version of the library that is linked, from the file VERSION.
#pragma once

namespace tact {

[[nodiscard]] const char* version();

}  // namespace tact
