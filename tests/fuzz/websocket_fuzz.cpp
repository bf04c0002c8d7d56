// Whatever a client sends, reading it ends in a request or frames that fit, or in a refusal; and
// reading it in two parts is reading it at once.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tact/io/websocket.hpp"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

void read_frames(std::string_view bytes) {
  tact::ClientMessages box;
  box.most = 64;
  while (true) {
    tact::ClientFrame frame;
    std::size_t size = 0;
    std::uint16_t code = 0;
    const auto found = tact::take_frame(bytes, box.most, frame, size, code);
    if (found == tact::FrameFound::refused) must(code >= 1002 && code <= 1009);
    if (found != tact::FrameFound::whole) return;
    must(size <= bytes.size() && frame.payload.size() <= box.most);
    for (std::size_t cut = 0; cut < size; ++cut) {
      tact::ClientFrame part;
      std::size_t less = 0;
      must(tact::take_frame(bytes.substr(0, cut), box.most, part, less, code) ==
           tact::FrameFound::partial);
    }
    bytes.remove_prefix(size);
    const tact::ClientEvent event = box.take(std::move(frame));
    must(box.parts.size() <= box.most);
    if (event.kind == tact::ClientEvent::Kind::text) must(tact::is_utf8(event.payload));
    if (event.kind == tact::ClientEvent::Kind::refuse) return;
  }
}

void read_request(std::string_view bytes) {
  tact::HttpRequest request;
  std::size_t size = 0;
  int status = 0;
  const auto found = tact::take_request(bytes, request, size, status);
  if (found == tact::RequestFound::refused) must(status >= 400 && status <= 505);
  if (found != tact::RequestFound::whole) return;
  must(size <= bytes.size() && size <= tact::largest_request);
  must(request.target.starts_with('/') && request.header("host").has_value());
  must(request.headers.size() <= tact::most_request_headers);
  (void)tact::host_name(*request.header("host"));
  (void)tact::upgrade_status(request);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size > 0 && data[0] >= 0x80)
    read_frames(bytes);
  else
    read_request(bytes);
  return 0;
}
