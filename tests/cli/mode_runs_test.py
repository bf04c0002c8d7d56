"""tact modes at work: threads and ranks, interruptions, progress, systems too large to finish."""
import fcntl
import json
import os
import pty
import random
import shutil
import signal
import struct
import subprocess
import termios
import time
import unittest

from command import TACT
from mode_command import Modes, box, free, problem


class Workers(Modes):
    def test_one_hash_for_any_number_of_threads(self):
        for words in (('--scene', 'box-box-2'), ('--scene', 'box-3', '--slip'),
                      ('--scene', 'box-2', '--policy', 'tolerance')):
            answers = [self.modes(*words, '--hash', '--threads', threads) for threads in (1, 2, 8)]
            for answer in answers:
                del answer['seconds']
            self.assertEqual(answers[0], answers[1])
            self.assertEqual(answers[0], answers[2])
        self.assertNotEqual(self.modes('--scene', 'box-1', '--hash')['hash'],
                            self.modes('--scene', 'box-2', '--hash')['hash'])
        self.assertEqual(self.modes('--scene', 'box-1', '--hash')['hash'],
                         self.modes('--scene', 'box-1', '--list')['hash'])

    def ranks(self, count, *words):
        """tact modes under mpirun; skips where there is no MPI."""
        if shutil.which('mpirun') is None:
            self.skipTest('mpirun is not installed')
        env = os.environ | {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
        run = subprocess.run(['mpirun', '--oversubscribe', '-np', str(count), TACT, 'modes', *words], env=env,
                             capture_output=True, text=True, timeout=60, cwd=self.folder, check=False)
        if 'built without MPI' in run.stderr:
            self.skipTest('built without MPI')
        return run

    def test_one_hash_for_any_number_of_ranks(self):
        for words in (('--scene', 'box-box-2', '--hash'), ('--scene', 'box-box-1'), ('--scene', 'box-5', '--hash')):
            alone = self.modes(*words)
            for count in (3, 2, 1):
                run = self.ranks(count, *words, '--json')
                self.assertEqual(run.returncode, 0, run.stderr)
                answer = json.loads(run.stdout)  # of one rank only
                del answer['seconds']
                self.assertEqual(answer, {key: alone[key] for key in alone if key != 'seconds'})

    def test_ranks_do_not_list(self):
        run = self.ranks(2, '--scene', 'box-1', '--list')
        self.assertEqual((run.returncode, run.stdout), (2, ''))
        self.assertEqual(run.stderr.count('under mpirun modes are counted or hashed'), 1)


class Interruptions(Modes):
    """hand-ball has work for minutes."""

    def interrupted(self, *words, wait=0.0, signal_=signal.SIGINT):
        """What a run leaves that a signal ends some time after it began to catch it; nothing if it was quicker."""
        with subprocess.Popen([TACT, 'modes', *words, '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=self.folder) as process:
            while process.poll() is None and not self.catches(process.pid, signal_):
                time.sleep(0.001)
            time.sleep(wait)
            process.send_signal(signal_)
            out, err = process.communicate(timeout=50)
        answer = json.loads(out)
        if answer['complete']:
            return None
        self.assertEqual(process.returncode, 1)
        self.assertNotIn('hash', answer)
        return answer, err

    @staticmethod
    def catches(pid, signal_):
        with open(f'/proc/{pid}/status', encoding='utf-8') as status:
            caught = next((line for line in status if line.startswith('SigCgt')), 'SigCgt: 0')
        return int(caught.split()[1], 16) >> (signal_ - 1) & 1 == 1

    def further(self, than, *words, **more):
        """Interrupted later and later until more was done than before."""
        for trial in range(8):
            answer, err = self.interrupted(*words, wait=0.25 * 2**trial, **more)
            if answer['full'] > than:
                return answer, err
        return self.fail('no progress')

    def test_what_was_done_is_kept(self):
        scene = ('--scene', 'hand-ball')
        first, err = self.further(0, *scene, '--checkpoint', 'c.json')
        self.assertIn('--resume c.json', err)
        read = lambda: json.loads((self.folder / 'c.json').read_text(encoding='utf-8'))
        kept = read()
        self.assertEqual(kept['format'], 'tact-modes-checkpoint/1')
        self.assertEqual(sum(int(n) for part in kept['parts'] for n in part['cs_by_dim']), first['cs'])
        self.further(first['full'], *scene, '--resume', 'c.json', '--checkpoint', 'c.json', signal_=signal.SIGTERM)
        again = read()
        self.assertEqual(again['work'], kept['work'])
        self.assertGreater(int(again['next_block'], 16), int(kept['next_block'], 16))
        self.assertEqual([p.name for p in self.folder.iterdir()], ['c.json'])
        for words in (('--scene', 'box-1'), ('--scene', 'hand-ball', '--cs'), ('--scene', 'hand-ball', '--hash'),
                      ('--scene', 'hand-ball', '--planes', 3), ('--scene', 'hand-ball', '--policy', 'tolerance')):
            self.assertIn('another problem', self.complaint(*words, '--resume', 'c.json'))

    def test_resumed_ends_as_if_never_interrupted(self):
        """Interrupted after nothing at all, or wherever the signal found it: the end is the same."""
        contacts = 6
        self.write('p.json', free(contacts, 2))
        whole = self.modes('p.json', '--hash')
        self.assertEqual(whole['full'], 10**contacts)
        for wait in (0.1, 0.03, 0.01, 0, 0, 0, 0, 0):
            if self.interrupted('p.json', '--hash', '--checkpoint', 'c.json', wait=wait):
                break
        resumed = self.modes('p.json', '--hash', '--resume', 'c.json', '--threads', 2)
        for field in ('cs', 'full', 'full_by_dim', 'hash', 'complete'):
            self.assertEqual(resumed[field], whole[field], field)

    def test_inside_one_contact_mode(self):
        """Sixty directions to slide in and no way to separate: hours of work between two contact modes."""
        draw = random.Random(2)
        self.write('p.json', problem([{'normal': [0] * 12, 'tangents': [[draw.randint(-3, 3) for _ in range(12)]]}
                                      for _ in range(60)], 12))
        for words in ((), ('--slip',), ('--threads', '2')):
            answer, err = self.interrupted('p.json', *words, wait=0.1)
            self.assertEqual((answer['cs'], answer['full']), (0, 0))
            self.assertIn('--resume', err)

    def on_terminal(self, *words, columns):
        """What a run writes on a terminal that wide until it tells of its progress and is interrupted, and what it
        writes elsewhere."""
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        seen = b''
        with subprocess.Popen([TACT, 'modes', *words], stdout=subprocess.PIPE, stderr=its, text=True,
                              cwd=self.folder) as process:
            os.close(its)
            try:
                while True:
                    seen += os.read(ours, 4096)
                    if seen.count(b'left') == 2:
                        process.send_signal(signal.SIGINT)
            except OSError:  # the other end is closed
                pass
            out, _ = process.communicate(timeout=50)
        os.close(ours)
        return seen.decode(), out

    def test_progress_is_one_line(self):
        seen, out = self.on_terminal('--scene', 'hand-ball', columns=200)
        *shown, last = seen.split('\r\x1b[K')
        self.assertEqual(shown[0], '')
        self.assertGreaterEqual(len(shown), 3)
        for line in shown[1:]:
            self.assertRegex(line, r'^[\d ]+ of 4 096 contact modes, about \d+ (s|min|h|days) left, [\d ]+ modes so far$')
        # Gone before anything else is said.
        self.assertTrue(last.startswith('tact: interrupted'), last)
        self.assertTrue(out.startswith('hand-ball'), out)

    def test_progress_fits_the_terminal(self):
        seen, _ = self.on_terminal('--scene', 'hand-ball', columns=50)
        for line in seen.split('\r\x1b[K')[:-1]:
            self.assertLess(len(line), 50)

    def test_files_that_are_no_checkpoints(self):
        self.write('p.json', box())
        self.assertIn('nowhere', self.complaint('--scene', 'box-1', '--resume', 'nowhere'))
        self.assertIn('p.json', self.complaint('--scene', 'box-1', '--resume', 'p.json'))
        self.write('c.json', '{"format": "tact-modes-checkpoint/1", "work": "00')
        self.assertIn('c.json', self.complaint('--scene', 'box-1', '--resume', 'c.json'))

    def test_a_list_is_not_kept(self):
        answer, err = self.interrupted('--scene', 'hand-ball', '--list', '--limit', '1000000000')
        self.assertIn('interrupted', err)
        self.assertNotIn('--resume', err)
        self.assertEqual(answer['full'], sum(map(len, answer['modes'].values())))
        self.assertEqual(list(self.folder.iterdir()), [])


class Large(Modes):
    def test_products_are_counted_at_once(self):
        self.write('p.json', free(40, 0))
        self.assertEqual(self.modes('p.json')['cs'], 2**40)
        self.write('p.json', free(38, 2))
        answer = self.modes('p.json')
        self.assertEqual((answer['cs'], answer['full']), (2**38, str(10**38)))
        self.assertEqual(sum(map(int, answer['full_by_dim'].values())), 10**38)

    def test_more_than_can_be_counted(self):
        """10^40 modes: a number that is not theirs would be worse than none."""
        self.write('p.json', free(40, 2))
        answer = self.modes('p.json')
        self.assertEqual(answer['cs'], 2**40)
        self.assertTrue(answer['full'].startswith('at least '), answer['full'])
        self.assertEqual(answer['full_by_dim']['1'], 40 * 4)
        self.assertIn('at least', self.tact('modes', 'p.json').stdout)

    def test_a_visit_says_what_it_faces(self):
        self.write('p.json', free(40, 0))
        answer = self.modes('p.json', '--list', '--limit', 3)
        self.assertEqual((answer['cs'], answer['complete']), (2**40, False))
        self.assertEqual(list(answer['modes']), ['+' * 40, '+' * 39 + '0', '+' * 38 + '0+'])
        with subprocess.Popen([TACT, 'modes', 'p.json', '--hash', '--json'], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, cwd=self.folder) as process:
            said = process.stderr.readline()
            self.assertIn('1 099 511 627 776 modes to visit', said)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=50)
        self.assertEqual(process.returncode, 1)
        self.assertIn('--resume tact-modes.checkpoint.json', err)
        part = json.loads(out)
        self.assertFalse(part['complete'])
        self.assertNotIn('hash', part)

    def test_a_cone_too_large_to_describe(self):
        """What is up is said within seconds, and a signal ends it."""
        draw = random.Random(1)
        self.write('p.json', problem([{'normal': [draw.randint(-9, 9) for _ in range(20)]} for _ in range(40)], 20))
        with subprocess.Popen([TACT, 'modes', 'p.json', '--method', 'rays'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              cwd=self.folder) as process:
            self.assertIn('extreme velocities', process.stderr.readline())
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=50)
        self.assertEqual((process.returncode, out), (-signal.SIGINT, ''))


if __name__ == '__main__':
    unittest.main()
