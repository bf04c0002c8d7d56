#!/usr/bin/python3
"""Runs what the pages show: commands, programs and files in README.md and docs/*.md.

    tools/run_docs.py --tact build/release/tact [PAGE...]

A page is run in a folder of its own that holds copies of scenes/ and examples/, so its commands are
those of someone who stands at the root of the tree; files that one block leaves are there for the next.

  sh        every line is a command for bash; exit code 0, or what a comment `# exit 1` behind it says.
            A text block directly after it is what its last command prints, errors included.
  console   `$ command` and what it prints
  python    run in order, page by page, where the module can be imported (--python FOLDER, or TACT_PYTHON)
  cpp       has an int main and compiles, or is marked `cpp fragment` and not looked at
  json      parses, as a whole or line by line. A second word is a file name: `json sledge.json` is written
            for the commands below it, `text` and `csv` too
  others    not looked at

A block without a word is sh if it begins with a command of ours, else text. Compared are words and
numbers; what may vary is masked: times that something took (`in 0.1 s`, `3 µs per step`, `newton, 0.07 ms`),
`62 × real time`, hashes of 16 digits, numbers below 1e-9 in exponent form, the width of gaps.
`...` stands for anything: within a line, or as a line for lines.
A picture of a page, `pictures/NAME.svg`, whose commands write NAME.svg, or a page NAME.html that begins with a
picture, is what they wrote: the same words and, to half a percent, numbers. --pictures puts it there.
--renew puts outputs that differ into their pages, where these show all of them; read what changed before you keep it.
Not run, and counted: ./run, cmake, ctest, apt-get, git, pip, mpirun, and `tact view` without --html.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import doc_blocks
import house

NOT_RUN = ('./run', 'cmake', 'ctest', 'apt', 'git ', 'pip', 'mpirun', 'sudo', 'npm', 'man ')
SERVES = re.compile(r'(build/release/)?tact view\b')  # until it is ended
LONGEST = 180  # seconds for one command
COMPILER = os.environ.get('CXX', 'g++')
EIGEN = '/usr/include/eigen3'


class Run:
    """One page at work: its folder, what it found wrong, what it counted."""

    def __init__(self, page: pathlib.Path, options: argparse.Namespace, folder: pathlib.Path):
        self.page, self.options, self.folder = page, options, folder
        self.problems: list[house.Problem] = []
        self.counts: collections.Counter = collections.Counter()
        for name in ('scenes', 'examples'):
            if (options.root / name).is_dir():
                shutil.copytree(options.root / name, folder / name)
        for place in (folder / 'build' / 'release', folder / '.bin'):
            place.mkdir(parents=True)
            (place / 'tact').symlink_to(options.tact)
        self.environment = {**os.environ, 'LC_ALL': 'C.UTF-8', 'NO_COLOR': '1',
                            'PATH': f'{folder / ".bin"}:{os.environ["PATH"]}'}
        if options.python:
            self.environment['PYTHONPATH'] = str(options.python)

    def wrong(self, line: int, sentence: str) -> None:
        self.problems.append(house.Problem(self.page, line, sentence))

    def execute(self, words: list[str]) -> tuple[int, list[str]]:
        try:
            done = subprocess.run(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            return -1, [f'not done after {LONGEST} s']
        return done.returncode, done.stdout.splitlines()

    def command(self, command: doc_blocks.Command) -> None:
        text = command.text.strip()
        if text.startswith(NOT_RUN) or (SERVES.match(text) and '--html' not in text):
            self.counts['commands not run'] += 1
            return
        self.counts['commands'] += 1
        code, output = self.execute(['bash', '-c', text])
        if code != command.code:
            tail = output[-1] if output else 'and nothing is said'
            self.wrong(command.line, f'exit code {code} where the page says {command.code}: {tail}')
        elif command.output is not None:
            self.counts['outputs compared'] += 1
            difference = doc_blocks.first_difference(command.output, output)
            if difference and self.options.renew and doc_blocks.renew(self.page, command, output):
                self.counts['outputs renewed'] += 1
            elif difference:
                self.wrong(command.line, difference)

    def json(self, block: doc_blocks.Block) -> None:
        self.counts['json'] += 1
        text = '\n'.join(block.lines)
        try:
            json.loads(text)
        except json.JSONDecodeError as first:
            try:
                for line in block.lines:
                    json.loads(line)
            except json.JSONDecodeError:
                self.wrong(block.line + first.lineno, f'no JSON: {first.msg}')

    def cpp(self, block: doc_blocks.Block) -> None:
        text = '\n'.join(block.lines) + '\n'
        if block.detail == 'fragment':
            self.counts['C++ fragments not compiled'] += 1
        elif 'int main(' not in text:
            self.wrong(block.line, 'no whole program: give it an int main, or write ```cpp fragment')
        else:
            self.counts['C++ programs'] += 1
            (self.folder / 'block.cpp').write_text(text, encoding='utf-8')
            code, output = self.execute([COMPILER, '-std=c++20', '-fsyntax-only', f'-I{self.options.root}',
                                         f'-isystem{EIGEN}', 'block.cpp'])
            if code:
                error = next((line for line in output if 'error' in line), 'it does not compile')
                self.wrong(block.line, error)

    def python(self, blocks: list[doc_blocks.Block]) -> None:
        """All of a page as one program: later blocks use what earlier ones made. Line numbers are the page's."""
        if not self.options.python:
            self.counts['Python blocks not run: no module'] += len(blocks)
            return
        self.counts['Python blocks'] += len(blocks)
        lines = [''] * (blocks[-1].line + len(blocks[-1].lines))
        for block in blocks:
            lines[block.line:block.line + len(block.lines)] = block.lines
        (self.folder / 'block.py').write_text('\n'.join(lines) + '\n', encoding='utf-8')
        code, output = self.execute([sys.executable, '-B', 'block.py'])
        if code:
            place = [line for line in output if 'block.py", line' in line]
            number = int(place[-1].split('line ')[1].split(',')[0]) if place else blocks[0].line
            self.wrong(number, output[-1] if output else f'exit code {code}')

    def block(self, block: doc_blocks.Block, following: doc_blocks.Block | None) -> None:
        if block.kind in ('json', 'text', 'csv', 'xml') and '.' in block.detail:
            (self.folder / block.detail).write_text('\n'.join(block.lines) + '\n', encoding='utf-8')
        if block.kind == 'json':
            self.json(block)
        elif block.kind == 'cpp':
            self.cpp(block)
        elif block.kind == 'sh':
            shown = following is not None and following.after and following.kind == 'text' and not following.detail
            for command in doc_blocks.shell_commands(block, following.lines if shown else None):
                self.command(command)
        elif block.kind == 'console':
            for command in doc_blocks.console_commands(block):
                self.command(command)

    def pictures(self) -> None:
        for name in dict.fromkeys(doc_blocks.PICTURE.findall(self.page.read_text(encoding='utf-8'))):
            drawn = doc_blocks.drawing(self.folder, name)
            if drawn is None:
                continue
            self.counts['pictures compared'] += 1
            kept = self.page.parent / 'pictures' / f'{name}.svg'
            if self.options.pictures:
                kept.write_text(drawn, encoding='utf-8')
            elif not kept.exists() or not doc_blocks.same_drawing(kept.read_text(encoding='utf-8'), drawn):
                self.wrong(1, f'pictures/{name}.svg is not what the page draws; tools/run_docs.py --pictures renews it')

    def all(self) -> 'Run':
        try:
            blocks = doc_blocks.blocks(self.page)
        except ValueError as error:
            line, _, sentence = str(error).partition(': ')
            self.wrong(int(line), sentence)
            return self
        for block, following in zip(blocks, [*blocks[1:], None]):
            self.block(block, following)
        self.pictures()
        if python := [b for b in blocks if b.kind == 'python']:
            self.python(python)
        return self


def importable(folder: pathlib.Path | None) -> bool:
    """Whether Python finds the module there; without a folder, whether it is installed."""
    environment = {**os.environ, **({'PYTHONPATH': str(folder)} if folder else {})}
    return subprocess.run([sys.executable, '-B', '-c', 'import tact, numpy; tact.Model'], env=environment,
                          capture_output=True, check=False, cwd='/').returncode == 0


def run_page(page: pathlib.Path, options: argparse.Namespace) -> Run:
    with tempfile.TemporaryDirectory() as name:
        return Run(page, options, pathlib.Path(name)).all()


def pages_of(root: pathlib.Path) -> list[pathlib.Path]:
    top = [root / 'README.md', root / 'CONTRIBUTING.md']
    return [f for f in top if f.exists()] + sorted((root / 'docs').glob('*.md'))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('pages', nargs='*', type=pathlib.Path)
    parser.add_argument('--tact', type=pathlib.Path, default=house.ROOT / 'build/release/tact', help='the command')
    parser.add_argument('--python', type=pathlib.Path, default=os.environ.get('TACT_PYTHON') or None,
                        help='folder that holds the Python module')
    parser.add_argument('--root', type=pathlib.Path, default=house.ROOT)
    parser.add_argument('--pictures', action='store_true', help='keep the pictures that the pages draw')
    parser.add_argument('--renew', action='store_true', help='write what commands print into the pages that show it')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.tact, options.root = options.tact.resolve(), options.root.resolve()
    if not options.tact.exists():
        parser.error(f'{options.tact} does not exist: ./run build makes it')
    if options.python:
        options.python = pathlib.Path(options.python).resolve()
        if not importable(options.python):
            print(f'no Python module in {options.python}: its blocks are not run')
            options.python = None
    return options


def main() -> None:
    options = arguments()
    pages = [page.resolve() for page in options.pages] or pages_of(options.root)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(lambda page: run_page(page, options), pages))
    counts = sum((run.counts for run in runs), collections.Counter())
    print(f'{len(pages)} pages: ' + ', '.join(f'{number} {what}' for what, number in counts.items()))
    problems = [problem for run in runs for problem in run.problems]
    print(f'{len(problems)} problems')
    house.report(problems, options.root)


if __name__ == '__main__':
    main()
