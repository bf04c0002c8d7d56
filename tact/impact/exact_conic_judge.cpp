// impact/exact_conic_judge.cpp - round cones in rationals: finitely many generators inside, a
// velocity beyond doubt outside.
#include <algorithm>

#include <Eigen/QR>

#include "tact/impact/cone_pieces.hpp"
#include "tact/impact/conic_judge.hpp"
#include "tact/impact/exact_columns.hpp"
#include "tact/linalg/nnls.hpp"

namespace tact {
namespace {

using Bound = WorkBound<Exact>;
using Pieces = Distribution<Exact>;
using Cones = std::vector<ImpulseCone<Exact>>;

/// A hull with more samples than this is sampled where it carries only.
constexpr std::size_t most_samples = 40;
/// Linear programs over the rationals with more columns than this take too long.
constexpr std::size_t most_columns = 60;
/// Pieces of a smaller share than this are left by the method, not used by it.
constexpr double least_share = tolerance::tie;

// ---- the same impact in doubles

std::vector<double> rounded(const ExactVector& x) {
  std::vector<double> out;
  for (const Exact& v : x) out.push_back(nearest(v));
  return out;
}
ImpulseCone<double> rounded(const ImpulseCone<Exact>& cone) {
  ImpulseCone<double> out{cone.rows, cone.normal, {}};
  for (const auto& factor : cone.factors) {
    BaseFactor<double> own{factor.rows, {}};
    for (const auto& e : factor.hull) {
      BaseEllipse<double> part{rounded(e.centre), {}};
      for (const auto& axis : e.axes) part.axes.push_back(rounded(axis));
      own.hull.push_back(std::move(part));
    }
    out.factors.push_back(std::move(own));
  }
  return out;
}
Impact<double> rounded(const Impact<Exact>& impact) {
  Impact<double> out;
  for (const auto& row : impact.mass) out.mass.push_back(rounded(row));
  for (const auto& row : impact.rows) out.rows.push_back(rounded(row));
  out.excitation = rounded(impact.excitation);
  out.before = rounded(impact.before);
  out.impulse = rounded(impact.impulse);
  out.free = rounded(impact.free);
  out.after = rounded(impact.after);
  out.offset = impact.offset;
  for (const auto& cone : impact.cone) out.cone.push_back(rounded(cone));
  for (const auto& cone : impact.opening) out.opening.push_back(rounded(cone));
  return out;
}

ExactVector exactly(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

// ---- generators

/// |s|² <= 1 without rounding.
bool inside(const ConePiece<Exact>& piece) {
  return std::all_of(piece.s.begin(), piece.s.end(), [](const ExactVector& s) {
    Exact sum;
    for (const Exact& x : s) sum += x * x;
    return sum <= 1;
  });
}

/// Coarse generators of every contact: all, or those of the members in use.
Distribution<double> around(const std::vector<ImpulseCone<double>>& cones,
                            const Distribution<double>& used) {
  Distribution<double> out;
  for (std::size_t i = 0; i < cones.size(); ++i) {
    auto coarse = coarse_pieces(cones[i]);
    const auto idle = [&](const ConePiece<double>& piece) {
      return std::none_of(used[i].begin(), used[i].end(),
                          [&](const auto& u) { return u.member == piece.member; });
    };
    if (coarse.size() > most_samples) std::erase_if(coarse, idle);
    out.push_back(std::move(coarse));
  }
  return out;
}

/// Without what is inside by rounding only, and without what carries nothing.
Distribution<double> carrying(Distribution<double> pieces) {
  double largest = 0;
  for (const auto& own : pieces)
    for (const auto& piece : own) largest = std::max(largest, piece.weight);
  for (auto& own : pieces) {
    std::erase_if(own, [&](const auto& p) { return !(p.weight > least_share * largest); });
    for (auto& piece : own)
      for (auto& s : piece.s) pull_inside(s);
  }
  return pieces;
}

/// All these pieces as columns.
ExactColumns columns_of(const Impact<Exact>& impact, const Cones& cones,
                        const std::vector<const Distribution<double>*>& found) {
  const ExactVector gamma = contact_velocity(impact, impact.free);
  ExactColumns out;
  for (const auto* pieces : found) {
    Pieces exact = tact::exactly(*pieces);
    for (std::size_t i = 0; i < exact.size(); ++i)
      for (auto& piece : exact[i])
        if (inside(piece))
          add_column(out, impact, cones, gamma, static_cast<Index>(i), std::move(piece));
  }
  return out;
}

/// Impulses that explain d without rounding, next to those that doubles found. A little of impulses
/// that use every coarse generator makes room, and so much of some of these as makes up for the
/// rounding is found by one linear system.
class Restorer {
 public:
  Restorer(const Impact<Exact>& impact, const Impact<double>& near,
           const Distribution<double>& found)
      : impact_(impact), form_(near), found_(carrying(found)), room_(around(near.cone, found_)) {
    columns_.a.resize(near.dof(), 0);
    for (const auto* pieces : {&room_, &found_})
      for (std::size_t i = 0; i < pieces->size(); ++i)
        for (const auto& piece : (*pieces)[i])
          add_column(columns_, near, form_, near.cone, static_cast<Index>(i), piece);
    for (const auto& own : room_) coarse_ += static_cast<Index>(own.size());
  }

  [[nodiscard]] std::optional<Pieces> explaining(const ExactVector& d) const {
    const auto deep = deep_weights();
    if (!deep) return std::nullopt;
    const ExactColumns exact = columns_of(impact_, impact_.cone, {&room_, &found_});
    if (static_cast<Index>(exact.contact.size()) != columns_.count()) return std::nullopt;
    VecX weight = VecX::Zero(columns_.count());
    Index k = coarse_;
    for (const auto& own : found_)
      for (const auto& piece : own) weight[k++] = piece.weight;
    // Room is paid for with the width of the bracket: as little as will do.
    double share = tolerance::bracket;
    for (int attempt = 0; attempt < 4; ++attempt, share *= 64) {
      auto x = corrected(exact, (1 - share) * weight + share * *deep, d);
      if (x) return distribution(impact_, exact, *x, 0);
    }
    return std::nullopt;
  }

 private:
  /// Weights that explain the change, all coarse ones well above zero.
  [[nodiscard]] std::optional<VecX> deep_weights() const {
    const MatX coarse = columns_.a.leftCols(coarse_);
    const double size = coarse.colwise().norm().sum(), length = form_.change.norm();
    if (!(size > 0) || !(length > 0)) return std::nullopt;
    double share = 1;
    for (int attempt = 0; attempt < 5; ++attempt) {
      share /= 8;
      const double least = share * length / size;
      const Nnls fit = nnls(columns_.a, form_.change - least * coarse.rowwise().sum());
      if (!(fit.residual.norm() <= tolerance::bracket * length)) continue;
      VecX out = fit.x;
      out.head(coarse_).array() += least;
      return out;
    }
    return std::nullopt;
  }

  /// The weights with independent coarse ones changed so that everything adds up to d.
  [[nodiscard]] std::optional<ExactVector> corrected(const ExactColumns& exact, const VecX& weight,
                                                     const ExactVector& d) const {
    ExactVector x(weight.begin(), weight.end());
    ExactVector rest = d;
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t r = 0; r < d.size(); ++r) rest[r] -= exact.force[k][r] * x[k];
    Eigen::ColPivHouseholderQR<MatX> qr;
    qr.setThreshold(tolerance::rank);
    qr.compute(columns_.a.leftCols(coarse_));
    std::vector<ExactVector> system(d.size());
    for (Index c = 0; c < qr.rank(); ++c)
      for (std::size_t r = 0; r < d.size(); ++r)
        system[r].push_back(exact.force[qr.colsPermutation().indices()[c]][r]);
    const auto by = solve_exactly(system, rest);
    if (!by) return std::nullopt;
    for (Index c = 0; c < qr.rank(); ++c) x[qr.colsPermutation().indices()[c]] += (*by)[c];
    const bool negative =
        std::any_of(x.begin(), x.end(), [](const Exact& v) { return sgn(v) < 0; });
    if (negative) return std::nullopt;
    return x;
  }

  const Impact<Exact>& impact_;
  EnergyForm form_;
  Distribution<double> found_, room_;
  GeneratorColumns columns_;
  Index coarse_ = 0;
};

// ---- velocities

bool on_side(const Impact<Exact>& impact, const Cones& cones, ExactVector gamma, int sign) {
  if (sign < 0)
    for (Exact& g : gamma) g = -g;
  for (Index i = 0; i < impact.contacts(); ++i) {
    const ExactVector own(gamma.begin() + impact.offset[i], gamma.begin() + impact.offset[i + 1]);
    if (!in_dual(cones[i], own)) return false;
  }
  return true;
}

/// b, or the nearest to it on the way to a velocity deep inside that is on the right side of every
/// contact.
std::optional<ExactVector> moved_inside(const Impact<Exact>& impact, const Cones& cones,
                                        const std::vector<double>& b,
                                        const std::optional<std::vector<double>>& deep, int sign) {
  const ExactVector from = exactly(b);
  if (on_side(impact, cones, contact_velocity(impact, from), sign)) return from;
  if (!deep) return std::nullopt;
  const ExactVector to = exactly(*deep);
  // From one unit of round-off to the whole way, each time four times as far.
  for (Exact way = Exact(tolerance::epsilon); way <= 1; way *= 4) {
    ExactVector u = from;
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += way * (to[k] - from[k]);
    if (on_side(impact, cones, contact_velocity(impact, u), sign)) return u;
  }
  return std::nullopt;
}

// ---- certificates

/// What doubles found, written in rationals.
Bound written(const Impact<Exact>& impact, const WorkBound<double>& bound, const ExactVector& after,
              bool upper) {
  Bound out;
  if (bound.end == WorkBound<double>::End::none) return out;
  out.impulses = tact::exactly(bound.impulses);
  if (bound.end == WorkBound<double>::End::unbounded) {
    out.end = Bound::End::unbounded;
    out.ray = tact::exactly(bound.ray);
    return out;
  }
  out.end = Bound::End::finite;
  out.velocity = exactly(bound.velocity);
  const Exact attained = work_of(impact, after, impulses_of(impact, out.impulses));
  const Exact proved = work_bound_of(impact, after, out.velocity);
  out.low = upper ? attained : proved;
  out.high = upper ? proved : attained;
  return out;
}

}  // namespace

ImpactCertificate<Exact> written(const Impact<Exact>& impact,
                                 const ImpactCertificate<double>& doubles) {
  ImpactCertificate<Exact> out;
  out.tolerance = doubles.tolerance;
  out.free = impact.free;
  out.after = impact.after;
  out.separator = exactly(doubles.separator);
  out.verdict = doubles.verdict;
  if (doubles.minimum.end != WorkBound<double>::End::none)
    out.after = explained(impact, tact::exactly(doubles.minimum.impulses));
  out.minimum = written(impact, doubles.minimum, out.after, false);
  out.maximum = written(impact, doubles.maximum, out.after, true);
  out.jam = tact::exactly(doubles.jam);
  out.admissible = exactly(doubles.admissible);
  if (!refusal(impact, out, out.tolerance)) return out;
  // At the border of a tolerance rationals may see it differently.
  out.verdict = energy_verdict(impact, out);
  if (!refusal(impact, out, out.tolerance)) return out;
  out.verdict = ImpactVerdict::undecided;
  out.minimum = out.maximum = {};
  return out;
}

namespace {

/// v with J_i v in K_i* and v.d < 0, without rounding.
std::optional<ImpactCertificate<Exact>> separated(const Impact<Exact>& impact,
                                                  const ImpactCertificate<double>& doubles) {
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  out.verdict = ImpactVerdict::kinetically_incompatible;
  out.separator = exactly(doubles.separator);
  const auto deep = inner_direction(rounded(impact));
  for (Exact way = 0; way <= 1; way = way == 0 ? Exact(tolerance::epsilon) : Exact(4 * way)) {
    if (!refusal(impact, out, out.tolerance)) return out;
    if (!deep) return std::nullopt;
    for (std::size_t k = 0; k < out.separator.size(); ++k)
      out.separator[k] = Exact(doubles.separator[k]) + way * Exact((*deep)[k]);
  }
  return std::nullopt;
}

/// A jam, or a velocity that opens everywhere; nothing where neither can be shown.
bool opens(const Impact<Exact>& impact, const Impact<double>& near,
           const ImpactCertificate<double>& doubles, ImpactCertificate<Exact>& out) {
  const bool polyhedral = std::all_of(impact.opening.begin(), impact.opening.end(),
                                      [](const auto& cone) { return cone.polyhedral(); });
  if (polyhedral) {
    decide_admissible(impact, out);
    return true;
  }
  if (!doubles.jam.empty()) {
    const auto jam = carrying(doubles.jam);
    const auto coarse = around(near.opening, jam);
    const auto columns = columns_of(impact, impact.opening, {&jam, &coarse});
    if (columns.piece.size() <= most_columns) out.jam = ray_of(impact, columns, -1);
    return !out.jam.empty();
  }
  if (doubles.admissible.empty()) return false;
  auto u = moved_inside(impact, impact.opening, doubles.admissible,
                        inner_velocity(near, near.opening, 1), 1);
  if (!u) return false;
  out.admissible = *std::move(u);
  return true;
}

/// Impulses of one end: next to those that doubles found, or the best of few generators.
Bound attained(const Impact<Exact>& impact, const Impact<double>& near,
               const WorkBound<double>& known, const ExactVector& d, bool upper) {
  Bound out;
  if (known.end == WorkBound<double>::End::finite) {
    if (auto impulses = Restorer(impact, near, known.impulses).explaining(d)) {
      out.end = Bound::End::finite;
      out.impulses = *std::move(impulses);
      out.low = out.high = work_of(impact, impact.after, impulses_of(impact, out.impulses));
      return out;
    }
  }
  Distribution<double> seeds = carrying(known.impulses);
  const auto ray = carrying(known.ray);
  for (std::size_t i = 0; i < ray.size(); ++i)
    seeds[i].insert(seeds[i].end(), ray[i].begin(), ray[i].end());
  const auto coarse = around(near.cone, seeds);
  const auto columns = columns_of(impact, impact.cone, {&seeds, &coarse});
  if (columns.piece.size() > most_columns) return out;
  return exact_bound(impact, columns, impact.after, explaining(columns, d), upper);
}

/// Both ends without rounding.
bool bounded(const Impact<Exact>& impact, const Impact<double>& near,
             const ImpactCertificate<double>& doubles, ImpactCertificate<Exact>& out) {
  const ExactVector d = change_of_momentum(impact, out.after);
  for (const bool upper : {false, true}) {
    const auto& known = upper ? doubles.maximum : doubles.minimum;
    Bound& end = upper ? out.maximum : out.minimum;
    if (known.end == WorkBound<double>::End::none) return false;
    end = attained(impact, near, known, d, upper);
    if (end.end == Bound::End::none) return false;
    if (end.end == Bound::End::unbounded) {
      if (end.ray.empty()) return false;
      continue;
    }
    if (known.end != WorkBound<double>::End::finite) return false;
    const int sign = upper ? -1 : 1;
    auto b = moved_inside(impact, impact.cone, known.velocity,
                          inner_velocity(near, near.cone, sign), sign);
    if (!b) return false;
    end.velocity = *std::move(b);
    (upper ? end.high : end.low) = work_bound_of(impact, out.after, end.velocity);
  }
  return true;
}

}  // namespace

ImpactCertificate<Exact> judge_round(const Impact<Exact>& impact,
                                     const ImpactCertificate<double>& doubles) {
  if (doubles.verdict == ImpactVerdict::kinetically_incompatible) {
    if (auto out = separated(impact, doubles)) return *std::move(out);
    return written(impact, doubles);
  }
  const Impact<double> near = rounded(impact);
  ImpactCertificate<Exact> out;
  out.free = impact.free;
  out.after = impact.after;
  if (!bounded(impact, near, doubles, out) || !opens(impact, near, doubles, out))
    return written(impact, doubles);
  if (!out.jam.empty())
    out.verdict = ImpactVerdict::kinematically_infeasible;
  else if (!penetrating(impact, out.after, out.after, 0).empty())
    out.verdict = ImpactVerdict::kinematically_incompatible;
  else
    out.verdict = energy_verdict(impact, out);
  if (refusal(impact, out, out.tolerance)) return written(impact, doubles);
  return out;
}

}  // namespace tact
