#include "tact/io/file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace tact {

namespace fs = std::filesystem;

namespace {

Error failure(const std::string& path, const std::string& what) {
  return {Errc::io, path + ": " + what};
}

std::string reason(int code) {
  return std::generic_category().message(code);
}

/// A name in the same folder that nobody has; the same folder, so that the rename stays on one disk.
std::string temporary_name(const std::string& path) {
  std::error_code ignored;
  for (int i = 0;; ++i) {
    std::string name = path + ".part" + std::to_string(i);
    if (!fs::exists(fs::symlink_status(name, ignored))) return name;
  }
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
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return failure(path, "reading stopped half-way; check the disk");
  return text;
}

std::optional<Error> write_file(const std::string& path, std::string_view content) {
  std::error_code status;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, status))
    return failure(path, "cannot be written, there is no folder " + folder.string() +
                             "; make it first or name another");
  if (fs::is_directory(path, status))
    return failure(path, "is a folder; name a file to write");

  const std::string temporary = temporary_name(path);
  errno = 0;
  std::ofstream out(temporary, std::ios::binary);
  if (!out)
    return failure(path, "cannot be written (" + reason(errno) + "); check the folder's permissions");
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (out) fs::rename(temporary, path, status);
  if (!out || status) {
    const std::string why = status ? status.message() : "the disk may be full";
    fs::remove(temporary, status);
    return failure(path, "cannot be written (" + why + "); nothing was changed");
  }
  return std::nullopt;
}

}  // namespace tact
