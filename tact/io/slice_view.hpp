// io/slice_view.hpp - a consistency set in the coordinates it is drawn in: lengths are energies.
//
// x is orthonormal in the metric of the mass, ½|x - x'|² the kinetic energy of a difference, so
// that balls are balls. Where the slice is everything and the mass is diagonal the axes are those
// of the velocity, x_i = √m_i u_i, and keep its numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/impact/consistency_set.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// What to show besides the set itself.
struct ConsistencyShown {
  std::string name;
  std::vector<std::string> contacts;    ///< their names; missing ones are numbered
  std::optional<ExactVector> after;     ///< u⁺
  std::optional<ExactVector> repaired;  ///< where a repair puts u⁺
};

/// { x : normal.x >= offset }, the normal of length one.
struct SliceHalfSpace {
  VecX normal;
  double offset = 0;
  Index contact = 0;  ///< whose it is
};

struct SliceBall {
  VecX center;
  double radius2 = 0;             ///< negative: empty
  std::vector<VecX> normal_cone;  ///< directions of length one that span it
  bool best = false;              ///< b₀ of u⁺
};

struct SliceView {
  Index dimension = 0;
  VecX unit;                                   ///< the number on axis i is x_i / unit_i
  std::vector<std::string> axes;               ///< what stands at the axes
  std::vector<SliceHalfSpace> opening, reach;  ///< A, what impulses reach
  std::vector<SliceBall> corners, closing;     ///< of P⁺, of P⁻
  std::vector<std::pair<VecX, VecX>> edges;    ///< of P⁺
  std::vector<std::pair<VecX, VecX>> rays;     ///< of P⁺: corner and direction
  std::vector<VecX> pushes;                    ///< where the generators push, of length one
  VecX before, free, half_impulse;
  bool excited = false;   ///< by a smooth impulse
  bool friction = false;  ///< A is more than P⁺
  bool jammed = false;    ///< A is empty
  std::optional<VecX> after, projection, repaired;
  bool projection_inside = false;                ///< p is in I: always for α >= 0
  std::optional<ConsistencyMembership> verdict;  ///< of u⁺
};

[[nodiscard]] SliceView slice_view(const ConsistencySet& set, const ConsistencyShown& shown);

/// "P⁺: ..." or "A: ...", for legends.
[[nodiscard]] std::string_view admissible_words(const SliceView& view);
/// The verdict as in reports (consistent_weak, ...); "consistency set" without u⁺.
[[nodiscard]] std::string_view verdict_word(const ConsistencySet& set, const SliceView& view);
/// One sentence with the number that matters.
[[nodiscard]] std::string verdict_sentence(const ConsistencySet& set, const SliceView& view,
                                           const ConsistencyShown& shown);
[[nodiscard]] std::string contact_name(const ConsistencyShown& shown, Index contact);

}  // namespace tact
