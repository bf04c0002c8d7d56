"""tact modes: scenes, lists checked by arithmetic of their own, every word and exit code."""
import itertools
import json
import random
import unittest
import xml.dom.minidom
from fractions import Fraction

from command import SOURCE
from mode_command import FIELDS, SCENES, Modes, box, mode_of, point, problem, sign


class Methods(Modes):
    def test_alike(self):
        for scene in ('box-1', 'box-2', 'box-3', 'box-4', 'peg-4', 'box-box-1'):
            with self.subTest(scene):
                rays = self.modes('--scene', scene, '--hash', '--method', 'rays')
                walk = self.modes('--scene', scene, '--hash', '--method', 'witnesses')
                self.assertEqual((rays['method'], walk['method']), ('rays', 'witnesses'))
                for field in ('cs', 'full', 'cs_by_dim', 'full_by_dim', 'hash', 'complete'):
                    self.assertEqual(walk[field], rays[field], field)
                counted = self.modes('--scene', scene, '--method', 'witnesses')
                self.assertEqual((counted['cs'], counted['full']), (rays['cs'], rays['full']))

    def test_witnesses(self):
        file = box()
        self.write('p.json', file)
        answer = self.modes('p.json', '--list', '--witness', '--method', 'witnesses')
        self.assertEqual((answer['full'], answer['complete']), (196, True))
        self.check_order(answer)
        self.assertEqual(len(self.check_witnesses(file, answer)), 196)

    def test_rays_that_explode(self):
        """Forty contacts in twenty dimensions: nobody has all their modes, but the first come at once."""
        dice = random.Random(20)
        row = lambda: [dice.randint(-9, 9) for _ in range(20)]
        # A normal of positive first entry: the first axis separates all.
        contacts = [{'normal': [dice.randint(1, 9), *row()[1:]], 'tangents': [row(), row()]} for _ in range(40)]
        self.write('p.json', problem(contacts, 20))
        answer = self.modes('p.json', '--list', '--limit', 60)
        self.assertEqual((answer['method'], answer['complete'], answer['full']), ('witnesses', False, 60))
        self.check_order(answer)
        self.assertEqual(next(iter(answer['modes'])), '+' * 40)
        table = self.tact('modes', 'p.json', '--list', '--limit', 3).stdout
        self.assertIn('by witnesses', table)


class Scenes(Modes):
    def test_counts(self):
        for scene, (cs, full, slip) in SCENES.items():
            with self.subTest(scene):
                answer = self.modes('--scene', scene)
                self.assertLessEqual(FIELDS, set(answer))
                self.assertEqual((answer['name'], answer['policy'], answer['kind']), (scene, 'exact', 'sliding'))
                self.assertEqual((answer['cs'], answer['full'], answer['complete']), (cs, full, True))
                self.assertEqual(sum(answer['cs_by_dim'].values()), cs)
                self.assertEqual(sum(answer['full_by_dim'].values()), full)
                self.assertLessEqual(max(map(int, answer['full_by_dim'])), answer['dof'])
                alone = self.modes('--scene', scene, '--cs')
                self.assertEqual((alone['cs'], alone['full'], alone['kind']), (cs, cs, 'contacting'))
                self.assertEqual(alone['cs_by_dim'], answer['cs_by_dim'])
                if slip is not None:
                    rough = self.modes('--scene', scene, '--slip')
                    self.assertEqual((rough['cs'], rough['full'], rough['kind']), (cs, slip, 'slipping'))

    def test_counted_visited_and_tolerated_alike(self):
        """Rows of the scenes are exact: a tolerance joins nothing."""
        for scene, (cs, full, _) in SCENES.items():
            with self.subTest(scene):
                counted = self.modes('--scene', scene)
                visited = self.modes('--scene', scene, '--hash')
                loose = self.modes('--scene', scene, '--policy', 'tolerance')
                for field in ('cs', 'full', 'cs_by_dim', 'full_by_dim'):
                    self.assertEqual(visited[field], counted[field], field)
                    self.assertEqual(loose[field], counted[field], field)
                self.assertEqual((loose['policy'], loose['inconsistent']), ('tolerance', False))

    def test_their_names(self):
        names = json.loads(self.tact('modes', '--scenes', '--json').stdout)['scenes']
        self.assertLessEqual(set(SCENES), set(names))
        self.assertIn('hand-ball', names)
        listed = self.tact('modes', '--scenes').stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], names)

    def test_the_table(self):
        run = self.tact('modes', '--scene', 'box-box-2')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        for words in ('box-box-2', '16 contacts', '9 dof', 'policy exact', '184', '29 046', 'by dimension'):
            self.assertIn(words, run.stdout)
        self.assertIn('errata', run.stdout)  # the paper prints another number
        self.assertNotIn('errata', self.tact('modes', '--scene', 'box-1').stdout)

    def test_planes(self):
        """A point over a floor: planes through a point have as many sectors and rays, and the point."""
        self.write('p.json', problem([point('1', '2')]))
        for planes in (1, 2, 3, 5):
            answer = self.modes('p.json', '--planes', planes)
            self.assertEqual((answer['cs'], answer['full']), (2, 1 + (3 if planes == 1 else 4 * planes + 1)))
        # The box of box-1 with the axes and their diagonals, by four planes or by rows.
        diagonals = lambda a, b: [a, [x + y for x, y in zip(a, b)], b, [y - x for x, y in zip(a, b)]]
        rows = lambda a, b: point(str(a), str(b)) | {
            'tangents': diagonals([0, -1, -b, 1, 0, 0], [1, 0, a, 0, 1, 0])}
        self.write('p.json', problem([rows(a, b) for a, b in itertools.product((-1, 1), repeat=2)]))
        four = self.modes('--scene', 'box-1', '--planes', 4)
        self.assertEqual((four['cs'], four['full']), (10, 708))
        self.assertEqual(self.modes('p.json')['full_by_dim'], four['full_by_dim'])
        one = [{**c, 'tangents': c['tangents'][:1]} for c in box()['contacts']]
        self.write('p.json', problem(one))
        self.assertEqual(self.modes('--scene', 'box-1', '--planes', 1)['full_by_dim'],
                         self.modes('p.json')['full_by_dim'])


class Lists(Modes):
    def test_a_box_has_these_modes_and_no_others(self):
        file = box()
        self.write('box.json', file)
        answer = self.modes('box.json', '--list', '--witness')
        self.check_order(answer)
        self.assertEqual((answer['cs'], answer['full']), SCENES['box-1'][:2])
        seen = self.check_witnesses(file, answer)
        # Of many velocities, drawn from a grid so that zeros are frequent, none has another mode.
        grid = (-2, -1, 0, 1, 2)
        found = set()
        for tilt in itertools.product((-1, 0, 1), repeat=2):
            lift = (abs(tilt[0]) + abs(tilt[1])) * Fraction(1, 3)
            for z, spin, vx, vy in itertools.product((0, 1), grid, grid, grid):
                x = [*tilt, Fraction(spin), Fraction(vx, 3), Fraction(vy, 3), lift + z]
                found.add(mode_of(file, x))
        self.assertLessEqual(found, seen)
        self.assertEqual({cs for cs, _ in found}, {cs for cs, _ in seen})
        self.assertEqual(self.modes('--scene', 'box-1')['full_by_dim'], answer['full_by_dim'])

    def test_witnesses_of_other_systems(self):
        skew = problem([{'normal': [3, '-1/7', 2, 0], 'tangents': [[1, 5, '2/3', 1], [0, 1, 1, 1]]},
                        {'normal': [-1, 4, '1/9', 2], 'tangents': [[1, 0, 0, '-1/11']]},
                        {'normal': [1, 1, 1, 1], 'tangents': []},
                        {'normal': [0, 0, 0, 0], 'tangents': [[7, '1/3', 0, -2]]}], 4)
        self.write('p.json', skew)
        for words in ((), ('--threads', 3)):
            answer = self.modes('p.json', '--list', '--witness', *words)
            self.check_order(answer)
            self.check_witnesses(skew, answer)
            self.assertEqual(answer['full'], self.modes('p.json')['full'])

    def test_kinds(self):
        self.write('p.json', box())
        full = self.modes('p.json', '--list')['modes']
        alone = self.modes('p.json', '--cs', '--list')['modes']
        self.assertEqual(list(alone), list(full))
        self.assertTrue(all(group == [''] for group in alone.values()))
        slips = self.modes('p.json', '--slip', '--list')['modes']
        rough = lambda ss: ''.join('0' if ss[i:i + 2] == '00' else 's' for i in range(0, len(ss), 2))
        self.assertEqual({cs: set(group) for cs, group in slips.items()},
                         {cs: {rough(ss) for ss in group} for cs, group in full.items()})

    def test_text(self):
        self.write('p.json', problem([{'normal': [0, 1], 'tangents': [[1, 0]]}], 2))
        lines = self.tact('modes', 'p.json', '--list').stdout.splitlines()
        self.assertIn('hash', lines[3])
        self.assertEqual(lines[4:-1], ['  +', '      (nothing slides)', '  0', '      +', '      -', '      0'])

    def test_limit(self):
        whole = self.modes('--scene', 'box-1', '--list')
        flat = [(cs, ss) for cs, group in whole['modes'].items() for ss in group]
        self.assertTrue(whole['complete'])
        for limit in (0, 1, 7, len(flat) - 1, len(flat)):
            answer = self.modes('--scene', 'box-1', '--list', '--limit', limit)
            self.assertEqual([(cs, ss) for cs, group in answer['modes'].items() for ss in group], flat[:limit])
            self.assertEqual(answer['complete'], limit >= len(flat))
            # A short list is still of a system with as many modes.
            self.assertEqual((answer['cs'], answer['full']), SCENES['box-1'][:2])
            self.assertEqual('hash' in answer, limit >= len(flat))
        self.assertIn('limit', self.tact('modes', '--scene', 'box-1', '--list', '--limit', 3).stdout)

    def test_without_contacts(self):
        for dof in (0, 4):
            self.write('p.json', problem([], dof))
            answer = self.modes('p.json', '--list', '--witness')
            self.assertEqual((answer['cs'], answer['full'], answer['modes']), (1, 1, {'': ['']}))
            self.assertEqual(answer['full_by_dim'], {str(dof): 1})
            self.assertEqual(self.modes('p.json')['full_by_dim'], {str(dof): 1})
            self.assertEqual(self.modes('p.json', '--mode', '|')['dim'], dof)

    def test_contacts_without_freedom(self):
        self.write('p.json', problem([{'normal': [], 'tangents': [[], []]}], 0))
        answer = self.modes('p.json', '--list')
        self.assertEqual(answer['modes'], {'0': ['00']})

    def test_rows_of_zeros(self):
        self.write('p.json', problem([{'normal': [0, 0], 'tangents': [[0, 0], [1, 0]]}, {'normal': [0, 1]}], 2))
        answer = self.modes('p.json', '--list')
        self.assertEqual(answer['modes'], {'0+': ['0+', '0-', '00'], '00': ['0+', '0-', '00']})

    def test_standard_input(self):
        answer = self.modes('-', '--list', stdin=json.dumps(problem([{'normal': [1]}], 1)))
        self.assertEqual(answer['modes'], {'+': [''], '0': ['']})


class Policies(Modes):
    def test_a_poke(self):
        """One normal leans by a billionth: exactly a different system, within a tolerance the same."""
        file = box()
        file['contacts'][3]['normal'][3] = '1/1000000000'
        self.write('p.json', file)
        exact = self.modes('p.json')
        self.assertEqual((exact['policy'], exact['cs'], exact['full']), ('exact', 16, 332))
        loose = self.modes('p.json', '--policy', 'tolerance')
        self.assertEqual((loose['policy'], loose['cs'], loose['full']), ('tolerance', 10, 196))
        tight = self.modes('p.json', '--policy', 'tolerance', '--tolerance', '1e-12')
        self.assertEqual((tight['cs'], tight['full'], tight['tolerance']), (16, 332, 1e-12))
        self.assertIn('--tolerance', self.complaint('p.json', '--policy', 'tolerance', '--tolerance', 'nan'))
        self.assertIn('policy exact', self.tact('modes', 'p.json').stdout)
        self.assertIn('policy tolerance', self.tact('modes', 'p.json', '--policy', 'tolerance').stdout)
        self.check_witnesses(file, self.modes('p.json', '--list', '--witness'))

    def test_quotes_are_exact(self):
        third = lambda a, b: self.write('p.json', problem([{'normal': [a, b]}, {'normal': [10, 3]}], 2))
        third('1/3', '1/10')
        self.assertEqual(self.modes('p.json')['cs'], 2)
        third(1 / 3, 1 / 10)
        self.assertEqual(self.modes('p.json')['cs'], 4)
        self.assertEqual(self.modes('p.json', '--policy', 'tolerance')['cs'], 2)


class OneMode(Modes):
    def test_that_exists(self):
        file = box()
        self.write('p.json', file)
        for cs, group in self.modes('p.json', '--list')['modes'].items():
            for ss in group[::7]:
                answer = self.modes('p.json', '--mode', f'{cs}|{ss}')
                self.assertEqual((answer['cs'], answer['ss'], answer['exists']), (cs, ss, True))
                self.assertEqual(mode_of(file, answer['exact_witness']), (cs, ss))
                for x in answer['lines']:
                    self.assertEqual({sign(t, x) for c in file['contacts'] for t in [c['normal']]}, {'0'})
                self.assertLessEqual(len(answer['lines']), answer['dim'])
        self.assertEqual(self.modes('p.json', '--mode', '++++')['dim'], 6)
        self.assertIn('dimension 6', self.tact('modes', 'p.json', '--mode', '++++|').stdout)

    def test_that_does_not(self):
        answer = self.modes('--scene', 'box-1', '--mode', '000+|000000', code=1)
        self.assertEqual(answer, {'cs': '000+', 'ss': '000000', 'exists': False})
        run = self.tact('modes', '--scene', 'box-1', '--mode', '000+|000000')
        self.assertEqual((run.returncode, run.stdout), (1, 'no velocity has the mode 000+|000000\n'))

    def test_that_is_none(self):
        for mode, word in (('', '--mode'), ('000', '3 contacts and the system 4'), ('00000|', 'contacts'),
                           ('00-+|0000', '0 (stays) or + (separates)'), ('00++', 'per tangent'),
                           ('00++|000', 'per tangent'),
                           ('00++|00000', 'too long'), ('00++|00x0', 'per tangent'), ('++++|0', 'too long'),
                           ('00++|00|0', 'per tangent')):
            self.assertIn(word, self.complaint('--scene', 'box-1', f'--mode={mode}'), mode)

    def test_dynamics(self):
        file = str(SOURCE / 'scenes' / 'grasps' / 'pushing.json')
        answer = self.modes(file, '--dynamics', '00|00')
        self.assertEqual((answer['exists'], answer['consistent']), (True, True))
        self.assertEqual(answer['unknowns'], ['a0', 'a1', 'a2', 'N0', 'T0.0', 'N1', 'T1.0'])
        x = answer['acceleration'] + answer['forces']
        self.assertEqual(len(x), 7)
        near = 1e-12  # some hundred roundings of numbers of size one
        for row, right in zip(answer['equal'], answer['right'], strict=True):
            self.assertAlmostEqual(sum(a * b for a, b in zip(row, x, strict=True)), right, delta=near)
        for row in answer['sign']:
            self.assertGreaterEqual(sum(a * b for a, b in zip(row, x, strict=True)), -near)
        self.assertEqual(answer['strict'], [False] * 6)  # nothing moves
        # The load is carried: all of it, and the friction of both together is the sideways part.
        self.assertAlmostEqual(x[3] + x[5], 1, delta=near)
        self.assertAlmostEqual(x[4] + x[6], 0.29, delta=near)
        self.assertEqual(answer['undetermined'], 1)  # how both share it
        text = self.tact('modes', file, '--dynamics', '00|00')
        self.assertEqual((text.returncode, text.stderr), (0, ''))
        for part in ('00|00   can follow from rest', 'a0 − T0.0 − T1.0 = −0.29', 'N0 ≥ 0', '1 dimension open'):
            self.assertIn(part, text.stdout)

    def test_dynamics_that_a_load_forbids(self):
        file = str(SOURCE / 'scenes' / 'grasps' / 'pushing.json')
        answer = self.modes(file, '--dynamics', '++|', code=1)  # the load presses against both
        self.assertEqual((answer['exists'], answer['consistent']), (True, False))
        self.assertNotIn('acceleration', answer)
        self.assertEqual(answer['strict'], [True, True])
        run = self.tact('modes', file, '--dynamics', '++|')
        self.assertEqual(run.returncode, 1)
        self.assertIn('cannot follow from rest', run.stdout)
        self.assertEqual(self.modes(file, '--dynamics', '00|+-', code=1), {'cs': '00', 'ss': '+-', 'exists': False})

    def test_dynamics_that_cannot_be_asked(self):
        file = str(SOURCE / 'scenes' / 'grasps' / 'pushing.json')
        self.assertIn('need a mass', self.complaint('--scene', 'box-1', '--dynamics', '++++|'))
        self.write('p.json', box())
        self.assertIn('need a mass', self.complaint('p.json', '--dynamics', '++++|'))
        for mode, word in (('', '--dynamics'), ('0', '1 contacts and the system 2'), ('+x|', '0 (stays) or + (separates)'),
                           ('00|0', 'per tangent'), ('00|000', 'too long')):
            self.assertIn(word, self.complaint(file, f'--dynamics={mode}'), mode)
        for words in (('--list',), ('--cs',), ('--mode', '00|00'), ('--grasp',), ('--svg', 'l.svg'), ('--resume', 'c')):
            self.assertIn('--dynamics looks at one mode', self.complaint(file, '--dynamics', '00|00', *words), words)


class Views(Modes):
    def test_graphs_and_pictures(self):
        self.modes('--scene', 'box-1', '--graph', 'g.json', '--svg', 'l.svg', '--html', 'l.html')
        graph = json.loads((self.folder / 'g.json').read_text())
        self.assertEqual(len(graph['nodes']), 196)
        dim = [node['dim'] for node in graph['nodes']]
        self.assertTrue(all(dim[a] == dim[b] + 1 for a, b in graph['edges']))
        xml.dom.minidom.parse(str(self.folder / 'l.svg'))
        self.assertIn('<svg', (self.folder / 'l.html').read_text())
        self.modes('--scene', 'box-1', '--graph', 'g.graphml')
        nodes = xml.dom.minidom.parse(str(self.folder / 'g.graphml')).getElementsByTagName('node')
        self.assertEqual(len(nodes), 196)
        self.modes('--scene', 'box-1', '--graph', 'g.dot')
        self.assertTrue((self.folder / 'g.dot').read_text().startswith('digraph'))

    def test_nothing_is_half_written(self):
        self.assertIn('.graphml, .dot or .json', self.complaint('--scene', 'box-1', '--graph', 'g.txt', '--svg', 'l.svg'))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_polygon_patch_is_its_corners(self):
        twist = [[int(i == j) for j in range(6)] for i in range(6)]
        square = {'polygon': [[-1, -1], [1, -1], [1, 1], [-1, 1]]}
        self.write('p.json', problem([{'patch': square, 'twist': twist}]))
        self.assertEqual((self.modes('p.json')['cs'], self.modes('p.json')['full']), (10, 196))
        self.write('d.json', problem([{'patch': {'disc': {'center': [0, 0], 'radius': 1}}, 'twist': twist}]))
        self.assertIn('rim', self.complaint('d.json'))
        self.assertEqual(self.modes('d.json', '--rim', '4', '--cs')['cs'], 10)

    def grasp(self, name, code, *words):
        return self.modes(str(SOURCE / 'scenes' / 'grasps' / name), '--grasp', *words, code=code)

    def test_grasps(self):
        pinch = self.grasp('pinch.json', 1)  # holds any load if someone presses, and no one does
        self.assertEqual((pinch['form_closure'], pinch['force_closure']), (False, True))
        self.assertEqual({m['mode'] for m in pinch['stability']['consistent_modes']}, {'00|00', '00|--'})
        self.assertTrue(self.grasp('pushing.json', 0)['stability']['stable'])
        self.assertTrue(self.grasp('corner.json', 0)['stability']['stable'])
        self.assertFalse(self.grasp('pinch.json', 1, '--wanted', '00|--')['stability']['stable'])

    def test_friction_of_a_grasp_stays_inside_its_law(self):
        # Four fingers from above: along z a load N gives at best (mu - 1) N, however many planes divide the tangents.
        sides = ((1, 0), (-1, 0), (0, 1), (0, -1))
        def closed(mu, planes):
            self.write('p.json', problem([{'normal': [x, y, -1], 'tangents': [[x, y, 1], [-y, x, 0]],
                                           'friction': {'law': 'coulomb', 'mu': mu}} for x, y in sides], 3))
            run = self.tact('modes', 'p.json', '--grasp', '--json', '--planes', planes)
            return json.loads(run.stdout)['force_closure']
        for planes in '248':
            self.assertFalse(closed(0.95, planes), planes)
            self.assertTrue(closed(2, planes), planes)


class Complaints(Modes):
    def test_words_that_contradict(self):
        scene = ('--scene', 'box-1')
        self.write('p.json', box())
        for words, part in (((), 'problem file or --scene'), (('p.json', *scene), 'one of the two'),
                            ((*scene, '--cs', '--slip'), 'exclude'), ((*scene, '--cs', '--full'), 'exclude'),
                            ((*scene, '--full', '--slip'), 'exclude'), ((*scene, '--witness'), '--list'),
                            ((*scene, '--limit', 3), '--list'), ((*scene, '--list', '--resume', 'c'), '--resume'),
                            ((*scene, '--list', '--checkpoint', 'c'), '--checkpoint'),
                            ((*scene, '--mode', '++++', '--hash'), '--mode'),
                            ((*scene, '--mode', '++++', '--cs'), '--mode'),
                            ((*scene, '--mode', '++++', '--list'), '--mode'),
                            ((*scene, '--mode', '++++', '--resume', 'c'), '--mode'),
                            ((*scene, '--tolerance', '1e-6'), '--policy tolerance'),
                            ((*scene, '--policy', 'guess'), '--policy'),
                            ((*scene, '--policy', 'tolerance', '--tolerance', '1'), '--tolerance'),
                            ((*scene, '--policy', 'tolerance', '--tolerance', 'nan'), '--tolerance'),
                            ((*scene, '--planes', 0), '--planes'), ((*scene, '--planes', -2), '--planes'),
                            ((*scene, '--planes', 1.5), '--planes'), ((*scene, '--threads', 0), '--threads'),
                            ((*scene, '--list', '--limit', -1), '--limit'), ((*scene, '--colour'), '--colour')):
            with self.subTest(words):
                self.assertIn(part, self.complaint(*words))

    def test_scenes_and_files_there_are_not(self):
        self.assertIn('no built-in scene box-9', self.complaint('--scene', 'box-9'))
        self.assertIn('nowhere.json', self.complaint('nowhere.json'))

    def test_files_that_cannot_be_used(self):
        for text, part in (('{"format": "tact-problem/1", "dof": 1, "contacts": [{"normal": [NaN]}]}', 'is NaN'),
                           (problem([{'normal': ['inf']}], 1), 'normal[0]'),
                           (problem([{'normal': ['1/0']}], 1), 'normal[0]'),
                           (problem([{'normal': [1, 2]}], 3), 'contacts[0].normal'),
                           (problem([{'normal': [1, 2], 'tangents': [[1, 0], [1]]}], 2), 'tangents[1]'),
                           (problem([{'normal': [1]}], -1), 'dof'), (problem([{'tangents': [[1]]}], 1), 'normal'),
                           ({'format': 'tact-problem/1', 'contacts': [{}], 'delassus': [[1]], 'free_velocity': [1]},
                            'Delassus'), ('hello', 'p.json:1:1')):
            self.write('p.json', text)
            with self.subTest(text):
                self.assertIn(part, self.complaint('p.json'))
                self.assertIn(part, self.complaint('p.json', '--list', '--json'))

    def test_planes_of_a_planar_contact(self):
        self.write('p.json', problem([{'normal': [0, 1], 'tangents': [[1, 0]]}], 2))
        self.assertIn('--planes needs two axes', self.complaint('p.json', '--planes', 2))


if __name__ == '__main__':
    unittest.main()
