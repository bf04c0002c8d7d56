// linalg/block_matrix.cpp - making, splitting and multiplying matrices of small blocks.
#include "tact/linalg/block_matrix.hpp"

#include <algorithm>
#include <numeric>

#include "tact/base/expects.hpp"

namespace tact {
namespace {

/// The block that holds each scalar row.
std::vector<Index> owners(std::span<const Index> offset) {
  std::vector<Index> owner(static_cast<std::size_t>(offset.back()));
  for (std::size_t i = 0; i + 1 < offset.size(); ++i)
    std::fill(owner.begin() + offset[i], owner.begin() + offset[i + 1], static_cast<Index>(i));
  return owner;
}

/// The block columns of block row i, ascending, i itself among them.
void columns_of_row(const SparseMatrix& m, std::span<const Index> offset,
                    const std::vector<Index>& owner, Index i, std::vector<Index>& columns) {
  columns.assign(1, i);
  for (Index row = offset[i]; row < offset[i + 1]; ++row)
    for (SparseMatrix::InnerIterator it(m, row); it; ++it)
      if (columns.back() != owner[it.col()]) columns.push_back(owner[it.col()]);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

template <int Rows, int Cols>
void add_product(const double* block, const double* x, double* y) {
  double sum[Rows];  // not y, which might be x for all the compiler knows
  for (int r = 0; r < Rows; ++r) sum[r] = y[r];
  for (int c = 0; c < Cols; ++c) {
    const double factor = x[c];
    for (int r = 0; r < Rows; ++r) sum[r] += block[c * Rows + r] * factor;
  }
  for (int r = 0; r < Rows; ++r) y[r] = sum[r];
}

template <>
inline void add_product<3, 3>(const double* b, const double* x, double* y) {
  const double x0 = x[0], x1 = x[1], x2 = x[2];
  if (x0 == 0 && x1 == 0 && x2 == 0) return;  // contacts that are open, often most of them
  const double y0 = y[0] + (b[0] * x0 + b[3] * x1 + b[6] * x2);
  const double y1 = y[1] + (b[1] * x0 + b[4] * x1 + b[7] * x2);
  y[2] += b[2] * x0 + b[5] * x1 + b[8] * x2;
  y[0] = y0;
  y[1] = y1;
}

inline void add_product(const double* block, Index rows, Index cols, const double* x, double* y) {
  if (rows == 3 && cols == 3) return add_product<3, 3>(block, x, y);
  if (rows == 6 && cols == 6) return add_product<6, 6>(block, x, y);
  if (rows == 2 && cols == 2) return add_product<2, 2>(block, x, y);
  for (Index c = 0; c < cols; ++c)
    for (Index r = 0; r < rows; ++r) y[r] += block[c * rows + r] * x[c];
}

}  // namespace

BlockMatrix block_matrix(const SparseMatrix& m, std::span<const Index> offset) {
  TACT_EXPECTS(m.rows() == m.cols() && !offset.empty() && offset.back() == m.rows());
  const std::vector<Index> owner = owners(offset);
  BlockMatrix out;
  out.offset.assign(offset.begin(), offset.end());
  const auto count = static_cast<Index>(offset.size()) - 1;
  std::vector<Index> columns;
  std::vector<Index> place(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    columns_of_row(m, offset, owner, i, columns);
    const Index rows = offset[i + 1] - offset[i];
    for (const Index j : columns) {
      if (j == i) out.diagonal.push_back(static_cast<Index>(out.col.size()));
      place[j] = static_cast<Index>(out.values.size());
      out.col.push_back(j);
      out.at.push_back(place[j]);
      out.values.resize(
          out.values.size() + static_cast<std::size_t>(rows * (offset[j + 1] - offset[j])), 0.0);
    }
    out.row_begin.push_back(static_cast<Index>(out.col.size()));
    for (Index row = 0; row < rows; ++row)
      for (SparseMatrix::InnerIterator it(m, offset[i] + row); it; ++it) {
        const Index j = owner[it.col()];
        out.values[place[j] + (it.col() - offset[j]) * rows + row] = it.value();
      }
  }
  return out;
}

void clear(BlockMatrix& m) {
  m.offset.assign(1, 0);
  m.row_begin.assign(1, 0);
  m.col.clear();
  m.at.clear();
  m.diagonal.clear();
  m.values.clear();
}

void append_diagonal(const double* block, Index rows, BlockMatrix& m) {
  m.diagonal.push_back(static_cast<Index>(m.col.size()));
  m.col.push_back(static_cast<Index>(m.offset.size()) - 1);
  m.at.push_back(static_cast<Index>(m.values.size()));
  m.values.insert(m.values.end(), block, block + rows * rows);
  m.offset.push_back(m.offset.back() + rows);
  m.row_begin.push_back(static_cast<Index>(m.col.size()));
}

void sub_matrix(const BlockMatrix& m, std::span<const Index> keep, std::vector<Index>& renamed,
                BlockMatrix& out) {
  renamed.resize(static_cast<std::size_t>(m.blocks()), -1);
  for (std::size_t k = 0; k < keep.size(); ++k) renamed[keep[k]] = static_cast<Index>(k);
  clear(out);
  for (const Index i : keep) {
    out.offset.push_back(out.offset.back() + m.rows_of(i));
    for (Index e = m.row_begin[i]; e < m.row_begin[i + 1]; ++e) {
      if (renamed[m.col[e]] < 0) continue;
      if (m.col[e] == i) out.diagonal.push_back(static_cast<Index>(out.col.size()));
      out.col.push_back(renamed[m.col[e]]);
      out.at.push_back(static_cast<Index>(out.values.size()));
      const auto block = m.block(i, e);
      out.values.insert(out.values.end(), block.data(), block.data() + block.size());
    }
    out.row_begin.push_back(static_cast<Index>(out.col.size()));
  }
  for (const Index i : keep) renamed[i] = -1;
}

BlockMatrix sub_matrix(const BlockMatrix& m, std::span<const Index> keep) {
  std::vector<Index> renamed;
  BlockMatrix out;
  sub_matrix(m, keep, renamed, out);
  return out;
}

void multiply(const BlockMatrix& a, const VecX& x, VecX& y) {
  y.setZero(a.size());
  for (Index i = 0; i < a.blocks(); ++i)
    for (Index e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
      add_product(a.values.data() + a.at[e], a.rows_of(i), a.rows_of(a.col[e]),
                  x.data() + a.offset[a.col[e]], y.data() + a.offset[i]);
}

void add_row_without_diagonal(const BlockMatrix& a, Index i, const double* x, double* y) {
  for (Index e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
    if (e != a.diagonal[i])
      add_product(a.values.data() + a.at[e], a.rows_of(i), a.rows_of(a.col[e]),
                  x + a.offset[a.col[e]], y);
}

std::vector<std::vector<Index>> connected_blocks(const BlockMatrix& m) {
  // Union by the smaller index: the root of a set is its first block.
  std::vector<Index> parent(static_cast<std::size_t>(m.blocks()));
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (Index i = 0; i < m.blocks(); ++i)
    for (Index e = m.row_begin[i]; e < m.row_begin[i + 1]; ++e) {
      const Index a = root(i);
      const Index b = root(m.col[e]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<std::vector<Index>> sets;
  std::vector<Index> set_of(static_cast<std::size_t>(m.blocks()), -1);
  for (Index i = 0; i < m.blocks(); ++i) {
    const Index r = root(i);
    if (set_of[r] < 0) {
      set_of[r] = static_cast<Index>(sets.size());
      sets.emplace_back();
    }
    sets[set_of[r]].push_back(i);
  }
  return sets;
}

}  // namespace tact
