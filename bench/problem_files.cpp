// bench/problem_files.cpp - every solver on files of contact problems.
//
//   problem_files SECONDS FILE...      one line of CSV for each file and solver, to standard output
//
// Judged as the FCLIB collection is: residual fc3d at most 1e-8. The clock runs over metrics,
// islands and solve, from the matrix and vectors in memory, workspace reused; the best of up to 100
// repetitions or half a second counts. A solve that needs more than SECONDS of CPU time has failed.
// tools/solver_profile.py makes a table and a picture of this and of Siconos' figures.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/measure.hpp"
#include "tact/io/file.hpp"
#include "tact/io/problem_any.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

constexpr SolverName solvers[] = {SolverName::automatic, SolverName::gauss_seidel, SolverName::admm,
                                  SolverName::newton,    SolverName::lemke,        SolverName::box};

std::string stem(const std::string& path) {
  std::string out = std::filesystem::path(path).filename().string();
  for (const char* end : {".gz", ".fcp", ".json", ".hdf5", ".h5"})
    if (out.ends_with(end)) out.resize(out.size() - std::string_view(end).size());
  return out;
}

const char* status_of(const Figures& f) {
  if (!f.in_time) return "timeout";
  if (f.status == SolveStatus::unsupported) return "unsupported";
  const bool solved = f.fc3d >= 0 ? f.fc3d <= tolerance::fc3d : f.converged;
  return solved ? "solved" : "failed";
}

void run(const std::string& path, double seconds) {
  const auto bytes = read_file(path);
  if (!bytes) {
    std::fprintf(stderr, "%s\n", bytes.error().message.c_str());
    return;
  }
  const auto file = read_problem(*bytes, path);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    return;
  }
  const auto problem = reduce(file->file.problem);
  if (!problem) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.error().message.c_str());
    return;
  }
  if (problem->contacts() == 0) return;
  for (const SolverName solver : solvers) {
    if (!present(solver)) continue;
    SolveOptions options;
    options.tolerance = tolerance::fc3d;
    const Figures f = measure(*problem, solver, options, {seconds, 0.5, 100});
    std::printf("%s,%td,%d,%s,%.9g,%.3e,%.3e,%s,%d,%s\n", stem(path).c_str(), problem->contacts(),
                static_cast<int>(problem->laws[0].rows), std::string(name(solver)).c_str(),
                f.seconds, f.fc3d, f.natural, status_of(f), f.iterations,
                std::string(name(f.solver)).c_str());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 2 ? std::strtod(argv[1], nullptr) : 0;
  if (!(seconds > 0)) {
    std::fprintf(stderr, "problem_files SECONDS FILE...\n");
    return 2;
  }
  std::printf("problem,nc,dim,solver,seconds,e,natural,status,iterations,finished_by\n");
  for (int k = 2; k < argc; ++k) run(argv[k], seconds);
  return 0;
}
