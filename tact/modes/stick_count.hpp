// modes/stick_count.hpp - which contacts can stick together while all others slip.
//
// With a round friction cone every sliding direction is alike: a contact sticks, all its tangent
// rows vanishing, or slips. The sets of sticking contacts of a cone are the intersections of "this
// one sticks" that meet it, each with all contacts that then stick of themselves: [Huang20] 5.3,
// nonlinear friction cones.
#pragma once

#include <string>
#include <vector>

#include "tact/modes/contact_cone.hpp"
#include "tact/modes/stop_wish.hpp"

namespace tact::detail {

template <class A>
class StickSets {
 public:
  explicit StickSets(A arithmetic) : cutter_(std::move(arithmetic)) {}

  /// From now on visit() throws WorkStopped if this is wished.
  void obey(StopWish wish) { wish_ = wish; }

  /// Calls see(sticks, dim) once for each set; `sticks` has one flag per contact that stays, and
  /// `dim` is the dimension of its velocities.
  template <class See>
  void visit(const SlidingFace<A>& face, const std::vector<int>& staying, See&& see) {
    face_ = &face;
    staying_ = &staying;
    if (levels_.size() < staying.size() + 2) levels_.resize(staying.size() + 2);
    levels_[0].cone = face.cone;
    close(levels_[0]);
    from(0, -1, see);
  }

 private:
  struct Level {
    SplitCone<A> cone;
    std::vector<char> sticks;
  };
  Cutter<A> cutter_;
  StopWish wish_;
  const SlidingFace<A>* face_ = nullptr;
  const std::vector<int>* staying_ = nullptr;
  std::vector<Level> levels_;
  SplitCone<A> spare_;

  template <class See>
  void from(std::size_t depth, int last, See& see) {
    wish_.heed();
    see(levels_[depth].sticks, levels_[depth].cone.dim);
    const int count = static_cast<int>(staying_->size());
    for (int c = last + 1; c < count; ++c) {
      if (levels_[depth].sticks[c]) continue;
      Level& child = levels_[depth + 1];
      child.cone = levels_[depth].cone;
      if (!stick(child.cone, c)) continue;
      close(child);
      bool fresh = true;  // no contact before c may begin to stick with it
      for (int k = 0; k < c && fresh; ++k) fresh = child.sticks[k] == levels_[depth].sticks[k];
      if (fresh) from(depth + 1, c, see);
    }
  }

  /// Cuts the cone down to where contact c sticks; false if that is nowhere.
  bool stick(SplitCone<A>& cone, int c) {
    for (const TangentOnFace& tangent : face_->tangents) {
      if (tangent.contact != (*staying_)[c]) continue;
      if (tangent.plane < 0) {
        if (tangent.sign != 0) return false;
        continue;
      }
      if (has(cone.zero.data(), tangent.plane)) continue;
      if (!has(cone.cut.data(), tangent.plane)) return false;
      cutter_.cut(cone, tangent.plane, 0, -1, spare_);
      spare_.classify();
      std::swap(cone, spare_);
    }
    return true;
  }

  void close(Level& level) const {
    level.sticks.assign(staying_->size(), 1);
    std::size_t c = 0;
    for (const TangentOnFace& tangent : face_->tangents) {
      while ((*staying_)[c] != tangent.contact) ++c;
      const bool zero =
          tangent.plane < 0 ? tangent.sign == 0 : has(level.cone.zero.data(), tangent.plane);
      if (!zero) level.sticks[c] = 0;
    }
  }
};

}  // namespace tact::detail
