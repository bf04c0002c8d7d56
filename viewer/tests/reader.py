#!/usr/bin/python3
"""A second reader of recordings, written apart from the page's: what the page shows is held against it.

reader.py FILE FRAME...   prints the numbers of these frames as JSON
"""
import gzip
import json
import math
import struct
import sys
import zlib


def blocks(data):
    """(type, payload, bytes of the whole block) one after the other."""
    assert data[:8] == b'TACTREC1'
    at = 8
    while at + 12 <= len(data):
        kind, packed, size = struct.unpack_from('<4sII', data, at)
        end = at + 12 + size
        if end + 4 > len(data):
            return
        assert zlib.crc32(data[at:end]) == struct.unpack_from('<I', data, end)[0], f'sum of {kind} at {at}'
        payload = data[at + 12:end]
        yield kind.decode(), gzip.decompress(payload) if packed else payload, data[at:end + 4]
        at = end + 4


def pack(kind, payload, packed=True):
    if packed:
        payload = gzip.compress(payload, mtime=0)
    covered = struct.pack('<4sII', kind.encode(), int(packed), len(payload)) + payload
    return covered + struct.pack('<I', zlib.crc32(covered))


CONTACT = struct.Struct('<3I4B7f4f6f6f6f1f5f2f')


def contacts_of(body, at, count, words):
    out = []
    for _ in range(count):
        v = CONTACT.unpack_from(body, at)
        at += CONTACT.size
        for _ in range(2):
            at += 4 + 8 * struct.unpack_from('<I', body, at)[0]
        wrench = v[18:24]
        out.append({'key': '%d:%d:%d' % v[:3], 'regime': words['regimes'][v[4]], 'normal': wrench[5],
                    'friction': math.hypot(wrench[3], wrench[4]), 'wrench': wrench,
                    'frictionLeft': v[-4], 'momentLeft': v[-3], 'cop': list(v[-2:]) if v[6] else None})
    return out


def frame_of(body, head):
    step, time, nq, nv, controls, bodies, driven, accounts, contacts = struct.unpack_from('<Qd7I', body)
    at = 44 + 8 * (nq + nv + controls)
    poses = struct.unpack_from(f'<{7 * bodies}f', body, at)
    at += 28 * bodies + 56 * driven
    works = struct.unpack_from(f'<{accounts}d', body, at)
    at += 8 * accounts
    kinetic, potential, moved, closure, residual, penetration = struct.unpack_from('<6d', body, at)
    at += 48 + 28
    return {'step': step, 'time': time, 'bodies': poses, 'accounts': dict(zip(head['words']['accounts'], works)),
            'kinetic': kinetic, 'potential': potential, 'moved': moved, 'closure': closure, 'residual': residual,
            'penetration': penetration, 'contacts': contacts_of(body, at, contacts, head['words'])}


def read(path):
    with open(path, 'rb') as file:
        data = file.read()
    head, frames, solves, impacts = None, [], [], 0
    solve = None
    for kind, payload, _ in blocks(data):
        if kind == 'HEAD':
            head = json.loads(payload)
        elif kind == 'SOLV':
            solve = dict(zip(('step', 'length', 'scale'), struct.unpack('<Qdd', payload)))
        elif kind == 'FRAM':
            frames.append(payload)
            solves.append(solve if solve and solve['step'] == struct.unpack_from('<Q', payload)[0] else None)
        elif kind == 'IMPA':
            impacts += struct.unpack_from('<QI', payload)[1]
    return head, frames, solves, impacts


def main():
    head, frames, solves, impacts = read(sys.argv[1])
    chosen = {int(i): {**frame_of(frames[int(i)], head), 'solve': solves[int(i)]} for i in sys.argv[2:]}
    json.dump({'name': head['name'], 'frames': len(frames), 'bodies': len(head['bodies']), 'impacts': impacts,
               'chosen': chosen}, sys.stdout)


if __name__ == '__main__':
    main()
