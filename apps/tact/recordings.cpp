#include "recordings.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/core.h>

#include "tact/io/number_text.hpp"
#include "tact/io/recording.hpp"

namespace tact::app {

namespace {

constexpr std::string_view family = recording_magic.substr(0, recording_magic.size() - 1);

}  // namespace

bool is_recording(std::string_view bytes) {
  return bytes.starts_with(family);
}

bool is_recording_file(const std::string& path) {
  if (path.ends_with(".tact")) return true;
  if (path == "-") return false;
  std::array<char, family.size()> head{};
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return in && is_recording({head.data(), head.size()});
}

namespace {

std::string modes_words(const RecordedModes& modes) {
  return fmt::format(", {}{} contact modes of {} contacts", modes.complete ? "" : "the first ",
                     modes.modes.size(), modes.contacts.size());
}

std::string extras_words(std::size_t soft, Index certificates) {
  std::string out;
  if (soft > 0) out += fmt::format(", up to {} soft contacts", soft);
  if (certificates > 0) out += fmt::format(", {} certificates", certificates);
  return out;
}

}  // namespace

Result<std::string> recording_summary(const std::string& path) {
  auto opened = RecordingReader::open(path);
  if (!opened) return opened.error();
  RecordingReader reader = *std::move(opened);
  Index impacts = 0, steps = 0, certificates = 0;
  std::size_t soft = 0;
  std::string modes;
  double start = 0;
  using Found = RecordingReader::Found;
  while (true) {
    const auto found = reader.poll();
    if (!found) return found.error();
    if (*found == Found::nothing) break;
    if (*found == Found::impacts) impacts += static_cast<Index>(reader.impacts().events.size());
    if (*found == Found::soft) soft = std::max(soft, reader.frame().soft.size());
    if (*found == Found::certificate) ++certificates;
    if (*found == Found::modes) modes += modes_words(reader.modes());
    if (*found != Found::frame) continue;
    if (reader.frames() == 1) start = reader.frame().time;
    steps += reader.frame().figures.steps;
  }
  const RecordingHeader& h = reader.header();
  const std::string extras = extras_words(soft, certificates) + modes;
  std::string out = fmt::format(
      "{}{} frames from {} to {} s, {} steps of {} s, {} bodies, {} geoms, {} dof, {} impacts{}, "
      "{}",
      h.name.empty() ? "" : h.name + ": ", reader.frames(), short_number(start),
      short_number(reader.frame().time, 6), steps, short_number(h.dt), h.bodies.size(),
      h.geoms.size(), h.nv, impacts, extras,
      reader.end() ? reader.end()->status : "without an end (still written, or interrupted)");
  if (reader.partial() > 0)
    out += fmt::format(", cut off within a block at byte {}", reader.offset());
  return out + "; tact audit judges it";
}

}  // namespace tact::app
