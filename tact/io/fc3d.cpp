#include "tact/io/fc3d.hpp"

#include <algorithm>
#include <vector>

#include "tact/contact/delassus.hpp"

namespace tact {

namespace {

Error refused(const std::string& sentence) {
  return {Errc::value, sentence};
}

/// S x is x in tact's order; with rolling, six rows for the file's five, that of spinning empty.
SparseMatrix selection(Index contacts, Index dim) {
  constexpr Index rolling_rows[] = {5, 3, 4, 0, 1};
  const Index kept = dim == rolling_dim ? 6 : dim;
  SparseMatrix s(kept * contacts, dim * contacts);
  std::vector<Eigen::Triplet<double>> ones;
  for (Index i = 0; i < dim * contacts; ++i) {
    const Index row =
        dim == rolling_dim ? kept * (i / dim) + rolling_rows[i % dim] : normal_last(i, dim);
    ones.emplace_back(static_cast<int>(row), static_cast<int>(i), 1.0);
  }
  s.setFromTriplets(ones.begin(), ones.end());
  return s;
}

std::optional<Error> check_sizes(const Fc3d& p) {
  if (p.dim != 2 && p.dim != 3 && p.dim != rolling_dim)
    return refused("the dimension is " + std::to_string(p.dim) + "; 2, 3 and 5 are read");
  if (p.dim == rolling_dim && p.rolling.size() != p.contact_count())
    return refused("the dimension is 5, which needs a vector mur of " +
                   std::to_string(p.contact_count()) + " rolling coefficients");
  const Index rows = p.dim * p.contact_count();
  const Index dof = p.M.rows();
  const std::string per_row = std::to_string(rows) + " contact rows";
  if (p.M.rows() != p.M.cols()) return refused("the matrix M is not square");
  if (!p.global && dof != rows)
    return refused("the matrix W has " + std::to_string(dof) + " rows for " + per_row);
  if (p.b.size() != rows)
    return refused("the vector of free velocities has " + std::to_string(p.b.size()) +
                   " entries for " + per_row);
  if (p.global && (p.H.rows() != dof || p.H.cols() != rows))
    return refused("the matrix H is " + std::to_string(p.H.rows()) + " x " +
                   std::to_string(p.H.cols()) + " for " + std::to_string(dof) +
                   " degrees of freedom and " + per_row);
  if (p.global && p.f.size() != dof)
    return refused("the vector f has " + std::to_string(p.f.size()) + " entries for " +
                   std::to_string(dof) + " degrees of freedom");
  return std::nullopt;
}

std::optional<Error> check_numbers(const Fc3d& p) {
  if (!all_finite(p.M)) return refused("the matrix M has an entry that is not finite");
  if (!all_finite(p.H)) return refused("the matrix H has an entry that is not finite");
  if (!p.f.allFinite()) return refused("the vector f has an entry that is not finite");
  if (!p.b.allFinite())
    return refused("the vector of free velocities has an entry that is not finite");
  for (Index i = 0; i < p.mu.size(); ++i)
    if (!(p.mu[i] >= 0) || !std::isfinite(p.mu[i]))
      return refused("mu[" + std::to_string(i) + "] is not a finite number, zero or more");
  for (Index i = 0; i < p.rolling.size(); ++i)
    if (!(p.rolling[i] >= 0) || !std::isfinite(p.rolling[i]))
      return refused("mur[" + std::to_string(i) + "] is not a finite number, zero or more");
  return std::nullopt;
}

Result<std::optional<Outcome>> outcome_of(const Fc3d& p, const SparseMatrix& order) {
  const Index rows = order.cols();
  if (p.r.size() == 0 || (p.global && p.v.size() == 0)) return std::optional<Outcome>();
  if (p.r.size() != rows || (p.global && p.v.size() != p.M.rows()))
    return refused("the solution does not have the size of the problem");
  if (!p.r.allFinite() || !p.v.allFinite())
    return refused("the solution has an entry that is not finite");
  const VecX r = order * p.r;
  Outcome outcome;
  outcome.velocity = p.v;
  outcome.impulses.emplace();
  const Index kept = p.contact_count() > 0 ? r.size() / p.contact_count() : 1;
  for (Index row = 0; row < r.size(); row += kept)
    outcome.impulses->push_back(r.segment(row, kept));
  return std::optional<Outcome>(outcome);
}

/// Whether all contacts have planar Coulomb friction, or none; refuses everything else.
Result<bool> all_planar(const std::vector<Contact>& contacts) {
  bool planar = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto* law = std::get_if<CoulombLaw>(&contacts[i].law);
    const std::string place = "contacts[" + std::to_string(i) + "]";
    if (law == nullptr)
      return refused(place + " is " + std::string(name(contacts[i].law)) +
                     "; this format has Coulomb friction at points only");
    if (i > 0 && law->planar != planar)
      return refused(place + (law->planar ? " is planar" : " is not planar") +
                     " unlike those before; this format has one dimension for all");
    planar = law->planar;
  }
  return planar;
}

}  // namespace

Result<ContactProblem> from_normal_first(const Fc3d& p) {
  if (auto bad = check_sizes(p)) return *bad;
  if (auto bad = check_numbers(p)) return *bad;
  const SparseMatrix order = selection(p.contact_count(), p.dim);
  ContactProblem out;
  out.name = p.name;
  out.contacts.resize(static_cast<std::size_t>(p.contact_count()));
  for (Index i = 0; i < p.contact_count(); ++i) {
    if (p.dim == rolling_dim)
      out.contacts[i].law = RollingLaw{p.mu[i], p.rolling[i], 0};
    else
      out.contacts[i].law = CoulombLaw{p.mu[i], p.dim == 2};
  }
  if (p.global) {
    out.mass = p.M;
    out.mass_is_general = true;
    out.velocity = VecX::Zero(p.M.rows());
    out.impulse = p.f;
    const SparseMatrix rows = p.H.transpose();
    out.rows = order * rows;
    out.excitation = order * p.b;
  } else {
    const SparseMatrix rows = order * p.M;
    const SparseMatrix back = order.transpose();
    out.delassus = rows * back;
    out.free_velocity = order * p.b;
  }
  auto outcome = outcome_of(p, order);
  if (!outcome) return outcome.error();
  out.outcome = *outcome;
  return out;
}

Result<Fc3d> normal_first(const ContactProblem& p) {
  if (const auto valid = validate(p); !valid) return valid.error();
  const auto planar = all_planar(p.contacts);
  if (!planar) return planar.error();
  Fc3d out;
  out.name = p.name;
  out.global = p.in_mass_form();
  out.dim = *planar ? 2 : 3;
  out.mu.resize(static_cast<Index>(p.contacts.size()));
  for (Index i = 0; i < out.mu.size(); ++i)
    out.mu[i] = friction_of(p.contacts[static_cast<std::size_t>(i)].law);
  const SparseMatrix back =
      selection(out.mu.size(), out.dim);  // its transpose puts the normal first
  const SparseMatrix order = back.transpose();
  if (out.global) {
    out.M = p.mass;
    const SparseMatrix rows = order * p.rows;
    out.H = rows.transpose();
    out.f = p.velocity.isZero(0) ? VecX(VecX::Zero(p.dof())) : VecX(p.mass * p.velocity);
    if (p.impulse.size() > 0) out.f += p.impulse;
    const VecX before = contact_velocity(p, p.velocity);
    VecX bias = law_shift(p, before);
    if (p.excitation.size() > 0) bias += p.excitation;
    out.b = order * bias;
  } else {
    const SparseMatrix rows = order * p.delassus;
    out.M = rows * back;
    out.b = order * p.free_velocity;
  }
  if (p.outcome && p.outcome->impulses) {
    out.v = p.outcome->velocity;
    VecX r(order.cols());
    for (std::size_t i = 0; i < p.contacts.size(); ++i)
      r.segment(static_cast<Index>(i) * out.dim, out.dim) = (*p.outcome->impulses)[i];
    out.r = order * r;
  }
  return out;
}

}  // namespace tact
