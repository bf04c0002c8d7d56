// contact/held_rows.cpp - the null space of the equations, and the problem in it.
#include "tact/contact/held_rows.hpp"

#include <vector>

#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

/// The degrees of freedom that some equation has a coefficient for.
std::vector<Index> touched(const SparseMatrix& held) {
  std::vector<bool> seen(static_cast<std::size_t>(held.cols()), false);
  for (Index k = 0; k < held.outerSize(); ++k)
    for (SparseMatrix::InnerIterator it(held, k); it; ++it)
      if (it.value() != 0) seen[it.col()] = true;
  std::vector<Index> out;
  for (Index j = 0; j < held.cols(); ++j)
    if (seen[j]) out.push_back(j);
  return out;
}

/// Columns that span the null space of E restricted to the dofs `of`.
MatX null_space(const SparseMatrix& held, const std::vector<Index>& of) {
  const MatX all = MatX(held);
  MatX E(static_cast<Index>(of.size()), held.rows());  // transposed
  for (Index j = 0; j < E.rows(); ++j) E.row(j) = all.col(of[j]).transpose();
  // Each equation at unit length: its unit is the user's business.
  for (Index i = 0; i < E.cols(); ++i)
    if (const double size = E.col(i).norm(); size > 0) E.col(i) /= size;
  Eigen::ColPivHouseholderQR<MatX> qr(E);
  qr.setThreshold(tolerance::rank);
  const MatX Q = qr.householderQ() * MatX::Identity(E.rows(), E.rows());
  return Q.rightCols(E.rows() - qr.rank());
}

SparseMatrix basis_of(const SparseMatrix& held) {
  const std::vector<Index> mixed = touched(held);
  const MatX Z = null_space(held, mixed);
  std::vector<Eigen::Triplet<double>> entries;
  Index column = 0;
  std::size_t next = 0;
  for (Index j = 0; j < held.cols(); ++j) {
    if (next < mixed.size() && mixed[next] == j)
      ++next;
    else
      entries.emplace_back(j, column++, 1.0);
  }
  for (Index c = 0; c < Z.cols(); ++c, ++column)
    for (std::size_t r = 0; r < mixed.size(); ++r)
      if (Z(static_cast<Index>(r), c) != 0)
        entries.emplace_back(mixed[r], column, Z(static_cast<Index>(r), c));
  SparseMatrix out(held.cols(), column);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

Result<HeldProblem> eliminate_held(const ContactProblem& p, const SparseMatrix& held) {
  TACT_EXPECTS(held.cols() == p.dof());
  if (!p.in_mass_form())
    return Error{Errc::value, "mass is missing; equations can be held in the mass form alone"};
  HeldProblem out;
  out.problem = p;
  out.basis = basis_of(held);
  if (out.basis.cols() == 0)
    return Error{Errc::value, "the equations leave nothing that could move; leave some out"};
  const SparseMatrix Zt = out.basis.transpose();
  ContactProblem& q = out.problem;
  q.mass = Zt * p.mass * out.basis;
  q.rows = p.rows * out.basis;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(
      Eigen::SparseMatrix<double>(q.mass));
  if (factor.info() != Eigen::Success)
    return Error{Errc::value, "mass is not positive definite; check masses and inertias"};
  const auto carried = [&](const VecX& u) -> VecX { return factor.solve(Zt * (p.mass * u)); };
  q.velocity = carried(p.velocity);
  if (p.impulse.size() > 0) q.impulse = Zt * p.impulse;
  if (p.outcome) q.outcome->velocity = carried(p.outcome->velocity);
  return out;
}

}  // namespace tact
