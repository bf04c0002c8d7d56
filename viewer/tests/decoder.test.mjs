// decoder.test.mjs - the decoder without a browser: pieces of any size, cut files, damaged files, strange files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bundled, here, PYTHON, recordings } from './support.mjs';

const { BlockCutter, StreamDecoder, Recording, crc32, quantity, plain, zeroLine, pivot, contactKey, kindsOf } = await bundled();
const file = join(recordings(), 'tipping_box.tact');
const bytes = new Uint8Array(readFileSync(file));

async function read(data, pieces = [data.length]) {
  const recording = new Recording();
  const decoder = new StreamDecoder(recording.take);
  let at = 0;
  for (let i = 0; at < data.length; i++) {
    const n = pieces[i % pieces.length];
    await decoder.feed(data.subarray(at, at + n));
    at += n;
  }
  return { recording, decoder };
}

const whole = await read(bytes);

test('the sum is zlib\'s', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
});

test('every number is what another reader reads', () => {
  const n = whole.recording.frames.length;
  const chosen = [0, 1, Math.floor(n / 2), n - 1];
  const other = JSON.parse(execFileSync(PYTHON, ['-B', join(here, 'reader.py'), file, ...chosen.map(String)], { maxBuffer: 1e9 }));
  assert.equal(n, other.frames);
  assert.equal(whole.recording.impacts.length, other.impacts);
  assert.equal(whole.decoder.damage, null);
  for (const i of chosen) {
    const f = whole.recording.frames[i], o = other.chosen[i];
    assert.equal(f.step, o.step);
    assert.equal(f.time, o.time);
    assert.deepEqual(Array.from(f.bodies), o.bodies);
    assert.deepEqual(Array.from(f.works), Object.values(o.accounts));
    for (const key of ['kinetic', 'potential', 'moved', 'closure', 'residual', 'penetration']) assert.equal(f[key], o[key]);
    assert.deepEqual(f.solve, o.solve);
    assert.equal(f.solve !== null, f.contactCount > 0, 'contacts were solved with something');
    const contacts = whole.recording.contacts(i);
    assert.equal(contacts.length, o.contacts.length);
    contacts.forEach((c, k) => {
      assert.equal(contactKey(c), o.contacts[k].key);
      assert.deepEqual(Array.from(c.wrench), o.contacts[k].wrench);
      assert.equal(c.frictionLeft, o.contacts[k].frictionLeft);
      assert.equal(whole.recording.regimeName(c.regime), o.contacts[k].regime);
    });
  }
});

test('pieces of any size give the same recording', async () => {
  for (const pieces of [[1009], [7, 100000, 1], [65536]]) {
    const { recording, decoder } = await read(bytes, pieces);
    assert.equal(decoder.damage, null);
    assert.equal(recording.frames.length, whole.recording.frames.length);
    assert.deepEqual(recording.closure.view(), whole.recording.closure.view());
    assert.deepEqual(recording.done, whole.recording.done);
  }
});

test('a stream cut anywhere keeps what is whole, and goes on when the rest arrives', async () => {
  for (const share of [0.1, 0.37, 0.9]) {
    const cut = Math.floor(share * bytes.length);
    const recording = new Recording();
    const decoder = new StreamDecoder(recording.take);
    await decoder.feed(bytes.subarray(0, cut));
    assert.equal(decoder.damage, null);
    assert.equal(recording.done, null);
    const before = recording.frames.length;
    assert.ok(before > 0 && before < whole.recording.frames.length);
    await decoder.feed(bytes.subarray(cut));
    assert.equal(recording.frames.length, whole.recording.frames.length);
  }
});

test('one wrong bit is found and said, what came before is kept', async () => {
  const bad = bytes.slice();
  bad[Math.floor(bad.length / 2)] ^= 4;
  const { recording, decoder } = await read(bad, [50000]);
  assert.match(decoder.damage, /^The recording is damaged at byte \d+: .+\. What came before it is shown\.$/);
  assert.ok(recording.frames.length > 10 && recording.frames.length < whole.recording.frames.length);
});

test('what is no recording is said at once', async () => {
  const { decoder, recording } = await read(new TextEncoder().encode('<html>hello</html>'));
  assert.match(decoder.damage, /not a recording of tact/);
  assert.equal(recording.head, null);
});

test('a block that lies about its size, and one before the header', async () => {
  const cutter = new BlockCutter();
  const block = new Uint8Array(20);
  block.set(new TextEncoder().encode('TACTREC1FRAM'));
  new DataView(block.buffer).setUint32(16, 0xffffffff, true);
  assert.deepEqual(cutter.feed(block), []);
  assert.match(cutter.damage, /no block begins there/);
  const withoutHead = await read(new Uint8Array([...bytes.subarray(0, 8), ...firstFrame()]));
  assert.match(withoutHead.decoder.damage, /before the header/);
});

function firstFrame() {
  const view = new DataView(bytes.buffer);
  const size = view.getUint32(16, true);
  const at = 8 + 12 + size + 4;
  return bytes.subarray(at, at + 12 + view.getUint32(at + 8, true) + 4);
}

test('soft contacts, certificates and modes of a woven recording', async () => {
  const { recording, decoder } = await read(new Uint8Array(readFileSync(join(recordings(), 'woven.tact'))));
  assert.equal(decoder.damage, null);
  assert.equal(recording.soft.size, recording.frames.length);
  const soft = recording.softContacts(5)[0];
  assert.ok(Math.abs(soft.wrench[5] - 21.5) < 1e-6 && Math.abs(soft.slipAxes[1] - 7) < 1e-6 && soft.state === 1);
  assert.equal(recording.certificates.length, 3);
  assert.equal(recording.certificates[1].W_max, 'inf');
  assert.ok(recording.modeSets[0].modes.length > 2000);
  assert.deepEqual([...recording.unknown], ['ZZZZ']);
});

test('numbers as people read them', () => {
  assert.equal(quantity(0.00123, 'm'), '1.23 mm');
  assert.equal(quantity(-1234.5, 'N'), '−1.23 kN');
  assert.equal(quantity(0, 'J'), '0 J');
  assert.equal(quantity(8.7e-17, 'J'), '8.70e−17 J');
  assert.equal(quantity(0.9999, 'N'), '1 N');
  assert.equal(plain(NaN), 'not a number');
});

test('zero-line and tipping axis of a square that turns about its right edge', () => {
  const square = [-1, -1, 1, -1, 1, 1, -1, 1];
  // v_N(x) = v_N + ω_x y − ω_y x = 2 − 2x: zero on x = 1, opening to the left.
  const twist = [0, 2, 0, 0, 0, 2];
  const line = zeroLine(square, twist);
  assert.ok(Math.abs(line.x - 1) < 1e-12 && Math.abs(line.dx) < 1e-12);
  assert.ok(line.dx * 0 - line.dy * -1 > 0, 'the opening side is on its left');
  assert.deepEqual([...pivot(square, twist)].sort(), [-1, 1, 1, 1]);
  assert.deepEqual(pivot(square, [-1, 1, 0, 0, 0, 2]), [1, 1], 'a corner');
  assert.equal(zeroLine(square, [0, 0, 0, 1, 0, 0]), null);
});

test('meshes and height fields become triangles', async () => {
  const { recording } = await read(new Uint8Array(readFileSync(join(recordings(), 'terrain.tact'))));
  const kinds = kindsOf(recording.head);
  const triangles = (name) => kinds.get(name).surface.getAttribute('position').count / 3;
  assert.equal(triangles('mesh 0'), 8); // hull of six points
  assert.equal(triangles('field 0'), 2 * 8 * 10); // two for each cell
  assert.equal(kinds.get('field 0').lines.getAttribute('position').count / 2, 9 * 10 + 8 * 11);
  const heights = kinds.get('field 0').surface.getAttribute('position').array.filter((_, i) => i % 3 === 2);
  assert.equal(Math.min(...heights), 0);
  assert.ok(Math.abs(Math.max(...heights) - 0.2) < 1e-6, 'the highest node is as high as the file says');
});
