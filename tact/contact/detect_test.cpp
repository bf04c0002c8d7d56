#include "tact/contact/detect.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {
namespace {

/// The plane z = 0 and free bodies with one geom each.
Model bodies_on_a_plane(const std::vector<std::pair<Shape, Vec3>>& parts) {
  Model m;
  m.bodies.resize(1);
  Geom floor;
  floor.shape = HalfSpace{};
  m.geoms.push_back(floor);
  for (const auto& [shape, at] : parts) {
    Body body;
    body.X_PB.p = at;
    body.mass = 1;
    body.inertia_com_B = Mat3::Identity();
    m.bodies.push_back(body);
    const auto i = static_cast<Index>(m.bodies.size()) - 1;
    Joint free;
    free.type = JointType::free;
    free.body = i;
    m.joints.push_back(free);
    Geom geom;
    geom.body = i;
    geom.shape = shape;
    m.geoms.push_back(geom);
  }
  auto made = make_model(std::move(m));
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

SceneContacts contacts_of(const Model& m, const State& s, const DetectOptions& options) {
  Kinematics kin;
  forward_kinematics(m, s, kin);
  forward_velocities(m, s.qvel, kin);
  DetectWorkspace work;
  prepare(m, work);
  SceneContacts out;
  detect(m, kin, options, work, out);
  return out;
}

/// Two cubes of side 2 `size` that share an edge, or a corner, in a frame of anyone's.
struct Neighbours {
  Model model;
  State state;
};
Neighbours neighbours(const Vec3& apart, double size, const Mat3& R, const Vec3& at) {
  const Shape cube = Box{Vec3::Constant(size)};
  Neighbours out{bodies_on_a_plane({{cube, Vec3::Zero()}, {cube, Vec3::Zero()}}), {}};
  out.state = initial_state(out.model);
  const Eigen::Quaterniond q(R);
  for (const Index body : {Index{0}, Index{1}}) {
    const Vec3 p = at + R * (body == 0 ? Vec3::Zero() : Vec3(2 * size * apart));
    out.state.qpos.segment<7>(7 * body) << p, q.w(), q.x(), q.y(), q.z();
  }
  return out;
}

/// Between diagonal neighbours there is no normal: they are in contact only where all of the faces
/// that separate them are approached.
TEST(Detect, NeighboursThatShareAnEdgeOrACornerHaveNoContact) {
  DetectOptions near;
  near.size_share = 1e-3;
  near.travel_time = 1e-2;
  Rng rng(7);
  for (const double size : {1e-3, 0.1, 50.0})
    for (const Vec3& apart : {Vec3(1, 1, 0), Vec3(0, 1, -1), Vec3(1, -1, 1)}) {
      const Mat3 R = size == 0.1 ? Mat3::Identity()
                                 : exp_so3(Vec3(rng.uniform(), rng.uniform(), rng.uniform()));
      const Vec3 at(10 + 3 * size, -2, 10 + 6 * size);  // above the plane
      Neighbours n = neighbours(apart, size, R, at);
      EXPECT_EQ(contacts_of(n.model, n.state, near).contacts.size(), 0U) << size;
      // The second one comes along the diagonal, then along one face of the first.
      n.state.qvel.segment<3>(6) = -0.1 * size / near.travel_time * (R * apart);
      EXPECT_EQ(contacts_of(n.model, n.state, near).contacts.size(), 1U) << size;
      Vec3 along = apart;
      along[apart[0] != 0 ? 0 : 1] = 0;
      n.state.qvel.segment<3>(6) = -0.1 * size / near.travel_time * (R * along);
      EXPECT_EQ(contacts_of(n.model, n.state, near).contacts.size(), 0U) << size;
      // Neighbours with a face in common have a normal.
      n = neighbours(Vec3(0, apart[1], 0), size, R, at);
      const SceneContacts faces = contacts_of(n.model, n.state, near);
      ASSERT_EQ(faces.contacts.size(), 1U) << size;
      EXPECT_EQ(faces.contacts[0].surface.kind, PatchKind::polygon);
    }
}

TEST(Detect, ATowerHasOnePatchPerBox) {
  const Shape box = Box{{0.1, 0.2, 0.3}};
  const Model m = bodies_on_a_plane({{box, {0, 0, 0.3}}, {box, {0, 0, 0.9}}, {box, {0, 0, 1.5}}});
  DetectOptions near;
  near.size_share = tolerance::written;
  const SceneContacts found = contacts_of(m, initial_state(m), near);
  ASSERT_EQ(found.contacts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const SceneContact& c = found.contacts[i];
    EXPECT_EQ(c.geom2, static_cast<Index>(i)) << "the lower one is body 2";
    EXPECT_EQ(c.geom1, static_cast<Index>(i) + 1);
    EXPECT_EQ(c.surface.kind, PatchKind::polygon);
    EXPECT_EQ(c.surface.point_count, 4);
    EXPECT_NEAR(c.surface.X_WC.R(2, 2), 1, tolerance::rounding) << "the normal points up";
    EXPECT_NEAR(c.surface.distance, 0, tolerance::rounding);
  }
}

/// Two boxes side by side, welded into one foot: one patch over the hull of both.
TEST(Detect, CoplanarPatchesOfOneBodyAreOne) {
  Model draft = bodies_on_a_plane({{Box{{0.1, 0.1, 0.1}}, {0, 0, 0.1}}});
  Geom toe = draft.geoms[1];
  toe.X_BG.p = {0.3, 0, 0};
  draft.geoms.push_back(toe);
  auto result = make_model(draft);
  ASSERT_TRUE(result);
  Model foot = *std::move(result);
  DetectOptions near;
  near.size_share = tolerance::written;
  const SceneContacts found = contacts_of(foot, initial_state(foot), near);
  ASSERT_EQ(found.contacts.size(), 1U);
  EXPECT_EQ(found.contacts[0].surface.kind, PatchKind::polygon);
  double left = 0, right = 0;
  for (const Vec2& at : found.buffer.points) {
    const Pose& X_WC = found.contacts[0].surface.X_WC;
    const Vec3 p = transform_point(X_WC, {at[0], at[1], 0});
    left = std::min(left, p[0]);
    right = std::max(right, p[0]);
  }
  EXPECT_NEAR(left, -0.1, tolerance::rounding);
  EXPECT_NEAR(right, 0.4, tolerance::rounding);
  // With another friction they stay two.
  foot.geoms[2].friction[0] = 2;
  EXPECT_EQ(contacts_of(foot, initial_state(foot), near).contacts.size(), 2U);
}

TEST(Detect, ReachGrowsWithSpeed) {
  const Model m = bodies_on_a_plane({{Sphere{0.1}, {0, 0, 0.2}}});
  State s = initial_state(m);
  s.qvel[2] = -50;
  DetectOptions near;
  EXPECT_EQ(contacts_of(m, s, near).contacts.size(), 0U);
  near.travel_time = 0.001;
  EXPECT_EQ(contacts_of(m, s, near).contacts.size(), 0U) << "0.05 m in a step, 0.1 m away";
  near.travel_time = 0.002;
  ASSERT_EQ(contacts_of(m, s, near).contacts.size(), 1U);
  EXPECT_NEAR(contacts_of(m, s, near).contacts[0].surface.distance, 0.1, tolerance::rounding);
}

/// Every pair of spheres and nothing else, whatever was detected before.
TEST(Detect, FindsWhatAllPairsWould) {
  Rng rng(21);
  std::vector<std::pair<Shape, Vec3>> parts;
  for (int i = 0; i < 60; ++i)
    parts.emplace_back(Sphere{rng.log_uniform(0.01, 0.5)},
                       Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0, 1)));
  const Model m = bodies_on_a_plane(parts);
  DetectWorkspace work;
  prepare(m, work);
  Kinematics kin;
  SceneContacts out;
  for (int round = 0; round < 20; ++round) {
    State s = initial_state(m);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (Index k = 0; k < 3; ++k) s.qpos[7 * static_cast<Index>(i) + k] += rng.uniform(-0.2, 0.2);
    forward_kinematics(m, s, kin);
    detect(m, kin, {}, work, out);
    std::vector<std::pair<Index, Index>> wanted;
    const auto radius = [&](Index g) { return std::get<Sphere>(m.geoms[g].shape).radius; };
    const auto centre = [&](Index g) { return kin.X_WB[m.geoms[g].body].p; };
    const auto count = static_cast<Index>(m.geoms.size());
    for (Index a = 0; a < count; ++a)
      for (Index b = a + 1; b < count; ++b) {
        const double apart = a == 0 ? centre(b)[2] - radius(b)
                                    : (centre(a) - centre(b)).norm() - radius(a) - radius(b);
        if (apart <= 0) wanted.emplace_back(a, b);
      }
    ASSERT_EQ(out.contacts.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(out.contacts[i].geom2, wanted[i].first);
      EXPECT_EQ(out.contacts[i].geom1, wanted[i].second);
    }
  }
}

}  // namespace
}  // namespace tact
