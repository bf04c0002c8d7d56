// linalg/block_lu.cpp - block LU by rows: for each row, subtract what the earlier rows contribute.
// Of a symmetric matrix what lies below the diagonal is what lies above, turned.
#include "tact/linalg/block_lu.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <Eigen/OrderingMethods>

#include "tact/base/expects.hpp"

namespace tact {
namespace {

using Neighbours = std::vector<std::vector<Index>>;  ///< ascending, the node itself included

Neighbours symmetric_pattern(const BlockMatrix& a) {
  Neighbours of(static_cast<std::size_t>(a.blocks()));
  for (Index i = 0; i < a.blocks(); ++i)
    for (Index e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
      of[i].push_back(a.col[e]);
      of[a.col[e]].push_back(i);
    }
  for (auto& list : of) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return of;
}

/// Blocks with equal neighbours become one: the group of every block, groups numbered by their
/// first block.
std::vector<Index> merge_equal(const Neighbours& of, Index& count) {
  std::map<std::vector<Index>, Index> seen;
  std::vector<Index> group(of.size());
  for (std::size_t i = 0; i < of.size(); ++i)
    group[i] = seen.emplace(of[i], static_cast<Index>(seen.size())).first->second;
  count = static_cast<Index>(seen.size());
  return group;
}

/// Neighbours among groups.
Neighbours quotient(const Neighbours& of, const std::vector<Index>& group, Index count) {
  Neighbours out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < of.size(); ++i) {
    auto& list = out[group[i]];
    if (!list.empty()) continue;
    for (const Index j : of[i]) list.push_back(group[j]);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return out;
}

/// Elimination order by approximate minimum degree: order[k] is eliminated k-th.
std::vector<Index> minimum_degree(const Neighbours& of) {
  const auto n = static_cast<int>(of.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (const Index j : of[i]) entries.emplace_back(i, static_cast<int>(j), 1.0);
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> perm;
  Eigen::AMDOrdering<int>()(pattern, perm);
  std::vector<Index> order(of.size());
  for (int k = 0; k < n; ++k) order[k] = perm.indices()[k];
  return order;
}

/// Columns of U in each row after fill, in elimination order: the union over the elimination tree.
Neighbours fill_in(const Neighbours& of, const std::vector<Index>& order) {
  const std::size_t n = of.size();
  std::vector<Index> rank(n);
  for (std::size_t k = 0; k < n; ++k) rank[order[k]] = static_cast<Index>(k);
  Neighbours upper(n), children(n);
  for (std::size_t k = 0; k < n; ++k) {
    auto& row = upper[k];
    for (const Index j : of[order[k]])
      if (rank[j] >= static_cast<Index>(k)) row.push_back(rank[j]);
    for (const Index child : children[k])
      for (const Index j : upper[child])
        if (j > child) row.push_back(j);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    if (row.size() > 1) children[row[1]].push_back(static_cast<Index>(k));
  }
  return upper;
}

using View = Eigen::Map<MatX>;

}  // namespace

void BlockLu::analyse(const BlockMatrix& a) {
  const Neighbours pattern = symmetric_pattern(a);
  Index groups = 0;
  const std::vector<Index> group = merge_equal(pattern, groups);
  const Neighbours graph = quotient(pattern, group, groups);
  const std::vector<Index> order = minimum_degree(graph);
  offset_ = a.offset;
  row_begin_ = a.row_begin;
  pattern_ = a.col;

  // Where every block goes: its node in elimination order, its first row there.
  std::vector<Index> rank(static_cast<std::size_t>(groups));
  for (Index k = 0; k < groups; ++k) rank[order[k]] = k;
  std::vector<Index> node_of(static_cast<std::size_t>(a.blocks())), local(node_of.size());
  nodes_.assign(static_cast<std::size_t>(groups), Node{});
  offset_rows_.resize(static_cast<std::size_t>(a.blocks()));
  for (Index i = 0; i < a.blocks(); ++i) {
    node_of[i] = rank[group[i]];
    Node& node = nodes_[node_of[i]];
    local[i] = node.size;
    offset_rows_[i] = a.rows_of(i);
    node.size += a.rows_of(i);
  }
  for (Index k = 1; k < groups; ++k) nodes_[k].begin = nodes_[k - 1].begin + nodes_[k - 1].size;
  permutation_.resize(static_cast<std::size_t>(a.size()));
  for (Index i = 0; i < a.blocks(); ++i)
    for (Index r = 0; r < a.rows_of(i); ++r)
      permutation_[a.offset[i] + r] = nodes_[node_of[i]].begin + local[i] + r;

  store(fill_in(graph, order));
  pivots_.resize(static_cast<std::size_t>(a.size()));
  permuted_.resize(a.size());
  slots_.resize(a.col.size());
  for (Index i = 0; i < a.blocks(); ++i) {
    const Node& node = nodes_[node_of[i]];
    for (Index e = node.row_begin; e < node.row_end; ++e) place_[col_[e]] = e;
    for (Index e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
      const Index j = a.col[e];
      const Index start = at_[place_[node_of[j]]];
      slots_[e] = {start + local[j] * node.size + local[i], node.size, node_of[i] <= node_of[j]};
    }
  }
}

/// Room for the factors: row k has the columns of L, those rows whose U reaches k, then U.
void BlockLu::store(const std::vector<std::vector<Index>>& upper) {
  const auto groups = static_cast<Index>(upper.size());
  Neighbours lower(upper.size());
  for (Index k = 0; k < groups; ++k)
    for (const Index j : upper[k])
      if (j > k) lower[j].push_back(k);
  col_.clear();
  at_.clear();
  Index stored = 0;
  multiplications_ = 0;
  const auto add_entry = [&](Index row, Index column) {
    col_.push_back(column);
    at_.push_back(stored);
    stored += nodes_[row].size * nodes_[column].size;
  };
  for (Index k = 0; k < groups; ++k) {
    Node& node = nodes_[k];
    node.row_begin = static_cast<Index>(col_.size());
    for (const Index j : lower[k]) add_entry(k, j);
    node.diagonal = static_cast<Index>(col_.size());
    Index width = 0;
    for (const Index j : upper[k]) {
      add_entry(k, j);
      width += nodes_[j].size;
    }
    node.row_end = static_cast<Index>(col_.size());
    const auto own = static_cast<double>(node.size);
    const double right = static_cast<double>(width) - own;
    multiplications_ += own * (own * own / 3 + own * right + right * right);
  }
  values_.assign(static_cast<std::size_t>(stored), 0.0);
  place_.assign(upper.size(), -1);
  note_mirrors();
}

/// Rows are visited in order, and so are the entries of every row above its diagonal.
void BlockLu::note_mirrors() {
  std::vector<Index> next(nodes_.size());
  for (std::size_t k = 0; k < nodes_.size(); ++k) next[k] = nodes_[k].diagonal + 1;
  mirror_.assign(col_.size(), -1);
  for (const Node& node : nodes_)
    for (Index e = node.row_begin; e < node.diagonal; ++e) mirror_[e] = next[col_[e]]++;
}

bool BlockLu::fits(const BlockMatrix& a) const {
  return offset_ == a.offset && row_begin_ == a.row_begin && pattern_ == a.col;
}

void BlockLu::clear(bool symmetric) {
  symmetric_ = symmetric;
  std::fill(values_.begin(), values_.end(), 0.0);
}

namespace {

/// One column of the LU of a block of n rows, with row exchange, in place. Plain loops: Eigen's own
/// LU has more overhead than work at these sizes.
inline bool factor_column(double* d, Index n, Index c, int* pivots) {
  double* column = d + c * n;
  Index best = c;
  for (Index r = c + 1; r < n; ++r)
    if (std::abs(column[r]) > std::abs(column[best])) best = r;
  pivots[c] = static_cast<int>(best);
  if (!(std::abs(column[best]) > 0)) return false;
  if (best != c)
    for (Index j = 0; j < n; ++j) std::swap(d[j * n + c], d[j * n + best]);
  const double inverse = 1 / column[c];
  for (Index r = c + 1; r < n; ++r) column[r] *= inverse;
  for (Index j = c + 1; j < n; ++j) {
    double* __restrict target = d + j * n;
    const double pivot = target[c];
    if (pivot == 0) continue;
    const double* __restrict source = column;
    for (Index r = c + 1; r < n; ++r) target[r] -= source[r] * pivot;
  }
  return true;
}

bool factor_block(double* d, Index n, int* pivots) {
  for (Index c = 0; c < n; ++c)
    if (!factor_column(d, n, c, pivots)) return false;
  return true;
}

/// The same with numbers for n and c that the compiler sees.
bool factor_six(double* d, int* pivots) {
  return factor_column(d, 6, 0, pivots) && factor_column(d, 6, 1, pivots) &&
         factor_column(d, 6, 2, pivots) && factor_column(d, 6, 3, pivots) &&
         factor_column(d, 6, 4, pivots) && factor_column(d, 6, 5, pivots);
}

}  // namespace

bool BlockLu::factor_diagonal(Index k) {
  const Node& node = nodes_[k];
  double* d = values_.data() + at_[node.diagonal];
  int* pivots = pivots_.data() + node.begin;
  return node.size == 6 ? factor_six(d, pivots) : factor_block(d, node.size, pivots);
}

namespace {

/// y -= A x, column by column: Eigen's lazy product goes by rows.
void subtract_product(const double* a, Index rows, Index cols, const double* x, double* y) {
  Index c = 0;
  for (; c + 2 < cols; c += 3) {
    const double* __restrict a0 = a + c * rows;
    const double* __restrict a1 = a0 + rows;
    const double* __restrict a2 = a1 + rows;
    const double x0 = x[c], x1 = x[c + 1], x2 = x[c + 2];
    double* __restrict out = y;
    for (Index r = 0; r < rows; ++r) out[r] -= a0[r] * x0 + a1[r] * x1 + a2[r] * x2;
  }
  for (; c < cols; ++c) {
    const double* __restrict a0 = a + c * rows;
    double* __restrict out = y;
    for (Index r = 0; r < rows; ++r) out[r] -= a0[r] * x[c];
  }
}

/// y -= A x for blocks of six, in the order of the above.
void subtract_six(const double* __restrict a, const double* __restrict x, double* __restrict y) {
  double out[6];
  for (int r = 0; r < 6; ++r) out[r] = y[r] - (a[r] * x[0] + a[6 + r] * x[1] + a[12 + r] * x[2]);
  for (int r = 0; r < 6; ++r)
    y[r] = out[r] - (a[18 + r] * x[3] + a[24 + r] * x[4] + a[30 + r] * x[5]);
}

/// C -= A B for blocks of six, a column of C in registers at a time.
void subtract_product_of_six(const double* __restrict a, const double* __restrict b,
                             double* __restrict c) {
  for (int j = 0; j < 6; ++j) {
    double column[6];
    for (int r = 0; r < 6; ++r) column[r] = c[6 * j + r];
    for (int k = 0; k < 6; ++k) {
      const double x = b[6 * j + k];
      for (int r = 0; r < 6; ++r) column[r] -= a[6 * k + r] * x;
    }
    for (int r = 0; r < 6; ++r) c[6 * j + r] = column[r];
  }
}

/// A <- A U⁻¹ L⁻¹ for blocks of six, L and U in one as factor_diagonal leaves them.
void divide_by_six(const double* __restrict d, double* __restrict a) {
  for (int c = 0; c < 6; ++c) {
    double column[6];
    for (int r = 0; r < 6; ++r) column[r] = a[6 * c + r];
    for (int k = 0; k < c; ++k) {
      const double x = d[6 * c + k];
      for (int r = 0; r < 6; ++r) column[r] -= a[6 * k + r] * x;
    }
    const double inverse = 1 / d[6 * c + c];
    for (int r = 0; r < 6; ++r) a[6 * c + r] = column[r] * inverse;
  }
  for (int c = 4; c >= 0; --c) {
    double column[6];
    for (int r = 0; r < 6; ++r) column[r] = a[6 * c + r];
    for (int k = c + 1; k < 6; ++k) {
      const double x = d[6 * c + k];
      for (int r = 0; r < 6; ++r) column[r] -= a[6 * k + r] * x;
    }
    for (int r = 0; r < 6; ++r) a[6 * c + r] = column[r];
  }
}

/// C -= A B for small dense blocks, without temporaries.
void subtract_product(View& c, const View& a, const View& b) {
  if (a.rows() == 6 && a.cols() == 6 && b.cols() == 6) {
    subtract_product_of_six(a.data(), b.data(), c.data());
  } else if (a.rows() == 3 && a.cols() == 3 && b.cols() == 3) {
    using M3 = Eigen::Map<const Mat3>;
    Eigen::Map<Mat3>(c.data()).noalias() -= M3(a.data()) * M3(b.data());
  } else if (a.rows() + a.cols() + b.cols() < 60) {
    for (Index j = 0; j < b.cols(); ++j)
      subtract_product(a.data(), a.rows(), a.cols(), &b.coeffRef(0, j), &c.coeffRef(0, j));
  } else {
    c.noalias() -= a * b;
  }
}

/// out = Aᵀ.
void transpose(const double* __restrict a, Index rows, Index cols, double* __restrict out) {
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < cols; ++c) out[r * cols + c] = a[c * rows + r];
}

/// x <- (L U)⁻¹ x, column by column.
void solve_diagonal(const double* d, Index n, double* __restrict x) {
  for (Index c = 0; c < n; ++c) {
    const double* __restrict column = d + c * n;
    const double xc = x[c];
    for (Index r = c + 1; r < n; ++r) x[r] -= column[r] * xc;
  }
  for (Index c = n - 1; c >= 0; --c) {
    const double* __restrict column = d + c * n;
    const double xc = x[c] = x[c] / column[c];
    for (Index r = 0; r < c; ++r) x[r] -= column[r] * xc;
  }
}

/// The same for six rows, which stay in registers: every number waits for the one before, and a way
/// through memory would double the wait.
void solve_six(const double* d, double* x) {
  // Divisions that wait for nothing.
  const double i0 = 1 / d[0], i1 = 1 / d[7], i2 = 1 / d[14];
  const double i3 = 1 / d[21], i4 = 1 / d[28], i5 = 1 / d[35];
  double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5];
  x1 -= d[1] * x0, x2 -= d[2] * x0, x3 -= d[3] * x0, x4 -= d[4] * x0, x5 -= d[5] * x0;
  x2 -= d[8] * x1, x3 -= d[9] * x1, x4 -= d[10] * x1, x5 -= d[11] * x1;
  x3 -= d[15] * x2, x4 -= d[16] * x2, x5 -= d[17] * x2;
  x4 -= d[22] * x3, x5 -= d[23] * x3;
  x5 -= d[29] * x4;
  x5 *= i5;
  x0 -= d[30] * x5, x1 -= d[31] * x5, x2 -= d[32] * x5, x3 -= d[33] * x5, x4 -= d[34] * x5;
  x4 *= i4;
  x0 -= d[24] * x4, x1 -= d[25] * x4, x2 -= d[26] * x4, x3 -= d[27] * x4;
  x3 *= i3;
  x0 -= d[18] * x3, x1 -= d[19] * x3, x2 -= d[20] * x3;
  x2 *= i2;
  x0 -= d[12] * x2, x1 -= d[13] * x2;
  x1 *= i1;
  x0 -= d[6] * x1;
  x0 *= i0;
  x[0] = x0, x[1] = x1, x[2] = x2, x[3] = x3, x[4] = x4, x[5] = x5;
}

/// L_ik = A_ik (P⁻¹ L U)⁻¹ of the pivot block d, whose rows were exchanged as `swaps` says.
void divide(const View& d, const int* swaps, View& l) {
  if (l.rows() == 6 && d.rows() == 6) {
    divide_by_six(d.data(), l.data());
  } else {
    d.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(l);
    d.triangularView<Eigen::UnitLower>().solveInPlace<Eigen::OnTheRight>(l);
  }
  for (Index c = d.rows() - 1; c >= 0; --c)
    if (swaps[c] != c) l.col(c).swap(l.col(swaps[c]));
}

}  // namespace

bool BlockLu::factor() {
  for (Index i = 0; i < static_cast<Index>(nodes_.size()); ++i) {
    const Node& node = nodes_[i];
    for (Index e = node.row_begin; e < node.row_end; ++e) place_[col_[e]] = e;
    for (Index e = node.row_begin; e < node.diagonal; ++e) {
      const Index k = col_[e];
      const Node& pivot = nodes_[k];
      View l(values_.data() + at_[e], node.size, pivot.size);
      if (symmetric_) transpose(values_.data() + at_[mirror_[e]], pivot.size, node.size, l.data());
      // A contact that is apart has rows of zeros beside its own block.
      const double* from = l.data();
      if (std::all_of(from, from + l.size(), [](double x) { return x == 0; })) continue;
      const View d(values_.data() + at_[pivot.diagonal], pivot.size, pivot.size);
      divide(d, pivots_.data() + pivot.begin, l);
      for (Index u = symmetric_ ? mirror_[e] : pivot.diagonal + 1; u < pivot.row_end; ++u) {
        const Index j = col_[u];
        View target(values_.data() + at_[place_[j]], node.size, nodes_[j].size);
        const View upper(values_.data() + at_[u], pivot.size, nodes_[j].size);
        subtract_product(target, l, upper);
      }
    }
    if (!factor_diagonal(i)) return false;
  }
  return true;
}

void BlockLu::solve(VecX& x) {
  TACT_EXPECTS(x.size() == permuted_.size());
  for (Index r = 0; r < x.size(); ++r) permuted_[permutation_[r]] = x[r];
  double* y = permuted_.data();
  const auto subtract = [&](Index i, Index e) {
    const Node& other = nodes_[col_[e]];
    if (nodes_[i].size == 6 && other.size == 6)
      subtract_six(values_.data() + at_[e], y + other.begin, y + nodes_[i].begin);
    else
      subtract_product(values_.data() + at_[e], nodes_[i].size, other.size, y + other.begin,
                       y + nodes_[i].begin);
  };
  const auto count = static_cast<Index>(nodes_.size());
  // Nothing comes of the zeros before the first number: a column of the inverse has many.
  Index first = 0;
  while (first < count && permuted_.segment(nodes_[first].begin, nodes_[first].size).isZero(0))
    ++first;
  for (Index i = first + 1; i < count; ++i)
    for (Index e = nodes_[i].row_begin; e < nodes_[i].diagonal; ++e)
      if (col_[e] >= first) subtract(i, e);
  for (Index i = count - 1; i >= 0; --i) {
    const Node& node = nodes_[i];
    double* xi = y + node.begin;
    for (Index e = node.diagonal + 1; e < node.row_end; ++e) subtract(i, e);
    for (Index c = 0; c < node.size; ++c)
      if (pivots_[node.begin + c] != c) std::swap(xi[c], xi[pivots_[node.begin + c]]);
    const double* d = values_.data() + at_[node.diagonal];
    if (node.size == 6)
      solve_six(d, xi);
    else
      solve_diagonal(d, node.size, xi);
  }
  for (Index r = 0; r < x.size(); ++r) x[r] = permuted_[permutation_[r]];
}

}  // namespace tact
