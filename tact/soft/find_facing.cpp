// The search of soft/track.hpp over whole surfaces.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"
#include "tact/geom/surface_support.hpp"
#include "tact/soft/track.hpp"

namespace tact {

namespace {

constexpr double pi = std::numbers::pi;

/// The two bodies and the place of the second: what every step of the search is about.
struct Bodies {
  const Surface& one;
  const Surface& two;
  const Pose& X_12;
};

/// A direction n from 1 to 2 with the support points along it: their separation along n is a lower
/// bound of the signed distance.
struct Probe {
  Vec3 n = Vec3::UnitZ();
  Vec3 p1 = Vec3::Zero();
  Vec3 p2 = Vec3::Zero();  ///< in the frame of 1
  double separation = -std::numeric_limits<double>::infinity();
};

/// Along which a surface may be moved without a change: all of a plane's, a cylinder's axis.
std::optional<Vec3> axis_of(const Surface& surface) {
  if (const auto* cylinder = std::get_if<CylinderSurface>(&surface.form)) return cylinder->axis;
  return std::nullopt;
}
std::optional<Vec3> normal_of(const Surface& surface) {
  const auto* plane = std::get_if<PlaneSurface>(&surface.form);
  if (plane == nullptr) return std::nullopt;
  return surface.inside_out ? Vec3(-plane->normal) : plane->normal;
}

/// p, moved to where `near` is along what the surface does not notice.
Vec3 moved_along(const Surface& surface, const Vec3& p, const Vec3& near) {
  if (const auto n = normal_of(surface)) return near + n->dot(p - near) * *n;
  if (const auto a = axis_of(surface)) return p + a->dot(near - p) * *a;
  return p;
}

std::optional<Probe> probe(const Bodies& b, const Vec3& n) {
  const Vec3 towards_one = -(b.X_12.R.transpose() * n);
  const auto p1 = support_point(b.one, n);
  const auto p2 = support_point(b.two, towards_one);
  if (!p1 || !p2) return std::nullopt;
  const Pose X_21 = inverse(b.X_12);
  // Each where the other is; the second goes first, so that a bounded body leads an unbounded one.
  const Vec3 in_two = moved_along(b.two, *p2, transform_point(X_21, *p1));
  Probe found;
  found.n = n;
  found.p2 = transform_point(b.X_12, in_two);
  found.p1 = moved_along(b.one, *p1, found.p2);
  found.separation = n.dot(found.p2 - found.p1);
  return found;
}

Vec3 fibonacci(Index i, Index count) {
  const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(count);
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  const double angle = 2 * pi * std::numbers::phi * static_cast<double>(i);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// Directions along which both bodies have support points: the normal of a plane, a circle about
/// the axis of a cylinder, two of two cylinders, the whole sphere of others.
std::vector<Vec3> directions(const Bodies& b, Index count) {
  if (const auto n = normal_of(b.one)) return {*n};
  if (const auto n = normal_of(b.two)) return {-(b.X_12.R * *n)};
  const auto axis_one = axis_of(b.one);
  auto axis_two = axis_of(b.two);
  if (axis_two) axis_two = b.X_12.R * *axis_two;
  if (axis_one && axis_two) {
    const Vec3 common = axis_one->cross(*axis_two);
    if (common.norm() <= tolerance::parallel) return {};
    return {common.normalized(), -common.normalized()};
  }
  std::vector<Vec3> all(count);
  if (!axis_one && !axis_two) {
    for (Index i = 0; i < count; ++i) all[i] = fibonacci(i, count);
    return all;
  }
  const Mat32 E = tangent_basis(axis_one ? *axis_one : *axis_two);
  for (Index i = 0; i < count; ++i) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(count);
    all[i] = E * Vec2(std::cos(angle), std::sin(angle));
  }
  return all;
}

/// Uphill on the separation, whose gradient along the sphere is p2 - p1 without its part along n.
Probe climbed(const Bodies& b, Probe at, double size) {
  constexpr int steps = 60;
  double stride = 1 / size;
  for (int i = 0; i < steps; ++i) {
    const Vec3 between = at.p2 - at.p1;
    const Vec3 across = between - at.separation * at.n;
    if (across.norm() <= tolerance::distance * size) break;
    const auto next = probe(b, (at.n + stride * across).normalized());
    if (next && next->separation > at.separation) {
      at = *next;
      stride *= 2;
    } else {
      stride /= 4;
    }
  }
  return at;
}

/// Peaks of the sampled separation: the best, then the best of those away from it, and so on.
std::vector<Probe> peaks(std::vector<Probe> probes) {
  constexpr std::size_t most = 8;
  constexpr double apart = 0.96;  // cosine of 16 degrees
  std::stable_sort(probes.begin(), probes.end(),
                   [](const Probe& a, const Probe& b) { return a.separation > b.separation; });
  std::vector<Probe> best;
  for (const Probe& p : probes) {
    if (best.size() == most) break;
    const bool known =
        std::any_of(best.begin(), best.end(), [&](const Probe& q) { return q.n.dot(p.n) > apart; });
    if (!known) best.push_back(p);
  }
  return best;
}

/// Newton's method from two places, the second in the frame of 1.
TrackStatus track_from(const Bodies& b, const Vec3& p1, const Vec3& p2, FacingPoints& facing) {
  if (!project(b.one, p1, facing.one) ||
      !project(b.two, transform_point(inverse(b.X_12), p2), facing.two))
    return TrackStatus::left_surface;
  return track(b.one, b.two, b.X_12, facing);
}

double size_of(const Bodies& b) {
  const auto bounded = [](const Surface& s) {
    const double reach = extent(s);
    return std::isfinite(reach) ? reach : 0.0;
  };
  return bounded(b.one) + bounded(b.two) + b.X_12.p.norm();
}

/// Of what a search met, that which says most to its caller.
TrackStatus more_telling(TrackStatus a, TrackStatus b) {
  const auto rank = [](TrackStatus s) {
    switch (s) {
      case TrackStatus::tracked:
        return 4;
      case TrackStatus::lost_convexity:
        return 3;
      case TrackStatus::past_window:
        return 2;
      case TrackStatus::left_surface:
        return 1;
      case TrackStatus::not_converged:
        return 0;
    }
    return 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

/// Where Newton's method may begin for one direction: at the support points, and, of a capsule,
/// whose support jumps from end to end, also along its side.
std::vector<Vec3> starts_on(const Surface& surface, const Vec3& support) {
  std::vector<Vec3> starts{support};
  if (const auto* capsule = std::get_if<CapsuleSurface>(&surface.form)) {
    const double z = capsule->axis.dot(support);
    const Vec3 out = support - z * capsule->axis;
    if (out.norm() > tolerance::parallel * capsule->radius)
      for (const double share : {0.0, 0.5, -0.5, 0.9, -0.9})
        starts.push_back(capsule->radius * out.normalized() +
                         share * capsule->half_length * capsule->axis);
  }
  return starts;
}

/// All starts of one direction; the farthest pair that faces each other.
TrackStatus settle(const Bodies& b, const Probe& from, FacingPoints& facing) {
  const Pose X_21 = inverse(b.X_12);
  TrackStatus status = TrackStatus::not_converged;
  for (const Vec3& p1 : starts_on(b.one, from.p1))
    for (const Vec3& p2 : starts_on(b.two, transform_point(X_21, from.p2))) {
      FacingPoints at;
      const TrackStatus now = track_from(b, p1, transform_point(b.X_12, p2), at);
      if (now == TrackStatus::tracked && (status != now || at.gap > facing.gap)) facing = at;
      status = more_telling(status, now);
    }
  return status;
}

/// The signed distance of convex bodies. not_converged where it was not found for certain.
FacingSearch find_convex(const Bodies& b, const FacingOptions& options) {
  std::vector<Probe> probes;
  for (const Vec3& n : directions(b, options.starts))
    if (const auto p = probe(b, n)) probes.push_back(*p);
  FacingSearch search;
  if (probes.empty()) {
    search.status = TrackStatus::lost_convexity;  // flat against flat, or axis along axis
    return search;
  }
  const double size = size_of(b);
  double bound = -std::numeric_limits<double>::infinity();
  FacingPoints best;
  bool found = false;
  for (const Probe& start : peaks(std::move(probes))) {
    const Probe top = climbed(b, start, size);
    bound = std::max(bound, top.separation);
    FacingPoints facing;
    const TrackStatus status = settle(b, top, facing);
    if (status == TrackStatus::tracked && (!found || facing.gap > best.gap)) {
      best = facing;
      found = true;
    }
    if (!found) search.status = more_telling(search.status, status);
  }
  const bool whole = found && best.gap >= bound - tolerance::quadratic * size;
  if (found && !whole) search.status = TrackStatus::not_converged;
  if (!whole) return search;
  search.status = TrackStatus::tracked;
  if (best.gap <= options.max_gap) search.found.push_back(best);
  return search;
}

/// Starts of Newton's method: points spread over one body with points of the other that are near
/// them, or, of a convex one, that face them.
void spread_starts(const Surface& spread, const Surface& other, const Pose& X_so, Index count,
                   double reach, std::vector<std::pair<SurfacePoint, SurfacePoint>>& starts) {
  const Pose X_os = inverse(X_so);
  for (const SurfacePoint& p : spread_points(spread, count, X_so.p, reach)) {
    SurfacePoint q;
    const Vec3 n = X_os.R * p.n;
    if (project(other, transform_point(X_os, p.p), q) && q.n.dot(n) < 0) starts.emplace_back(p, q);
    if (!is_convex(other)) continue;
    const auto support = support_point(other, -n);
    if (support && project(other, *support, q)) starts.emplace_back(p, q);
  }
}

/// Between the points lies what the gap says: of bodies that overlap a part of both, of others a
/// part of neither. Else a body would be pushed out through the far side of the other.
bool real(const Bodies& b, const FacingPoints& facing) {
  const Vec3 p1 = facing.one.p;
  const Vec3 p2 = transform_point(b.X_12, facing.two.p);
  const Pose X_21 = inverse(b.X_12);
  if (std::abs(facing.gap) <= tolerance::distance * (p1.norm() + p2.norm())) return true;
  for (const double share : {0.02, 0.25, 0.5, 0.75, 0.98}) {
    const Vec3 p = p1 + share * (p2 - p1);
    const auto in_one = contains(b.one, p);
    const auto in_two = contains(b.two, transform_point(X_21, p));
    if (in_one && *in_one != (facing.gap < 0)) return false;
    if (in_two && *in_two != (facing.gap < 0)) return false;
  }
  return true;
}

void keep(const FacingPoints& facing, double near, std::vector<FacingPoints>& found) {
  for (const FacingPoints& known : found)
    if ((known.one.p - facing.one.p).norm() + (known.two.p - facing.two.p).norm() <= near) return;
  found.push_back(facing);
}

FacingSearch find_by_starts(const Bodies& b, const FacingOptions& options) {
  const double size = std::max(size_of(b), tolerance::smallest);
  // An unbounded surface is looked at where the other one is, and a little around.
  const double reach = 2 * std::min({size, 2 * extent(b.one), 2 * extent(b.two)});
  std::vector<std::pair<SurfacePoint, SurfacePoint>> starts;
  std::vector<std::pair<SurfacePoint, SurfacePoint>> turned;
  spread_starts(b.one, b.two, b.X_12, options.starts / 2, reach, starts);
  spread_starts(b.two, b.one, inverse(b.X_12), options.starts / 2, reach, turned);
  for (const auto& [two, one] : turned) starts.emplace_back(one, two);

  FacingSearch search;
  for (const auto& [one, two] : starts) {
    FacingPoints facing{one, two, 0};
    TrackStatus status = track(b.one, b.two, b.X_12, facing);
    if (status == TrackStatus::tracked && !real(b, facing)) status = TrackStatus::past_window;
    if (status == TrackStatus::tracked && facing.gap <= options.max_gap)
      keep(facing, tolerance::coplanar * size, search.found);
    search.status = more_telling(search.status, status);
  }
  std::stable_sort(search.found.begin(), search.found.end(),
                   [](const FacingPoints& x, const FacingPoints& y) { return x.gap < y.gap; });
  if (static_cast<Index>(search.found.size()) > options.max_found)
    search.found.resize(options.max_found);
  return search;
}

}  // namespace

FacingSearch find_facing(const Surface& one, const Surface& two, const Pose& X_12,
                         const FacingOptions& options) {
  const Bodies bodies{one, two, X_12};
  if (!is_convex(one) || !is_convex(two)) return find_by_starts(bodies, options);
  FacingSearch search = find_convex(bodies, options);
  if (search.status != TrackStatus::not_converged) return search;
  // Of convex bodies the signed distance is the largest gap among facing points.
  constexpr Index no_limit = std::numeric_limits<Index>::max();
  search = find_by_starts(bodies, {.starts = options.starts, .max_found = no_limit});
  if (search.found.size() > 1) search.found = {search.found.back()};
  if (!search.found.empty() && search.found.front().gap > options.max_gap) search.found.clear();
  return search;
}

}  // namespace tact
