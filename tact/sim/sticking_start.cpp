// sim/sticking_start.cpp - who sticks, the convex problem, who sticks now.
#include "tact/sim/sticking_start.hpp"

#include <algorithm>

#include "tact/sim/position_newton.hpp"

namespace tact {
namespace {

bool has_friction(const LocalLaw& law) {
  return law.kind != LawKind::bounded && law.mu > 0;
}

/// Whether the recalled friction of a contact is inside its bounds, by more than rounding.
bool stuck(const DelassusProblem& problem, Index i, const VecX& recalled, LocalWorkspace& work) {
  const LocalLaw& law = problem.laws[i];
  double y[6], image[6];
  for (Index r = 0; r < law.rows; ++r) y[r] = recalled[problem.G.offset[i] + r];
  const std::span<const Index> normal = normal_rows(law);
  for (Index r = 0; r < law.rows; ++r)
    if (std::find(normal.begin(), normal.end(), r) == normal.end()) y[r] *= 1 + tolerance::regime;
  project(law, problem.metric(i), y, image, work);
  for (Index r = 0; r < law.rows; ++r)
    if (std::find(normal.begin(), normal.end(), r) == normal.end() && image[r] != y[r])
      return false;
  return true;
}

/// Holds what has become loaded, lets go what has become free. Whether anything changed.
bool choose_again(const ConstraintRows& rows, const VecX& load, const std::vector<bool>& slides,
                  std::vector<bool>& sticks) {
  bool changed = false;
  for (std::size_t i = 0; i < rows.groups.size(); ++i) {
    const LocalLaw& law = rows.laws[i];
    if (!has_friction(law) || slides[i]) continue;
    const bool loaded = load[rows.groups[i].first_row + law.normal_row()] > 0;
    changed = changed || loaded != sticks[i];
    sticks[i] = loaded;
  }
  return changed;
}

}  // namespace

bool sticking_start(StepProblem& w) {
  const std::size_t count = w.rows.groups.size();
  PositionWork& p = w.position;
  w.sticks.assign(count, false);
  p.slides.assign(count, false);
  p.impulse = w.recalled;
  p.start.setZero(w.rows.rows);  // friction that is kept
  for (std::size_t i = 0; i < count; ++i) {
    const LocalLaw& law = w.rows.laws[i];
    const RowGroup& group = w.rows.groups[i];
    // Dry friction of joints and the like go on as they are.
    if (law.kind == LawKind::bounded && group.key.source != RowSource::equality)
      p.start[group.first_row] = w.recalled[group.first_row];
    if (!has_friction(law)) continue;
    if (!(w.recalled[group.first_row + law.normal_row()] > 0)) continue;
    w.sticks[i] = stuck(w.problem, static_cast<Index>(i), w.recalled, p.local);
    p.slides[i] = !w.sticks[i];
    if (!p.slides[i]) continue;
    p.start.segment(group.first_row, group.row_count) =
        w.recalled.segment(group.first_row, group.row_count);
    for (const Index r : normal_rows(law)) p.start[group.first_row + r] = 0;
  }
  multiply(w.problem.G, p.start, p.target);
  p.target += w.problem.b;
  PositionStep step{w.rows, w.problem, w.gaps, w.problem.b, w.sticks, w.dt};
  step.pull = w.pull;
  step.factor_is_ours = true;
  constexpr int rounds = 3;
  for (int k = 0; k < rounds; ++k) {
    if (!position_newton(step, w.solve.predicted.lu, p)) return false;
    if (!choose_again(w.rows, p.impulse, p.slides, w.sticks)) break;
  }
  w.lambda = p.impulse + p.start;
  return true;
}

}  // namespace tact
