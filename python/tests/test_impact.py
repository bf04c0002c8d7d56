"""Impact laws, certificates, repair, audits of steps."""

import json
import unittest

import numpy as np
from numpy.testing import assert_allclose

import tact
from support import SCENES


def read(name):
    return tact.ContactProblem.from_file(SCENES / "impacts" / f"{name}.json")


class ImpactTest(unittest.TestCase):
    def test_newton_on_one_contact(self):
        ball = tact.ContactProblem([tact.Contact([1], restitution=0.5)], mass=[[2]], velocity=[-3])
        for law in ("moreau", "newton", "newton_clamped", "poisson", "fremond", "sequential"):
            outcome = tact.impact(ball, law)
            outcome.raise_if_failed()
            assert_allclose(outcome.velocity, [1.5], rtol=1e-9, err_msg=law)
            assert_allclose(outcome.impulse, [9], rtol=1e-9)
            assert_allclose(outcome.work, 0.5 * 2 * (1.5**2 - 9), rtol=1e-9)

    def test_a_certificate_and_its_check(self):
        proof = tact.certificate(read("forklift-thrown"))
        self.assertEqual(proof.verdict, "inconsistent")
        self.assertAlmostEqual(proof.W_min, 0.4622, places=4)
        self.assertTrue(proof.exact and proof.accepted and proof.verify())
        self.assertIn("delivered energy", proof.sentence)
        self.assertEqual(tact.verify(proof.problem, proof.to_json()), (True, ""))

    def test_a_forged_certificate_is_refused(self):
        problem = read("forklift-thrown")
        forged = json.loads(tact.certificate(problem).to_json())
        forged["verdict"] = "consistent_strong"
        accepted, why = tact.verify(problem, json.dumps(forged))
        self.assertFalse(accepted)
        self.assertTrue(why)

    def test_what_a_law_gives_can_be_certified(self):
        outcome = tact.impact(read("cradle"), "poisson", restitution=1.0)
        proof = tact.certificate(outcome.problem)
        self.assertTrue(proof.accepted)
        self.assertTrue(proof.consistent, proof.sentence)

    def test_an_outcome_given_here(self):
        ball = tact.ContactProblem([tact.Contact([1])], mass=[[2]], velocity=[-3])
        self.assertEqual(tact.certificate(ball, [2]).verdict, "consistent_strong")
        self.assertEqual(tact.certificate(ball, [4]).verdict, "inconsistent")
        self.assertEqual(tact.certificate(ball, [-1]).verdict, "kinematically_incompatible")
        with self.assertRaisesRegex(ValueError, "no outcome"):
            tact.certificate(ball)

    def test_repair(self):
        ball = tact.ContactProblem([tact.Contact([1])], mass=[[2]], velocity=[-3])
        better = tact.repair(ball, velocity=[4])
        self.assertEqual(better.status, "repaired")
        assert_allclose(better.velocity, [3], rtol=1e-9)
        self.assertLessEqual(better.work_after, 1e-9)


class AuditTest(unittest.TestCase):
    def step(self, force, after):
        jacobian = np.array([[[0, 0, 1], [1, 0, 0], [0, 1, 0]]])  # normal first
        return tact.interop.mujoco_like(
            np.eye(3), jacobian, 0.5, [1, 0, 0], timestep=0.01, qfrc_smooth=[0, 0, -10], force=[force], qvel_next=after)

    def test_an_honest_step_is_clean(self):
        step = self.step([10, -5, 0], [1 - 0.05, 0, 0])
        books = tact.audit_step(step)
        self.assertEqual(books["violations"], {})
        self.assertEqual(books["verdict"], "dissipative")
        assert_allclose(step.outcome["impulses"][0], [-0.05, 0, 0.1])  # normal last
        assert_allclose(tact.solve(step).velocity, [0.95, 0, 0])

    def test_faults_are_named(self):
        along = tact.audit_step(self.step([10, 5, 0], [1 + 0.05, 0, 0]))
        self.assertIn("friction", along["violations"])
        outside = tact.audit_step(self.step([10, -6, 0], [1 - 0.06, 0, 0]))
        self.assertIn("cone", outside["violations"])
        missing = tact.audit_step(self.step([10, -5, 0], [1, 0, 0]))
        self.assertIn("momentum", missing["violations"])

    def test_frames_turn_rows_of_the_world(self):
        frame = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
        step = tact.interop.mujoco_like(np.eye(3), [np.eye(3)], 0.5, [0, 0, 0], timestep=0.01, frames=[frame])
        assert_allclose(step.rows, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

    def test_wrong_shapes(self):
        with self.assertRaisesRegex(ValueError, r"jacobian: expected shape \(any, 3, 3\)"):
            tact.interop.mujoco_like(np.eye(3), np.eye(4), 0.5, [0, 0, 0], timestep=0.01)


if __name__ == "__main__":
    unittest.main()
