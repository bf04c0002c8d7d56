// support/structures.hpp - masonry, stacks and piles of free bodies, as MJCF text.
//
// SI units, gravity along -z. Cubes have edges of 0.2 m. Unless stated otherwise bodies have the
// density of water and friction 0.6. Everything is fixed by the arguments and a seed.
#pragma once

#include <cstdint>
#include <string>

namespace tact::bench {

/// Cubes in rows of `rows`, `rows` - 1, ... 1 along x, neighbours of a row in touch.
struct Pyramid {
  int rows = 10;
  double dt = 1.0 / 240;  ///< [s]
  double gap = 0;         ///< [m] below every row: it falls so far
};
[[nodiscard]] std::string pyramid_mjcf(const std::string& name, const Pyramid& pyramid);

/// A block of cubes that touch their neighbours, on the ground or in a crate.
struct CubeBlock {
  int along_x = 3, along_y = 3, along_z = 3;
  double mass = 8;  ///< of a cube [kg]
  double friction = 0.6;
  bool crate = false;  ///< four walls and a floor that fit exactly
  double tilt = 0;     ///< [rad] of gravity, about y; the crate stays level
};
[[nodiscard]] std::string cubes_mjcf(const std::string& name, const CubeBlock& block);

/// Running bond: bricks of 0.2 x 0.1 x 0.1 m, every other row ends in half bricks.
struct BrickWall {
  int rows = 20, bricks = 20;
};
[[nodiscard]] std::string wall_mjcf(const std::string& name, const BrickWall& wall);

/// A semicircular arch of wedges on the ground, mean radius 1 m, depth 0.2 m. By Heyman's limit
/// analysis an arch of many wedges stands from a thickness of about 0.1075 radii on.
struct Arch {
  int voussoirs = 21;
  double thickness = 0.12;  ///< over the mean radius
  double friction = 1;
};
[[nodiscard]] std::string arch_mjcf(const std::string& name, const Arch& arch);

/// Two storeys of cards of 90 x 60 x 2 mm, friction 0.8: two pairs that lean at 20° from the
/// vertical, a card across both, one more pair and a card on top.
[[nodiscard]] std::string card_house_mjcf(const std::string& name);

/// What falls into a bin of 0.6 x 0.6 m; each body about 0.1 m across, in a random orientation.
enum class BinFill { capsules, cylinders, meshes, mixed };
[[nodiscard]] std::string bin_mjcf(const std::string& name, BinFill fill, int bodies,
                                   std::uint64_t seed);

/// side² · layers cubes 0.26 m apart that fall into a bin, slightly turned at random.
[[nodiscard]] std::string loose_boxes_mjcf(const std::string& name, int side, int layers,
                                           std::uint64_t seed);

}  // namespace tact::bench
