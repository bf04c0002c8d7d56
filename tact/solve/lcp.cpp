// solve/lcp.cpp - generators of every law, and M = B'GB with the coupling of load and friction.
#include "tact/solve/lcp.hpp"

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

/// Corners of the friction bound per unit of load; none when there is no friction to speak of.
Index corner_count(const LocalLaw& law) {
  if (law.kind == LawKind::interval) return law.mu > 0 ? 2 : 0;
  if (law.kind == LawKind::polygon)
    return law.polygon->size() > 1 ? static_cast<Index>(law.polygon->size()) : 0;
  return 0;
}

Vec3 corner(const LocalLaw& law, Index k) {
  if (law.kind == LawKind::interval) return {k == 0 ? law.mu : -law.mu, 0, 0};
  return {(*law.polygon)[k][0], (*law.polygon)[k][1], 0};
}

double squared(const LocalMetric& metric, const Vec3& g) {
  return energy(metric, g.data());
}

void add_columns(const LocalLaw& law, const LocalMetric& metric, Index contact, ContactLcp& out) {
  const auto add = [&](LcpRole role, const Vec3& g, double scale) {
    out.columns.push_back({contact, role, g});
    out.scale.push_back(scale);
  };
  if (law.kind == LawKind::patch) {
    for (const Vec2& x : law.patch->cone.hull().vertices()) {
      const Vec2 turned = perp(x);
      const Vec3 g(turned[0], turned[1], 1);
      add(LcpRole::load, g, 1 / std::sqrt(squared(metric, g)));
    }
    return;
  }
  if (law.kind == LawKind::bounded) {
    const double unit = std::sqrt(metric.matrix(0, 0));
    const bool below = std::isfinite(law.lower), above = std::isfinite(law.upper);
    for (Index r = 0; r < law.rows; ++r) {
      const Vec3 along = Vec3::Unit(r);
      add(LcpRole::friction, below || !above ? along : Vec3(-along), 1 / unit);
      if (below && above) add(LcpRole::sliding, Vec3::Zero(), unit);
      if (!below && !above) add(LcpRole::friction, -along, 1 / unit);
    }
    return;
  }
  const Vec3 normal = Vec3::Unit(law.normal_row());
  add(LcpRole::load, normal, 1 / std::sqrt(squared(metric, normal)));
  const Index corners = corner_count(law);
  if (corners == 0) return;
  double size = 0;
  for (Index k = 0; k < corners; ++k) size = std::max(size, squared(metric, corner(law, k)));
  size = std::sqrt(size);
  for (Index k = 0; k < corners; ++k) add(LcpRole::friction, corner(law, k), 1 / size);
  add(LcpRole::sliding, Vec3::Zero(), size);
}

/// M of the columns of contact i and those of the contact of `entry`.
void fill_block(const DelassusProblem& p, Index i, Index entry, ContactLcp& out) {
  const Index j = p.G.col[entry];
  const auto block = p.G.block(i, entry);
  for (Index b = out.begin[j]; b < out.begin[j + 1]; ++b) {
    Vec3 moved = Vec3::Zero();
    for (Index s = 0; s < block.cols(); ++s)
      for (Index r = 0; r < block.rows(); ++r) moved[r] += block(r, s) * out.columns[b].g[s];
    for (Index a = out.begin[i]; a < out.begin[i + 1]; ++a)
      out.M(a, b) = out.scale[a] * out.scale[b] * out.columns[a].g.dot(moved);
  }
}

/// Where z of a bounded row counts from.
double base_of(const LocalLaw& law) {
  if (law.kind != LawKind::bounded) return 0;
  if (std::isfinite(law.lower)) return law.lower;
  return std::isfinite(law.upper) ? law.upper : 0.0;
}

/// w_z += σ, w_σ = upper - lower - z.
void couple_bounds(const LocalLaw& law, Index first, ContactLcp& out) {
  const Index sliding = first + 1;
  const double s = out.scale[first] * out.scale[sliding];
  out.M(first, sliding) = s;
  out.M(sliding, first) = -s;
  out.q[sliding] = out.scale[sliding] * (law.upper - law.lower);
}

/// w_β += σ, w_σ = N - Σβ.
void couple(Index first, Index last, ContactLcp& out) {
  const Index sliding = last - 1;
  const double s = out.scale[sliding];
  out.M(sliding, first) = s * out.scale[first];
  for (Index b = first + 1; b < sliding; ++b) {
    out.M(b, sliding) = s * out.scale[b];
    out.M(sliding, b) = -s * out.scale[b];
  }
}

}  // namespace

bool has_lcp(const LocalLaw& law) {
  switch (law.kind) {
    case LawKind::frictionless:
    case LawKind::interval:
    case LawKind::polygon:
    case LawKind::bounded:
      return true;
    case LawKind::patch:
      return law.patch->cone.hull().kind() == PlanarSet::Kind::polygon;
    default:
      return false;
  }
}

bool write_lcp(const DelassusProblem& p, ContactLcp& out) {
  if (!std::all_of(p.laws.begin(), p.laws.end(), has_lcp)) return false;
  out.columns.clear();
  out.scale.clear();
  out.begin.clear();
  for (Index i = 0; i <= p.contacts(); ++i) {
    out.begin.push_back(static_cast<Index>(out.columns.size()));
    if (i < p.contacts()) add_columns(p.laws[i], p.metric(i), i, out);
  }
  const Index n = out.begin.back();
  constexpr Index largest = 8000;  // pivoting is dense: half a gigabyte
  if (n > largest) return false;
  out.M.setZero(n, n);
  out.q.setZero(n);
  out.base.setZero(p.rows());
  for (Index i = 0; i < p.contacts(); ++i) out.base[p.G.offset[i]] = base_of(p.laws[i]);
  multiply(p.G, out.base, out.free);
  out.free += p.b;
  for (Index i = 0; i < p.contacts(); ++i) {
    for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) fill_block(p, i, e, out);
    for (Index a = out.begin[i]; a < out.begin[i + 1]; ++a)
      for (Index r = 0; r < p.laws[i].rows; ++r)
        out.q[a] += out.scale[a] * out.columns[a].g[r] * out.free[p.G.offset[i] + r];
    if (p.laws[i].kind == LawKind::bounded &&
        out.columns[out.begin[i + 1] - 1].role == LcpRole::sliding)
      couple_bounds(p.laws[i], out.begin[i], out);
    if (corner_count(p.laws[i]) > 0) couple(out.begin[i], out.begin[i + 1], out);
  }
  return true;
}

void impulses(const DelassusProblem& p, const ContactLcp& lcp, const VecX& z, VecX& lambda) {
  lambda = lcp.base;
  for (Index a = 0; a < z.size(); ++a) {
    const LcpColumn& column = lcp.columns[a];
    double* l = lambda.data() + p.G.offset[column.contact];
    for (Index r = 0; r < p.laws[column.contact].rows; ++r)
      l[r] += lcp.scale[a] * z[a] * column.g[r];
  }
}

}  // namespace tact
