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
  Index row;  ///< the first
};

/// s = h - G (w, τ, t) in the cones, every contact in units of its own.
class Blocks {
 public:
  Blocks(const Impact<double>& impact, const EnergyForm& form,
         const std::vector<ImpulseCone<double>>& cones, const VecX& gamma, int sign) {
    for (Index i = 0; i < impact.contacts(); ++i) list(i, cones[i]);
    first_row_.push_back(rows());
    G = MatX::Zero(rows(), impact.dof() + shares_ + 1);
    h = VecX::Zero(rows());
    unit = VecX::Ones(impact.contacts());
    for (Index i = 0; i < impact.contacts(); ++i) {
      const auto a = form.a.middleCols(impact.offset[i], cones[i].rows);
      const auto own = gamma.segment(impact.offset[i], cones[i].rows);
      // sign g.(gamma + A'w).
      for (Index r = first_row_[i]; r < first_row_[i + 1]; ++r) {
        h[r] = sign * functional_[r].dot(own);
        G.row(r).head(impact.dof()) = -sign * (a * functional_[r]).transpose();
      }
      in_units(i);
    }
    for (const Block& b : block) add_unknowns(b, cones[b.contact], impact.dof());
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
  [[nodiscard]] Index rows() const { return static_cast<Index>(functional_.size()); }
  /// Whether several factors, or none, share the normal load.
  static bool shared(const ImpulseCone<double>& cone) { return cone.factors.size() != 1; }

  void begin(Index contact, Index factor, Index member, Index size) {
    block.push_back({contact, factor, member, rows()});
    sizes.push_back(size);
  }

  /// The blocks of one contact, and the g of their rows.
  void list(Index i, const ImpulseCone<double>& cone) {
    first_row_.push_back(rows());
    first_share_.push_back(shares_);
    for (std::size_t f = 0; f < cone.factors.size(); ++f)
      for (std::size_t j = 0; j < cone.factors[f].hull.size(); ++j) {
        const auto& e = cone.factors[f].hull[j];
        const auto spread = [&](const std::vector<double>& x) {
          VecX g = VecX::Zero(cone.rows);
          for (std::size_t k = 0; k < x.size(); ++k) g[cone.factors[f].rows[k]] = x[k];
          return g;
        };
        begin(i, static_cast<Index>(f), static_cast<Index>(j),
              1 + static_cast<Index>(e.axes.size()));
        functional_.push_back(spread(e.centre));
        if (!shared(cone)) functional_.back()[cone.normal] = 1;
        for (const auto& axis : e.axes) functional_.push_back(spread(axis));
      }
    if (!shared(cone)) return;
    begin(i, -1, -1, 1);
    functional_.push_back(VecX::Unit(cone.rows, cone.normal));
    shares_ += static_cast<Index>(cone.factors.size());
  }

  void in_units(Index i) {
    const Index first = first_row_[i], count = first_row_[i + 1] - first;
    auto own = G.middleRows(first, count);
    const double longest = own.rowwise().norm().maxCoeff();
    if (!(longest > 0)) return;
    unit[i] = longest;
    own /= longest;
    h.segment(first, count) /= longest;
  }

  /// What the units leave alone: shares of the load, and the margin.
  void add_unknowns(const Block& b, const ImpulseCone<double>& cone, Index dof) {
    if (!shared(cone) || b.factor < 0) G(b.row, margin()) = 1;
    if (!shared(cone)) return;
    const Index share = dof + first_share_[b.contact];
    if (b.factor >= 0)
      G(b.row, share + b.factor) = -1;
    else
      G.row(b.row).segment(share, static_cast<Index>(cone.factors.size())).setOnes();
  }

  std::vector<VecX> functional_;  ///< g of every row
  std::vector<Index> first_row_, first_share_;
  Index shares_ = 0;
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

/// What one member of a factor carries.
struct Share {
  Index member;
  double load;
  std::vector<double> s;
};

/// Shares of all factors made into pieces with one member each: as many as there are members.
std::vector<ConePiece<double>> dealt(std::vector<std::vector<Share>> factors, double least) {
  std::vector<ConePiece<double>> out;
  std::vector<std::size_t> at(factors.size(), 0);
  for (;;) {
    ConePiece<double> piece;
    piece.weight = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < factors.size(); ++f) {
      while (at[f] + 1 < factors[f].size() && !(factors[f][at[f]].load > 0)) ++at[f];
      const Share& share = factors[f][at[f]];
      piece.weight = std::min(piece.weight, share.load);
      piece.member.push_back(share.member);
      piece.s.push_back(share.s);
    }
    if (!(piece.weight > 0)) return out;
    for (std::size_t f = 0; f < factors.size(); ++f) factors[f][at[f]].load -= piece.weight;
    if (piece.weight > least) out.push_back(std::move(piece));
  }
}

Distribution<double> impulses(const Impact<double>& impact,
                              const std::vector<ImpulseCone<double>>& cones, const Blocks& blocks,
                              const VecX& multipliers, double scale) {
  std::vector<std::vector<std::vector<Share>>> shares(cones.size());
  Distribution<double> out(cones.size());
  for (std::size_t i = 0; i < cones.size(); ++i) shares[i].resize(cones[i].factors.size());
  VecX load = VecX::Zero(impact.contacts());
  for (std::size_t k = 0; k < blocks.block.size(); ++k) {
    const Block& b = blocks.block[k];
    const double own = multipliers[b.row] * scale / blocks.unit[b.contact];
    load[b.contact] = std::max(load[b.contact], own);
    if (b.factor < 0) {
      if (cones[b.contact].factors.empty()) out[b.contact].push_back({own, {}, {}});
      continue;
    }
    const VecX s = multipliers.segment(b.row + 1, blocks.sizes[k] - 1) / multipliers[b.row];
    auto& factor = shares[b.contact][b.factor];
    factor.push_back({b.member, own, values(s)});
    pull_inside(factor.back().s);
  }
  for (std::size_t i = 0; i < cones.size(); ++i)
    if (!shares[i].empty())
      out[i] = dealt(std::move(shares[i]), tolerance::epsilon * load.maxCoeff());
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
