#include "tact/io/file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <istream>
#include <system_error>
#include <vector>

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

/// A complete copy under a temporary name, whose name is left in `temporary`.
std::optional<Error> write_aside(const FileContent& file, std::string& temporary) {
  std::error_code status;
  const fs::path folder = fs::path(file.path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, status))
    return failure(file.path, "cannot be written, there is no folder " + folder.string() +
                                  "; make it first or name another");
  if (fs::is_directory(file.path, status))
    return failure(file.path, "is a folder; name a file to write");

  const std::string name = temporary_name(file.path);
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

std::optional<Error> write_files(std::span<const FileContent> files) {
  std::vector<std::string> temporaries(files.size());
  std::optional<Error> error;
  std::error_code status;
  for (std::size_t i = 0; i < files.size() && !error; ++i)
    error = write_aside(files[i], temporaries[i]);
  for (std::size_t i = 0; i < files.size() && !error; ++i) {
    fs::rename(temporaries[i], files[i].path, status);
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
