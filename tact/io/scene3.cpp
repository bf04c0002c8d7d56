#include "tact/io/scene3.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace tact {

namespace {

/// Rows: to the right, up, towards the viewer.
Mat3 view_axes() {
  constexpr double azimuth = 0.62, elevation = 0.36;  // [rad]
  const Vec3 towards(std::cos(elevation) * std::cos(azimuth),
                     std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
  const Vec3 right(-std::sin(azimuth), std::cos(azimuth), 0);
  Mat3 axes;
  axes << right.transpose(), towards.cross(right).transpose(), towards.transpose();
  return axes;
}

}  // namespace

Vec2 Camera::operator()(const Vec3& x) const {
  const Vec3 seen = view_axes() * x;
  return origin + scale * Vec2(seen[0], -seen[1]);
}

double Camera::nearness(const Vec3& x) {
  return view_axes().row(2).dot(x);
}

void Scene3::polygon(std::vector<Vec3> points, const Paint& paint) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : points) middle += x / double(points.size());
  pieces_.push_back({std::move(points), paint, Camera::nearness(middle)});
}

void Scene3::line(const Vec3& a, const Vec3& b, const Paint& paint) {
  polygon({a, b}, paint);
}

void Scene3::arrow(const Vec3& a, const Vec3& b, const Paint& paint) {
  overlays_.push_back({Overlay::Kind::arrow, a, b, 0, paint, "", {}, Vec2::Zero()});
}

void Scene3::dot(const Vec3& x, double radius, const Paint& paint) {
  overlays_.push_back({Overlay::Kind::dot, x, x, radius, paint, "", {}, Vec2::Zero()});
}

void Scene3::label(const Vec3& x, const Vec2& offset, std::string text, const TextStyle& style) {
  overlays_.push_back({Overlay::Kind::label, x, x, 0, {}, std::move(text), style, offset});
}

void Scene3::paint_on(SvgCanvas& canvas) const {
  std::vector<const Piece*> order;
  for (const Piece& piece : pieces_) order.push_back(&piece);
  std::stable_sort(order.begin(), order.end(),
                   [](const Piece* p, const Piece* q) { return p->nearness < q->nearness; });
  for (const Piece* piece : order) {
    std::vector<Vec2> flat;
    for (const Vec3& x : piece->points) flat.push_back(camera_(x));
    canvas.polyline(flat, piece->paint, flat.size() > 2);
  }
  for (const Overlay& item : overlays_) {
    if (item.kind == Overlay::Kind::arrow) {
      canvas.arrow(camera_(item.a), camera_(item.b), item.paint);
    } else if (item.kind == Overlay::Kind::dot) {
      canvas.circle(camera_(item.a), item.radius, item.paint);
    } else {
      canvas.text(camera_(item.a) + item.offset, item.text, item.style);
    }
  }
}

}  // namespace tact
