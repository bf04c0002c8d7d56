// solve/load_set.cpp - the sets of every law.
#include "tact/solve/load_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/cone/friction_search.hpp"

namespace tact {

std::vector<RoundBound> round_bounds(const LocalLaw& law) {
  if (law.kind == LawKind::interval) return {{0, 1, law.mu}};
  if (law.kind == LawKind::disc) return {{0, 2, law.mu}};
  if (law.kind != LawKind::rolling) return {};
  return {{3, 2, law.mu}, {0, 2, law.rolling}, {2, 1, law.spinning}};
}

namespace {

/// Collects unknowns (columns of E) and cones (rows of C).
class Collector {
 public:
  explicit Collector(Index rows) : rows_(rows) {}

  Index unknown(const Vec6& column) {
    columns_.push_back(column);
    return static_cast<Index>(columns_.size()) - 1;
  }
  /// A sum of unknowns times numbers.
  using Row = std::vector<std::pair<Index, double>>;
  /// A cone of this height. Its sides are new unknowns, of which this is the first.
  Index cone(const Row& height, const std::vector<Vec6>& sides = {}) {
    const auto first = static_cast<Index>(columns_.size());
    cones_.push_back(1 + static_cast<Index>(sides.size()));
    cone_rows_.push_back(height);
    for (const Vec6& side : sides) cone_rows_.push_back({{unknown(side), 1.0}});
    return first;
  }
  void half_line(const Vec6& column) { cone({{unknown(column), 1.0}}); }

  void finish(LoadSet& out) const {
    const auto n = static_cast<Index>(columns_.size());
    out.E.resize(rows_, n);
    for (Index j = 0; j < n; ++j) out.E.col(j) = columns_[j].head(rows_);
    out.C = MatX::Zero(static_cast<Index>(cone_rows_.size()), n);
    for (std::size_t r = 0; r < cone_rows_.size(); ++r)
      for (const auto& [j, value] : cone_rows_[r]) out.C(static_cast<Index>(r), j) += value;
    out.cones = cones_;
  }

 private:
  Index rows_;
  std::vector<Vec6> columns_;
  std::vector<Row> cone_rows_;
  std::vector<Index> cones_;
};

// ---------------------------------------------------------------- points

/// Those of them that are at rest. The friction of the others goes into `load`, which is one of
/// unit normal force.
std::vector<RoundBound> resting_bounds(const LocalLaw& law, const LoadMotion& m, Vec6& load) {
  std::vector<RoundBound> out;
  for (const RoundBound& b : round_bounds(law)) {
    const Vec2 slip(m.u[b.row], b.count == 2 ? m.u[b.row + 1] : 0);
    if (slip.norm() * m.unit[b.row] > m.still) {
      for (Index k = 0; k < b.count; ++k) load[b.row + k] -= b.mu * slip[k] / slip.norm();
    } else if (b.mu > 0) {
      out.push_back(b);
    }
  }
  return out;
}

/// The corners of a friction polygon that oppose the slip most; all at rest.
std::vector<Vec2> opposing_corners(const std::vector<Vec2>& corners, const LoadMotion& m) {
  const Vec2 slip = m.unit[0] * Vec2(m.u[0], m.u[1]);
  double least = std::numeric_limits<double>::infinity(), size = 0;
  for (const Vec2& c : corners) {
    least = std::min(least, c.dot(slip));
    size = std::max(size, c.norm());
  }
  std::vector<Vec2> out;
  for (const Vec2& c : corners)
    if (!(c.dot(slip) - least > m.still * size)) out.push_back(c);
  return out;
}

void add_point(const LocalLaw& law, const LoadMotion& m, Collector& out) {
  Vec6 column = Vec6::Unit(law.normal_row());
  const std::vector<RoundBound> at_rest = resting_bounds(law, m, column);
  const Index n = out.unknown(column);
  if (at_rest.empty()) out.cone({{n, 1.0}});
  for (const RoundBound& b : at_rest) {
    std::vector<Vec6> sides;
    for (Index k = 0; k < b.count; ++k) sides.push_back(b.mu * Vec6::Unit(b.row + k));
    out.cone({{n, 1.0}}, sides);
  }
}

void add_corners(const LocalLaw& law, const LoadMotion& m, Collector& out) {
  for (const Vec2& c : opposing_corners(*law.polygon, m)) {
    Vec6 g = Vec6::Unit(2);
    g.head<2>() = c;
    out.half_line(g);
  }
}

// ---------------------------------------------------------------- the closed part of a patch

Vec3 normal_twist(const LocalLaw& law, const double* u) {
  return {u[0], u[1], u[law.normal_row()]};
}
/// v_N(x) = v_N + ω_T.x^perp.
double normal_velocity(const Vec3& twist, const Vec2& x) {
  return twist[2] + twist.head<2>().dot(perp(x));
}

/// N of a unit force at x, or of a unit first moment: rows [m_T, f_N].
Vec6 load_column(const LocalLaw& law, const Vec2& s, double f) {
  Vec6 out = Vec6::Zero();
  out.head<2>() = perp(s);
  out[law.normal_row()] = f;
  return out;
}

/// One unknown of N: its first moment and its force.
struct NormalUnknown {
  Vec2 s;
  double f;
};

/// T of a unit force at c, and its derivative along c.
struct PatternFriction {
  Vec2 c = Vec2::Zero();
  Vec3 T = Vec3::Zero();  ///< of the nodes that move
  Eigen::Matrix<double, 3, 2> dT = Eigen::Matrix<double, 3, 2>::Zero();
};

void add_tangent(Vec6& column, const Vec3& T) {
  column[3] += T[0];
  column[4] += T[1];
  column[2] += T[2];
}

/// N by its unknowns, the first ones, and the friction that follows from it.
std::vector<NormalUnknown> add_normal(const LocalLaw& law, const std::vector<EllipseForm>& parts,
                                      const PatternFriction& friction, Collector& out) {
  std::vector<NormalUnknown> unknowns;
  const auto column_of = [&](const Vec2& s, double f) {
    unknowns.push_back({s, f});
    Vec6 column = load_column(law, s, f);
    add_tangent(column, f * friction.T + friction.dT * (s - f * friction.c));
    return column;
  };
  for (const EllipseForm& e : parts) {
    const Index force = out.unknown(column_of(e.center, 1));
    if (e.is_point())
      out.cone({{force, 1.0}});
    else
      out.cone({{force, 1.0}}, {column_of(e.axes.col(0), 0), column_of(e.axes.col(1), 0)});
  }
  return unknowns;
}

// ---------------------------------------------------------------- friction of a patch

Vec3 slip_of(const double* u) {
  return {u[3], u[4], u[2]};
}
/// A_i τ and A_i' w.
Vec3 node_velocity(const FrictionNode& node, const Vec3& tau) {
  return detail::moved(node.x, node.r, tau);
}
Vec3 node_load(const FrictionNode& node, const Vec3& w) {
  return detail::moved_transposed(node.x, node.r, w);
}

/// Coulomb's law at the corners, for a unit force at c.
VertexFriction corners_under(const LocalLaw& law, const Vec2& c) {
  return make_friction_set(law.patch->model, law.patch->cone.hull(), NormalLoad::at(c, 1), law.mu)
      .vertices();
}

/// The nodes of a unit force at c, k their share of mu. Always the same number of them, so that
/// their derivative can be taken; unlike those of a FrictionSet, which leaves out what is zero.
std::vector<FrictionNode> nodes_under(const LocalLaw& law, const Vec3& tau, const Vec2& c) {
  const PlanarSet& hull = law.patch->cone.hull();
  const PatchFriction& model = law.patch->model;
  std::vector<FrictionNode> out;
  std::vector<double> weights;
  if (const auto* effective = std::get_if<EffectivePatch>(&model)) {
    const EffectiveMoment moment = effective_moment(hull, c);
    const double size = std::sqrt(std::max(moment.sigma.trace(), 0.0) / 2);
    for (const UnitNode& node : unit_nodes(effective->pattern))
      out.push_back({c + moment.root * node.xi, law.mu * node.weight, size * node.rho});
  } else if (std::holds_alternative<EllipsoidAtCop>(model)) {
    const FrictionSet set = make_friction_set(model, hull, NormalLoad::at(c, 1), law.mu);
    out.assign(set.nodes().begin(), set.nodes().end());
  } else if (const auto* bed = std::get_if<Winkler>(&model)) {
    weights.resize(bed->points().size());
    winkler_weights(*bed, c, weights);
    for (std::size_t i = 0; i < weights.size(); ++i)
      out.push_back({bed->points()[i], law.mu * weights[i], bed->radii()[i]});
  } else {
    const VertexFriction set = corners_under(law, c);
    std::vector<double> speeds;
    for (const Vec2& x : set.corners)
      speeds.push_back(node_velocity({x, 0, 0}, tau).head<2>().norm());
    envelope_weights(set.corners, speeds, set.c, weights);
    for (std::size_t i = 0; i < set.corners.size(); ++i)
      out.push_back({set.corners[i], law.mu * weights[i], 0});
  }
  return out;
}

/// The friction of a pattern, the nodes and the derivative of their bounds along c.
struct FrozenFriction : PatternFriction {
  std::vector<FrictionNode> nodes;
  std::vector<bool> moves;
  std::vector<Vec2> dk;
};

/// The load of nodes that move, and the change of lever of those that do not.
Vec3 pattern_load(const std::vector<FrictionNode>& nodes, const std::vector<bool>& moves,
                  const std::vector<Vec3>& force, const Vec3& tau, bool with_levers) {
  Vec3 T = Vec3::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (moves[i]) {
      const Vec3 v = node_velocity(nodes[i], tau);
      T -= nodes[i].k * node_load(nodes[i], v / v.norm());
    } else if (with_levers && i < force.size()) {
      T += node_load(nodes[i], force[i]);
    }
  }
  return T;
}

/// Directions in which the centre may move within the closed part, as far as it has any.
std::vector<Vec2> directions(const PlanarSet& closed, const Vec2& c, double step) {
  const auto corners = closed.vertices();
  if (closed.radius() == 0) return {};
  if (!closed.has_interior()) {
    const Vec2 along = (corners.back() - corners.front()).normalized();
    return {along.dot(closed.center() - c) < 0 ? Vec2(-along) : along};
  }
  std::vector<Vec2> out;
  for (const Vec2& axis : {Vec2(1, 0), Vec2(0, 1)}) {
    const bool back =
        closed.signed_distance(c - step * axis) > closed.signed_distance(c + step * axis);
    out.push_back(back ? Vec2(-axis) : axis);
  }
  return out;
}

FrozenFriction freeze(const LocalLaw& law, const LoadMotion& m, const PlanarSet& closed,
                      const PressurePattern& pattern) {
  const Vec3 tau = slip_of(m.u);
  FrozenFriction out;
  out.c = pattern.c;
  out.nodes = nodes_under(law, tau, pattern.c);
  for (const FrictionNode& node : out.nodes)
    out.moves.push_back(node_velocity(node, tau).norm() * m.unit[3] > m.still);
  out.dk.assign(out.nodes.size(), Vec2::Zero());
  out.T = pattern_load(out.nodes, out.moves, pattern.force, tau, false);
  const Vec3 here = pattern_load(out.nodes, out.moves, pattern.force, tau, true);
  const double step = tolerance::difference * closed.radius();
  for (const Vec2& d : directions(closed, pattern.c, step)) {
    const auto moved = nodes_under(law, tau, pattern.c + step * d);
    const Vec3 there = pattern_load(moved, out.moves, pattern.force, tau, true);
    out.dT += (there - here) / step * d.transpose();
    for (std::size_t i = 0; i < moved.size(); ++i)
      out.dk[i] += (moved[i].k - out.nodes[i].k) / step * d;
  }
  return out;
}

/// Friction at a node, in the directions of its own axes.
std::vector<Vec6> friction_columns(const LocalLaw& law, const FrictionNode& node, Index count) {
  std::vector<Vec6> out(count, Vec6::Zero());
  for (Index k = 0; k < count; ++k) add_tangent(out[k], law.mu * node_load(node, Vec3::Unit(k)));
  return out;
}

/// Coulomb's law at every closed corner: VertexModel at rest, convex as it is.
void add_corner_friction(const LocalLaw& law, const std::vector<EllipseForm>& parts,
                         Collector& out) {
  const bool round =
      std::any_of(parts.begin(), parts.end(), [](const EllipseForm& e) { return !e.is_point(); });
  std::vector<Vec2> points;
  if (round)
    points = corners_under(law, parts.front().center).corners;
  else
    for (const EllipseForm& e : parts) points.push_back(e.center);
  for (const Vec2& x : points) {
    const Index f = out.unknown(load_column(law, x, 1));
    out.cone({{f, 1.0}}, friction_columns(law, {corners_under(law, x).c, 0, 0}, 2));
  }
}

bool all_at_rest(const LoadMotion& m, const std::vector<EllipseForm>& parts) {
  const Vec3 tau = slip_of(m.u);
  double fastest = 0;
  for (const EllipseForm& e : parts) {
    const double spin = e.axes.norm() * std::abs(tau[2]);
    fastest = std::max(fastest, node_velocity({e.center, 0, 0}, tau).norm() + spin);
  }
  return fastest * m.unit[3] <= m.still;
}

/// N with what friction follows from it; then the nodes at rest.
void add_frozen(const LocalLaw& law, const LoadMotion& m, const std::vector<EllipseForm>& parts,
                const PressurePattern& given, LoadSet& set, Collector& out) {
  const PlanarSet closed = PlanarSet::hull_of(parts);
  PressurePattern pattern = given;
  if (!pattern.known || !closed.contains(pattern.c))
    pattern.c = pattern.known ? closed.nearest(pattern.c) : closed.center();
  const FrozenFriction f = freeze(law, m, closed, pattern);
  const std::vector<NormalUnknown> unknowns = add_normal(law, parts, f, out);
  for (std::size_t i = 0; i < f.nodes.size(); ++i) {
    set.node_unknowns.push_back(-1);
    set.node_dimension.push_back(f.nodes[i].r > 0 ? 3 : 2);
    const bool bears = f.nodes[i].k > 0 || !f.dk[i].isZero(0);
    if (f.moves[i] || !bears) continue;
    Collector::Row bound;
    for (const NormalUnknown& n : unknowns)
      bound.emplace_back(static_cast<Index>(bound.size()),
                         (n.f * f.nodes[i].k + f.dk[i].dot(n.s - n.f * f.c)) / law.mu);
    set.node_unknowns.back() =
        out.cone(bound, friction_columns(law, f.nodes[i], set.node_dimension.back()));
  }
  set.frozen = closed.radius() > 0;  // a point has one pattern
}

}  // namespace

VecX row_units(const DelassusProblem& p) {
  VecX out(p.rows());
  for (Index i = 0; i < p.contacts(); ++i)
    for (Index r = 0; r < p.laws[i].rows; ++r)
      out[p.G.offset[i] + r] = 1 / std::sqrt(p.metric(i).matrix(r, r));
  return out;
}

double approach(const LocalLaw& law, const double* u) {
  if (law.kind == LawKind::bounded)
    return std::isinf(u[0] > 0 ? law.lower : law.upper) ? std::abs(u[0]) : 0.0;
  if (!law.is_patch()) return -u[law.normal_row()];
  return -law.patch->cone.dual_margin(normal_twist(law, u));
}

std::vector<EllipseForm> closed_parts(const LocalLaw& law, const LoadMotion& m) {
  const PlanarSet& hull = law.patch->cone.hull();
  const Vec3 twist = normal_twist(law, m.u);
  const double unit = m.unit[law.normal_row()];
  const Vec2 g(-twist[1], twist[0]);  // v_N(x) = v_N + g.x
  const double lowest = std::min(0.0, -approach(law, m.u));
  std::vector<EllipseForm> out;
  for (const BoundaryArc& arc : hull.arcs()) {
    const EllipseForm& e = arc.ellipse;
    const double reach = (e.axes.transpose() * g).norm();
    const double low = normal_velocity(twist, e.center) - reach - lowest;
    if (low * unit > m.still) continue;
    if (e.is_point() || 2 * reach * unit <= m.still)
      out.push_back(e);
    else
      out.push_back(point_form(support(e, -g)));
  }
  return out;
}

bool opens(const LocalLaw& law, const LoadMotion& m) {
  return -approach(law, m.u) * m.unit[law.normal_row()] > m.still;
}

namespace {

/// One number: its bound while it moves, an interval at rest.
LoadSet bounded_set(const LocalLaw& law, const LoadMotion& m) {
  LoadSet set;
  Collector out(1);
  set.constant = VecX::Zero(1);
  const double bound = m.u[0] > 0 ? law.lower : law.upper;
  if (std::abs(m.u[0]) * m.unit[0] > m.still && std::isfinite(bound)) {
    set.constant[0] = bound;
    out.finish(set);
    return set;
  }
  const Index y = out.unknown(Vec6::Unit(0));
  std::vector<double> room;
  if (std::isfinite(law.lower)) {
    out.cone({{y, 1.0}});
    room.push_back(-law.lower);
  }
  if (std::isfinite(law.upper)) {
    out.cone({{y, -1.0}});
    room.push_back(law.upper);
  }
  set.h = Eigen::Map<const VecX>(room.data(), static_cast<Index>(room.size()));
  out.finish(set);
  return set;
}

}  // namespace

LoadSet load_set(const LocalLaw& law, const LoadMotion& m, const PressurePattern& pattern) {
  if (law.kind == LawKind::bounded) return bounded_set(law, m);
  LoadSet set;
  Collector out(law.rows);
  if (!opens(law, m)) {
    switch (law.kind) {
      case LawKind::polygon:
        add_corners(law, m, out);
        break;
      case LawKind::patch:
        add_normal(law, closed_parts(law, m), {}, out);
        break;
      case LawKind::patch_friction: {
        const auto parts = closed_parts(law, m);
        const bool by_vertices = std::holds_alternative<VertexModel>(law.patch->model);
        if (law.mu == 0)
          add_normal(law, parts, {}, out);
        else if (by_vertices && all_at_rest(m, parts))
          add_corner_friction(law, parts, out);
        else
          add_frozen(law, m, parts, pattern, set, out);
        break;
      }
      default:
        add_point(law, m, out);
    }
  }
  out.finish(set);
  return set;
}

void update_pattern(const LocalLaw& law, const LoadSet& set, const VecX& y,
                    PressurePattern& pattern) {
  TACT_EXPECTS(y.size() == set.E.cols());
  if (!set.frozen) return;
  const VecX load = set.E * y;
  const NormalLoad n = NormalLoad::from_wrench({load[0], load[1], load[5]});
  if (!(n.f > 0)) return;
  pattern.known = true;
  pattern.c = n.s / n.f;
  pattern.force.assign(set.node_unknowns.size(), Vec3::Zero());
  for (std::size_t i = 0; i < set.node_unknowns.size(); ++i)
    if (set.node_unknowns[i] >= 0)
      pattern.force[i].head(set.node_dimension[i]) =
          law.mu / n.f * y.segment(set.node_unknowns[i], set.node_dimension[i]);
}

}  // namespace tact
