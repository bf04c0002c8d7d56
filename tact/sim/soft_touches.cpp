// sim/soft_touches.cpp - pairs that come near, and pairs that switch.
#include "tact/sim/soft_touches.hpp"

#include <algorithm>
#include <cmath>

#include "tact/geom/distance.hpp"
#include "tact/geom/surface_support.hpp"

namespace tact {
namespace {

/// A lower bound of the distance of two surfaces [m].
double distance_bound(const SoftContactModel& model, const Pose& X_12) {
  const auto from_plane = [](const Surface& plane, const Vec3& centre, double reach) {
    const auto& form = std::get<PlaneSurface>(plane.form);
    return form.normal.dot(centre) - form.offset - reach;
  };
  const double r1 = extent(model.one), r2 = extent(model.two);
  if (std::holds_alternative<PlaneSurface>(model.one.form))
    return from_plane(model.one, X_12.p, r2);
  if (std::holds_alternative<PlaneSurface>(model.two.form))
    return from_plane(model.two, inverse(X_12).p, r1);
  return X_12.p.norm() - r1 - r2;
}

/// From where on a pair is followed [m].
double near_enough(const Simulation& sim, const SoftContactModel& model) {
  constexpr double share = 0.25, steps = 4;
  const double r1 = extent(model.one), r2 = extent(model.two);
  const double size = std::min(r1, r2);
  const double speed = sim.state.qvel.size() > 0 ? sim.state.qvel.cwiseAbs().maxCoeff() : 0;
  const double reach = std::isfinite(size) ? size : 1;
  return share * reach + steps * sim.options.dt * speed * (1 + reach);
}

/// What the shapes say where there are no points to follow [m].
double rigid_distance(const Model& model, const Kinematics& kin, const SoftGeoms& pair) {
  return distance(model.geoms[pair.geom1].shape, geom_pose(model, kin, pair.geom1),
                  model.geoms[pair.geom2].shape, geom_pose(model, kin, pair.geom2))
      .distance;
}

/// What a pair may close within two steps [m].
double closing_distance(const Simulation& sim, const SoftContactModel& model) {
  constexpr double share = 1e-3, steps = 2;
  const double size = std::min(extent(model.one), extent(model.two));
  const double speed = sim.state.qvel.size() > 0 ? sim.state.qvel.cwiseAbs().maxCoeff() : 0;
  const double reach = std::isfinite(size) ? size : 1;
  return share * reach + steps * sim.options.dt * speed * (1 + reach);
}

}  // namespace

Pose geom_pose(const Model& model, const Kinematics& kin, Index geom) {
  return kin.X_WB[model.geoms[geom].body] * model.geoms[geom].X_BG;
}

/// The second body of the pair's model seen from its first.
Pose relative_pose(const Model& model, const Kinematics& kin, const SoftGeoms& pair) {
  return inverse(geom_pose(model, kin, pair.geom2)) * geom_pose(model, kin, pair.geom1);
}

void spring_poses(const Kinematics& kin, const SceneSpring& s, Pose& X_WA, Pose& X_WB) {
  X_WA = kin.X_WB[s.body1] * s.X_B1A;
  X_WB = kin.X_WB[s.body2] * s.X_B2B;
}

void exclude_soft_pairs(Simulation& sim) {
  std::vector<std::uint64_t> keys;
  for (const SoftGeoms& pair : sim.soft.pairs)
    if (pair.soft) keys.push_back(pair_key(pair.geom1, pair.geom2));
  std::sort(keys.begin(), keys.end());
  for (DetectWorkspace* d : {&sim.detect, &sim.work.settle.detect, &sim.work.impact.detect})
    d->rules.elsewhere = keys;
}

void start_soft_memory(Simulation& sim) {
  if (sim.soft.empty()) return;
  forward_kinematics(sim.scene.model, sim.state, sim.work.soft.kin);
  const Kinematics& kin = sim.work.soft.kin;
  sim.soft_memory.touches.clear();
  sim.soft_memory.springs.resize(sim.soft.springs.size());
  for (std::size_t i = 0; i < sim.soft.springs.size(); ++i) {
    SoftMemory::Spring& s = sim.soft_memory.springs[i];
    spring_poses(kin, sim.soft.springs[i], s.X_WA, s.X_WB);
    s.energy = spring_energy(sim.soft.springs[i].spring, s.X_WA, s.X_WB);
  }
  find_soft_touches(sim, kin);
}

void find_soft_touches(Simulation& sim, const Kinematics& kin) {
  const Model& model = sim.scene.model;
  std::vector<SoftTouch>& touches = sim.soft_memory.touches;
  sim.soft_memory.lost_pair = -1;
  for (std::size_t p = 0; p < sim.soft.pairs.size(); ++p) {
    const SoftGeoms& pair = sim.soft.pairs[p];
    const auto index = static_cast<Index>(p);
    const double near = near_enough(sim, pair.model);
    const auto of_pair = [index](const SoftTouch& t) { return t.pair == index; };
    std::erase_if(touches, [&](const SoftTouch& t) {
      return of_pair(t) && (!pair.soft || t.state.facing.gap > 2 * near);
    });
    if (!pair.soft || std::any_of(touches.begin(), touches.end(), of_pair)) continue;
    const Pose X_12 = relative_pose(model, kin, pair);
    if (distance_bound(pair.model, X_12) > near) continue;
    FacingOptions options;
    options.max_gap = near;
    const FacingSearch search = find_facing(pair.model.one, pair.model.two, X_12, options);
    if (search.status != TrackStatus::tracked && search.found.empty() &&
        rigid_distance(model, kin, pair) < closing_distance(sim, pair.model)) {
      sim.soft_memory.lost_pair = index;
      sim.soft_memory.why = search.status;
    }
    const auto at = std::find_if(touches.begin(), touches.end(),
                                 [index](const SoftTouch& t) { return t.pair > index; });
    auto to = at - touches.begin();
    for (const FacingPoints& facing : search.found) {
      SoftTouch touch{index, soft_contact_state(pair.model, facing, X_12)};
      const double stored = stored_energy(touch.state);
      if (stored > 0) {
        sim.ledger.book(Account::elastic, -stored);
        sim.ledger.book(Account::switched, stored);
      }
      touches.insert(touches.begin() + to++, std::move(touch));
    }
  }
}

void set_soft(Simulation& sim, Index pair, bool soft) {
  if (sim.soft.pairs[pair].soft == soft) return;
  sim.soft.pairs[pair].soft = soft;
  for (const SoftTouch& touch : sim.soft_memory.touches) {
    if (touch.pair != pair || soft) continue;
    const double stored = stored_energy(touch.state);
    sim.ledger.book(Account::elastic, stored);
    sim.ledger.book(Account::switched, -stored);
  }
  exclude_soft_pairs(sim);
  forward_kinematics(sim.scene.model, sim.state, sim.work.soft.kin);
  find_soft_touches(sim, sim.work.soft.kin);
}

}  // namespace tact
