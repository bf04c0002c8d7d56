#include "tact/io/matrix_json.hpp"

#include <string>
#include <vector>

#include "tact/io/number_text.hpp"

namespace tact {

namespace {

using Entry = Eigen::Triplet<double, int>;

std::string place(const std::string& matrix, Index row, Index col, bool is_row) {
  const std::string column = std::to_string(col);
  if (is_row) return concat({matrix, "[", column, "]"});
  return concat({matrix, "[", std::to_string(row), "][", column, "]"});
}

/// Size that a sparse matrix says it has; it must be `wanted` unless that is negative.
Index read_size(const JsonField& field, const char* name, Index wanted) {
  const JsonField size = field.required(name, "a sparse matrix has rows, cols and entries");
  const Index least = wanted < 0 ? 0 : wanted, most = wanted < 0 ? largest_matrix_size : wanted;
  const std::string range = least == most ? std::to_string(most) + " is needed here"
                                          : "at most " + std::to_string(most) + " will do";
  return size.integer(least, most, range);
}

SparseMatrix read_sparse(const JsonField& field, Index rows, Index cols, bool is_row) {
  field.allow_only({"rows", "cols", "entries"});
  const Index m = read_size(field, "rows", rows);
  const Index n = read_size(field, "cols", cols);
  const JsonField list = field.required("entries", "write [[row, column, value], ...]");
  std::vector<Entry> entries;
  for (const JsonField& entry : list.elements("write [[row, column, value], ...]")) {
    const auto parts = entry.elements("an entry is [row, column, value]");
    if (parts.size() != 3) {
      entry.refuse(Errc::schema, "an entry is [row, column, value]");
      return {};
    }
    const Index i = parts[0].integer(0, m - 1, "a row lies between 0 and rows - 1");
    const Index j = parts[1].integer(0, n - 1, "a column lies between 0 and cols - 1");
    const double value = parts[2].is_string()
                             ? parts[2].number_kept_as(place(field.path(), i, j, is_row))
                             : parts[2].number();
    entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  }
  SparseMatrix out(m, n);
  // After a complaint indices may be anything.
  const bool inside = m > 0 && n > 0;
  if (inside) out.setFromTriplets(entries.begin(), entries.end());
  if (out.nonZeros() != std::ssize(entries))
    list.refuse(Errc::value, inside ? "two entries stand at the same place, keep one of them"
                                    : "a matrix without rows or columns has no entries");
  return out;
}

void add_row(const JsonField& field, Index row, Index cols, std::string_view what,
             std::vector<Entry>& entries) {
  const VecX numbers = field.numbers(cols, what);
  for (Index j = 0; j < cols; ++j)
    if (numbers[j] != 0)
      entries.emplace_back(static_cast<int>(row), static_cast<int>(j), numbers[j]);
}

/// A row that is a sparse matrix of one row.
void add_sparse_row(const JsonField& field, Index row, Index cols, std::vector<Entry>& entries) {
  const SparseMatrix one = read_sparse(field, 1, cols, true);
  for (Index r = 0; r < one.outerSize(); ++r)
    for (SparseMatrix::InnerIterator it(one, r); it; ++it)
      entries.emplace_back(static_cast<int>(row), static_cast<int>(it.col()), it.value());
}

}  // namespace

SparseMatrix read_matrix(const JsonField& field, Index rows, Index cols, std::string_view what) {
  if (field.is_object()) return read_sparse(field, rows, cols, false);
  const auto lines = field.elements(what);
  if (rows >= 0 && std::ssize(lines) != rows)
    field.refuse(Errc::schema,
                 std::string(what) + ", and this has " + std::to_string(lines.size()) + " rows");
  std::vector<Entry> entries;
  Index row = 0;
  for (const JsonField& line : lines) {
    if (line.is_object())
      add_sparse_row(line, row++, cols, entries);
    else
      add_row(line, row++, cols, what, entries);
  }
  if (rows >= 0 && row != rows) return {};
  SparseMatrix out(row, cols);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

SparseMatrix read_row(const JsonField& field, Index cols, std::string_view what) {
  if (field.is_object()) return read_sparse(field, 1, cols, true);
  std::vector<Entry> entries;
  add_row(field, 0, cols, what, entries);
  SparseMatrix out(1, cols);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace tact
