"""A soft contact inside somebody else's simulator: the twin of 04_soft_port.cpp.

The integrator below is a plain leapfrog that knows nothing of contact; tact's port tells it the wrench, and
accounts for every joule.
"""

import numpy as np

import tact

mass, radius, dt = 0.1, 0.02, 2e-5
inertia = 0.4 * mass * radius * radius
rubber = tact.SoftPair(modulus_Pa=1e6, damping_s_per_m=0.3, mu=0.4)  # E*, damping of Hunt and Crossley

ball = np.eye(4)
ball[2, 3] = radius
plate, still = np.eye(4), np.zeros(6)
port = tact.SoftPort(tact.Surface.sphere(radius), tact.Surface.plane(), rubber, ball, plate)

v, w = np.array([0.5, 0, -1]), np.array([0.0, -20, 15])
deepest = 0.0
for _ in range(1000):
    twist = np.concatenate([w, v - np.cross(w, ball[:3, 3])])  # of the ball, at the origin of the world
    step = port.advance(ball, twist, plate, still, dt)
    assert step.status == "tracked", step.why
    deepest = max(deepest, -port.gap)
    ball = tact.integrate_pose(ball, twist, dt)
    moment, force = step.wrench[:3], step.wrench[3:]
    v = v + dt / mass * force
    w = w + dt / inertia * (moment - np.cross(ball[:3, 3], force))

missing = port.supplied - port.stored - port.dissipated
print(f"{1e3 * deepest:.2f} mm deep, leaves with {v[2]:.3f} m/s")
rest = "rounding" if abs(missing) < 1e-12 * port.supplied else "lost"
print(f"supplied {1e3 * port.supplied:.3f} mJ, dissipated {1e3 * port.dissipated:.3f} mJ, the rest is {rest}")
