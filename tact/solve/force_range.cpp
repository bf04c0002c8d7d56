// solve/force_range.cpp - the sets, the programs over them, and what they say.
#include "tact/solve/force_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <Eigen/QR>

#include "tact/base/expects.hpp"
#include "tact/contact/residual.hpp"
#include "tact/linalg/nnls.hpp"
#include "tact/solve/load_set.hpp"
#include "tact/solve/pivoting.hpp"

namespace tact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// { t (centre + Σ B_k y_k) : |y_k| <= 1, t >= 0 }: one round part of the set of a contact.
struct RoundCone {
  Index contact = 0;
  Vec6 centre = Vec6::Zero();
  std::vector<Eigen::Matrix<double, 6, 2>> discs;  ///< one column zero for an interval

  [[nodiscard]] Vec6 support(const Vec6& d) const {
    Vec6 out = centre;
    for (const auto& B : discs) {
      const Vec2 y = B.transpose() * d;
      const double length = y.norm();
      if (length > 0) out += B * (y / length);
    }
    return out;
  }
};

struct Generator {
  Index contact = 0;
  Vec6 g = Vec6::Zero();
};

/// What every contact may carry at given velocities.
struct Sets {
  std::vector<Generator> generators;
  std::vector<RoundCone> rounds;

  bool add(const LocalLaw& law, Index contact, const LoadMotion& m) {
    if (law.kind == LawKind::patch_friction || law.kind == LawKind::bounded) return false;
    const LoadSet set = load_set(law, m, {});
    const auto column = [&](Index row) {
      Index unknown = 0;
      set.C.row(row).cwiseAbs().maxCoeff(&unknown);
      return unknown;
    };
    // One height for every cone; those of rolling share theirs.
    std::vector<Index> heights;
    std::vector<RoundCone> cones;
    Index row = 0;
    for (const Index size : set.cones) {
      if (heights.empty() || heights.back() != column(row)) {
        heights.push_back(column(row));
        cones.emplace_back().contact = contact;
        cones.back().centre.head(set.E.rows()) = set.E.col(heights.back());
      }
      if (size > 1) cones.back().discs.emplace_back(Eigen::Matrix<double, 6, 2>::Zero());
      for (Index k = 1; k < size; ++k)
        cones.back().discs.back().col(k - 1).head(set.E.rows()) = set.E.col(column(row + k));
      row += size;
    }
    for (RoundCone& cone : cones) add(std::move(cone));
    return true;
  }

 private:
  void add(RoundCone cone) {
    const bool interval = cone.discs.size() == 1 && cone.discs[0].col(1).isZero(0);
    if (cone.discs.empty()) {
      generators.push_back({cone.contact, cone.centre});
    } else if (interval) {
      for (const double side : {1.0, -1.0})
        generators.push_back({cone.contact, cone.centre + side * cone.discs[0].col(0)});
    } else {
      rounds.push_back(std::move(cone));
    }
  }
};

/// min cost.λ + ½ weight |λ|²_D over the sets with G λ held.
class Program {
 public:
  Program(const DelassusProblem& p, const Sets& sets) : p_(p), sets_(sets), unit_(row_units(p)) {
    G_.setZero(p.rows(), p.rows());
    for (Index i = 0; i < p.contacts(); ++i)
      for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
        const auto block = p.G.block(i, e);
        G_.block(p.G.offset[i], p.G.offset[p.G.col[e]], block.rows(), block.cols()) = block;
      }
    G_ = unit_.asDiagonal() * G_ * unit_.asDiagonal();
    loads_.resize(p.rows(), 0);
    effects_ = loads_;
    for (const Generator& g : sets.generators) add(g.contact, g.g);
    constexpr int first_points = 8;
    for (const RoundCone& round : sets.rounds)
      for (int k = 0; k < first_points; ++k) {
        Vec6 d;
        for (Index r = 0; r < 6; ++r)
          d[r] = std::sin(std::numbers::pi / 4 * k + (r % 2 == 0 ? 0 : std::numbers::pi / 2));
        add(round.contact, round.support(d));
      }
  }

  /// From now on |λ|² is Σ |λ_i|²/k_i, in units in which it is about that of D.
  void weigh(const VecX& stiffness) {
    compliance_.resize(p_.rows());
    for (Index i = 0; i < p_.contacts(); ++i)
      compliance_.segment(p_.G.offset[i], p_.laws[i].rows).setConstant(1 / stiffness[i]);
    compliance_ /= compliance_.cwiseProduct(unit_.cwiseAbs2()).mean();
  }

  [[nodiscard]] const VecX& unit() const { return unit_; }
  /// λ of the present fit.
  [[nodiscard]] VecX start() const { return lambda_of(start_); }

  /// λ as a sum of generators; |G λ' - G λ| over |G λ|.
  double fit(const VecX& lambda) {
    for (const RoundCone& round : sets_.rounds) add_own(round, lambda);
    const VecX effect = G_ * lambda.cwiseQuotient(unit_);
    const Nnls out = nnls(effects_, effect);
    start_ = out.x;
    const double size = effect.norm();
    return size > 0 ? out.residual.norm() / size : 0;
  }

  [[nodiscard]] Index rank_of_effects() const { return rank_of(effects_); }
  [[nodiscard]] Index rank_of_loads() const { return rank_of(loads_); }
  static Index rank_of(const MatX& m) {
    if (m.size() == 0) return 0;
    Eigen::ColPivHouseholderQR<MatX> qr(m);
    qr.setThreshold(tolerance::rank);
    return qr.rank();
  }

  /// λ' that minimises; nothing when pivoting gave up.
  std::optional<VecX> minimise(const VecX& cost, double weight, double& missed) {
    constexpr int rounds = 40;
    std::optional<VecX> best;
    for (int k = 0; k < rounds; ++k) {
      VecX x;
      VecX price;
      if (!solve(cost, weight, x, price)) return best;
      best = lambda_of(x);
      // What a generator g would bring: d.g, d = G'y - cost - weight D λ.
      VecX d = (G_.transpose() * price).cwiseQuotient(unit_) - cost;
      if (weight > 0) d -= weight * weighted(*best);
      const double worst = add_best(d);
      if (worst <= tolerance::solved * cost_size(cost, weight, *best)) return best;
      if (k == rounds - 1) missed = std::max(missed, worst);
    }
    return best;
  }

  /// Loads of the sets that move nothing and lower cost.λ without end.
  std::optional<VecX> ray(const VecX& cost) {
    constexpr int rounds = 20;
    const double size = cost.cwiseProduct(unit_).norm();
    for (int k = 0; k < rounds; ++k) {
      const Index n = p_.rows();
      MatX system(n + 1, loads_.cols());
      system.topRows(n) = effects_;
      system.row(n) = -(cost.cwiseProduct(unit_)).transpose() * loads_ / size;
      const Nnls out = nnls(system, VecX::Unit(n + 1, n));
      if (out.residual.norm() <= tolerance::regime) return lambda_of(out.x);
      const VecX d = (G_.transpose() * out.residual.head(n)).cwiseQuotient(unit_) -
                     cost * (out.residual[n] / size);
      if (!(add_best(d) > tolerance::regime)) break;
    }
    return std::nullopt;
  }

 private:
  /// A load of unit size.
  void add(Index contact, const Vec6& g) {
    VecX load = VecX::Zero(p_.rows());
    const Index at = p_.G.offset[contact];
    for (Index r = 0; r < p_.laws[contact].rows; ++r) load[at + r] = g[r] / unit_[at + r];
    const double size = load.norm();
    if (!(size > 0)) return;
    load /= size;
    const Index k = loads_.cols();
    loads_.conservativeResize(p_.rows(), k + 1);
    effects_.conservativeResize(p_.rows(), k + 1);
    start_.conservativeResize(k + 1);
    loads_.col(k) = load;
    effects_.col(k) = G_ * load;
    start_[k] = 0;
  }

  /// The point of a round cone that λ itself is at, pulled inside where it is outside.
  void add_own(const RoundCone& round, const VecX& lambda) {
    Vec6 own = Vec6::Zero();
    const Index at = p_.G.offset[round.contact];
    const LocalLaw& law = p_.laws[round.contact];
    for (Index r = 0; r < law.rows; ++r) own[r] = lambda[at + r];
    const double load = own[law.normal_row()];
    if (!(load > 0)) return;
    own /= load;
    Vec6 inside = round.centre;
    for (const auto& B : round.discs) {
      Vec2 y = Vec2::Zero();
      for (Index c = 0; c < 2; ++c)
        if (const double b2 = B.col(c).squaredNorm(); b2 > 0)
          y[c] = B.col(c).dot(own - round.centre) / b2;
      inside += B * (y / std::max(1.0, y.norm()));
    }
    add(round.contact, inside);
  }

  /// The best point of every round cone for d; by how much the best of them is better than nothing.
  double add_best(const VecX& d) {
    double most = 0;
    for (const RoundCone& round : sets_.rounds) {
      Vec6 local = Vec6::Zero();
      const Index at = p_.G.offset[round.contact];
      double size = 0;
      for (Index r = 0; r < p_.laws[round.contact].rows; ++r) local[r] = d[at + r];
      const Vec6 g = round.support(local);
      for (Index r = 0; r < p_.laws[round.contact].rows; ++r)
        size += g[r] * g[r] / (unit_[at + r] * unit_[at + r]);
      const double gain = local.dot(g) / std::sqrt(size);
      if (!(gain > 0)) continue;
      most = std::max(most, gain);
      add(round.contact, g);
    }
    return most;
  }

  [[nodiscard]] VecX lambda_of(const VecX& x) const {
    VecX out = VecX::Zero(p_.rows());
    for (Index k = 0; k < x.size(); ++k) out += x[k] * loads_.col(k);
    return out.cwiseProduct(unit_);
  }

  [[nodiscard]] VecX weighted(const VecX& lambda) const {
    if (compliance_.size() > 0) return compliance_.cwiseProduct(lambda);
    VecX out(lambda.size());
    for (Index i = 0; i < p_.contacts(); ++i) {
      const Index at = p_.G.offset[i];
      const Index n = p_.laws[i].rows;
      out.segment(at, n) = p_.metric(i).matrix() * lambda.segment(at, n);
    }
    return out;
  }

  [[nodiscard]] double cost_size(const VecX& cost, double weight, const VecX& lambda) const {
    return cost.cwiseProduct(unit_).norm() + weight * lambda.cwiseQuotient(unit_).norm();
  }

  /// A x = r as A x >= r and Σ A x <= Σ r; x, prices of both: one LCP.
  bool solve(const VecX& cost, double weight, VecX& x, VecX& price) {
    const Index n = loads_.cols();
    Eigen::ColPivHouseholderQR<MatX> qr(effects_);
    qr.setThreshold(tolerance::rank);
    const Index k = qr.rank();
    const MatX Q = MatX(qr.householderQ()).leftCols(k);
    const MatX A = Q.transpose() * effects_;
    const double size = std::max(start_.sum(), tolerance::smallest);
    MatX M = MatX::Zero(n + k + 1, n + k + 1);
    VecX q(n + k + 1);
    if (weight > 0)
      for (Index c = 0; c < n; ++c)
        M.col(c).head(n) = weight * loads_.transpose() *
                           weighted(unit_.cwiseProduct(loads_.col(c))).cwiseProduct(unit_);
    M.block(n, 0, k, n) = A;
    M.block(0, n, n, k) = -A.transpose();
    M.block(n + k, 0, 1, n) = -A.colwise().sum();
    M.block(0, n + k, n, 1) = A.colwise().sum().transpose();
    // Forces in units of the whole, so that cost and load are of one size.
    const double cost_unit = weight > 0 ? 1 : cost.cwiseProduct(unit_).norm();
    q.head(n) = loads_.transpose() * cost.cwiseProduct(unit_) / cost_unit;
    q.segment(n, k) = -A * start_ / size;
    q[n + k] = (A * start_).sum() / size;
    VecX z;
    if (solve_lcp(M, q, {}, work_, z).end != PivotEnd::solution) return false;
    x = z.head(n) * size;
    price = Q * (z.segment(n, k).array() - z[n + k]).matrix() * cost_unit;
    if (weight > 0) price *= size;
    return true;
  }

  const DelassusProblem& p_;
  const Sets& sets_;
  VecX unit_;
  VecX compliance_;  ///< of the rows; empty: weights are D's
  MatX G_;
  MatX loads_, effects_;  ///< in the units of the rows
  VecX start_;            ///< x of a solution
  PivotWorkspace work_;
};

bool make_sets(const DelassusProblem& p, const VecX& lambda, double tolerance, Sets& sets) {
  VecX u;
  multiply(p.G, lambda, u);
  const VecX unit = row_units(p);
  const double size = std::max(u.cwiseProduct(unit).cwiseAbs().maxCoeff(),
                               p.b.cwiseProduct(unit).cwiseAbs().maxCoeff());
  u += p.b;
  for (Index i = 0; i < p.contacts(); ++i) {
    const Index at = p.G.offset[i];
    if (!sets.add(p.laws[i], i, {u.data() + at, unit.data() + at, tolerance * size})) return false;
  }
  return true;
}

/// Both ends of one row.
bool find_ends(const DelassusProblem& p, Index contact, Index row, const Program& begin,
               ForceRange& out) {
  const bool normal = row == p.G.offset[contact] + p.laws[contact].normal_row();
  const VecX up = VecX::Unit(p.rows(), row);
  for (const bool greatest : {false, true}) {
    const VecX cost = greatest ? VecX(-up) : up;
    // Each end starts afresh: points of a rim that one end asked for lie close together, and
    // columns that are nearly equal are what pivoting fears.
    Program program = begin;
    const auto ray = normal && !greatest ? std::nullopt : program.ray(cost);
    const auto end = ray ? ray : program.minimise(cost, 0, out.missed);
    if (!end) return false;
    const double value = ray ? (greatest ? infinity : -infinity) : (*end)[row];
    (greatest ? out.high : out.low)[row] = value;
    if (normal) (greatest ? out.greatest_load : out.least_load).col(contact) = *end;
  }
  return true;
}

}  // namespace

ForceRange force_range(const DelassusProblem& p, const VecX& lambda,
                       const ForceRangeOptions& options) {
  TACT_EXPECTS(lambda.size() == p.rows());
  TACT_EXPECTS(options.stiffness.size() == 0 || options.stiffness.size() == p.contacts());
  TACT_EXPECTS(options.stiffness.size() == 0 || options.stiffness.minCoeff() > 0);
  ForceRange out;
  if (p.rows() == 0) {
    out.status = ForceRange::Status::found;
    return out;
  }
  if (!(residual(p, lambda).natural <= options.tolerance)) {
    out.status = ForceRange::Status::not_solved;
    return out;
  }
  Sets sets;
  if (!make_sets(p, lambda, options.tolerance, sets)) {
    out.status = ForceRange::Status::unsupported;
    return out;
  }
  Program program(p, sets);
  out.mismatch = program.fit(lambda);
  if (!(out.mismatch <= options.tolerance)) {
    out.status = ForceRange::Status::not_solved;
    return out;
  }
  out.rank = program.rank_of_effects();
  out.freedom = program.rank_of_loads() - out.rank;
  const VecX found = program.start();
  out.low = out.high = out.smallest = found;
  out.least_load = out.greatest_load = found.replicate(1, p.contacts());
  out.unique.assign(p.contacts(), true);
  out.status = ForceRange::Status::found;
  if (options.stiffness.size() > 0) out.elastic = found;
  if (out.freedom == 0) return out;

  const double size = found.cwiseQuotient(program.unit()).cwiseAbs().maxCoeff();
  for (Index i = 0; i < p.contacts(); ++i)
    for (Index row = p.G.offset[i]; row < p.G.offset[i + 1]; ++row) {
      if (!find_ends(p, i, row, program, out)) {
        out.status = ForceRange::Status::not_converged;
        return out;
      }
      const double width = (out.high[row] - out.low[row]) / program.unit()[row];
      if (!(width <= options.tolerance * size)) out.unique[i] = false;
    }
  const auto least = [&](Program over, VecX& answer) {
    const auto lambda_of_least = over.minimise(VecX::Zero(p.rows()), 1, out.missed);
    if (lambda_of_least)
      answer = *lambda_of_least;
    else
      out.status = ForceRange::Status::not_converged;
  };
  least(program, out.smallest);
  if (options.stiffness.size() == 0) return out;
  program.weigh(options.stiffness);
  least(program, out.elastic);
  return out;
}

}  // namespace tact
