// support/explained_impacts.hpp - impacts from laws and random numbers.
#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

#include "tact/base/rng.hpp"
#include "tact/impact/impact.hpp"

namespace tact {

/// Contacts with these laws, without rows, excitation or outcome yet.
template <class T>
Impact<T> impact_with(const std::vector<Law>& laws) {
  Impact<T> out;
  out.offset = {0};
  for (const Law& law : laws) {
    out.cone.push_back(impulse_cone<T>(law, T(friction_of(law))));
    out.opening.push_back(opening_cone<T>(law));
    out.offset.push_back(out.offset.back() + row_count(law));
  }
  return out;
}

/// Unit mass times m, everything else as given; no smooth impulse.
inline Impact<double> impact_of(const std::vector<Law>& laws, double m,
                                const std::vector<std::vector<double>>& rows,
                                const std::vector<double>& excitation,
                                const std::vector<double>& before,
                                const std::vector<double>& after) {
  auto out = impact_with<double>(laws);
  for (std::size_t k = 0; k < before.size(); ++k) {
    out.mass.emplace_back(before.size(), 0.0);
    out.mass.back()[k] = m;
  }
  out.rows = rows;
  out.excitation = excitation;
  out.before = out.free = before;
  out.impulse.assign(before.size(), 0.0);
  out.after = after;
  return out;
}

/// The same with every double taken at its word.
inline Impact<Exact> exactly(const Impact<double>& impact, const std::vector<Law>& laws) {
  const auto exact = [](const std::vector<double>& x) { return ExactVector(x.begin(), x.end()); };
  auto out = impact_with<Exact>(laws);
  for (const auto& row : impact.mass) out.mass.push_back(exact(row));
  for (const auto& row : impact.rows) out.rows.push_back(exact(row));
  out.excitation = exact(impact.excitation);
  out.before = exact(impact.before);
  out.impulse = exact(impact.impulse);
  out.free = exact(impact.free);
  out.after = exact(impact.after);
  return out;
}

/// An impulse of the cone: three pieces anywhere, or one on the rim.
inline std::vector<double> random_impulse(const ImpulseCone<double>& cone, bool rim, Rng& rng) {
  std::vector<double> out(static_cast<std::size_t>(cone.rows), 0.0);
  for (int k = 0; k < (rim ? 1 : 3); ++k) {
    ConePiece<double> piece;
    piece.weight = rng.uniform(0.1, 1);
    for (const auto& factor : cone.factors) {
      piece.member.push_back(static_cast<Index>(rng.below(factor.hull.size())));
      std::vector<double> s;
      double square = 0;
      for (std::size_t a = 0; a < factor.hull[piece.member.back()].axes.size(); ++a) {
        s.push_back(rng.normal());
        square += s.back() * s.back();
      }
      for (double& x : s) x *= (rim ? 1 : rng.uniform()) / std::sqrt(square);
      piece.s.push_back(std::move(s));
    }
    const auto g = generator_of(cone, piece);
    for (std::size_t r = 0; r < g.size(); ++r) out[r] += piece.weight * g[r];
  }
  return out;
}

struct RandomImpact {
  Impact<double> impact;
  std::vector<double> lambda;  ///< explains the outcome
};

/// Random rows, mass and excitation; an outcome that random impulses of the cones lead to.
inline RandomImpact random_impact(const std::vector<Law>& laws, Index dof, bool rim, Rng& rng) {
  RandomImpact out{impact_with<double>(laws), {}};
  auto& impact = out.impact;
  const auto fill = [&](MatX m) {
    for (double& x : m.reshaped()) x = rng.normal();
    return m;
  };
  const MatX root = fill(MatX(dof, dof));
  const MatX mass = root * root.transpose() + 0.3 * MatX::Identity(dof, dof);
  const MatX rows = fill(MatX(impact.offset.back(), dof));
  const VecX before = fill(MatX(dof, 1));
  for (Index k = 0; k < dof; ++k) {
    const VecX row = mass.row(k);
    impact.mass.emplace_back(row.begin(), row.end());
  }
  for (Index r = 0; r < rows.rows(); ++r) {
    const VecX row = rows.row(r);
    impact.rows.emplace_back(row.begin(), row.end());
    impact.excitation.push_back(rng.normal());
  }
  for (const auto& cone : impact.cone) {
    const auto own = random_impulse(cone, rim, rng);
    out.lambda.insert(out.lambda.end(), own.begin(), own.end());
  }
  const Eigen::Map<const VecX> lambda(out.lambda.data(), rows.rows());
  const VecX after = before + mass.llt().solve(rows.transpose() * lambda);
  impact.before.assign(before.begin(), before.end());
  impact.free = impact.before;
  impact.impulse.assign(impact.before.size(), 0.0);
  impact.after.assign(after.begin(), after.end());
  return out;
}

}  // namespace tact
