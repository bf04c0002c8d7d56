#include "tact/poly/planar_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/linalg/svd2.hpp"
#include "tact/poly/hull.hpp"
#include "tact/poly/polygon.hpp"

namespace tact {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vec2 unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

Vec2 nearest_on_segment(const Vec2& a, const Vec2& b, const Vec2& x) {
  const Vec2 e = b - a;
  const double length2 = e.squaredNorm();
  if (length2 == 0) return a;
  return a + std::clamp(e.dot(x - a) / length2, 0.0, 1.0) * e;
}

/// Half the smaller axis below which, relative to the larger one, an ellipse is its own long axis.
bool is_flat(const Vec2& sigma) {
  return sigma[1] <= tolerance::collinear * sigma[0];
}

}  // namespace

double normal_violation(const BoundaryArc& arc, const Vec2& n) {
  if (arc.full_turn) return 0;
  const double size = n.norm();
  if (size == 0) return 0;
  const double past_from = cross(arc.normal_from, n) / size;
  const double before_to = cross(n, arc.normal_to) / size;
  const bool wide = cross(arc.normal_from, arc.normal_to) < 0;
  if (wide) return -std::max(past_from, before_to);
  const double violation = -std::min(past_from, before_to);
  // Far behind the range the sine grows small again: keep it large there.
  const bool behind = n.dot(arc.normal_from) < 0 && n.dot(arc.normal_to) < 0;
  return violation > 0 && behind ? 1 : violation;
}

// ---------------------------------------------------------------------------------------- making

PlanarSet PlanarSet::hull_of_points(std::span<const Vec2> points) {
  PlanarSet set(Kind::polygon);
  set.vertices_ = convex_hull(points);
  set.set_corners();
  return set;
}

/// The arcs of a polygon from its corners.
void PlanarSet::set_corners() {
  const std::size_t count = vertices_.size();
  arcs_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2& v = vertices_[i];
    BoundaryArc arc{point_form(v), Vec2::Zero(), Vec2::Zero(), v, v, count == 1};
    if (count > 1) {
      // The last corner's edge ahead is the first one's edge behind.
      const Vec2& before = vertices_[i == 0 ? count - 1 : i - 1];
      const Vec2& after = vertices_[i + 1 == count ? 0 : i + 1];
      arc.normal_from = i == 0 ? Vec2(perp(v - before).normalized()) : arcs_.back().normal_to;
      arc.normal_to =
          i + 1 == count ? arcs_.front().normal_from : Vec2(perp(after - v).normalized());
    }
    arcs_.push_back(arc);
  }
  measure();
}

namespace {

/// Whether the corners are the hull of themselves beyond all doubt; `first` is the least of them in
/// lexicographic order.
bool is_clear_hull(std::span<const Vec2> corners, std::size_t& first) {
  const std::size_t count = corners.size();
  Vec2 low = corners[0], high = corners[0];
  double largest = 0;
  first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2& c = corners[i];
    if (!c.allFinite()) return false;
    low = low.cwiseMin(c);
    high = high.cwiseMax(c);
    largest = std::max({largest, std::abs(c[0]), std::abs(c[1])});
    const Vec2& least = corners[first];
    if (c[0] < least[0] || (c[0] == least[0] && c[1] < least[1])) first = i;
  }
  // Far more than what a hull smooths away and what rounding does to the signs below.
  const double size = (high - low).norm();
  const double clear = tolerance::written * std::max(size, largest);
  if (count == 2) return size > clear;
  int halves = 0;  // how often the edges turn from one half of the directions to the other
  const auto upward = [](const Vec2& e) { return e[1] > 0 || (e[1] == 0 && e[0] > 0); };
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 back = corners[i] - corners[i == 0 ? count - 1 : i - 1];
    const Vec2 ahead = corners[i + 1 == count ? 0 : i + 1] - corners[i];
    if (!(cross(back, ahead) > clear * (back + ahead).norm())) return false;
    if (upward(back) != upward(ahead)) ++halves;
  }
  return halves == 2;  // left turns all the way, and once around
}

}  // namespace

bool PlanarSet::assign_polygon(std::span<const Vec2> corners) {
  std::size_t first = 0;
  if (corners.size() < 2 || !is_clear_hull(corners, first)) return false;
  kind_ = Kind::polygon;
  vertices_.clear();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::size_t from = first + i < corners.size() ? first + i : first + i - corners.size();
    vertices_.emplace_back(corners[from].array() + 0.0);
  }
  set_corners();
  return true;
}

bool PlanarSet::has_corners(std::span<const Vec2> corners) const {
  const std::size_t count = corners.size();
  if (kind_ != Kind::polygon || count < 2 || vertices_.size() != count) return false;
  std::size_t first = 0;
  while (first < count && corners[first] != vertices_[0]) ++first;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = first + i < count ? first + i : first + i - count;
    if (corners[from] != vertices_[i]) return false;
  }
  return true;
}

PlanarSet PlanarSet::ellipse(const EllipseForm& form) {
  const Svd2 svd = svd2(form.axes);
  if (is_flat(svd.sigma)) {
    const Vec2 reach = svd.left.col(0) * svd.sigma[0];
    return hull_of_points(std::vector<Vec2>{form.center - reach, form.center + reach});
  }
  PlanarSet set(Kind::ellipse);
  set.set_ellipse(form);
  return set;
}

bool PlanarSet::assign_ellipse(const EllipseForm& form) {
  if (is_flat(svd2(form.axes).sigma)) return false;
  set_ellipse(form);
  return true;
}

void PlanarSet::set_ellipse(const EllipseForm& form) {
  kind_ = Kind::ellipse;
  vertices_.clear();
  arcs_.clear();
  const Vec2 start = tact::support(form, Vec2::UnitX());
  arcs_.push_back({form, Vec2::UnitX(), Vec2::UnitX(), start, start, true});
  measure();
}

namespace {

struct Sector {
  double from, to;   ///< angles of the outward normals
  std::size_t part;  ///< who reaches farthest there
};

/// The upper envelope of the support functions as sectors of directions, in increasing angle.
std::vector<Sector> envelope(std::span<const EllipseForm> parts) {
  std::vector<double> breaks;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size(); ++j)
      for (const Vec2& d : equal_support_directions(parts[i], parts[j]))
        breaks.push_back(std::atan2(d[1], d[0]));
  if (breaks.empty()) breaks.push_back(0);
  std::sort(breaks.begin(), breaks.end());
  breaks.push_back(breaks.front() + 2 * std::numbers::pi);

  std::vector<Sector> sectors;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    if (breaks[i + 1] - breaks[i] < tolerance::rounding) continue;
    const Vec2 d = unit(breaks[i] + (breaks[i + 1] - breaks[i]) / 2);
    std::size_t best = 0;
    for (std::size_t k = 1; k < parts.size(); ++k)
      if (support_value(parts[k], d) > support_value(parts[best], d)) best = k;
    if (!sectors.empty() && sectors.back().part == best) {
      sectors.back().to = breaks[i + 1];
    } else {
      sectors.push_back({sectors.empty() ? breaks[i] : sectors.back().to, breaks[i + 1], best});
    }
  }
  if (sectors.size() > 1 && sectors.front().part == sectors.back().part) {
    sectors.front().from = sectors.back().from - 2 * std::numbers::pi;
    sectors.pop_back();
  }
  return sectors;
}

}  // namespace

PlanarSet PlanarSet::hull_of(std::span<const EllipseForm> parts) {
  TACT_EXPECTS(!parts.empty());
  std::vector<Vec2> points;
  std::vector<EllipseForm> round;
  for (const EllipseForm& part : parts) {
    const Svd2 svd = svd2(part.axes);
    if (is_flat(svd.sigma)) {
      const Vec2 reach = svd.left.col(0) * svd.sigma[0];
      points.push_back(part.center - reach);
      points.push_back(part.center + reach);
    } else {
      round.push_back(part);
    }
  }
  if (round.empty()) return hull_of_points(points);
  if (!points.empty())
    for (const Vec2& v : convex_hull(points)) round.push_back(point_form(v));

  const std::vector<Sector> sectors = envelope(round);
  if (sectors.size() == 1) return ellipse(round[sectors.front().part]);

  PlanarSet set(Kind::arcs);
  for (const Sector& sector : sectors) {
    const EllipseForm& form = round[sector.part];
    const Vec2 from = unit(sector.from), to = unit(sector.to);
    set.arcs_.push_back(
        {form, from, to, tact::support(form, from), tact::support(form, to), false});
    set.vertices_.push_back(set.arcs_.back().first);
    if (!form.is_point()) set.vertices_.push_back(set.arcs_.back().last);
  }
  set.measure();
  return set;
}

void PlanarSet::measure() {
  center_.setZero();
  for (const BoundaryArc& arc : arcs_) center_ += arc.ellipse.center;
  center_ /= static_cast<double>(arcs_.size());
  if (kind_ != Kind::polygon) {
    radius_ = max_distance(center_);
    return;
  }
  radius_ = 0;
  for (const Vec2& v : vertices_) radius_ = std::max(radius_, (v - center_).norm());
}

// ------------------------------------------------------------------------------------- questions

bool PlanarSet::has_interior() const {
  return kind_ != Kind::polygon || vertices_.size() > 2;
}

double PlanarSet::support_value(const Vec2& direction) const {
  double best = -infinity;
  if (kind_ == Kind::polygon) {
    for (const Vec2& v : vertices_) best = std::max(best, v.dot(direction));
    return best;
  }
  for (const BoundaryArc& arc : arcs_)
    best = std::max(best, tact::support_value(arc.ellipse, direction));
  return best;
}

Vec2 PlanarSet::support(const Vec2& direction) const {
  const BoundaryArc* best = &arcs_.front();
  double best_value = -infinity;
  for (const BoundaryArc& arc : arcs_) {
    const double value = tact::support_value(arc.ellipse, direction);
    if (value > best_value) {
      best_value = value;
      best = &arc;
    }
  }
  return tact::support(best->ellipse, direction);
}

SupportFace PlanarSet::support_face(const Vec2& direction, double tolerance) const {
  const double slack = tolerance * radius_ * direction.norm();
  const double highest = support_value(direction);
  const Vec2 along = -perp(direction);  // counter-clockwise along the boundary
  SupportFace face{support(direction), support(direction)};
  for (const Vec2& v : vertices_) {
    if (direction.dot(v) < highest - slack) continue;
    if (along.dot(v) < along.dot(face.first)) face.first = v;
    if (along.dot(v) > along.dot(face.last)) face.last = v;
  }
  // On a curved rim the ends of a short arc may fall within the slack: an edge is wider than that.
  if ((face.last - face.first).norm() <= tolerance * radius_) face.first = face.last;
  return face;
}

bool PlanarSet::contains(const Vec2& x) const {
  if (kind_ == Kind::polygon) return tact::contains(vertices_, x);
  const bool in_round_part = std::any_of(arcs_.begin(), arcs_.end(), [&](const BoundaryArc& arc) {
    return tact::contains(arc.ellipse, x);
  });
  return in_round_part || (vertices_.size() > 2 && tact::contains(vertices_, x));
}

Vec2 PlanarSet::nearest(const Vec2& x) const {
  if (contains(x)) return x;
  if (kind_ == Kind::polygon) return boundary_distance(vertices_, x).nearest;
  Vec2 best = vertices_.empty() ? arcs_.front().first : vertices_.front();
  const auto offer = [&](const Vec2& candidate) {
    if ((candidate - x).squaredNorm() < (best - x).squaredNorm()) best = candidate;
  };
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    const BoundaryArc& arc = arcs_[i];
    offer(nearest_on_segment(arc.last, arcs_[i + 1 == arcs_.size() ? 0 : i + 1].first, x));
    if (!arc.ellipse.is_point()) offer(nearest_on_boundary(arc.ellipse, x));
  }
  return best;
}

namespace {

/// min over the normals n of one arc of h(n) - n.x, by the sign of its derivative t.(support - x).
double least_clearance(const BoundaryArc& arc, const Vec2& x) {
  const auto clearance = [&](double angle) {
    return support_value(arc.ellipse, unit(angle)) - unit(angle).dot(x);
  };
  const auto slope = [&](double angle) {
    return -perp(unit(angle)).dot(support(arc.ellipse, unit(angle)) - x);
  };
  double from = std::atan2(arc.normal_from[1], arc.normal_from[0]);
  double to = std::atan2(arc.normal_to[1], arc.normal_to[0]);
  if (arc.full_turn || to < from) to += 2 * std::numbers::pi;
  constexpr int pieces = 32;  // an ellipse has at most two minima: each falls into its own piece
  double least = clearance(from);
  for (int i = 0; i < pieces; ++i) {
    double low = from + (to - from) * i / pieces, high = from + (to - from) * (i + 1) / pieces;
    least = std::min(least, clearance(high));
    if (!(slope(low) < 0 && slope(high) > 0)) continue;
    for (;;) {
      const double mid = low + (high - low) / 2;
      if (mid <= low || mid >= high) break;
      (slope(mid) < 0 ? low : high) = mid;
    }
    least = std::min(least, clearance(low));
  }
  return least;
}

}  // namespace

double PlanarSet::signed_distance(const Vec2& x) const {
  if (kind_ == Kind::polygon) return boundary_distance(vertices_, x).distance;
  if (!contains(x)) return -(nearest(x) - x).norm();
  // Inside: min over all outward normals n of h(n) - n.x, on edges and corners at the edges'
  // normals.
  double least = infinity;
  for (const BoundaryArc& arc : arcs_) {
    least = std::min(least, arc.normal_to.dot(arc.last - x));
    if (!arc.ellipse.is_point()) least = std::min(least, least_clearance(arc, x));
  }
  return least;
}

double PlanarSet::max_distance(const Vec2& x) const {
  double most = 0;
  for (const BoundaryArc& arc : arcs_) most = std::max(most, (farthest(arc.ellipse, x) - x).norm());
  return most;
}

PlanarSet PlanarSet::mapped(const Mat2& a, const Vec2& b) const {
  PlanarSet out(kind_);
  out.assign_mapped(*this, a, b);
  return out;
}

void PlanarSet::assign_mapped(const PlanarSet& from, const Mat2& a, const Vec2& b) {
  const double det = cross(a.col(0), a.col(1));
  TACT_EXPECTS(det != 0 && &from != this);
  kind_ = from.kind_;
  vertices_.clear();
  arcs_.clear();
  const auto point = [&](const Vec2& x) { return Vec2(a * x + b); };
  // Normals turn with the cofactor matrix, det(A) A^-T.
  Mat2 cofactor;
  cofactor << a(1, 1), -a(1, 0), -a(0, 1), a(0, 0);
  cofactor *= det < 0 ? -1 : 1;
  const auto normal = [&](const Vec2& n) { return Vec2((cofactor * n).normalized()); };
  for (const Vec2& v : from.vertices_) vertices_.push_back(point(v));
  const std::size_t count = vertices_.size();
  if (kind_ == Kind::polygon && count > 1 && det > 0) {
    // A corner begins with the normal that the one before ends with.
    for (std::size_t i = 0; i < count; ++i) {
      const BoundaryArc& arc = from.arcs_[i];
      const Vec2 begin = i == 0 ? normal(arc.normal_from) : arcs_.back().normal_to;
      const Vec2 end = i + 1 == count ? arcs_.front().normal_from : normal(arc.normal_to);
      arcs_.push_back({point_form(vertices_[i]), begin, end, vertices_[i], vertices_[i], false});
    }
    measure();
    return;
  }
  for (const BoundaryArc& arc : from.arcs_) {
    BoundaryArc image{{point(arc.ellipse.center), a * arc.ellipse.axes},
                      normal(arc.normal_from),
                      normal(arc.normal_to),
                      point(arc.first),
                      point(arc.last),
                      arc.full_turn};
    if (det < 0) {
      std::swap(image.normal_from, image.normal_to);
      std::swap(image.first, image.last);
    }
    arcs_.push_back(image);
  }
  if (det < 0) {
    std::reverse(vertices_.begin(), vertices_.end());
    std::reverse(arcs_.begin(), arcs_.end());
  }
  measure();
}

std::vector<Vec2> PlanarSet::outline(int count) const {
  if (kind_ == Kind::polygon) return vertices_;
  std::vector<Vec2> points;
  for (const BoundaryArc& arc : arcs_) {
    if (arc.ellipse.is_point()) {
      points.push_back(arc.first);
      continue;
    }
    const double from = std::atan2(arc.normal_from[1], arc.normal_from[0]);
    double to = std::atan2(arc.normal_to[1], arc.normal_to[0]);
    if (arc.full_turn || to < from) to += 2 * std::numbers::pi;
    const int steps =
        std::max(2, static_cast<int>(std::ceil(count * (to - from) / (2 * std::numbers::pi))));
    for (int i = 0; i < (arc.full_turn ? steps : steps + 1); ++i)
      points.push_back(tact::support(arc.ellipse, unit(from + (to - from) * i / steps)));
  }
  return points;
}

}  // namespace tact
