// sim/position_step.cpp - the frictionless problem of the positions, cut out of the step's own.
#include "tact/sim/position_step.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"

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

/// Which rows take part, and their laws.
Index choose_parts(const PositionStep& step, std::span<const Index> groups, PositionWork& work) {
  work.parts.clear();
  work.problem.laws.clear();
  Index rows = 0;
  const auto add = [&](Index member, const LocalLaw& law, std::span<const Index> of) {
    work.parts.push_back({groups[member], member, rows, of});
    work.problem.laws.push_back(law);
    rows += law.rows;
  };
  for (Index k = 0; k < static_cast<Index>(groups.size()); ++k) {
    const RowGroup& group = step.rows.groups[groups[k]];
    const LocalLaw& law = step.rows.laws[groups[k]];
    const std::span<const Index> gaps = gap_rows(group, law);
    if (gaps.empty()) continue;  // dry friction has no position to keep
    add(k, is_equation(group) ? law : frictionless(law), gaps);
    if (!step.sticks[groups[k]]) continue;
    for (const Index& row : held_rows(law)) add(k, equation_law(1), {&row, 1});
  }
  return rows;
}

/// The blocks on the diagonal, and the metrics.
void cut_blocks(const PositionStep& step, PositionWork& work) {
  BlockMatrix& G = work.problem.G;
  clear(G);
  for (const PositionWork::Part& part : work.parts) {
    const BlockMatrix::Block from = step.problem.G.diagonal_block(part.group);
    double block[9];
    double* to = block;
    for (const Index c : part.rows)
      for (const Index r : part.rows) *to++ = from(r, c);
    append_diagonal(block, static_cast<Index>(part.rows.size()), G);
  }
  work.problem.b.resize(G.size());
  update_metrics(work.problem);
}

/// Y of the parts, cut out of the rows of the groups.
void cut_rows(PositionWork& work) {
  const BodyRows& from = work.bodies;
  BodyRows& to = work.part_bodies;
  to.node_begin.assign(from.node_begin.begin(), from.node_begin.end());
  to.dofs.assign(from.dofs.begin(), from.dofs.end());
  to.side_begin.assign(1, 0);
  to.sides.clear();
  std::size_t size = 0;
  for (const PositionWork::Part& part : work.parts)
    for (const BodyRows::Side& side : from.sides_of(part.member))
      size += part.rows.size() * static_cast<std::size_t>(side.length);
  work.Y.resize(size);
  double* at = work.Y.data();
  for (const PositionWork::Part& part : work.parts) {
    for (BodyRows::Side side : from.sides_of(part.member)) {
      const double* Y = side.Y;
      side.Y = at;
      for (const Index r : part.rows) at = std::copy_n(Y + r * side.length, side.length, at);
      to.sides.push_back(side);
    }
    to.side_begin.push_back(static_cast<Index>(to.sides.size()));
  }
}

/// Whether it is a row of a contact that sticks: it stays where it is.
bool is_held(const PositionStep& step, const PositionWork& work, std::size_t p) {
  return work.problem.laws[p].kind == LawKind::bounded &&
         !is_equation(step.rows.groups[work.parts[p].group]);
}

/// Γ/h + W(ū₀) on rows with a gap, of which at most so much is taken back in one step.
void set_targets(const PositionStep& step, PositionWork& work) {
  VecX& out = work.problem.b;
  out.setZero(work.problem.G.size());
  for (std::size_t p = 0; p < work.parts.size(); ++p) {
    if (is_held(step, work, p)) continue;
    const PositionWork::Part& part = work.parts[p];
    const RowGroup& group = step.rows.groups[part.group];
    Vec3 gap = step.gaps[part.group];
    if (is_equation(group))
      gap *= std::min(1.0, step.deepest / std::max(gap.norm(), tolerance::smallest));
    else
      gap[2] += std::max(0.0, -step.deepest - least_gap(step.rows.laws[part.group], gap));
    const auto count = static_cast<Index>(part.rows.size());
    for (Index k = 0; k < count; ++k)
      out[part.first + k] =
          step.rates[group.first_row + part.rows[k]] + gap[3 - count + k] / step.dt;
  }
}

/// The largest gap that a contact ends with at ū₀ [m].
double widest(const PositionStep& step, const PositionWork& work, std::size_t p) {
  const PositionWork::Part& part = work.parts[p];
  const LocalLaw& law = work.problem.laws[p];
  const double* rate = work.problem.b.data() + part.first;
  return step.dt * (law.is_patch() ? -law.patch->cone.dual_margin(-Vec3(rate[0], rate[1], rate[2]))
                                   : rate[0]);
}

/// Where the velocity solve presses a contact flat and it ends next to closed, what it carries
/// besides Λ: ½λ_N into work.load. True where there is any.
bool take_pressed(const PositionStep& step, PositionWork& work) {
  constexpr double closed = 0.1 * tolerance::support;
  work.load.setZero(work.problem.b.size());
  if (step.loads == nullptr) return false;
  bool any = false;
  for (std::size_t p = 0; p < work.parts.size(); ++p) {
    const PositionWork::Part& part = work.parts[p];
    if (work.problem.laws[p].kind == LawKind::bounded) continue;
    const double* from = step.loads->data() + step.rows.groups[part.group].first_row;
    const auto count = static_cast<Index>(part.rows.size());
    double load[3] = {}, image[3] = {};
    for (Index k = 0; k < count; ++k) load[k] = from[part.rows[k]];
    if (!(load[count - 1] > 0)) continue;
    const LocalMetric metric = work.problem.metric(static_cast<Index>(p));
    project(work.problem.laws[p], metric, load, image, work.newton.local);
    double off[6] = {};
    for (Index k = 0; k < count; ++k) off[k] = image[k] - load[k];
    const double size = energy(metric, load);
    if (energy(metric, off) > tolerance::rounding * size || widest(step, work, p) > closed)
      continue;
    for (Index k = 0; k < count; ++k) work.load[part.first + k] = 0.5 * load[k];
    any = true;
  }
  return any;
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

std::span<const Index> gap_rows(const RowGroup& group, const LocalLaw& law) {
  return is_equation(group) ? std::span(patch_normal).first(law.rows) : normal_rows(law);
}

std::span<const Index> held_rows(const LocalLaw& law) {
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

double leave_overlap(const ConstraintRows& rows, std::size_t i, Vec3& gap) {
  const RowGroup& group = rows.groups[i];
  const bool stuck = group.key.source == RowSource::surface && !group.opens;
  if (!group.one_robot && !stuck) return 0;
  const double least = least_gap(rows.laws[i], gap);
  if (!(least < (stuck ? 0 : -tolerance::support))) return 0;
  gap[2] -= least;
  return -least;
}

double widest_gap(const LocalLaw& law, const Vec3& gap) {
  if (!law.is_patch()) return gap[2];
  const PlanarSet& hull = law.patch->cone.hull();
  const double reach = hull.center().cwiseAbs().sum() + hull.radius();
  return gap[2] + reach * (std::abs(gap[0]) + std::abs(gap[1]));
}

Vec3 moved_gap(const RowGroup& group, const LocalLaw& law, const Vec3& gap, const VecX& rates,
               double dt) {
  Vec3 out = gap;
  const std::span<const Index> rows = gap_rows(group, law);
  const auto count = static_cast<Index>(rows.size());
  for (Index k = 0; k < count; ++k) out[3 - count + k] += dt * rates[group.first_row + rows[k]];
  return out;
}

WorstGaps worst_gaps(const PositionStep& step) {
  return worst_gaps(step, step.rows.listed);
}

WorstGaps worst_gaps(const PositionStep& step, std::span<const Index> groups) {
  WorstGaps out;
  for (const Index i : groups) {
    const RowGroup& group = step.rows.groups[i];
    const LocalLaw& law = step.rows.laws[i];
    const Vec3 end = moved_gap(group, law, step.gaps[i], step.rates, step.dt);
    if (is_equation(group))
      out.equations = std::min(out.equations, -end.norm());
    else if (group.key.source == RowSource::surface)
      out.surfaces = std::min(out.surfaces, least_gap(law, end));
    else if (group.key.source == RowSource::limit)
      out.limits = std::min(out.limits, end[2]);
  }
  return out;
}

double allowed_overlap(const ConstraintRows& rows, const VecX& rates, double dt) {
  const double way = rates.size() > 0 ? dt * rates.cwiseAbs().maxCoeff() : 0;
  double extent = 0;  // [m] of coordinates
  for (const RowGroup& group : rows.groups)
    extent = std::max(extent, group.X_WC.p.cwiseAbs().maxCoeff());
  const double rounding = std::max(tolerance::overlap, tolerance::rounding * extent);
  const double least = std::min(rounding, tolerance::turning);
  return std::clamp(tolerance::overlap_share * way, least, tolerance::turning);
}

bool solve_positions(const Model& model, const PositionStep& step, std::span<const Index> groups,
                     std::span<Index> local, PositionWork& work, VecX& impulse) {
  TACT_EXPECTS(step.gaps.size() == step.rows.groups.size() && step.dt > 0);
  if (choose_parts(step, groups, work) == 0) return true;
  make_body_rows(model, step.rows, groups, local, work.bodies);
  cut_rows(work);
  cut_blocks(step, work);
  set_targets(step, work);
  const BodyProblem problem{work.problem, work.part_bodies};
  const bool pressed = take_pressed(step, work);
  if (pressed) {
    // law(Λ + ½λ, G Λ + b): the same with Λ + ½λ as the unknown and b less G ½λ.
    body_impulses(problem, work.load, work.newton.point);
    body_velocities(problem, work.newton.point, work.moved);
    work.problem.b -= work.moved;
  }
  work.begun = work.load;
  // To a tenth of the overlap that is allowed, in units of energy.
  double mobility = 0;
  for (Index p = 0; p < work.problem.contacts(); ++p) {
    const LocalMetric metric = work.problem.metric(p);
    mobility = std::max(mobility, metric.matrix(metric.n - 1, metric.n - 1));
  }
  const double scale = energy_scale(work.problem, work.load);
  SolveOptions options;
  constexpr double finest = tolerance::rest_goal, coarsest = 1e-2, tenth = 0.1;
  options.tolerance =
      std::clamp(tenth * step.allowed / (step.dt * std::sqrt(mobility) * scale), finest, coarsest);
  options.max_iterations = 60;
  AugmentedNewtonOptions settings;
  settings.natural_from_zero = true;
  if (std::any_of(groups.begin(), groups.end(),
                  [&](Index i) { return is_equation(step.rows.groups[i]); })) {
    // Impulses that move a heavy end are large beside what is left of an error, and hide it.
    constexpr double hidden = 1e-4;
    options.tolerance = std::max(finest, hidden * options.tolerance);
  }
  settings.acceptable = coarsest;
  const SolveReport report = augmented_newton(problem, options, settings, work.newton, work.load);
  work.load -= work.begun;
  for (const PositionWork::Part& part : work.parts) {
    const Index first = step.rows.groups[part.group].first_row;
    for (std::size_t k = 0; k < part.rows.size(); ++k)
      impulse[first + part.rows[k]] = work.load[part.first + static_cast<Index>(k)];
  }
  return report.residual.figure() <= std::max(options.tolerance, tolerance::opened);
}

}  // namespace tact
