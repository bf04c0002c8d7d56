// keys.ts - the keyboard: every action of the page on one key.
import { App, byId, SPEEDS } from './app';
import { contactRows } from './contactpage';

export interface Actions {
  help: () => void;
  theme: () => void;
  panel: () => void;
  tab: (i: number) => void;
  open: () => void;
  escape: () => void;
  frame: () => void;
  xray: () => void;
  layers: () => void;
  go: () => void;
  arrows: (by: number) => void;
}

export function setUpKeys(app: App, actions: Actions): void {
  addEventListener('keydown', (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (target.matches('input[type="search"], input[type="text"], select') && e.key !== 'Escape') return;
    if (e.key === ' ' && target.matches('button, input')) return; // a focused button is pressed
    if (act(app, actions, e)) e.preventDefault();
  });
}

function act(app: App, a: Actions, e: KeyboardEvent): boolean {
  if (e.key === 'Escape') a.escape();
  else if (e.key === '?') a.help();
  else if (!byId('overlay').hidden) return false;
  else if (e.key === ' ') app.playing ? app.pause() : app.play();
  else if (e.key === 'ArrowRight') app.step(e.shiftKey ? 10 : 1);
  else if (e.key === 'ArrowLeft') app.step(e.shiftKey ? -10 : -1);
  else if (e.key === 'Home') app.step(-Infinity);
  else if (e.key === 'End') app.live ? app.setFollow(true) : app.step(Infinity);
  else if (e.key === '[' || e.key === ',') speed(app, -1);
  else if (e.key === ']' || e.key === '.') speed(app, 1);
  else if (e.key === '+' || e.key === '=') a.arrows(1.25);
  else if (e.key === '-') a.arrows(0.8);
  else if (/^[1-4]$/.test(e.key)) a.tab(Number(e.key) - 1);
  else return letter(app, a, e);
  return true;
}

function letter(app: App, a: Actions, e: KeyboardEvent): boolean {
  const back = e.shiftKey ? -1 : 1;
  switch (e.key.toLowerCase()) {
    case 'i': app.jump('impact', back); break;
    case 'r': app.jump('change', back); break;
    case 'n': next(app, back); break;
    case 'f': a.frame(); break;
    case 'g': a.go(); break;
    case 'x': a.xray(); break;
    case 'l': a.layers(); break;
    case 't': a.theme(); break;
    case 'p': a.panel(); break;
    case 'o': a.open(); break;
    default: return false;
  }
  return true;
}

function speed(app: App, by: number): void {
  const i = SPEEDS.indexOf(app.speed);
  app.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, i + by))]);
}

function next(app: App, by: number): void {
  const keys = contactRows(app).map((r) => r.key);
  if (!keys.length) return;
  const i = keys.indexOf(app.selected ?? '');
  app.select(keys[(i + by + keys.length + (i < 0 && by < 0 ? 1 : 0)) % keys.length]);
}
