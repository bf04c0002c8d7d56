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
  /// A plane that crosses a sector, and where.
  struct Crossing {
    int plane = 0;
    double ratio = 0;
  };
  /// One run over the flats of some planes.
  struct Sum {
    std::vector<Word> planes;
    int ranks = 0;                 ///< codimensions are below this
    std::vector<ModeCount> table;  ///< sum of w over the flats of each codimension
    std::vector<ModeCount> plain;  ///< how many of a codimension have w = (1 + t)^codim
    int top = -1;                  ///< codimension of the flat that all planes contain, if met
    Polynomial top_weight;         ///< its w
    std::vector<Level> levels;     ///< by codimension, as far as the run has come

    std::vector<Word> flat;           ///< the planes of the flat at hand
    std::vector<Crossing> crossings;  ///< of a sector
    Polynomial weight;                ///< of one more flat

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
  std::vector<Word> planes_;
  bool inconsistent_ = false;

  /// Over the flats of `planes` that meet the root cone, the top one included.
  const Sum& sum_over(const std::vector<Word>& planes, std::size_t nesting) {
    while (sums_.size() <= nesting) sums_.push_back(std::make_unique<Sum>());
    Sum& sum = *sums_[nesting];
    sum.planes = planes;
    sum.ranks = std::min(root_->dim, size_of(planes.data(), root_->plane_words)) + 1;
    sum.table.assign(sum.ranks * sum.ranks, 0);
    sum.plain.assign(sum.ranks, 0);
    sum.top = -1;
    sum.levels.reserve(root_->dim + 1);
    if (static_cast<int>(sum.levels.size()) < sum.ranks) sum.levels.resize(sum.ranks);
    sum.levels[0].weight.clear();
    visit(sum, nesting, 0, -1);
    add_plain(sum);
    if (sum.top >= 0) {
      weigh_top(sum);
      sum.add(sum.top, sum.top_weight, 1);
    }
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
      count += size_of(fresh);
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
    name_flat(child.cone, sum);
    if (sum.flat != sum.planes) local_weight(sum.flat, codim + 1, nesting, child.weight);
  }

  /// The planes of the run that vanish on the cone.
  static void name_flat(const SplitCone<A>& cone, Sum& sum) {
    sum.flat.resize(cone.plane_words);
    for (int w = 0; w < cone.plane_words; ++w) sum.flat[w] = cone.zero[w] & sum.planes[w];
  }

  /// w of the flat that just these planes contain.
  void local_weight(const std::vector<Word>& planes, int codim, std::size_t nesting,
                    Polynomial& weight) {
    const int count = size_of(planes.data(), static_cast<int>(planes.size()));
    if (codim == 2) {
      weight.assign({ModeCount(count) - 1, ModeCount(count), 1});
      return;
    }
    const auto [place, unknown] = local_.try_emplace(planes);
    if (unknown) place->second = counted_weight(planes, codim, nesting);
    weight = place->second;
  }
  Polynomial counted_weight(const std::vector<Word>& planes, int codim, std::size_t nesting) {
    const Sum& sum = sum_over(planes, nesting + 1);
    if (sum.top >= 0) return sum.top_weight;
    inconsistent_ = true;  // cannot happen with exact signs
    return Polynomial(codim + 1, 1);
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
  static void weigh_top(Sum& sum) {
    Polynomial& weight = sum.top_weight;
    weight.assign(sum.top + 1, 0);
    for (int j = 0; j < sum.top; ++j) {
      SignedCount total = 0;
      for (int c = j; c < sum.top; ++c) {
        const auto term = static_cast<SignedCount>(sum.at(c)[j]);
        total += (sum.top - c) % 2 == 1 ? term : -term;
      }
      weight[j] = static_cast<ModeCount>(total);
    }
    weight[sum.top] = 1;
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
    sum.crossings.clear();
    sum.crossings.reserve(cone.planes);
    for (int h = next_in(cone.cut.data(), cone.plane_words, 0); h >= 0;
         h = next_in(cone.cut.data(), cone.plane_words, h + 1)) {
      if (!has(sum.planes.data(), h)) continue;
      sum.crossings.push_back({h, A::approximate(x.values[h]) / A::approximate(y.values[h])});
    }
    const int count = static_cast<int>(sum.crossings.size());
    int different = 0;
    for (int a = 0; a < count; ++a) {
      int twins = 0;
      bool first = true;
      for (int b = 0; b < count && first; ++b) {
        if (b == a || !same_crossing(sum, x, y, a, b)) continue;
        first = b > a;
        ++twins;
      }
      different += first ? 1 : 0;
      if (first && sum.crossings[a].plane > last) add_crossing(sum, nesting, codim, a, twins);
    }
    if (cone.lines == 2 && different > 1) sum.top = codim + 2;
  }

  [[nodiscard]] bool same_crossing(const Sum& sum, View<A> x, View<A> y, int a, int b) const {
    // Ratios of whole numbers are good to a few units of round-off: far apart is different.
    if constexpr (std::is_same_v<A, Whole64>)
      if (std::abs(sum.crossings[a].ratio - sum.crossings[b].ratio) >
          tolerance::rounding * std::abs(sum.crossings[a].ratio))
        return false;
    return cutter_.arithmetic().minor_vanishes(x, y, sum.crossings[a].plane,
                                               sum.crossings[b].plane);
  }

  void add_crossing(Sum& sum, std::size_t nesting, int codim, int a, int twins) {
    const SplitCone<A>& cone = cone_at(sum, codim);
    const Polynomial& weight = sum.levels[codim].weight;
    name_flat(cone, sum);
    put(sum.flat.data(), sum.crossings[a].plane);
    const View<A> x = cone.lines > 0 ? cone.line_view(0) : cone.ray_view(0);
    const View<A> y = cone.lines > 1 ? cone.line_view(1) : cone.ray_view(cone.rays - 1);
    for (int b = a + 1; b < static_cast<int>(sum.crossings.size()) && twins > 0; ++b)
      if (same_crossing(sum, x, y, a, b)) put(sum.flat.data(), sum.crossings[b].plane);
    if (sum.flat == sum.planes) {
      sum.top = codim + 1;
    } else if (twins > 0) {
      local_weight(sum.flat, codim + 1, nesting, sum.weight);
      sum.add(codim + 1, sum.weight, 1);
    } else if (weight.empty()) {
      ++sum.plain[codim + 1];
    } else {
      times_one_plus_t(weight, sum.weight);
      sum.add(codim + 1, sum.weight, 1);
    }
  }

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
  /// (1 + t)^codim for each of the plain flats: rows of Pascal's triangle.
  static void add_plain(Sum& sum) {
    Polynomial& row = sum.weight;
    row.assign(sum.ranks, 0);
    row[0] = 1;
    for (int codim = 0; codim < sum.ranks; ++codim) {
      for (int j = codim; j > 0; --j) row[j] += row[j - 1];
      for (int j = 0; j <= codim; ++j) sum.at(codim)[j] += sum.plain[codim] * row[j];
    }
  }
};

}  // namespace tact::detail
