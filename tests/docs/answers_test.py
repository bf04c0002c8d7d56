"""What the command prints with --json, and the side-cars of the scenes, meet the schemas in docs/schema/."""
import copy
import json
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ['TACT_SOURCE'])
sys.path.insert(0, str(SOURCE / 'tests' / 'cli'))
from command import CommandTest  # pylint: disable=wrong-import-position
from schema import problems  # pylint: disable=wrong-import-position

ROD = {'format': 'tact-problem/1', 'delassus': [[73, 36], [36, 52]], 'free_velocity': [250, 25],
       'contacts': [{'planar': True, 'friction': {'mu': 2}}]}
EGGS = {'format': 'tact-problem/1', 'dof': 2, 'mass': [[0.06, 0], [0, 60000]], 'velocity': [0, 0], 'impulse': [-0.0006, -600],
        'contacts': [{'normal': [1, 0]}, {'normal': [-1, 1]}]}
HEADER = {'format': 'tact-log/1', 'dof': 1, 'inertia': [2], 'contacts': [{'name': 'floor', 'normal': [1]}]}
GAIN = {'velocity': [-1], 'outcome': {'velocity': [1.5], 'impulses': [[5]]}}


def schema(name):
    return json.loads((SOURCE / 'docs' / 'schema' / name).read_text(encoding='utf-8'))


class Answers(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / 'scenes').symlink_to(SOURCE / 'scenes')
        self.write('rod.json', ROD)
        self.write('eggs.json', EGGS)
        self.write('gain.jsonl', json.dumps(HEADER) + '\n' + json.dumps(GAIN) + '\n')
        self.write('bad.json', ROD | {'contacts': [{'planar': True, 'friction': {'mu': -2}}]})

    def answers(self, *commands):
        """Each answer meets its schema; and without any one promised field it would not."""
        for line in commands:
            words = line.split()
            code = int(words.pop()) if words[-1].isdigit() and words[-2] == 'exit' else 0
            words = words[:-1] if words[-1] == 'exit' else words
            run = self.tact(*words, '--json')
            self.assertEqual(run.returncode, code, line + run.stderr)
            answer, rules = json.loads(run.stdout), schema(f'answer-{words[0]}.json')
            self.assertEqual(problems(answer, rules, rules), [], line)
            self.assertNotEqual(problems([answer], rules, rules), [], line)
            promised = set().union(*[set(part.get('required', [])) for part in [rules, *rules.get('anyOf', [])]])
            for field in promised & set(answer):
                less = copy.deepcopy(answer)
                del less[field]
                self.assertNotEqual(problems(less, rules, rules), [], f'{line}: without {field}')

    def test_sim(self):
        self.answers('sim tipping-box --duration 0.1', 'sim grasp --duration 0.05', 'sim bouncing-ball --duration 1')

    def test_solve(self):
        self.answers('solve scenes/problems/table.json --force-range', 'solve scenes/problems/jam.json exit 1',
                     'solve scenes/problems/table.json --solver all', 'solve rod.json', 'solve rod.json --all-solutions --proof',
                     'solve eggs.json --solver gs exit 1', 'solve scenes/problems/mixed-laws.json --solver lemke exit 1',
                     'solve scenes/robots/biped.xml --keyframe stand')

    def test_modes(self):
        self.answers('modes --scene box-1', 'modes --scene box-1 --list --witness', 'modes --scene box-1 --slip',
                     'modes --scene box-1 --mode 0000|++++++++', 'modes scenes/grasps/pinch.json --grasp exit 1',
                     'modes --scene box-1 --mode 0000|+0++++++ exit 1',
                     'modes scenes/grasps/pushing.json --grasp', 'modes scenes/grasps/pushing.json --dynamics 00|00')

    def test_impact(self):
        folder = SOURCE / 'scenes' / 'impacts'
        verdicts = set()
        for file in sorted(folder.glob('*.json')):
            run = self.tact('impact', file, '--json')
            rules, answer = schema('answer-impact.json'), json.loads(run.stdout)
            self.assertEqual(problems(answer, rules, rules), [], file.name)
            verdicts.add(answer['verdict'])
        self.assertLessEqual({'consistent_strong', 'consistent_weak', 'inconsistent'}, verdicts)
        self.answers('impact scenes/impacts/cradle.json --law poisson --restitution 0.5',
                     'impact scenes/impacts/forklift-thrown.json --repair exit 1')

    def test_patch(self):
        self.answers(*[f'patch scenes/patches/{f.name}' for f in sorted((SOURCE / 'scenes' / 'patches').glob('*.json'))])

    def test_audit(self):
        self.assertEqual(self.tact('sim', 'tipping-box', '--duration', '0.1', '--record', 'run.tact').returncode, 0)
        self.answers('audit run.tact', 'audit gain.jsonl exit 1')

    def test_check(self):
        self.answers('check scenes/robots/biped.xml', 'check rod.json', 'check bad.json exit 2', 'check gain.jsonl',
                     'check scenes/patches/foot-stick.json')

    def test_inverse(self):
        self.answers('inverse scenes/robots/quadruped.xml', 'inverse scenes/robots/biped.xml --keyframe stand',
                     'inverse scenes/robots/box_on_plane.xml --acceleration 0 0 -20 0 0 0 exit 1')

    def test_fit(self):
        self.answers('fit scenes/traces/fingertip.csv', 'fit scenes/traces/fingertip.csv --validate scenes/traces/fingertip_again.csv')

    def test_side_cars(self):
        rules = schema('tact-scene-1.json')
        side_cars = sorted((SOURCE / 'scenes' / 'sim').glob('*.tact.json'))
        self.assertGreater(len(side_cars), 8)
        for file in side_cars:
            self.assertEqual(problems(json.loads(file.read_text(encoding='utf-8')), rules, rules), [], file.name)

    def test_the_schema_of_side_cars_refuses_what_the_reader_refuses(self):
        rules = schema('tact-scene-1.json')
        self.write('s.xml', '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="ball" pos="0 0 1">'
                   '<freejoint/><geom name="ball" type="sphere" size="0.1"/></body>'
                   '<body name="lift" mocap="true" pos="3 0 0"><geom name="lift" type="box" size="1 1 1"/></body>'
                   '</worldbody></mujoco>')
        soft = {'geoms': ['floor', 'ball'], 'stiffness_N_per_m': 1000}
        good = [{}, {'restitution': 0.5, 'law': 'poisson'}, {'compliance': [soft]}, {'time_of_impact': True},
                {'drives': [{'body': 'lift', 'times': [0], 'motion': [[0, 0, 0, 0, 0, 0]]}]},
                {'geoms': [{'geom': 'floor', 'surface_velocity': [1, 0, 0]}]},
                {'springs': [{'between': ['ball', {'body': 'lift', 'pos': [0, 0, 1]}], 'stiffness_N_per_m': 5}]}]
        bad = [{'format': 'tact-scene/2'}, {'restitution': 2}, {'law': 'glue'}, {'restitutoin': 0.5}, {'time_of_impact': 1},
               {'compliance': [{'geoms': ['floor', 'ball']}]}, {'compliance': [soft | {'cells': 65}]},
               {'compliance': [soft | {'materials': ['hard', 'hard']}]}, {'compliance': [soft | {'when_lost': 'glue'}]},
               {'compliance': [soft | {'geoms': ['floor']}]}, {'drives': [{'body': 'lift'}]},
               {'drives': [{'body': 'lift', 'times': [0], 'motion': [[0]]}]},
               {'geoms': [{'geom': 'floor', 'surface_velocity': [1, 0]}]}, {'springs': [{'between': ['ball']}]},
               {'pairs': [{'geoms': ['floor', 'ball'], 'patch_friction': {'pressure': 'winkler'}}]}]
        for fields, code in [(f, 0) for f in good] + [(f, 2) for f in bad]:
            file = {'format': 'tact-scene/1'} | fields
            self.write('s.tact.json', file)
            run = self.tact('sim', 's.xml', '--duration', '0.01', '--json')
            self.assertEqual(run.returncode, code, f'{fields} {run.stderr}')
            self.assertEqual(bool(problems(file, rules, rules)), code == 2, fields)


if __name__ == '__main__':
    unittest.main()
