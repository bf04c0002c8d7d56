// poly/planar_set.hpp - compact convex sets of the plane: what a patch looks like once it is
// hulled.
//
// Every set here is a closed chain of boundary arcs: an arc is a piece of an ellipse c + B u, |u| =
// 1, with its range of outward normals; a vertex is an arc with B = 0; consecutive arcs are joined
// by straight edges. A polygon is a chain of vertices, a disc one arc, a stadium two.
//
// Notation: h(d) = max_{x in C} d.x is the support function of the set C.
#pragma once

#include <span>
#include <vector>

#include "tact/linalg/types.hpp"
#include "tact/poly/ellipse.hpp"

namespace tact {

/// A piece of the boundary of a hull, counter-clockwise.
struct BoundaryArc {
  EllipseForm ellipse;
  Vec2 normal_from, normal_to;  ///< unit outward normals at its ends; equal on a full turn
  Vec2 first, last;             ///< its end points; equal for a vertex
  bool full_turn = false;
  bool operator==(const BoundaryArc&) const = default;
};

/// How far n is outside the arc's range, as the sine of an angle; <= 0 inside.
[[nodiscard]] double normal_violation(const BoundaryArc& arc, const Vec2& n);

/// What lies on the boundary in a given direction: one point, or the two ends of an edge.
struct SupportFace {
  Vec2 first, last;
  [[nodiscard]] bool is_edge() const { return first != last; }
};

class PlanarSet {
 public:
  /// How the set is stored, from the cheapest to the general.
  enum class Kind { polygon, ellipse, arcs };

  PlanarSet() : PlanarSet(hull_of_points(std::vector<Vec2>{Vec2::Zero()})) {}

  /// The convex hull of finitely many points (at least one, finite).
  [[nodiscard]] static PlanarSet hull_of_points(std::span<const Vec2> points);
  /// Becomes the hull of these corners if they are clearly one already: two that are apart, or more
  /// in counter-clockwise order, every corner well outside the chord of its neighbours. False
  /// leaves the set as it is. Reuses its memory.
  [[nodiscard]] bool assign_polygon(std::span<const Vec2> corners);
  /// Whether it is the polygon of just these corners, two or more, in this order from any of them.
  [[nodiscard]] bool has_corners(std::span<const Vec2> corners) const;
  /// Becomes this ellipse; false, and nothing done, where it is too flat for one.
  [[nodiscard]] bool assign_ellipse(const EllipseForm& form);
  /// Whether it is just this ellipse.
  [[nodiscard]] bool is_ellipse(const EllipseForm& form) const {
    return kind_ == Kind::ellipse && arcs_.front().ellipse == form;
  }
  /// One ellipse; B singular gives its segment or point.
  [[nodiscard]] static PlanarSet ellipse(const EllipseForm& form);
  /// The convex hull of ellipses and points (at least one, finite).
  [[nodiscard]] static PlanarSet hull_of(std::span<const EllipseForm> parts);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// The corners, counter-clockwise: 1 for a point, 2 for a segment. Of a set with round parts, the
  /// ends of its arcs.
  [[nodiscard]] std::span<const Vec2> vertices() const { return vertices_; }
  [[nodiscard]] std::span<const BoundaryArc> arcs() const { return arcs_; }
  /// The ellipse of a set of kind ellipse.
  [[nodiscard]] const EllipseForm& form() const { return arcs_.front().ellipse; }

  [[nodiscard]] const Vec2& center() const { return center_; }  ///< of the bounding circle in use
  [[nodiscard]] double radius() const { return radius_; }       ///< max |x - center|; 0 for a point
  [[nodiscard]] bool has_interior() const;

  [[nodiscard]] double support_value(const Vec2& direction) const;
  [[nodiscard]] Vec2 support(const Vec2& direction) const;
  /// All support points within `tolerance` (relative to the radius) of the extreme one.
  [[nodiscard]] SupportFace support_face(const Vec2& direction, double tolerance) const;
  [[nodiscard]] bool contains(const Vec2& x) const;
  /// Distance to the boundary, positive inside, negative outside.
  [[nodiscard]] double signed_distance(const Vec2& x) const;
  [[nodiscard]] double max_distance(const Vec2& x) const;  ///< max_{y in C} |x - y|
  [[nodiscard]] Vec2 nearest(const Vec2& x) const;         ///< the point of C closest to x

  /// { A x + b : x in C }, A invertible.
  [[nodiscard]] PlanarSet mapped(const Mat2& a, const Vec2& b) const;

  /// Becomes what `from` is mapped to. Reuses its memory.
  void assign_mapped(const PlanarSet& from, const Mat2& a, const Vec2& b);

  /// The boundary as a closed polygon, round parts by `count` points a turn, for drawing.
  [[nodiscard]] std::vector<Vec2> outline(int count) const;

  bool operator==(const PlanarSet&) const = default;

 private:
  explicit PlanarSet(Kind kind) : kind_(kind) {}
  void set_corners();
  void set_ellipse(const EllipseForm& form);
  void measure();

  Kind kind_;
  std::vector<Vec2> vertices_;
  std::vector<BoundaryArc> arcs_;
  Vec2 center_ = Vec2::Zero();
  double radius_ = 0;
};

}  // namespace tact
