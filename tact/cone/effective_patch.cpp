#include "tact/cone/effective_patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/LU>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/root2.hpp"
#include "tact/poly/clip.hpp"
#include "tact/poly/hull.hpp"
#include "tact/poly/polygon.hpp"

namespace tact {

namespace {

constexpr double pi = std::numbers::pi;

/// Gauss and Legendre, ten points on [-1, 1]: exact to rounding for the trigonometric polynomials
/// of degree four used here on pieces of up to one radian.
constexpr std::array<double, 5> gauss_x{0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                        0.8650633666889845, 0.9739065285171717};
constexpr std::array<double, 5> gauss_w{0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                        0.1494513491505806, 0.0666713443086881};

template <class F>
void gauss(double from, double to, F&& f) {
  const double mid = from + (to - from) / 2, half = (to - from) / 2;
  for (std::size_t i = 0; i < gauss_x.size(); ++i) {
    f(mid - half * gauss_x[i], half * gauss_w[i]);
    f(mid + half * gauss_x[i], half * gauss_w[i]);
  }
}

Vec2 unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// Even pressure on a segment of half length h along the unit vector u.
EffectiveMoment segment_moment(const Vec2& u, double h) {
  const Mat2 uu = u * u.transpose();
  return {h * h / 3 * uu, h / std::numbers::sqrt3 * uu};
}

EffectiveMoment with_root(const Mat2& sigma) {
  return {sigma, symmetric_root(sigma)};
}

// ---------------------------------------------------------------------------------------- polygon

constexpr std::size_t few_corners = 12;
/// Well inside: no depth below an edge is less than this share of the radius, or of half a side;
/// rounding costs the digits of its inverse.
constexpr double well_inside = 1e-4;

/// A polygon about c on the stack.
struct SmallPart {
  std::array<Vec2, 2 * few_corners + 2> x;
  std::size_t count = 0;

  /// Keeps what satisfies n.x <= offset, offset > 0. False where rounding has made more corners
  /// than there is room for.
  bool cut(const Vec2& n, double offset) {
    double above[2 * few_corners + 2];
    bool whole = true;
    for (std::size_t k = 0; k < count; ++k) {
      above[k] = n.dot(x[k]) - offset;
      whole = whole && above[k] <= 0;
    }
    if (whole) return true;
    std::array<Vec2, 2 * few_corners + 2> from;
    std::copy_n(x.begin(), count, from.begin());
    const std::size_t before = std::exchange(count, 0);
    for (std::size_t k = 0; k < before; ++k) {
      const std::size_t j = k + 1 == before ? 0 : k + 1;
      if (count + 2 > x.size()) return false;
      if (above[k] <= 0) x[count++] = from[k];
      if (above[k] * above[j] < 0)
        x[count++] = from[k] + above[k] / (above[k] - above[j]) * (from[j] - from[k]);
    }
    return true;
  }

  [[nodiscard]] Mat2 second_moment() const {
    double doubled = 0;
    Mat2 sum = Mat2::Zero();
    for (std::size_t k = 0; k < count; ++k) {
      const Vec2 &p = x[k], &q = x[k + 1 == count ? 0 : k + 1];
      const double cr = cross(p, q), mixed = p[0] * q[1] + p[1] * q[0];
      doubled += cr;
      sum(0, 0) += cr * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]);
      sum(0, 1) += cr * (p[0] * p[1] + mixed / 2 + q[0] * q[1]);
      sum(1, 1) += cr * (p[1] * p[1] + p[1] * q[1] + q[1] * q[1]);
    }
    sum(1, 0) = sum(0, 1);
    return sum / (6 * doubled);
  }
};

/// The face of a box: m + αa + βb with |α|, |β| <= 1. Its symmetric part is one too, of sides
/// (1 - |α|) a and (1 - |β|) b. False where it is another shape or c not well inside.
bool parallelogram_moment(std::span<const Vec2> v, const Vec2& c, double radius, Mat2& sigma) {
  if (v.size() != 4) return false;
  const Vec2 a = (v[1] - v[0]) / 2, b = (v[2] - v[1]) / 2;
  const Vec2 other = (v[2] - v[3]) / 2;
  const double slack = tolerance::rounding * radius;
  if (!((a - other).squaredNorm() <= slack * slack)) return false;
  const Vec2 r = c - (v[0] + v[2]) / 2;
  const double area = cross(a, b);
  const double alpha = 1 - std::abs(cross(r, b)) / area, beta = 1 - std::abs(cross(a, r)) / area;
  if (!(alpha > well_inside && beta > well_inside)) return false;
  const double aa = alpha * alpha / 3, bb = beta * beta / 3;
  sigma(0, 0) = aa * a[0] * a[0] + bb * b[0] * b[0];
  sigma(1, 1) = aa * a[1] * a[1] + bb * b[1] * b[1];
  sigma(0, 1) = sigma(1, 0) = aa * a[0] * a[1] + bb * b[0] * b[1];
  return true;
}

/// The common case on the stack: few corners and c well inside. There plain doubles lose nothing.
/// False leaves the answer to the careful way.
bool quick_polygon_moment(std::span<const Vec2> v, const Vec2& c, double radius, Mat2& sigma) {
  if (v.size() < 3 || v.size() > few_corners) return false;
  SmallPart part;
  for (const Vec2& corner : v) part.x[part.count++] = corner - c;
  const double least = well_inside * well_inside * radius * radius;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec2 n = perp(v[i + 1 == v.size() ? 0 : i + 1] - v[i]);  // outward
    const double depth = n.dot(v[i] - c);
    if (!(depth > 0 && depth * depth >= least * n.squaredNorm())) return false;
    if (!part.cut(-n, depth)) return false;
  }
  sigma = part.second_moment();
  return true;
}

/// c on an edge, to `slack`: the symmetric part of that edge. False elsewhere.
bool quick_edge_moment(std::span<const Vec2> v, const Vec2& c, double slack,
                       EffectiveMoment& moment) {
  if (v.size() < 2) return false;
  const std::size_t edges = v.size() == 2 ? 1 : v.size();
  for (std::size_t i = 0; i < edges; ++i) {
    const Vec2& p = v[i];
    const Vec2 e = v[i + 1 == v.size() ? 0 : i + 1] - p;
    const double length = e.norm();
    if (std::abs(cross(e, c - p)) > slack * length) continue;
    const double along = e.dot(c - p) / length;
    if (along < -slack || along > length + slack) continue;
    const double half = std::min(along, length - along);
    moment = half > slack ? segment_moment(e / length, half) : EffectiveMoment{};
    return true;
  }
  return false;
}

EffectiveMoment polygon_moment(std::span<const Vec2> v, const Vec2& c,
                               EffectivePatchWorkspace& work) {
  if (v.size() == 1) return {};
  const double slack = point_set_slack(v, tolerance::centre);
  symmetric_part(v, c, slack, work.part, work.scratch);
  if (work.part.size() < 2) return {};
  if (work.part.size() == 2) {
    const Vec2 e = work.part[1] - work.part[0];
    const double length = e.norm();
    return segment_moment(e / length, length / 2);
  }
  return with_root(second_moment(work.part, c));
}

// ---------------------------------------------------------------------------------------- ellipse

EffectiveMoment ellipse_moment(const EllipseForm& form, const Vec2& c) {
  const Vec2 u = form.axes.inverse() * (c - form.center);
  const double e = u.norm();
  const Vec2 d = e > 0 ? Vec2(u / e) : Vec2::UnitX();
  const Vec2 moment = unit_lens_moment(std::min(e, 1.0));
  const Vec2 along = form.axes * d, across = form.axes * perp(d);
  return with_root(moment[0] * along * along.transpose() + moment[1] * across * across.transpose());
}

// ------------------------------------------------------------------------------------------- arcs

/// A piece of the boundary seen from c: straight, or part of an ellipse. Angles are those of the
/// rays from c that meet it.
struct Rim {
  double from = 0, to = 0;  ///< to > from
  bool round = false;
  Vec2 p = Vec2::Zero(), q = Vec2::Zero();           ///< straight: its ends relative to c
  Vec2 center = Vec2::Zero();                        ///< round: centre relative to c
  Mat2 axes = Mat2::Zero(), inverse = Mat2::Zero();  ///< round: B and its inverse
};

/// The point where the ray of this angle leaves the set, relative to c.
Vec2 point_on(const Rim& rim, double angle) {
  const Vec2 u = unit(angle);
  if (!rim.round) {
    const Vec2 n = perp(rim.q - rim.p);  // outward
    const double along = n.dot(u);
    return along > 0 ? Vec2(n.dot(rim.p) / along * u) : Vec2(Vec2::Zero());
  }
  // |B^-1 (ρ u - m)|² = 1: the far root, without cancellation when c is close to the rim.
  const Vec2 a = rim.inverse * u, m = rim.inverse * rim.center;
  const double aa = a.squaredNorm(), am = a.dot(m);
  const double rest = m.squaredNorm() - 1;
  const double root = std::sqrt(std::max(0.0, am * am - aa * rest));
  const double rho = am > 0 ? (am + root) / aa : -rest / std::max(root - am, tolerance::smallest);
  return std::max(rho, 0.0) * u;
}

/// Sums of Green's theorem over a piece of boundary: the sector between it and c.
struct Sector {
  double doubled_area = 0;
  Mat2 moment = Mat2::Zero();  ///< four times the second moment

  void add_straight(const Vec2& p, const Vec2& q) {
    const double cr = cross(p, q);
    doubled_area += cr;
    const Mat2 pq = p * q.transpose();
    moment += cr / 6 * (2 * p * p.transpose() + 2 * q * q.transpose() + pq + Mat2(pq.transpose()));
  }
  void add_round(const Rim& rim, const Vec2& p, const Vec2& q) {
    const Vec2 a = rim.inverse * (p - rim.center), b = rim.inverse * (q - rim.center);
    const double from = std::atan2(a[1], a[0]);
    // The turn from a to b; the axes may be left-handed, then the rim is run through backwards.
    const double turn = std::atan2(cross(a, b), a.dot(b));
    const bool left = cross(rim.axes.col(0), rim.axes.col(1)) > 0;
    double span = left ? turn : -turn;
    if (span < -tolerance::rounding) span += 2 * pi;
    if (!left) span = -span;
    const int pieces = 1 + static_cast<int>(std::abs(span));
    for (int i = 0; i < pieces; ++i) {
      gauss(from + span * i / pieces, from + span * (i + 1) / pieces, [&](double t, double w) {
        const Vec2 x = rim.center + rim.axes * unit(t);
        const double cr = w * cross(x, rim.axes * unit(t + pi / 2));
        doubled_area += cr;
        moment += cr * x * x.transpose();
      });
    }
  }
  void add(const Rim& rim, double from, double to) {
    const Vec2 p = point_on(rim, from), q = point_on(rim, to);
    if (rim.round) {
      add_round(rim, p, q);
    } else {
      add_straight(p, q);
    }
  }
};

/// The boundary as seen from c, counter-clockwise over one turn.
std::vector<Rim> rims_seen_from(const PlanarSet& hull, const Vec2& c) {
  std::vector<Rim> rims;
  double angle = 0;
  const auto add = [&](const Vec2& p, const Vec2& q, const EllipseForm* form) {
    if (p == q && form == nullptr) return;
    if (rims.empty()) angle = std::atan2(p[1], p[0]);
    double turn = std::atan2(cross(p, q), p.dot(q));
    if (turn < 0) turn = form != nullptr ? turn + 2 * pi : 0;
    Rim rim;
    rim.from = angle;
    rim.to = angle + turn;
    rim.round = form != nullptr;
    rim.p = p;
    rim.q = q;
    if (form != nullptr) {
      rim.center = form->center - c;
      rim.axes = form->axes;
      rim.inverse = form->axes.inverse();
    }
    rims.push_back(rim);
    angle += turn;
  };
  const auto arcs = hull.arcs();
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const Vec2 first = arcs[i].first - c, last = arcs[i].last - c;
    const Vec2 next = arcs[i + 1 == arcs.size() ? 0 : i + 1].first - c;
    if (!arcs[i].ellipse.is_point()) add(first, last, &arcs[i].ellipse);
    add(last, next, nullptr);
  }
  return rims;
}

const Rim& rim_at(const std::vector<Rim>& rims, double angle) {
  const double start = rims.front().from;
  double a = angle - start;
  a = start + (a - 2 * pi * std::floor(a / (2 * pi)));
  for (const Rim& rim : rims)
    if (a <= rim.to) return rim;
  return rims.back();
}

/// A range of directions over which one piece of boundary is seen ahead and one behind.
struct Facing {
  const Rim& ahead;
  const Rim& behind;

  [[nodiscard]] bool behind_is_nearer(double angle) const {
    return point_on(ahead, angle).norm() > point_on(behind, angle + pi).norm();
  }
  /// Where the nearer one changes between two angles at which it differs.
  [[nodiscard]] double crossing(double low, double high) const {
    const bool at_low = behind_is_nearer(low);
    for (;;) {
      const double mid = low + (high - low) / 2;
      if (mid <= low || mid >= high) return low;
      (behind_is_nearer(mid) == at_low ? low : high) = mid;
    }
  }
  /// Adds the nearer one, which is the boundary of P_c.
  void add(double from, double to, bool nearer_behind, Sector& sum) const {
    if (!(to > from)) return;
    if (nearer_behind) {
      sum.add(behind, from + pi, to + pi);
    } else {
      sum.add(ahead, from, to);
    }
  }
  void add_nearer(double from, double to, Sector& sum) const {
    constexpr int pieces = 16;  // two conics cross at most four times
    for (int k = 0; k < pieces; ++k) {
      const double a = from + (to - from) * k / pieces, b = from + (to - from) * (k + 1) / pieces;
      const bool at_a = behind_is_nearer(a), at_b = behind_is_nearer(b);
      const double middle = at_a == at_b ? b : crossing(a, b);
      add(a, middle, at_a, sum);
      add(middle, b, at_b, sum);
    }
  }
};

/// The boundary of P_c over half a turn: the other half is its mirror image.
Sector inner_half(const std::vector<Rim>& rims) {
  const double start = rims.front().from;
  std::vector<double> breaks{start, start + pi};
  for (const Rim& rim : rims) {
    const double a = rim.from - start;
    breaks.push_back(start + (a - pi * std::floor(a / pi)));
  }
  std::sort(breaks.begin(), breaks.end());
  Sector sum;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double mid = breaks[i] + (breaks[i + 1] - breaks[i]) / 2;
    const Facing facing{rim_at(rims, mid), rim_at(rims, mid + pi)};
    facing.add_nearer(breaks[i], breaks[i + 1], sum);
  }
  return sum;
}

/// Where c lies on a straight edge: the symmetric part of that edge.
bool on_an_edge(const PlanarSet& hull, const Vec2& c, EffectiveMoment& moment) {
  const auto arcs = hull.arcs();
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const Vec2 p = arcs[i].last, q = arcs[i + 1 == arcs.size() ? 0 : i + 1].first;
    const double length = (q - p).norm();
    if (length == 0) continue;
    const Vec2 u = (q - p) / length;
    if (perp(u).dot(p - c) > tolerance::centre * hull.radius()) continue;
    moment = segment_moment(u, std::max(0.0, std::min(u.dot(c - p), u.dot(q - c))));
    return true;
  }
  return false;
}

EffectiveMoment arcs_moment(const PlanarSet& hull, const Vec2& c) {
  EffectiveMoment edge;
  if (on_an_edge(hull, c, edge)) return edge;
  const Sector sum = inner_half(rims_seen_from(hull, c));
  if (!(sum.doubled_area > 0)) return {};
  return with_root(sum.moment / (2 * sum.doubled_area));
}

}  // namespace

// With e + x = cos θ the lens is 0 <= θ <= α = acos e, and
//     area/4 = ∫ sin²,   xx = ∫ (cos θ - e)² sin²,   yy = ∫ sin⁴ / 3.
// The closed forms cancel like α⁷ near the rim; there the integrals are summed.
Vec2 unit_lens_moment(double e) {
  TACT_EXPECTS(e >= 0 && e <= 1);
  const double alpha = std::atan2(std::sqrt((1 - e) * (1 + e)), e);
  if (!(alpha > 0)) return Vec2::Zero();
  double area = 0, xx = 0, yy = 0;
  if (alpha > 1) {
    const double s = std::sin(alpha), s2 = std::sin(2 * alpha), s4 = std::sin(4 * alpha);
    area = alpha / 2 - s2 / 4;
    xx = alpha / 8 - s4 / 32 - 2 * e * s * s * s / 3 + e * e * area;
    yy = (3 * alpha / 8 - s2 / 4 + s4 / 32) / 3;
  } else {
    gauss(0, alpha, [&](double t, double w) {
      const double s = std::sin(t), s2 = s * s;
      const double x = 2 * std::sin((alpha + t) / 2) * std::sin((alpha - t) / 2);
      area += w * s2;
      xx += w * x * x * s2;
      yy += w * s2 * s2 / 3;
    });
  }
  return {xx / area, yy / area};
}

EffectiveMoment effective_moment(const PlanarSet& hull, const Vec2& c,
                                 EffectivePatchWorkspace& work) {
  TACT_EXPECTS(c.allFinite());
  if (hull.kind() == PlanarSet::Kind::ellipse) return ellipse_moment(hull.form(), c);
  Mat2 sigma;
  if (hull.kind() == PlanarSet::Kind::polygon &&
      (parallelogram_moment(hull.vertices(), c, hull.radius(), sigma) ||
       quick_polygon_moment(hull.vertices(), c, hull.radius(), sigma)))
    return with_root(sigma);
  EffectiveMoment edge;
  if (hull.kind() == PlanarSet::Kind::polygon &&
      quick_edge_moment(hull.vertices(), c, point_set_slack(hull.vertices(), tolerance::centre),
                        edge))
    return edge;
  const Vec2 inside = hull.contains(c) ? c : hull.nearest(c);
  if (hull.kind() == PlanarSet::Kind::polygon) return polygon_moment(hull.vertices(), inside, work);
  return arcs_moment(hull, inside);
}

EffectiveMoment effective_moment(const PlanarSet& hull, const Vec2& c) {
  EffectivePatchWorkspace work;
  return effective_moment(hull, c, work);
}

void effective_part(const PlanarSet& hull, const Vec2& c, int count, EffectivePatchWorkspace& work,
                    std::vector<Vec2>& out) {
  TACT_EXPECTS(c.allFinite() && count >= 3);
  const Vec2 inside = hull.contains(c) ? c : hull.nearest(c);
  // Hulled, because the outline of a full turn closes with its first point, up to rounding.
  const std::vector<Vec2> outline = convex_hull(hull.outline(count));
  symmetric_part(outline, inside, point_set_slack(outline, tolerance::centre), out, work.scratch);
  if (out.empty()) out.push_back(inside);
}

}  // namespace tact
