"""A box of 1 kg pushed along the ground for 10 ms: the twin of 02_solve.cpp."""

import numpy as np

import tact

half, m, dt = 0.1, 1.0, 0.01  # edge 0.2 m
inertia = m * half * half * 2 / 3
sole = tact.Patch([[-half, -half], [half, -half], [half, half], [-half, half]])
twist = np.eye(6)  # rows [ω_T, ω_N, v_T, v_N] at the middle of the sole
twist[3, 1] = -half  # v_x = v_x + ω_y (-half)
twist[4, 0] = half

box = tact.ContactProblem(
    [tact.Contact(name="ground", patch=sole, mu=0.5, twist=twist)],
    mass=np.diag([inertia, inertia, inertia, m, m, m]),  # velocity [ω, v] of the centre, z up
    impulse=[0, 0, 0, 8 * dt, 0, -9.81 * m * dt],  # 8 N along x at the centre, and gravity
)
answer = tact.solve(box)
print(f"{answer.status}, {answer.labels[0].regime} at {answer.velocity[3]:.4f} m/s")
