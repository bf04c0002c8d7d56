// ODE's other method is dWorldStep, which solves the whole LCP; the first is dWorldQuickStep, which
// sweeps over it. Friction of both: a pyramid that grows with the normal force (dContactApprox1).
#include <cstdarg>
#include <stdexcept>

#include <ode/ode.h>

#include "world.hpp"

namespace tact::bench {
namespace {

constexpr int most_contacts = 8;  ///< of a pair

/// What its exact method says of towers, step after step.
void be_silent(int, const char*, va_list) {}

class OdeWorld final : public World {
 public:
  OdeWorld(const SimScene& scene, double dt, const Setting& setting)
      : free_(free_scene(scene)), dt_(dt), exact_(setting.other) {
    dInitODE2(0);
    dSetMessageHandler(be_silent);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    joints_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, free_.gravity[0], free_.gravity[1], free_.gravity[2]);
    if (setting.iterations > 0) dWorldSetQuickStepNumIterations(world_, setting.iterations);
    for (const FixedShape& fixed : free_.fixed) place(geom(fixed.shape, fixed.X_WG), fixed);
    for (const FreeBody& b : free_.bodies) add(b);
  }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;
  ~OdeWorld() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  bool step() override {
    dSpaceCollide(space_, this, &OdeWorld::near_each_other);
    const int done = exact_ ? dWorldStep(world_, dt_) : dWorldQuickStep(world_, dt_);
    dJointGroupEmpty(joints_);
    return done != 0;
  }
  void read(State& state) const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const dReal* p = dBodyGetPosition(bodies_[i]);
      const dReal* R = dBodyGetRotation(bodies_[i]);
      const dReal* v = dBodyGetLinearVel(bodies_[i]);
      const dReal* w = dBodyGetAngularVel(bodies_[i]);
      Pose X;
      X.p = Vec3(p[0], p[1], p[2]);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) X.R(a, b) = R[4 * a + b];
      write_body(free_.bodies[i], X, Vec3(v[0], v[1], v[2]), Vec3(w[0], w[1], w[2]), state);
    }
  }

 private:
  static void near_each_other(void* self, dGeomID a, dGeomID b) {
    auto& world = *static_cast<OdeWorld*>(self);
    const dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (first == nullptr && second == nullptr) return;
    dContact contacts[most_contacts] = {};
    const int count = dCollide(a, b, most_contacts, &contacts[0].geom, sizeof(dContact));
    for (int k = 0; k < count; ++k) {
      contacts[k].surface.mode = dContactApprox1;
      contacts[k].surface.mu = world.free_.mu;
      dJointAttach(dJointCreateContact(world.world_, world.joints_, &contacts[k]), first, second);
    }
  }

  dGeomID geom(const Shape& shape, const Pose& X) {
    if (std::get_if<HalfSpace>(&shape)) {
      const Vec3 n = X.R.col(2);
      return dCreatePlane(space_, n[0], n[1], n[2], n.dot(X.p));
    }
    if (const auto* s = std::get_if<Sphere>(&shape)) return dCreateSphere(space_, s->radius);
    if (const auto* c = std::get_if<Capsule>(&shape))
      return dCreateCapsule(space_, c->radius, 2 * c->half_length);
    if (const auto* c = std::get_if<Cylinder>(&shape))
      return dCreateCylinder(space_, c->radius, 2 * c->half_length);
    if (const auto* b = std::get_if<Box>(&shape)) {
      const Vec3 sides = 2 * b->half_extents;
      return dCreateBox(space_, sides[0], sides[1], sides[2]);
    }
    throw std::runtime_error("a shape that ODE is not given");
  }

  static void fill(const Mat3& R, dMatrix3 out) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 4; ++b) out[4 * a + b] = b < 3 ? R(a, b) : 0;
  }

  static void place(dGeomID id, const FixedShape& fixed) {
    if (std::get_if<HalfSpace>(&fixed.shape)) return;
    dMatrix3 R;
    fill(fixed.X_WG.R, R);
    dGeomSetRotation(id, R);
    dGeomSetPosition(id, fixed.X_WG.p[0], fixed.X_WG.p[1], fixed.X_WG.p[2]);
  }

  void add(const FreeBody& b) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom(b.shape, b.X_WB), body);
    dMatrix3 R;
    fill(b.X_WB.R, R);
    dBodySetRotation(body, R);
    dBodySetPosition(body, b.X_WB.p[0], b.X_WB.p[1], b.X_WB.p[2]);
    dBodySetLinearVel(body, b.velocity[0], b.velocity[1], b.velocity[2]);
    dBodySetAngularVel(body, b.spin_W[0], b.spin_W[1], b.spin_W[2]);
    bodies_.push_back(body);
  }

  FreeScene free_;
  double dt_;
  bool exact_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID joints_ = nullptr;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::unique_ptr<World> ode_world(const SimScene& scene, double dt, const Setting& setting) {
  return std::make_unique<OdeWorld>(scene, dt, setting);
}

}  // namespace tact::bench
