// soft.ts - compliant contacts: elastic state, patch ellipse, and the elastic force inside the slip ellipse.
import { el, svg } from './app';
import { niceBelow, percent, quantity } from './format';
import type { SoftContact } from './types';

export function softFacts(c: SoftContact): [string, string][] {
  return [
    ['normal force', quantity(c.wrench[5], 'N')],
    ['tangential force', quantity(Math.hypot(c.wrench[3], c.wrench[4]), 'N')],
    ['depth', quantity(c.depth, 'm')],
    ['friction used', percent(c.frictionUse)],
    ['extension t₁', quantity(c.extension[0], 'm')],
    ['extension t₂', quantity(c.extension[1], 'm')],
    ['torsion', quantity(c.extension[2], 'rad')],
    ['normal moment', quantity(c.wrench[2], 'N·m')],
    ['patch', `${quantity(c.patchAxes[0], 'm')} × ${quantity(c.patchAxes[1], 'm')}`],
    ['stored energy', quantity(c.energy, 'J')],
  ];
}

function frame(): SVGElement {
  return svg('svg', { viewBox: '-96 -96 192 192', role: 'img' },
    svg('line', { x1: -90, x2: 90, y1: 0, y2: 0, stroke: 'var(--grid)' }), svg('line', { y1: -90, y2: 90, x1: 0, x2: 0, stroke: 'var(--grid)' }));
}

function scaleBar(length: number, scale: number, unit: string): SVGElement {
  const bar = niceBelow(length);
  return svg('g', {}, svg('path', { d: `M -90 84 v 4 h ${bar * scale} v -4`, fill: 'none', stroke: 'var(--quiet)' }),
    svg('text', { x: -85 + bar * scale, y: 91 }, quantity(bar, unit)));
}

/** Force over the slip ellipse, and the patch with its elastic extension. */
export function softPictures(c: SoftContact): HTMLElement[] {
  return [slipPicture(c), patchPicture(c)];
}

function slipPicture(c: SoftContact): HTMLElement {
  const [a, b, m] = c.slipAxes;
  const fx = c.wrench[3], fy = c.wrench[4];
  const largest = Math.max(a, b, Math.hypot(fx, fy), 1e-30);
  const scale = 70 / largest;
  const picture = frame();
  picture.append(
    svg('ellipse', { rx: Math.max(a * scale, 0.5), ry: Math.max(b * scale, 0.5), fill: 'var(--soft)', 'fill-opacity': 0.12, stroke: 'var(--soft)', 'stroke-width': 1.5 }),
    svg('line', { x1: 0, y1: 0, x2: fx * scale, y2: -fy * scale, stroke: 'var(--soft)', 'stroke-width': 3, 'stroke-linecap': 'round' }),
    svg('circle', { cx: fx * scale, cy: -fy * scale, r: 4.5, fill: 'var(--ink)' }), scaleBar(largest, scale, 'N'));
  const torsion = m > 0 ? `; torsion uses ${percent(Math.abs(c.wrench[2]) / m)} of ${quantity(m, 'N·m')}` : '';
  return el('figure', {}, picture, el('figcaption', {}, `elastic force in its slip ellipse${torsion}`));
}

function patchPicture(c: SoftContact): HTMLElement {
  const [a, b] = c.patchAxes;
  const [ex, ey, turn] = c.extension;
  const size = Math.max(a, b, 1e-12);
  const scale = 66 / size;
  const picture = frame();
  // The extension is drawn at the patch's own scale where it shows, else enlarged, and the caption says so.
  const length = Math.hypot(ex, ey) * scale;
  const larger = length > 0 && length < 14 ? 10 ** Math.ceil(Math.log10(14 / length)) : 1;
  const angle = Math.atan2(-ey, ex);
  picture.append(
    svg('ellipse', { rx: Math.max(a * scale, 0.5), ry: Math.max(b * scale, 0.5), fill: 'var(--soft)', 'fill-opacity': 0.16, stroke: 'var(--soft)', 'stroke-width': 1.5 }),
    svg('line', { x1: 0, y1: 0, x2: Math.min(length * larger, 90) * Math.cos(angle), y2: Math.min(length * larger, 90) * Math.sin(angle), stroke: 'var(--ink)', 'stroke-width': 2 }),
    svg('circle', { r: 3, fill: 'var(--ink)' }), scaleBar(size, scale, 'm'));
  const bigger = larger > 1 ? ` (× ${larger})` : '';
  return el('figure', {}, picture, el('figcaption', {}, `patch ellipse and elastic extension${bigger}, twisted by ${quantity(turn, 'rad')}`));
}
