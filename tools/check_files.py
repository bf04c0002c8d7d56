#!/usr/bin/python3
"""The shape of a file: headers say what they are, are tested, and no file is too long to read."""
import pathlib
import re

import house

LONGEST = 600
NOT_RUN = {'compile_fail', 'package'}  # below tests/: they show that it compiles, not that it is right
INCLUDE = re.compile(r'^\s*#\s*include\s*"(tact/[^"]+\.hpp)"', re.MULTILINE)


def shape_of_header(root: pathlib.Path, header: pathlib.Path) -> list[house.Problem]:
    text = header.read_text(encoding='utf-8')
    name = header.relative_to(root / 'tact').as_posix()
    problems = []
    if not re.match(rf'// {re.escape(name)} - \S.*', text):
        problems.append(house.Problem(header, 1, f'line 1 must read "// {name} - one sentence"'))
    if not re.search(r'^#pragma once$', text, re.MULTILINE):
        problems.append(house.Problem(header, 1, '#pragma once is missing'))
    return problems


def own_header_first(root: pathlib.Path, source: pathlib.Path) -> list[house.Problem]:
    """A header is seen to include all it needs where a source includes it before anything else."""
    header = source.with_name(source.name.removesuffix('_test.cpp').removesuffix('.cpp') + '.hpp')
    first = re.search(r'^\s*#\s*include\s*[<"]([^">]+)[">]', source.read_text(encoding='utf-8'), re.MULTILINE)
    name = header.relative_to(root).as_posix()
    if not header.exists() or (first and first[1] == name):
        return []
    return [house.Problem(source, 1, f'the first include must be "{name}"')]


TYPE = re.compile(r'^(?:struct|class|enum class) (\w+)(?: [^;<\n]*)?\{', re.MULTILINE)


def one_name_one_type(headers: list[pathlib.Path]) -> list[house.Problem]:
    """All floors share one namespace: two types of one name would be mixed up by the linker, silently."""
    first, problems = {}, []
    for header in headers:
        for found in TYPE.finditer(house.code_only(header.read_text(encoding='utf-8'))):
            other = first.setdefault(found[1], header)
            if other != header:
                line = header.read_text(encoding='utf-8')[:found.start()].count('\n') + 1
                problems.append(house.Problem(header, line, f'{found[1]} is also a type of {other.name}: rename one'))
    return problems


def declares_a_function(header: pathlib.Path) -> bool:
    """Only aliases, enumerations and plain data have nothing to test."""
    return '(' in re.sub(r'^\s*#.*$', '', house.code_only(header.read_text(encoding='utf-8')), flags=re.MULTILINE)


def check(root: pathlib.Path) -> list[house.Problem]:
    problems = []
    tests = [f for f in house.sources(root, 'tact', 'tests') if not NOT_RUN & set(f.relative_to(root).parts)
             and (house.is_test(f) or f.is_relative_to(root / 'tests'))]
    tested = {name for f in tests for name in INCLUDE.findall(f.read_text(encoding='utf-8'))}
    floors = house.sources(root, 'tact')
    for source in (f for f in floors if f.suffix == '.cpp'):
        problems += own_header_first(root, source)
    problems += one_name_one_type([f for f in floors if f.suffix == '.hpp'])
    for header in (f for f in floors if f.suffix == '.hpp'):
        problems += shape_of_header(root, header)
        if declares_a_function(header) and header.relative_to(root).as_posix() not in tested:
            problems.append(house.Problem(
                header, 1, f'no test includes it: write {header.stem}_test.cpp beside it'))

    own = house.sources(root, 'tact', 'apps', 'tests', 'bench', 'examples', 'python')
    for file in own + sorted((root / 'tools').rglob('*.py')):
        lines = len(file.read_text(encoding='utf-8').splitlines())
        if lines > LONGEST:
            problems.append(house.Problem(file, LONGEST + 1, f'{lines} lines; more than {LONGEST} is two files'))
    return problems


if __name__ == '__main__':
    house.main(check)
