// DART with its default solver of contacts (Dantzig's method) and ODE's detection: it knows all of
// these shapes and gives several points to a face. Bullet's would bring the library of single
// precision into a program that has the one of double.
#include <limits>
#include <stdexcept>

#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "world.hpp"

namespace tact::bench {
namespace {

dart::dynamics::ShapePtr to_dart(const Shape& shape) {
  using namespace dart::dynamics;
  if (std::get_if<HalfSpace>(&shape)) return std::make_shared<PlaneShape>(Vec3::UnitZ(), 0.0);
  if (const auto* s = std::get_if<Sphere>(&shape)) return std::make_shared<SphereShape>(s->radius);
  if (const auto* c = std::get_if<Capsule>(&shape))
    return std::make_shared<CapsuleShape>(c->radius, 2 * c->half_length);
  if (const auto* c = std::get_if<Cylinder>(&shape))
    return std::make_shared<CylinderShape>(c->radius, 2 * c->half_length);
  if (const auto* b = std::get_if<Box>(&shape))
    return std::make_shared<BoxShape>(2 * b->half_extents);
  throw std::runtime_error("a shape that DART is not given");
}

Eigen::Isometry3d to_dart(const Pose& X) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = X.R;
  out.translation() = X.p;
  return out;
}

class DartWorld final : public World {
 public:
  DartWorld(const SimScene& scene, double dt, const Setting&) : free_(free_scene(scene)) {
    world_->setTimeStep(dt);
    world_->setGravity(free_.gravity);
    auto* solver = world_->getConstraintSolver();
    solver->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
    solver->getCollisionOption().maxNumContacts = std::numeric_limits<int>::max();
    for (const FixedShape& fixed : free_.fixed) add_fixed(fixed);
    for (const FreeBody& b : free_.bodies) add(b);
  }

  bool step() override {
    world_->step();
    return true;
  }
  void read(State& state) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto& X = bodies_[i]->getWorldTransform();
      write_body(free_.bodies[i], {X.linear(), X.translation()}, bodies_[i]->getLinearVelocity(),
                 bodies_[i]->getAngularVelocity(), state);
    }
  }

 private:
  using Node = dart::dynamics::BodyNode;

  void clothe(Node& node, const Shape& shape) const {
    using namespace dart::dynamics;
    auto* at = node.createShapeNodeWith<CollisionAspect, DynamicsAspect>(to_dart(shape));
    at->getDynamicsAspect()->setFrictionCoeff(free_.mu);
    at->getDynamicsAspect()->setRestitutionCoeff(0);
  }
  [[nodiscard]] std::string next_name() const {
    return std::to_string(world_->getNumSkeletons()).insert(0, 1, 's');
  }

  void add_fixed(const FixedShape& fixed) {
    auto skeleton = dart::dynamics::Skeleton::create(next_name());
    auto made = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>();
    made.first->setTransformFromParentBodyNode(to_dart(fixed.X_WG));
    clothe(*made.second, fixed.shape);
    skeleton->setMobile(false);
    world_->addSkeleton(skeleton);
  }

  void add(const FreeBody& b) {
    auto skeleton = dart::dynamics::Skeleton::create(next_name());
    auto made = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
    made.second->setInertia(dart::dynamics::Inertia(b.mass, Vec3::Zero(), b.inertia.asDiagonal()));
    clothe(*made.second, b.shape);
    made.first->setTransform(to_dart(b.X_WB));
    made.first->setLinearVelocity(b.velocity);
    made.first->setAngularVelocity(b.spin_W);
    bodies_.push_back(made.second);
    world_->addSkeleton(skeleton);
  }

  FreeScene free_;
  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  std::vector<Node*> bodies_;
};

}  // namespace

std::unique_ptr<World> dart_world(const SimScene& scene, double dt, const Setting& setting) {
  return std::make_unique<DartWorld>(scene, dt, setting);
}

}  // namespace tact::bench
