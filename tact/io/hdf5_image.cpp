#include "tact/io/hdf5_image.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <hdf5.h>

namespace tact {

namespace {

/// An identifier of the library and how it is closed.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The library prints its errors on stderr unless told otherwise.
void silence() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

/// The library is not made for several threads: whoever has a file open has it alone.
std::unique_lock<std::recursive_mutex> alone() {
  static std::recursive_mutex mutex;
  return std::unique_lock(mutex);
}

/// The library takes two files in memory for one when they have the same name.
std::string new_name() {
  static std::atomic<unsigned long> count{0};
  return "tact image " + std::to_string(++count);
}

/// A file that lives in memory only.
hid_t memory_access() {
  constexpr std::size_t growth = std::size_t{1} << 16;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0) H5Pset_fapl_core(access, growth, 0);
  return access;
}

hid_t open_image(std::string_view bytes) {
  silence();
  const Handle access(memory_access(), H5Pclose);
  if (!access.valid()) return H5I_INVALID_HID;
  // The library copies the bytes; it does not write to these.
  if (H5Pset_file_image(access.get(), const_cast<char*>(bytes.data()), bytes.size()) < 0)
    return H5I_INVALID_HID;
  return H5Fopen(new_name().c_str(), H5F_ACC_RDONLY, access.get());
}

hid_t create_image() {
  silence();
  const Handle access(memory_access(), H5Pclose);
  return access.valid() ? H5Fcreate(new_name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())
                        : H5I_INVALID_HID;
}

}  // namespace

// ---- reading ------------------------------------------------------------------------------------

struct Hdf5Reader::Handles {
  explicit Handles(std::string_view bytes) : file(open_image(bytes), H5Fclose) {}

  /// The number of values in a dataset; nothing when it has more than `most`.
  static std::optional<std::size_t> count(const Handle& dataset, std::size_t most) {
    const Handle space(H5Dget_space(dataset.get()), H5Sclose);
    if (!space.valid()) return std::nullopt;
    const hssize_t n = H5Sget_simple_extent_npoints(space.get());
    if (n < 0 || static_cast<std::size_t>(n) > most) return std::nullopt;
    return static_cast<std::size_t>(n);
  }
  static H5T_class_t kind(const Handle& dataset) {
    const Handle type(H5Dget_type(dataset.get()), H5Tclose);
    return type.valid() ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  }
  [[nodiscard]] Handle dataset(const std::string& path) const {
    return {H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT), H5Dclose};
  }

  std::unique_lock<std::recursive_mutex> lock = alone();
  Handle file;
};

Hdf5Reader::Hdf5Reader(std::string_view bytes, std::string source)
    : handles_(std::make_unique<Handles>(bytes)), source_(std::move(source)), size_(bytes.size()) {
  if (!handles_->file.valid()) refuse("is no HDF5 file or ends early; copy the file again");
}
Hdf5Reader::~Hdf5Reader() = default;

void Hdf5Reader::refuse(const std::string& sentence) {
  if (!error_) error_ = Error{Errc::parse, source_ + ": " + sentence};
}

bool Hdf5Reader::has(const std::string& path) {
  if (error_) return false;
  // Every folder on the way must be there, else the question itself is an error.
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    if (H5Lexists(handles_->file.get(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0)
      return false;
  return H5Lexists(handles_->file.get(), path.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& path) {
  if (error_) return {};
  if (!has(path)) {
    refuse(path + " is missing; write it as a dataset of whole numbers");
    return {};
  }
  const Handle dataset = handles_->dataset(path);
  const auto count = dataset.valid() ? Handles::count(dataset, size_) : std::nullopt;
  if (!count || Handles::kind(dataset) != H5T_INTEGER) {
    refuse(path + " is no list of whole numbers; write it as one");
    return {};
  }
  std::vector<std::int64_t> out(*count);
  if (H5Dread(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) {
    refuse(path + " cannot be read, the file is damaged or ends early; copy it again");
    return {};
  }
  return out;
}

std::int64_t Hdf5Reader::integer(const std::string& path) {
  const auto values = integers(path);
  if (!error_ && values.size() != 1)
    refuse(path + " has " + std::to_string(values.size()) + " values; write one whole number");
  return error_ ? 0 : values[0];
}

VecX Hdf5Reader::numbers(const std::string& path) {
  if (error_) return {};
  if (!has(path)) {
    refuse(path + " is missing; write it as a dataset of numbers");
    return {};
  }
  const Handle dataset = handles_->dataset(path);
  const auto count = dataset.valid() ? Handles::count(dataset, size_) : std::nullopt;
  const H5T_class_t kind = dataset.valid() ? Handles::kind(dataset) : H5T_NO_CLASS;
  if (!count || (kind != H5T_FLOAT && kind != H5T_INTEGER)) {
    refuse(path + " is no list of numbers; write it as one");
    return {};
  }
  VecX out(static_cast<Index>(*count));
  if (H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) {
    refuse(path + " cannot be read, the file is damaged or ends early; copy it again");
    return {};
  }
  return out;
}

std::string Hdf5Reader::text(const std::string& path) {
  if (!has(path)) return {};
  const Handle dataset = handles_->dataset(path);
  if (!dataset.valid() || Handles::kind(dataset) != H5T_STRING) return {};
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const auto count = Handles::count(dataset, size_);
  if (H5Tis_variable_str(type.get()) > 0 || count != std::size_t{1}) return {};
  const std::size_t length = H5Tget_size(type.get());
  if (length > size_) return {};
  std::string out(length, '\0');
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) return {};
  return out.substr(0, out.find('\0'));
}

// ---- writing ------------------------------------------------------------------------------------

struct Hdf5Writer::Handles {
  std::unique_lock<std::recursive_mutex> lock = alone();
  Handle file{create_image(), H5Fclose};
  bool good = file.valid();

  void write(const std::string& path, hid_t type, std::size_t count, const void* values) {
    if (!good) return;
    const hsize_t size = count;
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    // Without the date of writing, so that equal problems make equal files.
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    good = space.valid() && options.valid() && H5Pset_obj_track_times(options.get(), false) >= 0;
    if (!good) return;
    const Handle dataset(H5Dcreate2(file.get(), path.c_str(), type, space.get(), H5P_DEFAULT,
                                    options.get(), H5P_DEFAULT),
                         H5Dclose);
    good = dataset.valid() && (count == 0 || H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL,
                                                      H5P_DEFAULT, values) >= 0);
  }
};

Hdf5Writer::Hdf5Writer() : handles_(std::make_unique<Handles>()) {}
Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::group(const std::string& path) {
  if (!handles_->good) return;
  const Handle made(
      H5Gcreate2(handles_->file.get(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Gclose);
  handles_->good = made.valid();
}

void Hdf5Writer::integer(const std::string& path, int value) {
  handles_->write(path, H5T_NATIVE_INT, 1, &value);
}

void Hdf5Writer::integers(const std::string& path, const std::vector<int>& values) {
  handles_->write(path, H5T_NATIVE_INT, values.size(), values.data());
}

void Hdf5Writer::numbers(const std::string& path, const double* values, std::size_t count) {
  handles_->write(path, H5T_NATIVE_DOUBLE, count, values);
}

void Hdf5Writer::text(const std::string& path, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  handles_->good = handles_->good && type.valid() && H5Tset_size(type.get(), value.size() + 1) >= 0;
  handles_->write(path, type.get(), 1, value.c_str());
}

std::optional<std::string> Hdf5Writer::finish() {
  const hid_t file = handles_->file.get();
  if (!handles_->good || H5Fflush(file, H5F_SCOPE_LOCAL) < 0) return std::nullopt;
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size) return std::nullopt;
  return bytes;
}

}  // namespace tact
