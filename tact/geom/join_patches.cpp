#include "tact/geom/join_patches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/QR>

#include "tact/base/expects.hpp"
#include "tact/poly/hull.hpp"

namespace tact {

namespace {

bool straight(const SurfaceContact& c) {
  return c.kind == PatchKind::point || c.kind == PatchKind::segment || c.kind == PatchKind::polygon;
}

std::span<const Vec2> points_of(const ContactBuffer& buffer, const SurfaceContact& c) {
  return std::span(buffer.points).subspan(c.first_point, c.point_count);
}

/// Least and largest of a quantity.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

/// The affine gap that fits best, about `middle` and in units of `size`; of points on a line, or of
/// one, the flattest.
Vec3 fitted_gap(const std::vector<JoinWorkspace::Lifted>& lifted, const Vec2& middle, double size) {
  Mat3 normal = Mat3::Zero();
  Vec3 right = Vec3::Zero();
  for (const auto& p : lifted) {
    const Vec3 row(1, (p.at[0] - middle[0]) / size, (p.at[1] - middle[1]) / size);
    normal += row * row.transpose();
    right += p.gap * row;
  }
  Eigen::CompleteOrthogonalDecomposition<Mat3> solver;
  solver.setThreshold(tolerance::rank);
  solver.compute(normal);
  return solver.solve(right);
}

/// A group of contacts as one.
struct Fit {
  Vec2 middle = Vec2::Zero();
  double size = 0;
  Vec3 gap = Vec3::Zero();  ///< at the origin of the frame of the group, and its slopes
  double height = 0;        ///< of the plane midway between the nearest points
  bool good = false;
};

/// The group seen in the frame X of one of its contacts.
Fit fit_group(const ContactBuffer& buffer, JoinWorkspace& w, const Pose& X, double offset) {
  w.lifted.clear();
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());
  Vec2 high = -low;
  double far = 0;
  double distance = std::numeric_limits<double>::infinity();
  Range first, second, residual;
  for (const Index k : w.group) {
    const SurfaceContact& c = buffer.contacts[k];
    distance = std::min(distance, c.distance);
    for (Index i = 0; i < c.point_count; ++i) {
      const Vec2& x = buffer.points[c.first_point + i];
      const Vec3 point = c.X_WC.p + c.X_WC.R.leftCols<2>() * x;
      const Vec3 r = X.R.transpose() * (point - X.p);
      far = std::max(far, point.norm());
      low = low.cwiseMin(r.head<2>());
      high = high.cwiseMax(r.head<2>());
      first.add(r[2] + c.distance / 2);
      second.add(r[2] - c.distance / 2);
      w.lifted.push_back({r.head<2>(), c.gap[0] + c.gap.tail<2>().dot(x), c.first_point + i});
    }
  }
  Fit fit;
  fit.middle = (low + high) / 2;
  fit.size = (high - low).norm();
  const double slack = offset * fit.size + tolerance::rounding * far;
  const double unit = fit.size > 0 ? fit.size : 1;
  const Vec3 gap = fitted_gap(w.lifted, fit.middle, unit);
  for (const auto& p : w.lifted) {
    const Vec2 x = (p.at - fit.middle) / unit;
    residual.add(gap[0] + gap.tail<2>().dot(x) - p.gap);
  }
  fit.gap << gap[0] - gap.tail<2>().dot(fit.middle) / unit, gap[1] / unit, gap[2] / unit;
  const bool on_second = second.high - second.low <= first.high - first.low;
  const Range& level = on_second ? second : first;
  fit.height = (level.low + level.high) / 2 + (on_second ? distance : -distance) / 2;
  fit.good =
      level.high - level.low <= 2 * slack && residual.low >= -slack && residual.high <= slack;
  return fit;
}

double extent(const ContactBuffer& buffer, const SurfaceContact& c) {
  return point_set_size(points_of(buffer, c));
}

/// The contact of the group with the largest extent; of equals the first.
const SurfaceContact& largest(const ContactBuffer& buffer, const std::vector<Index>& group) {
  Index best = group[0];
  for (const Index k : group) {
    if (extent(buffer, buffer.contacts[k]) > extent(buffer, buffer.contacts[best])) best = k;
  }
  return buffer.contacts[best];
}

/// Grows a group from the contact `seed` by all that fit.
void gather(const ContactBuffer& buffer, Index seed, Index first, JoinWorkspace& w,
            const JoinOptions& options) {
  w.group.assign(1, seed);
  const SurfaceContact& one = buffer.contacts[seed];
  if (!straight(one)) return;
  const Vec3 n = one.X_WC.R.col(2);
  for (Index k = seed + 1; k < std::ssize(buffer.contacts); ++k) {
    const SurfaceContact& c = buffer.contacts[k];
    if (w.taken[k - first] != 0 || !straight(c)) continue;
    const Vec3 m = c.X_WC.R.col(2);
    if (n.dot(m) < 0 || n.cross(m).norm() > options.angle) continue;
    w.group.push_back(k);
    const Pose& X = largest(buffer, w.group).X_WC;
    if (fit_group(buffer, w, X, options.offset).good) {
      w.taken[k - first] = 1;
    } else {
      w.group.pop_back();
    }
  }
}

void copy_contact(const ContactBuffer& from, const SurfaceContact& c, ContactBuffer& to) {
  to.contacts.push_back(c);
  to.contacts.back().first_point = std::ssize(to.points);
  for (Index i = c.first_point; i < c.first_point + c.point_count; ++i) {
    to.points.push_back(from.points[i]);
    if (i < std::ssize(from.point_features)) to.point_features.push_back(from.point_features[i]);
  }
}

void append_parts(const ContactBuffer& buffer, const JoinWorkspace& w, Index contact,
                  JoinedParts& parts) {
  std::size_t next = 0;
  for (const Index k : w.group) {
    const SurfaceContact& c = buffer.contacts[k];
    parts.parts.push_back({contact, c.kind, std::ssize(parts.points), c.point_count});
    for (Index i = 0; i < c.point_count; ++i) parts.points.push_back(w.lifted[next++].at);
  }
}

/// One contact for the group.
void append_joined(const ContactBuffer& buffer, JoinWorkspace& w, Index contact,
                   const JoinOptions& options, JoinedParts* parts) {
  const SurfaceContact& frame = largest(buffer, w.group);
  const Fit fit = fit_group(buffer, w, frame.X_WC, options.offset);
  SurfaceContact c = frame;
  c.X_WC.p += fit.height * c.X_WC.R.col(2);
  c.gap = fit.gap;
  for (const Index k : w.group) {
    c.distance = std::min(c.distance, buffer.contacts[k].distance);
    c.feature = std::min(c.feature, buffer.contacts[k].feature);
  }
  w.flat.clear();
  for (const auto& p : w.lifted) w.flat.push_back(p.at);
  const std::vector<Index> hull = convex_hull_indices(w.flat, tolerance::centre);
  c.kind = hull.size() == 1 ? PatchKind::point
                            : (hull.size() == 2 ? PatchKind::segment : PatchKind::polygon);
  c.first_point = std::ssize(w.joined.points);
  c.point_count = std::ssize(hull);
  for (const Index i : hull) {
    w.joined.points.push_back(w.flat[i]);
    const Index source = w.lifted[i].point;
    if (source < std::ssize(buffer.point_features)) {
      w.joined.point_features.push_back(buffer.point_features[source]);
    }
  }
  w.joined.contacts.push_back(c);
  if (parts != nullptr) append_parts(buffer, w, contact, *parts);
}

/// Puts the joined contacts in place of the old ones.
void replace_tail(ContactBuffer& buffer, Index first, const ContactBuffer& joined) {
  const Index points = first < std::ssize(buffer.contacts) ? buffer.contacts[first].first_point
                                                           : std::ssize(buffer.points);
  buffer.contacts.resize(first);
  buffer.points.resize(points);
  if (std::ssize(buffer.point_features) > points) buffer.point_features.resize(points);
  for (const SurfaceContact& c : joined.contacts) copy_contact(joined, c, buffer);
}

}  // namespace

void join_patches(ContactBuffer& buffer, Index first_contact, JoinWorkspace& w,
                  const JoinOptions& options, JoinedParts* parts) {
  TACT_EXPECTS(first_contact >= 0 && first_contact <= std::ssize(buffer.contacts));
  const Index count = std::ssize(buffer.contacts) - first_contact;
  if (count < 2) return;
  w.joined.clear();
  w.taken.assign(count, 0);
  for (Index k = first_contact; k < first_contact + count; ++k) {
    if (w.taken[k - first_contact] != 0) continue;
    gather(buffer, k, first_contact, w, options);
    if (w.group.size() == 1) {
      copy_contact(buffer, buffer.contacts[k], w.joined);
    } else {
      append_joined(buffer, w, first_contact + std::ssize(w.joined.contacts), options, parts);
    }
  }
  replace_tail(buffer, first_contact, w.joined);
}

}  // namespace tact
