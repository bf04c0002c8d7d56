#!/usr/bin/python3
"""No literal smaller than 1e-4 outside tact/base/tolerance.hpp: a tolerance has a name and a scale."""
import pathlib
import re

import house

HOME = pathlib.PurePath('tact/base/tolerance.hpp')
SMALLEST = 1e-4
NUMBER = re.compile(
    r"(?<![\w.])(?:"
    r"(?P<hex>0[xX][0-9a-fA-F']*\.?[0-9a-fA-F']*[pP][+-]?\d+)"
    r"|(?P<dec>(?:\d[\d']*\.?[\d']*|\.\d[\d']*)(?:[eE][+-]?\d+)?)"
    r")[fFlL]?(?![\w.])")


def check(root: pathlib.Path) -> list[house.Problem]:
    problems = []
    for file in house.sources(root, 'tact', 'apps'):
        place = file.relative_to(root)
        if place == HOME or house.is_test(file):
            continue
        for number, line in house.code_lines(file):
            for m in NUMBER.finditer(line):
                in_base = place.parts[:2] == ('tact', 'base')
                if m['hex'] and in_base:  # powers of two are exact: the random numbers need them
                    continue
                digits = m[0].replace("'", '').rstrip('fFlL') if m['dec'] else m['hex'].replace("'", '')
                value = float(digits) if m['dec'] else float.fromhex(digits)
                if 0 < value < SMALLEST:
                    problems.append(house.Problem(
                        file, number, f'literal {m[0]} below 1e-4: name it in {HOME}'))
    return problems


if __name__ == '__main__':
    house.main(check)
