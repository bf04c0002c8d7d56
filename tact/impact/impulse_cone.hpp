// impact/impulse_cone.hpp - the impulses one contact can give, in a form that products can check.
//
// At unit normal load the other rows of a contact lie in a product of sets, each the hull of
// ellipses and points (an ellipse without axes):
//     K  = { λ : N >= 0,  λ_f in N conv{ c + E s : |s| <= 1 }  for every factor f },
//     K* = { γ : γ_N + Σ_f min over the hull of f of t.γ_f >= 0 },
// with min t.γ_f over an ellipse = c.γ_f - |E'γ_f|. Coulomb's disc is one ellipse, a pyramid its
// corners, a stadium two discs, a patch with an ellipsoidal limit surface two factors.
// [Glocker] 5 with cones instead of half-lines; [MontMarin25] (11) for patches.
//
// T is double, or a rational where the answer must be exact.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/law.hpp"
#include "tact/poly/exact_lp.hpp"

namespace tact {

/// { c + E s : |s| <= 1 }; a point when there are no axes.
template <class T>
struct BaseEllipse {
  std::vector<T> centre;
  std::vector<std::vector<T>> axes;  ///< columns of E
};

template <class T>
struct BaseFactor {
  std::vector<Index> rows;  ///< of the contact
  std::vector<BaseEllipse<T>> hull;
};

template <class T>
struct ImpulseCone {
  Index rows = 1;
  Index normal = 0;  ///< the row of N
  std::vector<BaseFactor<T>> factors;

  /// Whether all hulls are those of points.
  [[nodiscard]] bool polyhedral() const;
};
template <class T>
[[nodiscard]] bool all_polyhedral(const std::vector<ImpulseCone<T>>& cones) {
  return std::all_of(cones.begin(), cones.end(), [](const auto& c) { return c.polyhedral(); });
}

/// What is said of a problem with a bounded row, which has no cone (contact/problem.hpp,
/// first_bounded).
[[nodiscard]] Error no_bounded_rows(Index contact);

/// The cone of a law, with the friction coefficient `mu` in the place of the law's own.
///
/// A patch with friction carries what *any* pressure on it can carry: the hull of Coulomb cones at
/// its points (corners; for a round rim the corners of a circumscribed polygon). That contains
/// every pressure model, so what it proves impossible is. An ellipsoidal limit surface is its own
/// model and taken as such. The law is not a bounded row.
template <class T>
[[nodiscard]] ImpulseCone<T> impulse_cone(const Law& law, const T& mu);

/// The impulses without friction, in the same rows: its dual is what opens or stays.
template <class T>
[[nodiscard]] ImpulseCone<T> opening_cone(const Law& law);

/// min g.γ over g in K with N = 1. Negative: γ is not in K*.
[[nodiscard]] double least_opening(const ImpulseCone<double>& cone,
                                   const std::vector<double>& gamma);

/// γ in K* up to `slack`, a velocity. In rationals without rounding: roots are bounded, never
/// taken, and a doubtful case is refused.
[[nodiscard]] bool in_dual(const ImpulseCone<Exact>& cone, ExactVector gamma, double slack = 0);
[[nodiscard]] bool in_dual(const ImpulseCone<double>& cone, const std::vector<double>& gamma,
                           double slack);

/// The largest that g.x can be for g in K at unit normal load, all signs alike: what a velocity of
/// opening is made of, given the sizes of its rows.
template <class T>
[[nodiscard]] double largest_speed(const ImpulseCone<T>& cone, const std::vector<double>& sizes);

/// Impulses are shown to be in K by a list of pieces, λ = Σ x_k g_k with x_k >= 0 and g_k at unit
/// normal load; a piece names the members of the hulls it uses, so that |E s| <= 1 is one product.
template <class T>
struct ConePiece {
  T weight = 0;
  std::vector<Index> member;      ///< of the hull of every factor
  std::vector<std::vector<T>> s;  ///< of every factor: |s| <= 1; empty for a point
};
/// The generator of a piece, whatever its weight.
template <class T>
[[nodiscard]] std::vector<T> generator_of(const ImpulseCone<T>& cone, const ConePiece<T>& piece);
/// weight >= 0 and |s|² <= 1, the latter up to `slack`; members exist and sizes fit.
template <class T>
[[nodiscard]] bool admissible(const ImpulseCone<T>& cone, const ConePiece<T>& piece, double slack);

/// The piece of weight one that attains least_opening(); in a round member |s|² <= 1 holds without
/// rounding.
[[nodiscard]] ConePiece<double> worst_piece(const ImpulseCone<double>& cone,
                                            const std::vector<double>& gamma);
/// s shortened, where it must be, until |s|² <= 1 holds without rounding.
void pull_inside(std::vector<double>& s);

/// First generators of a cone, as pieces of weight one: corners, centres and ends of axes, one
/// choice per factor.
template <class T>
[[nodiscard]] std::vector<ConePiece<T>> coarse_pieces(const ImpulseCone<T>& cone);
/// The generators of a polyhedral cone. The same one given twice is taken once.
template <class T>
[[nodiscard]] std::vector<ConePiece<T>> corners(const ImpulseCone<T>& cone);

}  // namespace tact
