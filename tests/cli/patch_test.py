"""What tact patch answers."""
import json
import unittest

from command import SCENES, SQUARE, CommandTest

PROMISED = {'in_cone', 'margin', 'regime', 'cop', 'extended_cop', 'zero_line', 'witness', 'friction'}


class Patch(CommandTest):
    def test_every_built_in_scene_is_in_the_regime_of_its_name(self):
        for scene in sorted(SCENES.glob('*.json')):
            run = self.tact('patch', scene, '--json')
            self.assertEqual(run.returncode, 0, scene.name + run.stderr + run.stdout)
            answer = json.loads(run.stdout)
            self.assertEqual(answer['regime'], scene.stem.split('-', 1)[1])
            self.assertLessEqual(PROMISED, set(answer))
            self.assertEqual(answer['violations'], [])

    def test_standing_square(self):
        a = self.patch(patch=SQUARE, wrench=[0, -5, 0, 0, 0, 10], twist=[0] * 6)
        self.assertEqual(a['regime'], 'stick')
        self.assertTrue(a['in_cone'])
        self.assertAlmostEqual(a['margin'], 5)
        self.assertEqual(a['cop'], [0.5, 0])
        self.assertEqual(a['extended_cop'], [[0.5, 0]])
        self.assertIsNone(a['zero_line'])
        self.assertAlmostEqual(sum(w['force'] for w in a['witness']), 10)
        for axis in range(2):
            moment = sum(w['force'] * w['point'][axis] for w in a['witness'])
            self.assertAlmostEqual(moment, 10 * a['cop'][axis])

    def test_tipping_square(self):
        a = self.patch(patch=SQUARE, wrench=[0, -10, 0, 0, 0, 10], twist=[0, 2, 0, 0, 0, 2])
        self.assertEqual(a['regime'], 'tip_edge')
        self.assertEqual(sorted(a['pivot']), [[1, -1], [1, 1]])
        self.assertEqual(a['zero_line']['normal'], [-1, 0])
        self.assertEqual(a['zero_line']['point'], [1, 0])
        self.assertEqual(a['largest_opening'], 4)

    def test_wrench_outside_is_a_violation(self):
        a = self.patch(code=1, patch=SQUARE, wrench=[0, -20, 0, 0, 0, 10], twist=[0] * 6)
        self.assertFalse(a['in_cone'])
        self.assertAlmostEqual(a['margin'], -10)
        self.assertIsNone(a['regime'])
        self.assertIsNone(a['witness'])
        self.assertEqual([v['kind'] for v in a['violations']], ['wrench_outside_cone'])

    def test_pulling_is_a_violation_on_every_shape(self):
        for shape in (SQUARE, {'point': [0, 0]}, {'segment': [[-1, 0], [1, 0]]}, {'disc': {'radius': 1}}):
            a = self.patch(code=1, patch=shape, wrench=[0, 0, 0, 0, 0, -3])
            self.assertFalse(a['in_cone'], shape)

    def test_closing_twist_is_a_violation(self):
        a = self.patch(code=1, patch=SQUARE, wrench=[0] * 6, twist=[0, 0, 0, 0, 0, -1])
        self.assertFalse(a['in_dual_cone'])
        self.assertEqual(a['dual_margin'], -1)

    def test_pressing_where_it_opens_is_a_violation(self):
        a = self.patch(code=1, patch=SQUARE, wrench=[0, 0, 0, 0, 0, 10], twist=[0, 2, 0, 0, 0, 2])
        self.assertEqual(a['power'], 20)
        self.assertEqual([v['kind'] for v in a['violations']], ['power'])

    def test_without_wrench_or_twist_the_rest_is_null(self):
        a = self.patch(patch=SQUARE)
        for field in ('in_cone', 'margin', 'regime', 'cop', 'extended_cop', 'zero_line', 'witness', 'friction'):
            self.assertIsNone(a[field], field)
        a = self.patch(patch=SQUARE, twist=[0, 1, 0, 0, 0, 2])
        self.assertEqual(sorted(a['extended_cop']), [[1, -1], [1, 1]])
        self.assertIsNone(a['in_cone'])
        a = self.patch(patch=SQUARE, wrench=[0, 0, 0, 0, 0, 1])
        self.assertTrue(a['in_cone'])
        self.assertIsNone(a['regime'])

    def test_projection_in_a_metric(self):
        a = self.patch(code=1, patch={'disc': {'radius': 1}}, wrench=[3, 0, 0, 0, 0, 1], metric=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        self.assertAlmostEqual(a['projection']['wrench'][0], 2)
        self.assertAlmostEqual(a['projection']['wrench'][2], 2)
        self.assertIsNone(a['projection']['twist'])

    def test_scales_decide_what_is_zero(self):
        fields = {'patch': SQUARE, 'wrench': [0, 0, 0, 0, 0, 1e-6], 'twist': [0] * 6}
        self.assertEqual(self.patch(**fields)['regime'], 'stick')
        self.assertEqual(self.patch(**fields, force_scale=1e4)['regime'], 'idle')

    def test_both_spellings_give_the_same_answer(self):
        wrench = [0, 0, 0, 0, 0, 1]
        for one, other in (({'disc': {'center': [1, 0], 'radius': 2}}, {'kind': 'disc', 'center': [1, 0], 'radius': 2}),
                           (SQUARE, {'kind': 'polygon', 'points': SQUARE['polygon']}),
                           (SQUARE, {'shape': 'polygon', 'vertices': SQUARE['polygon']})):
            self.assertEqual(self.patch(patch=one, wrench=wrench), self.patch(patch=other, wrench=wrench))

    def test_numbers_survive_exactly(self):
        third = 1 / 3
        a = self.patch(patch={'point': [third, '1/7']}, wrench=[1 / 7, -third, 0, 0, 0, 1])
        self.assertEqual(a['cop'], [third, 1 / 7])

    def test_standard_input(self):
        text = json.dumps({'format': 'tact-patch/1', 'patch': SQUARE})
        self.assertEqual(self.tact('patch', '-', '--json', stdin=text).returncode, 0)
        run = self.tact('patch', '-', stdin='{')
        self.assertEqual(run.returncode, 2)
        self.assertTrue(run.stderr.startswith('standard input:1:'), run.stderr)

    def test_words_for_people(self):
        run = self.tact('patch', SCENES / 'foot-tip_edge.json')
        labels = [line.split()[0] for line in run.stdout.splitlines()[1:]]
        self.assertEqual(labels[:3], ['regime', 'wrench', 'twist'])
        self.assertIn('tip_edge about the edge (0.17, −0.03)–(0.17, 0.03) m', run.stdout)


if __name__ == '__main__':
    unittest.main()
