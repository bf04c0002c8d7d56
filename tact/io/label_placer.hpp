// io/label_placer.hpp - labels beside their points that keep clear of each other.
#pragma once

#include <string_view>
#include <vector>

#include "tact/io/svg.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// Tries places around a point, near ones first, and takes the one that covers least of what is
/// already there. The width of a text is estimated: fonts differ.
class LabelPlacer {
 public:
  /// Labels stay inside the rectangle of the canvas.
  LabelPlacer(const Vec2& corner, const Vec2& size) : low_(corner), high_(corner + size) {}

  /// Nothing is written over this spot.
  void keep_clear(const Vec2& at, double radius);
  void place(SvgCanvas& canvas, const Vec2& at, std::string_view text, TextStyle style);

 private:
  struct Box {
    Vec2 low, high;
  };
  [[nodiscard]] double cost(const Box& box) const;

  Vec2 low_, high_;
  std::vector<Box> taken_;
};

}  // namespace tact
