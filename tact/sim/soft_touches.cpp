// sim/soft_touches.cpp - pairs that come near, and pairs that switch.
#include "tact/sim/soft_touches.hpp"

#include <algorithm>
#include <cmath>

#include "tact/geom/distance.hpp"
#include "tact/geom/surface_support.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Of the smaller surface; a metre where both are unbounded.
double size_of(const SoftContactModel& model) {
  const double size = std::min(extent(model.one), extent(model.two));
  return std::isfinite(size) ? size : 1;
}

// ---- how far apart
// --------------------------------------------------------------------------------

/// The largest coefficient of the spline about (x, y): nothing of it is higher there.
double highest_near(const SplineHeights& heights, const Vec2& at, double reach) {
  const auto range = [&](Index axis, Index count) {
    const double rate = static_cast<double>(count - 1) / (2 * heights.half_size[axis]);
    const auto cell = [&](double x) {
      const double limit = static_cast<double>(count + 1);
      return static_cast<Index>(std::clamp((x + heights.half_size[axis]) * rate, -1.0, limit));
    };
    const Index from = std::max<Index>(0, cell(at[axis] - reach) - 1);
    return std::pair(from, std::min<Index>(count + 1, cell(at[axis] + reach) + 3));
  };
  const auto [left, right] = range(0, heights.columns);
  const auto [low, high] = range(1, heights.rows);
  double highest = -infinite;
  for (Index i = low; i <= high; ++i)
    for (Index j = left; j <= right; ++j)
      highest = std::max(
          highest, heights.coefficients[static_cast<std::size_t>(i * (heights.columns + 2) + j)]);
  return highest;
}

/// How far a ball is at least from a surface that is unbounded, or much larger than the ball.
double from_ball(const Surface& surface, const Vec3& centre, double radius, double within) {
  if (const auto* plane = std::get_if<PlaneSurface>(&surface.form))
    return plane->normal.dot(centre) - plane->offset - radius;
  if (const auto* field = std::get_if<SplineHeightSurface>(&surface.form)) {
    const double reach = radius + within;
    const Vec2 beside = centre.head<2>().cwiseAbs() - field->heights->half_size;
    if (beside.maxCoeff() > reach) return beside.maxCoeff() - radius;
    return centre[2] - radius - highest_near(*field->heights, centre.head<2>(), reach);
  }
  return centre.norm() - radius - extent(surface);
}

/// A lower bound of the distance of two surfaces, as far as it is below `within` [m].
double distance_bound(const SoftContactModel& model, const Pose& X_12, double within) {
  const double r1 = extent(model.one), r2 = extent(model.two);
  if (model.one.inside_out || model.two.inside_out) return 0;
  return std::max(from_ball(model.one, X_12.p, r2, within),
                  from_ball(model.two, inverse(X_12).p, r1, within));
}

/// What the shapes say where there are no points to follow [m].
double rigid_distance(const Model& model, const Kinematics& kin, const SoftGeoms& pair) {
  const Shape &one = model.geoms[pair.geom1].shape, &two = model.geoms[pair.geom2].shape;
  if (std::holds_alternative<HeightField>(one) || std::holds_alternative<HeightField>(two))
    return infinite;  // what is not convex has places where nothing faces
  return distance(one, geom_pose(model, kin, pair.geom1), two, geom_pose(model, kin, pair.geom2))
      .distance;
}

// ---- how near is near
// ------------------------------------------------------------------------------

/// How far a point of the geom may get in a few steps [m].
double travel(Simulation& sim, Index geom, const Surface& surface) {
  constexpr double steps = 4;
  SoftWork& w = sim.work->soft;
  double& known = w.travel[static_cast<std::size_t>(geom)];
  if (known >= 0) return known;
  const Model& model = sim.scene.model;
  if (w.drives_now.empty()) {
    forward_velocities(model, sim.state.qvel, w.kin);
    drive_velocities(model, sim.prescribed, sim.state.time, w.drives_now);
    w.drives_now.resize(model.bodies.size());
  }
  const Vec3 p = geom_pose(model, w.kin, geom).p;
  const Twist joints = point_velocity(model, w.kin, model.geoms[geom].body, p);
  const Twist driven = surface_velocity(model, w.kin, sim.prescribed, w.drives_now, geom, p);
  const double reach = extent(surface);
  const double turning = (joints.w + driven.w).norm() * (std::isfinite(reach) ? reach : 1);
  return known = steps * sim.options.dt * ((joints.v + driven.v).norm() + turning);
}

/// From where on a pair is followed, apart from its motion [m].
double still_near(const SoftContactModel& model) {
  constexpr double share = 0.25;
  return share * size_of(model);
}

double near_enough(Simulation& sim, const SoftGeoms& pair) {
  return still_near(pair.model) + travel(sim, pair.geom1, pair.model.two) +
         travel(sim, pair.geom2, pair.model.one);
}

/// What a pair may close within two steps [m].
double closing_distance(Simulation& sim, const SoftGeoms& pair) {
  constexpr double share = 1e-3;
  return share * size_of(pair.model) + 0.5 * travel(sim, pair.geom1, pair.model.two) +
         0.5 * travel(sim, pair.geom2, pair.model.one);
}

// ---- broad phase
// ----------------------------------------------------------------------------------

/// The geoms of soft pairs, and the pairs by their geoms.
void list_geoms(const SoftScene& soft, SoftWork& w) {
  w.geoms.clear();
  w.of_key.clear();
  for (std::size_t p = 0; p < soft.pairs.size(); ++p) {
    const SoftGeoms& pair = soft.pairs[p];
    w.geoms.push_back(pair.geom1);
    w.geoms.push_back(pair.geom2);
    w.of_key.emplace_back(pair_key(pair.geom1, pair.geom2), static_cast<Index>(p));
  }
  std::sort(w.geoms.begin(), w.geoms.end());
  w.geoms.erase(std::unique(w.geoms.begin(), w.geoms.end()), w.geoms.end());
  std::sort(w.of_key.begin(), w.of_key.end());
}

/// A box around all that the pair's two surfaces may reach in a few steps; half of what is near
/// enough belongs to each.
void box_around(Simulation& sim, Index geom, const Surface& surface, double near) {
  SoftWork& w = sim.work->soft;
  const auto at = std::lower_bound(w.geoms.begin(), w.geoms.end(), geom) - w.geoms.begin();
  const double reach = extent(surface) + near + travel(sim, geom, surface);
  const Vec3 centre = geom_pose(sim.scene.model, w.kin, geom).p;
  Bounds& box = w.bounds[static_cast<std::size_t>(at)];
  box.lower = box.lower.cwiseMin((centre.array() - reach).matrix());
  box.upper = box.upper.cwiseMax((centre.array() + reach).matrix());
}

/// The pairs whose boxes meet, into w.near, ascending; of few pairs all.
void broad_phase(Simulation& sim) {
  constexpr std::size_t few = 8;
  SoftWork& w = sim.work->soft;
  const std::vector<SoftGeoms>& pairs = sim.soft.pairs;
  w.near.clear();
  if (pairs.size() <= few) {
    for (std::size_t p = 0; p < pairs.size(); ++p) w.near.push_back(static_cast<Index>(p));
    return;
  }
  list_geoms(sim.soft, w);
  w.bounds.assign(w.geoms.size(), {Vec3::Constant(infinite), Vec3::Constant(-infinite)});
  for (const SoftGeoms& pair : pairs) {
    const double near = 0.5 * still_near(pair.model);
    box_around(sim, pair.geom1, pair.model.two, near);
    box_around(sim, pair.geom2, pair.model.one, near);
  }
  overlapping_pairs(w.bounds, w.broad, w.boxes);
  for (const IndexPair& b : w.boxes) {
    const std::uint64_t key = pair_key(w.geoms[static_cast<std::size_t>(b.first)],
                                       w.geoms[static_cast<std::size_t>(b.second)]);
    auto at = std::lower_bound(w.of_key.begin(), w.of_key.end(), std::pair(key, Index{0}));
    for (; at != w.of_key.end() && at->first == key; ++at) w.near.push_back(at->second);
  }
  std::sort(w.near.begin(), w.near.end());
}

// ---- search
// ---------------------------------------------------------------------------------------

/// Whether a pair that is followed already is searched for further places where it touches.
bool search_again(Simulation& sim, const SoftGeoms& pair) {
  if (is_convex(pair.model.one) && is_convex(pair.model.two)) return false;
  // Before it may have closed what is near enough: the way of four steps, and what is still near,
  // of which half is kept.
  constexpr double rarely = 50, at_once = 2;
  const double moves =
      travel(sim, pair.geom1, pair.model.two) + travel(sim, pair.geom2, pair.model.one);
  const double steps =
      at_once + 4 * 0.5 * still_near(pair.model) / std::max(moves, tolerance::smallest);
  return sim.steps % static_cast<Index>(std::min(steps, rarely)) == 0;
}

/// Whether the points are those of a touch that is followed.
bool known(const std::vector<SoftTouch>& touches, Index pair, const FacingPoints& facing,
           double near) {
  return std::any_of(touches.begin(), touches.end(), [&](const SoftTouch& t) {
    return t.pair == pair && (t.state.facing.one.p - facing.one.p).norm() < near &&
           (t.state.facing.two.p - facing.two.p).norm() < near;
  });
}

/// Facing points that are near, into the memory.
void search(Simulation& sim, Index index, double near) {
  const SoftGeoms& pair = sim.soft.pairs[index];
  std::vector<SoftTouch>& touches = sim.soft_memory.touches;
  const Kinematics& kin = sim.work->soft.kin;
  const Pose X_12 = relative_pose(sim.scene.model, kin, pair);
  const auto at = std::find_if(touches.begin(), touches.end(),
                               [index](const SoftTouch& t) { return t.pair > index; });
  auto to = at - touches.begin();
  const bool alone = to == 0 || touches[static_cast<std::size_t>(to - 1)].pair != index;
  FacingOptions options;
  options.max_gap = near;
  if (!alone) options.starts /= 4;
  const FacingSearch search = find_facing(pair.model.one, pair.model.two, X_12, options);
  if (alone && search.status != TrackStatus::tracked && search.found.empty() &&
      rigid_distance(sim.scene.model, kin, pair) < closing_distance(sim, pair)) {
    sim.soft_memory.lost_pair = index;
    sim.soft_memory.why = search.status;
  }
  for (const FacingPoints& facing : search.found) {
    if (!alone && known(touches, index, facing, tolerance::coplanar * size_of(pair.model)))
      continue;
    SoftTouch touch{index, soft_contact_state(pair.model, facing, X_12)};
    const double stored = stored_energy(touch.state);
    if (stored > 0) {
      sim.ledger.book(Account::elastic, -stored);
      sim.ledger.book(Account::switched, stored);
    }
    touches.insert(touches.begin() + to++, std::move(touch));
  }
}

/// Touches that went away, or whose pair is rigid now.
void drop_touches(Simulation& sim) {
  std::erase_if(sim.soft_memory.touches, [&](const SoftTouch& t) {
    const SoftGeoms& pair = sim.soft.pairs[t.pair];
    if (!pair.soft) return true;
    return t.state.facing.gap > 2 * still_near(pair.model) &&
           t.state.facing.gap > 2 * near_enough(sim, pair);
  });
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
  for (DetectWorkspace* d : {&sim.detect, &sim.work->settle.detect, &sim.work->impact.detect})
    d->rules.elsewhere = keys;
}

void start_soft_memory(Simulation& sim) {
  if (sim.soft.empty()) return;
  forward_kinematics(sim.scene.model, sim.state, sim.work->soft.kin);
  const Kinematics& kin = sim.work->soft.kin;
  sim.soft_memory.touches.clear();
  sim.soft_memory.past.clear();
  sim.soft_memory.springs.resize(sim.soft.springs.size());
  for (std::size_t i = 0; i < sim.soft.springs.size(); ++i) {
    SoftMemory::Spring& s = sim.soft_memory.springs[i];
    spring_poses(kin, sim.soft.springs[i], s.X_WA, s.X_WB);
    s.energy = spring_energy(sim.soft.springs[i].spring, s.X_WA, s.X_WB);
  }
  find_soft_touches(sim);
}

void find_soft_touches(Simulation& sim) {
  SoftWork& w = sim.work->soft;
  sim.soft_memory.lost_pair = -1;
  w.drives_now.clear();
  w.travel.assign(sim.scene.model.geoms.size(), -1.0);
  drop_touches(sim);
  broad_phase(sim);
  std::size_t touch = 0;  // both ascend by pair
  const std::vector<SoftTouch>& touches = sim.soft_memory.touches;
  for (const Index p : w.near) {
    const SoftGeoms& pair = sim.soft.pairs[p];
    if (!pair.soft) continue;
    while (touch < touches.size() && touches[touch].pair < p) ++touch;
    const bool followed = touch < touches.size() && touches[touch].pair == p;
    if (followed && !search_again(sim, pair)) continue;
    const double near = near_enough(sim, pair);
    const Pose X_12 = relative_pose(sim.scene.model, w.kin, pair);
    if (distance_bound(pair.model, X_12, near) <= near) search(sim, p, near);
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
  forward_kinematics(sim.scene.model, sim.state, sim.work->soft.kin);
  find_soft_touches(sim);
}

}  // namespace tact
