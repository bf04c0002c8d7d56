// A recording as a stream of bytes, which may still grow: how much of it is there, and whether more
// comes.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tact/base/result.hpp"

namespace tact::app {

enum class StreamState {
  running,   ///< somebody writes it
  finished,  ///< it has its end
  ended,     ///< it has none, and nobody writes it any more
};
/// `running`, `finished`, `ended`.
[[nodiscard]] std::string_view name(StreamState state);

/// Reads by place, so that nothing waits in memory for a slow viewer.
class RecordingStream {
 public:
  using Clock = std::chrono::steady_clock;

  /// Refuses what RecordingReader refuses. A file that is being written and has no header yet is
  /// waited for, a few seconds.
  [[nodiscard]] static Result<RecordingStream> open(const std::string& path);
  RecordingStream(RecordingStream&& other) noexcept;
  RecordingStream& operator=(RecordingStream&& other) noexcept;
  RecordingStream(const RecordingStream&) = delete;
  RecordingStream& operator=(const RecordingStream&) = delete;
  ~RecordingStream();

  /// Looks at the file again.
  void look(Clock::time_point now);

  [[nodiscard]] StreamState state() const { return state_; }
  /// Bytes that may be sent: whole blocks while it is written, for a block that did not fit on the
  /// disk is taken back; everything once nobody writes.
  [[nodiscard]] std::uint64_t ready() const { return ready_; }
  /// One sentence about the state.
  [[nodiscard]] std::string message() const;
  /// Goes up when the file was emptied and begins anew.
  [[nodiscard]] int edition() const { return edition_; }

  /// At most `most` bytes at `place`, of those that are ready.
  [[nodiscard]] std::string read(std::uint64_t place, std::size_t most) const;

 private:
  RecordingStream() = default;
  void walk(std::uint64_t size);

  std::string path_;
  int file_ = -1;
  StreamState state_ = StreamState::running;
  std::uint64_t ready_ = 0, whole_ = 0, size_ = 0;  ///< whole_: where the next block begins
  bool done_ = false, damaged_ = false;
  int edition_ = 0;
  Clock::time_point grew_{};
};

}  // namespace tact::app
