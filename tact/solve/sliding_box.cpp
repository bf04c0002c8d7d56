// solve/sliding_box.cpp - Krawczyk's step over the equations of sliding.
#include "tact/solve/sliding_box.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "tact/solve/sliding_family.hpp"
#include "tact/solve/sliding_system.hpp"

namespace tact {
namespace {

using namespace detail;

/// K(Z); nothing when the derivative in the middle is singular.
std::optional<IntervalVector> krawczyk(const SlidingSystem& system, const IntervalVector& Z) {
  const VecX middle = middle_of(Z);
  const IntervalVector z(middle.begin(), middle.end());
  const Eigen::FullPivLU<MatX> lu(middle_of(system.derivative(z)));
  if (!lu.isInvertible()) return std::nullopt;
  const MatX Y = lu.inverse();
  if (!Y.allFinite()) return std::nullopt;
  const IntervalVector F = system.equations(z);
  const IntervalMatrix rest = rest_of_one(Y, system.derivative(Z));
  IntervalVector out = z;
  for (std::size_t r = 0; r < z.size(); ++r) {
    for (std::size_t c = 0; c < z.size(); ++c)
      out[r] = out[r] - Interval(Y(static_cast<Index>(r), static_cast<Index>(c))) * F[c];
    for (std::size_t c = 0; c < z.size(); ++c) out[r] = out[r] + rest[r][c] * (Z[c] - z[c]);
  }
  return out;
}

SolutionPiece piece_of(const ExactProblem& p, const ModeChoice& choice, const SlidingSystem& system,
                       const IntervalVector& z) {
  SolutionPiece out;
  std::vector<bool> loaded;
  for (const auto& mode : choice) {
    out.modes.push_back(*mode);
    loaded.push_back(mode->kind != Kind::separate);
  }
  out.labels = piece_labels(p, out.modes, loaded);
  out.round = true;
  const IntervalVector lambda = system.loads(z), u = system.motion(z);
  const auto fill = [&](const IntervalVector& x, VecX& low, VecX& high, VecX& middle) {
    low = high = middle = middle_of(x);
    for (Index r = 0; r < p.rows(); ++r) {
      low[r] = x[r].low;
      high[r] = x[r].high;
    }
  };
  fill(lambda, out.low, out.high, out.lambda);
  fill(u, out.u_low, out.u_high, out.u);
  for (const Interval& x : lambda) out.enclosed = std::max(out.enclosed, x.radius());
  return out;
}

}  // namespace

SlidingVerdict sliding_solution(const ExactProblem& p, const ModeChoice& choice) {
  SlidingVerdict out;
  constexpr double widest = 0.4;  // [rad] beyond it the step never contracts
  for (const auto& mode : choice)
    if (mode->kind == Kind::sector && sector_width(*mode) > widest) return out;
  const SlidingSystem system(p, choice);
  const auto box = system.box();
  if (!box) return out;
  IntervalVector Z = *box;
  bool one = false;
  constexpr int steps = 30;
  for (int k = 0; k < steps; ++k) {
    const auto K = krawczyk(system, Z);
    if (!K) return sliding_family(p, choice, system, *box);
    bool inside = true, shrinks = false;
    for (std::size_t i = 0; i < Z.size(); ++i) {
      inside = inside && (*K)[i].inside(Z[i]);
      const Interval common = meet(Z[i], (*K)[i]);
      if (!(common.low <= common.high)) {
        out.end = SlidingVerdict::End::none;
        return out;
      }
      shrinks = shrinks || common.high - common.low < 0.9 * (Z[i].high - Z[i].low);
      Z[i] = common;
    }
    one = one || inside;
    if (!shrinks) break;
  }
  const SlidingVerdict::End end = system.judge(Z);
  if (end == SlidingVerdict::End::none) {
    out.end = end;
  } else if (one && end == SlidingVerdict::End::unique) {
    out.end = end;
    out.piece = piece_of(p, choice, system, Z);
  }
  return out;
}

}  // namespace tact
