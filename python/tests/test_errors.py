"""Errors in Python's own kinds, with the names of arguments and the library's sentences."""

import unittest

import numpy as np

import tact
from support import SCENES


class ErrorsTest(unittest.TestCase):
    def refused(self, kind, sentence, call):
        with self.assertRaisesRegex(kind, sentence):
            call()

    def test_shapes_and_dtypes_name_the_argument(self):
        eye, touch = np.eye(3), tact.Contact([0, 0, 1])
        problem = lambda **words: tact.ContactProblem([touch], **{"mass": eye, "velocity": [0, 0, 0], **words})
        self.refused(ValueError, r"velocity: expected shape \(3,\), given \(4,\)", lambda: problem(velocity=np.zeros(4)))
        self.refused(ValueError, r"velocity: expected shape \(3,\), given \(1, 3\)", lambda: problem(velocity=[[0, 0, 0]]))
        self.refused(TypeError, "velocity: .*complex128", lambda: problem(velocity=np.zeros(3, complex)))
        self.refused(TypeError, "velocity: .*<U", lambda: problem(velocity=["a", "b", "c"]))
        self.refused(ValueError, r"mass: expected a square matrix", lambda: problem(mass=np.ones((3, 2))))
        self.refused(ValueError, r"impulse: expected shape \(3,\)", lambda: problem(impulse=[1]))
        self.refused(ValueError, r"contacts\[0\]: .* 3 columns, expected 2", lambda: problem(mass=np.eye(2), velocity=[0, 0]))
        self.refused(ValueError, r"points: expected shape \(any, 2\), given \(2, 3\)", lambda: tact.Patch(np.ones((2, 3))))
        self.refused(ValueError, r"qpos: expected shape \(7,\)", self.wrong_qpos)

    def wrong_qpos(self):
        tact.Model.built_in("tipping-box").state().qpos = [1, 2]

    def test_words_list_what_there_is(self):
        problem = tact.ContactProblem([tact.Contact([1])], mass=[[1]])
        self.refused(ValueError, 'solver is "best"; expected one of auto, gs', lambda: tact.solve(problem, solver="best"))
        self.refused(ValueError, "law", lambda: tact.impact(problem, "mine"))
        self.refused(ValueError, "keyframe", lambda: tact.Model.built_in("tipping-box").state("nowhere"))
        self.refused(ValueError, "built_in_scenes", lambda: tact.Model.built_in("nowhere"))
        self.refused(ValueError, "mode_scenes", lambda: tact.count_modes("nowhere"))

    def test_data_errors_have_the_librarys_sentences(self):
        self.refused(ValueError, "mu", lambda: tact.Contact([0, 0, 1], [[1, 0, 0], [0, 1, 0]], mu=-0.3))
        self.refused(ValueError, "mu", lambda: tact.CoulombCone(-1))
        not_definite = tact.ContactProblem([tact.Contact([1, 0])], mass=[[1, 2], [2, 1]], velocity=[0, 0])
        self.refused(ValueError, "positive definite", lambda: tact.solve(not_definite))
        self.refused(ValueError, "finite", lambda: tact.ContactProblem([tact.Contact([np.nan])], mass=[[1]]))
        self.refused(ValueError, r"text:1", lambda: tact.ContactProblem.from_json("{"))
        self.refused(ValueError, r"text.xml", lambda: tact.Model.from_xml_string("<mujoco><worldbody>"))
        self.refused(ValueError, "mass", lambda: tact.Model.from_xml_string(
            '<mujoco><worldbody><body><freejoint/><geom size="1" mass="-1"/></body></worldbody></mujoco>'))

    def test_files(self):
        for read in (tact.ContactProblem.from_file, tact.Patch.from_file, tact.Model.from_xml_path, tact.Recording):
            self.refused(FileNotFoundError, "nowhere", lambda read=read: read("nowhere.xml"))
        self.refused(OSError, "", lambda: tact.ContactProblem.from_file(SCENES))
        self.refused(TypeError, "", lambda: tact.ContactProblem.from_file(3))

    def test_state_of_another_model(self):
        state = tact.Model.built_in("box-tower").state()
        self.refused(ValueError, "another model", lambda: tact.Simulation(tact.Model.built_in("tipping-box"), state))

    def test_numbers_that_are_not_finite(self):
        sim = tact.Simulation(tact.Model.built_in("tipping-box"))
        sim.state.qvel[0] = np.nan
        self.refused(ValueError, "state.qvel", sim.step)
        self.refused(ValueError, "dt", lambda: tact.Simulation(sim.model, dt=-1))
        self.refused(ValueError, "duration", lambda: tact.simulate(sim.model, float("nan")))
        self.refused(ValueError, "n is 0", lambda: sim.step(0))

    def test_contracts_of_the_library_are_value_errors(self):
        self.refused(ValueError, "", lambda: tact.pyramid_cone(0.5, 2))
        self.refused(ValueError, "", lambda: tact.residual(tact.ContactProblem([tact.Contact([1])], mass=[[1]]), [1, 2]))


if __name__ == "__main__":
    unittest.main()
