// help.ts - the overlay of keys and colours.
import { byId, el } from './app';

const KEYS: [string, string][] = [
  ['space', 'play, pause'], ['← →', 'one frame back, forward'], ['Shift ← →', 'ten frames'], ['Home End', 'start; end, or follow a live run'],
  ['[ ]', 'slower, faster'], ['I Shift I', 'next, previous impact'], ['R Shift R', 'next, previous change of regime'], ['N Shift N', 'select the next, previous contact'],
  ['G', 'go to the selected contact'], ['F', 'all bodies in view'], ['X', 'see through bodies'], ['L', 'layers'], ['+ −', 'longer, shorter arrows'],
  ['1 2 3 4', 'energy, contacts, impacts, modes'], ['P', 'hide, show the panel'], ['T', 'theme: system, light, dark'], ['O', 'open a recording'], ['Esc', 'close, unpin'], ['?', 'this page'],
];
const COLOURS: [string, string][] = [
  ['stick', 'stick: loaded, no motion'], ['slide', 'slide: loaded, moves in its plane'], ['tip', 'tip: turns about an edge or a point'],
  ['separate', 'separate, or idle: no load'], ['impact', 'impact, or a certificate that fails'], ['soft', 'soft: a compliant contact'],
];
const SHAPES: [string, string][] = [
  ['●', 'centre of pressure; without load, where it touches first or lets go last'], ['╌╌', 'zero-line: no normal velocity there'],
  ['━', 'tipping axis: what the patch turns about'], ['➝', 'force on the first body of the pair'], ['▽', 'friction cone of the selected contact'],
];

export function setUpHelp(): () => void {
  const overlay = byId('overlay');
  const table = (rows: [string | Node, string][], key: boolean): HTMLElement => el('table', {}, ...rows.map(([a, b]) =>
    el('tr', {}, el('td', {}, key ? el('kbd', {}, a as string) : a), el('td', {}, b))));
  const close = el('button', { title: 'close (Esc)' }, 'Close');
  const box = el('div', { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'keys and colours' },
    el('div', { class: 'head2', style: 'margin-top:0' }, el('h2', { style: 'margin:0' }, 'Keys and colours'), el('span', { class: 'grow' }), close),
    el('div', { class: 'columns' },
      el('div', {}, el('h3', {}, 'Keys'), table(KEYS, true)),
      el('div', {}, el('h3', {}, 'Colours'),
        table(COLOURS.map(([c, w]): [Node, string] => [el('span', { class: 'dot', style: `--c:var(--${c})` }), w]), false),
        el('h3', {}, 'Marks'), table(SHAPES, false),
        el('h3', {}, 'Pointer'), table([['drag', 'turn'], ['right drag', 'move'], ['wheel', 'zoom'], ['click', 'pin a contact'], ['plots', 'a click moves the time']], false),
        el('p', { class: 'quiet' }, 'Timeline: the band shows the share of contacts in every regime, red triangles are impacts, ticks below are changes of regime.'))));
  overlay.append(box);
  const toggle = (): void => {
    overlay.hidden = !overlay.hidden;
    if (!overlay.hidden) close.focus();
  };
  close.addEventListener('click', toggle);
  overlay.addEventListener('click', (e) => e.target === overlay && toggle());
  byId('help').addEventListener('click', toggle);
  return toggle;
}
