"""Systems of contacts, and the command that lists their modes."""
import itertools
import json
from fractions import Fraction

from command import CommandTest

# cs and full modes with two planes, stick/slip modes; the last are not counted here where None.
SCENES = {'box-1': (10, 196, 31), 'box-2': (46, 228, 77), 'box-3': (136, 136, 136), 'box-4': (10, 10, 10),
          'box-5': (2, 2, 2), 'peg-4': (1, 9, None), 'peg-8': (1, 9, None), 'box-box-1': (10, 9996, None),
          'box-box-2': (184, 29046, None)}
FIELDS = {'name', 'contacts', 'dof', 'policy', 'method', 'kind', 'complete', 'cs', 'full', 'cs_by_dim', 'full_by_dim', 'seconds'}
ORDER = {'+': 0, '-': 1, '0': 2}  # as bytes


def problem(contacts, dof=6, **more):
    return {'format': 'tact-problem/1', 'dof': dof, 'contacts': contacts, **more}


def point(a, b):
    """A point (a, b, -1) of a free body over a floor, columns [omega, v]; numbers as text."""
    minus = lambda x: x[1:] if x.startswith('-') else '-' + x
    return {'normal': [b, minus(a), 0, 0, 0, 1], 'tangents': [[0, -1, minus(b), 1, 0, 0], [1, 0, a, 0, 1, 0]]}


def box():
    """A box on the floor, as box-1 but of another shape."""
    return problem([point(a, b) for a, b in itertools.product(('-1/3', '1/3'), repeat=2)])


def free(contacts, tangents):
    """Contacts that share no velocity."""
    dof = contacts * (1 + tangents)
    row = lambda i: [int(j == i) for j in range(dof)]
    return problem([{'normal': row(k * (1 + tangents)),
                     'tangents': [row(k * (1 + tangents) + 1 + i) for i in range(tangents)]}
                    for k in range(contacts)], dof)


def sign(row, x):
    value = sum(Fraction(a) * Fraction(b) for a, b in zip(row, x, strict=True))
    return '+' if value > 0 else '-' if value < 0 else '0'


def mode_of(file, x):
    """The mode of a velocity, by the definition."""
    cs = ''.join(sign(c['normal'], x) for c in file['contacts'])
    ss = ''.join(sign(t, x) for c, s in zip(file['contacts'], cs, strict=True) if s == '0' for t in c['tangents'])
    return cs, ss


class Modes(CommandTest):
    def modes(self, *words, code=0, stdin=''):
        run = self.tact('modes', *words, '--json', stdin=stdin)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertEqual(run.stderr, '')
        return json.loads(run.stdout)

    def complaint(self, *words):
        run = self.tact('modes', *words)
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertEqual(run.stdout, '')
        self.assertEqual(run.stderr.count('\n'), 1, run.stderr)
        self.assertEqual([p.name for p in self.folder.glob('*.part*')], [])
        return run.stderr.strip()

    def check_witnesses(self, file, answer):
        """Every listed mode has a velocity whose signs, computed exactly, are the mode's."""
        seen = set()
        self.assertEqual(list(answer['witnesses']), list(answer['modes']))
        for cs, group in answer['modes'].items():
            for ss, x in zip(group, answer['witnesses'][cs], strict=True):
                self.assertEqual(mode_of(file, x), (cs, ss))
                seen.add((cs, ss))
        return seen

    def check_order(self, answer):
        as_bytes = lambda text: [ORDER[c] for c in text]
        groups = list(answer['modes'])
        self.assertEqual(groups, sorted(set(groups), key=as_bytes))
        for group in answer['modes'].values():
            self.assertEqual(group, sorted(set(group), key=as_bytes))
        self.assertEqual(answer['cs'], len(groups))
        self.assertEqual(answer['full'], sum(map(len, answer['modes'].values())))
