// bench/impact_bench.cpp - what a certificate costs: least and largest contact work with witnesses,
// beside GLPK.
//
// Random impacts: mass S S' + 1, rows and wall speeds from -1 to 1, half of the contacts push. Both
// sides get the same data in memory and find both ends of the work; ours also the verdict, the
// witnesses and whether any velocity is admissible, and can be asked to check the certificate. The
// peer's simplex solves max and min { γ.λ : J'λ = d, λ >= 0 } from the same basis, with its
// presolver off and on, whichever the name says. A value that differs by more than 1e-8 is no time.
#include <cmath>
#include <string>

#include <Eigen/Cholesky>
#include <benchmark/benchmark.h>

#include "tact/base/rng.hpp"
#include "tact/impact/judge.hpp"

#ifdef TACT_HAVE_GLPK
#include <glpk.h>
#endif

namespace {

using namespace tact;

ContactProblem random_impact(Index dof, Index contacts) {
  Rng rng(static_cast<std::uint64_t>(100 * dof + contacts));
  const auto number = [&] { return rng.uniform(-1, 1); };
  const MatX root = MatX::NullaryExpr(dof, dof, number);
  const MatX mass = root * root.transpose() + MatX::Identity(dof, dof);
  const MatX rows = MatX::NullaryExpr(contacts, dof, number);
  ContactProblem p;
  p.mass = mass.sparseView();
  p.rows = rows.sparseView();
  // The walls close on z + something: some velocity is admissible, the work is bounded.
  p.velocity = VecX::NullaryExpr(dof, number);
  const VecX apart = VecX::NullaryExpr(dof, number);
  p.excitation = VecX::NullaryExpr(contacts, [&] { return rng.uniform(0, 0.2); }) - rows * apart;
  p.contacts.resize(static_cast<std::size_t>(contacts));
  VecX lambda = VecX::NullaryExpr(contacts, number).cwiseMax(0.0);
  p.outcome.emplace();
  p.outcome->velocity = p.velocity + mass.llt().solve(rows.transpose() * lambda);
  return p;
}

void certificate(benchmark::State& state) {
  const ContactProblem p = random_impact(state.range(0), state.range(1));
  const Impact<double> data = *impact(p);
  ImpactCertificate<double> c;
  for (auto _ : state) c = judge(data);
  if (refusal(data, c)) state.SkipWithError("refused");
  state.counters["finite"] = (c.minimum.end == WorkBound<double>::End::finite ? 1 : 0) +
                             (c.maximum.end == WorkBound<double>::End::finite ? 1 : 0);
}

void verifier(benchmark::State& state) {
  const ContactProblem p = random_impact(state.range(0), state.range(1));
  const Impact<double> data = *impact(p);
  const ImpactCertificate<double> c = judge(data);
  bool refused = false;
  for (auto _ : state) refused = refusal(data, c).has_value();
  if (refused) state.SkipWithError("refused");
}

void exact_certificate(benchmark::State& state) {
  const ContactProblem p = random_impact(state.range(0), state.range(1));
  const Impact<double> rounded = *impact(p);
  const Impact<Exact> data = *exact_impact(p, {});
  const ImpactCertificate<double> start = judge(rounded);
  ImpactCertificate<Exact> c;
  for (auto _ : state) c = judge(data, start);
  if (refusal(data, c)) state.SkipWithError("refused");
}

#ifdef TACT_HAVE_GLPK
/// min γ.λ and max γ.λ over J'λ = d, λ >= 0; infinite where unbounded.
struct Ends {
  double least = 0, most = 0;
};

Ends glpk_ends(const MatX& rows, const VecX& gamma, const VecX& d, bool presolve) {
  glp_prob* lp = glp_create_prob();
  const auto m = static_cast<int>(rows.cols()), n = static_cast<int>(rows.rows());
  glp_add_rows(lp, m);
  glp_add_cols(lp, n);
  for (int k = 0; k < m; ++k) glp_set_row_bnds(lp, k + 1, GLP_FX, d[k], d[k]);
  std::vector<int> at(static_cast<std::size_t>(m) + 1);
  std::vector<double> value(at.size());
  for (int j = 0; j < n; ++j) {
    glp_set_col_bnds(lp, j + 1, GLP_LO, 0, 0);
    glp_set_obj_coef(lp, j + 1, gamma[j]);
    for (int k = 0; k < m; ++k) {
      at[k + 1] = k + 1;
      value[k + 1] = rows(j, k);
    }
    glp_set_mat_col(lp, j + 1, m, at.data(), value.data());
  }
  glp_smcp options;
  glp_init_smcp(&options);
  options.msg_lev = GLP_MSG_OFF;
  options.presolve = presolve ? GLP_ON : GLP_OFF;
  if (!presolve) glp_std_basis(lp);
  const double infinity = std::numeric_limits<double>::infinity();
  Ends out;
  glp_set_obj_dir(lp, GLP_MIN);
  glp_simplex(lp, &options);
  out.least = glp_get_status(lp) == GLP_OPT ? glp_get_obj_val(lp) : -infinity;
  glp_set_obj_dir(lp, GLP_MAX);
  glp_simplex(lp, &options);
  out.most = glp_get_status(lp) == GLP_OPT ? glp_get_obj_val(lp) : infinity;
  glp_delete_prob(lp);
  return out;
}

bool agree(const WorkBound<double>& ours, double theirs, double half_square) {
  if (ours.end != WorkBound<double>::End::finite) return std::isinf(theirs);
  const double mine = ours.low + (ours.high - ours.low) / 2 - half_square;
  return std::abs(mine - theirs) <= 1e-8 * (1 + std::abs(mine) + half_square);
}

void glpk(benchmark::State& state, bool presolve) {
  const ContactProblem p = random_impact(state.range(0), state.range(1));
  const Impact<double> data = *impact(p);
  const MatX rows = p.rows;
  const VecX gamma = rows * p.velocity + p.excitation;
  const VecX d = p.mass * (p.outcome->velocity - p.velocity);
  Ends ends;
  for (auto _ : state) ends = glpk_ends(rows, gamma, d, presolve);
  const auto c = judge(data);
  const double half_square = half_square_of_change(data, c.after);
  if (!agree(c.minimum, ends.least, half_square) || !agree(c.maximum, ends.most, half_square))
    state.SkipWithError("another value");
}
#endif

void sizes(benchmark::internal::Benchmark* b) {
  b->Args({6, 8})->Args({6, 24})->Args({60, 40})->Args({60, 120})->Args({300, 600});
  b->Unit(benchmark::kMicrosecond);
}
void small_sizes(benchmark::internal::Benchmark* b) {
  b->Args({6, 8})->Args({6, 24})->Args({20, 40})->Unit(benchmark::kMicrosecond);
}

BENCHMARK(certificate)->Apply(sizes);
BENCHMARK(verifier)->Apply(sizes);
BENCHMARK(exact_certificate)->Apply(small_sizes);
#ifdef TACT_HAVE_GLPK
BENCHMARK_CAPTURE(glpk, plain, false)->Apply(sizes);
BENCHMARK_CAPTURE(glpk, presolved, true)->Apply(sizes);
#endif

}  // namespace
