"""Recordings as tact check and tact audit see them; written here byte by byte as docs/recording.md says."""
import gzip
import json
import struct
import unittest
import zlib

from command import CommandTest

G, DT, MASS, MU, SPEED = 9.81, 0.01, 2.0, 0.5, 1.0
HEADER = {
    'format': 'tact-recording/1', 'tact': '0', 'name': 'sledge', 'dt': DT, 'gravity': [0, 0, -G],
    'nq': 7, 'nv': 6, 'controls': 0, 'driven': 0, 'options': {'tolerance': 1e-10},
    'energy': {'kinetic': 0.5 * MASS, 'potential': 0}, 'words': {'accounts': ['normal', 'friction']},
    'bodies': [{'name': 'world'}, {'name': 'sledge'}],
    'geoms': [{'name': 'floor', 'body': 0, 'extent': 0}, {'name': 'sledge', 'body': 1, 'extent': 0.2}],
}


def block(kind, payload, compressed=False):
    if compressed:
        payload = gzip.compress(payload)
    covered = kind.encode() + struct.pack('<II', int(compressed), len(payload)) + payload
    return covered + struct.pack('<I', zlib.crc32(covered))


def contact(normal=MASS * G, friction=-MU * MASS * G, moment=0.0, closing=0.0, slip=SPEED):
    pose = (0, 0, 0, 1, 0, 0, 0)
    wrench = (moment, 0, 0, friction, 0, normal)
    square = (-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1)
    return struct.pack('<IIIBBBB7f4f6f6f6ff5f2f', 1, 0, 0, 2, 4, 0, 1, *pose, MU, 0, 0, 0, *wrench,
                       0, 0, 0, slip, 0, 0, 0, 0, 0, slip, 0, closing, 0, 1, 0, slip, 0, 0, 0, 0) + \
        struct.pack('<I8f', 4, *square) + struct.pack('<I2f', 1, 0, 0)


def frame(step, contacts=(), penetration=0.0, residual=0.0, closure=0.0, steps=1):
    distance = SPEED * DT * step
    friction = -MU * MASS * G * distance
    out = struct.pack('<Qd7I', step, step * DT, 7, 6, 0, 2, 0, 2, len(contacts))
    out += struct.pack('<7d6d', distance, 0, 0, 1, 0, 0, 0, SPEED, 0, 0, 0, 0, 0)
    out += struct.pack('<14f', *(0, 0, 0, 1, 0, 0, 0), *(distance, 0, 0, 1, 0, 0, 0))
    out += struct.pack('<2d', 0, friction) + struct.pack('<4d', friction, 0, -friction, closure)
    out += struct.pack('<2d7I', residual, penetration, steps, 3, 0, 0, 0, len(contacts), len(contacts))
    return out + b''.join(contacts)


def impacts(step, work):
    return struct.pack('<QI', step, 1) + struct.pack('<d3I2d2B', step * DT, 1, 1, 0, 0.5, work, int(work > 0), 1)


def recording(*blocks, header=None):
    return b'TACTREC1' + block('HEAD', json.dumps(header or HEADER).encode(), True) + b''.join(blocks)


def end(steps, status='finished'):
    return block('DONE', json.dumps({'status': status, 'steps': steps, 'frames': steps + 1, 'impacts': 0,
                                     'time': steps * DT}).encode())


def run(**changes):
    """Ten frames; those named by changes are other than the rest."""
    frames = [block('FRAM', frame(0))]
    frames += [block('FRAM', changes.get(f'frame{k}', frame(k, [contact()])), k % 2 == 0) for k in range(1, 11)]
    return recording(*frames, *changes.get('more', ()), end(10, changes.get('status', 'finished')))


class RecordingTest(CommandTest):
    def put(self, content):
        (self.folder / 'run.tact').write_bytes(content)
        return 'run.tact'

    def audit(self, content, code=0):
        answer = self.tact('audit', self.put(content), '--json')
        self.assertEqual(answer.returncode, code, answer.stderr + answer.stdout)
        return json.loads(answer.stdout)

    def refused(self, content, *parts):
        for command in ('audit', 'check'):
            answer = self.tact(command, self.put(content))
            self.assertEqual((answer.returncode, answer.stdout), (2, ''), answer.stderr)
            self.assertEqual(answer.stderr.count('\n'), 1)
            for part in ('run.tact', *parts):
                self.assertIn(part, answer.stderr)

    def test_a_lawful_run_is_clean(self):
        answer = self.audit(run())
        self.assertEqual(answer['steps'], 10)
        self.assertTrue(all(count == 0 for count in answer['violations'].values()))
        self.assertIsNone(answer['worst'])
        self.assertAlmostEqual(answer['ledger']['friction'], -MU * MASS * G * SPEED * DT * 10)
        self.assertEqual(answer['ledger']['closure'], 0)
        self.assertIsNone(answer['cut'])
        text = self.tact('audit', 'run.tact')
        self.assertEqual(text.returncode, 0)
        self.assertIn('clean: ', text.stdout)

    def test_violations_say_where_and_how_much(self):
        cases = {
            'penetration': frame(4, [contact()], penetration=0.002),
            'cone': frame(4, [contact(moment=0.2 * MASS * G)]),
            'friction': frame(4, [contact(friction=-0.6 * MASS * G)]),
            'slip': frame(4, [contact(slip=-SPEED)]),
            'complementarity': frame(4, [contact(closing=0.1)]),
            'closing': frame(4, [contact(normal=0, friction=0, closing=-0.1)]),
            'residual': frame(4, [contact()], residual=1e-3),
            'closure': frame(4, [contact()], closure=0.1),
        }
        for kind, forged in cases.items():
            answer = self.audit(run(frame4=forged), code=1)
            self.assertGreaterEqual(answer['violations'][kind], 1, kind)
            worst = answer['worst_by_kind'][kind]
            self.assertEqual(worst['first'], 4, kind)
            self.assertGreater(worst['amount'], worst['limit'])
        self.assertAlmostEqual(self.audit(run(frame4=cases['friction']), code=1)['worst_by_kind']['friction']['amount'],
                               0.1 * MASS * G, places=5)
        answer = self.audit(run(frame4=cases['friction']), code=1)
        self.assertEqual(answer['worst']['contact'], 'sledge on floor')

    def test_impacts_that_create_energy(self):
        self.assertEqual(self.audit(run(more=[block('IMPA', impacts(10, -0.5))]))['impacts'], 1)
        answer = self.audit(run(more=[block('IMPA', impacts(10, 0.5))]), code=1)
        self.assertEqual(answer['violations']['impact'], 1)
        self.assertEqual(answer['worst']['kind'], 'impact')
        self.assertIn('created 0.5 J', self.tact('audit', 'run.tact').stdout)

    def test_check_says_what_is_in_it(self):
        answer = self.tact('check', self.put(run()))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for part in ('recording', 'tact-recording/1', 'sledge: 11 frames from 0 to 0.1 s', '2 bodies', 'finished'):
            self.assertIn(part, answer.stdout)
        self.assertIn('cut off', self.tact('check', self.put(run()[:-200])).stdout)

    def test_what_was_cut_off_is_judged_as_far_as_it_goes(self):
        whole = run()
        answer = self.audit(whole[:len(whole) * 2 // 3])
        self.assertIn('ends within a block', answer['cut'])
        self.assertIsNone(answer['status'])
        self.assertLess(answer['frames'], 11)

        self.assertIn('clean so far: the recording has no end', self.tact('audit', 'run.tact').stdout)

    def test_a_run_that_diverged_and_a_damaged_file_are_not_clean(self):
        answer = self.audit(run(status='diverged'), code=1)
        self.assertEqual((answer['status'], answer['clean'], answer['worst']), ('diverged', False, None))
        text = self.tact('audit', 'run.tact').stdout
        self.assertIn('diverged: the run broke off after its last frame, at 0.1 s', text)
        self.assertNotIn('clean', text)
        damaged = bytearray(run())
        damaged[-400] ^= 1
        answer = self.audit(bytes(damaged), code=1)
        self.assertEqual((answer['status'], answer['clean']), (None, False))
        self.assertIn('is damaged', answer['cut'])
        self.assertIn('damaged: nothing after', self.tact('audit', 'run.tact').stdout)

    def test_what_the_solve_left_is_a_force_that_grows_as_the_step_gets_shorter(self):
        bodies = [{'name': 'world'}, {'name': 'sledge', 'parent': 0, 'mass': MASS}]
        header = {**HEADER, 'bodies': bodies, 'joints': [{'body': 1}]}
        scale = MASS ** 0.5 * SPEED

        def audit(residual, part, length, code):
            excess = 10 * residual * scale * MASS ** 0.5 / part / 2  # half of what is allowed in the part
            forged = frame(1, [contact(friction=-MU * MASS * G - excess)], residual=residual)
            solve = block('SOLV', struct.pack('<Qdd', 1, length, scale))
            content = recording(block('FRAM', frame(0)), solve, block('FRAM', forged), end(1), header=header)
            self.assertEqual(self.audit(content, code)['violations']['friction'], code)
        audit(1e-7, DT, DT, 0)
        audit(1e-7, DT / 100, DT / 100, 0)
        audit(1e-7, DT / 100, DT, 1)
        audit(0.01, DT, DT, 1)
        bad = block('SOLV', struct.pack('<Qdd', 4, 0, 1))
        self.assertIn('is damaged', self.audit(run(more=[bad]), code=1)['cut'])

    def test_what_a_run_calls_good_the_audit_calls_good(self):
        """Dominoes that lean are known to 1e-4 N: their gaps over a step are fast."""
        answer = self.tact('sim', 'domino_row', '--duration', '1.5', '--record', 'run.tact')
        self.assertEqual(answer.returncode, 0, answer.stderr)
        answer = self.tact('audit', 'run.tact')
        self.assertEqual(answer.returncode, 0, answer.stdout)

    def test_blocks_of_other_types_are_passed_over(self):
        self.assertEqual(self.audit(run(more=[block('XTRA', b'whatever')]))['frames'], 11)

    def test_what_is_no_recording_is_refused(self):
        self.refused(b'', 'is empty')
        self.refused(b'{"format": 1}', 'is no recording')
        self.refused(b'TACTREC9' + run()[8:], 'another version')
        self.refused(recording(header={**HEADER, 'format': 'tact-recording/2'}), 'tact-recording/1')
        answer = self.tact('audit', self.put(recording()))
        self.assertEqual(answer.returncode, 2)
        self.assertIn('has no frames', answer.stderr)
        damaged = bytearray(run())
        damaged[-400] ^= 1
        answer = self.tact('check', self.put(bytes(damaged)))
        self.assertEqual(answer.returncode, 2)
        self.assertIn('can be read', answer.stderr)
        answer = self.tact('audit', 'nowhere.tact')
        self.assertEqual(answer.returncode, 2)
        self.assertIn('no such file', answer.stderr)
        for words in (('--consistency',), ('--svg', 'a.svg')):
            answer = self.tact('audit', self.put(run()), *words)
            self.assertEqual((answer.returncode, answer.stdout), (2, ''))
            self.assertIn('are for logs', answer.stderr)


if __name__ == '__main__':
    unittest.main()
