#include "tact/geom/edge_circles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/geom/difference_polytope.hpp"
#include "tact/poly/roots.hpp"

namespace tact {

namespace {

constexpr double pi = std::numbers::pi;

struct Sum {
  Vec3 c, a;
  double r = 0;
  std::array<Vec3, 4> g;  ///< unit
  std::array<double, 4> half{};

  [[nodiscard]] double reach(const Vec3& d) const {
    double h = d.dot(c) + r * d.cross(a).norm();
    for (int i = 0; i < 4; ++i) h += half[i] * std::abs(d.dot(g[i]));
    return h;
  }
};

struct Least {
  Vec3 d = Vec3::UnitX();
  double reach = std::numeric_limits<double>::infinity();

  void offer(const Sum& sum, const Vec3& at) {
    const double h = sum.reach(at);
    if (h < reach) {
      reach = h;
      d = at;
    }
  }
};

/// One arc of a circle: h = r √(1 - α² cos²ψ) + A cos ψ + B sin ψ with d = p cos ψ + q sin ψ.
struct Arc {
  Vec3 p, q;
  double A = 0, B = 0, alpha2 = 0;

  [[nodiscard]] Vec3 at(double t, double sign) const {
    const double length = sign * std::hypot(1, t);
    return (p + t * q) / length;
  }
  [[nodiscard]] Vec3 at_inverse(double u, double sign) const {
    const double length = sign * std::hypot(1, u);
    return (u * p + q) / length;
  }
};

void offer_arc(const Sum& sum, const Arc& arc, Least& least) {
  const double A = arc.A, B = arc.B, beta = 1 - arc.alpha2;
  const double k = sum.r * sum.r * arc.alpha2 * arc.alpha2;
  std::array<double, 5> c{B * B * beta, -2 * A * B * beta, B * B + beta * A * A - k, -2 * A * B,
                          A * A};
  for (const double t : real_roots(c, -1, 1))
    for (const double sign : {1.0, -1.0}) least.offer(sum, arc.at(t, sign));
  std::reverse(c.begin(), c.end());
  for (const double u : real_roots(c, -1, 1))
    for (const double sign : {1.0, -1.0}) least.offer(sum, arc.at_inverse(u, sign));
}

/// The angles of a circle at which a term of the sum changes its sign, ascending.
struct Corners {
  std::array<double, 6> angle{};
  int count = 0;

  void add(double psi) {
    int place = count++;
    for (; place > 0 && angle[place - 1] > psi; --place) angle[place] = angle[place - 1];
    angle[place] = psi;
  }
};

Corners corners_of(const Sum& sum, int k, const Arc& arc) {
  Corners out;
  for (int i = 0; i < 4; ++i) {
    const Vec3 across = sum.g[k].cross(sum.g[i]);
    if (i == k || !(across.norm() > 0)) continue;
    const double psi = std::atan2(across.dot(arc.q), across.dot(arc.p));
    out.add(psi);
    out.add(psi > 0 ? psi - pi : psi + pi);
  }
  return out;
}

/// The circle across the edge `k`: its corners, and the arcs between them that may hold less.
void offer_circle(const Sum& sum, int k, double enough, Least& least) {
  const Vec3& g = sum.g[k];
  Arc arc;
  const Vec3 flat = sum.a - sum.a.dot(g) * g;
  const bool around = flat.norm() <= tolerance::rounding;  // g is the axis: h is even around it
  arc.alpha2 = around ? 0 : std::min(flat.squaredNorm(), 1.0);
  arc.p = around ? unit_across(g) : Vec3(flat.normalized());
  arc.q = g.cross(arc.p);
  const auto [angle, count] = corners_of(sum, k, arc);
  const double flattest = sum.r * std::sqrt(1 - arc.alpha2);
  for (int j = 0; j < count; ++j) {
    const double low = angle[j], high = j + 1 < count ? angle[j + 1] : angle[0] + 2 * pi;
    const auto direction = [&](double psi) {
      return Vec3(std::cos(psi) * arc.p + std::sin(psi) * arc.q);
    };
    const Vec3 first = direction(low), middle = direction((low + high) / 2), last = direction(high);
    least.offer(sum, first);
    Vec3 v = sum.c;
    for (int i = 0; i < 4; ++i)
      if (i != k) v += std::copysign(sum.half[i], middle.dot(sum.g[i])) * sum.g[i];
    // A sinusoid that is positive at both ends of less than half a turn is least at an end.
    const double ends = std::min(v.dot(first), v.dot(last));
    if (ends >= 0 && ends + flattest >= std::min(enough, least.reach)) continue;
    arc.A = v.dot(arc.p);
    arc.B = v.dot(arc.q);
    offer_arc(sum, arc, least);
  }
}

}  // namespace

Vec3 least_over_edges(const CorePair& pair, double enough) {
  const bool cylinder_first = pair.first.core == Convex::Core::cylinder;
  const Convex& cylinder = cylinder_first ? pair.first : pair.second;
  const Convex& box = cylinder_first ? pair.second : pair.first;
  TACT_EXPECTS(cylinder.core == Convex::Core::cylinder && box.core == Convex::Core::box);
  Sum sum;
  sum.c = pair.first.X_W.p - pair.second.X_W.p;
  sum.a = cylinder.X_W.R.col(2);
  sum.r = cylinder.size[0];
  for (int i = 0; i < 3; ++i) {
    sum.g[i] = box.X_W.R.col(i);
    sum.half[i] = box.size[i];
  }
  sum.g[3] = sum.a;
  sum.half[3] = cylinder.size[2];
  Least least;
  for (const double sign : {-1.0, 1.0}) least.offer(sum, sign * sum.a);
  for (int k = 0; k < 4; ++k) offer_circle(sum, k, enough, least);
  return least.d;
}

}  // namespace tact
