// live.ts - a recording while it is written: a socket that resumes where it was cut, and says how it stands.
export type LiveState = 'connecting' | 'running' | 'finished' | 'ended' | 'lost' | 'reconnecting';

export const LIVE_WORDS: Record<LiveState, { word: string; color: string }> = {
  connecting: { word: 'connecting', color: 'var(--quiet)' },
  running: { word: 'running', color: 'var(--soft)' },
  finished: { word: 'finished', color: 'var(--stick)' },
  ended: { word: 'ended without a summary', color: 'var(--impact)' },
  lost: { word: 'connection lost', color: 'var(--impact)' },
  reconnecting: { word: 'reconnecting', color: 'var(--slide)' },
};

const FIRST_WAIT = 500, LONGEST_WAIT = 10_000;

export class LiveStream {
  private received = 0;
  private wait = FIRST_WAIT;
  private over = false;

  constructor(
    private readonly socket: string,
    private readonly take: (bytes: Uint8Array) => void,
    private readonly say: (state: LiveState, message: string) => void,
  ) {
    this.connect(false);
  }

  private address(): string {
    const url = new URL(this.socket, location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    return url.href;
  }

  private connect(again: boolean): void {
    this.say(again ? 'reconnecting' : 'connecting', '');
    const socket = new WebSocket(this.address());
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      this.wait = FIRST_WAIT;
      socket.send(JSON.stringify({ from: this.received }));
    });
    socket.addEventListener('message', (e: MessageEvent<ArrayBuffer | string>) => {
      if (typeof e.data === 'string') this.told(e.data);
      else {
        const bytes = new Uint8Array(e.data);
        this.received += bytes.length;
        this.take(bytes);
      }
    });
    socket.addEventListener('close', () => this.closed());
  }

  private told(text: string): void {
    let said: { status?: string; message?: string };
    try {
      said = JSON.parse(text) as typeof said;
    } catch {
      return;
    }
    const state = said.status;
    if (state !== 'running' && state !== 'finished' && state !== 'ended') return;
    this.over = state !== 'running';
    this.say(state, said.message ?? '');
  }

  /** What was received stays; the rest is asked for again, ever less often. */
  private closed(): void {
    if (this.over) return; // the run is complete: nothing more to come
    const seconds = Math.round(this.wait / 100) / 10;
    this.say('lost', `The connection was lost; what has been received stays. Trying again in ${seconds} s.`);
    setTimeout(() => this.connect(true), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.8);
  }
}
