// The viewer's page, viewer/dist/viewer.html, inside the program.
#pragma once

#include <string_view>

namespace tact::app {

[[nodiscard]] std::string_view built_in_page();

}  // namespace tact::app
