// impact/impact.cpp - from a contact problem and its outcome to the data of an impact.
#include "tact/impact/impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/tolerance.hpp"
#include "tact/contact/mass.hpp"
#include "tact/solve/exact_numbers.hpp"

namespace tact {
namespace {

/// Energies are squares of the data: they overflow, or vanish, long before the data do.
Result<bool> within_range(const ContactProblem& p) {
  const auto energy = [&](const VecX& u) { return 0.5 * u.dot(p.mass * u); };
  const VecX change = p.outcome->velocity - p.velocity;
  const double largest =
      std::max({energy(p.velocity), energy(p.outcome->velocity), energy(change)});
  // Negative ones are the mass's fault, and said elsewhere.
  const bool vanishes = !change.isZero(0) && std::abs(energy(change)) < tolerance::smallest;
  constexpr double room = 1e50;  // for sums and for speeds of contacts
  if (largest <= std::numeric_limits<double>::max() / room && !vanishes) return true;
  return Error{Errc::value,
               "mass and velocity give kinetic energies that doubles cannot hold; use other units"};
}

Result<bool> can_be_judged(const ContactProblem& p) {
  if (const auto valid = validate(p); !valid) return valid.error();
  if (!p.in_mass_form())
    return Error{Errc::value,
                 "delassus: an impact is judged by energies and needs mass, velocity and rows"};
  if (p.mass_is_general) return Error{Errc::value, "mass must be symmetric positive definite"};
  if (const Index bounded = first_bounded(p); bounded >= 0) return no_bounded_rows(bounded);
  if (!p.outcome)
    return Error{Errc::schema,
                 "outcome is missing; write the velocity after the impact, or apply a law"};
  return within_range(p);
}

/// `change` is M⁻¹p; empty where nothing acts.
template <class T>
Impact<T> assembled(const ContactProblem& p, ProblemNumbers<T> n, const std::vector<T>& change) {
  Impact<T> out;
  out.rounded = n.rounded;
  out.offset = row_offsets(p.contacts);
  out.free = n.velocity;
  if (!change.empty()) add(out.free, 1, change);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    out.cone.push_back(impulse_cone<T>(p.contacts[i].law, n.mu[i]));
    out.opening.push_back(opening_cone<T>(p.contacts[i].law));
  }
  out.mass = std::move(n.mass);
  out.rows = std::move(n.rows);
  out.excitation = std::move(n.excitation);
  out.before = std::move(n.velocity);
  out.impulse = std::move(n.impulse);
  out.after = std::move(n.after);
  if (p.outcome->impulses) out.impulses = std::move(n.impulses);
  return out;
}

}  // namespace

Result<Impact<double>> impact(const ContactProblem& p) {
  if (const auto good = can_be_judged(p); !good) return good.error();
  const auto factor = MassFactor::from(p.mass, false);
  if (!factor) return factor.error();
  std::vector<double> change;
  if (const VecX& force = p.impulse; force.size() > 0) {
    const VecX moved = factor->solve(force);
    change.assign(moved.begin(), moved.end());
  }
  return assembled(p, numbers_of<double>(p), change);
}

Result<Impact<Exact>> exact_impact(const ContactProblem& p, const std::vector<ExactNumber>& exact) {
  if (const auto good = can_be_judged(p); !good) return good.error();
  // Rounded, the mass is positive definite or not as the exact one, except at the very border.
  if (const auto factor = MassFactor::from(p.mass, false); !factor) return factor.error();
  auto numbers = rational_problem(p, exact);
  if (!numbers) return numbers.error();
  RationalProblem n = *std::move(numbers);
  const auto change = solve_exactly(n.mass, n.impulse);
  if (p.dof() > 0 && !change) return Error{Errc::value, "mass is singular; give a regular one"};
  return assembled(p, std::move(n), change.value_or(ExactVector{}));
}

}  // namespace tact
