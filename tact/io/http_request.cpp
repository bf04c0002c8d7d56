#include "tact/io/http_request.hpp"

#include <algorithm>

namespace tact {

namespace {

constexpr std::string_view end_of_line = "\r\n";

bool is_token_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_letter);
}

/// Visible ASCII; what else an address has is written with %.
bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// GET /path HTTP/1.1
int read_first_line(std::string_view line, HttpRequest& out) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return 400;
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method) || !is_visible(target)) return 400;
  if (version != "HTTP/1.1") return version.starts_with("HTTP/") ? 505 : 400;
  if (!target.starts_with('/')) return 400;
  out.method = method;
  out.target = target;
  return 0;
}

int read_header(std::string_view line, HttpRequest& out) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return 400;
  const std::string_view value = trimmed(line.substr(colon + 1));
  const auto control = [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
  };
  if (std::any_of(value.begin(), value.end(), control)) return 400;
  if (out.headers.size() == most_request_headers) return 431;
  out.headers.emplace_back(lowered(line.substr(0, colon)), value);
  return 0;
}

bool is_there(const HttpRequest& request, std::string_view name) {
  return std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const auto& h) { return h.first == name; });
}

/// What a whole head must have, and must not.
int check(const HttpRequest& request) {
  if (!request.header("host")) return 400;
  if (is_there(request, "transfer-encoding")) return 501;
  if (is_there(request, "content-length") && request.header("content-length") != "0") return 413;
  return 0;
}

}  // namespace

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
  std::optional<std::string_view> out;
  for (const auto& [own, value] : headers) {
    if (own != name) continue;
    if (out) return std::nullopt;
    out = value;
  }
  return out;
}

bool HttpRequest::lists(std::string_view name, std::string_view word) const {
  for (const auto& [own, value] : headers) {
    if (own != name) continue;
    std::string_view rest = value;
    while (true) {
      const std::size_t comma = rest.find(',');
      if (lowered(trimmed(rest.substr(0, comma))) == lowered(word)) return true;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return false;
}

RequestFound take_request(std::string_view bytes, HttpRequest& out, std::size_t& size,
                          int& status) {
  const std::size_t end = bytes.substr(0, largest_request).find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (bytes.size() < largest_request) return RequestFound::partial;
    status = bytes.find('\n') >= largest_request ? 414 : 431;
    return RequestFound::refused;
  }
  out = {};
  size = end + 2 * end_of_line.size();
  std::string_view head = bytes.substr(0, end + end_of_line.size());
  status = 0;
  for (bool first = true; !head.empty() && status == 0; first = false) {
    const std::size_t stop = head.find(end_of_line);
    const std::string_view line = head.substr(0, stop);
    head.remove_prefix(stop + end_of_line.size());
    status = first ? read_first_line(line, out) : read_header(line, out);
  }
  if (status == 0) status = check(out);
  return status == 0 ? RequestFound::whole : RequestFound::refused;
}

std::optional<std::string> host_name(std::string_view host) {
  std::string_view name = host, port;
  if (host.starts_with('[')) {
    const std::size_t close = host.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    name = host.substr(1, close - 1);
    port = host.substr(close + 1);
    if (name.find_first_not_of("0123456789abcdefABCDEF:.") != std::string_view::npos)
      return std::nullopt;
  } else {
    const std::size_t colon = host.find(':');
    name = host.substr(0, colon);
    port = colon == std::string_view::npos ? "" : host.substr(colon);
    const auto good = [](char c) { return is_token_letter(c) && c != '%'; };
    if (!std::all_of(name.begin(), name.end(), good)) return std::nullopt;
  }
  constexpr std::size_t digits = 5;
  if (!port.empty() && (port.front() != ':' || port.size() > digits + 1 ||
                        port.substr(1).find_first_not_of("0123456789") != std::string_view::npos))
    return std::nullopt;
  if (name.empty()) return std::nullopt;
  return lowered(name);
}

bool is_loopback_name(std::string_view name) {
  return name == "localhost" || name == "127.0.0.1" || name == "::1";
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    differ |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differ == 0;
}

}  // namespace tact
