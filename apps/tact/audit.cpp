// tact audit - the log of any engine, or a recording: where its energy went, and which of its steps
// break which law.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/core.h>
#include <unistd.h>

#include "commands.hpp"
#include "recordings.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/contact/mass.hpp"
#include "tact/impact/judge.hpp"
#include "tact/io/audit_report.hpp"
#include "tact/io/file.hpp"
#include "tact/io/recording_audit.hpp"
#include "tact/io/step_log.hpp"

namespace tact::app {

namespace {

struct AuditWords {
  std::string file;
  double tolerance = tolerance::audit;
  bool consistency = false;
  bool json = false;
  std::string svg;
};

/// One line that is written over, once a second, for people who wait.
class Progress {
 public:
  void at(Index step) {
    if (!shown_to_people_ || step % 256 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(1)) return;
    last_ = now;
    fmt::print(stderr, "\r{} steps", step);
    std::fflush(stderr);
    written_ = true;
  }
  ~Progress() {
    if (written_) fmt::print(stderr, "\r\033[K");
  }
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  bool shown_to_people_ = isatty(STDERR_FILENO) == 1;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Everything that goes from step to step.
struct Run {
  AuditReport report;
  AuditTrace trace;
  MassFactor factor;
  bool factored = false;  ///< of the header's mass
  LedgerWorkspace work;
  StepLedger ledger;
  std::vector<LocalLaw> laws;
  VecX free, lambda;
  std::optional<double> potential;  ///< after the last step
  bool consistency = false;         ///< judge every step by all impulses that explain it
};

/// z = u⁻ + M⁻¹ p; the header's mass is factored once.
std::optional<Error> find_free_velocity(const LoggedStep& step, Run& run) {
  const ContactProblem& p = step.problem;
  if (step.own_mass || !run.factored) {
    auto factor = MassFactor::from(p.mass, false);
    if (!factor) return factor.error();
    run.factor = *std::move(factor);
    run.factored = !step.own_mass;
  }
  run.free = p.velocity;
  if (p.impulse.size() > 0) run.free += run.factor.solve(p.impulse);
  return std::nullopt;
}

/// Whether any impulses explain the step's velocity without giving energy, in the books of the
/// step: with γ~ = γ + s for γ. What the check of the certificate does not accept is undecided.
std::optional<Error> judge_consistency(const ContactProblem& p, Run& run, StepFindings& findings) {
  auto made = impact(p);
  if (!made) return made.error();
  Impact<double> data = *std::move(made);
  const VecX shift = law_shift(p, VecX::Zero(p.rows.rows()));  // s alone: e counts from zero
  for (Index row = 0; row < shift.size(); ++row) data.excitation[row] += shift[row];
  ImpactCertificate<double> found = judge(data, run.report.tolerance);
  if (refusal(data, found, run.report.tolerance)) found.verdict = ImpactVerdict::undecided;
  ++run.report.consistency[std::string(name(found.verdict))];
  if (found.verdict == ImpactVerdict::inconsistent)
    findings[static_cast<std::size_t>(Violation::consistency)] =
        Finding{found.minimum.low,
                work_slack(data, found.after, found.minimum.impulses, run.report.tolerance)};
  return std::nullopt;
}

std::optional<Error> audit_step(const LoggedStep& step, Run& run) {
  if (auto error = find_free_velocity(step, run)) return error;
  const ContactProblem& p = step.problem;
  run.laws.clear();
  for (const Contact& contact : p.contacts) run.laws.push_back(local_law(contact.law));
  run.lambda.resize(p.rows.rows());
  Index row = 0;
  for (const VecX& impulse : *p.outcome->impulses) {
    run.lambda.segment(row, impulse.size()) = impulse;
    row += impulse.size();
  }
  std::optional<double> potential_change;
  if (step.potential && run.potential) potential_change = *step.potential - *run.potential;
  run.potential = step.potential;
  step_ledger(p, run.laws, {run.free, p.outcome->velocity, run.lambda, potential_change}, run.work,
              run.ledger);
  StepFindings findings = judge(run.ledger, run.report.tolerance);
  if (run.consistency)
    if (auto error = judge_consistency(p, run, findings)) return error;
  const AuditedStep audited{step.step, step.time, p, run.ledger, findings};
  add_step(run.report.audit, audited);
  add_point(run.trace, run.report.audit, audited);
  return std::nullopt;
}

/// All steps; the first complaint ends it.
std::optional<Error> audit_log(std::istream& in, const std::string& source, Run& run) {
  auto opened = StepLog::open(in, source);
  if (!opened) return opened.error();
  StepLog log = *std::move(opened);
  run.report.name = log.name();
  Progress progress;
  LoggedStep step;
  while (true) {
    const auto more = log.next(step);
    if (!more) return more.error();
    if (!*more) break;
    if (auto error = audit_step(step, run))
      return Error{error->code, fmt::format("{}:{}: {}", source, step.line, error->message)};
    progress.at(run.report.audit.steps);
  }
  if (run.report.audit.steps == 0)
    return Error{Errc::schema, source + ": has no steps; write one a line after the header"};
  return std::nullopt;
}

std::optional<Error> audit_file(const AuditWords& words, Run& run) {
  const std::string source = source_name(words.file);
  if (words.file == "-") return audit_log(std::cin, source, run);
  std::error_code status;
  if (std::filesystem::is_directory(words.file, status))
    return Error{Errc::io, source + ": is a folder; name a file in it"};
  std::ifstream in(words.file, std::ios::binary);
  if (!in) return Error{Errc::io, source + ": cannot be read; check the name and its permissions"};
  return audit_log(in, source, run);
}

int run_recording_audit(const AuditWords& words) {
  if (words.consistency || !words.svg.empty())
    return complain(words.file + ": is a recording; --consistency and --svg are for logs");
  const auto audit = audit_recording(words.file, words.tolerance);
  if (!audit) return complain(audit.error().message);
  fmt::print("{}", words.json ? audit_json(*audit) : audit_table(*audit));
  return audit->clean() ? good : violated;
}

int run_audit(const AuditWords& words) {
  if (is_recording_file(words.file)) return run_recording_audit(words);
  std::error_code ignored;
  if (words.svg == "-")
    return complain("-: a picture needs a file name; write for instance --svg audit.svg");
  if (!words.svg.empty() && std::filesystem::equivalent(words.svg, words.file, ignored))
    return complain(words.svg + ": is the input; name another file for the picture");
  Run run;
  run.report.source = source_name(words.file);
  run.report.tolerance = words.tolerance;
  run.consistency = words.consistency;
  if (const auto error = audit_file(words, run)) return complain(error->message);
  if (!words.svg.empty()) {
    const FileContent picture{words.svg, audit_picture(run.report, run.trace)};
    if (const auto error = write_file(picture)) return complain(error->message);
  }
  fmt::print("{}", words.json ? audit_json(run.report) : audit_table(run.report));
  if (!words.json && !words.svg.empty()) fmt::print("picture   {}\n", words.svg);
  return run.report.audit.clean() ? good : violated;
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
  auto words = std::make_shared<AuditWords>();
  CLI::App* command = app.add_subcommand(
      "audit",
      "Judge the steps of any engine from its log, or of tact from its recording: momentum, "
      "friction cones, complementarity, penetration, energy given by contacts, and where all the "
      "energy went.");
  command->footer(
      "Example: tact audit run.jsonl --svg run.svg; tact audit run.tact --json\n"
      "A log is a header and one line per step: mass, velocity before and after, smooth impulse,\n"
      "contact rows and impulses, as JSON lines or CSV (docs/formats.md). The smallest one:\n"
      "  {\"format\": \"tact-log/1\", \"dof\": 1, \"inertia\": [2],\n"
      "   \"contacts\": [{\"name\": \"floor\", \"normal\": [1]}]}\n"
      "  {\"velocity\": [-1], \"outcome\": {\"velocity\": [0.5], \"impulses\": [[3]]}}\n"
      "(the header is one line). Verdicts and what they mean: docs/audit.md. Exit code 1 says "
      "that\n"
      "a step violates something.");
  command
      ->add_option("LOG", words->file,
                   "A tact-log/1 file or a recording (.tact); - for standard input, logs only.")
      ->required();
  command
      ->add_option("--tolerance", words->tolerance,
                   "The share of its step's own scale that a violation must exceed. Logs with few "
                   "digits need more.")
      ->check(share_above_zero(1))
      ->capture_default_str();
  command->add_flag("--consistency", words->consistency,
                    "Also judge each step by all impulses that explain its velocity, not only by "
                    "those of the log, with the stabilisation that it declares; costs two linear "
                    "programs a step.");
  command->add_flag("--json", words->json, "Print one JSON object and nothing else.");
  command->add_option("--svg", words->svg,
                      "Draw the accounts over time, with the violations, into this file.");
  command->callback([words, &action] { action = [words] { return run_audit(*words); }; });
}

}  // namespace tact::app
