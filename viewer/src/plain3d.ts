// plain3d.ts - bodies while things move and pictures take long: few facets, all in one buffer, one draw call.
import * as THREE from 'three';
import type { Kind } from './shapes3d';

/** Where the processor draws, an instance costs as much as thirty triangles: shapes up to this size are copied instead. */
const COPIED = 200; // corners
const OFF = 1; // pixels that a facet may lie off the round shape
const CUTS = [5, 6, 8, 12, 16, 24]; // facets around

/** A shape as it is copied: for round ones with so many facets around. */
interface Cut {
  around: number;
  positions: Float32Array;
  normals: Float32Array;
  index: Uint16Array;
}

function cut(around: number, g: THREE.BufferGeometry): Cut {
  const positions = g.getAttribute('position').array as Float32Array;
  const index = g.index ? Uint16Array.from(g.index.array) : Uint16Array.from({ length: positions.length / 3 }, (_, i) => i);
  return { around, positions, normals: g.getAttribute('normal').array as Float32Array, index };
}

/** Facets around a circle of so many pixels: a chord lies r (1 − cos(π/n)) ≈ r π² / (2 n²) inside. */
export function facetsFor(radius: number): number {
  return Math.PI * Math.sqrt(radius / (2 * OFF));
}

/** The lights of the scene, to be put into the colours of the corners: the shader has nothing to do then. */
export interface Lights {
  sky: THREE.HemisphereLight;
  sun: THREE.DirectionalLight;
}

/** What the groups of bodies have that this needs: where every piece is, and its colour. */
export interface Posed {
  kind: Kind;
  mesh: THREE.InstancedMesh;
}

export class PlainBodies {
  private cuts = new Map<Kind, Cut[]>();
  private geometry = new THREE.BufferGeometry();
  private positions = new Float32Array(0);
  private colors = new Float32Array(0);
  private index = new Uint32Array(0);
  private corners = 0;
  private listed = 0;
  private mesh: THREE.Mesh;
  private view = new THREE.Frustum();
  private m = new THREE.Matrix4();
  private ball = new THREE.Sphere();
  private up = new THREE.Vector3();
  private toSun = new THREE.Vector3();
  private light = { middle: new THREE.Color(), rise: new THREE.Color(), sun: new THREE.Color() };

  constructor(parent: THREE.Object3D, private readonly material: THREE.MeshBasicMaterial, private readonly lights: Lights) {
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    parent.add(this.mesh);
  }

  set visible(on: boolean) {
    this.mesh.visible = on && this.listed > 0;
  }

  /** Whether pieces of a kind are copied; large meshes stay as they are. */
  takes(kind: Kind): boolean {
    return this.cutsOf(kind).length > 0;
  }

  private cutsOf(kind: Kind): Cut[] {
    let cuts = this.cuts.get(kind);
    if (!cuts) {
      const few = (g: THREE.BufferGeometry): boolean => g.getAttribute('position').count <= COPIED;
      if (kind.rounder) cuts = CUTS.map((n) => ({ n, g: kind.rounder!(n) })).filter(({ g }) => few(g)).map(({ n, g }) => cut(n, g));
      else cuts = few(kind.surface) ? [cut(0, kind.surface)] : [];
      this.cuts.set(kind, cuts);
    }
    return cuts;
  }

  clear(): void {
    this.cuts.clear();
    this.listed = 0;
    this.visible = false;
  }

  /** Light that a surface sends back, of its colour: as a Lambert surface under these lights. */
  private takeLight(): void {
    const { sky, sun } = this.lights, { middle, rise, sun: direct } = this.light;
    this.up.copy(sky.position).normalize();
    this.toSun.copy(sun.position).sub(sun.target.position).normalize();
    middle.copy(sky.color).add(sky.groundColor).multiplyScalar(sky.intensity / (2 * Math.PI));
    rise.copy(sky.color).multiplyScalar(sky.intensity / (2 * Math.PI));
    rise.sub(direct.copy(sky.groundColor).multiplyScalar(sky.intensity / (2 * Math.PI)));
    direct.copy(sun.color).multiplyScalar(sun.intensity / Math.PI);
  }

  /** Copies of all that the camera sees, each as round as its pixels ask for; a picture is so many pixels high. */
  fill(groups: Posed[], camera: THREE.PerspectiveCamera, height: number): void {
    this.corners = this.listed = 0;
    // Closed shapes hide their own backs; a mesh may be open, or wound the other way.
    this.material.side = groups.every(({ kind }) => kind.closed || !this.takes(kind)) ? THREE.FrontSide : THREE.DoubleSide;
    this.takeLight();
    camera.updateMatrixWorld();
    this.view.setFromProjectionMatrix(this.m.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const pixels = height / (2 * Math.tan((camera.fov * Math.PI) / 360)); // of a metre, a metre away
    for (const { kind, mesh } of groups) {
      const cuts = this.cutsOf(kind);
      if (!cuts.length) continue;
      const at = mesh.instanceMatrix.array as Float32Array, colors = mesh.instanceColor?.array as Float32Array;
      const reach = kind.reach;
      for (let i = 0; i < kind.pieces.length; i++) {
        const o = 16 * i;
        const across = Math.max(Math.hypot(at[o], at[o + 1], at[o + 2]), Math.hypot(at[o + 4], at[o + 5], at[o + 6])); // of its axis
        const size = Math.max(across, Math.hypot(at[o + 8], at[o + 9], at[o + 10]));
        this.ball.center.set(at[o + 12], at[o + 13], at[o + 14]);
        this.ball.radius = size * reach;
        if (!(size > 0) || !this.view.intersectsSphere(this.ball)) continue;
        const wanted = facetsFor((across * pixels) / Math.max(this.ball.center.distanceTo(camera.position), camera.near));
        this.copy(cuts.find((c) => c.around >= wanted) ?? cuts[cuts.length - 1], at, o, colors, 3 * i);
      }
    }
    this.show();
  }

  private copy(c: Cut, at: Float32Array, o: number, colors: Float32Array, k: number): void {
    const n = c.positions.length / 3;
    this.makeRoom(this.corners + n, this.listed + c.index.length);
    const { positions, colors: tints, index, up, toSun } = this;
    const { middle, rise, sun } = this.light;
    const xx = at[o], xy = at[o + 1], xz = at[o + 2], yx = at[o + 4], yy = at[o + 5], yz = at[o + 6], zx = at[o + 8], zy = at[o + 9], zz = at[o + 10];
    // Normals go with the inverse transpose: columns over their squared lengths, as pieces are turned and stretched along their own axes.
    const sx = 1 / (xx * xx + xy * xy + xz * xz), sy = 1 / (yx * yx + yy * yy + yz * yz), sz = 1 / (zx * zx + zy * zy + zz * zz);
    for (let i = 0, w = 3 * this.corners; i < 3 * n; i += 3, w += 3) {
      const x = c.positions[i], y = c.positions[i + 1], z = c.positions[i + 2];
      positions[w] = xx * x + yx * y + zx * z + at[o + 12];
      positions[w + 1] = xy * x + yy * y + zy * z + at[o + 13];
      positions[w + 2] = xz * x + yz * y + zz * z + at[o + 14];
      const a = sx * c.normals[i], b = sy * c.normals[i + 1], d = sz * c.normals[i + 2];
      const nx = xx * a + yx * b + zx * d, ny = xy * a + yy * b + zy * d, nz = xz * a + yz * b + zz * d;
      const unit = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
      const high = unit * (nx * up.x + ny * up.y + nz * up.z);
      const lit = Math.max(0, unit * (nx * toSun.x + ny * toSun.y + nz * toSun.z));
      tints[w] = colors[k] * (middle.r + high * rise.r + lit * sun.r);
      tints[w + 1] = colors[k + 1] * (middle.g + high * rise.g + lit * sun.g);
      tints[w + 2] = colors[k + 2] * (middle.b + high * rise.b + lit * sun.b);
    }
    for (let i = 0; i < c.index.length; i++) index[this.listed + i] = this.corners + c.index[i];
    this.corners += n;
    this.listed += c.index.length;
  }

  /** Buffers only grow. */
  private makeRoom(corners: number, listed: number): void {
    const wider = <T extends Float32Array | Uint32Array>(old: T, n: number): T => {
      const out = new (old.constructor as new (n: number) => T)(n);
      out.set(old);
      return out;
    };
    if (3 * corners > this.positions.length) {
      const n = 2 * 3 * corners;
      this.positions = wider(this.positions, n);
      this.colors = wider(this.colors, n);
    }
    if (listed > this.index.length) this.index = wider(this.index, 2 * listed);
  }

  private show(): void {
    const g = this.geometry;
    const put = (name: string, array: Float32Array): void => {
      let attribute = g.getAttribute(name) as THREE.BufferAttribute | undefined;
      if (attribute?.array !== array) g.setAttribute(name, (attribute = new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage)));
      upload(attribute!, 3 * this.corners);
    };
    if (g.index?.array !== this.index || (g.getAttribute('position') as THREE.BufferAttribute | undefined)?.array !== this.positions) {
      g.dispose();
      g.setIndex(new THREE.BufferAttribute(this.index, 1).setUsage(THREE.DynamicDrawUsage));
    }
    put('position', this.positions);
    put('color', this.colors);
    upload(g.index!, this.listed);
    g.setDrawRange(0, this.listed);
  }
}

/** Only what is used goes to the graphics. */
export function upload(attribute: THREE.BufferAttribute, used: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, used);
  attribute.needsUpdate = true;
}
