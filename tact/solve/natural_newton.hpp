// solve/natural_newton.hpp - Newton's method on the natural map, from impulses that are nearly
// right. Part of augmented_newton.cpp.
//
// With y = λ - D⁻¹u and P = ∂Π(y) a system of λ - Π(y) = 0 is
//     (I - P + αP) dλ + P D⁻¹ G dλ = -N,      N = λ - Π(y).
// The term αP makes it regular where constraints are redundant; it changes the way, not the answer,
// and the step taken is the one that changes impulses least. With Q = I - P + αP this is
// (I + C G) dλ = -Q⁻¹N, C = Q⁻¹P D⁻¹: the matrix of the inner problems with another C. No centre is
// held and nothing is searched along: quick where the active set is known up to a few constraints.
// Reference: Alart and Curnier 1991.
#pragma once

#include <Eigen/LU>

#include "tact/solve/newton_inner.hpp"

namespace tact::detail {

template <class Operator>
struct NaturalNewton {
  InnerProblem<Operator>& in;
  VecX& lambda;

  /// Pieces, slopes αQ⁻¹P and Q⁻¹N at λ; the latter into w.trial.
  void linearise() {
    Work& w = in.w;
    double y[6], out[6];
    for (Index i = 0; i < in.c.count(); ++i) {
      const LocalLaw& law = in.c.law(i);
      const LocalMetric metric = in.c.metric(i);
      const Index at = in.c.at(i);
      const double* l = lambda.data() + at;
      argument_of(metric, l, w.u.data() + at, y);
      project(law, metric, y, out, w.slope[i], w.local, l);
      w.piece[i] = InnerProblem<Operator>::piece_of(law, y, out, w.slope[i]);
      double* f = w.trial.data() + at;
      for (Index r = 0; r < law.rows; ++r) f[r] = l[r] - out[r];
      if (w.piece[i] == Piece::resting)
        for (Index r = 0; r < law.rows; ++r) f[r] /= in.alpha;
      if (w.piece[i] == Piece::other) divide_by_mixed(i, f);
    }
  }

  /// slope ← αQ⁻¹P, f ← Q⁻¹f.
  void divide_by_mixed(Index i, double* f) {
    LocalMatrix& P = in.w.slope[i];
    const Index n = P.rows();
    LocalMatrix Q = (in.alpha - 1) * P;
    Q.diagonal().array() += 1;
    const Eigen::PartialPivLU<LocalMatrix> factor(Q);
    Eigen::Map<VecX> all(f, n);
    all = factor.solve(LocalVector(all)).eval();
    P = in.alpha * factor.solve(P).eval();
  }

  /// dλ = -Q⁻¹N - C du.
  void add_change() {
    Work& w = in.w;
    if constexpr (Operator::on_impulses) {
      lambda += w.direction;
      return;
    }
    double y[6];
    constexpr double zero[6] = {};
    for (Index i = 0; i < in.c.count(); ++i) {
      const LocalMetric metric = in.c.metric(i);
      const Index at = in.c.at(i), n = metric.n;
      double* l = lambda.data() + at;
      for (Index r = 0; r < n; ++r) l[r] -= w.trial[at + r];
      if (w.piece[i] == Piece::open) continue;
      argument_of(metric, zero, w.du.data() + at, y);  // -D⁻¹ du
      for (Index r = 0; r < n; ++r) {
        double change = y[r];
        if (w.piece[i] == Piece::other) {
          change = 0;
          for (Index k = 0; k < n; ++k) change += w.slope[i](r, k) * y[k];
        }
        l[r] += change / in.alpha;
      }
    }
  }

  /// One step; false where there is none.
  [[nodiscard]] bool advance() {
    linearise();
    ++in.systems;
    if (!in.make_factor(true, false, 0)) return false;
    in.op.set_force(in.w.trial);
    (void)in.op.aim(in.alpha);
    if (!in.w.direction.allFinite()) return false;
    add_change();
    return true;
  }
};

}  // namespace tact::detail
