#include "tact/geom/round_depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tact/base/tolerance.hpp"
#include "tact/geom/difference_polytope.hpp"

namespace tact {

namespace {

using Core = Convex::Core;
using Polytope = DifferencePolytope;

constexpr double explained_cosine = 0.985;  ///< 10 degrees
constexpr double own_cosine = 0.95;  ///< a minimum farther from the face is another face's affair
constexpr int newton_steps = 30;
constexpr double longest_step = 0.3;  ///< [rad]
constexpr int most_minima = 64;
constexpr int most_iterations = 2 * Polytope::most_points;

/// ρ at a direction: value, gradient, and the first shape's share of the gradient.
struct Round {
  double value = 0;
  Vec3 gradient = Vec3::Zero(), gradient_1 = Vec3::Zero();
};

Vec3 round_gradient(const Convex& c, const Vec3& d_W) {
  const Vec3 d = c.X_W.R.transpose() * d_W;
  if (c.core == Core::ellipsoid) {
    int vertex = 0;
    return c.X_W.R * core_support(c, d, vertex);
  }
  const double rho = std::hypot(d[0], d[1]);
  if (rho == 0) return Vec3(c.size[0] * c.X_W.R.col(0));
  return c.X_W.R * Vec3(c.size[0] * d[0] / rho, c.size[0] * d[1] / rho, 0);
}

bool is_round(const Convex& c) {
  return c.core == Core::ellipsoid || c.core == Core::cylinder;
}

Round round_part(const CorePair& pair, const Vec3& d) {
  Round r;
  if (is_round(pair.first)) r.gradient_1 = round_gradient(pair.first, d);
  r.gradient = r.gradient_1;
  if (is_round(pair.second)) r.gradient += round_gradient(pair.second, d);
  r.value = d.dot(r.gradient);  // ρ is homogeneous of degree one
  return r;
}

/// The corner of a core farthest along d, in the world: what is left of it without its round part.
Vec3 corner_along(const Convex& c, const Vec3& d_W, int& vertex) {
  const Vec3 d = c.X_W.R.transpose() * d_W;
  switch (c.core) {
    case Core::point:
    case Core::ellipsoid:
      return c.X_W.p;
    case Core::cylinder:
      return c.X_W.p + std::copysign(c.size[2], d[2]) * c.X_W.R.col(2);
    default:
      return transform_point(c.X_W, core_support(c, d, vertex));
  }
}

Polytope::Point farthest(CorePair& pair, const Vec3& d) {
  const Vec3 corner_1 = corner_along(pair.first, d, pair.vertex_first);
  const Vec3 corner = corner_1 - corner_along(pair.second, -d, pair.vertex_second);
  const Round r = round_part(pair, d);
  return {corner + r.gradient, corner_1 + r.gradient_1, corner, corner_1};
}

/// Up to three corners v of the difference set, and the corners of the first that belong to them.
struct Pieces {
  std::array<Vec3, 3> corner, corner_1;
  int count = 0;

  void add(const Polytope::Point& p) {
    if (holds(p.corner)) return;
    corner[count] = p.corner;
    corner_1[count++] = p.corner_1;
  }
  [[nodiscard]] bool holds(const Vec3& v) const {
    for (int i = 0; i < count; ++i)
      if (corner[i] == v) return true;
    return false;
  }
};

/// A minimum of ρ(d) + max d · v over the pieces.
struct Minimum {
  Vec3 d = Vec3::UnitX();
  double value = 0;  ///< of that function; h(d) may be larger
  Pieces pieces;
  std::array<double, 3> weights{};  ///< Σ weight (v + ∇ρ) is along d
  bool converged = false;
  bool tip = false;  ///< along the axis of a disc, where ρ is not smooth
};

/// A step x in the tangent plane that makes max_j (f_j + g_j · x) + ½ x · B x least.
struct Step {
  Vec2 x = Vec2::Zero();
  std::array<double, 3> weights{};
};

struct StepProblem {
  std::array<double, 3> f{};
  std::array<Vec2, 3> g;
  int count = 0;
  Mat2 B, inverse;
  double least = std::numeric_limits<double>::infinity();
  Step best;

  /// Keeps x if it is the best so far: the minimum is that of one, two or three of the pieces.
  void offer(const Vec2& x, const std::array<double, 3>& weights) {
    double top = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < count; ++j) top = std::max(top, f[j] + g[j].dot(x));
    const double value = top + x.dot(B * x) / 2;
    if (!(value < least)) return;
    least = value;
    best = {x, weights};
  }
  void offer_one(int a) {
    std::array<double, 3> weights{};
    weights[a] = 1;
    offer(-(inverse * g[a]), weights);
  }
  void offer_two(int a, int b) {
    const Vec2 q = g[a] - g[b];
    const double bend = q.dot(inverse * q);
    if (!(bend > 0)) return;
    std::array<double, 3> weights{};
    weights[b] = (q.dot(inverse * g[a]) - (f[a] - f[b])) / bend;
    weights[a] = 1 - weights[b];
    offer(inverse * (weights[b] * q - g[a]), weights);
  }
  void offer_three() {
    Mat2 Q;
    Q.row(0) = g[0] - g[1];
    Q.row(1) = g[0] - g[2];
    const double det = Q.determinant();
    if (det == 0) return;
    const Vec2 x = -(Q.inverse() * Vec2(f[0] - f[1], f[0] - f[2]));
    // Σ weight g = -B x with weights that sum to one.
    const Vec2 share = Q.transpose().inverse() * (g[0] + B * x);
    offer(x, {1 - share.sum(), share[0], share[1]});
  }
};

Step best_step(StepProblem& p) {
  for (int a = 0; a < p.count; ++a) p.offer_one(a);
  for (int a = 0; a < p.count; ++a)
    for (int b = a + 1; b < p.count; ++b) p.offer_two(a, b);
  if (p.count == 3) p.offer_three();
  return p.best;
}

/// B made positive definite, with no eigenvalue below `floor`.
Mat2 lifted(const Mat2& B, double floor) {
  const double mean = B.trace() / 2;
  const double least = mean - std::hypot((B(0, 0) - B(1, 1)) / 2, B(0, 1));
  return least >= floor ? B : Mat2(B + (floor - least) * Mat2::Identity());
}

double highest(const Pieces& pieces, const Round& r, const Vec3& d) {
  double top = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < pieces.count; ++j) top = std::max(top, d.dot(pieces.corner[j]));
  return r.value + top;
}

/// Where the way down leads to the axis of a disc the tip itself is the minimum.
void try_tips(const CorePair& pair, Minimum& m) {
  for (const Convex* c : {&pair.first, &pair.second}) {
    if (c->core != Core::cylinder) continue;
    const Vec3 axis = c->X_W.R.col(2);
    const Vec3 d = axis.dot(m.d) < 0 ? Vec3(-axis) : axis;
    if (d.dot(m.d) < own_cosine) continue;
    const double value = highest(m.pieces, round_part(pair, d), d);
    if (value > m.value) continue;
    m.d = d;
    m.value = value;
    m.converged = m.tip = true;
  }
}

Minimum minimum_from(const CorePair& pair, const Pieces& pieces, const Vec3& start) {
  Minimum m;
  m.d = start;
  m.pieces = pieces;
  Round r = round_part(pair, m.d);
  m.value = highest(pieces, r, m.d);
  for (int step = 0; step < newton_steps && !m.converged; ++step) {
    Eigen::Matrix<double, 3, 2> T;
    T.col(0) = unit_across(m.d);
    T.col(1) = m.d.cross(T.col(0));
    StepProblem p;
    p.count = pieces.count;
    for (int j = 0; j < pieces.count; ++j) {
      p.f[j] = r.value + m.d.dot(pieces.corner[j]) - m.value;
      p.g[j] = T.transpose() * (r.gradient + pieces.corner[j]);
    }
    const Mat3 H = support_curvature(pair.first, m.d) + support_curvature(pair.second, m.d);
    p.B = lifted(T.transpose() * H * T - m.value * Mat2::Identity(),
                 tolerance::regime * pair.size);
    p.inverse = p.B.inverse();
    Step s = best_step(p);
    m.weights = s.weights;
    const double length = s.x.norm();
    m.converged = length <= tolerance::epsilon;
    if (length > longest_step) s.x *= longest_step / length;
    bool lower = false;
    for (int half = 0; half < 6 && !lower && !m.converged; ++half, s.x /= 2) {
      const Vec3 d = (m.d + T * s.x).normalized();
      const Round there = round_part(pair, d);
      const double value = highest(pieces, there, d);
      lower = value < m.value || (half == 0 && value <= m.value + tolerance::epsilon * pair.size);
      if (!lower) continue;
      m.d = d;
      m.value = value;
      r = there;
    }
    // No way down but for rounding: a step below its root changes nothing that can be seen.
    if (!lower) {
      m.converged = length <= tolerance::quadratic;
      break;
    }
  }
  try_tips(pair, m);
  return m;
}

/// The search: the polytope, the minima found, the best of all directions looked at.
struct Search {
  CorePair& pair;
  Polytope p;
  std::array<Minimum, most_minima> minima;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  int minima_count = 0;
  Vec3 d = Vec3::UnitX();  ///< the best so far
  double upper = std::numeric_limits<double>::infinity();
  int best_minimum = -1;  ///< the one whose direction that is, or -1
  double thin;

  explicit Search(CorePair& of) : pair(of), thin(tolerance::distance * of.size) {}

  Polytope::Point look(const Vec3& along, double& reach) {
    const Polytope::Point w = farthest(pair, along);
    reach = along.dot(w.w);
    if (reach < upper) {
      upper = reach;
      d = along;
      best_minimum = -1;
    }
    return w;
  }

  [[nodiscard]] bool explained(const Polytope::Face& f) const {
    for (int k = 0; k < minima_count; ++k) {
      const Minimum& m = minima[k];
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

  void keep(const Minimum& m, double reach) {
    if (minima_count == most_minima) return;
    if (reach <= upper) best_minimum = minima_count;
    minima[minima_count++] = m;
  }

  /// One face: its minimum if it has one of its own, else its normal.
  void work_on(int face) {
    const Polytope::Face f = p.faces[face];
    Pieces pieces;
    for (const int c : f.corner) pieces.add(p.points[c]);
    const Minimum m = minimum_from(pair, pieces, f.normal);
    bool grown = false;
    if (m.d.dot(f.normal) >= own_cosine) {
      double reach = 0;
      const Polytope::Point w = look(m.d, reach);
      const bool whole = m.converged && reach - m.value <= thin;
      if (whole) keep(m, reach);
      grown = add(w, face);
      if (!grown && whole) {
        p.faces[face].rank = std::numeric_limits<double>::infinity();
        return;
      }
    }
    if (grown) return;
    double reach = 0;
    const Polytope::Point w = look(f.normal, reach);
    if (!add(w, face)) p.faces[face].rank = std::numeric_limits<double>::infinity();
  }
};

}  // namespace

RoundDepth round_depth(CorePair& pair) {
  Search s(pair);
  RoundDepth out;
  const auto far = [&](const Vec3& d) { return farthest(pair, d); };
  double reach = 0;
  for (const Convex* c : {&pair.first, &pair.second})
    if (c->core == Core::cylinder)
      for (const double sign : {-1.0, 1.0}) (void)s.look(sign * c->X_W.R.col(2), reach);
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
        s.p.faces[nearest].rank = std::numeric_limits<double>::infinity();
      else
        s.work_on(nearest);
    }
  }
  out.minima = s.minima_count;
  out.best = along(pair, -s.d);
  if (s.best_minimum >= 0 && !s.minima[s.best_minimum].tip) {
    const Minimum& m = s.minima[s.best_minimum];
    const Round r = round_part(pair, m.d);
    out.on_first = r.gradient_1;
    Vec3 w = r.gradient;
    for (int j = 0; j < m.pieces.count; ++j) {
      out.on_first += m.weights[j] * m.pieces.corner_1[j];
      w += m.weights[j] * m.pieces.corner[j];
    }
    out.on_second = out.on_first - w;
    out.has_points = true;
  }
  return out;
}

}  // namespace tact
