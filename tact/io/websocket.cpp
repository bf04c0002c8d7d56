#include "tact/io/websocket.hpp"

#include <utility>

#include "tact/io/sha1.hpp"

namespace tact {

namespace {

constexpr std::size_t mask_size = 4, key_size = 16;
constexpr std::size_t largest_control = 125;
constexpr std::uint64_t short_size = 126, medium_size = 127;

std::uint8_t byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<std::uint8_t>(bytes[i]);
}

std::uint64_t high_first(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) out = (out << 8U) | byte_at(bytes, i);
  return out;
}

bool is_control(FrameKind kind) {
  return (static_cast<std::uint8_t>(kind) & 8U) != 0;
}

/// Codes that may stand in a close frame. RFC 6455, 7.4.2
bool is_close_code(std::uint64_t code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

ClientEvent refusal(std::uint16_t code) {
  return {ClientEvent::Kind::refuse, "", code};
}

ClientEvent closing(const std::string& payload) {
  if (payload.empty()) return {ClientEvent::Kind::close, "", close_code::normal};
  if (payload.size() < 2) return refusal(close_code::protocol_error);
  const std::uint64_t code = high_first(std::string_view(payload).substr(0, 2));
  if (!is_close_code(code)) return refusal(close_code::protocol_error);
  if (!is_utf8(std::string_view(payload).substr(2))) return refusal(close_code::not_utf8);
  return {ClientEvent::Kind::close, payload.substr(2), static_cast<std::uint16_t>(code)};
}

/// Bytes that follow a first byte, and the least and the most the next one may be.
struct Utf8Lead {
  std::size_t more = 0;
  std::uint8_t least = 0x80, most = 0xBF;
};
std::optional<Utf8Lead> utf8_lead(std::uint8_t c) {
  if (c < 0x80) return Utf8Lead{0};
  if (c >= 0xC2 && c <= 0xDF) return Utf8Lead{1};
  if (c == 0xE0) return Utf8Lead{2, 0xA0};
  if (c == 0xED) return Utf8Lead{2, 0x80, 0x9F};
  if (c >= 0xE1 && c <= 0xEF) return Utf8Lead{2};
  if (c == 0xF0) return Utf8Lead{3, 0x90};
  if (c >= 0xF1 && c <= 0xF3) return Utf8Lead{3};
  if (c == 0xF4) return Utf8Lead{3, 0x80, 0x8F};
  return std::nullopt;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = utf8_lead(byte_at(text, i++));
    if (!lead || text.size() - i < lead->more) return false;
    for (std::size_t k = 0; k < lead->more; ++k, ++i) {
      const std::uint8_t c = byte_at(text, i);
      if (c < (k == 0 ? lead->least : 0x80) || c > (k == 0 ? lead->most : 0xBF)) return false;
    }
  }
  return true;
}

int upgrade_status(const HttpRequest& request) {
  const auto key = request.header("sec-websocket-key");
  if (request.method != "GET" || !request.lists("upgrade", "websocket") ||
      !request.lists("connection", "upgrade") || !key || !is_base64_of(*key, key_size))
    return 400;
  return request.header("sec-websocket-version") == "13" ? 101 : 426;
}

std::string accept_key(std::string_view key) {
  const auto digest = sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string frame_head(FrameKind kind, std::uint64_t size) {
  std::string out;
  out.push_back(static_cast<char>(0x80U | static_cast<std::uint8_t>(kind)));
  std::size_t bytes = 0;
  if (size < short_size) {
    out.push_back(static_cast<char>(size));
  } else if (size <= 0xffff) {
    out.push_back(static_cast<char>(short_size));
    bytes = 2;
  } else {
    out.push_back(static_cast<char>(medium_size));
    bytes = 8;
  }
  for (std::size_t i = bytes; i-- > 0;) out.push_back(static_cast<char>((size >> (8 * i)) & 0xffU));
  return out;
}

std::string frame_bytes(FrameKind kind, std::string_view payload) {
  return frame_head(kind, payload.size()).append(payload);
}

std::string close_frame(std::uint16_t code, std::string_view reason) {
  std::string payload;
  payload.push_back(static_cast<char>(code >> 8U));
  payload.push_back(static_cast<char>(code & 0xffU));
  payload.append(reason.substr(0, largest_control - 2));
  return frame_bytes(FrameKind::close, payload);
}

FrameFound take_frame(std::string_view bytes, std::size_t most, ClientFrame& out, std::size_t& size,
                      std::uint16_t& code) {
  code = close_code::protocol_error;
  if (bytes.size() < 2) return FrameFound::partial;
  const std::uint8_t first = byte_at(bytes, 0), second = byte_at(bytes, 1);
  out.last = (first & 0x80U) != 0;
  out.kind = static_cast<FrameKind>(first & 0x0fU);
  const std::uint8_t kind = first & 0x0fU;
  const bool known = kind <= 2 || (kind >= 8 && kind <= 10);
  const bool masked = (second & 0x80U) != 0;
  std::uint64_t length = second & 0x7fU;
  if ((first & 0x70U) != 0 || !known || !masked) return FrameFound::refused;
  if (is_control(out.kind) && (!out.last || length > largest_control)) return FrameFound::refused;
  std::size_t head = 2;
  if (length >= short_size) {
    const std::size_t more = length == short_size ? 2 : 8;
    if (bytes.size() < head + more) return FrameFound::partial;
    length = high_first(bytes.substr(head, more));
    head += more;
    if (length < short_size || (more == 8 && length <= 0xffff) || (length >> 63U) != 0)
      return FrameFound::refused;  // not in its shortest form
  }
  if (length > most) {
    code = close_code::too_large;
    return FrameFound::refused;
  }
  if (bytes.size() < head + mask_size + length) return FrameFound::partial;
  const std::string_view mask = bytes.substr(head, mask_size);
  out.payload.assign(bytes.substr(head + mask_size, length));
  for (std::size_t i = 0; i < out.payload.size(); ++i)
    out.payload[i] = static_cast<char>(out.payload[i] ^ mask[i % mask_size]);
  size = head + mask_size + length;
  return FrameFound::whole;
}

ClientEvent ClientMessages::take(ClientFrame&& frame) {
  if (frame.kind == FrameKind::close) return closing(frame.payload);
  if (frame.kind == FrameKind::ping)
    return {ClientEvent::Kind::ping, std::move(frame.payload), close_code::normal};
  if (frame.kind == FrameKind::pong) return {};
  const bool goes_on = frame.kind == FrameKind::continuation;
  if (goes_on != open.has_value()) return refusal(close_code::protocol_error);
  if (!goes_on) open = frame.kind;
  if (parts.size() + frame.payload.size() > most) return refusal(close_code::too_large);
  parts += frame.payload;
  if (!frame.last) return {};
  const bool text = *open == FrameKind::text;
  open.reset();
  ClientEvent out{text ? ClientEvent::Kind::text : ClientEvent::Kind::binary,
                  std::exchange(parts, {}), close_code::normal};
  if (text && !is_utf8(out.payload)) return refusal(close_code::not_utf8);
  return out;
}

}  // namespace tact
