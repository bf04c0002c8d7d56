"""Runs the command in a folder of its own."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TACT = os.environ['TACT']
SOURCE = pathlib.Path(os.environ['TACT_SOURCE'])
SCENES = SOURCE / 'scenes' / 'patches'
SQUARE = {'polygon': [[-1, -1], [1, -1], [1, 1], [-1, 1]]}


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tact(self, *words, stdin=''):
        return subprocess.run([TACT, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=60,
                              cwd=self.folder, check=False)

    def refused(self, run, *parts):
        """Exit code 2, and one sentence that has all of the parts."""
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertEqual(run.stdout, '')
        self.assertEqual(run.stderr.count('\n'), 1, run.stderr)
        self.assertLess(len(run.stderr), 400)
        for part in parts:
            self.assertIn(part, run.stderr)

    def write(self, name, content):
        """Text as it is, anything else as JSON."""
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding='utf-8')
        return name

    def patch(self, code=0, **fields):
        """The --json answer on a patch file with these fields."""
        self.write('p.json', {'format': 'tact-patch/1', **fields})
        run = self.tact('patch', 'p.json', '--json')
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stderr, '')
        return json.loads(run.stdout)
