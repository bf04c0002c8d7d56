#!/usr/bin/python3
"""clang-tidy over the library, the command and the Python module, and only over what has changed.

A file is not checked again while the file itself, every header of ours that it includes, its compile
command, the configuration and clang-tidy are what they were when it was last found clean. Headers
without a source of their own are checked together, as one source that includes them all: most of the
time goes into reading Eigen. For the same reason sources of one folder are read in batches, one source
that includes several; a file of a batch that was not clean is then checked alone, and that decides.
Usage: tidy.py BUILD_DIR JOBS
"""
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import batches
import house

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]((?:tact|apps)/[^">]+)[">]', re.MULTILINE)
TOOL = 'clang-tidy'


def reached(file: pathlib.Path, seen: set[pathlib.Path]) -> set[pathlib.Path]:
    """The file and every header of ours that it includes, directly or not."""
    if file not in seen and file.exists():
        seen.add(file)
        for name in INCLUDE.findall(file.read_text(encoding='utf-8')):
            reached(house.ROOT / name, seen)
        for name in re.findall(r'^\s*#\s*include\s*"([^/"]+)"', file.read_text(encoding='utf-8'), re.MULTILINE):
            reached(file.parent / name, seen)
    return seen


def units(build: pathlib.Path, work: pathlib.Path) -> list[dict]:
    """Compile commands of our sources, and of one source that stands for the headers that have none."""
    wanted, headers, stand_in = [], [], None
    checked_alone = build / 'tact_verify_interface_header_sets'  # CMake's one-line source of each header
    for entry in json.loads((build / 'compile_commands.json').read_text(encoding='utf-8')):
        file = pathlib.Path(entry['file'])
        if file.is_relative_to(checked_alone):
            header = file.relative_to(checked_alone).with_suffix('')
            if (house.ROOT / header).exists() and not (house.ROOT / header).with_suffix('.cpp').exists():
                headers.append(header.as_posix())
                stand_in = stand_in or entry
        elif any(file.is_relative_to(house.ROOT / top) for top in ('tact', 'apps', 'python')) and not house.is_test(file):
            wanted.append(entry)
    if stand_in:
        together = str(work / 'headers.cpp')
        pathlib.Path(together).write_text(''.join(f'#include "{h}"\n' for h in sorted(headers)), encoding='utf-8')
        wanted.append(stand_in | {'file': together, 'command': stand_in['command'].replace(stand_in['file'], together)})
    return wanted


def joined(batch: list[dict], number: int, work: pathlib.Path) -> dict:
    """The compile command of a source that includes the files of a batch."""
    file = work / f'batch_{number}.cpp'
    file.write_text(''.join(f'#include "{e["file"]}"  // NOLINT\n' for e in batch), encoding='utf-8')
    command = batch[0]['command'].replace(batch[0]['file'], str(file)) + ' -Wno-shadow'  # of another file's names
    return batch[0] | {'file': str(file), 'command': command}


def key(entry: dict, common: bytes) -> str:
    digest = hashlib.sha256(common + entry['command'].encode())
    for file in sorted(reached(pathlib.Path(entry['file']), set())):
        digest.update(str(file).encode() + b'\0' + file.read_bytes() + b'\0')
    return digest.hexdigest()


def main() -> int:
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    work = build.parent / 'tidy'
    clean = work / 'clean'
    clean.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([TOOL, '--version'], capture_output=True, check=True).stdout
    common = version + (house.ROOT / '.clang-tidy').read_bytes()

    all_units = units(build, work)
    stamp_of = {e['file']: clean / key(e, common) for e in all_units}
    stale = [e for e in all_units if not stamp_of[e['file']].exists()]

    entry_of = {pathlib.Path(e['file']): e for e in stale}
    groups = [[entry_of[file] for file in batch] for batch in batches.batches(list(entry_of))]
    together = [joined(batch, k, work) for k, batch in enumerate(groups)]
    (work / 'compile_commands.json').write_text(json.dumps(all_units + together), encoding='utf-8')

    def complaints_about(entry: dict) -> str:
        run = subprocess.run([TOOL, '--quiet', '-p', str(work), entry['file']], capture_output=True, text=True)
        return run.stdout + run.stderr if run.returncode else ''

    def checked(batch: list[dict], whole: dict) -> list[str]:
        clean_together = len(batch) > 1 and not complaints_about(whole)
        said = []
        for entry in batch:
            if clean_together or not (text := complaints_about(entry)):
                stamp_of[entry['file']].touch()
            else:
                said.append(text)
        return said

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        complaints = [text for said in pool.map(checked, groups, together) for text in said]
    print(*complaints, sep='\n', end='')
    print(f'{len(all_units)} files, {len(stale)} checked now, {len(complaints)} with complaints')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main())
