// tact demo - a built-in simulation, to look at and to move around in, and the built-in patches in
// every regime, as three pages.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "built_in_page.hpp"
#include "built_in_scenes.hpp"
#include "commands.hpp"
#include "demo_page.hpp"
#include "tact/base/version.hpp"
#include "tact/io/file.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_report.hpp"
#include "tact/io/recorder.hpp"
#include "tact/io/run_page.hpp"
#include "tact/io/scene_simulation.hpp"
#include "tact/io/viewer_page.hpp"
#include "view_sources.hpp"

namespace tact::app {

namespace {

struct DemoOptions {
  std::string out = "tact-demo";
};

/// The feet in the order of the regimes, then the other shapes.
std::vector<DemoEntry> demo_entries() {
  std::vector<DemoEntry> entries;
  for (const BuiltInScene& scene : built_in_patches()) {
    const auto file = read_patch_file(scene.text, std::string(scene.name) + ".json");
    if (!file) throw std::runtime_error(file.error().message);
    const auto report = report_on(*file, ReportDetail::picture);
    if (!report) throw std::runtime_error(report.error().message);
    entries.push_back({std::string(scene.name), *report});
  }
  const auto key = [](const DemoEntry& e) {
    return std::tuple(!e.name.starts_with("foot-"), e.report.regime.value_or(Regime::idle), e.name);
  };
  std::sort(entries.begin(), entries.end(),
            [&](const DemoEntry& a, const DemoEntry& b) { return key(a) < key(b); });
  return entries;
}

/// The roll-over of a foot: its pages, and a few lines about it.
struct DemoRun {
  std::string page, viewer, words;
  bool good = false;
};
Result<DemoRun> demo_run() {
  constexpr const char* name = "foot_roll_over";
  const auto scene = built_in_scene(name);
  if (!scene) return scene.error();
  auto made = scene_simulation(*scene, name, "", SimOptions{});
  if (!made) return made.error();
  Simulation sim = *std::move(made);
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  const std::string path = *folder / "run.tact";
  RecordOptions recording;
  recording.every = frame_stride(0, sim.options.dt);
  recording.name = "foot roll-over";
  auto opened = Recorder::open(path, sim, recording);
  if (!opened) return opened.error();
  Recorder recorder = *std::move(opened);
  sim.keep_impacts = true;
  RunHistory history;
  const auto begin = std::chrono::steady_clock::now();
  constexpr double duration = 1.2;
  const RunSummary run =
      simulate(sim, {duration, 1}, [&](const Simulation& s, const StepReport& r, bool last) {
        add_moment(s, r, last, history);
        return !recorder.record(s, r, last);
      });
  if (const auto& error = recorder.finish(run)) return *error;
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  auto viewer = page_with_recording(built_in_page(), *bytes);
  if (!viewer) return viewer.error();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  const RunReport report = run_report(sim, run, "foot roll-over", spent.count());
  const std::vector<PageLink> links = {{"view.html", "Move around in this run"},
                                       {"patches.html", "What a contact patch does"}};
  return DemoRun{run_page(scene->model, report, history, links), *std::move(viewer),
                 run_text(report), run.status == RunStatus::finished && run.not_converged == 0};
}

int run_demo(const DemoOptions& options) {
  const auto entries = demo_entries();
  const std::string page = demo_page(entries);
  const auto run = demo_run();
  if (!run) return complain(run.error().message);
  std::error_code status;
  std::filesystem::create_directories(options.out, status);
  if (status)
    return complain(fmt::format("{}: the folder cannot be made ({}); name another with --out",
                                options.out, status.message()));
  const std::filesystem::path folder(options.out);
  const std::string path = (folder / "index.html").string();
  const std::string patches = (folder / "patches.html").string();
  const std::string viewer = (folder / "view.html").string();
  const FileContent pages[] = {{path, run->page}, {viewer, run->viewer}, {patches, page}};
  if (const auto error = write_files(pages)) return complain(error->message);

  std::set<Regime> regimes;
  std::size_t bad = 0;
  for (const DemoEntry& entry : entries) {
    if (entry.report.regime) regimes.insert(*entry.report.regime);
    if (!entry.report.violations.empty()) ++bad;
  }
  fmt::print("tact {}\n{}", version(), run->words);
  fmt::print("patches {} built in, {} regimes, {} violated\n", entries.size(), regimes.size(), bad);
  for (const DemoEntry& entry : entries)
    fmt::print("        {:<18} {}\n", entry.report.regime ? name(*entry.report.regime) : "violated",
               entry.report.file.name);
  fmt::print(
      "picture {}\n        {}\n        {}\nnext    tact sim --list      tact view tipping-box      "
      "tact help\n",
      path, viewer, patches);
  return bad == 0 && run->good ? good : violated;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand(
      "demo", "Pages of pictures: a simulated foot that rolls over, and a patch in each regime.");
  command->footer("Example: tact demo --out demo");
  command->add_option("--out", options->out, "The folder for index.html; made if missing.");
  command->callback([options, &action] { action = [options] { return run_demo(*options); }; });
}

}  // namespace tact::app
