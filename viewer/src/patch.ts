// patch.ts - the plane geometry of a patch: outlines, velocity field, zero-line and what it tips about.
import type { Contact } from './types';

export type Outline = number[]; // x, y pairs, counter-clockwise

function arc(out: Outline, cx: number, cy: number, rx: number, ry: number, from: number, to: number, n: number): void {
  for (let i = 0; i < n; i++) {
    const a = from + ((to - from) * i) / n;
    out.push(cx + rx * Math.cos(a), cy + ry * Math.sin(a));
  }
}

/** The rim of a patch in C; a point has one corner, a segment two. */
export function outline(kind: string, c: Contact, round = 48): Outline {
  const p = c.points;
  const out: Outline = [];
  if (kind === 'disc' && p.length >= 2) arc(out, p[0], p[1], c.radius, c.radius, 0, 2 * Math.PI, round);
  else if (kind === 'ellipse' && p.length >= 2) arc(out, p[0], p[1], c.semiAxes[0], c.semiAxes[1], 0, 2 * Math.PI, round);
  else if (kind === 'stadium' && p.length >= 4) {
    const a = Math.atan2(p[3] - p[1], p[2] - p[0]);
    arc(out, p[2], p[3], c.radius, c.radius, a - Math.PI / 2, a + Math.PI / 2, round / 2 + 1);
    out.push(p[2] + c.radius * Math.cos(a + Math.PI / 2), p[3] + c.radius * Math.sin(a + Math.PI / 2));
    arc(out, p[0], p[1], c.radius, c.radius, a + Math.PI / 2, a + 1.5 * Math.PI, round / 2 + 1);
    out.push(p[0] + c.radius * Math.cos(a + 1.5 * Math.PI), p[1] + c.radius * Math.sin(a + 1.5 * Math.PI));
  } else for (let i = 0; i < p.length; i++) out.push(p[i]);
  return out;
}

export function middle(o: Outline): [number, number] {
  let x = 0, y = 0;
  for (let i = 0; i < o.length; i += 2) {
    x += o[i];
    y += o[i + 1];
  }
  const n = Math.max(1, o.length / 2);
  return [x / n, y / n];
}

export function reach(o: Outline): number {
  const [mx, my] = middle(o);
  let r = 0;
  for (let i = 0; i < o.length; i += 2) r = Math.max(r, Math.hypot(o[i] - mx, o[i + 1] - my));
  return r;
}

/** Where a loaded contact presses; a point needs no recorded centre. */
export function centreOfPressure(c: Contact): [number, number] | null {
  if (c.hasCop) return c.cop;
  return c.points.length === 2 && c.radius === 0 && c.wrench[5] > 0 ? [c.points[0], c.points[1]] : null;
}

/** v_N(x) = v_N + ω_x y − ω_y x: its gradient over the patch is (−ω_y, ω_x). */
export function openingAt(twist: ArrayLike<number>, x: number, y: number): number {
  return twist[5] + twist[0] * y - twist[1] * x;
}

export interface ZeroLine {
  x: number;
  y: number;
  dx: number;
  dy: number; // unit, the opening side on its left
}

/** { x : v_N(x) = 0 }, its point closest to the middle; nothing where the face does not turn. */
export function zeroLine(o: Outline, twist: ArrayLike<number>): ZeroLine | null {
  const gx = -twist[1], gy = twist[0];
  const steep = Math.hypot(gx, gy);
  const [mx, my] = middle(o);
  const v = openingAt(twist, mx, my);
  if (!(steep > 0) || !Number.isFinite(steep) || !Number.isFinite(v)) return null;
  const nx = gx / steep, ny = gy / steep;
  return { x: mx - (nx * v) / steep, y: my - (ny * v) / steep, dx: ny, dy: -nx };
}

/** The face of the hull farthest against the gradient of opening: one corner, or the two ends of an edge. */
export function pivot(o: Outline, twist: ArrayLike<number>): Outline {
  const gx = -twist[1], gy = twist[0];
  const steep = Math.hypot(gx, gy);
  if (!(steep > 0) || o.length < 2) return [];
  let least = Infinity;
  for (let i = 0; i < o.length; i += 2) least = Math.min(least, (gx * o[i] + gy * o[i + 1]) / steep);
  const near: Outline = [];
  const within = 1e-4 * Math.max(reach(o), 1e-12);
  for (let i = 0; i < o.length; i += 2)
    if ((gx * o[i] + gy * o[i + 1]) / steep <= least + within) near.push(o[i], o[i + 1]);
  if (near.length <= 4) return near;
  // A flat run of corners: its two ends along the edge.
  const along = (i: number): number => (-gy * near[i] + gx * near[i + 1]) / steep;
  let low = 0, high = 0;
  for (let i = 2; i < near.length; i += 2) {
    if (along(i) < along(low)) low = i;
    if (along(i) > along(high)) high = i;
  }
  return [near[low], near[low + 1], near[high], near[high + 1]];
}

/** What a contact turns about and its zero-line, where its regime says that it turns or opens. */
export interface Turning {
  line: ZeroLine | null;
  axis: Outline;
}

export function turning(regime: string, o: Outline, c: Contact): Turning {
  const tips = regime.includes('tip');
  const opens = tips || regime.startsWith('separate');
  if (!opens) return { line: null, axis: [] };
  const line = zeroLine(o, c.closing);
  return { line, axis: tips ? pivot(o, c.closing) : [] };
}
