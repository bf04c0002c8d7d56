// siconos_fcp - one Siconos solver on one frictional contact problem file, judged from outside.
//
//   siconos_fcp FILE SOLVER TOLERANCE [STORAGE]   one line of JSON
//   siconos_fcp FILE                              only what the file holds
//   siconos_fcp --solvers                         the names, one per line
//
// FILE is an .fcp or .fcp.gz text: normal component first, u = M r + q (local) or M v = f + H r,
// u = H' v + b (global). A solver whose name starts with `global-` gets the global problem; every
// other one gets a global problem reduced to W = H' M^-1 H before the clock starts. STORAGE is
// block, sparse or dense, with `-unit` behind it for a problem scaled to rho = |q| = 1 beforehand:
// some tests of Siconos are absolute, and some of its parameters have units.
//
// The clock runs over the driver call only, on a freshly built problem, so whatever conversion or
// factorization a solver needs is counted; a call below half a second is the best of three,
// and a very short one the best of up to a hundred. What reading the clock costs is taken off.
// Siconos stops by its own test; `e` is the scale-free natural-map residual computed here from W
// and q: rho = 1/mean|diag W|, e = |r - P_K(r - rho (u + mu |u_t| n))| / (rho |q|).
//
// Solvers may hang, crash or call exit: run this under a time limit (tools/siconos_baseline.py).
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/GlobalFrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <zlib.h>

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

// ---------------------------------------------------------------------------------- the file

struct Problem {
  std::string form;
  int dim = 0;
  int contacts = 0;
  std::map<std::string, Sparse> matrices;  ///< M, and H of the global form
  std::map<std::string, Vector> vectors;   ///< q, mu; or f, b, mu

  Sparse w;  ///< the Delassus matrix, given or reduced
  Vector q;  ///< the free velocity that belongs to it
};

std::string read_all(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain text as it is
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string text;
  std::array<char, 1 << 16> buffer;
  int count = 0;
  while ((count = gzread(file, buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), count);
  gzclose(file);
  if (count < 0) throw std::runtime_error("cannot read " + path);
  return text;
}

/// Whitespace-separated words and numbers.
class Tokens {
 public:
  explicit Tokens(const std::string& text) : at_(text.c_str()) {}

  std::string word() {
    at_ += std::strspn(at_, blanks);
    const char* begin = at_;
    at_ += std::strcspn(at_, blanks);
    return {begin, at_};
  }
  double number() {
    char* end = nullptr;
    const double value = std::strtod(at_, &end);
    if (end == at_) throw std::runtime_error("expected a number, found " + word());
    at_ = end;
    return value;
  }
  int integer() { return static_cast<int>(number()); }

 private:
  static constexpr const char* blanks = " \t\r\n";
  const char* at_;
};

Sparse read_matrix(Tokens& tokens) {
  const int rows = tokens.integer(), cols = tokens.integer(), entries = tokens.integer();
  std::vector<Eigen::Triplet<double>> triplets;
  for (int k = 0; k < entries; ++k) {
    const int i = tokens.integer(), j = tokens.integer();
    triplets.emplace_back(i, j, tokens.number());
  }
  Sparse matrix(rows, cols);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

Vector read_vector(Tokens& tokens) {
  Vector vector(tokens.integer());
  for (double& value : vector) value = tokens.number();
  return vector;
}

/// W = H' M^-1 H and q = H' M^-1 f + b.
void reduce(Problem& problem) {
  const Sparse& h = problem.matrices.at("H");
  Eigen::SparseLU<Sparse> lu(problem.matrices.at("M"));
  if (lu.info() != Eigen::Success) throw std::runtime_error("the matrix M is singular");
  const Sparse inverse_h = lu.solve(h);
  problem.w = (h.transpose() * inverse_h).pruned();
  problem.q = h.transpose() * Vector(lu.solve(problem.vectors.at("f"))) + problem.vectors.at("b");
}

Problem read(const std::string& path) {
  const std::string text = read_all(path);
  Tokens tokens(text);
  if (tokens.word() != "fcp" || tokens.integer() != 1)
    throw std::runtime_error("not an fcp 1 file: " + path);
  Problem problem;
  for (std::string key = tokens.word(); !key.empty(); key = tokens.word()) {
    if (key == "name") tokens.word();
    if (key == "form") problem.form = tokens.word();
    if (key == "dim") problem.dim = tokens.integer();
    if (key == "nc") problem.contacts = tokens.integer();
    if (key == "matrix") {
      const std::string name = tokens.word();
      problem.matrices[name] = read_matrix(tokens);
    }
    if (key == "vector") {
      const std::string name = tokens.word();
      problem.vectors[name] = read_vector(tokens);
    }
  }
  if (problem.form == "global" && problem.contacts > 0) reduce(problem);
  if (problem.form == "local") {
    problem.w = problem.matrices.at("M");
    problem.q = problem.vectors.at("q");
  }
  return problem;
}

// --------------------------------------------------------------------------------- the judge

/// Projection on { r : |r_t| <= mu r_n }, normal first.
Vector on_cone(const Vector& r, double mu) {
  const double tangent = r.tail(r.size() - 1).norm();
  if (tangent <= mu * r[0]) return r;
  if (mu * tangent <= -r[0]) return Vector::Zero(r.size());
  Vector projected = r;
  projected[0] = (r[0] + mu * tangent) / (1 + mu * mu);
  projected.tail(r.size() - 1) *= mu * projected[0] / tangent;
  return projected;
}

double rho_of(const Problem& problem) {
  return 1 / problem.w.diagonal().cwiseAbs().mean();
}

double judge(const Problem& problem, const Vector& r) {
  const double rho = rho_of(problem);
  const Vector u = problem.w * r + problem.q;
  double square = 0;
  for (int c = 0; c < problem.contacts; ++c) {
    const double mu = problem.vectors.at("mu")[c];
    const Vector own = r.segment(c * problem.dim, problem.dim);
    Vector shifted = u.segment(c * problem.dim, problem.dim);
    shifted[0] += mu * shifted.tail(problem.dim - 1).norm();
    square += (own - on_cone(own - rho * shifted, mu)).squaredNorm();
  }
  return std::sqrt(square) / (rho * problem.q.norm());
}

// ------------------------------------------------------------------------- Siconos structures
// All of them are left to the end of the process: it is short, and freeing them is one more way
// in which a run can crash after its result is known.

NumericsMatrix* dense(const Sparse& matrix) {
  NumericsMatrix* out = NM_create(NM_DENSE, matrix.rows(), matrix.cols());
  Eigen::Map<Eigen::MatrixXd>(out->matrix0, matrix.rows(), matrix.cols()) = matrix;
  return out;
}

NumericsMatrix* sparse(const Sparse& matrix) {
  NumericsMatrix* out = NM_create(NM_SPARSE, matrix.rows(), matrix.cols());
  NM_triplet_alloc(out, matrix.nonZeros());
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry)
      NM_entry(out, entry.row(), entry.col(), entry.value());
  return out;
}

template <class T>
T* allocate(std::size_t count) {
  return static_cast<T*>(std::calloc(std::max<std::size_t>(count, 1), sizeof(T)));
}

/// Square blocks of one size; a diagonal block is present even when it is zero.
NumericsMatrix* block(const Sparse& matrix, int dim) {
  const int n = static_cast<int>(matrix.rows()) / dim;
  std::map<std::pair<int, int>, double*> blocks;  // by row, then by column
  const auto at = [&](int i, int j) {
    double*& values = blocks[{i, j}];
    if (values == nullptr) values = allocate<double>(dim * dim);
    return values;
  };
  for (int i = 0; i < n; ++i) at(i, i);
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry)
      at(entry.row() / dim, j / dim)[entry.row() % dim + dim * (j % dim)] = entry.value();

  SparseBlockStructuredMatrix* out = SBM_new();
  out->nbblocks = blocks.size();
  out->blocknumber0 = out->blocknumber1 = n;
  out->blocksize0 = allocate<unsigned>(n);
  out->blocksize1 = allocate<unsigned>(n);
  for (int i = 0; i < n; ++i) out->blocksize0[i] = out->blocksize1[i] = dim * (i + 1);
  out->filled1 = n + 1;
  out->filled2 = blocks.size();
  out->index1_data = allocate<std::size_t>(n + 1);
  out->index2_data = allocate<std::size_t>(blocks.size());
  out->block = allocate<double*>(blocks.size());
  std::size_t k = 0;
  for (const auto& [place, values] : blocks) {
    out->block[k] = values;
    out->index2_data[k] = place.second;
    out->index1_data[place.first + 1] = ++k;
  }
  return NM_new_SBM(matrix.rows(), matrix.cols(), out);
}

NumericsMatrix* stored(const Sparse& matrix, const std::string& storage, int dim) {
  if (storage == "dense") return dense(matrix);
  if (storage == "sparse") return sparse(matrix);
  if (storage == "block") return block(matrix, dim);
  throw std::runtime_error("storage is block, sparse or dense, not " + storage);
}

/// The same problem in units of its own: W becomes rho W, q becomes q/|q|, r becomes r/(rho |q|).
Problem in_own_units(Problem problem, double rho) {
  const double speed = problem.q.norm();
  problem.w *= rho;
  problem.q /= speed;
  if (problem.form == "global") {
    problem.matrices.at("M") /= rho;
    problem.vectors.at("f") /= rho * speed;
    problem.vectors.at("b") /= speed;
  }
  return problem;
}

double* copied(const Vector& vector) {
  double* out = allocate<double>(vector.size());
  std::copy(vector.begin(), vector.end(), out);
  return out;
}

// --------------------------------------------------------------------------------- the solvers

enum class Form { planar, spatial, global };

struct Solver {
  int id = 0;
  Form form = Form::spatial;
  int most_iterations = 0;  ///< 0 leaves the default
  std::function<void(SolverOptions&)> adjust = [](SolverOptions&) {};
};

auto inner(int id) {
  return [id](SolverOptions& options) { solver_options_update_internal(&options, 0, id); };
}
auto set(int index, int value) {
  return [=](SolverOptions& options) { options.iparam[index] = value; };
}

const std::map<std::string, Solver>& solvers() {
  constexpr int sweeps = 100000, steps = 1000000, newtons = 2000;
  constexpr Form planar = Form::planar, spatial = Form::spatial, global = Form::global;
  static const std::map<std::string, Solver> table = {
      {"2d-NSGS", {SICONOS_FRICTION_2D_NSGS, planar, sweeps}},
      {"2d-CPG", {SICONOS_FRICTION_2D_CPG, planar, sweeps}},
      {"2d-LEMKE", {SICONOS_FRICTION_2D_LEMKE, planar, sweeps}},
      {"2d-ENUM", {SICONOS_FRICTION_2D_ENUM, planar}},

      {"NSGS", {SICONOS_FRICTION_3D_NSGS, spatial, sweeps}},  // inside: ONECONTACT_NSN_GP_HYBRID
      {"NSGS-NSN",
       {SICONOS_FRICTION_3D_NSGS, spatial, sweeps, inner(SICONOS_FRICTION_3D_ONECONTACT_NSN)}},
      {"NSGS-PLI",
       {SICONOS_FRICTION_3D_NSGS, spatial, sweeps,
        inner(SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration)}},
      {"NSGS-P",
       {SICONOS_FRICTION_3D_NSGS, spatial, sweeps,
        inner(SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone)}},
      {"NSGS-quartic",
       {SICONOS_FRICTION_3D_NSGS, spatial, sweeps, inner(SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)}},
      {"NSGS-full",
       {SICONOS_FRICTION_3D_NSGS, spatial, sweeps,
        set(SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION,
            SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL)}},
      {"NSGS-adaptive",
       {SICONOS_FRICTION_3D_NSGS, spatial, sweeps,
        set(SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION,
            SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_ADAPTIVE)}},
      {"NSGSV", {SICONOS_FRICTION_3D_NSGSV, spatial, sweeps}},
      {"NSN_AC", {SICONOS_FRICTION_3D_NSN_AC, spatial, newtons}},
      {"NSN_AC-STD",
       {SICONOS_FRICTION_3D_NSN_AC, spatial, newtons,
        set(SICONOS_FRICTION_3D_NSN_FORMULATION,
            SICONOS_FRICTION_3D_NSN_FORMULATION_ALARTCURNIER_STD)}},
      {"NSN_AC-JM",
       {SICONOS_FRICTION_3D_NSN_AC, spatial, newtons,
        set(SICONOS_FRICTION_3D_NSN_FORMULATION,
            SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_STD)}},
      {"NSN_AC-hybrid",
       {SICONOS_FRICTION_3D_NSN_AC, spatial, newtons,
        set(SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY,
            SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN)}},
      {"NSN_AC_TEST", {SICONOS_FRICTION_3D_NSN_AC_TEST, spatial, newtons}},
      {"NSN_FB", {SICONOS_FRICTION_3D_NSN_FB, spatial, newtons}},
      {"NSN_NM", {SICONOS_FRICTION_3D_NSN_NM, spatial, newtons}},
      {"PROX", {SICONOS_FRICTION_3D_PROX, spatial, newtons}},
      {"PROX-FB", {SICONOS_FRICTION_3D_PROX, spatial, newtons, inner(SICONOS_FRICTION_3D_NSN_FB)}},
      {"PROX-NSGS", {SICONOS_FRICTION_3D_PROX, spatial, newtons, inner(SICONOS_FRICTION_3D_NSGS)}},
      {"ADMM", {SICONOS_FRICTION_3D_ADMM, spatial, sweeps}},
      {"ADMM-balanced",
       {SICONOS_FRICTION_3D_ADMM, spatial, sweeps,
        set(SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,
            SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING)}},
      {"ADMM-norm",
       {SICONOS_FRICTION_3D_ADMM, spatial, sweeps,
        set(SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO,
            SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF)}},
      {"VI_EG", {SICONOS_FRICTION_3D_VI_EG, spatial, steps}},
      {"VI_FPP", {SICONOS_FRICTION_3D_VI_FPP, spatial, steps}},
      {"EG", {SICONOS_FRICTION_3D_EG, spatial, steps}},
      {"FPP", {SICONOS_FRICTION_3D_FPP, spatial, steps}},
      {"ACLMFP", {SICONOS_FRICTION_3D_ACLMFP, spatial, sweeps}},
      {"SOCLCP", {SICONOS_FRICTION_3D_SOCLCP, spatial, sweeps}},
      {"TFP", {SICONOS_FRICTION_3D_TFP, spatial, sweeps}},
      {"PFP", {SICONOS_FRICTION_3D_PFP, spatial, sweeps}},
      {"DSFP", {SICONOS_FRICTION_3D_DSFP, spatial, steps}},
      {"HP", {SICONOS_FRICTION_3D_HP, spatial, steps}},
      {"one-NSN", {SICONOS_FRICTION_3D_ONECONTACT_NSN, spatial, newtons}},
      {"one-NSN_GP", {SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, spatial, newtons}},
      {"one-PLI",
       {SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, spatial, sweeps}},
      {"one-quartic", {SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, spatial}},

      {"global-NSGS_WR", {SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, global, sweeps}},
      {"global-PROX_WR", {SICONOS_GLOBAL_FRICTION_3D_PROX_WR, global, newtons}},
      {"global-TFP_WR", {SICONOS_GLOBAL_FRICTION_3D_TFP_WR, global, sweeps}},
      {"global-DSFP_WR", {SICONOS_GLOBAL_FRICTION_3D_DSFP_WR, global, steps}},
      {"global-NSN_AC_WR", {SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, global, newtons}},
      {"global-ADMM_WR", {SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, global, sweeps}},
      {"global-NSGS", {SICONOS_GLOBAL_FRICTION_3D_NSGS, global, sweeps}},
      {"global-NSN_AC", {SICONOS_GLOBAL_FRICTION_3D_NSN_AC, global, newtons}},
      {"global-VI_EG", {SICONOS_GLOBAL_FRICTION_3D_VI_EG, global, steps}},
      {"global-VI_FPP", {SICONOS_GLOBAL_FRICTION_3D_VI_FPP, global, steps}},
      {"global-ACLMFP", {SICONOS_GLOBAL_FRICTION_3D_ACLMFP, global, sweeps}},
      {"global-ADMM", {SICONOS_GLOBAL_FRICTION_3D_ADMM, global, sweeps}},
      {"global-IPM", {SICONOS_GLOBAL_FRICTION_3D_IPM, global, newtons}},
  };
  return table;
}

// ------------------------------------------------------------------------------------- one run

struct Outcome {
  double cpu = 0, wall = 0;
  int info = 0, iterations = 0;
  double residual = 0;
  Vector r;
};

double cpu_seconds() {
  std::timespec now;  // std::clock counts microseconds: as long as the smallest problem takes
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  using namespace std::chrono;
  return duration<double>(seconds(now.tv_sec) + nanoseconds(now.tv_nsec)).count();
}

constexpr double clock_step = 1e-8;  ///< readings differ by this much on their own

/// What reading the clock twice adds to a time: half a microsecond, as much as the smallest
/// problem.
double clock_cost() {
  constexpr int readings = 1000;
  double least = 1;
  for (int k = 0; k < readings; ++k) {
    const double before = cpu_seconds();
    least = std::min(least, cpu_seconds() - before);
  }
  return least;
}

/// CPU and wall seconds of one call.
template <class Call>
void timed(Outcome& outcome, const Call& call) {
  static const double cost = clock_cost();
  const auto wall = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  outcome.info = call();
  outcome.cpu = std::max(cpu_seconds() - cpu - cost, clock_step);
  outcome.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
}

Outcome run(const Problem& problem, const Solver& solver, double tolerance,
            const std::string& storage) {
  SolverOptions* options = solver_options_create(solver.id);
  solver.adjust(*options);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  if (solver.most_iterations > 0) options->iparam[SICONOS_IPARAM_MAX_ITER] = solver.most_iterations;

  const int size = problem.dim * problem.contacts;
  Outcome outcome;
  outcome.r = Vector::Zero(size);
  Vector u = Vector::Zero(size);
  double* mu = copied(problem.vectors.at("mu"));
  if (solver.form == Form::global) {
    GlobalFrictionContactProblem* siconos = globalFrictionContactProblem_new();
    siconos->dimension = problem.dim;
    siconos->numberOfContacts = problem.contacts;
    siconos->M =
        storage == "dense" ? dense(problem.matrices.at("M")) : sparse(problem.matrices.at("M"));
    siconos->H =
        storage == "dense" ? dense(problem.matrices.at("H")) : sparse(problem.matrices.at("H"));
    siconos->q = copied(problem.vectors.at("f"));
    siconos->b = copied(problem.vectors.at("b"));
    siconos->mu = mu;
    Vector v = Vector::Zero(problem.vectors.at("f").size());
    timed(outcome,
          [&] { return gfc3d_driver(siconos, outcome.r.data(), u.data(), v.data(), options); });
  } else {
    FrictionContactProblem* siconos = frictionContactProblem_new_with_data(
        problem.dim, problem.contacts, stored(problem.w, storage, problem.dim), copied(problem.q),
        mu);
    const auto driver = solver.form == Form::planar ? fc2d_driver : fc3d_driver;
    timed(outcome, [&] { return driver(siconos, outcome.r.data(), u.data(), options); });
  }
  outcome.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  outcome.residual = options->dparam[SICONOS_DPARAM_RESIDU];
  return outcome;
}

Outcome best_run(const Problem& problem, const Solver& solver, double tolerance,
                 const std::string& storage) {
  constexpr double short_run = 0.5, warm = 0.01;
  constexpr int most_repeats = 100;
  Outcome best = run(problem, solver, tolerance, storage);
  if (best.wall >= short_run) return best;
  double spent = best.wall;
  for (int repeat = 1; repeat < 3 || (spent < warm && repeat < most_repeats); ++repeat) {
    const Outcome again = run(problem, solver, tolerance, storage);
    spent += again.wall;
    best.cpu = std::min(best.cpu, again.cpu);
    best.wall = std::min(best.wall, again.wall);
  }
  return best;
}

/// JSON has no infinities: they and the undefined are null.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  std::ostringstream out;
  out.precision(6);
  out << value;
  return out.str();
}

std::string of_file(const std::string& path, const Problem& problem) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return "{\"file\": \"" + name.substr(0, name.find(".fcp")) + "\", \"form\": \"" + problem.form +
         "\", \"dim\": " + std::to_string(problem.dim) +
         ", \"nc\": " + std::to_string(problem.contacts);
}

void compare(int count, char** arguments) {
  const std::string path = arguments[1];
  if (path == "--solvers") {
    for (const auto& [name, solver] : solvers()) std::cout << name << "\n";
    return;
  }
  const Problem problem = read(path);
  if (count < 4) {
    std::cout << of_file(path, problem) << "}\n";
    return;
  }
  const auto found = solvers().find(arguments[2]);
  if (found == solvers().end())
    throw std::runtime_error("unknown solver " + std::string(arguments[2]) + "; see --solvers");
  const Solver& solver = found->second;
  const bool fits = solver.form == Form::planar ? problem.dim == 2 : problem.dim == 3;
  if (!fits || (solver.form == Form::global && problem.form != "global"))
    throw std::runtime_error(found->first + " does not take this form or dimension");
  if (problem.contacts == 0) throw std::runtime_error("no contacts: nothing to solve");

  const std::string storage = count > 4 ? arguments[4] : "block";
  const double tolerance = std::strtod(arguments[3], nullptr);
  const std::size_t dash = storage.find("-unit");
  Outcome outcome;
  if (dash == std::string::npos) {
    outcome = best_run(problem, solver, tolerance, storage);
  } else {
    const double rho = rho_of(problem);
    outcome = best_run(in_own_units(problem, rho), solver, tolerance, storage.substr(0, dash));
    outcome.r *= rho * problem.q.norm();
  }
  std::cout << std::endl  // Siconos may have left an unfinished line
            << of_file(path, problem) << ", \"solver\": \"" << found->first << "\", \"storage\": \""
            << storage << "\", \"tolerance\": " << arguments[3]
            << ", \"cpu\": " << number(outcome.cpu) << ", \"wall\": " << number(outcome.wall)
            << ", \"info\": " << outcome.info << ", \"residual\": " << number(outcome.residual)
            << ", \"iterations\": " << outcome.iterations
            << ", \"e\": " << number(judge(problem, outcome.r)) << "}" << std::endl;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 2) throw std::runtime_error("usage: siconos_fcp FILE SOLVER TOLERANCE [STORAGE]");
    compare(count, arguments);
  } catch (const std::exception& failure) {
    std::cerr << "siconos_fcp: " << failure.what() << "\n";
    return 2;
  }
  return 0;
}
