#include "tact/io/cone_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tact/base/tolerance.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/patch_words.hpp"
#include "tact/io/scene3.hpp"
#include "tact/io/svg.hpp"
#include "tact/poly/clip.hpp"

namespace tact {

namespace {

constexpr double width = 940, height = 560;
constexpr double plane_half = 1.2;  ///< of the square drawn of the plane z = 1
constexpr double top = 1.35;        ///< where K_P is cut off
constexpr double longest = 1.7;     ///< of the rays of K_P*, and of arrows

/// The patch about its middle and in units of its radius: [m_T / L, f_N], [ω_T L, v_N].
struct Normalised {
  double length = 1;
  std::vector<Vec2> turned;    ///< outline of C(P^perp)
  std::optional<Vec3> wrench;  ///< nothing when zero
  std::optional<Vec3> twist;   ///< nothing when zero
};

std::optional<Vec3> unless_tiny(const Vec3& x, double least) {
  return x.norm() > least ? std::optional<Vec3>(x) : std::nullopt;
}

Normalised normalise(const PatchReport& r) {
  Normalised out;
  out.length = r.hull.radius() > 0 ? r.hull.radius() : 1;
  const Vec2& middle = r.hull.center();
  for (const Vec2& x : r.hull.outline(64)) out.turned.push_back(perp(x - middle) / out.length);
  const RegimeScales& s = r.scales;
  if (r.file.wrench) {
    const Vec2 m = moment_about(*r.file.wrench, middle) / out.length;
    out.wrench = unless_tiny({m[0], m[1], r.file.wrench->f_n()}, s.tolerance * s.force);
  }
  if (r.file.twist) {
    const Vec2 w = r.file.twist->w_t() * out.length;
    out.twist = unless_tiny({w[0], w[1], normal_velocity_at(*r.file.twist, middle)},
                            s.tolerance * s.velocity);
  }
  return out;
}

Vec3 at_height(const Vec2& x, double z) {
  return {z * x[0], z * x[1], z};
}

/// To z = `z` where the vector points up, but never longer than `longest`.
Vec3 drawn(const Vec3& x, double z) {
  const double to_height = x[2] > 0 ? z / x[2] : longest / x.norm();
  return x * std::min(to_height, longest / x.norm());
}

void draw_axes3(Scene3& scene, const std::array<std::string_view, 3>& names) {
  constexpr double reach = 1.4;
  for (int i = 0; i < 3; ++i) {
    const Vec3 end = reach * (i == 2 ? 1.1 : 1.0) * Vec3::Unit(i);
    scene.line(Vec3::Zero(), end, {.stroke = "soft", .width = 1});
    const Vec2 offset = i == 0 ? Vec2(-8, 14) : i == 1 ? Vec2(6, 6) : Vec2(-6, -8);
    scene.label(end, offset, std::string(names[std::size_t(i)]),
                {.color = "soft", .size = 12, .anchor = i == 0 ? "end" : "start", .halo = true});
  }
}

/// One wall of a cone: the triangle of two rays, in two pieces cut at `cut` of their length.
void draw_wall(Scene3& scene, const Vec3& a, const Vec3& b, double cut, std::string_view color) {
  const Paint paint{.fill = color, .opacity = 0.22};
  scene.polygon({Vec3::Zero(), cut * a, cut * b}, paint);
  if (cut < 1) scene.polygon({cut * a, a, b, cut * b}, paint);
}

void draw_primal_cone(Scene3& scene, const Normalised& n) {
  const std::size_t count = n.turned.size();
  for (std::size_t i = 0; i < count && count > 1; ++i)
    draw_wall(scene, at_height(n.turned[i], top), at_height(n.turned[(i + 1) % count], top),
              1 / top, "cone");
  constexpr std::size_t most_corners = 16;
  for (const Vec2& x : n.turned)
    if (count <= most_corners)
      scene.line(Vec3::Zero(), at_height(x, top), {.stroke = "cone", .width = count > 1 ? 1.2 : 3});
  std::vector<Vec3> rim, base;
  for (const Vec2& x : n.turned) {
    rim.push_back(at_height(x, top));
    base.push_back(at_height(x, 1));
  }
  scene.polygon(rim, {.stroke = "cone", .width = 1.2});
  const double h = plane_half;
  scene.polygon({{-h, -h, 1}, {h, -h, 1}, {h, h, 1}, {-h, h, 1}},
                {.stroke = "soft", .fill = "soft", .width = 0.8, .opacity = 0.08});
  scene.polygon(base, {.stroke = "base", .fill = "base", .width = 2, .opacity = 0.3});
  scene.label({-h, h, 1}, {-6, -6}, "z = 1", {.color = "soft", .size = 11, .anchor = "end"});
}

/// Where the plane normal to the twist cuts the plane z = 1: { y : ω.y + v = 0 }.
void draw_turned_zero_line(Scene3& scene, const Normalised& n) {
  if (!n.twist) return;
  const Vec2 w = n.twist->head<2>();
  if (w.norm() <= tolerance::face * n.twist->norm()) return;  // parallel planes
  const double h = plane_half;
  const std::array<Vec2, 4> square = {Vec2(-h, -h), Vec2(h, -h), Vec2(h, h), Vec2(-h, h)};
  const auto side = clip(square, HalfPlane{w, -(*n.twist)[2]});
  // The new corners of the cut square are the ends of the line.
  std::vector<Vec2> ends;
  for (const Vec2& x : side)
    if (std::abs(w.dot(x) + (*n.twist)[2]) <= tolerance::face * n.twist->norm()) ends.push_back(x);
  if (ends.size() < 2) return;
  const Paint paint{.stroke = "line", .width = 2.5};
  scene.line({ends[0][0], ends[0][1], 1}, {ends[1][0], ends[1][1], 1}, paint);
  scene.label({ends[0][0], ends[0][1], 1}, {6, 14}, "D_z turned",
              {.color = "line", .size = 12, .bold = true, .halo = true});
}

/// Directions of ω in which to draw rays of K_P*: evenly, and at the normals of the hull's edges.
std::vector<Vec2> dual_directions(const Normalised& n) {
  constexpr int even = 72;
  std::vector<double> angles;
  angles.reserve(even + n.turned.size());
  for (int i = 0; i < even; ++i)
    angles.push_back(2 * std::numbers::pi * i / even - std::numbers::pi);
  for (std::size_t i = 0; i < n.turned.size(); ++i) {
    const Vec2 edge = n.turned[(i + 1) % n.turned.size()] - n.turned[i];
    if (edge.norm() > 0) angles.push_back(std::atan2(edge[0], -edge[1]));  // inward normal
  }
  std::sort(angles.begin(), angles.end());
  std::vector<Vec2> out;
  out.reserve(angles.size());
  for (const double a : angles) out.push_back({std::cos(a), std::sin(a)});
  return out;
}

/// The boundary ray over the direction e: [e, max of -e.x over the turned hull].
Vec3 dual_ray(const Normalised& n, const Vec2& e) {
  double v = -e.dot(n.turned.front());
  for (const Vec2& x : n.turned) v = std::max(v, -e.dot(x));
  return {e[0], e[1], v};
}

/// Cuts K_P* off at a height where it is about as wide as K_P; where it is too flat for that (a
/// sliver, a segment, a point), at a distance from the apex.
struct DualCut {
  double cut_height;  ///< 0: at a distance

  DualCut(const Normalised& n, const std::vector<Vec2>& directions) {
    double least = 1;
    for (const Vec2& e : directions) least = std::min(least, dual_ray(n, e)[2]);
    constexpr double flattest = 0.2, widest = 1.8;
    cut_height = least > flattest ? std::min(widest * least, top) : 0;
  }
  Vec3 operator()(const Vec3& ray) const {
    return ray * (cut_height > 0 ? cut_height / ray[2] : longest / ray.norm());
  }
};

/// Returns the height to which an arrow should go to be seen against the cone.
double draw_dual_cone(Scene3& scene, const Normalised& n) {
  const auto directions = dual_directions(n);
  std::vector<Vec3> rays;
  rays.reserve(directions.size());
  const DualCut cut(n, directions);
  for (const Vec2& e : directions) rays.push_back(cut(dual_ray(n, e)));
  for (std::size_t i = 0; i < rays.size(); ++i)
    draw_wall(scene, rays[i], rays[(i + 1) % rays.size()], 0.6, "dual");
  scene.polygon(rays, {.stroke = "dual", .width = 1.2});
  constexpr std::size_t most_corners = 16;
  for (std::size_t i = 0; i < n.turned.size() && n.turned.size() <= most_corners; ++i) {
    const Vec2 edge = n.turned[(i + 1) % n.turned.size()] - n.turned[i];
    if (edge.norm() > 0)
      scene.line(Vec3::Zero(), cut(dual_ray(n, Vec2(-edge[1], edge[0]).normalized())),
                 {.stroke = "dual", .width = 1.2});
  }
  return cut.cut_height > 0 ? 1.1 * cut.cut_height : 1.15;
}

/// The wrenches' panel shows the twist thinly and the other way round.
void draw_arrows(Scene3& scene, const Normalised& n, double twist_height, bool wrenches,
                 std::string_view color) {
  if (n.twist) {
    const Vec3 tip = drawn(*n.twist, twist_height);
    scene.arrow(Vec3::Zero(), tip, {.stroke = "line", .width = wrenches ? 1.5 : 3});
    scene.label(tip, {8, -4}, "twist", {.color = "line", .size = 12, .bold = true, .halo = true});
  }
  if (!n.wrench) return;
  const Vec3 tip = drawn(*n.wrench, wrenches ? 1.25 : 0.8);
  scene.arrow(Vec3::Zero(), tip, {.stroke = color, .width = wrenches ? 3.0 : 1.5});
  scene.label(tip, {8, -4}, "wrench", {.color = color, .size = 12, .bold = true, .halo = true});
  if (!wrenches || (*n.wrench)[2] <= 0) return;
  const Vec3 hit = *n.wrench / (*n.wrench)[2];
  if (hit.norm() > longest) return;
  scene.dot(hit, 5, {.stroke = "paper", .fill = "ink", .width = 1.5});
  scene.label(hit, {-10, 16}, "c_p turned",
              {.size = 12, .anchor = "end", .bold = true, .halo = true});
}

std::string verdict(const PatchReport& r) {
  std::string out;
  if (r.in_cone) out += *r.in_cone ? "wrench in K_P" : "wrench not in K_P";
  if (r.in_dual_cone)
    out +=
        concat({out.empty() ? "" : ", ", *r.in_dual_cone ? "twist in K_P*" : "twist not in K_P*"});
  if (r.power) out += concat({", their product ", short_number(*r.power), " W"});
  return out.empty() ? "the cones of the patch" : out;
}

}  // namespace

std::string cone_picture(const PatchReport& report) {
  const Normalised n = normalise(report);
  SvgCanvas canvas(width, height);
  const std::string title = report.file.name.empty() ? "patch" : report.file.name;
  canvas.circle({30, 30}, 8, {.fill = regime_color(report)});
  canvas.text({44, 36}, concat({"K_P and its dual \u00b7 ", title}), {.size = 18, .bold = true});
  canvas.text({24, 62}, verdict(report), {.color = "soft", .size = 14});
  const std::string unit = concat({"moments about the middle of the patch, lengths in units of ",
                                   short_number(n.length), " m"});
  canvas.text({24, height - 16}, unit, {.color = "soft", .size = 12});

  Scene3 left({{245, 400}, 135});
  draw_axes3(left, {"m_x", "m_y", "f_N"});
  draw_primal_cone(left, n);
  draw_turned_zero_line(left, n);
  draw_arrows(left, n, 0.8, true, report.in_cone.value_or(true) ? "slide" : "bad");
  left.paint_on(canvas);
  Scene3 right({{700, 400}, 135});
  draw_axes3(right, {"\u03c9_x", "\u03c9_y", "v_N"});
  const double twist_height = draw_dual_cone(right, n);
  draw_arrows(right, n, twist_height, false, "slide");
  right.paint_on(canvas);

  canvas.text({240, height - 44}, "K_P: wrenches the patch can exert (red: the turned hull)",
              {.color = "cone", .size = 13, .anchor = "middle", .bold = true});
  canvas.text({700, height - 44}, "K_P*: twists that keep the bodies apart",
              {.color = "dual", .size = 13, .anchor = "middle", .bold = true});
  return canvas.finish(concat({"K_P and its dual, ", title}), verdict(report));
}

}  // namespace tact
