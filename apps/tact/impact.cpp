// tact impact - an impact law applied, or somebody's outcome judged: how much energy the contacts
// delivered at least and at most, with a certificate.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "impact_parts.hpp"
#include "scene_input.hpp"
#include "tact/impact/law.hpp"
#include "tact/impact/repair.hpp"
#include "tact/io/certificate_file.hpp"
#include "tact/io/consistency_picture.hpp"
#include "tact/io/exact_entries.hpp"
#include "tact/io/exact_number.hpp"
#include "tact/io/file.hpp"
#include "tact/io/impact_report.hpp"
#include "tact/io/problem_file.hpp"

namespace tact::app {

namespace {

struct ImpactWords {
  std::string file;
  std::string law;
  std::optional<double> restitution, blend, stiffness;
  std::string arithmetic = "auto";
  double tolerance = tolerance::contact_work;
  std::string certificate, verify, svg;
  std::string alpha = "0";
  bool repair = false;
  bool json = false;
  SceneWords scene;
};

/// Applies the law and leaves its outcome in the problem; an exit code where it has none.
std::optional<int> apply_law(const ImpactWords& words, const std::string& source,
                             ContactProblem& problem, std::optional<AppliedLaw>& applied) {
  if (words.restitution)
    for (Contact& c : problem.contacts) c.restitution = *words.restitution;
  const auto law =
      wanted_law({words.law, words.restitution, words.blend, words.stiffness}, problem);
  if (!law) return complain(fmt::format("{}: {}", source, law.error().message));
  const auto outcome = apply(problem, *law, ImpactOptions{});
  if (!outcome) return complain(fmt::format("{}: {}", source, outcome.error().message));
  if (outcome->status != ImpactStatus::solved) {
    if (words.json) {
      nlohmann::ordered_json out = {
          {"law", words.law},    {"status", std::string(name(outcome->status))},
          {"why", outcome->why}, {"events", outcome->events},
          {"verdict", nullptr},  {"ray", nlohmann::ordered_json::array()}};
      for (const double y : outcome->ray) out["ray"].push_back(y);
      fmt::print("{}\n", out.dump(2));
    } else {
      fmt::print("law       {}\n  {}: {}\n", words.law, name(outcome->status), outcome->why);
    }
    return violated;
  }
  applied = AppliedLaw{words.law,
                       outcome->events > 1 && words.law != "newton" &&
                               (words.law == "sequential" || words.law == "generalized_reflections")
                           ? fmt::format("{} impacts in a row", outcome->events)
                           : ""};
  set_outcome(problem, *outcome);
  return std::nullopt;
}

/// By the impulses where they are known and explain the velocity, else by the velocity.
Result<RepairedImpact> repaired(const ImpactAnswer& answer) {
  const ContactProblem& problem = answer.problem;
  const Outcome& outcome = *problem.outcome;
  const bool by_impulses = answer.actual && answer.actual->momentum;
  VecX flat;
  if (by_impulses) {
    const Index rows = row_offsets(problem.contacts).back();
    flat.resize(rows);
    Index at = 0;
    for (const VecX& own : *outcome.impulses) {
      flat.segment(at, own.size()) = own;
      at += own.size();
    }
  }
  const auto found =
      by_impulses ? repair(problem, flat) : repair_to_nearest(problem, outcome.velocity);
  if (!found) return found.error();
  if (found->status != RepairStatus::repaired && found->status != RepairStatus::not_needed)
    return Error{Errc::value, found->why};
  RepairedImpact out;
  out.method =
      found->status == RepairStatus::not_needed ? "nothing to repair"
      : found->method == RepairMethod::line
          ? fmt::format("largest share {:.6g} of the way from the inelastic impact", found->share)
          : fmt::format("nearest velocity, at {:.4g} J^½", found->distance);
  out.velocity = found->velocity;
  out.impulses = found->impulses;
  out.work_before = found->work_before;
  out.work_after = found->work_after;
  return out;
}

/// Accepts or refuses a certificate of this problem; products only.
int run_verify(const ContactProblem& problem, const std::vector<ExactNumber>& exact,
               const std::string& source, const ImpactWords& words) {
  const auto text = read_input(words.verify);
  if (!text) return complain(text.error().message);
  const auto file = read_certificate(*text, source_name(words.verify));
  if (!file) return complain(file.error().message);
  std::optional<std::string> why;
  if (file->exact()) {
    const auto data = exact_impact(problem, exact);
    if (!data) return complain(fmt::format("{}: {}", source, data.error().message));
    why = refusal(*data, std::get<1>(file->certificate), words.tolerance);
  } else {
    const auto data = impact(problem);
    if (!data) return complain(fmt::format("{}: {}", source, data.error().message));
    why = refusal(*data, std::get<0>(file->certificate), words.tolerance);
  }
  const std::string verdict(
      std::visit([](const auto& c) { return name(c.verdict); }, file->certificate));
  const double tolerance = std::visit([](const auto& c) { return c.tolerance; }, file->certificate);
  if (words.json) {
    const nlohmann::ordered_json out = {{"accepted", !why},
                                        {"why", why ? nlohmann::ordered_json(*why) : nullptr},
                                        {"verdict", verdict},
                                        {"tolerance", tolerance},
                                        {"arithmetic", file->exact() ? "exact" : "double"}};
    fmt::print("{}\n", out.dump(2));
  } else if (why) {
    fmt::print("refused   {}\n", *why);
  } else {
    fmt::print("accepted  {}, by {}{}\n", verdict,
               file->exact() ? "exact products of rationals" : "products of doubles",
               tolerance > 0 ? fmt::format(", tolerance {:.3g}", tolerance) : "");
  }
  return why ? violated : good;
}

int judge_and_tell(const ImpactWords& words, const std::string& source,
                   const ContactProblem& problem, const std::vector<ExactNumber>& exact,
                   const std::optional<AppliedLaw>& law) {
  const ImpactArithmetic arithmetic = words.arithmetic == "exact"    ? ImpactArithmetic::exact
                                      : words.arithmetic == "double" ? ImpactArithmetic::doubles
                                                                     : ImpactArithmetic::automatic;
  auto judged = judge_impact(problem, exact, arithmetic, words.tolerance);
  if (!judged) return complain(fmt::format("{}: {}", source, judged.error().message));
  ImpactAnswer answer = *std::move(judged);
  answer.law = law;
  if (words.repair) {
    const auto better = repaired(answer);
    if (better)
      answer.repaired = *better;
    else
      answer.no_repair = better.error().message;
  }
  std::vector<FileContent> files;
  if (!words.certificate.empty())
    files.push_back({words.certificate, write_certificate(answer.certificate)});
  if (!words.svg.empty()) {
    auto svg = consistency_picture(answer, exact, words.alpha);
    if (!svg) return complain(fmt::format("{}: {}", source, svg.error().message));
    files.push_back({words.svg, *std::move(svg)});
  }
  if (const auto error = write_files(files)) return complain(error->message);
  fmt::print("{}", words.json ? impact_json(answer) : impact_table(answer, source));
  return violates(answer) ? violated : good;
}

int run_impact(const ImpactWords& words) {
  if (words.certificate == "-" || words.svg == "-")
    return complain("-: an output needs a file name; --json prints the certificate");
  if (const auto sentence = clash(words.file, {words.certificate, words.svg}))
    return complain(*sentence);
  const auto text = read_problem_or_scene(words.file, words.scene, MomentUse::impact,
                                          {words.certificate, words.svg});
  if (!text) return complain(text.error().message);
  const std::string source = source_name(words.file);
  const auto file = read_problem_file(*text, source);
  if (!file) return complain(file.error().message);
  ContactProblem problem = file->problem;
  std::optional<AppliedLaw> law;
  if (!words.law.empty())
    if (const auto code = apply_law(words, source, problem, law)) return *code;
  if (!words.verify.empty())
    return run_verify(problem, entries_of(*file, law.has_value()), source, words);
  return judge_and_tell(words, source, problem, entries_of(*file, law.has_value()), law);
}

void add_law_words(CLI::App& command, ImpactWords& words) {
  CLI::Option* law =
      command
          .add_option("--law", words.law,
                      "Apply a law first: moreau, newton, newton_clamped, poisson, fremond, "
                      "generalized_reflections, sequential. Without it the file's outcome is "
                      "judged.")
          ->check(CLI::IsMember({"moreau", "newton", "newton_clamped", "poisson", "fremond",
                                 "generalized_reflections", "sequential"}));
  command
      .add_option("--restitution", words.restitution,
                  "Restitution of all contacts, instead of the file's.")
      ->needs(law)
      ->check(number_between(0, 2));
  command
      .add_option("--blend", words.blend,
                  "Of generalized_reflections: 1 reflects, 0 is inelastic; by default the common "
                  "restitution of the contacts, or 1 where that is zero.")
      ->needs(law)
      ->check(number_between(0, 1));
  command
      .add_option("--stiffness", words.stiffness,
                  "Of fremond: k of its pseudo-potential [kg]; by default what gives each contact "
                  "alone its restitution.")
      ->needs(law);
}

}  // namespace

void add_impact(CLI::App& app, Action& action) {
  auto words = std::make_shared<ImpactWords>();
  CLI::App* command = app.add_subcommand(
      "impact",
      "Apply an impact law, or judge an outcome: the least and the largest energy the contacts can "
      "have delivered, a verdict, and a certificate that products can check.");
  command->footer(
      "Example: tact impact forklift.json --certificate proof.json --svg set.svg\n"
      "         tact impact forklift.json --verify proof.json\n"
      "         tact impact cradle.json --law poisson --restitution 1\n"
      "Exit code 1: the outcome violates something (or a law has no outcome, or a certificate is\n"
      "refused). What the verdicts mean: docs/impact.md; the laws: docs/impact-laws.md.");
  command
      ->add_option("PROBLEM", words->file,
                   "A tact-problem/1 file or a scene; - for standard input.")
      ->required();
  add_scene_words(*command, words->scene);
  add_law_words(*command, *words);
  CLI::Option* certificate = command->add_option("--certificate", words->certificate,
                                                 "Write the certificate to this file.");
  CLI::Option* svg = command->add_option(
      "--svg", words->svg, "Draw the consistency set where contacts act in 1 to 3 directions.");
  command->add_option("--alpha", words->alpha,
                      "Draw the set of contact work up to this many joules instead of zero.");
  CLI::Option* repair =
      command->add_flag("--repair", words->repair,
                        "Also find a velocity that violates nothing, by changing impulses alone.");
  command
      ->add_option("--verify", words->verify,
                   "Accept or refuse this certificate of the problem; products only. One with a "
                   "tolerance above --tolerance is refused.")
      ->excludes(certificate)
      ->excludes(svg)
      ->excludes(repair);
  command
      ->add_option("--arithmetic", words->arithmetic,
                   "auto (default): rationals for small problems; exact; double.")
      ->check(CLI::IsMember({"auto", "exact", "double"}));
  command
      ->add_option("--tolerance", words->tolerance,
                   "For rounded data: what counts as zero, a pure number.")
      ->check(share_above_zero(1))
      ->capture_default_str();
  command->add_flag("--json", words->json, "Print one JSON object and nothing else.");
  command->callback([words, &action] { action = [words] { return run_impact(*words); }; });
}

}  // namespace tact::app
