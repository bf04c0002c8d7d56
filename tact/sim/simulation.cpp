// sim/simulation.cpp - a simulation made ready, and its steps.
#include "tact/sim/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/expects.hpp"
#include "tact/base/hash.hpp"
#include "tact/body/called.hpp"
#include "tact/body/energy.hpp"
#include "tact/sim/impact_phase.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/sim/step.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

/// The most that positions are corrected by in one step: a fifth of the smallest geom that moves.
double correction_limit(const Simulation& sim) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sim.detect.size.size(); ++i) {
    const Index body = sim.scene.model.geoms[i].body;
    if (sim.scene.model.tree.link_of(body) >= 0) least = std::min(least, sim.detect.size[i]);
  }
  return std::isfinite(least) ? largest_correction_share * least : 1;
}

bool law_bounces_by_itself(const ImpactLaw& law) {
  if (const auto* moreau = std::get_if<Moreau>(&law)) return moreau->e > 0;
  return std::holds_alternative<GeneralizedReflections>(law);
}

Result<bool> check(const SimOptions& options, const SurfaceChoices& choices, const Model& model) {
  if (!(options.dt > 0) || !std::isfinite(options.dt))
    return Error{Errc::value, "the step dt must be a positive number of seconds"};
  if (model.nv == 0) return Error{Errc::value, "nothing can move; a body needs a joint"};
  const auto allowed = [](double e) { return e >= 0 && e <= 1; };
  const bool fine = allowed(choices.common.restitution) &&
                    std::all_of(choices.pairs.begin(), choices.pairs.end(),
                                [&](const auto& pair) { return allowed(pair.second.restitution); });
  if (!fine) return Error{Errc::value, "a restitution lies between 0 and 1"};
  return true;
}

/// What hangs by a joint on a driven body would be carried along without feeling it.
Result<bool> check(const Prescribed& prescribed, const Model& model) {
  const auto has_drive = [&](Index body) {
    const Index driven = model.tree.frames[body].driven;
    return driven >= 0 && std::any_of(prescribed.drives.begin(), prescribed.drives.end(),
                                      [&](const Drive& d) { return d.driven == driven; });
  };
  for (Index i = 1; i < static_cast<Index>(model.bodies.size()); ++i) {
    if (model.bodies[i].joint_count == 0) continue;
    for (Index above = model.bodies[i].parent; above > 0; above = model.bodies[above].parent)
      if (has_drive(above))
        return Error{Errc::value, called("body", model.bodies[i].name, i) +
                                      " hangs by a joint on " +
                                      called("body", model.bodies[above].name, above) +
                                      ", which is driven, and would not feel it; weld it, or move "
                                      "its base by joints with actuators"};
  }
  return true;
}

Result<bool> check(const State& start) {
  if (!believable(start.qpos) || !believable(start.qvel))
    return Error{Errc::value,
                 "a position or velocity of the start is not a number below 1e18; correct qpos and "
                 "qvel"};
  return true;
}

}  // namespace

const ContactChoice& SurfaceChoices::of(Index geom1, Index geom2) const {
  if (pairs.empty()) return common;
  const std::uint64_t key = pair_key(geom1, geom2);
  const auto at =
      std::lower_bound(pairs.begin(), pairs.end(), key,
                       [](const auto& pair, std::uint64_t k) { return pair.first < k; });
  return at != pairs.end() && at->first == key ? at->second : common;
}

Result<Simulation> make_simulation(const Model& model, const State& start,
                                   const SimOptions& options, const Prescribed& prescribed,
                                   const SurfaceChoices& choices, const SoftScene& soft) {
  Simulation sim;
  sim.work = Owned<StepWork>::make();
  sim.options = options;
  if (sim.options.dt == 0) sim.options.dt = model.timestep;
  if (const auto fine = check(sim.options, choices, model); !fine) return fine.error();
  if (const auto fine = check(prescribed, model); !fine) return fine.error();
  if (const auto fine = check(start); !fine) return fine.error();
  sim.scene = centred(model);
  sim.prescribed = prescribed;
  sim.choices = choices;
  std::sort(sim.choices.pairs.begin(), sim.choices.pairs.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  sim.bounces = options.time_of_impact || law_bounces_by_itself(options.law) ||
                choices.common.restitution > 0 ||
                std::any_of(choices.pairs.begin(), choices.pairs.end(),
                            [](const auto& pair) { return pair.second.restitution > 0; });
  prepare(sim.scene.model, sim.detect);
  prepare(sim.scene.model, sim.work->settle.detect);
  prepare(sim.scene.model, sim.work->impact.detect);
  sim.largest_correction = correction_limit(sim);
  sim.work->solve.workers.resize(static_cast<std::size_t>(std::max(1, options.threads)));
  sim.soft = soft;
  // Springs hold on to frames of the user's model.
  for (SceneSpring& s : sim.soft.springs)
    for (const auto& [body, X] : {std::pair(s.body1, &s.X_B1A), std::pair(s.body2, &s.X_B2B)})
      if (const Index link = sim.scene.model.tree.link_of(body);
          link >= 0 && sim.scene.model.tree.links[link].body == body)
        X->p -= sim.scene.shift[link];
  exclude_soft_pairs(sim);
  set_state(sim, start);
  return sim;
}

State state_of(const Simulation& sim) {
  State out;
  from_centred(sim.scene, sim.state, out);
  return out;
}

void set_state(Simulation& sim, const State& state) {
  const Model& model = sim.scene.model;
  to_centred(sim.scene, state, sim.state);
  normalize_quaternions(model, sim.state.qpos);
  sim.tree_kinetic.reset();
  sim.tree_potential.reset();
  start_soft_memory(sim);
  if (std::find(sim.scene.flies.begin(), sim.scene.flies.end(), false) == sim.scene.flies.end())
    return;
  Kinematics& kin = sim.work->kin_end;
  forward_kinematics(model, sim.state, kin);
  forward_velocities(model, sim.state.qvel, kin);
  sim.tree_kinetic = kinetic_energy(model, sim.state.qvel, kin);
  sim.tree_potential = gravity_potential(model, kin) + spring_potential(model, sim.state);
}

bool believable(const VecX& x) {
  constexpr double absurd = 1e18;
  return (x.array().abs() < absurd).all();  // false of NaN, which a maximum may pass over
}

std::uint64_t state_hash(const State& state) {
  StateHash hash;
  hash.add(state.time);
  hash.add(std::span(state.qpos.data(), static_cast<std::size_t>(state.qpos.size())));
  hash.add(std::span(state.qvel.data(), static_cast<std::size_t>(state.qvel.size())));
  for (const Pose& X : state.driven) {
    hash.add(std::span(X.p.data(), 3));
    hash.add(std::span(X.R.data(), 9));
  }
  return hash.value();
}

bool step(Simulation& sim, StepReport& report) {
  report.impacts.clear();
  report.penetration = 0;
  report.joint_error = 0;
  report.overlaps_left.clear();
  report.constraint_work = 0;
  report.constraint_verdict = WorkVerdict::dissipative;
  report.position_solves = 0;
  report.unsolved_impacts = 0;
  const bool fine =
      sim.bounces ? bouncing_step(sim, report) : plain_step(sim, sim.options.dt, {}, report);
  if (fine) ++sim.steps;
  return fine;
}

}  // namespace tact
