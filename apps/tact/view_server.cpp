#include "view_server.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tact/io/viewer_page.hpp"

namespace tact::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_connections = 64;
constexpr std::size_t input_size = std::size_t{1} << 14;
constexpr int backlog = 16;
constexpr auto linger = 2s, after_last = 2s;
constexpr auto pause_after_failure = 200ms;

std::string reason(int code) {
  return std::generic_category().message(code);
}

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> addresses_of(const ServerOptions& options) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int status =
      ::getaddrinfo(options.host.c_str(), std::to_string(options.port).c_str(), &hints, &found);
  if (status != 0)
    return Error{Errc::value, fmt::format("--host {}: is no address of this machine ({}); leave it "
                                          "out for 127.0.0.1",
                                          options.host, ::gai_strerror(status))};
  return Addresses(found, &::freeaddrinfo);
}

Error cannot_listen(const ServerOptions& options, int code) {
  if (code == EADDRINUSE)
    return {Errc::value, fmt::format("--port {}: is in use by another program; name another, or "
                                     "leave it out for any that is free",
                                     options.port)};
  if (code == EACCES)
    return {Errc::value, fmt::format("--port {}: is not allowed for you; take one above 1023, or "
                                     "leave it out for any that is free",
                                     options.port)};
  return {Errc::value, fmt::format("{}:{}: cannot listen there ({}); leave out --host and --port",
                                   options.host, options.port, reason(code))};
}

/// A socket that listens, and its port.
Result<std::pair<int, int>> listen_on(const ServerOptions& options) {
  auto found = addresses_of(options);
  if (!found) return found.error();
  const addrinfo& address = **found;
  const int socket =
      ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol);
  if (socket < 0) return cannot_listen(options, errno);
  const int on = 1;
  (void)::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::bind(socket, address.ai_addr, address.ai_addrlen) != 0 || ::listen(socket, backlog) != 0 ||
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    const int code = errno;
    (void)::close(socket);
    return cannot_listen(options, code);
  }
  const in_port_t port = own.ss_family == AF_INET6
                             ? reinterpret_cast<const sockaddr_in6&>(own).sin6_port
                             : reinterpret_cast<const sockaddr_in&>(own).sin_port;
  return std::pair<int, int>(socket, ntohs(port));
}

}  // namespace

Result<std::string> random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error{Errc::io, "the system gives no random numbers; a viewer's address needs them"};
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

Result<ViewServer> ViewServer::open(const ServerOptions& options, std::string_view page,
                                    RecordingStream& stream) {
  ViewServer out;
  out.options_ = options;
  auto token = random_token();
  if (!token) return token.error();
  auto filled = live_page(page);
  if (!filled) return filled.error();
  const auto listening = listen_on(options);
  if (!listening) return listening.error();
  std::tie(out.listener_, out.port_) = *listening;
  const bool everywhere = options.host == "0.0.0.0" || options.host == "::";
  out.site_ = {*std::move(token), *std::move(filled), everywhere ? "" : options.host, everywhere,
               &stream};
  return out;
}

ViewServer::ViewServer(ViewServer&& other) noexcept
    : options_(std::move(other.options_)),
      site_(std::move(other.site_)),
      listener_(std::exchange(other.listener_, -1)),
      port_(other.port_),
      connections_(std::move(other.connections_)) {}

ViewServer::~ViewServer() {
  for (const Connection& c : connections_) (void)::close(c.socket);
  if (listener_ >= 0) (void)::close(listener_);
}

std::string ViewServer::address() const {
  const bool six = options_.host.find(':') != std::string::npos;
  const std::string host = site_.any_address ? (six ? "::1" : "127.0.0.1") : options_.host;
  return six ? fmt::format("http://[{}]:{}/{}/", host, port_, site_.token)
             : fmt::format("http://{}:{}/{}/", host, port_, site_.token);
}

void ViewServer::accept_all(Clock::time_point now) {
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) accept_again_ = now + pause_after_failure;
      return;
    }
    if (connections_.size() >= most_connections) {
      constexpr std::string_view full =
          "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
      (void)::send(socket, full.data(), full.size(), MSG_NOSIGNAL);
      (void)::close(socket);
      continue;
    }
    const int on = 1;
    (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections_.push_back({socket, ViewClient(now), false, {}});
  }
}

bool ViewServer::read_some(Connection& c, Clock::time_point now) {
  std::array<char, input_size> bytes{};
  const ssize_t got = ::recv(c.socket, bytes.data(), bytes.size(), 0);
  if (got == 0) return false;
  if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  c.client.receive({bytes.data(), static_cast<std::size_t>(got)}, site_, now);
  return true;
}

bool ViewServer::write_some(Connection& c, Clock::time_point now) {
  // A few portions in a row, then the others have their turn.
  for (int turn = 0; turn < 4; ++turn) {
    const std::string_view bytes = c.client.pending(site_, now);
    if (bytes.empty()) break;
    const ssize_t done = ::send(c.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (done < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    c.client.sent(static_cast<std::size_t>(done), now);
  }
  if (c.client.said_all() && !c.write_ended) {
    c.write_ended = true;
    c.ended = now;
    (void)::shutdown(c.socket, SHUT_WR);
  }
  return true;
}

bool ViewServer::serve(Connection& c, bool readable, Clock::time_point now) {
  if (readable && !read_some(c, now)) return false;
  if (!c.write_ended && !write_some(c, now)) return false;
  if (c.write_ended && now - c.ended > linger) return false;
  return !c.client.expired(now);
}

int ViewServer::wait_milliseconds() const {
  constexpr int quick = 30, calm = 250;
  const bool watched = std::any_of(connections_.begin(), connections_.end(),
                                   [](const Connection& c) { return c.client.live(); });
  return watched && site_.stream->state() == StreamState::running ? quick : calm;
}

bool ViewServer::nobody_left(Clock::time_point now) {
  for (const Connection& c : connections_)
    if (c.client.live()) {
      seen_ = true;
      last_seen_ = now;
    }
  return options_.until_closed && seen_ && now - last_seen_ > after_last;
}

void ViewServer::say_goodbye() {
  const auto now = Clock::now();
  for (Connection& c : connections_) {
    c.client.leave(close_code::going_away, "the server ends");
    const std::string_view bytes = c.client.pending(site_, now);
    if (!bytes.empty()) (void)::send(c.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
}

void ViewServer::run(const std::atomic<bool>& stop) {
  std::vector<pollfd> waits;
  while (!stop) {
    auto now = Clock::now();
    waits.clear();
    const bool accepts = now >= accept_again_;
    waits.push_back({accepts ? listener_ : -1, POLLIN, 0});
    for (Connection& c : connections_) {
      short events = POLLIN;
      if (!c.write_ended && !c.client.pending(site_, now).empty()) events |= POLLOUT;
      waits.push_back({c.socket, events, 0});
    }
    (void)::poll(waits.data(), waits.size(), wait_milliseconds());
    now = Clock::now();
    site_.stream->look(now);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      constexpr short input = POLLIN | POLLHUP | POLLERR;
      Connection& c = connections_[i];
      if (serve(c, (waits[i + 1].revents & input) != 0, now)) continue;
      (void)::close(c.socket);
      c.socket = -1;
    }
    std::erase_if(connections_, [](const Connection& c) { return c.socket < 0; });
    if ((waits[0].revents & POLLIN) != 0) accept_all(now);
    if (nobody_left(now)) break;
  }
  say_goodbye();
}

}  // namespace tact::app
