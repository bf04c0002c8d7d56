// modes.ts - the contact modes of a moment: their lattice by dimension, a list to search, and one shown in motion.
import * as THREE from 'three';
import { App, el } from './app';
import { plain } from './format';
import { hueOf, onTheme, theme } from './palette';
import { Marks } from './pools3d';
import type { Displacement, Scene3d } from './scene3d';
import type { Mode, ModeSet } from './types';

const MOST_LINES = 1500; // lattice lines all drawn up to here; beyond, those of the mode pointed at
const MOST_CHIPS = 240;

interface Node {
  mode: number;
  x: number;
  y: number;
}

export class ModePage {
  private set: ModeSet | null = null;
  private setIndex = 0;
  private chosen = -1;
  private pointed = -1;
  private above: number[][] = []; // modes whose cone has this one as a facet
  private nodes: Node[] = [];
  private canvas = el('canvas', { class: 'lattice', title: 'the lattice of modes, one row a dimension; click one' });
  private search = el('input', { type: 'search', placeholder: 'search: 0+ of contacts, -0+ of slips, or dim 3', 'aria-label': 'search modes' });
  private list = el('div', { class: 'modes' });
  private summary = el('p', { class: 'quiet' });
  private detail = el('div', { class: 'modes' });
  private pick = el('select', { 'aria-label': 'which moment', hidden: true });
  private marks: Marks | null = null;
  private started = 0;

  constructor(private readonly app: App, private readonly page: HTMLElement, private readonly scene: Scene3d | null) {
    page.append(this.pick, this.summary, this.canvas, this.detail, el('h3', {}, 'All modes, by contacts and dimension'), this.search, this.list);
    if (scene) this.marks = new Marks(scene.scene, 5, 0.6);
    this.pick.addEventListener('change', () => this.load(Number(this.pick.value)));
    this.search.addEventListener('input', () => this.fillList());
    this.canvas.addEventListener('click', (e) => this.choose(this.nearest(e)));
    this.canvas.addEventListener('pointermove', (e) => this.point(this.nearest(e)));
    this.canvas.addEventListener('pointerleave', () => this.point(-1));
    new ResizeObserver(() => this.layout()).observe(this.canvas);
    app.on('data', () => this.grown());
    app.on('frame', () => {
      if (this.set && this.chosen >= 0 && app.frame !== this.set.frame) this.choose(-1);
    });
    onTheme(() => this.draw());
  }

  private grown(): void {
    const sets = this.app.recording.modeSets;
    if (!sets.length) return;
    this.pick.hidden = sets.length < 2;
    if (this.pick.children.length !== sets.length)
      this.pick.replaceChildren(...sets.map((s, i) => el('option', { value: String(i) }, `${s.title} (${this.app.recording.frames[s.frame]?.time.toFixed(3) ?? 0} s)`)));
    if (!this.set) this.load(0);
  }

  load(index: number): void {
    this.set = this.app.recording.modeSets[index] ?? null;
    this.setIndex = index;
    this.chosen = this.pointed = -1;
    this.app.showingMode = false;
    if (!this.set) {
      this.pick.replaceChildren();
      return;
    }
    const { modes } = this.set;
    this.above = modes.map(() => []);
    modes.forEach((m, i) => (m.faces ?? []).forEach((f) => this.above[f]?.push(i)));
    const groups = new Set(modes.map((m) => m.cs)).size;
    this.summary.textContent = `${this.set.title}: ${modes.length} modes${this.set.complete ? '' : ', the first ones of more'}, ${groups} of contacting and separating; ` +
      `${this.set.contacts.length} contacts${this.set.policy ? `; signs ${this.set.policy}` : ''}.`;
    this.layout();
    this.fillList();
    this.drawDetail();
    this.rest();
  }

  get modes(): Mode[] {
    return this.set?.modes ?? [];
  }

  get current(): { set: number; index: number } | null {
    return this.chosen >= 0 ? { set: this.setIndex, index: this.chosen } : null;
  }

  /** Rows from the largest dimension at the top; within a row modes of the same contacts side by side. */
  private layout(): void {
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    if (!w || !this.set) return;
    const scale = Math.min(devicePixelRatio, 2);
    this.canvas.width = w * scale;
    this.canvas.height = h * scale;
    const dims = [...new Set(this.modes.map((m) => m.dim))].sort((a, b) => b - a);
    this.nodes = [];
    dims.forEach((dim, row) => {
      const inRow = this.modes.map((m, i) => ({ m, i })).filter((e) => e.m.dim === dim)
        .sort((a, b) => (a.m.cs < b.m.cs ? -1 : a.m.cs > b.m.cs ? 1 : a.m.ss < b.m.ss ? -1 : 1));
      // A crowded row is folded into several lines.
      const perLine = Math.max(1, Math.floor((w - 64) / 6));
      const lines = Math.ceil(inRow.length / perLine);
      const band = (h - 20) / dims.length;
      inRow.forEach(({ i }, k) => {
        const line = Math.floor(k / perLine);
        const count = line === lines - 1 ? inRow.length - line * perLine : perLine;
        this.nodes.push({
          mode: i, x: 50 + ((w - 60) * ((k % perLine) + 0.5)) / count,
          y: 10 + band * (row + 0.5) + (lines > 1 ? (line / (lines - 1) - 0.5) * Math.min(band - 8, 6 * lines) : 0),
        });
      });
    });
    this.draw();
  }

  private draw(): void {
    const c = this.canvas.getContext('2d');
    if (!c || !this.set) return;
    const t = theme();
    const scale = Math.min(devicePixelRatio, 2);
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    const at = new Map(this.nodes.map((n) => [n.mode, n]));
    const line = (a: number, b: number, color: string, width: number, alpha: number): void => {
      const p = at.get(a), q = at.get(b);
      if (!p || !q) return;
      c.strokeStyle = color;
      c.lineWidth = width;
      c.globalAlpha = alpha;
      c.beginPath();
      c.moveTo(p.x, p.y);
      c.lineTo(q.x, q.y);
      c.stroke();
      c.globalAlpha = 1;
    };
    const lines = this.modes.reduce((n, m) => n + (m.faces?.length ?? 0), 0);
    if (lines <= MOST_LINES) this.modes.forEach((m, i) => m.faces?.forEach((f) => line(i, f, t.soft, 0.6, lines > 300 ? 0.18 : 0.4)));
    const labelled = new Set<number>();
    c.font = '11px system-ui, sans-serif';
    c.textAlign = 'left';
    c.textBaseline = 'middle';
    const size = this.nodes.length > 600 ? 2 : this.nodes.length > 120 ? 3 : 4.5;
    for (const n of this.nodes) {
      const m = this.modes[n.mode];
      if (!labelled.has(m.dim)) {
        labelled.add(m.dim);
        const row = this.nodes.filter((o) => this.modes[o.mode].dim === m.dim);
        c.fillStyle = t.soft;
        c.fillText(`dim ${m.dim}`, 7, (row[0].y + row[row.length - 1].y) / 2);
      }
      c.fillStyle = t.hues[hueOfMode(m)];
      c.beginPath();
      c.arc(n.x, n.y, size, 0, 7);
      c.fill();
    }
    for (const i of [this.chosen, this.pointed]) {
      if (i < 0) continue;
      this.modes[i].faces?.forEach((f) => line(i, f, t.ink, 1.3, 0.8));
      this.above[i].forEach((f) => line(i, f, t.ink, 1.3, 0.8));
      const n = at.get(i);
      if (!n) continue;
      c.strokeStyle = t.ink;
      c.lineWidth = 2;
      c.beginPath();
      c.arc(n.x, n.y, size + 3, 0, 7);
      c.stroke();
    }
  }

  private nearest(e: MouseEvent): number {
    let best = 14 ** 2, out = -1;
    for (const n of this.nodes) {
      const d = (n.x - e.offsetX) ** 2 + (n.y - e.offsetY) ** 2;
      if (d < best) {
        best = d;
        out = n.mode;
      }
    }
    return out;
  }

  private point(i: number): void {
    if (i === this.pointed) return;
    this.pointed = i;
    this.canvas.title = i >= 0 ? label(this.modes[i]) : 'the lattice of modes, one row a dimension; click one';
    this.draw();
  }

  choose(i: number): void {
    if (i >= this.modes.length) return;
    const was = this.chosen;
    this.chosen = i;
    this.started = performance.now();
    this.app.showingMode = i >= 0 && this.scene !== null;
    this.app.emit('hover');
    if (i >= 0 && this.set) {
      this.app.pause();
      this.app.goTo(this.set.frame);
    } else if (was >= 0) this.rest();
    this.draw();
    this.drawDetail();
    for (const chip of this.list.querySelectorAll<HTMLElement>('[data-mode]')) chip.setAttribute('aria-current', String(chip.dataset.mode === String(i)));
  }

  /** Named by its slips, and by its contacts too where they are not those of the mode beside it. */
  private chip(i: number, beside: string | null = null): HTMLElement {
    const m = this.modes[i];
    const name = beside === null || beside === m.cs ? m.ss || m.cs : `${m.cs}${m.ss ? ` / ${m.ss}` : ''}`;
    return el('button', { class: 'chip', 'data-mode': String(i), 'aria-current': String(i === this.chosen), title: label(m), click: () => this.choose(i) },
      el('span', { class: 'dot', style: `--c:var(--${hueOfMode(m)})` }), name);
  }

  private fillList(): void {
    const wanted = this.search.value.trim().toLowerCase().replace(/−/g, '-');
    const dim = /^dim\s*(\d+)$/.exec(wanted);
    const exact = this.modes.some((m) => m.cs === wanted);
    const groups = new Map<string, number[]>();
    let found = 0;
    this.modes.forEach((m, i) => {
      const match = !wanted || (dim ? m.dim === Number(dim[1]) : exact ? m.cs === wanted : m.cs.includes(wanted) || m.ss.includes(wanted));
      if (!match || found++ >= MOST_CHIPS) return;
      const key = `${m.cs} · dim ${m.dim}`;
      groups.set(key, [...(groups.get(key) ?? []), i]);
    });
    this.list.replaceChildren(...[...groups].map(([key, modes]) => el('div', { class: 'group' },
      el('span', { class: 'mono' }, key), el('div', {}, ...modes.map((i) => this.chip(i))))));
    if (found === 0) this.list.append(el('p', { class: 'quiet' }, 'No mode matches; strings are of 0 and + for contacts, of -, 0 and + for slips.'));
    if (found > MOST_CHIPS) this.list.append(el('p', { class: 'quiet' }, `${found - MOST_CHIPS} more match; narrow the search to see them.`));
  }

  private drawDetail(): void {
    const m = this.modes[this.chosen];
    if (!m) {
      this.detail.replaceChildren(el('p', { class: 'quiet' }, 'Click a mode to see its velocity on the bodies.'));
      return;
    }
    const near = (title: string, list: number[]): HTMLElement => el('div', { class: 'group' },
      el('span', {}, `${title} (${list.length})`), el('div', {}, ...list.slice(0, 40).map((i) => this.chip(i, m.cs))), list.length > 40 ? el('span', {}, `and ${list.length - 40} more`) : null);
    this.detail.replaceChildren(
      el('div', { class: 'head2' }, el('b', { class: 'mono' }, `${m.cs}${m.ss ? ` / ${m.ss}` : ''}`),
        el('span', { class: 'tag', style: `--c:var(--${hueOfMode(m)})` }, `dim ${m.dim}`), el('span', { class: 'grow' }),
        el('button', { title: 'stop showing it (Esc)', click: () => this.choose(-1) }, 'Stop')),
      el('p', {}, el('span', { class: 'dot', style: '--c:var(--stick)' }), ` contacting ${count(m.cs, '0')}   `,
        el('span', { class: 'dot', style: '--c:var(--separate)' }), ` separating ${count(m.cs, '+')}`),
      m.bodies?.length ? '' : el('p', { class: 'quiet' }, this.set?.contacts.some((c) => c.p_W) ? 'The recording has no velocities of bodies for it; arrows show the contacts.' : `Its contacts have no place in space; a velocity of it is ${(m.velocity ?? []).map((v) => plain(v, 3)).join(', ')}.`),
      near('faces: modes at its rim', m.faces ?? []), near('neighbours: modes whose rim it is', this.above[this.chosen]));
  }

  /** Moves the bodies out and back along the mode; called once per picture. */
  animate(now: number): void {
    if (!this.scene || !this.set || this.chosen < 0 || this.page.hidden) {
      if (this.moving && this.chosen >= 0) this.choose(-1);
      else if (this.moving) this.rest();
      return;
    }
    const m = this.modes[this.chosen];
    const poses = this.app.recording.frames[this.app.frame]?.bodies;
    if (!poses) return;
    this.moving = true;
    const scale = this.amplitude(m, poses);
    const share = scale * 0.5 * (1 - Math.cos((now - this.started) / 480));
    const displacement: Displacement = { twists: m.bodies ?? [], share };
    this.scene.pose(poses, displacement);
    this.drawArrows(m);
  }

  private moving = false;
  private amplitude(m: Mode, poses: Float32Array): number {
    let fastest = 0, spin = 0;
    m.bodies?.forEach((t, i) => {
      const x = [poses[7 * i], poses[7 * i + 1], poses[7 * i + 2]];
      fastest = Math.max(fastest, Math.hypot(t[3] + t[1] * x[2] - t[2] * x[1], t[4] + t[2] * x[0] - t[0] * x[2], t[5] + t[0] * x[1] - t[1] * x[0]));
      spin = Math.max(spin, Math.hypot(t[0], t[1], t[2]));
    });
    const byWay = fastest > 0 ? (0.16 * this.scene!.size) / fastest : Infinity;
    const byTurn = spin > 0 ? 0.3 / spin : Infinity;
    const out = Math.min(byWay, byTurn);
    return Number.isFinite(out) ? out : 0;
  }

  private drawArrows(m: Mode): void {
    if (!this.marks || !this.set || !this.scene) return;
    const t = theme();
    const px = this.scene.metresPerPixel();
    const contacting = new THREE.Color(t.hues.stick), separating = new THREE.Color(t.hues.separate);
    const fastest = Math.max(1e-30, ...(m.contact_velocities ?? []).map((v) => Math.hypot(...v)));
    const at = new THREE.Vector3(), v = new THREE.Vector3();
    this.marks.begin();
    this.set.contacts.forEach((c, i) => {
      const color = m.cs[i] === '+' ? separating : contacting;
      if (!c.p_W) return;
      at.fromArray(c.p_W);
      this.marks!.dot(at, 4 * px, color);
      const u = m.contact_velocities?.[i];
      if (u && Math.hypot(...u) > 1e-9 * fastest) this.marks!.arrow(at, v.fromArray(u).multiplyScalar((0.45 * this.scene!.size) / fastest), 2 * px, color);
    });
    this.marks.end();
  }

  /** Where there are no bodies to see: the contacts with their normals. */
  private drawContacts(): void {
    if (!this.marks || !this.set || !this.scene) return;
    const ink = new THREE.Color(theme().soft);
    const px = this.scene.metresPerPixel();
    for (const c of this.set.contacts) {
      if (!c.p_W) continue; // of a problem in matrices: nowhere in space
      const at = new THREE.Vector3().fromArray(c.p_W);
      this.marks.dot(at, 4 * px, ink);
      if (c.n_W) this.marks.arrow(at, new THREE.Vector3().fromArray(c.n_W).multiplyScalar(0.25 * this.scene.size), 1.4 * px, ink);
    }
    this.scene.dirty = true;
  }

  private rest(): void {
    this.moving = false;
    const poses = this.app.recording.frames[this.app.frame]?.bodies;
    if (poses) this.scene?.pose(poses);
    this.marks?.begin();
    if (!this.app.recording.head?.geoms.length) this.drawContacts();
    this.marks?.end();
  }
}

function count(text: string, letter: string): number {
  return [...text].filter((c) => c === letter).length;
}

function label(m: Mode): string {
  return `${m.cs}${m.ss ? ` / ${m.ss}` : ''}, dimension ${m.dim}`;
}

/** Nothing closed: separate; closed and all slips zero: stick; else slide. */
function hueOfMode(m: Mode): ReturnType<typeof hueOf> {
  if (!m.cs.includes('0')) return 'separate';
  return /[+-]/.test(m.ss) ? 'slide' : 'stick';
}
