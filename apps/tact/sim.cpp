// tact sim - a scene in motion: progress, a summary, a recording, a page of pictures.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "built_in_scenes.hpp"
#include "commands.hpp"
#include "tact/base/rng.hpp"
#include "tact/io/checkpoint.hpp"
#include "tact/io/file.hpp"
#include "tact/io/recorder.hpp"
#include "tact/io/run_page.hpp"
#include "tact/io/scene_simulation.hpp"

namespace tact::app {

namespace {

struct SimWords {
  std::string scene;
  double duration = 0;
  std::optional<double> dt;
  std::string keyframe;
  std::string law;
  std::optional<double> restitution;
  std::string solver = "auto";
  double tolerance = SimOptions{}.tolerance;
  int threads = 1;
  std::uint64_t seed = 0;
  double shake = 0;
  std::string record;
  Index every = 0;
  std::string html;
  std::string checkpoint, resume;
  bool stop_when_full = false;
  bool json = false, list = false;
};

std::atomic<bool> interrupted{false};

void on_interrupt(int) {
  interrupted = true;
}

Result<SolverName> solver_of(const std::string& word) {
  for (const SolverName s : {SolverName::automatic, SolverName::gauss_seidel, SolverName::admm,
                             SolverName::newton, SolverName::fischer_burmeister})
    if (name(s) == word) return s;
  return Error{Errc::value, fmt::format("--solver {} is not one of auto, gs, admm, newton, "
                                        "newton_fb",
                                        word)};
}

Result<Simulation> simulation_of(const SimWords& words, const Scene& scene) {
  const auto solver = solver_of(words.solver);
  if (!solver) return solver.error();
  SimOptions options;
  options.dt = words.dt.value_or(0);
  if (words.dt && !(*words.dt > 0))
    return Error{Errc::value, "--dt must be a positive number of seconds"};
  options.solver = *solver;
  options.tolerance = words.tolerance;
  options.threads = words.threads;
  if (!words.law.empty())
    if (const auto law = impact_law(words.law); !law)
      return Error{Errc::value, "--law: " + law.error().message};
  auto made =
      scene_setup(scene, words.scene, words.keyframe, options, {words.law, words.restitution});
  if (!made) return made.error();
  SceneSetup setup = *std::move(made);
  if (words.shake > 0) {
    Rng rng(words.seed);
    for (Index d = 0; d < setup.start.qvel.size(); ++d)
      setup.start.qvel[d] += rng.uniform(-words.shake, words.shake);
  }
  auto sim = make_simulation(scene.model, setup.start, setup.options, setup.prescribed,
                             setup.choices, setup.soft);
  if (!sim) return Error{sim.error().code, words.scene + ": " + sim.error().message};
  return sim;
}

/// A line on a terminal, four times a second.
class Progress {
 public:
  Progress(double start, double duration) : start_(start), duration_(duration) {}

  void show(const Simulation& sim, const StepReport& report) {
    const auto now = Clock::now();
    if (!visible_ || now - last_ < std::chrono::milliseconds(250)) return;
    last_ = now;
    const double done = sim.state.time - start_;
    const double spent = std::chrono::duration<double>(now - begin_).count();
    const double left = done > 0 ? spent * (duration_ - done) / done : 0;
    fmt::print(
        stderr,
        "\r {:.3f} s of {:g} s   {:3.0f} %   {} contacts   residual {:.0e}   {:.0f} s left   ",
        done, duration_, 100 * done / duration_, report.contacts, report.solve.residual.figure(),
        left);
    shown_ = true;
  }
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r{:90}\r", "");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double start_, duration_;
  bool visible_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

int print_list(bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const BuiltInSim& scene : built_in_sims()) {
    if (json)
      all.push_back(scene.name);
    else
      fmt::print("{}\n", scene.name);
  }
  if (json) fmt::print("{}\n", nlohmann::ordered_json{{"scenes", all}}.dump(2));
  return good;
}

/// The run itself, watched by whoever was asked for.
RunReport run_watched(const SimWords& words, const Scene& scene, Simulation& sim,
                      std::optional<Recorder>& recorder, RunHistory& history) {
  const double duration = run_duration(words.duration, scene);
  const auto begin = std::chrono::steady_clock::now();
  RunSummary run;
  {
    Progress progress(sim.state.time, duration);
    run = simulate(sim, {duration, 10}, [&](const Simulation& s, const StepReport& r, bool last) {
      progress.show(s, r);
      if (!words.html.empty()) add_moment(s, r, last, history);
      const bool kept = !recorder || !recorder->record(s, r, last);
      return !interrupted && (kept || !words.stop_when_full);
    });
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  RunReport report =
      run_report(sim, run, scene.model.name.empty() ? words.scene : scene.model.name, seconds);
  if (recorder) {
    (void)recorder->finish(run);
    report.recording = fmt::format("{} ({} frames, {:.2g} MB)", words.record, recorder->frames(),
                                   static_cast<double>(recorder->bytes()) / 1e6);
    if (recorder->error()) report.recording_trouble = recorder->error()->message;
  }
  return report;
}

int run_sim(const SimWords& words) {
  if (words.list) return print_list(words.json);
  if (const auto sentence = clash(words.scene, {words.record, words.html, words.checkpoint}))
    return complain(*sentence);
  if (words.scene.empty())
    return complain("tact sim: name a scene file or a built-in scene; tact sim --list names these");
  const auto scene = named_scene(words.scene);
  if (!scene) return complain(scene.error().message);
  for (const std::string& line : scene->not_modelled) fmt::print(stderr, "{}\n", line);
  auto made = simulation_of(words, *scene);
  if (!made) return complain(made.error().message);
  Simulation sim = *std::move(made);
  if (!words.resume.empty())
    if (const auto error = read_checkpoint(words.resume, sim)) return complain(error->message);
  std::optional<Recorder> recorder;
  if (!words.record.empty()) {
    RecordOptions options;
    options.every = frame_stride(words.every, sim.options.dt);
    options.name = scene->model.name;
    options.source = words.scene;
    auto opened = Recorder::open(words.record, sim, options);
    if (!opened) return complain(opened.error().message);
    recorder = *std::move(opened);
    sim.work.impact.keep = true;
  }
  std::signal(SIGINT, on_interrupt);
  RunHistory history;
  const RunReport report = run_watched(words, *scene, sim, recorder, history);
  if (!words.html.empty())
    if (const auto error = write_file({words.html, run_page(scene->model, report, history)}))
      return complain(error->message);
  if (!words.checkpoint.empty())
    if (const auto error = write_checkpoint(words.checkpoint, sim)) return complain(error->message);
  fmt::print("{}", words.json ? run_json(report) : run_text(report));
  if (!words.html.empty() && !words.json) fmt::print("  page        {}\n", words.html);
  if (!report.recording_trouble.empty()) return unusable;
  const bool fine = report.run.status == RunStatus::finished && report.run.not_converged == 0 &&
                    report.run.impacts_generating == 0;
  return fine ? good : violated;
}

}  // namespace

void add_sim(CLI::App& app, Action& action) {
  auto words = std::make_shared<SimWords>();
  CLI::App* sim = app.add_subcommand(
      "sim",
      "Simulate a scene: faces as patches, exact sticking, certified impacts, a ledger that "
      "closes.\n\nExample: tact sim tipping-box --record box.tact --html box.html");
  sim->add_option("scene", words->scene, "MJCF or URDF file, or the name of a built-in scene.");
  sim->add_flag("--list", words->list, "Names of the built-in scenes.");
  sim->add_option("--duration", words->duration,
                  "Seconds to simulate; default the scene's tact_duration, else 10.")
      ->check(CLI::PositiveNumber);
  sim->add_option("--dt", words->dt, "Step in seconds; default the scene's.");
  sim->add_option("--keyframe", words->keyframe,
                  "Start: name or number of a keyframe, or none; default init where there is one.");
  sim->add_option("--law", words->law,
                  "Impact law: moreau, newton, newton_clamped, poisson, fremond, "
                  "generalized_reflections, sequential.");
  sim->add_option("--restitution", words->restitution, "Of all contacts, 0 to 1.")
      ->check(number_between(0, 1));
  sim->add_option("--solver", words->solver, "auto, gs, admm, newton, newton_fb.");
  sim->add_option("--tolerance", words->tolerance, "Residual at which a step counts as solved.")
      ->check(share_above_zero(1));
  sim->add_option("--threads", words->threads, "The result is the same for any number.")
      ->check(CLI::Range(1, 256));
  sim->add_option("--shake", words->shake,
                  "Random velocities added to the start, up to so many m/s and rad/s.")
      ->check(CLI::NonNegativeNumber);
  sim->add_option("--seed", words->seed, "Of the random numbers of --shake; default 0.");
  sim->add_option("--record", words->record, "Write a recording (.tact) while it runs.");
  sim->add_option("--every", words->every, "Steps between two frames; default 60 frames a second.")
      ->check(CLI::PositiveNumber);
  sim->add_flag("--stop-when-full", words->stop_when_full,
                "Stop when the recording cannot be written any more; else the run goes on.");
  sim->add_option("--html", words->html,
                  "Write a page of plots and patch pictures; tact view writes one to "
                  "move around in.");
  sim->add_option("--checkpoint", words->checkpoint, "Write the end of the run, to go on from.");
  sim->add_option("--resume", words->resume, "Go on from a checkpoint, bit for bit.");
  sim->add_flag("--json", words->json, "For machines.");
  sim->footer(
      "A built-in scene: tact sim box-tower. Ctrl-C stops, keeps what was recorded, and sums up.\n"
      "Exit code: 0 all steps solved, 1 a step did not converge, diverged or created energy, 2 the "
      "input cannot be used.");
  sim->callback([words, &action] { action = [words] { return run_sim(*words); }; });
}

}  // namespace tact::app
