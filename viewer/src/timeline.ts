// timeline.ts - play, scrub and step; a band of regimes over time with marks at impacts and changes.
import { App, byId, el, SPEEDS, svg } from './app';
import { niceBelow, plain, seconds } from './format';
import { hueOf, onTheme, theme, type Hue } from './palette';

const BAND_TOP = 13, BAND_HEIGHT = 14;
const ORDER: Hue[] = ['stick', 'slide', 'tip', 'separate'];

const ICONS: Record<string, string> = {
  first: 'M3 3v10M13 3L5.5 8l7.5 5z', back: 'M11 3L4 8l7 5z', play: 'M4 2.5L13 8l-9 5.5z', pause: 'M4 3h3v10H4zM9.5 3h3v10h-3z',
  forward: 'M5 3l7 5-7 5z', last: 'M13 3v10M3 3l7.5 5L3 13z',
};

/** Drawn here: fonts differ in the signs they have. */
function icon(name: string): SVGElement {
  return svg('svg', { width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon' }, svg('path', { d: ICONS[name] }));
}

function button(id: string, label: string, title: string, action: () => void): HTMLButtonElement {
  return el('button', { id, title, 'aria-label': title, click: action }, ICONS[label] ? icon(label) : label);
}

export class Timeline {
  private canvas = el('canvas', { 'aria-label': 'time; click or drag to move' });
  private now = el('span', { class: 'now' });
  private playButton: HTMLButtonElement;
  private followButton: HTMLButtonElement;
  private speed = el('select', { id: 'speed', title: 'speed of playing, in times of real time ([ and ])', 'aria-label': 'speed' });
  private band: HTMLCanvasElement = document.createElement('canvas');
  private bandFor = '';

  constructor(private readonly app: App) {
    this.playButton = button('play', 'play', 'play or pause (space)', () => (app.playing ? app.pause() : app.play()));
    this.followButton = button('follow', '⇥ follow', 'stay at the end while the run goes on (End)', () => app.setFollow(!app.follow));
    this.followButton.hidden = true;
    for (const s of SPEEDS) this.speed.append(el('option', { value: String(s) }, `${plain(s)}×`));
    this.speed.value = '1';
    this.speed.addEventListener('change', () => app.setSpeed(Number(this.speed.value)));
    const row = el('div', { class: 'row' },
      button('first', 'first', 'to the start (Home)', () => app.step(-Infinity)),
      button('back', 'back', 'one frame back (←)', () => app.step(-1)),
      this.playButton,
      button('forward', 'forward', 'one frame forward (→)', () => app.step(1)),
      button('last', 'last', 'to the end (End)', () => (app.live ? app.setFollow(true) : app.step(Infinity))),
      this.speed, this.followButton, this.now,
      el('span', { class: 'grow' }),
      button('prevImpact', '◂ impact', 'the impact before (Shift I)', () => app.jump('impact', -1)),
      button('nextImpact', 'impact ▸', 'the next impact (I)', () => app.jump('impact', 1)),
      button('prevChange', '◂ change', 'the change of regime before (Shift R)', () => app.jump('change', -1)),
      button('nextChange', 'change ▸', 'the next change of regime (R)', () => app.jump('change', 1)));
    byId('timeline').append(row, this.canvas);
    this.drag();
    app.on(['frame', 'data', 'play', 'select'], () => this.draw());
    onTheme(() => {
      this.bandFor = '';
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.draw();
  }

  private drag(): void {
    const move = (e: PointerEvent): void => {
      const box = this.canvas.getBoundingClientRect();
      const share = Math.max(0, Math.min(1, (e.clientX - box.left) / box.width));
      this.app.seek(this.app.start + share * (this.app.end - this.app.start));
    };
    this.canvas.addEventListener('pointerdown', (e) => {
      this.canvas.setPointerCapture(e.pointerId);
      this.app.pause();
      this.app.follow = false;
      move(e);
    });
    this.canvas.addEventListener('pointermove', (e) => {
      if (e.buttons & 1) move(e);
    });
  }

  private draw(): void {
    const { app, canvas } = this;
    const sign = app.playing ? 'pause' : 'play';
    if (this.playButton.dataset.sign !== sign) {
      this.playButton.dataset.sign = sign;
      this.playButton.replaceChildren(icon(sign));
    }
    this.playButton.disabled = app.frames < 2;
    this.followButton.hidden = !app.live;
    this.followButton.setAttribute('aria-pressed', String(app.follow));
    this.speed.value = String(app.speed);
    this.now.textContent = app.frames ? `${seconds(app.time)}  ·  frame ${app.frame + 1} of ${app.frames}` : 'no frames yet';
    for (const [ids, n] of [[['prevImpact', 'nextImpact'], app.recording.impacts.length], [['prevChange', 'nextChange'], app.recording.changes.length]] as const)
      for (const id of ids) (byId(id) as HTMLButtonElement | null)?.toggleAttribute('disabled', n === 0);
    const scale = Math.min(devicePixelRatio, 2);
    const w = Math.round(canvas.clientWidth * scale), h = Math.round(canvas.clientHeight * scale);
    if (!w || !h) return;
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
    }
    const key = `${w} ${h} ${app.recording.version} ${app.selected} ${theme().dark}`;
    if (key !== this.bandFor) {
      this.bandFor = key;
      this.band.width = w;
      this.band.height = h;
      this.drawBand(this.band.getContext('2d')!, scale, w / scale, h / scale);
    }
    const c = canvas.getContext('2d')!;
    c.clearRect(0, 0, w, h);
    c.drawImage(this.band, 0, 0);
    c.setTransform(scale, 0, 0, scale, 0, 0);
    const x = Math.round(this.x(app.time, w / scale)) + 0.5;
    c.strokeStyle = c.fillStyle = theme().ink;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, 4);
    c.lineTo(x, BAND_TOP + BAND_HEIGHT + 6);
    c.stroke();
    c.beginPath();
    c.arc(Math.max(4.5, Math.min(w / scale - 4.5, x)), 4.5, 4.5, 0, 7);
    c.fill();
    c.setTransform(1, 0, 0, 1, 0, 0);
  }

  private x(time: number, width: number): number {
    const span = this.app.end - this.app.start;
    return span > 0 ? ((time - this.app.start) / span) * (width - 1) : 0;
  }

  /** The share of contacts in every regime, column by column; of one contact where one is selected. */
  private drawBand(c: CanvasRenderingContext2D, scale: number, width: number, height: number): void {
    const { app } = this;
    const r = app.recording;
    const t = theme();
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    c.fillStyle = t.grid;
    c.globalAlpha = 0.6;
    c.fillRect(0, BAND_TOP, width, BAND_HEIGHT);
    c.globalAlpha = 1;
    const selected = app.selected ? r.series.get(app.selected) : undefined;
    const hueIndex = (r.head?.words.regimes ?? []).map((name) => ORDER.indexOf(hueOf(name)));
    const n = app.frames;
    const shares = [0, 0, 0, 0];
    for (let px = 0; px < width && n > 0; px++) {
      const from = r.frameAt(app.start + (px / width) * (app.end - app.start));
      const to = Math.max(from + 1, r.frameAt(app.start + ((px + 1) / width) * (app.end - app.start)));
      shares.fill(0);
      let soft = 0;
      for (let f = from; f < Math.min(to, n); f++) {
        if (selected) {
          const row = selected.row(f);
          if (row >= 0 && selected.soft) soft++;
          else if (row >= 0) shares[hueIndex[selected.regime.at(row)] ?? 3]++;
        } else {
          const counts = r.regimeCounts[f];
          for (let k = 0; k < counts.length; k++) if (counts[k]) shares[hueIndex[k] ?? 3] += counts[k];
          for (const s of r.softContacts(f)) if (s.state > 0) soft++;
        }
      }
      const total = shares[0] + shares[1] + shares[2] + shares[3] + soft;
      let y = BAND_TOP;
      for (let k = 0; k <= 4 && total > 0; k++) {
        const share = ((k < 4 ? shares[k] : soft) / total) * BAND_HEIGHT;
        if (share === 0) continue;
        c.fillStyle = t.hues[k < 4 ? ORDER[k] : 'soft'];
        c.fillRect(px, y, 1.5, share);
        y += share;
      }
    }
    this.drawMarks(c, width);
    this.drawTicks(c, width, height);
  }

  private drawMarks(c: CanvasRenderingContext2D, width: number): void {
    const { app } = this;
    const r = app.recording;
    const t = theme();
    c.fillStyle = t.hues.impact;
    let lastX = -10;
    for (const impact of r.impacts) {
      const x = this.x(impact.time, width);
      if (x - lastX < 1) continue;
      lastX = x;
      c.beginPath();
      c.moveTo(x - 4, 2);
      c.lineTo(x + 4, 2);
      c.lineTo(x, BAND_TOP - 1);
      c.fill();
    }
    c.fillStyle = t.ink;
    lastX = -10;
    for (const change of r.changes) {
      if (app.selected && change.key !== app.selected) continue;
      const x = this.x(r.frames[change.frame].time, width);
      if (x - lastX < 1.5) continue;
      lastX = x;
      c.globalAlpha = 0.55;
      c.fillRect(x - 0.5, BAND_TOP + BAND_HEIGHT, 1, 5);
    }
    c.globalAlpha = 1;
  }

  private drawTicks(c: CanvasRenderingContext2D, width: number, height: number): void {
    const { app } = this;
    const span = app.end - app.start;
    c.fillStyle = theme().soft;
    c.font = '11px system-ui, sans-serif';
    c.textBaseline = 'bottom';
    if (!(span > 0)) {
      c.textAlign = 'left';
      if (app.frames) c.fillText(`${seconds(app.start)}: a single moment`, 0, height);
      return;
    }
    const step = niceBelow((span * 110) / width);
    for (let t = Math.ceil(app.start / step - 1e-9) * step; t <= app.end + 1e-9 * span; t += step) {
      const x = this.x(t, width);
      c.textAlign = x < 20 ? 'left' : x > width - 26 ? 'right' : 'center';
      c.fillText(`${Number(t.toPrecision(6))} s`, x, height);
    }
  }
}
