// peers/simbody_bounce.cpp
#include "peers/simbody_bounce.hpp"

#include <cmath>

#include <Simbody.h>

namespace tact::bench {

Bounce simbody_bounce(const Throw& what, double accuracy, double (*clock)()) {
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  GeneralContactSubsystem contacts(system);
  const ContactSetIndex set = contacts.createContactSet();
  const Inertia inertia(0.4 * what.mass * what.radius * what.radius);
  Body::Rigid body(MassProperties(what.mass, Vec3(0), inertia));
  MobilizedBody::Free ball(matter.Ground(), body);
  contacts.addBody(set, ball, ContactGeometry::Sphere(what.radius), Transform());
  // Its half-space lies on the side of +x.
  contacts.addBody(set, matter.Ground(), ContactGeometry::HalfSpace(),
                   Transform(Rotation(Pi / 2, YAxis), Vec3(0)));
  HuntCrossleyForce force(forces, contacts, set);
  // Two equal sides of stiffness s act as s/2^(3/2); the rate enters as 1 + (3/2) c v.
  const double side = what.modulus_Pa * std::pow(2.0, 1.5);
  const double c = what.dissipation_s_per_m / 1.5;
  for (const int i : {0, 1}) force.setBodyParameters(ContactSurfaceIndex(i), side, c, 0, 0, 0);
  State state = system.realizeTopology();
  ball.setQToFitTranslation(state, Vec3(0, 0, what.radius));
  ball.setUToFitLinearVelocity(state, Vec3(0, 0, -what.speed));
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  const double start = clock();
  stepper.stepTo(what.duration);
  Bounce out;
  out.seconds = clock() - start;
  const State& end = stepper.getState();
  system.realize(end, Stage::Velocity);
  out.restitution = ball.getBodyOriginVelocity(end)[2] / what.speed;
  out.steps = integrator.getNumStepsTaken();
  return out;
}

}  // namespace tact::bench
