#include "tact/poly/hull.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "tact/base/expects.hpp"
#include "tact/poly/calipers.hpp"
#include "tact/poly/exact_sign.hpp"

namespace tact {

namespace {

bool all_finite(std::span<const Vec2> points) {
  return std::all_of(points.begin(), points.end(), [](const Vec2& p) { return p.allFinite(); });
}

const Vec2& at(std::span<const Vec2> points, Index i) {
  return points[static_cast<std::size_t>(i)];
}

/// Adding zero turns -0 into 0, so that even the bits do not depend on the order of equal points.
std::vector<Vec2> gather(std::span<const Vec2> points, std::span<const Index> places) {
  std::vector<Vec2> vertices;
  vertices.reserve(places.size());
  for (const Index i : places) vertices.emplace_back(at(points, i).array() + 0.0);
  return vertices;
}

/// Places of the distinct points in lexicographic order; of coincident points the first.
std::vector<Index> sorted_places(std::span<const Vec2> points) {
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    const Vec2& a = at(points, i);
    const Vec2& b = at(points, j);
    if (a[0] != b[0]) return a[0] < b[0];
    if (a[1] != b[1]) return a[1] < b[1];
    return i < j;
  });
  const auto same = [&](Index i, Index j) { return at(points, i) == at(points, j); };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  return order;
}

/// Andrew's monotone chain: appends the lower hull of points visited from left to right (or the
/// upper hull from right to left), without its last point.
template <class Iterator>
void append_chain(std::span<const Vec2> points, Iterator first, Iterator last,
                  std::vector<Index>& hull) {
  const std::size_t start = hull.size();
  for (; first != last; ++first) {
    const Vec2& p = at(points, *first);
    while (hull.size() >= start + 2 &&
           orient_sign(at(points, hull[hull.size() - 2]), at(points, hull.back()), p) <= 0) {
      hull.pop_back();
    }
    hull.push_back(*first);
  }
  hull.pop_back();
}

/// The vertex of the strictly convex chain i..j, i + 1 < j, farthest from the chord i -> j: the
/// edges before it lead away from the chord and those after it back, which is decided exactly.
std::size_t farthest_from_chord(std::span<const Vec2> chain, std::size_t i, std::size_t j) {
  std::size_t low = i + 1;
  std::size_t high = j - 1;
  while (low < high) {
    const std::size_t k = low + (high - low) / 2;
    const bool leads_back = cross_sign(chain[i], chain[j], chain[k], chain[k + 1]) >= 0;
    (leads_back ? high : low) = leads_back ? k : k + 1;
  }
  return low;
}

/// Appends the places of the vertices to keep on a strictly convex chain, without its last one:
/// split at the farthest vertex until all are within slack of their chord (Douglas and Peucker).
void append_simplified(std::span<const Vec2> chain, double slack, std::vector<std::size_t>& kept) {
  std::vector<std::pair<std::size_t, std::size_t>> chords{{0, chain.size() - 1}};
  while (!chords.empty()) {
    const auto [i, j] = chords.back();
    chords.pop_back();
    const std::size_t k = j - i > 1 ? farthest_from_chord(chain, i, j) : i;
    const double height = -orient(chain[i], chain[j], chain[k]);
    if (height > slack * (chain[j] - chain[i]).norm()) {
      chords.emplace_back(k, j);
      chords.emplace_back(i, k);
    } else {
      kept.push_back(i);
    }
  }
}

/// Places in `hull` (strictly convex) of the vertices that survive.
std::vector<std::size_t> simplified_places(std::span<const Vec2> hull, double slack) {
  const Chord chord = longest_chord(hull);
  const auto from = static_cast<std::size_t>(chord.from);
  const auto to = static_cast<std::size_t>(chord.to);
  if ((hull[to] - hull[from]).norm() <= slack) return {0};

  // The ends of a longest chord cut the hull into two chains that do not double back, so that
  // being close to the line of a chord means being close to the chord.
  std::vector<Vec2> ring(hull.begin(), hull.end());
  std::rotate(ring.begin(), ring.begin() + chord.from, ring.end());
  ring.push_back(ring.front());
  const std::span<const Vec2> all(ring);
  std::vector<std::size_t> kept;
  append_simplified(all.first(to - from + 1), slack, kept);
  const std::size_t second = kept.size();
  append_simplified(all.subspan(to - from), slack, kept);
  for (std::size_t i = second; i < kept.size(); ++i) kept[i] += to - from;
  for (std::size_t& i : kept) i = (i + from) % hull.size();
  return kept;
}

}  // namespace

double point_set_size(std::span<const Vec2> points) {
  TACT_EXPECTS(!points.empty());
  Vec2 low = points.front();
  Vec2 high = points.front();
  for (const Vec2& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return (high - low).norm();
}

double point_set_slack(std::span<const Vec2> points, double relative) {
  double largest = 0;
  for (const Vec2& p : points) largest = std::max(largest, p.lpNorm<Eigen::Infinity>());
  return std::max(relative * point_set_size(points), 4 * tolerance::epsilon * largest);
}

std::vector<Index> exact_hull_indices(std::span<const Vec2> points) {
  TACT_EXPECTS(!points.empty());
  TACT_EXPECTS(all_finite(points));
  std::vector<Index> order = sorted_places(points);
  if (order.size() == 1) return order;
  std::vector<Index> hull;
  append_chain(points, order.begin(), order.end(), hull);
  append_chain(points, order.rbegin(), order.rend(), hull);
  return hull;
}

std::vector<Index> convex_hull_indices(std::span<const Vec2> points, double relative) {
  TACT_EXPECTS(relative >= 0 && relative < 1);
  const std::vector<Index> exact = exact_hull_indices(points);
  const std::vector<Vec2> vertices = gather(points, exact);
  const double slack = point_set_slack(vertices, relative);
  std::vector<Index> hull;
  for (const std::size_t i : simplified_places(vertices, slack)) hull.push_back(exact[i]);
  const auto lexicographic = [&](Index i, Index j) {
    const Vec2& a = at(points, i);
    const Vec2& b = at(points, j);
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
  };
  std::rotate(hull.begin(), std::min_element(hull.begin(), hull.end(), lexicographic), hull.end());
  return hull;
}

std::vector<Vec2> exact_hull(std::span<const Vec2> points) {
  return gather(points, exact_hull_indices(points));
}

std::vector<Vec2> convex_hull(std::span<const Vec2> points, double relative) {
  return gather(points, convex_hull_indices(points, relative));
}

}  // namespace tact
