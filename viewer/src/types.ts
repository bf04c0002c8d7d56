// types.ts - what a recording says, as plain data.

export interface Words {
  accounts: string[];
  regimes: string[];
  patches: string[];
  extended: string[];
  verdicts: string[];
}

export interface GeomHead {
  name: string;
  body: number;
  type: string;
  size?: number[];
  pose?: { p: number[]; q: number[] };
  friction?: number;
  collides?: boolean;
  extent?: number;
  mesh?: number;
  field?: number;
}

export interface Head {
  format: string;
  tact: string;
  name: string;
  source?: string;
  dt: number;
  every?: number;
  gravity: number[];
  nq: number;
  nv: number;
  options?: Record<string, unknown>;
  energy?: { kinetic: number; potential: number };
  words: Words;
  bodies: { name: string; parent?: number; mass?: number; driven?: boolean }[];
  geoms: GeomHead[];
  meshes?: { vertices: number[][]; faces: number[][] }[];
  fields?: { rows: number; columns: number; half_size: number[]; base: number; heights: number[] }[];
}

/** One contact of one frame; frame C has its z axis along the normal from geom 2 into geom 1. */
export interface Contact {
  geom1: number;
  geom2: number;
  which: number;
  kind: number;
  regime: number;
  extendedKind: number;
  hasCop: boolean;
  pose: Float32Array; // X_WC: p, then q = w x y z
  mu: number;
  radius: number;
  semiAxes: [number, number];
  wrench: Float32Array; // on geom 1 in C: moment, force [N m, N]
  twist: Float32Array; // after the step: omega, v
  closing: Float32Array; // W + Gamma/h: what the load is complementary to
  gap: number;
  slideDirection: [number, number];
  slideSpeed: number;
  frictionLeft: number; // [N]
  momentLeft: number; // [N m]
  cop: [number, number];
  points: Float32Array; // x, y pairs in C
  extended: Float32Array;
}

/** What all steps since the last frame left, and the books so far. */
export interface Frame {
  step: number;
  time: number;
  bodies: Float32Array; // 7 per body
  works: Float64Array;
  kinetic: number; // change since the start [J]
  potential: number;
  moved: number;
  closure: number;
  residual: number;
  penetration: number;
  steps: number;
  iterations: number;
  notConverged: number;
  unsolvedImpacts: number;
  contactCount: number;
  contactBytes: Uint8Array;
  solve: Solve | null; // of its contacts; none without them
}

/** What the contacts of a frame were solved with. */
export interface Solve {
  step: number;
  length: number; // of the step, or where impacts cut it of its last part: loads are means over it [s]
  scale: number; // what the residual is a share of [J^1/2]
}

export interface Impact {
  step: number;
  time: number;
  contacts: number;
  geom1: number;
  geom2: number;
  speed: number;
  work: number;
  verdict: number;
  atItsTime: boolean;
}

/** A compliant contact: its elastic state and how close it is to slipping. */
export interface SoftContact {
  geom1: number;
  geom2: number;
  which: number;
  state: number; // 0 apart, 1 sticks, 2 slips
  pose: Float32Array;
  depth: number; // [m], positive: compressed
  patchAxes: [number, number]; // [m]
  extension: [number, number, number]; // t1, t2 [m], torsion [rad]
  wrench: Float32Array; // on geom 1 in C: moment, force
  energy: number; // [J]
  frictionUse: number; // 0 ... 1
  slipAxes: [number, number, number]; // f_t1, f_t2 [N], m_n [N m]
}

export type Work = number | 'inf' | '-inf' | null;

export interface Certificate {
  step: number;
  time: number;
  contacts: string[];
  verdict: string;
  W_min: Work;
  W_max: Work;
  W_actual: Work;
  why: string[];
  svg?: string;
}

export interface Mode {
  cs: string;
  ss: string;
  dim: number;
  velocity?: number[];
  bodies?: number[][];
  contact_velocities?: number[][];
  faces?: number[];
}

export interface ModeSet {
  title: string;
  policy?: string;
  complete: boolean;
  nv?: number;
  contacts: { name: string; geom1?: number | null; geom2?: number | null; p_W?: number[] | null; n_W?: number[] | null; t_W?: number[][] }[];
  modes: Mode[];
  frame: number; // the frame it stands after in the stream
}

export interface Done {
  status: string;
  steps: number;
  frames: number;
  impacts: number;
  time: number;
  warnings?: string[];
}
