// One connection to the viewer's server: bytes in, bytes out. Knows no sockets.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tact/io/websocket.hpp"
#include "view_stream.hpp"

namespace tact::app {

/// What all connections see.
struct ViewSite {
  std::string token;
  std::string page;          ///< the live page
  std::string host;          ///< beside the loopback names, what the Host header may say
  bool any_address = false;  ///< numeric addresses too: the server listens on all of them
  RecordingStream* stream = nullptr;
};

class ViewClient {
 public:
  using Clock = std::chrono::steady_clock;
  explicit ViewClient(Clock::time_point now) : since_(now), moved_(now), pinged_(now) {}

  void receive(std::string_view bytes, const ViewSite& site, Clock::time_point now);
  /// Bytes to send next; empty where there are none by now. Holds at most one portion of a file.
  [[nodiscard]] std::string_view pending(const ViewSite& site, Clock::time_point now);
  void sent(std::size_t bytes, Clock::time_point now);

  /// All was said: the sending side may be closed.
  [[nodiscard]] bool said_all() const { return phase_ == Phase::over && out_.empty(); }
  /// It stands still for too long.
  [[nodiscard]] bool expired(Clock::time_point now) const;
  [[nodiscard]] bool live() const { return phase_ == Phase::live; }
  /// Ends a live connection: the server stops.
  void leave(std::uint16_t code, std::string_view why);

 private:
  enum class Phase { request, answer, live, over };

  void answer(const HttpRequest& request, const ViewSite& site);
  void answer_live(const HttpRequest& request);
  void refuse(int status);
  void begin_body(std::string_view type, std::uint64_t size, bool with_body);
  void hear(const ViewSite& site);
  void take_message(const ClientEvent& event, const ViewSite& site);
  void fill(const ViewSite& site, Clock::time_point now);
  void fill_live(const ViewSite& site, Clock::time_point now);

  Phase phase_ = Phase::request;
  std::string in_, out_;
  std::size_t out_at_ = 0;
  bool from_file_ = false;  ///< the body is the recording, else the page
  std::uint64_t body_at_ = 0, body_end_ = 0;
  ClientMessages messages_;
  std::optional<std::uint64_t> place_;  ///< of the stream, what the viewer gets next
  int edition_ = 0;
  std::string told_;  ///< the last status
  Clock::time_point since_, moved_, pinged_;
};

}  // namespace tact::app
