"""Patches and cones: known answers, and the laws every cone obeys."""

import math
import unittest

import numpy as np
from numpy.testing import assert_allclose

import tact

SOLE = [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]]


class PatchTest(unittest.TestCase):
    def setUp(self):
        self.sole = tact.Patch(SOLE, name="sole")

    def test_centre_of_pressure_of_a_single_force_is_its_point(self):
        # [MontMarin25] (8): a force f at x has m_T = f x^perp.
        for x in ([0.03, -0.02], [0.1, 0.05]):
            wrench = [7 * x[1], -7 * x[0], 0, 0, 0, 7]
            assert_allclose(self.sole.cop(wrench), x, rtol=1e-15)
            self.assertTrue(self.sole.contains(wrench))
        self.assertFalse(self.sole.contains([0, -7 * 0.11, 0, 0, 0, 7]))
        self.assertIsNone(self.sole.cop([1, 0, 0, 0, 0, 0]))

    def test_regime_of_the_readme(self):
        report = self.sole.regime([4.9, -41.2, 0, 0, 0, 412], [0, 1.5, 0, 0, 0, 0.15])
        self.assertEqual(report.regime, "tip_edge")
        assert_allclose(report.pivot[:, 0], [0.1, 0.1])
        self.assertIsNotNone(report.zero_line)

    def test_moreau(self):
        # x = P_K(x) - P_K*(-x), the two parts orthogonal.
        random = np.random.default_rng(1)
        for x in random.normal(size=(50, 3)):
            p, q = self.sole.project(x), self.sole.project_twist(-x)
            assert_allclose(p - q, x, atol=1e-13)
            self.assertAlmostEqual(p @ q, 0, delta=1e-13)

    def test_margins_and_velocities(self):
        self.assertAlmostEqual(self.sole.margin([0, 0, 10.0]), 0.5)  # 10 N, 0.05 m from the rim
        self.assertAlmostEqual(self.sole.twist_margin([0, 1, 0, 0, 0, 0.2]), 0.1)
        assert_allclose(self.sole.velocity_at([0, 1, 0, 0, 0, 0.2], [0.1, 0]), [0, 0, 0.1])

    def test_extended_cop_in_the_air(self):
        # Turning about y, nothing pressing: the front edge comes down first.
        edge = self.sole.extended_cop(np.zeros(6), [0, 1, 0, 0, 0, -0.2])
        assert_allclose(edge[:, 0], [0.1, 0.1])

    def test_friction_of_a_disc(self):
        # Even pressure on a disc resists spin with 2/3 mu f r.
        disc = tact.Patch.disc(0.3)
        set_ = disc.friction([0, 0, 0, 0, 0, 10], 0.5, pressure="ellipsoid")
        self.assertAlmostEqual(set_.support([0, 0, 1]), 0.5 * 10 * 2 / 3 * 0.3, places=9)
        self.assertTrue(set_.contains([4.9, 0, 0]))
        self.assertFalse(set_.contains([5.1, 0, 0]))

    def test_shapes(self):
        self.assertEqual(len(tact.Patch.segment([0, 0], [1, 0]).corners), 2)
        two = tact.Patch.union([tact.Patch.point([0, 0]), tact.Patch.disc(0.1, [1, 0])])
        self.assertTrue(two.contains([0, -0.5, 1]))
        self.assertAlmostEqual(tact.Patch.ellipse([2, 1]).margin([0, 0, 1]), 1, places=12)
        self.assertTrue(tact.Patch.stadium([-1, 0], [1, 0], 0.5).contains([0.49, 0, 1]))

    def test_half_spaces_of_a_rectangle(self):
        A = self.sole.wrench_half_spaces(0.5)
        self.assertEqual(A.shape[1], 6)
        self.assertTrue(np.all(A @ [0, 0, 0, 1, 0, 10] <= 1e-12))
        self.assertTrue(np.any(A @ [0, 0, 0, 6, 0, 10] > 0))

    def test_round_trip_and_picture(self):
        again = tact.Patch.from_json(self.sole.to_json())
        self.assertEqual(again.name, "sole")
        assert_allclose(again.corners, self.sole.corners)
        for text in (self.sole._repr_html_(), self.sole.svg(wrench=[0, 0, 0, 1, 0, 10], mu=0.4)):
            self.assertIn("<svg", text)


class ConeTest(unittest.TestCase):
    def test_coulomb(self):
        cone = tact.CoulombCone(0.5)
        assert_allclose(cone.project([1, 0, 0]), [0.2, 0, 0.4])
        self.assertTrue(cone.contains([0.5, 0, 1]))
        self.assertFalse(cone.contains([0.51, 0, 1]))
        x = np.array([0.3, -2, 0.7])
        assert_allclose(cone.project(x) - cone.dual.project(-x), x, atol=1e-15)

    def test_metric(self):
        cone = tact.CoulombCone(0.5)
        assert_allclose(cone.project([1, 0.2, 0.3], np.eye(3)), cone.project([1, 0.2, 0.3]), atol=1e-14)
        with self.assertRaisesRegex(ValueError, "positive definite"):
            cone.project([1, 0, 0], -np.eye(3))

    def test_box_and_pyramid(self):
        self.assertTrue(tact.box_cone(1.0, 1.0).contains([1, 1, 1]))
        self.assertFalse(tact.pyramid_cone(1.0, 4).contains([0.8, 0.8, 1]))
        assert_allclose(np.abs(tact.box_cone(1.0).corners), 1 / math.sqrt(2))


if __name__ == "__main__":
    unittest.main()
