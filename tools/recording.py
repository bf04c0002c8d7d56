"""Reads a recording (.tact, docs/recording.md) as far as pictures need it: the header, and the poses of each frame."""
import gzip
import json
import pathlib
import struct
import zlib
from typing import Iterator, NamedTuple

MAGIC = b'TACTREC1'


class Frame(NamedTuple):
    """One frame: its time [s], and p and q (w x y z) of every body, the world first."""
    time: float
    poses: list[tuple[float, ...]]


def unpacked(payload: bytes) -> bytes:
    return gzip.decompress(payload) if payload[:2] == b'\x1f\x8b' else zlib.decompress(payload)


def blocks(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Type and payload of every whole block."""
    if not data.startswith(MAGIC):
        raise ValueError('no recording: it does not begin with TACTREC1')
    at = len(MAGIC)
    while at + 16 <= len(data):
        kind, packed, size = struct.unpack_from('<4sII', data, at)
        end = at + 12 + size
        if end + 4 > len(data):
            return
        if zlib.crc32(data[at:end]) != struct.unpack_from('<I', data, end)[0]:
            raise ValueError(f'the block at byte {at} is damaged')
        payload = data[at + 12:end]
        yield kind.decode('ascii'), unpacked(payload) if packed else payload
        at = end + 4


def frame(payload: bytes) -> Frame:
    _, time, nq, nv, controls, bodies, *_ = struct.unpack_from('<Qd7I', payload)
    at = struct.calcsize('<Qd7I') + 8 * (nq + nv + controls)
    numbers = struct.unpack_from(f'<{7 * bodies}f', payload, at)
    return Frame(time, [numbers[i:i + 7] for i in range(0, 7 * bodies, 7)])


def read(path: pathlib.Path) -> tuple[dict, list[Frame]]:
    header, frames = {}, []
    for kind, payload in blocks(path.read_bytes()):
        if kind == 'HEAD':
            header = json.loads(payload)
        elif kind == 'FRAM':
            frames.append(frame(payload))
    return header, frames
