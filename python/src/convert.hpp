// python/convert.hpp - arrays in and out, errors of the library as Python's, and nothing else.
//
// Arguments that are arrays come in as ArrayLike and are read here, so that a wrong shape or dtype
// is told with the name of the argument, what was expected and what was given.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "tact/base/result.hpp"
#include "tact/linalg/sparse.hpp"
#include "tact/linalg/types.hpp"
#include "tact/spatial/se3.hpp"

namespace tact::python {

namespace py = pybind11;
using py::literals::operator""_a;

/// Whatever NumPy reads as an array of numbers.
struct ArrayLike {
  py::object object;
};
/// The same that may be left out.
using Maybe = std::optional<ArrayLike>;

/// A str or an os.PathLike.
struct PathLike {
  std::string text;
};

using Doubles = py::array_t<double>;

// ---- errors: thrown with or without the interpreter's lock, told to Python by module.cpp

/// OSError, or FileNotFoundError where `missing`.
struct FileError : std::runtime_error {
  FileError(const std::string& message, bool none) : std::runtime_error(message), missing(none) {}
  bool missing = false;
};
/// ValueError.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// TypeError.
struct KindError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void raise(const Error& error);

template <class T>
[[nodiscard]] T unwrap(Result<T>&& result) {
  if (!result) raise(result.error());
  return *std::move(result);
}
/// With the name of the source in front, as the command line tells it.
template <class T>
[[nodiscard]] T unwrap(Result<T>&& result, const std::string& source) {
  if (!result) raise({result.error().code, source + ": " + result.error().message});
  return *std::move(result);
}
inline void unwrap(const std::optional<Error>& error) {
  if (error) raise(*error);
}

// ---- in

/// An array of doubles, rows first; -1 stands for any length. Refuses what is not real numbers and
/// another shape.
[[nodiscard]] py::array_t<double, py::array::c_style> read_array(
    const ArrayLike& value, std::string_view name, std::initializer_list<Index> shape);

[[nodiscard]] VecX read_vector(const ArrayLike& value, std::string_view name, Index size = -1);
[[nodiscard]] MatX read_matrix(const ArrayLike& value, std::string_view name, Index rows = -1,
                               Index columns = -1);
/// The same of a dense array or of anything with tocsr(), as the matrices of SciPy have it.
[[nodiscard]] SparseMatrix read_sparse(const ArrayLike& value, std::string_view name,
                                       Index rows = -1, Index columns = -1);
template <int N>
[[nodiscard]] Eigen::Matrix<double, N, 1> read_fixed(const ArrayLike& value,
                                                     std::string_view name) {
  const auto array = read_array(value, name, {N});
  return Eigen::Map<const Eigen::Matrix<double, N, 1>>(array.data());
}
[[nodiscard]] std::vector<Vec2> read_points(const ArrayLike& value, std::string_view name);
/// A 4 × 4 homogeneous matrix, or seven numbers: p, then the quaternion w x y z.
[[nodiscard]] Pose read_pose(const ArrayLike& value, std::string_view name);
[[nodiscard]] Twist read_twist(const ArrayLike& value, std::string_view name);
[[nodiscard]] Wrench read_wrench(const ArrayLike& value, std::string_view name);

/// The index of the word among the names, or ValueError with all of them.
[[nodiscard]] std::size_t read_word(std::string_view word, std::string_view name,
                                    std::span<const std::string_view> words);

// ---- out: copies, except views

[[nodiscard]] Doubles to_array(std::span<const double> x);
[[nodiscard]] inline Doubles to_array(const VecX& x) {
  return to_array(std::span(x.data(), static_cast<std::size_t>(x.size())));
}
template <int N>
[[nodiscard]] Doubles to_array(const Eigen::Matrix<double, N, 1>& x) {
  return to_array(std::span<const double>(x.data(), static_cast<std::size_t>(N)));
}
[[nodiscard]] Doubles to_array(const MatX& m);
[[nodiscard]] Doubles to_array(const std::vector<Vec2>& points);
[[nodiscard]] Doubles to_array(const std::vector<Vec3>& points);
[[nodiscard]] Doubles to_array(const Pose& pose);  ///< 4 × 4
/// Memory of `owner`, which NumPy keeps alive; writable.
[[nodiscard]] Doubles view_of(VecX& x, const py::object& owner);

template <class T>
[[nodiscard]] std::optional<Doubles> maybe_array(const std::optional<T>& x) {
  if (!x) return std::nullopt;
  return to_array(*x);
}
/// JSON text of the library as a Python dict.
[[nodiscard]] py::dict from_json(const std::string& text);

template <class Named>
[[nodiscard]] std::string word(const Named& value) {
  return std::string(name(value));
}

// ---- one function for every file of bindings; module.cpp calls them in this order

void bind_patch(py::module_& m);
void bind_model(py::module_& m);
void bind_problem(py::module_& m);
void bind_solve(py::module_& m);
void bind_modes(py::module_& m);
void bind_impact(py::module_& m);
void bind_sim(py::module_& m);
void bind_soft(py::module_& m);
void bind_surface(py::module_& m);  ///< of bind_soft
void bind_recording(py::module_& m);

}  // namespace tact::python

namespace pybind11::detail {

template <>
struct type_caster<tact::python::ArrayLike> {
  PYBIND11_TYPE_CASTER(tact::python::ArrayLike, const_name("numpy.typing.ArrayLike"));
  bool load(handle source, bool /*convert*/) {
    if (!source || source.is_none()) return false;
    value.object = reinterpret_borrow<object>(source);
    return true;
  }
  static handle cast(const tact::python::ArrayLike& from, return_value_policy, handle) {
    return object(from.object).release();
  }
};

template <>
struct type_caster<tact::python::PathLike> {
  PYBIND11_TYPE_CASTER(tact::python::PathLike, const_name("os.PathLike[str] | str"));
  bool load(handle source, bool /*convert*/) {
    if (!isinstance<str>(source) && !hasattr(source, "__fspath__")) return false;
    const object path = module_::import("os").attr("fsdecode")(source);
    value.text = path.cast<std::string>();
    return true;
  }
  static handle cast(const tact::python::PathLike& from, return_value_policy, handle) {
    return str(from.text).release();
  }
};

}  // namespace pybind11::detail
