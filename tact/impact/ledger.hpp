// impact/ledger.hpp - the books of one step: where the kinetic energy came from and where it went.
//
// Somebody says that a step took u⁻ to u⁺ with the contact impulses λ. With z = u⁻ + M⁻¹ p, what
// the smooth impulse alone would have left, and γ~ = γ + s, what the stabilisation s makes of the
// relative velocity γ(u) = J u + χ, the energy is kept in four accounts:
//     T⁺ - T⁻ = W_force + W_contact + W_stab + W_wall,
//     W_force   = ½ p'(u⁻ + z)               the smooth forces,
//     W_contact = ½ (γ~(u⁺) + γ~(z))'λ       the contacts; a consistent law keeps it below zero,
//     W_stab    = -s'λ                       the correction of gaps,
//     W_wall    = -χ'λ                       the drives of what moves without mass.
// Contact work is that of [Glocker] 3. Each account has its formula and none is a remainder: what
// is left over is the error of whoever wrote the step down.
//
// The smooth impulse acts first (sequential split). Splitting at the average velocity moves work
// between the first two accounts and shows energy from contacts that give none: it stands beside.
//
// Relative velocities come from γ(u⁻) and from differences of velocities, never from χ alone: a
// frame that moves at 1e6 m/s then costs six digits of W_contact, not all.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tact/base/tolerance.hpp"
#include "tact/contact/local_law.hpp"
#include "tact/contact/problem.hpp"

namespace tact {

/// A number that should be zero, or not positive, and what decides whether it is.
struct Figure {
  double amount = 0;
  double scale = 0;     ///< of the same unit, independent of the frame where that is possible
  double rounding = 0;  ///< what the digits of the data leave open

  [[nodiscard]] double slack(double tolerance) const { return tolerance * scale + rounding; }
  [[nodiscard]] double relative() const { return scale > 0 ? std::abs(amount) / scale : 0; }
};

struct ContactLedger {
  double work = 0;           ///< its share of W_contact [J]
  double friction = 0;       ///< of which the friction rows
  double wall = 0;           ///< its share of W_wall [J]
  double stabilisation = 0;  ///< its share of W_stab [J]
  double normal_impulse = 0;
  double opening = 0;  ///< normal velocity after, plus gap/dt when open; negative: it penetrates,
                       ///< or a bounded row moves that no bound lets
  double cone_margin = 0;  ///< [N s], negative outside the cone; moments over their own length
  /// Load times what should be zero under it, N.(γ~(u⁺) + e γ⁻) [J].
  double complementarity = 0;
  double speed = 0;       ///< the largest |γ~| of a row in m/s, at z or at u⁺
  double slip_power = 0;  ///< T.τ(u⁺) [J]: positive when friction pushes along the slip
};

enum class WorkVerdict { dissipative, generating };
/// `dissipative`, `generating`.
[[nodiscard]] std::string_view name(WorkVerdict verdict);

struct StepLedger {
  double T_minus = 0, T_free = 0, T_plus = 0;
  double change = 0;  ///< T⁺ - T⁻, from the change of the velocities
  double W_force = 0, W_contact = 0, W_stab = 0, W_wall = 0;
  double W_force_average = 0, W_contact_average = 0;  ///< split at (u⁺ + u⁻)/2; the same sum
  /// W_force + ΔV, what integrating the positions adds to T + V; where ΔV is known.
  std::optional<double> W_integration;

  Figure closure;        ///< change minus the accounts [J]; the scale is the energy that was moved
  Figure work;           ///< W_contact over ½|u⁺ - z|² + Σ|γ~(z) λ|
  Figure momentum;       ///< |M (u⁺ - u⁻) - p - J'λ| in the metric diag(M)⁻¹ [J^½]
  Index worst_dof = -1;  ///< the degree of freedom whose momentum is worst
  double worst_dof_error = 0;  ///< its missing impulse

  double impulse_scale = 0;  ///< the largest normal impulse
  /// Of an impulse outside its cone [N s]: the largest normal impulse, or what p or M (u⁺ - u⁻) of
  /// the bodies of a contact are worth along its normal; an impulse that is noise alone in its step
  /// is not its own measure.
  double cone_scale = 0;
  double cone_rounding = 0;      ///< what the digits of u⁻ leave open of any impulse
  double velocity_scale = 0;     ///< the largest |γ~| of a normal row, before or after
  double velocity_rounding = 0;  ///< what the digits leave open of any γ

  std::vector<ContactLedger> contacts;

  /// A verdict on the impulses as they are; no other distribution is looked for.
  [[nodiscard]] WorkVerdict verdict_actual(double tolerance = tolerance::contact_work) const {
    return work.amount > work.slack(tolerance) ? WorkVerdict::generating : WorkVerdict::dissipative;
  }
  /// Σ of the four accounts.
  [[nodiscard]] double booked() const { return W_force + W_contact + W_stab + W_wall; }
};

/// What is said to have happened; views of the caller's vectors.
struct StepClaim {
  const VecX& free;                        ///< z
  const VecX& after;                       ///< u⁺
  const VecX& lambda;                      ///< contact after contact
  std::optional<double> potential_change;  ///< ΔV over the step
};

/// Four numbers of every degree of freedom.
using FreedomTable = Eigen::Matrix<double, 4, Eigen::Dynamic>;

/// Scratch; dirty is fine. Nothing is allocated in a second call of the same size.
struct LedgerWorkspace {
  FreedomTable motion;    ///< u⁻, z - u⁻, u⁺ - z, the larger of |u⁻| and |u⁺|
  FreedomTable momentum;  ///< M times the first three, 1/diag(M)
  VecX gained;            ///< J'λ
  VecX smooth;            ///< p
  LocalWorkspace local;
};

/// O(entries of M and J). The problem is in mass form and valid, its mass symmetric; `laws` are its
/// contacts' local laws (local_law, or those of a DelassusProblem).
void step_ledger(const ContactProblem& problem, std::span<const LocalLaw> laws,
                 const StepClaim& claim, LedgerWorkspace& work, StepLedger& ledger);
/// With laws and a workspace of its own.
[[nodiscard]] StepLedger step_ledger(const ContactProblem& problem, const StepClaim& claim);

/// How deep λ lies in the cone of one contact [N s]; negative outside. Friction moments count over
/// the lengths that bound them, the moments of a patch over its radius. Of the friction of a patch
/// only the distance outside is told: what lies inside counts as zero.
[[nodiscard]] double cone_margin(const LocalLaw& law, const double* lambda, LocalWorkspace& work);

}  // namespace tact
