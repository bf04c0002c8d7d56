// bench/pile_table.cpp - what a step and a whole solve cost as a pile grows.
//
//   pile_table FOLDER [QUICK]     writes pile_table.csv and pile_table.md
//
// Spheres of a jittered close packing, 2.5 contacts a sphere, friction 0.3; whole solves with 0.5
// too, which is harder. A step is the difference between runs of different length with a workspace
// that is warm. Memory is the peak of a process that solves, less the peak of one that only has the
// problem.
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "support/measure.hpp"
#include "support/scenes.hpp"
#include "support/table.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

constexpr double mu = 0.3, rough = 0.5;
constexpr double limit = 60;
constexpr double mega = 1024.0 * 1024.0;

/// Several runs in a warm workspace, the shortest time of each length.
double step_time(const std::function<void(int)>& run, int few, int many) {
  const double start = cpu_seconds();
  run(few);
  constexpr double slow = 0.5;
  const int rounds = cpu_seconds() - start > slow ? 1 : 3;
  double shorter = 0, longer = 0;
  for (int k = 0; k < rounds; ++k) {
    const double t0 = cpu_seconds();
    run(few);
    const double t1 = cpu_seconds();
    run(many);
    const double t2 = cpu_seconds();
    shorter = k == 0 ? t1 - t0 : std::min(shorter, t1 - t0);
    longer = k == 0 ? t2 - t1 : std::min(longer, t2 - t1);
  }
  return std::max(0.0, longer - shorter) / (many - few);
}

/// Seconds a step of a solver.
double step_of(SolverName solver, const DelassusProblem& p) {
  double out = 0;
  const bool finished = limited(limit, out, [&](double& seconds) {
    VecX lambda(p.rows());
    SolveOptions options;
    options.tolerance = 0;
    if (solver == SolverName::gauss_seidel) {
      LocalWorkspace work;
      lambda.setZero();
      seconds = step_time(
          [&](int count) {
            for (int k = 0; k < count; ++k) gauss_seidel_sweep(p, lambda, work);
          },
          5, 15);
      return;
    }
    AdmmWorkspace admm_work;
    NewtonWorkspace newton_work;
    const auto run = [&](int count) {
      lambda.setZero();
      options.max_iterations = count;
      if (solver == SolverName::admm)
        admm(p, options, AdmmOptions{}, admm_work, lambda);
      else
        newton(p, options, NewtonOptions{}, newton_work, lambda);
    };
    seconds = solver == SolverName::admm ? step_time(run, 4, 18) : step_time(run, 1, 3);
  });
  return finished ? out : 0;
}

struct Whole {
  Figures figures;
  double peak = 0;
};

Whole whole(const DelassusProblem& p, double tolerance, double own) {
  Whole out;
  SolveOptions options;
  options.tolerance = tolerance;
  const bool finished = limited(
      limit, out.figures,
      [&](Figures& f) {
        DelassusProblem copy = p;
        SolveWorkspace work;
        VecX lambda = VecX::Zero(p.rows());
        const double t0 = cpu_seconds();
        update_metrics(copy);
        const SolveReport report = solve(copy, options, work, lambda);
        f = {true,
             report.status == SolveStatus::converged,
             report.solver,
             report.status,
             report.iterations,
             cpu_seconds() - t0,
             report.residual.natural,
             report.residual.fc3d.value_or(-1)};
      },
      &out.peak);
  if (!finished) out.figures = {};
  out.peak = std::max(0.0, out.peak - own);
  return out;
}

std::string solved(const Whole& w) {
  if (!w.figures.in_time) return "over " + figure(limit) + " s";
  std::string out = duration(w.figures.seconds) + ", " + std::string(name(w.figures.solver));
  if (!w.figures.converged) out += ", failed at " + figure(w.figures.natural);
  return out;
}

double bytes_of(const DelassusProblem& p) {
  return 8.0 * static_cast<double>(p.G.values.size() + 2 * p.G.col.size() + p.metric_values.size() +
                                   p.metric_at.size()) +
         8.0 * static_cast<double>(p.b.size()) +
         sizeof(LocalLaw) * static_cast<double>(p.laws.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "pile_table FOLDER [QUICK]\n");
    return 2;
  }
  const double most = argc > 2 ? 300 : 20000;
  Table csv({"contacts", "islands", "largest", "problem_bytes", "factor_numbers",
             "factor_multiplications", "sweep_us", "admm_step_us", "newton_step_us", "auto_1e6_us",
             "auto_1e6_converged", "auto_1e8_us", "auto_1e8_converged", "auto_1e8_solver",
             "auto_1e8_iterations", "auto_1e8_natural", "peak_bytes", "rough_us",
             "rough_converged"});
  Table markdown({"contacts", "largest island", "problem", "factor", "sweep", "admm step",
                  "newton step", "auto 1e-6", "auto 1e-8", "peak memory", "auto 1e-8, mu 0.5"});
  std::vector<double> n, sweep, admm_step, newton_step, factor, whole_time;
  for (const double contacts : {10., 30., 100., 300., 1000., 3000., 10000., 20000.}) {
    if (contacts > most) break;
    const DelassusProblem p = *reduce(pile(std::lround(contacts), mu, 1));
    const Islands islands = split(p);
    Index largest = 0;
    for (const auto& island : islands.contacts) largest = std::max(largest, std::ssize(island));
    double own = 0, nothing = 0;
    limited(
        limit, nothing,
        [&](double& x) {
          const DelassusProblem copy = p;
          x = copy.b[0];
        },
        &own);
    BlockLu lu;
    lu.analyse(p.G);
    const double a = step_of(SolverName::gauss_seidel, p), b = step_of(SolverName::admm, p),
                 c = step_of(SolverName::newton, p);
    const Whole loose = whole(p, 1e-6, own), tight = whole(p, 1e-8, own);
    const Whole hard = whole(*reduce(pile(std::lround(contacts), rough, 1)), 1e-8, own);
    n.push_back(contacts);
    sweep.push_back(a);
    admm_step.push_back(b);
    newton_step.push_back(c);
    factor.push_back(static_cast<double>(lu.stored()));
    whole_time.push_back(tight.figures.converged ? tight.figures.seconds : 0);
    const auto text = [](double x) { return std::to_string(x); };
    csv.add({figure(contacts), std::to_string(islands.contacts.size()), std::to_string(largest),
             text(bytes_of(p)), std::to_string(lu.stored()), text(lu.multiplications()),
             text(1e6 * a), text(1e6 * b), text(1e6 * c), text(1e6 * loose.figures.seconds),
             loose.figures.converged ? "1" : "0", text(1e6 * tight.figures.seconds),
             tight.figures.converged ? "1" : "0", std::string(name(tight.figures.solver)),
             std::to_string(tight.figures.iterations), figure(tight.figures.natural),
             text(tight.peak), text(1e6 * hard.figures.seconds),
             hard.figures.converged ? "1" : "0"});
    markdown.add({figure(contacts), std::to_string(largest), figure(bytes_of(p) / mega) + " MB",
                  figure(8 * static_cast<double>(lu.stored()) / mega) + " MB", duration(a),
                  b > 0 ? duration(b) : "-", c > 0 ? duration(c) : "-", solved(loose),
                  solved(tight), tight.figures.in_time ? figure(tight.peak / mega) + " MB" : "-",
                  solved(hard)});
    std::fprintf(stderr, ".");
  }
  std::fprintf(stderr, "\n");
  const auto exponent = [&](const std::vector<double>& y) {
    const std::size_t from = std::min<std::size_t>(2, y.size());
    return figure(fitted_exponent(std::span(n).subspan(from), std::span(y).subspan(from)));
  };
  markdown.add({"exponent from 100", "", "", exponent(factor), exponent(sweep), exponent(admm_step),
                exponent(newton_step), "", exponent(whole_time), "", ""});
  return write_table(argv[1], "pile_table", csv.csv(), markdown.markdown()) ? 0 : 1;
}
