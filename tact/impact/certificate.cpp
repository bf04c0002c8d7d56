// impact/certificate.cpp - sums of products, and the comparisons that make a proof of them.
#include "tact/impact/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {
namespace {

bool within(double x, double slack) {
  return std::abs(x) <= slack;
}
/// A slack as a number to compare with; one too large for doubles is the largest there is.
template <class T>
T number(double slack) {
  return T(std::clamp(slack, 0.0, std::numeric_limits<double>::max()));
}
/// Without rounding: slack is zero, or a double taken at its word.
bool within(const Exact& x, double slack) {
  return abs(x) <= number<Exact>(slack);
}

/// The rows of contact i.
template <class T, class X>
std::vector<X> at_contact(const Impact<T>& impact, const std::vector<X>& x, Index i) {
  return part(x, impact.offset[i], impact.offset[i + 1]);
}

/// The rounding of sums over numbers this large.
constexpr double rounding_share = 8 * tolerance::epsilon;

/// Contacts nearer to opposite than what counts as zero are opposite: impulses larger than what
/// they leave over by the inverse of this have their rounding excused no further.
constexpr double opposite = tolerance::contact_work;

/// Σ |J_rk u_k| + |χ_r|: what γ_r is made of.
template <class T>
double makings(const Impact<T>& impact, Index row, const std::vector<T>& u) {
  double sum = magnitude(impact.excitation[row]);
  for (std::size_t k = 0; k < u.size(); ++k)
    sum += magnitude(impact.rows[row][k]) * magnitude(u[k]);
  return sum;
}

/// |v|_M.
template <class T>
double length(const Impact<T>& impact, const std::vector<T>& v) {
  return std::sqrt(magnitude(inner(v, momentum(impact, v))));
}

/// Σ_r |J_rk| s_r, what J'λ is made of in row k.
template <class T>
std::vector<double> contributions(const Impact<T>& impact, const std::vector<double>& row_size) {
  std::vector<double> out(static_cast<std::size_t>(impact.dof()), 0.0);
  for (std::size_t r = 0; r < row_size.size(); ++r)
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] += magnitude(impact.rows[r][k]) * row_size[r];
  return out;
}

/// The checks of one certificate, in the order of its claims.
template <class T>
class Verifier {
 public:
  using Refusal = std::optional<std::string>;

  Verifier(const Impact<T>& impact, const ImpactCertificate<T>& certificate, double most)
      : impact_(impact), c_(certificate), most_(most) {}

  Refusal run() const {
    if (auto no = shape()) return no;
    if (auto no = velocities()) return no;
    if (c_.verdict == ImpactVerdict::kinetically_incompatible) return separated();
    if (c_.verdict == ImpactVerdict::undecided && all_polyhedral(impact_.cone))
      return "all cones are polyhedral, and the verdict can be decided";
    // What is not decided claims no more than the bounds it carries.
    const bool claims_all = c_.verdict != ImpactVerdict::undecided || !incomplete();
    if (auto no = bound(c_.minimum, false, claims_all)) return no;
    if (auto no = bound(c_.maximum, true, claims_all)) return no;
    if (!claims_all) return std::nullopt;
    if (c_.verdict == ImpactVerdict::kinematically_infeasible)
      return cancels(impact_.opening, c_.jam, false, "the jam ray");
    const bool open = penetrating(impact_, c_.after, c_.after, c_.tolerance).empty();
    if (c_.verdict == ImpactVerdict::kinematically_incompatible) {
      if (open) return "the velocity penetrates nowhere";
      if (c_.admissible.empty()) return "the admissible velocity is missing";
      if (!penetrating(impact_, c_.after, c_.admissible, c_.tolerance).empty())
        return "the velocity that is said to be admissible penetrates";
      return std::nullopt;
    }
    if (!open) return "the velocity penetrates";
    if (energy_verdict(impact_, c_) != c_.verdict)
      return "the bounds prove another verdict: " + std::string(name(energy_verdict(impact_, c_)));
    return std::nullopt;
  }

 private:
  /// Whether an end of the work is not known at all.
  bool incomplete() const {
    using End = typename WorkBound<T>::End;
    return c_.minimum.end == End::none || c_.maximum.end == End::none;
  }

  Refusal shape() const {
    const auto n = static_cast<std::size_t>(impact_.dof());
    if (c_.free.size() != n || c_.after.size() != n) return "a velocity has the wrong length";
    if (!(c_.tolerance >= 0)) return "the tolerance is no number of zero or more";
    if (!(c_.tolerance <= most_)) return "the tolerance is larger than the reader accepts";
    const auto fits = [&](const std::vector<T>& v) { return v.empty() || v.size() == n; };
    if (!fits(c_.separator) || !fits(c_.admissible) || !fits(c_.minimum.velocity) ||
        !fits(c_.maximum.velocity))
      return "a witness velocity has the wrong length";
    return std::nullopt;
  }

  /// M (z - u⁻) = p, and `after` is the outcome.
  Refusal velocities() const {
    const auto pushed = momentum(impact_, minus(c_.free, impact_.before));
    for (std::size_t k = 0; k < pushed.size(); ++k) {
      double slack = 0;
      if (c_.tolerance > 0) slack = momentum_rounding(static_cast<Index>(k));
      if (!within(T(pushed[k] - impact_.impulse[k]), slack))
        return "the free velocity does not follow from the smooth impulse";
    }
    if (c_.free != impact_.free && c_.tolerance == 0)
      return "the free velocity is not that of the problem";
    if (c_.tolerance == 0 && c_.after != impact_.after)
      return "the velocity that is judged is not the outcome";
    const double distance = length(impact_, minus(c_.after, impact_.after));
    if (!(distance <= motion_slack(impact_, c_.tolerance) + cancelled()))
      return "the velocity that is judged is not the outcome";
    return std::nullopt;
  }

  /// Not with round cones: what large impulses only approach there must not count as reached.
  double cancelling_of(const Distribution<T>& pieces) const {
    if (!all_polyhedral(impact_.cone)) return 0;
    return cancelling_slack(impact_, row_sizes(impact_, pieces), c_.tolerance);
  }
  /// What the impulses of either end leave open of the velocity they explain.
  double cancelled() const {
    double most = 0;
    for (const auto* end : {&c_.minimum, &c_.maximum})
      if (!pieces_fit(impact_.cone, end->impulses, ""))
        most = std::max(most, cancelling_of(end->impulses));
    return most;
  }

  /// Of M (after - z) and of M (z - u⁻), in row k.
  double momentum_rounding(Index k) const {
    double sum = magnitude(impact_.impulse[k]);
    for (std::size_t j = 0; j < c_.after.size(); ++j)
      sum += magnitude(impact_.mass[k][j]) *
             (magnitude(c_.after[j]) + magnitude(c_.free[j]) + magnitude(impact_.before[j]));
    return rounding_share * sum;
  }

  Refusal separated() const {
    if (c_.separator.empty()) return "the separating velocity is missing";
    const auto d = momentum(impact_, minus(impact_.after, impact_.free));
    const T power = inner(c_.separator, d);
    // Large enough that no outcome within the slack of this one is explained: |v.d - v.d'| is at
    // most |v|_M |u⁺ - u'|_M.
    const double size = length(impact_, c_.separator);
    if (!(power < -number<T>(size * motion_slack(impact_, c_.tolerance))))
      return "the separating velocity does not separate";
    const auto v = product(impact_.rows, c_.separator);
    const double blur = c_.tolerance > 0 ? separator_rounding(magnitude(power), size) : 0;
    for (Index i = 0; i < impact_.contacts(); ++i) {
      const auto own = at_contact(impact_, v, i);
      double slack = c_.tolerance * largest_speed(impact_.cone[i], magnitudes(own));
      if (c_.tolerance > 0) slack += blur * largest_speed(impact_.cone[i], summands(i, size));
      if (!in_dual(impact_.cone[i], own, slack))
        return "the separating velocity closes contact " + std::to_string(i);
    }
    return std::nullopt;
  }

  /// v points from what impulses explain to the outcome; both are known up to the rounding of the
  /// data, which turns v the more the nearer they are.
  double separator_rounding(double power, double size) const {
    const double distance = power / size;
    const double motion = length(impact_, impact_.after) + length(impact_, impact_.free);
    return rounding_share * (1 + motion / distance);
  }

  /// Bounds of |J v| in the rows of contact i, by the size of v and that of its components.
  std::vector<double> summands(Index i, double size) const {
    std::vector<double> out;
    for (Index r = impact_.offset[i]; r < impact_.offset[i + 1]; ++r) {
      double sum = 0;
      for (std::size_t k = 0; k < c_.separator.size(); ++k)
        sum +=
            magnitude(impact_.rows[r][k]) *
            std::max(magnitude(c_.separator[k]), size / std::sqrt(magnitude(impact_.mass[k][k])));
      out.push_back(sum);
    }
    return out;
  }

  Refusal pieces_fit(const std::vector<ImpulseCone<T>>& cones, const Distribution<T>& pieces,
                     const std::string& what) const {
    if (pieces.size() != cones.size()) return what + " have the wrong number of contacts";
    for (std::size_t i = 0; i < cones.size(); ++i)
      for (const auto& piece : pieces[i])
        if (!admissible(cones[i], piece, c_.tolerance))
          return what + " leave the cone of contact " + std::to_string(i);
    return std::nullopt;
  }

  /// J'λ = M (after - z).
  Refusal explains(const Distribution<T>& pieces, const std::string& what) const {
    if (auto no = pieces_fit(impact_.cone, pieces, what)) return no;
    const auto lambda = impulses_of(impact_, pieces);
    const auto given = generalised(impact_, lambda);
    const auto change = minus(c_.after, c_.free);
    const auto d = momentum(impact_, change);
    const double motion = std::sqrt(magnitude(inner(change, d)));
    const double cancelling = cancelling_of(pieces);
    for (std::size_t k = 0; k < d.size(); ++k) {
      double slack = 0;
      if (c_.tolerance > 0)
        slack = std::sqrt(magnitude(impact_.mass[k][k])) * (c_.tolerance * motion + cancelling) +
                momentum_rounding(static_cast<Index>(k));
      if (!within(T(given[k] - d[k]), slack)) return what + " do not explain the velocity";
    }
    return std::nullopt;
  }

  Refusal bound(const WorkBound<T>& b, bool upper, bool needed) const {
    const std::string end = upper ? "maximal" : "minimal";
    using End = typename WorkBound<T>::End;
    if (b.end == End::none && !needed) return std::nullopt;
    if (b.end == End::none) return "the " + end + " work is missing";
    if (auto no = explains(b.impulses, "the impulses of " + end + " work")) return no;
    if (b.end == End::unbounded)
      return cancels(impact_.cone, b.ray, upper, "the ray of " + end + " work");
    double slack = work_slack(impact_, c_.after, b.impulses, c_.tolerance);
    if (c_.tolerance > 0) slack += proof_rounding(b.velocity);
    const T& attained = upper ? b.low : b.high;
    const T& proved = upper ? b.high : b.low;
    const T work = work_of(impact_, c_.after, impulses_of(impact_, b.impulses));
    if (!within(T(work - attained), slack))
      return "the impulses of " + end + " work do another work";
    if (b.velocity.empty()) return "the velocity that proves the " + end + " work is missing";
    const auto wrong =
        on_wrong_side(impact_, impact_.cone, c_.after, b.velocity, upper ? -1 : 1, c_.tolerance);
    if (!wrong.empty())
      return "the velocity of " + end + " work is on the wrong side of contact " +
             std::to_string(wrong[0]);
    if (!within(T(work_bound_of(impact_, c_.after, b.velocity) - proved), slack))
      return "the velocity of " + end + " work proves another bound";
    if (b.low > b.high + number<T>(slack)) return "the bracket of the " + end + " work is empty";
    if (all_polyhedral(impact_.cone) && !within(T(b.high - b.low), slack))
      return "the two ends of the " + end + " work differ";
    return std::nullopt;
  }

  /// Of F(b) = ½|du|² - d.(b - z).
  double proof_rounding(const std::vector<T>& b) const {
    if (b.size() != c_.free.size()) return 0;
    const auto d = momentum(impact_, minus(c_.after, c_.free));
    double sum = 0;
    for (std::size_t k = 0; k < b.size(); ++k)
      sum += rounding_share * magnitude(d[k]) * (magnitude(b[k]) + magnitude(c_.free[k])) +
             momentum_rounding(static_cast<Index>(k)) * magnitude(T(b[k] - c_.free[k]));
    return sum;
  }

  /// J'y = 0 with χ.y of the right sign.
  Refusal cancels(const std::vector<ImpulseCone<T>>& cones, const Distribution<T>& ray, bool upper,
                  const std::string& what) const {
    if (auto no = pieces_fit(cones, ray, what)) return no;
    const auto y = impulses_of(impact_, cones, ray);
    const auto sum = generalised(impact_, y);
    const auto parts = contributions(impact_, magnitudes(y));
    for (std::size_t k = 0; k < sum.size(); ++k)
      if (!within(sum[k], c_.tolerance * parts[k])) return what + " does not cancel";
    // γ(z).y is the same number as χ.y, without the large parts of a moving frame.
    const auto gamma = contact_velocity(impact_, c_.free);
    const T power = inner(gamma, y);
    double slack = 0;
    if (c_.tolerance > 0)
      for (std::size_t r = 0; r < y.size(); ++r) {
        const double made = makings(impact_, static_cast<Index>(r), c_.free);
        slack += magnitude(y[r]) * (c_.tolerance * magnitude(gamma[r]) + rounding_share * made);
      }
    if (upper ? !(power > number<T>(slack)) : !(power < -number<T>(slack)))
      return what + " does no work";
    return std::nullopt;
  }

  const Impact<T>& impact_;
  const ImpactCertificate<T>& c_;
  double most_;
};

}  // namespace

std::string_view name(ImpactVerdict verdict) {
  constexpr std::string_view names[] = {"kinetically_incompatible",
                                        "kinematically_infeasible",
                                        "kinematically_incompatible",
                                        "inconsistent",
                                        "consistent_weak",
                                        "consistent_strong",
                                        "undecided"};
  return names[static_cast<std::size_t>(verdict)];
}

template <class T>
double work_slack(const Impact<T>& impact, const std::vector<T>& after,
                  const Distribution<T>& impulses, double tolerance) {
  if (!(tolerance > 0)) return 0;
  const auto gamma = contact_velocity(impact, impact.free);
  double sum = tolerance * magnitude(half_square_of_change(impact, after));
  for (Index i = 0; i < impact.contacts(); ++i) {
    if (impulses[i].empty()) continue;
    const auto own = at_contact(impact, gamma, i);
    for (const auto& piece : impulses[i]) {
      const auto g = generator_of(impact.cone[i], piece);
      sum += tolerance * magnitude(T(piece.weight * inner(g, own)));
      for (std::size_t r = 0; r < g.size(); ++r) {
        const Index row = impact.offset[i] + static_cast<Index>(r);
        const double made = makings(impact, row, impact.free) + makings(impact, row, after);
        sum += rounding_share * made * magnitude(T(piece.weight * g[r]));
      }
    }
  }
  return sum;
}

template <class T>
std::vector<double> opening_slacks(const Impact<T>& impact, const std::vector<T>& after,
                                   const std::vector<T>& u, double tolerance) {
  std::vector<double> speed(static_cast<std::size_t>(impact.contacts()), 0.0);
  if (!(tolerance > 0)) return speed;
  std::vector<double> rounding = speed;
  for (const auto* v : {&impact.free, &after, &u}) {
    const auto gamma = magnitudes(contact_velocity(impact, *v));
    std::vector<double> made;
    for (Index r = 0; r < impact.offset.back(); ++r) made.push_back(makings(impact, r, *v));
    for (Index i = 0; i < impact.contacts(); ++i) {
      const auto& cone = impact.cone[i];
      speed[i] = std::max(speed[i], largest_speed(cone, at_contact(impact, gamma, i)));
      rounding[i] = std::max(rounding[i], largest_speed(cone, at_contact(impact, made, i)));
    }
  }
  for (std::size_t i = 0; i < speed.size(); ++i)
    speed[i] = tolerance * speed[i] + rounding_share * rounding[i];
  return speed;
}

template <class T>
double motion_slack(const Impact<T>& impact, double tolerance) {
  if (!(tolerance > 0)) return 0;
  return tolerance * length(impact, minus(impact.after, impact.free)) +
         rounding_share * (length(impact, impact.after) + length(impact, impact.free));
}

template <class T>
double cancelling_slack(const Impact<T>& impact, const std::vector<double>& row_size,
                        double tolerance) {
  if (!(tolerance > 0)) return 0;
  const auto parts = contributions(impact, row_size);
  double square = 0;
  for (std::size_t k = 0; k < parts.size(); ++k)
    square += parts[k] * parts[k] / std::max(magnitude(impact.mass[k][k]), tolerance::smallest);
  const double motion = length(impact, minus(impact.after, impact.free));
  return rounding_share * std::min(std::sqrt(square), motion / opposite);
}

template <class T>
std::vector<double> row_sizes(const Impact<T>& impact, const Distribution<T>& pieces) {
  std::vector<double> out(impact.rows.size(), 0.0);
  for_entries(impact, impact.cone, pieces,
              [&](std::size_t row, const T& entry) { out[row] += magnitude(entry); });
  return out;
}

template <class T>
std::vector<Index> on_wrong_side(const Impact<T>& impact, const std::vector<ImpulseCone<T>>& cones,
                                 const std::vector<T>& after, const std::vector<T>& u, int sign,
                                 double tolerance) {
  auto gamma = contact_velocity(impact, u);
  if (sign < 0) gamma = negative(std::move(gamma));
  const auto slack = opening_slacks(impact, after, u, tolerance);
  std::vector<Index> out;
  for (Index i = 0; i < impact.contacts(); ++i)
    if (!in_dual(cones[i], at_contact(impact, gamma, i), slack[i])) out.push_back(i);
  return out;
}

template <class T>
ImpactVerdict energy_verdict(const Impact<T>& impact, const ImpactCertificate<T>& c) {
  using End = typename WorkBound<T>::End;
  if (c.minimum.end == End::none || c.maximum.end == End::none) return ImpactVerdict::undecided;
  const auto slack = [&](const WorkBound<T>& b) {
    return number<T>(work_slack(impact, c.after, b.impulses, c.tolerance));
  };
  const T least = slack(c.minimum), most = slack(c.maximum);
  if (c.minimum.end == End::finite && c.minimum.low > least) return ImpactVerdict::inconsistent;
  if (c.maximum.end == End::finite && c.maximum.high <= most)
    return ImpactVerdict::consistent_strong;
  // The two ends of a bracket are one number where cones are polyhedral: nothing is left open.
  if (all_polyhedral(impact.cone)) return ImpactVerdict::consistent_weak;
  const bool some_dissipate = c.minimum.end == End::unbounded || c.minimum.high <= least;
  const bool some_deliver = c.maximum.end == End::unbounded || c.maximum.low > most;
  return some_dissipate && some_deliver ? ImpactVerdict::consistent_weak : ImpactVerdict::undecided;
}

template <class T>
std::optional<std::string> refusal(const Impact<T>& impact, const ImpactCertificate<T>& c,
                                   double most) {
  return Verifier<T>(impact, c, most).run();
}

// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define TACT_CERTIFICATE_OF(T)                                                                    \
  template double work_slack(const Impact<T>&, const std::vector<T>&, const Distribution<T>&,     \
                             double);                                                             \
  template std::vector<double> opening_slacks(const Impact<T>&, const std::vector<T>&,            \
                                              const std::vector<T>&, double);                     \
  template double motion_slack(const Impact<T>&, double);                                         \
  template double cancelling_slack(const Impact<T>&, const std::vector<double>&, double);         \
  template std::vector<double> row_sizes(const Impact<T>&, const Distribution<T>&);               \
  template std::vector<Index> on_wrong_side(const Impact<T>&, const std::vector<ImpulseCone<T>>&, \
                                            const std::vector<T>&, const std::vector<T>&, int,    \
                                            double);                                              \
  template ImpactVerdict energy_verdict(const Impact<T>&, const ImpactCertificate<T>&);           \
  template std::optional<std::string> refusal(const Impact<T>&, const ImpactCertificate<T>&,      \
                                              double);
// NOLINTEND(bugprone-macro-parentheses)
TACT_CERTIFICATE_OF(double)
TACT_CERTIFICATE_OF(Exact)
#undef TACT_CERTIFICATE_OF

}  // namespace tact
