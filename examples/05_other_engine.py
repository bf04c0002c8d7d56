"""A step of another engine, audited and solved again.

The arrays are laid out as MuJoCo has them, normal first; here NumPy makes them for a sliding box on four corners, with
the penalty forces that a soft engine would have used. tact says which laws the step breaks, and what it should have been.
"""

import numpy as np

import tact

m, half, dt, mu, g = 1.0, np.array([0.2, 0.2, 0.1]), 0.002, 0.5, 9.81
inertia = m / 3 * np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2])
mass = np.diag([m, m, m, *inertia])  # qvel = [v, ω] of the free joint
corners = [np.array([x * half[0], y * half[1], -half[2]]) for x in (-1, 1) for y in (-1, 1)]


def point_jacobian(r):
    """Velocity of the box's point at r from its centre: v + ω × r."""
    skew = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    return np.hstack([np.eye(3), -skew])


frame = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # by rows: normal, t1, t2
jacobian = np.array([frame @ point_jacobian(r) for r in corners])  # [4, 3, nv], normal first
qvel = np.array([1.0, 0, 0, 0, 0, 0])
qfrc_smooth = np.array([0, 0, -m * g, 0, 0, 0])

# The soft engine pushes twice as hard as the weight, to get out of a penetration, and rubs along the motion.
force = np.tile([2 * m * g / 4, 0.1, 0], (4, 1))
qvel_next = qvel + np.linalg.solve(mass, dt * (qfrc_smooth + sum(J.T @ f for J, f in zip(jacobian, force))))

step = tact.interop.mujoco_like(
    mass, jacobian, mu, qvel, timestep=dt, qfrc_smooth=qfrc_smooth, force=force, qvel_next=qvel_next,
    names=["rear right", "rear left", "front right", "front left"], name="one step of a soft engine",
)
books = tact.audit_step(step)
print("violated:", ", ".join(sorted(books["violations"])))
print(f"contacts gave {books['contact']:+.2e} J, verdict {books['verdict']}")

again = tact.solve(step)
print(f"as it should be: {again.status}, {', '.join(label.regime for label in again.labels)}")
print(f"speed {again.velocity[0]:.5f} m/s instead of {qvel_next[0]:.5f} m/s")
