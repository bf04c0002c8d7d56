#include "tact/geom/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

using Workspace = BroadPhaseWorkspace;
using Cell = std::array<std::int64_t, 3>;

/// Cell sizes are powers of two from this exponent on, up to that of the largest double.
constexpr int least_level = -1000;
constexpr int level_total = 2200;

/// Cells are no smaller than this power of two of the largest coordinate, so that they can be
/// counted; boxes smaller than that share cells.
constexpr int finest = 40;

/// The smallest power of two that is not below x > 0.
int ceil_exponent(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // x = mantissa 2^exponent, mantissa >= 1/2
  return mantissa == 0.5 ? exponent - 1 : exponent;
}

double largest_coordinate(const Bounds& box) {
  return std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
}

std::int64_t floor_to_int(double x) {
  const auto truncated = static_cast<std::int64_t>(x);
  return truncated - (static_cast<double>(truncated) > x ? 1 : 0);
}

/// By its bits where it is a normal number, for this is done for every box.
double power_of_two(int exponent) {
  if (exponent < -1022) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// The grid of one level.
struct Grid {
  double cells_per_metre;
  std::uint64_t salt;

  explicit Grid(int level)
      : cells_per_metre(power_of_two(-level)),
        salt(static_cast<std::uint64_t>(level - least_level) * 0x9e3779b97f4a7c15U) {}

  [[nodiscard]] Cell at(const Vec3& p) const {
    return {floor_to_int(p[0] * cells_per_metre), floor_to_int(p[1] * cells_per_metre),
            floor_to_int(p[2] * cells_per_metre)};
  }
  /// Cells with different names may share a number: a pair is then found twice, never missed.
  [[nodiscard]] std::uint64_t name(const Cell& c) const {
    std::uint64_t h = salt ^ (static_cast<std::uint64_t>(c[0]) * 0xbf58476d1ce4e5b9U);
    h = std::rotl(h, 23) ^ (static_cast<std::uint64_t>(c[1]) * 0x94d049bb133111ebU);
    h = std::rotl(h, 23) ^ (static_cast<std::uint64_t>(c[2]) * 0xd6e8feb86659fd93U);
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93U;
    return h ^ (h >> 32);
  }
  [[nodiscard]] std::uint64_t name_at(const Vec3& p) const { return name(at(p)); }

  template <class Visit>
  void visit_cells(const Bounds& box, Visit visit) const {
    const Cell from = at(box.lower);
    const Cell to = at(box.upper);
    for (std::int64_t x = from[0]; x <= to[0]; ++x) {
      for (std::int64_t y = from[1]; y <= to[1]; ++y) {
        for (std::int64_t z = from[2]; z <= to[2]; ++z) visit(name({x, y, z}));
      }
    }
  }
};

/// Levels of the boxes with finite sides; the others go to `unbounded`.
void choose_levels(std::span<const Bounds> boxes, Workspace& w) {
  w.unbounded.clear();
  w.level.assign(boxes.size(), level_total);
  double farthest = 0;
  bool sound = true;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    sound = sound && (boxes[i].lower.array() <= boxes[i].upper.array()).all();
    const double reach = largest_coordinate(boxes[i]);
    if (std::isfinite(reach)) {
      farthest = std::max(farthest, reach);
    } else {
      w.unbounded.push_back(static_cast<int>(i));
    }
  }
  TACT_EXPECTS(sound);  // lower <= upper, and no NaN
  const int least = farthest > 0 ? std::max(ceil_exponent(farthest) - finest, least_level) : 0;
  w.level_count.assign(level_total, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!std::isfinite(largest_coordinate(boxes[i]))) continue;
    // Halves, because the difference of two numbers may be larger than the largest.
    const double half = (boxes[i].upper / 2 - boxes[i].lower / 2).maxCoeff();
    const int level = half > 0 ? std::max(ceil_exponent(half) + 1, least) : least;
    w.level[i] = level;
    ++w.level_count[level - least_level];
  }
}

/// Writes every box down in its cells, cells of one bucket beside each other.
std::uint64_t fill_buckets(std::span<const Bounds> boxes, Workspace& w) {
  w.found.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (w.level[i] == level_total) continue;
    Grid(w.level[i]).visit_cells(boxes[i], [&](std::uint64_t cell) {
      w.found.push_back({cell, static_cast<int>(i)});
    });
  }
  const std::uint64_t buckets = std::bit_ceil(w.found.size() + 1);
  const std::uint64_t mask = buckets - 1;
  w.bucket.assign(buckets + 1, 0);
  for (const auto& entry : w.found) ++w.bucket[(entry.cell & mask) + 1];
  for (std::size_t b = 0; b < buckets; ++b) w.bucket[b + 1] += w.bucket[b];
  w.entries.resize(w.found.size());
  for (const auto& entry : w.found) w.entries[w.bucket[entry.cell & mask]++] = entry;
  // Every start has moved to the next one: move them back.
  for (std::size_t b = buckets; b > 0; --b) w.bucket[b] = w.bucket[b - 1];
  w.bucket[0] = 0;
  return mask;
}

void add_pair(Workspace& w, int a, int b) {
  w.unsorted.push_back({std::min(a, b), std::max(a, b)});
}

/// Boxes a and b were met in `cell`; the pair counts where their overlap begins.
void meet(std::span<const Bounds> boxes, Workspace& w, int a, int b, std::uint64_t cell,
          const Grid& grid) {
  if (!overlap(boxes[a], boxes[b])) return;
  if (grid.name_at(boxes[a].lower.cwiseMax(boxes[b].lower)) != cell) return;
  add_pair(w, a, b);
}

/// Boxes of one level that share a cell.
void pair_within_levels(std::span<const Bounds> boxes, Workspace& w) {
  for (std::size_t b = 0; b + 1 < w.bucket.size(); ++b) {
    for (std::uint32_t i = w.bucket[b]; i + 1 < w.bucket[b + 1]; ++i) {
      const Workspace::Entry one = w.entries[i];
      const Grid grid(w.level[one.box]);
      for (std::uint32_t j = i + 1; j < w.bucket[b + 1]; ++j) {
        if (w.entries[j].cell == one.cell)
          meet(boxes, w, one.box, w.entries[j].box, one.cell, grid);
      }
    }
  }
}

/// Each box with the boxes of one coarser level.
void pair_with_level(std::span<const Bounds> boxes, Workspace& w, int level, std::uint64_t mask) {
  const Grid grid(level);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (w.level[i] >= level) continue;
    grid.visit_cells(boxes[i], [&](std::uint64_t cell) {
      const std::uint64_t b = cell & mask;
      for (std::uint32_t j = w.bucket[b]; j < w.bucket[b + 1]; ++j) {
        const Workspace::Entry other = w.entries[j];
        // A name shared with a cell of another level does no harm: see Grid::name.
        if (other.cell != cell || w.level[other.box] != level) continue;
        meet(boxes, w, static_cast<int>(i), other.box, cell, grid);
      }
    });
  }
}

void pair_unbounded(std::span<const Bounds> boxes, Workspace& w) {
  for (const int u : w.unbounded) {
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
      const bool later = w.level[i] == level_total && i <= u;  // an unbounded pair once
      if (!later && overlap(boxes[u], boxes[i])) add_pair(w, u, i);
    }
  }
}

/// Every box with every other.
void pair_all(std::span<const Bounds> boxes, std::vector<IndexPair>& pairs) {
  pairs.clear();
  const int count = static_cast<int>(boxes.size());
  for (int i = 0; i < count; ++i) {
    TACT_EXPECTS((boxes[i].lower.array() <= boxes[i].upper.array()).all());
    for (int j = i + 1; j < count; ++j)
      if (overlap(boxes[i], boxes[j])) pairs.push_back({i, j});
  }
}

/// By counting the pairs of each first box; the few of one box are sorted among themselves.
void sort_pairs(std::size_t boxes, Workspace& w, std::vector<IndexPair>& pairs) {
  w.row.assign(boxes + 1, 0);
  for (const IndexPair& p : w.unsorted) ++w.row[p.first + 1];
  for (std::size_t i = 0; i < boxes; ++i) w.row[i + 1] += w.row[i];
  pairs.resize(w.unsorted.size());
  for (const IndexPair& p : w.unsorted) pairs[w.row[p.first]++] = p;
  std::size_t start = 0;
  for (std::size_t i = 0; i < boxes; ++i) {
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(start), pairs.begin() + w.row[i]);
    start = w.row[i];
  }
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

void overlapping_pairs(std::span<const Bounds> boxes, BroadPhaseWorkspace& w,
                       std::vector<IndexPair>& pairs) {
  constexpr std::size_t few = 96;  // every box with every other is quicker than a grid
  if (boxes.size() <= few) return pair_all(boxes, pairs);
  w.unsorted.clear();
  choose_levels(boxes, w);
  const std::uint64_t mask = fill_buckets(boxes, w);
  pair_within_levels(boxes, w);
  int finer = 0;
  for (int level = 0; level < level_total; ++level) {
    if (w.level_count[level] == 0) continue;
    if (finer > 0) pair_with_level(boxes, w, level + least_level, mask);
    finer += w.level_count[level];
  }
  pair_unbounded(boxes, w);
  sort_pairs(boxes.size(), w, pairs);
}

namespace detail {

bool still_held(std::span<const Bounds> boxes, std::span<const Bounds> held) {
  if (boxes.empty() || boxes.size() != held.size()) return false;
  bool inside = true;  // not so of NaN, nor of a box inside out
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (Index k = 0; k < 3; ++k)
      inside = inside && held[i].lower[k] <= boxes[i].lower[k] &&
               boxes[i].lower[k] <= boxes[i].upper[k] && boxes[i].upper[k] <= held[i].upper[k];
  return inside;
}

void grow(std::span<const Bounds> boxes, std::vector<Bounds>& out) {
  constexpr double share =
      1.0 / 32;  // a box that falls leaves it in a few steps, one at rest never
  out.assign(boxes.begin(), boxes.end());
  for (Bounds& box : out) {
    TACT_EXPECTS((box.lower.array() <= box.upper.array()).all());
    const double by = share * (box.upper - box.lower).maxCoeff();
    if (!std::isfinite(by)) continue;
    box.lower.array() -= by;
    box.upper.array() += by;
  }
}

}  // namespace detail

}  // namespace tact
