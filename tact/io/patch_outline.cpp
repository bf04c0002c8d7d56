#include <cmath>

#include "tact/io/patch_picture.hpp"
#include "tact/poly/exact_sign.hpp"

namespace tact {

namespace {

using Outlines = std::vector<std::vector<Vec2>>;

bool cross_each_other(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return orient_sign(a, b, c) * orient_sign(a, b, d) < 0 &&
         orient_sign(c, d, a) * orient_sign(c, d, b) < 0;
}

/// Whether the points in their order are the rim of a region. Long lists are taken for what they
/// most often are, samples.
bool is_outline(const std::vector<Vec2>& v) {
  constexpr std::size_t longest = 400;
  const std::size_t n = v.size();
  if (n > longest) return false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if (cross_each_other(v[i], v[i + 1], v[j], v[(j + 1) % n])) return false;
  return true;
}

struct Outliner {
  Outlines& out;
  int count;

  void hull_of(const PatchShape& shape) const {
    if (const auto hull = convex_hull_of(shape)) out.push_back(hull->outline(count));
  }
  void operator()(const PolygonShape& s) const {
    if (is_outline(s.points)) {
      out.push_back(s.points);
    } else {
      for (const Vec2& x : s.points) out.push_back({x});
    }
  }
  void operator()(const UnionShape& s) const {
    for (const PatchShape& part : s.parts) std::visit(*this, part.value);
  }
  template <class Round>
  void operator()(const Round& s) const {
    hull_of({s});
  }
};

}  // namespace

std::vector<std::vector<Vec2>> outlines_of(const PatchShape& shape, int count) {
  Outlines out;
  std::visit(Outliner{out, count}, shape.value);
  return out;
}

}  // namespace tact
