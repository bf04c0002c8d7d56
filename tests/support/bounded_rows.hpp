// tests/support/bounded_rows.hpp - bounded rows added to a random contact problem.
#pragma once

#include <limits>

#include "tact/base/rng.hpp"
#include "tact/contact/problem.hpp"

namespace tact::testing {

/// Dry friction, an equation, one bound of either side, a motor that pushes at least a little.
inline BoundedLaw random_bounds(Rng& rng) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double f = rng.log_uniform(1e-3, 1);
  switch (rng.below(5)) {
    case 0:
      return {-f, f};
    case 1:
      return {};
    case 2:
      return {0, infinity};
    case 3:
      return {-infinity, f};
    default:
      return {0.1 * f, f};
  }
}

/// At the end, so that the rows of the problem stay where they are. Every row ties two degrees of
/// freedom to each other; that the bodies rest obeys all of them.
inline ContactProblem with_bounded_rows(ContactProblem p, std::uint64_t seed, Index count) {
  Rng rng(seed);
  const Index first = p.rows.rows(), dof = p.dof();
  MatX rows = MatX::Zero(first + count, dof);
  rows.topRows(first) = MatX(p.rows);
  for (Index k = 0; k < count; ++k) {
    for (int end = 0; end < 2; ++end)
      rows(first + k, static_cast<Index>(rng.below(static_cast<std::uint64_t>(dof)))) +=
          rng.uniform(0.2, 2) * (rng.below(2) == 0 ? 1 : -1);
    Contact contact;
    contact.law = random_bounds(rng);
    p.contacts.push_back(std::move(contact));
  }
  p.rows = sparse(rows);
  if (p.excitation.size() > 0) p.excitation.conservativeResizeLike(VecX::Zero(first + count));
  return p;
}

}  // namespace tact::testing
