#include "tact/geom/gjk.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

constexpr int most_iterations = 200;

/// The nearest point to the origin as weights of at most three chosen points.
struct Nearest {
  std::array<int, 3> which{};
  std::array<double, 3> weights{};
  int count = 0;
  Vec3 v = Vec3::Zero();
};

Nearest of_point(const GjkSimplex& s, int i) {
  return {{i, 0, 0}, {1, 0, 0}, 1, s.points[i].w};
}

Nearest of_segment(const GjkSimplex& s, int i, int j) {
  const Vec3& a = s.points[i].w;
  const Vec3 ab = s.points[j].w - a;
  const double t = -a.dot(ab), length2 = ab.squaredNorm();
  if (t <= 0) return of_point(s, i);
  if (t >= length2) return of_point(s, j);
  const double u = t / length2;
  return {{i, j, 0}, {1 - u, u, 0}, 2, a + u * ab};
}

Nearest nearer(const Nearest& a, const Nearest& b) {
  return b.v.squaredNorm() < a.v.squaredNorm() ? b : a;
}

/// The foot of the origin in the plane of the triangle if it lies inside, else the best edge. The
/// foot's weights are areas, all measured along one normal: thin triangles stay consistent.
Nearest of_triangle(const GjkSimplex& s, int i, int j, int k) {
  const Vec3 &a = s.points[i].w, &b = s.points[j].w, &c = s.points[k].w;
  const Vec3 n = (b - a).cross(c - a);
  const double area2 = n.squaredNorm();
  const double wa = n.dot(b.cross(c)), wb = n.dot(c.cross(a)), wc = n.dot(a.cross(b));
  if (area2 > 0 && wa > 0 && wb > 0 && wc > 0) {
    const double sum = wa + wb + wc;
    // A mean of the corners and not n (n · a)/area²: it stays in the set however thin the triangle.
    return {{i, j, k}, {wa / sum, wb / sum, wc / sum}, 3, (wa * a + wb * b + wc * c) / sum};
  }
  return nearer(nearer(of_segment(s, i, j), of_segment(s, j, k)), of_segment(s, k, i));
}

/// Whether the origin is on the side of the face (i, j, k) on which the fourth point is not, or too
/// near to the face to tell. A simplex that is flat to rounding holds nothing: each of its faces is
/// looked at. Corners carry rounding of their own size, however near they are to each other.
bool outside(const GjkSimplex& s, int i, int j, int k, int fourth) {
  const Vec3& a = s.points[i].w;
  const Vec3 ab = s.points[j].w - a, ac = s.points[k].w - a, ad = s.points[fourth].w - a;
  const Vec3 n = ab.cross(ac);
  const double there = n.dot(ad), here = -n.dot(a);
  const auto length = [](const Vec3& x) { return x.cwiseAbs().sum(); };
  const double b = length(ab), c = length(ac), d = length(ad), o = length(a);
  const double noise = 4 * tolerance::epsilon * (o + d);
  if (std::abs(there) <= noise * (b * c + (b + c) * d)) return true;
  if (std::abs(here) <= noise * (b * c + (b + c) * o)) return true;
  return there > 0 ? here < 0 : here > 0;
}

void keep(GjkSimplex& s, const Nearest& best) {
  const GjkSimplex old = s;
  s.count = best.count;
  for (int m = 0; m < best.count; ++m) {
    s.points[m] = old.points[best.which[m]];
    s.weights[m] = best.weights[m];
  }
}

bool holds(const GjkSimplex& s, const Vec3& w) {
  for (int i = 0; i < s.count; ++i)
    if (s.points[i].w == w) return true;
  return false;
}

void nearest_points(GjkResult& result) {
  result.on_first.setZero();
  result.on_second.setZero();
  for (int i = 0; i < result.simplex.count; ++i) {
    const auto& p = result.simplex.points[i];
    result.on_first += result.simplex.weights[i] * p.on_first;
    result.on_second += result.simplex.weights[i] * (p.on_first - p.w);
  }
}

}  // namespace

Vec3 nearest_of_simplex(GjkSimplex& s) {
  Nearest best = of_point(s, 0);
  switch (s.count) {
    case 1:
      break;
    case 2:
      best = of_segment(s, 0, 1);
      break;
    case 3:
      best = of_triangle(s, 0, 1, 2);
      break;
    default: {
      bool inside = true;
      constexpr std::array<std::array<int, 4>, 4> faces{
          {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
      for (const auto& f : faces) {
        if (!outside(s, f[0], f[1], f[2], f[3])) continue;
        const Nearest here = of_triangle(s, f[0], f[1], f[2]);
        best = inside ? here : nearer(best, here);
        inside = false;
      }
      if (inside) return Vec3::Zero();
    }
  }
  keep(s, best);
  return best.v;
}

GjkResult gjk(CorePair& pair, double beyond, const Vec3& guess) {
  GjkResult result;
  GjkSimplex& s = result.simplex;
  Vec3 v = guess.squaredNorm() > 0 ? guess : Vec3(pair.first.X_W.p - pair.second.X_W.p);
  if (v.squaredNorm() == 0) v = Vec3::UnitX();
  const double touch = 4 * tolerance::epsilon * pair.size;
  double reached = std::numeric_limits<double>::infinity();  // length of the last v in the set
  double bound = -reached;                                   // best lower bound of the distance
  for (; result.iterations < most_iterations; ++result.iterations) {
    const Vec3 n = v.normalized();
    const DifferencePoint p = least_along(pair, n);
    const double along = n.dot(p.w);
    if (along > bound) {
      bound = along;
      result.normal = n;
    }
    if (bound > beyond) {
      result.verdict = GjkVerdict::beyond;
      result.distance = bound;
      return result;
    }
    if (s.count > 0 && (reached - bound <= tolerance::distance * reached || holds(s, p.w))) break;
    const GjkSimplex before = s;
    s.points[s.count++] = p;
    v = nearest_of_simplex(s);
    const double length = v.norm();
    if (bound <= touch && (s.count == 4 || length <= touch)) return result;  // overlap
    // Rounding ate the progress: the former simplex was the nearest.
    if (s.count == 4 || length <= touch || length >= reached) {
      s = before;
      break;
    }
    reached = length;
  }
  if (bound <= 0) return result;
  result.verdict = GjkVerdict::apart;
  result.distance = bound;
  nearest_points(result);
  return result;
}

}  // namespace tact
