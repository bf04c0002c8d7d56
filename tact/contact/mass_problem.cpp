// contact/mass_problem.cpp - the mass form made ready.
#include "tact/contact/mass_problem.hpp"

#include "tact/contact/delassus.hpp"

namespace tact {
namespace {

/// J_i M⁻¹ J_i' of every contact, as metrics.
void make_metrics(MassProblem& p) {
  Index count = 0;
  for (const LocalLaw& law : p.laws) {
    p.metric_at.push_back(count);
    count += metric_size(law);
  }
  p.metric_values.resize(static_cast<std::size_t>(count));
  std::vector<MatX> blocks;
  double sum = 0;
  for (Index i = 0; i < p.contacts(); ++i) {
    const SparseMatrix rows = p.J.middleRows(p.offset[i], p.laws[i].rows);
    blocks.emplace_back(p.factor.delassus(rows));
    sum += blocks.back().diagonal().cwiseAbs().sum();
  }
  p.diagonal = p.rows() > 0 ? sum / static_cast<double>(p.rows()) : 0;
  const double spare = p.diagonal > 0 ? p.diagonal : 1;
  for (Index i = 0; i < p.contacts(); ++i)
    make_local_metric(p.laws[i], blocks[i].data(), spare, p.metric_values.data() + p.metric_at[i]);
}

}  // namespace

Result<MassProblem> mass_problem(const ContactProblem& problem) {
  if (const auto valid = validate(problem); !valid) return valid.error();
  if (!problem.in_mass_form())
    return Error{Errc::value, "mass is missing; the mass form needs mass, velocity and rows"};
  auto factor = MassFactor::from(problem.mass, problem.mass_is_general);
  if (!factor) return factor.error();
  MassProblem p;
  p.factor = *std::move(factor);
  p.offset = row_offsets(problem.contacts);
  for (const Contact& contact : problem.contacts) p.laws.push_back(local_law(contact.law));
  p.M = problem.mass;
  p.J = problem.rows;
  p.f = p.M * problem.velocity;
  if (problem.impulse.size() > 0) p.f += problem.impulse;
  VecX before = contact_velocity(problem, problem.velocity);
  p.c = law_shift(problem, before);
  if (problem.excitation.size() > 0) p.c += problem.excitation;
  p.b = p.J * p.factor.solve(p.f) + p.c;
  make_metrics(p);
  return p;
}

void velocities(const MassProblem& p, const VecX& lambda, VecX& v, VecX& u) {
  v = p.factor.solve(p.f + p.J.transpose() * lambda);
  u = p.J * v + p.c;
}

JudgedContacts judged(const MassProblem& p) {
  return {p.laws, p.offset, p.metric_at, p.metric_values.data(), p.b, p.diagonal, 0};
}

}  // namespace tact
