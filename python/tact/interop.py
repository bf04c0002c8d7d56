"""Steps of other engines as contact problems: to be audited or solved again. No engine is needed here."""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._tact import Contact, ContactProblem


def _blocks(name: str, value: ArrayLike, contacts: Optional[int], nv: int) -> np.ndarray:
    """Rows of contacts as [contacts, 3, nv], from that or from all rows below each other."""
    rows = np.asarray(value, dtype=float)
    if rows.ndim == 2 and rows.shape[0] % 3 == 0:
        rows = rows.reshape(-1, 3, rows.shape[1])
    if rows.ndim != 3 or rows.shape[1:] != (3, nv) or (contacts is not None and rows.shape[0] != contacts):
        wanted = "any" if contacts is None else contacts
        raise ValueError(f"{name}: expected shape ({wanted}, 3, {nv}) or ({wanted} * 3, {nv}), given {np.shape(value)}")
    return rows


def _normal_last(vectors: np.ndarray) -> np.ndarray:
    """[n, t1, t2] of MuJoCo as [t1, t2, n] of tact."""
    return np.ascontiguousarray(vectors[:, [1, 2, 0]])


def mujoco_like(
    mass: ArrayLike,
    jacobian: ArrayLike,
    friction: ArrayLike,
    qvel: ArrayLike,
    *,
    timestep: float,
    qfrc_smooth: Optional[ArrayLike] = None,
    frames: Optional[ArrayLike] = None,
    force: Optional[ArrayLike] = None,
    qvel_next: Optional[ArrayLike] = None,
    dist: Optional[ArrayLike] = None,
    restitution: float = 0.0,
    names: Optional[Sequence[str]] = None,
    name: str = "",
) -> ContactProblem:
    """A step of an engine whose contacts are laid out as in MuJoCo, as a tact.ContactProblem.

    mass         M [nv, nv] that the step divides by (mj_fullM of qM).
    jacobian     rows of the contacts in their own frames, normal first: [n, t1, t2] per contact, shape
                 [contacts, 3, nv] or [3 contacts, nv], of geom 2 relative to geom 1. With `frames` the rows are
                 those of the world axes x, y, z instead (mj_jac of geom 2 minus that of geom 1 at the point).
    friction     sliding coefficient of each contact, or one for all.
    qvel         velocity before the step [nv]; timestep [s].
    qfrc_smooth  smooth forces [nv]: gravity, actuators, bias; zero by default.
    frames       contact frames [contacts, 3, 3] or [contacts, 9] by rows: normal, t1, t2.
    force        contact forces in the contact frames, normal first [contacts, 3] N (mj_contactForce).
    qvel_next    velocity after the step [nv]. With force or without it becomes the outcome to be judged.
    dist         gap of each contact [m], negative when penetrating.

    MuJoCo's normal points from geom 1 to geom 2, so that tact's body 1 is geom 2: only the order changes, normal
    last. tact.audit_step(problem) says which laws the step breaks, tact.solve(problem) makes it anew.
    """
    m = np.asarray(mass, dtype=float)
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise ValueError(f"mass: expected a square matrix, given shape {m.shape}")
    nv = m.shape[0]
    rows = _blocks("jacobian", jacobian, None, nv)
    count = rows.shape[0]
    if frames is not None:
        axes = np.asarray(frames, dtype=float).reshape(-1, 3, 3)
        if axes.shape[0] != count:
            raise ValueError(f"frames: expected {count} frames, given {axes.shape[0]}")
        rows = axes @ rows
    rows = _normal_last(rows)
    mu = np.broadcast_to(np.asarray(friction, dtype=float), (count,))
    gap = np.zeros(count) if dist is None else np.broadcast_to(np.asarray(dist, dtype=float), (count,))
    contacts = [
        Contact(
            rows[i, 2],
            rows[i, :2],
            mu=float(mu[i]),
            name=names[i] if names is not None else f"contact {i}",
            gap=float(gap[i]),
            restitution=restitution,
        )
        for i in range(count)
    ]
    impulse = None if qfrc_smooth is None else timestep * np.asarray(qfrc_smooth, dtype=float)
    problem = ContactProblem(contacts, mass=m, velocity=qvel, impulse=impulse, dt=timestep, name=name)
    if qvel_next is None:
        if force is not None:
            raise ValueError("force: needs qvel_next as well")
        return problem
    impulses = None
    if force is not None:
        f = np.asarray(force, dtype=float)
        if f.shape != (count, 3):
            raise ValueError(f"force: expected shape ({count}, 3), given {f.shape}")
        impulses = list(timestep * _normal_last(f))
    return problem.with_outcome(qvel_next, impulses)
