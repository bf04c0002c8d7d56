#include "tact/io/file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <istream>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace tact {

namespace fs = std::filesystem;

namespace {

Error failure(const std::string& path, const std::string& what) {
  return {Errc::io, path + ": " + what};
}

std::string reason(int code) {
  return std::generic_category().message(code);
}

/// A name in the same folder that nobody has; the same folder, so that the rename stays on one
/// disk.
std::string temporary_name(const std::string& path) {
  std::error_code ignored;
  for (int i = 0;; ++i) {
    std::string name = path + ".part" + std::to_string(i);
    if (!fs::exists(fs::symlink_status(name, ignored))) return name;
  }
}

/// Where a whole new file goes.
struct Target {
  std::string path;     ///< links followed
  bool direct = false;  ///< a pipe or a device: there is nothing to replace
};

/// The file that a link means is replaced, not the link.
Target target_of(const std::string& path) {
  std::error_code status;
  const fs::file_status found = fs::status(path, status);
  if (fs::exists(found) && !fs::is_regular_file(found)) return {path, true};
  if (!fs::is_symlink(fs::symlink_status(path, status))) return {path};
  if (fs::exists(found)) {
    const fs::path there = fs::canonical(path, status);
    // A file that is open and has no name any more can only be written where it is.
    return status ? Target{path, true} : Target{there.string()};
  }
  fs::path at = path;
  constexpr int longest_chain = 40;
  for (int i = 0; i < longest_chain && fs::is_symlink(fs::symlink_status(at, status)); ++i)
    at = at.parent_path() / fs::read_symlink(at, status);
  return {at.string()};
}

/// A complete copy under a temporary name, whose name is left in `temporary`.
std::optional<Error> write_aside(const FileContent& file, const Target& target,
                                 std::string& temporary) {
  const std::string name = temporary_name(target.path);
  errno = 0;
  std::ofstream out(name, std::ios::binary);
  if (!out)
    return failure(file.path,
                   "cannot be written (" + reason(errno) + "); check the folder's permissions");
  temporary = name;
  out.write(file.content.data(), static_cast<std::streamsize>(file.content.size()));
  out.close();
  if (!out) return failure(file.path, "cannot be written; check that the disk has room");
  return std::nullopt;
}

std::optional<Error> write_through(const FileContent& file) {
  errno = 0;
  std::ofstream out(file.path, std::ios::binary);
  if (!out)
    return failure(file.path, "cannot be written (" + reason(errno) + "); name another file");
  out.write(file.content.data(), static_cast<std::streamsize>(file.content.size()));
  out.close();
  if (!out) return failure(file.path, "did not take all of it; check its room or name a file");
  return std::nullopt;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::error_code status;
  const fs::file_status found = fs::status(path, status);
  if (found.type() == fs::file_type::not_found)
    return failure(path, "no such file; check the name and the folder");
  if (found.type() == fs::file_type::directory)
    return failure(path, "is a folder; name a file in it");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return failure(path, "cannot be read (" + reason(errno) + "); check its permissions");
  return read_stream(in, path);
}

Result<std::string> read_stream(std::istream& in, const std::string& source) {
  constexpr std::size_t block = std::size_t{1} << 16, most = std::size_t{1} << 28;
  std::string text;
  while (in) {
    const std::size_t size = text.size();
    text.resize(size + block);
    in.read(text.data() + size, static_cast<std::streamsize>(block));
    text.resize(size + static_cast<std::size_t>(in.gcount()));
    if (text.size() > most) return failure(source, "is larger than 256 MiB; name another file");
  }
  if (in.bad()) return failure(source, "reading stopped half-way; check the disk");
  return text;
}

std::optional<Error> check_place(const std::string& path) {
  if (path.empty()) return failure("\"\"", "is no name of a file; name a file to write");
  std::error_code status;
  const fs::file_status found = fs::status(path, status);
  if (fs::is_directory(found)) return failure(path, "is a folder; name a file to write");
  if (fs::is_block_file(found)) return failure(path, "is a disk; name a file to write");
  if (fs::is_socket(found)) return failure(path, "is a socket; name a file to write");
  const Target target = target_of(path);
  if (!target.direct && fs::is_symlink(fs::symlink_status(target.path, status)))
    return failure(path, "is a link that leads in a circle; name a file to write");
  const fs::path folder = fs::path(target.path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, status))
    return failure(path, "cannot be written, there is no folder " + folder.string() +
                             "; make it first or name another");
  return std::nullopt;
}

std::optional<Error> check_write(const std::string& path) {
  if (auto error = check_place(path)) return error;
  const Target target = target_of(path);
  const std::string folder = fs::path(target.path).parent_path().string();
  errno = 0;
  if (target.direct && ::access(path.c_str(), W_OK) != 0)
    return failure(path, "cannot be written (" + reason(errno) + "); name another file");
  if (!target.direct && ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
    return failure(path,
                   "cannot be written (" + reason(errno) + "); check the folder's permissions");
  return std::nullopt;
}

std::optional<Error> write_files(std::span<const FileContent> files) {
  std::vector<Target> targets;
  std::vector<std::string> temporaries(files.size());
  std::optional<Error> error;
  std::error_code status;
  for (std::size_t i = 0; i < files.size() && !error; ++i) {
    error = check_write(files[i].path);
    targets.push_back(target_of(files[i].path));
  }
  for (std::size_t i = 0; i < files.size() && !error; ++i)
    if (!targets[i].direct) error = write_aside(files[i], targets[i], temporaries[i]);
  for (std::size_t i = 0; i < files.size() && !error; ++i)
    if (targets[i].direct) error = write_through(files[i]);
  for (std::size_t i = 0; i < files.size() && !error; ++i) {
    if (targets[i].direct) continue;
    fs::rename(temporaries[i], targets[i].path, status);
    if (status) error = failure(files[i].path, "cannot be replaced (" + status.message() + ")");
  }
  if (!error) return std::nullopt;
  for (const std::string& temporary : temporaries)
    if (!temporary.empty()) fs::remove(temporary, status);
  return error;
}

std::optional<Error> write_file(const FileContent& file) {
  return write_files({&file, 1});
}

}  // namespace tact
