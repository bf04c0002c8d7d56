#include "tact/geom/round_depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/geom/difference_polytope.hpp"
#include "tact/geom/edge_circles.hpp"
#include "tact/geom/round_minimum.hpp"

namespace tact {

namespace {

using Core = Convex::Core;
using Polytope = DifferencePolytope;

constexpr double explained_cosine = 0.985;  ///< 10 degrees
constexpr int most_turns = 6;
constexpr int most_hops = 12;  ///< of 18 degrees: more than half a turn
/// How far the set may bulge over a face, as a share of its size, for Newton's method to start from
/// the face (a tenth of a radian across), and for the face to be done with if that leads away.
constexpr double near_face = 0.01, drained = near_face / 4;
constexpr int most_minima = 64;
constexpr double shallow = 0.02;  ///< depth as a share of the size
constexpr int most_iterations = 2 * Polytope::most_points;

/// Point k of n that are spread evenly over the sphere (Fibonacci's spiral).
Vec3 spiral_point(int k, int n) {
  const double z = 1 - (2 * k + 1.0) / n, angle = std::numbers::pi * (3 - std::sqrt(5.0)) * k;
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

bool has_axis(const Convex& c) {
  return c.core == Core::cylinder || c.core == Core::segment;
}

/// The search: the polytope, the minima found, the best of all directions looked at.
struct Search {
  CorePair& pair;
  Polytope p;
  std::array<RoundMinimum, most_minima> minima;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  int minima_count = 0;
  Vec3 d = Vec3::UnitX();  ///< the best so far
  double upper = std::numeric_limits<double>::infinity();
  double thin;

  explicit Search(CorePair& of) : pair(of), thin(tolerance::distance * of.size) {}

  Polytope::Point look(const Vec3& along, double& reach) {
    Polytope::Point w = farthest_round(pair, along);
    reach = along.dot(w.w);
    if (reach < upper) {
      upper = reach;
      d = along;
    }
    return w;
  }

  [[nodiscard]] bool explained(const Polytope::Face& f) const {
    for (int k = 0; k < minima_count; ++k) {
      const RoundMinimum& m = minima[k];
      if (f.normal.dot(m.d) >= explained_cosine && m.pieces.holds(p.points[f.corner[0]].corner) &&
          m.pieces.holds(p.points[f.corner[1]].corner) &&
          m.pieces.holds(p.points[f.corner[2]].corner))
        return true;
    }
    return false;
  }

  /// Adds the point to the polytope; false if it is no news to the face.
  bool add(const Polytope::Point& w, int face) {
    const Polytope::Face& f = p.faces[face];
    if (f.normal.dot(w.w) - f.distance <= thin || known(p, w.w)) return false;
    p.points[p.point_count++] = w;
    if (grow(p, p.point_count - 1, -4 * tolerance::epsilon * pair.size, face)) return true;
    --p.point_count;
    return false;
  }

  void done(int face) { p.faces[face].rank = std::numeric_limits<double>::infinity(); }

  void keep(const RoundMinimum& m) {
    const auto same = [&](const RoundMinimum& other) {
      return (other.d - m.d).squaredNorm() <= tolerance::quadratic * tolerance::quadratic;
    };
    for (int k = 0; k < minima_count; ++k)
      if (same(minima[k]) && has_all(minima[k].pieces, m.pieces)) return;
    if (minima_count == most_minima) return;
    minima[minima_count++] = m;
  }

  /// The least of the minima, if no direction was better but for rounding.
  [[nodiscard]] const RoundMinimum* best() const {
    const RoundMinimum* least = nullptr;
    for (int k = 0; k < minima_count; ++k)
      if (least == nullptr || minima[k].value < least->value) least = &minima[k];
    return least != nullptr && least->value <= upper + thin ? least : nullptr;
  }

  enum class Way : std::uint8_t { ends, leaves, fails };

  /// The way down of h from a face: to a minimum near by, or out of its neighbourhood. Corners that
  /// turn out to matter on the way take part, in place of the one that matters least.
  Way follow(RoundPieces pieces, const Vec3& from, double reach_from, RoundMinimum& m,
             Polytope::Point& w) {
    Vec3 start = from;
    for (int turn = 0; turn < most_turns; ++turn) {
      m = round_minimum(pair, pieces, start, from);
      const bool left = m.d.dot(from) < own_cosine;
      double reach = 0;
      w = look(m.d, reach);
      if (left && reach < reach_from) return Way::leaves;
      if (reach - m.value <= thin) return m.converged && !left ? Way::ends : Way::fails;
      if (m.converged) pieces = m.pieces;
      if (pieces.holds(w.corner)) return Way::fails;
      if (pieces.count == 3) {
        const auto least = std::min_element(m.weights.begin(), m.weights.end());
        const auto out = static_cast<int>(least - m.weights.begin());
        pieces.corner[out] = pieces.corner[2];
        pieces.corner_1[out] = pieces.corner_1[2];
        pieces.count = 2;
      }
      pieces.add(w);
      start = left ? from : m.d;
    }
    return Way::fails;
  }

  /// Goes on down from where a way left, to the minimum where it ends or to one that is known.
  void chase(RoundMinimum m) {
    for (int hop = 0; hop < most_hops; ++hop) {
      for (int k = 0; k < minima_count; ++k)
        if (minima[k].d.dot(m.d) >= explained_cosine) return;
      const Vec3 from = m.d;
      const RoundPieces pieces = m.pieces;
      Polytope::Point w;
      double reach = 0;
      (void)look(from, reach);
      const Way way = follow(pieces, from, reach, m, w);
      if (way == Way::ends) keep(m);
      if (way != Way::leaves) return;
    }
  }

  /// Two axes that are parallel: the difference set is a cylinder, and its caps and its mantle are
  /// all the ways out. False where they are not.
  bool parallel_axes() {
    if (!has_axis(pair.first) || !has_axis(pair.second)) return false;
    const Vec3 axis = pair.first.X_W.R.col(2);
    if (!(axis.cross(Vec3(pair.second.X_W.R.col(2))).norm() <= tolerance::distance)) return false;
    const Vec3 between = pair.first.X_W.p - pair.second.X_W.p;
    const Vec3 across = between - between.dot(axis) * axis;
    const double off = across.norm();
    const Vec3 aside = off > thin ? Vec3(across / off) : unit_across(axis);
    double reach = 0;
    for (const Vec3& way : {axis, aside})
      for (const double sign : {-1.0, 1.0}) (void)look(sign * way, reach);
    return true;
  }

  /// Two axes that are nearly parallel: round about them h is nearly even, and no polytope tells
  /// the ways out apart. The common normal of the axes is one of them or leads to one.
  void start_between_axes() {
    if (!has_axis(pair.first) || !has_axis(pair.second)) return;
    const Vec3 one = pair.first.X_W.R.col(2);
    const Vec3 common = one.cross(Vec3(pair.second.X_W.R.col(2)));
    const double length = common.norm();
    if (!(length > tolerance::rounding)) return;
    const Vec3 unit = common / length;
    for (const double sign : {-1.0, 1.0}) {
      RoundMinimum m;
      m.d = sign * (unit - one.dot(unit) * one).normalized();
      m.pieces.add(farthest_round(pair, m.d));
      chase(m);
    }
  }

  /// Of a cylinder and a box every least reach is known in closed form: a way out that the polytope
  /// missed is taken after all.
  void check_edges() {
    const auto are = [&](Core one, Core two) {
      return (pair.first.core == one && pair.second.core == two) ||
             (pair.first.core == two && pair.second.core == one);
    };
    if (!are(Core::cylinder, Core::box)) return;
    const double before = upper;
    RoundMinimum m;
    m.d = least_over_edges(pair, upper - thin);
    double reach = 0;
    m.pieces.add(look(m.d, reach));
    if (reach < before - thin) chase(m);
  }

  /// Close to the axis of a disc h is a cone with a dent beside its tip: a better minimum may hide
  /// less than a degree from the best direction. Ways down from next to it find it.
  void look_beside() {
    constexpr double aside[] = {0.01, 0.1};  // [rad]
    const Vec3 best_d = d, u = unit_across(best_d), v = best_d.cross(u);
    for (const double angle : aside)
      for (const Vec3& way : {u, v, Vec3(-u), Vec3(-v)}) {
        const Vec3 from = (best_d + angle * way).normalized();
        RoundPieces pieces;
        double reach = 0;
        pieces.add(look(from, reach));
        RoundMinimum m;
        Polytope::Point w;
        if (follow(pieces, from, reach, m, w) == Way::ends) keep(m);
      }
  }

  /// The polytope may pass over a way out that is narrow, or that lies behind a face it took for
  /// done. So h is looked at all around, and the ways down from where it is low are followed as
  /// well.
  void look_around() {
    constexpr int looks = 64, most_ways = 3;
    constexpr double low = 1.25;  // of the best: what lies between two looks may be lower than both
    std::array<double, looks> reach{};
    std::array<Vec3, looks> where;
    for (int k = 0; k < looks; ++k) {
      where[k] = spiral_point(k, looks);
      reach[k] = where[k].dot(farthest_round(pair, where[k]).w);
    }
    for (int way = 0; way < most_ways; ++way) {
      const auto least = std::min_element(reach.begin(), reach.end());
      if (!(*least < low * upper)) return;
      const Vec3 from = where[least - reach.begin()];
      RoundMinimum m;
      m.d = from;
      m.pieces.add(farthest_round(pair, from));
      chase(m);
      for (int k = 0; k < looks; ++k)
        if (where[k].dot(from) > own_cosine) reach[k] = std::numeric_limits<double>::infinity();
    }
  }

  /// One face: grown along its normal while it is far below the set, else along its minimum.
  void work_on(int face) {
    const Polytope::Face f = p.faces[face];
    double reach = 0;
    const Polytope::Point ahead = look(f.normal, reach);
    const double bulge = reach - f.distance;
    if (bulge <= near_face * pair.size) {
      RoundPieces pieces;
      for (const int c : f.corner) pieces.add(p.points[c]);
      RoundMinimum m;
      Polytope::Point w;
      const Way way = follow(pieces, f.normal, reach, m, w);
      if (way == Way::ends) {
        keep(m);
        if (add(w, face)) return;
        if (has_all(m.pieces, pieces)) return done(face);
      }
      if (way == Way::leaves && bulge <= drained * pair.size) {
        chase(m);
        return done(face);
      }
    }
    if (!add(ahead, face)) done(face);
  }
};

}  // namespace

RoundDepth round_depth(CorePair& pair) {
  Search s(pair);
  RoundDepth out;
  if (s.parallel_axes()) {
    out.best = along(pair, -s.d);
    return out;
  }
  const auto far = [&](const Vec3& d) { return farthest_round(pair, d); };
  double reach = 0;
  for (const Convex* c : {&pair.first, &pair.second})
    if (c->core == Core::cylinder)
      for (const double sign : {-1.0, 1.0}) (void)s.look(sign * c->X_W.R.col(2), reach);
  s.start_between_axes();
  if (first_tetrahedron(s.p, far, s.thin)) {
    while (true) {
      const int nearest = nearest_face(s.p);
      const Polytope::Face& f = s.p.faces[nearest];
      if (f.rank >= s.upper - s.thin) break;
      if (out.iterations++ == most_iterations || s.p.point_count == Polytope::most_points) {
        out.complete = false;
        break;
      }
      if (s.explained(f))
        s.done(nearest);
      else
        s.work_on(nearest);
    }
  }
  // Bodies that barely overlap have one way out, and the polytope does not miss it.
  if (s.upper > shallow * pair.size) {
    s.look_around();
    s.check_edges();
    s.look_beside();
  }
  out.minima = s.minima_count;
  const RoundMinimum* m = s.best();
  out.best = along(pair, m != nullptr ? Vec3(-m->d) : Vec3(-s.d));
  if (m != nullptr) {
    out.on_first = m->on_first;
    out.on_second = m->on_first - m->w;
    out.has_points = true;
  }
  return out;
}

}  // namespace tact
