// python/bind_solve.cpp - contact problems solved, judged, taken apart into all their solutions;
// forces behind motions.
#include <chrono>

#include <Eigen/Cholesky>

#include "problem.hpp"
#include "scene.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/io/all_solutions_report.hpp"
#include "tact/io/exact_entries.hpp"
#include "tact/io/scene_moment.hpp"
#include "tact/io/solve_report.hpp"
#include "tact/solve/inverse_dynamics.hpp"
#include "tact/solve/solve.hpp"

namespace tact::python {
namespace {

constexpr std::string_view solver_words[] = {"auto",        "gs",    "admm", "newton",
                                             "newton_mass", "lemke", "box"};
constexpr SolverName solver_names[] = {
    SolverName::automatic,   SolverName::gauss_seidel, SolverName::admm, SolverName::newton,
    SolverName::mass_newton, SolverName::lemke,        SolverName::box};

/// tact.Residual: the judge's figures, and what they are made of.
struct Judged {
  Residual residual;
  ResidualParts parts;
  std::optional<double> momentum;
};

struct Solution {
  ProblemPtr problem;
  SolveAnswer answer;
};

struct SolveWords {
  SolverName solver = SolverName::automatic;
  SolveOptions options;
  int threads = 1;
  bool force_range = false;
};

VecX law_velocity(const DelassusProblem& problem, const VecX& lambda) {
  VecX u;
  multiply(problem.G, lambda, u);
  return u + problem.b;
}

/// Without the Delassus matrix.
SolveAnswer solve_mass(const Problem& p, const SolveWords& words, VecX lambda) {
  const MassProblem problem = unwrap(mass_problem(p.problem()), p.source);
  SolveWorkspace work;
  if (lambda.size() == 0) lambda.setZero(problem.rows());
  const auto start = std::chrono::steady_clock::now();
  const SolveReport report = solve_mass(p.problem(), problem, words.options, work, lambda);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  VecX v, u;
  velocities(problem, lambda, v, u);
  SolveAnswer answer = explain(p.problem(), judged(problem), report, lambda, u, work.jam_ray);
  answer.seconds = seconds;
  return answer;
}

SolveAnswer solve_reduced(const Problem& p, const SolveWords& words, VecX lambda) {
  const DelassusProblem problem = unwrap(reduce(p.problem()), p.source);
  SolveWorkspace work;
  work.workers.resize(static_cast<std::size_t>(words.threads));
  if (lambda.size() == 0) lambda.setZero(problem.rows());
  const auto start = std::chrono::steady_clock::now();
  const SolveReport report = solve_with(words.solver, problem, words.options, work, lambda);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  SolveAnswer answer = explain(p.problem(), judged(problem), report, lambda,
                               law_velocity(problem, lambda), work.jam_ray);
  answer.seconds = seconds;
  if (words.force_range && report.status == SolveStatus::converged)
    answer.range = force_range(problem, lambda);
  return answer;
}

Solution solve_problem(const ProblemPtr& problem, const std::string& solver,
                       std::optional<double> tolerance, int max_iterations, bool polish,
                       int threads, const py::object& start, bool force_range) {
  SolveWords words;
  words.solver = solver_names[read_word(solver, "solver", solver_words)];
  if (tolerance) words.options.tolerance = *tolerance;
  if (!(words.options.tolerance > 0)) throw DataError("tolerance must be a positive number");
  if (threads < 1) throw DataError("threads must be at least 1");
  words.options.max_iterations = max_iterations;
  words.options.polish = polish;
  words.threads = threads;
  words.force_range = force_range;
  VecX lambda;
  if (!start.is_none()) lambda = read_impulses(start, problem->problem(), "start");
  const py::gil_scoped_release release;
  if (words.solver != SolverName::mass_newton)
    return {problem, solve_reduced(*problem, words, std::move(lambda))};
  if (force_range) throw DataError("force_range needs the Delassus matrix; choose another solver");
  words.options.polish = false;
  return {problem, solve_mass(*problem, words, std::move(lambda))};
}

Judged judge_impulses(const Problem& p, const py::object& impulses, const Maybe& velocity) {
  const VecX lambda = read_impulses(impulses, p.problem(), "impulses");
  Judged out;
  std::optional<VecX> after;
  if (velocity) after = read_vector(*velocity, "velocity", p.problem().dof());
  const py::gil_scoped_release release;
  const DelassusProblem problem = unwrap(reduce(p.problem()), p.source);
  out.residual = residual(problem, lambda);
  out.parts = residual_parts(problem, lambda);
  if (after) out.momentum = momentum_residual(p.problem(), lambda, *after);
  return out;
}

void bind_residual(py::module_& m) {
  py::class_<Judged>(m, "Residual",
                     "How far impulses are from solving a problem; all figures are pure numbers.")
      .def_property_readonly(
          "figure", [](const Judged& j) { return j.residual.figure(); },
          "What counts: natural, or a share of unhidden where that is larger.")
      .def_property_readonly(
          "natural", [](const Judged& j) { return j.residual.natural; },
          "(Σ |λ - Π(λ - D⁻¹u)|²_D)^½ over the scale of the problem. [FrictionM4] NCP, "
          "[MontMarin25] (17)")
      .def_property_readonly(
          "unhidden", [](const Judged& j) { return j.residual.unhidden; },
          "The same over the free motion alone.")
      .def_property_readonly(
          "growth", [](const Judged& j) { return j.residual.growth; },
          "|λ| over what stops every contact; without bound in a jam.")
      .def_property_readonly(
          "fc3d", [](const Judged& j) { return j.residual.fc3d; },
          "The measure of the FCLIB collection, where it is defined.")
      .def_property_readonly(
          "worst_contact", [](const Judged& j) { return j.residual.worst_contact; },
          "The contact with the largest error; -1 without contacts.")
      .def_property_readonly(
          "primal", [](const Judged& j) { return j.parts.primal; },
          "Distance of λ to admissible loads.")
      .def_property_readonly(
          "dual", [](const Judged& j) { return j.parts.dual; }, "Distance of velocities to K*.")
      .def_property_readonly(
          "complementarity", [](const Judged& j) { return j.parts.complementarity; }, "Σ|N·W|.")
      .def_property_readonly(
          "dissipation", [](const Judged& j) { return j.parts.dissipation; },
          "What friction misses of maximum dissipation.")
      .def_property_readonly(
          "momentum", [](const Judged& j) { return j.momentum; },
          "Of M (u⁺ - u⁻) = p + J'λ, where a velocity was given.")
      .def("__float__", [](const Judged& j) { return j.residual.figure(); })
      .def("__repr__", [](const Judged& j) {
        return "<tact.Residual " + py::str(py::float_(j.residual.figure())).cast<std::string>() +
               ">";
      });
  m.def("residual", &judge_impulses, "problem"_a, "impulses"_a, "velocity"_a = py::none(),
        "The judge: recomputes everything from the problem and knows nothing of how the impulses "
        "were found. impulses: "
        "one vector, or one per contact [N s, N m s].");
}

void bind_label(py::module_& m) {
  py::class_<ContactLabel>(
      m, "Label",
      "What a contact of a solved problem does, and how far it is from doing something else.")
      .def_property_readonly(
          "regime", [](const ContactLabel& l) { return word(l.regime); },
          "idle, separate, separate_grazing, stick, slide, tip_vertex, tip_edge, slide_tip_vertex, "
          "slide_tip_edge.")
      .def_property_readonly(
          "direction", [](const ContactLabel& l) { return to_array<2>(l.direction); },
          "Of sliding, unit; zero when nothing slides.")
      .def_readonly("sliding_speed", &ContactLabel::multiplier, "[m/s]")
      .def_readonly("slip_margin", &ContactLabel::slip_margin,
                    "Friction left before it slips [N s].")
      .def_readonly("lift_margin", &ContactLabel::lift_margin,
                    "Normal impulse left before it lifts [N s].")
      .def_readonly("tip_margin", &ContactLabel::tip_margin, "Of a patch [N m s].")
      .def_property_readonly(
          "cop", [](const ContactLabel& l) { return maybe_array(l.cop); },
          "Centre of pressure of a patch [m], or None.")
      .def("__repr__", [](const ContactLabel& l) { return "<tact.Label " + word(l.regime) + ">"; });
}

std::optional<py::dict> range_dict(const std::optional<ForceRange>& range) {
  if (!range) return std::nullopt;
  constexpr std::string_view words[] = {"found", "not_solved", "unsupported", "not_converged"};
  return py::dict("status"_a = std::string(words[static_cast<std::size_t>(range->status)]),
                  "low"_a = to_array(range->low), "high"_a = to_array(range->high),
                  "smallest"_a = to_array(range->smallest), "unique"_a = range->unique,
                  "freedom"_a = range->freedom, "rank"_a = range->rank, "missed"_a = range->missed);
}

void bind_answer(py::class_<Solution>& c) {
  c.def_property_readonly(
       "status", [](const Solution& s) { return word(s.answer.report.status); },
       "converged, not_converged, infeasible (a jam) or unsupported: a status, never an exception.")
      .def_property_readonly(
          "solver", [](const Solution& s) { return word(s.answer.report.solver); },
          "That finished.")
      .def_property_readonly(
          "iterations", [](const Solution& s) { return s.answer.report.iterations; },
          "Of its own kind.")
      .def_property_readonly(
          "residual",
          [](const Solution& s) {
            return Judged{s.answer.report.residual, s.answer.parts, s.answer.momentum};
          },
          "The judge's, as tact.Residual.")
      .def_property_readonly(
          "impulse", [](const Solution& s) { return to_array(s.answer.lambda); },
          "λ of all rows, contact after contact [N s, N m s].")
      .def_property_readonly(
          "impulses",
          [](const Solution& s) { return by_contact(s.problem->problem(), s.answer.lambda); },
          "λ, one array per contact.")
      .def_property_readonly(
          "velocity",
          [](const Solution& s) { return to_array(s.answer.velocity.value_or(VecX())); },
          "u⁺ [dof]; empty in Delassus form.");
}

void bind_evidence(py::class_<Solution>& c) {
  c.def_property_readonly(
       "contact_velocity", [](const Solution& s) { return to_array(s.answer.contact_velocity); },
       "γ⁺ = J u⁺ + χ [rows]; in Delassus form G λ + b.")
      .def_property_readonly(
          "contact_velocities",
          [](const Solution& s) {
            return by_contact(s.problem->problem(), s.answer.contact_velocity);
          },
          "The same, one array per contact.")
      .def_property_readonly(
          "labels", [](const Solution& s) { return s.answer.labels; },
          "One tact.Label per contact.")
      .def_property_readonly(
          "jam_ray", [](const Solution& s) { return maybe_array(s.answer.jam_ray); },
          "After infeasible: impulses that cancel and yet do work; None otherwise.")
      .def_property_readonly(
          "held_by", [](const Solution& s) { return s.answer.held_by; },
          "After infeasible: the names of the constraints that hold each other, those with a share "
          "in "
          "jam_ray. Empty otherwise.")
      .def_property_readonly(
          "force_range", [](const Solution& s) { return range_dict(s.answer.range); },
          "Where asked for: least (low) and greatest (high) impulse of every row over all "
          "solutions with "
          "this motion, the smallest one, which contacts are unique; else None.")
      .def_property_readonly(
          "seconds", [](const Solution& s) { return s.answer.seconds; }, "Of the solve alone.")
      .def_readonly("problem", &Solution::problem, "What was solved.")
      .def(
          "to_dict",
          [](const Solution& s) {
            return from_json(solve_json(s.problem->problem(), s.answer, {},
                                        {s.problem->format != ProblemFormat::json}));
          },
          "What `tact solve --json` says.")
      .def(
          "raise_if_failed",
          [](const Solution& s) {
            if (s.answer.report.status != SolveStatus::converged)
              throw std::runtime_error(
                  s.problem->source + ": " + word(s.answer.report.status) + ", residual " +
                  py::str(py::float_(s.answer.report.residual.figure())).cast<std::string>());
          },
          "RuntimeError unless it converged.")
      .def("__str__",
           [](const Solution& s) { return solve_table(s.problem->problem(), s.answer, {}); })
      .def("__repr__", [](const Solution& s) {
        return "<tact.Solution " + word(s.answer.report.status) + ", residual " +
               py::str(py::float_(s.answer.report.residual.figure())).cast<std::string>() + ">";
      });
}

void bind_solution(py::module_& m) {
  py::class_<Solution> c(m, "Solution",
                         "The answer to a contact problem with the evidence for it.");
  bind_answer(c);
  bind_evidence(c);
  m.def("solve", &solve_problem, "problem"_a, py::kw_only(), "solver"_a = "auto",
        "tolerance"_a = py::none(), "max_iterations"_a = 0, "polish"_a = true, "threads"_a = 1,
        "start"_a = py::none(), "force_range"_a = false,
        "Solves a contact problem. solver: auto, gs, admm, newton, newton_mass, lemke, "
        "box (docs/solvers.md). "
        "tolerance: on the judge's residual. polish: Newton steps after success as long as they "
        "pay. start: impulses to start "
        "from. force_range: also what redundant contacts leave open.");
}

// ---- all solutions

struct Every {
  ProblemPtr problem;
  AllSolutions all;
  bool checked = false;
  double seconds = 0;
};

Every find_all(const ProblemPtr& problem, Index max_nodes, bool check) {
  AllSolutionsOptions options;
  options.max_nodes = max_nodes;
  const py::gil_scoped_release release;
  const auto exact = exact_entries(problem->file);
  const auto start = std::chrono::steady_clock::now();
  Every out{problem, unwrap(all_solutions(problem->problem(), options, exact), problem->source),
            false, 0};
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (check) {
    const auto checked = check_all_solutions(problem->problem(), out.all, exact);
    out.checked = checked && *checked;
  }
  return out;
}

py::dict piece_dict(const ContactProblem& problem, const SolutionPiece& piece) {
  py::list labels, vertices, rays;
  for (const Regime r : piece.labels) labels.append(word(r));
  for (const VecX& v : piece.vertices) vertices.append(to_array(v));
  for (const VecX& v : piece.rays) rays.append(to_array(v));
  return py::dict(
      "labels"_a = labels, "component"_a = piece.component, "impulse"_a = to_array(piece.lambda),
      "impulses"_a = by_contact(problem, piece.lambda), "contact_velocity"_a = to_array(piece.u),
      "low"_a = to_array(piece.low), "high"_a = to_array(piece.high),
      "force_freedom"_a = piece.force_freedom, "velocity_freedom"_a = piece.velocity_freedom,
      "vertices"_a = vertices, "rays"_a = rays);
}

void bind_all_solutions(py::module_& m) {
  py::class_<Every>(m, "AllSolutions",
                    "Every solution of a contact problem, with the proof that there is no other.")
      .def_property_readonly(
          "status",
          [](const Every& e) {
            constexpr std::string_view words[] = {"complete", "undecided", "too_large"};
            return std::string(words[static_cast<std::size_t>(e.all.status)]);
          },
          "complete, undecided (there may be more) or too_large (given up).")
      .def("__len__", [](const Every& e) { return e.all.components; })
      .def_property_readonly(
          "count", [](const Every& e) { return e.all.components; },
          "Connected sets of solutions: how many different ones there are.")
      .def_property_readonly(
          "pieces",
          [](const Every& e) {
            py::list out;
            for (const SolutionPiece& p : e.all.pieces)
              out.append(piece_dict(e.problem->problem(), p));
            return out;
          },
          "Convex pieces as dicts: labels, component, impulse, low and high of every row, "
          "vertices, rays.")
      .def_property_readonly(
          "certificates", [](const Every& e) { return e.all.certificates; }, "Refuted branches.")
      .def_property_readonly(
          "undecided", [](const Every& e) { return e.all.undecided; },
          "Branches without an answer.")
      .def_readonly("checked", &Every::checked,
                    "Whether the independent verifier accepted the proof.")
      .def_property_readonly(
          "verdict", [](const Every& e) { return all_solutions_verdict(e.all); }, "In words.")
      .def(
          "to_dict",
          [](const Every& e) {
            return from_json(
                all_solutions_json(e.problem->problem(), e.all, {e.checked, false, e.seconds}));
          },
          "What `tact solve --all-solutions --json` says.")
      .def("__repr__", [](const Every& e) {
        return "<tact.AllSolutions: " + all_solutions_verdict(e.all) + ">";
      });
  m.def("all_solutions", &find_all, "problem"_a, py::kw_only(),
        "max_nodes"_a = AllSolutionsOptions{}.max_nodes, "check"_a = true,
        "Every solution of a frictional problem, mode by mode, in exact arithmetic. For points "
        "without "
        "rolling friction and polygonal patches without friction.");
}

// ---- inverse dynamics

struct Inverse {
  ContactProblem problem;
  InverseReport report;
  std::vector<std::string> actuators;
  Index actuator_count = 0;
};

/// The coordinates of a velocity among those that the equations of the scene leave.
VecX carried(const SceneProblem& made, const VecX& velocity) {
  if (made.basis.cols() == 0) return velocity;
  const MatX Z = MatX(made.basis);
  VecX y = (Z.transpose() * Z).llt().solve(Z.transpose() * velocity);
  if ((Z * y - velocity).norm() > tolerance::written * velocity.norm())
    throw DataError(
        "acceleration: breaks the joints that close loops; give one that keeps them closed");
  return y;
}

Inverse inverse_of_model(const ModelPtr& model, const Maybe& acceleration, const StatePtr& state,
                         const std::string& keyframe, double dt) {
  const State at = state_or_keyframe(model, state, keyframe);
  MomentOptions options;
  options.with_actuators = false;
  options.dt = dt;
  const Moment moment = unwrap(moment_of(model->scene, at, options), model->source);
  const SceneProblem& made = moment.made;
  const Model& m = model->model();
  InverseWish wish;
  wish.dt = made.problem.dt;
  const VecX wanted =
      acceleration ? read_vector(*acceleration, "acceleration", m.nv) : VecX(VecX::Zero(m.nv));
  wish.velocity = carried(made, at.qvel + wish.dt * wanted);
  wish.actuation = MatX(made.actuation);
  wish.lower = made.actuator_lower;
  wish.upper = made.actuator_upper;
  wish.actuator_names = actuator_names(m);
  if (made.basis.cols() == 0) wish.dof_names = dof_names(m);
  const py::gil_scoped_release release;
  return {made.problem, unwrap(inverse_dynamics(made.problem, wish), model->source),
          wish.actuator_names, wish.actuation.cols()};
}

Inverse inverse_of_problem(const Problem& p, const ArrayLike& velocity, const ArrayLike& actuation,
                           double dt, const Maybe& lower, const Maybe& upper, const Maybe& weight) {
  InverseWish wish;
  const Index dof = p.problem().dof();
  wish.velocity = read_vector(velocity, "velocity", dof);
  wish.actuation = read_matrix(actuation, "actuation", dof, -1);
  const Index count = wish.actuation.cols();
  wish.dt = dt;
  if (lower) wish.lower = read_vector(*lower, "lower", count);
  if (upper) wish.upper = read_vector(*upper, "upper", count);
  if (weight) wish.weight = read_vector(*weight, "weight", count);
  const py::gil_scoped_release release;
  return {p.problem(), unwrap(inverse_dynamics(p.problem(), wish), p.source), {}, count};
}

void bind_inverse_report(py::module_& m) {
  py::class_<Inverse>(
      m, "Inverse",
      "The forces behind a motion: of least actuator effort, or the reason there are none.")
      .def_property_readonly(
          "status", [](const Inverse& i) { return word(i.report.status); },
          "solved, infeasible or not_converged.")
      .def_property_readonly(
          "actuator_forces", [](const Inverse& i) { return to_array(i.report.tau); },
          "τ, one per actuator [N] or [N m].")
      .def_readonly("actuators", &Inverse::actuators, "Their names.")
      .def_property_readonly(
          "impulses",
          [](const Inverse& i) {
            return i.report.lambda.size() > 0 ? by_contact(i.problem, i.report.lambda)
                                              : std::vector<Doubles>{};
          },
          "λ, one array per contact [N s].")
      .def_property_readonly(
          "contact_forces",
          [](const Inverse& i) {
            return i.report.lambda.size() > 0 && i.problem.dt > 0
                       ? by_contact(i.problem, i.report.lambda / i.problem.dt)
                       : std::vector<Doubles>{};
          },
          "λ/dt, one array per contact [N].")
      .def_property_readonly(
          "contacts",
          [](const Inverse& i) {
            std::vector<std::string> out;
            for (const Contact& c : i.problem.contacts) out.push_back(c.name);
            return out;
          },
          "Their names.")
      .def_property_readonly(
          "labels", [](const Inverse& i) { return i.report.labels; }, "What every contact does.")
      .def_property_readonly(
          "cost", [](const Inverse& i) { return i.report.cost; }, "½ Σ weight τ².")
      .def_property_readonly(
          "residual", [](const Inverse& i) { return i.report.residual.figure(); },
          "The judge's, of the forward problem with these actuators.")
      .def_property_readonly(
          "motion_error", [](const Inverse& i) { return i.report.motion_error; }, "Relative.")
      .def_property_readonly(
          "reason", [](const Inverse& i) { return i.report.reason; },
          "When infeasible: one sentence.")
      .def_property_readonly(
          "ray", [](const Inverse& i) { return to_array(i.report.ray); },
          "When infeasible: a motion that proves it; may be empty.")
      .def(
          "raise_if_failed",
          [](const Inverse& i) {
            if (i.report.status != InverseStatus::solved)
              throw std::runtime_error(word(i.report.status) + ": " + i.report.reason);
          },
          "RuntimeError unless solved.")
      .def("__repr__",
           [](const Inverse& i) { return "<tact.Inverse " + word(i.report.status) + ">"; });
}

void bind_inverse(py::module_& m) {
  bind_inverse_report(m);
  m.def("inverse", &inverse_of_model, "model"_a, "acceleration"_a = py::none(), py::kw_only(),
        "state"_a = py::none(), "keyframe"_a = "", "dt"_a = 0.0,
        "Actuator and contact forces that give the scene this acceleration [nv] (zero by default) "
        "at a state or keyframe.");
  m.def("inverse", &inverse_of_problem, "problem"_a, "velocity"_a, "actuation"_a, py::kw_only(),
        "dt"_a = 0.0, "lower"_a = py::none(), "upper"_a = py::none(), "weight"_a = py::none(),
        "The same of a contact problem: u⁺ [dof], B [dof, m], bounds and weights of τ [m].");
}

}  // namespace

void bind_solve(py::module_& m) {
  bind_label(m);
  bind_residual(m);
  bind_solution(m);
  bind_all_solutions(m);
  bind_inverse(m);
}

}  // namespace tact::python
