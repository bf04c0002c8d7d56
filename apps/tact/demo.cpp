// tact demo - the built-in patches in every regime, as one page of pictures.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "built_in_scenes.hpp"
#include "commands.hpp"
#include "demo_page.hpp"
#include "tact/base/version.hpp"
#include "tact/io/file.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_report.hpp"

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

int run_demo(const DemoOptions& options) {
  const auto entries = demo_entries();
  const std::string page = demo_page(entries);
  std::error_code status;
  std::filesystem::create_directories(options.out, status);
  if (status)
    return complain(fmt::format("{}: the folder cannot be made ({}); name another with --out",
                                options.out, status.message()));
  const std::string path = (std::filesystem::path(options.out) / "index.html").string();
  if (const auto error = write_file({path, page})) return complain(error->message);

  std::set<Regime> regimes;
  std::size_t bad = 0;
  for (const DemoEntry& entry : entries) {
    if (entry.report.regime) regimes.insert(*entry.report.regime);
    if (!entry.report.violations.empty()) ++bad;
  }
  fmt::print("tact {}\n", version());
  fmt::print("patches {} built in, {} regimes, {} violated\n", entries.size(), regimes.size(), bad);
  for (const DemoEntry& entry : entries)
    fmt::print("        {:<18} {}\n", entry.report.regime ? name(*entry.report.regime) : "violated",
               entry.report.file.name);
  fmt::print("picture {}\nnext    tact help      tact patch FILE --svg OUT\n", path);
  return bad == 0 ? good : violated;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand(
      "demo", "A page of pictures: a foot in each regime, a disc, and a foot of separate pads.");
  command->footer("Example: tact demo --out demo");
  command->add_option("--out", options->out, "The folder for index.html; made if missing.");
  command->callback([options, &action] { action = [options] { return run_demo(*options); }; });
}

}  // namespace tact::app
