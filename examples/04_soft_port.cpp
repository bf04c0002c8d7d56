// A soft contact inside somebody else's simulator. The integrator below is a plain leapfrog that
// knows nothing of contact; tact's port tells it the wrench, and accounts for every joule.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tact/soft/port.hpp"

using namespace tact;

int main() {
  const double mass = 0.1, radius = 0.02, inertia = 0.4 * mass * radius * radius, dt = 2e-5;
  SoftPair rubber;
  rubber.normal = HertzNormal{1e6, 0.3};  // E* [Pa], damping of Hunt and Crossley [s/m]
  rubber.friction.coefficient = 0.4;

  Pose ball{Mat3::Identity(), Vec3(0, 0, radius)};
  const Pose plate;
  SoftPort port =
      *soft_port({SphereSurface{radius}, false}, {PlaneSurface{}, false}, rubber, ball, plate);

  Vec3 v(0.5, 0, -1), w(0, -20, 15);
  double deepest = 0;
  for (int k = 0; k < 1000; ++k) {
    const Twist T{w, v - w.cross(ball.p)};  // of the ball, at the origin of the world
    const PortStep step = advance(port, ball, T, plate, Twist{}, dt);
    if (step.status != TrackStatus::tracked) return 1;
    deepest = std::max(deepest, -port.state.facing.gap);
    ball = integrate_spatial(ball, T, dt);
    v += dt / mass * step.on_body1.f;
    w += dt / inertia * shift(step.on_body1, ball.p).m;
  }
  const double missing = port.supplied - stored_energy(port) - port.dissipated;
  std::printf("%.2f mm deep, leaves with %.3f m/s\n", 1e3 * deepest, v[2]);
  std::printf("supplied %.3f mJ, dissipated %.3f mJ, the rest is %s\n", 1e3 * port.supplied,
              1e3 * port.dissipated,
              std::abs(missing) < 1e-12 * port.supplied ? "rounding" : "lost");
}
