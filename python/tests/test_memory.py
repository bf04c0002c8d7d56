"""A hundred thousand calls leave no memory behind."""

import gc
import pathlib
import unittest

import numpy as np

import tact


def resident_kB():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


class MemoryTest(unittest.TestCase):
    def grows(self, call, count, warm):
        for _ in range(warm):
            call()
        gc.collect()
        before = resident_kB()
        for _ in range(count):
            call()
        gc.collect()
        return resident_kB() - before

    def test_steps_views_and_contacts(self):
        sim = tact.Simulation(tact.Model.from_xml_string(
            '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/>'
            '<geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>'))

        def call():
            sim.state.qvel[0] = 0.0
            sim.step()
            _ = sim.state.qpos, sim.ledger, sim.contact_array(), sim.hash

        self.assertLess(self.grows(call, 10_000, 500), 4_000)

    def test_patches(self):
        def call():
            sole = tact.Patch([[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]])
            sole.regime([4.9, -41.2, 0, 0, 0, 412], [0, 1.5, 0, 0, 0, 0.15])

        self.assertLess(self.grows(call, 60_000, 2_000), 4_000)

    def test_problems_and_errors(self):
        rows, mass = np.eye(3), np.eye(3)

        def call():
            problem = tact.ContactProblem([tact.Contact(rows[2], rows[:2], mu=0.5)], mass=mass, velocity=[1, 0, -1])
            tact.solve(problem)
            try:
                tact.Contact([1], mu=-1)
            except ValueError:
                pass

        self.assertLess(self.grows(call, 15_000, 500), 4_000)

    def test_runs_and_streams(self):
        model = tact.Model.built_in("tipping-box")

        def call():
            tact.simulate(model, 0.003)
            next(tact.modes("box-1"))

        self.assertLess(self.grows(call, 1_000, 100), 12_000)


if __name__ == "__main__":
    unittest.main()
