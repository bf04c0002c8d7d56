"""The manual and the completions know every command and every option that the command itself names."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TACT = os.environ['TACT']
SOURCE = pathlib.Path(os.environ['TACT_SOURCE'])
# Read from the help without the tool's own reader: what stands two columns in.
COMMAND = re.compile(r'^  ([a-z]+) ', re.MULTILINE)
OPTION = re.compile(r'^  (?:-\w,)?(--[a-z][a-z-]*)', re.MULTILINE)


def tact(*words):
    return subprocess.run([TACT, *words], check=True, capture_output=True, text=True).stdout


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run([sys.executable, '-B', SOURCE / 'tools' / 'man_page.py', TACT, cls.folder], check=True)
        cls.commands = COMMAND.findall(tact('--help').split('Subcommands:')[1])
        cls.options = {c: OPTION.findall(tact(c, '--help')) for c in cls.commands}

    def text(self, name):
        return (self.folder / name).read_text(encoding='utf-8')

    def test_there_are_commands_to_look_for(self):
        self.assertLessEqual({'sim', 'solve', 'patch', 'modes', 'impact', 'audit', 'check'}, set(self.commands))
        self.assertIn('--restitution', self.options['sim'])

    def test_the_manual_has_them_all(self):
        text = self.text('tact.1').replace('\\-', '-')
        for command in set(self.commands) - {'help'}:
            part = text.split(f'.SS tact {command} ')[1].split('\n.SS ')[0]
            for option in set(self.options[command]) - {'--help'}:
                self.assertIn(f'\\fB{option}\\fR', part, f'tact {command}')

    def test_no_line_of_the_manual_is_a_mistake(self):
        for program in ('groff', 'mandoc'):
            if shutil.which(program):
                words = [program, '-man', '-ww', '-z', '-Kutf8'] if program == 'groff' else [program, '-Tlint', '-Wwarning']
                run = subprocess.run([*words, self.folder / 'tact.1'], capture_output=True, text=True, check=False)
                self.assertEqual(run.stderr + (run.stdout if program == 'mandoc' else ''), '')

    def test_fish_and_zsh_have_them_all(self):
        for command in self.commands:
            zsh = self.text('_tact').split(f'\n    {command}) ')[1].split(' ;;')[0]
            fish = [x for x in self.text('tact.fish').splitlines() if f'_from {command}\'' in x]
            for option in self.options[command]:
                self.assertIn(f"'{option}[", zsh, f'tact {command}')
                self.assertTrue(any(f' -l {option[2:]} ' in line for line in fish), f'tact {command} {option}')

    def test_every_shell_that_is_here_can_read_its_file(self):
        for shell, name in (('bash', 'tact.bash'), ('zsh', '_tact'), ('fish', 'tact.fish')):
            if shutil.which(shell):
                run = subprocess.run([shell, '-n', self.folder / name], capture_output=True, text=True, check=False)
                self.assertEqual((run.returncode, run.stderr), (0, ''), shell)

    def completed(self, *words):
        """What bash offers for the last word."""
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tact; printf "%s\\n" "${COMPREPLY[@]}"'
        run = subprocess.run(['bash', '-c', script, 'bash', self.folder / 'tact.bash', *words], check=True,
                             capture_output=True, text=True, cwd=self.folder)
        return run.stdout.split()

    def test_bash_offers_them_all(self):
        self.assertEqual(set(self.completed('tact', '')) - {'--version', '-h', '--help'}, set(self.commands))
        for command in self.commands:
            self.assertLessEqual(set(self.options[command]), set(self.completed('tact', command, '-')))

    def test_bash_offers_choices_scenes_and_files(self):
        self.assertIn('poisson', self.completed('tact', 'impact', 'x.json', '--law', ''))
        self.assertIn('box_tower', self.completed(TACT, 'sim', 'box'))
        self.assertIn('tact.1', self.completed('tact', 'check', 'tact'))


if __name__ == '__main__':
    unittest.main()
