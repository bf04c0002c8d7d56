// impact/sliding.hpp - impulses of friction that point where the outcome says, instead of anywhere.
//
// Bounds over whole cones contain friction that pushes along the motion. A contact that slides
// after the impact, with friction of greatest dissipation, has its direction decided:
//     λ_T = N (c - E E'γ_T⁺ / |E'γ_T⁺|);      Coulomb: λ_T = -μ N γ_T⁺ / |γ_T⁺|.
// The outcome is data, so this is one point in the place of an ellipse. The bounds that follow are
// those of another, smaller set of impulses: certificates are checked against the impact that is
// returned here, and say nothing about laws whose friction may point elsewhere.
#pragma once

#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/impact/impact.hpp"

namespace tact {

struct SlidingImpact {
  Impact<double> impact;
  std::vector<Index> sliding;  ///< contacts with a direction decided
};

/// A velocity of sliding below `tolerance` times the speeds at the contact is none.
[[nodiscard]] SlidingImpact with_sliding(const Impact<double>& impact,
                                         double tolerance = tolerance::contact_work);

}  // namespace tact
