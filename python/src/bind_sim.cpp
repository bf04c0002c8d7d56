// python/bind_sim.cpp - simulations: steps, states, and what their contacts do.
#include <algorithm>
#include <cstring>

#include "runner.hpp"
#include "tact/base/hash.hpp"
#include "tact/contact/scene_problem.hpp"
#include "tact/io/checkpoint.hpp"
#include "tact/io/scene_simulation.hpp"
#include "tact/sim/sensors.hpp"

namespace tact::python {

/// What a step, or the last of several, was like.
struct StepOutcome {
  StepReport report;
  bool diverged = false;
  double time = 0;
  Index steps = 0;

  [[nodiscard]] std::string status() const {
    return diverged ? "diverged" : word(report.solve.status);
  }
};

Runner::Runner(ModelPtr from, Simulation made)
    : model(std::move(from)),
      sim(std::move(made)),
      shifted(std::ranges::any_of(sim.scene.shift, [](const Vec3& c) { return !c.isZero(0); })),
      known(state_of(sim)) {
  state = std::make_shared<ModelState>(ModelState{model, known});
}

Runner::Runner(const Runner& other)
    : model(other.model),
      sim(other.sim),
      state(std::make_shared<ModelState>(*other.state)),
      shifted(other.shifted),
      known(other.known),
      report(other.report),
      diverged(other.diverged),
      contacts(other.contacts),
      observed(other.observed),
      stepped(other.stepped) {}

namespace {

bool same_bits(const VecX& a, const VecX& b) {
  return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

}  // namespace

void Runner::push() {
  const State& seen = state->state;
  const State& was = last();
  const bool moved = !same_bits(seen.qpos, was.qpos) || !same_bits(seen.qvel, was.qvel) ||
                     seen.time != was.time || !(seen.driven == was.driven);
  const bool steered = !same_bits(seen.ctrl, was.ctrl);
  if (!moved && !steered) return;
  expect_finite(seen);
  if (moved) {
    set_state(sim, seen);
    diverged = false;
  } else {
    sim.state.ctrl = seen.ctrl;
  }
  if (shifted) copy_into(seen, known);
}

void Runner::pull() {
  if (shifted) from_centred(sim.scene, sim.state, known);
  copy_into(last(), state->state);
  observed = false;
}

const std::vector<ContactSample>& Runner::observe_contacts() {
  if (!stepped) contacts.clear();
  if (stepped && !observed) observe(sim, contacts);
  observed = true;
  return contacts;
}

Turn::Turn(Runner& runner) : runner_(runner) {
  if (runner.busy.exchange(true))
    throw std::runtime_error(
        "the simulation is being stepped by another thread; give each thread a simulation of its "
        "own");
}

py::dict ledger_dict(const EnergyLedger& ledger) {
  py::dict out;
  for (std::size_t k = 0; k < account_count; ++k)
    out[py::str(std::string(name(static_cast<Account>(k))))] = ledger.accounts[k].value();
  out["kinetic_change"] = ledger.kinetic_change.value();
  out["potential_change"] = ledger.potential_change.value();
  out["moved"] = ledger.moved;
  out["closure"] = ledger.closure();
  return out;
}

namespace {

constexpr std::string_view sim_solvers[] = {"auto", "gs", "admm", "newton"};
constexpr SolverName sim_solver_names[] = {SolverName::automatic, SolverName::gauss_seidel,
                                           SolverName::admm, SolverName::newton};

/// Keyword arguments of tact.Simulation.
struct SimWords {
  std::optional<double> dt;
  std::string law;
  std::optional<double> restitution;
  std::string solver = "auto";
  std::optional<double> tolerance;
  int max_iterations = 0, threads = 1;
  std::optional<double> margin_share;
  std::optional<bool> time_of_impact;
  std::optional<Index> swept_from, solved_island;
};

SimOptions options_of(const SimWords& words) {
  SimOptions options;
  if (words.dt && !(*words.dt > 0))
    throw DataError("dt is " + std::to_string(*words.dt) +
                    "; expected a positive number of seconds");
  options.dt = words.dt.value_or(0);
  options.solver = sim_solver_names[read_word(words.solver, "solver", sim_solvers)];
  if (words.tolerance) options.tolerance = *words.tolerance;
  if (!(options.tolerance > 0)) throw DataError("tolerance must be a positive number");
  if (words.threads < 1) throw DataError("threads must be at least 1");
  options.max_iterations = words.max_iterations;
  options.threads = words.threads;
  if (words.margin_share) options.margin_share = *words.margin_share;
  if (words.swept_from) options.swept_from = *words.swept_from;
  if (words.solved_island) options.solved_island = *words.solved_island;
  return options;
}

std::unique_ptr<Runner> make_runner(const ModelPtr& model, const StatePtr& state,
                                    const std::string& keyframe, const SimWords& words) {
  if (words.restitution && !(*words.restitution >= 0 && *words.restitution <= 1))
    throw DataError("restitution must lie between 0 and 1");
  if (!words.law.empty()) {
    const auto law = impact_law(words.law);
    if (!law) throw DataError("law: " + law.error().message);
  }
  SceneSetup setup = unwrap(scene_setup(model->scene, model->source, state ? "" : keyframe,
                                        options_of(words), {words.law, words.restitution}));
  if (state) setup.start = state_or_keyframe(model, state, keyframe);
  if (words.time_of_impact) setup.options.time_of_impact = *words.time_of_impact;
  auto sim = unwrap(make_simulation(model->model(), setup.start, setup.options, setup.prescribed,
                                    setup.choices, setup.soft),
                    model->source);
  return std::make_unique<Runner>(model, std::move(sim));
}

void advance(Runner& runner, Index count, StepOutcome& out) {
  if (count < 1) throw DataError("n is " + std::to_string(count) + "; expected at least one step");
  const Turn turn(runner);
  runner.push();
  out.diverged = false;
  out.steps = 0;
  bool interrupted = false;
  {
    const py::gil_scoped_release release;
    for (; out.steps < count && !interrupted; ++out.steps) {
      if (!step(runner.sim, runner.report)) {
        out.diverged = true;
        break;
      }
      runner.stepped = true;
      constexpr Index often = 256;
      if (out.steps % often == often - 1) {
        const py::gil_scoped_acquire acquire;
        interrupted = PyErr_CheckSignals() != 0;
      }
    }
  }
  runner.diverged = out.diverged;
  runner.pull();
  if (interrupted) throw py::error_already_set();
  out.report = runner.report;
  out.time = runner.sim.state.time;
}

/// A new report costs as much as the rest of a call: one that only the simulation keeps is used
/// again.
Told step_and_tell(Runner& runner, Index n) {
  if (!runner.told || runner.told.ref_count() != 1) {
    runner.told = py::cast(StepOutcome{});
    runner.outcome = &runner.told.cast<StepOutcome&>();
  }
  advance(runner, n, *runner.outcome);
  return {runner.told};
}

// ---- what a simulation is asked

std::vector<ContactReport> contacts_of(Runner& runner) {
  std::vector<ContactReport> out;
  const Model& model = runner.model->model();
  for (const ContactSample& c : runner.observe_contacts())
    out.push_back({{geom_name(model, c.geom1), geom_name(model, c.geom2)}, c});
  return out;
}

py::dict sensors_of(Runner& runner) {
  py::dict out;
  const auto& contacts = runner.observe_contacts();
  std::vector<double> reading;
  for (const Sensor& s : runner.sim.scene.model.sensors) {
    if (!runner.stepped) break;
    reading.clear();
    read_sensor(runner.sim, contacts, s, reading);
    if (!reading.empty()) out[py::str(s.name)] = to_array(std::span<const double>(reading));
  }
  return out;
}

py::dict net_of(Runner& runner, const std::vector<Index>& bodies) {
  const auto& contacts = runner.observe_contacts();
  const NetContact net = net_contact(runner.sim.scene.model, contacts, bodies);
  const auto place = [](const std::optional<Vec3>& x) {
    return x ? py::object(to_array<3>(*x)) : py::object(py::none());
  };
  return py::dict("wrench_W"_a = to_array<6>(net.wrench_W.vec()),
                  "normal_force"_a = net.normal_force, "cop_W"_a = place(net.cop_W),
                  "extended_cop_W"_a = place(net.extended_cop_W));
}

// NOLINTNEXTLINE(readability-function-size): one entry per name
void bind_step(py::module_& m) {
  py::class_<StepOutcome>(m, "StepReport", "What a step was like; of several, the last.")
      .def_property_readonly(
          "status", &StepOutcome::status,
          "converged, not_converged, infeasible, unsupported; diverged where a number is "
          "not finite any more, and the state is the last good one.")
      .def_readonly("time", &StepOutcome::time, "After it [s].")
      .def_readonly("steps", &StepOutcome::steps, "That were made.")
      .def_property_readonly(
          "solver", [](const StepOutcome& s) { return word(s.report.solve.solver); },
          "That finished.")
      .def_property_readonly(
          "iterations", [](const StepOutcome& s) { return s.report.solve.iterations; },
          "Of the solver.")
      .def_property_readonly(
          "residual", [](const StepOutcome& s) { return s.report.solve.residual.figure(); },
          "The judge's, a pure number.")
      .def_property_readonly(
          "contacts", [](const StepOutcome& s) { return s.report.contacts; },
          "Near enough to matter.")
      .def_property_readonly(
          "patches", [](const StepOutcome& s) { return s.report.patches; }, "Of which faces.")
      .def_property_readonly(
          "penetration", [](const StepOutcome& s) { return s.report.penetration; },
          "The deepest [m].")
      .def_property_readonly(
          "joint_error", [](const StepOutcome& s) { return s.report.joint_error; },
          "Limits passed and equalities missed, the largest [m, rad].")
      .def_property_readonly(
          "overlaps_left",
          [](const StepOutcome& s) {
            py::list out;
            for (const Overlap& o : s.report.overlaps_left)
              out.append(py::dict("geom1"_a = o.geom1, "geom2"_a = o.geom2, "depth"_a = o.depth));
            return out;
          },
          "Links of one robot, or what no joint can part, inside each other and left so: geoms, "
          "depth [m].")
      .def_property_readonly(
          "constraint_verdict",
          [](const StepOutcome& s) { return word(s.report.constraint_verdict); },
          "generating where equalities, limits or dry friction gave more energy than integration "
          "explains, constraint_work; else dissipative.")
      .def_property_readonly(
          "constraint_work", [](const StepOutcome& s) { return s.report.constraint_work; },
          "What they gave then [J].")
      .def_property_readonly(
          "impacts",
          [](const StepOutcome& s) {
            py::list out;
            for (const ImpactEvent& e : s.report.impacts)
              out.append(py::dict("time"_a = e.time, "contacts"_a = e.contacts, "geom1"_a = e.geom1,
                                  "geom2"_a = e.geom2, "approach"_a = e.approach, "work"_a = e.work,
                                  "verdict"_a = word(e.verdict), "at_its_time"_a = e.at_its_time));
            return out;
          },
          "Impacts of the step, one dict each: time [s], approach [m/s], work [J], verdict.")
      .def(
          "raise_if_failed",
          [](const StepOutcome& s) {
            expect_good(!s.diverged && s.report.solve.status == SolveStatus::converged,
                        "the step at " + std::to_string(s.time) + " s is " + s.status() +
                            ": residual " + std::to_string(s.report.solve.residual.figure()));
          },
          "RuntimeError unless it converged.")
      .def("__repr__", [](const StepOutcome& s) {
        return "<tact.StepReport " + s.status() + " at " +
               py::str(py::float_(s.time)).cast<std::string>() + " s>";
      });
}

using SimClass = py::class_<Runner>;

void bind_motion(SimClass& c) {
  c.def(
       py::init([](const ModelPtr& model, const StatePtr& state, const std::string& keyframe,
                   std::optional<double> dt, const std::string& law,
                   std::optional<double> restitution, const std::string& solver,
                   std::optional<double> tolerance, int max_iterations, int threads,
                   std::optional<double> margin_share, std::optional<bool> time_of_impact,
                   std::optional<Index> swept_from, std::optional<Index> solved_island) {
         return make_runner(model, state, keyframe,
                            {dt, law, restitution, solver, tolerance, max_iterations, threads,
                             margin_share, time_of_impact, swept_from, solved_island});
       }),
       "model"_a, "state"_a = py::none(), py::kw_only(), "keyframe"_a = "", "dt"_a = py::none(),
       "law"_a = "", "restitution"_a = py::none(), "solver"_a = "auto", "tolerance"_a = py::none(),
       "max_iterations"_a = 0, "threads"_a = 1, "margin_share"_a = py::none(),
       "time_of_impact"_a = py::none(), "swept_from"_a = py::none(), "solved_island"_a = py::none(),
       "A scene in motion, from a state or a keyframe.\n\ndt: the step [s], else the scene's. "
       "law: of impacts, "
       "moreau, newton, newton_clamped, poisson, fremond, generalized_reflections or sequential. "
       "restitution: of "
       "all contacts. solver: auto, gs, admm, newton. margin_share: faces within this "
       "share of the "
       "smaller geom's size are watched before they touch. swept_from: from this many contacts on "
       "what moves in a pile gets a few sweeps; solved_island: contacts of the largest island next "
       "to rest that is solved all the same, 0: none is.")
      .def("step", &step_and_tell, "n"_a = 1,
           "Makes n steps and says what the last was like; stops where numbers are no longer "
           "finite. What was "
           "written into `state` before counts.")
      .def(
          "copy",
          [](Runner& r) {
            const Turn turn(r);
            return std::make_unique<Runner>(r);
          },
          "A simulation of its own that goes on from here, bit for bit.")
      .def(
          "save",
          [](Runner& r, const PathLike& path) {
            r.push();
            unwrap(write_checkpoint(path.text, r.sim));
          },
          "path"_a, "Writes a checkpoint to go on from.")
      .def(
          "load",
          [](Runner& r, const PathLike& path) {
            unwrap(read_checkpoint(path.text, r.sim));
            r.stepped = false;
            r.pull();
          },
          "path"_a, "Goes on from a checkpoint of the same scene and options, bit for bit.");
}

void bind_questions(SimClass& c) {
  c.def_readonly("model", &Runner::model, "The scene.")
      .def_readonly("state", &Runner::state,
                    "The state now; its arrays are views, and what is written into them counts "
                    "from the next step on.")
      .def_property_readonly(
          "time", [](const Runner& r) { return r.sim.state.time; }, "[s]")
      .def_property_readonly(
          "dt", [](const Runner& r) { return r.sim.options.dt; }, "The step [s].")
      .def_property_readonly(
          "steps", [](const Runner& r) { return r.sim.steps; }, "Made so far.")
      .def_property_readonly(
          "diverged", [](const Runner& r) { return r.diverged; },
          "Whether the last step left no finite numbers.")
      .def_property_readonly(
          "hash",
          [](const Runner& r) {
            // While another thread runs it, or in a callback: of what Python sees.
            return hex_text(state_hash(r.busy ? r.state->state : r.last()));
          },
          "Of time, positions and velocities: the same bits, the same hash.")
      .def_property_readonly(
          "ledger", [](const Runner& r) { return ledger_dict(r.sim.ledger); },
          "Where the energy went since the start [J], by account; `closure` is what is not booked.")
      .def_property_readonly("contacts", &contacts_of,
                             "The contacts of the last step as tact.ContactReport.")
      .def(
          "contact_array", [](Runner& r) { return contact_table(r.observe_contacts()); },
          "The same as a structured array, one row each: geom1, geom2, which, regime, kind, "
          "position, normal, frame "
          "R_WC, force [N] in the world, wrench, twist and closing in C, distance [m], mu, "
          "margins, cop (NaN where "
          "there is none).")
      .def("sensors", &sensors_of, "Readings of the scene's sensors after the last step, by name.")
      .def("net_contact", &net_of, "bodies"_a,
           "Net load on these bodies from others: wrench_W about the world's origin, normal_force "
           "[N], cop_W and "
           "extended_cop_W [m].")
      .def("__repr__", [](const Runner& r) {
        return "<tact.Simulation of \"" +
               (r.sim.scene.model.name.empty() ? r.model->source : r.sim.scene.model.name) +
               "\" at " + py::str(py::float_(r.sim.state.time)).cast<std::string>() + " s, " +
               std::to_string(r.sim.steps) + " steps>";
      });
}

}  // namespace

void bind_sim(py::module_& m) {
  bind_contacts(m);
  bind_step(m);
  SimClass c(
      m, "Simulation",
      "A scene in motion. Used by one thread at a time; different ones by as many as you like.");
  bind_motion(c);
  bind_questions(c);
  bind_run(m, c);
  m.def("step", &step_and_tell, "sim"_a, "n"_a = 1, "As sim.step(n).");
}

}  // namespace tact::python
