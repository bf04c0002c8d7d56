// io/websocket.hpp - the server's side of WebSocket (RFC 6455) as bytes in, bytes out: no sockets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tact/io/http_request.hpp"

namespace tact {

enum class FrameKind : std::uint8_t {
  continuation = 0,
  text = 1,
  binary = 2,
  close = 8,
  ping = 9,
  pong = 10,
};

/// Reasons to close. RFC 6455, 7.4.1
namespace close_code {
inline constexpr std::uint16_t normal = 1000, going_away = 1001, protocol_error = 1002,
                               not_understood = 1003, not_utf8 = 1007, too_large = 1009;
}  // namespace close_code

/// What an opening handshake is answered: 101, or 400 where it is none, or 426 for another version.
[[nodiscard]] int upgrade_status(const HttpRequest& request);
/// Sec-WebSocket-Accept for a Sec-WebSocket-Key.
[[nodiscard]] std::string accept_key(std::string_view key);

/// A whole frame from the server, which masks nothing.
[[nodiscard]] std::string frame_bytes(FrameKind kind, std::string_view payload);
/// Its beginning, where the payload of `size` bytes comes from elsewhere.
[[nodiscard]] std::string frame_head(FrameKind kind, std::uint64_t size);
[[nodiscard]] std::string close_frame(std::uint16_t code, std::string_view reason = {});

struct ClientFrame {
  bool last = true;
  FrameKind kind = FrameKind::text;
  std::string payload;  ///< unmasked
};

enum class FrameFound { whole, partial, refused };

/// Reads the frame at the beginning of `bytes`: masked, of a known kind, no longer than `most`;
/// control frames whole and of at most 125 bytes. `size` is how many bytes it takes, `code` of a
/// refused one why to close.
[[nodiscard]] FrameFound take_frame(std::string_view bytes, std::size_t most, ClientFrame& out,
                                    std::size_t& size, std::uint16_t& code);

/// What a client said.
struct ClientEvent {
  enum class Kind {
    nothing,  ///< a pong, a part of a message
    text,
    binary,
    ping,    ///< to be answered with the same payload
    close,   ///< to be answered with close_frame(code), and the end
    refuse,  ///< a broken rule: close_frame(code), and the end
  };
  Kind kind = Kind::nothing;
  std::string payload;
  std::uint16_t code = close_code::normal;
};

/// Messages of one client, put together from their frames.
struct ClientMessages {
  std::size_t most = 4096;  ///< bytes of a message
  std::optional<FrameKind> open;
  std::string parts;

  [[nodiscard]] ClientEvent take(ClientFrame&& frame);
};

[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace tact
