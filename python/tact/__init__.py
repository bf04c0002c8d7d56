"""tact: contact mechanics that explains and certifies.

Scenes from MJCF and URDF in motion, contact problems solved and judged, contact modes, impacts with
certificates, patches with their cones, and compliant contact. SI units everywhere; normals point from
body 2 into body 1, impulses act on body 1, and the rows of a contact are [t1, t2, n], normal last.

    import tact
    run = tact.simulate(tact.Model.built_in("tipping-box"), 1.0)
    print(run.ledger)

docs/python.md is a tutorial of five minutes.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Optional, Sequence, Union, overload

from . import interop
from ._tact import (
    AllSolutions,
    Certificate,
    Contact,
    ContactProblem,
    ContactReport,
    CoulombCone,
    CoulombDual,
    FrictionSet,
    ImpactOutcome,
    Inverse,
    Label,
    Mode,
    ModeCounts,
    ModeIterator,
    ModeSystem,
    Model,
    Patch,
    PlanarCone,
    PortStep,
    Recording,
    RegimeReport,
    Repair,
    Residual,
    Run,
    Simulation,
    SoftFit,
    SoftPair,
    SoftPort,
    Solution,
    State,
    StepReport,
    Surface,
    __version__,
    all_solutions,
    audit_step,
    box_cone,
    built_in_scenes,
    certificate,
    contact_dtype,
    count_modes,
    facing,
    fit,
    hertz,
    impact,
    integrate_pose,
    inverse,
    mode_cone,
    mode_scenes,
    modes,
    pyramid_cone,
    repair,
    residual,
    run_all,
    slip_return,
    solve,
    step,
    verify,
    write_still,
)
from .viewer import Page, view

PathLike = Union[str, "os.PathLike[str]"]


@overload
def simulate(
    model: Model,
    duration: float,
    *,
    state: Optional[State] = None,
    states: None = None,
    record: Optional[PathLike] = None,
    every: int = 0,
    keep: bool = True,
    html: Optional[PathLike] = None,
    callback: Optional[Callable[[Simulation], Optional[bool]]] = None,
    threads: int = 1,
    **options: Any,
) -> Run: ...
@overload
def simulate(
    model: Model,
    duration: float,
    *,
    state: None = None,
    states: Sequence[State],
    record: None = None,
    every: int = 0,
    keep: bool = True,
    html: None = None,
    callback: None = None,
    threads: int = 1,
    **options: Any,
) -> "list[Run]": ...
def simulate(
    model,
    duration,
    *,
    state=None,
    states=None,
    record=None,
    every=0,
    keep=True,
    html=None,
    callback=None,
    threads=1,
    **options,
):
    """Simulate `duration` seconds of a model and say what happened, as a tact.Run.

    state: where to start (a tact.State), else the keyframe `init` of the scene or the one that the option
    keyframe="..." names. states: many starts, run over `threads`, one Run each in a list; the bits are those of
    one by one. record: path of a .tact recording. every: steps from frame to frame, about sixty a second by
    default. keep: frames in memory, as Run.times, Run.qpos, Run.qvel. html: path of a page of plots.
    callback(sim) is called after every step; False stops. All other options are those of tact.Simulation.
    """
    if states is None:
        sim = Simulation(model, state, threads=threads, **options)
        return sim.run(duration, record=record, every=every, keep=keep, html=html, callback=callback)
    if state is not None or record is not None or html is not None or callback is not None:
        raise ValueError("states: runs of many have no state, record, html or callback")
    sims = [Simulation(model, start, **options) for start in states]
    return run_all(sims, duration, threads=threads, every=every, keep=keep)


__all__ = [
    "AllSolutions",
    "Certificate",
    "Contact",
    "ContactProblem",
    "ContactReport",
    "CoulombCone",
    "CoulombDual",
    "FrictionSet",
    "ImpactOutcome",
    "Inverse",
    "Label",
    "Mode",
    "ModeCounts",
    "ModeIterator",
    "ModeSystem",
    "Model",
    "Page",
    "Patch",
    "PlanarCone",
    "PortStep",
    "Recording",
    "RegimeReport",
    "Repair",
    "Residual",
    "Run",
    "Simulation",
    "SoftFit",
    "SoftPair",
    "SoftPort",
    "Solution",
    "State",
    "StepReport",
    "Surface",
    "__version__",
    "all_solutions",
    "audit_step",
    "box_cone",
    "built_in_scenes",
    "certificate",
    "contact_dtype",
    "count_modes",
    "facing",
    "fit",
    "hertz",
    "impact",
    "integrate_pose",
    "interop",
    "inverse",
    "mode_cone",
    "mode_scenes",
    "modes",
    "pyramid_cone",
    "repair",
    "residual",
    "run_all",
    "simulate",
    "slip_return",
    "solve",
    "step",
    "verify",
    "view",
    "write_still",
]
