// io/scene3.hpp - flat pieces in space, drawn from the farthest to the nearest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/io/svg.hpp"
#include "tact/linalg/types.hpp"

namespace tact {

/// Parallel projection from a fixed side: x to the lower left, y to the right, z up.
struct Camera {
  Vec2 origin;   ///< of space, on the canvas [px]
  double scale;  ///< pixels per unit
  [[nodiscard]] Vec2 operator()(const Vec3& x) const;
  /// Larger is nearer to the viewer.
  [[nodiscard]] static double nearness(const Vec3& x);
};

/// Collects pieces and paints them in the order of their middles (the painter's algorithm): right
/// as long as pieces do not cut each other.
class Scene3 {
 public:
  explicit Scene3(const Camera& camera) : camera_(camera) {}

  void polygon(std::vector<Vec3> points, const Paint& paint);
  void line(const Vec3& a, const Vec3& b, const Paint& paint);
  /// Painted after everything else, in the order given: they point at what is behind.
  void arrow(const Vec3& a, const Vec3& b, const Paint& paint);
  void dot(const Vec3& x, double radius, const Paint& paint);
  void label(const Vec3& x, const Vec2& offset, std::string text, const TextStyle& style);

  void paint_on(SvgCanvas& canvas) const;

 private:
  struct Piece {
    std::vector<Vec3> points;
    Paint paint;
    double nearness;
  };
  struct Overlay {
    enum class Kind { arrow, dot, label } kind;
    Vec3 a, b;
    double radius;
    Paint paint;
    std::string text;
    TextStyle style;
    Vec2 offset;
  };

  Camera camera_;
  std::vector<Piece> pieces_;
  std::vector<Overlay> overlays_;
};

}  // namespace tact
