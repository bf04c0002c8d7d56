#!/usr/bin/python3
"""man_page.py TACT FOLDER - writes tact.1 and completions for bash, zsh and fish from what `tact --help` says.

One source: the help of the command and of its subcommands. Files: tact.1, tact.bash, _tact, tact.fish.
"""
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

COLUMN = 30  # where CLI11 begins its descriptions
SECTIONS = ('Positionals:', 'Options:', 'Subcommands:')
CHOICES = re.compile(r':\{([^}]*)\}')


class Entry(NamedTuple):
    """One line of a section: what is typed, and what it means."""
    head: str
    text: str

    def names(self) -> list[str]:
        return self.head.split()[0].split(',')

    def value(self) -> str:
        """What follows the name, in words: CLI11 writes FLOAT:FLOAT in [0 - 1], INT:POSITIVE and TEXT:{a,b}."""
        text = re.sub(r'(\w+):\1 in', r'\1 in', self.head.partition(' ')[2])
        text = text.replace(':POSITIVE', ' above 0').replace(':NONNEGATIVE', ' at least 0').replace('TEXT:{', '{')
        return re.sub(r'\]=(\S+)', r'], default \1', text).replace(' Needs:', ', needs')

    def choices(self) -> list[str]:
        found = CHOICES.search(self.head)
        return found[1].split(',') if found else []


class Help(NamedTuple):
    """The help of one command."""
    what: str
    usage: str
    sections: dict[str, list[Entry]]
    footer: list[str]


def run(tact: str, *words: str) -> str:
    return subprocess.run([tact, *words], check=True, capture_output=True, text=True).stdout


def entries(lines: list[str]) -> list[Entry]:
    """A head in the second column; its description behind it, or below it where the head is too long."""
    found: list[Entry] = []
    for number, line in enumerate(lines):
        if line.startswith(' ' * COLUMN):
            if line.strip():
                text = f'{found[-1].text} {line.strip()}'.strip()
                found[-1] = found[-1]._replace(text=text)
            continue
        following = lines[number + 1] if number + 1 < len(lines) else ''
        below = following.startswith(' ' * COLUMN) and bool(following.strip())
        if len(line) > COLUMN and line[COLUMN - 1] == ' ' and not below:
            found.append(Entry(line[:COLUMN].strip(), line[COLUMN:].strip()))
        else:
            found.append(Entry(line.strip(), ''))
    return found


def parsed(text: str) -> Help:
    lines = text.split('\n')
    start = next(i for i, line in enumerate(lines) if line.startswith('Usage: '))
    sections: dict[str, list[str]] = {}
    footer: list[str] = []
    current = None
    for line in lines[start + 1:]:
        if line in SECTIONS:
            current = sections.setdefault(line.rstrip(':'), [])
        elif line and not line.startswith(' ') or (not sections and line):
            current = footer
            footer.append(line)
        elif current is footer and line:
            footer.append(line)
        elif current is not None and current is not footer and line:
            current.append(line)
    what = '\n'.join(lines[:start]).strip()
    return Help(what, lines[start].removeprefix('Usage: '), {k: entries(v) for k, v in sections.items()}, footer)


def all_help(tact: str) -> dict[str, Help]:
    """The help of every command, that of the whole under ''."""
    top = parsed(run(tact, '--help'))
    return {'': top, **{c.names()[0]: parsed(run(tact, c.names()[0], '--help')) for c in top.sections['Subcommands']}}


# ---- the manual ---------------------------------------------------------------------------------

def roff(text: str) -> str:
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r"^([.'])", r'\\&\1', text, flags=re.MULTILINE)


def roff_entry(entry: Entry) -> str:
    name, value = entry.names(), entry.value()
    head = ', '.join(rf'\fB{roff(n)}\fR' for n in name) + (rf' \fI{roff(value)}\fR' if value else '')
    return f'.TP\n{head}\n{roff(entry.text) or " "}\n'


def manual(helps: dict[str, Help], version: str) -> str:
    top = helps['']
    summary = top.what.split('\n')[0].removeprefix('tact - ').rstrip('.')
    out = [f'.TH TACT 1 "" "tact {version}" "User Commands"\n.SH NAME\ntact \\- {roff(summary)}\n',
           f'.SH SYNOPSIS\n.B tact\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH OPTIONS\n',
           *map(roff_entry, top.sections['Options']), '.SH COMMANDS\n']
    for command, help_ in helps.items():
        if not command or command == 'help':
            continue
        what = help_.what.replace('\n\n', '\n.PP\n')
        out.append(f'.SS {roff(help_.usage)}\n{roff_paragraphs(what)}\n')
        for section in ('Positionals', 'Options'):
            out += [roff_entry(e) for e in help_.sections.get(section, []) if e.names()[0] != '-h']
        if help_.footer:
            out.append('.PP\n.nf\n' + '\n'.join(roff(line) for line in help_.footer) + '\n.fi\n')
    exits = [line for line in top.footer if line.startswith('Exit code')]
    out.append('.SH EXIT STATUS\n' + roff(exits[0].removeprefix('Exit code: ') if exits else '') + '\n')
    out.append('.SH SEE ALSO\nThe book: docs/index.md in the sources, or ./run docs.\n')
    return ''.join(out)


def roff_paragraphs(text: str) -> str:
    return '\n'.join(line if line == '.PP' else roff(line) for line in text.split('\n'))


# ---- completions --------------------------------------------------------------------------------

def options(help_: Help) -> list[Entry]:
    return help_.sections.get('Options', [])


def bash(helps: dict[str, Help]) -> str:
    commands = [c for c in helps if c]
    words, values = [], []
    for command, help_ in helps.items():
        names = [n for e in options(help_) for n in e.names()]
        words.append(f"    {command or chr(39) * 2}) words='{' '.join(names)}' ;;")
        values += [f"    {command}:{n}) COMPREPLY=($(compgen -W '{' '.join(e.choices())}' -- \"$word\")); return ;;"
                   for e in options(help_) for n in e.names() if e.choices()]
        free = [n for e in options(help_) for n in e.names() if e.value() and not e.choices()]
        if free:
            values.append(f"    {'|'.join(f'{command}:{n}' for n in free)})\n"
                          '      COMPREPLY=($(compgen -f -- "$word")); return ;;')
    return f'''# bash completion for tact, written by tools/man_page.py.
_tact() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command='' words=''
  ((COMP_CWORD < 2)) || command=${{COMP_WORDS[1]}}
  case "$command:$before" in
{chr(10).join(values)}
  esac
  case "$command" in
{chr(10).join(words)}
  esac
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "{' '.join(commands)} $words" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
    if [[ $command == sim ]]; then
      COMPREPLY+=($(compgen -W "$("${{COMP_WORDS[0]}}" sim --list 2>/dev/null)" -- "$word"))
    fi
  fi
}}
complete -o filenames -F _tact tact
'''


def one_line(text: str) -> str:
    """The first sentence, without what quotes a shell."""
    return re.split(r'(?<=\.)\s|\n', text)[0].replace("'", '’').replace('[', '(').replace(']', ')').replace(':', ';')


def zsh(helps: dict[str, Help]) -> str:
    out = ['#compdef tact', '# zsh completion for tact, written by tools/man_page.py.', '_tact() {', '  local -a commands=(']
    out += [f"    '{c}:{one_line(h.what)}'" for c, h in helps.items() if c]
    out += ['  )', '  if ((CURRENT == 2)); then', "    _describe command commands",
            "    _arguments '--version' '--help'", '    return', '  fi',
            '  local command=$words[2]', '  shift words', '  ((CURRENT--))', '  case $command in']
    for command, help_ in helps.items():
        if not command:
            continue
        specs = []
        for e in options(help_):
            value = f":value:({' '.join(e.choices())})" if e.choices() else ':value:_files' if e.value() else ''
            specs += [f"'{n}[{one_line(e.text)}]{value}'" for n in e.names()]
        free = "'1:scene:{_files; compadd -- $(tact sim --list 2>/dev/null)}'" if command == 'sim' else "'*:file:_files'"
        out.append(f"    {command}) _arguments \\\n      " + ' \\\n      '.join([*specs, free]) + ' ;;')
    return '\n'.join([*out, '  esac', '}', '_tact "$@"']) + '\n'


def fish(helps: dict[str, Help]) -> str:
    out = ['# fish completion for tact, written by tools/man_page.py.']
    for command, help_ in helps.items():
        if not command:
            out.append("complete -c tact -n __fish_use_subcommand -l version")
            continue
        out.append(f"complete -c tact -n __fish_use_subcommand -a {command} -d '{one_line(help_.what)}'")
        for e in options(help_):
            names = ' '.join(f'-l {n[2:]}' if n.startswith('--') else f'-s {n[1:]}' for n in e.names())
            value = f" -xa '{' '.join(e.choices())}'" if e.choices() else ' -r' if e.value() else ''
            out.append(f"complete -c tact -n '__fish_seen_subcommand_from {command}' {names}{value} -d '{one_line(e.text)}'")
    out.append("complete -c tact -n '__fish_seen_subcommand_from sim' -a '(tact sim --list 2>/dev/null)'")
    return '\n'.join(out) + '\n'


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit('man_page.py TACT FOLDER')
    tact, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    helps = all_help(tact)
    version = run(tact, '--version').split()[-1]
    folder.mkdir(parents=True, exist_ok=True)
    files = {'tact.1': manual(helps, version), 'tact.bash': bash(helps), '_tact': zsh(helps), 'tact.fish': fish(helps)}
    for name, text in files.items():
        (folder / name).write_text(text, encoding='utf-8')


if __name__ == '__main__':
    main()
