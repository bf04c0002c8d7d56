// pools3d.ts - marks drawn over the bodies: instances and triangles in buffers that only grow.
import * as THREE from 'three';

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
    this.positions.needsUpdate = true;
    this.colors.needsUpdate = true;
  }
}

const Z = new THREE.Vector3(0, 0, 1);

interface MarkSet {
  shafts: InstancePool;
  heads: InstancePool;
  dots: InstancePool;
}

/** Arrows, rods and dots between points, sized in metres; fine ones, or plain ones where there are many. */
export class Marks {
  private fine: MarkSet;
  private plain: MarkSet;
  private now: MarkSet;
  private m = new THREE.Matrix4();
  private q = new THREE.Quaternion();
  private s = new THREE.Vector3();
  private d = new THREE.Vector3();
  private at = new THREE.Vector3();

  constructor(parent: THREE.Object3D, order = 3, hidden = 0.35) {
    this.fine = markSet(parent, new THREE.CylinderGeometry(1, 1, 1, 6, 1, true), new THREE.ConeGeometry(1, 1, 10, 1), new THREE.IcosahedronGeometry(1, 1), order, hidden);
    this.plain = markSet(parent, new THREE.CylinderGeometry(1, 1, 1, 3, 1, true), new THREE.ConeGeometry(1, 1, 4, 1, true), new THREE.OctahedronGeometry(1, 0), order, 0);
    this.now = this.fine;
  }

  begin(): void {
    for (const set of [this.fine, this.plain]) for (const pool of [set.shafts, set.heads, set.dots]) pool.begin();
  }

  end(): void {
    for (const set of [this.fine, this.plain]) for (const pool of [set.shafts, set.heads, set.dots]) pool.end();
  }

  /** Plain marks have few facets and do not shine through bodies. */
  use(fine: boolean): void {
    this.now = fine ? this.fine : this.plain;
  }

  rod(from: THREE.Vector3, to: THREE.Vector3, radius: number, color: THREE.Color): void {
    const length = this.d.subVectors(to, from).length();
    if (!(length > 0) || !Number.isFinite(length)) return;
    this.q.setFromUnitVectors(Z, this.d.divideScalar(length));
    this.now.shafts.add(this.m.compose(from, this.q, this.s.set(radius, radius, length)), color);
  }

  arrow(from: THREE.Vector3, vector: THREE.Vector3, radius: number, color: THREE.Color, heads = 1): void {
    const length = vector.length();
    if (!(length > 0) || !Number.isFinite(length)) return;
    const head = Math.min(length, 6.5 * radius);
    this.d.copy(vector).divideScalar(length);
    this.q.setFromUnitVectors(Z, this.d);
    const thin = Math.min(radius, length / 6);
    this.now.shafts.add(this.m.compose(from, this.q, this.s.set(thin, thin, Math.max(length - head, 1e-9 * length))), color);
    for (let i = 0; i < heads; i++) {
      this.at.copy(from).addScaledVector(this.d, length - head * (1 + 0.75 * i));
      this.now.heads.add(this.m.compose(this.at, this.q, this.s.set(0.42 * head, 0.42 * head, head)), color);
    }
  }

  dot(at: THREE.Vector3, radius: number, color: THREE.Color): void {
    this.now.dots.add(this.m.compose(at, this.q.identity(), this.s.set(radius, radius, radius)), color);
  }
}

function markSet(parent: THREE.Object3D, shaft: THREE.BufferGeometry, head: THREE.BufferGeometry, dot: THREE.BufferGeometry, order: number, hidden: number): MarkSet {
  const along = (g: THREE.BufferGeometry): THREE.BufferGeometry => g.translate(0, 0.5, 0).rotateX(Math.PI / 2);
  return {
    shafts: new InstancePool(parent, along(shaft), 1, hidden, order),
    heads: new InstancePool(parent, along(head), 1, hidden, order),
    dots: new InstancePool(parent, dot, 1, hidden, order + 1),
  };
}
