// bench/patch_table.cpp - one patch against many points at every interface of a tower: unknowns,
// rank, condition, and what each solver makes of it.
//
//   patch_table FOLDER [QUICK]     writes patch_table.csv and patch_table.md
//
// Gauss-Seidel and the alternating direction method run to a natural residual of 1e-6, Newton and
// the automatic choice to 1e-10. Times are CPU, best of repetitions; what is not there after half a
// second counts as failed. Without friction patch and points are the same mechanics, and the
// velocities are compared.
#include <cstdio>
#include <string>
#include <vector>

#include "support/measure.hpp"
#include "support/scenes.hpp"
#include "support/table.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

constexpr double limit = 0.5;
constexpr double loose = 1e-6;
constexpr double tight = 1e-10;

struct Job {
  SolverName solver;
  double tolerance;
};
constexpr Job jobs[] = {{SolverName::gauss_seidel, loose},
                        {SolverName::admm, loose},
                        {SolverName::newton, tight},
                        {SolverName::mass_newton, tight},
                        {SolverName::automatic, tight}};

/// One line of the table: the same tower in several states.
struct Line {
  Tower tower;
  int states = 1;
};

std::string support_name(const Tower& t) {
  if (t.points > 0) return std::to_string(t.points) + " points";
  return t.round ? "disc" : "square";
}

std::string tower_name(const Tower& t) {
  return std::to_string(t.bodies) + (t.round ? " cylinders" : " boxes") +
         (t.top > 1 ? " top x100" : "");
}

/// The velocities of points and patch differ by this share; only without friction is it a fault.
double difference_to_patch(const Tower& t, const ContactProblem& problem,
                           const DelassusProblem& reduced) {
  Tower with_patch = t;
  with_patch.points = 0;
  const ContactProblem other = tower(with_patch);
  VecX lambda, mu;
  SolveOptions options;
  options.tolerance = tight;
  solve(reduced, options, lambda);
  solve(*reduce(other), options, mu);
  const VecX a = velocity_after(problem, lambda), b = velocity_after(other, mu);
  const VecX free = velocity_after(problem, VecX::Zero(reduced.rows()));
  return (a - b).norm() / std::max(b.norm(), (free - b).norm());
}

struct Result {
  std::vector<double> iterations[5], seconds[5];
  int failed[5] = {};
  double worst[5] = {};
};

void run(const Line& line, Table& csv, Table& markdown) {
  Result result;
  Spectrum spec;
  Index unknowns = 0;
  double difference = 0;
  for (int state = 0; state < line.states; ++state) {
    Tower t = line.tower;
    t.seed = static_cast<std::uint64_t>(state + 1);
    const ContactProblem problem = tower(t);
    const DelassusProblem reduced = *reduce(problem);
    unknowns = reduced.rows();
    if (state == 0) {
      spec = spectrum(problem);
      if (!(t.mu > 0) && t.points > 0) difference = difference_to_patch(t, problem, reduced);
    }
    for (std::size_t k = 0; k < std::size(jobs); ++k) {
      SolveOptions options;
      options.tolerance = jobs[k].tolerance;
      const Timing timing{limit, 0.02, 20};
      const Figures f = k < 2 ? measure_natural(reduced, jobs[k].solver, loose, timing)
                        : jobs[k].solver == SolverName::mass_newton
                            ? measure_in_mass_form(problem, options, timing)
                            : measure(reduced, jobs[k].solver, options, timing);
      if (f.in_time && f.converged) {
        result.iterations[k].push_back(f.iterations);
        result.seconds[k].push_back(f.seconds);
      } else {
        ++result.failed[k];
      }
      result.worst[k] = std::max(result.worst[k], f.natural);
      const auto text = [](double x) { return std::to_string(x); };
      char natural[32];
      std::snprintf(natural, sizeof natural, "%.3e", f.natural);
      csv.add({tower_name(t), support_name(t), figure(t.mu), name(t.motion), std::to_string(t.seed),
               std::to_string(unknowns), std::to_string(spec.rank), text(spec.condition),
               text(spec.scaled), std::string(name(jobs[k].solver)), f.converged ? "1" : "0",
               std::to_string(f.iterations), text(1e6 * f.seconds), natural, text(difference)});
    }
  }
  std::vector<std::string> row = {tower_name(line.tower),   name(line.tower.motion),
                                  figure(line.tower.mu),    support_name(line.tower),
                                  std::to_string(unknowns), std::to_string(spec.rank),
                                  figure(spec.condition),   figure(spec.scaled)};
  for (std::size_t k = 0; k < std::size(jobs); ++k) {
    std::string cell = result.iterations[k].empty() ? std::string("-")
                                                    : figure(median(result.iterations[k])) + ", " +
                                                          duration(median(result.seconds[k]));
    if (result.failed[k] > 0)
      cell +=
          " (" + std::to_string(result.failed[k]) + "/" + std::to_string(line.states) + " failed)";
    row.push_back(cell);
  }
  markdown.add(row);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "patch_table FOLDER [QUICK]\n");
    return 2;
  }
  const bool quick = argc > 2;
  Table csv({"tower", "support", "mu", "state", "seed", "unknowns", "rank", "condition",
             "condition_in_metric", "solver", "converged", "iterations", "us", "natural",
             "difference_to_patch"});
  Table markdown({"tower", "state", "mu", "interface", "unknowns", "rank", "cond", "cond in D",
                  "gs 1e-6", "admm 1e-6", "newton 1e-10", "newton_mass 1e-10", "auto 1e-10"});
  const std::vector<int> heights = quick ? std::vector<int>{1, 3} : std::vector<int>{1, 5, 10, 30};
  for (const bool round : {false, true})
    for (const int bodies : heights)
      for (const double top : {1.0, 100.0})
        for (const double mu : {0.0, 0.5})
          for (const bench::Motion motion :
               {bench::Motion::resting, bench::Motion::tipping, bench::Motion::pushed}) {
            if (motion == bench::Motion::pushed && !(mu > 0)) continue;
            if (top > 1 && (bodies == 1 || round || motion != bench::Motion::resting)) continue;
            for (const int points : {0, 4, 16, 64}) {
              if (points == 64 && !round) continue;
              Tower t;
              t.bodies = bodies;
              t.round = round;
              t.points = points;
              t.mu = mu;
              t.top = top;
              t.motion = motion;
              run({t, motion == bench::Motion::resting ? 1 : 3}, csv, markdown);
              std::fprintf(stderr, ".");
            }
          }
  std::fprintf(stderr, "\n");
  return write_table(argv[1], "patch_table", csv.csv(), markdown.markdown()) ? 0 : 1;
}
