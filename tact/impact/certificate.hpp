// impact/certificate.hpp - what is claimed about the contact work of an impact, with all that is
// needed to check it by products alone.
//
// With d = M (u⁺ - z), λ in K with J'λ = d explains the outcome and does the work
//     W(λ) = ½ |u⁺ - z|²_M + γ(z).λ,                                          [Glocker] 6
// and every b with γ(b) in K* bounds it from below, every b with -γ(b) in K* from above, by
//     F(b) = ½ |u⁺ - b|²_M - ½ |z - b|²_M,      because  W(λ) = F(b) + γ(b).λ.    [Glocker] 7
// So a bound is one list of impulses and one velocity. No answer is an answer as well:
//     v with J_i v in K_i* and v.d < 0            no impulses explain u⁺;
//     y in K with J'y = 0 and χ.y < 0 (or > 0)    the work has no lower (upper) bound;
//     such a y without friction, χ.y < 0          no velocity is admissible: a jam.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/impact/impact.hpp"

namespace tact {

/// In the order of precedence.
enum class ImpactVerdict {
  kinetically_incompatible,    ///< no impulses explain the velocity
  kinematically_infeasible,    ///< no velocity is admissible: walls close
  kinematically_incompatible,  ///< the velocity penetrates
  inconsistent,                ///< whatever the impulses were, they delivered energy
  consistent_weak,             ///< some impulses that explain it dissipate, some deliver
  consistent_strong,           ///< all impulses that explain it dissipate
  undecided,                   ///< not certified: a bracket contains zero, or an end is missing
};
[[nodiscard]] std::string_view name(ImpactVerdict verdict);

/// Impulses, contact by contact, each a sum of pieces of the contact's cone.
template <class T>
using Distribution = std::vector<std::vector<ConePiece<T>>>;

/// The least, or the largest, contact work.
template <class T>
struct WorkBound {
  enum class End { none, finite, unbounded };
  End end = End::none;
  T low = 0, high = 0;       ///< it lies between; the same number where all cones are polyhedral
  Distribution<T> impulses;  ///< explain the outcome; their work is the inner end of the bracket
  std::vector<T> velocity;   ///< b; F(b) is the outer end
  Distribution<T> ray;       ///< y, where unbounded
};

template <class T>
struct ImpactCertificate {
  ImpactVerdict verdict = ImpactVerdict::undecided;
  /// Relative; zero: everything holds as written, without rounding. Otherwise `after` is the
  /// velocity next to the given one that impulses explain, and inequalities may fail by this share
  /// of what they are made of.
  double tolerance = 0;
  std::vector<T> free;   ///< z
  std::vector<T> after;  ///< the u⁺ that is judged
  WorkBound<T> minimum, maximum;
  std::vector<T> separator;   ///< v; where kinetically incompatible
  Distribution<T> jam;        ///< y, of impulses without friction; where infeasible
  std::vector<T> admissible;  ///< a velocity that penetrates nowhere; where the outcome does
};

/// ½ |after - z|²_M.
template <class T>
[[nodiscard]] T half_square_of_change(const Impact<T>& impact, const std::vector<T>& after) {
  const auto change = minus(after, impact.free);
  return inner(change, momentum(impact, change)) / T(2);
}

// ---- how far inequalities may be off; zero for zero tolerance

/// A work: tolerance (½|du|² + Σ|γ(z).g x|), never a share of a kinetic energy, which depends on
/// the frame; and the rounding of the data.
template <class T>
[[nodiscard]] double work_slack(const Impact<T>& impact, const std::vector<T>& after,
                                const Distribution<T>& impulses, double tolerance);
/// A velocity of opening with velocity u, one per contact: a share of the speeds there before,
/// after and with u, and the rounding of the data.
template <class T>
[[nodiscard]] std::vector<double> opening_slacks(const Impact<T>& impact,
                                                 const std::vector<T>& after,
                                                 const std::vector<T>& u, double tolerance);
/// |after - u⁺|_M: a share of |u⁺ - z|_M, and the rounding of the data.
template <class T>
[[nodiscard]] double motion_slack(const Impact<T>& impact, double tolerance);
/// The same, beside it: contacts that are nearly opposite press against each other with impulses
/// far larger than what they leave over, and their sum J'λ is known only to the rounding of what it
/// is made of, Σ |J_r'λ_r| in the metric diag(M)⁻¹ (no factorisation). `row_size` has |λ_r|, or
/// the sum over its pieces. Contributions above |u⁺ - z| / tolerance::contact_work excuse no more:
/// where contacts are opposite, cancelling impulses may be as large as anyone likes. Polyhedral
/// cones only: with round ones large impulses may approach a motion that none reaches.
template <class T>
[[nodiscard]] double cancelling_slack(const Impact<T>& impact, const std::vector<double>& row_size,
                                      double tolerance);
/// Σ |x g| of every row.
template <class T>
[[nodiscard]] std::vector<double> row_sizes(const Impact<T>& impact, const Distribution<T>& pieces);

/// Calls visit(row, x g_row) for the rows of every piece.
template <class T>
void for_entries(const Impact<T>& impact, const std::vector<ImpulseCone<T>>& cones,
                 const Distribution<T>& pieces, const auto& visit) {
  TACT_EXPECTS(pieces.size() == cones.size());
  for (std::size_t i = 0; i < cones.size(); ++i)
    for (const auto& piece : pieces[i]) {
      const auto g = generator_of(cones[i], piece);
      for (std::size_t r = 0; r < g.size(); ++r)
        visit(static_cast<std::size_t>(impact.offset[i]) + r, T(piece.weight * g[r]));
    }
}
/// λ = Σ x g, contact after contact.
template <class T>
[[nodiscard]] std::vector<T> impulses_of(const Impact<T>& impact,
                                         const std::vector<ImpulseCone<T>>& cones,
                                         const Distribution<T>& pieces) {
  std::vector<T> out(impact.rows.size(), T(0));
  for_entries(impact, cones, pieces, [&](std::size_t row, const T& entry) { out[row] += entry; });
  return out;
}
template <class T>
[[nodiscard]] std::vector<T> impulses_of(const Impact<T>& impact, const Distribution<T>& pieces) {
  return impulses_of(impact, impact.cone, pieces);
}
/// W(λ) of impulses that explain `after`.
template <class T>
[[nodiscard]] T work_of(const Impact<T>& impact, const std::vector<T>& after,
                        const std::vector<T>& lambda) {
  return half_square_of_change(impact, after) +
         inner(contact_velocity(impact, impact.free), lambda);
}
/// F(b).
template <class T>
[[nodiscard]] T work_bound_of(const Impact<T>& impact, const std::vector<T>& after,
                              const std::vector<T>& b) {
  // The squares of b cancel; written without them the frame does not matter.
  const auto d = momentum(impact, minus(after, impact.free));
  return half_square_of_change(impact, after) - inner(d, minus(b, impact.free));
}
/// Makes a finite end of the work from its impulses and its velocity.
template <class T>
void set_bracket(const Impact<T>& impact, const std::vector<T>& after, bool upper,
                 WorkBound<T>& bound) {
  const T attained = work_of(impact, after, impulses_of(impact, bound.impulses));
  const T proved = work_bound_of(impact, after, bound.velocity);
  bound.end = WorkBound<T>::End::finite;
  bound.low = upper ? attained : proved;
  bound.high = upper ? proved : attained;
}

/// The contacts where sign γ(u) is outside of the dual of its cone by more than the slack.
template <class T>
[[nodiscard]] std::vector<Index> on_wrong_side(const Impact<T>& impact,
                                               const std::vector<ImpulseCone<T>>& cones,
                                               const std::vector<T>& after, const std::vector<T>& u,
                                               int sign, double tolerance);
/// The contacts that penetrate with velocity u by more than the slack.
template <class T>
[[nodiscard]] std::vector<Index> penetrating(const Impact<T>& impact, const std::vector<T>& after,
                                             const std::vector<T>& u, double tolerance) {
  return on_wrong_side(impact, impact.opening, after, u, 1, tolerance);
}

/// The verdict that the bounds of a certificate prove, given that the outcome is explained and
/// admissible.
template <class T>
[[nodiscard]] ImpactVerdict energy_verdict(const Impact<T>& impact,
                                           const ImpactCertificate<T>& certificate);

/// What the jam, the velocity and the bounds prove, in the order of precedence, given that the
/// outcome is explained.
template <class T>
[[nodiscard]] ImpactVerdict verdict_of(const Impact<T>& impact, const ImpactCertificate<T>& c) {
  if (!c.jam.empty()) return ImpactVerdict::kinematically_infeasible;
  if (!penetrating(impact, c.after, c.after, c.tolerance).empty())
    return ImpactVerdict::kinematically_incompatible;
  return energy_verdict(impact, c);
}

/// Why the certificate is not accepted; nothing when it is. Products, sums and comparisons only:
/// no factorisation, no search. In rationals every one of them is exact. How much may be rounded
/// away is for the reader to say, not for the certificate: a tolerance above `most` is refused.
template <class T>
[[nodiscard]] std::optional<std::string> refusal(const Impact<T>& impact,
                                                 const ImpactCertificate<T>& certificate,
                                                 double most = tolerance::contact_work);

}  // namespace tact
