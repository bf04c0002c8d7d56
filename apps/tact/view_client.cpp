#include "view_client.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace tact::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t portion = std::size_t{1} << 16;
constexpr auto longest_request = 10s, longest_stall = 60s, ping_every = 15s;

std::string_view words_for(int status) {
  switch (status) {
    case 101:
      return "Switching Protocols";
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 426:
      return "Upgrade Required";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

/// The page runs its own script and talks to its own server, and nothing else.
constexpr std::string_view page_rules =
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline' blob:; worker-src "
    "blob:; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n";

bool is_numeric(std::string_view name) {
  const bool four = name.find_first_not_of("0123456789.") == std::string_view::npos;
  return four || name.find(':') != std::string_view::npos;
}

/// Names that cannot be another site's: against pages whose name is made to point here.
bool host_is_ours(const HttpRequest& request, const ViewSite& site) {
  const auto name = host_name(request.header("host").value_or(""));
  if (!name) return false;
  return is_loopback_name(*name) || (!site.host.empty() && *name == site.host) ||
         (site.any_address && is_numeric(*name));
}

/// What follows /TOKEN/; nothing where the token is another.
std::optional<std::string_view> path_inside(std::string_view target, std::string_view token) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path.size() < token.size() + 2 || path[token.size() + 1] != '/') return std::nullopt;
  if (!equal_in_constant_time(path.substr(1, token.size()), token)) return std::nullopt;
  return path.substr(token.size() + 2);
}

}  // namespace

void ViewClient::refuse(int status) {
  const std::string text = fmt::format("{} {}\n", status, words_for(status));
  out_ += fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n{}{}Connection: "
      "close\r\n\r\n{}",
      status, words_for(status), text.size(),
      status == 426 ? "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" : "",
      status == 405 ? "Allow: GET, HEAD\r\n" : "", text);
  phase_ = Phase::over;
}

void ViewClient::begin_body(std::string_view type, std::uint64_t size, bool with_body) {
  out_ += fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n",
      type, size, page_rules);
  body_at_ = 0;
  body_end_ = with_body ? size : 0;
  phase_ = Phase::answer;
}

void ViewClient::answer_live(const HttpRequest& request) {
  const int status = upgrade_status(request);
  if (status != 101) return refuse(status);
  // Browsers always say where a page is from; it must be from here.
  const bool has_origin = std::any_of(request.headers.begin(), request.headers.end(),
                                      [](const auto& header) { return header.first == "origin"; });
  const std::string ours = fmt::format("http://{}", *request.header("host"));
  if (has_origin && request.header("origin") != ours) return refuse(403);
  out_ += fmt::format(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
      "Upgrade\r\nSec-WebSocket-Accept: {}\r\n\r\n",
      accept_key(*request.header("sec-websocket-key")));
  phase_ = Phase::live;
}

void ViewClient::answer(const HttpRequest& request, const ViewSite& site) {
  if (!host_is_ours(request, site)) return refuse(403);
  const auto path = path_inside(request.target, site.token);
  if (!path) return refuse(404);
  if (request.method != "GET" && request.method != "HEAD") return refuse(405);
  const bool with_body = request.method == "GET";
  if (path->empty()) return begin_body("text/html; charset=utf-8", site.page.size(), with_body);
  if (*path == "live") return answer_live(request);
  if (*path != "recording.tact") return refuse(404);
  from_file_ = true;
  begin_body("application/octet-stream", site.stream->ready(), with_body);
}

void ViewClient::receive(std::string_view bytes, const ViewSite& site, Clock::time_point now) {
  moved_ = now;
  if (phase_ == Phase::answer || phase_ == Phase::over) return;  // one request a connection
  in_ += bytes;
  if (phase_ == Phase::request) {
    HttpRequest request;
    std::size_t size = 0;
    int status = 0;
    const RequestFound found = take_request(in_, request, size, status);
    if (found == RequestFound::partial) return;
    if (found == RequestFound::refused) return refuse(status);
    in_.erase(0, size);
    answer(request, site);
  }
  if (phase_ == Phase::live) hear(site);
}

void ViewClient::hear(const ViewSite& site) {
  std::size_t used = 0;
  while (phase_ == Phase::live) {
    ClientFrame frame;
    std::size_t size = 0;
    std::uint16_t code = 0;
    const FrameFound found =
        take_frame(std::string_view(in_).substr(used), messages_.most, frame, size, code);
    if (found == FrameFound::refused) leave(code, "");
    if (found != FrameFound::whole) break;
    used += size;
    take_message(messages_.take(std::move(frame)), site);
  }
  in_.erase(0, used);
}

void ViewClient::leave(std::uint16_t code, std::string_view why) {
  if (phase_ != Phase::live) return;
  out_ += close_frame(code, why);
  phase_ = Phase::over;
}

void ViewClient::take_message(const ClientEvent& event, const ViewSite& site) {
  using Kind = ClientEvent::Kind;
  switch (event.kind) {
    case Kind::nothing:
      return;
    case Kind::ping:
      // Answers to pings must not pile up either.
      if (out_.size() - out_at_ < 2 * portion) out_ += frame_bytes(FrameKind::pong, event.payload);
      return;
    case Kind::close:
    case Kind::refuse:
      return leave(event.code, "");
    case Kind::binary:
      return leave(close_code::not_understood, "");
    case Kind::text:
      break;
  }
  const auto json = nlohmann::json::parse(event.payload, nullptr, false);
  if (!json.is_object() || !json.contains("from") || !json["from"].is_number_unsigned())
    return leave(close_code::not_understood, "write {\"from\": BYTES}");
  place_ = json["from"].get<std::uint64_t>();
  edition_ = site.stream->edition();
  told_.clear();
}

void ViewClient::fill_live(const ViewSite& site, Clock::time_point now) {
  const RecordingStream& stream = *site.stream;
  if (now - pinged_ >= ping_every) {
    pinged_ = now;
    out_ += frame_bytes(FrameKind::ping, "");
  }
  if (!place_) return;
  std::string message = stream.message();
  StreamState state = stream.state();
  const bool another = edition_ != stream.edition() || *place_ > stream.ready();
  if (another) {
    state = StreamState::ended;
    message = "the file was written anew by another run; reload the page to see that one";
  } else if (*place_ < stream.ready() && (!told_.empty() || state != StreamState::running)) {
    const std::string bytes = stream.read(*place_, portion);
    if (bytes.empty()) return;
    out_ += frame_head(FrameKind::binary, bytes.size());
    out_ += bytes;
    *place_ += bytes.size();
    return;
  }
  const nlohmann::ordered_json status = {{"status", name(state)}, {"message", message}};
  const std::string text = status.dump();
  if (text == told_) return;
  told_ = text;
  out_ += frame_bytes(FrameKind::text, text);
}

void ViewClient::fill(const ViewSite& site, Clock::time_point now) {
  if (phase_ == Phase::live) return fill_live(site, now);
  if (phase_ != Phase::answer) return;
  if (body_at_ < body_end_) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(portion, body_end_ - body_at_));
    out_ = from_file_ ? site.stream->read(body_at_, size)
                      : site.page.substr(static_cast<std::size_t>(body_at_), size);
    body_at_ += out_.size();
    if (!out_.empty()) return;
  }
  phase_ = Phase::over;
}

std::string_view ViewClient::pending(const ViewSite& site, Clock::time_point now) {
  if (out_.empty()) fill(site, now);
  return std::string_view(out_).substr(out_at_);
}

void ViewClient::sent(std::size_t bytes, Clock::time_point now) {
  moved_ = now;
  out_at_ += bytes;
  if (out_at_ < out_.size()) return;
  out_.clear();
  out_at_ = 0;
}

bool ViewClient::expired(Clock::time_point now) const {
  if (phase_ == Phase::request || (phase_ == Phase::live && !place_))
    return now - since_ > longest_request;
  return now - moved_ > longest_stall;
}

}  // namespace tact::app
