"""Simulations: views, steps, runs, sweeps, threads."""

import pathlib
import tempfile
import threading
import unittest

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import tact

BALL = """<mujoco><option timestep="0.001"/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="ball" pos="0 0 0.5"><freejoint name="free"/><geom name="ball" type="sphere" size="0.1" mass="1"/></body>
</worldbody></mujoco>"""
PENDULUM = """<mujoco><worldbody><body name="arm"><joint name="hinge" type="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" mass="1"/></body></worldbody>
<actuator><motor name="motor" joint="hinge"/></actuator></mujoco>"""


class StateTest(unittest.TestCase):
    def test_views_are_the_state(self):
        state = tact.Model.from_xml_string(BALL).state()
        qpos = state.qpos
        qpos[2] = 3.0
        self.assertEqual(state.qpos[2], 3.0)
        self.assertTrue(np.shares_memory(qpos, state.qpos))
        state.qpos = np.arange(7)
        self.assertEqual(qpos[6], 6.0)
        other = state.copy()
        other.qpos[0] = 9
        self.assertEqual(state.qpos[0], 0)

    def test_a_view_outlives_its_owner(self):
        qvel = tact.Simulation(tact.Model.from_xml_string(BALL)).state.qvel
        qvel[:] = 1
        self.assertEqual(qvel.sum(), 6)

    def test_what_is_written_counts_from_the_next_step_on(self):
        sim = tact.Simulation(tact.Model.from_xml_string(BALL))
        sim.step(10)
        sim.state.qpos[2] = 2.0
        sim.state.qvel[:] = 0
        sim.step()
        assert_allclose(sim.state.qpos[2], 2.0, atol=1e-4)

    def test_controls(self):
        model = tact.Model.from_xml_string(PENDULUM)
        sim = tact.Simulation(model, dt=1e-3)
        sim.state.ctrl[0] = 0.5
        sim.step(100)
        self.assertGreater(abs(sim.state.qvel[0]), 1e-3)
        self.assertEqual(sim.state.ctrl[0], 0.5)

    def test_views_stay_through_steps(self):
        sim = tact.Simulation(tact.Model.from_xml_string(BALL))
        qpos = sim.state.qpos
        before = qpos[2]
        sim.step(100)
        self.assertLess(qpos[2], before)
        self.assertTrue(np.shares_memory(qpos, sim.state.qpos))


class ModelTest(unittest.TestCase):
    def test_what_a_model_says(self):
        model = tact.Model.from_xml_string(PENDULUM)
        self.assertEqual((model.nq, model.nv, model.nu), (1, 1, 1))
        self.assertEqual(model.joint_qvel("hinge"), slice(0, 1, 1))
        state = model.state()
        state.qvel[0] = 2
        kinetic, _ = model.energy(state)
        self.assertAlmostEqual(kinetic, 0.5 * model.mass_matrix(state)[0, 0] * 4, places=12)
        jacobian = model.jacobian(model.body_id("arm"), [0, 0, -1], state)
        assert_allclose(jacobian[:, 0], [0, 1, 0, -1, 0, 0], atol=1e-12)

    def test_not_modelled_is_said(self):
        text = PENDULUM.replace("<actuator>", '<asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/></asset><tendon><spatial name="s"><site site="x"/></spatial></tendon><actuator>').replace(
            "<geom type", '<site name="x"/><geom type')
        self.assertTrue(any("tendon" in line for line in tact.Model.from_xml_string(text).not_modelled))

    def test_urdf(self):
        text = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>"""
        self.assertEqual(tact.Model.from_xml_string(text).nv, 1)

    def test_built_in_scenes(self):
        self.assertIn("box_tower", tact.built_in_scenes())
        self.assertEqual(tact.Model.built_in("box-tower").nv % 6, 0)


class RunTest(unittest.TestCase):
    def test_energy_closes(self):
        run = tact.simulate(tact.Model.built_in("tipping-box"), 0.5)
        run.raise_if_failed()
        self.assertEqual(run.status, "finished")
        self.assertLess(abs(run.ledger["closure"]), 1e-9)
        self.assertEqual(run.qpos.shape, (len(run.times), 7))
        self.assertGreater(sum(run.regimes.values()), 0)

    def test_contacts_as_objects_and_as_an_array(self):
        sim = tact.Simulation(tact.Model.built_in("box-tower"))
        sim.step(50)
        table, objects = sim.contact_array(), sim.contacts
        self.assertEqual(len(table), len(objects))
        self.assertGreater(len(table), 0)
        for row, contact in zip(table, objects):
            self.assertEqual(row["regime"], contact.regime)
            assert_array_equal(row["wrench"], contact.wrench)
            assert_array_equal(row["frame"][:, 2], row["normal"])
            self.assertIn("<svg", contact._repr_html_())
        ground = max(objects, key=lambda c: c.wrench[5])
        weight = 9.81 * sim.model.mass
        assert_allclose(ground.wrench[5], weight, rtol=1e-6)
        self.assertEqual(ground.regime, "stick")
        self.assertTrue(ground.patch.contains(ground.wrench))

    def test_callback_stops_and_exceptions_travel(self):
        model = tact.Model.from_xml_string(BALL)
        run = tact.simulate(model, 1.0, callback=lambda sim: sim.steps < 5)
        self.assertEqual((run.status, run.steps), ("stopped", 5))

        def fails(sim):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            tact.simulate(model, 1.0, callback=fails)

    def test_a_run_that_cannot_write_its_page_has_happened(self):
        # Both where the simulation has coordinates of its own (a centre of mass beside the origin) and not.
        for text in (BALL, BALL.replace('size="0.1" mass', 'size="0.1" pos="0.05 0 0" mass')):
            sim = tact.Simulation(tact.Model.from_xml_string(text))
            with tempfile.TemporaryDirectory() as folder:
                with self.assertRaises(OSError):
                    sim.run(0.01, html=str(pathlib.Path(folder) / "missing" / "page.html"))
            self.assertAlmostEqual(sim.state.time, 0.01)
            sim.step()
            self.assertAlmostEqual(sim.state.time, 0.011)

    def test_a_callback_may_steer(self):
        sim = tact.Simulation(tact.Model.from_xml_string(PENDULUM), dt=1e-3)

        def steer(s):
            s.state.ctrl[0] = -20 * s.state.qpos[0] - 5 * s.state.qvel[0] + 1

        sim.run(3.0, callback=steer)
        self.assertLess(abs(sim.state.qvel[0]), 0.05)
        self.assertGreater(sim.state.qpos[0], 0.01)

    def test_sweep_over_threads_has_the_bits_of_one_by_one(self):
        model = tact.Model.built_in("tipping-box")
        starts = []
        for k in range(6):
            state = model.state()
            state.qvel[0] += 0.05 * k
            starts.append(state)
        one = [tact.simulate(model, 0.2, state=s).hash for s in starts]
        for threads in (1, 3):
            many = tact.simulate(model, 0.2, states=starts, threads=threads)
            self.assertEqual([r.hash for r in many], one)
        self.assertEqual(len(set(one)), 6)

    def test_two_threads_step_two_simulations(self):
        model = tact.Model.built_in("box-tower")
        alone = tact.Simulation(model)
        alone.step(300)
        sims = [tact.Simulation(model) for _ in range(2)]
        threads = [threading.Thread(target=lambda s=s: [s.step() for _ in range(300)]) for s in sims]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual([s.hash for s in sims], [alone.hash] * 2)

    def test_one_simulation_is_of_one_thread(self):
        sim = tact.Simulation(tact.Model.built_in("box-tower"))
        with self.assertRaisesRegex(RuntimeError, "another thread"):
            sim.run(0.1, callback=lambda s: s.step() and True)

    def test_checkpoint_and_copy_go_on_bit_for_bit(self):
        model = tact.Model.built_in("tipping-box")
        sim = tact.Simulation(model)
        sim.step(100)
        twin = sim.copy()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.ckpt"
            sim.save(path)
            third = tact.Simulation(model)
            third.load(path)
        for s in (sim, twin, third):
            s.step(100)
        self.assertEqual({sim.hash, twin.hash, third.hash}, {sim.hash})

    def test_diverged_is_a_status(self):
        sim = tact.Simulation(tact.Model.from_xml_string(BALL))
        sim.state.qvel[0] = 1e308
        sim.state.qvel[3:] = 1e200
        report = sim.step(50)
        self.assertEqual(report.status, "diverged")
        self.assertTrue(np.all(np.isfinite(sim.state.qpos)))
        with self.assertRaises(RuntimeError):
            report.raise_if_failed()

    def test_soft_scene(self):
        run = tact.simulate(tact.Model.built_in("grasp"), 0.05)
        self.assertEqual(run.status, "finished")
        self.assertLess(abs(run.ledger["closure"]), 1e-9)


if __name__ == "__main__":
    unittest.main()
