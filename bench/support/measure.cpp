#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tact/solve/augmented_newton.hpp"

namespace tact::bench {

double cpu_seconds() {
  timespec now{};
  // Of the thread: while a limit is set, the clock of the process only moves at ticks.
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double clock_cost() {
  constexpr int readings = 1000;
  double least = 1;
  for (int k = 0; k < readings; ++k) {
    const double before = cpu_seconds();
    least = std::min(least, cpu_seconds() - before);
  }
  return least;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double fitted_exponent(std::span<const double> x, std::span<const double> y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > 0) || !(y[i] > 0)) continue;
    const double u = std::log(x[i]), v = std::log(y[i]);
    n += 1;
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  const double spread = n * sxx - sx * sx;
  return spread > 0 ? (n * sxy - sx * sy) / spread : 0;
}

namespace {

/// Of a child [bytes]: a dense method on a large problem asks for more than there is, and fails.
constexpr rlim_t most_memory = rlim_t{6} << 30;

void set_limit(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(timer.it_value.tv_sec)));
  setitimer(ITIMER_PROF, &timer, nullptr);
}

bool read_all(int from, void* out, std::size_t size) {
  auto* at = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t count = read(from, at, size);
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

void lift_limit() {
  set_limit(0);
}

bool detail::in_child(double seconds, void* out, std::size_t size,
                      void (*work)(void* context, void* out), void* context, double* peak) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    close(ends[0]);
    std::set_terminate([] { _exit(1); });  // bad_alloc is one more way not to finish
    set_limit(seconds);
    const rlimit room{most_memory, most_memory};
    setrlimit(RLIMIT_AS, &room);
    work(context, out);
    lift_limit();
    const ssize_t written = write(ends[1], out, size);
    _exit(written == static_cast<ssize_t>(size) ? 0 : 1);
  }
  close(ends[1]);
  std::vector<char> answer(size);
  const bool finished = read_all(ends[0], answer.data(), size);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (finished) std::copy(answer.begin(), answer.end(), static_cast<char*>(out));
  if (peak != nullptr) *peak = 1024 * static_cast<double>(usage.ru_maxrss);
  return finished;
}

namespace {

/// In the child: the first solve under the limit, then repetitions. `solve_it(lambda)` is on the
/// clock, `judge(lambda)` is not.
template <class Solve, class Judge>
void measure_here(Index rows, Solve solve_it, Judge judge, const Timing& timing, Figures& out) {
  VecX lambda(rows);
  const double start = cpu_seconds();
  for (int k = 0; k < timing.most; ++k) {
    lambda.setZero();
    const double before = cpu_seconds();
    const SolveReport report = solve_it(lambda);
    const double after = cpu_seconds();
    if (k == 0) {
      lift_limit();
      const Residual judged = judge(lambda);
      out = {true,
             report.status == SolveStatus::converged,
             report.solver,
             report.status,
             report.iterations,
             after - before,
             judged.natural,
             judged.fc3d.value_or(-1)};
    }
    out.seconds = std::min(out.seconds, after - before);
    if (after - start > timing.repeat) break;
  }
  constexpr double clock_step = 1e-8;  // readings differ by this much on their own
  out.seconds = std::max(out.seconds - clock_cost(), clock_step);
}

void measure_here(DelassusProblem& p, SolverName solver, const SolveOptions& options,
                  const Timing& timing, Figures& out) {
  SolveWorkspace work;
  measure_here(
      p.rows(),
      [&](VecX& lambda) {
        update_metrics(p);
        return solve_with(solver, p, options, work, lambda);
      },
      [&](const VecX& lambda) { return residual(p, lambda); }, timing, out);
}

/// What stands for a solve that was ended.
Figures out_of_time(const Timing& timing) {
  Figures out;
  out.seconds = timing.limit;
  out.natural = 1;
  return out;
}

/// The natural residual after at most so many iterations.
double natural_after(DelassusProblem& p, SolverName solver, int iterations, SolveWorkspace& work) {
  SolveOptions options;
  options.tolerance = 0;
  options.max_iterations = iterations;
  VecX lambda = VecX::Zero(p.rows());
  solve_with(solver, p, options, work, lambda);
  return residual(p, lambda).natural;
}

}  // namespace

Figures measure(const DelassusProblem& problem, SolverName solver, const SolveOptions& options,
                const Timing& timing) {
  Figures out;
  const bool finished = limited(timing.limit, out, [&](Figures& figures) {
    DelassusProblem own = problem;
    measure_here(own, solver, options, timing, figures);
  });
  return finished ? out : out_of_time(timing);
}

Figures measure_natural(const DelassusProblem& problem, SolverName solver, double tolerance,
                        const Timing& timing) {
  Figures out;
  const bool finished = limited(timing.limit, out, [&](Figures& figures) {
    DelassusProblem own = problem;
    SolveWorkspace work;
    constexpr int least = 4, most = 1 << 20;
    int high = least;
    while (high < most && !(natural_after(own, solver, high, work) <= tolerance)) high *= 2;
    lift_limit();
    int low = high == least ? 0 : high / 2;
    while (high - low > 1 + high / 20) {
      const int middle = (low + high) / 2;
      (natural_after(own, solver, middle, work) <= tolerance ? high : low) = middle;
    }
    SolveOptions options;
    options.tolerance = 0;
    options.max_iterations = high;
    measure_here(own, solver, options, timing, figures);
    figures.iterations = high;
    figures.converged = figures.natural <= tolerance;
  });
  return finished ? out : out_of_time(timing);
}

Figures measure_in_mass_form(const ContactProblem& problem, const SolveOptions& options,
                             const Timing& timing) {
  const auto own = mass_problem(problem);
  Figures out;
  const bool finished = limited(timing.limit, out, [&](Figures& figures) {
    AugmentedNewtonWorkspace work;
    LocalWorkspace local;
    VecX v, u;
    measure_here(
        own->rows(),
        [&](VecX& lambda) { return augmented_newton(*own, options, {}, work, lambda); },
        [&](const VecX& lambda) {
          velocities(*own, lambda, v, u);
          return residual(judged(*own), lambda, u, local);
        },
        timing, figures);
  });
  return finished ? out : out_of_time(timing);
}

bool present(SolverName solver) {
  if (solver == SolverName::automatic) return true;
  ContactProblem one;
  one.contacts.resize(1);
  one.delassus = sparse(MatX::Identity(1, 1));
  one.free_velocity = VecX::Constant(1, -1);
  const auto problem = reduce(one);
  SolveWorkspace work;
  VecX lambda = VecX::Zero(1);
  return problem && solve_with(solver, *problem, {}, work, lambda).solver == solver;
}

}  // namespace tact::bench
