"""Python and the command line say the same numbers, to the bit."""

import unittest

import tact
from support import SCENES, command, needs_command, without


@needs_command
class SameNumbersTest(unittest.TestCase):
    maxDiff = 4000

    def test_problems(self):
        for path in sorted((SCENES / "problems").glob("*.json")):
            with self.subTest(path.name):
                mine = tact.solve(tact.ContactProblem.from_file(path)).to_dict()
                self.assertEqual(without(mine, "seconds"), without(command("solve", path), "seconds"))

    def test_solvers(self):
        path = SCENES / "problems" / "table.json"
        problem = tact.ContactProblem.from_file(path)
        for solver in ("gs", "admm", "newton", "newton_mass"):
            with self.subTest(solver):
                mine = tact.solve(problem, solver=solver).to_dict()
                self.assertEqual(without(mine, "seconds"), without(command("solve", path, "--solver", solver), "seconds"))

    def test_all_solutions(self):
        path = SCENES / "problems" / "incline-stick.json"
        mine = tact.all_solutions(tact.ContactProblem.from_file(path)).to_dict()
        self.assertEqual(without(mine, "seconds"), without(command("solve", path, "--all-solutions"), "seconds"))

    def test_impacts(self):
        for path in sorted((SCENES / "impacts").glob("*.json")):
            with self.subTest(path.name):
                problem = tact.ContactProblem.from_file(path)
                if problem.outcome is None:
                    continue
                mine = tact.certificate(problem).to_dict()
                self.assertEqual(without(mine, "seconds"), without(command("impact", path), "seconds"))

    def test_laws(self):
        path = SCENES / "impacts" / "cradle.json"
        for law in ("newton", "poisson", "sequential"):
            with self.subTest(law):
                outcome = tact.impact(tact.ContactProblem.from_file(path), law, restitution=1.0)
                theirs = command("impact", path, "--law", law, "--restitution", "1")
                mine = tact.certificate(outcome.problem).to_dict()
                self.assertEqual(without(mine, "seconds"), without(theirs, "seconds", "law", "status", "remark"))

    def test_patches(self):
        for path in sorted((SCENES / "patches").glob("*.json")):
            with self.subTest(path.name):
                self.assertEqual(tact.Patch.from_file(path).report(), command("patch", path))

    def test_modes(self):
        for scene in ("box-1", "box-2"):
            with self.subTest(scene):
                theirs = command("modes", "--scene", scene, "--list", "--hash")
                stream = tact.modes(scene)
                listed = {}
                for mode in stream:
                    listed.setdefault(mode.cs, []).append(mode.ss)
                self.assertEqual(listed, theirs["modes"])
                self.assertEqual(stream.hash, theirs["hash"])
                self.assertEqual({str(k): v for k, v in stream.counts.full_by_dim.items()}, theirs["full_by_dim"])

    def test_simulations(self):
        for scene, duration in (("tipping_box", 0.5), ("box_tower", 0.2), ("newtons_cradle", 0.5), ("grasp", 0.02)):
            with self.subTest(scene):
                theirs = command("sim", scene, "--duration", duration)
                run = tact.simulate(tact.Model.built_in(scene), duration)
                self.assertEqual(run.hash, theirs["hash"])
                self.assertEqual(without(run.to_dict(), "seconds", "steps_per_second"), without(theirs, "seconds", "steps_per_second"))

    def test_inverse(self):
        path = SCENES / "robots" / "quadruped.xml"
        theirs = command("inverse", path, "--keyframe", "stand")
        mine = tact.inverse(tact.Model.from_xml_path(path), keyframe="stand")
        self.assertEqual(list(mine.actuator_forces), theirs["actuator_forces"])
        self.assertEqual([list(f) for f in mine.contact_forces], theirs["contact_forces"])

    def test_moments_of_scenes(self):
        path = SCENES / "robots" / "biped.xml"
        problem = tact.ContactProblem.from_model(tact.Model.from_xml_path(path), keyframe="stand")
        mine = tact.solve(problem).to_dict()
        self.assertEqual(without(mine, "seconds"), without(command("solve", path, "--keyframe", "stand"), "seconds"))

    def test_fit(self):
        path = SCENES / "traces" / "fingertip.csv"
        self.assertEqual(without(tact.fit(path).to_dict(), "trace", "file", "source"), without(command("fit", path), "trace", "file", "source"))


if __name__ == "__main__":
    unittest.main()
