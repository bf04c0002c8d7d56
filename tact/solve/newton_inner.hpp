// solve/newton_inner.hpp - one inner problem of the augmented Lagrangian: F(x) = 0 with the centre
// held, by Newton's method with a line search. Part of augmented_newton.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/contact/six_rows.hpp"
#include "tact/solve/newton_operators.hpp"

namespace tact::detail {

inline bool is_normal_only(const LocalLaw& law) {
  return law.associated || law.kind == LawKind::patch || law.kind == LawKind::frictionless ||
         law.kind == LawKind::bounded;
}

/// Everything about constraint i that the loop needs.
struct Constraints {
  JudgedContacts p;
  [[nodiscard]] Index count() const { return static_cast<Index>(p.laws.size()); }
  [[nodiscard]] Index rows() const { return p.b.size(); }
  [[nodiscard]] const LocalLaw& law(Index i) const { return p.laws[i]; }
  [[nodiscard]] LocalMetric metric(Index i) const { return p.metric(static_cast<std::size_t>(i)); }
  [[nodiscard]] Index at(Index i) const { return p.offset[i]; }
};

template <class Operator>
struct InnerProblem {
  Operator op;
  Constraints c;
  Work& w;
  VecX& centre;      ///< λ0
  double alpha = 0;  ///< proximal weight
  double scale = 0;  ///< of energy
  int systems = 0, most = 0;
  bool factored = false;  ///< w.lu is that of factored_piece and factored
  double factored_weight = 0;
  static constexpr double robust_weight = 1e-2;
  double reached = -1;  ///< |F| at x and w.image, where it is known

  /// y = λ0 - (αD)⁻¹ u.
  void argument(Index i, const double* from, const double* u, double (&y)[6]) const {
    const LocalMetric metric = c.metric(i);
    const Index n = metric.n;
    constexpr double zero[6] = {};
    argument_of(metric, zero, u, y);
    for (Index r = 0; r < n; ++r) y[r] = from[r] + y[r] / alpha;
  }

  [[nodiscard]] static Piece piece_of(const LocalLaw& law, const double* y, const double* image,
                                      const LocalMatrix& slope) {
    bool zero = true, same = true;
    for (Index r = 0; r < law.rows; ++r) {
      zero = zero && image[r] == 0;
      same = same && image[r] == y[r];
    }
    if (law.kind == LawKind::bounded) return same ? Piece::resting : Piece::open;
    if (same && !zero) return Piece::resting;
    if (zero && slope.isZero(0)) return Piece::open;
    return Piece::other;
  }

  /// λ at u + t du into `image`; pieces and slopes too where they are asked for.
  void evaluate(double t, bool with_slopes, VecX& image) {
    double y[6], v[6], out[6], guess[6];
    for (Index i = 0; i < c.count(); ++i) {
      const LocalLaw& law = c.law(i);
      const Index at = c.at(i);
      for (Index r = 0; r < law.rows; ++r) {
        v[r] = t == 0 ? w.u[at + r] : w.u[at + r] + t * w.du[at + r];
        guess[r] = w.image[at + r];
      }
      argument(i, centre.data() + at, v, y);
      if (with_slopes) {
        project(law, c.metric(i), y, out, w.slope[i], w.local, guess);
        w.piece[i] = piece_of(law, y, out, w.slope[i]);
      } else {
        project(law, c.metric(i), y, out, w.local, guess);
      }
      for (Index r = 0; r < law.rows; ++r) image[at + r] = out[r];
    }
  }

  /// dx.F(x + t dx): one pass over the constraints. λ there into w.trial.
  [[nodiscard]] double slope_at(double t, double begun, double growing, bool with_slopes = false) {
    evaluate(t, with_slopes, w.trial);
    return begun + t * growing - w.trial.dot(w.du);
  }

  /// |W| over the normal rows of a patch, as an energy's root.
  [[nodiscard]] double opening(Index i) const {
    const LocalLaw& law = c.law(i);
    const LocalMetric metric = c.metric(i);
    double widest = 0;
    for (const Index r : {Index{0}, Index{1}, law.normal_row()})
      widest = std::max(
          widest, std::abs(w.u[c.at(i) + r]) * std::sqrt(std::max(metric.inverse(r, r), 0.0)));
    return widest;
  }

  /// A patch from zero: on the face of its normal impulse, without slip.
  void stick_patch(Index i, double tie, const double* y, double* out) {
    const LocalLaw& law = c.law(i);
    if (w.piece[i] == Piece::open) {
      if (opening(i) > tie) return;
      w.piece[i] = Piece::resting;
      std::copy_n(y, law.rows, out);
      return;
    }
    if (law.rows != 6) return;
    const bool flat = out[0] == y[0] && out[1] == y[1] && out[5] == y[5];
    std::copy_n(y + 2, 3, out + 2);
    if (flat) {
      w.piece[i] = Piece::resting;
      return;
    }
    for (const Index r : {2, 3, 4}) {
      w.slope[i].row(r).setZero();
      w.slope[i](r, r) = 1;
    }
  }

  /// From zero impulses: what is not clearly open sticks.
  void stick_everything() {
    const double tie = tolerance::clearly_open * scale;
    double y[6], out[6];
    for (Index i = 0; i < c.count(); ++i) {
      const LocalLaw& law = c.law(i);
      const LocalMetric metric = c.metric(i);
      const Index at = c.at(i), n = law.normal_row();
      argument(i, centre.data() + at, w.u.data() + at, y);
      project(law, metric, y, out, w.slope[i], w.local, nullptr);
      w.piece[i] = piece_of(law, y, out, w.slope[i]);
      if (law.is_patch()) {
        stick_patch(i, tie, y, out);
      } else {
        const bool closing =
            law.kind == LawKind::bounded || y[n] >= -tie * std::sqrt(metric.inverse(n, n)) / alpha;
        w.piece[i] = closing ? Piece::resting : Piece::open;
        for (Index r = 0; r < law.rows; ++r) out[r] = closing ? y[r] : 0;
      }
      std::copy_n(out, law.rows, w.image.data() + at);
    }
  }

  /// The active set of (λ0, expected), taken as it is: λ = Π(y*) + P (y - y*).
  void take_active_set(const VecX& expected) {
    double y[6], star[6], out[6];
    for (Index i = 0; i < c.count(); ++i) {
      const LocalLaw& law = c.law(i);
      const Index at = c.at(i);
      const double* from = centre.data() + at;
      argument(i, from, expected.data() + at, star);
      project(law, c.metric(i), star, out, w.slope[i], w.local, from);
      w.piece[i] = piece_of(law, star, out, w.slope[i]);
      argument(i, from, w.u.data() + at, y);
      for (Index r = 0; r < law.rows; ++r) {
        double value = 0;
        if (w.piece[i] == Piece::resting) value = y[r];
        if (w.piece[i] == Piece::open) value = out[r];
        if (w.piece[i] == Piece::other) {
          value = out[r];
          for (Index k = 0; k < law.rows; ++k) value += w.slope[i](r, k) * (y[k] - star[k]);
        }
        w.image[at + r] = value;
      }
    }
  }

  /// Whether a sliding constraint makes the matrix unsymmetric.
  [[nodiscard]] bool is_unsymmetric() const {
    for (Index i = 0; i < c.count(); ++i)
      if (w.piece[i] == Piece::other && !is_normal_only(c.law(i))) return true;
    return false;
  }
  /// C of the sliding ones ← its symmetric part.
  void symmetrise() {
    for (Index i = 0; i < c.count(); ++i) {
      if (w.piece[i] != Piece::other || is_normal_only(c.law(i))) continue;
      const LocalMetric metric = c.metric(i);
      const LocalMatrix C = w.slope[i].lazyProduct(metric.inverse());
      const LocalMatrix even = 0.5 * (C + C.transpose());
      w.slope[i].noalias() = even.lazyProduct(metric.matrix());
    }
  }

  /// Whether the factor at hand is that of the pieces and slopes now, the latter to a share.
  [[nodiscard]] bool same_matrix(double share) const {
    if (!factored || factored_weight != alpha) return false;
    for (Index i = 0; i < c.count(); ++i) {
      if (w.piece[i] != w.factored_piece[i]) return false;
      if (w.piece[i] != Piece::other) continue;
      const LocalMetric metric = c.metric(i);
      const Index n = metric.n;
      for (Index r = 0; r < n; ++r)
        for (Index k = 0; k < n; ++k) {
          const double change = std::abs(w.slope[i](r, k) - w.factored[i](r, k));
          if (change * change * metric.matrix(r, r) > share * share * metric.matrix(k, k))
            return false;
        }
    }
    return true;
  }

  /// Factors where the last factor does not serve. `even`: all slopes were made symmetric.
  [[nodiscard]] bool make_factor(bool may_keep, bool even = false, double share = 1e-2) {
    if (same_matrix(may_keep ? share : 0)) return true;
    factored = op.factor(alpha, even || !is_unsymmetric());
    factored_weight = alpha;
    if (!factored) return false;
    w.factored_piece.assign(w.piece.begin(), w.piece.begin() + c.count());
    for (Index i = 0; i < c.count(); ++i)
      if (w.piece[i] == Piece::other) w.factored[i] = w.slope[i];
    return true;
  }

  /// The first system on the active set that is expected; kept if |F| falls.
  [[nodiscard]] bool predict(const VecX& expected) {
    w.image = centre;
    evaluate(0, false, w.trial);
    const double before = op.error(w.trial);
    take_active_set(expected);
    (void)op.error(w.image);
    w.image = w.trial;
    ++systems;
    if (!make_factor(true)) return false;
    (void)op.aim(alpha);
    if (!w.direction.allFinite()) return false;
    op.go(1);
    evaluate(0, true, w.image);
    reached = op.error(w.image);
    if (reached <= before) return true;
    reached = -1;
    op.go(-1);
    w.image = w.trial;
    return false;
  }

  struct Outcome {
    bool converged = false;
    int systems = 0;
  };

  [[nodiscard]] bool is_rounding(double error) const {
    return error <= tolerance::rounding / alpha * scale;
  }

  /// dx and du downhill: with the symmetric part of C for one system, where C itself leads up.
  /// False where there is no way down.
  [[nodiscard]] bool aim(bool first, bool kept, double error, Outcome& out) {
    ++systems;
    slope = kept ? op.aim(alpha) : 0;
    if (!w.direction.allFinite()) return false;
    if (first || slope < 0) return true;
    out.converged = is_rounding(error);
    if (out.converged || !is_unsymmetric()) return false;
    symmetrise();
    factored = false;
    if (!make_factor(false, true)) return false;
    ++systems;
    slope = op.aim(alpha);
    factored = false;
    return slope < 0 && w.direction.allFinite();
  }

  /// Goes along dx: all the way where the slope there is shallow or |F| falls, else to the root of
  /// the slope. True after a whole step: image, pieces and slopes are those of x then.
  [[nodiscard]] bool go_down(bool first, double error) {
    const double begun = op.begun(), growing = op.growing();
    if (first) slope = slope_at(0, begun, growing);
    const double end = slope_at(1, begun, growing, true);
    bool whole = end <= shallow * std::abs(slope);
    if (whole) {
      op.go(1);
    } else if (!first) {
      op.go(1);
      reached = op.error(w.trial);
      whole = reached < dropped * error;
      if (!whole) op.go(-1);
    }
    if (whole) {
      std::swap(w.image, w.trial);
    } else {
      reached = -1;
      op.go(root(slope, end, begun, growing));
    }
    return whole;
  }

  /// Image, pieces and slopes of x.
  void linearise(bool first, bool known) {
    if (first)
      stick_everything();
    else if (!known)
      evaluate(0, true, w.image);
  }

  static constexpr double shallow = 0.3, dropped = 0.5;  ///< of a slope, of |F|
  double slope = 0;                                      ///< dx.F

  /// min over x with the centre λ0 held. `expected`: velocities at which the active set is tried
  /// first.
  [[nodiscard]] Outcome solve(bool cold, const VecX* expected, double goal) {
    const int most_inner = alpha >= robust_weight ? 40 : 12;
    constexpr double slow = 0.1;
    Outcome out;
    const int begun_at = systems;
    reached = -1;
    double last = std::numeric_limits<double>::infinity();
    w.image = centre;
    // Whether image, pieces and slopes are those of x.
    bool known = expected != nullptr && predict(*expected);
    for (int k = expected != nullptr ? 1 : 0; k < most_inner && systems < most; ++k) {
      const bool first = cold && k == 0;
      linearise(first, known);
      known = false;
      const double error = reached >= 0 ? reached : op.error(w.image);
      reached = -1;
      out.systems = systems - begun_at;
      // Impulses are known to what rounding of u leaves of (αD)⁻¹u.
      out.converged = !first && (error <= goal || (error > dropped * last && is_rounding(error)));
      if (out.converged || !std::isfinite(error)) return out;
      const bool kept = make_factor(error <= slow * last || k <= 1);
      last = error;
      if (!aim(first, kept, error, out)) return out;
      known = go_down(first, error);
    }
    evaluate(0, false, w.image);
    out.systems = systems - begun_at;
    return out;
  }

  /// Where the slope vanishes between 0 and 1, by the Illinois variant of the false position.
  [[nodiscard]] double root(double fa, double fb, double begun, double growing) {
    constexpr int most_passes = 25;
    constexpr double enough = 0.1, narrow = tolerance::line_search, half = 0.5;
    double a = 0, b = 1, t = 1;
    const double goal = enough * std::abs(fa);
    int side = 0;
    for (int k = 0; k < most_passes; ++k) {
      t = (a * fb - b * fa) / (fb - fa);
      if (!(t > a && t < b)) t = half * (a + b);
      const double ft = slope_at(t, begun, growing);
      if (std::abs(ft) < goal || b - a < narrow) break;
      if (ft < 0) {
        a = t;
        fa = ft;
        if (side == -1) fb *= half;
        side = -1;
      } else {
        b = t;
        fb = ft;
        if (side == 1) fa *= half;
        side = 1;
      }
    }
    return t;
  }
};

}  // namespace tact::detail
