// modes/face_visit.hpp - every face planes cut a cone into, one by one, in order.
//
// The first plane that cuts splits the cone in three: above, below, on. None is empty, so that the
// tree has at most 1.5 nodes per face and memory is its depth. Planes are taken in their order and
// sides in the order '+', '-', '0', which makes the strings come out sorted.
#pragma once

#include <string>
#include <vector>

#include "tact/modes/contact_cone.hpp"

namespace tact::detail {

/// The signs of all planes on one face: of a plane, positive, negative or neither.
struct FaceSigns {
  const Word* positive = nullptr;
  const Word* negative = nullptr;
  int dim = 0;
};

template <class A>
class FaceVisit {
 public:
  explicit FaceVisit(A arithmetic) : cutter_(std::move(arithmetic)) {}

  /// Calls see(signs, cone) for each face until it returns false; false if it did. Bits of the
  /// planes as facets start at `first_facet`. `cone` has the face as relative interior, or is null
  /// where it was not built; `whole` asks for building it always. `path` holds the sides of the
  /// first cuts: only faces behind them are visited.
  template <class See>
  bool visit(const SplitCone<A>& cone, int first_facet, bool whole, const std::string& path,
             See&& see) {
    start(cone, first_facet, whole);
    for (std::size_t depth = 0; depth < path.size(); ++depth)
      step(depth, next_in(levels_[depth].cut.data(), cone.plane_words, 0), side_of(path[depth]));
    return split(path.size(), see);
  }

  /// The paths of `depth` cuts, fewer where none is left, in order: they share out the faces.
  void paths(const SplitCone<A>& cone, int first_facet, int depth, std::vector<std::string>& out) {
    start(cone, first_facet, true);
    std::string path;
    extend(path, depth, out);
  }
  [[nodiscard]] bool inconsistent() const { return inconsistent_; }

 private:
  Cutter<A> cutter_;
  std::vector<SplitCone<A>> levels_;
  int first_facet_ = 0;
  bool whole_ = false;
  bool inconsistent_ = false;

  static constexpr const char* sides = "+-0";
  static int side_of(char c) { return c == '+' ? 1 : (c == '-' ? -1 : 0); }

  void start(const SplitCone<A>& cone, int first_facet, bool whole) {
    first_facet_ = first_facet;
    whole_ = whole;
    inconsistent_ = false;
    if (levels_.size() < static_cast<std::size_t>(cone.planes) + 2) levels_.resize(cone.planes + 2);
    levels_[0] = cone;
  }

  void step(std::size_t depth, int h, int side) {
    SplitCone<A>& child = levels_[depth + 1];
    cutter_.cut(levels_[depth], h, side, first_facet_ + h, child);
    child.classify();
    if constexpr (!A::exact) decide(levels_[depth], h, side, child);
  }

  template <class See>
  bool split(std::size_t depth, See& see) {
    SplitCone<A>& cone = levels_[depth];
    const int h = next_in(cone.cut.data(), cone.plane_words, 0);
    if (h < 0) return see(FaceSigns{cone.positive.data(), cone.negative.data(), cone.dim}, &cone);
    if (!whole_ && size_of(cone.cut.data(), cone.plane_words) == 1) return three(cone, h, see);
    for (const char* side = sides; *side != 0; ++side) {
      step(depth, h, side_of(*side));
      if (!split(depth + 1, see)) return false;
    }
    return true;
  }

  void extend(std::string& path, int depth, std::vector<std::string>& out) {
    const SplitCone<A>& cone = levels_[path.size()];
    const int h = next_in(cone.cut.data(), cone.plane_words, 0);
    if (h < 0 || static_cast<int>(path.size()) == depth) {
      out.push_back(path);
      return;
    }
    for (const char* side = sides; *side != 0; ++side) {
      step(path.size(), h, side_of(*side));
      path.push_back(*side);
      extend(path, depth, out);
      path.pop_back();
    }
  }

  /// One plane cuts: its three sides differ in its sign alone.
  template <class See>
  bool three(SplitCone<A>& cone, int h, See& see) {
    FaceSigns signs{cone.positive.data(), cone.negative.data(), cone.dim};
    remove(cone.negative.data(), h);
    if (!see(signs, nullptr)) return false;
    remove(cone.positive.data(), h);
    put(cone.negative.data(), h);
    if (!see(signs, nullptr)) return false;
    remove(cone.negative.data(), h);
    --signs.dim;
    return see(signs, nullptr);
  }

  /// With a tolerance, what was decided stays decided, or the recursion would not end.
  void decide(const SplitCone<A>& parent, int h, int side, SplitCone<A>& child) {
    for (int w = 0; w < parent.plane_words; ++w) {
      const Word again = child.cut[w] & ~parent.cut[w];
      inconsistent_ = inconsistent_ || again != 0;
      child.cut[w] &= parent.cut[w];
      child.positive[w] = (child.positive[w] & ~again) | (again & parent.positive[w]);
      child.negative[w] = (child.negative[w] & ~again) | (again & parent.negative[w]);
    }
    remove(child.cut.data(), h);
    remove(child.positive.data(), h);
    remove(child.negative.data(), h);
    if (side > 0) put(child.positive.data(), h);
    if (side < 0) put(child.negative.data(), h);
  }
};

}  // namespace tact::detail
