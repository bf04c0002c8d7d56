#!/usr/bin/python3
"""tact against Siconos on the same problem files: a table and a performance profile.

Reads what problem_files (bench/problem_files.cpp) and siconos_baseline.py wrote. Both judge by the same residual,
fc3d <= 1e-8; whatever did not reach it counts as failed, whatever its own test said. The profile is that of
Dolan and More: the share of all problems that a solver solves within a factor of the fastest solver's time.
"""
import argparse
import csv
import html
import math
import pathlib
import statistics
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 520, 70, 290, 30, 60
FARTHEST = 1e4  # the largest factor that is drawn
SHOWN_PEERS = 6
OURS = ['#0b6e4f', '#1b9aaa', '#06a77d', '#5bc0be', '#3d5a80', '#7fb069', '#98c1d9']
THEIRS = ['#d1495b', '#edae49', '#8f5d5d', '#b56576', '#9c6644', '#6d597a', '#e07a5f']

Times = dict[str, dict[str, float]]  # solver -> problem -> seconds, solved ones only


class Run(NamedTuple):
    """One program's results."""
    times: Times
    problems: dict[str, int]  # name -> contacts
    residuals: dict[tuple[str, str], float]


def read(path: pathlib.Path, prefix: str) -> Run:
    """Solvers are called PREFIX + name; a problem that nobody solved is still a problem."""
    times: Times = {}
    problems, residuals = {}, {}
    with path.open(encoding='utf-8', newline='') as lines:
        for row in csv.DictReader(lines):
            if row['status'] == 'unsupported':
                continue
            solver = prefix + row['solver']
            own = times.setdefault(solver, {})
            problems[row['problem']] = int(row['nc'])
            residuals[solver, row['problem']] = float(row['e'] or 'inf')
            if row['status'] == 'solved':
                own[row['problem']] = min(float(row['seconds']), own.get(row['problem'], math.inf))
    return Run(times, problems, residuals)


def best(times: Times, problem: str) -> tuple[str, float]:
    """The fastest solver of a problem and its time; no name and infinity when there is none."""
    return min(((solver, own[problem]) for solver, own in times.items() if problem in own),
               key=lambda pair: pair[1], default=('', math.inf))


def duration(seconds: float) -> str:
    if math.isinf(seconds):
        return 'failed'
    for unit, size in (('s', 1.0), ('ms', 1e-3)):
        if seconds >= size:
            return f'{seconds / size:.3g} {unit}'
    return f'{seconds * 1e6:.3g} µs'


def ratio_text(ours: float, theirs: float) -> str:
    if math.isinf(ours):
        return '–' if math.isinf(theirs) else 'lost'
    return 'only tact' if math.isinf(theirs) else f'{ours / theirs:.2f}'


def table(tact: Run, siconos: Run, problems: list[str], chosen: str) -> str:
    """One line a problem, the hardest last, and a summary."""
    lines = ['| problem | contacts | tact auto | best named | best Siconos | auto / Siconos |',
             '|---|---|---|---|---|---|']
    ratios, slower = [], []
    named = {solver: own for solver, own in tact.times.items() if solver != chosen}
    for problem in problems:
        ours = tact.times[chosen].get(problem, math.inf)
        name, quick = best(named, problem)
        peer, theirs = best(siconos.times, problem)
        if not math.isinf(ours) and not math.isinf(theirs):
            ratios.append(ours / theirs)
            if ours > theirs:
                slower.append(problem)
        contacts = tact.problems.get(problem, siconos.problems.get(problem))
        left = duration(ours) if not math.isinf(ours) else \
            f'failed at {tact.residuals.get((chosen, problem), math.inf):.1e}'
        lines.append(f'| {problem} | {contacts} | {left} '
                     f'| {duration(quick)} {name.removeprefix("tact ")} | {duration(theirs)} '
                     f'{peer.removeprefix("Siconos ")} | {ratio_text(ours, theirs)} |')
    lines.append('')
    if len(ratios) > 1:
        quartiles = statistics.quantiles(ratios, n=4)
        lines += [f'Time of auto over the best Siconos solver of each problem, {len(ratios)} problems solved by both: '
                  f'median {statistics.median(ratios):.2f}, quartiles {quartiles[0]:.2f} and {quartiles[2]:.2f}, '
                  f'worst {max(ratios):.2f}, best {min(ratios):.3f}; '
                  f'auto is slower on {len(slower)}.', '']
    return '\n'.join(lines)


def counts(runs: list[Run], problems: list[str]) -> str:
    """How many every solver solved."""
    lines = ['| solver | tried | solved |', '|---|---|---|']
    for run in runs:
        for solver, own in sorted(run.times.items(), key=lambda pair: -len(pair[1])):
            tried = sum(1 for p in problems if (solver, p) in run.residuals)
            lines.append(f'| {solver} | {tried} | {sum(1 for p in problems if p in own)} |')
    return '\n'.join(lines) + '\n'


def profile(times: Times, problems: list[str]) -> dict[str, list[float]]:
    """For every solver the factors over the fastest, ascending, of the problems it solves."""
    fastest = {p: best(times, p)[1] for p in problems}
    return {solver: sorted(own[p] / fastest[p] for p in problems if p in own) for solver, own in times.items()}


def x_of(factor: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, math.log(factor) / math.log(FARTHEST))


def y_of(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def curve(factors: list[float], count: int) -> str:
    """Steps from the left edge to the right one."""
    share = sum(1 for f in factors if f <= 1) / count
    path = [f'M{x_of(1):.1f} {y_of(share):.1f}']
    for k, factor in enumerate(factors, 1):
        if factor > 1:
            path.append(f'H{x_of(factor):.1f}V{y_of(k / count):.1f}')
        if factor > FARTHEST:
            break
    return ''.join(path) + f'H{x_of(FARTHEST):.1f}'


def picture(factors: dict[str, list[float]], count: int) -> str:
    """The profile as SVG, readable without colours: names stand at the right, in the order of the curves' ends."""
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           'font-size="13">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<title>Share of {count} problems solved within a factor of the fastest solver</title>']
    for decade in range(int(math.log10(FARTHEST)) + 1):
        x = x_of(10.0 ** decade)
        out.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                   f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10 ** decade}</text>')
    for tenth in range(0, 11, 2):
        y = y_of(tenth / 10)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth * 10} %</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 15}" text-anchor="middle">time over the '
               f'fastest solver\'s; share of {count} problems, failures counted</text>')
    order = sorted(factors, key=lambda solver: (-len(factors[solver]), solver))
    colours = {True: iter(OURS), False: iter(THEIRS)}
    for k, solver in enumerate(order):
        ours = solver.startswith('tact')
        colour = next(colours[ours], '#888')
        style = f'stroke="{colour}" stroke-width="{3.5 if solver == "tact auto" else 1.8}"'
        dashes = '' if ours else ' stroke-dasharray="6 3"'
        y = TOP + 10 + 22 * k
        out.append(f'<path d="{curve(factors[solver], count)}" fill="none" {style}{dashes}/>')
        out.append(f'<path d="M{WIDTH - RIGHT + 15} {y}h26" {style}{dashes}/><text x="{WIDTH - RIGHT + 48}" '
                   f'y="{y + 4}">{html.escape(solver)}, {len(factors[solver])} of {count}</text>')
    return '\n'.join([*out, '</svg>', ''])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--tact', type=pathlib.Path, required=True, help='CSV of problem_files')
    parser.add_argument('--siconos', type=pathlib.Path, help='CSV of siconos_baseline.py --out')
    parser.add_argument('--table', type=pathlib.Path, required=True, help='Markdown to write')
    parser.add_argument('--picture', type=pathlib.Path, required=True, help='SVG to write')
    options = parser.parse_args()

    tact = read(options.tact, 'tact ')
    siconos = read(options.siconos, 'Siconos ') if options.siconos else Run({}, {}, {})
    asked = [p for p in tact.problems if not options.siconos or p in siconos.problems]  # of both
    problems = sorted(asked, key=lambda p: (tact.problems[p], p))
    options.table.write_text(table(tact, siconos, problems, 'tact auto') + '\n'
                             + counts([tact, siconos], problems), encoding='utf-8')
    peers = sorted(siconos.times, key=lambda s: -sum(1 for p in problems if p in siconos.times[s]))[:SHOWN_PEERS]
    shown = tact.times | {solver: siconos.times[solver] for solver in peers}
    fastest = {p: best(siconos.times, p)[1] for p in problems if best(siconos.times, p)[0]}
    if fastest:
        shown['Siconos, the best for each'] = fastest
    options.picture.write_text(picture(profile(shown, problems), len(problems)), encoding='utf-8')


if __name__ == '__main__':
    main()
