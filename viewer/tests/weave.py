#!/usr/bin/python3
"""Recordings for the tests of the page.

weave.py FILE OUT     adds soft contacts, certificates and contact modes to a recording
weave.py --many N OUT a made-up recording of N bodies that fall, each with a contact
weave.py --odd WHAT OUT  small odd ones: empty, head, one-frame, nan, placeless
"""
import itertools
import json
import math
import struct
import sys

from reader import blocks, pack

HOSTILE = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" onload="window.broken=1">'
           '<script>window.broken=2</script><rect width="200" height="100" fill="#9ab"/>'
           '<image href="https://example.invalid/x.png"/><circle cx="60" cy="50" r="30" fill="#0064a8"/>'
           '<text x="100" y="55" onclick="window.broken=3">set</text></svg>')
CERTIFICATES = [
    {'step': 10, 'time': 0.01, 'contacts': ['ball on floor'], 'verdict': 'consistent_strong', 'W_min': -0.31, 'W_max': -0.05,
     'W_actual': -0.12, 'why': ['every impulse that explains this velocity takes energy away'], 'svg': HOSTILE},
    {'step': 20, 'time': 0.02, 'contacts': ['left tip', 'right tip'], 'verdict': 'inconsistent', 'W_min': 0.05, 'W_max': 'inf',
     'W_actual': 0.07, 'why': ['no distribution of impulses gives less than +0.050 J', 'the largest work is not bounded']},
    {'step': 30, 'time': 0.03, 'contacts': [], 'verdict': 'kinetically_incompatible', 'W_min': None, 'W_max': None, 'W_actual': None,
     'why': ['no impulses give this velocity']},
]


def soft_block(step, time):
    turn = 0.5 * math.sin(3 * time)
    soft = struct.pack('<3I4B', 1, 0, 0, 2 if turn > 0.4 else 1, 0, 0, 0)
    soft += struct.pack('<7f', 0.1, 0.05, 0.0, 1, 0, 0, 0)
    soft += struct.pack('<f2f3f', 0.0012, 0.02, 0.012, 1e-4 * turn, 5e-5, 0.01)
    soft += struct.pack('<6f', 0, 0, 0.02, 8 * turn, 3.0, 21.5) + struct.pack('<2f3f', 0.004, abs(turn), 10.0, 7.0, 0.05)
    return pack('SOFT', struct.pack('<QI', step, 1) + soft)


def modes(bodies):
    """A made-up lattice of 2187 modes on four corners: every sign vector with its facets."""
    corners = [(x, y, 0.0) for x in (-0.1, 0.1) for y in (-0.06, 0.06)]
    signs = list(itertools.product('0+', repeat=4))
    out, index = [], {}
    for cs in signs:
        for ss in itertools.product('-0+', repeat=2 * cs.count('0') if cs.count('0') < 3 else 6):
            dim = cs.count('+') + sum(s != '0' for s in ss[:4])
            lift = cs.count('+') / 4
            slip = 0.2 * sum({'-': -1, '0': 0, '+': 1}[s] for s in ss)
            index[(cs, ss)] = len(out)
            twist = [0.4 * lift, 0.1 * slip, 0.0, slip, 0.0, lift]
            out.append({'cs': ''.join(cs), 'ss': ''.join(ss), 'dim': dim, 'velocity': twist,
                        'bodies': [[0.0] * 6] + [twist] * (bodies - 1),
                        'contact_velocities': [[slip, 0, 0.3 if c == '+' else 0.0] for c in cs], 'faces': []})
    for (cs, ss), i in index.items():
        for k, s in enumerate(ss):
            j = index.get((cs, ss[:k] + ('0',) + ss[k + 1:]))
            if s != '0' and j is not None:
                out[i]['faces'].append(j)
    names = ['front left', 'front right', 'rear left', 'rear right']
    contacts = [{'name': n, 'geom1': None, 'geom2': None, 'p_W': p, 'n_W': [0, 0, 1], 't_W': [[1, 0, 0], [0, 1, 0]]}
                for n, p in zip(names, corners)]
    return {'title': 'four corners', 'policy': 'exact', 'complete': True, 'nv': 6, 'contacts': contacts, 'modes': out}


def weave(path, out):
    with open(path, 'rb') as file:
        data = file.read()
    result, bodies = b'TACTREC1', 0
    for kind, payload, whole in blocks(data):
        if kind == 'HEAD':
            bodies = len(json.loads(payload)['bodies'])
        if kind == 'INDX':
            continue
        if kind == 'DONE':
            for certificate in CERTIFICATES:
                result += pack('CERT', json.dumps(certificate).encode())
            result += pack('MODE', json.dumps(modes(bodies)).encode())
            result += pack('ZZZZ', b'a block that no reader knows', False)
        result += whole
        if kind == 'FRAM':
            result += soft_block(*struct.unpack_from('<Qd', payload))
    with open(out, 'wb') as file:
        file.write(result)


def placeless():
    """Modes of a problem in matrices: contacts without a place, bodies none, certificates without bounds."""
    head = header(0, 'no place')
    head['geoms'] = []
    set_of_modes = modes(1)
    for contact_of in set_of_modes['contacts']:
        contact_of.update(p_W=None, n_W=None, t_W=None)
    for mode in set_of_modes['modes']:
        del mode['bodies'], mode['contact_velocities']
    bounds = {'step': 0, 'time': 0, 'contacts': ['a'], 'verdict': 'dissipative', 'W_min': None, 'W_max': None, 'W_actual': -0.1, 'why': []}
    return b'TACTREC1' + pack('HEAD', json.dumps(head).encode()) + pack('FRAM', frame(0, 0, 1)) + \
        pack('MODE', json.dumps(set_of_modes).encode()) + pack('CERT', json.dumps(bounds).encode())


WORDS = {'accounts': ['normal', 'friction'], 'patches': ['point', 'segment', 'polygon', 'disc', 'ellipse', 'stadium'],
         'regimes': ['idle', 'separate', 'separate_grazing', 'stick', 'slide', 'tip_vertex', 'tip_edge', 'slide_tip_vertex', 'slide_tip_edge'],
         'extended': ['point', 'edge', 'patch'], 'verdicts': ['dissipative', 'generating']}


def header(bodies, name):
    kinds = [('box', [0.05, 0.05, 0.05]), ('sphere', [0.05]), ('capsule', [0.03, 0.04]), ('cylinder', [0.04, 0.05]), ('ellipsoid', [0.05, 0.04, 0.03])]
    geoms = [{'name': 'floor', 'body': 0, 'type': 'plane', 'pose': {'p': [0, 0, 0], 'q': [1, 0, 0, 0]}, 'friction': 0.5, 'extent': 0}]
    for i in range(bodies):
        kind, size = kinds[i % len(kinds)]
        geoms.append({'name': '', 'body': i + 1, 'type': kind, 'size': size, 'pose': {'p': [0, 0, 0], 'q': [1, 0, 0, 0]}, 'friction': 0.5, 'extent': 0.1})
    return {'format': 'tact-recording/1', 'tact': '0', 'name': name, 'dt': 0.001, 'every': 16, 'gravity': [0, 0, -9.81], 'nq': 0, 'nv': 0,
            'words': WORDS, 'bodies': [{'name': 'world'}] + [{'name': f'b{i}', 'mass': 1.0} for i in range(bodies)], 'geoms': geoms, 'meshes': [], 'fields': []}


def contact(i, x, y, kind, points, radius=0.0, axes=(0.0, 0.0)):
    wrench = (0, 0, 0, 1.0, 0.5, 9.81)
    out = struct.pack('<3I4B7f4f6f6f6f1f5f2f', i, 0, 0, kind, 3 + i % 4, 0, 1, x, y, 0, 1, 0, 0, 0, 0.5, radius, *axes, *wrench,
                      *(0,) * 6, *(0.3, 0, 0, 0, 0, 0.015), 0, 1, 0, 0, 3.0, 0.2, 0, 0)
    return out + struct.pack(f'<I{len(points)}f', len(points) // 2, *points) + struct.pack('<I2f', 1, 0, 0)


SHAPES = [(0, (0, 0), 0, (0, 0)), (1, (-.05, 0, .05, 0), 0, (0, 0)), (2, (-.05, -.05, .05, -.05, .05, .05, -.05, .05), 0, (0, 0)),
          (3, (0, 0), .04, (0, 0)), (4, (0, 0), 0, (.05, .03)), (5, (-.03, 0, .03, 0), .02, (0, 0))]


def frame(step, bodies, wide, broken=False):
    out = struct.pack('<Qd7I', step, step * 0.001, 0, 0, 0, bodies + 1, 0, 2, bodies)
    poses, contacts = [0, 0, 0, 1, 0, 0, 0], b''
    for i in range(bodies):
        x, y = 0.14 * (i % wide - wide / 2), 0.14 * (i // wide - wide / 2)
        a = 0.002 * step + i
        z = 0.05 + 0.02 * abs(math.sin(a))
        poses += [math.nan if broken and i == 0 else x, y, z, math.cos(a / 2), 0, 0, math.sin(a / 2)]
        kind, points, radius, axes = SHAPES[i % 6]
        contacts += contact(i + 1, x, y, kind, points, radius, axes)
    out += struct.pack(f'<{len(poses)}f', *poses) + struct.pack('<2d4d2d7I', 0, -0.1, -0.1, 0, 0.1, 1e-17, 1e-12, 1e-9, 1, 3, 0, 0, 0, bodies, bodies)
    return out + contacts


def many(count, frames, name, broken=False):
    wide = max(1, math.isqrt(count))
    out = b'TACTREC1' + pack('HEAD', json.dumps(header(count, name)).encode())
    for k in range(frames):
        out += pack('FRAM', frame(16 * k, count, wide, broken))
    return out + pack('DONE', json.dumps({'status': 'finished', 'steps': 16 * frames, 'frames': frames, 'impacts': 0, 'time': 0.016 * frames}).encode())


def odd(what):
    if what == 'empty':
        return b''
    if what == 'placeless':
        return placeless()
    if what == 'head':
        return b'TACTREC1' + pack('HEAD', json.dumps(header(2, 'no frames')).encode())
    if what == 'one-frame':
        return many(6, 1, 'one frame')
    return many(6, 5, 'not a number', True)


def main():
    if sys.argv[1] == '--many':
        result = many(int(sys.argv[2]), 120, f'{sys.argv[2]} bodies')
    elif sys.argv[1] == '--odd':
        result = odd(sys.argv[2])
    else:
        return weave(sys.argv[1], sys.argv[2])
    with open(sys.argv[3], 'wb') as file:
        file.write(result)
    return None


if __name__ == '__main__':
    main()
