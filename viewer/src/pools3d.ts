// pools3d.ts - marks drawn over the bodies: instances and triangles in buffers that only grow.
import * as THREE from 'three';
import { upload } from './plain3d';

function seen(opacity: number, extra: THREE.MeshBasicMaterialParameters = {}): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide, forceSinglePass: true,
    polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4, ...extra,
  });
}

/** The part behind a body, fainter: contacts lie between bodies and would not be seen otherwise. */
function behind(opacity: number, extra: THREE.MeshBasicMaterialParameters = {}): THREE.MeshBasicMaterial {
  return seen(opacity, { depthFunc: THREE.GreaterDepth, ...extra });
}

/** Copies of one shape with a colour each. begin(), add() as often as needed, end(). */
export class InstancePool {
  private count = 0;
  private capacity = 64;
  private meshes: THREE.InstancedMesh[] = [];
  private matrices: THREE.InstancedBufferAttribute;
  private colors: THREE.InstancedBufferAttribute;

  constructor(
    private readonly parent: THREE.Object3D,
    private readonly shape: THREE.BufferGeometry,
    opacity: number,
    hiddenOpacity: number,
    private readonly order = 3,
  ) {
    this.matrices = new THREE.InstancedBufferAttribute(new Float32Array(16 * this.capacity), 16);
    this.colors = new THREE.InstancedBufferAttribute(new Float32Array(3 * this.capacity), 3);
    // Marks that do not shine through bodies have one draw call, the others two.
    const materials = [seen(opacity)];
    if (hiddenOpacity > 0) materials.push(behind(hiddenOpacity));
    for (const material of materials) {
      const mesh = new THREE.InstancedMesh(this.shape, material, 0);
      mesh.frustumCulled = false;
      mesh.renderOrder = this.order;
      this.meshes.push(mesh);
      this.parent.add(mesh);
    }
    this.attach();
  }

  private attach(): void {
    this.matrices.setUsage(THREE.DynamicDrawUsage);
    this.colors.setUsage(THREE.DynamicDrawUsage);
    for (const mesh of this.meshes) {
      mesh.instanceMatrix = this.matrices;
      mesh.instanceColor = this.colors;
    }
  }

  begin(): void {
    this.count = 0;
  }

  add(matrix: THREE.Matrix4, color: THREE.Color): void {
    if (this.count === this.capacity) this.grow();
    matrix.toArray(this.matrices.array as Float32Array, 16 * this.count);
    color.toArray(this.colors.array as Float32Array, 3 * this.count);
    this.count++;
  }

  private grow(): void {
    this.capacity *= 2;
    const m = new Float32Array(16 * this.capacity), c = new Float32Array(3 * this.capacity);
    m.set(this.matrices.array as Float32Array);
    c.set(this.colors.array as Float32Array);
    this.matrices = new THREE.InstancedBufferAttribute(m, 16);
    this.colors = new THREE.InstancedBufferAttribute(c, 3);
    for (const mesh of this.meshes) mesh.dispose();
    this.attach();
  }

  end(): void {
    for (const mesh of this.meshes) {
      mesh.count = this.count;
      mesh.visible = this.count > 0;
    }
    this.matrices.needsUpdate = true;
    this.colors.needsUpdate = true;
  }
}

/** Filled polygons, or thin lines: corners with a colour each. */
export class CornerPool {
  private used = 0;
  private capacity = 3 * 256;
  private geometry = new THREE.BufferGeometry();
  private positions = new THREE.BufferAttribute(new Float32Array(3 * this.capacity), 3);
  private colors = new THREE.BufferAttribute(new Float32Array(3 * this.capacity), 3);
  private meshes: THREE.Object3D[];

  constructor(parent: THREE.Object3D, opacity: number, hiddenOpacity: number, lines = false) {
    this.meshes = [seen(opacity, { vertexColors: true }), ...(hiddenOpacity > 0 ? [behind(hiddenOpacity, { vertexColors: true })] : [])].map((material) => {
      const mesh = lines ? new THREE.LineSegments(this.geometry, material) : new THREE.Mesh(this.geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      parent.add(mesh);
      return mesh;
    });
    this.attach();
  }

  private attach(): void {
    this.positions.setUsage(THREE.DynamicDrawUsage);
    this.colors.setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute('position', this.positions);
    this.geometry.setAttribute('color', this.colors);
  }

  begin(): void {
    this.used = 0;
  }

  corner(p: THREE.Vector3, color: THREE.Color): void {
    if (this.used === this.capacity) {
      this.capacity *= 2;
      const a = new Float32Array(3 * this.capacity), b = new Float32Array(3 * this.capacity);
      a.set(this.positions.array as Float32Array);
      b.set(this.colors.array as Float32Array);
      this.geometry.dispose();
      this.positions = new THREE.BufferAttribute(a, 3);
      this.colors = new THREE.BufferAttribute(b, 3);
      this.attach();
    }
    p.toArray(this.positions.array as Float32Array, 3 * this.used);
    color.toArray(this.colors.array as Float32Array, 3 * this.used);
    this.used++;
  }

  end(): void {
    this.geometry.setDrawRange(0, this.used);
    for (const mesh of this.meshes) mesh.visible = this.used > 0;
    upload(this.positions, 3 * this.used);
    upload(this.colors, 3 * this.used);
  }
}

// Drawn a little towards the camera, as a round mark of that width would be, and never thinner than a pixel.
const FLAT_VERTEX = `uniform float height; attribute vec3 along; attribute vec2 corner; attribute vec3 tint; varying vec3 shade;
void main() {
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  float wide = length(corner), least = -p.z * 1.2 / (projectionMatrix[1][1] * height);
  vec2 c = wide > 0.0 ? corner * max(1.0, least / wide) : corner;
  vec3 side = cross(mat3(modelViewMatrix) * along, p.xyz);
  float turn = length(side);
  p.xyz -= normalize(p.xyz) * wide;
  p.xyz += turn > 0.0 ? side * (c.x / turn) : vec3(c, 0.0);
  shade = tint;
  gl_Position = projectionMatrix * p;
}`;
const FLAT_FRAGMENT = `uniform float opacity; varying vec3 shade;
void main() { gl_FragColor = vec4(shade, opacity);
#include <colorspace_fragment>
}`;

/** Rods, heads and dots that face the camera, two triangles each in one buffer: the vertex shader widens them. */
class FlatPool {
  private used = 0; // marks, of four corners each
  private capacity = 0;
  private geometry = new THREE.BufferGeometry();
  private positions!: THREE.BufferAttribute;
  private along!: THREE.BufferAttribute;
  private corners!: THREE.BufferAttribute;
  private tints!: THREE.BufferAttribute;
  private meshes: THREE.Mesh[];

  constructor(parent: THREE.Object3D, order: number, hidden: number) {
    const height = { value: 1 }, size = new THREE.Vector2();
    this.meshes = [[1, THREE.LessEqualDepth] as const, [hidden, THREE.GreaterDepth] as const].map(([opacity, depthFunc]) => {
      const mesh = new THREE.Mesh(this.geometry, new THREE.ShaderMaterial({
        uniforms: { opacity: { value: opacity }, height }, vertexShader: FLAT_VERTEX, fragmentShader: FLAT_FRAGMENT, depthFunc,
        transparent: true, depthWrite: false, side: THREE.DoubleSide, forceSinglePass: true, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4,
      }));
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      mesh.visible = false;
      mesh.onBeforeRender = (renderer) => (height.value = renderer.getDrawingBufferSize(size).y);
      parent.add(mesh);
      return mesh;
    });
    this.grow(64);
  }

  private grow(capacity: number): void {
    const wider = (old: THREE.BufferAttribute | undefined, name: string, size: number): THREE.BufferAttribute => {
      const array = new Float32Array(4 * size * capacity);
      if (old) array.set(old.array as Float32Array);
      const attribute = new THREE.BufferAttribute(array, size).setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
      return attribute;
    };
    this.geometry.dispose();
    this.positions = wider(this.positions, 'position', 3);
    this.along = wider(this.along, 'along', 3);
    this.corners = wider(this.corners, 'corner', 2);
    this.tints = wider(this.tints, 'tint', 3);
    const index = new Uint32Array(6 * capacity);
    for (let i = 0; i < capacity; i++) [0, 1, 2, 2, 1, 3].forEach((k, j) => (index[6 * i + j] = 4 * i + k));
    this.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.capacity = capacity;
  }

  begin(): void {
    this.used = 0;
  }

  /** shining: through bodies, where there are few of them. */
  end(shining: boolean): void {
    this.geometry.setDrawRange(0, 6 * this.used);
    this.meshes.forEach((mesh, i) => (mesh.visible = this.used > 0 && (i === 0 || shining)));
    for (const attribute of [this.positions, this.along, this.corners, this.tints]) upload(attribute, 4 * this.used * attribute.itemSize);
  }

  private corner(k: number, at: THREE.Vector3, along: THREE.Vector3, x: number, y: number, color: THREE.Color): void {
    const i = 4 * this.used + k;
    at.toArray(this.positions.array, 3 * i);
    along.toArray(this.along.array, 3 * i);
    this.corners.array[2 * i] = x;
    this.corners.array[2 * i + 1] = y;
    color.toArray(this.tints.array as Float32Array, 3 * i);
  }

  /** From a point to a point, so wide at the one and the other. */
  band(from: THREE.Vector3, to: THREE.Vector3, along: THREE.Vector3, half: number, halfThere: number, color: THREE.Color): void {
    if (this.used === this.capacity) this.grow(2 * this.capacity);
    this.corner(0, from, along, half, 0, color);
    this.corner(1, from, along, -half, 0, color);
    this.corner(2, to, along, halfThere, 0, color);
    this.corner(3, to, along, -halfThere, 0, color);
    this.used++;
  }

  dot(at: THREE.Vector3, radius: number, color: THREE.Color): void {
    if (this.used === this.capacity) this.grow(2 * this.capacity);
    this.corner(0, at, ZERO, radius, 0, color);
    this.corner(1, at, ZERO, 0, radius, color);
    this.corner(2, at, ZERO, 0, -radius, color);
    this.corner(3, at, ZERO, -radius, 0, color);
    this.used++;
  }
}

const ZERO = new THREE.Vector3();
const Z = new THREE.Vector3(0, 0, 1);

interface MarkSet {
  shafts: InstancePool;
  heads: InstancePool;
  dots: InstancePool;
}

/** Arrows, rods and dots between points, sized in metres; round ones, or flat ones where there are many or pictures take long. */
export class Marks {
  private round: MarkSet;
  private bands: FlatPool;
  private spots: FlatPool;
  private flat = false;
  private m = new THREE.Matrix4();
  private q = new THREE.Quaternion();
  private s = new THREE.Vector3();
  private d = new THREE.Vector3();
  private at = new THREE.Vector3();
  private to = new THREE.Vector3();

  constructor(parent: THREE.Object3D, order = 3, hidden = 0.35) {
    const along = (g: THREE.BufferGeometry): THREE.BufferGeometry => g.translate(0, 0.5, 0).rotateX(Math.PI / 2);
    this.round = {
      shafts: new InstancePool(parent, along(new THREE.CylinderGeometry(1, 1, 1, 6, 1, true)), 1, hidden, order),
      heads: new InstancePool(parent, along(new THREE.ConeGeometry(1, 1, 10, 1)), 1, hidden, order),
      dots: new InstancePool(parent, new THREE.IcosahedronGeometry(1, 1), 1, hidden, order + 1),
    };
    this.bands = new FlatPool(parent, order, hidden);
    this.spots = new FlatPool(parent, order + 1, hidden);
  }

  begin(): void {
    for (const pool of [...Object.values(this.round), this.bands, this.spots]) pool.begin();
  }

  /** shining: flat marks are seen through bodies too, as round ones are. */
  end(shining = true): void {
    for (const pool of Object.values(this.round)) pool.end();
    for (const pool of [this.bands, this.spots]) pool.end(shining);
  }

  use(flat: boolean): void {
    this.flat = flat;
  }

  rod(from: THREE.Vector3, to: THREE.Vector3, radius: number, color: THREE.Color): void {
    const length = this.d.subVectors(to, from).length();
    if (!(length > 0) || !Number.isFinite(length)) return;
    if (this.flat) return this.bands.band(from, to, this.d, radius, radius, color);
    this.q.setFromUnitVectors(Z, this.d.divideScalar(length));
    this.round.shafts.add(this.m.compose(from, this.q, this.s.set(radius, radius, length)), color);
  }

  arrow(from: THREE.Vector3, vector: THREE.Vector3, radius: number, color: THREE.Color, heads = 1): void {
    const length = vector.length();
    if (!(length > 0) || !Number.isFinite(length)) return;
    const head = Math.min(length, 6.5 * radius);
    const thin = Math.min(radius, length / 6);
    const shaft = Math.max(length - head, 1e-9 * length);
    this.d.copy(vector).divideScalar(length);
    if (this.flat) this.bands.band(from, this.to.copy(from).addScaledVector(this.d, shaft), this.d, thin, thin, color);
    else this.round.shafts.add(this.m.compose(from, this.q.setFromUnitVectors(Z, this.d), this.s.set(thin, thin, shaft)), color);
    for (let i = 0; i < heads; i++) {
      this.at.copy(from).addScaledVector(this.d, length - head * (1 + 0.75 * i));
      if (this.flat) this.bands.band(this.at, this.to.copy(this.at).addScaledVector(this.d, head), this.d, 0.42 * head, 0, color);
      else this.round.heads.add(this.m.compose(this.at, this.q, this.s.set(0.42 * head, 0.42 * head, head)), color);
    }
  }

  dot(at: THREE.Vector3, radius: number, color: THREE.Color): void {
    if (this.flat) return this.spots.dot(at, radius, color);
    this.round.dots.add(this.m.compose(at, this.q.identity(), this.s.set(radius, radius, radius)), color);
  }
}
