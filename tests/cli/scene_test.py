"""Scenes on the command line: tact check, solve, modes, impact and inverse of a moment."""
import json
import unittest

from command import SOURCE, CommandTest

ROBOTS = SOURCE / 'scenes' / 'robots'


class SceneTest(CommandTest):
    def answer(self, *words, code=0):
        run = self.tact(*words, '--json')
        self.assertEqual(run.returncode, code, run.stderr)
        return json.loads(run.stdout)


class Check(SceneTest):
    def test_every_scene(self):
        for scene in sorted(ROBOTS.glob('*.xml')):
            with self.subTest(scene=scene.name):
                out = self.answer('check', scene)
                self.assertEqual(out['kind'], 'scene')
                self.assertEqual(out['format'], 'MJCF')
                self.assertEqual(out['problems'], [])

    def test_counts(self):
        out = self.answer('check', ROBOTS / 'quadruped.xml')
        self.assertIn('18 dof', out['summary'])
        self.assertIn('13.8 kg', out['summary'])


class Solve(SceneTest):
    def test_a_box_at_rest_sticks_with_its_weight(self):
        out = self.answer('solve', ROBOTS / 'box_on_plane.xml', '--keyframe', 'rest')
        self.assertEqual(len(out['impulses']), 1)
        wrench = out['impulses'][0]
        self.assertAlmostEqual(wrench[5], 9.81e-3, delta=1e-12)
        for moment in wrench[:5]:
            self.assertAlmostEqual(moment, 0, delta=1e-12)
        self.assertEqual(out['labels'], ['stick'])

    def test_a_sliding_box_is_braked_by_friction(self):
        out = self.answer('solve', ROBOTS / 'box_on_plane.xml', '--keyframe', 'slide')
        self.assertAlmostEqual(out['velocity'][0], 0.5 - 0.5 * 9.81e-3, delta=1e-9)

    def test_a_tower_carries_what_is_above(self):
        out = self.answer('solve', ROBOTS / 'tower.xml')
        loads = sorted(w[5] for w in out['impulses'])
        for k, load in enumerate(loads):
            self.assertAlmostEqual(load, (k + 1) * 9.81e-3, delta=1e-9)

    def test_the_problem_can_be_written_and_solved_again(self):
        first = self.answer('solve', ROBOTS / 'box_on_plane.xml', '--keyframe', 'slide', '--write-problem', 'box.json')
        second = self.answer('solve', 'box.json')
        self.assertEqual(first['impulses'], second['impulses'])

    def test_bad_words(self):
        for words, sentence in (
                (('--keyframe', 'nowhere'), 'there is no keyframe "nowhere"'),
                (('--dt', '-1'), '--dt')):
            run = self.tact('solve', ROBOTS / 'box_on_plane.xml', *words)
            self.assertEqual(run.returncode, 2)
            self.assertIn(sentence, run.stderr)


class Modes(SceneTest):
    def test_a_box_on_a_plane_has_the_modes_of_its_corners(self):
        out = self.answer('modes', ROBOTS / 'box_on_plane.xml', '--keyframe', 'rest', '--cs')
        self.assertEqual(out['cs'], 10)


class Impact(SceneTest):
    def test_a_falling_box_stops(self):
        out = self.answer('impact', ROBOTS / 'box_on_plane.xml', '--keyframe', 'fall', '--law',
                           'moreau')
        self.assertEqual(out['verdict'], 'consistent_strong')
        self.assertAlmostEqual(out['velocity'][2], 0, delta=1e-12)


class BadScenes(SceneTest):
    def complaint(self, text, name='scene.xml'):
        run = self.tact('check', self.write(name, text))
        self.assertEqual(run.returncode, 2)
        self.assertEqual(len(run.stderr.strip().splitlines()), 1)
        return run.stderr

    def test_one_sentence_with_file_and_line(self):
        body = '<mujoco>\n<worldbody>\n<body name="b">{}</body>\n</worldbody>\n</mujoco>\n'
        for inside, words in (
                ('<joint type="screw"/><geom size="1"/>', ('scene.xml:3', 'screw')),
                ('<freejoint/><geom size="1" mass="-1"/>', ('scene.xml:3', 'mass')),
                ('<freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>',
                 ('scene.xml:3', 'inertia')),
                ('<freejoint/><geom size="1e109"/>', ('scene.xml:3', 'sphere', 'metres')),
                ('<freejoint/><geom type="box" size="1 1e-120 1"/>', ('scene.xml:3', 'box', 'metres')),
                ('<freejoint/><geom type="mesh" mesh="none"/>', ('scene.xml:3', 'none'))):
            with self.subTest(inside=inside):
                said = self.complaint(body.format(inside))
                for word in words:
                    self.assertIn(word, said)

    def test_nothing_in_it(self):
        self.assertIn('bodies', self.complaint('<mujoco/>'))

    def test_broken_xml(self):
        self.assertIn('scene.xml:', self.complaint('<mujoco><worldbody>'))


if __name__ == '__main__':
    unittest.main()
