#include "view_stream.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tact/io/bytes.hpp"
#include "tact/io/recorder.hpp"

namespace tact::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t block_head = 12;
/// Without locks a file counts as written while it grew this lately.
constexpr auto still_growing = 2s;

std::uint64_t size_of(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string bytes_at(int file, std::uint64_t place, std::size_t size) {
  std::string out(size, '\0');
  const ssize_t got = ::pread(file, out.data(), size, static_cast<off_t>(place));
  out.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return out;
}

}  // namespace

std::string_view name(StreamState state) {
  constexpr std::array<std::string_view, 3> names = {"running", "finished", "ended"};
  return names.at(static_cast<std::size_t>(state));
}

Result<RecordingStream> RecordingStream::open(const std::string& path) {
  constexpr int tries = 100;
  constexpr auto pause = 50ms;
  auto reader = RecordingReader::open(path);
  for (int k = 0; !reader && k < tries && is_being_recorded(path); ++k) {
    std::this_thread::sleep_for(pause);
    reader = RecordingReader::open(path);
  }
  if (!reader) return reader.error();
  RecordingStream out;
  out.path_ = path;
  out.file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (out.file_ < 0) return Error{Errc::io, path + ": cannot be read; check its permissions"};
  const auto now = Clock::now();
  out.size_ = size_of(out.file_);  // what is there already is no sign of life
  out.grew_ = now - 1h;
  out.look(now);
  return out;
}

RecordingStream::RecordingStream(RecordingStream&& other) noexcept {
  *this = std::move(other);
}

RecordingStream& RecordingStream::operator=(RecordingStream&& other) noexcept {
  path_ = std::move(other.path_);
  std::swap(file_, other.file_);
  state_ = other.state_;
  ready_ = other.ready_;
  whole_ = other.whole_;
  size_ = other.size_;
  done_ = other.done_;
  damaged_ = other.damaged_;
  edition_ = other.edition_;
  grew_ = other.grew_;
  return *this;
}

RecordingStream::~RecordingStream() {
  if (file_ >= 0) (void)::close(file_);
}

void RecordingStream::walk(std::uint64_t size) {
  if (whole_ == 0 && size >= recording_magic.size()) whole_ = recording_magic.size();
  while (!damaged_ && !done_ && whole_ + block_head <= size) {
    const std::string head = bytes_at(file_, whole_, block_head);
    if (head.size() < block_head) return;
    const std::uint32_t length =
        ByteReader(std::string_view(head).substr(block_head - sizeof(std::uint32_t))).u32();
    damaged_ = length > largest_block;
    if (damaged_ || whole_ + length + block_frame > size) return;
    done_ = std::string_view(head).starts_with(recording_block::summary);
    whole_ += length + block_frame;
  }
}

void RecordingStream::look(Clock::time_point now) {
  // The lock is asked for first: what is written before it ends is seen afterwards.
  const bool locked = is_being_recorded(file_);
  const std::uint64_t size = size_of(file_);
  if (size < whole_) {
    ++edition_;
    whole_ = ready_ = 0;
    done_ = damaged_ = false;
  }
  if (size > size_) grew_ = now;
  size_ = size;
  walk(size);
  if (done_)
    state_ = StreamState::finished;
  else
    state_ = locked || now - grew_ < still_growing ? StreamState::running : StreamState::ended;
  ready_ = state_ == StreamState::running && !damaged_ ? whole_ : size;
}

std::string RecordingStream::message() const {
  switch (state_) {
    case StreamState::running:
      return "the simulation is running";
    case StreamState::finished:
      return "the run came to its end";
    case StreamState::ended:
      break;
  }
  if (damaged_)
    return fmt::format("the recording is damaged at byte {}; what comes before it is shown",
                       whole_);
  return "the recording has no end: its run was interrupted; what was recorded is shown";
}

std::string RecordingStream::read(std::uint64_t place, std::size_t most) const {
  if (place >= ready_) return {};
  return bytes_at(file_, place,
                  static_cast<std::size_t>(std::min<std::uint64_t>(most, ready_ - place)));
}

}  // namespace tact::app
