"""tact audit: logs of any engine, judged step by step."""
import json
import unittest
import xml.etree.ElementTree as ElementTree

from command import CommandTest

MASS, DT, G, MU = 2.0, 0.01, 9.81, 0.5
GROUND = {'name': 'ground', 'normal': [0, 1], 'tangents': [[1, 0]], 'friction': {'law': 'coulomb', 'mu': MU}}
HEADER = {'format': 'tact-log/1', 'name': 'sledge', 'dof': 2, 'inertia': [MASS, MASS], 'dt': DT, 'contacts': [GROUND]}


def sledge(steps, fault=None):
    """A point that slides on the ground until friction has stopped it."""
    u, out = 1.0, []
    for k in range(steps):
        normal = MASS * G * DT
        friction = -min(MU * normal, MASS * u)
        logged = [friction, normal]
        if fault and fault[0] == k:
            logged = fault[1](logged)
        after = [u + friction / MASS, 0.0]
        out.append({'step': k, 'time': k * DT, 'velocity': [u, 0.0], 'impulse': [0.0, -normal],
                    'outcome': {'velocity': after, 'impulses': [logged]}})
        u = after[0]
    return out


def lines(steps, header=None):
    return '\n'.join(json.dumps(x) for x in [header or HEADER, *steps]) + '\n'


class AuditTest(CommandTest):
    def audit(self, text, *words, code=0):
        self.write('log.jsonl', text)
        run = self.tact('audit', 'log.jsonl', '--json', *words)
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        return json.loads(run.stdout)

    def refused(self, text, *parts):
        self.write('log.jsonl', text)
        run = self.tact('audit', 'log.jsonl')
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertEqual(run.stdout, '')
        self.assertEqual(run.stderr.count('\n'), 1, run.stderr)
        for part in ('log.jsonl', *parts):
            self.assertIn(part, run.stderr)

    def test_a_lawful_run_is_clean_and_its_energy_is_where_it_went(self):
        answer = self.audit(lines(sledge(40)))
        self.assertEqual(answer['steps'], 40)
        self.assertTrue(all(count == 0 for count in answer['violations'].values()))
        self.assertIsNone(answer['worst'])
        ledger = answer['ledger']
        self.assertAlmostEqual(ledger['T_first'], 1.0)
        self.assertAlmostEqual(ledger['T_last'], 0.0)
        # Gravity pushes the sledge into the ground before the ground stops it: what the force does,
        # the contact takes back.
        self.assertAlmostEqual(ledger['W_force'], 40 * 0.5 * MASS * (G * DT) ** 2)
        self.assertAlmostEqual(ledger['W_contact_friction'], -1.0)
        self.assertAlmostEqual(ledger['W_contact'], -1.0 - ledger['W_force'])
        self.assertLess(abs(ledger['closure']), 1e-14)

    def test_consistency_asks_all_impulses(self):
        answer = self.audit(lines(sledge(10)), '--consistency')
        self.assertEqual(sum(answer['consistency'].values()), 10)
        self.assertLessEqual(set(answer['consistency']), {'consistent_weak', 'consistent_strong'})
        header = {'format': 'tact-log/1', 'dof': 1, 'inertia': [2], 'contacts': [{'name': 'floor', 'normal': [1]}]}
        bounce = {'velocity': [-1], 'outcome': {'velocity': [1.5], 'impulses': [[5]]}}
        answer = self.audit(lines([bounce], header), '--consistency', code=1)
        self.assertEqual(answer['consistency'], {'inconsistent': 1})
        self.assertEqual(answer['violations']['consistency'], 1)
        self.assertNotIn('consistency', self.audit(lines([bounce], header), code=1))

    def test_consistency_counts_the_stabilisation_that_is_declared(self):
        floor = {'name': 'floor', 'normal': [1], 'gap': -0.01, 'stabilisation': 0.2}
        header = {'format': 'tact-log/1', 'dof': 1, 'inertia': [2], 'dt': 0.01, 'contacts': [floor]}
        pushed_out = {'velocity': [0], 'outcome': {'velocity': [0.2], 'impulses': [[0.4]]}}
        answer = self.audit(lines([pushed_out], header), '--consistency')
        self.assertEqual(answer['consistency'], {'consistent_strong': 1})
        header['contacts'] = [{**floor, 'stabilisation': 0}]
        answer = self.audit(lines([pushed_out], header), '--consistency', code=1)
        self.assertEqual(answer['consistency'], {'inconsistent': 1})
        # An open contact that closes within the step is met at gap/dt.
        header['contacts'] = [{**floor, 'gap': 0.01}]
        landing = {'velocity': [-3], 'outcome': {'velocity': [-1], 'impulses': [[4]]}}
        answer = self.audit(lines([landing], header), '--consistency')
        self.assertEqual(answer['consistency'], {'consistent_strong': 1})

    def test_faults_are_found_where_they_are(self):
        normal = MASS * G * DT
        faults = {
            'momentum': lambda x: [x[0], 0.9 * x[1]],
            'cone': lambda x: [1.2 * x[0], x[1]],
        }
        for kind, fault in faults.items():
            answer = self.audit(lines(sledge(10, (6, fault))), code=1)
            self.assertGreaterEqual(answer['violations'][kind], 1)
            self.assertEqual(answer['worst_by_kind'][kind]['step'], 6)
        worst = self.audit(lines(sledge(10, (6, faults['momentum']))), code=1)['worst_by_kind']['momentum']
        self.assertEqual(worst['dof'], 1)
        self.assertAlmostEqual(worst['amount'], 0.1 * normal)
        cone = self.audit(lines(sledge(10, (6, faults['cone']))), code=1)['worst_by_kind']['cone']
        self.assertEqual(cone['contact'], 'ground')
        self.assertAlmostEqual(cone['amount'], 0.2 * MU * normal)

    def test_a_bounce_that_gains_energy(self):
        for e, generates in ((0.5, 0), (1.0, 0), (1.05, 1)):
            step = {'velocity': [0, -1], 'contacts': [{'name': 'ground', 'restitution': e}],
                    'outcome': {'velocity': [0, e], 'impulses': [[0, MASS * (1 + e)]]}}
            answer = self.audit(lines([step]), code=generates)
            self.assertEqual(answer['violations']['dissipation'], generates)
            self.assertEqual(answer['violations']['complementarity'], 0)
            self.assertAlmostEqual(answer['ledger']['W_contact'], e * e - 1)

    def test_a_moving_wall_gives_energy_and_the_contact_does_not(self):
        header = {**HEADER, 'dof': 1, 'inertia': [MASS],
                  'contacts': [{'name': 'lift', 'normal': [1], 'excitation': {'normal': -3}}]}
        step = {'velocity': [0], 'outcome': {'velocity': [3], 'impulses': [[6]]}}
        ledger = self.audit(lines([step], header))['ledger']
        self.assertEqual((ledger['change'], ledger['W_contact'], ledger['W_wall']), (9, -9, 18))

    def test_tables_give_the_same_answer(self):
        steps = sledge(40)
        columns = ['step', 'time', 'velocity.0', 'velocity.1', 'impulse.0', 'impulse.1', 'after.0', 'after.1',
                   'ground.t', 'ground.n']
        rows = [[s['step'], s['time'], *s['velocity'], *s['impulse'], *s['outcome']['velocity'],
                 *s['outcome']['impulses'][0]] for s in steps]
        table = '# ' + json.dumps(HEADER) + '\n' + ','.join(columns) + '\n'
        table += ''.join(','.join(map(repr, row)) + '\n' for row in rows)
        self.assertEqual(self.audit(table), self.audit(lines(steps)))

    def test_standard_input_people_and_pictures(self):
        run = self.tact('audit', '-', '--svg', 'a.svg', stdin=lines(sledge(10, (6, lambda x: [0, x[1]]))))
        self.assertEqual(run.returncode, 1)
        self.assertIn('momentum', run.stdout)
        self.assertIn('step 6', run.stdout)
        self.assertEqual(run.stderr, '')
        text = (self.folder / 'a.svg').read_text(encoding='utf-8')
        self.assertEqual(ElementTree.fromstring(text).tag, '{http://www.w3.org/2000/svg}svg')
        self.assertIn('sledge', text)

    def test_the_tolerance_decides(self):
        text = lines(sledge(10, (6, lambda x: [x[0] * (1 + 1e-4), x[1]])))
        self.audit(text, code=1)
        self.audit(text, '--tolerance', '1e-2')
        for word in ('nan', '-nan', 'inf', '0', '-1', '2', 'much'):
            run = self.tact('audit', 'log.jsonl', f'--tolerance={word}')
            self.assertEqual((run.returncode, run.stdout), (2, ''), word)
            self.assertEqual(run.stderr.count('\n'), 1, run.stderr)
            self.assertIn('--tolerance', run.stderr)

    def test_potential_energy_shows_what_integrating_adds(self):
        steps = []
        u = 0.0
        height = 1.0
        for k in range(5):
            after = u - G * DT
            height += DT * after
            steps.append({'velocity': [0, u], 'impulse': [0, -MASS * G * DT], 'contacts': [],
                          'potential': MASS * G * height, 'outcome': {'velocity': [0, after], 'impulses': []}})
            u = after
        ledger = self.audit(lines(steps))['ledger']
        # Falling, the semi-implicit step loses m g^2 dt^2 / 2; the first step has no V before it.
        self.assertAlmostEqual(ledger['W_integration'], -4 * 0.5 * MASS * (G * DT) ** 2)

    def test_bad_logs_are_refused_with_line_field_and_remedy(self):
        good = sledge(3)
        self.refused('', 'is empty')
        self.refused(lines([]), 'has no steps')
        self.refused(lines(good, {**HEADER, 'format': 'tact-problem/1'}), ':1: format is "tact-problem/1"; write')
        self.refused(lines(good, {k: v for k, v in HEADER.items() if k != 'inertia'}), ':2: mass is missing; write')
        self.refused(lines(good, {**HEADER, 'mass': [[1, 2], [2, 1]], 'inertia': [1, 1]}), ':1: inertia is [1, 1]')
        indefinite = {k: v for k, v in HEADER.items() if k != 'inertia'} | {'mass': [[1, 2], [2, 1]]}
        self.refused(lines(good, indefinite), ':2: mass must be positive definite')
        for field, value, part in (('velocity', [1], ':3: velocity is [1];'),
                                   ('velocity', [1, float('nan')], ':3: velocity[1] is NaN;'),
                                   ('impulse', [1, 2, 3], ':3: impulse is [1, 2, 3];'),
                                   ('time', 'now', ':3: time is "now";'),
                                   ('speed', 1, ':3: speed is 1;'),
                                   ('outcome', {'velocity': [1, 0]}, ':3: outcome.impulses is missing;'),
                                   ('outcome', {'impulses': [[0, 0]]}, ':3: outcome.velocity is missing;'),
                                   ('contacts', [{'name': 'grund'}], ':3: contacts[0].normal is missing;')):
            self.refused(lines([good[0], {**good[1], field: value}, good[2]]), part)
        run = self.tact('audit', 'nowhere.jsonl')
        self.assertEqual(run.returncode, 2)
        self.assertIn('nowhere.jsonl: cannot be read;', run.stderr)
        self.write('log.jsonl', lines(good))
        run = self.tact('audit', 'log.jsonl', '--svg', 'log.jsonl')
        self.assertEqual(run.returncode, 2)
        self.assertIn('is the input', run.stderr)

    def test_help_teaches_with_an_example_that_works(self):
        text = self.tact('audit', '--help').stdout
        self.assertIn('Example: tact audit', text)
        body = [line.strip() for line in text.splitlines() if line.strip().startswith(('{"format"', '"contacts"', '{"velocity"'))]
        answer = self.audit(body[0] + body[1] + '\n' + body[2] + '\n', code=1)
        self.assertEqual(answer['violations']['complementarity'], 1, 'a bounce without restitution')
        self.assertEqual(answer['violations']['dissipation'], 0)


if __name__ == '__main__':
    unittest.main()
