// The viewer's server: HTTP and WebSocket on one thread, for a few viewers on this machine.
//
// It listens on the loopback address unless told otherwise, and answers three addresses, all behind
// a token that only the one who started it knows: the page, its WebSocket, the recording.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "tact/base/result.hpp"
#include "view_client.hpp"

namespace tact::app {

struct ServerOptions {
  std::string host = "127.0.0.1";  ///< an address of this machine, or localhost
  int port = 0;                    ///< 0: any that is free
  bool until_closed = false;       ///< ends when the last viewer has left
};

/// 128 random bits of the system, in hexadecimal.
[[nodiscard]] Result<std::string> random_token();

class ViewServer {
 public:
  /// Refuses an address that is none of this machine's and a port that is taken. `page` is the
  /// viewer's page with its marker.
  [[nodiscard]] static Result<ViewServer> open(const ServerOptions& options, std::string_view page,
                                               RecordingStream& stream);
  ViewServer(ViewServer&& other) noexcept;
  ViewServer& operator=(ViewServer&&) = delete;
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;
  ~ViewServer();

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const std::string& token() const { return site_.token; }
  [[nodiscard]] std::string address() const;

  /// Serves until `stop` is set, or as the options say.
  void run(const std::atomic<bool>& stop);

 private:
  using Clock = ViewClient::Clock;
  struct Connection {
    int socket = -1;
    ViewClient client;
    bool write_ended = false;
    Clock::time_point ended{};
  };
  ViewServer() = default;
  void accept_all(Clock::time_point now);
  /// False where the connection is over.
  [[nodiscard]] bool serve(Connection& c, bool readable, Clock::time_point now);
  [[nodiscard]] bool write_some(Connection& c, Clock::time_point now);
  [[nodiscard]] bool read_some(Connection& c, Clock::time_point now);
  [[nodiscard]] int wait_milliseconds() const;
  [[nodiscard]] bool nobody_left(Clock::time_point now);
  void say_goodbye();

  ServerOptions options_;
  ViewSite site_;
  int listener_ = -1, port_ = 0;
  std::vector<Connection> connections_;
  Clock::time_point accept_again_{}, last_seen_{};
  bool seen_ = false;
};

}  // namespace tact::app
