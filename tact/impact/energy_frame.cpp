// impact/energy_frame.cpp - the mass factored, the rows divided by it, the pushes listed.
#include "tact/impact/energy_frame.hpp"

#include <cmath>

#include <Eigen/SparseCholesky>

#include "tact/base/expects.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/impact/impulse_cone.hpp"

namespace tact {
namespace {

using ByColumns = Eigen::SparseMatrix<double>;

Result<ByColumns> lower_factor(const SparseMatrix& mass) {
  const ByColumns by_columns = mass;
  const Eigen::SimplicialLLT<ByColumns, Eigen::Lower, Eigen::NaturalOrdering<int>> llt(by_columns);
  if (llt.info() != Eigen::Success)
    return Error{Errc::value, "mass must be positive definite; check the inertias"};
  return ByColumns(llt.matrixL());
}

/// The normal rows of contact i that a push acts on, moments first.
void for_rows(const ImpactFrame& f, const Push& push, const auto& visit) {
  const RowSplit& split = f.split[push.contact];
  for (Index k = 0; k < split.normal_count; ++k)
    visit(f.offset[push.contact] + split.normal[k], push.load[3 - split.normal_count + k]);
}

void list_pushes(const ContactProblem& p, ImpactFrame& f) {
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const auto contact = static_cast<Index>(i);
    if (!f.laws[i].is_patch()) {
      f.pushes.push_back({contact});
      continue;
    }
    for (const Vec2& x : f.laws[i].patch->cone.hull().vertices())
      f.pushes.push_back({contact, load_at(x)});
  }
  const auto count = static_cast<Index>(f.pushes.size());
  f.columns.setZero(f.rows.rows(), count);
  f.approach.setZero(count);
  f.restitution.resize(count);
  for (Index j = 0; j < count; ++j) {
    for_rows(f, f.pushes[j], [&](Index row, double share) {
      f.columns.col(j) += share * f.rows.col(row);
      f.approach[j] += share * f.gamma[row];
    });
    f.restitution[j] = p.contacts[f.pushes[j].contact].restitution;
  }
}

/// Whether the contact can only push: no friction, or a coefficient of zero.
bool is_frictionless(const Law& law) {
  if (const auto* rolling = std::get_if<RollingLaw>(&law))
    return rolling->mu == 0 && rolling->rolling == 0 && rolling->spinning == 0;
  return friction_of(law) == 0;
}

}  // namespace

VecX ImpactFrame::velocity(const VecX& y) const {
  const VecX change = lower.transpose().triangularView<Eigen::Upper>().solve(y);
  return before + change;
}

VecX ImpactFrame::impulses(const VecX& sizes) const {
  TACT_EXPECTS(sizes.size() == static_cast<Index>(pushes.size()));
  VecX lambda = VecX::Zero(gamma.size());
  for (Index j = 0; j < sizes.size(); ++j)
    for_rows(*this, pushes[j], [&](Index row, double share) { lambda[row] += share * sizes[j]; });
  return lambda;
}

Result<ImpactFrame> impact_frame(const ContactProblem& p) {
  if (const auto valid = validate(p); !valid) return valid.error();
  if (!p.in_mass_form())
    return Error{Errc::value,
                 "an impact needs the mass form: in Delassus form the free velocity hides what the "
                 "contacts did before; give mass, velocity and rows"};
  if (const Index bounded = first_bounded(p); bounded >= 0) return no_bounded_rows(bounded);
  const auto mass = MassFactor::from(p.mass, false);
  if (!mass) return mass.error();
  auto lower = lower_factor(p.mass);
  if (!lower) return lower.error();
  ImpactFrame f;
  f.lower = *std::move(lower);
  f.offset = row_offsets(p.contacts);
  f.before = p.velocity;
  if (p.impulse.size() > 0) f.before += mass->solve(p.impulse);
  f.gamma = contact_velocity(p, f.before);
  const MatX transposed = MatX(p.rows.transpose());
  f.rows = f.lower.triangularView<Eigen::Lower>().solve(transposed);
  for (const Contact& contact : p.contacts) {
    f.laws.push_back(local_law(contact.law));
    f.split.push_back(row_split(contact.law));
    f.frictionless = f.frictionless && is_frictionless(contact.law);
    const LocalLaw& law = f.laws.back();
    const bool corners =
        !law.is_patch() || law.patch->cone.hull().kind() == PlanarSet::Kind::polygon;
    f.polyhedral = f.polyhedral && corners;
  }
  f.polyhedral = f.polyhedral && f.frictionless;
  if (f.polyhedral) list_pushes(p, f);
  return f;
}

ContactProblem at_impact(const ContactProblem& p, const ImpactFrame& f, double factor) {
  ContactProblem out = p;
  out.velocity = f.before;
  out.impulse.resize(0);
  out.outcome.reset();
  for (Contact& contact : out.contacts) {
    contact.gap = 0;
    contact.restitution *= factor;
  }
  return out;
}

ImpactMotion motion_of(const ImpactFrame& f, const VecX& lambda) {
  TACT_EXPECTS(lambda.size() == f.gamma.size());
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  Long y = Long::Zero(f.rows.rows());
  long double work = 0, size = 0;
  for (Index r = 0; r < lambda.size(); ++r) {
    const auto l = static_cast<long double>(lambda[r]);
    if (l == 0) continue;
    for (Index d = 0; d < y.size(); ++d) y[d] += static_cast<long double>(f.rows(d, r)) * l;
    const long double power = static_cast<long double>(f.gamma[r]) * l;
    work += power;
    size += std::abs(power);
  }
  const long double kinetic = y.squaredNorm() / 2;
  ImpactMotion out;
  out.y = y.cast<double>();
  out.work = static_cast<double>(work + kinetic);
  out.size = static_cast<double>(size + kinetic);
  out.gamma_plus = f.gamma + f.rows.transpose() * out.y;
  return out;
}

}  // namespace tact
