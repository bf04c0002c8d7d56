// plots.ts - numbers over time, linked to the timeline: the ledger by account, closure, residual, penetration, forces.
import uPlot from 'uplot';
import { App, el } from './app';
import { niceBelow, plain, quantity, words } from './format';
import { onTheme, seriesColor, seriesDash, theme } from './palette';
import type { ContactSeries } from './recording';

export interface Line {
  label: string;
  color: () => string;
  dash?: number[];
  data: () => ArrayLike<number | null>;
  shown: boolean;
}

export interface PlotOptions {
  unit: string;
  height: number;
  log?: boolean;
  lines: Line[];
}

/** One plot with the time shown as a line through it; a click moves the time. */
export class Plot {
  private plot: uPlot | null = null;
  readonly place: HTMLElement;

  constructor(private readonly app: App, readonly options: PlotOptions) {
    this.place = el('div', { class: 'plot', style: `height:${options.height}px` });
    new ResizeObserver(() => this.resize()).observe(this.place);
  }

  private resize(): void {
    const width = this.place.clientWidth;
    if (!width) return;
    if (!this.plot) this.make(width);
    else if (this.plot.width !== width) this.plot.setSize({ width, height: this.options.height });
  }

  remake(): void {
    this.plot?.destroy();
    this.plot = null;
    this.resize();
  }

  private data(): uPlot.AlignedData {
    const x = this.app.recording.times.view();
    return [x, ...this.options.lines.map((l) => l.data())] as unknown as uPlot.AlignedData;
  }

  private make(width: number): void {
    const { unit, height, log, lines } = this.options;
    const t = theme();
    const axis: uPlot.Axis = {
      stroke: t.soft, font: '11px system-ui, sans-serif', labelFont: '11px system-ui, sans-serif',
      grid: { stroke: t.grid, width: 1 }, ticks: { stroke: t.grid, size: 4 }, gap: 3,
    };
    const options: uPlot.Options = {
      width, height, legend: { show: false }, padding: [8, 10, 0, 0],
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 6 } },
      scales: { x: { time: false }, y: log ? { distr: 3, range: logRange } : { range: linearRange } },
      axes: [
        { ...axis, size: 22, values: (_, v) => v.map((s) => `${Number(s.toPrecision(6))} s`), space: 64 },
        { ...axis, size: 62, splits: (_u, _i, low, high) => (log ? powers(low, high) : splits(low, high, height)), values: (_, v) => axisLabels(v, unit, log === true), space: log ? 18 : 30 },
      ],
      series: [{}, ...lines.map((l) => ({
        label: l.label, stroke: l.color(), width: 1.6, dash: l.dash, show: l.shown, points: { show: () => this.app.frames < 3 },
      }))],
      hooks: { draw: [(u) => this.drawNow(u)], setCursor: [(u) => this.readOut(u)] },
    };
    this.plot = new uPlot(options, this.data(), this.place);
    this.plot.over.title = 'click to move the time';
    this.plot.over.addEventListener('click', (e) => {
      const box = this.plot!.over.getBoundingClientRect();
      this.app.pause();
      this.app.follow = false;
      this.app.seek(this.plot!.posToVal(e.clientX - box.left, 'x'));
    });
    this.tip = el('div', { class: 'tip', hidden: true });
    this.plot.over.append(this.tip);
  }

  private tip: HTMLElement | null = null;

  /** The values under the pointer. */
  private readOut(u: uPlot): void {
    const i = u.cursor.idx;
    if (!this.tip || i === null || i === undefined || (u.cursor.left ?? -1) < 0) {
      if (this.tip) this.tip.hidden = true;
      return;
    }
    const rows = this.options.lines.filter((l) => l.shown).map((l) => ({ l, v: l.data()[i] }))
      .filter((r) => r.v !== null && Number.isFinite(r.v)).sort((a, b) => Math.abs(b.v!) - Math.abs(a.v!)).slice(0, 7);
    this.tip.replaceChildren(
      el('div', { class: 'quiet' }, `${plain(this.app.recording.times.at(i), 5)} s`),
      el('table', {}, ...rows.map(({ l, v }) => el('tr', {},
        el('td', {}, el('span', { class: 'dot', style: `--c:${l.color()}` }), ` ${l.label}`),
        el('td', {}, this.options.unit ? quantity(v!, this.options.unit) : plain(v!, 3))))));
    this.tip.hidden = rows.length === 0;
    const left = u.cursor.left!, half = u.over.clientWidth / 2;
    this.tip.style.left = left < half ? `${left + 14}px` : 'auto';
    this.tip.style.right = left < half ? 'auto' : `${u.over.clientWidth - left + 14}px`;
    this.tip.style.top = '4px';
  }

  private drawNow(u: uPlot): void {
    if (!this.app.frames) return;
    const x = u.valToPos(this.app.time, 'x', true);
    const c = u.ctx;
    c.save();
    c.setLineDash([]);
    c.strokeStyle = theme().ink;
    c.globalAlpha = 0.75;
    c.lineWidth = Math.max(1, devicePixelRatio);
    c.beginPath();
    c.moveTo(x, u.bbox.top);
    c.lineTo(x, u.bbox.top + u.bbox.height);
    c.stroke();
    c.restore();
  }

  show(i: number, on: boolean): void {
    this.options.lines[i].shown = on;
    this.plot?.setSeries(i + 1, { show: on });
  }

  refresh(): void {
    if (!this.plot) this.resize();
    this.plot?.setData(this.data());
  }

  redraw(): void {
    this.plot?.redraw(false);
  }
}

/** The range of a line that is zero all along: its axis has only that label. */
const NOTHING: [number, number] = [-1, 1];

/** Round numbers on an axis. uPlot's own run away where the whole range is as small as rounding. */
function splits(low: number, high: number, height: number): number[] {
  if (low === NOTHING[0] && high === NOTHING[1]) return [0];
  const step = niceBelow(((high - low) * 70) / height);
  const out: number[] = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + 1e-6 * step && out.length < 40; i++) out.push(i * step);
  return out;
}

function powers(low: number, high: number): number[] {
  const from = Math.ceil(Math.log10(low) - 1e-6), to = Math.floor(Math.log10(high) + 1e-6);
  const stride = Math.max(1, Math.ceil((to - from) / 5));
  const out: number[] = [];
  for (let e = from; e <= to; e += stride) out.push(10 ** e);
  return out;
}

function linearRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (low === high) return low === 0 ? NOTHING : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
  const room = 0.06 * (high - low);
  return [low >= 0 && low < high / 2 ? 0 : low - room, high <= 0 && high > low / 2 ? 0 : high + room];
}

function logRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (!low || !high || low <= 0) return [1e-16, 1];
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.max(Math.floor(Math.log10(low)) + 1, Math.ceil(Math.log10(high)))];
}

/** One prefix for a whole axis, so that its labels compare. */
function axisLabels(values: (number | null)[], unit: string, log: boolean): string[] {
  if (log) return values.map((v) => (v === null ? '' : v.toExponential(0).replace('e+', 'e').replace(/-/g, '−')));
  const largest = Math.max(0, ...values.map((v) => Math.abs(v ?? 0)));
  if (!unit) return values.map((v) => (v === null ? '' : plain(v)));
  const power = largest > 0 ? Math.floor(Math.log10(largest) / 3) : 0;
  if (power < -3 || power > 3) return values.map((v) => (v === null ? '' : v === 0 ? `0 ${unit}` : `${v.toExponential(0).replace(/-/g, '−')} ${unit}`));
  const prefix = ['n', 'µ', 'm', '', 'k', 'M', 'G'][power + 3];
  return values.map((v) => (v === null ? '' : `${Number((v / 1000 ** power).toPrecision(4))} ${prefix}${unit}`.replace('-', '−')));
}

function column(line: () => ArrayLike<number>): () => ArrayLike<number | null> {
  return line;
}

/** What cannot stand on a logarithmic axis is left out. */
function positive(values: Float64Array): (number | null)[] {
  return Array.from(values, (v) => (v > 0 ? v : null));
}

/** Energy of a run: what moved where, and what is not booked. */
export class EnergyPage {
  private ledger: Plot;
  private others: Plot[];
  private chips = el('div', { class: 'chips' });
  private labels: HTMLElement[] = [];
  private chosen = new Map<string, boolean>();

  constructor(private readonly app: App, page: HTMLElement) {
    const r = app.recording;
    this.ledger = new Plot(app, { unit: 'J', height: 220, lines: [] });
    const single = (label: string, unit: string, data: () => Float64Array, color: number, log = false): Plot =>
      new Plot(app, { unit, height: 116, log, lines: [{ label, color: () => seriesColor(color), data: log ? () => positive(data()) : column(data), shown: true }] });
    this.others = [
      single('closure', 'J', () => r.closure.view(), 4),
      single('penetration', 'm', () => r.penetration.view(), 0),
      single('residual', '', () => r.residual.view(), 2, true),
    ];
    page.append(el('h3', {}, 'Energy ledger, change since the start'), this.chips, this.ledger.place);
    for (const [i, title] of ['Closure: what is not booked', 'Deepest penetration', 'Largest residual of the solver'].entries()) {
      const label = el('span', { class: 'quiet', style: 'font-weight:400' });
      this.labels.push(label);
      page.append(el('h3', {}, title, ' ', label), this.others[i].place);
    }
    app.on('data', () => this.grown());
    app.on('frame', () => this.moved());
    onTheme(() => {
      this.setLines();
      for (const p of this.others) p.remake();
    });
  }

  private setLines(): void {
    const r = this.app.recording;
    const accounts = r.head?.words.accounts ?? [];
    const always: [string, () => Float64Array][] = [['kinetic', () => r.kinetic.view()], ['potential', () => r.potential.view()]];
    const all = [...always, ...accounts.map((name, i): [string, () => Float64Array] => [name, () => r.works[i]?.view() ?? new Float64Array()])];
    const lines: Line[] = [];
    all.forEach(([name, data]) => {
      if (!data().some((v) => v !== 0) && !['kinetic', 'potential'].includes(name)) return;
      const i = lines.length;
      const largest = Math.max(...Array.from(sampled(data()), Math.abs));
      const shown = this.chosen.get(name) ?? (['kinetic', 'potential'].includes(name) || largest > 1e-6 * Math.max(1e-300, r.frames[r.frames.length - 1]?.moved ?? 0));
      lines.push({ label: words(name), color: () => seriesColor(i), dash: seriesDash(i), data, shown });
    });
    this.ledger.options.lines = lines;
    this.chips.replaceChildren(...lines.map((l, i) => el('button', {
      class: 'chip', 'aria-pressed': String(l.shown), title: `show or hide ${l.label}`, 'data-account': l.label,
      click: (e: globalThis.Event) => {
        const on = !this.ledger.options.lines[i].shown;
        this.chosen.set(l.label.replace(/ /g, '_'), on);
        this.ledger.show(i, on);
        (e.currentTarget as HTMLElement).setAttribute('aria-pressed', String(on));
      },
    }, el('span', { class: 'dash', style: `--c:${l.color()};border-top-style:${l.dash?.length ? 'dashed' : 'solid'}` }), l.label)));
    this.ledger.remake();
  }

  private grown(): void {
    const names = this.namesWithValues();
    if (names !== this.linesFor) {
      this.linesFor = names;
      this.setLines();
    } else this.ledger.refresh();
    for (const p of this.others) p.refresh();
    this.moved();
  }

  private linesFor = '';
  private namesWithValues(): string {
    const r = this.app.recording;
    const last = r.frames[r.frames.length - 1];
    return last ? Array.from(last.works, (w, i) => (w !== 0 || this.linesFor.split(',').includes(String(i)) ? i : '')).join(',') : 'none';
  }

  private moved(): void {
    const f = this.app.recording.frames[this.app.frame];
    this.ledger.redraw();
    for (const p of this.others) p.redraw();
    if (!f) return;
    this.labels[0].textContent = `now ${quantity(f.closure, 'J')}`;
    this.labels[1].textContent = `now ${quantity(f.penetration, 'm')}`;
    this.labels[2].textContent = `now ${plain(f.residual, 3)}`;
  }

  get lines(): Line[] {
    return this.ledger.options.lines;
  }
}

function sampled(values: Float64Array): Float64Array {
  if (values.length <= 2000) return values;
  const stride = Math.ceil(values.length / 2000);
  return values.filter((_, i) => i % stride === 0);
}

/** Normal and friction force of one contact; gaps where it is apart. */
export function forceLines(app: App, series: () => ContactSeries | undefined): Line[] {
  const spread = (pick: (s: ContactSeries, row: number) => number) => (): (number | null)[] => {
    const out = new Array<number | null>(app.frames).fill(null);
    const s = series();
    if (s) for (let i = 0; i < s.frames.length; i++) {
      const value = pick(s, i);
      if (Number.isFinite(value)) out[s.frames.at(i)] = value;
    }
    return out;
  };
  return [
    { label: 'normal', color: () => seriesColor(0), data: spread((s, i) => s.normal.at(i)), shown: true },
    { label: 'friction', color: () => seriesColor(1), data: spread((s, i) => s.friction.at(i)), shown: true },
    { label: 'friction limit μ f_N', color: () => seriesColor(5), dash: [4, 3], data: spread((s, i) => s.mu.at(i) * s.normal.at(i)), shown: true },
  ];
}
