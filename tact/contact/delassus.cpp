// contact/delassus.cpp - from mass and rows to G and b.
#include "tact/contact/delassus.hpp"

#include <algorithm>

#include "tact/base/expects.hpp"

namespace tact {

VecX law_shift(const ContactProblem& p, const VecX& before) {
  VecX shift = VecX::Zero(before.size());
  const auto offset = row_offsets(p.contacts);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const Contact& contact = p.contacts[i];
    const RowSplit rows = row_split(contact.law);
    for (Index k = 0; k < rows.normal_count; ++k) {
      const Index row = offset[i] + rows.normal[k];
      shift[row] += contact.restitution * before[row];
    }
    if (!contact.has_gap()) continue;
    const Vec3 gap = gap_velocity(contact, p.dt);
    for (Index k = 0; k < rows.normal_count; ++k)
      shift[offset[i] + rows.normal[k]] += gap[3 - rows.normal_count + k];
    if (rows.normal_count == 0) shift[offset[i]] += gap[2];
  }
  return shift;
}

void update_metrics(DelassusProblem& p) {
  double spare = 0;
  Index count = 0;
  p.metric_at.resize(p.laws.size());
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalLaw& law = p.laws[i];
    const double* block = p.G.values.data() + p.G.at[p.G.diagonal[i]];
    for (Index r = 0; r < law.rows; ++r) spare += block[r * law.rows + r];
    p.metric_at[i] = count;
    count += metric_size(law);
  }
  spare = spare > 0 ? spare / static_cast<double>(p.rows()) : 1.0;
  p.metric_values.resize(static_cast<std::size_t>(count));
  for (Index i = 0; i < p.contacts(); ++i)
    make_local_metric(p.laws[i], p.G.diagonal_block(i).data(), spare,
                      p.metric_values.data() + p.metric_at[i]);
}

DelassusProblem delassus_problem(std::vector<LocalLaw> laws, BlockMatrix G, VecX b) {
  TACT_EXPECTS(G.blocks() == static_cast<Index>(laws.size()) && G.size() == b.size());
  DelassusProblem out{std::move(laws), std::move(G), std::move(b), {}, {}};
  update_metrics(out);
  return out;
}

Result<DelassusProblem> reduce(const ContactProblem& p) {
  if (const auto valid = validate(p); !valid) return valid.error();
  std::vector<LocalLaw> laws;
  laws.reserve(p.contacts.size());
  for (const Contact& contact : p.contacts) laws.push_back(local_law(contact.law));
  const auto offset = row_offsets(p.contacts);
  if (!p.in_mass_form())
    return delassus_problem(std::move(laws), block_matrix(p.delassus, offset), p.free_velocity);

  const auto mass = MassFactor::from(p.mass, p.mass_is_general);
  if (!mass) return mass.error();
  const VecX chi = p.excitation.size() > 0 ? p.excitation : VecX::Zero(offset.back());
  const VecX before = p.rows * p.velocity + chi;
  VecX b = before + law_shift(p, before);
  if (p.impulse.size() > 0) b += p.rows * mass->solve(p.impulse);
  SparseMatrix G = mass->delassus(p.rows);
  if (!b.allFinite() || !all_finite(G))
    return Error{
        Errc::value,
        "mass, rows and velocity give numbers beyond the range of doubles; choose other units"};
  return delassus_problem(std::move(laws), block_matrix(G, offset), std::move(b));
}

namespace {

/// Numbers of the problem into islands that already have its structure.
void copy_numbers(const DelassusProblem& problem, Islands& islands) {
  for (std::size_t k = 0; k < islands.problems.size(); ++k) {
    DelassusProblem& part = islands.problems[k];
    part.noise = problem.noise;
    auto value = part.G.values.begin();
    auto metric = part.metric_values.begin();
    for (std::size_t j = 0; j < islands.contacts[k].size(); ++j) {
      const Index i = islands.contacts[k][j];
      part.laws[j] = problem.laws[i];
      part.b.segment(part.G.offset[j], problem.G.rows_of(i)) =
          problem.b.segment(problem.G.offset[i], problem.G.rows_of(i));
      for (Index e = problem.G.row_begin[i]; e < problem.G.row_begin[i + 1]; ++e) {
        const auto block = problem.G.block(i, e);
        value = std::copy_n(block.data(), block.size(), value);
      }
      metric = std::copy_n(problem.metric(i).values, metric_size(problem.laws[i]), metric);
    }
  }
}

bool same_structure(const DelassusProblem& problem, const Islands& islands) {
  if (problem.G.offset != islands.offset || problem.G.row_begin != islands.row_begin ||
      problem.G.col != islands.col)
    return false;
  for (std::size_t k = 0; k < islands.problems.size(); ++k)
    for (std::size_t j = 0; j < islands.contacts[k].size(); ++j)
      if (problem.laws[islands.contacts[k][j]].kind != islands.problems[k].laws[j].kind)
        return false;
  return true;
}

}  // namespace

void split(const DelassusProblem& problem, Islands& out) {
  if (same_structure(problem, out)) return copy_numbers(problem, out);
  out.offset = problem.G.offset;
  out.row_begin = problem.G.row_begin;
  out.col = problem.G.col;
  out.contacts = connected_blocks(problem.G);
  out.problems.clear();
  for (const auto& keep : out.contacts) {
    DelassusProblem part;
    part.G = sub_matrix(problem.G, keep);
    part.b.resize(part.G.size());
    Index count = 0;
    for (const Index i : keep) {
      part.laws.push_back(problem.laws[i]);
      part.metric_at.push_back(count);
      count += metric_size(problem.laws[i]);
    }
    part.metric_values.resize(static_cast<std::size_t>(count));
    out.problems.push_back(std::move(part));
  }
  copy_numbers(problem, out);
}

Islands split(const DelassusProblem& problem) {
  Islands out;
  split(problem, out);
  return out;
}

VecX velocity_after(const ContactProblem& p, const VecX& lambda) {
  TACT_EXPECTS(p.in_mass_form());
  const auto mass = MassFactor::from(p.mass, p.mass_is_general);
  TACT_EXPECTS(mass.has_value());
  VecX impulse = p.rows.transpose() * lambda;
  if (p.impulse.size() > 0) impulse += p.impulse;
  return p.velocity + mass->solve(impulse);
}

VecX contact_velocity(const ContactProblem& p, const VecX& velocity) {
  VecX gamma = p.rows * velocity;
  if (p.excitation.size() > 0) gamma += p.excitation;
  return gamma;
}

}  // namespace tact
