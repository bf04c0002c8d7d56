// io/hdf5_image.hpp - HDF5 files in memory: groups, lists of numbers and texts, read and written.
//
// In the manner of json_reader.hpp: a reader asks for what it expects, the first thing that is not
// as expected is kept as the file's error, and everything asked for afterwards is a harmless
// default. The library's own messages on stderr are silenced.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// Paths are absolute: "/fclib_local/W/m".
class Hdf5Reader {
 public:
  Hdf5Reader(std::string_view bytes, std::string source);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// Keeps "SOURCE: sentence", unless there is an earlier complaint.
  void refuse(const std::string& sentence);

  /// Whether a group or dataset is there.
  [[nodiscard]] bool has(const std::string& path);
  /// A dataset of one whole number.
  [[nodiscard]] std::int64_t integer(const std::string& path);
  /// All numbers of a dataset of any shape; a dataset without storage for them is refused.
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& path);
  [[nodiscard]] VecX numbers(const std::string& path);
  /// Empty, without complaint, where there is none.
  [[nodiscard]] std::string text(const std::string& path);

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
  std::string source_;
  std::size_t size_ = 0;
  std::optional<Error> error_;
};

class Hdf5Writer {
 public:
  Hdf5Writer();
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void group(const std::string& path);
  void integer(const std::string& path, int value);
  void integers(const std::string& path, const std::vector<int>& values);
  void numbers(const std::string& path, const double* values, std::size_t count);
  void text(const std::string& path, const std::string& value);

  /// The bytes of the file; nothing when any of the above failed.
  [[nodiscard]] std::optional<std::string> finish();

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace tact
