// contact/mass.hpp - a mass matrix that can be divided by.
#pragma once

#include <memory>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {

/// M, factored. Free bodies (diagonal blocks of at most twelve rows) are inverted block by block,
/// so that J M⁻¹ J' stays sparse; anything else gets a sparse factor.
class MassFactor {
 public:
  MassFactor();
  ~MassFactor();
  MassFactor(MassFactor&&) noexcept;
  MassFactor& operator=(MassFactor&&) noexcept;

  /// Refuses a matrix that is not symmetric positive definite; with `general`, one that is
  /// singular. The sentence names the first row at fault.
  [[nodiscard]] static Result<MassFactor> from(const SparseMatrix& mass, bool general);

  /// M⁻¹ x.
  [[nodiscard]] VecX solve(const VecX& x) const;
  /// J M⁻¹ J'.
  [[nodiscard]] SparseMatrix delassus(const SparseMatrix& rows) const;

 private:
  struct Factor;
  bool by_blocks_ = false;
  SparseMatrix inverse_;  ///< where by_blocks_
  std::unique_ptr<Factor> factor_;
};

}  // namespace tact
