// solve/force_program.cpp - elimination of the equations, the program, the proof.
#include "tact/solve/force_program.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/cone/conic_qp.hpp"

namespace tact {
namespace {

/// What the least-distance program leaves of a target that can be reached: the root of its gap,
/// with two digits to spare. Farther than this from all that can be done is out of reach.
constexpr double out_of_reach = 100 * tolerance::quadratic;

/// Equations that hold to this hold.
constexpr double holds = tolerance::conic;

/// z = start + basis q solves A z = r as well as it can be.
struct Eliminated {
  VecX start;
  MatX basis;
  double miss = 0;
};

Eliminated eliminate(const MatX& A, const VecX& r) {
  const Index n = A.cols();
  Eliminated out;
  out.start = VecX::Zero(n);
  if (n == 0) {
    out.basis = MatX::Zero(0, 0);
    out.miss = r.norm();
    return out;
  }
  Eigen::ColPivHouseholderQR<MatX> qr(A.transpose());
  qr.setThreshold(tolerance::rank);
  const Index k = qr.rank();
  const MatX Q = qr.householderQ() * MatX::Identity(n, n);
  out.basis = Q.rightCols(n - k);
  if (k > 0) {
    const MatX reach = A * Q.leftCols(k);  // one to one
    const Eigen::ColPivHouseholderQR<MatX> back(reach);
    VecX x = back.solve(r);
    x += back.solve(r - reach * x);
    out.start = Q.leftCols(k) * x;
  }
  out.miss = (A * out.start - r).norm();
  return out;
}

/// How far s is outside of the cones.
double outside(const std::vector<Index>& cones, const VecX& s) {
  double worst = 0;
  Index at = 0;
  for (const Index size : cones) {
    worst = std::max(worst, s.segment(at + 1, size - 1).norm() - s[at]);
    at += size;
  }
  return worst;
}

/// The nearest that z can come: min |A z - r| within the cones.
ForceProgramAnswer nearest(const ForceProgram& p) {
  const Index rows = p.A.rows();
  std::vector<Index> free, bound;  // columns that no cone speaks of, and the others
  for (Index j = 0; j < p.A.cols(); ++j) (p.G.col(j).isZero(0) ? free : bound).push_back(j);
  const MatX A_free = p.A(Eigen::all, free), A_bound = p.A(Eigen::all, bound);
  // Free forces reach all of their span; what counts is the rest of the space.
  MatX rest = MatX::Identity(rows, rows);
  // Forces that move nothing, or the same as others, stay small: a plain QR would divide by their
  // pivots.
  Eigen::CompleteOrthogonalDecomposition<MatX> qr;
  if (!free.empty()) {
    qr.setThreshold(tolerance::rank);
    qr.compute(A_free);
    const MatX Q = qr.householderQ() * MatX::Identity(rows, rows);
    rest = Q.rightCols(rows - qr.rank());
  }
  const MatX A = rest.transpose() * A_bound;
  const VecX r = rest.transpose() * p.r;
  ForceProgramAnswer out;
  out.z = VecX::Zero(p.A.cols());
  VecX d = r;
  double most = 0;
  if (!bound.empty()) {
    const MatX G = p.G(Eigen::all, bound);
    const ConicQpSolution s =
        solve(ConicQp{A.transpose() * A, -(A.transpose() * r), G, p.h, p.cones});
    out.z(bound) = s.x;
    d -= A * s.x;
    most = s.z.dot(p.h);
    out.gap = s.gap;
  }
  if (!free.empty()) out.z(free) = VecX(qr.solve(p.r - A_bound * VecX(out.z(bound))));
  out.miss = (p.A * out.z - p.r).norm();
  const double length = d.norm();
  if (!(length > out_of_reach)) return out;
  out.ray = rest * d / length;
  out.most = most / length;
  out.needed = out.ray.dot(p.r);
  out.end = out.needed - out.most > out_of_reach ? ForceProgramAnswer::End::infeasible
                                                 : ForceProgramAnswer::End::not_converged;
  return out;
}

}  // namespace

ForceProgramAnswer solve(const ForceProgram& p) {
  TACT_EXPECTS(p.A.cols() == p.G.cols() && p.weight.size() == p.A.cols());
  TACT_EXPECTS(p.A.rows() == p.r.size() && p.G.rows() == p.h.size());
  ForceProgramAnswer out;
  const Eliminated e = eliminate(p.A, p.r);
  if (e.miss > out_of_reach) return nearest(p);
  const MatX G = p.G * e.basis;
  const VecX h = p.h - p.G * e.start;
  out.z = e.start;
  if (e.basis.cols() > 0) {
    const MatX weighted = p.weight.asDiagonal() * e.basis;
    const ConicQpSolution s = solve(
        ConicQp{e.basis.transpose() * weighted, weighted.transpose() * e.start, G, h, p.cones});
    out.z += e.basis * s.x;
    out.gap = s.gap;
  }
  out.miss = (p.A * out.z - p.r).norm();
  const bool good = out.miss <= holds && outside(p.cones, p.h - p.G * out.z) <= holds;
  if (good) {
    out.end = ForceProgramAnswer::End::found;
    return out;
  }
  ForceProgramAnswer far = nearest(p);
  if (far.end != ForceProgramAnswer::End::infeasible) {
    far.z = out.z;
    far.miss = out.miss;
  }
  return far;
}

}  // namespace tact
