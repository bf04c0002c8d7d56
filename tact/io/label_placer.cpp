#include "tact/io/label_placer.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tact {
namespace {

double letters(std::string_view text) {
  // Bytes that begin a character of UTF-8.
  return double(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

void LabelPlacer::keep_clear(const Vec2& at, double radius) {
  taken_.push_back({at - Vec2::Constant(radius), at + Vec2::Constant(radius)});
}

double LabelPlacer::cost(const Box& box) const {
  const auto area = [](const Vec2& low, const Vec2& high) {
    return (high - low).cwiseMax(0).prod();
  };
  double out = 0;
  for (const Box& other : taken_)
    out += area(box.low.cwiseMax(other.low), box.high.cwiseMin(other.high));
  const double inside = area(box.low.cwiseMax(low_), box.high.cwiseMin(high_));
  return out + 4 * (area(box.low, box.high) - inside);
}

void LabelPlacer::place(SvgCanvas& canvas, const Vec2& at, std::string_view text, TextStyle style) {
  constexpr double letter = 0.6;  ///< of the size, wide
  constexpr double far = 0.2;     ///< cost of a pixel of distance
  constexpr std::array<Vec2::Scalar, 4> distances = {10, 16, 26, 40};
  const Vec2 size(letter * style.size * letters(text), style.size);
  Box best{at, at};
  double least = std::numeric_limits<double>::infinity();
  for (const double distance : distances)
    for (const auto& [dx, dy] : std::array<std::array<double, 2>, 8>{
             {{1, -0.6}, {1, 0.6}, {-1, -0.6}, {-1, 0.6}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}}}) {
      const Vec2 middle = at + Vec2(dx * (distance + size[0] / 2), dy * (distance + size[1] / 2));
      const Box box{middle - size / 2, middle + size / 2};
      const double price = cost(box) + far * distance;
      if (price >= least) continue;
      least = price;
      best = box;
    }
  taken_.push_back(best);
  style.anchor = "middle";
  style.halo = true;
  canvas.text({(best.low[0] + best.high[0]) / 2, best.high[1] - 0.15 * style.size}, text, style);
}

}  // namespace tact
