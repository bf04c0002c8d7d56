#include "tact/io/recording.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/recording_frame.hpp"
#include "tact/io/recording_header.hpp"
#include "tact/io/recording_soft.hpp"

namespace tact {

namespace {

/// Bytes that are read at once.
constexpr std::size_t portion = std::size_t{1} << 18;

std::string byte_text(std::uint64_t offset) {
  return concat({"byte ", std::to_string(offset)});
}

std::string readable_text(const RecordingReader& reader) {
  if (reader.frames() == 0) return "no frame before it";
  return concat({std::to_string(reader.frames()),
                 reader.frames() == 1 ? " frame before it, at " : " frames before it, up to ",
                 short_number(reader.frame().time, 6), " s,"});
}

std::optional<Error> check_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code status;
  const fs::file_status found = fs::status(path, status);
  if (found.type() == fs::file_type::not_found)
    return Error{Errc::io, concat({path, ": no such file; check the name and the folder"})};
  if (found.type() == fs::file_type::directory)
    return Error{Errc::io, concat({path, ": is a folder; name a file in it"})};
  return std::nullopt;
}

}  // namespace

void RecordedFigures::add(const StepReport& report) {
  ++steps;
  residual = std::max(residual, report.solve.residual.figure());
  penetration = std::max(penetration, report.penetration);
  iterations += report.solve.iterations;
  position_solves += report.position_solves;
  not_converged += report.solve.status == SolveStatus::converged ? 0 : 1;
  unsolved_impacts += report.unsolved_impacts;
  contacts = report.contacts;
  patches = report.patches;
}

bool is_recording(std::string_view bytes) {
  return bytes.starts_with(recording_magic);
}

Result<RecordingReader> RecordingReader::open(const std::string& path) {
  if (const auto error = check_file(path)) return *error;
  RecordingReader reader;
  reader.source_ = path;
  errno = 0;
  reader.file_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*reader.file_)
    return Error{Errc::io,
                 concat({path, ": cannot be read (", std::generic_category().message(errno),
                         "); check its permissions"})};
  if (const auto error = reader.start()) return *error;
  return reader;
}

Result<RecordingReader> RecordingReader::of(std::string bytes, const std::string& source) {
  RecordingReader reader;
  reader.source_ = source;
  reader.pending_ = std::move(bytes);
  if (const auto error = reader.start()) return *error;
  return reader;
}

std::optional<Error> RecordingReader::start() {
  while (partial() < recording_magic.size() && read_more()) {
  }
  const std::string_view found = std::string_view(pending_).substr(0, recording_magic.size());
  const bool begins = recording_magic.starts_with(found);
  if (!is_recording(found)) {
    const std::string_view family = recording_magic.substr(0, recording_magic.size() - 1);
    if (found.starts_with(family) && found.size() == recording_magic.size())
      return Error{Errc::schema,
                   concat({source_, ": is a recording of another version (it begins with ",
                           detail::printable(found), ", not with ", recording_magic,
                           "); read it with the tact that wrote it"})};
    return Error{Errc::parse, concat({source_,
                                      begins ? ": is empty or ends before its header"
                                             : ": is no recording of tact",
                                      "; a recording begins with ", recording_magic})};
  }
  used_ = offset_ = recording_magic.size();
  Block block;
  const auto found_block = next_block(block);
  if (!found_block) return found_block.error();
  if (!*found_block)
    return Error{Errc::parse, concat({source_, ": ends before its header is whole, at ",
                                      byte_text(offset_ + partial()),
                                      "; record again, or wait where it is still written"})};
  if (block.type != recording_block::header)
    return Error{Errc::parse,
                 concat({source_, ": begins with a block ", block.type,
                         "; the first block of a recording is ", recording_block::header})};
  auto header = read_recording_header(block.payload, source_);
  if (!header) return header.error();
  header_ = *std::move(header);
  return std::nullopt;
}

bool RecordingReader::read_more() {
  if (!file_) return false;
  pending_.erase(0, used_);
  used_ = 0;
  const std::size_t size = pending_.size();
  pending_.resize(size + portion);
  file_->clear();  // the end of the file may have moved
  file_->read(pending_.data() + size, static_cast<std::streamsize>(portion));
  const auto got = static_cast<std::size_t>(file_->gcount());
  pending_.resize(size + got);
  return got > 0;
}

Error RecordingReader::damaged(const std::string& why) {
  broken_ = Error{Errc::parse,
                  concat({source_, ": is damaged at ", byte_text(offset_), ", ", why, "; ",
                          readable_text(*this), " can be read, copy the file again for the rest"})};
  return *broken_;
}

Result<bool> RecordingReader::next_block(Block& block) {
  if (broken_) return *broken_;
  while (true) {
    std::size_t size = 0;
    std::string why;
    const std::string_view rest = std::string_view(pending_).substr(used_);
    switch (take_block(rest, block, size, why)) {
      case BlockFound::whole:
        used_ += size;
        offset_ += size;
        return true;
      case BlockFound::damaged:
        return damaged(why);
      case BlockFound::partial:
        if (!read_more()) return false;
    }
  }
}

Result<RecordingReader::Found> RecordingReader::take_soft(const Block& block) {
  Index step = 0;
  std::vector<SoftSample> soft;
  if (!read_soft(block.payload, header_, step, soft))
    return damaged("its soft contacts do not fit the header");
  if (frames_ == 0 || step != frame_.step || !frame_.soft.empty())
    return damaged("its soft contacts belong to no frame");
  frame_.soft = std::move(soft);
  return Found::soft;
}

Result<RecordingReader::Found> RecordingReader::understand(const Block& block) {
  if (block.type == recording_block::frame) {
    RecordedFrame frame;
    if (!read_frame(block.payload, header_, frame))
      return damaged("its frame does not fit the header");
    if (solve_.step == frame.step) frame.solve = solve_;
    std::swap(frame_, frame);
    ++frames_;
    return Found::frame;
  }
  if (block.type == recording_block::solve) {
    if (!read_solve(block.payload, solve_)) return damaged("its solve is none");
    return Found::nothing;
  }
  if (block.type == recording_block::impacts) {
    if (!read_impacts(block.payload, header_, impacts_))
      return damaged("its impacts do not fit the header");
    return Found::impacts;
  }
  if (block.type == recording_block::soft) return take_soft(block);
  if (block.type == recording_block::certificate) {
    if (!read_certificate_payload(block.payload, certificate_))
      return damaged("its certificate is none");
    return Found::certificate;
  }
  if (block.type == recording_block::modes) {
    if (!read_modes_payload(block.payload, header_.geoms.size(), header_.bodies.size(), modes_))
      return damaged("its modes do not fit the header");
    return Found::modes;
  }
  if (block.type == recording_block::summary) {
    auto end = read_recording_end(block.payload, source_);
    if (!end) return damaged("its summary is none");
    end_ = *std::move(end);
    return Found::end;
  }
  return Found::nothing;
}

Result<RecordingReader::Found> RecordingReader::poll() {
  Block block;
  while (true) {
    const std::uint64_t before = offset_;
    const auto there = next_block(block);
    if (!there) return there.error();
    if (!*there) return Found::nothing;
    const std::uint64_t after = offset_;
    offset_ = before;  // complaints name the beginning of the block
    auto found = understand(block);
    if (!found) return found.error();
    offset_ = after;
    if (*found != Found::nothing) return found;
  }
}

std::optional<std::string> cut_sentence(const RecordingReader& reader, const std::string& source) {
  if (reader.partial() == 0) return std::nullopt;
  return concat({source, ": ends within a block that begins at ", byte_text(reader.offset()), "; ",
                 readable_text(reader), " can be read"});
}

Result<Recording> read_recording(const std::string& path) {
  auto opened = RecordingReader::open(path);
  if (!opened) return opened.error();
  RecordingReader reader = *std::move(opened);
  Recording out;
  out.header = reader.header();
  while (true) {
    const auto found = reader.poll();
    if (!found) {
      out.cut = found.error().message;
      break;
    }
    if (*found == RecordingReader::Found::nothing) {
      out.cut = cut_sentence(reader, path);
      break;
    }
    using Found = RecordingReader::Found;
    if (*found == Found::frame) out.frames.push_back(reader.frame());
    if (*found == Found::soft) out.frames.back().soft = reader.frame().soft;
    if (*found == Found::impacts) out.impacts.push_back(reader.impacts());
    if (*found == Found::certificate) out.certificates.push_back(reader.certificate());
    if (*found == Found::modes) out.modes.push_back(reader.modes());
  }
  out.end = reader.end();
  return out;
}

}  // namespace tact
