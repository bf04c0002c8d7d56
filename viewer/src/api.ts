// api.ts - window.tact: what is drawn, as numbers, for tests and for the console. It reads and moves, it changes no data.
import type { App } from './app';
import { contactRows } from './contactpage';
import type { ModePage } from './modes';
import type { Contact } from './types';
import type { View } from './view';

export function expose(app: App, modes: ModePage, view: View | null, extra: { notes: () => string[]; status: () => string; frameTimes: () => number[] }): void {
  const r = app.recording;
  const api = {
    frames: () => app.frames,
    time: () => app.time,
    frame: () => app.frame,
    step: () => r.frames[app.frame]?.step ?? null,
    seek: (t: number) => app.seek(t),
    goTo: (frame: number) => app.goTo(frame),
    play: () => app.play(),
    pause: () => app.pause(),
    playing: () => app.playing,
    follow: () => app.follow,
    name: () => r.head?.name ?? null,
    bodies: () => Array.from(r.frames[app.frame]?.bodies ?? []),
    drawnBodies: () => Array.from(view?.scene.poses ?? []),
    select: (key: string | null) => app.select(key),
    selected: () => app.selected,
    screenOf: (key: string) => view?.screenOf(key) ?? null,
    contactTable: () => contactRows(app).map((row) => ({
      key: row.key, name: row.name, regime: row.regime, normal: row.normal, friction: row.friction, use: row.use, soft: row.soft,
      frictionLeft: row.soft ? null : (row.contact as Contact).frictionLeft, momentLeft: row.soft ? null : (row.contact as Contact).momentLeft,
      cop: row.soft || !(row.contact as Contact).hasCop ? null : [...(row.contact as Contact).cop], wrench: Array.from(row.contact.wrench),
    })),
    ledger: () => {
      const f = r.frames[app.frame];
      if (!f) return null;
      const accounts = Object.fromEntries((r.head?.words.accounts ?? []).map((name, i) => [name, f.works[i]]));
      return { accounts, kinetic: f.kinetic, potential: f.potential, moved: f.moved, closure: f.closure, residual: f.residual, penetration: f.penetration };
    },
    solve: () => ({ ...r.frames[app.frame]?.solve }),
    impacts: () => r.impacts.map((i) => ({ ...i })),
    changes: () => r.changes.map((c) => ({ ...c })),
    certificates: () => r.certificates.map((c) => ({ ...c })),
    modeCount: () => modes.modes.length,
    mode: (i: number) => (modes.modes[i] ? structuredClone(modes.modes[i]) : null),
    selectMode: (i: number) => modes.choose(i),
    selectedMode: () => modes.current,
    done: () => (r.done ? { ...r.done } : null),
    webgl: () => view !== null,
    drawCalls: () => view?.scene.renderer.info.render.calls ?? 0,
    triangles: () => view?.scene.renderer.info.render.triangles ?? 0,
    hold: (level: number | null) => view?.scene.hold(level),
    coarseness: () => view?.scene.coarseness ?? 0,
    ...extra,
  };
  Object.defineProperty(window, 'tact', { value: Object.freeze(api) });
}
