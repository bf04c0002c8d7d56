// A foot comes down tilted. Before it touches, tact knows which edge will touch first: the extended
// centre of pressure. The ankle can prepare the torque that the landing load will ask for.
#include <cmath>
#include <cstdio>

#include "tact/sim/sensors.hpp"

using namespace tact;

/// A foot of 24 cm, pitched by 0.15 rad, its heel 1 cm above the floor.
static Model foot_scene() {
  Model m;
  m.bodies.resize(2);
  m.bodies[1].name = "foot";
  m.bodies[1].mass = 1.5;
  m.bodies[1].inertia_com_B = Vec3(0.002, 0.008, 0.009).asDiagonal();
  const double c = std::cos(0.15), s = std::sin(0.15);
  m.bodies[1].X_PB.R << c, 0, -s, 0, 1, 0, s, 0, c;
  m.bodies[1].X_PB.p = Vec3(0, 0, 0.01 + 0.12 * s + 0.03 * c);
  m.joints.resize(1);
  m.joints[0].type = JointType::free;
  m.joints[0].body = 1;
  m.geoms.resize(2);
  m.geoms[0].shape = HalfSpace{};
  m.geoms[1].body = 1;
  m.geoms[1].shape = Box{Vec3(0.12, 0.05, 0.03)};
  return *make_model(m);
}

int main() {
  const Model model = foot_scene();
  SimOptions options;
  options.dt = 1e-3;
  options.margin_share = 0.5;  // faces within half the foot's size are watched
  Simulation sim = *make_simulation(model, initial_state(model), options);
  StepReport report;
  std::vector<ContactSample> contacts;
  const Index foot[] = {1};
  const double load = 300;  // [N] that the leg will put on the foot
  bool told = false;
  while (sim.state.time < 0.3 && step(sim, report)) {
    observe(sim, contacts);
    const NetContact net = net_contact(model, contacts, foot);
    if (!net.extended_cop_W) continue;
    const double lever = (*net.extended_cop_W - sim.state.qpos.head<3>())[0];
    if (!told)
      std::printf("in the air: %.3f m behind the ankle, prepare %.1f N m\n", -lever, -lever * load);
    told = true;
    if (net.normal_force > 0) {
      std::printf("touch-down: %.3f m behind the ankle\n", -lever);
      return 0;
    }
  }
  return 1;
}
