// solve/augmented_newton.cpp - the outer iteration and its inner problems.
#include "tact/solve/augmented_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/contact/six_rows.hpp"
#include "tact/solve/newton_operators.hpp"

namespace tact {
namespace {

using detail::BodyOperator;
using detail::ExplicitOperator;
using detail::MassOperator;
using Work = AugmentedNewtonWorkspace;

bool is_normal_only(const LocalLaw& law) {
  return law.kind == LawKind::patch || law.kind == LawKind::frictionless ||
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
  [[nodiscard]] double scale(const VecX& lambda) const {
    const EnergyScales scales = energy_scales(p, lambda);
    return std::max(scales.load, scales.motion);
  }
};

template <class Operator>
struct Method {
  Operator op;
  Constraints c;
  const SolveOptions& options;
  const AugmentedNewtonOptions& settings;
  Work& w;
  VecX& centre;  ///< λ0
  double alpha = 0;
  double scale = 0;  ///< of energy
  double moves = 0;  ///< |u|_{D⁻¹} at the centre
  double least = 0;  ///< weight
  int systems = 0, most = 0;
  bool factored = false;  ///< w.lu is that of factored_piece and factored
  double factored_weight = 0;

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
  [[nodiscard]] bool same_matrix() const {
    constexpr double share = 1e-2;
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
  [[nodiscard]] bool make_factor(bool may_keep, bool even = false) {
    if (may_keep && same_matrix()) return true;
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
    if (op.error(w.image) <= before) return true;
    op.go(-1);
    w.image = w.trial;
    return false;
  }

  struct Inner {
    bool converged = false;
    int systems = 0;
  };

  [[nodiscard]] bool is_rounding(double error) const {
    return error <= tolerance::rounding / alpha * scale;
  }

  /// dx and du downhill: with the symmetric part of C for one system, where C itself leads up.
  /// False where there is no way down.
  [[nodiscard]] bool aim(bool first, bool kept, double error, Inner& out) {
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

  /// How far to go along dx: all the way where the slope there is shallow or |F| falls, else to the
  /// root of the slope. λ at the end of a whole step is in w.trial, with its slopes.
  [[nodiscard]] double step_length(bool first, double error) {
    const double begun = op.begun(), growing = op.growing();
    if (first) slope = slope_at(0, begun, growing);
    const double end = slope_at(1, begun, growing, true);
    if (end <= shallow * std::abs(slope)) return 1;
    if (!first) {
      op.go(1);
      const bool good = op.error(w.trial) < dropped * error;
      op.go(-1);
      if (good) return 1;
    }
    return root(slope, end, begun, growing);
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

  /// min over x with the centre λ0 held.
  static constexpr double robust_weight = 1e-2;
  Inner solve_inner(bool cold, bool hasty, const VecX* expected, double goal) {
    const int most_inner = alpha >= robust_weight ? 40 : 12;
    constexpr int haste = 3;
    constexpr double slow = 0.1;
    Inner out;
    const int begun_at = systems;
    double last = std::numeric_limits<double>::infinity();
    w.image = centre;
    // Whether image, pieces and slopes are those of x.
    bool known = !cold && predict(expected != nullptr ? *expected : w.u);
    if (hasty && !known) return out;
    for (int k = cold ? 0 : 1; k < most_inner && systems < most; ++k) {
      const bool first = cold && k == 0;
      linearise(first, known);
      known = false;
      const double error = op.error(w.image);
      out.systems = systems - begun_at;
      // Impulses are known to what rounding of u leaves of (αD)⁻¹u.
      out.converged = !first && (error <= goal || (error > dropped * last && is_rounding(error)));
      const bool lost = !std::isfinite(error) || (hasty && k >= haste && error > shallow * last);
      if (out.converged || lost) return out;
      const bool kept = make_factor(error <= slow * last || k <= 1);
      last = error;
      if (!aim(first, kept, error, out)) return out;
      const double t = step_length(first, error);
      if (t == 1) {
        std::swap(w.image, w.trial);
        known = true;
      }
      op.go(t);
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

  [[nodiscard]] Residual judge() {
    op.start(centre);
    return residual(c.p, centre, w.u, w.local);
  }

  /// u + αD (λ - λ0): what obeys the laws together with λ, and has the active set of the inner
  /// problem at every weight.
  void note_velocities() {
    w.last_u = w.u;
    for (Index i = 0; i < c.count(); ++i) {
      const LocalMetric metric = c.metric(i);
      const Index at = c.at(i), n = metric.n;
      for (Index k = 0; k < n; ++k) {
        const double change = alpha * (centre[at + k] - w.previous[at + k]);
        for (Index r = 0; r < n; ++r) w.last_u[at + r] += metric.matrix(r, k) * change;
      }
    }
  }

  /// |u|_{D⁻¹}: what moves along the rows, friction that slides included.
  [[nodiscard]] double motion() const {
    double sum = 0;
    for (Index i = 0; i < c.count(); ++i) {
      const LocalMetric metric = c.metric(i);
      const double* u = w.u.data() + c.at(i);
      for (Index r = 0; r < metric.n; ++r) sum += u[r] * u[r] * metric.inverse(r, r);
    }
    return std::sqrt(sum);
  }
  /// The residual that rounding of u leaves: impulses are λ0 - (αD)⁻¹u.
  [[nodiscard]] double rounding_floor(double speed) const {
    constexpr double units = 4;
    return units * tolerance::epsilon * speed / (alpha * std::max(scale, tolerance::smallest));
  }

  /// Impulses that grow while their momenta cancel: a constraint set that no velocity fulfils. The
  /// growth d of one outer iteration is then the certificate: d is admissible, Jᵀd = 0, b.d < 0.
  [[nodiscard]] bool is_infeasible() {
    w.trial = centre - w.previous;
    const double size = energy_scales(c.p, w.trial).load;
    if (!(size > 0) || !(w.trial.dot(c.p.b) < 0)) return false;
    if (!(op.momentum(w.trial) <= tolerance::cancelled * size)) return false;
    double out[6];
    double off = 0;
    for (Index i = 0; i < c.count(); ++i) {
      const LocalLaw& law = c.law(i);
      const Index at = c.at(i);
      if (law.kind == LawKind::bounded) {
        // A bound that holds cannot grow.
        const double d = w.trial[at];
        out[0] = std::isinf(d > 0 ? law.upper : law.lower) ? d : 0;
      } else {
        project(law, c.metric(i), w.trial.data() + at, out, w.local, nullptr);
      }
      for (Index r = 0; r < law.rows; ++r) out[r] -= w.trial[at + r];
      double six[6] = {};
      std::copy_n(out, law.rows, six);
      off += energy_of(c.metric(i), six);
    }
    return std::sqrt(off) <= tolerance::cancelled * size;
  }

  /// What every outer iteration must bring down: at most the tolerance where the residual is
  /// accepted.
  [[nodiscard]] double measure(const Residual& r) const {
    const double share = options.tolerance / std::max(options.tolerance, tolerance::fc3d);
    return std::max(r.figure(), r.fc3d ? share * *r.fc3d : 0.0);
  }
  /// The tolerance: tighter for what is at rest.
  [[nodiscard]] double wanted() const {
    const bool rests = settings.rest_tolerance > 0 && moves <= tolerance::at_rest * scale;
    return rests ? settings.rest_tolerance : options.tolerance;
  }
  /// Whether what is at rest stays as it is: impulses that once stopped a motion do not, and would
  /// start the next.
  [[nodiscard]] bool goes_on(const VecX* expected) const {
    if (expected == nullptr || wanted() == options.tolerance) return true;
    double sum = 0;
    for (Index i = 0; i < c.count(); ++i) {
      const LocalMetric metric = c.metric(i);
      for (Index r = 0; r < metric.n; ++r) {
        const double change = w.u[c.at(i) + r] - (*expected)[c.at(i) + r];
        sum += change * change * metric.inverse(r, r);
      }
    }
    constexpr double tenth = 0.1;
    return std::sqrt(sum) <= tenth * settings.rest_tolerance * scale;
  }
  /// The residual of the centre, and how much moves there.
  Residual look() {
    const Residual out = judge();
    scale = c.scale(centre);
    moves = motion();
    return out;
  }

  void prepare() {
    const auto count = static_cast<std::size_t>(c.count());
    w.image.resize(c.rows());
    w.trial.resize(c.rows());
    w.piece.resize(count);
    if (w.slope.size() < count) w.slope.resize(count);
    if (w.factored.size() < count) w.factored.resize(count);
    w.ray.resize(0);
    constexpr int default_systems = 200;
    most = options.max_iterations > 0 ? options.max_iterations : default_systems;
    alpha = settings.weight;
    least = settings.least_weight;
  }

  /// The weight of the next inner problem.
  void next_weight(const Inner& inner, double before, double now) {
    constexpr double ten = 10, heaviest = 0.1, tenth = 0.1;
    constexpr int quick = 4, fair = 8;
    if (!inner.converged)
      alpha = std::min(alpha * ten, std::max(heaviest, alpha));
    else if (inner.systems <= quick || (inner.systems <= fair && now > tenth * before))
      alpha = std::max(alpha / ten, least);
  }

  // NOLINTNEXTLINE(readability-function-cognitive-complexity,readability-function-size)
  SolveReport run(const VecX* expected) {
    constexpr int most_outer = 60, patience = 3, most_refined = 3;
    constexpr double tight = 0.03, tenth = 0.1, half = 0.5, nearly = 0.8, ten = 10;
    constexpr double largest = 10, heaviest = 0.1, diverging = 1e3, digits = 10;
    prepare();
    SolveReport report;
    report.solver = SolverName::newton;
    report.residual = look();
    w.best = centre;
    if (accepted(report.residual, wanted()) && goes_on(expected)) {
      report.status = SolveStatus::converged;
      return report;
    }
    const bool from_zero = centre.isZero(0);
    double before = std::min(measure(report.residual), 1.0);
    double natural = report.residual.natural;  // of the last outer iteration
    bool hasty = settings.weight < robust_weight && !accepted(report.residual, options.tolerance);
    int stalled = 0, refined = 0;
    for (int outer = 0; outer < most_outer && systems < most; ++outer) {
      const double floor = rounding_floor(moves);
      const double aim = wanted() < options.tolerance ? settings.goal : options.tolerance;
      const double goal =
          std::max({tight * before, floor, tenth * aim}) * std::max(scale, tolerance::smallest);
      const Inner inner =
          solve_inner(from_zero && outer == 0, hasty, outer > 0 ? &w.last_u : expected, goal);
      if (hasty && !inner.converged) {
        // Too much has changed for the weight of a step that goes on as it was.
        hasty = false;
        alpha = robust_weight;
        op.start(centre);
        outer = -1;
        continue;
      }
      hasty = false;
      w.previous = centre;
      centre = w.image;
      note_velocities();
      const Residual found = look();
      const double now = measure(found);
      if (now < measure(report.residual) || accepted(found, options.tolerance)) {
        report.residual = found;
        w.best = centre;
      }
      const bool pays = now < half * before || found.natural < half * natural;
      const bool stands = now > nearly * before && found.natural > nearly * natural;
      natural = found.natural;
      if (accepted(found, wanted())) {
        report.status = SolveStatus::converged;
        if (!(wanted() < options.tolerance && now > std::max(settings.goal, floor))) break;
      } else if (report.status == SolveStatus::converged) {
        break;
      }
      if ((!pays || now <= floor) && report.residual.figure() <= settings.acceptable) break;
      // Rounding of u over α may be all that is left: a larger weight has more digits.
      if (inner.converged && !pays && refined < most_refined &&
          now <= digits * rounding_floor(energy_scales(c.p, centre).motion)) {
        ++refined;
        least = alpha = std::min(alpha * ten, heaviest);
        before = std::min(before, now);
        continue;
      }
      if (report.status == SolveStatus::converged && !pays) break;
      // Outer iterations that leave the residual where it is: what is left no impulse repairs.
      stalled = inner.converged && stands ? stalled + 1 : 0;
      if ((stalled >= patience || found.growth > diverging) && is_infeasible()) {
        report.status = SolveStatus::infeasible;
        w.ray = w.trial;
        break;
      }
      if (stalled >= patience) {
        // What gives way next to nothing asks for a smaller weight; less than that gives way at
        // all.
        constexpr double step = 1e-3;
        if (alpha <= tolerance::immovable) break;
        least = alpha = std::max(step * alpha, tolerance::immovable);
        refined = most_refined;
        stalled = 0;
        continue;
      }
      if (!inner.converged && !(now <= before)) {
        centre = w.previous;
        (void)look();
        alpha *= ten;
        if (alpha > largest) break;
        continue;
      }
      next_weight(inner, before, now);
      before = std::min(now, 1.0);
    }
    centre = w.best;
    report.iterations = systems;
    return report;
  }
};

}  // namespace

SolveReport augmented_newton(const DelassusProblem& p, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, Work& work, VecX& lambda,
                             const VecX* expected) {
  TACT_EXPECTS(lambda.size() == p.rows());
  Method<ExplicitOperator> method{{p, work}, {judged(p)}, options, settings, work, lambda};
  return method.run(expected);
}

SolveReport augmented_newton(const BodyProblem& p, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, Work& work, VecX& lambda,
                             const VecX* expected) {
  TACT_EXPECTS(lambda.size() == p.contacts.rows());
  Method<BodyOperator> method{{p, work}, {judged(p.contacts)}, options, settings, work, lambda};
  return method.run(expected);
}

SolveReport augmented_newton(const MassProblem& p, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, Work& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  Method<MassOperator> method{{p, work}, {judged(p)}, options, settings, work, lambda};
  SolveReport report = method.run(nullptr);
  report.solver = SolverName::mass_newton;
  return report;
}

}  // namespace tact
