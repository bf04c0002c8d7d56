// io/file.hpp - whole files: read at once, written entirely or not at all.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>

#include "tact/base/result.hpp"

namespace tact {

/// All bytes of a regular file or pipe, at most 256 MiB. One sentence when it is missing, a folder,
/// not readable or larger.
[[nodiscard]] Result<std::string> read_file(const std::string& path);
/// The same of a stream that is open; `source` names it in the sentence.
[[nodiscard]] Result<std::string> read_stream(std::istream& in, const std::string& source);

struct FileContent {
  std::string path;
  std::string content;
};

/// What can be said against writing there before there is anything to write: the folder is missing,
/// or the name is that of a folder, a disk or a socket. A file in it may be old or new.
[[nodiscard]] std::optional<Error> check_place(const std::string& path);
/// The same for write_file, which needs the folder to be writable.
[[nodiscard]] std::optional<Error> check_write(const std::string& path);

/// All of them or none: each is written to a temporary name in its folder, and only when all are
/// complete they are renamed. Whoever looks sees an old file or a whole new one. A link is followed
/// and stays; what is there and no file, a pipe or a device, is written as it is.
[[nodiscard]] std::optional<Error> write_files(std::span<const FileContent> files);
[[nodiscard]] std::optional<Error> write_file(const FileContent& file);

}  // namespace tact
