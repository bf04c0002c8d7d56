#include "structures.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "mjcf_text.hpp"
#include "tact/base/rng.hpp"

namespace tact::bench {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;

constexpr double pi = std::numbers::pi;
constexpr double weight = 9.81;  ///< of a kilogramme [N]
constexpr double half = 0.1;     ///< of a cube's edge [m]
constexpr double dt = 0.001;     ///< [s] of what stands
constexpr double dt_falling = 0.002;

/// Of n places `space` apart, about zero.
double place(int i, int n, double space) {
  return space * (i - 0.5 * (n - 1));
}

/// Walls about a square of half edge `inside` and a floor below it, or the ground.
void add_bin(MjcfText& scene, double inside, double height, double friction, bool floor) {
  constexpr double thick = 0.05;
  const double outside = inside + 2 * thick, tall = 0.5 * height;
  if (floor) scene.add_fixed_box({outside, outside, thick}, {0, 0, -thick}, friction);
  for (const double side : {1.0, -1.0}) {
    const double at = side * (inside + thick);
    scene.add_fixed_box({thick, outside, tall}, {at, 0, tall}, friction);
    scene.add_fixed_box({inside, thick, tall}, {0, at, tall}, friction);
  }
}

Quaterniond about_y(double angle) {
  return Quaterniond(AngleAxisd(angle, Vec3::UnitY()));
}

double symmetric(Rng& rng, double size) {
  return rng.uniform(-size, size);
}

/// Uniform over all orientations.
Quaterniond random_turn(Rng& rng) {
  const double w = rng.normal(), x = rng.normal(), y = rng.normal(), z = rng.normal();
  return Quaterniond(w, x, y, z).normalized();
}

/// The hull of random points on a sphere.
std::string rock(const std::string& name, Rng& rng) {
  constexpr int points = 20;
  constexpr double radius = 0.05;
  VecX out(3 * points);
  for (Index k = 0; k < points; ++k) {
    const double x = rng.normal(), y = rng.normal(), z = rng.normal();
    out.segment<3>(3 * k) = radius * Vec3(x, y, z).normalized();
  }
  return "<mesh" + attribute("name", name) + attribute("vertex", out) + "/>\n";
}

}  // namespace

std::string pyramid_mjcf(const std::string& name, const Pyramid& pyramid) {
  MjcfText scene(name, pyramid.dt);
  scene.add_ground(0.6);
  for (int row = 0; row < pyramid.rows; ++row)
    for (int i = 0; i < pyramid.rows - row; ++i) {
      const double z = half + 2 * half * row + pyramid.gap * (row + 1);
      scene.add_free_body({place(i, pyramid.rows - row, 2 * half), 0, z},
                          box_geom(Vec3::Constant(half), {}));
    }
  return scene.text();
}

std::string cubes_mjcf(const std::string& name, const CubeBlock& block) {
  const Vec3 gravity(weight * std::sin(block.tilt), 0, -weight * std::cos(block.tilt));
  MjcfText scene(name, dt, gravity);
  if (block.crate)
    add_bin(scene, half * block.along_x, 2 * half * block.along_z, block.friction, true);
  else
    scene.add_ground(block.friction);
  const std::string cube =
      box_geom(Vec3::Constant(half), {.friction = block.friction, .mass = block.mass});
  for (int i = 0; i < block.along_x; ++i)
    for (int j = 0; j < block.along_y; ++j)
      for (int k = 0; k < block.along_z; ++k)
        scene.add_free_body({place(i, block.along_x, 2 * half), place(j, block.along_y, 2 * half),
                             half + 2 * half * k},
                            cube);
  return scene.text();
}

std::string wall_mjcf(const std::string& name, const BrickWall& wall) {
  constexpr double thick = 0.05;  // half of a brick's height and depth
  MjcfText scene(name, dt);
  scene.add_ground(0.6);
  const auto add_brick = [&](double x, double half_length, double z) {
    scene.add_free_body({x, 0, z}, box_geom({half_length, thick, thick}, {}));
  };
  for (int row = 0; row < wall.rows; ++row) {
    const double z = thick + 2 * thick * row;
    const bool shifted = row % 2 == 1;
    const int whole = shifted ? wall.bricks - 1 : wall.bricks;
    const double end = half * wall.bricks - 0.5 * half;
    if (shifted) add_brick(-end, 0.5 * half, z);
    for (int i = 0; i < whole; ++i) add_brick(place(i, whole, 2 * half), half, z);
    if (shifted) add_brick(end, 0.5 * half, z);
  }
  return scene.text();
}

std::string arch_mjcf(const std::string& name, const Arch& arch) {
  constexpr double radius = 1, depth = 0.2;
  const double half_angle = pi / (2 * arch.voussoirs), thick = 0.5 * arch.thickness * radius;
  MjcfText scene(name, dt);
  scene.ask_for_mesh_faces();
  // The wedge about (radius, 0, 0), x outwards and z along the arch.
  VecX corners(24);
  Index at = 0;
  for (const double r : {radius - thick, radius + thick})
    for (const double y : {-0.5 * depth, 0.5 * depth})
      for (const double angle : {-half_angle, half_angle}) {
        corners.segment<3>(at) = Vec3(r * std::cos(angle) - radius, y, r * std::sin(angle));
        at += 3;
      }
  scene.add_asset("<mesh name=\"voussoir\"" + attribute("vertex", corners) + "/>\n");
  scene.add_ground(arch.friction);
  for (int k = 0; k < arch.voussoirs; ++k) {
    const double angle = (2 * k + 1) * half_angle;
    scene.add_free_body({radius * std::cos(angle), 0, radius * std::sin(angle)},
                        geom(R"("mesh" mesh="voussoir")", {.friction = arch.friction}),
                        about_y(-angle));
  }
  return scene.text();
}

std::string card_house_mjcf(const std::string& name) {
  constexpr double length = 0.09, width = 0.06, thick = 0.002, lean = pi / 9;
  constexpr double between = 0.068;  // the tops of the two lower pairs
  const GeomTraits traits{.friction = 0.8};
  const double c = std::cos(lean), s = std::sin(lean);
  // From the edge where a pair meets to the middle of a card, and how high its top edge is.
  const double across = 0.5 * (thick * c + length * s), top = length * c + thick * s;
  MjcfText scene(name, dt);
  scene.add_ground(traits.friction);
  const auto add_pair = [&](double x, double z) {
    for (const double side : {-1.0, 1.0})
      scene.add_free_body({x + side * across, 0, z + 0.5 * top},
                          box_geom({0.5 * thick, 0.5 * width, 0.5 * length}, traits),
                          about_y(-side * lean));
  };
  const auto add_level = [&](double z) {
    scene.add_free_body({0, 0, z + 0.5 * thick},
                        box_geom({0.5 * length, 0.5 * width, 0.5 * thick}, traits));
  };
  add_pair(-0.5 * between, 0);
  add_pair(0.5 * between, 0);
  add_level(top);
  add_pair(0, top + thick);
  add_level(2 * top + thick);
  return scene.text();
}

std::string bin_mjcf(const std::string& name, BinFill fill, int bodies, std::uint64_t seed) {
  constexpr const char* shapes[] = {R"("capsule" size="0.03 0.03")",
                                    R"("cylinder" size="0.035 0.035")", R"("sphere" size="0.05")",
                                    R"("box" size="0.035 0.03 0.04")",
                                    R"("ellipsoid" size="0.035 0.05 0.06")"};
  constexpr int shape_count = 5, mesh = shape_count, meshes = 5, side = 4;
  constexpr double inside = 0.3, space = 0.14, jitter = 0.008;
  std::vector<int> kinds;
  if (fill == BinFill::capsules) kinds = {0};
  if (fill == BinFill::cylinders) kinds = {1};
  if (fill == BinFill::meshes) kinds = {mesh};
  if (fill == BinFill::mixed) kinds = {0, 1, 2, 3, 4, mesh};
  Rng rng(seed);
  MjcfText scene(name, dt_falling);
  if (kinds.back() == mesh)
    for (int k = 0; k < meshes; ++k) scene.add_asset(rock(numbered("m", k), rng));
  add_bin(scene, inside, 0.8, 0.6, true);
  for (int k = 0; k < bodies; ++k) {
    const int kind = kinds[rng.below(kinds.size())];
    std::string shape = kind == mesh ? R"("mesh" mesh="m)" : shapes[kind];
    if (kind == mesh) shape += std::to_string(rng.below(meshes)) + "\"";
    const int i = k / side % side, j = k % side, layer = k / (side * side);
    const double x = place(i, side, space) + symmetric(rng, jitter);
    const double y = place(j, side, space) + symmetric(rng, jitter);
    scene.add_free_body({x, y, 0.1 + space * layer}, geom(shape, {}), random_turn(rng));
  }
  return scene.text();
}

std::string loose_boxes_mjcf(const std::string& name, int side, int layers, std::uint64_t seed) {
  constexpr double space = 0.26, turn = 0.05;
  Rng rng(seed);
  MjcfText scene(name, dt_falling);
  scene.add_ground(0.6);
  add_bin(scene, 0.5 * space * side + 0.05, space * layers, 0.6, false);
  for (int k = 0; k < layers; ++k)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        const double x = symmetric(rng, turn), y = symmetric(rng, turn), z = symmetric(rng, turn);
        scene.add_free_body({place(i, side, space), place(j, side, space), 0.16 + space * k},
                            box_geom(Vec3::Constant(half), {}),
                            Quaterniond(1, x, y, z).normalized());
      }
  return scene.text();
}

}  // namespace tact::bench
