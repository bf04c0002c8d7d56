"""Compliant contact: the power port and the fit."""

import unittest

import numpy as np
from numpy.testing import assert_allclose

import tact
from support import SCENES


class SoftTest(unittest.TestCase):
    def test_hertz_at_rest(self):
        # F = 4/3 E* sqrt(R) d^1.5 of a ball pressed 1 mm deep, slowly.
        radius, modulus, depth = 0.02, 1e6, 1e-3
        ball, plate, still = np.eye(4), np.eye(4), np.zeros(6)
        ball[2, 3] = radius
        port = tact.SoftPort(tact.Surface.sphere(radius), tact.Surface.plane(), tact.SoftPair(modulus_Pa=modulus, mu=0), ball, plate)
        down, dt, force = np.array([0, 0, 0, 0, 0, -1e-3]), 1e-3, 0.0
        for _ in range(1000):
            step = port.advance(ball, down, plate, still, dt)
            self.assertEqual(step.status, "tracked")
            ball = tact.integrate_pose(ball, down, dt)
            force = step.normal_force
        assert_allclose(-port.gap, depth, rtol=1e-9)
        assert_allclose(force, 4 / 3 * modulus * np.sqrt(radius) * depth**1.5, rtol=2e-3)
        assert_allclose(port.supplied, port.stored + port.dissipated, rtol=1e-10)
        assert_allclose(port.stored, 2 / 5 * 4 / 3 * modulus * np.sqrt(radius) * depth**2.5, rtol=1e-9)

    def test_surfaces(self):
        at = tact.Surface.torus(0.05, 0.01).at([0.07, 0, 0])
        assert_allclose(at["p"], [0.06, 0, 0], atol=1e-12)
        assert_allclose(at["n"], [1, 0, 0], atol=1e-12)
        assert_allclose(sorted(at["curvatures"]), [1 / 0.06, 100], rtol=1e-12)
        bowl = tact.Surface.sphere(0.1, inside_out=True).at([0, 0, -0.2])
        assert_allclose(bowl["curvatures"], [-10, -10], rtol=1e-12)
        x = np.linspace(-1, 1, 9)
        field = tact.Surface.heights(0.1 * (x[None, :] + 2 * x[:, None]), [1, 1]).at([0.2, 0.3, 0])
        assert_allclose(field["n"], np.array([-0.1, -0.2, 1]) / np.sqrt(1.05), atol=1e-12)
        assert_allclose(field["curvatures"], [0, 0], atol=1e-9)
        with self.assertRaises(ValueError):
            tact.Surface.sphere(0.1).at([0, 0, 0])

    def test_free_surfaces(self):
        # A quarter of a cylinder of radius 2 about z as a rational spline: curvature 1/2 around, 0 along.
        arc = np.array([[2, 0], [2, 2], [0, 2.0]])
        points = np.array([[[x, y, z] for z in (-1.0, 1.0)] for x, y in arc])
        weights = np.array([[1, 1], [np.sqrt(0.5)] * 2, [1, 1]])
        wall = tact.Surface.nurbs(points, [0, 0, 0, 1, 1, 1], [0, 0, 1, 1], weights).at([3, 3, 0.2])
        assert_allclose(wall["p"], [np.sqrt(2), np.sqrt(2), 0.2], atol=1e-12)
        assert_allclose(wall["curvatures"], [0, 0.5], atol=1e-12)
        with self.assertRaisesRegex(ValueError, "not positive"):
            tact.Surface.nurbs(points, [0, 0, 0, 1, 1, 1], [0, 0, 1, 1], -weights)
        with self.assertRaisesRegex(ValueError, "points"):
            tact.Surface.nurbs(points[0], [0, 1], [0, 1])

        def dish(u, v):  # z = (u² + 3 v²)/2
            return [[u, v, (u * u + 3 * v * v) / 2], [1, 0, u], [0, 1, 3 * v], [0, 0, 1], [0, 0, 0], [0, 0, 3]]

        at = tact.Surface.parametric(dish, [-1, -1], [1, 1]).at([0, 0, -0.1])
        assert_allclose(at["p"], [0, 0, 0], atol=1e-12)
        assert_allclose(sorted(at["curvatures"]), [-3, -1], atol=1e-9)

    def test_implicit_ball_is_a_ball(self):
        def ball(p):
            return p @ p - 0.02**2, 2 * p, 2 * np.eye(3)

        pose = np.eye(4)
        pose[:3, 3] = 0, 0, 0.03
        other = tact.Surface.sphere(0.012)
        (mine,) = tact.facing(tact.Surface.implicit(ball, 0.03), other, pose)
        (known,) = tact.facing(tact.Surface.sphere(0.02), other, pose)
        for key in ("p1", "p2", "normal", "gap"):
            assert_allclose(mine[key], known[key], atol=1e-12)

    def test_functions_that_fail(self):
        def broken(p):
            raise ZeroDivisionError("of the user")

        with self.assertRaisesRegex(ZeroDivisionError, "of the user"):
            tact.Surface.implicit(broken, 1).at([0, 0, 1])
        with self.assertRaisesRegex(ValueError, "gradient"):
            tact.Surface.implicit(lambda p: p @ p - 1, 2).at([0, 0, 1])
        with self.assertRaisesRegex(ValueError, "6"):
            tact.Surface.parametric(lambda u, v: [u, v, 0]).at([0, 0, 1])

    def test_facing(self):
        pose = np.eye(4)
        pose[:3, 3] = 0, 0, 0.03
        one, two = tact.Surface.sphere(0.02), tact.Surface.sphere(0.012)
        (pair,) = tact.facing(one, two, pose, [0, 0, 0, 0.5, 0, -2])
        assert_allclose(pair["gap"], -0.002, atol=1e-15)
        assert_allclose(pair["p1"], [0, 0, 0.02], atol=1e-15)
        assert_allclose(pair["p2"], [0, 0, -0.012], atol=1e-15)
        assert_allclose(pair["gap_rate"], -2)
        assert_allclose(pair["p1_rate"], [0.5 * 0.02 / 0.03, 0, 0], atol=1e-12)
        assert_allclose(pair["least_gap"], -0.032, rtol=1e-12)
        with self.assertRaises(ValueError):
            tact.facing(tact.Surface.plane(), tact.Surface.plane(), pose)

    def test_hertz_and_slip(self):
        h = tact.hertz([50, 50], 1e6, 1e-3)
        assert_allclose(h["force"], 4 / 3 * 1e6 * np.sqrt(0.02) * 1e-3**1.5, rtol=1e-12)
        assert_allclose(h["a"], np.sqrt(0.02 * 1e-3), rtol=1e-12)
        assert_allclose(h["energy"], 0.4 * h["force"] * 1e-3, rtol=1e-12)
        s, multiplier = tact.slip_return(np.diag([1.0, 4.0, 9.0]), 2, [3, 2, 1])
        assert_allclose(s @ np.diag([1.0, 4.0, 9.0]) @ s, 4, rtol=1e-12)
        assert_allclose((np.eye(3) + multiplier * np.diag([1.0, 4.0, 9.0])) @ s, [3, 2, 1], rtol=1e-12)
        for wrong in ([0, 1], [1, 1]):
            with self.assertRaises(ValueError):
                tact.hertz(wrong, 1e6, -1 if wrong[0] else 1)

    def test_pairs(self):
        tact.SoftPair.elastic(1e6, 0.3, float("inf"), 0.0, 0.5)
        tact.SoftPair(stiffness_N_per_m=1e4, damping_Ns_per_m=1.0)
        with self.assertRaisesRegex(ValueError, "not both"):
            tact.SoftPair(modulus_Pa=1e6, stiffness_N_per_m=1e4)

    def test_fit_of_a_file_and_of_arrays(self):
        found = tact.fit(SCENES / "traces" / "fingertip.csv")
        self.assertTrue(found.converged)
        self.assertLess(found.exponent["low"], found.exponent["value"])
        self.assertTrue(found.check(SCENES / "traces" / "fingertip_again.csv")["explains"])
        time = np.linspace(0, 1, 400)
        depth = 1e-3 * (1.2 - np.cos(2 * np.pi * time))
        rate = 1e-3 * 2 * np.pi * np.sin(2 * np.pi * time)
        force = 2e5 * depth**1.5 * (1 + 3 * rate)
        again = tact.fit({"time_s": time, "gap_m": -depth, "normal_force_N": force, "gap_rate_m_per_s": -rate})
        assert_allclose(again.exponent["value"], 1.5, rtol=1e-6)
        assert_allclose(again.damping["value"], 3, rtol=1e-4)

    def test_refusals(self):
        with self.assertRaises(FileNotFoundError):
            tact.fit("nowhere.csv")
        with self.assertRaises(ValueError):
            tact.fit({"time_s": [0, 1], "gap_m": [0, 1], "normal_force_N": [0]})
        with self.assertRaises(ValueError):
            tact.Surface.sphere(-1)


if __name__ == "__main__":
    unittest.main()
