#include "tact/poly/calipers.hpp"

#include <algorithm>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/poly/exact_sign.hpp"

namespace tact {

namespace {

/// Calls visit(i, j) for every edge i -> i + 1 and every vertex j farthest from it (two of them if
/// the opposite edge is parallel).
template <class Visit>
void for_each_antipodal_pair(std::span<const Vec2> p, Visit visit) {
  const std::size_t n = p.size();
  const auto next = [n](std::size_t i) { return i + 1 == n ? 0 : i + 1; };
  std::size_t j = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (j == i) j = next(j);
    while (cross_sign(p[i], p[next(i)], p[j], p[next(j)]) > 0) j = next(j);
    visit(i, j);
    if (cross_sign(p[i], p[next(i)], p[j], p[next(j)]) == 0) visit(i, next(j));
  }
}

}  // namespace

Chord longest_chord(std::span<const Vec2> p) {
  TACT_EXPECTS(!p.empty());
  if (p.size() < 3) return {0, static_cast<Index>(p.size()) - 1};
  Chord best;
  double longest = -1;
  const auto offer = [&](std::size_t i, std::size_t j) {
    const double length = (p[i] - p[j]).norm();
    if (length <= longest) return;
    longest = length;
    best = {static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))};
  };
  for_each_antipodal_pair(p, [&](std::size_t i, std::size_t j) {
    offer(i, j);
    offer(i + 1 == p.size() ? 0 : i + 1, j);
  });
  return best;
}

double least_width(std::span<const Vec2> p) {
  TACT_EXPECTS(!p.empty());
  if (p.size() < 3) return 0;
  double least = std::numeric_limits<double>::infinity();
  for_each_antipodal_pair(p, [&](std::size_t i, std::size_t j) {
    const Vec2& a = p[i];
    const Vec2& b = p[i + 1 == p.size() ? 0 : i + 1];
    least = std::min(least, orient(a, b, p[j]) / (b - a).norm());
  });
  return least;
}

}  // namespace tact
