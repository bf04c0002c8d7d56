#!/usr/bin/python3
"""Which sources of a folder can be compiled as one: to read Eigen once for many saves most of the time.

Two sources go together unless their unnamed namespaces give one name to two things, or one of them hides a type by the
name of a type in a header of the other.
Usage: batches.py SOURCE...   prints one batch a line, its files separated by semicolons
"""
import functools
import pathlib
import re
import sys

import house

BATCH = 12  # files; more would leave a core idle at the end
HIDDEN = re.compile(r'^namespace \{$(.*?)^\}  // namespace$', re.MULTILINE | re.DOTALL)
NAME = re.compile(r'^(?:using (\w+ = .*)|(?:struct|class|enum class|enum) (\w+)|\w[^()={;]*?[ &*>](\w+)\s*[({=;\[])',
                  re.MULTILINE)

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
TYPE = re.compile(r'^(?:struct|class|enum class|enum|using) (\w+)(?: final)?(?: :.*)?(?: \{| = )', re.MULTILINE)
ONE_OF_SEVERAL = re.compile(r'[ ,](\w+) = ')  # constexpr double width = 2, height = 1;


def hidden_names(file: pathlib.Path) -> dict[str, str]:
    """Names of the unnamed namespaces of a source, with what they stand for where that is an alias."""
    names = {}
    for part in HIDDEN.findall(file.read_text(encoding='utf-8')):
        code = re.sub(r'^(?:template|using namespace|using [\w:]+;).*\n', '', house.code_only(part), flags=re.MULTILINE)
        for alias, kind, other in NAME.findall(code):
            name, _, meaning = alias.partition(' = ')
            names[name or kind or other] = meaning
        for line in re.findall(r'^(?:static |inline )?const.*', code, re.MULTILINE):
            names.update(dict.fromkeys(ONE_OF_SEVERAL.findall(line.partition('{')[0]), ''))
    return names


@functools.cache
def known_types(file: pathlib.Path) -> frozenset[str]:
    """Types of the headers of ours that a file includes, directly or not."""
    names: set[str] = set()
    for name in INCLUDE.findall(file.read_text(encoding='utf-8')):
        header = next((h for h in (house.ROOT / name, file.parent / name) if h.is_file()), None)
        if header:
            names |= known_types(header) | frozenset(TYPE.findall(house.code_only(header.read_text(encoding='utf-8'))))
    return frozenset(names)


def clash(some: dict[str, str], others: dict[str, str]) -> bool:
    """Whether two sources cannot be read one after the other; the same alias twice is no contradiction."""
    return any(not some[name] or some[name] != others[name] for name in some.keys() & others.keys())


def batches(files: list[pathlib.Path]) -> list[list[pathlib.Path]]:
    """The sources of each folder, each put into the first batch that has room and none of its names."""
    made: dict[pathlib.Path, list[tuple[list[pathlib.Path], dict[str, str], set[str]]]] = {}
    for file in files:
        names, types = hidden_names(file), known_types(file)
        folder = made.setdefault(file.parent, [])
        place = next((b for b in folder if len(b[0]) < BATCH and not clash(names, b[1])
                      and not names.keys() & b[2] and not types & b[1].keys()), None)
        if place is None:
            folder.append(place := ([], {}, set()))
        place[0].append(file)
        place[1].update(names)
        place[2].update(types)
    return [batch for folder in made.values() for batch, _, _ in folder]


if __name__ == '__main__':
    for one in batches([pathlib.Path(name) for name in sys.argv[1:]]):
        print(*one, sep=';')
