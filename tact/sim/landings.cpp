// sim/landings.cpp - new loads found, their work added up.
#include "tact/sim/landings.hpp"

#include <algorithm>
#include <cmath>

#include "tact/sim/impact_phase.hpp"
#include "tact/sim/position_step.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

bool carried(const StepMemory& memory, const RowKey& key) {
  const auto at = std::lower_bound(
      memory.loads.begin(), memory.loads.end(), key,
      [](const RememberedLoad& load, const RowKey& k) { return before(load.key, k); });
  return at != memory.loads.end() && at->key == key && !at->force.isZero(0);
}

/// Whether some point may have come faster than that [m/s]; false only where none has.
bool may_land(const StepWork& w, std::size_t i, double slow) {
  const LocalLaw& law = w.rows.laws[i];
  const Vec3 before = moved_gap(w.rows.groups[i], law, Vec3::Zero(), w.gamma_minus, 1);
  if (!law.is_patch()) return -before[2] > slow;
  const PlanarSet& hull = law.patch->cone.hull();
  const double reach = hull.center().cwiseAbs().sum() + hull.radius();
  return (std::abs(before[0]) + std::abs(before[1])) * reach - before[2] > slow;
}

/// How fast the fastest point came that the law has closed, γ⁺ + Γ⁺/h = 0 [m/s], and the fastest
/// that lands: it was open, or the whole contact is new. What arrives in one step stops in the
/// next, closed by then: that blow is the same landing's.
struct Came {
  double closed = 0, landed = 0;
};
Came came(const StepWork& w, std::size_t i, bool is_new, std::vector<Vec2>& points) {
  const RowGroup& group = w.rows.groups[i];
  const LocalLaw& law = w.rows.laws[i];
  const SurfaceContact& surface = w.contacts.contacts[group.place].surface;
  const Vec3 before = moved_gap(group, law, Vec3::Zero(), w.gamma_minus, 1);
  const Vec3 after = moved_gap(group, law, w.gaps[i] / w.dt, w.gamma_plus, 1);
  if (law.is_patch()) {
    impact_points(surface, w.contacts.buffer, points);
    // A rim that rolls while it lands is closed elsewhere than it was lowest.
    append_lowest(surface, w.contacts.buffer, Vec2(-after[1], after[0]), points);
  } else {
    points.assign(1, Vec2::Zero());
  }
  // Of the way that it comes in a step a point that is open has more than this left.
  constexpr double hardly = 1e-3;
  Came out;
  for (const Vec2& x : points) {
    const double approach = -value_at(before, x);
    if (!(value_at(after, x) <= tolerance::contact_work * approach)) continue;
    out.closed = std::max(out.closed, approach);
    const double open = std::min(tolerance::support, hardly * approach * w.dt);
    if (is_new || value_at(w.gaps[i], x) > open) out.landed = std::max(out.landed, approach);
  }
  return out;
}

ImpactEvent landing(const Simulation& sim, std::size_t i, double approach) {
  const StepWork& w = *sim.work;
  const SceneContact& contact = w.contacts.contacts[w.rows.groups[i].place];
  ImpactEvent out;
  out.time = sim.state.time + w.dt;
  out.contacts = 1;
  out.geom1 = contact.geom1;
  out.geom2 = contact.geom2;
  out.approach = approach;
  return out;
}

}  // namespace

void note_landings(Simulation& sim, StepReport& report) {
  const StepWork& w = *sim.work;
  LandingWork& found = sim.work->landing;
  const double slow = least_impact_speed(sim);
  const std::size_t first = report.impacts.size();
  found.landed.clear();
  found.stopped.clear();
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
    const RowGroup& group = w.rows.groups[i];
    if (group.key.source != RowSource::surface) break;
    if (!(w.lambda[group.first_row + w.rows.laws[i].normal_row()] > 0)) continue;
    if (!may_land(w, i, slow)) continue;
    const Came speed = came(w, i, !carried(sim.memory, group.key), found.points);
    if (speed.landed > slow) {
      report.impacts.push_back(landing(sim, i, speed.landed));
      found.landed.push_back(i);
    } else if (speed.closed > slow) {
      found.stopped.emplace_back(i, speed.closed);
    }
  }
  if (found.landed.empty() && found.stopped.empty()) return;

  row_velocities(sim.scene.model, w.rows, w.impulse, found.gained);
  double work = 0, size = 0;
  found.of_group.assign(w.rows.groups.size(), 0);
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i) {
    if (w.rows.laws[i].kind == LawKind::bounded) continue;
    const RowGroup& group = w.rows.groups[i];
    for (Index r = group.first_row; r < group.first_row + group.row_count; ++r) {
      found.of_group[i] += (w.problem.b[r] + 0.5 * found.gained[r]) * w.lambda[r];
      size +=
          std::abs(w.problem.b[r] * w.lambda[r]) + 0.5 * std::abs(found.gained[r] * w.lambda[r]);
    }
    work += found.of_group[i];
  }
  const bool gives = work > tolerance::contact_work * size;
  // Half a landing is not counted again, unless it is the half that gives energy.
  if (gives && found.landed.empty())
    for (const auto& [i, approach] : found.stopped) {
      report.impacts.push_back(landing(sim, i, approach));
      found.landed.push_back(i);
    }
  for (std::size_t k = 0; k < found.landed.size(); ++k) {
    ImpactEvent& event = report.impacts[first + k];
    event.work = gives ? work : found.of_group[found.landed[k]];
    event.verdict = gives ? WorkVerdict::generating : WorkVerdict::dissipative;
  }
}

}  // namespace tact
