// geom/broad_phase.hpp - which of many boxes overlap, in near linear time.
//
// Grids of cubes whose sides are the powers of two. A box belongs to the finest grid whose cells
// are at least as large as its longest side and is written down in the cells it meets there, eight
// at most. A pair is found in the finer box's cells of the coarser box's grid, and counted only in
// the cell that holds the lower corner of the overlap, so once. A floor of 100 m under crumbs of
// 0.1 mm costs each crumb one look. Boxes with an infinite side are compared with all others.
//
// The answer depends on nothing but the boxes: pairs ascend.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tact/geom/bounds.hpp"

namespace tact {

struct IndexPair {
  int first, second;  ///< first < second
  bool operator==(const IndexPair&) const = default;
  bool operator<(const IndexPair& o) const {
    return first != o.first ? first < o.first : second < o.second;
  }
};

/// Memory that is used again: grows to the largest set seen, never shrinks.
struct BroadPhaseWorkspace {
  struct Entry {
    std::uint64_t cell;
    int box;
  };
  std::vector<Entry> found, entries;  ///< in order of boxes, and in order of buckets
  std::vector<std::uint32_t> bucket;  ///< where each bucket starts
  std::vector<int> level;             ///< of each box
  std::vector<int> unbounded;
  std::vector<int> level_count;
  std::vector<IndexPair> unsorted;
  std::vector<std::uint32_t> row;  ///< where the pairs of each first box start
};

/// All pairs of boxes that overlap (touching counts), ascending. Expects boxes without NaN and with
/// lower <= upper. Allocates nothing once the workspace and `pairs` are large enough.
void overlapping_pairs(std::span<const Bounds> boxes, BroadPhaseWorkspace& workspace,
                       std::vector<IndexPair>& pairs);

/// Only those that the filter admits: a function of two places, first < second, called once for
/// each pair that overlaps.
template <class Filter>
void overlapping_pairs(std::span<const Bounds> boxes, BroadPhaseWorkspace& workspace,
                       std::vector<IndexPair>& pairs, Filter&& admits) {
  overlapping_pairs(boxes, workspace, pairs);
  std::erase_if(pairs, [&](const IndexPair& p) { return !admits(p.first, p.second); });
}

namespace detail {
/// Whether each box is inside of the one held for it.
[[nodiscard]] bool still_held(std::span<const Bounds> boxes, std::span<const Bounds> held);
/// Boxes larger by a share of their longest side; one with an infinite side is left as it is.
void grow(std::span<const Bounds> boxes, std::vector<Bounds>& out);
}  // namespace detail

/// Boxes of bodies in motion, from call to call: pairs that could meet are looked for among boxes
/// somewhat larger, and found again only when a box has left its larger one. At rest that is never.
struct KeptPairs {
  BroadPhaseWorkspace broad;
  std::vector<Bounds> held, larger;   ///< the larger boxes, empty if nothing is kept; scratch
  std::vector<IndexPair> candidates;  ///< those of the larger boxes
};

/// As above: what is kept changes the time it takes, not the answer.
template <class Filter>
void overlapping_pairs(std::span<const Bounds> boxes, KeptPairs& kept,
                       std::vector<IndexPair>& pairs, Filter&& admits) {
  if (!detail::still_held(boxes, kept.held)) {
    kept.held.clear();
    detail::grow(boxes, kept.larger);
    overlapping_pairs(kept.larger, kept.broad, kept.candidates);
    kept.held.swap(kept.larger);
  }
  pairs.clear();
  for (const IndexPair& p : kept.candidates)
    if (overlap(boxes[p.first], boxes[p.second]) && admits(p.first, p.second)) pairs.push_back(p);
}

}  // namespace tact
