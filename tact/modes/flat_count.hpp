// modes/flat_count.hpp - how many faces planes cut a cone into, without visiting them.
//
// A flat is an intersection of planes. Zaslavsky's theorem for a cone C says that the faces in C
// number, by codimension j,
//
//   f_j = sum over the flats Y that meet C of w_j(Y),   w_j(Y) = sum over flats X of codimension j
//                                                       that contain Y of |mu(X, Y)|,
//
// mu being the Moebius function of the flats: one section of the cone per flat instead of one split
// per face, and there are 2^codim as many faces as flats where planes are in general position. The
// polynomial w(Y) = sum_j w_j t^j is (1 + t)^codim where just codim planes contain Y. A plane that
// is alone in being added multiplies it by 1 + t. Otherwise the flats above Y, which all meet C,
// are summed over: mu is defined by
//
//   w_j(Y) = sum over flats Z that contain Y, Z != Y, of (-1)^(codim Y - codim Z - 1) w_j(Z),  j <
//   codim Y, and w_codim(Y) = 1.
//
// Flats are enumerated once each: a plane is added to a flat only if no plane before it becomes
// part of the flat with it (prefix-preserving closure).
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "tact/modes/modes.hpp"
#include "tact/modes/split_cone.hpp"

namespace tact::detail {

__extension__ using SignedCount = __int128;

template <class A>
class FlatCount {
 public:
  explicit FlatCount(A arithmetic) : cutter_(std::move(arithmetic)) {}

  /// Faces of the open cone by codimension. The cone must be classified.
  std::vector<ModeCount> faces(const SplitCone<A>& cone) {
    root_ = &cone;
    local_.clear();
    inconsistent_ = false;
    std::vector<Word> all(cone.cut.begin(), cone.cut.begin() + cone.plane_words);
    const Sum sum = sum_over(all, 0);
    std::vector<ModeCount> faces(sum.by_rank.size(), 0);
    for (const auto& row : sum.by_rank)
      for (std::size_t j = 0; j < row.size(); ++j) faces[j] += row[j];
    return faces;
  }
  /// Policy tolerance: a plane that did not cut a cone cut a part of it.
  [[nodiscard]] bool inconsistent() const { return inconsistent_; }

 private:
  using Polynomial = std::vector<ModeCount>;
  struct Sum {
    std::vector<Word> planes;          ///< the run is over these
    std::vector<Polynomial> by_rank;   ///< sum of w over the flats of a codimension
    std::vector<ModeCount> plain;      ///< how many of a codimension have w = (1 + t)^codim
    int top = -1;                      ///< codimension of the flat that all planes contain, if met
  };
  struct Level {
    SplitCone<A> cone;
    Polynomial weight;  ///< w of the flat; empty means (1 + t)^codim
  };

  Cutter<A> cutter_;
  const SplitCone<A>* root_ = nullptr;
  std::vector<std::vector<Level>> levels_;  ///< by depth of nested sums, then of cuts
  std::map<std::vector<Word>, Polynomial> local_;
  std::vector<int> crossing_;
  std::vector<double> ratio_;
  bool inconsistent_ = false;

  /// Over the flats of `planes` that meet the root cone, the top one included.
  Sum sum_over(const std::vector<Word>& planes, std::size_t nesting) {
    Sum sum;
    sum.planes = planes;
    const std::size_t depth = root_->dim + 2;
    sum.by_rank.resize(depth);
    sum.plain.assign(depth, 0);
    if (levels_.size() <= nesting) levels_.resize(nesting + 1);
    if (levels_[nesting].size() < depth) levels_[nesting].resize(depth);
    levels_[nesting][0].cone = *root_;
    levels_[nesting][0].weight.clear();
    visit(sum, nesting, 0, -1);
    for (std::size_t c = 0; c < depth; ++c)
      if (sum.plain[c] != 0) add(sum.by_rank[c], binomials(c), sum.plain[c]);
    if (sum.top >= 0) add(sum.by_rank[sum.top], top_weight(sum), 1);
    return sum;
  }

  void visit(Sum& sum, std::size_t nesting, int codim, int last) {
    Level& level = levels_[nesting][codim];
    record(sum, level, codim);
    const SplitCone<A>& cone = level.cone;
    if (cone.lines == 0 && cone.rays <= 1) return;
    if (cone.lines == 0 && cone.rays == 2) return visit_sector(sum, nesting, codim, last);
    for (int h = next_in(cone.cut.data(), cone.plane_words, last + 1); h >= 0;
         h = next_in(cone.cut.data(), cone.plane_words, h + 1)) {
      if (!has(sum.planes.data(), h)) continue;
      Level& child = levels_[nesting][codim + 1];
      cutter_.cut(cone, h, 0, -1, child.cone);
      child.cone.classify();
      check(cone, child.cone);
      const int added = joined(sum, cone, child.cone, h);
      if (added == 0) continue;
      weigh(level, child, codim, added, sum, nesting);
      visit(sum, nesting, codim + 1, h);
    }
  }

  /// How many planes of the run vanish on the child and not on the parent; 0 if one before h does.
  int joined(const Sum& sum, const SplitCone<A>& parent, const SplitCone<A>& child, int h) const {
    int count = 0;
    for (int w = 0; w < parent.plane_words; ++w) {
      const Word fresh = child.zero[w] & ~parent.zero[w] & sum.planes[w];
      if (w < h / 64 && fresh != 0) return 0;
      if (w == h / 64 && (fresh & ((Word{1} << (h % 64)) - 1)) != 0) return 0;
      count += std::popcount(fresh);
    }
    return count;
  }

  void weigh(const Level& parent, Level& child, int codim, int added, const Sum& sum,
             std::size_t nesting) {
    child.weight.clear();
    if (added == 1) {
      if (!parent.weight.empty()) child.weight = times_one_plus_t(parent.weight);
      return;
    }
    std::vector<Word> planes(child.cone.plane_words);
    for (int w = 0; w < child.cone.plane_words; ++w)
      planes[w] = child.cone.zero[w] & sum.planes[w];
    if (planes != sum.planes) child.weight = local_weight(planes, codim + 1, nesting);
  }

  /// w of the flat that just these planes contain.
  Polynomial local_weight(const std::vector<Word>& planes, int codim, std::size_t nesting) {
    const int count = size_of(planes.data(), static_cast<int>(planes.size()));
    if (codim == 2) return {ModeCount(count) - 1, ModeCount(count), 1};
    if (const auto known = local_.find(planes); known != local_.end()) return known->second;
    const Sum sum = sum_over(planes, nesting + 1);
    Polynomial weight = sum.top >= 0 ? top_weight(sum) : binomials(codim);
    local_.emplace(planes, weight);
    return weight;
  }

  void record(Sum& sum, const Level& level, int codim) {
    bool top = codim > 0;
    for (int w = 0; w < level.cone.plane_words && top; ++w)
      top = (sum.planes[w] & ~level.cone.zero[w]) == 0;
    if (top)
      sum.top = codim;
    else if (level.weight.empty())
      ++sum.plain[codim];
    else
      add(sum.by_rank[codim], level.weight, 1);
  }

  /// The top flat's weight from all the others'.
  Polynomial top_weight(const Sum& sum) const {
    Polynomial weight(sum.top + 1, 0);
    for (int j = 0; j < sum.top; ++j) {
      SignedCount total = 0;
      for (int c = j; c < sum.top; ++c) {
        if (j >= static_cast<int>(sum.by_rank[c].size())) continue;
        const auto term = static_cast<SignedCount>(sum.by_rank[c][j]);
        total += (sum.top - c) % 2 == 1 ? term : -term;
      }
      weight[j] = static_cast<ModeCount>(total);
    }
    weight[sum.top] = 1;
    return weight;
  }

  /// Two rays left: a plane meets the sector between them in one ray, and planes meet in the same
  /// one iff their values have the same ratio.
  void visit_sector(Sum& sum, std::size_t nesting, int codim, int last) {
    const SplitCone<A>& cone = levels_[nesting][codim].cone;
    crossing_.clear();
    ratio_.clear();
    for (int h = next_in(cone.cut.data(), cone.plane_words, 0); h >= 0;
         h = next_in(cone.cut.data(), cone.plane_words, h + 1)) {
      if (!has(sum.planes.data(), h)) continue;
      crossing_.push_back(h);
      ratio_.push_back(A::approximate(cone.ray(0)[h]) / A::approximate(cone.ray(1)[h]));
    }
    const int count = static_cast<int>(crossing_.size());
    for (int a = 0; a < count; ++a) {
      int twins = 0;
      bool first = true;
      for (int b = 0; b < count && first; ++b) {
        if (b == a || !same_crossing(cone, a, b)) continue;
        first = b > a;
        ++twins;
      }
      if (first && crossing_[a] > last) add_crossing(sum, nesting, codim, a, twins);
    }
  }

  [[nodiscard]] bool same_crossing(const SplitCone<A>& cone, int a, int b) const {
    // Ratios of doubles are good to a few units of round-off: far apart is different.
    if constexpr (A::exact)
      if (std::abs(ratio_[a] - ratio_[b]) > tolerance::rounding * std::abs(ratio_[a])) return false;
    const int h = crossing_[a];
    const int k = crossing_[b];
    return cutter_.arithmetic().same_ratio(cone.ray(0)[h], cone.ray(1)[h], cone.ray(0)[k],
                                           cone.ray(1)[k]);
  }

  void add_crossing(Sum& sum, std::size_t nesting, int codim, int a, int twins) {
    const Level& level = levels_[nesting][codim];
    std::vector<Word>& planes = meeting_;
    planes.assign(level.cone.plane_words, 0);
    for (int w = 0; w < level.cone.plane_words; ++w)
      planes[w] = level.cone.zero[w] & sum.planes[w];
    put(planes.data(), crossing_[a]);
    for (int b = a + 1; b < static_cast<int>(crossing_.size()) && twins > 0; ++b)
      if (same_crossing(level.cone, a, b)) put(planes.data(), crossing_[b]);
    if (planes == sum.planes) {
      sum.top = codim + 1;
    } else if (twins == 0) {
      if (level.weight.empty())
        ++sum.plain[codim + 1];
      else
        add(sum.by_rank[codim + 1], times_one_plus_t(level.weight), 1);
    } else {
      // The nested sum uses crossing_ itself.
      const std::vector<int> crossing = crossing_;
      const std::vector<double> ratio = ratio_;
      const std::vector<Word> set = planes;
      add(sum.by_rank[codim + 1], local_weight(set, codim + 1, nesting), 1);
      crossing_ = crossing;
      ratio_ = ratio;
    }
  }
  std::vector<Word> meeting_;

  void check(const SplitCone<A>& parent, const SplitCone<A>& child) {
    if constexpr (!A::exact)
      for (int w = 0; w < parent.plane_words; ++w)
        inconsistent_ = inconsistent_ || (child.cut[w] & ~parent.cut[w]) != 0;
  }

  static void add(Polynomial& to, const Polynomial& p, ModeCount times) {
    if (to.size() < p.size()) to.resize(p.size(), 0);
    for (std::size_t j = 0; j < p.size(); ++j) to[j] += times * p[j];
  }
  static Polynomial times_one_plus_t(const Polynomial& p) {
    Polynomial out(p.size() + 1, 0);
    for (std::size_t j = 0; j < p.size(); ++j) {
      out[j] += p[j];
      out[j + 1] += p[j];
    }
    return out;
  }
  static Polynomial binomials(std::size_t n) {
    Polynomial p{1};
    for (std::size_t k = 0; k < n; ++k) p = times_one_plus_t(p);
    return p;
  }
};

}  // namespace tact::detail
