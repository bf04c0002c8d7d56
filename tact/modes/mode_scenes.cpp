#include "tact/modes/mode_scenes.hpp"

#include <algorithm>
#include <array>

#include <Eigen/Geometry>

#include "tact/base/expects.hpp"
#include "tact/modes/contact_rows.hpp"

namespace tact {

namespace {

/// A scene under construction.
struct Builder {
  ModeScene scene;
  Index planes = 2;

  void add(std::string name, const BodyJacobian& body1, const BodyJacobian& body2,
           const ContactFrame& frame) {
    add_contact(scene.system, body1, body2, frame, planes);
    scene.contact_names.push_back(std::move(name));
    scene.frames.push_back(frame);
    scene.relative.emplace_back(body1 - body2);
  }
  void show_cube(std::string name, double half, const Vec3& centre, const BodyJacobian& motion) {
    scene.bodies.push_back(
        {std::move(name), Box{Vec3::Constant(half)}, {Mat3::Identity(), centre}, motion});
  }
};

std::string numbered(std::string_view what, std::size_t k) {
  return std::string(what).append(" ").append(std::to_string(k));
}

/// The face of a cube that looks along -(t1 x t2), touched at its corners: normal into the cube.
std::array<ContactFrame, 4> face(const Vec3& centre, double half, const Vec3& t1, const Vec3& t2) {
  const Vec3 n = t1.cross(t2);
  const Vec3 middle = centre - half * n;
  std::array<ContactFrame, 4> corners;
  std::size_t k = 0;
  for (const double a : {-half, half})
    for (const double b : {-half, half}) corners.at(k++) = {middle + a * t1 + b * t2, t1, t2, n};
  return corners;
}

struct Wall {
  std::string_view name;
  Vec3 t1, t2;
};

/// Floor, two walls that meet over it, then the walls opposite to these.
std::array<Wall, 5> room() {
  const Vec3 x = Vec3::UnitX();
  const Vec3 y = Vec3::UnitY();
  const Vec3 z = Vec3::UnitZ();
  return {Wall{"floor", x, y}, Wall{"back", z, x}, Wall{"left", y, z}, Wall{"right", z, y},
          Wall{"front", x, z}};
}

/// A unit cube against the first `walls` walls.
void box(Builder& build, std::size_t walls) {
  const BodyJacobian cube = free_body(6, 0, {});
  build.show_cube("cube", 0.5, Vec3::Zero(), cube);
  const std::array<Wall, 5> all = room();
  for (const Wall& wall : std::span(all).first(walls)) {
    std::size_t k = 0;
    for (const ContactFrame& corner : face(Vec3::Zero(), 0.5, wall.t1, wall.t2))
      build.add(numbered(wall.name, k++), cube, fixed_body(6), corner);
  }
}

/// A peg in a hole: radius to half length as 9 to 20. Directions have length 5, so that those of
/// the 3-4-5 triangle are whole; they are not the eight of equal angles, nor need they be.
void peg(Builder& build, std::span<const Vec3> directions) {
  constexpr double nine = 9;  // 45, the radius, over 5, the length of a direction
  constexpr double half_length = 100;
  const BodyJacobian cylinder = free_body(6, 0, {});
  build.scene.bodies.push_back({"peg", Cylinder{5 * nine, half_length}, {}, cylinder});
  for (const double end : {half_length, -half_length}) {
    std::size_t k = 0;
    for (const Vec3& u : directions) {
      const Vec3 p = nine * u + end * Vec3::UnitZ();
      build.add(numbered(end > 0 ? "top" : "bottom", k++), cylinder, fixed_body(6),
                {p, Vec3::UnitZ(), Vec3::UnitZ().cross(u), -u});
    }
  }
}

void peg_4(Builder& build) {
  const std::array<Vec3, 4> directions{Vec3{5, 0, 0}, {0, 5, 0}, {-5, 0, 0}, {0, -5, 0}};
  peg(build, directions);
}

void peg_8(Builder& build) {
  const std::array<Vec3, 8> directions{Vec3{5, 0, 0}, {3, 4, 0},   {0, 5, 0},  {-3, 4, 0},
                                       {-5, 0, 0},    {-3, -4, 0}, {0, -5, 0}, {3, -4, 0}};
  peg(build, directions);
}

/// A cube on a cube that keeps to the floor: turns about z, slides in x and y. `walls` as in box;
/// the second one touches both. It touches the upper box at the corners of a cube of the lower
/// one's size, which is the scene counted in [Huang20] Table 1; a cube flush with it has fewer
/// modes.
void box_on_box(Builder& build, std::size_t walls) {
  constexpr Index dof = 9;
  constexpr double lower_half = 0.625;
  constexpr double upper_half = 0.5;
  const Vec3 upper_centre(0, 0, lower_half + upper_half);
  const std::array<ChainJoint, 3> on_floor{
      ChainJoint{JointKind::hinge, 0, Vec3::UnitZ(), Vec3::Zero()},
      ChainJoint{JointKind::slide, 1, Vec3::UnitX(), Vec3::Zero()},
      ChainJoint{JointKind::slide, 2, Vec3::UnitY(), Vec3::Zero()}};
  const BodyJacobian world = fixed_body(dof);
  const BodyJacobian lower = link_body(world, on_floor);
  const BodyJacobian upper = free_body(dof, 3, {Mat3::Identity(), upper_centre});
  build.show_cube("lower", lower_half, Vec3::Zero(), lower);
  build.show_cube("upper", upper_half, upper_centre, upper);

  const std::array<Wall, 5> all = room();
  std::size_t k = 0;
  for (const ContactFrame& corner : face(Vec3::Zero(), lower_half, all[0].t1, all[0].t2))
    build.add(numbered("floor", k++), lower, world, corner);
  if (walls > 1) {
    const auto low = face(Vec3::Zero(), lower_half, all[1].t1, all[1].t2);
    const auto high = face(upper_centre, lower_half, all[1].t1, all[1].t2);
    for (k = 0; k < 4; ++k) {
      build.add(numbered("lower back", k), lower, world, low.at(k));
      build.add(numbered("upper back", k), upper, world, high.at(k));
    }
  }
  k = 0;
  for (const ContactFrame& corner : face(upper_centre, upper_half, all[0].t1, all[0].t2))
    build.add(numbered("between", k++), upper, lower, corner);
}

/// A link of a finger: the hinge it hangs on, and where it touches.
struct Link {
  Vec3 hinge;
  Vec3 point;
  Vec3 normal;
};

/// A finger whose hinges are parallel; its joints take the columns from `first` on. The second
/// tangent is n x t1, of whatever length.
void finger(Builder& build, std::string_view name, const BodyJacobian& held, Index first,
            const Vec3& axis, std::span<const Link> links) {
  BodyJacobian body = fixed_body(held.cols());
  std::size_t k = 0;
  for (const Link& link : links) {
    const auto column = first + static_cast<Index>(k);
    body = link_body(std::move(body), {JointKind::hinge, column, axis, link.hinge});
    const Vec3 t1(0, link.normal[2], -link.normal[1]);
    const Vec3 along = t1.isZero(0) ? Vec3::UnitZ() : t1;
    build.add(numbered(name, k++), held, body,
              {link.point, along, link.normal.cross(along), link.normal});
  }
}

/// Three fingers of three joints, a thumb of two and the palm around an ellipsoid: every link
/// touches it. Skewed, so that no two fingers are alike.
void hand_ball(Builder& build) {
  constexpr Index dof = 17;
  const BodyJacobian ball = free_body(dof, 11, {});
  const std::array<Link, 3> index{Link{{-3, 6, -2}, {-3, 5, -1}, {-1, -8, 5}},
                                  {{-2, 7, 2}, {-3, 6, 2}, {-1, -9, -2}},
                                  {{-3, 5, 6}, {-2, 4, 4}, {-2, -3, -9}}};
  const std::array<Link, 3> middle{Link{{1, 6, -2}, {1, 5, -1}, {0, -8, 5}},
                                   {{2, 7, 3}, {1, 6, 2}, {0, -9, -2}},
                                   {{1, 5, 6}, {2, 4, 5}, {-1, -3, -9}}};
  const std::array<Link, 3> ring{Link{{4, 6, -2}, {4, 5, -1}, {1, -8, 5}},
                                 {{5, 7, 4}, {4, 6, 2}, {1, -9, -2}},
                                 {{4, 5, 6}, {5, 4, 6}, {0, -3, -9}}};
  const std::array<Link, 2> thumb{Link{{1, -6, -2}, {1, -5, 1}, {-2, 8, 4}},
                                  {{2, -7, 3}, {2, -5, 4}, {-3, 9, -1}}};
  finger(build, "index", ball, 0, {7, -1, 1}, index);
  finger(build, "middle", ball, 3, {7, 0, 2}, middle);
  finger(build, "ring", ball, 6, {7, 1, 3}, ring);
  finger(build, "thumb", ball, 9, {5, 1, -2}, thumb);
  build.add("palm", ball, fixed_body(dof), {{0, 0, -5}, {0, 12, -1}, {-145, 0, 0}, {0, 1, 12}});
}

/// A cube on the palm, gripped from two sides by fingers of two joints.
void box_in_hand(Builder& build) {
  constexpr Index dof = 10;
  constexpr double half = 2;
  const BodyJacobian cube = free_body(dof, 4, {});
  build.show_cube("cube", half, Vec3::Zero(), cube);
  std::size_t k = 0;
  for (const ContactFrame& corner : face(Vec3::Zero(), half, Vec3::UnitX(), Vec3::UnitY()))
    build.add(numbered("palm", k++), cube, fixed_body(dof), corner);
  const std::array<Link, 2> right{Link{{3, 0, -3}, {half, 0, -1}, -Vec3::UnitX()},
                                  {{3, 0, 0}, {half, 0, 1}, -Vec3::UnitX()}};
  const std::array<Link, 2> left{Link{{-3, 0, -3}, {-half, 0, -1}, Vec3::UnitX()},
                                 {{-3, 0, 0}, {-half, 0, 1}, Vec3::UnitX()}};
  finger(build, "right", cube, 0, Vec3::UnitY(), right);
  finger(build, "left", cube, 2, Vec3::UnitY(), left);
}

struct Entry {
  ModeSceneName about;
  void (*make)(Builder&) = nullptr;
};

constexpr std::size_t scene_count = 11;

/// Counts: exact enumeration and [Huang20] Table 1.
const std::array<Entry, scene_count>& entries() {
  static const std::array<Entry, scene_count> all{
      Entry{{"box-1", "a cube on the floor", 10, 196, 10, 196}, [](Builder& b) { box(b, 1); }},
      {{"box-2", "a cube on the floor against a wall", 46, 228, 46, 764},
       [](Builder& b) { box(b, 2); }},
      {{"box-3", "a cube in a corner of the floor", 136, 136, 190, 2386},
       [](Builder& b) { box(b, 3); }},
      {{"box-4", "a cube on the floor between two walls, against a third", 10, 10, 10, 12},
       [](Builder& b) { box(b, 4); }},
      {{"box-5", "a cube on the floor between four walls", 2, 2, 2, 2},
       [](Builder& b) { box(b, 5); }},
      {{"peg-4", "a peg in a hole, four contacts at each end", 1, 9, 1, 9}, peg_4},
      {{"peg-8", "a peg in a hole, eight contacts at each end", 1, 9, 1, 9}, peg_8},
      {{"box-box-1", "a cube on a cube that slides on the floor", 10, 9996, 10, 9945},
       [](Builder& b) { box_on_box(b, 1); }},
      {{"box-box-2", "the same, both against a wall", 184, 29046, 184, 168746},
       [](Builder& b) { box_on_box(b, 2); }},
      {{"hand-ball", "three fingers, a thumb and a palm around an ellipsoid", 4096, std::nullopt,
        4096, std::nullopt},
       hand_ball},
      {{"box-in-hand", "a cube on a palm between two fingers of two joints", 160, 36362,
        std::nullopt, std::nullopt},
       box_in_hand}};
  return all;
}

}  // namespace

std::span<const ModeSceneName> mode_scene_names() {
  static const std::array<ModeSceneName, scene_count> names = [] {
    std::array<ModeSceneName, scene_count> list;
    std::ranges::transform(entries(), list.begin(), &Entry::about);
    return list;
  }();
  return names;
}

std::optional<ModeScene> mode_scene(std::string_view name, Index planes) {
  TACT_EXPECTS(planes >= 0);
  for (const Entry& entry : entries()) {
    if (entry.about.name != name) continue;
    Builder build{{}, planes};
    entry.make(build);
    return std::move(build.scene);
  }
  return std::nullopt;
}

}  // namespace tact
