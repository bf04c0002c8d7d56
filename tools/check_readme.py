#!/usr/bin/python3
"""The program printed in the README is the example that the tests compile and run."""
import pathlib
import re

import house

EXAMPLE = 'examples/01_patch.cpp'
BLOCK = re.compile(r'^```cpp\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def squeezed(text: str) -> str:
    """The code without comments and white space: a formatter may set the example differently."""
    return re.sub(r'\s+', '', re.sub(r'//[^\n]*', '', text))


def check(root: pathlib.Path) -> list[house.Problem]:
    readme = root / 'README.md'
    text = readme.read_text(encoding='utf-8')
    block = BLOCK.search(text)
    if block is None:
        return [house.Problem(readme, 1, 'no C++ program: the README shows one that can be tried')]
    if squeezed(block[1]) == squeezed((root / EXAMPLE).read_text(encoding='utf-8')):
        return []
    return [house.Problem(readme, house.line_of(text, block.start()), f'the program differs from {EXAMPLE}')]


if __name__ == '__main__':
    house.main(check)
