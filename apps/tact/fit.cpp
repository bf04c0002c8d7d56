// tact fit - a compliant pair identified from a trace of its forces and motions.
#include <memory>
#include <string>

#include <fmt/core.h>

#include "commands.hpp"
#include "tact/io/file.hpp"
#include "tact/io/fit_report.hpp"
#include "tact/io/trace_file.hpp"

namespace tact::app {
namespace {

struct FitWords {
  std::string trace, validate;
  bool json = false;
};

Result<SoftTrace> trace_of(const std::string& path) {
  const auto text = read_input(path);
  if (!text) return text.error();
  return read_trace(*text, source_name(path));
}

int run_fit(const FitWords& words) {
  const auto trace = trace_of(words.trace);
  if (!trace) return complain(trace.error().message);
  const auto fit = fit_soft_pair(*trace);
  if (!fit) return complain(source_name(words.trace) + ": " + fit.error().message);
  FitReport report{source_name(words.trace), *fit, "", std::nullopt};
  if (!words.validate.empty()) {
    const auto second = trace_of(words.validate);
    if (!second) return complain(second.error().message);
    const auto check = check_fit(*fit, *second);
    if (!check) return complain(source_name(words.validate) + ": " + check.error().message);
    report.checked_source = source_name(words.validate);
    report.check = *check;
  }
  fmt::print("{}", words.json ? fit_json(report) : fit_text(report));
  return report.fit.converged && (!report.check || report.check->explains) ? good : violated;
}

}  // namespace

void add_fit(CLI::App& app, Action& action) {
  auto words = std::make_shared<FitWords>();
  CLI::App* command = app.add_subcommand(
      "fit",
      "Stiffness, exponent, damping and friction of a compliant pair from a trace of forces and "
      "motions, with intervals of 95 %.");
  command->footer(
      "Example: tact fit press.csv --validate second.csv\n"
      "The columns are described in docs/fit.md; exit code 1 says that the fit did not converge "
      "or\n"
      "does not explain the second trace.");
  command->add_option("TRACE", words->trace, "A CSV file; - for standard input.")->required();
  command->add_option("--validate", words->validate, "A second trace that the fit must explain.");
  command->add_flag("--json", words->json, "Print one JSON object and nothing else.");
  command->callback([words, &action] { action = [words] { return run_fit(*words); }; });
}

}  // namespace tact::app
