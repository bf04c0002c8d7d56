#!/usr/bin/python3
"""A room includes rooms of its own floor and of lower floors. The order below is the architecture."""
import pathlib
import re

import house

FLOORS = 'base linalg poly spatial cone geom body contact modes solve impact soft sim io'.split()
INCLUDE = re.compile(r'\s*#\s*include\s*["<]((?:tact|apps|python|viewer|tests|bench)/[^">]*)[">]')


def check(root: pathlib.Path) -> list[house.Problem]:
    problems = []
    for file in house.sources(root, 'tact'):
        if file.parent == root / 'tact':  # the header of all headers stands above the floors
            continue
        floor = file.relative_to(root).parts[1]
        if floor not in FLOORS:
            problems.append(house.Problem(
                file, 1, f'{floor} is no floor of the house (tools/check_layers.py lists them)'))
            continue
        for number, line in enumerate(file.read_text(encoding='utf-8').splitlines(), 1):
            if not (m := INCLUDE.match(line)):
                continue
            top, lower = m[1].split('/')[:2]
            if top in ('tests', 'bench') and house.is_test(file):
                continue
            if top != 'tact':
                problems.append(house.Problem(file, number, f'the library includes {m[1]}'))
            elif lower not in FLOORS:
                problems.append(house.Problem(file, number, f'{m[1]} is on no floor of the house'))
            elif FLOORS.index(lower) > FLOORS.index(floor):
                problems.append(house.Problem(
                    file, number, f'{floor} includes {m[1]}, which is on a higher floor'))
    return problems


if __name__ == '__main__':
    house.main(check)
