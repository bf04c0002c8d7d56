"""Bad input: one sentence with file, path, value and remedy; exit code 2; nothing written."""
import os
import unittest

from command import SQUARE, CommandTest

GOOD = {'format': 'tact-patch/1', 'patch': SQUARE, 'wrench': [0, 0, 0, 0, 0, 1], 'twist': [0, 0, 0, 0, 0, 0]}
NAN, INF = float('nan'), float('inf')
POINTS = SQUARE['polygon']


def coulomb(**fields):
    return {'friction': {'law': 'coulomb', **fields}}


# name: (fields that replace good ones, what the sentence must contain)
FIELDS = {
    'nan': ({'wrench': [0, 0, NAN, 0, 0, 1]}, ['wrench[2] is NaN;']),
    'infinity': ({'twist': [0, INF, 0, 0, 0, 0]}, ['twist[1] is Infinity;']),
    'minus infinity': ({'patch': {'polygon': [[0, -INF]]}}, ['patch.polygon[0][1] is -Infinity;']),
    'nan in quotes': ({'wrench': ['nan', 0, 0, 0, 0, 1]}, ['wrench[0] is "nan";']),
    'zero denominator': ({'wrench': ['1/0', 0, 0, 0, 0, 1]}, ['wrench[0] is "1/0";']),
    'negative mu': (coulomb(mu=-0.3), ['friction.mu is -0.3; a friction coefficient cannot be negative']),
    'nan mu': (coulomb(mu=NAN), ['friction.mu is NaN;']),
    'no mu': (coulomb(), ['friction.mu is missing;']),
    'unknown law': ({'friction': {'law': 'coulumb', 'mu': 1}}, ['friction.law is "coulumb";', 'coulomb, none']),
    'unknown pressure': (coulomb(mu=1, pressure='even'), ['friction.pressure is "even";', 'effective']),
    'unknown pattern': (coulomb(mu=1, pattern='1+5'), ['friction.pattern is "1+5";', '4+8+12']),
    'negative ellipsoid radius': (coulomb(mu=1, pressure='ellipsoid', radius=-1), ['friction.radius is -1;']),
    'areas that do not fit': (coulomb(mu=1, pressure='winkler', nodes=[[0, 0], [1, 0]], areas=[1]),
                              ['friction.areas is [1];', '2 nodes']),
    'negative area': (coulomb(mu=1, pressure='winkler', nodes=[[0, 0]], areas=[-1]), ['friction.areas[0] is -1;']),
    'empty point set': ({'patch': {'polygon': []}}, ['patch.polygon is []; a patch needs at least one point']),
    'empty union': ({'patch': {'union': []}}, ['patch.union is [];']),
    'empty patch': ({'patch': {}}, ['patch is {};', 'polygon']),
    'two shapes': ({'patch': {'polygon': POINTS, 'disc': {'radius': 1}}}, ['patch is ', 'union']),
    'unknown shape': ({'patch': {'circle': {'radius': 1}}}, ['patch.circle is {"radius": 1};', 'disc']),
    'unknown kind': ({'patch': {'kind': 'circle', 'radius': 1}}, ['patch.kind is "circle";', 'disc']),
    'negative radius': ({'patch': {'disc': {'radius': -2}}}, ['patch.disc.radius is -2;']),
    'wrong dimension': ({'patch': {'polygon': [[0, 0, 0]]}}, ['patch.polygon[0] is [0, 0, 0];', 'this has 3']),
    'short wrench': ({'wrench': [0, 0, 1]}, ['wrench is [0, 0, 1];', '6 numbers', 'this has 3']),
    'wrench as object': ({'wrench': {'f': 1}}, ['wrench is {"f": 1};']),
    'text for a number': ({'twist': [0, 0, 0, 0, 0, 'fast']}, ['twist[5] is "fast";', 'write a finite number']),
    'metric not positive': ({'metric': [[1, 0, 0], [0, -1, 0], [0, 0, 1]]}, ['metric is ', 'positive definite']),
    'metric not symmetric': ({'metric': [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}, ['metric is ', 'symmetric']),
    'metric of the wrong size': ({'metric': [[1, 0], [0, 1]]}, ['metric is ', '3 rows']),
    'metric with a short row': ({'metric': [[1, 0, 0], [0, 1], [0, 0, 1]]}, ['metric[1] is [0, 1];']),
    'unknown field': ({'wrnch': [0]}, ['wrnch is [0];', 'did you mean "wrench"?']),
    'unknown inner field': (coulomb(mue=1), ['friction.mue is 1;', 'did you mean "mu"?']),
    'zero tolerance': ({'tolerance': 0}, ['tolerance is 0;']),
    'large tolerance': ({'tolerance': 2}, ['tolerance is 2;']),
    'negative scale': ({'force_scale': -1}, ['force_scale is -1;']),
    'zero scale': ({'velocity_scale': 0}, ['velocity_scale is 0;']),
    'name that is no text': ({'name': 3}, ['name is 3;']),
    'bad format': ({'format': 'tact-patch/9'}, ['format is "tact-patch/9"; write "tact-patch/1"']),
    'other format': ({'format': 'tact-problem/1'}, ['format is "tact-problem/1";']),
    'huge': ({'patch': {'disc': {'radius': 1e200}}}, ['patch.disc.radius is 1e+200;']),
}

FIELDS |= {
    'shape named twice': ({'patch': {'kind': 'disc', 'shape': 'polygon', 'radius': 1}}, ['patch.shape is']),
    'shape in a shape': ({'patch': {'disc': {'kind': 'polygon', 'radius': 1}}}, ['patch.disc.kind is']),
    'ends given twice': ({'patch': {'kind': 'segment', 'points': [[0, 0], [1, 0]], 'a': [0, 0], 'b': [1, 1]}},
                         ['give the ends of a segment once']),
    'too small': ({'patch': {'polygon': [[0, 0], [1e-90, 0], [0, 1e-90]]}}, ['too small to compute with']),
}

TEXTS = {
    'empty': ('', ['bad.json:1:1: ']),
    'broken': ('{"format": "tact-patch/1",\n "patch": }', ['bad.json:2:11: patch is not JSON']),
    'cut off': ('{"format": "tact-patch/1", "patch": {"polygon": [[0, 0', ['bad.json:1:']),
    'comment': ('{"format": "tact-patch/1" // hello\n}', ['bad.json:1:']),
    'overflow': ('{"format": "tact-patch/1", "patch": {"disc": {"radius": 1e999}}}', ['patch.disc.radius is 1e999;']),
    'twice': ('{"format": "tact-patch/1", "format": "x"}', ['format occurs twice']),
    'a list': ('[1, 2]', ['the file is [1, 2];']),
    'a number': ('3', ['the file is 3;']),
    'binary': ('\x00\x01\x02', ['bad.json:1:1: ']),
    'NUL': ('{"format": "tact-patch/1", "patch": {"point": [0, 0]}}\x00{', ['bad.json:1:', 'NUL']),
    'no format': ('{"patch": {"point": [0, 0]}}', ['format is missing;']),
    'no patch': ('{"format": "tact-patch/1"}', ['patch is missing;']),
    'deep': ('[' * 100000, ['nested too deeply']),
}


class BadInput(CommandTest):
    def files(self):
        return sorted(path.name for path in self.folder.rglob('*'))

    def refused_file(self, *parts):
        run = self.tact('patch', 'bad.json', '--svg', 'a.svg', '--cone-svg', 'b.svg')
        self.refused(run, 'bad.json', *parts)
        self.refused(self.tact('patch', 'bad.json', '--json'), *parts)
        self.assertEqual(self.files(), ['bad.json'])

    def test_fields(self):
        for name, (fields, parts) in FIELDS.items():
            with self.subTest(name):
                self.write('bad.json', GOOD | fields)
                self.refused_file(*parts)

    def test_texts(self):
        for name, (text, parts) in TEXTS.items():
            with self.subTest(name):
                self.write('bad.json', text)
                self.refused_file(*parts)

    def test_check_refuses_too(self):
        self.write('bad.json', GOOD | {'patch': {'polygon': []}})
        self.refused(self.tact('check', 'bad.json'), 'bad.json: patch.polygon is []')

    def test_files_that_cannot_be_read(self):
        self.refused(self.tact('patch', 'none.json'), 'none.json: no such file')
        (self.folder / 'folder').mkdir()
        self.refused(self.tact('patch', 'folder'), 'folder: is a folder')
        self.write('locked.json', GOOD)
        os.chmod(self.folder / 'locked.json', 0)
        if os.geteuid() != 0:  # nothing is locked to root
            self.refused(self.tact('patch', 'locked.json'), 'locked.json: cannot be read')

    def test_pictures_that_cannot_be_written(self):
        self.write('good.json', GOOD)
        self.refused(self.tact('patch', 'good.json', '--svg', 'none/a.svg'), 'none/a.svg: cannot be written')
        self.refused(self.tact('patch', 'good.json', '--svg', 'a.svg', '--cone-svg', 'none/b.svg', '--json'),
                     'none/b.svg: cannot be written')
        self.assertEqual(self.files(), ['good.json'])
        self.refused(self.tact('patch', 'good.json', '--svg', './good.json'), 'is an input')
        self.refused(self.tact('patch', 'good.json', '--svg', 'a', '--cone-svg', './a'), 'two outputs')
        self.refused(self.tact('patch', 'good.json', '--svg', '-'), 'needs a file name')
        self.assertEqual(self.files(), ['good.json'])
        self.write('plain', 'text')
        self.refused(self.tact('demo', '--out', 'plain/sub'), 'plain/sub: ')

    def test_words_that_mean_nothing(self):
        self.refused(self.tact('pach', 'x'), 'tact help')
        self.refused(self.tact('patch'), 'FILE', 'tact help')
        self.refused(self.tact('patch', 'x', '--sgv', 'y'), '--sgv')


if __name__ == '__main__':
    unittest.main()
