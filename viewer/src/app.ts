// app.ts - the one state that everything drawn comes from: recording, time shown, contact selected.
import { Recording } from './recording';

export type Event = 'frame' | 'data' | 'select' | 'hover' | 'play';
export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class App {
  recording = new Recording();
  frame = 0;
  selected: string | null = null;
  hovered: string | null = null;
  playing = false;
  speed = 1;
  loop = false;
  live = false;
  showingMode = false; // contacts of the moment make way for those of the mode
  follow = false; // live: stay at the end
  private clock = 0; // time shown while playing, between frames too [s]
  private last = 0;
  private listeners = new Map<Event, (() => void)[]>();

  on(events: Event | Event[], listener: () => void): void {
    for (const event of [events].flat()) this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  emit(event: Event): void {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }

  get frames(): number {
    return this.recording.frames.length;
  }

  get time(): number {
    return this.recording.frames[this.frame]?.time ?? 0;
  }

  get end(): number {
    return this.recording.frames[this.frames - 1]?.time ?? 0;
  }

  get start(): number {
    return this.recording.frames[0]?.time ?? 0;
  }

  reset(): void {
    this.recording.reset();
    this.frame = this.clock = 0;
    this.selected = this.hovered = null;
    this.playing = false;
    this.emit('select');
    this.emit('data');
  }

  seek(time: number): void {
    if (!this.frames || !Number.isFinite(time)) return;
    this.goTo(this.recording.frameAt(time));
  }

  goTo(frame: number): void {
    if (!this.frames) return;
    const to = Math.max(0, Math.min(this.frames - 1, Math.round(frame)));
    if (this.live) this.follow = to === this.frames - 1 && this.follow;
    this.clock = this.recording.frames[to].time;
    if (to === this.frame) {
      this.emit('play');
      return;
    }
    this.frame = to;
    this.emit('frame');
  }

  step(by: number): void {
    this.pause();
    this.goTo(this.frame + by);
  }

  select(key: string | null): void {
    if (key === this.selected) return;
    this.selected = key;
    this.emit('select');
  }

  hover(key: string | null): void {
    if (key === this.hovered) return;
    this.hovered = key;
    this.emit('hover');
  }

  play(): void {
    if (this.frames < 2) return;
    if (this.frame >= this.frames - 1 && !this.live) this.goTo(0);
    this.playing = true;
    this.clock = this.time;
    this.last = 0;
    this.emit('play');
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.emit('play');
  }

  setFollow(on: boolean): void {
    this.follow = on;
    if (on) {
      this.playing = false;
      this.frame = Math.max(0, this.frames - 1);
      this.clock = this.time;
      this.emit('frame');
    }
    this.emit('play');
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.emit('play');
  }

  /** Moves the clock while playing; called once per picture. */
  tick(now: number): void {
    if (!this.playing) return;
    // A picture that came late must not make the motion jump.
    const passed = this.last ? Math.min(now - this.last, 250) / 1000 : 0;
    this.last = now;
    this.clock += passed * this.speed;
    if (this.clock >= this.end) {
      if (this.loop && this.end > this.start) this.clock = this.start;
      else {
        this.clock = this.end;
        this.playing = false;
        if (this.live) this.follow = true;
        this.emit('play');
      }
    }
    const to = this.recording.frameAt(this.clock);
    if (to !== this.frame) {
      this.frame = to;
      this.emit('frame');
    }
  }

  /** New blocks have arrived. */
  grown(): void {
    this.emit('data');
    if (this.follow && this.frames && this.frame !== this.frames - 1) {
      this.frame = this.frames - 1;
      this.clock = this.time;
      this.emit('frame');
    }
  }

  /** The next event after (+1) or before (-1) the time shown, or nothing. */
  jump(what: 'impact' | 'change', direction: 1 | -1): void {
    const r = this.recording;
    const frames = what === 'impact' ? r.impacts.map((i) => this.frameOfImpact(i.time)) : r.changes.map((c) => c.frame);
    const there = frames.filter((f) => (direction > 0 ? f > this.frame : f < this.frame));
    if (!there.length) return;
    this.pause();
    this.goTo(direction > 0 ? Math.min(...there) : there.reduce((a, b) => Math.max(a, b)));
  }

  /** The first frame that knows of an impact. */
  frameOfImpact(time: number): number {
    const at = this.recording.frameAt(time);
    return this.recording.frames[at]?.time >= time ? at : Math.min(at + 1, this.frames - 1);
  }
}

type Child = Node | string | null | undefined | false;

/** A small way to write elements. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string | EventListener | boolean> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') out.addEventListener(name, value);
    else if (typeof value === 'boolean') out.toggleAttribute(name, value);
    else if (name === 'style') out.style.cssText = value;
    else out.setAttribute(name, value);
  }
  for (const child of children) if (child) out.append(child);
  return out;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: Child[]): SVGElement {
  const out = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, String(value));
  for (const child of children) if (child) out.append(child);
  return out;
}

export function byId(id: string): HTMLElement {
  return document.getElementById(id)!;
}
