"""tact impact: verdicts, certificates, laws, repair and pictures, every exit code."""
import json
import unittest
import xml.etree.ElementTree

from command import SOURCE, CommandTest

SCENES = sorted((SOURCE / 'scenes' / 'impacts').glob('*.json'))
LAWS = ['moreau', 'newton', 'newton_clamped', 'poisson', 'fremond', 'generalized_reflections', 'sequential']
FIELDS = {'verdict', 'W_min', 'W_max', 'velocity', 'certificate', 'certificate_accepted', 'arithmetic', 'sentence',
          'responsible', 'T_minus', 'T_plus', 'seconds'}
CONSISTENT = {'consistent_weak', 'consistent_strong'}


def wall(outcome, **fields):
    return {'format': 'tact-problem/1', 'name': 'wall', 'dof': 1, 'mass': [[2]], 'velocity': [-3],
            'contacts': [{'name': 'wall', 'normal': [1], **fields}], 'outcome': outcome}


class Impact(CommandTest):
    def impact(self, file, *words, code=0):
        run = self.tact('impact', file, '--json', *words)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertEqual(run.stderr, '')
        return json.loads(run.stdout)

    def complaint(self, *words):
        run = self.tact('impact', *words)
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertEqual(run.stdout, '')
        self.assertEqual(run.stderr.count('\n'), 1, run.stderr)
        return run.stderr.strip()

    def test_every_scene_with_certificate_and_picture(self):
        self.assertGreater(len(SCENES), 8)
        for scene in SCENES:
            with self.subTest(scene.name):
                run = self.tact('impact', scene, '--json', '--certificate', 'c.json', '--svg', 's.svg')
                answer = json.loads(run.stdout)
                self.assertLessEqual(FIELDS, set(answer))
                self.assertTrue(answer['certificate_accepted'])
                self.assertEqual(answer['arithmetic'], 'exact')
                self.assertEqual(answer['tolerance'], 0)
                good = answer['verdict'] in CONSISTENT and answer.get('verdict_actual') != 'generating'
                self.assertEqual(run.returncode, 0 if good else 1)
                self.assertEqual(json.loads((self.folder / 'c.json').read_text()), answer['certificate'])
                self.assertTrue(xml.etree.ElementTree.parse(self.folder / 's.svg').getroot().tag.endswith('svg'))
                verified = self.tact('impact', scene, '--verify', 'c.json')
                self.assertEqual(verified.returncode, 0, verified.stdout)
                self.assertTrue(verified.stdout.startswith('accepted'))
                text = self.tact('impact', scene)
                self.assertEqual(text.returncode, run.returncode)
                self.assertTrue(text.stdout.startswith('verdict   ' + answer['verdict']), text.stdout)

    def test_a_tampered_certificate_is_refused(self):
        file = self.write('w.json', wall({'velocity': [4]}))
        self.impact(file, '--certificate', 'c.json', code=1)
        proof = json.loads((self.folder / 'c.json').read_text())
        proof['minimum']['low'] = '6'
        self.write('c.json', proof)
        run = self.tact('impact', file, '--verify', 'c.json', '--json')
        self.assertEqual(run.returncode, 1)
        self.assertFalse(json.loads(run.stdout)['accepted'])
        proof['verdict'] = 'fine'
        self.write('c.json', proof)
        self.assertIn('verdict is "fine"', self.complaint(file, '--verify', 'c.json'))
        self.write('c.json', '{')
        self.assertTrue(self.complaint(file, '--verify', 'c.json').startswith('c.json:'))

    def test_the_certificate_of_another_problem_is_refused(self):
        one = self.write('one.json', wall({'velocity': [4]}))
        other = self.write('other.json', wall({'velocity': [5]}))
        self.impact(one, '--certificate', 'c.json', code=1)
        self.assertEqual(self.tact('impact', other, '--verify', 'c.json').returncode, 1)

    def test_energy_of_a_bounce(self):
        for after, verdict, work in ((0, 'consistent_strong', -9), (3, 'consistent_strong', 0),
                                     (4, 'inconsistent', 7), (-1, 'kinematically_incompatible', -8),
                                     (-4, 'kinetically_incompatible', None)):
            answer = self.impact(self.write('w.json', wall({'velocity': [after]})),
                                 code=0 if verdict in CONSISTENT else 1)
            self.assertEqual(answer['verdict'], verdict)
            self.assertEqual(answer['W_min'], work)
            self.assertEqual(answer['W_max'], work)

    def test_given_impulses(self):
        answer = self.impact(self.write('w.json', wall({'velocity': [4], 'impulses': [[14]]})), code=1)
        self.assertEqual(answer['verdict_actual'], 'generating')
        self.assertEqual(answer['W_actual'], 7)
        answer = self.impact(self.write('w.json', wall({'velocity': [1], 'impulses': [[8]]})))
        self.assertEqual(answer['verdict_actual'], 'dissipative')
        answer = self.impact(self.write('w.json', wall({'velocity': [1], 'impulses': [[7]]})), code=1)
        self.assertGreater(answer['momentum_residual'], 0.1)

    def test_rounded_outcomes_are_judged_with_a_tolerance(self):
        file = {'format': 'tact-problem/1', 'dof': 3, 'mass': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                'velocity': [1, 0, 0], 'contacts': [{'normal': [-1, 1, 0]}, {'normal': [0, -1, 1]}],
                'outcome': {'velocity': [1 / 3, 1 / 3, 1 / 3]}}
        answer = self.impact(self.write('c.json', file))
        self.assertEqual(answer['verdict'], 'consistent_strong')
        self.assertGreater(answer['tolerance'], 0)
        self.assertAlmostEqual(answer['W_min'], -1 / 3, delta=1e-12)
        file['outcome']['velocity'] = ['1/3', '1/3', '1/3']
        answer = self.impact(self.write('c.json', file))
        self.assertEqual(answer['tolerance'], 0)
        self.assertEqual(answer['W_min_exact'], '-1/3')

    def test_rounding_is_no_penetration_and_quotes_are_exact(self):
        simple = {'format': 'tact-problem/1', 'dof': 1, 'mass': [[1]], 'velocity': [-1], 'contacts': [{'normal': [1]}]}
        answer = self.impact(self.write('a.json', {**simple, 'outcome': {'velocity': [-2.0 ** -54]}}))
        self.assertEqual(answer['verdict'], 'consistent_strong')
        self.assertGreater(answer['tolerance'], 0)
        belt = {**simple, 'velocity': [0], 'contacts': [{'normal': [0.3], 'excitation': {'normal': -0.9}}]}
        answer = self.impact(self.write('b.json', {**belt, 'outcome': {'velocity': [3]}}))
        self.assertGreater(answer['tolerance'], 0)
        answer = self.impact(self.write('c.json', {**simple, 'outcome': {'velocity': ['8589934593/8589934592']}}),
                             code=1)
        self.assertEqual(answer['verdict'], 'inconsistent')
        self.assertEqual(answer['tolerance'], 0)

    def test_certificates_of_rounded_data_read_back(self):
        file = self.write('third.json', {
            'format': 'tact-problem/1', 'dof': 3, 'mass': [[3, 0, 0], [0, 1, 0], [0, 0, 1]], 'velocity': [-0.1, 0, 0],
            'contacts': [{'normal': [1, 0.1, 0.7]}],
            'outcome': {'velocity': [-0.02281879194630873, 0.023154362416107385, 0.16208053691275168]}})
        self.impact(file, '--certificate', 'c.json')
        run = self.tact('impact', file, '--verify', 'c.json')
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn('tolerance', run.stdout)
        # A reader who wants more than the certificate gives refuses it.
        self.assertEqual(self.tact('impact', file, '--verify', 'c.json', '--tolerance', '1e-12').returncode, 1)

    def test_certificates_do_not_choose_their_own_tolerance(self):
        file = self.write('w.json', {'format': 'tact-problem/1', 'dof': 1, 'mass': [[1]], 'velocity': [-1],
                                     'contacts': [{'normal': [1]}], 'outcome': {'velocity': [2]}})
        bound = {'end': 'finite', 'low': '-1/2', 'high': '-1/2', 'velocity': ['0'], 'impulses': [[{'weight': '1'}]]}
        forged = {'format': 'tact-certificate/1', 'arithmetic': 'exact', 'verdict': 'consistent_strong', 'tolerance': 1,
                  'free_velocity': ['-1'], 'velocity': ['0'], 'minimum': bound, 'maximum': bound}
        for tolerance in (1, 0.4, 1e300, 1e308):
            run = self.tact('impact', file, '--verify', self.write('f.json', {**forged, 'tolerance': tolerance}))
            self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
            self.assertTrue(run.stdout.startswith('refused'))
        empty = {'format': 'tact-certificate/1', 'arithmetic': 'exact', 'verdict': 'undecided', 'tolerance': 0,
                 'free_velocity': [-1], 'velocity': [2]}
        self.assertEqual(self.tact('impact', file, '--verify', self.write('e.json', empty)).returncode, 1)
        self.assertIn('minimum', self.complaint(file, '--verify', self.write('m.json', {**empty, 'minimum': 5})))

    def test_the_certificate_of_a_law_can_be_verified(self):
        file = self.write('c.json', {'format': 'tact-problem/1', 'dof': 3, 'mass': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                                     'velocity': [1, 0, 0], 'contacts': [{'normal': [-1, 1, 0]}, {'normal': [0, -1, 1]}]})
        law = ('--law', 'poisson', '--restitution', 1)
        self.impact(file, *law, '--certificate', 'p.json')
        self.assertEqual(self.tact('impact', file, *law, '--verify', 'p.json').returncode, 0)

    def test_round_cones_give_brackets(self):
        file = self.write('r.json', {
            'format': 'tact-problem/1', 'dof': 3, 'mass': [[1, 0, 0], [0, 1, 0], [0, 0, 1]], 'velocity': [1, 0, -1],
            'contacts': [{'normal': [0, 0, 1], 'tangents': [[1, 0, 0], [0, 1, 0]],
                          'friction': {'law': 'coulomb', 'mu': 0.5}}], 'outcome': {'velocity': [0.75, 0, 0]}})
        answer = self.impact(file)
        self.assertEqual(answer['verdict'], 'consistent_strong')
        self.assertAlmostEqual(answer['W_min'], 0.5 * 0.75 ** 2 - 1, delta=1e-9)

    def test_outputs_overwrite_nothing(self):
        file = self.write('w.json', wall({'velocity': [1]}))
        before = (self.folder / file).read_text()
        self.assertIn('is an input', self.complaint(file, '--certificate', file))
        self.assertIn('two outputs', self.complaint(file, '--certificate', 'x', '--svg', 'x'))
        self.assertIn('file name', self.complaint(file, '--certificate', '-'))
        self.assertEqual((self.folder / file).read_text(), before)

    def test_a_failed_repair_keeps_the_verdict(self):
        answer = self.impact(self.write('j.json', {
            'format': 'tact-problem/1', 'dof': 1, 'mass': [[1]], 'velocity': [-1],
            'contacts': [{'normal': [0], 'excitation': {'normal': -1}}, {'normal': [1]}],
            'outcome': {'velocity': [0]}}), '--repair', code=1)
        self.assertEqual(answer['verdict'], 'kinematically_infeasible')
        self.assertIn('failed', answer['repair'])
        # Impulses that do not explain the velocity are not what is repaired.
        answer = self.impact(self.write('k.json', wall({'velocity': [4], 'impulses': [[6]]})), '--repair', code=1)
        self.assertAlmostEqual(answer['repair']['velocity'][0], 3, delta=1e-9)

    def test_energies_out_of_range(self):
        huge = {**wall({'velocity': [0]}), 'mass': [[1e300]], 'velocity': [-1e10]}
        self.assertIn('other units', self.complaint(self.write('h.json', huge)))
        self.assertIn('--tolerance', self.complaint('h.json', '--tolerance', 'nan'))

    def test_laws(self):
        cradle = {'format': 'tact-problem/1', 'dof': 3, 'mass': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                  'velocity': [1, 0, 0], 'contacts': [{'normal': [-1, 1, 0]}, {'normal': [0, -1, 1]}]}
        file = self.write('c.json', cradle)
        third, two = 1 / 3, 2 / 3
        for law, velocity in (('moreau', [-third, two, two]), ('newton', [-third, two, two]),
                              ('poisson', [-third, two, two]), ('generalized_reflections', [0, 0, 1]),
                              ('sequential', [0, 0, 1])):
            with self.subTest(law):
                answer = self.impact(file, '--law', law, '--restitution', 1)
                self.assertEqual(answer['law'], law)
                for a, b in zip(answer['velocity'], velocity, strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-12)
                self.assertEqual(answer['verdict'], 'consistent_strong')
                self.assertEqual(answer['verdict_actual'], 'dissipative')
        for law in LAWS:
            self.assertEqual(self.impact(file, '--law', law)['verdict'], 'consistent_strong')

    def test_laws_without_an_outcome(self):
        two_walls = {'format': 'tact-problem/1', 'dof': 1, 'mass': [[1]], 'velocity': [0],
                     'contacts': [{'normal': [1], 'excitation': {'normal': -1}, 'restitution': 1},
                                  {'normal': [-1], 'excitation': {'normal': 1}, 'restitution': 1}]}
        answer = self.impact(self.write('c3.json', two_walls), '--law', 'sequential', code=1)
        self.assertEqual(answer['status'], 'does_not_end')
        receding = {'format': 'tact-problem/1', 'dof': 1, 'mass': [[1]], 'velocity': [-2],
                    'contacts': [{'normal': [1], 'restitution': 1},
                                 {'normal': [-1], 'excitation': {'normal': 1}, 'restitution': 1}]}
        answer = self.impact(self.write('c2.json', receding), '--law', 'newton_clamped', code=1)
        self.assertEqual(answer['status'], 'no_solution')
        self.assertEqual(self.impact('c2.json', '--law', 'poisson')['velocity'], [1])

    def test_repair(self):
        corner = {'format': 'tact-problem/1', 'dof': 2, 'mass': [[1, 0], [0, 1]], 'velocity': [-1, '-1/2'],
                  'contacts': [{'normal': [1, 0], 'restitution': 1}, {'normal': ['-3/5', '4/5']}]}
        file = self.write('c1.json', corner)
        answer = self.impact(file, '--law', 'newton', '--repair', code=1)
        self.assertEqual(answer['verdict'], 'inconsistent')
        self.assertAlmostEqual(answer['W_actual'], 5 / 32, delta=1e-12)
        self.assertAlmostEqual(answer['repair']['velocity'][0], 2 / 5 ** 0.5, delta=1e-12)
        self.assertLessEqual(answer['repair']['W_after'], 1e-12)
        impulses = [x for one in answer['repair']['impulses'] for x in one]
        after = [-1 + impulses[0] - 0.6 * impulses[1], -0.5 + 0.8 * impulses[1]]
        for a, b in zip(answer['repair']['velocity'], after, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-12)

    def test_bad_input(self):
        self.assertIn('outcome is missing', self.complaint(self.write('a.json', {
            'format': 'tact-problem/1', 'dof': 1, 'mass': [[2]], 'velocity': [-3], 'contacts': [{'normal': [1]}]})))
        self.assertIn('delassus', self.complaint(self.write('b.json', {
            'format': 'tact-problem/1', 'delassus': [[1]], 'free_velocity': [-1], 'contacts': [{}]})))
        self.assertIn('positive definite', self.complaint(self.write('c.json', {
            **wall({'velocity': [1]}), 'mass': [[-1]]})))
        self.assertIn('one for all', self.complaint(self.write('d.json', {
            **wall({'velocity': [1]}), 'contacts': [{'normal': [1], 'restitution': 1}, {'normal': [1]}]}),
            '--law', 'moreau'))
        self.assertIn('--law', self.complaint('d.json', '--law', 'magic'))
        self.assertIn('pictures show', self.complaint(self.write('e.json', {
            'format': 'tact-problem/1', 'dof': 4, 'mass': [[float(i == j) for j in range(4)] for i in range(4)],
            'velocity': [-1, -1, -1, -1], 'contacts': [{'normal': [float(i == j) for j in range(4)]}
                                                       for i in range(4)],
            'outcome': {'velocity': [0, 0, 0, 0]}}), '--svg', 's.svg', '--certificate', 'c.json'))
        self.assertFalse((self.folder / 's.svg').exists())
        self.assertFalse((self.folder / 'c.json.cert').exists())
        self.assertIn('--alpha', self.complaint(self.write('f.json', wall({'velocity': [1]})), '--svg', 's.svg',
                                                '--alpha', 'much'))


if __name__ == '__main__':
    unittest.main()
