// sim/position_step.cpp - the frictionless problem of the positions, cut out of the step's own.
#include "tact/sim/position_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/sim/position_newton.hpp"
#include "tact/sim/step_islands.hpp"

namespace tact {
namespace {

constexpr Index patch_normal[] = {0, 1, 2};
constexpr Index friction_patch_normal[] = {0, 1, 5};
constexpr Index friction_patch_tangent[] = {2, 3, 4};
constexpr Index rolling_normal[] = {5};
constexpr Index rolling_tangent[] = {3, 4};
constexpr Index point_normal[] = {2};
constexpr Index point_tangent[] = {0, 1};
constexpr Index plane_normal[] = {1};
constexpr Index plane_tangent[] = {0};
constexpr Index single[] = {0};

LocalLaw held_law() {
  LocalLaw law;
  law.kind = LawKind::bounded;
  law.lower = -std::numeric_limits<double>::infinity();
  law.upper = std::numeric_limits<double>::infinity();
  return law;
}

LocalLaw frictionless(const LocalLaw& law) {
  LocalLaw out;
  if (!law.is_patch()) return out;
  out.kind = LawKind::patch;
  out.rows = 3;
  out.patch = law.patch;
  return out;
}

bool is_equation(const RowGroup& group) {
  return group.key.source == RowSource::equality;
}

void add_part(Index group, const LocalLaw& law, bool normal, Index row, PositionWork& work,
              Index& rows) {
  work.parts.push_back({group, rows, law.rows, normal, row});
  work.problem.laws.push_back(law);
  rows += law.rows;
}

/// Which rows take part, and their laws.
Index choose_parts(const PositionStep& step, PositionWork& work) {
  work.parts.clear();
  work.of_group.clear();
  work.problem.laws.clear();
  Index rows = 0;
  for (Index i = 0; i < static_cast<Index>(step.rows.groups.size()); ++i) {
    const LocalLaw& law = step.rows.laws[i];
    work.of_group.push_back(static_cast<Index>(work.parts.size()));
    if (is_equation(step.rows.groups[i])) {
      add_part(i, held_law(), false, 0, work, rows);
      continue;
    }
    if (law.kind == LawKind::bounded) continue;  // dry friction has no position to keep
    add_part(i, frictionless(law), true, 0, work, rows);
    if (step.sticks[i])
      for (const Index row : held_rows(step.rows.groups[i], law))
        add_part(i, held_law(), false, row, work, rows);
  }
  work.of_group.push_back(static_cast<Index>(work.parts.size()));
  return rows;
}

std::span<const Index> rows_of(const PositionStep& step, const PositionWork::Part& part) {
  return part.normal ? normal_rows(step.rows.laws[part.group]) : std::span(&part.row, 1);
}

/// The blocks of the chosen rows.
void cut_matrix(const PositionStep& step, PositionWork& work) {
  BlockMatrix& G = work.problem.G;
  const BlockMatrix& from = step.problem.G;
  G.offset.assign(1, 0);
  G.row_begin.assign(1, 0);
  G.col.clear();
  G.at.clear();
  G.values.clear();
  G.diagonal.resize(work.parts.size());
  for (std::size_t p = 0; p < work.parts.size(); ++p) {
    const PositionWork::Part& part = work.parts[p];
    const std::span<const Index> rows = rows_of(step, part);
    for (Index e = from.row_begin[part.group]; e < from.row_begin[part.group + 1]; ++e) {
      const Index other = from.col[e];
      const auto block = from.block(part.group, e);
      for (Index k = work.of_group[other]; k < work.of_group[other + 1]; ++k) {
        if (k == static_cast<Index>(p)) G.diagonal[p] = static_cast<Index>(G.col.size());
        G.col.push_back(k);
        G.at.push_back(static_cast<Index>(G.values.size()));
        for (const Index c : rows_of(step, work.parts[k]))
          for (const Index r : rows) G.values.push_back(block(r, c));
      }
    }
    G.offset.push_back(G.offset.back() + part.count);
    G.row_begin.push_back(static_cast<Index>(G.col.size()));
  }
}

/// Γ/h + W(ū₀) on normal rows; equations to zero; sticking rows stay where they are.
void set_targets(const PositionStep& step, VecX& out) {
  out.setZero(step.rows.rows);
  for (std::size_t i = 0; i < step.rows.groups.size(); ++i) {
    const RowGroup& group = step.rows.groups[i];
    const LocalLaw& law = step.rows.laws[i];
    Vec3 gap = step.gaps[i];
    if (is_equation(group)) {
      const double error = std::clamp(gap[2], -step.deepest, step.deepest);
      out[group.first_row] = step.rates[group.first_row] + error / step.dt;
      continue;
    }
    const std::span<const Index> rows = normal_rows(law);
    const auto count = static_cast<Index>(rows.size());
    if (count == 0) continue;
    gap[2] += std::max(0.0, -step.deepest - least_gap(law, gap));
    for (Index k = 0; k < count; ++k)
      out[group.first_row + rows[k]] =
          step.rates[group.first_row + rows[k]] + gap[3 - count + k] / step.dt;
  }
}

/// The problem of the rows that take part, by the solver of contact problems.
void solve_parts(const PositionStep& step, const SolveOptions& options, PositionWork& work) {
  const Index rows = choose_parts(step, work);
  cut_matrix(step, work);
  work.problem.b.resize(rows);
  for (const PositionWork::Part& part : work.parts) {
    const std::span<const Index> at = rows_of(step, part);
    for (Index k = 0; k < part.count; ++k)
      work.problem.b[part.first + k] = work.target[step.rows.groups[part.group].first_row + at[k]];
  }
  update_metrics(work.problem);
  work.load.setZero(rows);
  (void)solve(work.problem, options, work.solve, work.load);
  work.impulse.setZero(step.rows.rows);
  for (const PositionWork::Part& part : work.parts) {
    const std::span<const Index> at = rows_of(step, part);
    for (Index k = 0; k < part.count; ++k)
      work.impulse[step.rows.groups[part.group].first_row + at[k]] = work.load[part.first + k];
  }
}

}  // namespace

std::span<const Index> normal_rows(const LocalLaw& law) {
  switch (law.kind) {
    case LawKind::patch:
      return patch_normal;
    case LawKind::patch_friction:
      return friction_patch_normal;
    case LawKind::rolling:
      return rolling_normal;
    case LawKind::disc:
    case LawKind::polygon:
      return point_normal;
    case LawKind::interval:
      return plane_normal;
    case LawKind::frictionless:
      return single;
    case LawKind::bounded:
      return {};
  }
  return {};
}

std::span<const Index> held_rows(const RowGroup& group, const LocalLaw& law) {
  if (is_equation(group)) return single;
  switch (law.kind) {
    case LawKind::patch_friction:
      return friction_patch_tangent;
    case LawKind::rolling:
      return rolling_tangent;
    case LawKind::disc:
    case LawKind::polygon:
      return point_tangent;
    case LawKind::interval:
      return plane_tangent;
    default:
      return {};
  }
}

double least_gap(const LocalLaw& law, const Vec3& gap) {
  return law.is_patch() ? law.patch->cone.dual_margin(gap) : gap[2];
}

Vec3 moved_gap(const RowGroup& group, const LocalLaw& law, const Vec3& gap, const VecX& rates,
               double dt) {
  Vec3 out = gap;
  const std::span<const Index> rows = normal_rows(law);
  const auto count = static_cast<Index>(rows.size());
  for (Index k = 0; k < count; ++k) out[3 - count + k] += dt * rates[group.first_row + rows[k]];
  return out;
}

WorstGaps worst_gaps(const PositionStep& step) {
  WorstGaps out;
  for (std::size_t i = 0; i < step.rows.groups.size(); ++i) {
    const RowGroup& group = step.rows.groups[i];
    if (is_equation(group)) {
      const double error = step.gaps[i][2] + step.dt * step.rates[group.first_row];
      out.joints = std::min(out.joints, -std::abs(error));
      continue;
    }
    const LocalLaw& law = step.rows.laws[i];
    if (law.kind == LawKind::bounded) continue;
    const Vec3 end = moved_gap(group, law, step.gaps[i], step.rates, step.dt);
    double& worst = group.key.source == RowSource::surface ? out.surfaces : out.joints;
    worst = std::min(worst, least_gap(law, end));
  }
  return out;
}

bool try_positions(const PositionStep& step, BlockLu& lu, PositionWork& work) {
  TACT_EXPECTS(step.gaps.size() == step.rows.groups.size() && step.dt > 0);
  set_targets(step, work.target);
  work.impulse.setZero(step.rows.rows);
  return position_newton(step, lu, work);
}

void solve_positions(const PositionStep& step, const SolveOptions& options, BlockLu& lu,
                     PositionWork& work) {
  if (step.rows.groups.size() > 1) {
    if (try_positions(step, lu, work)) return;
    // Contacts of mechanisms hold each other though no body closes a loop: between two plates that
    // only slide a cube cannot tilt, and nothing says which of its faces bears that.
    PositionStep pulled = step;
    pulled.pull = loop_pull;
    if (step.pull == 0 && try_positions(pulled, lu, work)) return;
  }
  set_targets(step, work.target);
  SolveOptions cheap = options;
  // What is left the next step takes up: not worth what only a contact problem of its own would be.
  cheap.enough = std::numeric_limits<double>::infinity();
  solve_parts(step, cheap, work);
}

}  // namespace tact
