// impact/audit.hpp - a run judged step by step: what was violated, where it was worst, and where
// the energy went.
//
// Every verdict follows from a step's ledger alone, so that any engine can be asked:
//     momentum         M (u⁺ - u⁻) = p + J'λ,
//     cone             λ lies in its friction cone; a pulling contact does not,
//     complementarity  a contact that carries load has γ~⁺ + e γ⁻ = 0,
//     penetration      a closed contact does not close further, an open one not beyond its gap,
//     dissipation      the contacts together give no energy, W_contact <= 0,
//     friction         the friction of a contact does not push along its slip,
//     closure          the accounts add up to T⁺ - T⁻,
//     consistency      on request: whether any impulses explain u⁺ without giving energy.
// Each is judged against the scale of its own step, never against T, which depends on the frame.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tact/impact/ledger.hpp"

namespace tact {

enum class Violation {
  momentum,
  cone,
  complementarity,
  penetration,
  dissipation,
  friction,
  closure,
  consistency
};
inline constexpr std::array all_violations = {Violation::momentum,        Violation::cone,
                                              Violation::complementarity, Violation::penetration,
                                              Violation::dissipation,     Violation::friction,
                                              Violation::closure,         Violation::consistency};
/// The words above.
[[nodiscard]] std::string_view name(Violation violation);
/// Of the amount: N s, J, m/s; of momentum the unit of its degree of freedom, N s or N m s.
[[nodiscard]] std::string_view unit(Violation violation);

/// The worst offence of one kind in one step.
struct Finding {
  double amount = 0;   ///< by how much, positive
  double limit = 0;    ///< the most that would have been accepted
  Index contact = -1;  ///< who; -1 when it is the whole step
  Index dof = -1;      ///< of momentum

  /// How many times the limit.
  [[nodiscard]] double excess() const;
};
using StepFindings = std::array<std::optional<Finding>, all_violations.size()>;

/// All but `consistency`.
[[nodiscard]] StepFindings judge(const StepLedger& ledger, double tolerance = tolerance::audit);

/// A finding and the step it stands in.
struct PlacedFinding {
  Finding finding;
  Index step = 0;
  double time = 0;
  std::string contact;  ///< its name, or its number where it has none; empty for a whole step
};

struct ViolationCount {
  Index steps = 0;  ///< how many have it
  Index first = 0;  ///< the first of them
  PlacedFinding worst;
};

/// The accounts of a run: the sums of those of its steps [J].
struct RunLedger {
  double force = 0, contact = 0, stabilisation = 0, wall = 0;
  double friction = 0;                ///< part of `contact`
  std::optional<double> integration;  ///< Σ (W_force + ΔV), where V is known
  double change = 0;                  ///< Σ (T⁺ - T⁻)
  double between = 0;        ///< Σ of what T gained between a step's end and the next one's start
  double T_first = 0;        ///< before the first step
  double T_last = 0;         ///< after the last
  double closure = 0;        ///< Σ of what is not booked
  double worst_closure = 0;  ///< the largest relative one of a step
};

struct Audit {
  Index steps = 0;
  double start = 0, end = 0;  ///< times of the first and the last step
  std::array<ViolationCount, all_violations.size()> violations;
  RunLedger ledger;
  double deepest = 0;          ///< the most negative gap [m]
  double largest_impulse = 0;  ///< normal [N s]

  [[nodiscard]] const ViolationCount& of(Violation v) const {
    return violations[static_cast<std::size_t>(v)];
  }
  [[nodiscard]] bool clean() const;
  /// The kind whose worst finding exceeds its limit most; nothing when clean.
  [[nodiscard]] std::optional<Violation> worst() const;
};

/// A step of the run: who, when, and what its books and its judges say.
struct AuditedStep {
  Index step = 0;
  double time = 0;
  const ContactProblem& problem;
  const StepLedger& ledger;
  const StepFindings& findings;
};
void add_step(Audit& audit, const AuditedStep& step);

}  // namespace tact
