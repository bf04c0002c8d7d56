// certificate.ts - impacts in a list, and the energy certificate of each: bounds of the work on a number line.
import { App, el, svg } from './app';
import { niceBelow, quantity, seconds, words } from './format';
import { geomName } from './recording';
import type { Certificate, Work } from './types';

const number = (w: Work): number | null => (w === 'inf' ? Infinity : w === '-inf' ? -Infinity : w);

function wordOf(w: Work): string {
  const n = number(w);
  return n === null ? 'none' : Number.isFinite(n) ? `${n > 0 ? '+' : ''}${quantity(n, 'J')}` : n > 0 ? '∞' : '−∞';
}

/** Good news blue, bad news red; what is only possible orange. */
function hueOfVerdict(verdict: string): string {
  if (verdict === 'consistent_strong' || verdict === 'dissipative') return 'stick';
  if (verdict === 'consistent_weak') return 'slide';
  return 'impact';
}

/** W_min to W_max, zero, and the work that was done; what has no end runs off the side as an arrow. */
export function numberLine(c: Certificate): SVGElement {
  const finite = [c.W_min, c.W_max, c.W_actual].map(number).filter((w): w is number => w !== null && Number.isFinite(w));
  const largest = Math.max(...finite.map(Math.abs), 1e-12);
  let low = Math.min(0, ...finite), high = Math.max(0, ...finite);
  const room = 0.18 * Math.max(high - low, largest * 0.2);
  low -= room;
  high += room;
  const x = (w: number): number => 14 + (372 * (Math.max(low, Math.min(high, w)) - low)) / (high - low);
  const picture = svg('svg', { viewBox: '0 0 400 66', role: 'img', 'aria-label': `contact work from ${wordOf(c.W_min)} to ${wordOf(c.W_max)}, actual ${wordOf(c.W_actual)}` });
  picture.append(svg('line', { x1: 8, x2: 392, y1: 32, y2: 32, stroke: 'var(--quiet)' }));
  const min = number(c.W_min), max = number(c.W_max), actual = number(c.W_actual);
  if (min !== null && max !== null) {
    const a = min === -Infinity ? 8 : x(min), b = max === Infinity ? 392 : x(max);
    picture.append(svg('rect', { x: a, y: 26, width: Math.max(2, b - a), height: 12, rx: 2, fill: `var(--${hueOfVerdict(c.verdict)})`, 'fill-opacity': 0.35 }));
    if (min === -Infinity) picture.append(svg('path', { d: 'M 14 24 L 4 32 L 14 40', fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2 }));
    if (max === Infinity) picture.append(svg('path', { d: 'M 386 24 L 396 32 L 386 40', fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2 }));
  }
  const step = niceBelow((high - low) / 3);
  for (let w = Math.ceil(low / step) * step; w <= high; w += step) {
    const zero = Math.abs(w) < step / 2;
    picture.append(svg('line', { x1: x(w), x2: x(w), y1: zero ? 18 : 29, y2: zero ? 46 : 35, stroke: zero ? 'var(--ink)' : 'var(--quiet)' }),
      svg('text', { x: x(w), y: 60, 'text-anchor': 'middle' }, zero ? '0' : quantity(w, 'J')));
  }
  if (actual !== null && Number.isFinite(actual))
    picture.append(svg('path', { d: `M ${x(actual)} 26 l -6 -11 h 12 z`, fill: 'var(--ink)' }),
      svg('text', { x: Math.max(22, Math.min(378, x(actual))), y: 11, 'text-anchor': 'middle' }, 'actual'));
  return picture;
}

const ALLOWED = /^(svg|g|defs|path|line|polyline|polygon|circle|ellipse|rect|text|tspan|title|desc|style|marker|clipPath|linearGradient|radialGradient|stop|symbol|use|pattern)$/;

/** Shapes and words only: no script, no handler, no address. It is shown as an image, where nothing could run anyway. */
export function safeSvg(text: string): string | null {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const root = parsed.documentElement;
  if (root.nodeName !== 'svg' || parsed.querySelector('parsererror')) return null;
  for (const node of [...root.querySelectorAll('*')]) {
    if (!ALLOWED.test(node.localName)) node.remove();
    else if (node.localName === 'style' && /@import|url\s*\((?!\s*["']?#)/i.test(node.textContent ?? '')) node.remove();
  }
  for (const node of [root, ...root.querySelectorAll('*')])
    for (const attribute of [...node.attributes]) {
      const local = attribute.localName.toLowerCase();
      const address = local === 'href' && !attribute.value.startsWith('#');
      const foreign = /url\s*\((?!\s*["']?#)/i.test(attribute.value) || /javascript:/i.test(attribute.value);
      if (local.startsWith('on') || address || foreign) node.removeAttributeNode(attribute);
    }
  return new XMLSerializer().serializeToString(root);
}

function picture(text: string): HTMLElement {
  const clean = safeSvg(text);
  if (!clean) return el('p', { class: 'quiet' }, 'Its picture cannot be read and is left out.');
  const image = (title: string): HTMLImageElement => el('img', { alt: 'the consistency set of this impact', title, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(clean)}` });
  const small = image('click to enlarge');
  small.addEventListener('click', () => {
    const large = el('div', { class: 'overlay picture', click: () => large.remove() }, el('div', {}, image('click to close')));
    document.body.append(large);
  });
  return small;
}

export function certificateCard(app: App, c: Certificate): HTMLElement {
  const hue = hueOfVerdict(c.verdict);
  const card = el('div', { class: 'card', 'data-step': String(c.step) },
    el('h4', {}, el('span', { class: 'tag', style: `--c:var(--${hue})` }, words(c.verdict)), seconds(c.time), el('span', { class: 'grow' }),
      el('button', { title: 'move the time to this impact', click: () => app.goTo(app.frameOfImpact(c.time)) }, 'Go to')),
    c.contacts.length ? el('p', { class: 'quiet' }, c.contacts.join(', ')) : null);
  if (number(c.W_min) === null && number(c.W_max) === null)
    card.append(el('p', {}, c.verdict === 'kinetically_incompatible'
      ? 'No impulses explain this outcome, so there is no interval of contact work.' : 'Bounds of the work were not computed for this impact.'));
  else card.append(numberLine(c));
  const list = el('dl', { class: 'facts' });
  for (const [name, w] of [['least work', c.W_min], ['largest work', c.W_max], ['actual work', c.W_actual]] as const)
    list.append(el('dt', {}, name), el('dd', {}, wordOf(w)));
  card.append(list);
  if (c.why.length) card.append(el('ul', { class: 'why' }, ...c.why.map((w) => el('li', {}, w))));
  if (c.svg) card.append(picture(c.svg));
  return card;
}

const MOST = 400;

export class ImpactPage {
  private table = el('tbody');
  private list = el('div', { class: 'scroll' });
  private summary = el('p', { class: 'quiet' });
  private cards = el('div');
  private cardsFor = '';

  constructor(private readonly app: App, private readonly page: HTMLElement) {
    const head = ['pair', 'time', 'speed', 'work', 'verdict'];
    this.list.append(el('table', { class: 'list' }, el('thead', {}, el('tr', {}, ...head.map((h) => el('th', {}, h)))), this.table));
    page.append(this.summary, this.list, this.cards);
    app.on(['data', 'frame'], () => this.update());
  }

  update(): void {
    if (this.page.hidden) return;
    const { app } = this;
    const r = app.recording;
    const n = r.impacts.length;
    const gain = r.impacts.filter((i) => i.work > 0).length;
    this.summary.textContent = n === 0 ? 'No impact was recorded.'
      : `${n} ${n === 1 ? 'impact' : 'impacts'}${n > MOST ? `, the first ${MOST} listed` : ''}; ${gain ? `${gain} with contact work above zero` : 'none with contact work above zero'}.`;
    this.list.hidden = n === 0;
    const key = `${n} ${r.certificates.length}`;
    if (key !== this.cardsFor) {
      this.cardsFor = key;
      this.fill();
    }
    for (const [i, tr] of [...this.table.children].entries())
      tr.setAttribute('aria-selected', String(app.frameOfImpact(r.impacts[i].time) === app.frame));
    const shown = r.certificates.filter((c) => app.frameOfImpact(c.time) === app.frame);
    const cards = (shown.length ? shown : r.certificates).slice(0, 12);
    const cardKey = cards.map((c) => `${c.step} ${c.time}`).join(';');
    if (this.cards.dataset.key !== cardKey) {
      this.cards.dataset.key = cardKey;
      this.cards.replaceChildren(...(cards.length ? [el('h3', {}, shown.length ? 'Energy certificate of this moment' : 'Energy certificates')] : []),
        ...cards.map((c) => certificateCard(app, c)));
    }
  }

  private fill(): void {
    const r = this.app.recording;
    this.table.replaceChildren(...r.impacts.slice(0, MOST).map((i) => {
      const name = `${geomName(r, i.geom1)} on ${geomName(r, i.geom2)}`;
      const verdict = r.head!.words.verdicts[i.verdict] ?? `verdict ${i.verdict}`;
      const more = i.contacts > 1 ? `, with ${i.contacts} contacts` : '';
      return el('tr', { title: `${name}${more}; click to go there`, click: () => this.app.goTo(this.app.frameOfImpact(i.time)) },
        el('td', {}, name), el('td', {}, seconds(i.time)), el('td', {}, quantity(i.speed, 'm/s')), el('td', {}, quantity(i.work, 'J')),
        el('td', { style: `color:var(--${hueOfVerdict(verdict)})` }, words(verdict)));
    }));
  }
}
