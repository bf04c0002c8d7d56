// peers/world.hpp - one scene in one simulator, whoever wrote it.
//
// All simulators get the same bodies, masses, shapes, friction and start, and are asked for nothing
// but their state: what is said about it, penetration, energy, distance to a closed form, is
// computed from that by one program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tact/io/scene_file.hpp"

namespace tact::bench {

struct SimScene {
  std::string name;
  std::string path;  ///< in complaints
  std::string text;  ///< MJCF
  Scene scene;
  State start;
};

/// How a simulator is set; each takes what it knows of.
struct Setting {
  std::string words = "default";
  int iterations = 0;      ///< 0: its default
  double tolerance = 0;    ///< 0: its default
  int substeps = 1;        ///< steps in a step of the scene
  bool other = false;      ///< the other of its methods
  bool swept = false;      ///< tact: in piles no island is solved
  Index most_bodies = 0;   ///< scenes with more are left out; 0: none are
  Index least_bodies = 0;  ///< scenes with fewer are left out
};

class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;
  /// False where it cannot go on.
  virtual bool step() = 0;
  /// Positions and velocities in the coordinates of the scene's model.
  virtual void read(State& state) const = 0;
  /// The worst residual of its contact problems so far, by a judge; negative: nobody judged.
  [[nodiscard]] virtual double residual() const { return -1; }
  /// From here on it is the worst of what comes.
  virtual void forget_residual() {}
};

/// A body that flies freely, with one shape about its centre of mass.
struct FreeBody {
  Index qpos = 0, dof = 0;  ///< where it is in a State
  double mass = 0;
  Vec3 inertia = Vec3::Zero();
  Shape shape = Sphere{1};
  Pose X_WB;
  Vec3 velocity = Vec3::Zero(), spin_W = Vec3::Zero();
};

struct FixedShape {
  Shape shape = HalfSpace{};
  Pose X_WG;
};

/// What simulators of free bodies are made from.
struct FreeScene {
  Vec3 gravity;
  double mu = 0;
  std::vector<FreeBody> bodies;
  std::vector<FixedShape> fixed;
};

/// Throws std::runtime_error where the scene has anything else, or more than one friction
/// coefficient: engines mix two of them by different rules.
[[nodiscard]] FreeScene free_scene(const SimScene& scene);

/// Writes a body's motion to its place.
void write_body(const FreeBody& body, const Pose& X_WB, const Vec3& velocity, const Vec3& spin_W,
                State& state);

using MakeWorld = std::unique_ptr<World> (*)(const SimScene& scene, double dt,
                                             const Setting& setting);

/// Each throws std::runtime_error where the scene is not for it.
[[nodiscard]] std::unique_ptr<World> tact_world(const SimScene& scene, double dt,
                                                const Setting& setting);
[[nodiscard]] std::unique_ptr<World> mujoco_world(const SimScene& scene, double dt,
                                                  const Setting& setting);
[[nodiscard]] std::unique_ptr<World> bullet_world(const SimScene& scene, double dt,
                                                  const Setting& setting);
[[nodiscard]] std::unique_ptr<World> ode_world(const SimScene& scene, double dt,
                                               const Setting& setting);
[[nodiscard]] std::unique_ptr<World> dart_world(const SimScene& scene, double dt,
                                                const Setting& setting);

}  // namespace tact::bench
