// contacts3d.ts - contacts in space: patches, centres of pressure, zero-lines, wrenches, cones, soft contacts.
import * as THREE from 'three';
import { hueOf, theme, type Hue } from './palette';
import { centreOfPressure, middle, outline, reach, turning, type Outline } from './patch';
import { facetsFor } from './plain3d';
import { InstancePool, Marks, CornerPool } from './pools3d';
import { contactKey, type Recording } from './recording';
import type { Contact, SoftContact } from './types';

export interface Layers {
  patches: boolean;
  pressure: boolean;
  forces: boolean;
  moments: boolean;
  zeroLines: boolean;
  cones: boolean;
  velocities: boolean;
}

export const LAYERS: { key: keyof Layers; label: string; on: boolean; title: string }[] = [
  { key: 'patches', label: 'patches', on: true, title: 'contact patches, filled' },
  { key: 'pressure', label: 'centres of pressure', on: true, title: 'centre of pressure; where there is no force, the extended one' },
  { key: 'forces', label: 'forces', on: true, title: 'contact force on the first body, at the centre of pressure' },
  { key: 'zeroLines', label: 'zero-lines, tipping axes', on: true, title: 'where the normal velocity is zero; what the patch turns about' },
  { key: 'cones', label: 'friction cones', on: false, title: 'the friction cone of every contact; the selected one always has its' },
  { key: 'moments', label: 'normal moments', on: false, title: 'moment about the normal, arrow with two heads' },
  { key: 'velocities', label: 'slip velocities', on: false, title: 'tangential velocity at the centre of pressure' },
];

const CROWD = 60;

/** A place on the screen that can be pointed at. */
export interface Target {
  key: string;
  at: THREE.Vector3;
  reach: number;
}

export class Contacts3d {
  readonly layers = Object.fromEntries(LAYERS.map((l) => [l.key, l.on])) as unknown as Layers;
  forceScale = 1; // [m/N]
  momentScale = 1; // [m/(N m)]
  speedScale = 1; // [s]
  zoom = 1; // of all arrows, by the user
  targets: Target[] = [];
  private marks: Marks;
  private fills: CornerPool;
  private thin: CornerPool;
  private crowded = false;
  private coarse = false; // a picture that must be quick
  private pixel = 1; // of the page, in the middle of the view [m]
  private cones: InstancePool;
  private hues = new Map<Hue | 'ink', THREE.Color>();
  private p = new THREE.Vector3();
  private q = new THREE.Quaternion();
  private v = Array.from({ length: 5 }, () => new THREE.Vector3());
  private m = new THREE.Matrix4();
  private s = new THREE.Vector3();
  private px = 1;
  private struck = new Set<string>(); // pairs with an impact since the last frame

  constructor(parent: THREE.Object3D) {
    this.fills = new CornerPool(parent, 0.72, 0.42);
    this.thin = new CornerPool(parent, 1, 0, true);
    this.marks = new Marks(parent);
    const cone = new THREE.ConeGeometry(1, 1, 32, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    this.cones = new InstancePool(parent, cone, 0.2, 0.1, 2);
    this.recolour();
  }

  recolour(): void {
    const t = theme();
    for (const [hue, value] of Object.entries(t.hues)) this.hues.set(hue as Hue, new THREE.Color(value));
    this.hues.set('ink', new THREE.Color(t.ink));
  }

  /** A usual force is as long as a usual body is large, within what fits the scene; an impact's may be longer. */
  scaleTo(recording: Recording, size: number): void {
    const sample: number[] = [];
    let speed = 0;
    for (const s of recording.series.values()) {
      const stride = Math.max(1, Math.floor(s.normal.length / 64));
      for (let i = 0; i < s.normal.length; i += stride) if (s.normal.at(i) > 0) sample.push(s.normal.at(i));
    }
    sample.sort((a, b) => a - b);
    const usual = sample.length ? sample[Math.floor(0.9 * (sample.length - 1))] : 1;
    const extents = (recording.head?.geoms ?? []).filter((g) => g.type !== 'plane' && g.extent && g.extent > 0).map((g) => g.extent!).sort((a, b) => a - b);
    const body = extents.length ? extents[extents.length >> 1] : size;
    this.forceScale = Math.min(0.42 * size, Math.max(1.3 * body, 0.02 * size, extents.length < 60 ? 0.2 * size : 0)) / Math.max(usual, 1e-30);
    this.momentScale = (0.35 * size) / Math.max(recording.largestMoment, 1e-30);
    for (let f = 0; f < recording.frames.length; f += Math.max(1, Math.floor(recording.frames.length / 32)))
      for (const c of recording.contacts(f)) speed = Math.max(speed, Math.hypot(c.twist[3], c.twist[4]));
    this.speedScale = (0.3 * size) / Math.max(speed, 1e-9);
  }

  private colour(hue: Hue | 'ink'): THREE.Color {
    return this.hues.get(hue)!;
  }

  private place(pose: Float32Array): boolean {
    this.p.set(pose[0], pose[1], pose[2]);
    this.q.set(pose[4], pose[5], pose[6], pose[3]);
    return Number.isFinite(this.p.x + this.p.y + this.p.z + this.q.lengthSq());
  }

  /** A point of the plane of C in the world, into out. */
  private lift(x: number, y: number, out: THREE.Vector3, z = 0): THREE.Vector3 {
    return out.set(x, y, z).applyQuaternion(this.q).add(this.p);
  }

  draw(recording: Recording, frame: number, selected: string | null, hovered: string | null, metresPerPixel: number, coarse = false): void {
    const count = (recording.frames[frame]?.contactCount ?? 0) + recording.softContacts(frame).length;
    // Many contacts: smaller marks and thin lines, so that what is there can still be seen.
    this.crowded = count > CROWD;
    this.coarse = coarse;
    this.pixel = metresPerPixel;
    this.px = metresPerPixel * Math.max(0.4, Math.min(1, Math.sqrt(CROWD / Math.max(1, count))));
    this.targets.length = 0;
    this.struck = recording.struck(frame);
    this.thin.begin();
    this.marks.begin();
    this.fills.begin();
    this.cones.begin();
    for (const c of recording.contacts(frame)) {
      const key = contactKey(c);
      this.drawContact(recording, c, key, key === selected, key === hovered);
    }
    for (const c of recording.softContacts(frame)) {
      const key = contactKey(c, true);
      this.drawSoft(c, key, key === selected, key === hovered);
    }
    this.marks.end(!this.crowded);
    this.fills.end();
    this.thin.end();
    this.cones.end();
  }

  private drawContact(r: Recording, c: Contact, key: string, selected: boolean, hovered: boolean): void {
    if (!this.place(c.pose)) return;
    const regime = r.regimeName(c.regime);
    const color = this.colour(hueOf(regime));
    const plain = (this.crowded || this.coarse) && !selected && !hovered;
    this.marks.use(plain);
    const rim = outline(r.head!.words.patches[c.kind] ?? 'polygon', c, this.roundness(Math.max(c.radius, c.semiAxes[0], c.semiAxes[1]), plain));
    const [mx, my] = middle(rim);
    const pressed = centreOfPressure(c);
    const cop = pressed ?? [mx, my];
    if (this.layers.patches) this.drawPatch(rim, color, selected || hovered);
    if (this.layers.zeroLines) this.drawTurning(regime, rim, c, color);
    if (this.layers.pressure) this.drawPressure(c, color, selected);
    const at = this.lift(cop[0], cop[1], new THREE.Vector3());
    this.targets.push({ key, at, reach: reach(rim) });
    const force = c.wrench[5];
    if (this.struck.has(`${c.geom1}:${c.geom2}`)) this.marks.dot(at, 7.5 * this.px, this.colour('impact'));
    if (this.layers.forces && pressed) this.drawForce(at, c.wrench, color);
    if ((this.layers.cones || selected) && c.mu > 0 && force > 0) this.drawCone(at, c.mu, force, color);
    if (this.layers.moments) this.drawMoment(at, c.wrench[2], color);
    if (this.layers.velocities) {
      const vx = c.twist[3] - c.twist[2] * cop[1], vy = c.twist[4] + c.twist[2] * cop[0];
      this.v[0].set(vx, vy, 0).applyQuaternion(this.q).multiplyScalar(this.speedScale * this.zoom);
      if (this.v[0].length() > 2 * this.px) this.marks.arrow(at, this.v[0], 1.1 * this.px, this.colour('ink'));
    }
  }

  /** Corners of a round rim: an even number, and no more than its pixels ask for where pictures must be quick. */
  private roundness(radius: number, plain: boolean): number {
    const most = !plain ? 48 : this.crowded ? 12 : 24;
    return this.coarse && plain ? Math.max(6, Math.min(most, 2 * Math.ceil(facetsFor(radius / this.pixel) / 2))) : most;
  }

  private drawPatch(rim: Outline, color: THREE.Color, strong: boolean): void {
    const n = rim.length / 2;
    const line = strong ? 2.2 * this.px : 1.1 * this.px;
    const edge = strong ? this.colour('ink') : color;
    if (n === 1) this.marks.dot(this.lift(rim[0], rim[1], this.v[0]), (strong ? 4.5 : 3.2) * this.px, color);
    const side = (i: number, k: number, radius: number): void => {
      this.lift(rim[2 * i], rim[2 * i + 1], this.v[0]);
      this.lift(rim[2 * k], rim[2 * k + 1], this.v[1]);
      if (this.crowded && !strong) {
        this.thin.corner(this.v[0], edge);
        this.thin.corner(this.v[1], edge);
      } else this.marks.rod(this.v[0], this.v[1], radius, edge);
    };
    // Quick pictures of many have a line across in place of the rim: a face seen from its side does not vanish.
    if (n === 2) side(0, 1, 1.6 * line);
    else if (n > 2 && this.crowded && this.coarse && !strong) side(0, n >> 1, line);
    else for (let i = 0; i < n && n > 2; i++) side(i, (i + 1) % n, line);
    this.lift(rim[0], rim[1], this.v[2]);
    for (let i = 1; i + 1 < n; i++) {
      this.fills.corner(this.v[2], color);
      this.fills.corner(this.lift(rim[2 * i], rim[2 * i + 1], this.v[0]), color);
      this.fills.corner(this.lift(rim[2 * i + 2], rim[2 * i + 3], this.v[1]), color);
    }
  }

  private drawPressure(c: Contact, color: THREE.Color, selected: boolean): void {
    const cop = centreOfPressure(c);
    if (cop) {
      this.lift(cop[0], cop[1], this.v[0]);
      this.marks.dot(this.v[0], (selected ? 5.5 : 4) * this.px, this.colour('ink'));
      return;
    }
    // Extended: where it would touch first or let go last.
    const e = c.extended;
    if (e.length === 2) this.marks.dot(this.lift(e[0], e[1], this.v[0]), 3.2 * this.px, color);
    if (e.length === 4) this.marks.rod(this.lift(e[0], e[1], this.v[0]), this.lift(e[2], e[3], this.v[1]), 2.6 * this.px, color);
  }

  private drawTurning(regime: string, rim: Outline, c: Contact, color: THREE.Color): void {
    const { line, axis } = turning(regime, rim, c);
    const size = Math.max(reach(rim), 10 * this.px);
    if (line && Math.hypot(line.x - middle(rim)[0], line.y - middle(rim)[1]) < 4 * size) {
      const half = 1.9 * size;
      this.lift(line.x - half * line.dx, line.y - half * line.dy, this.v[0]);
      this.lift(line.x + half * line.dx, line.y + half * line.dy, this.v[1]);
      this.dashes(this.v[0], this.v[1], color);
    }
    if (axis.length === 4)
      this.marks.rod(this.lift(axis[0], axis[1], this.v[0]), this.lift(axis[2], axis[3], this.v[1]), 3.2 * this.px, color);
    else if (axis.length === 2) this.marks.dot(this.lift(axis[0], axis[1], this.v[0]), 5.5 * this.px, color);
  }

  private dashes(a: THREE.Vector3, b: THREE.Vector3, color: THREE.Color): void {
    const n = this.crowded ? 5 : 9;
    for (let i = 0; i < n; i++) {
      this.v[2].lerpVectors(a, b, (i + 0.2) / n);
      this.v[3].lerpVectors(a, b, (i + 0.8) / n);
      if (this.crowded) {
        this.thin.corner(this.v[2], color);
        this.thin.corner(this.v[3], color);
      } else this.marks.rod(this.v[2], this.v[3], 1.2 * this.px, color);
    }
  }

  private drawForce(at: THREE.Vector3, wrench: Float32Array, color: THREE.Color): void {
    this.v[0].set(wrench[3], wrench[4], wrench[5]).applyQuaternion(this.q).multiplyScalar(this.forceScale * this.zoom);
    if (this.v[0].length() < 1.5 * this.px) return;
    this.marks.arrow(at, this.v[0], 1.8 * this.px, color);
  }

  private drawMoment(at: THREE.Vector3, moment: number, color: THREE.Color): void {
    this.v[0].set(0, 0, moment).applyQuaternion(this.q).multiplyScalar(this.momentScale * this.zoom);
    if (this.v[0].length() > 3 * this.px) this.marks.arrow(at, this.v[0], 1.1 * this.px, color, 2);
  }

  private drawCone(at: THREE.Vector3, mu: number, force: number, color: THREE.Color): void {
    const height = force * this.forceScale * this.zoom;
    const radius = mu * height;
    this.cones.add(this.m.compose(at, this.q, this.s.set(radius, radius, height)), color);
  }

  private drawSoft(c: SoftContact, key: string, selected: boolean, hovered: boolean): void {
    if (!this.place(c.pose)) return;
    const plain = (this.crowded || this.coarse) && !selected && !hovered;
    this.marks.use(plain);
    const color = this.colour('soft');
    const at = this.p.clone();
    this.targets.push({ key, at, reach: Math.max(c.patchAxes[0], c.patchAxes[1]) });
    if (c.state === 0) return;
    const rim: Outline = [];
    const n = this.roundness(Math.max(c.patchAxes[0], c.patchAxes[1]), plain);
    for (let i = 0; i < n; i++) {
      const a = (2 * Math.PI * i) / n;
      rim.push(c.patchAxes[0] * Math.cos(a), c.patchAxes[1] * Math.sin(a));
    }
    if (this.layers.patches) this.drawPatch(reach(rim) > 0 ? rim : [0, 0], color, selected || hovered);
    if (this.layers.patches && c.state === 2) this.marks.dot(at, 4.5 * this.px, this.colour('slide'));
    if (this.layers.forces) this.drawForce(at, c.wrench, color);
    const [f1, f2] = c.slipAxes;
    if ((this.layers.cones || selected) && c.wrench[5] > 0 && f1 > 0) {
      const scale = this.forceScale * this.zoom;
      this.cones.add(this.m.compose(at, this.q, this.s.set(f1 * scale, Math.max(f2, f1 * 0.01) * scale, c.wrench[5] * scale)), color);
    }
    if (this.layers.moments) this.drawMoment(at, c.wrench[2], color);
  }
}
