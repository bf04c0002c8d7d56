// io/matrix_json.hpp - matrices as they stand in files: an array of rows, or sparse.
//
// A row of the array is numbers or a sparse matrix of one row.
// Sparse is {"rows": n, "cols": m, "entries": [[i, j, value], ...]}, indices from zero, no place
// twice. Exact rationals are kept under the dense name of their place, `mass[0][2]`, either way.
#pragma once

#include <string_view>

#include "tact/io/json_reader.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {

/// Sizes in files are at most this: a line of a sparse matrix takes memory even when it is empty.
inline constexpr Index largest_matrix_size = 1000000;

/// `what` says in a complaint what is expected. With `rows` < 0 any number of rows will do.
[[nodiscard]] SparseMatrix read_matrix(const JsonField& field, Index rows, Index cols,
                                       std::string_view what);

/// One row: a list of numbers, or a sparse matrix of one row. Kept as `normal[2]`.
[[nodiscard]] SparseMatrix read_row(const JsonField& field, Index cols, std::string_view what);

}  // namespace tact
