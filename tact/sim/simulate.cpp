// sim/simulate.cpp - the loop over the steps.
#include "tact/sim/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "tact/base/parallel.hpp"
#include "tact/body/called.hpp"
#include "tact/body/mass_check.hpp"
#include "tact/sim/step.hpp"
#include "tact/sim/step_work.hpp"
#include "tact/solve/jam.hpp"

namespace tact {
namespace {

std::string body_name(const Model& model, Index body) {
  return called("body", model.bodies[body].name, body);
}

/// The body whose velocity is the largest, or not a number.
Index wildest_body(const Simulation& sim) {
  const Model& model = sim.scene.model;
  const VecX& u = sim.work->velocity.size() == model.nv ? sim.work->velocity : sim.state.qvel;
  Index worst = 0;
  double most = -1;
  for (Index d = 0; d < model.nv; ++d) {
    const double size =
        std::isfinite(u[d]) ? std::abs(u[d]) : std::numeric_limits<double>::infinity();
    if (size <= most) continue;
    most = size;
    worst = model.dof_body[d];
  }
  return worst;
}

/// Of a step that found no finite answer.
std::string failure(const Simulation& sim) {
  const Model& model = sim.scene.model;
  const std::string when =
      " at " + std::to_string(sim.state.time) + " s; the last good state is kept, ";
  const Index idle = massless_dof(model, sim.state.qpos);
  if (idle >= 0)
    return body_name(model, model.dof_body[idle]) + " can move without moving any mass" + when +
           "give its joints an armature or start from another pose";
  return body_name(model, wildest_body(sim)) + " diverged" + when + "try a smaller dt";
}

/// "a" and "b".
std::string pair_name(const Model& model, const Overlap& pair) {
  std::string out(1, '"');
  out.append(geom_name(model, pair.geom1)).append("\" and \"");
  return out.append(geom_name(model, pair.geom2)).append("\"");
}

std::string metres(double length) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g m", length);
  return text;
}

/// Geoms inside each other where a run begins, and links of one robot that were so in any step.
struct OverlapNotes {
  std::vector<Overlap> start, left;
};

void note_start(const Simulation& sim, OverlapNotes& notes, RunSummary& out) {
  notes.start = overlaps(sim);
  std::erase_if(notes.start, [](const Overlap& o) { return o.depth <= tolerance::support; });
  if (notes.start.empty()) return;
  out.max_penetration = notes.start.front().depth;
  out.max_penetration_time = sim.state.time;
}

const Overlap* find_pair(const std::vector<Overlap>& all, const Overlap& pair) {
  const auto same = [&](const Overlap& o) {
    return o.geom1 == pair.geom1 && o.geom2 == pair.geom2;
  };
  const auto at = std::find_if(all.begin(), all.end(), same);
  return at == all.end() ? nullptr : &*at;
}

/// What became of a pair that began inside each other.
std::string fate(const Model& model, const Overlap& pair, const std::vector<Overlap>& end) {
  std::string words = pair_name(model, pair);
  words.append(" begin ").append(metres(pair.depth)).append(" inside each other and ");
  if (pair.one_robot)
    return words +
           "stay so, as links of one robot; an <exclude> of their bodies leaves their contact out";
  constexpr double mostly = 0.5;
  const Overlap* now = find_pair(end, pair);
  if (now == nullptr || now->depth < mostly * pair.depth)
    return words + "are moved apart; what that takes is stabilisation";
  return words.append("are not moved apart: ").append(metres(now->depth)) +
         " are left at the end; begin with them apart, or leave their contact out by an <exclude>";
}

/// One sentence for each pair, the deepest first, and how many more there are.
void warn_of_overlaps(const Simulation& sim, const OverlapNotes& notes, RunSummary& out) {
  constexpr std::size_t most = 8;
  const Model& model = sim.scene.model;
  std::vector<std::string> words;
  const auto note = [&](const Overlap& pair, std::string sentence) {
    out.overlaps.push_back(
        {{geom_name(model, pair.geom1), geom_name(model, pair.geom2)}, pair.depth, pair.one_robot});
    words.push_back(std::move(sentence));
  };
  const std::vector<Overlap> end = notes.start.empty() ? std::vector<Overlap>{} : overlaps(sim);
  for (const Overlap& pair : notes.start) note(pair, fate(model, pair, end));
  for (const Overlap& pair : notes.left)
    if (find_pair(notes.start, pair) == nullptr)
      note(pair, pair_name(model, pair) + " come to be " + metres(pair.depth) +
                     " inside each other and are left so" +
                     (pair.one_robot ? ", as links of one robot" : ": no joint parts them") +
                     "; an <exclude> of their bodies leaves their contact out");
  const std::size_t shown = std::min(words.size(), most);
  out.warnings.insert(out.warnings.end(), words.begin(),
                      words.begin() + static_cast<std::ptrdiff_t>(shown));
  if (words.size() > shown)
    out.warnings.push_back(std::to_string(words.size() - shown) +
                           " more pairs of geoms are inside each other; --json lists all");
}

/// How far an account of the joints has risen above where it was lowest.
struct JointEnergy {
  std::array<double, accounts_of_joints.size()> lowest{};

  void add(const Simulation& sim, RunSummary& out) {
    for (std::size_t i = 0; i < lowest.size(); ++i) {
      const double now = sim.ledger.of(accounts_of_joints[i]);
      lowest[i] = std::min(lowest[i], now);
      if (now - lowest[i] <= out.constraints_gave) continue;
      out.constraints_gave = now - lowest[i];
      out.constraint = accounts_of_joints[i];
    }
  }
};

void count_labels(const Simulation& sim, std::vector<ContactSample>& samples, RunSummary& out) {
  observe(sim, samples);
  for (const ContactSample& s : samples) ++out.regimes[static_cast<std::size_t>(s.label.regime)];
}

void add_step(const Simulation& sim, const StepReport& report, RunSummary& out) {
  out.most_contacts = std::max(out.most_contacts, report.contacts);
  out.most_patches = std::max(out.most_patches, report.patches);
  out.max_residual = std::max(out.max_residual, report.solve.residual.figure());
  if (report.penetration > out.max_penetration) {
    out.max_penetration = report.penetration;
    out.max_penetration_time = sim.state.time;
  }
  if (report.joint_error > out.max_joint_error) {
    out.max_joint_error = report.joint_error;
    out.max_joint_error_time = sim.state.time;
  }
  if (report.constraint_verdict == WorkVerdict::generating) ++out.constraints_generating;
  if (report.solve.status != SolveStatus::converged) ++out.not_converged;
  out.position_solves += report.position_solves;
  out.impacts_unsolved += report.unsolved_impacts;
  for (const ImpactEvent& e : report.impacts)
    ++(e.verdict == WorkVerdict::dissipative ? out.impacts_dissipative : out.impacts_generating);
}

/// Steps in which impulses grew beyond all measure and stopped nothing, and what held each other in
/// the first of them.
struct Jams {
  Index steps = 0;
  double time = 0;
  std::string names;
};

std::string constraint_name(const Simulation& sim, const RowGroup& group) {
  const Model& model = sim.scene.model;
  const StepWork& w = *sim.work;
  switch (group.key.source) {
    case RowSource::surface:
      return contact_name(model, w.contacts.contacts[group.place]);
    case RowSource::limit:
      return limit_name(model, w.limits.source[group.place]);
    case RowSource::dry_friction:
      return dry_friction_name(model, w.dry.source[group.place]);
    case RowSource::equality:
      return equality_name(model, w.equalities.equality[group.place]);
  }
  return "";
}

void note_jam(const Simulation& sim, const StepReport& report, Jams& out) {
  constexpr double grown = 1e6;  // times what would stop the contacts
  constexpr double grown_share = 1e-3;
  if (report.solve.status == SolveStatus::converged || !(report.solve.residual.growth > grown))
    return;
  if (++out.steps > 1) return;
  const StepWork& w = *sim.work;
  out.time = sim.state.time;
  // What such impulses hold grows with them, all else is small beside them.
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const Index i : held_by(judged(w.problem), w.lambda, grown_share)) {
    std::string name = constraint_name(sim, w.rows.groups[i]);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    out.names.append(k > 0 ? ", " : "").append(names[k]);
  if (names.size() > most)
    out.names.append(" and ").append(std::to_string(names.size() - most)).append(" more");
}

void warn_of_jams(const Jams& jams, RunSummary& out) {
  if (jams.steps == 0) return;
  std::string words = std::to_string(jams.steps);
  words.append(jams.steps == 1 ? " step jams: " : " steps jam: ").append(jams.names);
  words.append(" hold each other from ").append(std::to_string(jams.time));
  words.append(
      " s on, and no impulses that friction admits stop them; less friction, or a drive that "
      "can give way");
  out.warnings.push_back(std::move(words));
}

void add_soft_touch(const SoftAnswer& answer, SoftPairSummary& out) {
  if (out.touches && !answer.end.touches) ++out.released;
  out.touches = answer.end.touches;
  out.slip_loss += answer.slip_loss;
  if (!(answer.normal_force > 0)) return;
  out.least_force =
      out.touching == 0 ? answer.normal_force : std::min(out.least_force, answer.normal_force);
  out.most_force = std::max(out.most_force, answer.normal_force);
  out.most_used = std::max(out.most_used, answer.friction_use);
  out.deepest = std::max(out.deepest, -answer.end.facing.gap);
  ++out.touching;
  if (answer.slips) ++out.slipping;
}

void add_soft_pairs(const Simulation& sim, RunSummary& out) {
  const Model& model = sim.scene.model;
  if (out.soft_pairs.empty())
    for (const SoftGeoms& pair : sim.soft.pairs) {
      out.soft_pairs.emplace_back();
      out.soft_pairs.back().geoms = {geom_name(model, pair.geom1), geom_name(model, pair.geom2)};
    }
  const SoftWork& w = sim.work->soft;
  for (Index i = 0; i < w.element_count; ++i)
    if (w.elements[i].pair >= 0 && w.elements[i].group >= 0)
      add_soft_touch(w.elements[i].answer, out.soft_pairs[w.elements[i].pair]);
}

/// Why the compliant part of a step has no answer.
std::string soft_failure(const Simulation& sim) {
  const SoftWork& w = sim.work->soft;
  const std::string when = " at " + std::to_string(sim.state.time) + " s";
  if (w.failed_pair < 0)
    return "the elastic contacts have no answer" + when +
           "; the last good state is kept, try a smaller dt or softer materials";
  const SoftGeoms& pair = sim.soft.pairs[w.failed_pair];
  return "the compliant contact of \"" + geom_name(sim.scene.model, pair.geom1) + "\" and \"" +
         geom_name(sim.scene.model, pair.geom2) + "\"" + " ends" + when + ": " +
         std::string(describe(w.why)) +
         "; let the pair be rigid then (\"when_lost\": \"rigid\") or make it stiffer";
}

/// Joints that are not where they can be: a start outside of limits, or ties that a step too long
/// has torn. They need not gain energy.
void warn_of_joints(const Simulation& sim, RunSummary& out) {
  const double size = sim.largest_correction / largest_correction_share;
  if (!(out.max_joint_error > tolerance::torn * std::min(size, 1.0))) return;
  char words[160];
  std::snprintf(words, sizeof words,
                "joints are off by %.2g (m or rad) at %.3g s, past a limit or out of a tie; begin "
                "within the limits, or take a smaller dt",
                out.max_joint_error, out.max_joint_error_time);
  out.warnings.emplace_back(words);
}

/// The forces of joints do no work or take it away; what integration adds is small.
void judge_joints(const Simulation& sim, RunSummary& out) {
  if (!(out.constraints_gave > tolerance::given_in_a_run * sim.ledger.moved)) return;
  if (!(out.constraints_gave > static_cast<double>(out.steps) * rounding_work(sim))) return;
  out.constraint_verdict = WorkVerdict::generating;
  char joules[64];
  std::snprintf(joules, sizeof joules, "%.3g J of %.3g J", out.constraints_gave, sim.ledger.moved);
  std::string words(name(out.constraint));
  std::replace(words.begin(), words.end(), '_', ' ');
  out.warnings.push_back(words.append(" gave ").append(joules) +
                         " that moved, and should give none; take a smaller dt");
}

void add_warnings(RunSummary& out) {
  const auto warn = [&](Index count, const char* one, const char* many) {
    if (count > 0) out.warnings.push_back(std::to_string(count) + (count == 1 ? one : many));
  };
  warn(out.not_converged, " step did not reach the solver's tolerance",
       " steps did not reach the solver's tolerance");
  warn(out.impacts_unsolved, " impact has no answer by its law and was met without restitution",
       " impacts have no answer by their law and were met without restitution");
  warn(out.impacts_generating, " impact creates energy", " impacts create energy");
}

}  // namespace

std::string_view name(RunStatus status) {
  constexpr std::string_view names[] = {"finished", "stopped", "diverged"};
  return names[static_cast<std::size_t>(status)];
}

RunSummary simulate(Simulation& sim, const RunOptions& options, const Watcher& watcher) {
  RunSummary out;
  const auto steps =
      static_cast<Index>(std::ceil(options.duration / sim.options.dt * (1 - tolerance::written)));
  const double start = sim.state.time;
  OverlapNotes notes;
  JointEnergy joints{};
  note_start(sim, notes, out);
  for (std::size_t i = 0; i < accounts_of_joints.size(); ++i)
    joints.lowest[i] = sim.ledger.of(accounts_of_joints[i]);
  StepReport report;
  Jams jams;
  std::vector<ContactSample> samples;
  for (Index k = 0; k < steps; ++k) {
    if (!step(sim, report)) {
      out.status = RunStatus::diverged;
      out.why = sim.work->soft.failed ? soft_failure(sim) : failure(sim);
      break;
    }
    ++out.steps;
    add_step(sim, report, out);
    joints.add(sim, out);
    for (const Overlap& left : report.overlaps_left) note_overlap(left, notes.left);
    note_jam(sim, report, jams);
    if (!sim.soft.empty()) add_soft_pairs(sim, out);
    if (options.label_every > 0 && k % options.label_every == 0) count_labels(sim, samples, out);
    if (watcher && !watcher(sim, report, k + 1 == steps)) {
      out.status = RunStatus::stopped;
      break;
    }
  }
  out.simulated = sim.state.time - start;
  warn_of_overlaps(sim, notes, out);
  add_warnings(out);
  warn_of_joints(sim, out);
  judge_joints(sim, out);
  warn_of_jams(jams, out);
  return out;
}

std::vector<RunSummary> simulate_all(std::vector<Simulation>& sims, const RunOptions& options,
                                     int threads) {
  std::vector<RunSummary> out(sims.size());
  parallel_for(static_cast<int>(sims.size()), threads,
               [&](int i, int) { out[i] = simulate(sims[i], options); });
  return out;
}

}  // namespace tact
