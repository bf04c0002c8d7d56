#include "tact/cone/patch_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/poly/hull.hpp"

namespace tact {

namespace {

/// r_eff / sqrt(tr Σ) of a disc: 2R/3 over R/√2.
constexpr double disc_spin = 2 * std::numbers::sqrt2 / 3;

void add_nodes(const EffectivePatch& model, const PlanarSet& hull, const Vec2& c, double bound,
               EffectivePatchWorkspace& work, std::vector<FrictionNode>& out) {
  const EffectiveMoment moment = effective_moment(hull, c, work);
  const double size = std::sqrt(std::max(moment.sigma.trace(), 0.0) / 2);  // rounding on a rim
  if (size == 0) {  // a vertex: all nodes are one
    out.push_back({c, bound, 0});
    return;
  }
  for (const UnitNode& node : unit_nodes(model.pattern))
    out.push_back({c + moment.root * node.xi, bound * node.weight, size * node.rho});
}

void add_nodes(const EllipsoidAtCop& model, const PlanarSet& hull, const Vec2& c, double bound,
               EffectivePatchWorkspace& work, std::vector<FrictionNode>& out) {
  const double radius =
      model.radius
          ? *model.radius
          : disc_spin * std::sqrt(std::max(effective_moment(hull, c, work).sigma.trace(), 0.0));
  TACT_EXPECTS(radius >= 0 && std::isfinite(radius));
  out.push_back({c, bound, radius});
}

void set_vertices(const VertexModel& model, const PlanarSet& hull, const Vec2& c, double bound,
                  VertexFriction& out) {
  TACT_EXPECTS(model.ring >= 3);
  out.bound = bound;
  if (hull.kind() == PlanarSet::Kind::polygon) {
    out.corners.assign(hull.vertices().begin(), hull.vertices().end());
    out.c = hull.contains(c) ? c : hull.nearest(c);
    return;
  }
  const PlanarSet ring = PlanarSet::hull_of_points(hull.outline(model.ring));
  out.corners.assign(ring.vertices().begin(), ring.vertices().end());
  out.c = ring.contains(c) ? c : ring.nearest(c);
}

/// A lower bound of the distance of c to the rim of an ellipse; not positive outside.
double least_depth(const EllipseForm& form, const Vec2& c) {
  // |B⁻¹ (c - m)| = e; the shorter axis is at least |det B| / |B|.
  const Mat2& B = form.axes;
  const Vec2 r = c - form.center;
  const double det = std::abs(cross(B.col(0), B.col(1)));
  const double e = std::hypot(cross(r, B.col(1)), cross(B.col(0), r)) / det;
  return (1 - e) * det / B.norm();
}

/// The edge of a polygon that is nearest to c, and how far c is inside of it.
struct Nearest {
  std::size_t edge = 0;
  double depth = std::numeric_limits<double>::infinity();
};
double depth_below(const PlanarSet& hull, std::size_t edge, const Vec2& c) {
  return hull.arcs()[edge].normal_to.dot(hull.vertices()[edge] - c);
}
Nearest nearest_edge(const PlanarSet& hull, const Vec2& c) {
  Nearest out;
  for (std::size_t i = 0; i < hull.vertices().size(); ++i) {
    const double depth = depth_below(hull, i, c);
    if (depth < out.depth) out = {i, depth};
  }
  return out;
}

/// Whether c is inside of every edge of a polygon by at least the root of `square`, from its
/// corners alone: they lie side by side in memory, edges with their normals do not.
bool clears_every_edge(const PlanarSet& hull, const Vec2& c, double square) {
  const std::span<const Vec2> corners = hull.vertices();
  Vec2 from = corners.back() - c;
  for (const Vec2& corner : corners) {
    const Vec2 to = corner - c;
    const double area = cross(from, to);
    if (!(area > 0) || area * area < square * (to - from).squaredNorm()) return false;
    from = to;
  }
  return true;
}

/// Half of the chord along the nearest edge that has c in its middle, so that P_c holds it; zero
/// where c is outside by more than rounding. A face that tips has its centre of pressure there.
double chord_along_edge(const PlanarSet& hull, const Vec2& c, const Nearest& nearest) {
  if (nearest.depth < -tolerance::rounding * hull.radius()) return 0;
  const auto arcs = hull.arcs();
  const Vec2 along = perp(arcs[nearest.edge].normal_to);
  double half = 2 * hull.radius();
  for (std::size_t i = 0; i < hull.vertices().size(); ++i) {
    if (i == nearest.edge) continue;
    const double depth = depth_below(hull, i, c);
    const double slope = std::abs(arcs[i].normal_to.dot(along));
    if (slope * half > depth) half = depth / slope;
  }
  return std::max(half, 0.0);
}

/// Of a pattern of nodes mapped by the root of Σ: how its size grows with sqrt(tr Σ), and the most
/// that a node's lever, radius included, can be in units of that size.
struct PatternReach {
  double size = 0, lever = 0;
};
PatternReach reach_of(NodePattern pattern) {
  double spread = 0, farthest = 0;
  for (const UnitNode& node : unit_nodes(pattern)) {
    const double turning = node.rho * node.rho / 2;
    spread += node.weight * (node.xi.squaredNorm() / 2 + turning);
    farthest = std::max(farthest, node.xi.squaredNorm() + turning);
  }
  return {std::sqrt(spread), std::sqrt(farthest / spread)};
}

/// The sqrt(tr Σ) from which on every patch holds a force and a moment about the centre of
/// pressure, for sure.
double least_root_trace(const PatchFriction& model, double force, double moment, double bound) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (const auto* effective = std::get_if<EffectivePatch>(&model)) {
    static const PatternReach reach[] = {reach_of(NodePattern::one_six),
                                         reach_of(NodePattern::four_eight),
                                         reach_of(NodePattern::four_eight_twelve)};
    const PatternReach& own = reach[static_cast<std::size_t>(effective->pattern)];
    // Forces u_i = T_f + m x_i^perp over the size squared add up to T.
    return own.lever * moment / (own.size * (bound - force));
  }
  if (const auto* ellipsoid = std::get_if<EllipsoidAtCop>(&model)) {
    const double spin = std::sqrt(bound * bound - force * force);
    if (ellipsoid->radius) return moment <= *ellipsoid->radius * spin ? 0 : none;
    return moment / (disc_spin * spin);
  }
  return none;
}

}  // namespace

bool clearly_in_friction_set(const PatchFriction& model, const PlanarSet& hull,
                             const NormalLoad& load, double mu, const Vec3& T) {
  const double bound = mu * load.f;
  if (!(bound > 0) || hull.kind() == PlanarSet::Kind::arcs || !hull.has_interior()) return false;
  const double force = std::sqrt(T[0] * T[0] + T[1] * T[1]);
  if (!(force < bound)) return false;
  const Vec2 c = load.s / load.f;
  const double moment = std::abs(T[2] - (c[0] * T[1] - c[1] * T[0]));
  const double least = least_root_trace(model, force, moment, bound);
  if (!std::isfinite(least)) return false;
  // Across any direction the width of P_c is a concave function, so that the second moment is at
  // least that of a triangle: a sixth of the square of what it reaches. It holds a disc about c,
  const bool round = hull.kind() == PlanarSet::Kind::ellipse;
  if (!round && clears_every_edge(hull, c, 3 * least * least)) return true;
  const Nearest nearest = round ? Nearest{0, least_depth(hull.form(), c)} : nearest_edge(hull, c);
  const double depth = std::max(nearest.depth, 0.0);
  if (depth > 0 && depth * depth >= 3 * least * least) return true;
  if (round) return false;
  // and a chord along the nearest edge, which is longer. On the edge P_c is that chord, and twice
  // as much is true.
  const double half = chord_along_edge(hull, c, nearest);
  return half > 0 && half * half + depth * depth >= 6 * least * least;
}

void make_friction_set(const PatchFriction& model, const PlanarSet& hull, const NormalLoad& load,
                       double mu, PatchFrictionWorkspace& work, FrictionSet& out) {
  TACT_EXPECTS(mu >= 0 && std::isfinite(mu));
  TACT_EXPECTS(load.f >= 0 && std::isfinite(load.f) && load.s.allFinite());
  out.nodes_.clear();
  out.by_vertices_ = std::holds_alternative<VertexModel>(model);
  out.reliable_ = true;
  const double bound = mu * load.f;
  const Vec2 c = load.f > 0 ? Vec2(load.s / load.f) : hull.center();
  if (const auto* vertex = std::get_if<VertexModel>(&model)) {
    set_vertices(*vertex, hull, c, bound, out.vertices_);
  } else if (bound == 0) {
    return;
  } else if (const auto* effective = std::get_if<EffectivePatch>(&model)) {
    add_nodes(*effective, hull, c, bound, work.effective, out.nodes_);
  } else if (const auto* ellipsoid = std::get_if<EllipsoidAtCop>(&model)) {
    add_nodes(*ellipsoid, hull, c, bound, work.effective, out.nodes_);
  } else if (const auto* bed = std::get_if<Winkler>(&model)) {
    work.weights.resize(bed->points().size());
    out.reliable_ = winkler_weights(*bed, c, work.weights).converged;
    for (std::size_t i = 0; i < work.weights.size(); ++i)
      if (work.weights[i] > 0)
        out.nodes_.push_back({bed->points()[i], bound * work.weights[i], bed->radii()[i]});
  }
}

FrictionSet make_friction_set(const PatchFriction& model, const PlanarSet& hull,
                              const NormalLoad& load, double mu) {
  PatchFrictionWorkspace work;
  FrictionSet out;
  make_friction_set(model, hull, load, mu, work, out);
  return out;
}

double FrictionSet::support(const Vec3& tau) const {
  return by_vertices_ ? friction_support(vertices_, tau) : friction_support(nodes_, tau);
}

Vec3 FrictionSet::force(const Vec3& tau) const {
  return by_vertices_ ? friction_force(vertices_, tau) : friction_force(nodes_, tau);
}

double FrictionSet::gauge(const Vec3& T) const {
  return by_vertices_ ? friction_gauge(vertices_, T) : friction_gauge(nodes_, T);
}

FrictionSolution FrictionSet::solve(const Mat3& G, const Vec3& b, FrictionWorkspace& work,
                                    const Vec3& start) const {
  FrictionSolution out = by_vertices_ ? solve_friction(vertices_, G, b, work)
                                      : solve_friction(nodes_, G, b, work, start);
  if (!reliable_) out.status = FrictionStatus::not_converged;
  return out;
}

FrictionSolution FrictionSet::project(const Mat3& G, const Vec3& T0, FrictionWorkspace& work,
                                      const Vec3& start) const {
  FrictionSolution out = by_vertices_ ? project_on_friction(vertices_, G, T0, work)
                                      : project_on_friction(nodes_, G, T0, work, start);
  if (!reliable_) out.status = FrictionStatus::not_converged;
  return out;
}

}  // namespace tact
