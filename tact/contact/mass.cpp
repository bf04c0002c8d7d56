// contact/mass.cpp - block inverses for free bodies, LDLᵀ or LU for everything else.
#include "tact/contact/mass.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include "tact/base/tolerance.hpp"
#include "tact/linalg/block_matrix.hpp"

namespace tact {
namespace {

using ByColumns = Eigen::SparseMatrix<double>;
constexpr Index largest_block = 12;  ///< two free bodies; above it a sparse factor is cheaper

Error not_positive(Index row) {
  return {Errc::value, "mass must be positive definite, and is not in row " + std::to_string(row) +
                           "; check the inertia that stands there"};
}

/// The first row whose entry differs from its mirror image by more than rounding.
std::optional<Index> first_asymmetric_row(const SparseMatrix& m) {
  const SparseMatrix transposed = m.transpose();
  const SparseMatrix difference = m - transposed;
  const double size = m.coeffs().size() > 0 ? m.coeffs().cwiseAbs().maxCoeff() : 0.0;
  for (Index row = 0; row < difference.outerSize(); ++row)
    for (SparseMatrix::InnerIterator it(difference, row); it; ++it)
      if (std::abs(it.value()) > tolerance::symmetry * size) return row;
  return std::nullopt;
}

struct BlockInverse {
  SparseMatrix matrix;
  std::optional<Error> error;
};

MatX dense_block(const SparseMatrix& m, const std::vector<Index>& rows, std::vector<Index>& local) {
  const auto n = static_cast<Index>(rows.size());
  for (Index i = 0; i < n; ++i) local[rows[i]] = i;
  MatX block = MatX::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (SparseMatrix::InnerIterator it(m, rows[i]); it; ++it)
      block(i, local[it.col()]) = it.value();
  return block;
}

/// M⁻¹ of a block-diagonal M. Positive definiteness is judged in units of the diagonal.
BlockInverse invert_blocks(const SparseMatrix& m, const std::vector<std::vector<Index>>& blocks,
                           bool general) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Index> local(static_cast<std::size_t>(m.rows()));
  for (const auto& rows : blocks) {
    const MatX block = dense_block(m, rows, local);
    const auto n = static_cast<Index>(rows.size());
    MatX inverse;
    if (general) {
      const Eigen::FullPivLU<MatX> lu(block);
      if (!lu.isInvertible())
        return {{}, Error{Errc::value, "mass is singular in row " + std::to_string(rows.front())}};
      inverse = lu.inverse();
    } else {
      for (Index i = 0; i < n; ++i)
        if (!(block(i, i) > 0)) return {{}, not_positive(rows[i])};
      const VecX unit = block.diagonal().cwiseSqrt().cwiseInverse();
      const Eigen::LLT<MatX> llt(unit.asDiagonal() * block * unit.asDiagonal());
      const bool regular = llt.info() == Eigen::Success &&
                           llt.matrixLLT().diagonal().minCoeff() > std::sqrt(tolerance::epsilon);
      if (!regular) return {{}, not_positive(rows.front())};
      inverse = unit.asDiagonal() * llt.solve(MatX(unit.asDiagonal()));
    }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        entries.emplace_back(static_cast<int>(rows[i]), static_cast<int>(rows[j]), inverse(i, j));
  }
  BlockInverse out;
  out.matrix.resize(m.rows(), m.cols());
  out.matrix.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

struct MassFactor::Factor {
  Eigen::SimplicialLDLT<ByColumns> symmetric;
  Eigen::SparseLU<ByColumns> general;
  bool is_general = false;

  [[nodiscard]] MatX solve(const MatX& x) const {
    return is_general ? MatX(general.solve(x)) : MatX(symmetric.solve(x));
  }
};

MassFactor::MassFactor() = default;
MassFactor::~MassFactor() = default;
MassFactor::MassFactor(MassFactor&&) noexcept = default;
MassFactor& MassFactor::operator=(MassFactor&&) noexcept = default;

Result<MassFactor> MassFactor::from(const SparseMatrix& mass, bool general) {
  if (!general)
    if (const auto row = first_asymmetric_row(mass))
      return Error{Errc::value,
                   "mass must be symmetric, and is not in row " + std::to_string(*row)};
  std::vector<Index> offset(static_cast<std::size_t>(mass.rows()) + 1);
  for (Index i = 0; i <= mass.rows(); ++i) offset[i] = i;
  const auto blocks = connected_blocks(block_matrix(mass, offset));
  Index largest = 0;
  for (const auto& rows : blocks) largest = std::max(largest, static_cast<Index>(rows.size()));

  MassFactor out;
  if (largest <= largest_block) {
    BlockInverse inverse = invert_blocks(mass, blocks, general);
    if (inverse.error) return *inverse.error;
    out.by_blocks_ = true;
    out.inverse_.swap(inverse.matrix);
    return out;
  }
  out.factor_ = std::make_unique<Factor>();
  out.factor_->is_general = general;
  const ByColumns by_columns = mass;
  if (general) {
    out.factor_->general.compute(by_columns);
    if (out.factor_->general.info() != Eigen::Success)
      return Error{Errc::value, "mass is singular"};
    return out;
  }
  out.factor_->symmetric.compute(by_columns);
  if (out.factor_->symmetric.info() != Eigen::Success)
    return Error{Errc::value, "mass must be positive definite, and is not"};
  // Pivots relative to the diagonal they started from: order of elimination, so mapped back.
  const VecX pivots = out.factor_->symmetric.vectorD();
  const auto& place = out.factor_->symmetric.permutationP().indices();
  for (Index row = 0; row < mass.rows(); ++row)
    if (!(pivots[place.size() > 0 ? place[row] : row] > tolerance::epsilon * mass.coeff(row, row)))
      return not_positive(row);
  return out;
}

VecX MassFactor::solve(const VecX& x) const {
  if (by_blocks_) return inverse_ * x;
  return factor_->solve(x);
}

SparseMatrix MassFactor::delassus(const SparseMatrix& rows) const {
  if (by_blocks_) {
    const SparseMatrix transposed = rows.transpose();
    const SparseMatrix half = inverse_ * transposed;
    return rows * half;
  }
  const MatX half = factor_->solve(MatX(rows.transpose()));
  return sparse(rows * half);
}

}  // namespace tact
