// scene3d.ts - the bodies in space: camera, light, floor grids, and poses of a frame without any allocation.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { niceBelow } from './format';
import { theme } from './palette';
import { PlainBodies } from './plain3d';
import type { Recording } from './recording';
import { instancedLines, kindsOf, lineMaterial, type Kind } from './shapes3d';
import type { Head } from './types';

interface Group {
  kind: Kind;
  mesh: THREE.InstancedMesh;
  lines: THREE.LineSegments | null;
}

/** A displacement field on the bodies: twists in W at the world origin times a share of time. */
export interface Displacement {
  twists: number[][];
  share: number;
}

/** While things move and pictures take long they are drawn plainer, then coarser, level by level: share of the pixels' side. */
const COARSE = [1, 1, 0.6, 0.4];
const SLOW_MS = 45; // from picture to picture: coarser after two of them
const QUICK_MS = 36; // finer again after some of them, and after twice as many each time that was too slow
const STILL_MS = 250; // without a change: drawn once more, in full

const HIDDEN = new THREE.Matrix4().makeScale(0, 0, 0);
const FIELD_OF_VIEW = 38;

/** Whether pictures are made by the processor: there every pixel counts. */
function drawnInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Scene3d {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  size = 1; // of the scene: radius of what is framed [m]
  gridStep = 1;
  private height = 1; // of the view [px]; asking the page for it would lay it out anew
  readonly center = new THREE.Vector3();
  private box = new THREE.Box3();
  dirty = true;
  private groups: Group[] = [];
  private floors: { body: number; local: THREE.Matrix4; object: THREE.Group }[] = [];
  private bodyAt: THREE.Matrix4[] = [];
  private material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
  private edges = lineMaterial();
  private plainMaterial = new THREE.MeshBasicMaterial({ vertexColors: true });
  private plain: PlainBodies;
  private sky = new THREE.HemisphereLight(0xffffff, 0x8899aa, 2.0);
  private sun = new THREE.DirectionalLight(0xffffff, 1.6);
  private ray = new THREE.Raycaster();
  private tmp = { m: new THREE.Matrix4(), p: new THREE.Vector3(), q: new THREE.Quaternion(), s: new THREE.Vector3(1, 1, 1), w: new THREE.Vector3() };
  private head: Head | null = null;
  private recording: Recording | null = null;
  private shown: Float32Array | null = null;
  private fine = 1; // pixels of the canvas for one of the page, at full quality
  private pace = { level: 0, drawn: 0, slow: 0, quick: 0, patience: 40, tried: false, held: false, whole: true };
  private glide: { from: THREE.Vector3; to: THREE.Vector3; fromTarget: THREE.Vector3; toTarget: THREE.Vector3; start: number } | null = null;

  /** Throws where there is no WebGL. */
  constructor(private readonly place: HTMLElement, heavy: boolean) {
    const software = drawnInSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !(software && heavy), powerPreference: 'low-power' });
    this.fine = software ? 1 : Math.min(devicePixelRatio, 2);
    this.renderer.setPixelRatio(this.fine);
    this.renderer.domElement.className = 'canvas3d';
    this.renderer.domElement.tabIndex = 0;
    this.renderer.domElement.setAttribute('aria-label', 'the scene in space; drag turns, right drag moves, wheel zooms');
    place.prepend(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => (this.dirty = true));
    this.sun.position.set(0.5, -0.8, 1.6);
    this.scene.add(this.sky, this.sun, this.camera);
    this.plain = new PlainBodies(this.scene, this.plainMaterial, { sky: this.sky, sun: this.sun });
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
  }

  resize(): void {
    const w = Math.max(1, this.place.clientWidth), h = Math.max(1, this.place.clientHeight);
    this.height = h;
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  /** Metres that one pixel covers at the point the camera turns about. */
  metresPerPixel(): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / this.height;
  }

  load(recording: Recording): void {
    const head = recording.head!;
    this.head = head;
    this.measure(recording);
    this.bodyAt = head.bodies.map(() => new THREE.Matrix4());
    for (const kind of kindsOf(head).values()) this.addKind(kind);
    head.geoms.forEach((g) => {
      if (g.type !== 'plane') return;
      const p = g.pose?.p ?? [0, 0, 0], q = g.pose?.q ?? [1, 0, 0, 0];
      const local = new THREE.Matrix4().compose(
        new THREE.Vector3(p[0], p[1], p[2]), new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1));
      const object = this.floor(local);
      this.floors.push({ body: g.body, local, object });
      this.scene.add(object);
    });
    this.recolour();
    this.frameAll(false);
  }

  clear(): void {
    for (const { mesh, lines } of this.groups) {
      this.scene.remove(mesh);
      mesh.geometry.dispose();
      mesh.dispose();
      if (lines) this.scene.remove(lines);
    }
    for (const { object } of this.floors) this.scene.remove(object);
    this.groups = [];
    this.floors = [];
    this.plain.clear();
    this.dirty = true;
  }

  private addKind(kind: Kind): void {
    const n = kind.pieces.length;
    const mesh = new THREE.InstancedMesh(kind.surface, this.material, n);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    const lines = kind.lines ? instancedLines(kind.lines, mesh.instanceMatrix, n, this.edges) : null;
    this.scene.add(mesh);
    if (lines) this.scene.add(lines);
    this.groups.push({ kind, mesh, lines });
  }

  /** What the camera should see: bodies that are not infinite, at the start and along the way unless they fly off. */
  private measure(recording: Recording): void {
    const n = recording.frames.length;
    const start = this.extent(recording, [0]);
    const all = this.extent(recording, Array.from({ length: Math.min(n, 24) }, (_, i) => Math.floor((i * (n - 1)) / Math.max(1, Math.min(n, 24) - 1))));
    const size = (b: THREE.Box3): number => (b.isEmpty() ? 0 : b.getSize(new THREE.Vector3()).length());
    this.recording = recording;
    const box = size(all) > 5 * size(start) && !start.isEmpty() ? start : all;
    if (box.isEmpty()) for (const c of recording.modeSets[0]?.contacts ?? []) if (c.p_W) box.expandByPoint(new THREE.Vector3().fromArray(c.p_W));
    if (box.isEmpty() || !(size(box) > 0)) box.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 0.5));
    this.box.copy(box);
    box.getCenter(this.center);
    this.size = Math.max(size(box) / 2, 1e-6);
  }

  private extent(recording: Recording, frames: number[]): THREE.Box3 {
    const box = new THREE.Box3();
    const at = new THREE.Vector3(), q = new THREE.Quaternion(), p = new THREE.Vector3();
    for (const f of frames) {
      const poses = recording.frames[f]?.bodies;
      if (!poses) continue;
      recording.head!.geoms.forEach((g) => {
        if (g.type === 'plane') return;
        const b = 7 * g.body;
        if (!Number.isFinite(poses[b] + poses[b + 1] + poses[b + 2])) return;
        q.set(poses[b + 4], poses[b + 5], poses[b + 6], poses[b + 3]);
        p.fromArray(g.pose?.p ?? [0, 0, 0]).applyQuaternion(q);
        at.set(poses[b], poses[b + 1], poses[b + 2]).add(p);
        const s = g.size ?? [];
        const field = g.type === 'hfield' ? recording.head!.fields?.[g.field ?? -1] : undefined;
        if (field) {
          const own = g.pose?.q ?? [1, 0, 0, 0];
          const turn = q.multiply(new THREE.Quaternion(own[1], own[2], own[3], own[0]));
          for (const [x, y] of [[-1, -1], [-1, 1], [1, -1], [1, 1]])
            box.expandByPoint(p.set(x * field.half_size[0], y * field.half_size[1], 0).applyQuaternion(turn).add(at));
          return;
        }
        const largest = g.type === 'hfield' ? 0 : g.extent && g.extent > 0 ? g.extent / 2 : Math.max(0, ...s);
        const r = Math.min(largest, g.type === 'capsule' || g.type === 'cylinder' ? (s[0] ?? 0) + (s[1] ?? 0) : largest);
        box.expandByPoint(p.copy(at).subScalar(r));
        box.expandByPoint(p.copy(at).addScalar(r));
      });
    }
    return box;
  }

  /** An infinite plane as a grid around the scene's foot point on it. */
  private floor(local: THREE.Matrix4): THREE.Group {
    const object = new THREE.Group();
    object.matrixAutoUpdate = false;
    const step = niceBelow(this.size / 2.5);
    this.gridStep = step;
    const half = Math.ceil((3.2 * this.size) / step) * step;
    const foot = this.center.clone().applyMatrix4(local.clone().invert());
    const cx = Math.round(foot.x / step) * step, cy = Math.round(foot.y / step) * step;
    const positions: number[] = [];
    for (let x = -half; x <= half + step / 2; x += step) positions.push(cx + x, cy - half, 0, cx + x, cy + half, 0);
    for (let y = -half; y <= half + step / 2; y += step) positions.push(cx - half, cy + y, 0, cx + half, cy + y, 0);
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
    const lines = new THREE.LineSegments(g, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false }));
    const face = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * half, 2 * half).translate(cx, cy, 0),
      new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, forceSinglePass: true, transparent: true, opacity: 0.5, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }));
    lines.renderOrder = 1;
    object.add(face, lines);
    return object;
  }

  /** Bodies in quiet greys, each a little different; what is driven warmer: colours belong to the contacts. */
  recolour(): void {
    const t = theme();
    const style = getComputedStyle(document.documentElement);
    this.scene.background = new THREE.Color(style.getPropertyValue('--view').trim() || t.paper);
    this.edges.uniforms.color.value.set(t.dark ? '#0b0e11' : '#2a3138');
    this.edges.uniforms.opacity.value = t.dark ? 0.75 : 0.45;
    this.sky.color.set(t.dark ? '#cfd8e2' : '#ffffff');
    this.sky.groundColor.set(t.dark ? '#39424c' : '#a9b4bf');
    this.sky.intensity = t.dark ? 1.5 : 2.1;
    this.sun.intensity = t.dark ? 1.5 : 1.3;
    const color = new THREE.Color();
    for (const { kind, mesh } of this.groups) {
      kind.pieces.forEach((piece, i) => {
        const driven = this.head?.bodies[piece.body]?.driven;
        const shade = ((piece.body * 0.618) % 1) * 0.1;
        if (piece.body === 0) color.setHSL(0.58, 0.08, t.dark ? 0.28 : 0.74);
        else if (driven) color.setHSL(0.11, 0.28, (t.dark ? 0.46 : 0.62) + shade);
        else color.setHSL(0.58, 0.16, (t.dark ? 0.48 : 0.6) + shade);
        mesh.setColorAt(i, color);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    for (const floor of this.floors) {
      const [face, lines] = floor.object.children as [THREE.Mesh, THREE.LineSegments];
      (face.material as THREE.MeshBasicMaterial).color.set(t.dark ? '#1a2026' : '#eef1f4');
      (lines.material as THREE.LineBasicMaterial).color.set(t.dark ? '#3a444e' : '#c3ccd4');
    }
    this.dirty = true;
  }

  setXray(on: boolean): void {
    for (const material of [this.material, this.plainMaterial]) {
      material.transparent = on;
      material.opacity = on ? 0.28 : 1;
      material.depthWrite = !on;
      material.needsUpdate = true;
    }
    this.dirty = true;
  }

  /** Poses of a frame; a body whose pose is no number is not drawn. */
  pose(bodies: Float32Array, displacement: Displacement | null = null): void {
    const { m, p, q, s, w } = this.tmp;
    this.shown = bodies;
    for (let i = 0; i < this.bodyAt.length; i++) {
      const b = 7 * i;
      p.set(bodies[b], bodies[b + 1], bodies[b + 2]);
      q.set(bodies[b + 4], bodies[b + 5], bodies[b + 6], bodies[b + 3]);
      const norm = q.lengthSq();
      if (!Number.isFinite(p.x + p.y + p.z + norm)) {
        this.bodyAt[i].copy(HIDDEN);
        continue;
      }
      if (norm > 0) q.normalize();
      else q.identity();
      this.bodyAt[i].compose(p, q, s);
      const twist = displacement?.twists[i];
      if (twist) {
        w.set(twist[0], twist[1], twist[2]);
        const angle = w.length() * displacement!.share;
        if (angle !== 0) m.makeRotationAxis(w.normalize(), angle);
        else m.identity();
        this.bodyAt[i].premultiply(m);
        m.makeTranslation(twist[3] * displacement!.share, twist[4] * displacement!.share, twist[5] * displacement!.share);
        this.bodyAt[i].premultiply(m);
      }
    }
    for (const { kind, mesh } of this.groups) {
      const pieces = kind.pieces;
      const array = mesh.instanceMatrix.array as Float32Array;
      for (let i = 0; i < pieces.length; i++) m.multiplyMatrices(this.bodyAt[pieces[i].body], pieces[i].local).toArray(array, 16 * i);
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    for (const floor of this.floors) floor.object.matrix.multiplyMatrices(this.bodyAt[floor.body], floor.local);
    for (const floor of this.floors) floor.object.matrixWorldNeedsUpdate = true;
    this.dirty = true;
  }

  /** All bodies of one frame in view. */
  frameNow(frame: number): void {
    const box = this.recording ? this.extent(this.recording, [frame]) : new THREE.Box3();
    if (!box.isEmpty()) {
      this.box.copy(box);
      box.getCenter(this.center);
    }
    this.frameAll();
  }

  /** The whole scene in view, from a little above. */
  frameAll(smooth = true): void {
    const direction = new THREE.Vector3(0.62, -1, 0.5).normalize();
    const distance = Math.max(this.fit(direction), 1.02 * this.size);
    this.camera.near = distance / 500;
    this.camera.far = distance * 40;
    this.camera.updateProjectionMatrix();
    this.moveTo(this.center.clone().addScaledVector(direction, distance), this.center.clone(), smooth);
  }

  /** The least distance from which all corners of the scene's box are in view, with a margin for labels. */
  private fit(direction: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const tan = 0.8 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    const corner = new THREE.Vector3();
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      corner.set(i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y, i & 4 ? this.box.max.z : this.box.min.z).sub(this.center);
      const across = Math.max(Math.abs(corner.dot(up)) / tan, Math.abs(corner.dot(right)) / (tan * this.camera.aspect));
      distance = Math.max(distance, corner.dot(direction) + across);
    }
    return distance;
  }

  /** Closer to a point, from where the camera is. */
  focus(point: THREE.Vector3, radius: number): void {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.moveTo(point.clone().addScaledVector(direction, Math.max(radius * 6, this.size * 0.4)), point, true);
  }

  private moveTo(to: THREE.Vector3, toTarget: THREE.Vector3, smooth: boolean): void {
    const quick = !smooth || matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (quick) {
      this.camera.position.copy(to);
      this.controls.target.copy(toTarget);
      this.controls.update();
    } else
      this.glide = { from: this.camera.position.clone(), to, fromTarget: this.controls.target.clone(), toTarget, start: performance.now() };
    this.dirty = true;
  }

  /** The geom under a point of the canvas, or -1. */
  pick(x: number, y: number): number {
    const ndc = new THREE.Vector2((2 * x) / this.place.clientWidth - 1, 1 - (2 * y) / this.place.clientHeight);
    this.ray.setFromCamera(ndc, this.camera);
    let best = Infinity, geom = -1;
    for (const { kind, mesh } of this.groups) {
      const hits = this.ray.intersectObject(mesh, false);
      if (hits.length && hits[0].distance < best && hits[0].instanceId !== undefined) {
        best = hits[0].distance;
        geom = kind.pieces[hits[0].instanceId].geom;
      }
    }
    return geom;
  }

  /** Moves the camera on; the level of coarseness of the picture that is due, or nothing where none is. */
  due(now: number): number | null {
    if (this.glide) {
      const t = Math.min(1, (now - this.glide.start) / 350);
      const e = t * t * (3 - 2 * t);
      this.camera.position.lerpVectors(this.glide.from, this.glide.to, Math.max(0, e));
      this.controls.target.lerpVectors(this.glide.fromTarget, this.glide.toTarget, Math.max(0, e));
      this.controls.update();
      if (t >= 1) this.glide = null;
      this.dirty = true;
    }
    if (!this.dirty) return this.pace.whole || now - this.pace.drawn < STILL_MS ? null : 0;
    this.dirty = false;
    this.keepPace(now);
    return this.pace.level;
  }

  /** How coarse the next picture of a motion is, from how long the last ones took. */
  private keepPace(now: number): void {
    const p = this.pace, passed = now - p.drawn;
    p.drawn = now;
    if (passed > 1000 || p.held) return; // no motion, or a page that was not looked at
    p.slow = passed > SLOW_MS ? p.slow + 1 : 0;
    p.quick = passed < QUICK_MS ? p.quick + 1 : 0;
    if (p.slow >= 2 && p.level < COARSE.length - 1) {
      p.level++;
      if (p.tried) p.patience = Math.min(2 * p.patience, 640);
      p.slow = p.quick = 0;
      p.tried = false;
    }
    if (p.quick >= p.patience && p.level > 0) {
      p.level--;
      p.quick = 0;
      p.tried = true;
    }
  }

  /** Pictures of a motion at one level, however long they take; null: as they need. */
  hold(level: number | null): void {
    this.pace.held = level !== null;
    this.pace.level = Math.max(0, Math.min(COARSE.length - 1, Math.round(level ?? 0)));
    this.dirty = true;
  }

  draw(level: number): void {
    const quick = level > 0;
    this.pace.whole = !quick;
    const ratio = this.fine * COARSE[level];
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    if (quick) this.plain.fill(this.groups, this.camera, this.renderer.domElement.height);
    this.plain.visible = quick;
    for (const { kind, mesh, lines } of this.groups) {
      mesh.visible = !quick || !this.plain.takes(kind);
      if (lines) lines.visible = !quick;
    }
    this.renderer.render(this.scene, this.camera);
  }

  /** Level of coarseness of the last picture: 0 is in full. */
  get coarseness(): number {
    return this.pace.whole ? 0 : this.pace.level;
  }

  get poses(): Float32Array | null {
    return this.shown;
  }
}
