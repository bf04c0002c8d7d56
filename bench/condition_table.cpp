// bench/condition_table.cpp - which solver for which condition number and law.
//
//   condition_table FOLDER [QUICK]     writes condition_table.csv and condition_table.md
//
// Two families. `spectrum`: twelve contacts, a dense matrix with a random basis and eigenvalues
// spread evenly in logarithms, made to have a solution. `column`: twelve spheres on top of each
// other, the upper the heavier, with a ratio of the masses that brings G near the condition wanted.
// Solved means that the judge accepts at 1e-8 within the solver's own limits and half a second of
// CPU time, from zero.
#include <cstdio>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "support/measure.hpp"
#include "support/scenes.hpp"
#include "support/table.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

constexpr double goal = 1e-8;
constexpr double limit = 0.5;
constexpr int bodies = 12;
constexpr double mu = 0.5;

constexpr SolverName solvers[] = {SolverName::gauss_seidel, SolverName::admm,
                                  SolverName::newton,       SolverName::lemke,
                                  SolverName::box,          SolverName::automatic};

struct NamedLaw {
  const char* name;
  Law law;
};
std::vector<NamedLaw> laws() {
  return {{"box", BoxLaw{mu}},
          {"pyramid 4", PyramidLaw{mu, 4}},
          {"pyramid 8", PyramidLaw{mu, 8}},
          {"cone", CoulombLaw{mu}}};
}

double condition_of(const DelassusProblem& p) {
  MatX G = MatX::Zero(p.rows(), p.rows());
  for (Index i = 0; i < p.contacts(); ++i)
    for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e)
      G.block(p.G.offset[i], p.G.offset[p.G.col[e]], p.laws[i].rows, p.G.rows_of(p.G.col[e])) =
          p.G.block(i, e);
  const VecX v = Eigen::SelfAdjointEigenSolver<MatX>(G, Eigen::EigenvaluesOnly).eigenvalues();
  return v[v.size() - 1] / v[0];
}

ContactProblem make(bool spectrum, double condition, const Law& law, std::uint64_t seed) {
  if (spectrum) return with_spectrum(bodies, condition, law, seed);
  // The condition of a column of equal spheres is about 300 and grows with the ratio of the masses.
  constexpr double of_equals = 300;
  return column(bodies, std::max(1.0, condition / of_equals), law, seed);
}

struct Cell {
  int solved = 0;
  bool supported = true;
  std::vector<double> iterations, seconds;
};

std::string text_of(const Cell& cell, int count) {
  if (!cell.supported) return "no such law";
  std::string out = std::to_string(cell.solved) + "/" + std::to_string(count);
  if (cell.solved > 0)
    out += ", " + figure(median(cell.iterations)) + ", " + duration(median(cell.seconds));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "condition_table FOLDER [QUICK]\n");
    return 2;
  }
  const int count = argc > 2 ? 2 : 10;
  std::vector<SolverName> known;
  std::vector<std::string> header = {"problems", "law", "cond"};
  for (const SolverName s : solvers)
    if (present(s)) {
      known.push_back(s);
      header.emplace_back(name(s));
    }
  Table csv({"family", "law", "wanted", "condition", "seed", "solver", "converged", "iterations",
             "us", "natural"});
  Table markdown(header);
  for (const bool spectrum : {true, false})
    for (const NamedLaw& law : laws())
      for (const double condition : {1e2, 1e4, 1e6, 1e8, 1e10, 1e12}) {
        std::vector<Cell> cells(known.size());
        std::vector<double> conditions;
        const char* family = spectrum ? "spectrum" : "column";
        for (int seed = 1; seed <= count; ++seed) {
          const auto p = reduce(make(spectrum, condition, law.law, static_cast<unsigned>(seed)));
          conditions.push_back(condition_of(*p));
          for (std::size_t k = 0; k < known.size(); ++k) {
            SolveOptions options;
            options.tolerance = goal;
            const Figures f = measure(*p, known[k], options, {limit, 0.005, 20});
            if (f.in_time && f.status == SolveStatus::unsupported) {
              cells[k].supported = false;
              continue;
            }
            if (f.in_time && f.converged) {
              ++cells[k].solved;
              cells[k].iterations.push_back(f.iterations);
              cells[k].seconds.push_back(f.seconds);
            }
            char line[3][32];
            std::snprintf(line[0], sizeof line[0], "%.2e", conditions.back());
            std::snprintf(line[1], sizeof line[1], "%.2f", 1e6 * f.seconds);
            std::snprintf(line[2], sizeof line[2], "%.3e", f.natural);
            csv.add({family, law.name, figure(condition), line[0], std::to_string(seed),
                     std::string(name(known[k])), f.converged ? "1" : "0",
                     std::to_string(f.iterations), line[1], line[2]});
          }
        }
        std::vector<std::string> row = {family, law.name, figure(median(conditions))};
        for (const Cell& cell : cells) row.push_back(text_of(cell, count));
        markdown.add(row);
        std::fprintf(stderr, ".");
      }
  std::fprintf(stderr, "\n");
  return write_table(argv[1], "condition_table", csv.csv(), markdown.markdown()) ? 0 : 1;
}
