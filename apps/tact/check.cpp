// tact check - validates a file and says what is in it.
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "recordings.hpp"
#include "tact/contact/mass.hpp"
#include "tact/io/certificate_file.hpp"
#include "tact/io/checkpoint.hpp"
#include "tact/io/gzip.hpp"
#include "tact/io/json_reader.hpp"
#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_report.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/io/problem_summary.hpp"
#include "tact/io/recording.hpp"
#include "tact/io/scene_moment.hpp"
#include "tact/io/step_log.hpp"

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

/// What a file is, once it has been read.
struct Examined {
  std::string kind, format, summary;
  std::vector<std::string> not_modelled{};  ///< of a scene, one line each
};

/// Always one object; what a file is has been read only when it has no problem.
void print_json(const Result<Examined>& examined) {
  nlohmann::ordered_json out = {{"kind", nullptr},
                                {"format", nullptr},
                                {"summary", nullptr},
                                {"problems", nlohmann::ordered_json::array()}};
  if (examined) {
    out["kind"] = examined->kind;
    out["format"] = examined->format;
    out["summary"] = examined->summary;
    if (examined->kind == "scene") out["not_modelled"] = examined->not_modelled;
  } else {
    out["problems"].push_back(examined.error().message);
  }
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

Result<Examined> examine_patch(const std::string& text, const std::string& source) {
  const auto file = read_patch_file(text, source);
  if (!file) return file.error();
  const auto report = report_on(*file);
  if (!report) return Error{report.error().code, source + ": " + report.error().message};
  return Examined{"patch", std::string(patch_format), summary(*report)};
}

Result<Examined> examine_problem(const std::string& bytes, const std::string& source) {
  const auto problem = read_problem(bytes, source);
  if (!problem) return problem.error();
  const ContactProblem& p = problem->file.problem;
  if (p.in_mass_form())
    if (const auto mass = MassFactor::from(p.mass, p.mass_is_general); !mass)
      return Error{mass.error().code, source + ": " + mass.error().message};
  return Examined{"problem", std::string(name(problem->format)), summary(problem->file)};
}

Result<Examined> examine_certificate(const std::string& text, const std::string& source) {
  const auto file = read_certificate(text, source);
  if (!file) return file.error();
  const auto verdict = std::visit([](const auto& c) { return name(c.verdict); }, file->certificate);
  const double tolerance = std::visit([](const auto& c) { return c.tolerance; }, file->certificate);
  return Examined{"certificate", std::string(certificate_format),
                  fmt::format("{}{}, {}, tolerance {}; tact impact PROBLEM --verify checks it",
                              file->problem.empty() ? "" : file->problem + ": ", verdict,
                              file->exact() ? "exact" : "in doubles", short_number(tolerance))};
}

Result<Examined> examine_log(const std::string& text, const std::string& source) {
  std::istringstream in(text);
  auto opened = StepLog::open(in, source);
  if (!opened) return opened.error();
  StepLog log = *std::move(opened);
  LoggedStep step;
  Index steps = 0;
  for (auto more = log.next(step); !more || *more; more = log.next(step)) {
    if (!more) return more.error();
    ++steps;
  }
  return Examined{"log", std::string(log_format),
                  fmt::format("{}{} steps, {} dof; tact audit judges them",
                              log.name().empty() ? "" : log.name() + ": ", steps, log.dof())};
}

Result<Examined> examine_scene(const std::string& file) {
  const auto scene = read_scene(file);
  if (!scene) return scene.error();
  return Examined{"scene", std::string(scene_format(file)), scene_summary(*scene),
                  scene->not_modelled};
}

Result<Examined> examine_scene_text(const std::string& text, const std::string& source) {
  const auto scene = read_scene_text(text, source);
  if (!scene) return scene.error();
  return Examined{"scene", std::string(scene_text_format(text)), scene_summary(*scene),
                  scene->not_modelled};
}

Result<Examined> examine_checkpoint(const std::string& bytes, const std::string& source) {
  auto summary = checkpoint_summary(bytes, source);
  if (!summary) return summary.error();
  return Examined{"checkpoint", std::string(checkpoint_magic), *std::move(summary)};
}

Result<Examined> examine_recording(const std::string& file) {
  auto summary = recording_summary(file);
  if (!summary) return summary.error();
  return Examined{"recording", std::string(recording_format), *std::move(summary)};
}

/// Of a JSON file its format; empty when it has none or is no JSON.
std::string stated_format(const std::string& text, const std::string& source) {
  const JsonDocument document(text, source);
  const JsonField format = document.root().optional("format");
  return format.is_string() ? format.text() : "";
}

/// What the file is, or one sentence that names it.
Result<Examined> examine(const std::string& file) {
  if (is_scene_name(file)) return examine_scene(file);
  if (is_recording_file(file)) return examine_recording(file);
  const auto bytes = read_input(file);
  if (!bytes) return bytes.error();
  const std::string source = source_name(file);
  if (bytes->starts_with(checkpoint_magic)) return examine_checkpoint(*bytes, source);
  if (is_recording(*bytes))
    return Error{Errc::value, source + ": is a recording; write it to a file and name that"};
  if (file == "-" && !scene_text_format(*bytes).empty()) return examine_scene_text(*bytes, source);
  if (is_gzip(*bytes) || format_of(*bytes, source) != ProblemFormat::json)
    return examine_problem(*bytes, source);
  if (std::string_view(*bytes).substr(0, bytes->find('\n')).find("tact-log/") !=
      std::string_view::npos)
    return examine_log(*bytes, source);
  const std::string format = stated_format(*bytes, source);
  if (format.starts_with("tact-certificate/")) return examine_certificate(*bytes, source);
  if (format.starts_with("tact-problem/")) return examine_problem(*bytes, source);
  if (!format.empty() && !format.starts_with("tact-patch/"))
    return Error{Errc::schema,
                 fmt::format("{}: format is \"{}\"; write \"{}\" or \"{}\"", source,
                             detail::printable(format), patch_format, problem_format)};
  return examine_patch(*bytes, source);
}

int run_check(const CheckOptions& options) {
  const auto examined = examine(options.file);
  if (options.json) print_json(examined);
  if (!examined) return complain(examined.error().message);
  if (!options.json)
    fmt::print("kind      {}\nformat    {}\nsummary   {}\nproblems  none\n", examined->kind,
               examined->format, examined->summary);
  if (!options.json)
    for (const std::string& line : examined->not_modelled) fmt::print("left out  {}\n", line);
  return good;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Validate a file and say what is in it.");
  command->footer("Example: tact check foot.json");
  command
      ->add_option(
          "FILE", options->file,
          "A patch, problem, certificate, log, recording, checkpoint or scene file: "
          "tact-patch/1, tact-problem/1, tact-certificate/1, tact-log/1, .tact, .fcp, .fcp.gz, "
          "FCLIB, MJCF .xml, .urdf; - for standard input, but for recordings.")
      ->required();
  command->add_flag("--json", options->json, "Print one JSON object and nothing else.");
  command->callback([options, &action] { action = [options] { return run_check(*options); }; });
}

}  // namespace tact::app
