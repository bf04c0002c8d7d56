// io/http_request.hpp - the head of an HTTP/1.1 request, read strictly: text in, no sockets.
//
// Only what a viewer's server needs (RFC 9112): requests without a body, targets that begin with
// '/', lines that end in CRLF. Whatever is not exactly that is refused with a status.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tact {

struct HttpRequest {
  std::string method, target;                                ///< as sent: nothing is decoded
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case

  /// The value of a header; nothing where it is missing or stands there more than once.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
  /// Whether a list such as "keep-alive, Upgrade" has a word, in any case.
  [[nodiscard]] bool lists(std::string_view name, std::string_view word) const;
};

inline constexpr std::size_t largest_request = 8192;
inline constexpr std::size_t most_request_headers = 64;

enum class RequestFound { whole, partial, refused };

/// Reads the request at the beginning of `bytes`. `size` is how many of them it takes, `status` of
/// a refused one what to answer (400, 413, 414, 431, 501, 505).
[[nodiscard]] RequestFound take_request(std::string_view bytes, HttpRequest& out, std::size_t& size,
                                        int& status);

/// The name in "name", "name:80" or "[::1]:80", in lower case and without brackets; nothing where
/// the text is none of these.
[[nodiscard]] std::optional<std::string> host_name(std::string_view host);
/// localhost, 127.0.0.1 and ::1. A page of another name that resolves to this machine is none.
[[nodiscard]] bool is_loopback_name(std::string_view name);

/// Takes the same time wherever the texts differ; their sizes are no secret.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace tact
