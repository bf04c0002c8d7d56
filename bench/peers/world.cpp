#include "world.hpp"

#include <algorithm>
#include <stdexcept>

#include <Eigen/Geometry>

#include "tact/body/kinematics.hpp"
#include "tact/io/scene_simulation.hpp"

namespace tact::bench {
namespace {

/// Inertias as written in files are diagonal to their last digits.
constexpr double diagonal = 1e-9;

class TactWorld final : public World {
 public:
  TactWorld(const SimScene& scene, double dt, const Setting& setting) {
    SimOptions options;
    options.dt = dt;
    if (setting.tolerance > 0) options.tolerance = setting.tolerance;
    if (setting.swept) options.solved_island = 0;
    auto setup = scene_setup(scene.scene, scene.path, "", options);
    if (!setup) throw std::runtime_error(setup.error().message);
    SurfaceChoices choices = setup->choices;
    if (setting.other) choices.common.pressure = EllipsoidAtCop{};
    auto made =
        make_simulation(scene.scene.model, scene.start, setup->options, setup->prescribed, choices);
    if (!made) throw std::runtime_error(made.error().message);
    sim_ = *std::move(made);
  }

  bool step() override {
    if (!tact::step(sim_, report_)) return false;
    worst_ = std::max(worst_, report_.solve.residual.figure());
    return true;
  }
  void read(State& state) const override { state = state_of(sim_); }
  [[nodiscard]] double residual() const override { return worst_; }
  void forget_residual() override { worst_ = 0; }

 private:
  Simulation sim_;
  StepReport report_;
  double worst_ = 0;
};

FreeBody free_body(const Model& model, const State& start, const Joint& joint) {
  const Body& body = model.bodies[joint.body];
  const bool round = body.inertia_com_B.isDiagonal(diagonal) && body.com_B.isZero(diagonal) &&
                     body.geom_count == 1;
  if (joint.type != JointType::free || !round)
    throw std::runtime_error("body " + body.name + " is not a single shape that flies freely");
  const Geom& geom = model.geoms[body.first_geom];
  if (!geom.X_BG.R.isIdentity(diagonal) || !geom.X_BG.p.isZero(diagonal))
    throw std::runtime_error("geom " + geom.name + " is not in the middle of its body");
  const VecX& q = start.qpos;
  const VecX& u = start.qvel;
  const Index i = joint.qpos, d = joint.dof;
  FreeBody out{i, d, body.mass, body.inertia_com_B.diagonal(), geom.shape, {}, {}, {}};
  out.X_WB.p = q.segment<3>(i);
  out.X_WB.R =
      Eigen::Quaterniond(q[i + 3], q[i + 4], q[i + 5], q[i + 6]).normalized().toRotationMatrix();
  out.velocity = u.segment<3>(d);
  out.spin_W = out.X_WB.R * u.segment<3>(d + 3);
  return out;
}

}  // namespace

std::unique_ptr<World> tact_world(const SimScene& scene, double dt, const Setting& setting) {
  return std::make_unique<TactWorld>(scene, dt, setting);
}

FreeScene free_scene(const SimScene& scene) {
  const Model& model = scene.scene.model;
  FreeScene out;
  out.gravity = model.gravity;
  out.mu = model.geoms.empty() ? 0 : model.geoms.front().friction[0];
  for (const Joint& joint : model.joints)
    out.bodies.push_back(free_body(model, scene.start, joint));
  for (const Geom& geom : model.geoms) {
    if (geom.friction[0] != out.mu)
      throw std::runtime_error("geom " + geom.name + " has a friction of its own");
    if (geom.body == 0) out.fixed.push_back({geom.shape, geom.X_BG});
  }
  return out;
}

void write_body(const FreeBody& body, const Pose& X_WB, const Vec3& velocity, const Vec3& spin_W,
                State& state) {
  const Eigen::Quaterniond q(X_WB.R);
  state.qpos.segment<3>(body.qpos) = X_WB.p;
  state.qpos.segment<4>(body.qpos + 3) << q.w(), q.x(), q.y(), q.z();
  state.qvel.segment<3>(body.dof) = velocity;
  state.qvel.segment<3>(body.dof + 3) = X_WB.R.transpose() * spin_W;
}

}  // namespace tact::bench
