// shapes3d.ts - geoms as instances of a few unit shapes: one draw call for each kind, however many bodies.
import * as THREE from 'three';
import type { GeomHead, Head } from './types';

/** One drawn piece of a geom: which unit shape, where in its body. A capsule has three. */
export interface Piece {
  geom: number;
  body: number;
  local: THREE.Matrix4;
}

interface Shape {
  surface: THREE.BufferGeometry;
  lines: THREE.BufferGeometry | null;
  closed?: boolean; // all round, wound outwards
  rounder?: (around: number) => THREE.BufferGeometry; // a round surface with another number of facets
}

export interface Kind extends Shape {
  reach: number; // of the surface from its origin
  pieces: Piece[];
}

function circle(axis: 0 | 1 | 2, at = 0, n = 40): number[] {
  const out: number[] = [];
  const point = (i: number): number[] => {
    const a = (2 * Math.PI * i) / n;
    const p = [0, 0, 0];
    p[axis] = at;
    p[(axis + 1) % 3] = Math.cos(a);
    p[(axis + 2) % 3] = Math.sin(a);
    return p;
  };
  for (let i = 0; i < n; i++) out.push(...point(i), ...point(i + 1));
  return out;
}

function lineGeometry(positions: number[]): THREE.BufferGeometry {
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  return g;
}

function upright(g: THREE.BufferGeometry): THREE.BufferGeometry {
  return g.rotateX(Math.PI / 2); // three's axis is y, ours z
}

function triangles(positions: number[]): THREE.BufferGeometry {
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  g.computeVertexNormals();
  return g;
}

function meshGeometry(mesh: { vertices: number[][]; faces: number[][] }): THREE.BufferGeometry {
  const out: number[] = [];
  for (const face of mesh.faces)
    for (let i = 1; i + 1 < face.length; i++) out.push(...mesh.vertices[face[0]], ...mesh.vertices[face[i]], ...mesh.vertices[face[i + 1]]);
  return triangles(out);
}

interface Field {
  rows: number;
  columns: number;
  half_size: number[];
  heights: number[];
}

/** A node of a field: rows along y, columns along x. */
function node(f: Field, i: number, j: number): [number, number, number] {
  return [f.half_size[0] * ((2 * j) / (f.columns - 1) - 1), f.half_size[1] * ((2 * i) / (f.rows - 1) - 1), f.heights[i * f.columns + j]];
}

/** Some of its rows and columns as lines, or hills of one colour would not be seen: at most forty each way. */
function fieldLines(f: Field): THREE.BufferGeometry {
  const out: number[] = [];
  const stride = (n: number): number => Math.ceil((n - 1) / 40);
  const kept = (i: number, n: number): boolean => i % stride(n) === 0 || i === n - 1;
  for (let i = 0; i < f.rows; i++)
    for (let j = 0; j < f.columns; j++) {
      if (j + 1 < f.columns && kept(i, f.rows)) out.push(...node(f, i, j), ...node(f, i, j + 1));
      if (i + 1 < f.rows && kept(j, f.columns)) out.push(...node(f, i, j), ...node(f, i + 1, j));
    }
  return lineGeometry(out);
}

/** Cells split from (i, j) to (i + 1, j + 1). */
function fieldGeometry(f: Field): THREE.BufferGeometry {
  const p = (i: number, j: number): [number, number, number] => node(f, i, j);
  const out: number[] = [];
  for (let i = 0; i + 1 < f.rows; i++)
    for (let j = 0; j + 1 < f.columns; j++) {
      out.push(...p(i, j), ...p(i, j + 1), ...p(i + 1, j + 1));
      out.push(...p(i, j), ...p(i + 1, j + 1), ...p(i + 1, j));
    }
  return triangles(out);
}

/** The surface of a round unit shape with so many facets around. */
function roundSurface(name: string, around: number): THREE.BufferGeometry {
  if (name === 'cylinder') return upright(new THREE.CylinderGeometry(1, 1, 2, around));
  if (name === 'tube') return upright(new THREE.CylinderGeometry(1, 1, 2, around, 1, true));
  if (name === 'cap') return upright(new THREE.SphereGeometry(1, around, Math.max(2, Math.floor(around / 3)), 0, 2 * Math.PI, 0, Math.PI / 2));
  return upright(new THREE.SphereGeometry(1, around, Math.max(3, Math.round(0.65 * around))));
}

function unitShape(name: string, many: boolean): Shape {
  if (name === 'box') {
    const box = new THREE.BoxGeometry(2, 2, 2);
    return { surface: box, lines: new THREE.EdgesGeometry(box), closed: true };
  }
  const rounder = (around: number): THREE.BufferGeometry => roundSurface(name, around);
  if (name === 'cylinder') {
    const spoke = [1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, -1];
    const n = many ? 14 : 40;
    return { surface: rounder(n), lines: lineGeometry([...circle(2, 1, n), ...circle(2, -1, n), ...spoke]), rounder, closed: true };
  }
  if (name === 'tube') return { surface: rounder(many ? 10 : 28), lines: lineGeometry([1, 0, 1, 1, 0, -1, -1, 0, 1, -1, 0, -1]), rounder, closed: true };
  if (name === 'cap') return { surface: rounder(many ? 10 : 28), lines: null, rounder, closed: true };
  return { surface: rounder(many ? 10 : 40), lines: lineGeometry(many ? circle(2, 0, 14) : [...circle(2), ...circle(0)]), rounder, closed: true };
}

function poseMatrix(geom: GeomHead): THREE.Matrix4 {
  const p = geom.pose?.p ?? [0, 0, 0];
  const q = geom.pose?.q ?? [1, 0, 0, 0];
  return new THREE.Matrix4().compose(
    new THREE.Vector3(p[0], p[1], p[2]), new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1));
}

const MANY = 150; // geoms above which round shapes have fewer facets

/** All pieces by kind; planes are left to the floor. */
export function kindsOf(head: Head): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  const many = head.geoms.length > MANY;
  const add = (name: string, make: () => Shape, piece: Piece): void => {
    let kind = kinds.get(name);
    if (!kind) {
      const shape = make();
      shape.surface.computeBoundingSphere();
      const { center, radius } = shape.surface.boundingSphere!;
      kinds.set(name, (kind = { ...shape, reach: center.length() + radius, pieces: [] }));
    }
    kind.pieces.push(piece);
  };
  head.geoms.forEach((g, geom) => {
    const at = poseMatrix(g);
    const s = g.size ?? [];
    const piece = (x: number, y: number, z: number, dz = 0, turn = 0): Piece => ({
      geom, body: g.body,
      local: at.clone().multiply(new THREE.Matrix4().makeTranslation(0, 0, dz)).multiply(new THREE.Matrix4().makeRotationX(turn)).multiply(new THREE.Matrix4().makeScale(x, y, z)),
    });
    const unit = (name: string, ...args: [number, number, number, number?, number?]): void => add(name, () => unitShape(name, many), piece(...args));
    if (g.type === 'box') unit('box', s[0], s[1], s[2]);
    else if (g.type === 'sphere') unit('sphere', s[0], s[0], s[0]);
    else if (g.type === 'ellipsoid') unit('sphere', s[0], s[1], s[2]);
    else if (g.type === 'cylinder') unit('cylinder', s[0], s[0], s[1]);
    else if (g.type === 'capsule') {
      unit('cap', s[0], s[0], s[0], s[1]);
      unit('cap', s[0], s[0], s[0], -s[1], Math.PI);
      unit('tube', s[0], s[0], s[1]);
    } else if (g.type === 'mesh' && head.meshes?.[g.mesh ?? -1]) {
      add(`mesh ${g.mesh}`, () => {
        const surface = meshGeometry(head.meshes![g.mesh!]);
        return { surface, lines: new THREE.EdgesGeometry(surface, 15) };
      }, piece(1, 1, 1));
    } else if (g.type === 'hfield' && head.fields?.[g.field ?? -1])
      add(`field ${g.field}`, () => ({ surface: fieldGeometry(head.fields![g.field!]), lines: fieldLines(head.fields![g.field!]) }), piece(1, 1, 1));
  });
  return kinds;
}

/** Lines drawn once per instance; three has this for surfaces only. */
export function instancedLines(geometry: THREE.BufferGeometry, matrices: THREE.InstancedBufferAttribute, count: number, material: THREE.Material): THREE.LineSegments {
  const g = new THREE.InstancedBufferGeometry();
  g.setAttribute('position', geometry.getAttribute('position'));
  if (geometry.index) g.setIndex(geometry.index);
  g.setAttribute('instanceAt', matrices);
  g.instanceCount = count;
  const lines = new THREE.LineSegments(g, material);
  lines.frustumCulled = false;
  return lines;
}

export function lineMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { color: { value: new THREE.Color() }, opacity: { value: 0.5 } },
    vertexShader: `attribute mat4 instanceAt;
void main() { vec4 p = modelViewMatrix * instanceAt * vec4(position, 1.0); p.xyz *= 0.9985; gl_Position = projectionMatrix * p; }`,
    fragmentShader: `uniform vec3 color; uniform float opacity;
void main() { gl_FragColor = vec4(color, opacity); }`,
    transparent: true,
    depthWrite: false,
  });
}
