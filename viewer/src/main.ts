// main.ts - the page: where its bytes come from, its tabs, its one loop of pictures.
import { expose } from './api';
import { App, byId, el } from './app';
import { ImpactPage } from './certificate';
import { ContactPage } from './contactpage';
import { StreamDecoder } from './decoder';
import { plain, quantity, seconds } from './format';
import { setUpHelp } from './help';
import { setUpKeys } from './keys';
import { LIVE_WORDS, LiveStream, type LiveState } from './live';
import { ModePage } from './modes';
import { setTheme, watchSystemTheme } from './palette';
import { EnergyPage } from './plots';
import { Timeline } from './timeline';
import { View } from './view';

const app = new App();
let decoder = new StreamDecoder(app.recording.take);
let view: View | null = null;
let status = '';
let liveMessage = '';
let whole = false; // the stream has ended
const frameTimes: number[] = [];

const TABS = [
  ['energy', 'Energy', 'the energy ledger, closure, penetration, residual (1)'],
  ['contacts', 'Contacts', 'contacts of this moment, and the selected one (2)'],
  ['impacts', 'Impacts', 'impacts and their energy certificates (3)'],
  ['modes', 'Modes', 'the contact modes of a moment (4)'],
] as const;

function setUpTabs(): { pages: HTMLElement[]; show: (i: number) => void; counts: HTMLElement[] } {
  const pages = TABS.map(([id, , title]) => el('div', { class: 'page', id: `page-${id}`, role: 'tabpanel', 'aria-label': title }));
  const counts = TABS.map(() => el('span', { class: 'n' }));
  const buttons = TABS.map(([id, label, title], i) => el('button', { role: 'tab', id: `tab-${id}`, title, click: () => show(i) }, label, counts[i]));
  const show = (i: number): void => {
    pages.forEach((p, k) => (p.hidden = k !== i));
    buttons.forEach((b, k) => b.setAttribute('aria-selected', String(k === i)));
    byId('panel').hidden = byId('splitter').hidden = false;
    contactPage?.update();
    impactPage?.update();
  };
  byId('tabs').append(...buttons);
  byId('pages').append(...pages);
  return { pages, show, counts };
}

let contactPage: ContactPage | null = null;
let impactPage: ImpactPage | null = null;
const tabs = setUpTabs();

/** Everything that is not as it should be, each in a sentence. */
function notes(): string[] {
  const r = app.recording;
  const out: string[] = [];
  if (decoder.damage) out.push(decoder.damage);
  if (whole && !decoder.damage) {
    if (!r.head) out.push(decoder.cutter.received ? 'The recording ends before its header is complete.' : 'The recording is empty.');
    else if (!r.frames.length) out.push('The recording holds a scene and no frame; nothing has been simulated.');
    else if (!r.done && !app.live) out.push(`The recording was interrupted${decoder.cutter.pending ? ' within a block' : ''}; it is shown up to ${seconds(app.end)}.`);
  }
  if (r.done && r.done.status !== 'finished') out.push(`The run ${r.done.status === 'diverged' ? 'diverged' : 'was stopped'} at ${seconds(r.done.time)}.`);
  for (const warning of r.done?.warnings ?? []) out.push(warning);
  if (r.badPoses) out.push(`In ${r.badPoses} ${r.badPoses === 1 ? 'frame' : 'frames'} a body's position is not a number; such bodies are not drawn.`);
  const failed = r.frames.reduce((n, f) => n + f.notConverged, 0);
  if (failed) out.push(`${failed} ${failed === 1 ? 'step' : 'steps'} did not converge.`);
  if (liveMessage) out.push(liveMessage);
  return out;
}

function describe(): void {
  const r = app.recording;
  const last = r.frames[r.frames.length - 1];
  const head = r.head;
  byId('title').textContent = head?.name ?? 'tact';
  document.title = head ? `${head.name} · tact` : 'tact';
  if (head) {
    const bodies = head.bodies.length - 1;
    byId('meta').textContent = bodies === 0 && r.frames.length < 2 ? 'a single moment, without bodies' : `${bodies} ${bodies === 1 ? 'body' : 'bodies'} · step ${quantity(head.dt, 's')} · ${seconds(r.duration)} in ${r.frames.length} ${r.frames.length === 1 ? 'frame' : 'frames'}`;
  }
  byId('headline').hidden = r.frames.length < 2;
  if (last) byId('headline').replaceChildren('energy closes to ', el('b', {}, `${plain(Math.abs(last.closure), 2)} J`), ` of ${quantity(last.moved, 'J')} moved`);
  const said = notes();
  const box = byId('notes');
  if (box.dataset.said !== said.join('\n')) {
    box.dataset.said = said.join('\n');
    box.hidden = said.length === 0;
    box.replaceChildren(...said.map((s) => el('div', {}, s)));
  }
  tabs.counts[1].textContent = r.series.size ? String(r.contacts(app.frame).length + r.softContacts(app.frame).length) : '';
  tabs.counts[2].textContent = r.impacts.length ? String(r.impacts.length) : '';
  tabs.counts[3].textContent = r.modeSets.length ? String(r.modeSets.reduce((n, s) => n + s.modes.length, 0)) : '';
  byId('tab-modes').hidden = r.modeSets.length === 0;
}

/** Data arrives in bursts: the page follows a few times a second. */
let announced = 0, waiting = 0;
function grown(now = false): void {
  const since = performance.now() - announced;
  if (!now && since < 200) {
    waiting ||= window.setTimeout(() => grown(true), 200 - since);
    return;
  }
  clearTimeout(waiting);
  waiting = 0;
  announced = performance.now();
  app.grown();
  describe();
}

async function readAll(bytes: Uint8Array): Promise<void> {
  const piece = 1 << 20;
  for (let at = 0; at < bytes.length; at += piece) {
    await decoder.feed(bytes.subarray(at, at + piece));
    grown();
  }
  whole = true;
  grown(true);
  view?.settle();
  // The first frame lists no contacts: the first moment with some says more.
  if (app.frames > 1 && app.frame === 0 && !app.recording.frames[0].contactCount && app.recording.frames[1].contactCount) app.goTo(1);
  const placed = app.recording.modeSets.some((set) => set.contacts.some((c) => c.p_W));
  if (view && app.recording.head && !app.recording.head.geoms.length && !placed) {
    byId('empty').hidden = false;
    byId('empty').className = '';
    byId('empty').replaceChildren(el('p', { class: 'quiet' }, 'There is nothing to draw in space; the panel has all there is.'));
    byId('legend').hidden = true;
  }
  // Without a motion there is no energy to plot: what the recording was made for comes first.
  if (app.frames < 2 && app.recording.modeSets.length) tabs.show(3);
  if (app.frames < 2 && app.recording.certificates.length) tabs.show(2);
  document.body.dataset.ready = 'yes';
}

function fromBase64(text: string): Uint8Array {
  const clean = text.replace(/\s+/g, '');
  const modern = (Uint8Array as unknown as { fromBase64?: (t: string) => Uint8Array }).fromBase64;
  if (modern) return modern.call(Uint8Array, clean);
  const binary = atob(clean);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}

function setStatus(state: LiveState, message: string): void {
  status = state;
  const badge = byId('status');
  badge.hidden = false;
  badge.textContent = LIVE_WORDS[state].word;
  badge.title = message;
  badge.style.setProperty('--state', LIVE_WORDS[state].color);
  liveMessage = state === 'lost' || state === 'ended' ? message || 'The run ended without a summary; what was recorded is shown.' : '';
  describe();
}

function goLive(socket: string): void {
  app.live = app.follow = true;
  byId('open').hidden = true;
  new LiveStream(socket, (bytes) => void decoder.feed(bytes).then(() => grown()), setStatus);
  document.body.dataset.ready = 'yes';
}

/** Another file takes the place of what is shown. */
async function openFile(file: File): Promise<void> {
  app.reset();
  view?.clear();
  modePage.load(-1);
  decoder = new StreamDecoder(app.recording.take);
  whole = false;
  byId('empty').hidden = view !== null;
  await readAll(new Uint8Array(await file.arrayBuffer()));
  if (!app.recording.head && view) byId('empty').hidden = false;
}

function dropZone(): void {
  const empty = byId('empty');
  empty.hidden = false;
  empty.className = 'drop';
  empty.replaceChildren(el('h2', {}, 'Drop a .tact recording here'),
    el('button', { click: () => byId('file').click() }, 'Choose a file'),
    el('p', { class: 'quiet' }, 'tact sim SCENE --record run.tact writes one. It is read by this page and goes nowhere else.'));
  document.body.dataset.ready = 'yes';
}

function setUpFiles(): void {
  const input = byId('file') as HTMLInputElement;
  byId('open').addEventListener('click', () => input.click());
  input.addEventListener('change', () => input.files?.[0] && void openFile(input.files[0]));
  addEventListener('dragover', (e) => {
    e.preventDefault();
    byId('empty').classList.add('over');
  });
  addEventListener('dragleave', () => byId('empty').classList.remove('over'));
  addEventListener('drop', (e) => {
    e.preventDefault();
    byId('empty').classList.remove('over');
    if (e.dataTransfer?.files[0]) void openFile(e.dataTransfer.files[0]);
  });
}

function setUpTheme(): () => void {
  const order = ['system', 'light', 'dark'] as const;
  let at = 0;
  const button = byId('theme');
  watchSystemTheme();
  const next = (): void => {
    at = (at + 1) % order.length;
    setTheme(order[at]);
    button.textContent = ['◐', '☀', '☾'][at];
    button.title = `theme: ${['follows the system', 'light', 'dark'][at]} (T)`;
  };
  button.addEventListener('click', next);
  return next;
}

function togglePanel(): void {
  const hidden = !byId('panel').hidden;
  byId('panel').hidden = byId('splitter').hidden = hidden;
  if (!hidden) contactPage?.update(); // it slept
}

function setUpSplitter(): void {
  const splitter = byId('splitter');
  splitter.addEventListener('pointerdown', (e) => splitter.setPointerCapture(e.pointerId));
  splitter.addEventListener('pointermove', (e) => {
    if (!(e.buttons & 1)) return;
    const width = Math.max(280, Math.min(innerWidth - 220, innerWidth - e.clientX));
    byId('panel').style.width = `${width}px`;
  });
}

const HEAVY = 2_000_000; // characters of data above which a scene drawn in software leaves out smoothing

function makeView(): View | null {
  try {
    return new View(app, (embedded?.textContent?.length ?? 0) > HEAVY);
  } catch {
    const empty = byId('empty');
    empty.hidden = false;
    empty.replaceChildren(el('h2', {}, 'No picture in space'),
      el('p', {}, 'This browser has no WebGL, so the bodies cannot be drawn. Timeline, plots and tables work.'));
    for (const id of ['viewTools', 'legend']) byId(id).hidden = true;
    return null;
  }
}

let lastPicture = 0; // when the picture before was drawn, if it was the one just before

function loop(now: number): void {
  requestAnimationFrame(loop);
  app.tick(now);
  modePage.animate(now);
  if (!view?.draw(now)) {
    lastPicture = 0;
    return;
  }
  // From picture to picture, so that what the drawing itself takes is counted.
  if (lastPicture) frameTimes.push(now - lastPicture);
  if (frameTimes.length > 240) frameTimes.shift();
  lastPicture = now;
}

const embedded = document.getElementById('tact-recording');
const live = document.getElementById('tact-live');
view = makeView();
new Timeline(app);
new EnergyPage(app, tabs.pages[0]);
contactPage = new ContactPage(app, tabs.pages[1]);
impactPage = new ImpactPage(app, tabs.pages[2]);
const modePage = new ModePage(app, tabs.pages[3], view?.scene ?? null);
tabs.show(0);
const help = setUpHelp();
const nextTheme = setUpTheme();
setUpSplitter();
setUpFiles();
byId('panelToggle').addEventListener('click', togglePanel);
app.on('select', () => app.selected && byId('page-contacts').hidden && tabs.show(1));
app.on('frame', describe);
setUpKeys(app, {
  help, theme: nextTheme, panel: togglePanel, tab: (i) => !byId(`tab-${TABS[i][0]}`).hidden && tabs.show(i), open: () => byId('file').click(),
  escape: () => {
    if (!byId('overlay').hidden) help();
    else if (!byId('layers').hidden) view?.toggleLayers();
    else if (modePage.current) modePage.choose(-1);
    else app.select(null);
  },
  frame: () => view?.scene.frameNow(app.frame), xray: () => view?.toggleXray(), layers: () => view?.toggleLayers(), go: () => view?.goToSelected(),
  arrows: (by) => view?.zoomArrows(by),
});
expose(app, modePage, view, { notes, status: () => status, frameTimes: () => [...frameTimes] });
describe();
requestAnimationFrame(loop);

if (embedded) {
  byId('open').hidden = true;
  let bytes: Uint8Array | null = null;
  try {
    bytes = fromBase64(embedded.textContent ?? '');
  } catch {
    byId('notes').hidden = false;
    byId('notes').replaceChildren(el('div', {}, 'The recording in this page is damaged: it is not base64.'));
  }
  embedded.remove(); // a large text that nobody reads again
  if (bytes) void readAll(bytes);
} else if (live) goLive((JSON.parse(live.textContent ?? '{}') as { socket?: string }).socket ?? 'live');
else if (view) dropZone();
