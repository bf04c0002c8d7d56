// impact/consistency_set.cpp - corners by double description, the projection by a dual active set.
#include "tact/impact/consistency_set.hpp"

#include <algorithm>
#include <string>

#include "tact/impact/generator_columns.hpp"
#include "tact/solve/extreme_rays.hpp"

namespace tact {
namespace {

constexpr Index most_rays = 20000;  ///< of a double description; pictures have tens

ExactVector zeros(Index size) {
  return ExactVector(static_cast<std::size_t>(size));
}

/// Generators that span all directions, the first ones that do.
std::vector<Index> spanning(const std::vector<ExactVector>& directions) {
  std::vector<Index> chosen;
  std::vector<ExactVector> taken;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    taken.push_back(directions[k]);
    if (exact_rank(taken) == static_cast<Index>(taken.size()))
      chosen.push_back(static_cast<Index>(k));
    else
      taken.pop_back();
  }
  return chosen;
}

Result<bool> fits(const ImpactGenerators& g) {
  const std::size_t dof = g.mass.size();
  const auto length = [&](const ExactVector& x) { return x.size() == dof; };
  if (!std::all_of(g.mass.begin(), g.mass.end(), length) || !length(g.before) || !length(g.free))
    return Error{Errc::schema, "mass and velocities must all have one size"};
  for (const GeneratorList* list : {&g.push, &g.open})
    if (!std::all_of(list->direction.begin(), list->direction.end(), length) ||
        list->direction.size() != list->size() || list->excitation.size() != list->size())
      return Error{Errc::schema, "every generator needs a direction, an excitation and a contact"};
  return true;
}

SliceRows rows_of(const ConsistencySet& set, const GeneratorList& list) {
  SliceRows out{{}, list.gamma(set.given.free)};
  for (const ExactVector& w : list.direction) out.normal.push_back(product(set.axis, w));
  return out;
}

/// Coordinates of M⁻¹w.
std::optional<std::vector<ExactVector>> pushes(const ConsistencySet& set, const SliceRows& rows) {
  std::vector<ExactVector> out;
  for (const ExactVector& a : rows.normal) {
    auto push = set.basis.empty() ? ExactVector{} : solve_exactly(set.metric, a);
    if (!push) return std::nullopt;
    out.push_back(*std::move(push));
  }
  return out;
}

/// Axes, metric, and everything else that is linear in the slice.
Result<ConsistencySet> in_slice(ImpactGenerators given, const Exact& alpha) {
  ConsistencySet out;
  out.given = std::move(given);
  out.alpha = alpha;
  const auto& W = out.given.push.direction;
  out.basis = spanning(W);
  for (const Index k : out.basis) {
    auto axis = solve_exactly(out.given.mass, W[k]);
    if (!axis) return Error{Errc::value, "mass is singular; give a regular one"};
    out.axis.push_back(*std::move(axis));
  }
  for (const Index k : out.basis) out.metric.push_back(product(out.axis, W[k]));
  out.dual = rows_of(out, out.given.push);
  out.open = rows_of(out, out.given.open);
  auto push = pushes(out, out.dual), free_of_friction = pushes(out, out.open);
  if (!push || !free_of_friction) return Error{Errc::value, "mass is not positive definite"};
  out.push = *std::move(push);
  out.jam = cancelling(*free_of_friction, out.dimension(), out.open.constant, -1);
  return out;
}

/// Half-spaces sign γ >= 0 and t >= 0 in the coordinates (y, t).
std::vector<ExactVector> half_spaces(const ConsistencySet& set, int sign) {
  std::vector<ExactVector> out;
  for (std::size_t k = 0; k < set.dual.normal.size(); ++k) {
    ExactVector row = set.dual.normal[k];
    row.push_back(set.dual.constant[k]);
    out.push_back(sign < 0 ? negative(std::move(row)) : row);
  }
  ExactVector at_infinity = zeros(set.dimension() + 1);
  at_infinity.back() = 1;
  out.push_back(std::move(at_infinity));
  return out;
}

PolyhedronCorner corner_at(const ConsistencySet& set, ExactVector y) {
  PolyhedronCorner out;
  for (std::size_t k = 0; k < set.push.size(); ++k)
    if (sgn(set.dual.constant[k] + dot(set.dual.normal[k], y)) == 0)
      out.active.push_back(static_cast<Index>(k));
  out.velocity = velocity_at(set, y);
  out.radius2 = 2 * set.alpha + square(set, y);
  out.at = std::move(y);
  return out;
}

/// Rows a with a.z = 0 wherever all rows are at least zero. Unknowns of a system are not negative:
/// z is a difference.
std::vector<ExactVector> implied_equalities(const std::vector<ExactVector>& rows, Index dimension) {
  const auto split = [&](const ExactVector& row) {
    ExactVector out = row;
    for (const Exact& x : row) out.push_back(-x);
    return out;
  };
  std::vector<bool> open(rows.size(), false);
  std::vector<ExactVector> out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (open[k]) continue;
    ExactSystem system;
    system.columns = 2 * dimension;
    for (std::size_t j = 0; j < rows.size(); ++j)
      system.add(split(rows[j]), j == k ? Sense::above : Sense::at_least);
    const ExactVerdict verdict = decide(system);
    if (!verdict.feasible) {
      out.push_back(rows[k]);
      continue;
    }
    for (std::size_t j = k; j < rows.size(); ++j)
      open[j] = open[j] || sgn(dot(split(rows[j]), verdict.point)) > 0;
  }
  return out;
}

/// Extreme rays of a cone that may be flat: in the space that its equalities leave it has an
/// inside.
std::optional<std::vector<ExactVector>> rays_of(const std::vector<ExactVector>& rows,
                                                Index dimension) {
  auto flat = implied_equalities(rows, dimension);
  if (flat.empty()) return extreme_rays(rows, dimension, most_rays);
  const auto span = null_space(std::move(flat), dimension);
  if (span.empty()) return std::vector<ExactVector>{};
  std::vector<ExactVector> seen;
  seen.reserve(rows.size());
  for (const ExactVector& row : rows) seen.push_back(product(span, row));
  const auto found = extreme_rays(seen, static_cast<Index>(span.size()), most_rays);
  if (!found) return std::nullopt;
  std::vector<ExactVector> out;
  for (const ExactVector& ray : *found) {
    out.push_back(zeros(dimension));
    for (std::size_t j = 0; j < span.size(); ++j) add(out.back(), ray[j], span[j]);
  }
  return out;
}

/// Whether the half-spaces that hold both rays with equality leave a plane through them.
bool share_an_edge(const std::vector<ExactVector>& rows, const ExactVector& p,
                   const ExactVector& q) {
  std::vector<ExactVector> common;
  for (const ExactVector& row : rows)
    if (sgn(dot(row, p)) == 0 && sgn(dot(row, q)) == 0) common.push_back(row);
  const auto size = static_cast<Index>(p.size());
  return size == 2 || (static_cast<Index>(common.size()) + 2 >= size &&
                       exact_rank(std::move(common)) + 2 == size);
}

Error too_many() {
  return {Errc::value,
          "the set has too many corners to be listed; the certificate needs none of them"};
}

/// Corners and rays are the extreme rays of the cone over the polyhedron.
Result<VelocityPolyhedron> polyhedron(const ConsistencySet& set, int sign) {
  const auto rows = half_spaces(set, sign);
  auto extreme = rays_of(rows, set.dimension() + 1);
  if (!extreme) return too_many();
  VelocityPolyhedron out;
  std::vector<ExactVector> over_corner, over_ray;
  for (ExactVector& x : *extreme) {
    const Exact t = x.back();
    if (sgn(t) > 0)
      for (Exact& v : x) v /= t;
    (sgn(t) > 0 ? over_corner : over_ray).push_back(std::move(x));
  }
  std::sort(over_corner.begin(), over_corner.end());
  std::sort(over_ray.begin(), over_ray.end());
  const auto point = [](const ExactVector& x) { return ExactVector(x.begin(), x.end() - 1); };
  for (std::size_t i = 0; i < over_corner.size(); ++i) {
    out.corners.push_back(corner_at(set, point(over_corner[i])));
    for (std::size_t j = i + 1; j < over_corner.size(); ++j)
      if (share_an_edge(rows, over_corner[i], over_corner[j]))
        out.edges.push_back({static_cast<Index>(i), static_cast<Index>(j), false});
    for (std::size_t j = 0; j < over_ray.size(); ++j)
      if (share_an_edge(rows, over_corner[i], over_ray[j]))
        out.edges.push_back({static_cast<Index>(i), static_cast<Index>(j), true});
  }
  for (const ExactVector& x : over_ray) out.rays.push_back(point(x));
  if (out.empty()) {
    out.contradiction = cancelling(set.push, set.dimension(), set.dual.constant, -sign);
    out.rays.clear();
  }
  return out;
}

/// The point of P⁺ nearest to z: the dual active-set method of Goldfarb and Idnani (1983), which
/// over the rationals ends after finitely many steps because every constraint added raises the
/// distance. Nothing where P⁺ is empty.
class Projection {
 public:
  explicit Projection(const ConsistencySet& set) : set_(set), y_(zeros(set.dimension())) {}

  std::optional<ExactVector> operator()() {
    while (const auto k = violated())
      if (!enforce(*k)) return std::nullopt;
    return y_;
  }

 private:
  [[nodiscard]] Exact value(Index k) const {
    return set_.dual.constant[k] + dot(set_.dual.normal[k], y_);
  }

  [[nodiscard]] std::optional<Index> violated() const {
    for (Index k = 0; k < static_cast<Index>(set_.push.size()); ++k)
      if (sgn(value(k)) < 0) return k;
    return std::nullopt;
  }

  /// Shares of the active impulses that undo impulse k at their own contacts.
  [[nodiscard]] ExactVector shares(Index k) const {
    std::vector<ExactVector> delassus;
    ExactVector seen;
    for (const Index i : active_) {
      ExactVector row;
      for (const Index j : active_) row.push_back(dot(set_.dual.normal[i], set_.push[j]));
      delassus.push_back(std::move(row));
      seen.push_back(dot(set_.dual.normal[i], set_.push[k]));
    }
    // The active directions are independent, hence the system regular.
    return active_.empty() ? ExactVector{} : solve_exactly(delassus, seen).value();
  }

  /// Raises impulse k until its contact opens; contacts whose impulse would turn negative leave.
  bool enforce(Index k) {
    Exact own = 0;
    for (;;) {
      const ExactVector share = shares(k);
      ExactVector step = set_.push[k];
      for (std::size_t i = 0; i < active_.size(); ++i) add(step, -share[i], set_.push[active_[i]]);
      const Exact gain = dot(set_.dual.normal[k], step);
      std::optional<std::size_t> first;
      for (std::size_t i = 0; i < active_.size(); ++i)
        if (sgn(share[i]) > 0 &&
            (!first || impulse_[i] * share[*first] < impulse_[*first] * share[i]))
          first = i;
      if (sgn(gain) == 0 && !first) return false;
      const Exact closing = -value(k);
      const bool reaches =
          sgn(gain) != 0 && (!first || closing * share[*first] <= impulse_[*first] * gain);
      const Exact length =
          reaches ? Exact(closing / gain) : Exact(impulse_[*first] / share[*first]);
      add(y_, length, step);
      add(impulse_, -length, share);
      own += length;
      if (reaches) {
        active_.push_back(k);
        impulse_.push_back(std::move(own));
        return true;
      }
      active_.erase(active_.begin() + static_cast<Index>(*first));
      impulse_.erase(impulse_.begin() + static_cast<Index>(*first));
    }
  }

  const ConsistencySet& set_;
  ExactVector y_;
  std::vector<Index> active_;
  ExactVector impulse_;  ///< of the active contacts
};

/// F(b) = ½|u - z|² - (u - z)'M(b - z) at every corner, and where it is largest (sign +1) or
/// smallest (-1).
struct Extreme {
  std::optional<Exact> value;
  std::vector<Index> at;
  bool in_all = true, in_one = false;  ///< of the balls

  Extreme(const ConsistencySet& set, const VelocityPolyhedron& p, const ExactVector& u, int sign) {
    const ExactVector change = minus(u, set.given.free);
    const ExactVector d = product(set.given.mass, change);
    const Exact energy = dot(d, change);
    for (std::size_t i = 0; i < p.corners.size(); ++i) {
      const PolyhedronCorner& b = p.corners[i];
      const ExactVector away = minus(b.velocity, set.given.free);
      const Exact along = dot(d, away);
      // |u - b|² = |u - z|² - 2 (u - z)'M(b - z) + |z - b|².
      const bool inside = energy - 2 * along + square(set, b.at) <= b.radius2;
      in_all = in_all && inside;
      in_one = in_one || inside;
      const Exact f = energy / 2 - along;
      if (!value || sgn(f - *value) * sign > 0) {
        value = f;
        at.clear();
      }
      if (f == *value) at.push_back(static_cast<Index>(i));
    }
  }
};

GeneratorList listed(const Impact<Exact>& impact, const std::vector<ImpulseCone<Exact>>& cones) {
  ExactColumns all = exact_columns(impact, cones, impact.excitation);
  return {std::move(all.force), std::move(all.approach), std::move(all.contact)};
}

}  // namespace

ExactVector GeneratorList::gamma(const ExactVector& u) const {
  ExactVector out = product(direction, u);
  add(out, 1, excitation);
  return out;
}

Result<ImpactGenerators> impact_generators(const Impact<Exact>& impact) {
  for (Index i = 0; i < impact.contacts(); ++i)
    if (!impact.cone[i].polyhedral() || !impact.opening[i].polyhedral())
      return Error{Errc::value, "contacts[" + std::to_string(i) +
                                    "]: a round cone has no corners to list; use box or pyramid "
                                    "friction, or a polygon"};
  return ImpactGenerators{impact.mass, listed(impact, impact.cone), listed(impact, impact.opening),
                          impact.before, impact.free};
}

Result<ConsistencySet> consistency_set(ImpactGenerators given, const Exact& alpha) {
  if (const auto good = fits(given); !good) return good.error();
  auto slice = in_slice(std::move(given), alpha);
  if (!slice) return slice.error();
  ConsistencySet out = *std::move(slice);
  // The faces of a cone are the extreme rays of its dual, which has no line: the pushes span.
  if (out.dimension() > 0) {
    auto faces = rays_of(out.push, out.dimension());
    if (!faces) return too_many();
    std::sort(faces->begin(), faces->end());
    out.reach = *std::move(faces);
  }
  auto opening = polyhedron(out, 1);
  if (!opening) return opening.error();
  auto closing = polyhedron(out, -1);
  if (!closing) return closing.error();
  out.opening = *std::move(opening);
  out.closing = *std::move(closing);
  if (!out.opening.empty()) out.projection = Projection(out)();
  out.before = seen_in_slice(out, out.given.before);
  out.half_impulse = zeros(out.dimension());
  add(out.half_impulse, Exact(-1, 2), out.before);
  return out;
}

ExactVector velocity_at(const ConsistencySet& set, const ExactVector& y) {
  ExactVector out = set.given.free;
  for (std::size_t j = 0; j < y.size(); ++j) add(out, y[j], set.axis[j]);
  return out;
}

ExactVector seen_in_slice(const ConsistencySet& set, const ExactVector& u) {
  if (set.basis.empty()) return {};
  const ExactVector change = minus(u, set.given.free);
  ExactVector seen;
  for (const Index k : set.basis) seen.push_back(dot(set.given.push.direction[k], change));
  return solve_exactly(set.metric, seen).value();
}

Exact square(const ConsistencySet& set, const ExactVector& y) {
  return dot(y, product(set.metric, y));
}

ConsistencyMembership membership(const ConsistencySet& set, const ExactVector& u) {
  ConsistencyMembership out;
  const ExactVector opens = set.given.open.gamma(u);
  out.admissible = std::all_of(opens.begin(), opens.end(), [](const Exact& g) { return g >= 0; });
  const ExactVector y = seen_in_slice(set, u);
  out.reachable = velocity_at(set, y) == u && explanation(set.push, y).feasible;
  Extreme least(set, set.opening, u, 1), most(set, set.closing, u, -1);
  out.dissipative = least.in_all;
  out.strong = most.in_one;
  out.least = std::move(least.value);
  out.most = std::move(most.value);
  out.least_at = std::move(least.at);
  return out;
}

}  // namespace tact
