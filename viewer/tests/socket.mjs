// socket.mjs - a server of one page and its socket, as small as the protocol allows: what `tact view` does when live.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

function message(data, text) {
  const body = Buffer.from(data);
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65536 ? 4 : 10);
  head[0] = text ? 0x81 : 0x82;
  if (body.length < 126) head[1] = body.length;
  else if (body.length < 65536) {
    head[1] = 126;
    head.writeUInt16BE(body.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(body.length), 2);
  }
  return Buffer.concat([head, body]);
}

/** A short masked text message of a browser, or nothing. */
function textOf(chunk) {
  if (chunk[0] !== 0x81) return null;
  const size = chunk[1] & 0x7f;
  const mask = chunk.subarray(2, 6);
  return Buffer.from(chunk.subarray(6, 6 + size).map((b, i) => b ^ mask[i % 4])).toString();
}

/** serve(page, onAsked): onAsked({ from, bytes, text, drop }) at every request of a stream. */
export async function serve(page, onAsked) {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/secret/' ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(request.url === '/secret/' ? page : 'no such page');
  });
  const open = new Set();
  server.on('upgrade', (request, socket) => {
    open.add(socket);
    socket.on('error', () => {});
    const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    socket.on('data', (chunk) => {
      const text = textOf(chunk);
      if (text === null) return;
      onAsked({
        from: JSON.parse(text).from,
        bytes: (data) => socket.write(message(data, false)),
        text: (value) => socket.write(message(JSON.stringify(value), true)),
        drop: () => socket.destroy(),
      });
    });
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    address: `http://127.0.0.1:${server.address().port}/secret/`,
    close: () => {
      for (const socket of open) socket.destroy();
      server.closeAllConnections?.();
      return new Promise((done) => server.close(done));
    },
  };
}
