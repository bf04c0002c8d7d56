#!/usr/bin/python3
"""The library never prints, never ends the process and never asks the environment; nothing that is
ours draws random numbers without a seed."""
import pathlib
import re

import house

CALLED = r'(?:(?<![\w>&*] )|(?<=return )|(?<=else ))(?<![\w:.>])(?:(?:std\s*)?::\s*)?'  # not: Type name(
PRINTING = re.compile(
    r'\bstd\s*::\s*(?:cout|cerr|clog|wcout|wcerr|print|println|terminate|abort)\b'
    r'|\bfmt\s*::\s*print\w*'
    rf'|{CALLED}(?:v?f?printf|f?puts|putchar|perror|_?exit|quick_exit|abort|terminate|getenv|system)\s*\('
    r'|\b(?:cout|cerr|clog)\s*<<'
    r'|#\s*include\s*<(?:iostream|print)>')
UNSEEDED = re.compile(
    r'\bstd\s*::\s*rand\b|(?<![\w.>:])s?rand\s*\(|\brandom_device\b|(?:::|\.)\s*(?:setRandom|Random)\s*\(')


def check(root: pathlib.Path) -> list[house.Problem]:
    problems = []
    for file in house.sources(root, 'tact', 'tests', 'bench'):
        in_library = file.relative_to(root).parts[0] == 'tact' and not house.is_test(file)
        for number, line in house.code_lines(file):
            if in_library and (m := PRINTING.search(line)):
                problems.append(house.Problem(
                    file, number, f'"{m[0].strip()}": the library never prints, exits or asks the environment'))
            if m := UNSEEDED.search(line):
                problems.append(house.Problem(
                    file, number, f'"{m[0].strip()}": random numbers come from tact/base/rng.hpp with a seed'))
    return problems


if __name__ == '__main__':
    house.main(check)
