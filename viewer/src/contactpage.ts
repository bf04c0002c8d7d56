// contactpage.ts - the contacts of the moment as a table, and everything about the selected one.
import { App, el, svg } from './app';
import { niceBelow, percent, plain, quantity, words } from './format';
import { hueOf, onTheme, SOFT_STATES } from './palette';
import { centreOfPressure, middle, openingAt, outline, reach, turning } from './patch';
import { forceLines, Plot } from './plots';
import { contactKey, contactName, type ContactSeries } from './recording';
import { softFacts, softPictures } from './soft';
import type { Contact, SoftContact } from './types';

export interface Row {
  key: string;
  name: string;
  regime: string;
  hue: string;
  normal: number; // [N]
  friction: number; // [N]
  use: number; // friction over its limit
  soft: boolean;
  contact: Contact | SoftContact;
}

/** The contacts of the frame shown, the most loaded first. */
export function contactRows(app: App): Row[] {
  const r = app.recording;
  const rows: Row[] = r.contacts(app.frame).map((c) => {
    const normal = c.wrench[5], friction = Math.hypot(c.wrench[3], c.wrench[4]);
    const regime = r.regimeName(c.regime);
    const limit = c.mu * normal;
    return {
      key: contactKey(c), name: contactName(r, c), regime, hue: hueOf(regime), normal, friction,
      use: limit > 0 ? friction / limit : NaN, soft: false, contact: c,
    };
  });
  for (const c of r.softContacts(app.frame))
    rows.push({
      key: contactKey(c, true), name: contactName(r, c), regime: SOFT_STATES[c.state] ?? `state ${c.state}`, hue: 'soft',
      normal: c.wrench[5], friction: Math.hypot(c.wrench[3], c.wrench[4]), use: c.frictionUse, soft: true, contact: c,
    });
  return rows.sort((a, b) => b.normal - a.normal || (a.key < b.key ? -1 : 1));
}

/** Less than 1e-12 of a newton, metre or newton metre is rounding. */
function tidy(x: number): number {
  return Math.abs(x) < 1e-12 ? 0 : x;
}

/** What a label says of a contact: names, numbers, units and margins. */
export function facts(app: App, row: Row): [string, string][] {
  if (row.soft) return softFacts(row.contact as SoftContact);
  const c = row.contact as Contact;
  const patch = app.recording.head!.words.patches[c.kind] ?? 'patch';
  const out: [string, string][] = [
    ['normal force', quantity(row.normal, 'N')],
    ['friction force', quantity(row.friction, 'N')],
    ['friction μ', plain(c.mu, 3)],
    ['friction used', c.mu > 0 && row.normal > 0 ? percent(row.use) : 'none'],
    ['friction left', quantity(tidy(c.frictionLeft), 'N')],
    ['moment left', patch === 'point' ? 'a point has none' : quantity(tidy(c.momentLeft), 'N·m')],
    ['normal moment', quantity(tidy(c.wrench[2]), 'N·m')],
    ['gap', quantity(tidy(c.gap), 'm')],
    ['slip speed', quantity(tidy(c.slideSpeed), 'm/s')],
    ['patch', patch],
  ];
  if (c.hasCop) out.push(['pressure x', quantity(tidy(c.cop[0]), 'm')], ['pressure y', quantity(tidy(c.cop[1]), 'm')]);
  return out;
}

const MOST_ROWS = 300;

export class ContactPage {
  private table = el('tbody');
  private box = el('div', { class: 'scroll' });
  private summary = el('p', { class: 'quiet' });
  private detail = el('div');
  private plot: Plot;
  private plotBox = el('div');

  constructor(private readonly app: App, private readonly page: HTMLElement) {
    this.plot = new Plot(app, { unit: 'N', height: 150, lines: forceLines(app, () => this.series()) });
    const head = ['contact', 'normal', 'friction', 'used', 'left'];
    this.box.append(el('table', { class: 'list' }, el('thead', {}, el('tr', {}, ...head.map((h) => el('th', {}, h)))), this.table));
    this.plotBox.append(el('h3', {}, 'Its force over time'), this.plot.place);
    page.append(this.summary, this.box, this.detail, this.plotBox);
    app.on(['frame', 'data'], () => this.update());
    app.on('select', () => {
      this.update();
      if (app.selected) this.plot.refresh();
    });
    app.on('data', () => app.selected && this.plot.refresh());
    onTheme(() => {
      this.plot.remake();
      this.update();
    });
  }

  private series(): ContactSeries | undefined {
    return this.app.selected ? this.app.recording.series.get(this.app.selected) : undefined;
  }

  update(): void {
    if (this.page.offsetParent === null) return; // another tab is shown, or no panel
    const rows = contactRows(this.app);
    const { app } = this;
    this.summary.textContent = this.headline(rows);
    this.table.replaceChildren(...rows.slice(0, MOST_ROWS).map((row) => el('tr', {
      'aria-selected': String(row.key === app.selected), 'data-key': row.key, title: `${row.name}: ${words(row.regime)}; click to select`,
      click: () => app.select(row.key === app.selected ? null : row.key),
      pointerenter: () => app.hover(row.key), pointerleave: () => app.hover(null),
    },
    el('td', {}, el('span', { class: 'dot', style: `--c:var(--${row.hue})` }), row.name),
    el('td', {}, quantity(row.normal, 'N')), el('td', {}, quantity(row.friction, 'N')),
    el('td', {}, Number.isFinite(row.use) ? percent(row.use) : ''),
    el('td', {}, row.soft ? '' : quantity(tidy((row.contact as Contact).frictionLeft), 'N')))));
    this.box.hidden = rows.length === 0;
    this.drawDetail(rows);
    if (app.selected) this.plot.redraw();
  }

  private headline(rows: Row[]): string {
    if (!this.app.frames) return 'There are no frames yet.';
    if (!rows.length)
      return this.app.frame === 0 ? 'The first frame is the start and lists no contacts; step forward to see them.' : 'Nothing touches at this moment.';
    const more = rows.length > MOST_ROWS ? `; the ${MOST_ROWS} with the largest load are listed` : '';
    return `${rows.length} ${rows.length === 1 ? 'contact' : 'contacts'} at this moment${more}. Click one, here or in the scene.${this.cutNote()}`;
  }

  /** Impacts cut a step: what its contacts carry is of the part after the last of them. */
  private cutNote(): string {
    const solve = this.app.recording.frames[this.app.frame].solve, dt = this.app.recording.head!.dt;
    return solve && solve.length < (1 - 1e-6) * dt ? ` An impact cut the step: loads are means over its last ${quantity(solve.length, 's')}.` : '';
  }

  private drawDetail(rows: Row[]): void {
    const { app } = this;
    const series = this.series();
    this.plotBox.hidden = !series;
    if (!series) {
      this.detail.replaceChildren();
      return;
    }
    const row = rows.find((r) => r.key === app.selected);
    const name = contactName(app.recording, series);
    const head = el('div', { class: 'head2' }, el('b', { title: name }, name),
      row ? el('span', { class: 'tag', style: `--c:var(--${row.hue})` }, words(row.regime)) : null, el('span', { class: 'grow' }),
      el('button', { title: 'let it go (Esc)', click: () => app.select(null) }, 'Unpin'));
    if (!row) {
      this.detail.replaceChildren(head, el('p', { class: 'quiet' }, 'It is apart at this moment; its forces over time are below.'));
      return;
    }
    const list = el('dl', { class: 'facts' });
    for (const [what, value] of facts(app, row)) list.append(el('dt', {}, what), el('dd', {}, value));
    const pictures = row.soft ? softPictures(row.contact as SoftContact) : [this.frictionPicture(row), this.patchPicture(row, series)];
    this.detail.replaceChildren(head, list, el('div', { class: 'pictures' }, ...pictures));
  }

  /** f_T inside the disc of radius μ f_N. */
  private frictionPicture(row: Row): HTMLElement {
    const c = row.contact as Contact;
    const limit = c.mu * row.normal;
    const ft = [c.wrench[3], c.wrench[4]];
    const scale = 74 / Math.max(limit, Math.hypot(ft[0], ft[1]), 1e-30);
    const color = `var(--${row.hue})`;
    const picture = svg('svg', { viewBox: '-96 -96 192 192', role: 'img' });
    picture.append(
      svg('line', { x1: -90, x2: 90, y1: 0, y2: 0, stroke: 'var(--grid)' }), svg('line', { y1: -90, y2: 90, x1: 0, x2: 0, stroke: 'var(--grid)' }),
      svg('circle', { r: Math.max(limit * scale, 0.5), fill: color, 'fill-opacity': 0.12, stroke: color, 'stroke-width': 1.5 }),
      svg('line', { x1: 0, y1: 0, x2: ft[0] * scale, y2: -ft[1] * scale, stroke: color, 'stroke-width': 3, 'stroke-linecap': 'round' }),
      svg('circle', { cx: ft[0] * scale, cy: -ft[1] * scale, r: 4.5, fill: 'var(--ink)' }),
      svg('text', { x: 92, y: -4, 'text-anchor': 'end' }, 't₁'), svg('text', { x: 4, y: -86 }, 't₂'));
    const caption = limit > 0 ? `friction force in its limit disc of radius μ f_N = ${quantity(limit, 'N')}` : 'no friction limit: no load or μ = 0';
    return el('figure', {}, picture, el('figcaption', {}, caption));
  }

  /** The patch in its plane with the path of its centre of pressure, zero-line and tipping axis. */
  private patchPicture(row: Row, series: ContactSeries): HTMLElement {
    const c = row.contact as Contact;
    const kind = this.app.recording.head!.words.patches[c.kind] ?? 'polygon';
    const rim = outline(kind, c);
    const [mx, my] = middle(rim);
    const size = Math.max(reach(rim), 1e-9);
    const scale = 68 / size;
    const x = (v: number): number => (v - mx) * scale, y = (v: number): number => -(v - my) * scale;
    const color = `var(--${row.hue})`;
    const picture = svg('svg', { viewBox: '-96 -96 192 192', role: 'img' });
    let corners = '';
    for (let i = 0; i < rim.length; i += 2) corners += `${x(rim[i]).toFixed(2)},${y(rim[i + 1]).toFixed(2)} `;
    if (rim.length > 2) picture.append(svg('polygon', { points: corners, fill: color, 'fill-opacity': 0.16, stroke: color, 'stroke-width': 1.5 }));
    const path = this.copPath(series, x, y);
    if (path) picture.append(svg('path', { d: path, fill: 'none', stroke: 'var(--quiet)', 'stroke-width': 1 }));
    const turns = turning(row.regime, rim, c);
    if (turns.line) {
      const l = turns.line, h = 3 * size;
      picture.append(svg('line', {
        x1: x(l.x - h * l.dx), y1: y(l.y - h * l.dy), x2: x(l.x + h * l.dx), y2: y(l.y + h * l.dy), stroke: color, 'stroke-width': 1.5, 'stroke-dasharray': '5 4',
      }));
    }
    const a = turns.axis;
    if (a.length === 4) picture.append(svg('line', { x1: x(a[0]), y1: y(a[1]), x2: x(a[2]), y2: y(a[3]), stroke: color, 'stroke-width': 4 }));
    else if (a.length === 2) picture.append(svg('circle', { cx: x(a[0]), cy: y(a[1]), r: 6, fill: 'none', stroke: color, 'stroke-width': 2.5 }));
    const e = c.extended;
    if (!c.hasCop && e.length === 4) picture.append(svg('line', { x1: x(e[0]), y1: y(e[1]), x2: x(e[2]), y2: y(e[3]), stroke: color, 'stroke-width': 4 }));
    const cop = centreOfPressure(c);
    const dot = cop ?? (e.length === 2 ? [e[0], e[1]] : null);
    if (dot) picture.append(svg('circle', { cx: x(dot[0]), cy: y(dot[1]), r: 4.5, fill: cop ? 'var(--ink)' : 'var(--paper)', stroke: 'var(--ink)' }));
    const bar = niceBelow(size);
    if (rim.length > 2) picture.append(
      svg('path', { d: `M -90 84 v 4 h ${bar * scale} v -4`, fill: 'none', stroke: 'var(--quiet)' }),
      svg('text', { x: -90 + bar * scale + 5, y: 91 }, quantity(bar, 'm')));
    const open = row.regime.includes('tip') || row.regime.startsWith('separate');
    const opening = open ? Math.max(...Array.from({ length: rim.length / 2 }, (_, i) => openingAt(c.twist, rim[2 * i], rim[2 * i + 1]))) : 0;
    const caption = kind === 'point' ? 'a point contact: its centre of pressure is the point'
      : `${kind} with the path of the centre of pressure${open ? `; opens at up to ${quantity(opening, 'm/s')}` : ''}`;
    return el('figure', {}, picture, el('figcaption', {}, caption));
  }

  private copPath(s: ContactSeries, x: (v: number) => number, y: (v: number) => number): string {
    let out = '', before = -2;
    const stride = Math.max(1, Math.ceil(s.frames.length / 1500));
    for (let i = 0; i < s.frames.length; i += stride) {
      const px = x(s.copX.at(i)), py = y(s.copY.at(i)), f = s.frames.at(i);
      if (!Number.isFinite(px + py) || f > this.app.frame) continue;
      out += `${f - before <= stride ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`;
      before = f;
    }
    return out;
  }
}
