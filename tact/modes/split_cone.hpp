// modes/split_cone.hpp - a polyhedral cone by its generators, and how a plane cuts it.
//
// A cone is the sum of rays (nonnegative multiples) and lines (any multiple). Of a generator only
// its values on planes are stored: whether a plane cuts the cone, and what is left on either side,
// needs no coordinates. The first `planes` values are those of the planes that may cut; further
// columns are carried along (coordinates, for witnesses).
//
// A cone stands for its relative interior: a plane cuts it iff it has both signs, or is not zero on
// a line. The facets met so far tell which rays are neighbours: two rays span an edge iff no third
// ray lies on all the facets they share (Motzkin's double description).
#pragma once

#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/modes/arithmetic.hpp"
#include "tact/modes/bits.hpp"

namespace tact::detail {

/// What is known of generators besides their values; knowing nothing takes no memory.
template <class Tag>
struct NoTags {
  Tag nothing{};
  [[nodiscard]] Tag& operator[](int /*k*/) { return nothing; }
  [[nodiscard]] const Tag& operator[](int /*k*/) const { return nothing; }
  [[nodiscard]] static int size() { return std::numeric_limits<int>::max(); }
  static void resize(int /*size*/) {}
};
template <class Tag>
using TagList = std::conditional_t<std::is_empty_v<Tag>, NoTags<Tag>, std::vector<Tag>>;

/// Generators in flat arrays, reused from cut to cut without allocation once they are large enough.
template <class A>
struct SplitCone {
  using Value = typename A::Value;
  using Tag = typename A::Tag;

  int planes = 0;
  int width = 0;        ///< values of a generator: planes, then what is carried along
  int plane_words = 0;  ///< words_for(planes)
  int facet_words = 0;
  int set_words = 0;  ///< of a ray: facets, and planes twice
  int dim = 0;        ///< of the cone; while contacts are added one by one, of the space around it
  int rays = 0;
  int lines = 0;
  int silent = 0;  ///< lines that no plane feels any more: of the cone, but not stored

  int line_room = 0;          ///< lines there is room for before the first ray
  std::vector<Value> values;  ///< of the lines, then of the rays
  TagList<Tag> tags;          ///< likewise
  /// Per ray: the facets it lies on, the planes it is above of, and those it is below of.
  std::vector<Word> ray_sets;
  int signed_rays = 0;  ///< so many of the first rays have their signs
  WordSet facets;       ///< all of them

  WordSet cut;   ///< planes that cut the cone, filled by classify()
  WordSet zero;  ///< planes that vanish on it
  WordSet positive, negative;

  void shape(int planes_in, int width_in, int facet_words_in) {
    planes = planes_in;
    width = width_in;
    plane_words = words_for(planes);
    facet_words = facet_words_in;
    set_words = facet_words + 2 * plane_words;
    facets.assign(facet_words, 0);
    rays = lines = silent = signed_rays = 0;
  }
  /// More lines than before only while there is no ray.
  void reserve(int ray_count, int line_count) {
    if (rays == 0) line_room = line_count;
    grow(values, (line_room + ray_count) * width);
    grow(tags, line_room + ray_count);
    grow(ray_sets, ray_count * set_words);
  }

  [[nodiscard]] Value* line(int l) { return values.data() + offset_of(l, width); }
  [[nodiscard]] const Value* line(int l) const { return values.data() + offset_of(l, width); }
  [[nodiscard]] Value* ray(int r) { return line(line_room + r); }
  [[nodiscard]] const Value* ray(int r) const { return line(line_room + r); }
  [[nodiscard]] Tag& line_tag(int l) { return tags[l]; }
  [[nodiscard]] const Tag& line_tag(int l) const { return tags[l]; }
  [[nodiscard]] Tag& ray_tag(int r) { return tags[line_room + r]; }
  [[nodiscard]] const Tag& ray_tag(int r) const { return tags[line_room + r]; }
  [[nodiscard]] View<A> line_view(int l) const { return {line(l), &line_tag(l)}; }
  [[nodiscard]] View<A> ray_view(int r) const { return {ray(r), &ray_tag(r)}; }

  [[nodiscard]] Word* facets_of(int r) { return ray_sets.data() + offset_of(r, set_words); }
  [[nodiscard]] const Word* facets_of(int r) const {
    return ray_sets.data() + offset_of(r, set_words);
  }
  [[nodiscard]] const Word* above_of(int r) const { return facets_of(r) + facet_words; }
  [[nodiscard]] const Word* below_of(int r) const { return above_of(r) + plane_words; }

  /// Which planes cut, vanish, or have one sign.
  void classify() {
    sign_rays();
    for (WordSet* set : {&cut, &zero, &positive, &negative}) set->resize(plane_words);
    for (int w = 0; w < plane_words; ++w) {
      const int count = std::min(64, planes - 64 * w);
      Word above = 0;
      Word below = 0;
      for (int r = 0; r < rays; ++r) {
        above |= above_of(r)[w];
        below |= below_of(r)[w];
      }
      for (int l = 0; l < lines; ++l) {
        const Word felt = support_of(line(l) + offset_of(w, 64), count);
        above |= felt;
        below |= felt;
      }
      positive[w] = above;
      negative[w] = below;
      cut[w] = above & below;
      zero[w] = first_bits(count) & ~(above | below);
    }
  }

 private:
  /// Cuts made on the way to another need no signs: they are found when they are asked for.
  void sign_rays() {
    for (; signed_rays < rays; ++signed_rays) {
      Word* above = facets_of(signed_rays) + facet_words;
      for (int w = 0; w < plane_words; ++w) {
        const int first = 64 * w;
        const SignWords here = signs_of(ray(signed_rays) + first, std::min(64, planes - first));
        above[w] = here.plus;
        above[plane_words + w] = here.minus;
      }
    }
  }

  /// At least twice as large, or rays that come one by one would each ask for memory.
  template <class List>
  static void grow(List& list, int size) {
    const int now = static_cast<int>(list.size());
    if (now < size) list.resize(std::max(size, 2 * now));
  }
};

/// How to cut, with scratch memory.
template <class A>
class Cutter {
 public:
  using Value = typename A::Value;
  using Tag = typename A::Tag;
  using Cone = SplitCone<A>;

  explicit Cutter(A arithmetic) : arithmetic_(std::move(arithmetic)) {}
  [[nodiscard]] const A& arithmetic() const { return arithmetic_; }

  /// `to` becomes what of `from` lies on side * plane > 0, or on the plane for side 0; `facet` is
  /// the bit the plane gets as a facet (side not 0). The plane must cut `from`.
  void cut(const Cone& from, int plane, int side, int facet, Cone& to) {
    to.shape(from.planes, from.width, from.facet_words);
    copy_facets(from.facets.data(), to.facets.data(), from.facet_words);
    to.dim = side == 0 ? from.dim - 1 : from.dim;
    to.silent = from.silent;
    const int pivot = pivot_line(from, plane);
    if (pivot >= 0)
      cut_lines(from, plane, pivot, side, facet, to);
    else
      cut_rays(from, plane, side, facet, to);
    if (side != 0) put(to.facets.data(), facet);
  }

  /// The line to use up when `plane` becomes zero, or -1 if it vanishes on all of them.
  [[nodiscard]] static int pivot_line(const Cone& cone, int plane) {
    int best = -1;
    for (int l = 0; l < cone.lines; ++l) {
      const Value& v = cone.line(l)[plane];
      if (sign_of(v) == 0) continue;
      if (best < 0 || A::better_pivot(v, cone.line(best)[plane])) best = l;
    }
    return best;
  }

  /// Moves x along the line until `plane` is zero, x keeping its direction modulo the line.
  void slide(const Cone& cone, int pivot, int plane, View<A> x, Value* out, Tag& tag) {
    if (sign_of(x.values[plane]) == 0) {
      std::copy(x.values, x.values + cone.width, out);
      tag = *x.tag;
      return;
    }
    arithmetic_.eliminate(plane, x, cone.line_view(pivot), cone.planes, cone.width, out, tag);
    out[plane] = 0;
  }

 private:
  A arithmetic_;
  std::vector<int> above_, below_;
  std::vector<Word> shared_;

  void cut_lines(const Cone& from, int plane, int pivot, int side, int facet, Cone& to) {
    to.reserve(from.rays + 1, from.lines);
    for (int l = 0; l < from.lines; ++l) {
      if (l == pivot) continue;
      slide(from, pivot, plane, from.line_view(l), to.line(to.lines), to.line_tag(to.lines));
      ++(vanishes(to.line(to.lines), to.width) ? to.silent : to.lines);
    }
    for (int r = 0; r < from.rays; ++r) {
      slide(from, pivot, plane, from.ray_view(r), to.ray(r), to.ray_tag(r));
      copy_facets(from.facets_of(r), to.facets_of(r), from.facet_words);
      if (side != 0) put(to.facets_of(r), facet);
    }
    to.rays = from.rays;
    if (side == 0) return;
    Value* ray = to.ray(to.rays);
    const Value* line = from.line(pivot);
    const bool turn = sign_of(line[plane]) != side;
    for (int k = 0; k < to.width; ++k) {
      if (turn)
        ray[k] = -line[k];
      else
        ray[k] = line[k];
    }
    to.ray_tag(to.rays) = turn ? A::negated(from.line_tag(pivot)) : from.line_tag(pivot);
    copy_facets(from.facets.data(), to.facets_of(to.rays), from.facet_words);
    ++to.rays;
  }

  void cut_rays(const Cone& from, int plane, int side, int facet, Cone& to) {
    above_.clear();
    below_.clear();
    int kept = 0;
    for (int r = 0; r < from.rays; ++r) {
      const int sign = sign_of(from.ray(r)[plane]);
      if (sign > 0) above_.push_back(r);
      if (sign < 0) below_.push_back(r);
      kept += sign == 0 || sign == side ? 1 : 0;
    }
    to.reserve(kept, from.lines);
    for (int l = 0; l < from.lines; ++l) {
      std::copy(from.line(l), from.line(l) + from.width, to.line(l));
      to.line_tag(l) = from.line_tag(l);
    }
    to.lines = from.lines;
    if (from.signed_rays == from.rays) to.signed_rays = kept;
    for (int r = 0; r < from.rays; ++r) {
      const int sign = sign_of(from.ray(r)[plane]);
      if (sign != 0 && sign != side) continue;
      copy_ray(from, r, to);
      if (sign == 0 && side != 0) put(to.facets_of(to.rays - 1), facet);
    }
    for (const int p : above_)
      for (const int q : below_)
        if (neighbours(from, p, q)) join(from, plane, p, q, side, facet, to);
  }

  /// The point of the plane between two rays on its two sides.
  void join(const Cone& from, int plane, int p, int q, int side, int facet, Cone& to) {
    to.reserve(to.rays + 1, to.lines);
    const int r = to.rays++;
    arithmetic_.eliminate(plane, from.ray_view(p), from.ray_view(q), from.planes, from.width,
                          to.ray(r), to.ray_tag(r));
    to.ray(r)[plane] = 0;
    for (int w = 0; w < from.facet_words; ++w)
      to.facets_of(r)[w] = from.facets_of(p)[w] & from.facets_of(q)[w];
    if (side != 0) put(to.facets_of(r), facet);
  }

  [[nodiscard]] bool neighbours(const Cone& cone, int p, int q) {
    if (cone.rays <= 2) return true;
    const int words = cone.facet_words;
    shared_.resize(words);
    int count = 0;
    for (int w = 0; w < words; ++w) {
      shared_[w] = cone.facets_of(p)[w] & cone.facets_of(q)[w];
      count += size_of(shared_[w]);
    }
    if (count < cone.dim - cone.lines - cone.silent - 2) return false;
    for (int r = 0; r < cone.rays; ++r) {
      if (r == p || r == q) continue;
      bool covers = true;
      for (int w = 0; w < words && covers; ++w) covers = (shared_[w] & ~cone.facets_of(r)[w]) == 0;
      if (covers) return false;
    }
    return true;
  }

  static void copy_facets(const Word* from, Word* to, int words) {
    to[0] = from[0];  // most cones have one word: no call for it
    if (words > 1) std::copy(from + 1, from + words, to + 1);
  }
  static void copy_ray(const Cone& from, int r, Cone& to) {
    const int s = to.rays++;
    std::copy(from.ray(r), from.ray(r) + from.width, to.ray(s));
    to.ray_tag(s) = from.ray_tag(r);
    std::copy_n(from.facets_of(r), from.set_words, to.facets_of(s));  // and its signs, if known
  }
  static bool vanishes(const Value* x, int width) {
    return std::all_of(x, x + width, [](const Value& v) { return sign_of(v) == 0; });
  }
};

}  // namespace tact::detail
