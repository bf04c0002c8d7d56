// sim/accounts.hpp - the energy ledger of a run: every account with a formula of its own.
//
// Over a step from u⁻ to u⁺, with the impulses L of its rows, u = ½(u⁻ + u⁺) the mean velocity and
// γ = J u + χ, the mechanical energy E = T + V changes by the sum of
//     normal, friction, limits, dry friction, equalities    γ.L of their rows at the mean velocity
//     impact          ½(γ_before + γ_after).L of the impacts
//     wall            -χ.L, what driven bodies and belts put in
//     actuators       h f.u
//     damping         -h u.D u⁺
//     gyroscopic      g.u, g the gyroscopic impulse of free bodies: zero in free flight
//     integration     what the mass matrix and the potential of trees and springs change between
//                     the middle of the step, where forces are taken, and its ends
//     stabilisation   V(q⁺) - V(q ⊕ h u), what the correction of positions lifts
//     elastic         -ΔU, U what soft contacts store: the account is minus what they hold now
//     viscous, slip   what soft contacts lose to damping, and to slip and release
//     springs         -ΔV of springs between bodies and what their dampers lose
//     switched        what pairs that became rigid, or soft while they overlapped, held then
// identically, whatever L is. No account is a remainder: what is left over is the closure.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace tact {

enum class Account {
  normal,
  friction,
  impact,
  wall,
  actuators,
  damping,
  limits,
  dry_friction,
  equalities,
  gyroscopic,
  integration,
  stabilisation,
  elastic,
  viscous,
  slip,
  springs,
  switched,
};
inline constexpr std::size_t account_count = 17;
/// The words above.
[[nodiscard]] constexpr std::string_view name(Account account) {
  constexpr std::array<std::string_view, account_count> names = {
      "normal",  "friction",     "impact",     "wall",       "actuators",   "damping",
      "limits",  "dry_friction", "equalities", "gyroscopic", "integration", "stabilisation",
      "elastic", "viscous",      "slip",       "springs",    "switched"};
  return names[static_cast<std::size_t>(account)];
}

/// Those of the forces in joints and ties, which dissipate or do no work.
inline constexpr std::array accounts_of_joints = {Account::equalities, Account::limits,
                                                  Account::dry_friction};

/// A sum that loses nothing to rounding but its last digits (Neumaier).
struct CompensatedSum {
  double sum = 0, rest = 0;

  void add(double x) {
    const double total = sum + x;
    rest += std::abs(sum) >= std::abs(x) ? (sum - total) + x : (x - total) + sum;
    sum = total;
  }
  [[nodiscard]] double value() const { return sum + rest; }
};

struct EnergyLedger {
  std::array<CompensatedSum, account_count> accounts;
  CompensatedSum kinetic_change, potential_change;
  double moved = 0;  ///< Σ |booked| [J]

  void book(Account account, double joules) {
    accounts[static_cast<std::size_t>(account)].add(joules);
    moved += std::abs(joules);
  }
  [[nodiscard]] double of(Account account) const {
    return accounts[static_cast<std::size_t>(account)].value();
  }
  [[nodiscard]] double change() const { return kinetic_change.value() + potential_change.value(); }
  /// What is not booked [J].
  [[nodiscard]] double closure() const {
    CompensatedSum all;
    for (const CompensatedSum& a : accounts) {
      all.add(-a.sum);
      all.add(-a.rest);
    }
    all.add(kinetic_change.value());
    all.add(potential_change.value());
    return all.value();
  }
};

}  // namespace tact
