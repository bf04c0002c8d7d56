#!/usr/bin/python3
"""How fast Siconos solves a folder of frictional contact problems, by a residual that is not its own.

Runs siconos_fcp once per problem, solver, storage and tolerance, each in a process of its own under a
time limit, one at a time and on one thread. Siconos stops by a test that differs from the judge, so the
tolerances go from loose to tight and the first run whose scale-free residual e is at most 1e-8 counts.

A full run takes hours. With --again only the fastest settings of earlier runs are measured anew, and with --tact our
solvers on the same file right before them, so that both see the same machine.
"""
import argparse
import csv
import fnmatch
import json
import os
import pathlib
import subprocess
from typing import Iterator, NamedTuple

BAR = 1e-8
TOLERANCES = ('1e-6', '1e-8', '1e-10', '1e-12', '1e-14')
SPARE = 1.0  # seconds for starting and reading, on top of the limit
SHORTEST = 0.5  # seconds that a race leaves to everyone
LARGEST_DENSE = 400  # unknowns, beyond which block storage is always the faster
LARGEST_ENUMERATED = 6  # contacts

FIRST = {
    'planar': ['2d-NSGS', '2d-CPG', '2d-LEMKE'],
    'spatial': ['NSGS', 'NSN_AC', 'NSN_FB', 'PROX', 'ADMM', 'VI_EG'],
    'global': ['global-ADMM', 'global-NSGS_WR', 'global-NSN_AC_WR', 'global-IPM'],
}
COLUMNS = ['problem', 'nc', 'solver', 'tolerance', 'seconds', 'e', 'status',
           'dim', 'form', 'storage', 'wall', 'info', 'residual', 'iterations', 'limit']
BEST_COLUMNS = ['problem', 'nc', 'solver', 'seconds', 'e', 'storage', 'tolerance']


class Runner(NamedTuple):
    """The program and its time limit."""
    binary: pathlib.Path
    seconds: float

    def ask(self, *arguments: str) -> tuple[str, str]:
        """What it printed, and how it ended: ok, timeout or crash."""
        environment = dict(os.environ, OPENBLAS_NUM_THREADS='1', OMP_NUM_THREADS='1')
        try:
            done = subprocess.run([self.binary, *arguments], env=environment, timeout=self.seconds + SPARE,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return '', 'timeout'
        return done.stdout.decode(errors='replace'), 'ok' if done.returncode == 0 else 'crash'

    def record(self, *arguments: str) -> dict:
        """The last line of JSON among whatever Siconos printed, with the judge's word in `status`."""
        text, end = self.ask(*arguments)
        lines = [line for line in text.splitlines() if line.startswith('{"file"')]
        if not lines:
            return {'status': 'crash' if end == 'ok' else end}
        record = json.loads(lines[-1])
        if 'e' in record:
            solved = record['e'] is not None and record['e'] <= BAR
            late = record['cpu'] > self.seconds
            record['status'] = ('timeout' if late else 'solved' if solved
                                else 'inexact' if record['info'] == 0 else 'failed')
        return record


def rank(record: dict) -> tuple:
    """Solved before unsolved; then by time, or by how close it came."""
    if record['status'] == 'solved':
        return 0, record['cpu']
    e = record.get('e')
    return 1, float('inf') if e is None else e


def ladder(runner: Runner, file: pathlib.Path, solver: str, storage: str) -> Iterator[dict]:
    """One record per tolerance, until one is solved or the time for this solver is used up."""
    spent = 0.0
    for tolerance in TOLERANCES:
        record = runner.record(str(file), solver, tolerance, storage)
        yield {'solver': solver, 'storage': storage, 'tolerance': tolerance} | record
        spent += record.get('wall', 0.0)
        if record['status'] in ('solved', 'timeout') or spent > runner.seconds:
            return


def fitting(problem: dict, names: list[str]) -> list[str]:
    """The solvers that take this problem."""
    def fits(name: str) -> bool:
        if name.startswith('2d-'):
            return problem['dim'] == 2 and (name != '2d-ENUM' or problem['nc'] <= LARGEST_ENUMERATED)
        if name.startswith('global-'):
            return problem['dim'] == 3 and problem['form'] == 'global'
        return problem['dim'] == 3 and (problem['nc'] == 1 or not name.startswith('one-'))
    return [name for name in names if fits(name)]


def storages(problem: dict, solver: str) -> list[str]:
    """As given and scaled, in the forms worth trying."""
    small = problem['dim'] * problem['nc'] <= LARGEST_DENSE
    if solver in ('2d-CPG', '2d-LEMKE', '2d-ENUM'):
        kinds = ['dense']  # they make it dense anyway
    else:
        kinds = (['sparse'] if solver.startswith('global-') else ['block']) + (['dense'] if small else [])
    return [kind + scale for kind in kinds for scale in ('', '-unit')]


def baseline(runner: Runner, files: list[pathlib.Path], names: list[str], race: float) -> Iterator[dict]:
    """The best record of every problem and solver; with a race, what is that much slower is stopped."""
    for file in files:
        problem = runner.record(str(file))
        if problem.get('dim') not in (2, 3) or problem['nc'] == 0:
            continue
        limit = runner.seconds
        for solver in fitting(problem, names):
            runs: list[dict] = []
            for storage in storages(problem, solver):
                runs += ladder(runner._replace(seconds=limit), file, solver, storage)
            best = min(runs, key=rank)
            yield best | {'problem': problem['file'], 'nc': problem['nc'], 'dim': problem['dim'],
                          'form': problem['form'], 'seconds': best.get('cpu', ''), 'limit': limit}
            if race and best['status'] == 'solved':
                limit = min(limit, max(SHORTEST, race * best['cpu']))


class Ours(NamedTuple):
    """The program problem_files and where its lines go."""
    binary: pathlib.Path
    out: pathlib.Path

    def run(self, seconds: float, file: pathlib.Path, first: bool) -> None:
        done = subprocess.run([self.binary, str(seconds), str(file)], stdout=subprocess.PIPE, check=True)
        lines = done.stdout.decode().splitlines(keepends=True)
        with self.out.open('w' if first else 'a', encoding='utf-8') as out:
            out.writelines(lines if first else lines[1:])


def again(runner: Runner, files: list[pathlib.Path], earlier: list[dict], keep: int,
          ours: Ours | None) -> Iterator[dict]:
    """Only the fastest settings of earlier runs, each anew: what a full run takes hours for, in minutes."""
    for file in files:
        if ours:
            ours.run(runner.seconds, file, first=file is files[0])
        name = file.name.partition('.fcp')[0]
        own = [row | {'cpu': float(row['seconds'] or 'inf'), 'e': float(row['e'] or 'inf')}
               for row in earlier if row['problem'] == name]
        settings: dict[tuple, dict] = {}
        for row in sorted(own, key=rank):
            settings.setdefault((row['solver'], row['storage'], row['tolerance']), row)
        solved = [row for row in settings.values() if row['status'] == 'solved']
        for row in solved[:keep] or list(settings.values())[:1]:  # what nobody solved is tried once
            record = runner.record(str(file), row['solver'], row['tolerance'], row['storage'])
            yield row | record | {'seconds': record.get('cpu', ''), 'limit': runner.seconds}


def best_of(rows: list[dict]) -> list[dict]:
    """Per problem the fastest solver that reached the bar, or none with the smallest residual."""
    problems: dict[str, list[dict]] = {}
    for row in rows:
        problems.setdefault(row['problem'], []).append(row)
    chosen = []
    for _, own in sorted(problems.items()):
        best = min(own, key=rank)
        if best['status'] != 'solved':
            best = best | {'solver': f'none ({best["solver"]})', 'seconds': ''}
        chosen.append(best)
    return chosen


def read(path: pathlib.Path) -> list[dict]:
    with path.open(encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines))


def write(path: pathlib.Path, columns: list[str], rows: list[dict]) -> None:
    with path.open('w', encoding='utf-8', newline='') as out:
        table = csv.DictWriter(out, columns, extrasaction='ignore', restval='')
        table.writeheader()
        table.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=pathlib.Path, help='with *.fcp and *.fcp.gz files')
    parser.add_argument('--out', type=pathlib.Path, required=True, help='CSV: one row per problem and solver')
    parser.add_argument('--best', type=pathlib.Path, help='CSV: one row per problem')
    parser.add_argument('--binary', type=pathlib.Path, required=True, help='the program siconos_fcp')
    parser.add_argument('--seconds', type=float, default=60.0, help='time limit of one run')
    parser.add_argument('--race', type=float, default=0.0, help='stop what is this many times slower than the best')
    parser.add_argument('--problems', default='*', help='pattern of file names')
    parser.add_argument('--solvers', default='first', help='"first", "all" or names with commas between')
    parser.add_argument('--again', type=pathlib.Path, nargs='+', help='CSV of earlier runs: only their fastest settings')
    parser.add_argument('--keep', type=int, default=3, help='with --again, how many settings of every problem')
    parser.add_argument('--tact', type=pathlib.Path, help='with --again, the program problem_files, run beside')
    parser.add_argument('--tact-out', type=pathlib.Path, help='CSV of that')
    options = parser.parse_args()

    runner = Runner(options.binary.resolve(), options.seconds)
    first = sum(FIRST.values(), [])
    every = first + [name for name in runner.ask('--solvers')[0].split() if name not in first]
    names = {'first': first, 'all': every}.get(options.solvers, options.solvers.split(','))
    files = [f for f in sorted(options.folder.glob('*.fcp*')) if fnmatch.fnmatch(f.name, options.problems)]
    files.sort(key=lambda f: f.stat().st_size)

    rows: list[dict] = []
    runs = baseline(runner, files, names, options.race)
    if options.again:
        ours = Ours(options.tact.resolve(), options.tact_out) if options.tact else None
        runs = again(runner, files, [row for path in options.again for row in read(path)], options.keep, ours)
    for row in runs:
        rows.append(row)
        print(row['problem'], row['solver'], row['tolerance'], row['seconds'], row.get('e'), row['status'], flush=True)
        write(options.out, COLUMNS, rows)
        if options.best:
            write(options.best, BEST_COLUMNS, best_of(rows))


if __name__ == '__main__':
    main()
