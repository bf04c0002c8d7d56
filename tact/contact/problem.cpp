// contact/problem.cpp - the sizes and numbers of a contact problem, checked.
#include "tact/contact/problem.hpp"

#include <algorithm>
#include <cmath>

#include "tact/cone/patch.hpp"

namespace tact {
namespace {

std::string size_text(Index rows, Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

Error wrong_size(const std::string& field, Index is, Index wanted, const std::string& why) {
  return {Errc::value, field + " has " + std::to_string(is) + " entries, " +
                           std::to_string(wanted) + " are needed (" + why + ")"};
}

std::optional<Error> check_vector(const std::string& field, const VecX& v, Index wanted,
                                  const std::string& why, bool may_be_empty) {
  if (v.size() == 0 && may_be_empty) return std::nullopt;
  if (v.size() != wanted) return wrong_size(field, v.size(), wanted, why);
  if (!v.allFinite()) return Error{Errc::value, field + " has an entry that is not finite"};
  return std::nullopt;
}

std::optional<Error> check_matrix(const std::string& field, const SparseMatrix& m, Index rows,
                                  Index cols, const std::string& why) {
  if (m.rows() != rows || m.cols() != cols)
    return Error{Errc::value, field + " is " + size_text(m.rows(), m.cols()) + ", " +
                                  size_text(rows, cols) + " is needed (" + why + ")"};
  if (!all_finite(m)) return Error{Errc::value, field + " has an entry that is not finite"};
  return std::nullopt;
}

/// The patch of a law; null for points.
const PatchShape* patch_of(const Law& law) {
  if (const auto* patch = std::get_if<FrictionlessPatch>(&law)) return &patch->shape;
  if (const auto* patch = std::get_if<FrictionalPatch>(&law)) return &patch->shape;
  return nullptr;
}

std::optional<Error> check_contact(const Contact& contact, double dt, const std::string& place) {
  if (const auto law = validate(contact.law); !law)
    return Error{law.error().code, place + ": " + law.error().message};
  if (!std::isfinite(contact.restitution) || contact.restitution < 0)
    return Error{Errc::value, place + ": restitution must be a finite number, zero or more"};
  if (!std::isfinite(contact.gap) || !contact.gap_slope.allFinite())
    return Error{Errc::value, place + ": gap must be finite"};
  if (!contact.gap_slope.isZero(0) && patch_of(contact.law) == nullptr)
    return Error{Errc::value, place + ": only the gap of a patch has a slope, leave it out"};
  if (!(contact.stabilisation >= 0 && contact.stabilisation <= 1))
    return Error{Errc::value, place + ": stabilisation must lie between 0 and 1"};
  if (contact.has_gap() && !(dt > 0))
    return Error{Errc::value, place + ": a gap needs the step dt, give dt > 0 or leave gap out"};
  return std::nullopt;
}

std::optional<Error> check_mass_form(const ContactProblem& p, Index rows) {
  const Index dof = p.mass.rows();
  if (dof == 0) return Error{Errc::value, "mass is empty; give mass and rows, or delassus"};
  const std::string degrees = "one per degree of freedom";
  if (auto bad = check_matrix("mass", p.mass, dof, dof, "square")) return bad;
  if (auto bad = check_vector("velocity", p.velocity, dof, degrees, false)) return bad;
  if (auto bad = check_vector("impulse", p.impulse, dof, degrees, true)) return bad;
  if (auto bad = check_matrix("rows", p.rows, rows, dof, "contact rows by degrees of freedom"))
    return bad;
  return check_vector("excitation", p.excitation, rows, "one per contact row", true);
}

std::optional<Error> check_outcome(const ContactProblem& p) {
  if (!p.outcome) return std::nullopt;
  if (p.in_mass_form())
    if (auto bad = check_vector("outcome.velocity", p.outcome->velocity, p.dof(),
                                "one per degree of freedom", false))
      return bad;
  if (!p.outcome->impulses) return std::nullopt;
  const auto& impulses = *p.outcome->impulses;
  if (impulses.size() != p.contacts.size())
    return wrong_size("outcome.impulses", static_cast<Index>(impulses.size()),
                      static_cast<Index>(p.contacts.size()), "one list per contact");
  for (std::size_t i = 0; i < impulses.size(); ++i)
    if (auto bad = check_vector("outcome.impulses[" + std::to_string(i) + "]", impulses[i],
                                row_count(p.contacts[i].law), "one per contact row", false))
      return bad;
  return std::nullopt;
}

}  // namespace

std::string contact_name(const ContactProblem& problem, Index contact) {
  const std::string& own = problem.contacts[contact].name;
  return own.empty() ? std::to_string(contact) : own;
}

Index first_bounded(const ContactProblem& p) {
  for (std::size_t i = 0; i < p.contacts.size(); ++i)
    if (std::holds_alternative<BoundedLaw>(p.contacts[i].law)) return static_cast<Index>(i);
  return -1;
}

Vec3 gap_velocity(const Contact& contact, double dt) {
  if (!contact.has_gap()) return Vec3::Zero();
  if (std::holds_alternative<BoundedLaw>(contact.law))
    return Vec3(0, 0, contact.stabilisation * contact.gap / dt);
  // gap + slope.x = gap + ω_T.x^perp with x^perp = [x_y, -x_x].
  Vec3 twist(contact.gap_slope[1], -contact.gap_slope[0], contact.gap);
  double least = contact.gap;
  if (const PatchShape* shape = patch_of(contact.law); shape && !contact.gap_slope.isZero(0))
    if (const auto hull = convex_hull_of(*shape)) least = PatchCone(*hull).dual_margin(twist);
  twist[2] -= (1 - contact.stabilisation) * std::min(least, 0.0);
  return twist / dt;
}

std::vector<Index> row_offsets(const std::vector<Contact>& contacts) {
  std::vector<Index> offsets(1, 0);
  offsets.reserve(contacts.size() + 1);
  for (const Contact& contact : contacts)
    offsets.push_back(offsets.back() + row_count(contact.law));
  return offsets;
}

Result<bool> validate(const ContactProblem& p) {
  for (std::size_t i = 0; i < p.contacts.size(); ++i)
    if (auto bad = check_contact(p.contacts[i], p.dt, "contacts[" + std::to_string(i) + "]"))
      return *bad;
  const Index rows = row_offsets(p.contacts).back();
  if (p.in_mass_form()) {
    if (auto bad = check_mass_form(p, rows)) return *bad;
  } else {
    const std::string why = "one per contact row";
    if (p.delassus.rows() == 0 && rows > 0)
      return Error{Errc::value, "neither mass nor delassus is given"};
    if (auto bad = check_matrix("delassus", p.delassus, rows, rows, why)) return *bad;
    if (auto bad = check_vector("free_velocity", p.free_velocity, rows, why, false)) return *bad;
  }
  if (auto bad = check_outcome(p)) return *bad;
  return true;
}

}  // namespace tact
