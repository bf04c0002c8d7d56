// io/viewer_page.hpp - the viewer's page with what it shows: a recording inside it, or where to get
// one.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"

namespace tact {

/// Where the page has its data; exactly once.
inline constexpr std::string_view viewer_marker = "<!--tact-data-->";

/// One file that needs nothing else: the bytes of a recording as base64. Refuses a page without the
/// marker.
[[nodiscard]] Result<std::string> page_with_recording(std::string_view page,
                                                      std::string_view recording);

/// The page of a server: it asks the WebSocket `live` beside it.
[[nodiscard]] Result<std::string> live_page(std::string_view page);

}  // namespace tact
