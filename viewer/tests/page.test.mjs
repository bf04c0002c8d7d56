// page.test.mjs - the page in a browser, as its users have it: one file, no network, a mouse and a keyboard.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve } from './socket.mjs';
import { browser, here, MARKER, pageOf, pageOfRecording, PYTHON, recordings, root, SCENES } from './support.mjs';

let chromium;
const folder = recordings();
before(async () => (chromium = await browser()));
after(async () => chromium.close());

/** Complaints of the page; what software drawing says of its own speed is none. */
function listen(page) {
  const said = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GL Driver Message|software WebGL/.test(m.text()) && said.push(m.text()));
  page.on('pageerror', (e) => said.push(e.stack ?? e.message));
  page.on('request', (r) => !/^(file|data|blob|http:\/\/127\.0\.0\.1)/.test(r.url()) && said.push(`asked for ${r.url()}`));
  return said;
}

async function open(address, options = {}) {
  const page = await chromium.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(120000); // a busy machine draws slowly
  const said = listen(page);
  await page.goto(address);
  await page.waitForFunction(() => document.body.dataset.ready === 'yes', null, { timeout: 120000 });
  return { page, said };
}

const other = (name, frames) => JSON.parse(execFileSync(PYTHON, ['-B', join(here, 'reader.py'), join(folder, `${name}.tact`), ...frames.map(String)], { maxBuffer: 1e9 }));

test('the page is built from its sources, byte by byte', () => {
  const again = join(folder, 'again.html');
  execFileSync(process.execPath, [join(root, 'build.mjs'), again], { stdio: 'pipe' });
  assert.ok(readFileSync(again).equals(readFileSync(join(root, 'dist', 'viewer.html'))), 'dist/viewer.html is old: node build.mjs');
});

test('the page has its marker once, both licences, and no address to load from', () => {
  const text = readFileSync(join(root, 'dist', 'viewer.html'), 'utf8');
  assert.equal(text.split(MARKER).length, 2);
  assert.ok(text.indexOf(MARKER) > text.indexOf('<body>') && text.indexOf(MARKER) < text.indexOf('<script>'));
  assert.ok(/three\.js authors/.test(text) && /Leon Sorokin/.test(text));
  assert.doesNotMatch(text, /(src|href)\s*=\s*["']?https?:/i);
  assert.doesNotMatch(readFileSync(join(root, 'package-lock.json'), 'utf8'), /"resolved"/);
});

for (const scene of SCENES)
  test(`${scene}: opens without a complaint and shows what another reader reads`, async () => {
    const { page, said } = await open(pageOfRecording(scene));
    const n = await page.evaluate(() => tact.frames());
    const chosen = [1, Math.floor(n / 3), n - 1];
    const expected = other(scene, chosen);
    assert.equal(n, expected.frames);
    assert.equal(await page.textContent('#title'), expected.name);
    assert.equal(await page.evaluate(() => tact.impacts().length), expected.impacts);
    assert.ok(await page.evaluate(() => tact.webgl()));
    for (const i of chosen) {
      const o = expected.chosen[i];
      const shown = await page.evaluate(async (t) => {
        tact.seek(t);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return { frame: tact.frame(), ledger: tact.ledger(), contacts: tact.contactTable(), bodies: tact.drawnBodies(), clock: document.getElementById('clock').textContent };
      }, o.time);
      assert.equal(shown.frame, i);
      assert.deepEqual(shown.ledger.accounts, o.accounts);
      for (const key of ['kinetic', 'potential', 'moved', 'closure', 'residual', 'penetration']) assert.equal(shown.ledger[key], o[key]);
      assert.deepEqual(shown.bodies, o.bodies);
      assert.ok(shown.clock.includes(`${o.time.toFixed(3)} s`));
      assert.equal(shown.contacts.length, o.contacts.length);
      for (const c of o.contacts) {
        const mine = shown.contacts.find((s) => s.key === c.key);
        assert.deepEqual(mine.wrench, c.wrench);
        assert.equal(mine.regime, c.regime);
        assert.deepEqual([mine.frictionLeft, mine.momentLeft, mine.cop], [c.frictionLeft, c.momentLeft, c.cop]);
      }
    }
    assert.deepEqual(said, []);
    await page.close();
  });

test('a scene with a mesh and a height field is drawn without a complaint', async () => {
  const { page, said } = await open(pageOfRecording('terrain'));
  await page.evaluate(() => (tact.pause(), tact.goTo(0)));
  await page.waitForTimeout(500);
  const picture = await page.locator('canvas.canvas3d').screenshot();
  assert.ok(picture.length > 8000, 'a picture with hills is no empty page');
  assert.deepEqual(said, []);
  await page.close();
});

test('timeline: steps, keys, scrubbing, playing, jumps', async () => {
  const { page, said } = await open(pageOfRecording('tipping_box'));
  const frame = () => page.evaluate(() => tact.frame());
  await page.keyboard.press('Home');
  assert.equal(await frame(), 0);
  await page.keyboard.press('ArrowRight');
  await page.click('#forward');
  assert.equal(await frame(), 2);
  await page.click('#back');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await frame(), 11);
  const box = await page.locator('#timeline canvas').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 20);
  const n = await page.evaluate(() => tact.frames());
  assert.ok(Math.abs((await frame()) - n / 2) < 3);
  const before = await frame();
  await page.selectOption('#speed', '0.5');
  await page.click('#play');
  await page.waitForFunction((f) => tact.frame() > f, before, { timeout: 60000 });
  await page.click('#play');
  assert.equal(await page.evaluate(() => tact.playing()), false);
  await page.keyboard.press('Home');
  await page.keyboard.press('r');
  assert.equal(await frame(), await page.evaluate(() => tact.changes().map((c) => c.frame).find((f) => f > 0)));
  assert.deepEqual(said, []);
  await page.close();
});

test('hover, selection, panel of the contact, plots, layers', async () => {
  const { page, said } = await open(pageOfRecording('box_tower'));
  await page.evaluate(() => tact.goTo(60));
  await page.waitForTimeout(300);
  const view = await page.locator('#view').boundingBox();
  const { key, at, name } = await page.evaluate(() => {
    const c = tact.contactTable()[0];
    return { key: c.key, name: c.name, at: tact.screenOf(c.key) };
  });
  await page.mouse.move(view.x + at.x, view.y + at.y);
  await page.waitForFunction(() => !document.getElementById('tip').hidden);
  const tip = await page.textContent('#tip');
  for (const word of [name, 'normal force', 'friction left', 'moment left', 'N·m']) assert.ok(tip.includes(word), `${word} in ${tip}`);
  await page.mouse.click(view.x + at.x, view.y + at.y);
  assert.equal(await page.evaluate(() => tact.selected()), key);
  assert.ok(await page.isVisible('#page-contacts figure'));
  assert.ok((await page.textContent('#page-contacts')).includes('μ f_N = 49'), 'the limit disc says its radius: μ f_N of ten kilograms');
  await page.keyboard.press('n');
  assert.notEqual(await page.evaluate(() => tact.selected()), key);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => tact.selected()), null);
  await page.keyboard.press('1');
  const plot = await page.locator('#page-energy .u-over').first().boundingBox();
  await page.mouse.click(plot.x + 0.25 * plot.width, plot.y + plot.height / 2);
  const [time, end] = await page.evaluate(() => { const t = tact.time(); tact.goTo(1e9); return [t, tact.time()]; });
  assert.ok(Math.abs(time - 0.25 * end) < 0.05 * end, `a click on the plot moves the time: ${time}`);
  const chip = page.locator('#page-energy .chip').first();
  const was = await chip.getAttribute('aria-pressed');
  await chip.click();
  assert.equal(await chip.getAttribute('aria-pressed'), was === 'true' ? 'false' : 'true');
  await page.keyboard.press('l');
  await page.check('#layers label:has-text("friction cones") input');
  await page.check('#layers label:has-text("normal moments") input');
  await page.keyboard.press('x');
  await page.keyboard.press('f');
  await page.waitForTimeout(500);
  assert.deepEqual(said, []);
  await page.close();
});

test('theme, help, panel, another size', async () => {
  const { page, said } = await open(pageOfRecording('foot_roll_over'), { colorScheme: 'dark' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), 'rgb(20, 24, 29)', 'follows the system');
  await page.click('#theme');
  assert.equal(await paper(), 'rgb(255, 255, 255)');
  await page.keyboard.press('t');
  assert.equal(await paper(), 'rgb(20, 24, 29)');
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('#overlay'));
  assert.ok((await page.textContent('#overlay')).includes('tipping axis'));
  await page.keyboard.press('Escape');
  assert.ok(await page.isHidden('#overlay'));
  await page.keyboard.press('p');
  assert.ok(await page.isHidden('#panel'));
  await page.keyboard.press('2');
  assert.ok(await page.isVisible('#page-contacts'));
  for (const size of [{ width: 700, height: 500 }, { width: 420, height: 760 }, { width: 1600, height: 1000 }]) {
    await page.setViewportSize(size);
    await page.waitForTimeout(200);
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.querySelector('.canvas3d').clientWidth]);
    assert.ok(wide[0] <= wide[1] && wide[2] > 100, `nothing sticks out at ${size.width}: ${wide}`);
  }
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button')].filter((b) => !b.title).map((b) => b.outerHTML));
  assert.deepEqual(unnamed, [], 'every button has a title');
  assert.deepEqual(said, []);
  await page.close();
});

test('a step that an impact cut says over how long its loads are means', async () => {
  const { page, said } = await open(pageOfRecording('rocking_block'));
  await page.keyboard.press('2');
  await page.evaluate(() => tact.goTo(0)); // no contacts there: the table hides, and comes back
  const [cut, whole] = await page.evaluate(() => {
    const lengths = Array.from({ length: tact.frames() }, (_, i) => (tact.goTo(i), tact.solve().length));
    return [lengths.findIndex((s) => s < 0.9e-3), lengths.findIndex((s) => s > 0.9e-3)];
  });
  assert.ok(cut > 0 && whole > 0);
  const text = async (i) => (await page.evaluate((k) => tact.goTo(k), i), page.textContent('#page-contacts'));
  assert.match(await text(cut), /loads are means over its last \d+ µs/);
  assert.doesNotMatch(await text(whole), /means over/);
  await page.keyboard.press('p');
  await page.evaluate((k) => tact.goTo(k), cut);
  await page.keyboard.press('p');
  assert.match(await page.textContent('#page-contacts'), /means over/, 'a panel that comes back is of the moment');
  assert.deepEqual(said, []);
  await page.close();
});

test('soft contacts, certificates and a picture that would like to run', async () => {
  const { page, said } = await open(pageOfRecording('woven'));
  await page.evaluate(() => { tact.goTo(20); tact.select(tact.contactTable().find((c) => c.soft).key); });
  const text = await page.textContent('#page-contacts');
  for (const word of ['slip ellipse', 'depth', '1.2 mm', 'torsion', '21.5 N', 'stored energy']) assert.ok(text.includes(word), word);
  await page.click('#tab-impacts');
  await page.waitForSelector('.card');
  const cards = await page.locator('.card').allTextContents();
  assert.equal(cards.length, 3);
  assert.ok(cards[0].includes('consistent strong') && cards[0].includes('−310 mJ'));
  assert.ok(cards[1].includes('∞') && cards[1].includes('no distribution of impulses'));
  assert.ok(cards[2].includes('No impulses explain this outcome'));
  const source = decodeURIComponent(await page.locator('.card img').getAttribute('src'));
  assert.doesNotMatch(source, /script|onload|onclick|example\.invalid/);
  assert.ok(source.includes('circle'));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.ok(await page.evaluate(() => document.querySelector('.card img').naturalWidth > 0));
  assert.deepEqual(said, []);
  await page.close();
});

test('mode browser: thousands of modes, search, one in motion', async () => {
  const { page, said } = await open(pageOfRecording('woven'));
  await page.keyboard.press('4');
  const count = await page.evaluate(() => tact.modeCount());
  assert.ok(count > 2000);
  await page.fill('#page-modes input', '00++');
  const groups = await page.locator('#page-modes > .modes').last().locator('.group > span').allTextContents();
  assert.ok(groups.length > 0 && groups.every((g) => g.includes('00++')));
  const still = await page.evaluate(() => tact.drawnBodies());
  await page.locator('#page-modes [data-mode]').first().click();
  const chosen = await page.evaluate(() => tact.selectedMode());
  assert.equal((await page.evaluate((i) => tact.mode(i), chosen.index)).cs, '00++');
  assert.ok((await page.textContent('#page-modes')).includes('faces: modes at its rim'));
  const picture = async () => (await page.locator('.canvas3d').screenshot()).toString('base64');
  const first = await picture();
  await page.waitForTimeout(700);
  assert.notEqual(first, await picture(), 'the bodies move');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => tact.selectedMode()), null);
  assert.equal(still.length, (await page.evaluate(() => tact.drawnBodies())).length);
  const lattice = await page.locator('.lattice').boundingBox();
  await page.mouse.click(lattice.x + lattice.width / 2, lattice.y + lattice.height / 2);
  assert.ok(await page.evaluate(() => tact.selectedMode()) !== null, 'a click on the lattice chooses');
  assert.deepEqual(said, []);
  await page.close();
});

test('odd recordings are met with a sentence', async () => {
  const bytes = readFileSync(join(folder, 'tipping_box.tact'));
  const cases = { empty: /empty/, head: /no frame/, 'one-frame': null, nan: /not a number/ };
  for (const [name, sentence] of Object.entries(cases)) {
    const { page, said } = await open(pageOfRecording(name));
    const notes = await page.evaluate(() => tact.notes());
    if (sentence) assert.match(notes.join(' '), sentence, name);
    else assert.deepEqual(notes, []);
    assert.deepEqual(said, [], name);
    await page.close();
  }
  const bad = Buffer.from(bytes);
  bad[Math.floor(bad.length / 2)] ^= 1;
  for (const [data, sentence] of [[bad, /damaged at byte/], [bytes.subarray(0, bytes.length >> 1), /interrupted/], [Buffer.from('hello'), /not a recording/]]) {
    const { page, said } = await open(pageOf('odd', `<script type="text/plain" id="tact-recording">${data.toString('base64')}</script>`));
    assert.match(await page.textContent('#notes'), sentence);
    assert.deepEqual(said, []);
    await page.close();
  }
});

test('modes and certificates without bodies and places', async () => {
  const { page, said } = await open(pageOfRecording('placeless'));
  assert.ok(await page.isVisible('#page-impacts'), 'what there is comes first');
  assert.ok((await page.textContent('#empty')).includes('nothing to draw in space'));
  assert.ok((await page.textContent('.card')).includes('Bounds of the work were not computed'));
  await page.keyboard.press('4');
  await page.evaluate(() => tact.selectMode(3));
  await page.waitForTimeout(300);
  assert.ok((await page.textContent('#page-modes')).includes('no place in space'));
  assert.deepEqual(said, []);
  await page.close();
});

test('without data the page asks for a file and reads it', async () => {
  const { page, said } = await open(pageOf('none', ''));
  assert.ok((await page.textContent('#empty')).includes('Drop a .tact recording here'));
  await page.setInputFiles('#file', join(folder, 'tipping_box.tact'));
  await page.waitForFunction(() => tact.done() !== null);
  assert.equal(await page.evaluate(() => tact.name()), 'tipping_box');
  await page.setInputFiles('#file', join(folder, 'foot_roll_over.tact'));
  await page.waitForFunction(() => tact.name() === 'foot_roll_over' && tact.done() !== null);
  assert.deepEqual(said, []);
  await page.close();
});

test('without WebGL a sentence, and plots that work', async () => {
  const plain = await browser(['--disable-3d-apis']);
  try {
    const page = await plain.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(pageOfRecording('tipping_box'));
    await page.waitForFunction(() => document.body.dataset.ready === 'yes');
    assert.ok((await page.textContent('#empty')).includes('no WebGL'));
    assert.ok(await page.isVisible('#page-energy .u-over'));
    const plot = await page.locator('#page-energy .u-over').first().boundingBox();
    await page.mouse.click(plot.x + plot.width / 2, plot.y + 20);
    assert.ok((await page.evaluate(() => tact.time())) > 0.5);
  } finally {
    await plain.close();
  }
});

test('live: follows, loses the connection, resumes where it was, finishes', async () => {
  const bytes = readFileSync(join(folder, 'tipping_box.tact'));
  const page0 = readFileSync(join(root, 'dist', 'viewer.html'), 'utf8').replace(MARKER, () => '<script type="application/json" id="tact-live">{"socket": "live"}</script>');
  const asked = [], streams = [];
  const half = Math.floor(bytes.length * 0.4);
  // The test says when the connection breaks and when the second one is answered: no state passes unseen.
  const server = await serve(page0, (stream) => {
    asked.push(stream.from);
    streams.push(stream);
    if (asked.length > 1) return;
    stream.text({ status: 'running', message: '' });
    stream.bytes(bytes.subarray(0, half));
  });
  try {
    const { page, said } = await open(server.address);
    await page.waitForFunction(() => tact.frames() > 10 && tact.status() === 'running');
    await page.waitForFunction(() => tact.frame() === tact.frames() - 1 && tact.follow());
    streams[0].drop();
    await page.waitForFunction(() => ['lost', 'reconnecting'].includes(tact.status()));
    assert.ok((await page.evaluate(() => tact.frames())) > 10, 'what was received stays');
    while (streams.length < 2) await page.waitForTimeout(100);
    streams[1].text({ status: 'running', message: '' });
    streams[1].bytes(bytes.subarray(asked[1]));
    streams[1].text({ status: 'finished', message: '' });
    await page.waitForFunction(() => tact.status() === 'finished' && tact.done() !== null, null, { timeout: 120000 });
    assert.deepEqual(asked, [0, half]);
    assert.equal(await page.textContent('#status'), 'finished');
    await page.waitForFunction(() => tact.frame() === tact.frames() - 1);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.evaluate(() => tact.follow()), false);
    await page.keyboard.press('End');
    assert.equal(await page.evaluate(() => tact.follow()), true);
    assert.deepEqual(said.filter((s) => !/WebSocket/.test(s)), []);
    await page.close();
  } finally {
    await server.close();
  }
});

/** While the time moves on, in pictures of one level: what is drawn, and how the view looks. */
async function movingAt(page, level) {
  await page.evaluate((l) => {
    tact.hold(l);
    const on = () => (tact.goTo((tact.frame() + 1) % 100), (window.moving = requestAnimationFrame(on)));
    on();
  }, level);
  await page.waitForFunction((l) => tact.coarseness() === l, level);
  const drawn = await page.evaluate(() => ({ triangles: tact.triangles(), calls: tact.drawCalls() }));
  const hues = await huesOf(page);
  await page.evaluate(() => cancelAnimationFrame(moving));
  await page.waitForFunction(() => tact.coarseness() === 0);
  return { ...drawn, hues };
}

/** Share of the view that is blue, orange, violet: the regimes of contacts. */
async function huesOf(page) {
  const png = (await page.locator('canvas.canvas3d').screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: 'image/png' }));
    const c = new OffscreenCanvas(image.width, image.height).getContext('2d');
    c.drawImage(image, 0, 0);
    const p = c.getImageData(0, 0, image.width, image.height).data;
    const count = [0, 0, 0];
    for (let i = 0; i < p.length; i += 4) {
      const [r, g, b] = [p[i], p[i + 1], p[i + 2]];
      if (Math.max(r, g, b) - Math.min(r, g, b) < 60) continue;
      count[r > b ? 1 : r > g + 30 ? 2 : 0]++;
    }
    return count.map((n) => n / (image.width * image.height));
  }, png);
}

test('a thousand bodies, each with a contact: few triangles and draw calls while they move, all of them when still', async (t) => {
  const { page, said } = await open(pageOfRecording('many'));
  await page.evaluate(() => (tact.pause(), tact.goTo(60), tact.hold(0)));
  await page.waitForTimeout(500);
  const still = { ...(await page.evaluate(() => ({ triangles: tact.triangles(), calls: tact.drawCalls() }))), hues: await huesOf(page) };
  assert.ok(still.triangles > 80000, `still: ${still.triangles} triangles`);
  for (const level of [1, 2, 3]) {
    const moving = await movingAt(page, level);
    t.diagnostic(`level ${level}: ${moving.triangles} triangles in ${moving.calls} draw calls; still ${still.triangles} in ${still.calls}`);
    assert.ok(moving.triangles < 50000 && moving.calls <= 8, `level ${level}: ${moving.triangles} triangles, ${moving.calls} draw calls`);
    moving.hues.forEach((share, i) => assert.ok(share > 0.6 * still.hues[i], `level ${level}: contacts of every regime are seen: ${moving.hues} of ${still.hues}`));
  }
  assert.equal(await page.evaluate(() => tact.triangles()), still.triangles, 'the picture that stays is drawn in full');
  assert.deepEqual(said, []);
  await page.close();
});

test('a thousand bodies, each with a contact: how long a picture takes', async (t) => {
  const { page, said } = await open(pageOfRecording('many'));
  await page.evaluate(() => tact.goTo(0));
  await page.click('#play');
  // Where pictures take long they get plainer while things move, and the one that stays is drawn in full.
  await page.waitForFunction(() => tact.frameTimes().length > 30 || !tact.playing());
  const level = await page.evaluate(() => tact.coarseness());
  await page.evaluate(() => tact.pause());
  await page.waitForFunction(() => tact.coarseness() === 0);
  const times = (await page.evaluate(() => tact.frameTimes())).slice(-20).sort((a, b) => a - b);
  t.diagnostic(`1000 bodies, 1000 contacts, software WebGL: median ${times[times.length >> 1].toFixed(0)} ms from picture to picture, at level ${level}`);
  assert.ok(times.length > 0);
  assert.deepEqual(said, []);
  await page.close();
});

test('ten seconds with ten patches and more fit into five megabytes', (t) => {
  const size = statSync(fileURLToPath(pageOfRecording('box_tower'))).size;
  const many = execFileSync(PYTHON, ['-B', '-c', 'import sys; sys.path.insert(0, sys.argv[1]); import weave; sys.stdout.buffer.write(weave.many(20, 625, "twenty"))', here], { maxBuffer: 1e9 });
  const path = join(folder, 'twenty.tact');
  writeFileSync(path, many);
  const twenty = statSync(fileURLToPath(pageOfRecording('twenty'))).size;
  t.diagnostic(`page of box_tower, 10 s, 10 contacts: ${(size / 1e6).toFixed(2)} MB; of 20 contacts over 625 frames: ${(twenty / 1e6).toFixed(2)} MB`);
  assert.ok(size < 5e6 && twenty < 5e6);
});
