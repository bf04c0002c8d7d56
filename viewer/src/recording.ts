// recording.ts - a recording in memory: frames, time series of every contact, impacts, certificates, modes.
import { readContacts, readFrame, readHead, readImpacts, readJson, readSoft, readSolve } from './blocks';
import type { Block } from './decoder';
import type { Certificate, Contact, Done, Frame, Head, Impact, ModeSet, SoftContact, Solve } from './types';

/** Numbers that grow at the end, seen as one array. */
export class Column {
  private data = new Float64Array(256);
  length = 0;
  push(x: number): void {
    if (this.length === this.data.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = x;
  }
  at(i: number): number {
    return this.data[i];
  }
  view(): Float64Array {
    return this.data.subarray(0, this.length);
  }
}

/** One contact through time; rows only where it exists. */
export class ContactSeries {
  frames = new Column();
  regime = new Column();
  normal = new Column();
  friction = new Column();
  mu = new Column();
  copX = new Column();
  copY = new Column();
  constructor(
    readonly key: string,
    readonly geom1: number,
    readonly geom2: number,
    readonly which: number,
    readonly soft: boolean,
  ) {}
  /** The row of a frame, or -1. */
  row(frame: number): number {
    const i = lastAtMost(this.frames.view(), frame);
    return i >= 0 && this.frames.at(i) === frame ? i : -1;
  }
}

export interface RegimeChange {
  frame: number;
  key: string;
  from: number;
  to: number;
}

export function contactKey(c: { geom1: number; geom2: number; which: number }, soft = false): string {
  return `${soft ? 's' : ''}${c.geom1}:${c.geom2}:${c.which}`;
}

/** The last index with values[i] <= x, or -1. */
export function lastAtMost(values: Float64Array, x: number): number {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const KEPT = 8; // parsed frames: scrubbing back and forth over a few should not parse again
const NONE = -1;

export class Recording {
  head: Head | null = null;
  done: Done | null = null;
  frames: Frame[] = [];
  impacts: Impact[] = [];
  certificates: Certificate[] = [];
  modeSets: ModeSet[] = [];
  changes: RegimeChange[] = [];
  series = new Map<string, ContactSeries>();
  soft = new Map<number, SoftContact[]>(); // by frame
  times = new Column();
  kinetic = new Column();
  potential = new Column();
  closure = new Column();
  residual = new Column();
  penetration = new Column();
  works: Column[] = [];
  regimeCounts: Uint16Array[] = []; // contacts by regime, per frame
  largestForce = 0;
  largestMoment = 0;
  unknown = new Set<string>();
  badPoses = 0; // frames in which a body is nowhere
  version = 0; // grows with every block
  private solve: Solve | null = null; // stands before its frame
  private lastRegime = new Map<string, number>();
  private parsed = new Map<number, Contact[]>();

  /** Forgets everything, for another stream. */
  reset(): void {
    const { take: _, ...fresh } = new Recording();
    Object.assign(this, fresh, { version: this.version + 1 });
  }

  take = (block: Block): void => {
    if (!this.head && block.type !== 'HEAD') throw new Error('stands before the header');
    this.version++;
    switch (block.type) {
      case 'HEAD':
        if (!this.head) this.head = readHead(block.payload);
        break;
      case 'FRAM':
        this.addFrame(readFrame(block.payload, this.head!.bodies.length));
        break;
      case 'SOLV':
        this.solve = readSolve(block.payload);
        break;
      case 'IMPA':
        for (const impact of readImpacts(block.payload)) this.impacts.push(impact);
        break;
      case 'SOFT':
        this.addSoft(readSoft(block.payload));
        break;
      case 'CERT':
        this.certificates.push(checkedCertificate(readJson<Partial<Certificate>>(block.payload)));
        break;
      case 'MODE':
        this.modeSets.push(checkedModes(readJson<Partial<ModeSet>>(block.payload), Math.max(0, this.frames.length - 1)));
        break;
      case 'DONE':
        this.done = readJson<Done>(block.payload);
        break;
      case 'INDX':
        break;
      default:
        this.unknown.add(block.type);
    }
  };

  get duration(): number {
    const n = this.frames.length;
    return n ? this.frames[n - 1].time - this.frames[0].time : 0;
  }

  frameAt(time: number): number {
    return Math.max(0, Math.min(this.frames.length - 1, lastAtMost(this.times.view(), time + 1e-9 * Math.max(1, Math.abs(time)))));
  }

  contacts(frame: number): Contact[] {
    const f = this.frames[frame];
    if (!f) return [];
    let out = this.parsed.get(frame);
    if (!out) {
      out = readContacts(f);
      if (this.parsed.size >= KEPT) this.parsed.delete(this.parsed.keys().next().value!);
      this.parsed.set(frame, out);
    }
    return out;
  }

  softContacts(frame: number): SoftContact[] {
    return this.soft.get(frame) ?? [];
  }

  /** Pairs of geoms, in both orders, with an impact after the frame before this one. */
  struck(frame: number): Set<string> {
    const out = new Set<string>();
    const to = this.frames[frame]?.step ?? 0, from = this.frames[frame - 1]?.step ?? -1;
    let low = 0, high = this.impacts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.impacts[middle].step > from) high = middle;
      else low = middle + 1;
    }
    for (let i = low; i < this.impacts.length && this.impacts[i].step <= to; i++) {
      const { geom1, geom2 } = this.impacts[i];
      out.add(`${geom1}:${geom2}`).add(`${geom2}:${geom1}`);
    }
    return out;
  }

  regimeName(regime: number): string {
    return regime === NONE ? 'apart' : (this.head?.words.regimes[regime] ?? `regime ${regime}`);
  }

  private addFrame(frame: Frame): void {
    const index = this.frames.length;
    if (index && !(frame.time >= this.frames[index - 1].time)) throw new Error('goes back in time');
    if (this.solve?.step === frame.step) frame.solve = this.solve;
    this.scanContacts(frame, index);
    this.frames.push(frame);
    this.times.push(frame.time);
    this.kinetic.push(frame.kinetic);
    this.potential.push(frame.potential);
    this.closure.push(frame.closure);
    this.residual.push(frame.residual);
    this.penetration.push(frame.penetration);
    for (let i = 0; i < frame.works.length; i++) (this.works[i] ??= new Column()).push(frame.works[i]);
    for (let i = 0; i < frame.bodies.length; i++)
      if (!Number.isFinite(frame.bodies[i])) {
        this.badPoses++;
        break;
      }
  }

  /** One light pass over the bytes of a frame's contacts: what plots, bands and marks need. */
  private scanContacts(frame: Frame, index: number): void {
    const bytes = frame.contactBytes;
    const v = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const counts = new Uint16Array(Math.max(1, this.head!.words.regimes.length));
    const now = new Map<string, number>();
    let at = 0;
    for (let i = 0; i < frame.contactCount; i++) {
      const g1 = v.getUint32(at, true), g2 = v.getUint32(at + 4, true), which = v.getUint32(at + 8, true);
      const geoms = this.head!.geoms.length;
      if (g1 >= geoms || g2 >= geoms) throw new Error(`has a contact of geom ${Math.max(g1, g2)}, which is none`);
      const regime = v.getUint8(at + 13);
      const f = (k: number): number => v.getFloat32(at + 4 * k, true);
      const normal = f(20), friction = Math.hypot(f(18), f(19));
      const cop = v.getUint8(at + 15) === 1;
      if (normal > this.largestForce) this.largestForce = normal;
      const moment = Math.abs(f(17));
      if (moment > this.largestMoment) this.largestMoment = moment;
      const key = `${g1}:${g2}:${which}`;
      let s = this.series.get(key);
      if (!s) this.series.set(key, (s = new ContactSeries(key, g1, g2, which, false)));
      s.frames.push(index);
      s.regime.push(regime);
      s.normal.push(normal);
      s.friction.push(friction);
      s.mu.push(f(11));
      s.copX.push(cop ? f(39) : NaN);
      s.copY.push(cop ? f(40) : NaN);
      if (regime < counts.length) counts[regime]++;
      now.set(key, regime);
      const was = this.lastRegime.get(key) ?? NONE;
      if (was !== regime) this.changes.push({ frame: index, key, from: was, to: regime });
      at += 164;
      at += 4 + 8 * v.getUint32(at, true);
      at += 4 + 8 * v.getUint32(at, true);
    }
    for (const [key, was] of this.lastRegime)
      if (!now.has(key)) this.changes.push({ frame: index, key, from: was, to: NONE });
    this.lastRegime = now;
    this.regimeCounts.push(counts);
  }

  private addSoft(block: { step: number; contacts: SoftContact[] }): void {
    const index = this.frames.length - 1;
    if (index < 0 || this.frames[index].step !== block.step) return; // of a step without a frame
    this.soft.set(index, block.contacts);
    for (const c of block.contacts) {
      const key = contactKey(c, true);
      let s = this.series.get(key);
      if (!s) this.series.set(key, (s = new ContactSeries(key, c.geom1, c.geom2, c.which, true)));
      s.frames.push(index);
      s.regime.push(c.state);
      s.normal.push(c.wrench[5]);
      s.friction.push(Math.hypot(c.wrench[3], c.wrench[4]));
      s.mu.push(NaN);
      s.copX.push(0);
      s.copY.push(0);
      if (c.wrench[5] > this.largestForce) this.largestForce = c.wrench[5];
    }
  }
}

function checkedCertificate(c: Partial<Certificate>): Certificate {
  return {
    step: c.step ?? 0, time: c.time ?? 0, contacts: c.contacts ?? [], verdict: c.verdict ?? 'no verdict',
    W_min: c.W_min ?? null, W_max: c.W_max ?? null, W_actual: c.W_actual ?? null, why: c.why ?? [], svg: c.svg,
  };
}

function checkedModes(m: Partial<ModeSet>, frame: number): ModeSet {
  return {
    title: m.title ?? 'contact modes', policy: m.policy, complete: m.complete ?? true, nv: m.nv,
    contacts: m.contacts ?? [], modes: m.modes ?? [], frame,
  };
}

/** "box7 on box6", with a number where a pair has several contacts. */
export function contactName(r: Recording, c: { geom1: number; geom2: number; which: number }): string {
  const many = r.series.has(`${c.geom1}:${c.geom2}:1`) || r.series.has(`s${c.geom1}:${c.geom2}:1`);
  return `${geomName(r, c.geom1)} on ${geomName(r, c.geom2)}${many ? ` #${c.which + 1}` : ''}`;
}

export function geomName(r: Recording, geom: number): string {
  const g = r.head?.geoms[geom];
  if (!g) return `geom ${geom}`;
  if (g.name) return g.name;
  const body = r.head!.bodies[g.body]?.name;
  if (!body || g.body === 0) return `${g.type} ${geom}`;
  const of = r.head!.geoms.filter((o) => o.body === g.body);
  return of.length > 1 ? `${body}/${g.type}${of.indexOf(g) + 1}` : body;
}
