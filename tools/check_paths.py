#!/usr/bin/python3
"""Every path the documents name exists, and no file names a place outside the tree.

In a document a path is what stands in backticks and looks like one, or the target of a link. Fenced
blocks, placeholders (<floor>, *, {a,b}, ...) and what a build leaves under build/ are not looked at;
in the changelog only the unreleased part is, for a release speaks of the tree it had.
"""
import os
import pathlib
import re

import house

FENCE = re.compile(r'^(```|~~~).*?^\1[^\n]*$', re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r'`([^`\n]+)`')
LINK = re.compile(r'\]\(([^)\s]+)\)')
PATH = re.compile(r'\.{0,2}/?[\w.+-]+(?:/[\w.+-]+)*/?$')
SOURCE_NAME = re.compile(r'[\w.-]+\.(?:hpp|cpp|py|md|cmake|bib|cff|yml)$')
OUTSIDE = re.compile('|'.join([
    r'(?<![\w.])\.\./' + 'shared',
    r'(?<![\w.:/~$}\)>-])/(?:' + 'home|root|work|tmp|opt|mnt|srv' + r')/\w']))
TEXT = {'.md', '.hpp', '.cpp', '.py', '.cmake', '.txt', '.json', '.sh', '.bib', '.cff', '.yml', '.in', ''}

NOT_OURS = {'.git', 'build', 'site', 'node_modules', '__pycache__'}


def blanked(pattern: re.Pattern, text: str) -> str:
    return pattern.sub(lambda m: re.sub(r'[^\n]', ' ', m[0]), text)


def documents(root: pathlib.Path) -> list[pathlib.Path]:
    top = [root / name for name in ('README.md', 'CONTRIBUTING.md', 'CHANGELOG.md')]
    return [f for f in top if f.exists()] + sorted((root / 'docs').rglob('*.md'))


def looks_like_path(root: pathlib.Path, word: str) -> bool:
    """m/s and stick/slip are not paths: a path begins in the tree or ends in the name of a source."""
    if not PATH.match(word) or word.startswith('build/'):
        return False
    if '/' not in word:
        return bool(SOURCE_NAME.match(word))
    first, last = word.removeprefix('./').split('/')[0], word.split('/')[-1]
    return word.startswith('./') or word.endswith('/') or (root / first).is_dir() or bool(SOURCE_NAME.match(last))


def exists(root: pathlib.Path, document: pathlib.Path, path: str) -> bool:
    """From the root, from the document's folder, from tact/ (rooms are often named without it)."""
    if any((base / path).exists() for base in (root, document.parent, root / 'tact')):
        return True
    return '/' not in path and any(
        found for top in ('tact', 'apps', 'tests', 'bench', 'docs', 'tools', 'cmake', 'examples', 'python')
        for found in (root / top).rglob(path))


def check_document(root: pathlib.Path, document: pathlib.Path) -> list[house.Problem]:
    text = blanked(FENCE, document.read_text(encoding='utf-8'))
    if document.name == 'CHANGELOG.md' and (released := re.search(r'^## \[\d', text, re.MULTILINE)):
        text = text[:released.start()]
    problems = []
    for m in QUOTED.finditer(text):
        word = m[1].split()[0] if m[1].split() else ''
        if looks_like_path(root, word) and not exists(root, document, word):
            problems.append(house.Problem(document, house.line_of(text, m.start()), f'{word} does not exist'))
    for m in LINK.finditer(blanked(QUOTED, text)):
        target = m[1].split('#')[0]
        if target and not re.match(r'\w+:', target) and not (document.parent / target).exists():
            problems.append(house.Problem(document, house.line_of(text, m.start()), f'the link to {target} is broken'))
    return problems


def own_text(root: pathlib.Path) -> list[pathlib.Path]:
    own = []
    for folder, inner, files in os.walk(root):
        inner[:] = sorted(set(inner) - NOT_OURS)
        own += [pathlib.Path(folder) / f for f in files if pathlib.Path(f).suffix in TEXT and f != '.git']
    return sorted(own)


def check(root: pathlib.Path) -> list[house.Problem]:
    problems = [p for document in documents(root) for p in check_document(root, document)]
    for file in own_text(root):
        for number, line in enumerate(file.read_text(encoding='utf-8', errors='replace').splitlines(), 1):
            if m := OUTSIDE.search(line):
                problems.append(house.Problem(file, number, f'"{m[0].strip()}": a place outside the tree'))
    return problems


if __name__ == '__main__':
    house.main(check)
