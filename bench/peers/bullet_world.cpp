// Bullet multiplies the coefficients of a pair, so that each shape gets the root.
#include <cmath>
#include <stdexcept>

#include <btBulletDynamicsCommon.h>

#include "world.hpp"

namespace tact::bench {
namespace {

btVector3 to_bullet(const Vec3& v) {
  return {static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]), static_cast<btScalar>(v[2])};
}
Vec3 from_bullet(const btVector3& v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
btTransform to_bullet(const Pose& X) {
  const auto at = [&](Index i, Index j) { return static_cast<btScalar>(X.R(i, j)); };
  const btMatrix3x3 R(at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2), at(2, 0),
                      at(2, 1), at(2, 2));
  return btTransform(R, to_bullet(X.p));
}
Pose from_bullet(const btTransform& X) {
  Pose out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.R(i, j) = static_cast<double>(X.getBasis()[i][j]);
  out.p = from_bullet(X.getOrigin());
  return out;
}

std::unique_ptr<btCollisionShape> to_bullet(const Shape& shape) {
  const auto size = [](double x) { return static_cast<btScalar>(x); };
  if (std::get_if<HalfSpace>(&shape))
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), size(0));
  if (const auto* s = std::get_if<Sphere>(&shape))
    return std::make_unique<btSphereShape>(size(s->radius));
  if (const auto* c = std::get_if<Capsule>(&shape))
    return std::make_unique<btCapsuleShapeZ>(size(c->radius), size(2 * c->half_length));
  if (const auto* c = std::get_if<Cylinder>(&shape))
    return std::make_unique<btCylinderShapeZ>(
        to_bullet(Vec3(c->radius, c->radius, c->half_length)));
  if (const auto* b = std::get_if<Box>(&shape))
    return std::make_unique<btBoxShape>(to_bullet(b->half_extents));
  throw std::runtime_error("a shape that Bullet is not given");
}

class BulletWorld final : public World {
 public:
  BulletWorld(const SimScene& scene, double dt, const Setting& setting)
      : free_(free_scene(scene)), dt_(static_cast<btScalar>(dt)) {
    world_.setGravity(to_bullet(free_.gravity));
    if (setting.iterations > 0) world_.getSolverInfo().m_numIterations = setting.iterations;
    for (const FixedShape& fixed : free_.fixed) add(0, btVector3(0, 0, 0), fixed.shape, fixed.X_WG);
    for (const FreeBody& b : free_.bodies) {
      btRigidBody& body = add(b.mass, to_bullet(b.inertia), b.shape, b.X_WB);
      body.setLinearVelocity(to_bullet(b.velocity));
      body.setAngularVelocity(to_bullet(b.spin_W));
      body.setActivationState(DISABLE_DEACTIVATION);
    }
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;
  ~BulletWorld() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  bool step() override {
    world_.stepSimulation(dt_, 0);
    return true;
  }
  void read(State& state) const override {
    const std::size_t first = free_.fixed.size();
    for (std::size_t i = 0; i < free_.bodies.size(); ++i) {
      const btRigidBody& body = *bodies_[first + i];
      write_body(free_.bodies[i], from_bullet(body.getWorldTransform()),
                 from_bullet(body.getLinearVelocity()), from_bullet(body.getAngularVelocity()),
                 state);
    }
  }

 private:
  btRigidBody& add(double mass, const btVector3& inertia, const Shape& shape, const Pose& X) {
    shapes_.push_back(to_bullet(shape));
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr,
                                                  shapes_.back().get(), inertia);
    info.m_startWorldTransform = to_bullet(X);
    info.m_friction = static_cast<btScalar>(std::sqrt(free_.mu));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }

  FreeScene free_;
  btScalar dt_;
  btDefaultCollisionConfiguration config_;
  btCollisionDispatcher dispatcher_{&config_};
  btDbvtBroadphase broad_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_, &solver_, &config_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<World> bullet_world(const SimScene& scene, double dt, const Setting& setting) {
  return std::make_unique<BulletWorld>(scene, dt, setting);
}

}  // namespace tact::bench
