#include "tact/io/viewer_page.hpp"

#include "tact/io/sha1.hpp"

namespace tact {

namespace {

Result<std::string> filled(std::string_view page, std::string_view before, std::string_view data,
                           std::string_view after) {
  const std::size_t at = page.find(viewer_marker);
  if (at == std::string_view::npos || page.rfind(viewer_marker) != at)
    return Error{Errc::schema, "the viewer's page must have " + std::string(viewer_marker) +
                                   " once; build it again"};
  std::string out;
  out.reserve(page.size() + before.size() + data.size() + after.size());
  out.append(page.substr(0, at)).append(before).append(data).append(after);
  return out.append(page.substr(at + viewer_marker.size()));
}

}  // namespace

Result<std::string> page_with_recording(std::string_view page, std::string_view recording) {
  return filled(page, R"(<script type="text/plain" id="tact-recording">)", base64(recording),
                "</script>");
}

Result<std::string> live_page(std::string_view page) {
  return filled(page, R"(<script type="application/json" id="tact-live">)", R"({"socket": "live"})",
                "</script>");
}

}  // namespace tact
