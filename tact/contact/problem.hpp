// contact/problem.hpp - one contact problem, as plain data: the room where every guest meets.
//
// Either in mass form, as robots and scenes give it,
//     M (u⁺ - u⁻) = p + J'λ,     γ = J u⁺ + χ        the relative velocity of every contact row,
//     law(λ, γ + e γ⁻ + s),      γ⁻ = J u⁻ + χ,      e and s on the rows of the normal load only,
// or in Delassus form, as a researcher's matrices give it,
//     law(λ, G λ + b),           G = J M⁻¹ J',       b = J (u⁻ + M⁻¹ p) + χ + e γ⁻ + s.
// The stabilisation s = max(gap, 0)/dt + stabilisation min(gap, 0)/dt lets an open contact close
// during the step and takes back a share of a penetration. Over a patch the gap is an affine
// function gap(x) = gap + slope.x of the point x of its frame, an element of the space of [ω_T,
// v_N]; where its least value is negative, it is lifted until `stabilisation` of that is left.
// A bounded row has no normal load: e is of no account, its gap is the error of an equation, of
// either sign, and s = stabilisation gap/dt on the row itself.
//
// Units: SI. λ [N s] and [N m s], u and γ [m/s] and [rad/s].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/law.hpp"
#include "tact/linalg/sparse.hpp"

namespace tact {

struct Contact {
  std::string name;  ///< may be empty
  Law law;
  double restitution = 0;    ///< e, of the normal rows
  double gap = 0;            ///< [m], positive when open; of a patch: at the origin of its frame;
                             ///< of a bounded row: the error of its equation [m] or [rad]
  double stabilisation = 0;  ///< the share of a penetration taken back in one step, 0 ... 1
  Vec2 gap_slope = Vec2::Zero();  ///< of a patch: the gradient of the gap over it [m/m]

  [[nodiscard]] bool has_gap() const { return gap != 0 || !gap_slope.isZero(0); }
};

/// What somebody claims to be the answer; judged, never trusted.
struct Outcome {
  VecX velocity;                              ///< u⁺; empty in Delassus form
  std::optional<std::vector<VecX>> impulses;  ///< one vector per contact
};

struct ContactProblem {
  std::string name;
  std::vector<Contact> contacts;

  // ---- mass form: `rows` has one column per degree of freedom
  SparseMatrix mass;             ///< M [dof x dof]; symmetric positive definite
  bool mass_is_general = false;  ///< M is any regular matrix, as FCLIB's global form allows
  VecX velocity;                 ///< u⁻
  VecX impulse;                  ///< p; empty means zero
  SparseMatrix rows;             ///< J, contact after contact
  VecX excitation;               ///< χ, one per row; empty means zero
  double dt = 0;                 ///< [s]; needed only where a gap is given

  // ---- Delassus form: instead of all of the above
  SparseMatrix delassus;  ///< G; may be non-symmetric (a linearised gyroscopic term makes it so)
  VecX free_velocity;     ///< b, with excitation and restitution already in it

  std::optional<Outcome> outcome;

  [[nodiscard]] bool in_mass_form() const { return delassus.rows() == 0 && mass.rows() > 0; }
  [[nodiscard]] Index dof() const { return mass.rows(); }
};

/// What the contact is called: by its name, or by its number.
[[nodiscard]] std::string contact_name(const ContactProblem& problem, Index contact);

/// The first row of every contact, and the number of rows at the end.
[[nodiscard]] std::vector<Index> row_offsets(const std::vector<Contact>& contacts);

/// The first contact with a bounded row, -1 without one: for floors that know cones of loads only.
[[nodiscard]] Index first_bounded(const ContactProblem& problem);

/// s on the rows of the normal load, as [ω_T, v_N]; of a point and of a bounded row the last alone
/// counts. dt [s] > 0 where the contact has a gap.
[[nodiscard]] Vec3 gap_velocity(const Contact& contact, double dt);

/// Refuses sizes that do not fit, numbers that are not finite, a law that makes no sense. Whether
/// the mass is positive definite shows when it is factored: reduced.hpp.
/// The sentence names the field and, for contacts, their index.
[[nodiscard]] Result<bool> validate(const ContactProblem& problem);

}  // namespace tact
