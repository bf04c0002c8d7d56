#!/usr/bin/env python3
"""What a loop in Python costs over one in C++: a humanoid of 35 degrees of freedom, 1 000 steps.

  PYTHONPATH=build/release/python /usr/bin/python3 bench/python_loop.py [ROUNDS] [COMMAND]

Three loops over the same steps, with the same bits: C++ inside one call (sim.step(n)), Python with one call a step, and Python
that also reads the state and writes the controls as a controller does. The best of several rounds, taken in turns, because
machines are busy with other things; COMMAND, the path of tact, adds the seconds that `tact sim --json` tells of itself.
"""
import json
import subprocess
import sys
import time

import tact

STEPS = 1000


def in_cpp(sim):
    sim.step(STEPS)


def in_python(sim):
    for _ in range(STEPS):
        sim.step()


def as_controller(sim):
    state = sim.state
    qpos, qvel, ctrl = state.qpos, state.qvel, state.ctrl
    for _ in range(STEPS):
        ctrl[:] = ctrl  # what a controller would write, with bits of no consequence
        sim.step()
        _ = qpos[2] + qvel[2]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    model = tact.Model.built_in("humanoid-standing")
    best, hashes = {}, set()
    for _ in range(rounds):
        for loop in (in_cpp, in_python, as_controller):
            sim = tact.Simulation(model)
            start = time.process_time()
            loop(sim)
            spent = time.process_time() - start
            best[loop.__name__] = min(best.get(loop.__name__, spent), spent)
            hashes.add(sim.hash)
    print(f"{model.name or model.source}: nv {model.nv}, {STEPS} steps, best of {rounds}, processor time")
    base = best["in_cpp"]
    for name, spent in best.items():
        print(f"  {name:14} {1e6 * spent / STEPS:8.2f} us a step   {100 * (spent / base - 1):+6.2f} %")
    print(f"  same bits      {'yes' if len(hashes) == 1 else 'no'}")
    if len(sys.argv) > 2:
        words = [sys.argv[2], "sim", "humanoid-standing", "--duration", str(STEPS * model.timestep), "--json"]
        told = json.loads(subprocess.run(words, capture_output=True, text=True, check=False).stdout)
        print(f"  tact sim       {1e6 * told['seconds'] / told['steps']:8.2f} us a step (wall clock)")


if __name__ == "__main__":
    main()
