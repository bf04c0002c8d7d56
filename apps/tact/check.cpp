// tact check - validates a file and says what is in it.
#include <memory>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_report.hpp"

namespace tact::app {

namespace {

struct CheckOptions {
  std::string file;
  bool json = false;
};

std::string summary(const PatchReport& report) {
  const PatchFile& file = report.file;
  std::string out =
      fmt::format("{}{}, hull of radius {} m", file.name.empty() ? "" : file.name + ": ",
                  describe(file.patch), short_number(report.hull.radius()));
  if (file.wrench) out += ", wrench";
  if (file.twist) out += ", twist";
  if (file.friction)
    out += fmt::format(", friction {}", file.friction->coulomb
                                            ? fmt::format("{} {}", name(file.friction->pressure),
                                                          short_number(file.friction->mu))
                                            : "none");
  if (file.metric) out += ", metric";
  return out;
}

/// Always one object; what a file is has been read only when it has no problem.
void print_json(const std::string& told, const std::string& problem) {
  nlohmann::ordered_json out = {{"kind", nullptr},
                                {"format", nullptr},
                                {"summary", nullptr},
                                {"problems", nlohmann::ordered_json::array()}};
  if (problem.empty()) {
    out["kind"] = "patch";
    out["format"] = std::string(patch_format);
    out["summary"] = told;
  } else {
    out["problems"].push_back(problem);
  }
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

/// The report, or one sentence that names the file.
Result<PatchReport> examine(const std::string& name) {
  const auto text = read_input(name);
  if (!text) return text.error();
  const auto file = read_patch_file(*text, source_name(name));
  if (!file) return file.error();
  auto report = report_on(*file);
  if (report) return report;
  return Error{report.error().code, source_name(name) + ": " + report.error().message};
}

int run_check(const CheckOptions& options) {
  const auto report = examine(options.file);
  if (!report) {
    if (options.json) print_json("", report.error().message);
    return complain(report.error().message);
  }
  if (options.json) {
    print_json(summary(*report), "");
  } else {
    fmt::print("kind      patch\nformat    {}\nsummary   {}\nproblems  none\n", patch_format,
               summary(*report));
  }
  return good;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Validate a file and say what is in it.");
  command->footer("Example: tact check foot.json");
  command->add_option("FILE", options->file, "A tact-patch/1 file; - for standard input.")
      ->required();
  command->add_flag("--json", options->json, "Print one JSON object and nothing else.");
  command->callback([options, &action] { action = [options] { return run_check(*options); }; });
}

}  // namespace tact::app
