// tact sim - a scene in motion: progress, a summary, a recording, a page of pictures.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

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
#include "words.hpp"

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
  bool time_of_impact = false;
  bool json = false, list = false;
};

std::atomic<bool> interrupted{false};

void on_interrupt(int) {
  interrupted = true;
}

Result<SolverName> solver_of(const std::string& word) {
  for (const SolverName s :
       {SolverName::automatic, SolverName::gauss_seidel, SolverName::admm, SolverName::newton})
    if (name(s) == word) return s;
  return Error{Errc::value, fmt::format("--solver {} is not one of auto, gs, admm, newton", word)};
}

Result<Simulation> simulation_of(const SimWords& words, const Scene& scene) {
  const std::string source = source_name(words.scene);
  const auto solver = solver_of(words.solver);
  if (!solver) return solver.error();
  SimOptions options;
  options.dt = words.dt.value_or(0);
  options.solver = *solver;
  options.tolerance = words.tolerance;
  options.threads = words.threads;
  options.time_of_impact = words.time_of_impact;
  if (!words.law.empty())
    if (const auto law = impact_law(words.law); !law)
      return Error{Errc::value, "--law: " + law.error().message};
  auto made = scene_setup(scene, source, words.keyframe, options, {words.law, words.restitution});
  if (!made) return made.error();
  SceneSetup setup = *std::move(made);
  if (words.shake > 0) {
    Rng rng(words.seed);
    for (Index d = 0; d < setup.start.qvel.size(); ++d)
      setup.start.qvel[d] += rng.uniform(-words.shake, words.shake);
  }
  auto sim = make_simulation(scene.model, setup.start, setup.options, setup.prescribed,
                             setup.choices, setup.soft);
  if (!sim) return Error{sim.error().code, source + ": " + sim.error().message};
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
RunReport run_watched(const SimWords& words, const Scene& scene, double duration, Simulation& sim,
                      std::optional<Recorder>& recorder, RunHistory& history) {
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
  RunReport report = run_report(
      sim, run, scene.model.name.empty() ? source_name(words.scene) : scene.model.name, seconds);
  if (recorder) {
    (void)recorder->finish(run);
    report.recording = fmt::format("{} ({} frames, {:.2g} MB)", words.record, recorder->frames(),
                                   static_cast<double>(recorder->bytes()) / 1e6);
    if (recorder->error()) report.recording_trouble = recorder->error()->message;
  }
  return report;
}

/// What can be said against the words before the scene is read.
std::optional<std::string> objection(const SimWords& words) {
  if (words.scene.empty())
    return "tact sim: name a scene file or a built-in scene; tact sim --list names these";
  if (!words.resume.empty() && (words.shake > 0 || !words.keyframe.empty()))
    return fmt::format("--resume {}: a checkpoint says where the run goes on; leave {} out",
                       words.resume, words.shake > 0 ? "--shake" : "--keyframe");
  return std::nullopt;
}

/// What can be said against its outputs before the run: they cost nothing yet.
std::optional<std::string> objection_to_outputs(const SimWords& words, const Scene& scene) {
  std::vector<std::string> inputs = scene.files;
  inputs.push_back(words.resume);
  if (auto sentence = clash(inputs, {words.record, words.html, words.checkpoint})) return sentence;
  for (const std::string& out : {words.html, words.checkpoint})
    if (!out.empty())
      if (const auto error = check_write(out)) return error->message;
  return std::nullopt;
}

Result<Recorder> open_recorder(const SimWords& words, const Scene& scene, Simulation& sim) {
  RecordOptions options;
  options.every = frame_stride(words.every, sim.options.dt);
  options.name = scene.model.name;
  options.source = source_name(words.scene);
  sim.keep_impacts = true;
  return Recorder::open(words.record, sim, options);
}

/// Page and checkpoint. What cannot be written is noted: the run is worth its summary all the same.
void write_outputs(const SimWords& words, const Scene& scene, const Simulation& sim,
                   const RunHistory& history, RunReport& report) {
  const auto note = [&](const std::optional<Error>& error) {
    if (error) report.unwritten.push_back(error->message);
  };
  if (!words.html.empty()) note(write_file({words.html, run_page(scene.model, report, history)}));
  if (!words.checkpoint.empty()) note(write_checkpoint(words.checkpoint, sim));
}

int tell(const SimWords& words, const RunReport& report) {
  fmt::print("{}", words.json ? run_json(report) : run_text(report));
  const bool page = std::none_of(
      report.unwritten.begin(), report.unwritten.end(),
      [&](const std::string& sentence) { return sentence.starts_with(words.html + ": "); });
  if (!words.html.empty() && page && !words.json) fmt::print("  page        {}\n", words.html);
  if (!report.recording_trouble.empty()) (void)complain(report.recording_trouble);
  for (const std::string& sentence : report.unwritten) (void)complain(sentence);
  if (!report.recording_trouble.empty() || !report.unwritten.empty()) return unusable;
  const bool fine = report.run.status == RunStatus::finished && report.run.not_converged == 0 &&
                    report.run.impacts_generating == 0 &&
                    report.run.constraint_verdict == WorkVerdict::dissipative;
  return fine ? good : violated;
}

int run_sim(const SimWords& words) {
  if (words.list) return print_list(words.json);
  if (const auto sentence = objection(words)) return complain(*sentence);
  const auto scene = named_scene(words.scene);
  if (!scene) return complain(scene.error().message);
  if (const auto sentence = objection_to_outputs(words, *scene)) return complain(*sentence);
  for (const std::string& line : scene->not_modelled) fmt::print(stderr, "{}\n", line);
  auto made = simulation_of(words, *scene);
  if (!made) return complain(made.error().message);
  Simulation sim = *std::move(made);
  const auto duration =
      run_duration(words.duration, *scene, source_name(words.scene), sim.options.dt);
  if (!duration) return complain(duration.error().message);
  if (!words.resume.empty())
    if (const auto error = read_checkpoint(words.resume, sim)) return complain(error->message);
  std::optional<Recorder> recorder;
  if (!words.record.empty()) {
    auto opened = open_recorder(words, *scene, sim);
    if (!opened) return complain(opened.error().message);
    recorder = *std::move(opened);
  }
  std::signal(SIGINT, on_interrupt);
  RunHistory history;
  RunReport report = run_watched(words, *scene, *duration, sim, recorder, history);
  write_outputs(words, *scene, sim, history, report);
  return tell(words, report);
}

}  // namespace

void add_sim(CLI::App& app, Action& action) {
  auto words = std::make_shared<SimWords>();
  CLI::App* sim = app.add_subcommand(
      "sim",
      "Simulate a scene: faces as patches, exact sticking, certified impacts, a ledger that "
      "closes.\n\nExample: tact sim tipping-box --record box.tact --html box.html");
  sim->add_option("scene", words->scene,
                  "MJCF or URDF file, or the name of a built-in scene; - for standard input.");
  sim->add_flag("--list", words->list, "Names of the built-in scenes.");
  sim->add_option("--duration", words->duration,
                  "Seconds to simulate; default the scene's tact_duration, else 10.")
      ->check(seconds_above_zero("--duration", "a duration", "2"));
  sim->add_option("--dt", words->dt, "Step in seconds; default the scene's.")
      ->check(seconds_above_zero("--dt", "a step", "0.001"));
  sim->add_option("--keyframe", words->keyframe,
                  "Start: name or number of a keyframe, or none; default init where there is one.");
  sim->add_option("--law", words->law,
                  "Impact law: moreau, newton, newton_clamped, poisson, fremond, "
                  "generalized_reflections, sequential.");
  sim->add_option("--restitution", words->restitution, "Of all contacts, 0 to 1.")
      ->check(number_between(0, 1));
  sim->add_flag("--time-of-impact", words->time_of_impact,
                "Meet impacts without restitution at their time too, by the law.");
  sim->add_option("--solver", words->solver, "auto, gs, admm, newton.");
  sim->add_option("--tolerance", words->tolerance, "Residual at which a step counts as solved.")
      ->check(share_above_zero(1));
  sim->add_option("--threads", words->threads, "The result is the same for any number.")
      ->check(CLI::Range(1, 256));
  sim->add_option("--shake", words->shake,
                  "Random velocities added to the start, up to so many m/s and rad/s.")
      ->check(speed_of_shaking());
  sim->add_option("--seed", words->seed, "Of the random numbers of --shake; default 0.")
      ->check(seed_number());
  sim->add_option("--record", words->record, "Write a recording (.tact) while it runs.")
      ->check(file_name("--record", "run.tact"));
  sim->add_option("--every", words->every, "Steps between two frames; default 60 frames a second.")
      ->check(count_of_steps("--every"));
  sim->add_flag("--stop-when-full", words->stop_when_full,
                "Stop when the recording cannot be written any more; else the run goes on.");
  sim->add_option("--html", words->html,
                  "Write a page of plots and patch pictures; tact view writes one to "
                  "move around in.")
      ->check(file_name("--html", "run.html"));
  sim->add_option("--checkpoint", words->checkpoint, "Write the end of the run, to go on from.")
      ->check(file_name("--checkpoint", "run.ckpt"));
  sim->add_option("--resume", words->resume, "Go on from a checkpoint, bit for bit.")
      ->check(file_name("--resume", "run.ckpt"));
  sim->add_flag("--json", words->json, "For machines.");
  sim->footer(
      "A built-in scene: tact sim box-tower. Ctrl-C stops, keeps what was recorded, and sums up.\n"
      "Exit code: 0 all steps solved, 1 a step did not converge, diverged or created energy, 2 the "
      "input cannot be used.");
  sim->callback([words, &action] { action = [words] { return run_sim(*words); }; });
}

}  // namespace tact::app
