"""The fenced blocks of a page, and how output in a page is compared with output of a run."""
import pathlib
import re
from typing import NamedTuple

KINDS = {'sh', 'console', 'text', 'python', 'cpp', 'json', 'xml', 'csv', 'cmake', 'toml', 'html', 'js', 'ts'}
FENCE = re.compile(r'^```(.*)$')
COMMAND = re.compile(r'(\$ )?(tact|build/release/tact|\./run)( |$)')
EXIT = re.compile(r'\s+#.*\bexit (\d+)\s*$')

# What differs from run to run: how long something took, and what is only rounding.
SPAN = r'\d+(?:\.\d+)?(?:e[−-]?\d+)? (?:s|ms|µs|ns|min)\b'
TIME = re.compile(rf'(?<=\bin ){SPAN}|{SPAN}(?= per step)|(?<=[a-z], ){SPAN}(?=;|$)')
RATE = re.compile(r'[\d.e+]+ × real time')
HASH = re.compile(r'\b[0-9a-f]{16}\b')
ROUNDING = re.compile(r'(?<![\w.])[+−-]?\d+(\.\d+)?e[−-]\d{2,}\b')
PICTURE = re.compile(r'\]\(pictures/([\w-]+)\.svg\)')
SVG = re.compile(r'<svg\b.*?</svg>', re.DOTALL)
LINE = re.compile(r'(?<=<polyline )points="([^"]*)"')
NUMBER = re.compile(r'-?\d+(?:\.\d+)?(?:e-?\d+)?')
SPACES = re.compile(r' {2,}')


class Block(NamedTuple):
    """A fenced block: where it opens, the first word behind the fence, the second, its lines."""
    line: int
    kind: str
    detail: str
    lines: list[str]
    after: bool  # nothing but blank lines between the block before and this one


class Command(NamedTuple):
    """One command of a page, the exit code that the page promises, and the output it shows, if any."""
    line: int
    text: str
    code: int
    output: list[str] | None


def kind_without_a_word(lines: list[str]) -> str:
    """A block that names no kind holds commands if it begins with one, and is text otherwise."""
    if not lines or not COMMAND.match(lines[0]):
        return 'text'
    return 'console' if lines[0].startswith('$') else 'sh'


def blocks(page: pathlib.Path) -> list[Block]:
    """The blocks in order; raises ValueError where one is not closed or of a kind nobody knows."""
    found, opened, after = [], None, False
    for number, line in enumerate(page.read_text(encoding='utf-8').splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened, words, lines = number, fence[1].split(), []
        elif opened is not None and fence:
            kind = words[0] if words else kind_without_a_word(lines)
            if kind not in KINDS:
                raise ValueError(f'{opened}: a block of kind "{kind}"; known are {", ".join(sorted(KINDS))}')
            found.append(Block(opened, kind, words[1] if len(words) > 1 else '', lines, after))
            opened, after = None, True
        elif opened is not None:
            lines.append(line)
        elif line.strip():
            after = False
    if opened is not None:
        raise ValueError(f'{opened}: the block is not closed')
    return found


def joined(lines: list[str], first: int) -> list[tuple[int, str]]:
    """Commands with their lines: a backslash at the end of a line continues it."""
    commands, pending = [], ''
    for number, line in enumerate(lines, first):
        pending += line.rstrip()
        if pending.endswith('\\'):
            pending = pending[:-1]
        else:
            commands.append((number, pending))
            pending = ''
    return commands


def promised(text: str) -> int:
    """The exit code behind a command: 0, or what a comment `# exit 1` says."""
    found = EXIT.search(text)
    return int(found[1]) if found else 0


def shell_commands(block: Block, output: list[str] | None) -> list[Command]:
    """The commands of an sh block; output that follows it belongs to all of them together."""
    commands = [Command(line, text, promised(text), None) for line, text in joined(block.lines, block.line + 1)
                if text.strip() and not text.lstrip().startswith('#')]
    if output is None or not commands:
        return commands
    if len(commands) == 1:
        return [commands[0]._replace(output=output)]
    return commands[:-1] + [commands[-1]._replace(output=output)]


def console_commands(block: Block) -> list[Command]:
    """`$ command`, then what it prints."""
    commands: list[Command] = []
    for number, line in enumerate(block.lines, block.line + 1):
        if line.startswith('$ '):
            commands.append(Command(number, line[2:], promised(line), []))
        elif commands:
            commands[-1].output.append(line)
    return [c if any(line.strip() for line in c.output) else c._replace(output=None) for c in commands]


def masked(line: str) -> str:
    """A line without what may vary: times, rates, hashes, rounding (below 1e-9), the width of columns."""
    line = HASH.sub('HASH', RATE.sub('RATE', TIME.sub('TIME', line.rstrip())))
    return SPACES.sub('  ', ROUNDING.sub('ROUNDING', line)).strip()


def line_fits(expected: str, real: str) -> bool:
    """Whether a line is what the page shows; `...` in it stands for anything."""
    pattern = '.*'.join(re.escape(masked(part)) for part in expected.split('...'))
    pattern = re.sub(r'(\\ )+', r'\\s+', pattern)
    return re.fullmatch(pattern, masked(real)) is not None


def first_difference(expected: list[str], real: list[str]) -> str | None:
    """None where the output is what the page shows. A line `...` stands for any number of lines."""
    expected = [line for line in expected if line.strip()]
    real = [line for line in real if line.strip()]
    at, skipping = 0, False
    for line in expected:
        if line.strip() == '...':
            skipping = True
            continue
        while skipping and at < len(real) and not line_fits(line, real[at]):
            at += 1
        if at == len(real):
            return f'the page shows "{line.strip()}", the output has ended'
        if not line_fits(line, real[at]):
            return f'the page shows "{line.strip()}", the output is "{real[at].strip()}"'
        at, skipping = at + 1, False
    if at < len(real) and not skipping:
        return f'the page ends, the output goes on: "{real[at].strip()}"'
    return None


def drawing(folder: pathlib.Path, name: str) -> str | None:
    """The picture that commands left under this name, or the first one of a page they left."""
    if (folder / f'{name}.svg').exists():
        return (folder / f'{name}.svg').read_text(encoding='utf-8')
    if not (folder / f'{name}.html').exists():
        return None
    page = (folder / f'{name}.html').read_text(encoding='utf-8')
    found = SVG.search(page)
    return LINE.sub(lambda m: f'points="{thinned(m[1])}"', found[0]) + '\n' if found else None


def thinned(points: str, close: float = 0.2) -> str:
    """A line of a plot without the points that lie on it anyway: a plot of every step is large."""
    line = [tuple(map(float, p.split(','))) for p in points.split()]
    kept, open_ = {0, len(line) - 1}, [(0, len(line) - 1)]
    while open_:
        a, b = open_.pop()
        (ax, ay), (bx, by) = line[a], line[b]
        size = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1
        off = [abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / size for x, y in line[a + 1:b]]
        if off and max(off) > close:
            middle = a + 1 + off.index(max(off))
            kept.add(middle)
            open_ += [(a, middle), (middle, b)]
    return ' '.join(f'{line[i][0]:g},{line[i][1]:g}' for i in sorted(kept))


def same_drawing(one: str, other: str) -> bool:
    """Equal words, and numbers equal to half a percent or a twentieth: another machine may round differently."""
    if NUMBER.sub('#', one) != NUMBER.sub('#', other):
        return False
    pairs = zip(map(float, NUMBER.findall(one)), map(float, NUMBER.findall(other)))
    return all(abs(a - b) <= max(0.05, 0.005 * abs(a)) for a, b in pairs)


def renew(page: pathlib.Path, command: Command, real: list[str]) -> bool:
    """Puts what a command printed in the place of what the page shows; not where the page left something out."""
    shown = command.output or []
    if any('...' in line for line in shown):
        return False
    text = page.read_text(encoding='utf-8')
    old = '\n' + '\n'.join(shown) + '\n'
    if text.count(old) != 1:
        return False
    new = '\n' + '\n'.join(line.rstrip() for line in real if line.strip()) + '\n'
    page.write_text(text.replace(old, new), encoding='utf-8')
    return True
