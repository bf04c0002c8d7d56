#include "tact/geom/merge_facets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>

#include "tact/geom/polyhedron.hpp"
#include "tact/poly/hull.hpp"

namespace tact {

namespace {

constexpr int none = -1;

/// The facets as half-edges: h runs from tail[h] to tail[next[h]] along facet[h]; twin[h] runs
/// back.
struct HalfEdges {
  std::vector<int> tail, next, twin, facet;
  std::vector<int> first;  ///< of each facet

  [[nodiscard]] int head(int h) const { return tail[next[h]]; }
};

std::optional<HalfEdges> half_edges(const std::vector<std::vector<int>>& loops) {
  HalfEdges e;
  for (std::size_t f = 0; f < loops.size(); ++f) {
    const int start = static_cast<int>(e.tail.size());
    const int count = static_cast<int>(loops[f].size());
    e.first.push_back(start);
    for (int i = 0; i < count; ++i) {
      e.tail.push_back(loops[f][i]);
      e.next.push_back(start + (i + 1) % count);
      e.facet.push_back(static_cast<int>(f));
    }
  }
  std::vector<int> order(e.tail.size());
  std::iota(order.begin(), order.end(), 0);
  const auto ends = [&](int h) {
    const int a = e.tail[h];
    const int b = e.head(h);
    return std::pair<int, int>(std::min(a, b), std::max(a, b));
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return ends(a) < ends(b); });
  e.twin.assign(e.tail.size(), none);
  if (order.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < order.size(); i += 2) {
    const int a = order[i];
    const int b = order[i + 1];
    if (e.tail[a] != e.head(b) || e.tail[b] != e.head(a)) return std::nullopt;
    e.twin[a] = b;
    e.twin[b] = a;
  }
  return e;
}

class Merger {
 public:
  Merger(std::span<const Vec3> vertices, const std::vector<std::vector<int>>& loops,
         HalfEdges edges)
      : vertices_(vertices),
        loops_(loops),
        edges_(std::move(edges)),
        region_(loops.size(), none),
        seen_(vertices.size(), none) {
    for (const auto& loop : loops) area_.push_back(loop_normal(vertices, loop));
  }

  std::optional<std::vector<std::vector<int>>> run(double slack) {
    for (std::size_t f = 0; f < loops_.size(); ++f) thin_.push_back(thin(f, slack) ? 1 : 0);
    std::vector<int> seeds(loops_.size());
    std::iota(seeds.begin(), seeds.end(), 0);
    std::stable_sort(seeds.begin(), seeds.end(),
                     [&](int a, int b) { return area_[a].norm() > area_[b].norm(); });
    for (const int seed : seeds) {
      if (region_[seed] == none) grow_face(seed, slack);
    }
    return outlines(slack);
  }

 private:
  /// Marks the facets of one more region, largest slack first.
  void grow_face(int seed, double slack) {
    const int region = static_cast<int>(outline_.size());
    for (const double share : {1.0, 0.01, 0.0001}) {
      const std::vector<int> facets = flood(seed, region, share * slack);
      if (facets.size() == 1) break;
      std::vector<int> outline = outline_of(facets, region);
      if (convex(outline, area_[seed], slack)) {
        outline_.push_back(std::move(outline));
        return;
      }
      for (const int f : facets) region_[f] = none;
    }
    region_[seed] = region;
    outline_.push_back(outline_of({seed}, region));
  }

  /// Whether all corners are within slack of one line: the normal of such a facet means nothing.
  [[nodiscard]] bool thin(std::size_t f, double slack) const {
    double longest = 0;
    const auto& loop = loops_[f];
    for (std::size_t i = 0; i < loop.size(); ++i)
      longest =
          std::max(longest, (vertices_[loop[(i + 1) % loop.size()]] - vertices_[loop[i]]).norm());
    return area_[f].norm() <= slack * longest;
  }

  /// Of a facet and the plane of a face: all corners within slack, and not seen from behind.
  struct Plane {
    Vec3 normal;
    double offset, slack;
  };
  [[nodiscard]] bool near(int f, const Plane& plane) const {
    return (thin_[f] != 0 || area_[f].dot(plane.normal) >= 0) &&
           std::all_of(loops_[f].begin(), loops_[f].end(), [&](int v) {
             return std::abs(plane.normal.dot(vertices_[v]) - plane.offset) <= plane.slack;
           });
  }

  /// Whether a low facet near the plane goes on beyond it: a larger neighbour that is not near is
  /// nearer to it in direction. Without this a face takes strips off the next one, which is then no
  /// polygon.
  [[nodiscard]] bool belongs_beyond(int f, const Plane& plane) const {
    if (thin_[f] != 0) return false;
    const Vec3 own = area_[f].normalized();
    const double tilt = (own - plane.normal).norm();
    int h = edges_.first[f];
    for (std::size_t k = 0; k < loops_[f].size(); ++k, h = edges_.next[h]) {
      const int other = edges_.facet[edges_.twin[h]];
      if (area_[other].norm() <= area_[f].norm() || near(other, plane)) continue;
      if ((own - area_[other].normalized()).norm() < tilt) return true;
    }
    return false;
  }

  /// The facets around the seed that are free and stay near its plane.
  std::vector<int> flood(int seed, int region, double slack) {
    const Vec3 normal = area_[seed].normalized();
    const Plane plane{normal, normal.dot(vertices_[loops_[seed][0]]), slack};
    std::vector<int> facets{seed};
    region_[seed] = region;
    for (std::size_t i = 0; i < facets.size(); ++i) {
      int h = edges_.first[facets[i]];
      for (std::size_t k = 0; k < loops_[facets[i]].size(); ++k, h = edges_.next[h]) {
        const int other = edges_.facet[edges_.twin[h]];
        if (region_[other] != none || !near(other, plane) || belongs_beyond(other, plane)) continue;
        region_[other] = region;
        facets.push_back(other);
      }
    }
    return facets;
  }

  [[nodiscard]] bool inner(int h, int region) const {
    return region_[edges_.facet[edges_.twin[h]]] == region;
  }

  /// Half-edges around a region; empty when there are several loops or one that touches itself.
  std::vector<int> outline_of(const std::vector<int>& facets, int region) {
    ++stamp_;
    std::size_t count = 0;
    int start = none;
    for (const int f : facets) {
      int h = edges_.first[f];
      for (std::size_t k = 0; k < loops_[f].size(); ++k, h = edges_.next[h]) {
        if (inner(h, region)) continue;
        if (seen_[edges_.tail[h]] == stamp_) return {};
        seen_[edges_.tail[h]] = stamp_;
        start = h;
        ++count;
      }
    }
    std::vector<int> outline;
    if (start == none) return outline;
    int h = start;
    do {
      outline.push_back(h);
      h = edges_.next[h];
      while (inner(h, region)) h = edges_.next[edges_.twin[h]];
    } while (h != start && outline.size() < count);
    if (h != start || outline.size() != count) outline.clear();
    return outline;
  }

  /// Seen along the normal the outline is a convex polygon, up to slack.
  [[nodiscard]] bool convex(const std::vector<int>& outline, const Vec3& area, double slack) const {
    if (outline.size() < 3) return false;
    const Vec3 x = area.unitOrthogonal();
    const Vec3 y = area.normalized().cross(x);
    const Vec3& origin = vertices_[edges_.tail[outline[0]]];
    std::vector<Vec2> flat;
    for (const int h : outline) {
      const Vec3 r = vertices_[edges_.tail[h]] - origin;
      flat.emplace_back(x.dot(r), y.dot(r));
    }
    const std::vector<Index> hull = convex_hull_indices(flat);
    if (hull.size() < 3) return false;
    const Index n = std::ssize(flat);
    Index around = 0;
    for (std::size_t k = 0; k < hull.size(); ++k) {
      const Index from = hull[k];
      const Index steps = (hull[(k + 1) % hull.size()] - from + n) % n;
      const Vec2 chord = flat[(from + steps) % n] - flat[from];
      around += steps;
      for (Index i = 1; i < steps; ++i) {
        const double inside = cross(chord, flat[(from + i) % n] - flat[from]);
        if (inside > slack * chord.norm()) return false;
      }
    }
    return around == n;
  }

  [[nodiscard]] int other_region(int h) const { return region_[edges_.facet[edges_.twin[h]]]; }

  /// The corners that stay: where three faces meet, and where an edge between two is bent.
  std::optional<std::vector<std::vector<int>>> outlines(double slack) {
    std::vector<char> kept(vertices_.size(), 0);
    for (std::size_t r = 0; r < outline_.size(); ++r) {
      if (!keep_corners(outline_[r], static_cast<int>(r), slack, kept)) return std::nullopt;
    }
    std::vector<std::vector<int>> result;
    for (const auto& outline : outline_) {
      std::vector<int> loop;
      for (const int h : outline) {
        if (kept[edges_.tail[h]] != 0) loop.push_back(edges_.tail[h]);
      }
      if (loop.size() < 3) return std::nullopt;
      result.push_back(std::move(loop));
    }
    return result;
  }

  /// An edge between two faces is judged once, by the face that comes first.
  bool keep_corners(const std::vector<int>& outline, int region, double slack,
                    std::vector<char>& kept) const {
    const std::size_t n = outline.size();
    std::size_t start = 0;
    while (start < n &&
           other_region(outline[start]) == other_region(outline[(start + n - 1) % n])) {
      ++start;
    }
    if (start == n) return false;  // one neighbour all around: no polyhedron
    std::vector<int> chain;
    for (std::size_t i = 0; i < n; ++i) {
      const int h = outline[(start + i) % n];
      const int after = outline[(start + i + 1) % n];
      chain.push_back(edges_.tail[h]);
      if (other_region(h) == other_region(after)) continue;
      chain.push_back(edges_.head(h));
      kept[chain.front()] = kept[chain.back()] = 1;
      if (other_region(h) > region) keep_bends(chain, slack, kept);
      chain.clear();
    }
    return true;
  }

  /// Splits a chain at its corner farthest from the chord until all are within slack.
  void keep_bends(const std::vector<int>& chain, double slack, std::vector<char>& kept) const {
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, chain.size() - 1}};
    while (!open.empty()) {
      const auto [from, to] = open.back();
      open.pop_back();
      const Vec3 chord = (vertices_[chain[to]] - vertices_[chain[from]]).normalized();
      double farthest = slack;
      std::size_t bend = from;
      for (std::size_t i = from + 1; i < to; ++i) {
        const double away = chord.cross(vertices_[chain[i]] - vertices_[chain[from]]).norm();
        if (away > farthest) {
          farthest = away;
          bend = i;
        }
      }
      if (bend == from) continue;
      kept[chain[bend]] = 1;
      open.emplace_back(from, bend);
      open.emplace_back(bend, to);
    }
  }

  std::span<const Vec3> vertices_;
  const std::vector<std::vector<int>>& loops_;
  HalfEdges edges_;
  std::vector<Vec3> area_;
  std::vector<char> thin_;                 ///< of each facet
  std::vector<int> region_;                ///< of each facet
  std::vector<int> seen_;                  ///< of each vertex: last stamp
  std::vector<std::vector<int>> outline_;  ///< of each region
  int stamp_ = 0;
};

}  // namespace

std::optional<std::vector<std::vector<int>>> merge_facets(
    std::span<const Vec3> vertices, const std::vector<std::vector<int>>& loops, double slack) {
  std::optional<HalfEdges> edges = half_edges(loops);
  if (!edges) return std::nullopt;
  return Merger(vertices, loops, *std::move(edges)).run(slack);
}

}  // namespace tact
