// impact/conic_program.cpp - blocks, their units, and impulses from their multipliers.
#include "tact/impact/conic_program.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "tact/cone/conic_qp.hpp"

namespace tact {
namespace {

/// One second-order cone: a member of a hull, or the normal load of several factors (-1).
struct Block {
  Index contact, factor, member;
};

/// s = h - G (w, τ, t) in the cones, every contact in units of its own.
class Blocks {
 public:
  Blocks(const Impact<double>& impact, const EnergyForm& form,
         const std::vector<ImpulseCone<double>>& cones, const VecX& gamma, int sign)
      : impact_(impact), form_(form), cones_(cones), gamma_(gamma), sign_(sign) {
    count();
    G = MatX::Zero(rows_, impact.dof() + shares_ + 1);
    h = VecX::Zero(rows_);
    unit = VecX::Ones(impact.contacts());
    for (Index i = 0; i < impact.contacts(); ++i) fill(i);
    speed = h.size() > 0 ? h.cwiseAbs().maxCoeff() : 0;
    if (!(speed > 0)) speed = 1;
    h /= speed;
  }

  MatX G;
  VecX h;
  VecX unit;         ///< of every contact: the longest column of A there
  double speed = 1;  ///< of velocities, in units of the contacts
  std::vector<Index> sizes;
  std::vector<Block> block;

  [[nodiscard]] Index margin() const { return G.cols() - 1; }

 private:
  void count() {
    for (const auto& cone : cones_) {
      const bool shared = cone.factors.size() != 1;
      if (shared) shares_ += static_cast<Index>(cone.factors.size());
      rows_ += shared ? 1 : 0;
      for (const auto& factor : cone.factors)
        for (const auto& e : factor.hull) rows_ += 1 + static_cast<Index>(e.axes.size());
    }
  }

  /// sign g.(gamma + A'w).
  void functional(Index i, const VecX& g) {
    const Index at = impact_.offset[i];
    h[row_] = sign_ * g.dot(gamma_.segment(at, g.size()));
    G.row(row_).head(impact_.dof()) = -sign_ * (form_.a.middleCols(at, g.size()) * g).transpose();
  }

  void fill(Index i) {
    const auto& cone = cones_[i];
    const bool shared = cone.factors.size() != 1;
    const Index first = row_, own_share = share_;
    for (std::size_t f = 0; f < cone.factors.size(); ++f)
      for (std::size_t j = 0; j < cone.factors[f].hull.size(); ++j)
        member(i, static_cast<Index>(f), static_cast<Index>(j), shared);
    if (shared) {
      VecX g = VecX::Zero(cone.rows);
      g[cone.normal] = 1;
      functional(i, g);
      block.push_back({i, -1, -1});
      sizes.push_back(1);
      ++row_;
      share_ += static_cast<Index>(cone.factors.size());
    }
    in_units(i, first);
    // What the units leave alone: shares of the load, and the margin.
    Index at = first;
    for (std::size_t k = block.size() - blocks_of(i); k < block.size(); at += sizes[k++]) {
      const Index factor = block[k].factor;
      if (!shared || factor < 0) G(at, margin()) = 1;
      if (!shared) continue;
      if (factor >= 0)
        G(at, impact_.dof() + own_share + factor) = -1;
      else
        G.row(at)
            .segment(impact_.dof() + own_share, static_cast<Index>(cone.factors.size()))
            .setOnes();
    }
  }

  [[nodiscard]] std::size_t blocks_of(Index i) const {
    std::size_t sum = cones_[i].factors.size() != 1 ? 1 : 0;
    for (const auto& factor : cones_[i].factors) sum += factor.hull.size();
    return sum;
  }

  void member(Index i, Index f, Index j, bool shared) {
    const auto& cone = cones_[i];
    const auto& factor = cone.factors[f];
    const auto& e = factor.hull[j];
    const auto spread = [&](const std::vector<double>& x, double load) {
      VecX g = VecX::Zero(cone.rows);
      for (std::size_t k = 0; k < x.size(); ++k) g[factor.rows[k]] = x[k];
      g[cone.normal] = load;
      functional(i, g);
      ++row_;
    };
    spread(e.centre, shared ? 0 : 1);
    for (const auto& axis : e.axes) spread(axis, 0);
    block.push_back({i, f, j});
    sizes.push_back(1 + static_cast<Index>(e.axes.size()));
  }

  void in_units(Index i, Index first) {
    auto own = G.middleRows(first, row_ - first);
    const double longest = own.rowwise().norm().maxCoeff();
    if (!(longest > 0)) return;
    unit[i] = longest;
    own /= longest;
    h.segment(first, row_ - first) /= longest;
  }

  const Impact<double>& impact_;
  const EnergyForm& form_;
  const std::vector<ImpulseCone<double>>& cones_;
  const VecX& gamma_;
  int sign_;
  Index rows_ = 0, shares_ = 0, row_ = 0, share_ = 0;
};

/// The solution in the unknowns of the blocks, and the multipliers.
struct Solution {
  VecX unknowns, multipliers;
  bool converged = false;
};

/// min c.x over the first `columns` unknowns. Directions that nothing resists are left out.
Solution solve_blocks(const MatX& G, const VecX& h, const std::vector<Index>& sizes,
                      const VecX& c) {
  Eigen::ColPivHouseholderQR<MatX> qr;
  qr.setThreshold(tolerance::rank);
  qr.compute(G.transpose());
  const MatX basis = MatX(qr.householderQ()).leftCols(qr.rank());
  ConicQp program;
  program.P = MatX::Zero(basis.cols(), basis.cols());
  program.c = basis.transpose() * c;
  program.G = G * basis;
  program.h = h;
  program.cones = sizes;
  ConicQpSolution found = solve(program);
  if (found.status != ConicQpSolution::Status::converged) {
    // Solutions that go to infinity: the nearest ones, a little off.
    program.P = tolerance::conic * MatX::Identity(basis.cols(), basis.cols());
    const ConicQpSolution near = solve(program);
    if (near.status == ConicQpSolution::Status::converged) found = near;
  }
  return {basis * found.x, found.z, found.status == ConicQpSolution::Status::converged};
}

/// Takes shares of the members of one factor in turn.
struct Dealer {
  std::vector<Index> member;
  std::vector<double> load;
  std::vector<std::vector<double>> s;
  std::size_t at = 0;

  void skip_empty() {
    while (at + 1 < load.size() && !(load[at] > 0)) ++at;
  }
};

/// Shares of all factors made into pieces with one member each: as many as there are members.
std::vector<ConePiece<double>> dealt(std::vector<Dealer> factors, double least) {
  std::vector<ConePiece<double>> out;
  for (;;) {
    ConePiece<double> piece;
    piece.weight = std::numeric_limits<double>::infinity();
    for (Dealer& f : factors) {
      f.skip_empty();
      piece.weight = std::min(piece.weight, f.load[f.at]);
      piece.member.push_back(f.member[f.at]);
      piece.s.push_back(f.s[f.at]);
    }
    if (!(piece.weight > 0)) return out;
    for (Dealer& f : factors) f.load[f.at] -= piece.weight;
    if (piece.weight > least) out.push_back(std::move(piece));
  }
}

Distribution<double> impulses(const Impact<double>& impact,
                              const std::vector<ImpulseCone<double>>& cones, const Blocks& blocks,
                              const VecX& multipliers, double scale) {
  std::vector<std::vector<Dealer>> dealers(cones.size());
  Distribution<double> out(cones.size());
  for (std::size_t i = 0; i < cones.size(); ++i) dealers[i].resize(cones[i].factors.size());
  VecX load = VecX::Zero(impact.contacts());
  Index at = 0;
  for (std::size_t k = 0; k < blocks.block.size(); at += blocks.sizes[k++]) {
    const Block& b = blocks.block[k];
    const double own = multipliers[at] * scale / blocks.unit[b.contact];
    load[b.contact] = std::max(load[b.contact], own);
    if (b.factor < 0) {
      if (cones[b.contact].factors.empty()) out[b.contact].push_back({own, {}, {}});
      continue;
    }
    Dealer& dealer = dealers[b.contact][b.factor];
    const VecX s = multipliers.segment(at + 1, blocks.sizes[k] - 1) / multipliers[at];
    dealer.member.push_back(b.member);
    dealer.load.push_back(own);
    dealer.s.push_back(values(s));
    pull_inside(dealer.s.back());
  }
  for (std::size_t i = 0; i < cones.size(); ++i)
    if (!dealers[i].empty())
      out[i] = dealt(std::move(dealers[i]), tolerance::epsilon * load.maxCoeff());
  return out;
}

}  // namespace

WidestOpening widest_opening(const Impact<double>& impact, const EnergyForm& form,
                             const std::vector<ImpulseCone<double>>& cones, const VecX& gamma,
                             int sign) {
  Blocks blocks(impact, form, cones, gamma, sign);
  const Index m = blocks.h.size(), t = blocks.margin();
  MatX G = MatX::Zero(m + 1, t + 1);
  G.topRows(m) = blocks.G;
  G(m, t) = 1;
  VecX h(m + 1);
  h << blocks.h, 1;
  std::vector<Index> sizes = blocks.sizes;
  sizes.push_back(1);
  const Solution found = solve_blocks(G, h, sizes, -VecX::Unit(t + 1, t));
  WidestOpening out;
  out.w = blocks.speed * found.unknowns.head(impact.dof());
  // What did not converge says nothing.
  if (found.converged) out.margin = found.unknowns[t];
  if (!(out.margin > 0)) out.ray = impulses(impact, cones, blocks, found.multipliers, 1);
  return out;
}

ConicEnd conic_end(const Impact<double>& impact, const EnergyForm& form, const VecX& change,
                   int sign) {
  const Blocks blocks(impact, form, impact.cone, form.gamma, sign);
  const double length = change.norm();
  const Index unknowns = blocks.margin();
  VecX c = VecX::Zero(unknowns);
  if (length > 0) c.head(impact.dof()) = sign * change / length;
  const Solution found = solve_blocks(blocks.G.leftCols(unknowns), blocks.h, blocks.sizes, c);
  ConicEnd out;
  out.w = blocks.speed * found.unknowns.head(impact.dof());
  out.impulses = impulses(impact, impact.cone, blocks, found.multipliers, length);
  return out;
}

}  // namespace tact
