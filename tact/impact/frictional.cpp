// impact/frictional.cpp - compression by the solver of contact problems, expansion by pivots and
// Newton's method.
#include "tact/impact/frictional.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "tact/impact/impulse_cone.hpp"
#include "tact/solve/solve.hpp"

namespace tact {
namespace {

ImpactOutcome solved(const DelassusProblem& problem, const VecX& start, double enough) {
  ImpactOutcome out;
  SolveOptions options;
  options.polish = true;
  options.tolerance = enough;
  SolveWorkspace work;
  out.impulses = start.size() > 0 ? start : VecX(VecX::Zero(problem.rows()));
  // Solvers that need no start would leave a solution for another.
  if (start.size() > 0 && accepted(residual(problem, start), enough)) {
    out.status = ImpactStatus::solved;
    return out;
  }
  const SolveReport report = solve(problem, options, work, out.impulses);
  out.events = report.iterations;
  if (report.status == SolveStatus::converged) out.status = ImpactStatus::solved;
  if (report.status != SolveStatus::infeasible) return out;
  out.status = ImpactStatus::no_solution;
  out.impulses.resize(0);
  out.ray = work.jam_ray;
  return out;
}

/// The law of the expansion as a fixed point.
class Expansion {
 public:
  Expansion(const DelassusProblem& problem, const VecX& least) : p_(problem), least_(least) {}

  /// F = λ - Π(λ - D⁻¹u), and the derivative of Π where wanted. Returns |F|_D over the scale.
  double error(const VecX& lambda, VecX& F, std::vector<LocalMatrix>* derivatives = nullptr) {
    move(lambda);
    F.resize(lambda.size());
    double square = 0;
    double image[6];
    for (Index i = 0; i < p_.contacts(); ++i) {
      const Index at = p_.G.offset[i];
      map(i, lambda, image, derivatives == nullptr ? nullptr : &(*derivatives)[i]);
      for (Index r = 0; r < p_.laws[i].rows; ++r) F[at + r] = lambda[at + r] - image[r];
      square += energy(p_.metric(i), F.data() + at);
    }
    // Of velocities as they are after the compression: those that part are no gaps, and count.
    const double scale = std::max(energy_scale(p_, lambda), rounding_scale(judged(p_)));
    return scale > 0 ? std::sqrt(square) / scale : 0.0;
  }

  /// Newton's method with halved steps; sweeps of one projection a contact where it stalls. The
  /// best of all: sweeps may lead away.
  double improve(VecX& lambda, int& iterations) {
    constexpr int most = 60;
    constexpr int sweeps = 50;
    VecX F, step, trial;
    std::vector<LocalMatrix> derivatives(static_cast<std::size_t>(p_.contacts()));
    double now = error(lambda, F), least = now;
    VecX best = lambda;
    for (int k = 0; k < most && now > tolerance::polished; ++k) {
      ++iterations;
      now = error(lambda, F, &derivatives);
      step = newton_step(F, derivatives);
      const double before = now;
      for (double t = 1; t > shortest && now >= before; t /= 2) {
        trial = lambda - t * step;
        const double then = error(trial, F);
        if (!(then < before)) continue;
        lambda = trial;
        now = then;
      }
      if (now < least) {
        least = now;
        best = lambda;
      }
      if (now < before) continue;
      if (now <= tolerance::solved) break;
      for (int s = 0; s < sweeps; ++s) sweep(lambda);
      now = error(lambda, F);
    }
    if (now < least) return now;
    lambda = best;
    return least;
  }

  void sweep(VecX& lambda) {
    double image[6];
    for (Index i = 0; i < p_.contacts(); ++i) {
      move(lambda);
      map(i, lambda, image, nullptr);
      for (Index r = 0; r < p_.laws[i].rows; ++r) lambda[p_.G.offset[i] + r] = image[r];
    }
  }

 private:
  static constexpr double shortest = 1e-3;

  /// u of the impulses.
  void move(const VecX& lambda) {
    multiply(p_.G, lambda, u_);
    u_ += p_.b;
  }

  /// Π(λ - D⁻¹u) of contact i, and its derivative by the argument of Π where wanted.
  void map(Index i, const VecX& lambda, double* image, LocalMatrix* derivative) {
    const LocalLaw& law = p_.laws[i];
    const Index at = p_.G.offset[i];
    double y[6];
    natural_argument(p_.metric(i), lambda.data() + at, u_.data() + at, y);
    if (derivative == nullptr) {
      lift_load(i, y, nullptr);
      project(law, p_.metric(i), y, image, work_);
      return;
    }
    LocalMatrix lift = LocalMatrix::Identity(law.rows, law.rows);
    lift_load(i, y, &lift);
    project(law, p_.metric(i), y, image, *derivative, work_);
    *derivative *= lift;
  }

  /// Replaces the normal rows of y by their projection on N0 + K.
  void lift_load(Index i, double* y, LocalMatrix* derivative) const {
    const LocalLaw& law = p_.laws[i];
    const Index at = p_.G.offset[i];
    const Index n = law.normal_row();
    if (!law.is_patch()) {
      if (y[n] >= least_[at + n]) return;
      y[n] = least_[at + n];
      if (derivative != nullptr) (*derivative)(n, n) = 0;
      return;
    }
    const Index row[3] = {0, 1, n};
    const Mat3 upper = p_.metric(i).normal_upper();
    const PatchCone& cone = law.patch->cone;
    Vec3 above;
    for (Index k = 0; k < 3; ++k) above[k] = y[row[k]] - least_[at + row[k]];
    const Vec3 kept = cone.project(above, upper);
    for (Index k = 0; k < 3; ++k) y[row[k]] = least_[at + row[k]] + kept[k];
    if (derivative == nullptr) return;
    const double size = std::max(above.norm(), tolerance::smallest);
    for (Index c = 0; c < 3; ++c) {
      const double h = tolerance::difference * size;
      const Vec3 moved = (cone.project(above + h * Vec3::Unit(c), upper) - kept) / h;
      for (Index r = 0; r < 3; ++r) (*derivative)(row[r], row[c]) = moved[r];
    }
  }

  /// (I - Π'(I - D⁻¹G)) step = F; the shortest where contacts are redundant.
  [[nodiscard]] VecX newton_step(const VecX& F, const std::vector<LocalMatrix>& derivatives) {
    const Index rows = p_.rows();
    MatX A = MatX::Identity(rows, rows);
    for (Index i = 0; i < p_.contacts(); ++i) {
      const Index at = p_.G.offset[i];
      const Index n = p_.laws[i].rows;
      A.block(at, at, n, n) -= derivatives[i];
      const MatX scaled = derivatives[i] * p_.metric(i).inverse();
      for (Index e = p_.G.row_begin[i]; e < p_.G.row_begin[i + 1]; ++e) {
        const auto block = p_.G.block(i, e);
        A.block(at, p_.G.offset[p_.G.col[e]], n, block.cols()) += scaled * block;
      }
    }
    return A.completeOrthogonalDecomposition().solve(F);
  }

  const DelassusProblem& p_;
  const VecX& least_;
  VecX u_;
  LocalWorkspace work_;
};

/// The expansion with every friction disc replaced by a polygon, pivoted. Empty: no LCP, or no
/// basis.
VecX pivoted_expansion(const DelassusProblem& p, const VecX& least, int& pivots) {
  constexpr int edges = 16;
  DelassusProblem polygonal = p;
  for (LocalLaw& law : polygonal.laws)
    if (law.kind == LawKind::disc) law = local_law(PyramidLaw{law.mu, edges});
  VecX shift;
  multiply(p.G, least, shift);
  polygonal.b += shift;
  update_metrics(polygonal);
  ContactLcp lcp;
  if (!write_lcp(polygonal, lcp)) return {};
  for (std::size_t a = 0; a < lcp.columns.size(); ++a) {
    const LcpColumn& column = lcp.columns[a];
    if (column.role != LcpRole::sliding) continue;
    const Index row = p.G.offset[column.contact] + p.laws[column.contact].normal_row();
    lcp.q[static_cast<Index>(a)] += lcp.scale[static_cast<Index>(a)] * least[row];
  }
  PivotWorkspace work;
  VecX z, lambda;
  const PivotReport report = solve_lcp(lcp.M, lcp.q, {}, work, z);
  pivots += report.pivots;
  if (report.end != PivotEnd::solution) return {};
  impulses(polygonal, lcp, z, lambda);
  return lambda + least;
}

}  // namespace

double expansion_residual(const DelassusProblem& problem, const VecX& least, const VecX& lambda) {
  VecX F;
  return Expansion(problem, least).error(lambda, F);
}

Result<ImpactOutcome> newton_impact(const ContactProblem& problem, const VecX& start,
                                    double enough) {
  if (const Index bounded = first_bounded(problem); bounded >= 0) return no_bounded_rows(bounded);
  const auto reduced = reduce(problem);
  if (!reduced) return reduced.error();
  return solved(*reduced, start, enough);
}

Result<ImpactOutcome> poisson_impact(const ContactProblem& problem, const VecX& start,
                                     double enough) {
  if (const Index bounded = first_bounded(problem); bounded >= 0) return no_bounded_rows(bounded);
  ContactProblem plastic = problem;
  for (Contact& contact : plastic.contacts) contact.restitution = 0;
  auto reduced = reduce(plastic);
  if (!reduced) return reduced.error();
  DelassusProblem p = *std::move(reduced);
  ImpactOutcome out = solved(p, start, enough);
  if (out.status != ImpactStatus::solved) return out;
  out.compression = out.impulses;

  VecX least = VecX::Zero(p.rows());
  const auto offset = row_offsets(problem.contacts);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const RowSplit split = row_split(problem.contacts[i].law);
    for (Index k = 0; k < split.normal_count; ++k) {
      const Index row = offset[i] + split.normal[k];
      least[row] = problem.contacts[i].restitution * out.compression[row];
    }
  }
  VecX change;
  multiply(p.G, out.compression, change);
  p.b += change;
  VecX lambda = pivoted_expansion(p, least, out.events);
  Expansion expansion(p, least);
  if (lambda.size() == 0) {
    lambda = least;
    expansion.sweep(lambda);
  }
  const double left = expansion.improve(lambda, out.events);
  if (!(left <= enough)) out.status = ImpactStatus::not_converged;
  out.impulses += lambda;
  return out;
}

}  // namespace tact
