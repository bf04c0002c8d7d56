"""tact solve: every scene, every word, every exit code."""
import gzip
import json
import unittest

from command import SOURCE, CommandTest

PROBLEMS = sorted((SOURCE / 'scenes' / 'problems').glob('*.json'))
SOLVERS = ['auto', 'newton', 'admm', 'gs', 'lemke', 'box']
FIELDS = {'status', 'solver', 'iterations', 'residual', 'residual_parts', 'impulses', 'contact_velocities', 'labels',
          'contacts', 'seconds'}
FCP = ('fcp 1\nname one\nform local\ndim 2\nnc 1\nmatrix M 2 2 3\n0 0 1\n0 1 0.5\n1 1 1\n'
       'vector q 2\n-1\n0.5\nvector mu 1\n0.25\n')
SOLVED = 1e-10
AGREE = 1e-10


def rows(contact, mass_form):
    """How many rows the answer has for a contact of a file."""
    law = contact.get('friction', {}).get('law', 'coulomb' if 'friction' in contact else 'none')
    if 'patch' in contact:
        return 3 if law == 'none' else 6
    if law == 'none':
        return 1
    planar = len(contact['tangents']) == 1 if mass_form else contact.get('planar', False)
    return 2 if planar else 3


def far(found, wanted, least=1e-300):
    """The largest difference of two lists of lists, relative to the largest of the second."""
    size = max([abs(x) for one in wanted for x in one] + [least])
    return max(abs(a - b) for one, other in zip(found, wanted, strict=True)
               for a, b in zip(one, other, strict=True)) / size


class Solve(CommandTest):
    def solve(self, name, *words, code=0):
        run = self.tact('solve', name, '--json', *words)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertEqual(run.stderr, '')
        return json.loads(run.stdout)

    def complaint(self, *words):
        run = self.tact('solve', *words)
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertEqual(run.stdout, '')
        self.assertEqual(run.stderr.count('\n'), 1, run.stderr)
        return run.stderr.strip()

    def test_every_scene(self):
        self.assertGreater(len(PROBLEMS), 5)
        for scene in PROBLEMS:
            with self.subTest(scene.name):
                file = json.loads(scene.read_text(encoding='utf-8'))
                jam = scene.name == 'jam.json'
                answer = self.solve(scene, code=1 if jam else 0)
                self.assertLessEqual(FIELDS, set(answer))
                self.assertEqual(answer['name'], file['name'])
                self.assertNotIn('residual_fc3d', answer)
                self.assertNotIn('solvers', answer)
                count = len(file['contacts'])
                for field in ('impulses', 'contact_velocities', 'labels', 'contacts'):
                    self.assertEqual(len(answer[field]), count, field)
                mass_form = 'mass' in file
                self.assertEqual('velocity' in answer, mass_form)
                self.assertEqual('momentum' in answer['residual_parts'], mass_form)
                self.assertEqual([len(x) for x in answer['impulses']], [rows(c, mass_form) for c in file['contacts']])
                if jam:
                    continue
                self.assertEqual(answer['status'], 'converged')
                self.assertLessEqual(answer['residual'], SOLVED)
                for part in answer['residual_parts'].values():
                    self.assertLessEqual(abs(part), SOLVED)

    def test_outcomes_of_scenes(self):
        """Where a scene says what will happen, it does; impulses only where one is possible."""
        number = lambda x: float(x.split('/')[0]) / float((x.split('/') + ['1'])[1]) if isinstance(x, str) else x
        compared = 0
        for scene in PROBLEMS:
            file = json.loads(scene.read_text(encoding='utf-8'))
            if 'velocity' not in file.get('outcome', {}):
                continue
            compared += 1
            answer = self.solve(scene)
            wanted = [number(x) for x in file['outcome']['velocity']]
            for found, value in zip(answer['velocity'], wanted, strict=True):
                self.assertAlmostEqual(found, value, 9, scene.name)
            if scene.name != 'table.json' and 'impulses' in file['outcome']:
                known = [[number(x) for x in one] for one in file['outcome']['impulses']]
                self.assertLess(far(answer['impulses'], known), 1e-8, scene.name)
        self.assertGreater(compared, 3)

    def test_a_jam_is_told(self):
        scene = SOURCE / 'scenes' / 'problems' / 'jam.json'
        answer = self.solve(scene, code=1)
        self.assertEqual(answer['status'], 'infeasible')
        # Both walls push alike, and the pushes cancel: the work against them is what proves it.
        (left,), (right,) = answer['jam_ray']
        self.assertGreater(left, 0)
        self.assertAlmostEqual(left, right, 12)
        self.assertEqual(answer['held_by'], ['left wall', 'right wall'])
        run = self.tact('solve', scene)
        self.assertEqual(run.returncode, 1)
        self.assertIn('no solution', run.stdout)
        self.assertIn('hold each other (a jam): left wall, right wall;', run.stdout)
        in_mass_form = self.solve(scene, '--solver', 'newton_mass', code=1)
        self.assertEqual((in_mass_form['status'], in_mass_form['held_by']), ('infeasible', answer['held_by']))
        for solver in SOLVERS:
            self.assertNotEqual(self.solve(scene, '--solver', solver, code=1)['status'], 'converged', solver)

    def test_a_singular_mass_is_refused_by_all_solutions(self):
        problem = '{"format": "tact-problem/1", "dof": 2, "mass": [[1, 1], [1, 1]], "velocity": [-1, -1], "contacts": [{"normal": [1, 0]}]}'
        self.refused(self.tact('solve', '-', '--all-solutions', stdin=problem), 'mass must be positive definite')

    def test_named_solvers(self):
        for scene in PROBLEMS:
            if scene.name == 'jam.json':
                continue
            best = self.solve(scene)
            for solver in SOLVERS[1:]:
                with self.subTest(f'{scene.name} {solver}'):
                    run = self.tact('solve', scene, '--json', '--solver', solver)
                    answer = json.loads(run.stdout)
                    self.assertIn(answer['status'], ('converged', 'unsupported'))
                    self.assertEqual(run.returncode, 0 if answer['status'] == 'converged' else 1)
                    if answer['status'] == 'converged':
                        self.assertEqual(answer['solver'], solver)
                        self.assertLess(far(answer['contact_velocities'], best['contact_velocities'], 1), 1e-6)

    def test_mass_form_without_the_delassus_matrix(self):
        for scene in PROBLEMS:
            file = json.loads(scene.read_text(encoding='utf-8'))
            if scene.name == 'jam.json' or 'mass' not in file:
                continue
            answer = self.solve(scene, '--solver', 'newton_mass')
            self.assertEqual(answer['solver'], 'newton_mass')
            self.assertLess(far([answer['velocity']], [self.solve(scene)['velocity']], 1), 1e-6, scene.name)

    def test_all_solvers_side_by_side(self):
        scene = SOURCE / 'scenes' / 'problems' / 'delassus.json'
        answer = self.solve(scene, '--solver', 'all')
        self.assertEqual([trial['solver'] for trial in answer['solvers']], SOLVERS)
        for trial in answer['solvers']:
            if trial['status'] != 'unsupported':
                self.assertEqual(set(trial), {'solver', 'status', 'iterations', 'residual', 'seconds', 'distance'})
                self.assertLess(trial['distance'], 1e-8, trial)
        table = self.tact('solve', scene, '--solver', 'all').stdout
        for solver in SOLVERS:
            self.assertIn(f'\n{solver} ', table)

    def test_the_table(self):
        run = self.tact('solve', SOURCE / 'scenes' / 'problems' / 'incline-slip.json')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        for words in ('block on an incline', 'incline', 'coulomb', 'slide', 'solved ', 'by the judge', '1 slide'):
            self.assertIn(words, run.stdout)

    def test_standard_input(self):
        text = (SOURCE / 'scenes' / 'problems' / 'lift.json').read_text(encoding='utf-8')
        run = self.tact('solve', '-', '--json', stdin=text)
        self.assertEqual(run.returncode, 0)
        self.assertAlmostEqual(json.loads(run.stdout)['velocity'][0], 3, 12)

    def test_files_of_the_collections(self):
        """One planar contact u = M r + q: n' = -1 + r_n + r_t/2 = 0 while sliding."""
        self.write('a.fcp', FCP)
        (self.folder / 'b.fcp.gz').write_bytes(gzip.compress(FCP.encode()))
        for name in ('a.fcp', 'b.fcp.gz'):
            answer = self.solve(name)
            self.assertLessEqual(answer['residual_fc3d'], 1e-12)
            (t, n), = answer['impulses']
            self.assertAlmostEqual(t, -0.25 * n, 14)
            self.assertAlmostEqual(n + 0.5 * t, 1, 14)

    def test_known_answers(self):
        """The problems of tests/data/solved_problems.json, through the command."""
        cases = json.loads((SOURCE / 'tests' / 'data' / 'solved_problems.json').read_text(encoding='utf-8'))['cases']
        self.assertEqual(len(cases), 25)
        for case in cases:
            with self.subTest(case['problem']['name']):
                self.write('p.json', case['problem'])
                answer = self.solve('p.json')
                known = [case['impulses'], *case.get('other_impulses', [])]
                distance = min(far(answer['impulses'], one) if any(map(any, one)) else
                               max(abs(x) for contact in answer['impulses'] for x in contact) for one in known)
                self.assertLess(distance, AGREE)
                if distance == far(answer['impulses'], known[0]):
                    self.assertEqual(answer['labels'], case['labels'])

    def test_same_bits_on_any_number_of_threads(self):
        """Twenty islands: boxes with their own masses, side by side in one file."""
        count = 20
        mass = {'rows': 3 * count, 'cols': 3 * count, 'entries': [[i, i, 1 + i % 7] for i in range(3 * count)]}
        row = lambda at, x: [dict(x).get(i - 3 * at, 0) for i in range(3 * count)]
        contacts = [{'normal': row(k, [(2, 1)]), 'tangents': [row(k, [(0, 1), (2, 0.1)]), row(k, [(1, 1)])],
                     'friction': {'law': 'coulomb', 'mu': 0.1 * (k % 9)}} for k in range(count) for _ in range(2)]
        velocity = [((17 * i) % 13) / 7 - 1 for i in range(3 * count)]
        self.write('many.json', {'format': 'tact-problem/1', 'dof': 3 * count, 'mass': mass, 'velocity': velocity,
                                 'contacts': contacts})
        for scene in ('many.json', SOURCE / 'scenes' / 'problems' / 'mixed-laws.json'):
            answers = [self.solve(scene, '--threads', threads) for threads in (1, 2, 4)]
            for answer in answers:
                del answer['seconds']
            self.assertEqual(answers[0], answers[1])
            self.assertEqual(answers[0], answers[2])

    def test_a_loose_tolerance_is_kept(self):
        scene = SOURCE / 'scenes' / 'problems' / 'table.json'
        self.assertEqual(self.solve(scene, '--tolerance', '1e-4')['status'], 'converged')
        self.assertIn('--tolerance', self.complaint(scene, '--tolerance', '2'))
        self.assertIn('--tolerance', self.complaint(scene, '--tolerance', '0'))
        self.assertIn('--tolerance', self.complaint(scene, '--tolerance', 'nan'))

    def all_solutions(self, name, *words, code=0):
        return self.solve(name, '--all-solutions', *words, code=code)

    def test_all_solutions_of_scenes(self):
        """What one solver finds is among them; laws without a list of modes are refused in one sentence."""
        refused = {'ball.json': 'rolling', 'foot.json': 'patch with friction', 'mixed-laws.json': 'patch with friction'}
        for scene in PROBLEMS:
            with self.subTest(scene.name):
                if scene.name in refused:
                    self.assertIn(refused[scene.name], self.complaint(scene, '--all-solutions'))
                    continue
                jam = scene.name == 'jam.json'
                answer = self.all_solutions(scene, code=1 if jam else 0)
                self.assertEqual(answer['status'], 'complete')
                self.assertTrue(answer['proof']['checked'])
                self.assertEqual(answer['solutions'], 0 if jam else 1)
                if jam:
                    self.assertEqual(answer['verdict'], 'no solution (proved by 1 certificate)')
                    continue
                self.assertIn('exactly one solution (proved by ', answer['verdict'])
                (piece,) = answer['pieces']
                one = self.solve(scene)
                self.assertLess(far(piece['contact_velocities'], one['contact_velocities'], 1), 1e-9)
                self.assertEqual(piece['labels'], one['labels'])
                for low, high, found in zip(piece['impulses_min'], piece['impulses_max'], one['impulses'], strict=True):
                    for a, b, x in zip(low, high, found, strict=True):
                        self.assertLessEqual(a, x + 1e-8)
                        self.assertGreaterEqual(b, x - 1e-8)

    def test_all_solutions_of_the_rod(self):
        """The rod of Painlevé: separate, slide and stick (tact/solve/all_solutions_test.cpp)."""
        rod = {'format': 'tact-problem/1', 'name': 'rod', 'delassus': [[73, 36], [36, 52]], 'free_velocity': [250, 25],
               'contacts': [{'planar': True, 'friction': {'law': 'coulomb', 'mu': 2}}]}
        self.write('rod.json', rod)
        answer = self.all_solutions('rod.json', '--proof')
        self.assertEqual(answer['solutions'], 3)
        self.assertEqual(sorted(piece['labels'][0] for piece in answer['pieces']), ['separate', 'slide', 'stick'])
        self.assertEqual(sorted(piece['impulses'][0][1] for piece in answer['pieces']), [0, 1.25, 2.87])
        tree = answer['proof']['tree']
        self.assertEqual(len(tree), answer['proof']['nodes'])
        self.assertEqual(sum(node['end'] == 'refuted' for node in tree), answer['proof']['certificates'])
        run = self.tact('solve', 'rod.json', '--all-solutions')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        for words in ('solution 3', '3 solutions, and no others (proved by ', 'checked'):
            self.assertIn(words, run.stdout)
        too_large = self.all_solutions('rod.json', '--max-nodes', '2', code=1)
        self.assertEqual(too_large['status'], 'too_large')
        self.assertGreater(too_large['estimate'], 2)

    def test_all_solutions_take_exact_numbers(self):
        """Three thirds close the gap exactly; three doubles of a third leave it open."""
        point = {'format': 'tact-problem/1', 'dof': 3, 'mass': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                 'contacts': [{'normal': ['1/3', '1/3', '1/3'], 'excitation': {'normal': -1}}]}
        self.write('p.json', point | {'velocity': [1, 1, 1]})
        (piece,) = self.all_solutions('p.json')['pieces']
        self.assertEqual((piece['labels'], piece['contact_velocities']), (['idle'], [[0]]))
        third = 1 / 3
        self.write('p.json', point | {'velocity': [1, 1, 1],
                                      'contacts': [{'normal': [third, third, third], 'excitation': {'normal': -1}}]})
        (piece,) = self.all_solutions('p.json')['pieces']
        self.assertEqual(piece['labels'], ['stick'])
        self.assertGreater(piece['impulses'][0][0], 0)

    def test_all_solutions_belong_together(self):
        self.assertIn('--all-solutions', self.complaint('p.json', '--proof'))
        self.assertIn('--all-solutions', self.complaint('p.json', '--max-nodes', '5'))

    def test_what_cannot_be_solved(self):
        self.assertIn('nowhere.json', self.complaint('nowhere.json'))
        self.write('text.json', 'hello')
        self.assertTrue(self.complaint('text.json').startswith('text.json:1:1: '))
        point = {'format': 'tact-problem/1', 'dof': 1, 'mass': [[1]], 'velocity': [0], 'contacts': [{'normal': [1]}]}
        self.write('p.json', point | {'mass': [[0]]})
        self.assertIn('mass must be positive definite, and is not in row 0', self.complaint('p.json'))
        self.write('p.json', point | {'velocity': [0, 1]})
        self.assertIn('velocity', self.complaint('p.json'))
        self.write('p.json', {'format': 'tact-problem/1', 'dof': 1, 'contacts': [{'normal': [1]}]})
        self.assertIn('mass', self.complaint('p.json'))
        self.write('p.json', point | {'contacts': [{'normal': [1], 'gap': 0.1}]})
        self.assertIn('dt', self.complaint('p.json'))
        self.write('p.json', point)
        self.assertIn('--solver', self.complaint('p.json', '--solver', 'magic'))
        self.assertIn('--threads', self.complaint('p.json', '--threads', '0'))

    def test_the_elastic_choice_shares_by_stiffness(self):
        table = str(SOURCE / 'scenes' / 'problems' / 'table.json')
        even = self.solve(table, '--force-range', '--stiffness', '1e4')['force_range']['elastic']
        loads = [one[-1] for one in even]
        self.assertLess(max(loads) - min(loads), AGREE)
        stiff = self.solve(table, '--force-range', '--stiffness', '1e4', '--stiffness',
                           'front left=3e4')['force_range']['elastic']
        # Alike in pairs across the middle; the stiffer pair carries 3/5: k = 3, 1, 1, 1 and no tilt.
        self.assertAlmostEqual(stiff[0][-1] / stiff[1][-1], 1.5, places=9)
        self.assertAlmostEqual(sum(one[-1] for one in stiff), sum(loads), places=9)
        self.assertIn('no contact has this name', self.complaint(table, '--force-range', '--stiffness', 'x=1'))
        self.assertIn('positive number', self.complaint(table, '--force-range', '--stiffness', '-1'))
        foot = str(SOURCE / 'scenes' / 'problems' / 'foot.json')
        self.assertIn('for points', self.complaint(foot, '--force-range', '--stiffness', '1'))


if __name__ == '__main__':
    unittest.main()
