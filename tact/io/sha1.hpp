// io/sha1.hpp - SHA-1 and base64, as the opening of a WebSocket asks for them (RFC 3174, RFC 4648).
//
// SHA-1 keeps no secret any more; here it only shows that a server has understood.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tact {

[[nodiscard]] std::array<std::uint8_t, 20> sha1(std::string_view bytes);

/// With padding, on one line.
[[nodiscard]] std::string base64(std::string_view bytes);

/// Whether the text is base64 of exactly `size` bytes.
[[nodiscard]] bool is_base64_of(std::string_view text, std::size_t size);

}  // namespace tact
