// solve/mass_newton.cpp - assembly over the degrees of freedom, contact by contact.
#include "tact/solve/mass_newton.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "tact/base/expects.hpp"

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
MassNewtonWorkspace::Rows cut_rows(const MassProblem& p, Index i,
                                   const std::vector<Index>& offset) {
  MassNewtonWorkspace::Rows out;
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

/// M with explicit zeros where J'J may have entries, and where each pair of blocks lies in it.
void analyse(const MassProblem& p, MassNewtonWorkspace& w) {
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
  w.matrix = block_matrix(pattern, offset);
  for (MassNewtonWorkspace::Rows& rows : w.rows)
    for (const Index a : rows.block)
      for (const Index b : rows.block) {
        const auto begin = w.matrix.col.begin() + w.matrix.row_begin[a];
        const auto end = w.matrix.col.begin() + w.matrix.row_begin[a + 1];
        rows.entry.push_back(std::lower_bound(begin, end, b) - w.matrix.col.begin());
      }
  w.lu.analyse(w.matrix);
  w.B.resize(p.laws.size());
  w.E.resize(p.laws.size());
}

/// One proximal problem; see proximal_newton.hpp.
struct System {
  const MassProblem& p;
  NewtonMap map;
  MassNewtonWorkspace& w;
  double alpha;

  Residual judge(const VecX& lambda) const { return residual(p, lambda, w.local); }

  void shifted_velocity(Index i, const VecX& lambda, double* out) const {
    const Index at = p.offset[i];
    detail::pulled_velocity(p.metric(i), alpha, lambda.data() + at, w.loop.centre.data() + at,
                            w.u.data() + at, out);
  }

  void move(const VecX& lambda) const { velocities(p, lambda, w.v, w.u); }

  double evaluate(const VecX& lambda) const {
    move(lambda);
    double v[6], F[6];
    double sum = 0;
    for (Index i = 0; i < p.contacts(); ++i) {
      shifted_velocity(i, lambda, v);
      local_equation(map, p.laws[i], p.metric(i), lambda.data() + p.offset[i], v, F, w.local);
      sum += energy(p.metric(i), F);
    }
    return std::sqrt(sum);
  }

  double linearise(const VecX& lambda) const {
    w.lu.clear();
    for (Index i = 0; i < w.matrix.blocks(); ++i)
      for (Index e = w.matrix.row_begin[i]; e < w.matrix.row_begin[i + 1]; ++e)
        w.lu.add(i, e, w.matrix.block(i, e));
    w.F.resize(lambda.size());
    double sum = 0;
    for (Index i = 0; i < p.contacts(); ++i) sum += add_contact(i, lambda);
    return std::sqrt(sum);
  }

  bool direction(VecX& step) const {
    if (!w.lu.factor()) return false;
    w.dv = -(p.J.transpose() * w.F);
    w.lu.solve(w.dv);
    const VecX du = p.J * w.dv;
    step.resize(w.F.size());
    for (Index i = 0; i < p.contacts(); ++i) {
      const Index n = p.laws[i].rows;
      step.segment(p.offset[i], n) =
          -w.F.segment(p.offset[i], n) - w.E[i] * (w.B[i] * du.segment(p.offset[i], n));
    }
    return step.allFinite();
  }

 private:
  /// J' C J of one contact into the matrix; E F in place of F. |F|²_D of the contact.
  double add_contact(Index i, const VecX& lambda) const {
    const LocalMetric metric = p.metric(i);
    const Index n = metric.n;
    LocalMatrix A;
    double v[6], F[6];
    shifted_velocity(i, lambda, v);
    local_equation(map, p.laws[i], metric, lambda.data() + p.offset[i], v, F, A, w.B[i], w.local);
    const LocalMatrix inner = A + alpha * (w.B[i] * metric.matrix());
    w.E[i] = inner.partialPivLu().inverse();
    w.F.segment(p.offset[i], n) = w.E[i] * Eigen::Map<const LocalVector>(F, n);
    const LocalMatrix C = w.E[i] * w.B[i];
    const MassNewtonWorkspace::Rows& rows = w.rows[i];
    const std::size_t count = rows.block.size();
    for (std::size_t a = 0; a < count; ++a) {
      const MatX left = rows.jacobian[a].transpose() * C;
      for (std::size_t b = 0; b < count; ++b)
        w.lu.add(rows.block[a], rows.entry[a * count + b], MatX(left * rows.jacobian[b]));
    }
    return energy(metric, F);
  }
};

}  // namespace

SolveReport mass_newton(const MassProblem& p, const SolveOptions& options,
                        const NewtonOptions& newton_options, MassNewtonWorkspace& w, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  constexpr int default_steps = 300;
  const int most = options.max_iterations > 0 ? options.max_iterations : default_steps;
  analyse(p, w);
  const EnergyScales scales = energy_scales(judged(p), lambda);
  System system{p, newton_options.map, w, newton_options.proximal};
  SolveReport report =
      proximal_newton(system, options, most, std::max(scales.load, scales.motion), w.loop, lambda);
  report.solver = SolverName::mass_newton;
  return report;
}

}  // namespace tact
