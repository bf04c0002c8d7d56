"""The tools that watch over the documents can fail: pages that show what is not so, a book that fetches."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TACT = os.environ['TACT']
SOURCE = pathlib.Path(os.environ['TACT_SOURCE'])
sys.path[:0] = [str(SOURCE / 'tools'), str(SOURCE / 'tools' / 'book')]
import doc_blocks  # pylint: disable=wrong-import-position
import offline  # pylint: disable=wrong-import-position

COUNT = '```sh\ntact modes --scene box-1 --cs\n```\n'
ANSWER = '''
```text
box-1   4 contacts, 6 dof, 2 planes per contact        policy exact, by rays
  cs modes        10     by dimension  3:1  4:4  5:4  6:1
  in 1 µs
```
'''


class Pages(unittest.TestCase):
    def run_page(self, text):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / 'docs').mkdir()
            (root / 'docs' / 'page.md').write_text(text, encoding='utf-8')
            (root / 'scenes').symlink_to(SOURCE / 'scenes')
            environment = {k: v for k, v in os.environ.items() if k != 'TACT_PYTHON'}
            run = subprocess.run([sys.executable, '-B', SOURCE / 'tools' / 'run_docs.py', '--tact', TACT, '--root', root],
                                 capture_output=True, text=True, check=False, env=environment)
            return run.returncode, run.stdout

    def accepts(self, text, *said):
        code, output = self.run_page(text)
        self.assertEqual(code, 0, output)
        for words in said:
            self.assertIn(words, output)

    def refuses(self, text, words):
        code, output = self.run_page(text)
        self.assertEqual(code, 1, output)
        self.assertIn(words, output)

    def test_commands_and_outputs(self):
        self.accepts(COUNT + ANSWER, '1 commands', '1 outputs compared')
        self.refuses(COUNT + ANSWER.replace(' 10 ', ' 11 '), 'the page shows "cs modes        11')
        self.refuses(COUNT + ANSWER.replace('  in 1 µs\n', ''), 'the output goes on')
        self.accepts(COUNT + ANSWER.replace('  in 1 µs\n', '...\n'))
        self.refuses(COUNT + ANSWER.replace('```\n', 'more\n```\n', 1).replace('  in 1 µs', '  in 1 µs\nmore'), 'ended')
        self.accepts(COUNT + 'Words between.\n' + ANSWER.replace(' 10 ', ' 11 '))

    def test_outputs_are_renewed(self):
        with tempfile.TemporaryDirectory() as name:
            page = pathlib.Path(name) / 'page.md'
            page.write_text('```console\n$ tact x\nold\n```\n```console\n$ tact y\nold ...\n```\n', encoding='utf-8')
            first, second = [doc_blocks.console_commands(b)[0] for b in doc_blocks.blocks(page)]
            self.assertTrue(doc_blocks.renew(page, first, ['new', '', 'line ']))
            self.assertFalse(doc_blocks.renew(page, second, ['new']))
            self.assertIn('$ tact x\nnew\nline\n```\n', page.read_text(encoding='utf-8'))
            self.assertIn('$ tact y\nold ...\n```\n', page.read_text(encoding='utf-8'))

    def test_exit_codes(self):
        self.refuses('```sh\ntact sim no-such-scene\n```\n', 'exit code 2 where the page says 0')
        self.accepts('```sh\ntact sim no-such-scene   # exit 2\n```\n')
        self.refuses('```sh\ntact sim --list   # exit 2\n```\n', 'exit code 0 where the page says 2')

    def test_consoles_and_files(self):
        problem = '```json p.json\n{"format": "tact-problem/1", "dof": 1, "contacts": [{"normal": [1]}]}\n```\n'
        self.accepts(problem + '```console\n$ tact modes p.json --cs\n...\n  cs modes  2  ...\n...\n```\n')
        self.refuses(problem + '```console\n$ tact modes p.json --cs\n...\n  cs modes  3  ...\n...\n```\n', 'has ended')

    def test_other_blocks(self):
        self.refuses('```json\n{"a": }\n```\n', 'no JSON')
        self.refuses('```cpp\nint x;\n```\n', 'int main')
        self.accepts('```cpp fragment\nint x = y;\n```\n', '1 C++ fragments not compiled')
        self.refuses('```cpp\nint main() { return nothing; }\n```\n', 'nothing')
        self.refuses('```perl\n1;\n```\n', 'a block of kind "perl"')
        self.refuses('```sh\ntact sim --list\n', 'not closed')
        self.accepts('```python\nimport no_such_module\n```\n', '1 Python blocks not run')
        self.accepts('```sh\n./run build\nbuild/release/tact view x.tact\n```\n', '2 commands not run')

    def test_masks(self):
        self.assertTrue(doc_blocks.line_fits('10 s in 0.1 s (9 µs per step, 6 × real time)',
                                             '10 s in 7 ms (1.5 µs per step, 3.25 × real time)'))
        self.assertFalse(doc_blocks.line_fits('10 s in 0.1 s', '11 s in 0.1 s'))
        self.assertTrue(doc_blocks.line_fits('residual −3e−16', 'residual 4.5e−15'))
        self.assertFalse(doc_blocks.line_fits('residual 3e−16', 'residual 3e−6'))
        self.assertFalse(doc_blocks.line_fits('gap 0.5 m', 'gap 0.6 m'))


class Book(unittest.TestCase):
    def test_every_page_has_its_place(self):
        contents = (SOURCE / 'mkdocs.yml').read_text(encoding='utf-8')
        pages = sorted(f.name for f in (SOURCE / 'docs').glob('*.md'))
        self.assertGreater(len(pages), 40)
        self.assertEqual([p for p in pages if f': {p}\n' not in contents], [], 'add them to mkdocs.yml')


class Offline(unittest.TestCase):
    def said(self, page, style=''):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / 'index.html').write_text(page, encoding='utf-8')
            (root / 'book.css').write_text(style, encoding='utf-8')
            return offline.check(root.resolve())

    def test_what_is_loaded_and_what_is_linked(self):
        self.assertEqual(self.said('<link rel=stylesheet href="book.css"><a href="https://a.b/">web</a><h2 id="x">'), [])
        self.assertIn('elsewhere', self.said('<script src="https://a.b/c.js"></script>')[0])
        self.assertIn('elsewhere', self.said('<img src="//a.b/c.png">')[0])
        self.assertIn('elsewhere', self.said('', '@font-face { src: url("https://a.b/c.woff"); }')[0])
        self.assertIn('nowhere', self.said('<a href="missing.html">gone</a>')[0])
        self.assertIn('nowhere', self.said('<a href="#y">gone</a><h2 id="x">')[0])


if __name__ == '__main__':
    unittest.main()
