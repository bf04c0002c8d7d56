// blocks.ts - the payloads of blocks as data, read as docs/recording.md lays them out.
import type { Contact, Frame, Head, Impact, SoftContact, Solve } from './types';

/** Reads numbers one after the other; beyond the end is an error that says so. */
class Reader {
  private readonly view: DataView;
  at = 0;
  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  private move(size: number): number {
    const at = this.at;
    if (at + size > this.bytes.length) throw new Error('ends too early');
    this.at += size;
    return at;
  }
  u8(): number {
    return this.view.getUint8(this.move(1));
  }
  u32(): number {
    return this.view.getUint32(this.move(4), true);
  }
  u64(): number {
    return Number(this.view.getBigUint64(this.move(8), true));
  }
  f32(): number {
    return this.view.getFloat32(this.move(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.move(8), true);
  }
  f32s(n: number): Float32Array {
    const at = this.move(4 * n);
    const out = new Float32Array(n);
    for (let i = 0; i < n; i++) out[i] = this.view.getFloat32(at + 4 * i, true);
    return out;
  }
  f64s(n: number): Float64Array {
    const at = this.move(8 * n);
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = this.view.getFloat64(at + 8 * i, true);
    return out;
  }
  skip(size: number): void {
    this.move(size);
  }
  rest(): Uint8Array {
    return this.bytes.subarray(this.at);
  }
}

const text = new TextDecoder();

export function readJson<T>(payload: Uint8Array): T {
  try {
    return JSON.parse(text.decode(payload)) as T;
  } catch {
    throw new Error('is not JSON');
  }
}

const NO_WORDS = { accounts: [], regimes: [], patches: [], extended: [], verdicts: [] };

export function readHead(payload: Uint8Array): Head {
  const head = readJson<Partial<Head> | null>(payload);
  if (!head || typeof head !== 'object') throw new Error('is no object');
  if (head.format !== 'tact-recording/1')
    throw new Error(`says format ${JSON.stringify(head.format)}, this page reads "tact-recording/1"`);
  if (!Array.isArray(head.bodies) || !Array.isArray(head.geoms)) throw new Error('names no bodies and geoms');
  for (const geom of head.geoms)
    if (!(geom.body >= 0 && geom.body < head.bodies.length)) throw new Error(`has a geom of body ${geom.body}, which is none`);
  return { ...head, words: { ...NO_WORDS, ...head.words }, name: head.name || 'a scene without a name' } as Head;
}

export function readFrame(payload: Uint8Array, bodies: number): Frame {
  const r = new Reader(payload);
  const step = r.u64();
  const time = r.f64();
  const nq = r.u32(), nv = r.u32(), controls = r.u32(), nb = r.u32(), driven = r.u32(), accounts = r.u32(), contacts = r.u32();
  if (nb !== bodies) throw new Error(`has ${nb} bodies where the header has ${bodies}`);
  r.skip(8 * (nq + nv + controls));
  const poses = r.f32s(7 * nb);
  r.skip(8 * 7 * driven);
  const works = r.f64s(accounts);
  const kinetic = r.f64(), potential = r.f64(), moved = r.f64(), closure = r.f64();
  const residual = r.f64(), penetration = r.f64();
  const steps = r.u32(), iterations = r.u32();
  r.u32();
  const notConverged = r.u32(), unsolvedImpacts = r.u32();
  r.skip(8);
  return {
    step, time, bodies: poses, works, kinetic, potential, moved, closure, residual, penetration,
    steps, iterations, notConverged, unsolvedImpacts, contactCount: contacts, contactBytes: r.rest().slice(), solve: null,
  };
}

function pair(r: Reader): [number, number] {
  return [r.f32(), r.f32()];
}

function readContact(r: Reader): Contact {
  const geom1 = r.u32(), geom2 = r.u32(), which = r.u32();
  const kind = r.u8(), regime = r.u8(), extendedKind = r.u8(), hasCop = r.u8() === 1;
  const pose = r.f32s(7);
  const mu = r.f32(), radius = r.f32(), semiAxes = pair(r);
  const wrench = r.f32s(6), twist = r.f32s(6), closing = r.f32s(6);
  const gap = r.f32(), slideDirection = pair(r), slideSpeed = r.f32(), frictionLeft = r.f32(), momentLeft = r.f32();
  const cop = pair(r);
  const points = r.f32s(2 * r.u32());
  const extended = r.f32s(2 * r.u32());
  return {
    geom1, geom2, which, kind, regime, extendedKind, hasCop, pose, mu, radius, semiAxes, wrench, twist, closing, gap,
    slideDirection, slideSpeed, frictionLeft, momentLeft, cop, points, extended,
  };
}

export function readContacts(frame: Frame): Contact[] {
  const r = new Reader(frame.contactBytes);
  const out: Contact[] = [];
  for (let i = 0; i < frame.contactCount; i++) out.push(readContact(r));
  return out;
}

export function readImpacts(payload: Uint8Array): Impact[] {
  const r = new Reader(payload);
  const step = r.u64();
  const n = r.u32();
  const out: Impact[] = [];
  for (let i = 0; i < n; i++) {
    const time = r.f64(), contacts = r.u32(), geom1 = r.u32(), geom2 = r.u32(), speed = r.f64(), work = r.f64();
    out.push({ step, time, contacts, geom1, geom2, speed, work, verdict: r.u8(), atItsTime: r.u8() === 1 });
  }
  return out;
}

export function readSolve(payload: Uint8Array): Solve {
  const r = new Reader(payload);
  return { step: r.u64(), length: r.f64(), scale: r.f64() };
}

export function readSoft(payload: Uint8Array): { step: number; contacts: SoftContact[] } {
  const r = new Reader(payload);
  const step = r.u64();
  const n = r.u32();
  const contacts: SoftContact[] = [];
  for (let i = 0; i < n; i++) {
    const geom1 = r.u32(), geom2 = r.u32(), which = r.u32(), state = r.u8();
    r.skip(3);
    const pose = r.f32s(7), depth = r.f32(), patchAxes = pair(r);
    const extension: [number, number, number] = [r.f32(), r.f32(), r.f32()];
    const wrench = r.f32s(6), energy = r.f32(), frictionUse = r.f32();
    contacts.push({
      geom1, geom2, which, state, pose, depth, patchAxes, extension, wrench, energy, frictionUse,
      slipAxes: [r.f32(), r.f32(), r.f32()],
    });
  }
  return { step, contacts };
}
