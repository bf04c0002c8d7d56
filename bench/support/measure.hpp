// support/measure.hpp - solves under a limit of CPU time, and what they cost.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tact/solve/solve.hpp"

namespace tact::bench {

/// CPU time of this thread [s]; all that is measured runs on one.
[[nodiscard]] double cpu_seconds();
/// What reading that clock twice adds to a time [s]: as much as the smallest problem takes.
[[nodiscard]] double clock_cost();

/// Median; the lower one of an even number. Zero for none.
[[nodiscard]] double median(std::vector<double> values);

/// The exponent p of y = c x^p, by least squares in logarithms over the positive ones.
[[nodiscard]] double fitted_exponent(std::span<const double> x, std::span<const double> y);

namespace detail {
/// Runs `work(out)` in a child process that is ended after `seconds` of CPU time; what it writes to
/// `out` comes back. False when it did not finish, or wanted more than 6 GiB. `peak` is the most
/// memory it held [bytes].
bool in_child(double seconds, void* out, std::size_t size, void (*work)(void* context, void* out),
              void* context, double* peak);
}  // namespace detail

/// Switches the limit of in_child off: called in the child when what is limited is done.
void lift_limit();

/// `work(Out&)` in a child process under a limit of CPU time. No solver has a limit of its own that
/// all others share, and this one holds whatever happens.
template <class Out, class Work>
bool limited(double seconds, Out& out, Work work, double* peak = nullptr) {
  static_assert(std::is_trivially_copyable_v<Out>);
  return detail::in_child(
      seconds, &out, sizeof(Out),
      [](void* context, void* to) { (*static_cast<Work*>(context))(*static_cast<Out*>(to)); },
      &work, peak);
}

/// One solver on one problem.
struct Figures {
  bool in_time = false;
  bool converged = false;  ///< the judge accepted
  SolverName solver = {};  ///< that finished
  SolveStatus status = {};
  int iterations = 0;
  double seconds = 0;  ///< CPU, without the clock's own; the limit when it was not in time
  double natural = 0, fc3d = -1;
};

struct Timing {
  double limit = 1;      ///< CPU seconds for the first solve
  double repeat = 0.05;  ///< CPU seconds for repetitions, of which the best counts
  int most = 100;        ///< repetitions
};

/// Metrics, islands and solve from zero, workspace reused: what one step of a simulation costs once
/// G and b are known.
[[nodiscard]] Figures measure(const DelassusProblem& problem, SolverName solver,
                              const SolveOptions& options, const Timing& timing);

/// The same to natural residual <= tolerance and nothing else, for Gauss-Seidel and the alternating
/// direction method, the smallest limit of iterations that gets there to within one in twenty. The
/// stopping rule of the solvers asks more of points with Coulomb friction than of patches.
[[nodiscard]] Figures measure_natural(const DelassusProblem& problem, SolverName solver,
                                      double tolerance, const Timing& timing);

/// Newton's method in mass form, from M and J: no matrix G is made.
[[nodiscard]] Figures measure_in_mass_form(const ContactProblem& problem,
                                           const SolveOptions& options, const Timing& timing);

/// Whether the library has this solver: it answers for itself.
[[nodiscard]] bool present(SolverName solver);

}  // namespace tact::bench
