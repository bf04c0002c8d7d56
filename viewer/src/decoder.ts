// decoder.ts - the bytes of a .tact stream, fed piece by piece, as blocks whose check sums hold.

export interface Block {
  type: string;
  payload: Uint8Array;
  place: number; // of its first byte in the stream
}

export const MAGIC = 'TACTREC1';
const LARGEST = 2 ** 28;
const HEADER = 12;

let table: Uint32Array | null = null;

function crcTable(): Uint32Array {
  if (table) return table;
  table = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[n] = c >>> 0;
  }
  return table;
}

/** CRC-32 as zlib has it. */
export function crc32(bytes: Uint8Array): number {
  const t = crcTable();
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = t[(c ^ bytes[i]) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

async function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export interface Raw {
  type: string;
  zipped: boolean;
  bytes: Uint8Array;
  place: number;
}

/** Cuts a growing stream into whole blocks. It never gives a block whose sum does not hold. */
export class BlockCutter {
  /** A sentence once the stream cannot be read any further; what came before stays good. */
  damage: string | null = null;
  received = 0;
  private waiting: Uint8Array[] = [];
  private held = 0;
  private place = 0;
  private begun = false;

  /** Bytes that belong to a block which is not whole yet. */
  get pending(): number {
    return this.held;
  }

  feed(bytes: Uint8Array): Raw[] {
    this.received += bytes.length;
    if (this.damage || bytes.length === 0) return [];
    this.waiting.push(bytes);
    this.held += bytes.length;
    if (this.held < this.needed()) return [];
    const all = this.joined();
    const out: Raw[] = [];
    let at = 0;
    for (;;) {
      const used = this.begun ? this.block(all, at, out) : this.magic(all, at);
      if (used === 0) break;
      at += used;
      this.place += used;
    }
    const rest = all.subarray(at);
    this.held = rest.length;
    this.waiting = rest.length ? [rest] : [];
    return out;
  }

  /** Avoids joining pieces again and again while a large block arrives. */
  private needed(): number {
    const first = this.waiting[0];
    if (!this.begun || first.length < HEADER) return 0;
    return HEADER + new DataView(first.buffer, first.byteOffset).getUint32(8, true) + 4;
  }

  private joined(): Uint8Array {
    if (this.waiting.length === 1) return this.waiting[0];
    const all = new Uint8Array(this.held);
    let at = 0;
    for (const piece of this.waiting) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  private magic(all: Uint8Array, at: number): number {
    const have = Math.min(MAGIC.length, all.length - at);
    for (let i = 0; i < have; i++) {
      if (all[at + i] === MAGIC.charCodeAt(i)) continue;
      this.damage = `This is not a recording of tact: it does not begin with ${MAGIC}.`;
      return 0;
    }
    if (have < MAGIC.length) return 0;
    this.begun = true;
    return MAGIC.length;
  }

  private block(all: Uint8Array, at: number, out: Raw[]): number {
    if (all.length - at < HEADER) return 0;
    const view = new DataView(all.buffer, all.byteOffset + at, all.length - at);
    const type = String.fromCharCode(all[at], all[at + 1], all[at + 2], all[at + 3]);
    const flag = view.getUint32(4, true);
    const size = view.getUint32(8, true);
    if (!/^[A-Z0-9]{4}$/.test(type) || flag > 1 || size > LARGEST) {
      this.damage = `The recording is damaged at byte ${this.place}: no block begins there. What came before it is shown.`;
      return 0;
    }
    const whole = HEADER + size + 4;
    if (view.byteLength < whole) return 0;
    const covered = all.subarray(at, at + HEADER + size);
    if (crc32(covered) !== view.getUint32(HEADER + size, true)) {
      this.damage = `The recording is damaged at byte ${this.place}: the check sum of its ${type} block does not hold. What came before it is shown.`;
      return 0;
    }
    // A copy: the piece it came in may be large, and must not be kept alive by one block.
    out.push({ type, zipped: flag === 1, bytes: covered.slice(HEADER), place: this.place });
    return whole;
  }
}

const AT_ONCE = 32;

/** Feeds a stream, unpacks its blocks and hands them on in their order. */
export class StreamDecoder {
  readonly cutter = new BlockCutter();
  private queue: Promise<void> = Promise.resolve();
  private failure: string | null = null;

  constructor(private readonly take: (block: Block) => void) {}

  get damage(): string | null {
    return this.failure ?? this.cutter.damage;
  }

  /** Resolves when every whole block so far has been taken. */
  feed(bytes: Uint8Array): Promise<void> {
    const raw = this.cutter.feed(bytes);
    this.queue = this.queue.then(() => this.unpack(raw));
    return this.queue;
  }

  private async unpack(raw: Raw[]): Promise<void> {
    for (let i = 0; i < raw.length && !this.failure; i += AT_ONCE) {
      const part = raw.slice(i, i + AT_ONCE);
      const ready = await Promise.allSettled(part.map((r) => (r.zipped ? unzip(r.bytes) : Promise.resolve(r.bytes))));
      for (let k = 0; k < part.length && !this.failure; k++) this.hand(part[k], ready[k]);
      if (i % (AT_ONCE * 16) === 0) await new Promise((done) => setTimeout(done));
    }
  }

  private hand(raw: Raw, ready: PromiseSettledResult<Uint8Array>): void {
    const where = `at byte ${raw.place}: its ${raw.type} block`;
    if (ready.status === 'rejected') {
      this.failure = `The recording is damaged ${where} cannot be unpacked. What came before it is shown.`;
      return;
    }
    try {
      this.take({ type: raw.type, payload: ready.value, place: raw.place });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.failure = `The recording cannot be read ${where} ${why}. What came before it is shown.`;
    }
  }
}
