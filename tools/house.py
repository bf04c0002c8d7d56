"""What the house rules share: finding the sources, reading them without comments, reporting."""
import pathlib
import re
import sys
from typing import Callable, Iterable, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent

_NOT_CODE = re.compile(
    r'//[^\n]*'                             # comment to the end of the line
    r'|/\*.*?\*/'                           # comment over lines
    r'|R"(?P<tag>\w*)\(.*?\)(?P=tag)"'      # raw string
    r'|"(?:\\.|[^"\\\n])*"'                 # string
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",  # character; after a digit it separates digits
    re.DOTALL)


class Problem(NamedTuple):
    """One broken rule at one place."""
    file: pathlib.Path
    line: int
    sentence: str


def sources(root: pathlib.Path, *folders: str) -> list[pathlib.Path]:
    """The C++ files of the folders, in a fixed order."""
    files = (f for folder in folders for f in (root / folder).rglob('*.[ch]pp'))
    return sorted(f for f in files if 'build' not in f.relative_to(root).parts)


def is_test(file: pathlib.Path) -> bool:
    return file.name.endswith('_test.cpp')


def code_only(text: str) -> str:
    """The text with comments and the inside of literals blanked; every line keeps its number."""
    return _NOT_CODE.sub(lambda m: re.sub(r'[^\n]', ' ', m[0]), text)


def code_lines(file: pathlib.Path) -> Iterable[tuple[int, str]]:
    return enumerate(code_only(file.read_text(encoding='utf-8')).splitlines(), 1)


def line_of(text: str, position: int) -> int:
    return text.count('\n', 0, position) + 1


def report(problems: list[Problem], root: pathlib.Path = ROOT) -> None:
    """Prints file:line: sentence for each problem and ends the program."""
    for p in sorted(problems):
        print(f'{p.file.relative_to(root)}:{p.line}: {p.sentence}')
    sys.exit(1 if problems else 0)


def main(check: Callable[[pathlib.Path], list[Problem]]) -> None:
    report(check(ROOT))
