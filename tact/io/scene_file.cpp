#include "tact/io/scene_file.hpp"

#include <filesystem>

#include "tact/io/file.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

FileReader disk_files() {
  return {[](const std::string& path) {
            std::error_code status;
            return std::filesystem::exists(path, status);
          },
          [](const std::string& path) { return read_file(path); }};
}

FileReader no_files() {
  return {[](const std::string&) { return false; },
          [](const std::string& path) -> Result<std::string> {
            return Error{Errc::io, concat({path, ": no such file; this text stands alone"})};
          }};
}

}  // namespace tact
