// impact/law.hpp - the impact laws, as values, and what each makes of a contact problem.
//
// Frictionless, P+ = { u : γ(u) >= 0 }, e = diag(e_i) the contacts' own restitution, all
// projections in the metric M:
//     moreau             p = proj_{P+}(z),  u⁺ = p + e (p - z)                 one e for all
//     newton             0 <= λ ⟂ γ⁺ + e γ⁻ >= 0: z projected on { γ >= -e γ⁻ }
//     newton_clamped     the same with the targets max(0, -e γ⁻)
//     poisson            λ_C as for e = 0; then e λ_C; then what penetrates is projected away
//     fremond            λ = -∂Φ((γ⁺ + γ⁻)/2),  Φ = k/2 min(., 0)² and no penetration
//     generalized_reflections   reflected at all approaching contacts together, until none does
//     sequential         one contact after the other, the fastest first, each with its e
// Contact work W = ½(γ⁺ + γ⁻).λ of each, and where it is never positive: docs/impact-laws.md.
// A patch is the set of its corners, so a polygon moves as its corner points do; not with the k
// that fremond takes by default, which is of the contact.
//
// With friction: moreau with e = 0, newton (e acts on the normal rows) and poisson, whose expansion
// gives every contact e λ_C of normal load at least, and friction of its own against the velocity
// at the end, bounded by the load of the expansion. Other laws say undefined_for_law.
//
// Without friction u⁺ is unique for all laws but sequential, where of contacts that approach
// equally fast the first in the list goes first; for poisson because redundant contacts share λ_C
// as evenly as they can, Σ G_jj λ_j² least. For fremond an e of one makes k infinite and the target
// that of newton_clamped, which may contradict others. With friction nothing is unique.
// Reference: [Glocker] Sec. 3, 5.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tact/base/result.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/contact/problem.hpp"

namespace tact {

struct Moreau {
  double e = 0;  ///< of all contacts together; the contacts' own are not used
  bool operator==(const Moreau&) const = default;
};
struct Newton {
  bool operator==(const Newton&) const = default;
};
struct NewtonClamped {
  bool operator==(const NewtonClamped&) const = default;
};
struct Poisson {
  bool operator==(const Poisson&) const = default;
};
struct Fremond {
  /// [kg] of every point and every corner; without it k_i = 2/G_ii (1 + e_i)/(1 - e_i), a matrix
  /// for a patch, which gives one contact alone the restitution e_i: it moves as with moreau and
  /// that e unless a part of it opens before.
  std::optional<double> k;
  bool operator==(const Fremond&) const = default;
};
struct GeneralizedReflections {
  double blend = 1;  ///< c in u⁺ = c u_GR + (1 - c) p, 0 ... 1; the contacts' own e are not used
  bool operator==(const GeneralizedReflections&) const = default;
};
struct Sequential {
  bool operator==(const Sequential&) const = default;
};

using ImpactLaw = std::variant<Moreau, Newton, NewtonClamped, Poisson, Fremond,
                               GeneralizedReflections, Sequential>;

/// `moreau`, `newton`, `newton_clamped`, `poisson`, `fremond`, `generalized_reflections`,
/// `sequential`.
[[nodiscard]] std::string_view name(const ImpactLaw& law);
/// The law of that name with its own defaults; the sentence of refusal lists the names.
[[nodiscard]] Result<ImpactLaw> impact_law(std::string_view name);

enum class ImpactStatus {
  solved,
  no_solution,        ///< `ray` proves it
  does_not_end,       ///< impacts in a row that go on for ever; `ray`: P+ has no interior
  not_converged,      ///< the velocity is the best that was found
  undefined_for_law,  ///< the law says nothing about such contacts
};
[[nodiscard]] std::string_view name(ImpactStatus status);

struct ImpactOptions {
  int max_events = 20'000;  ///< impacts in a row
  /// With friction: where the search for λ (poisson: for λ_C) starts; a solution is kept, so that
  /// each of several can be had. Empty: zero.
  VecX start;
  double tolerance = tolerance::solved;  ///< with friction: of the residual that counts as solved
  /// With friction, polygonal laws: count the solutions exactly. Costly, see all_solutions.hpp.
  bool count_solutions = false;
};

struct ImpactOutcome {
  ImpactStatus status = ImpactStatus::not_converged;
  VecX velocity;                 ///< u⁺; z where there is none; after the last event
  VecX impulses;                 ///< λ, one per row; zero where there is no u⁺
  VecX gamma_minus, gamma_plus;  ///< relative velocities, one per row, before (at z) and after
  VecX compression;              ///< of poisson: λ_C
  double work = 0;               ///< W = γ⁻.λ + ½|u⁺ - z|² = ½(γ⁺ + γ⁻).λ [J]
  double work_size =
      0;  ///< ½|u⁺ - z|² + Σ|γ⁻λ| [J]; W > tolerance::contact_work work_size is a gain
  int events = 0;                ///< impacts in a row, or iterations of the solver
  double momentum_residual = 0;  ///< see residual.hpp
  /// no_solution: loads with J'ray = 0, so that ray.γ(u) is the same for every u, below what the
  /// targets ask; with targets zero it is a jam. does_not_end: J'ray = 0 and ray.γ = 0 to
  /// tolerance::thin, so that γ > 0 is impossible.
  VecX ray;
  /// Connected sets of solutions with friction (poisson: of the compression), where counted.
  std::optional<Index> solutions;
  std::string why;  ///< one sentence where the status is not solved
};

/// Refuses what impact_frame() refuses, and a law with parameters out of range. Options are always
/// given: with two arguments the law's std::variant would call std::apply.
[[nodiscard]] Result<ImpactOutcome> apply(const ContactProblem& problem, const ImpactLaw& law,
                                          const ImpactOptions& options);

}  // namespace tact
