"""Contact problems: from arrays, solved, judged, taken apart."""

import json
import unittest

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import tact
from support import SCENES

G, DT = 9.81, 0.01


def ball(mu=0.5, push=0.0, **contact):
    """A point mass on the ground, pushed along x."""
    touch = tact.Contact([0, 0, 1], [[1, 0, 0], [0, 1, 0]], mu=mu, name="ground", **contact)
    return tact.ContactProblem([touch], mass=2 * np.eye(3), impulse=[push, 0, -2 * G * DT], dt=DT)


class ArraysTest(unittest.TestCase):
    def test_sticks_and_slides_by_coulombs_law(self):
        weight = 2 * G * DT
        still = tact.solve(ball(push=0.4 * weight))
        self.assertEqual(still.status, "converged")
        self.assertEqual(still.labels[0].regime, "stick")
        assert_allclose(still.impulses[0], [-0.4 * weight, 0, weight], rtol=1e-12)
        slides = tact.solve(ball(push=0.9 * weight))
        self.assertEqual(slides.labels[0].regime, "slide")
        assert_allclose(slides.velocity, [0.4 * weight / 2, 0, 0], atol=1e-12)
        self.assertLess(float(slides.residual), 1e-10)
        slides.raise_if_failed()

    def test_the_judge_is_independent(self):
        problem = ball()
        good = tact.solve(problem)
        self.assertLess(tact.residual(problem, good.impulse).figure, 1e-12)
        bad = tact.residual(problem, [good.impulses[0] * 1.1])
        self.assertGreater(bad.figure, 1e-3)
        self.assertEqual(bad.worst_contact, 0)
        self.assertLess(tact.residual(problem, good.impulse, good.velocity).momentum, 1e-14)

    def test_rows_together_are_rows_apart(self):
        own = ball(push=0.3)
        law = tact.Contact(mu=0.5, name="ground")
        joint = tact.ContactProblem([law], mass=own.mass, velocity=[0, 0, 0], impulse=own.impulse, dt=DT, rows=own.rows)
        assert_array_equal(tact.solve(joint).impulse, tact.solve(own).impulse)

    def test_delassus_form(self):
        matrix, b = ball(push=0.3).reduced()
        assert_allclose(matrix, np.eye(3) / 2)
        answer = tact.solve(tact.ContactProblem.from_delassus(matrix, b, [tact.Contact(mu=0.5)]))
        assert_allclose(answer.impulse, tact.solve(ball(push=0.3)).impulse, rtol=1e-12)
        self.assertEqual(answer.velocity.size, 0)

    def test_restitution_excitation_gap(self):
        bounce = tact.ContactProblem([tact.Contact([1], restitution=0.5)], mass=[[1]], velocity=[-2])
        assert_allclose(tact.solve(bounce).velocity, [1])
        lift = tact.ContactProblem([tact.Contact([1], excitation=[-3])], mass=[[2]], velocity=[0])
        assert_allclose(tact.solve(lift).velocity, [3])
        gap = tact.ContactProblem([tact.Contact([1], gap=0.01)], mass=[[1]], velocity=[-2], dt=0.01)
        assert_allclose(tact.solve(gap).velocity, [-1])

    def test_laws(self):
        rows = dict(normal=[0, 0, 1], tangents=[[1, 0, 0], [0, 1, 0]])
        for law, words in (("box", {"scale": 1.0}), ("pyramid", {"edges": 8}), ("none", {})):
            contact = tact.Contact(**rows, mu=0.5, law=law, **words)
            answer = tact.solve(tact.ContactProblem([contact], mass=np.eye(3), velocity=[1, 0, -1]))
            self.assertEqual(answer.status, "converged", law)
        motor = tact.Contact(row=[1, 0, 0], bounds=[-0.1, 0.1])
        answer = tact.solve(tact.ContactProblem([motor], mass=np.eye(3), velocity=[1, 0, 0]))
        assert_allclose(answer.velocity, [0.9, 0, 0])

    def test_sparse_masses_without_scipy(self):
        class Csr:
            shape, data, indices, indptr = (2, 2), np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 1, 2])

            def tocsr(self):
                return self

        problem = tact.ContactProblem([tact.Contact([1, 1])], mass=Csr(), velocity=[-1, -1])
        assert_array_equal(problem.mass, [[1, 0], [0, 2]])

    def test_jam_is_a_status(self):
        jam = tact.ContactProblem.from_file(SCENES / "problems" / "jam.json")
        answer = tact.solve(jam)
        self.assertEqual(answer.status, "infeasible")
        self.assertIsNotNone(answer.jam_ray)
        self.assertEqual(answer.held_by, ["left wall", "right wall"])
        self.assertEqual(tact.solve(jam, solver="newton_mass").held_by, answer.held_by)
        with self.assertRaisesRegex(RuntimeError, "infeasible"):
            answer.raise_if_failed()


class FilesTest(unittest.TestCase):
    def test_round_trip_to_the_bit(self):
        for path in sorted((SCENES / "problems").glob("*.json")):
            first = tact.ContactProblem.from_file(path)
            again = tact.ContactProblem.from_json(first.to_json())
            self.assertEqual(json.loads(again.to_json()), json.loads(first.to_json()), path.name)
            assert_array_equal(again.rows, first.rows)

    def test_all_solutions(self):
        every = tact.all_solutions(tact.ContactProblem.from_file(SCENES / "problems" / "incline-stick.json"))
        self.assertEqual(every.status, "complete")
        self.assertTrue(every.checked)
        self.assertEqual(len(every), every.count)
        self.assertGreaterEqual(len(every.pieces), 1)

    def test_force_range_of_a_table(self):
        answer = tact.solve(tact.ContactProblem.from_file(SCENES / "problems" / "table.json"), force_range=True)
        self.assertEqual(answer.force_range["status"], "found")
        self.assertTrue(np.all(answer.force_range["low"] <= answer.force_range["high"]))
        self.assertFalse(all(answer.force_range["unique"]))


class InverseTest(unittest.TestCase):
    def test_of_a_robot(self):
        model = tact.Model.from_xml_path(SCENES / "robots" / "quadruped.xml")
        found = tact.inverse(model, keyframe="stand")
        self.assertEqual(found.status, "solved", found.reason)
        self.assertEqual(len(found.actuator_forces), model.nu)
        lift = sum(f[-1] for f in found.contact_forces)
        assert_allclose(lift, 9.81 * model.mass, rtol=1e-6)

    def test_of_a_problem(self):
        problem = ball()
        held = tact.inverse(problem, [0, 0, 0], np.eye(3)[:, :1], dt=DT)
        self.assertEqual(held.status, "solved")
        flies = tact.inverse(problem, [0, 0, 1], np.eye(3)[:, :1], dt=DT)
        self.assertEqual(flies.status, "infeasible")
        self.assertTrue(flies.reason)


if __name__ == "__main__":
    unittest.main()
