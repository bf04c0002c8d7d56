// tact solve - one contact problem: impulses, velocities, what each contact does, and how well it
// is known.
#include "tact/solve/solve.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "scene_input.hpp"
#include "tact/io/all_solutions_report.hpp"
#include "tact/io/exact_entries.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/io/solve_report.hpp"

namespace tact::app {

namespace {

struct SolveWords {
  std::string file;
  std::string solver = "auto";
  double tolerance = tolerance::solved;
  int threads = 1;
  bool force_range = false;
  std::vector<std::string> stiffness;
  bool all_solutions = false;
  bool proof = false;
  Index max_nodes = AllSolutionsOptions{}.max_nodes;
  bool json = false;
  SceneWords scene;
};

constexpr SolverName all_solvers[] = {SolverName::automatic, SolverName::newton,
                                      SolverName::admm,      SolverName::gauss_seidel,
                                      SolverName::lemke,     SolverName::box};

struct Timed {
  SolveReport report;
  VecX lambda;
  VecX jam_ray;
  double seconds = 0;
};

Timed timed_solve(SolverName solver, const DelassusProblem& problem, const SolveWords& words) {
  SolveOptions options;
  options.tolerance = words.tolerance;
  options.polish = true;
  SolveWorkspace work;
  work.workers.resize(static_cast<std::size_t>(std::max(words.threads, 1)));
  Timed out;
  out.lambda.setZero(problem.rows());
  const auto start = std::chrono::steady_clock::now();
  out.report = solve_with(solver, problem, options, work, out.lambda);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.jam_ray = work.jam_ray;
  return out;
}

VecX velocity_of(const DelassusProblem& problem, const VecX& lambda) {
  VecX u;
  multiply(problem.G, lambda, u);
  return u + problem.b;
}

/// The mass form, without the Delassus matrix.
Timed timed_mass_solve(const ContactProblem& given, const MassProblem& problem,
                       const SolveWords& words) {
  SolveOptions options;
  options.tolerance = words.tolerance;
  SolveWorkspace work;
  Timed out;
  out.lambda.setZero(problem.rows());
  const auto start = std::chrono::steady_clock::now();
  out.report = solve_mass(given, problem, options, work, out.lambda);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.jam_ray = work.jam_ray;
  return out;
}

/// Every solver on the same problem; the best answer first.
Timed compare(const DelassusProblem& problem, const SolveWords& words,
              std::vector<SolverTrial>& trials) {
  std::vector<Timed> runs;
  for (const SolverName solver : all_solvers) {
    runs.push_back(timed_solve(solver, problem, words));
    // The automatic choice reports the method it ended with; here it stands for itself.
    runs.back().report.solver = solver;
  }
  const auto worse = [](const Timed& a, const Timed& b) {
    const bool a_solved = a.report.status == SolveStatus::converged;
    const bool b_solved = b.report.status == SolveStatus::converged;
    if (a_solved != b_solved) return a_solved;
    return a.report.residual.figure() < b.report.residual.figure();
  };
  Timed best = *std::min_element(runs.begin(), runs.end(), worse);
  const VecX reference = velocity_of(problem, best.lambda);
  const double size = std::max(reference.norm(), problem.b.norm());
  for (const Timed& run : runs) {
    const double distance = (velocity_of(problem, run.lambda) - reference).norm();
    trials.push_back({run.report, run.seconds, size > 0 ? distance / size : 0});
  }
  return best;
}

std::optional<SolverName> solver_named(const std::string& word) {
  for (const SolverName solver : all_solvers)
    if (name(solver) == word) return solver;
  return std::nullopt;
}

/// Prints the answer; the exit code.
int tell(const AnyProblem& file, const SolveAnswer& answer, const std::vector<SolverTrial>& trials,
         bool as_json) {
  const ContactProblem& problem = file.file.problem;
  const SolveReportDetail detail{file.format != ProblemFormat::json};
  fmt::print("{}", as_json ? solve_json(problem, answer, trials, detail)
                           : solve_table(problem, answer, trials));
  return answer.report.status == SolveStatus::converged ? good : violated;
}

int run_mass_solve(const AnyProblem& file, const std::string& source, const SolveWords& words) {
  const auto mass = mass_problem(file.file.problem);
  if (!mass) return complain(source + ": " + mass.error().message);
  const Timed found = timed_mass_solve(file.file.problem, *mass, words);
  VecX v, u;
  velocities(*mass, found.lambda, v, u);
  SolveAnswer answer =
      explain(file.file.problem, judged(*mass), found.report, found.lambda, u, found.jam_ray);
  answer.seconds = found.seconds;
  return tell(file, answer, {}, words.json);
}

int run_all_solutions(const AnyProblem& file, const std::string& source, const SolveWords& words) {
  const ContactProblem& problem = file.file.problem;
  AllSolutionsOptions options;
  options.max_nodes = words.max_nodes;
  const auto exact = exact_entries(file.file);
  const auto start = std::chrono::steady_clock::now();
  const auto all = all_solutions(problem, options, exact);
  if (!all) return complain(source + ": " + all.error().message);
  AllSolutionsDetail detail;
  detail.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  detail.proof = words.proof;
  const auto checked = check_all_solutions(problem, *all, exact);
  detail.checked = checked && *checked;
  fmt::print("{}", words.json ? all_solutions_json(problem, *all, detail)
                              : all_solutions_table(problem, *all, detail));
  const bool told = all->status == AllSolutions::Status::complete && detail.checked;
  return told && all->components > 0 ? good : violated;
}

/// [contacts] from words like "leg 1=2e4" and, for all others, "1e4".
Result<VecX> stiffness_of(const ContactProblem& problem, const std::vector<std::string>& words) {
  const auto wrong = [](const std::string& word, const char* why) {
    return Error{Errc::value, fmt::format("--stiffness {}: {}", word, why)};
  };
  const auto count = static_cast<Index>(problem.contacts.size());
  VecX out = VecX::Ones(count);
  std::vector<bool> named(problem.contacts.size(), false);
  for (const Contact& contact : problem.contacts)
    if (const RowSplit split = row_split(contact.law);
        split.normal_count != 1 || split.tangent_count > 2)
      return Error{Errc::value,
                   fmt::format("--stiffness is for points that slide; {} also resists turning",
                               contact.name)};
  for (const std::string& word : words) {
    const std::size_t split = word.rfind('=');
    const std::string number = split == std::string::npos ? word : word.substr(split + 1);
    char* end = nullptr;
    const double k = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || !(k > 0) || !std::isfinite(k))
      return wrong(word, "a stiffness is a positive number of N/m, as 1e4 or NAME=1e4");
    bool found = split == std::string::npos;
    for (Index i = 0; i < count; ++i) {
      if (split == std::string::npos && named[i]) continue;
      if (split != std::string::npos && problem.contacts[i].name != word.substr(0, split)) continue;
      out[i] = k;
      named[i] = split != std::string::npos;
      found = true;
    }
    if (!found) return wrong(word, "no contact has this name");
  }
  return out;
}

int run_solve(const SolveWords& words) {
  const auto bytes = read_problem_or_scene(words.file, words.scene, MomentUse::step);
  if (!bytes) return complain(bytes.error().message);
  const std::string source = source_name(words.file);
  const auto file = read_problem(*bytes, source);
  if (!file) return complain(file.error().message);
  if (words.all_solutions) return run_all_solutions(*file, source, words);
  if (words.solver == name(SolverName::mass_newton)) {
    if (words.force_range)
      return complain("--force-range needs the Delassus matrix; choose another --solver");
    return run_mass_solve(*file, source, words);
  }
  const ContactProblem& problem = file->file.problem;
  const auto reduced = reduce(problem);
  if (!reduced) return complain(source + ": " + reduced.error().message);

  std::vector<SolverTrial> trials;
  const Timed found = words.solver == "all"
                          ? compare(*reduced, words, trials)
                          : timed_solve(*solver_named(words.solver), *reduced, words);
  SolveAnswer answer = explain(problem, judged(*reduced), found.report, found.lambda,
                               velocity_of(*reduced, found.lambda), found.jam_ray);
  answer.seconds = found.seconds;
  ForceRangeOptions range;
  if (!words.stiffness.empty()) {
    auto stiffness = stiffness_of(problem, words.stiffness);
    if (!stiffness) return complain(source + ": " + stiffness.error().message);
    range.stiffness = *std::move(stiffness);
  }
  if (words.force_range && answer.report.status == SolveStatus::converged)
    answer.range = force_range(*reduced, found.lambda, range);
  return tell(*file, answer, trials, words.json);
}

}  // namespace

void add_solve(CLI::App& app, Action& action) {
  auto words = std::make_shared<SolveWords>();
  CLI::App* command = app.add_subcommand(
      "solve",
      "Solve a contact problem: impulses, velocities, a label for every contact, and the residual "
      "of an independent judge.");
  command->footer(
      "Example: tact solve table.json --force-range\n"
      "         tact solve robot.xml --keyframe stand\n"
      "Reads tact-problem/1 files (docs/problem-file.md), FCLIB .hdf5 and .fcp[.gz], and scenes\n"
      "(MJCF .xml, .urdf: the step that starts at a keyframe, docs/scenes.md). Exit code 1\n"
      "says that the problem was not solved: not converged, or without a solution (a jam).\n"
      "With --all-solutions it says that there is none, or that not all could be told.\n"
      "Which solver when: docs/solvers.md.");
  command->add_option("PROBLEM", words->file, "A problem file or a scene; - for standard input.")
      ->required();
  add_scene_words(*command, words->scene);
  command
      ->add_option("--solver", words->solver,
                   "auto (default), gs, admm, newton, newton_mass (never makes the "
                   "Delassus matrix), lemke, box, or all to compare.")
      ->check(
          CLI::IsMember({"auto", "gs", "admm", "newton", "newton_mass", "lemke", "box", "all"}));
  command
      ->add_option("--tolerance", words->tolerance,
                   "The judge's residual that counts as solved (a pure number).")
      ->check(share_above_zero(1))
      ->capture_default_str();
  command->add_option("--threads", words->threads, "Islands are solved in parallel; same bits.")
      ->check(CLI::Range(1, 1024));
  CLI::Option* range =
      command->add_flag("--force-range", words->force_range,
                        "Where contacts are redundant: least, largest and smallest-norm impulses.");
  command
      ->add_option(
          "--stiffness", words->stiffness,
          "With --force-range: the elastic choice, as if each contact stood on a spring of "
          "this stiffness [N/m]; K for all, NAME=K for one. May be repeated.")
      ->needs(range)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* all = command->add_flag(
      "--all-solutions", words->all_solutions,
      "Every solution, mode by mode, each with its range of impulses, and the proof that there is "
      "no other; for points without rolling friction and polygonal patches without friction.");
  command
      ->add_flag("--proof", words->proof,
                 "With --all-solutions --json: the tree of certificates as well.")
      ->needs(all);
  command
      ->add_option("--max-nodes", words->max_nodes,
                   "With --all-solutions: how many modes may be looked at.")
      ->needs(all)
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  command->add_flag("--json", words->json, "Print one JSON object and nothing else.");
  command->callback([words, &action] { action = [words] { return run_solve(*words); }; });
}

}  // namespace tact::app
