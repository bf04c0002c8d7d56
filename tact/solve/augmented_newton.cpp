// solve/augmented_newton.cpp - the outer iteration: moves the centre and chooses the weight.
#include "tact/solve/augmented_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/solve/natural_newton.hpp"

namespace tact {
namespace {

using detail::BodyOperator;
using detail::ExplicitOperator;
using detail::InnerProblem;
using detail::MassOperator;
using Work = AugmentedNewtonWorkspace;

template <class Operator>
struct Method {
  InnerProblem<Operator> in;
  const SolveOptions& options;
  const AugmentedNewtonOptions& settings;
  Work& w;
  VecX& centre;  ///< λ0
  SolveReport report = {};
  double moves = 0;           ///< |u|_{D⁻¹} at the centre
  double rounding_speed = 0;  ///< |b|_{D⁻¹}
  double least = 0;           ///< weight
  double before = 0;          ///< measure after the last outer iteration
  double natural = 0;         ///< residual after it
  double floor = 0;           ///< of the measure, before it
  int stalled = 0;            ///< outer iterations that left the residual where it was
  int refined = 0;            ///< weights raised for the sake of digits
  using Outcome = typename InnerProblem<Operator>::Outcome;

  [[nodiscard]] Residual judge() {
    in.op.start(centre);
    return residual(in.c.p, centre, w.u, w.local);
  }

  /// u + αD (λ - λ0): what obeys the laws together with λ, and has the active set of the inner
  /// problem at every weight.
  void note_velocities() {
    w.last_u = w.u;
    for (Index i = 0; i < in.c.count(); ++i) {
      const LocalMetric metric = in.c.metric(i);
      const Index at = in.c.at(i), n = metric.n;
      for (Index k = 0; k < n; ++k) {
        const double change = in.alpha * (centre[at + k] - w.previous[at + k]);
        for (Index r = 0; r < n; ++r) w.last_u[at + r] += metric.matrix(r, k) * change;
      }
    }
  }

  /// |u|_{D⁻¹} of what carries an impulse: what moves along the rows, friction that slides
  /// included.
  [[nodiscard]] double motion() const {
    double sum = 0;
    for (Index i = 0; i < in.c.count(); ++i) {
      const LocalMetric metric = in.c.metric(i);
      if (centre.segment(in.c.at(i), metric.n).isZero(0)) continue;
      const double* u = w.u.data() + in.c.at(i);
      for (Index r = 0; r < metric.n; ++r) sum += u[r] * u[r] * metric.inverse(r, r);
    }
    return std::sqrt(sum);
  }
  /// The residual that rounding of u leaves: impulses are λ0 - (αD)⁻¹u.
  [[nodiscard]] double rounding_floor(double speed) const {
    constexpr double units = 4;
    return units * tolerance::epsilon * speed /
           (in.alpha * std::max(in.scale, tolerance::smallest));
  }

  /// Impulses that grow while their momenta cancel: a constraint set that no velocity fulfils. The
  /// growth d of one outer iteration is then the certificate: d is admissible, Jᵀd = 0, b.d < 0.
  [[nodiscard]] bool is_infeasible() {
    w.trial = centre - w.previous;
    const double size = energy_scales(in.c.p, w.trial).load;
    if (!(size > 0) || !(w.trial.dot(in.c.p.b) < 0)) return false;
    if (!(in.op.momentum(w.trial) <= tolerance::cancelled * size)) return false;
    double out[6];
    double off = 0;
    for (Index i = 0; i < in.c.count(); ++i) {
      const LocalLaw& law = in.c.law(i);
      const Index at = in.c.at(i);
      if (law.kind == LawKind::bounded) {
        // A bound that holds cannot grow.
        for (Index r = 0; r < law.rows; ++r) {
          const double d = w.trial[at + r];
          out[r] = std::isinf(d > 0 ? law.upper : law.lower) ? d : 0;
        }
      } else {
        project(law, in.c.metric(i), w.trial.data() + at, out, w.local, nullptr);
      }
      for (Index r = 0; r < law.rows; ++r) out[r] -= w.trial[at + r];
      double six[6] = {};
      std::copy_n(out, law.rows, six);
      off += energy_of(in.c.metric(i), six);
    }
    return std::sqrt(off) <= tolerance::cancelled * size;
  }

  /// What every outer iteration must bring down: at most the tolerance where the residual is
  /// accepted.
  [[nodiscard]] double measure(const Residual& r) const {
    const double share = options.tolerance / std::max(options.tolerance, tolerance::fc3d);
    return std::max(r.figure(), r.fc3d ? share * *r.fc3d : 0.0);
  }
  [[nodiscard]] bool rests() const {
    return settings.rest_tolerance > 0 && moves <= tolerance::at_rest * in.scale;
  }
  /// The tolerance: tighter for what is at rest.
  [[nodiscard]] double wanted() const {
    return rests() ? settings.rest_tolerance : options.tolerance;
  }
  /// Whether what is at rest stays as it is: impulses that once stopped a motion do not, and would
  /// start the next.
  [[nodiscard]] bool goes_on(const VecX* expected) const {
    if (expected == nullptr || wanted() == options.tolerance) return true;
    double sum = 0;
    for (Index i = 0; i < in.c.count(); ++i) {
      const LocalMetric metric = in.c.metric(i);
      for (Index r = 0; r < metric.n; ++r) {
        const double change = w.u[in.c.at(i) + r] - (*expected)[in.c.at(i) + r];
        sum += change * change * metric.inverse(r, r);
      }
    }
    constexpr double tenth = 0.1;
    return std::sqrt(sum) <= tenth * settings.rest_tolerance * in.scale;
  }
  /// The residual of the centre, and how much moves there.
  Residual look() {
    const Residual out = judge();
    in.scale = out.scales.larger();
    moves = motion();
    return out;
  }

  void prepare() {
    const auto count = static_cast<std::size_t>(in.c.count());
    w.image.resize(in.c.rows());
    w.trial.resize(in.c.rows());
    w.piece.resize(count);
    if (w.slope.size() < count) w.slope.resize(count);
    if (w.factored.size() < count) w.factored.resize(count);
    w.ray.resize(0);
    rounding_speed = rounding_scale(in.c.p);
    constexpr int default_systems = 200;
    in.most = options.max_iterations > 0 ? options.max_iterations : default_systems;
    least = settings.least_weight;
    report.solver = SolverName::newton;
  }

  /// One inner problem from the centre, to a share of what is left.
  Outcome approach(bool first, bool cold) {
    constexpr double tight = 0.03, tenth = 0.1;
    floor = rounding_floor(moves);
    const double aim = wanted() < options.tolerance ? settings.goal : options.tolerance;
    const double goal = std::max({tight * before, floor, tenth * aim});
    const double scale = std::max(in.scale, tolerance::smallest);
    return in.solve(cold, first ? nullptr : &w.last_u, goal * scale);
  }

  /// Moves the centre to where the inner problem ended.
  Residual move_centre() {
    w.previous = centre;
    centre = w.image;
    note_velocities();
    const Residual found = look();
    note_best(found);
    return found;
  }

  /// Whether nothing more is asked for, or to be had: at rest, rounding is.
  [[nodiscard]] bool is_done(const Residual& found, bool pays) {
    const double now = measure(found);
    if (accepted(found, wanted())) {
      report.status = SolveStatus::converged;
      if (!(wanted() < options.tolerance && now > std::max(settings.goal, floor))) return true;
    } else if (report.status == SolveStatus::converged) {
      return true;
    }
    return (!pays || now <= floor) && report.residual.figure() <= settings.acceptable;
  }

  /// Rounding of u over α may be all that is left: a larger weight has more digits.
  [[nodiscard]] bool refine(double now) {
    constexpr int most_refined = 3;
    constexpr double digits = 10, ten = 10, heaviest = 0.1;
    const double rounding = rounding_floor(rounding_speed);
    if (refined >= most_refined || now > digits * rounding) return false;
    ++refined;
    least = in.alpha = std::min(in.alpha * ten, heaviest);
    before = std::min(before, now);
    return true;
  }

  /// What gives way next to nothing asks for a smaller weight; less than that gives way at all.
  [[nodiscard]] bool lighten() {
    constexpr double step = 1e-3;
    if (in.alpha <= tolerance::immovable) return false;
    least = in.alpha = std::max(step * in.alpha, tolerance::immovable);
    refined = std::numeric_limits<int>::max();
    stalled = 0;
    return true;
  }

  /// Back to the last centre, with a weight that an inner problem is easier for.
  [[nodiscard]] bool go_back() {
    constexpr double ten = 10, largest = 10;
    centre = w.previous;
    (void)look();
    in.alpha *= ten;
    return in.alpha <= largest;
  }

  /// The smallest weight at which rounding of u, which λ has over α, lets the aim be reached. Where
  /// all digits are asked for refine() looks for them.
  [[nodiscard]] double finest_weight() const {
    constexpr double heaviest = 1e-2;
    if (!rests() && options.tolerance < tolerance::solved) return least;
    const double rounding = tolerance::epsilon * rounding_speed;
    return std::clamp(rounding / (wanted() * std::max(in.scale, tolerance::smallest)), least,
                      heaviest);
  }

  /// The weight of the next inner problem.
  void next_weight(const Outcome& inner, double now) {
    constexpr double ten = 10, heaviest = 0.1, tenth = 0.1;
    constexpr int quick = 4, fair = 8;
    if (!inner.converged)
      in.alpha = std::min(in.alpha * ten, std::max(heaviest, in.alpha));
    else if (inner.systems <= quick || (inner.systems <= fair && now > tenth * before))
      in.alpha = std::max(std::min(in.alpha, in.alpha / ten), finest_weight());
  }

  /// After an inner problem. False where there is nothing more to do.
  [[nodiscard]] bool go_on(const Outcome& inner) {
    constexpr int patience = 3;
    constexpr double half = 0.5, nearly = 0.8, diverging = 1e3;
    const Residual found = move_centre();
    const double now = measure(found);
    const bool pays = now < half * before || found.natural < half * natural;
    const bool stands = now > nearly * before && found.natural > nearly * natural;
    natural = found.natural;
    if (is_done(found, pays)) return false;
    if (inner.converged && !pays && refine(now)) return true;
    if (report.status == SolveStatus::converged && !pays) return false;
    // Outer iterations that leave the residual where it is: what is left no impulse repairs.
    stalled = inner.converged && stands ? stalled + 1 : 0;
    if ((stalled >= patience || found.growth > diverging) && is_infeasible()) {
      report.status = SolveStatus::infeasible;
      w.ray = w.trial;
      return false;
    }
    if (stalled >= patience) return lighten();
    if (!inner.converged && !(now <= before)) return go_back();
    next_weight(inner, now);
    before = std::min(now, 1.0);
    return true;
  }

  /// Keeps the centre where it is the best so far.
  void note_best(const Residual& found) {
    if (!(measure(found) < measure(report.residual)) && !accepted(found, options.tolerance)) return;
    report.residual = found;
    w.best = centre;
  }

  /// Without friction the map is piecewise linear, and the least weight finds its piece as well.
  [[nodiscard]] double first_weight() const {
    for (Index i = 0; i < in.c.count(); ++i)
      if (!detail::is_normal_only(in.c.law(i))) return tolerance::warm_weight;
    return least;
  }

  /// Steps on the natural map from the start, as long as they pay. True where they are enough.
  [[nodiscard]] bool natural_steps() {
    constexpr int most_steps = 10, patience = 3;
    constexpr double pay = 0.8, lost = 10;
    detail::NaturalNewton<Operator> newton{in, centre};
    in.alpha = first_weight();
    double last = measure(report.residual);
    int idle = 0;
    for (int k = 0; k < most_steps && idle < patience; ++k) {
      if (in.systems >= in.most || !newton.advance()) break;
      const Residual found = look();
      const double now = measure(found);
      if (!std::isfinite(now)) break;
      note_best(found);
      const bool pays = now < pay * last;
      floor = rounding_floor(moves);
      if (is_done(found, true)) return true;
      if (now > lost * last) break;
      if (!pays) ++idle;
      last = now;
    }
    centre = w.best;
    (void)look();
    return report.status == SolveStatus::converged;
  }

  void outer_iterations() {
    constexpr int most_outer = 60;
    in.alpha = in.robust_weight;
    before = std::min(measure(report.residual), 1.0);
    natural = report.residual.natural;
    const bool cold = centre.isZero(0);
    constexpr double half = 0.5;
    double halved = before;
    int since = in.systems;
    for (int outer = 0; outer < most_outer && in.systems < in.most; ++outer) {
      const Outcome inner = approach(outer == 0, cold && outer == 0);
      if (!go_on(inner)) break;
      if (measure(report.residual) < half * halved) {
        halved = measure(report.residual);
        since = in.systems;
      }
      if (settings.most_idle > 0 && in.systems - since > settings.most_idle) break;
    }
  }

  SolveReport run(const VecX* expected) {
    prepare();
    report.residual = look();
    w.best = centre;
    if (accepted(report.residual, wanted()) && goes_on(expected)) {
      report.status = SolveStatus::converged;
      return report;
    }
    const bool cold = centre.isZero(0);
    const bool hopeless = settings.hopeless > 0 && measure(report.residual) > settings.hopeless;
    if (!cold && hopeless) return report;
    if (!((!cold || settings.natural_from_zero) && natural_steps())) outer_iterations();
    centre = w.best;
    report.iterations = in.systems;
    return report;
  }
};

}  // namespace

SolveReport augmented_newton(const DelassusProblem& p, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, Work& work, VecX& lambda,
                             const VecX* expected) {
  TACT_EXPECTS(lambda.size() == p.rows());
  Method<ExplicitOperator> method{
      {{p, work}, {judged(p)}, work, lambda}, options, settings, work, lambda};
  return method.run(expected);
}

SolveReport augmented_newton(const BodyProblem& p, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, Work& work, VecX& lambda,
                             const VecX* expected) {
  TACT_EXPECTS(lambda.size() == p.contacts.rows());
  Method<BodyOperator> method{
      {{p, work}, {judged(p.contacts)}, work, lambda}, options, settings, work, lambda};
  return method.run(expected);
}

SolveReport augmented_newton(const MassProblem& p, const SolveOptions& options,
                             const AugmentedNewtonOptions& settings, Work& work, VecX& lambda) {
  TACT_EXPECTS(lambda.size() == p.rows());
  Method<MassOperator> method{
      {{p, work}, {judged(p)}, work, lambda}, options, settings, work, lambda};
  SolveReport report = method.run(nullptr);
  report.solver = SolverName::mass_newton;
  return report;
}

}  // namespace tact
