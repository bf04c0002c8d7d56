"""tact check on every kind of file, and the files that come with tact against their schemas."""
import copy
import gzip
import json
import unittest

from command import SCENES, SOURCE, CommandTest
from schema import problems

PROBLEMS = sorted(p for folder in ('problems', 'impacts') for p in (SOURCE / 'scenes' / folder).glob('*.json'))
FCP = ('fcp 1\nname one\nform local\ndim 2\nnc 1\nmatrix M 2 2 3\n0 0 1\n0 1 0.5\n1 1 1\n'
       'vector q 2\n-1\n0.5\nvector mu 1\n0.25\n')
BALL = ('<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/><body pos="0 0 1"><freejoint/>'
        '<geom name="ball" size="0.1" mass="1"/></body></worldbody></mujoco>')
POINT = {'format': 'tact-problem/1', 'dof': 1, 'contacts': [{'normal': [1]}]}


def schema(name):
    return json.loads((SOURCE / 'docs' / 'schema' / name).read_text(encoding='utf-8'))


def number(value):
    above, _, below = str(value).partition('/')
    return float(above) / float(below or 1)


class Check(CommandTest):
    def check(self, name, code=0):
        run = self.tact('check', name, '--json')
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        answer = json.loads(run.stdout)
        self.assertEqual(set(answer), {'kind', 'format', 'summary', 'problems'})
        self.assertEqual(bool(answer['problems']), code == 2)
        if code == 2:
            self.assertEqual(run.stderr, answer['problems'][0] + '\n')
            self.assertEqual(run.stderr.count('\n'), 1)
            return answer['problems'][0]
        return answer

    def test_problem_scenes(self):
        self.assertGreater(len(PROBLEMS), 5)
        for scene in PROBLEMS:
            answer = self.check(scene)
            self.assertEqual((answer['kind'], answer['format']), ('problem', 'tact-problem/1'), scene.name)
            self.assertIn(json.loads(scene.read_text(encoding='utf-8'))['name'], answer['summary'])

    def test_certificates_and_logs(self):
        scene = SOURCE / 'scenes' / 'impacts' / 'forklift.json'
        self.assertEqual(self.tact('impact', scene, '--certificate', 'c.json').returncode, 0)
        answer = self.check('c.json')
        self.assertEqual((answer['kind'], answer['format']), ('certificate', 'tact-certificate/1'))
        self.assertIn('consistent_weak, exact', answer['summary'])
        header = {'format': 'tact-log/1', 'name': 'drop', 'dof': 1, 'inertia': [2],
                  'contacts': [{'name': 'floor', 'normal': [1]}]}
        step = {'velocity': [-1], 'outcome': {'velocity': [0.5], 'impulses': [[3]]}}
        answer = self.check(self.write('l.jsonl', '\n'.join(map(json.dumps, [header, step, step]))))
        self.assertEqual((answer['kind'], answer['format']), ('log', 'tact-log/1'))
        self.assertIn('drop: 2 steps', answer['summary'])
        self.assertIn('l.jsonl:2', self.check(self.write('l.jsonl', json.dumps(header) + '\n{}'), code=2))

    def test_scenes_meet_their_schemas(self):
        for scenes, name in ((sorted(SCENES.glob('*.json')), 'tact-patch-1.json'), (PROBLEMS, 'tact-problem-1.json')):
            rules = schema(name)
            for scene in scenes:
                self.assertEqual(problems(json.loads(scene.read_text(encoding='utf-8')), rules, rules), [], scene.name)

    def test_the_schema_refuses_what_the_reader_refuses(self):
        rules = schema('tact-problem-1.json')
        self.assertEqual(problems(POINT, rules, rules), [])
        bad = [{'dof': -1}, {'dof': 1.5}, {'format': 'tact-problem/2'}, {'mass': [[1]]}, {'delassus': [[1]]},
               {'contacts': [{}]}, {'contacts': [{'normal': [1], 'twist': []}]}, {'contacts': [{'normal': ['x']}]},
               {'contacts': [{'normal': [1], 'friction': {'law': 'glue'}}]}, {'outcome': {}}, {'conacts': []},
               {'contacts': [{'normal': [1], 'restitution': -1}]}, {'dt': 0}, {'free_velocity': [1]}]
        for fields in bad:
            file = POINT | fields
            self.assertNotEqual(problems(file, rules, rules), [], fields)
            self.write('bad.json', file)
            self.check('bad.json', code=2)

    def test_outcomes_of_scenes_balance(self):
        """M (u+ - u-) = p + J' l; patches and rolling points carry all six rows of their twist."""
        judged = 0
        for scene in PROBLEMS:
            file = json.loads(scene.read_text(encoding='utf-8'))
            if 'impulses' not in file.get('outcome', {}):
                continue
            judged += 1
            for i in range(file['dof']):
                gained = sum(number(m) * (number(after) - number(before)) for m, after, before in
                             zip(file['mass'][i], file['outcome']['velocity'], file['velocity']))
                given = number(file.get('impulse', [0] * file['dof'])[i])
                for contact, impulse in zip(file['contacts'], file['outcome']['impulses']):
                    rows = contact['twist'] if 'twist' in contact else (
                        contact.get('tangents', []) + [contact['normal']])
                    given += sum(number(row[i]) * number(x) for row, x in zip(rows, impulse, strict=True))
                self.assertAlmostEqual(gained, given, 12, f'{scene.name} {i}')
        self.assertGreater(judged, 3)

    def test_fcp(self):
        self.write('a.fcp', FCP)
        (self.folder / 'b').write_bytes(gzip.compress(FCP.encode()))
        for name in ('a.fcp', 'b'):
            answer = self.check(name)
            self.assertEqual((answer['kind'], answer['format']), ('problem', 'fcp 1'))
            self.assertEqual(answer['summary'], 'one: 1 contact (1 coulomb), 2 rows, Delassus matrix 2 x 2 '
                                                'not symmetric with 3 entries')
        self.assertIn('format    fcp 1\n', self.tact('check', 'a.fcp').stdout)
        self.write('cut.fcp', FCP[:-6])
        self.assertEqual(self.check('cut.fcp', code=2), 'cut.fcp:13: the vector says 1 entries, and the file is '
                                                         'too short for them; copy the file again')
        (self.folder / 'cut.gz').write_bytes(gzip.compress(FCP.encode())[:-9])
        self.assertIn('cut.gz: the compressed data ends early', self.check('cut.gz', code=2))

    def test_what_is_no_file_of_ours(self):
        self.write('a.h5', 'hello')
        self.assertIn('a.h5: is no HDF5 file', self.check('a.h5', code=2))
        self.write('a.fcp', 'hello')
        self.assertEqual(self.check('a.fcp', code=2), 'a.fcp:1: found "hello"; write fcp')
        self.write('a.json', {'format': 'tact-scene/1'})
        self.assertEqual(self.check('a.json', code=2),
                         'a.json: format is "tact-scene/1"; write "tact-patch/1" or "tact-problem/1"')
        self.write('empty', '')
        self.assertIn('empty:1:1: ', self.check('empty', code=2))
        (self.folder / 'bytes').write_bytes(bytes(range(256)))
        self.assertIn('bytes:1:', self.check('bytes', code=2))

    def test_checkpoints(self):
        self.write('ball.xml', BALL)
        self.assertEqual(self.tact('sim', 'ball.xml', '--duration', '0.25', '--checkpoint', 'a.ckpt').returncode, 0)
        answer = self.check('a.ckpt')
        self.assertEqual((answer['kind'], answer['format']), ('checkpoint', 'TACTCKP2'))
        self.assertIn('a run at 0.25 s, 7 positions, 6 velocities', answer['summary'])
        rules = schema('answer-check.json')
        self.assertEqual(problems(answer, rules, rules), [])
        whole = (self.folder / 'a.ckpt').read_bytes()
        (self.folder / 'a.ckpt').write_bytes(whole[:-9])
        self.assertIn('a.ckpt: the checkpoint is cut off or damaged', self.check('a.ckpt', code=2))

    def test_standard_input(self):
        run = self.tact('check', '-', '--json', stdin=BALL)
        self.assertEqual(run.returncode, 0, run.stderr)
        answer = json.loads(run.stdout)
        self.assertEqual((answer['kind'], answer['format']), ('scene', 'MJCF'))
        self.refused(self.tact('check', '-', stdin='<mujoco><worldbody><geom size="x"/></worldbody></mujoco>'), 'standard input:1: ')
        self.refused(self.tact('check', '-', stdin='TACTREC1'), 'standard input: is a recording')
        run = self.tact('solve', '-', '--json', stdin=BALL.replace('0 0 1', '0 0 0.1'))
        self.assertEqual((run.returncode, len(json.loads(run.stdout)['impulses'])), (0, 1), run.stderr)

    def test_side_cars_that_cannot_be_meant(self):
        self.write('ball.xml', BALL)
        for fields, part in (({'geoms': [{'geom': 'ball'}, {'geom': 'floor'}, {'geom': 'ball'}]}, 'geoms[2].geom is "ball"; that geom'),
                             ({'pairs': [{'geoms': ['ball', 'ball']}]}, 'a geom never touches itself'),
                             ({'pairs': [{'geoms': ['ball', 'floor']}, {'geoms': ['floor', 'ball']}]}, 'that pair is there already')):
            self.write('ball.tact.json', {'format': 'tact-scene/1', **fields})
            self.assertIn(part, self.check('ball.xml', code=2))
        (self.folder / 'ball.tact.json').unlink()
        (self.folder / 'ball.tact.json').symlink_to('nothing')
        self.assertIn('ball.tact.json: is no file', self.check('ball.xml', code=2))
        (self.folder / 'ball.tact.json').unlink()
        (self.folder / 'ball.tact.json').mkdir()
        self.assertIn('ball.tact.json: is no file', self.check('ball.xml', code=2))

    def test_masses_that_no_body_has(self):
        for mass in ([[0]], [[-2]]):
            self.assertIn('p.json: mass must be positive definite',
                          self.check(self.write('p.json', POINT | {'mass': mass, 'velocity': [0]}), code=2))
        twice = ('<mujoco><worldbody><body><joint name="a" type="slide"/><joint type="slide"/>'
                 '<geom size=".1"/></body></worldbody></mujoco>')
        self.assertIn('joint "a": with the joints below it', self.check(self.write('twice.xml', twice), code=2))

    def test_bad_problems_name_the_path(self):
        good = json.loads((SOURCE / 'scenes' / 'problems' / 'incline-slip.json').read_text(encoding='utf-8'))
        for path, value, part in ((['contacts', 0, 'normal'], [1], 'contacts[0].normal is [1];'),
                                  (['contacts', 0, 'tangents'], [], 'contacts[0].tangents is missing; friction'),
                                  (['contacts', 0, 'friction', 'mu'], float('nan'), 'contacts[0].friction.mu is NaN;'),
                                  (['mass', 0, 1], 1, 'mass is [[2, 1], [0, 2]]; a mass matrix is symmetric'),
                                  (['velocity'], [0], 'velocity is [0]; one number per degree of freedom')):
            file = copy.deepcopy(good)
            place = file
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
            self.write('bad.json', file)
            self.assertIn('bad.json: ' + part, self.check('bad.json', code=2))


if __name__ == '__main__':
    unittest.main()
