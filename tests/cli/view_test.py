"""tact view: the page, the server, who may see it, and recordings that grow, end or are cut off."""
import base64
import json
import os
import re
import resource
import signal
import socket
import subprocess
import time
import unittest

from command import TACT, CommandTest
from websocket_client import WebSocket, get, request

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
BALL = """<mujoco model="ball"><option timestep="0.001"/><worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body name="ball" pos="0 0 0.3"><freejoint/><geom name="ball" type="sphere" size="0.1" mass="1"/></body>
</worldbody><custom><numeric name="tact_restitution" data="0.5"/></custom></mujoco>
"""


class Viewer:
    """A server that is started, asked and stopped."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen([TACT, 'view', *map(str, words), '--json'], cwd=folder, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.communicate()[1])
        self.about = json.loads(line)
        self.port, self.token = self.about['port'], self.about['token']

    def socket(self, **words):
        return WebSocket(self.port, self.token, **words)

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def watch(ws, start=0, until=('finished', 'ended'), most=None):
    """Bytes from `start` on, and the statuses, until one of them comes or there are enough bytes."""
    ws.send(TEXT, json.dumps({'from': start}))
    out, statuses = b'', []
    while True:
        kind, payload = ws.receive()
        if kind == BINARY:
            out += payload
        elif kind == TEXT:
            statuses.append(json.loads(payload))
            if statuses[-1]['status'] in until:
                return out, statuses
        elif kind == CLOSE:
            raise AssertionError(f'closed: {payload}')
        if most is not None and len(out) >= most:
            return out, statuses


def closing_code(ws):
    while True:
        kind, payload = ws.receive()
        if kind == CLOSE:
            return int.from_bytes(payload[:2], 'big')


class ViewTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write('ball.xml', BALL)

    def record(self, duration='0.5', name='ball.tact'):
        run = self.tact('sim', 'ball.xml', '--duration', duration, '--record', name)
        self.assertEqual(run.returncode, 0, run.stderr)
        return (self.folder / name).read_bytes()

    def embedded(self, page):
        found = re.search(r'<script type="text/plain" id="tact-recording">([^<]*)</script>', page)
        self.assertIsNotNone(found)
        self.assertNotIn('<!--tact-data-->', page)
        return base64.b64decode(found[1], validate=True)

    def start_endless_run(self):
        run = subprocess.Popen([TACT, 'sim', 'ball.xml', '--duration', '1e6', '--record', 'long.tact'],
                               cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        deadline = time.monotonic() + 20
        while not (self.folder / 'long.tact').exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        return run

    # ---- one file

    def test_a_page_holds_the_recording(self):
        recording = self.record()
        run = self.tact('view', 'ball.tact', '--html', 'ball.html')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.assertIn('ball.html', run.stdout)
        page = (self.folder / 'ball.html').read_text(encoding='utf-8')
        self.assertEqual(self.embedded(page), recording)
        self.assertEqual(self.embedded(self.tact('view', 'ball.tact', '--html', '-').stdout), recording)
        told = json.loads(self.tact('view', 'ball.tact', '--html', 'ball.html', '--json').stdout)
        self.assertEqual(told, {'html': 'ball.html', 'bytes': len(page.encode())})

    def test_a_scene_becomes_a_page(self):
        run = self.tact('view', 'ball.xml', '--duration', '0.3', '--html', 'ball.html', '--modes')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        (self.folder / 'again.tact').write_bytes(self.embedded((self.folder / 'ball.html').read_text()))
        checked = self.tact('check', 'again.tact')
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn('finished', checked.stdout)
        self.assertIn('contact modes', checked.stdout)
        self.assertEqual(self.tact('audit', 'again.tact').returncode, 0)

    def test_modes_of_a_scene_lie_on_its_contacts(self):
        run = self.tact('view', 'tipping-box', '--duration', '0.1', '--html', 'box.html', '--modes', '--record', 'box.tact')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.assertEqual(self.embedded((self.folder / 'box.html').read_text()), (self.folder / 'box.tact').read_bytes())
        words = self.tact('check', 'box.tact').stdout
        counted = json.loads(self.tact('modes', '--scene', 'box-1', '--json').stdout)
        self.assertIn(f"{counted['full']} contact modes of 4 contacts", words, 'a box on the floor')

    def test_impacts_have_certificates(self):
        self.record('1')
        self.assertIn('certificates', self.tact('check', 'ball.tact').stdout)

    def test_modes_of_built_in_scenes_and_problems(self):
        run = self.tact('view', '--scene', 'box-3', '--html', 'box.html')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        (self.folder / 'box.tact').write_bytes(self.embedded((self.folder / 'box.html').read_text()))
        self.assertIn('136 contact modes of 12 contacts', self.tact('check', 'box.tact').stdout)
        self.write('lift.json', {'format': 'tact-problem/1', 'name': 'lift', 'dof': 1, 'mass': [[2]], 'velocity': [0],
                                 'contacts': [{'name': 'ground', 'normal': [1]},
                                              {'name': 'fork', 'normal': [1], 'excitation': {'normal': '-3'}}],
                                 'outcome': {'velocity': [3], 'impulses': [[0], [6]]}})
        run = self.tact('view', 'lift.json', '--html', 'lift.html')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        (self.folder / 'lift.tact').write_bytes(self.embedded((self.folder / 'lift.html').read_text()))
        words = self.tact('check', 'lift.tact').stdout
        self.assertIn('1 certificates', words)
        self.assertIn('contact modes of 2 contacts', words)

    # ---- live

    def test_a_finished_recording_arrives_whole(self):
        recording = self.record()
        with Viewer(self.folder, 'ball.tact') as viewer:
            self.assertEqual(viewer.about['address'], f'http://127.0.0.1:{viewer.port}/{viewer.token}/')
            self.assertEqual(viewer.about['bytes'], len(recording))
            self.assertRegex(viewer.token, '^[0-9a-f]{32}$')
            with viewer.socket(origin=f'http://127.0.0.1:{viewer.port}') as ws:
                got, statuses = watch(ws)
                self.assertEqual(got, recording)
                self.assertEqual([s['status'] for s in statuses], ['finished'])
            with viewer.socket(host='localhost:1', origin='http://localhost:1') as ws:
                self.assertEqual(watch(ws, start=1000)[0], recording[1000:], 'behind a forwarded port')
            with viewer.socket() as one, viewer.socket() as two:
                self.assertEqual(watch(one, start=len(recording))[0], b'')
                self.assertEqual(watch(two)[0], recording)
                self.assertEqual(watch(one, start=7)[0], recording[7:], 'asked again')
            status, head, body = get(viewer.port, f'/{viewer.token}/recording.tact')
            self.assertEqual((status, body), (200, recording))
            status, head, body = get(viewer.port, f'/{viewer.token}/')
            self.assertEqual(status, 200)
            self.assertIn(b'{"socket": "live"}', body)
            self.assertIn("default-src 'none'", head)
            self.assertIn('no-store', head)
            status, head, body = get(viewer.port, f'/{viewer.token}/', method='HEAD')
            self.assertEqual((status, body), (200, b''))
            code, out, err = viewer.stop()
            self.assertEqual((code, out, err), (0, '', ''))

    def test_a_run_is_watched_while_it_is_computed_elsewhere(self):
        run = self.start_endless_run()
        with Viewer(self.folder, 'long.tact') as viewer:
            with viewer.socket() as ws:
                first, statuses = watch(ws, until=(), most=200_000)
                self.assertEqual(statuses[0]['status'], 'running')
            with viewer.socket() as ws, viewer.socket() as second:
                more, _ = watch(ws, start=len(first), until=(), most=100_000)
                watch(second, until=(), most=50_000)
                run.send_signal(signal.SIGINT)
                rest, statuses = b'', []
                while not statuses or statuses[-1] == 'running':
                    kind, payload = ws.receive()
                    if kind == BINARY:
                        rest += payload
                    elif kind == TEXT:
                        statuses.append(json.loads(payload)['status'])
                self.assertEqual(statuses[-1], 'finished')
                self.assertEqual(first + more + rest, (self.folder / 'long.tact').read_bytes())

    def test_a_killed_run_leaves_what_was_recorded(self):
        run = self.start_endless_run()
        with Viewer(self.folder, 'long.tact') as viewer:
            with viewer.socket() as ws:
                first, _ = watch(ws, until=(), most=50_000)
                run.kill()
                run.wait()
                status = ''
                while status != 'ended':
                    kind, payload = ws.receive()
                    if kind == BINARY:
                        first += payload
                    elif kind == TEXT:
                        told = json.loads(payload)
                        status = told['status']
                        self.assertNotEqual(status, 'finished')
                self.assertIn('interrupted', told['message'])
                self.assertEqual(first, (self.folder / 'long.tact').read_bytes())
            with viewer.socket() as ws:
                self.assertEqual(watch(ws)[0], first, 'still there for the next one')

    def test_a_scene_is_watched_while_it_is_computed_here(self):
        with Viewer(self.folder, 'ball.xml', '--duration', '1e6', '--record', 'kept.tact') as viewer:
            with viewer.socket() as ws:
                got, statuses = watch(ws, until=(), most=100_000)
                self.assertEqual(statuses[0]['status'], 'running')
            code, _, err = viewer.stop()
            self.assertEqual((code, err), (0, ''))
        self.assertTrue((self.folder / 'kept.tact').read_bytes().startswith(got))
        self.assertIn('stopped', self.tact('check', 'kept.tact').stdout)

    def test_temporary_files_go_with_the_server(self):
        with Viewer(self.folder, 'ball.xml', '--duration', '0.1') as viewer:
            self.assertTrue(os.path.exists(viewer.about['file']))
            self.assertEqual(viewer.stop(signal.SIGTERM)[0], 0)
            self.assertFalse(os.path.exists(os.path.dirname(viewer.about['file'])))

    def test_it_ends_when_the_last_viewer_left(self):
        self.record('0.1')
        with Viewer(self.folder, 'ball.tact', '--until-closed') as viewer:
            with viewer.socket() as ws:
                watch(ws)
            self.assertEqual(viewer.process.wait(timeout=20), 0)

    def test_a_slow_viewer_costs_no_memory_and_delays_nobody(self):
        recording = self.record('0.2')
        # A long stream without computing it: blocks of an unknown type are passed over.
        import struct
        import zlib
        head = b'MORE' + struct.pack('<II', 0, 1 << 20)
        block = head + os.urandom(1 << 20)
        block += struct.pack('<I', zlib.crc32(block))
        with open(self.folder / 'ball.tact', 'ab') as f:
            for _ in range(60):
                f.write(block)
        size = (self.folder / 'ball.tact').stat().st_size
        with Viewer(self.folder, 'ball.tact') as viewer:
            def memory():
                with open(f'/proc/{viewer.process.pid}/statm', encoding='ascii') as f:
                    return int(f.read().split()[1]) * resource.getpagesize()
            before = memory()
            slow = [viewer.socket(receive_buffer=4096) for _ in range(20)]
            for ws in slow:
                ws.send(TEXT, '{"from": 0}')
            with viewer.socket() as quick:
                self.assertEqual(len(watch(quick)[0]), size)
            self.assertLess(memory() - before, 20 << 20)
            kind, payload = slow[0].receive()
            self.assertEqual((kind, payload[:100]), (BINARY, recording[:100]))
            for ws in slow:
                ws.socket.close()

    # ---- who may see it

    def test_only_three_addresses_are_answered(self):
        self.record('0.05')
        self.write('secret.txt', 'secret')
        with Viewer(self.folder, 'ball.tact') as viewer:
            token = viewer.token
            wrong = token[:-1] + ('0' if token[-1] != '0' else '1')
            for target in ('/', f'/{token}', f'/{wrong}/', f'/{wrong}/live', f'/{wrong}/recording.tact', f'/{token}/secret.txt',
                           f'/{token}//', f'/{token}/.', f'/{token}/..', f'/{token}/../secret.txt',
                           f'/{token}/%2e%2e/secret.txt', f'/{token}/..%2fsecret.txt', f'/{token}/%00',
                           f'//{token}/', f'/./{token}/', f'/{token}/live/', f'/{token}/recording.tact/',
                           f'/{token}/ball.tact', '/favicon.ico', '/etc/passwd', f'/{token.upper()}X/'):
                status, _, body = get(viewer.port, target)
                self.assertEqual(status, 404, target)
                self.assertNotIn(b'secret', body)
            self.assertEqual(get(viewer.port, f'http://127.0.0.1/{token}/')[0], 400, 'absolute')
            self.assertEqual(get(viewer.port, f'/{token}/\0')[0], 400)
            self.assertEqual(get(viewer.port, f'/{token}/', method='POST')[0], 405)
            self.assertEqual(get(viewer.port, f'/{token}/live')[0], 400, 'no handshake')
            self.assertEqual(get(viewer.port, '/' + 'a' * 9000)[0], 414)
            self.assertEqual(get(viewer.port, '/', extra='X: ' + 'a' * 9000 + '\r\n')[0], 431)
            self.assertTrue(request(viewer.port, b'\x16\x03\x01\x02\0\x01\r\n\r\n').startswith(b'HTTP/1.1 400'))

    def test_names_and_origins_of_others_are_refused(self):
        self.record('0.05')
        with Viewer(self.folder, 'ball.tact') as viewer:
            for host in ('evil.example', f'evil.example:{viewer.port}', '127.0.0.1.evil.example', '0.0.0.0', '192.168.1.1'):
                self.assertEqual(get(viewer.port, f'/{viewer.token}/', host=host)[0], 403, host)
                with viewer.socket(host=host) as ws:
                    self.assertEqual(ws.status, 403, host)
            for origin in ('http://evil.example', 'null', f'https://127.0.0.1:{viewer.port}', 'http://127.0.0.1:1',
                           f'http://localhost:{viewer.port}'):
                with viewer.socket(origin=origin) as ws:
                    self.assertEqual(ws.status, 403, origin)
            with WebSocket(viewer.port, '0' * 32) as ws:
                self.assertEqual(ws.status, 404)
            self.assertEqual(get(viewer.port, f'/{viewer.token}/', host=f'localhost:{viewer.port}')[0], 200)

    def test_it_listens_on_this_machine_only(self):
        self.record('0.05')
        with Viewer(self.folder, 'ball.tact') as viewer:
            with open(f'/proc/{viewer.process.pid}/net/tcp', encoding='ascii') as f:
                listening = [line.split()[1] for line in f if line.split()[3] == '0A' and line.split()[1].endswith(f':{viewer.port:04X}')]
            self.assertEqual(listening, [f'0100007F:{viewer.port:04X}'])

    def test_another_host_is_said(self):
        self.record('0.05')
        with Viewer(self.folder, 'ball.tact', '--host', '0.0.0.0') as viewer:
            self.assertEqual(get(viewer.port, f'/{viewer.token}/', host='192.168.1.1:5')[0], 200)
            self.assertEqual(get(viewer.port, f'/{viewer.token}/', host='evil.example')[0], 403)
            code, _, err = viewer.stop()
            self.assertEqual(code, 0)
            self.assertIn('other machines can reach', err)

    def test_broken_rules_close_the_socket(self):
        self.record('0.05')
        with Viewer(self.folder, 'ball.tact') as viewer:
            def after(code, *frames):
                with viewer.socket() as ws:
                    for words in frames:
                        ws.send(*words[:2], **words[2]) if len(words) == 3 else ws.send(*words)
                    self.assertEqual(closing_code(ws), code, frames)
            after(1002, (TEXT, '{"from": 0}', {'masked': False}))
            after(1002, (3, 'x'))
            after(1002, (0, 'continues nothing'))
            after(1002, (PING, 'x' * 126))
            after(1002, (PING, 'x', {'last': False}))
            after(1009, (TEXT, 'x' * 5000))
            after(1009, (TEXT, 'x' * 3000, {'last': False}), (0, 'x' * 3000))
            after(1007, (TEXT, b'\xff'))
            after(1003, (BINARY, b'x'))
            after(1003, (TEXT, '{"from": -1}'))
            after(1003, (TEXT, '{"from": "all"}'))
            after(1003, (TEXT, 'hello'))
            after(1000, (CLOSE, b'\x03\xe8'))
            with viewer.socket() as ws:
                ws.send(PING, 'are you there')
                self.assertEqual(ws.receive(), (PONG, b'are you there'))
                ws.send(TEXT, '{"fr', last=False)
                ws.send(PING, 'between')
                self.assertEqual(ws.receive(), (PONG, b'between'))
                ws.send(0, 'om": 100000000}')
                kind, payload = ws.receive()
                self.assertEqual((kind, json.loads(payload)['status']), (TEXT, 'ended'), 'beyond the end')
            with viewer.socket() as ws:
                watch(ws)
                viewer.process.send_signal(signal.SIGINT)
                self.assertEqual(closing_code(ws), 1001)

    def test_half_requests_and_many_connections_do_no_harm(self):
        recording = self.record('0.05')
        with Viewer(self.folder, 'ball.tact') as viewer:
            idle = []
            for _ in range(40):
                s = socket.create_connection(('127.0.0.1', viewer.port))
                s.sendall(b'GET / HT')
                idle.append(s)
            with viewer.socket() as ws:
                self.assertEqual(watch(ws)[0], recording)
            for _ in range(60):
                idle.append(socket.create_connection(('127.0.0.1', viewer.port)))
            last = socket.create_connection(('127.0.0.1', viewer.port))
            last.settimeout(10)
            self.assertIn(b'503', last.recv(100))
            for s in (*idle, last):
                s.close()
            deadline = time.monotonic() + 10
            while True:
                with viewer.socket() as ws:
                    if ws.status == 101:
                        self.assertEqual(watch(ws)[0], recording)
                        break
                self.assertLess(time.monotonic(), deadline)

    # ---- bad input

    def test_a_cut_recording_is_shown_as_far_as_it_goes(self):
        recording = self.record()
        (self.folder / 'cut.tact').write_bytes(recording[:-500])
        run = self.tact('view', 'cut.tact', '--html', 'cut.html')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('cut.tact: ', run.stderr)
        self.assertEqual(self.embedded((self.folder / 'cut.html').read_text()), recording[:-500])
        with Viewer(self.folder, 'cut.tact') as viewer:
            with viewer.socket() as ws:
                got, statuses = watch(ws)
                self.assertEqual((got, statuses[-1]['status']), (recording[:-500], 'ended'))
            self.assertIn('cut.tact: ', viewer.stop()[2])

    def test_what_cannot_be_viewed(self):
        recording = self.record('0.05')
        (self.folder / 'new.tact').write_bytes(b'TACTREC9' + recording[8:])
        (self.folder / 'empty.tact').write_bytes(b'')
        (self.folder / 'other.tact').write_bytes(b'\x89PNG\r\n\x1a\n' * 10)
        (self.folder / 'short.tact').write_bytes(recording[:40])
        self.write('note.txt', 'hello')
        for words in ((), ('--html', 'out.html')):
            self.refused(self.tact('view', 'none.tact', *words), 'none.tact: ', 'no such file')
            self.refused(self.tact('view', 'new.tact', *words), 'new.tact: ', 'another version')
            self.refused(self.tact('view', 'empty.tact', *words), 'empty.tact: ')
            self.refused(self.tact('view', 'other.tact', *words), 'other.tact: ', 'no recording')
            self.refused(self.tact('view', 'short.tact', *words), 'short.tact: ')
            self.refused(self.tact('view', 'note.txt', *words), 'note.txt')
            self.refused(self.tact('view', 'nothing', *words), 'nothing')
            self.refused(self.tact('view', '--scene', 'nothing', *words), 'nothing')
            self.refused(self.tact('view', *words), 'tact view: ')
        self.assertFalse((self.folder / 'out.html').exists())

    def test_places_that_cannot_be_written_or_listened_to(self):
        recording = self.record('0.05')
        self.refused(self.tact('view', 'ball.tact', '--html', 'no/out.html'), 'no/out.html: ')
        self.refused(self.tact('view', 'ball.tact', '--html', '.'), '.: ')
        self.refused(self.tact('view', 'ball.tact', '--html', 'ball.tact'), 'is an input')
        self.refused(self.tact('view', 'ball.xml', '--record', 'no/run.tact'), 'no/run.tact: ')
        for words in (('--duration', 'nan'), ('--duration', '-1'), ('--dt', 'nan'), ('--every', '0'), ('--html', ''), ('--record', '')):
            self.refused(self.tact('view', 'ball.xml', *words), words[0], 'for example')
        self.assertEqual((self.folder / 'ball.tact').read_bytes(), recording)
        with socket.create_server(('127.0.0.1', 0)) as taken:
            port = taken.getsockname()[1]
            self.refused(self.tact('view', 'ball.tact', '--port', port), f'--port {port}', 'in use')
        self.refused(self.tact('view', 'ball.tact', '--host', '203.0.113.1'), '203.0.113.1')
        self.refused(self.tact('view', 'ball.tact', '--host', 'no such host'), 'no such host')
        self.refused(self.tact('view', 'ball.tact', '--port', '70000'), '70000')

    def test_two_runs_do_not_write_one_file(self):
        self.start_endless_run()
        time.sleep(0.2)
        run = self.tact('sim', 'ball.xml', '--duration', '0.1', '--record', 'long.tact')
        self.refused(run, 'long.tact: ', 'another run')


if __name__ == '__main__':
    unittest.main()
