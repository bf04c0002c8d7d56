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
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "tact/modes/modes.hpp"
#include "tact/modes/split_cone.hpp"
#include "tact/modes/stop_wish.hpp"

namespace tact::detail {

__extension__ using SignedCount = __int128;

template <class A>
class FlatCount {
 public:
  explicit FlatCount(A arithmetic) : cutter_(std::move(arithmetic)) {}

  /// Faces of the open cone by codimension; lives until the next call. The cone must be classified,
  /// and no two of the planes that cut it be multiples of each other on it.
  const std::vector<ModeCount>& faces(const SplitCone<A>& cone) {
    root_ = &cone;
    local_.clear();
    inconsistent_ = false;
    faces_.assign(1, 1);
    planes_.assign(cone.cut.data(), cone.cut.data() + cone.plane_words);
    if (size_of(planes_.data(), cone.plane_words) == 0) return faces_;
    const Sum& sum = sum_over(planes_, 0);
    faces_.assign(sum.ranks, 0);
    for (int c = 0; c < sum.ranks; ++c)
      for (int j = 0; j <= c; ++j) faces_[j] += sum.at(c)[j];
    return faces_;
  }
  /// From now on faces() throws WorkStopped if this is wished.
  void obey(StopWish wish) { wish_ = wish; }
  /// Policy tolerance: a plane that did not cut a cone cut a part of it.
  [[nodiscard]] bool inconsistent() const { return inconsistent_; }

 private:
  using Polynomial = std::vector<ModeCount>;
  struct Level {
    SplitCone<A> cone;
    Polynomial weight;  ///< w of the flat; empty means (1 + t)^codim
  };
  /// One run over the flats of some planes.
  struct Sum {
    std::vector<Word> planes;
    int ranks = 0;                 ///< codimensions are below this
    std::vector<ModeCount> table;  ///< sum of w over the flats of each codimension
    std::vector<ModeCount> plain;  ///< how many of a codimension have w = (1 + t)^codim
    int top = -1;                  ///< codimension of the flat that all planes contain, if met
    std::vector<Level> levels;     ///< by codimension, as far as the run has come

    [[nodiscard]] ModeCount* at(int codim) { return table.data() + offset_of(codim, ranks); }
    [[nodiscard]] const ModeCount* at(int codim) const {
      return table.data() + offset_of(codim, ranks);
    }
    void add(int codim, const Polynomial& p, ModeCount times) {
      for (std::size_t j = 0; j < p.size(); ++j) at(codim)[j] += times * p[j];
    }
  };

  Cutter<A> cutter_;
  StopWish wish_;
  const SplitCone<A>* root_ = nullptr;
  std::vector<std::unique_ptr<Sum>> sums_;  ///< by how deep sums are nested
  std::map<std::vector<Word>, Polynomial> local_;
  std::vector<ModeCount> faces_;
  std::vector<Word> planes_, meeting_;
  std::vector<int> crossing_;
  std::vector<double> ratio_;
  bool inconsistent_ = false;

  /// Over the flats of `planes` that meet the root cone, the top one included.
  const Sum& sum_over(const std::vector<Word>& planes, std::size_t nesting) {
    while (sums_.size() <= nesting) sums_.push_back(std::make_unique<Sum>());
    Sum& sum = *sums_[nesting];
    sum.planes = planes;
    sum.ranks = root_->dim + 1;
    sum.table.assign(sum.ranks * sum.ranks, 0);
    sum.plain.assign(sum.ranks, 0);
    sum.top = -1;
    if (static_cast<int>(sum.levels.size()) < sum.ranks) sum.levels.resize(sum.ranks);
    sum.levels[0].weight.clear();
    visit(sum, nesting, 0, -1);
    for (int c = 0; c < sum.ranks; ++c)
      if (sum.plain[c] != 0) add_binomials(sum, c);
    if (sum.top >= 0) sum.add(sum.top, top_weight(sum), 1);
    return sum;
  }

  [[nodiscard]] const SplitCone<A>& cone_at(const Sum& sum, int codim) const {
    return codim == 0 ? *root_ : sum.levels[codim].cone;
  }

  void visit(Sum& sum, std::size_t nesting, int codim, int last) {
    wish_.heed();
    record(sum, codim);
    const SplitCone<A>& cone = cone_at(sum, codim);
    const int generators = cone.rays + cone.lines;
    if (generators == 0) return;
    if (generators == 1) return visit_line(sum, codim);
    if (generators == 2) return visit_sector(sum, nesting, codim, last);
    for (int h = next_in(cone.cut.data(), cone.plane_words, last + 1); h >= 0;
         h = next_in(cone.cut.data(), cone.plane_words, h + 1)) {
      if (!has(sum.planes.data(), h)) continue;
      SplitCone<A>& child = sum.levels[codim + 1].cone;
      cutter_.cut(cone, h, 0, -1, child);
      child.classify();
      check(cone, child);
      const int added = joined(sum, cone, child, h);
      if (added == 0) continue;
      weigh(sum, nesting, codim, added);
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

  /// w of the child from that of its parent, if one plane was added, else from its own planes.
  void weigh(Sum& sum, std::size_t nesting, int codim, int added) {
    const Polynomial& parent = sum.levels[codim].weight;
    Level& child = sum.levels[codim + 1];
    child.weight.clear();
    if (added == 1) {
      if (!parent.empty()) times_one_plus_t(parent, child.weight);
      return;
    }
    std::vector<Word> planes(child.cone.plane_words);
    for (int w = 0; w < child.cone.plane_words; ++w) planes[w] = child.cone.zero[w] & sum.planes[w];
    if (planes != sum.planes) child.weight = local_weight(planes, codim + 1, nesting);
  }

  /// w of the flat that just these planes contain.
  Polynomial local_weight(const std::vector<Word>& planes, int codim, std::size_t nesting) {
    const int count = size_of(planes.data(), static_cast<int>(planes.size()));
    if (codim == 2) return {ModeCount(count) - 1, ModeCount(count), 1};
    if (const auto known = local_.find(planes); known != local_.end()) return known->second;
    const Sum& sum = sum_over(planes, nesting + 1);
    Polynomial weight;
    if (sum.top >= 0) {
      weight = top_weight(sum);
    } else {  // cannot happen with exact signs
      inconsistent_ = true;
      weight.assign(codim + 1, 1);
    }
    local_.emplace(planes, weight);
    return weight;
  }

  void record(Sum& sum, int codim) {
    const SplitCone<A>& cone = cone_at(sum, codim);
    const Polynomial& weight = sum.levels[codim].weight;
    bool top = codim > 0;
    for (int w = 0; w < cone.plane_words && top; ++w) top = (sum.planes[w] & ~cone.zero[w]) == 0;
    if (top)
      sum.top = codim;
    else if (weight.empty())
      ++sum.plain[codim];
    else
      sum.add(codim, weight, 1);
  }

  /// The top flat's weight from all the others'.
  static Polynomial top_weight(const Sum& sum) {
    Polynomial weight(sum.top + 1, 0);
    for (int j = 0; j < sum.top; ++j) {
      SignedCount total = 0;
      for (int c = j; c < sum.top; ++c) {
        const auto term = static_cast<SignedCount>(sum.at(c)[j]);
        total += (sum.top - c) % 2 == 1 ? term : -term;
      }
      weight[j] = static_cast<ModeCount>(total);
    }
    weight[sum.top] = 1;
    return weight;
  }

  /// One generator left. Only a line can be cut, in the origin, where all planes meet.
  void visit_line(Sum& sum, int codim) {
    const SplitCone<A>& cone = cone_at(sum, codim);
    bool crossed = false;
    for (int w = 0; w < cone.plane_words; ++w)
      crossed = crossed || (cone.cut[w] & sum.planes[w]) != 0;
    if (crossed) sum.top = codim + 1;
  }

  /// Two generators left: a sector, a half-plane or a plane. A plane meets it in one ray or line,
  /// and planes meet in the same one iff their values have the same ratio. Two lines of a plane
  /// meet in the origin, with all others.
  void visit_sector(Sum& sum, std::size_t nesting, int codim, int last) {
    const SplitCone<A>& cone = cone_at(sum, codim);
    const View<A> x = cone.lines > 0 ? cone.line_view(0) : cone.ray_view(0);
    const View<A> y = cone.lines > 1 ? cone.line_view(1) : cone.ray_view(cone.rays - 1);
    crossing_.clear();
    ratio_.clear();
    for (int h = next_in(cone.cut.data(), cone.plane_words, 0); h >= 0;
         h = next_in(cone.cut.data(), cone.plane_words, h + 1)) {
      if (!has(sum.planes.data(), h)) continue;
      crossing_.push_back(h);
      ratio_.push_back(A::approximate(x.values[h]) / A::approximate(y.values[h]));
    }
    const int count = static_cast<int>(crossing_.size());
    int different = 0;
    for (int a = 0; a < count; ++a) {
      int twins = 0;
      bool first = true;
      for (int b = 0; b < count && first; ++b) {
        if (b == a || !same_crossing(x, y, a, b)) continue;
        first = b > a;
        ++twins;
      }
      different += first ? 1 : 0;
      if (first && crossing_[a] > last) add_crossing(sum, nesting, codim, a, twins);
    }
    if (cone.lines == 2 && different > 1) sum.top = codim + 2;
  }

  [[nodiscard]] bool same_crossing(View<A> x, View<A> y, int a, int b) const {
    // Ratios of whole numbers are good to a few units of round-off: far apart is different.
    if constexpr (std::is_same_v<A, Whole64>)
      if (std::abs(ratio_[a] - ratio_[b]) > tolerance::rounding * std::abs(ratio_[a])) return false;
    return cutter_.arithmetic().minor_vanishes(x, y, crossing_[a], crossing_[b]);
  }

  void add_crossing(Sum& sum, std::size_t nesting, int codim, int a, int twins) {
    const SplitCone<A>& cone = cone_at(sum, codim);
    const Polynomial& weight = sum.levels[codim].weight;
    meeting_.assign(cone.plane_words, 0);
    for (int w = 0; w < cone.plane_words; ++w) meeting_[w] = cone.zero[w] & sum.planes[w];
    put(meeting_.data(), crossing_[a]);
    const View<A> x = cone.lines > 0 ? cone.line_view(0) : cone.ray_view(0);
    const View<A> y = cone.lines > 1 ? cone.line_view(1) : cone.ray_view(cone.rays - 1);
    for (int b = a + 1; b < static_cast<int>(crossing_.size()) && twins > 0; ++b)
      if (same_crossing(x, y, a, b)) put(meeting_.data(), crossing_[b]);
    if (meeting_ == sum.planes) {
      sum.top = codim + 1;
    } else if (twins > 0) {
      // A nested sum uses the same scratch memory.
      const std::vector<int> crossing = crossing_;
      const std::vector<double> ratio = ratio_;
      const std::vector<Word> planes = meeting_;
      sum.add(codim + 1, local_weight(planes, codim + 1, nesting), 1);
      crossing_ = crossing;
      ratio_ = ratio;
    } else if (weight.empty()) {
      ++sum.plain[codim + 1];
    } else {
      times_one_plus_t(weight, product_);
      sum.add(codim + 1, product_, 1);
    }
  }
  Polynomial product_;

  void check(const SplitCone<A>& parent, const SplitCone<A>& child) {
    if constexpr (!A::exact)
      for (int w = 0; w < parent.plane_words; ++w)
        inconsistent_ = inconsistent_ || (child.cut[w] & ~parent.cut[w]) != 0;
  }

  static void times_one_plus_t(const Polynomial& p, Polynomial& out) {
    out.assign(p.size() + 1, 0);
    for (std::size_t j = 0; j < p.size(); ++j) {
      out[j] += p[j];
      out[j + 1] += p[j];
    }
  }
  static void add_binomials(Sum& sum, int n) {
    ModeCount binomial = 1;
    for (int j = 0; j <= n; ++j) {
      sum.at(n)[j] += sum.plain[n] * binomial;
      binomial = binomial * static_cast<ModeCount>(n - j) / static_cast<ModeCount>(j + 1);
    }
  }
};

}  // namespace tact::detail
