"""Compliant pairs on the command line: tact sim with soft pairs, and tact fit."""
import json
import math
import random
import unittest

from command import SOURCE, CommandTest


def trace(stiffness, noise=0.02, seed=1):
    """A Hertzian pair pressed in and out."""
    rng = random.Random(seed)
    lines = ['time_s,gap_m,gap_rate_m_per_s,normal_force_N']
    for i in range(300):
        t = i / 300
        gap = 1e-4 - 1.5e-3 * (0.4 + 0.6 * t) * math.sin(9 * t) ** 2
        rate = -1.5e-3 * (0.6 * math.sin(9 * t) ** 2 + (0.4 + 0.6 * t) * 9 * math.sin(18 * t))
        force = stiffness * max(0, -gap) ** 1.5 * (1 - 0.5 * rate)
        lines.append(f'{t},{gap},{rate},{force + rng.gauss(0, noise)}')
    return '\n'.join(lines) + '\n'


class Fit(CommandTest):
    def fit(self, *words, code=0):
        run = self.tact('fit', *words, '--json')
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        return json.loads(run.stdout)

    def test_parameters_are_found_and_validated(self):
        self.write('a.csv', trace(6e4))
        self.write('b.csv', trace(6e4, seed=2))
        self.write('other.csv', trace(9e4, seed=3))
        answer = self.fit('a.csv', '--validate', 'b.csv')
        for name, truth in (('stiffness_N_per_m_to_n', 6e4), ('exponent', 1.5), ('damping_s_per_m', 0.5)):
            self.assertLess(abs(answer[name]['value'] - truth), 4 * answer[name]['standard_error'])
        self.assertTrue(answer['validation']['explains'])
        self.assertFalse(self.fit('a.csv', '--validate', 'other.csv', code=1)['validation']['explains'])
        self.assertIn('95 %', self.tact('fit', 'a.csv').stdout)

    def test_the_traces_of_the_readme(self):
        traces = SOURCE / 'scenes' / 'traces'
        answer = self.fit(traces / 'fingertip.csv', '--validate', traces / 'fingertip_again.csv')
        friction = answer['tangential']['friction']
        self.assertTrue(friction['low'] < 0.45 < friction['high'], friction)

    def test_bad_traces_are_refused_with_their_line(self):
        self.write('bad.csv', 'time_s,gap_m,normal_force_N\n0,-1e-3,two\n')
        run = self.tact('fit', 'bad.csv')
        self.assertEqual(run.returncode, 2)
        self.assertIn('bad.csv:2', run.stderr)
        self.assertEqual(self.tact('fit', 'none.csv').returncode, 2)


class SoftScenes(CommandTest):
    def test_the_grasp_holds_and_says_so(self):
        run = self.tact('sim', 'grasp', '--duration', '1', '--json')
        self.assertEqual(run.returncode, 0, run.stderr)
        answer = json.loads(run.stdout)
        self.assertEqual(len(answer['soft_pairs']), 3)
        for pair in answer['soft_pairs']:
            self.assertEqual(pair['released'], 0)
            self.assertGreater(pair['min_normal_force_N'], 0.8)
            self.assertLess(pair['max_friction_use'], 0.3)
        self.assertLess(abs(answer['ledger']['closure']), 1e-8)
        self.assertIn('friction used up to', self.tact('sim', 'grasp', '--duration', '0.1').stdout)

    def test_faces_are_refused_with_their_names(self):
        self.write('s.xml', '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>'
                   '<body pos="0 0 1"><freejoint/><geom name="crate" type="box" size=".1 .1 .1"/></body>'
                   '</worldbody></mujoco>')
        self.write('s.tact.json', '{"format": "tact-scene/1", "compliance": '
                   '[{"geoms": ["crate", "floor"], "stiffness_N_per_m": 1000}]}')
        run = self.tact('sim', 's.xml')
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn('crate', run.stderr)
        self.assertIn('compliance[0]', run.stderr)


if __name__ == '__main__':
    unittest.main()
