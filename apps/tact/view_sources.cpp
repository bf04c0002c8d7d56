#include "view_sources.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "built_in_scenes.hpp"
#include "commands.hpp"
#include "impact_parts.hpp"
#include "tact/io/impact_note.hpp"
#include "tact/io/mode_note.hpp"
#include "tact/io/note_recording.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/io/scene_simulation.hpp"

namespace tact::app {

namespace {

ModeNoteOptions note_options(const std::atomic<bool>& stop) {
  ModeNoteOptions out;
  out.modes.stop = &stop;
  return out;
}

Result<RecordedModes> modes_at_start(const Scene& scene, const ViewWords& words,
                                     const std::atomic<bool>& stop) {
  auto state = scene_state(scene, words.input, words.keyframe);
  if (!state) return state.error();
  MomentOptions options;
  options.use = MomentUse::modes;
  options.dt = words.dt.value_or(0);
  auto moment = moment_of(scene, *state, options);
  if (!moment) return Error{moment.error().code, words.input + ": " + moment.error().message};
  return mode_note(scene, *state, *moment, words.input, note_options(stop));
}

/// Judged as `tact impact` does, with the picture where there is one.
Result<RecordedCertificate> judged(const ProblemFile& file, const ViewWords& words,
                                   const std::string& source) {
  ContactProblem problem = file.problem;
  std::optional<AppliedLaw> applied;
  if (!words.law.empty()) {
    const auto law = wanted_law({words.law, {}, {}, {}}, problem);
    if (!law) return Error{law.error().code, source + ": " + law.error().message};
    const auto outcome = apply(problem, *law, ImpactOptions{});
    if (!outcome) return Error{outcome.error().code, source + ": " + outcome.error().message};
    if (outcome->status != ImpactStatus::solved)
      return Error{Errc::value, fmt::format("{}: the law {} has no outcome: {}; try another law",
                                            source, words.law, outcome->why)};
    set_outcome(problem, *outcome);
    applied = AppliedLaw{words.law, ""};
  }
  const auto exact = entries_of(file, applied.has_value());
  auto answered =
      judge_impact(problem, exact, ImpactArithmetic::automatic, tolerance::contact_work);
  if (!answered) return Error{answered.error().code, source + ": " + answered.error().message};
  ImpactAnswer answer = *std::move(answered);
  answer.law = applied;
  RecordedCertificate out = impact_note(answer);
  if (auto svg = consistency_picture(answer, exact, "0")) out.svg = *std::move(svg);
  return out;
}

}  // namespace

std::string page_file(const ViewWords& words) {
  return words.html == "-" ? "" : words.html;
}

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code status;
  const auto base = std::filesystem::temp_directory_path(status);
  std::string name = (status ? std::filesystem::path("/tmp") : base) / "tact-view-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr)
    return Error{Errc::io, fmt::format("{}: no temporary folder can be made; set TMPDIR to a "
                                       "folder that can be written, or name a file with --record",
                                       base.string())};
  TemporaryFolder out;
  out.path_ = name;
  return out;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<ViewedRun> ViewedRun::begin(const ViewWords& words, const std::string& path,
                                   const std::atomic<bool>& stop) {
  const auto scene = named_scene(words.input);
  if (!scene) return scene.error();
  if (const auto sentence = clash(scene->files, {path, page_file(words)}))
    return Error{Errc::io, *sentence};
  for (const std::string& line : scene->not_modelled) fmt::print(stderr, "{}\n", line);
  SimOptions options;
  options.dt = words.dt.value_or(0);
  auto setup = scene_setup(*scene, words.input, words.keyframe, options, {words.law, {}});
  if (!setup) return setup.error();
  auto sim = make_simulation(scene->model, setup->start, setup->options, setup->prescribed,
                             setup->choices, setup->soft);
  if (!sim) return Error{sim.error().code, words.input + ": " + sim.error().message};
  std::optional<RecordedModes> modes;
  if (words.modes) {
    auto found = modes_at_start(*scene, words, stop);
    if (!found) return found.error();
    modes = *std::move(found);
  }
  ViewedRun out;
  out.path_ = path;
  const auto duration = run_duration(words.duration, *scene, words.input, sim->options.dt);
  if (!duration) return duration.error();
  out.duration_ = *duration;
  out.sim_ = *std::move(sim);
  out.sim_->keep_impacts = true;
  RecordOptions recording;
  recording.every = frame_stride(words.every, out.sim_->options.dt);
  recording.name = scene->model.name;
  recording.source = words.input;
  auto recorder = Recorder::open(path, *out.sim_, recording);
  if (!recorder) return recorder.error();
  out.recorder_ = *std::move(recorder);
  if (modes)
    if (const auto& error = out.recorder_->record_modes(*modes)) return *error;
  return out;
}

void ViewedRun::run(const std::atomic<bool>& stop) {
  try {
    const auto begin = std::chrono::steady_clock::now();
    const RunSummary run = simulate(*sim_, {duration_, 10},
                                    [&](const Simulation& s, const StepReport& report, bool last) {
                                      return !recorder_->record(s, report, last) && !stop;
                                    });
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    (void)recorder_->finish(run);
    good_ = run.status != RunStatus::diverged && !recorder_->error();
    summary_ = fmt::format("{:.3f} s simulated in {:.3f} s, {}, {} frames", run.simulated,
                           spent.count(), name(run.status), recorder_->frames());
    if (!run.why.empty()) summary_ += "; " + run.why;
    if (recorder_->error()) summary_ = recorder_->error()->message;
  } catch (const std::exception& error) {
    summary_ = fmt::format("unexpected: {}; please report it with the input", error.what());
    recorder_.reset();  // the lock goes, and viewers see that no more comes
  }
}

Result<std::string> viewed_problem(const ViewWords& words, const std::atomic<bool>& stop) {
  const std::string source = source_name(words.input);
  const auto bytes = read_input(words.input);
  if (!bytes) return bytes.error();
  const auto read = read_problem(*bytes, source);
  if (!read) return read.error();
  RecordingNotes notes;
  if (read->file.problem.outcome || !words.law.empty()) {
    auto certificate = judged(read->file, words, source);
    if (!certificate) return certificate.error();
    notes.certificates.push_back(*std::move(certificate));
  }
  auto modes = mode_note(read->file, source, note_options(stop));
  if (modes)
    notes.modes.push_back(*std::move(modes));
  else if (notes.certificates.empty())
    return modes.error();
  const std::string& name = read->file.problem.name;
  return note_recording({name.empty() ? source : name, source, 1}, notes);
}

Result<std::string> viewed_mode_scene(const ViewWords& words, const std::atomic<bool>& stop) {
  const auto scene = mode_scene(words.scene, words.planes > 0 ? words.planes : 2);
  if (!scene)
    return Error{Errc::value,
                 "there is no built-in scene " + words.scene + "; tact modes --scenes lists them"};
  auto modes = mode_note(*scene, words.scene, note_options(stop));
  if (!modes) return modes.error();
  RecordingNotes notes;
  notes.modes.push_back(*std::move(modes));
  for (const ModeBody& body : scene->bodies)
    notes.bodies.push_back({body.name, body.shape, body.X_WB});
  return note_recording({words.scene, "scene " + words.scene, 1}, notes);
}

}  // namespace tact::app
