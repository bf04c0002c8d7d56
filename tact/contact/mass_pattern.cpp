// contact/mass_pattern.cpp - rows cut into blocks of degrees of freedom.
#include "tact/contact/mass_pattern.hpp"

#include <algorithm>

namespace tact {
namespace {

/// Degrees of freedom in blocks of six or three where that divides them, as bodies have them.
std::vector<Index> dof_blocks(Index dof) {
  Index size = 1;
  if (dof % 6 == 0)
    size = 6;
  else if (dof % 3 == 0)
    size = 3;
  std::vector<Index> offset;
  for (Index i = 0; i <= dof; i += size) offset.push_back(i);
  return offset;
}

/// The rows of contact i cut into blocks.
MassPattern::Rows cut_rows(const MassProblem& p, Index i, const std::vector<Index>& offset) {
  MassPattern::Rows out;
  const Index size = offset[1] - offset[0];
  const Index n = p.laws[i].rows;
  for (Index r = 0; r < n; ++r)
    for (SparseMatrix::InnerIterator it(p.J, p.offset[i] + r); it; ++it)
      out.block.push_back(it.col() / size);
  std::sort(out.block.begin(), out.block.end());
  out.block.erase(std::unique(out.block.begin(), out.block.end()), out.block.end());
  out.jacobian.assign(out.block.size(), MatX::Zero(n, size));
  for (Index r = 0; r < n; ++r)
    for (SparseMatrix::InnerIterator it(p.J, p.offset[i] + r); it; ++it) {
      const auto place = std::lower_bound(out.block.begin(), out.block.end(), it.col() / size);
      out.jacobian[static_cast<std::size_t>(place - out.block.begin())](r, it.col() % size) =
          it.value();
    }
  return out;
}

}  // namespace

void make_mass_pattern(const MassProblem& p, MassPattern& w, BlockMatrix& matrix) {
  const std::vector<Index> offset = dof_blocks(p.M.rows());
  w.rows.clear();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < p.contacts(); ++i) {
    w.rows.push_back(cut_rows(p, i, offset));
    for (const Index a : w.rows.back().block)
      for (const Index b : w.rows.back().block)
        entries.emplace_back(static_cast<int>(offset[a]), static_cast<int>(offset[b]), 0.0);
  }
  for (Index r = 0; r < p.M.outerSize(); ++r)
    for (SparseMatrix::InnerIterator it(p.M, r); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  SparseMatrix pattern(p.M.rows(), p.M.cols());
  pattern.setFromTriplets(entries.begin(), entries.end());
  matrix = block_matrix(pattern, offset);
  for (MassPattern::Rows& rows : w.rows)
    for (const Index a : rows.block)
      for (const Index b : rows.block) {
        const auto begin = matrix.col.begin() + matrix.row_begin[a];
        const auto end = matrix.col.begin() + matrix.row_begin[a + 1];
        rows.entry.push_back(std::lower_bound(begin, end, b) - matrix.col.begin());
      }
}

}  // namespace tact
