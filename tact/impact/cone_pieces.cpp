// impact/cone_pieces.cpp - the rim of a cone, Newton's method along it, and least squares inside.
#include "tact/impact/cone_pieces.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/nnls.hpp"

namespace tact {
namespace {

using Vector = std::vector<double>;

/// Rounds of generators, steps of Newton's method: each takes the error to about its square.
constexpr int most_rounds = 80;
constexpr int most_steps = 12;

/// One over what the cone reaches in every row; a row it never uses keeps its own unit.
VecX row_units(const ImpulseCone<double>& cone) {
  VecX reach = VecX::Zero(cone.rows);
  for (const auto& factor : cone.factors)
    for (const auto& e : factor.hull)
      for (std::size_t k = 0; k < factor.rows.size(); ++k) {
        double own = std::abs(e.centre[k]);
        for (const auto& axis : e.axes) own += std::abs(axis[k]);
        reach[factor.rows[k]] = std::max(reach[factor.rows[k]], own);
      }
  return reach.unaryExpr([](double r) { return r > 0 ? 1 / r : 1; });
}

/// Directions in which s may move: along the rim where it is there.
MatX ways_of(const Vector& s) {
  const auto n = static_cast<Index>(s.size());
  if (n == 0) return MatX(0, 0);
  if (view(s).norm() < 1 - tolerance::quadratic) return MatX::Identity(n, n);
  const Eigen::HouseholderQR<MatX> qr{MatX(view(s))};
  return MatX(qr.householderQ()).rightCols(n - 1);
}

/// E, in the rows of the contact.
MatX turned(const ImpulseCone<double>& cone, const BaseFactor<double>& factor,
            const BaseEllipse<double>& e) {
  MatX out = MatX::Zero(cone.rows, static_cast<Index>(e.axes.size()));
  for (std::size_t a = 0; a < e.axes.size(); ++a)
    for (std::size_t k = 0; k < factor.rows.size(); ++k)
      out(factor.rows[k], static_cast<Index>(a)) = e.axes[a][k];
  return out;
}

/// One unknown per weight, and one per way of every s. Weights count in units of the largest, so
/// that small ones that are in the way go first.
struct Unknowns {
  double largest = 0;
  std::vector<MatX> ways;
  std::vector<VecX> slopes;  ///< columns of A times what the unknowns change
};

Unknowns unknowns_of(const Impact<double>& impact, const EnergyForm& form,
                     const Distribution<double>& pieces) {
  Unknowns out;
  for (const auto& own : pieces)
    for (const auto& piece : own) out.largest = std::max(out.largest, piece.weight);
  for (Index i = 0; i < impact.contacts(); ++i)
    for (const auto& piece : pieces[i]) {
      const auto& cone = impact.cone[i];
      const auto own = form.a.middleCols(impact.offset[i], cone.rows);
      out.slopes.emplace_back(out.largest * column_of(impact, form, i, generator_of(cone, piece)));
      for (std::size_t f = 0; f < piece.s.size(); ++f) {
        out.ways.push_back(ways_of(piece.s[f]));
        const auto& e = cone.factors[f].hull[piece.member[f]];
        const MatX turn = turned(cone, cone.factors[f], e) * out.ways.back();
        for (Index k = 0; k < turn.cols(); ++k)
          out.slopes.emplace_back(piece.weight * (own * turn.col(k)));
      }
    }
  return out;
}

void move(Distribution<double>& pieces, const Unknowns& unknowns, const VecX& by) {
  Index at = 0;
  auto way = unknowns.ways.begin();
  for (auto& own : pieces)
    for (auto& piece : own) {
      piece.weight = std::max(0.0, piece.weight + unknowns.largest * by[at++]);
      for (auto& s : piece.s) {
        const bool rim = !s.empty() && way->cols() + 1 == static_cast<Index>(s.size());
        s = values(view(s) + *way * by.segment(at, way->cols()));
        at += way->cols();
        ++way;
        if (rim)
          to_rim(s);
        else
          pull_inside(s);
      }
    }
}

}  // namespace

std::vector<ConePiece<double>> merged_on_rim(const std::vector<ConePiece<double>>& pieces) {
  std::vector<ConePiece<double>> out;
  for (const auto& piece : pieces) {
    const auto same = [&](const ConePiece<double>& p) { return p.member == piece.member; };
    auto sum = std::find_if(out.begin(), out.end(), same);
    if (sum == out.end()) {
      out.push_back(piece);
      continue;
    }
    const double share = piece.weight / (sum->weight + piece.weight);
    for (std::size_t f = 0; f < piece.s.size(); ++f)
      for (std::size_t k = 0; k < piece.s[f].size(); ++k)
        sum->s[f][k] += share * (piece.s[f][k] - sum->s[f][k]);
    sum->weight += piece.weight;
  }
  for (auto& piece : out)
    for (auto& s : piece.s) to_rim(s);
  return out;
}

void to_rim(Vector& s) {
  const double length = view(s).norm();
  if (!(length > 0)) return;
  for (double& x : s) x /= length;
  pull_inside(s);
}

Distribution<double> moved_to(const Impact<double>& impact, const EnergyForm& form,
                              Distribution<double> pieces, const VecX& target) {
  const auto rest = [&](const Distribution<double>& p) {
    return VecX(target - form.a * view(impulses_of(impact, p)));
  };
  VecX off = rest(pieces);
  for (int step = 0; step < most_steps; ++step) {
    const Unknowns unknowns = unknowns_of(impact, form, pieces);
    MatX slopes(impact.dof(), static_cast<Index>(unknowns.slopes.size()));
    for (Index k = 0; k < slopes.cols(); ++k) slopes.col(k) = unknowns.slopes[k];
    if (slopes.cols() == 0) break;
    Eigen::CompleteOrthogonalDecomposition<MatX> solver;
    solver.setThreshold(tolerance::rank);
    solver.compute(slopes);
    Distribution<double> next = pieces;
    move(next, unknowns, solver.solve(off));
    const VecX left = rest(next);
    if (!(left.norm() < off.norm())) break;
    off = left;
    pieces = std::move(next);
  }
  return pieces;
}

double impulse_size(const ImpulseCone<double>& cone, const Vector& lambda) {
  return view(lambda).cwiseProduct(row_units(cone)).norm();
}

bool in_cone(const ImpulseCone<double>& cone, const Vector& lambda, double slack) {
  TACT_EXPECTS(static_cast<Index>(lambda.size()) == cone.rows);
  const VecX unit = row_units(cone);
  const VecX target = view(lambda).cwiseProduct(unit);
  auto pieces = coarse_pieces(cone);
  std::vector<ConePiece<double>> used;
  for (int round = 0; round < most_rounds; ++round) {
    MatX columns(cone.rows, static_cast<Index>(pieces.size()));
    for (Index k = 0; k < columns.cols(); ++k)
      columns.col(k) = view(generator_of(cone, pieces[k])).cwiseProduct(unit);
    const Nnls fit = nnls(columns, target);
    const double off = fit.residual.norm();
    if (off <= slack) return true;
    used.clear();
    for (const Index k : fit.positive) {
      used.push_back(pieces[k]);
      used.back().weight = fit.x[k];
    }
    // What no generator takes off is out of reach, but for the rim.
    const Vector gamma = values(-fit.residual.cwiseProduct(unit));
    if (!(least_opening(cone, gamma) < -tolerance::epsilon * off)) break;
    pieces.push_back(worst_piece(cone, gamma));
    for (auto& piece : merged_on_rim(used)) pieces.push_back(std::move(piece));
  }
  if (cone.polyhedral()) return false;
  // The impact of one contact whose rows are the coordinates.
  Impact<double> alone;
  for (Index r = 0; r < cone.rows; ++r) {
    alone.mass.push_back(values(VecX::Unit(cone.rows, r)));
    alone.rows.push_back(values(unit[r] * VecX::Unit(cone.rows, r)));
  }
  alone.excitation = alone.before = alone.free = alone.after = alone.impulse =
      Vector(lambda.size(), 0.0);
  alone.offset = {0, cone.rows};
  alone.cone = {cone};
  const EnergyForm form(alone);
  const auto moved = moved_to(alone, form, {merged_on_rim(used)}, target);
  return (form.a * view(impulses_of(alone, moved)) - target).norm() <= slack;
}

}  // namespace tact
