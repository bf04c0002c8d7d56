// impact/repair.hpp - an impact that gains energy or penetrates, brought back by its impulses
// alone.
//
// In the space of impulses everything an honest impact needs is convex, with one quadratic:
//     λ in K,     γ_N⁺ = (γ⁻ + G λ)_N in K_N*,     W = γ⁻.λ + ½ λ'Gλ <= 0.
// Momentum stays exact, because only impulses change; scaling velocities would break it.
//
// Line: λ(s) = λ0 + s (λ* - λ0) from the inelastic impact λ0 of the same contacts, with W(λ0) <= 0,
// towards the wanted λ*; the largest s <= 1 with W <= 0 is the root of a quadratic. All conditions
// but W hold on the line when they hold at λ*. For one contact with Newton's law and any friction
// that sticks, it is the largest admissible restitution.
//
// Nearest: min ½|u(λ) - u*|²_M under the conditions. With μ the multiplier of W <= 0, for fixed μ
// a quadratic program; laws with polygonal cones pivot it and search μ by its sign of W, all digits
// there are. Friction discs and elliptic hulls make it a second-order cone program.
// Both are possible exactly when some velocity is admissible. Reference: [Glocker] Sec. 8.
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"

namespace tact {

enum class RepairMethod { none, line, nearest };
/// `none`, `line`, `nearest`.
[[nodiscard]] std::string_view name(RepairMethod method);

enum class RepairStatus {
  repaired,       ///< the impulses satisfy the conditions
  not_needed,     ///< they did
  impossible,     ///< no velocity is admissible, or no inelastic impact was found to start from
  not_converged,  ///< the program was not solved
  unsupported,    ///< a cone has no such program: patches with friction
};
[[nodiscard]] std::string_view name(RepairStatus status);

struct Repair {
  RepairStatus status = RepairStatus::not_converged;
  RepairMethod method = RepairMethod::none;
  VecX impulses;           ///< one per row
  VecX velocity;           ///< u⁺ of these impulses
  VecX gamma_plus;         ///< one per row
  double share = 1;        ///< s of the line
  double distance = 0;     ///< |u⁺ - u*|_M [J^½]
  double work_before = 0;  ///< W of the wanted impulses; of a wanted velocity it is not known: zero
  double work_after = 0;   ///< W [J]
  double work_size = 0;    ///< ½|u⁺ - z|² + Σ|γ⁻λ| of the answer
  std::string why;         ///< one sentence when neither repaired nor not_needed
};

/// Whether λ meets all three conditions, up to tolerance::contact_work of their terms.
struct RepairNeed {
  bool pulls = false;       ///< λ is not in K
  bool penetrates = false;  ///< γ_N⁺ is not in K_N*
  bool gains = false;       ///< W > 0
  [[nodiscard]] bool any() const { return pulls || penetrates || gains; }
};
[[nodiscard]] Result<RepairNeed> repair_need(const ContactProblem& problem, const VecX& impulses);

/// On the line where only energy is wrong, else the nearest.
[[nodiscard]] Result<Repair> repair(const ContactProblem& problem, const VecX& impulses);

/// λ0 and λ* are in K and do not penetrate, W(λ0) <= 0.
[[nodiscard]] Result<Repair> repair_on_line(const ContactProblem& problem, const VecX& inelastic,
                                            const VecX& impulses);

/// Of a velocity, whoever claims it and whatever impulses it had. `cones`: by the cone program
/// whatever the laws, a cross-check.
[[nodiscard]] Result<Repair> repair_to_nearest(const ContactProblem& problem, const VecX& velocity,
                                               bool cones = false);

}  // namespace tact
