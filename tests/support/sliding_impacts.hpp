// support/sliding_impacts.hpp - impulses of friction that point where the outcome says, instead of
// anywhere.
//
// Bounds over whole cones contain friction that pushes along the motion. A contact that slides
// after the impact, with friction of greatest dissipation, has its direction decided:
//     λ_T = N (c - E E'γ_T⁺ / |E'γ_T⁺|);      Coulomb: λ_T = -μ N γ_T⁺ / |γ_T⁺|.
// The outcome is data, so this is one point in the place of an ellipse. The bounds that follow are
// those of another, smaller set of impulses: certificates are checked against the impact that is
// returned here, and say nothing about laws whose friction may point elsewhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tact/impact/certificate.hpp"

namespace tact {

struct SlidingImpact {
  Impact<double> impact;
  std::vector<Index> sliding;  ///< contacts with a direction decided
};

/// Whether the rows of a factor do nothing without friction.
inline bool of_friction(const BaseFactor<double>& factor, const ImpulseCone<double>& opening) {
  const auto idle = [&](Index row) {
    return std::any_of(opening.factors.begin(), opening.factors.end(),
                       [&](const BaseFactor<double>& other) {
                         const auto at = std::find(other.rows.begin(), other.rows.end(), row);
                         if (at == other.rows.end() || other.hull.size() != 1) return false;
                         const auto& only = other.hull[0];
                         return only.axes.empty() && only.centre[at - other.rows.begin()] == 0;
                       });
  };
  return std::all_of(factor.rows.begin(), factor.rows.end(), idle);
}

/// c - E E'γ / |E'γ|; the ellipse itself where |E'γ| is no more than the slack.
inline BaseEllipse<double> most_dissipating(const BaseEllipse<double>& e,
                                            const std::vector<double>& gamma, double slack) {
  std::vector<double> along;
  double square = 0;
  for (const auto& axis : e.axes) {
    double sum = 0;
    for (std::size_t k = 0; k < gamma.size(); ++k) sum += axis[k] * gamma[k];
    along.push_back(sum);
    square += sum * sum;
  }
  const double reach = std::sqrt(square);
  if (!(reach > slack)) return e;
  BaseEllipse<double> out{e.centre, {}};
  for (std::size_t a = 0; a < e.axes.size(); ++a)
    for (std::size_t k = 0; k < gamma.size(); ++k) out.centre[k] -= e.axes[a][k] * along[a] / reach;
  return out;
}

/// A velocity of sliding below `tolerance` times the speeds at the contact is none.
inline SlidingImpact with_sliding(const Impact<double>& impact,
                                  double tolerance = tolerance::contact_work) {
  SlidingImpact out{impact, {}};
  const auto gamma = contact_velocity(impact, impact.after);
  const auto slack = opening_slacks(impact, impact.after, impact.after, tolerance);
  for (Index i = 0; i < impact.contacts(); ++i) {
    bool slides = false;
    for (auto& factor : out.impact.cone[i].factors) {
      if (factor.hull.size() != 1 || factor.hull[0].axes.empty()) continue;
      if (!of_friction(factor, impact.opening[i])) continue;
      std::vector<double> own;
      for (const Index r : factor.rows) own.push_back(gamma[impact.offset[i] + r]);
      factor.hull[0] = most_dissipating(factor.hull[0], own, slack[i]);
      slides = slides || factor.hull[0].axes.empty();
    }
    if (slides) out.sliding.push_back(i);
  }
  return out;
}

}  // namespace tact
