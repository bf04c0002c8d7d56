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
#include "tact/solve/augmented_newton.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

constexpr double mu = 0.3, rough = 0.5;
constexpr double limit = 30;
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

/// Seconds a step of a solver; zero when even a few take too long.
double step_of(SolverName solver, const DelassusProblem& p, const MassProblem& in_mass_form) {
  double out = 0;
  const bool finished = limited(limit, out, [&](double& seconds) {
    VecX lambda = VecX::Zero(p.rows());
    SolveOptions options;
    options.tolerance = 0;
    LocalWorkspace local;
    AdmmWorkspace admm_work;
    AugmentedNewtonWorkspace newton_work;
    const auto run = [&](int count) {
      options.max_iterations = count;
      if (solver == SolverName::gauss_seidel) {
        for (int k = 0; k < count; ++k) gauss_seidel_sweep(p, lambda, local);
        return;
      }
      lambda.setZero();
      if (solver == SolverName::admm)
        admm(p, options, AdmmOptions{}, admm_work, lambda);
      else if (solver == SolverName::newton)
        augmented_newton(p, options, {}, newton_work, lambda);
      else
        augmented_newton(in_mass_form, options, {}, newton_work, lambda);
    };
    const bool cheap = solver == SolverName::gauss_seidel || solver == SolverName::admm;
    seconds = cheap ? step_time(run, 4, 18) : step_time(run, 1, 3);
  });
  return finished ? out : 0;
}

struct Whole {
  Figures figures;
  double peak = 0;
};

/// A whole solve in a process of its own; `own` is what the process holds without it.
template <class Solve>
Whole whole(double own, Solve solve_it) {
  Whole out;
  const bool finished = limited(
      limit, out.figures,
      [&](Figures& f) {
        const double t0 = cpu_seconds();
        const SolveReport report = solve_it();
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

Whole by_auto(const DelassusProblem& p, double tolerance, double own) {
  return whole(own, [&] {
    SolveOptions options;
    options.tolerance = tolerance;
    SolveWorkspace work;
    VecX lambda = VecX::Zero(p.rows());
    return solve(p, options, work, lambda);
  });
}

Whole by_mass_newton(const MassProblem& p, double tolerance, double own) {
  return whole(own, [&] {
    SolveOptions options;
    options.tolerance = tolerance;
    AugmentedNewtonWorkspace work;
    VecX lambda = VecX::Zero(p.rows());
    return augmented_newton(p, options, {}, work, lambda);
  });
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
  Table csv({"contacts", "largest", "problem_bytes", "factor_numbers", "factor_multiplications",
             "sweep_us", "admm_step_us", "newton_step_us", "newton_mass_step_us", "auto_1e6_us",
             "auto_1e6_converged", "auto_1e8_us", "auto_1e8_converged", "auto_1e8_natural",
             "peak_bytes", "newton_mass_1e8_us", "newton_mass_1e8_converged", "rough_us",
             "rough_converged"});
  Table markdown({"contacts", "largest island", "G and laws", "factor", "sweep", "admm step",
                  "newton step", "newton_mass step", "auto 1e-6", "auto 1e-8", "peak memory",
                  "newton_mass 1e-8", "auto 1e-8, mu 0.5"});
  std::vector<double> n, factor, whole_time, steps[4];
  constexpr SolverName stepped[] = {SolverName::gauss_seidel, SolverName::admm, SolverName::newton,
                                    SolverName::mass_newton};
  for (const double contacts : {10., 30., 100., 300., 1000., 3000., 10000., 20000.}) {
    if (contacts > most) break;
    const ContactProblem scene = pile(std::lround(contacts), mu, 1);
    const DelassusProblem p = *reduce(scene);
    const MassProblem m = *mass_problem(scene);
    Index largest = 0;
    for (const auto& island : split(p).contacts) largest = std::max(largest, std::ssize(island));
    const double own = whole(0, [] { return SolveReport{}; }).peak;
    BlockLu lu;
    lu.analyse(p.G);
    for (std::size_t k = 0; k < 4; ++k) steps[k].push_back(step_of(stepped[k], p, m));
    const Whole loose = by_auto(p, 1e-6, own), tight = by_auto(p, 1e-8, own),
                mass = by_mass_newton(m, 1e-8, own),
                hard = by_auto(*reduce(pile(std::lround(contacts), rough, 1)), 1e-8, own);
    n.push_back(contacts);
    factor.push_back(static_cast<double>(lu.stored()));
    whole_time.push_back(tight.figures.converged ? tight.figures.seconds : 0);
    const auto text = [](double x) { return std::to_string(x); };
    std::vector<std::string> row = {figure(contacts), std::to_string(largest), text(bytes_of(p)),
                                    std::to_string(lu.stored()), text(lu.multiplications())};
    std::vector<std::string> line = {figure(contacts), std::to_string(largest),
                                     figure(bytes_of(p) / mega) + " MB",
                                     figure(8 * static_cast<double>(lu.stored()) / mega) + " MB"};
    for (const auto& step : steps) {
      row.push_back(text(1e6 * step.back()));
      line.push_back(step.back() > 0 ? duration(step.back()) : "-");
    }
    for (const Whole* w : {&loose, &tight, &mass, &hard}) {
      row.push_back(text(1e6 * w->figures.seconds));
      row.emplace_back(w->figures.converged ? "1" : "0");
      line.push_back(solved(*w));
      if (w != &tight) continue;
      row.push_back(figure(w->figures.natural));
      row.push_back(text(w->peak));
      line.push_back(w->figures.in_time ? figure(w->peak / mega) + " MB" : "-");
    }
    csv.add(row);
    markdown.add(line);
    std::fprintf(stderr, ".");
    if (!write_table(argv[1], "pile_table", csv.csv(), markdown.markdown())) return 1;
  }
  std::fprintf(stderr, "\n");
  const auto exponent = [&](const std::vector<double>& y) {
    const std::size_t from = std::min<std::size_t>(2, y.size());
    return figure(fitted_exponent(std::span(n).subspan(from), std::span(y).subspan(from)));
  };
  markdown.add({"exponent from 100", "", "", exponent(factor), exponent(steps[0]),
                exponent(steps[1]), exponent(steps[2]), exponent(steps[3]), "",
                exponent(whole_time), "", "", ""});
  return write_table(argv[1], "pile_table", csv.csv(), markdown.markdown()) ? 0 : 1;
}
