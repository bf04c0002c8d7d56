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
