// tests/support/random_scenes.hpp - random contact problems made of bodies: masses, places and
// motions drawn at random, so that G = J M⁻¹ J' is a true Delassus matrix and a solution exists.
//
// Bodies have six degrees of freedom [v, w] in the world frame. A contact is drawn at a place with
// a normal; the same seed gives the same scene in any units and with its tangents turned.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "tact/base/rng.hpp"
#include "tact/contact/problem.hpp"
#include "tests/support/sanitizers.hpp"

namespace tact::testing {

/// Sanitizers slow a solve down twenty times: fewer cases then.
#if TACT_ADDRESS_SANITIZER || TACT_THREAD_SANITIZER
constexpr int cases_divisor = 20;
#else
constexpr int cases_divisor = 1;
#endif
constexpr int cases(int wanted) {
  return wanted / cases_divisor > 0 ? wanted / cases_divisor : 1;
}

/// What kinds of contact a scene has.
enum class Family {
  smooth,  ///< points and patches without friction: a convex problem
  coulomb,
  planar,   ///< rows [t, n] of all three point laws
  polygon,  ///< box, pyramid of 3 to 8 edges
  rolling,
  patch,  ///< with and without friction
  mixed,  ///< all of the above
};
constexpr Family all_families[] = {Family::smooth,  Family::coulomb, Family::planar,
                                   Family::polygon, Family::rolling, Family::patch,
                                   Family::mixed};
inline const char* name(Family family) {
  constexpr const char* names[] = {"smooth",  "coulomb", "planar", "polygon",
                                   "rolling", "patch",   "mixed"};
  return names[static_cast<int>(family)];
}

struct Units {
  double mass = 1, length = 1, time = 1;
};

struct SceneOptions {
  Family family = Family::mixed;
  int bodies = 2;
  int contacts = 4;
  double mass_ratio = 10;  ///< masses lie between its inverse root and its root
  double most_friction = 2;
  Units units;
  double turn = 0;  ///< every tangent frame turned by this angle about its normal
};

namespace detail {

inline Vec3 random_direction(Rng& rng) {
  return Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
}

inline Vec2 turned(const Vec2& x, double angle) {
  return Eigen::Rotation2Dd(angle) * x;
}

/// A polygon, a disc or a segment; the frame turned by `angle`, so the shape by its opposite.
inline PatchShape random_shape(Rng& rng, double length, double angle) {
  const Vec2 center(rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1));
  const double size = rng.uniform(0.1, 0.5);
  const auto place = [&](const Vec2& x) { return Vec2(length * turned(x, -angle)); };
  const std::uint64_t kind = rng.below(5);
  if (kind == 0) return {DiscShape{place(center), length * size}};
  if (kind == 1)
    return {SegmentShape{place(center - Vec2(size, 0.3 * size)),
                         place(center + Vec2(size, 0.3 * size))}};
  PolygonShape polygon;
  const int corners = 3 + static_cast<int>(rng.below(4));
  for (int i = 0; i < corners; ++i)
    polygon.points.push_back(
        place(center + turned(Vec2(size, 0), 2 * std::numbers::pi * (i + 0.5) / corners)));
  return {polygon};
}

inline PatchFriction random_model(Rng& rng, double length) {
  switch (rng.below(3)) {
    case 0:
      return EllipsoidAtCop{rng.uniform(0.05, 0.3) * length};
    case 1:
      return EffectivePatch{NodePattern::four_eight};
    default:
      return EffectivePatch{NodePattern::one_six};
  }
}

inline double random_friction(Rng& rng, double most) {
  return rng.below(10) == 0 ? 0.0 : rng.uniform(0, most);
}

/// A law of the family, lengths in the scene's unit.
inline Law random_law(Rng& rng, const SceneOptions& o) {
  Family family = o.family;
  if (family == Family::mixed) family = all_families[rng.below(6)];
  const double mu = random_friction(rng, o.most_friction);
  const double length = o.units.length;
  const std::uint64_t choice = rng.below(3);
  switch (family) {
    case Family::smooth:
      if (choice > 0) return Frictionless{};
      return FrictionlessPatch{random_shape(rng, length, o.turn)};
    case Family::coulomb:
      return CoulombLaw{mu};
    case Family::planar:
      if (choice == 0) return BoxLaw{mu, rng.uniform(0.7, 1), true};
      if (choice == 1) return PyramidLaw{mu, 4, true};
      return CoulombLaw{mu, true};
    case Family::polygon:
      if (choice == 0) return BoxLaw{mu, rng.uniform(0.7, 1)};
      return PyramidLaw{mu, 3 + static_cast<int>(rng.below(6))};
    case Family::rolling:
      return RollingLaw{mu, rng.uniform(0, 0.1) * length, rng.uniform(0, 0.05) * length};
    default:
      break;
  }
  PatchShape shape = random_shape(rng, length, o.turn);
  if (choice == 0) return FrictionlessPatch{shape};
  return FrictionalPatch{shape, mu, random_model(rng, length)};
}

/// Six rows [w_1, w_2, w_n, v_1, v_2, v_n] of the relative motion in the contact's frame, for a
/// body whose centre is `arm` away.
inline Eigen::Matrix<double, 6, 6> twist_rows(const Mat3& frame, const Vec3& arm) {
  Eigen::Matrix<double, 6, 6> rows = Eigen::Matrix<double, 6, 6>::Zero();
  for (int k = 0; k < 3; ++k) {
    rows.row(k).tail<3>() = frame.col(k).transpose();
    rows.row(3 + k).head<3>() = frame.col(k).transpose();
    rows.row(3 + k).tail<3>() = arm.cross(frame.col(k)).transpose();
  }
  return rows;
}

/// Which of the six rows a law uses, in the order of contact/law.hpp.
inline std::vector<Index> used_rows(const Law& law) {
  switch (row_count(law)) {
    case 1:
      return {5};
    case 2:
      return {3, 5};
    case 3:
      if (std::holds_alternative<FrictionlessPatch>(law)) return {0, 1, 5};
      return {3, 4, 5};
    default:
      return {0, 1, 2, 3, 4, 5};
  }
}

}  // namespace detail

/// A body's mass matrix: an inertia that obeys the triangle inequality, turned at random.
inline Eigen::Matrix<double, 6, 6> random_body(Rng& rng, double mass, double length) {
  const Vec3 squares(rng.uniform(0.02, 0.3), rng.uniform(0.02, 0.3), rng.uniform(0.02, 0.3));
  const Vec3 moments(squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]);
  const Mat3 frame = Eigen::AngleAxisd(rng.uniform(0, 3), detail::random_direction(rng)).matrix();
  Eigen::Matrix<double, 6, 6> out = Eigen::Matrix<double, 6, 6>::Zero();
  out.topLeftCorner<3, 3>() = mass * Mat3::Identity();
  const Mat3 inertia = frame * moments.asDiagonal() * frame.transpose();
  out.bottomRightCorner<3, 3>() = 0.5 * mass * length * length * (inertia + inertia.transpose());
  return out;
}

/// Bodies that touch each other and the ground. At rest the constraints hold: a solution exists.
inline ContactProblem random_scene(std::uint64_t seed, const SceneOptions& o) {
  Rng rng(seed);
  const Index dof = 6 * o.bodies;
  MatX mass = MatX::Zero(dof, dof);
  ContactProblem p;
  p.velocity.resize(dof);
  p.impulse.resize(dof);
  const double speed = o.units.length / o.units.time;
  std::vector<Vec3> centre;
  for (int k = 0; k < o.bodies; ++k) {
    const double root = std::sqrt(o.mass_ratio);
    const double kilograms = o.units.mass * rng.log_uniform(1 / root, root);
    mass.block<6, 6>(6 * k, 6 * k) = random_body(rng, kilograms, o.units.length);
    centre.push_back(o.units.length * Vec3(k, rng.normal() * 0.2, rng.normal() * 0.2));
    for (int i = 0; i < 3; ++i) {
      p.velocity[6 * k + i] = speed * rng.normal();
      p.velocity[6 * k + 3 + i] = rng.normal() / o.units.time;
      p.impulse[6 * k + i] = kilograms * speed * (0.1 * rng.normal() - (i == 2 ? 0.3 : 0.0));
      p.impulse[6 * k + 3 + i] = 0.02 * kilograms * speed * o.units.length * rng.normal();
    }
  }
  std::vector<MatX> rows;
  for (int c = 0; c < o.contacts; ++c) {
    Contact contact;
    contact.law = detail::random_law(rng, o);
    const int one = static_cast<int>(rng.below(static_cast<std::uint64_t>(o.bodies)));
    const bool ground = o.bodies == 1 || rng.below(2) == 0;
    const int two = (one + 1) % o.bodies;
    const Vec3 n = (Vec3(0, 0, 1) + 0.5 * detail::random_direction(rng)).normalized();
    Mat3 frame;
    frame.col(0) = n.unitOrthogonal();
    frame.col(1) = n.cross(frame.col(0));
    frame.col(2) = n;
    if (row_count(contact.law) != 2)  // a planar contact has a direction of its own
      frame = Eigen::AngleAxisd(o.turn, n).matrix() * frame;
    const Vec3 place = centre[static_cast<std::size_t>(one)] +
                       o.units.length * Vec3(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), -0.5);
    MatX six = MatX::Zero(6, dof);
    six.middleCols<6>(6 * one) =
        detail::twist_rows(frame, place - centre[static_cast<std::size_t>(one)]);
    if (!ground)
      six.middleCols<6>(6 * two) -=
          detail::twist_rows(frame, place - centre[static_cast<std::size_t>(two)]);
    const auto used = detail::used_rows(contact.law);
    MatX block(static_cast<Index>(used.size()), dof);
    for (std::size_t r = 0; r < used.size(); ++r)
      block.row(static_cast<Index>(r)) = six.row(used[r]);
    rows.push_back(block);
    p.contacts.push_back(std::move(contact));
  }
  MatX all(row_offsets(p.contacts).back(), dof);
  Index at = 0;
  for (const MatX& block : rows) {
    all.middleRows(at, block.rows()) = block;
    at += block.rows();
  }
  p.mass = sparse(mass);
  p.rows = sparse(all);
  return p;
}

/// Contacts `order` of a problem in mass form, some perhaps more than once.
inline ContactProblem with_contacts(const ContactProblem& p, const std::vector<Index>& order) {
  ContactProblem out = p;
  out.contacts.clear();
  const auto offset = row_offsets(p.contacts);
  const MatX rows = p.rows;
  std::vector<Index> kept;
  for (const Index i : order) {
    out.contacts.push_back(p.contacts[static_cast<std::size_t>(i)]);
    for (Index r = offset[i]; r < offset[i + 1]; ++r) kept.push_back(r);
  }
  MatX chosen(static_cast<Index>(kept.size()), rows.cols());
  for (std::size_t r = 0; r < kept.size(); ++r)
    chosen.row(static_cast<Index>(r)) = rows.row(kept[r]);
  out.rows = sparse(chosen);
  if (p.excitation.size() > 0) {
    out.excitation.resize(chosen.rows());
    for (std::size_t r = 0; r < kept.size(); ++r)
      out.excitation[static_cast<Index>(r)] = p.excitation[kept[r]];
  }
  return out;
}

/// Scenes of all families, from one contact on one body to eight on three; every fifth has contacts
/// twice, every seventh masses a million apart.
inline ContactProblem numbered_scene(int k, SceneOptions o) {
  Rng rng(static_cast<std::uint64_t>(k) + 1000);
  o.family = all_families[k % 7];
  o.contacts = 1 + static_cast<int>(rng.below(8));
  o.bodies = 1 + static_cast<int>(rng.below(3));
  if (k % 5 == 4) o.contacts = 1 + o.contacts / 2;
  o.mass_ratio = k % 7 == 6 || k % 11 == 10 ? 1e6 : 10.0;
  ContactProblem p = random_scene(static_cast<std::uint64_t>(k), o);
  p.name = std::string(name(o.family)) + " " + std::to_string(k);
  if (k % 5 != 4) return p;
  std::vector<Index> twice;
  for (int i = 0; i < o.contacts; ++i) {
    twice.push_back(i);
    if (i % 2 == 0) twice.push_back(i);
  }
  return with_contacts(p, twice);
}

}  // namespace tact::testing
