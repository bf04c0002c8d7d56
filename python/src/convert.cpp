// python/convert.cpp - arrays read with care, and written without ceremony.
#include "convert.hpp"

#include <algorithm>
#include <cstring>

#include "tact/base/tolerance.hpp"
#include "tact/spatial/so3.hpp"

namespace tact::python {
namespace {

std::string shape_text(std::span<const Index> shape) {
  std::string out = "(";
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (k > 0) out += ", ";
    out += shape[k] < 0 ? std::string("any") : std::to_string(shape[k]);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

py::array numbers(const ArrayLike& value, std::string_view name) {
  py::array raw;
  try {
    raw = py::module_::import("numpy").attr("asarray")(value.object);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    throw DataError(std::string(name) +
                    ": rows of different lengths; expected an array of numbers");
  }
  const char kind = raw.dtype().kind();
  if (std::string_view("fiub").find(kind) == std::string_view::npos)
    throw KindError(std::string(name) + ": expected an array of real numbers, given dtype " +
                    py::str(raw.dtype()).cast<std::string>());
  return raw;
}

}  // namespace

void raise(const Error& error) {
  if (error.code == Errc::io)
    throw FileError(error.message, error.message.find("no such file") != std::string::npos ||
                                       error.message.find("not found") != std::string::npos);
  throw DataError(error.message);
}

py::array_t<double, py::array::c_style> read_array(const ArrayLike& value, std::string_view name,
                                                   std::initializer_list<Index> shape) {
  const py::array raw = numbers(value, name);
  bool fits = raw.ndim() == static_cast<py::ssize_t>(shape.size());
  for (py::ssize_t k = 0; fits && k < raw.ndim(); ++k) {
    const Index wanted = shape.begin()[k];
    fits = wanted < 0 || raw.shape(k) == wanted;
  }
  if (!fits) {
    std::vector<Index> given(raw.shape(), raw.shape() + raw.ndim());
    throw DataError(std::string(name) + ": expected shape " +
                    shape_text(std::span(shape.begin(), shape.size())) + ", given " +
                    shape_text(given));
  }
  return py::array_t<double, py::array::c_style | py::array::forcecast>(raw);
}

VecX read_vector(const ArrayLike& value, std::string_view name, Index size) {
  const auto array = read_array(value, name, {size});
  return Eigen::Map<const VecX>(array.data(), array.shape(0));
}

MatX read_matrix(const ArrayLike& value, std::string_view name, Index rows, Index columns) {
  const auto array = read_array(value, name, {rows, columns});
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(array.data(), array.shape(0), array.shape(1));
}

SparseMatrix read_sparse(const ArrayLike& value, std::string_view name, Index rows, Index columns) {
  if (!py::hasattr(value.object, "tocsr")) return sparse(read_matrix(value, name, rows, columns));
  const py::object csr = value.object.attr("tocsr")();
  const auto shape = csr.attr("shape").cast<std::pair<Index, Index>>();
  if ((rows >= 0 && shape.first != rows) || (columns >= 0 && shape.second != columns))
    throw DataError(std::string(name) + ": expected shape " +
                    shape_text(std::vector<Index>{rows, columns}) + ", given " +
                    shape_text(std::vector<Index>{shape.first, shape.second}));
  const auto data = read_array({csr.attr("data")}, name, {-1});
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> begin(
      csr.attr("indptr")),
      column(csr.attr("indices"));
  std::vector<Eigen::Triplet<double>> entries;
  for (Index row = 0; row < shape.first; ++row)
    for (auto k = begin.at(row); k < begin.at(row + 1); ++k)
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column.at(k)), data.at(k));
  SparseMatrix out(shape.first, shape.second);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::vector<Vec2> read_points(const ArrayLike& value, std::string_view name) {
  const auto array = read_array(value, name, {-1, 2});
  std::vector<Vec2> out;
  for (py::ssize_t k = 0; k < array.shape(0); ++k) out.emplace_back(array.at(k, 0), array.at(k, 1));
  return out;
}

Pose read_pose(const ArrayLike& value, std::string_view name) {
  const py::array raw = numbers(value, name);
  Pose out;
  if (raw.ndim() == 1) {
    const auto x = read_fixed<7>(value, name);
    out.p = x.head<3>();
    const Vec4 q = x.tail<4>();
    if (!(q.norm() > 0)) throw DataError(std::string(name) + ": the quaternion is zero");
    out.R = to_matrix(normalized(Quaternion{q[0], q[1], q[2], q[3]}));
    return out;
  }
  const MatX m = read_matrix(value, name, 4, 4);
  out.R = m.topLeftCorner<3, 3>();
  out.p = m.topRightCorner<3, 1>();
  const double off = (out.R.transpose() * out.R - Mat3::Identity()).norm();
  constexpr double enough = 1e-4;
  if (!(off < enough) || !(out.R.col(0).cross(out.R.col(1)).dot(out.R.col(2)) > 0))
    throw DataError(std::string(name) + ": the upper left 3 x 3 block is no rotation");
  return off > tolerance::symmetry ? normalized(out)
                                   : out;  // what is one to rounding keeps its bits
}

Twist read_twist(const ArrayLike& value, std::string_view name) {
  return Twist::from(read_fixed<6>(value, name));
}

Wrench read_wrench(const ArrayLike& value, std::string_view name) {
  return Wrench::from(read_fixed<6>(value, name));
}

std::size_t read_word(std::string_view word, std::string_view name,
                      std::span<const std::string_view> words) {
  const auto it = std::find(words.begin(), words.end(), word);
  if (it != words.end()) return static_cast<std::size_t>(it - words.begin());
  std::string all;
  for (const std::string_view w : words) all += (all.empty() ? "" : ", ") + std::string(w);
  throw DataError(std::string(name) + " is \"" + std::string(word) + "\"; expected one of " + all);
}

Doubles to_array(std::span<const double> x) {
  Doubles out(static_cast<py::ssize_t>(x.size()));
  if (!x.empty()) std::memcpy(out.mutable_data(), x.data(), x.size_bytes());
  return out;
}

Doubles to_array(const MatX& m) {
  Doubles out({m.rows(), m.cols()});
  auto access = out.mutable_unchecked<2>();
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) access(i, j) = m(i, j);
  return out;
}

Doubles to_array(const std::vector<Vec2>& points) {
  Doubles out({static_cast<py::ssize_t>(points.size()), py::ssize_t{2}});
  double* at = out.mutable_data();
  for (const Vec2& p : points) {
    *at++ = p[0];
    *at++ = p[1];
  }
  return out;
}

Doubles to_array(const std::vector<Vec3>& points) {
  Doubles out({static_cast<py::ssize_t>(points.size()), py::ssize_t{3}});
  double* at = out.mutable_data();
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) *at++ = p[k];
  return out;
}

Doubles to_array(const Pose& pose) {
  return to_array(MatX(matrix(pose)));
}

Doubles view_of(VecX& x, const py::object& owner) {
  return Doubles(x.size(), x.data(), owner);
}

py::dict from_json(const std::string& text) {
  return py::module_::import("json").attr("loads")(text);
}

}  // namespace tact::python
