"""A WebSocket client on a plain socket, as RFC 6455 says; it can also say wrong things."""
import base64
import hashlib
import os
import socket
import struct

GUID = b'258EAFA5-E914-47DA-95CA-C5AB0DC85B11'


def request(port, text, timeout=10):
    """All bytes that the server answers until it closes."""
    with socket.create_connection(('127.0.0.1', port), timeout) as s:
        s.sendall(text if isinstance(text, bytes) else text.encode())
        out = b''
        while part := s.recv(65536):
            out += part
    return out


def get(port, target, host=None, method='GET', extra=''):
    """Status, head and body."""
    answer = request(port, f'{method} {target} HTTP/1.1\r\nHost: {host or f"127.0.0.1:{port}"}\r\n{extra}\r\n')
    head, _, body = answer.partition(b'\r\n\r\n')
    return int(head.split()[1]), head.decode(), body


class WebSocket:
    def __init__(self, port, token, origin=None, host=None, receive_buffer=None, timeout=20):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(('127.0.0.1', port))
        key = base64.b64encode(os.urandom(16))
        host = host or f'127.0.0.1:{port}'
        lines = [f'GET /{token}/live HTTP/1.1', f'Host: {host}', 'Upgrade: websocket', 'Connection: Upgrade',
                 f'Sec-WebSocket-Key: {key.decode()}', 'Sec-WebSocket-Version: 13']
        if origin:
            lines.append(f'Origin: {origin}')
        self.socket.sendall(('\r\n'.join(lines) + '\r\n\r\n').encode())
        self.pending = b''
        while b'\r\n\r\n' not in self.pending:
            part = self.socket.recv(4096)
            if not part:
                break
            self.pending += part
        self.head, _, self.pending = self.pending.partition(b'\r\n\r\n')
        self.status = int(self.head.split()[1])
        if self.status == 101:
            accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
            assert accept in self.head, self.head

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _exactly(self, count):
        while len(self.pending) < count:
            part = self.socket.recv(65536)
            if not part:
                raise EOFError
            self.pending += part
        out, self.pending = self.pending[:count], self.pending[count:]
        return out

    def receive(self):
        """Kind and payload of the next frame."""
        first, second = self._exactly(2)
        assert first & 0x80 and not second & 0x80, 'a server sends whole frames, unmasked'
        size = second & 0x7f
        if size == 126:
            size = struct.unpack('>H', self._exactly(2))[0]
        elif size == 127:
            size = struct.unpack('>Q', self._exactly(8))[0]
        return first & 0x0f, self._exactly(size)

    def send(self, kind, payload=b'', last=True, masked=True):
        payload = payload.encode() if isinstance(payload, str) else payload
        head = bytes([(0x80 if last else 0) | kind])
        bit = 0x80 if masked else 0
        if len(payload) < 126:
            head += bytes([bit | len(payload)])
        elif len(payload) < 65536:
            head += bytes([bit | 126]) + struct.pack('>H', len(payload))
        else:
            head += bytes([bit | 127]) + struct.pack('>Q', len(payload))
        mask = os.urandom(4)
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(payload)) if masked else payload
        self.socket.sendall(head + (mask if masked else b'') + body)
