// python/bind_run.cpp - runs of simulations: one that is watched, many over threads.
#include <chrono>
#include <cstring>

#include "runner.hpp"
#include "tact/base/hash.hpp"
#include "tact/base/parallel.hpp"
#include "tact/io/file.hpp"
#include "tact/io/recorder.hpp"
#include "tact/io/run_page.hpp"

namespace tact::python {
namespace {

struct RunWords {
  double duration = 0;
  std::string record;   ///< path of a .tact file; empty: none
  Index every = 0;      ///< steps from frame to frame; 0: about sixty a second
  bool keep = false;    ///< keep frames in memory
  std::string html;     ///< path of a page of plots
  py::object callback;  ///< after every step; False stops
};

/// A run that is over.
struct Run {
  RunSummary summary;
  EnergyLedger ledger;
  StatePtr final;
  std::string scene;
  double dt = 0, seconds = 0;
  Index frames = 0, nq = 0, nv = 0;
  std::vector<double> times, qpos, qvel;
  std::string recording, recording_trouble;
};

Index stride_of(const RunWords& words, double dt) {
  constexpr double rate = 60;
  if (words.every < 0) throw DataError("every must be at least 1");
  return words.every > 0 ? words.every : std::max<Index>(1, static_cast<Index>(1 / (rate * dt)));
}

/// Frames in memory, at the same steps as those of a recording.
class Keeper {
 public:
  Keeper(Run& run, Index every) : run_(run), every_(every) {}

  void add(const Simulation& sim, bool due) {
    if (!due) return;
    from_centred(sim.scene, sim.state, scratch_);
    run_.times.push_back(scratch_.time);
    run_.qpos.insert(run_.qpos.end(), scratch_.qpos.begin(), scratch_.qpos.end());
    run_.qvel.insert(run_.qvel.end(), scratch_.qvel.begin(), scratch_.qvel.end());
    ++run_.frames;
    since_ = 0;
  }
  void step(const Simulation& sim, bool last) { add(sim, ++since_ >= every_ || last); }

 private:
  Run& run_;
  Index every_, since_ = 0;
  State scratch_;
};

/// Signals and the user's function, with the interpreter's lock; false stops the run.
bool ask_python(const py::object& callback, const py::object& self, Index steps,
                bool& interrupted) {
  constexpr Index often = 256;
  const bool asked = callback && !callback.is_none();
  if (!asked && steps % often != 0) return true;
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) {
    interrupted = true;
    return false;
  }
  if (!asked) return true;
  const py::object answer = callback(self);
  return answer.is_none() || answer.cast<bool>();
}

/// To be called without the interpreter's lock. `self` may be null: then Python is never asked.
void run_one(Runner& runner, const RunWords& words, const py::object* self, Run& out,
             bool& interrupted) {
  Simulation& sim = runner.sim;
  const Index every = stride_of(words, sim.options.dt);
  std::optional<Recorder> recorder;
  if (!words.record.empty())
    recorder = unwrap(
        Recorder::open(words.record, sim, {every, sim.scene.model.name, runner.model->source}));
  out.nq = sim.scene.model.nq;
  out.nv = sim.scene.model.nv;
  Keeper keeper(out, every);
  keeper.add(sim, words.keep);
  RunHistory history;
  std::exception_ptr failure;
  const auto begin = std::chrono::steady_clock::now();
  out.summary =
      simulate(sim, {words.duration, 10}, [&](const Simulation& s, const StepReport& r, bool last) {
        runner.report = r;
        runner.stepped = true;
        if (words.keep) keeper.step(s, last);
        if (!words.html.empty()) add_moment(s, r, last, history);
        if (recorder) (void)recorder->record(s, r, last);
        if (!self) return true;
        try {
          if (words.callback) runner.pull();
          const bool more = ask_python(words.callback, *self, s.steps, interrupted);
          if (words.callback) runner.push();
          return more;
        } catch (...) {
          failure = std::current_exception();
          return false;
        }
      });
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (failure) std::rethrow_exception(failure);
  runner.diverged = out.summary.status == RunStatus::diverged;
  out.ledger = sim.ledger;
  out.dt = sim.options.dt;
  out.scene = sim.scene.model.name.empty() ? runner.model->source : sim.scene.model.name;
  if (recorder) {
    (void)recorder->finish(out.summary);
    out.recording = words.record;
    if (recorder->error()) out.recording_trouble = recorder->error()->message;
  }
  if (!words.html.empty())
    unwrap(write_file(
        {words.html, run_page(runner.model->model(),
                              run_report(sim, out.summary, out.scene, out.seconds), history)}));
}

void expect_duration(double duration) {
  if (!(duration > 0) || !std::isfinite(duration))
    throw DataError("duration is " + std::to_string(duration) +
                    "; expected a positive number of seconds");
}

Run run_watched(const py::object& self, const RunWords& words) {
  expect_duration(words.duration);
  auto& runner = self.cast<Runner&>();
  const Turn turn(runner);
  runner.push();
  Run out;
  bool interrupted = false;
  {
    const PullAtEnd pulled(runner);
    const py::gil_scoped_release release;
    run_one(runner, words, &self, out, interrupted);
  }
  if (interrupted) throw py::error_already_set();
  out.final = std::make_shared<ModelState>(*runner.state);
  return out;
}

std::vector<Run> run_all(const std::vector<Runner*>& runners, const RunWords& words, int threads) {
  expect_duration(words.duration);
  if (threads < 1) throw DataError("threads must be at least 1");
  std::vector<std::unique_ptr<Turn>> turns;
  for (Runner* r : runners) {
    turns.push_back(std::make_unique<Turn>(*r));
    r->push();
  }
  std::vector<Run> out(runners.size());
  {
    const py::gil_scoped_release release;
    bool never = false;
    parallel_for(static_cast<int>(runners.size()), threads, [&](int k, int) {
      const auto i = static_cast<std::size_t>(k);
      const PullAtEnd pulled(*runners[i]);
      run_one(*runners[i], words, nullptr, out[i], never);
    });
  }
  for (std::size_t i = 0; i < runners.size(); ++i)
    out[i].final = std::make_shared<ModelState>(*runners[i]->state);
  return out;
}

Doubles frames_of(const std::vector<double>& flat, Index frames, Index width) {
  Doubles out({frames, width});
  if (!flat.empty()) std::memcpy(out.mutable_data(), flat.data(), flat.size() * sizeof(double));
  return out;
}

py::dict regimes_of(const RunSummary& s) {
  py::dict out;
  for (std::size_t k = 0; k < s.regimes.size(); ++k)
    if (s.regimes[k] > 0) out[py::str(std::string(name(static_cast<Regime>(k))))] = s.regimes[k];
  return out;
}

RunReport report_of(const Run& run) {
  RunReport out;
  out.scene = run.scene;
  out.run = run.summary;
  out.ledger = run.ledger;
  out.final = run.final->state;
  out.dt = run.dt;
  out.seconds = run.seconds;
  out.recording = run.recording;
  out.recording_trouble = run.recording_trouble;
  return out;
}

void bind_run_summary(py::class_<Run>& c) {
  const auto figure = [](auto member) {
    return [member](const Run& r) { return r.summary.*member; };
  };
  c.def_property_readonly(
       "status", [](const Run& r) { return word(r.summary.status); },
       "finished, stopped (by a callback) or diverged.")
      .def_property_readonly("why", figure(&RunSummary::why), "Of diverged: one sentence.")
      .def_property_readonly("steps", figure(&RunSummary::steps), "That were made.")
      .def_property_readonly("simulated", figure(&RunSummary::simulated), "[s]")
      .def_property_readonly("max_residual", figure(&RunSummary::max_residual),
                             "The judge's, over all steps.")
      .def_property_readonly("max_penetration", figure(&RunSummary::max_penetration), "[m]")
      .def_property_readonly("not_converged", figure(&RunSummary::not_converged), "Steps.")
      .def_property_readonly("most_contacts", figure(&RunSummary::most_contacts), "At one time.")
      .def_property_readonly("warnings", figure(&RunSummary::warnings), "One sentence each.")
      .def_property_readonly(
          "impacts",
          [](const Run& r) {
            return py::dict("dissipative"_a = r.summary.impacts_dissipative,
                            "generating"_a = r.summary.impacts_generating,
                            "unsolved"_a = r.summary.impacts_unsolved);
          },
          "How many, by verdict.")
      .def_property_readonly(
          "regimes", [](const Run& r) { return regimes_of(r.summary); },
          "How often each regime was seen.")
      .def_property_readonly(
          "ledger", [](const Run& r) { return ledger_dict(r.ledger); },
          "Where the energy went [J], by account.");
}

void bind_run_frames(py::class_<Run>& c) {
  c.def_readonly("seconds", &Run::seconds, "Of computing.")
      .def_readonly("dt", &Run::dt, "The step [s].")
      .def_readonly("final", &Run::final, "The last state.")
      .def_property_readonly(
          "hash", [](const Run& r) { return hex_text(state_hash(r.final->state)); },
          "Of the last state: the same bits, the same hash.")
      .def_readonly("recording", &Run::recording, "Path of the recording, or empty.")
      .def_readonly("recording_trouble", &Run::recording_trouble, "Why it is not whole, or empty.")
      .def_property_readonly(
          "times", [](const Run& r) { return to_array(std::span<const double>(r.times)); },
          "Of the frames kept [s]; with keep=True.")
      .def_property_readonly(
          "qpos", [](const Run& r) { return frames_of(r.qpos, r.frames, r.nq); }, "[frames, nq]")
      .def_property_readonly(
          "qvel", [](const Run& r) { return frames_of(r.qvel, r.frames, r.nv); }, "[frames, nv]")
      .def(
          "to_dict", [](const Run& r) { return from_json(run_json(report_of(r))); },
          "What `tact sim --json` says.")
      .def(
          "raise_if_failed",
          [](const Run& r) {
            expect_good(r.summary.status == RunStatus::finished && r.summary.not_converged == 0,
                        r.summary.status == RunStatus::finished
                            ? std::to_string(r.summary.not_converged) + " steps did not converge"
                            : word(r.summary.status) + ": " + r.summary.why);
          },
          "RuntimeError unless it finished and every step converged.")
      .def("__str__", [](const Run& r) { return run_text(report_of(r)); })
      .def("__repr__", [](const Run& r) {
        return "<tact.Run " + word(r.summary.status) + ": " + std::to_string(r.summary.steps) +
               " steps>";
      });
}

}  // namespace

void bind_run(py::module_& m, py::class_<Runner>& c) {
  py::class_<Run> run(m, "Run",
                      "A run that is over: what it was like, and its frames where they were kept.");
  bind_run_summary(run);
  bind_run_frames(run);
  c.def(
      "run",
      [](const py::object& self, double duration, const std::optional<PathLike>& record,
         Index every, bool keep, const std::optional<PathLike>& html, const py::object& callback) {
        RunWords words{duration, record ? record->text : "", every,
                       keep,     html ? html->text : "",     {}};
        if (!callback.is_none()) words.callback = callback;
        return run_watched(self, words);
      },
      "duration"_a, py::kw_only(), "record"_a = py::none(), "every"_a = 0, "keep"_a = false,
      "html"_a = py::none(), "callback"_a = py::none(),
      "Steps through `duration` seconds. record: path of a .tact recording; every: steps from "
      "frame to frame; "
      "keep: frames in memory (Run.times, qpos, qvel); html: path of a page of plots; "
      "callback(sim) after every "
      "step, False stops.");
  m.def(
      "run_all",
      [](const std::vector<Runner*>& sims, double duration, int threads, Index every, bool keep) {
        return run_all(sims, {duration, "", every, keep, "", {}}, threads);
      },
      "sims"_a, "duration"_a, "threads"_a = 1, "every"_a = 0, "keep"_a = false,
      "Runs independent simulations over threads; the bits are those of one by one.");
}

}  // namespace tact::python
