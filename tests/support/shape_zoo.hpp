// One random shape of every kind, and random places for two of them.
#pragma once

#include <array>
#include <cstdlib>
#include <string>

#include "tact/base/rng.hpp"
#include "tact/geom/shape.hpp"
#include "tests/support/geom_referee.hpp"
#include "tests/support/polyhedra.hpp"

namespace tact::testing {

inline constexpr int shape_kinds = 8;
inline constexpr int half_space_kind = 7;

inline std::string kind_name(int kind) {
  constexpr std::array<const char*, shape_kinds> names{
      "Sphere", "Capsule", "Ellipsoid", "Cylinder", "Box", "Mesh", "Prism", "HalfSpace"};
  return names[kind];
}

inline Shape random_shape(Rng& rng, int kind, double low = 0.2, double high = 1) {
  const auto length = [&] { return rng.log_uniform(low, high); };
  const auto lengths = [&] { return Vec3(length(), length(), length()); };
  switch (kind) {
    case 0:
      return Sphere{length()};
    case 1:
      return Capsule{length(), length()};
    case 2:
      return Ellipsoid{lengths()};
    case 3:
      return Cylinder{length(), length()};
    case 4:
      return Box{lengths()};
    case 5:
      return mesh_shape(random_polyhedron(rng, 12, lengths()));
    case 6:
      return mesh_shape(prism(7, length(), length()));
    default:
      return HalfSpace{};
  }
}

/// Poses at all depths: apart, grazing, deep, with a common centre; turned at random or parallel.
/// The second stands at the origin.
inline void random_place(Rng& rng, int turn, double reach, ShapePair& pair) {
  pair.X_W2 = {random_rotation(rng), Vec3::Zero()};
  pair.X_W1.R = random_rotation(rng);
  if (turn % 5 == 0) pair.X_W1.R = pair.X_W2.R;
  if (turn % 10 == 5)  // nearly parallel
    pair.X_W1.R *=
        exp_so3(rng.log_uniform(1e-14, 1e-2) * Vec3(rng.normal(), rng.normal(), rng.normal()));
  const Vec3 way = Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
  pair.X_W1.p = turn % 7 == 0 ? Vec3::Zero() : Vec3(rng.uniform(0, reach) * way);
}

/// How many cases a random test looks at: `usual`, or what TACT_MANY says.
inline int how_many(int usual) {
  const char* many = std::getenv("TACT_MANY");
  return many != nullptr ? std::atoi(many) : usual;
}

}  // namespace tact::testing
