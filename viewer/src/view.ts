// view.ts - the view of the scene with its tools: what is pointed at, legend with scale bars, layers.
import * as THREE from 'three';
import { App, byId, el } from './app';
import { contactRows, facts } from './contactpage';
import { Contacts3d, LAYERS } from './contacts3d';
import { niceBelow, quantity, seconds, words } from './format';
import { hueOf, HUES, onTheme } from './palette';
import { geomName } from './recording';
import { Scene3d } from './scene3d';

const NEAR = 18; // pixels within which a contact is pointed at

export class View {
  readonly scene: Scene3d;
  readonly contacts: Contacts3d;
  private place = byId('view');
  private tip = byId('tip');
  private loaded = false;
  private stale = true; // contacts must be drawn again
  private coarse = false; // as they were drawn last
  private pointer: { x: number; y: number } | null = null;
  private pressed: { x: number; y: number } | null = null;
  private lastPixel = 0;
  private scaledFor = 0;
  private v = new THREE.Vector3();

  /** Throws where there is no WebGL. */
  constructor(private readonly app: App, heavy: boolean) {
    this.scene = new Scene3d(this.place, heavy);
    this.contacts = new Contacts3d(this.scene.scene);
    app.on('frame', () => this.show());
    app.on(['select', 'hover'], () => (this.stale = this.scene.dirty = true));
    app.on('data', () => this.grown());
    onTheme(() => {
      this.scene.recolour();
      this.contacts.recolour();
      this.stale = true;
    });
    this.listen();
    this.setUpTools();
  }

  private listen(): void {
    const canvas = this.scene.renderer.domElement;
    canvas.addEventListener('pointermove', (e) => (this.pointer = e.buttons ? null : { x: e.offsetX, y: e.offsetY }));
    canvas.addEventListener('pointerleave', () => {
      this.pointer = null;
      this.tip.hidden = true;
      this.app.hover(null);
    });
    canvas.addEventListener('pointerdown', (e) => {
      this.pressed = { x: e.offsetX, y: e.offsetY };
      this.tip.hidden = true;
    });
    canvas.addEventListener('click', (e) => {
      const moved = this.pressed ? Math.hypot(e.offsetX - this.pressed.x, e.offsetY - this.pressed.y) : 0;
      if (moved < 4) this.app.select(this.contactAt(e.offsetX, e.offsetY) ?? null);
    });
    canvas.addEventListener('dblclick', () => this.goToSelected());
  }

  private setUpTools(): void {
    const layers = byId('layers');
    for (const l of LAYERS) {
      const box = el('input', { type: 'checkbox' });
      box.checked = this.contacts.layers[l.key];
      box.addEventListener('change', () => {
        this.contacts.layers[l.key] = box.checked;
        this.stale = this.scene.dirty = true;
      });
      layers.append(el('label', { title: l.title }, box, l.label));
    }
    byId('frame').addEventListener('click', () => this.scene.frameNow(this.app.frame));
    byId('xray').addEventListener('click', () => this.toggleXray());
    byId('layersButton').addEventListener('click', () => this.toggleLayers());
  }

  toggleXray(): void {
    const on = byId('xray').getAttribute('aria-pressed') !== 'true';
    byId('xray').setAttribute('aria-pressed', String(on));
    this.scene.setXray(on);
  }

  toggleLayers(): void {
    const box = byId('layers');
    box.hidden = !box.hidden;
    byId('layersButton').setAttribute('aria-expanded', String(!box.hidden));
  }

  zoomArrows(by: number): void {
    this.contacts.zoom = Math.max(1 / 64, Math.min(64, this.contacts.zoom * by));
    this.stale = this.scene.dirty = true;
  }

  goToSelected(): void {
    const target = this.contacts.targets.find((t) => t.key === this.app.selected);
    if (target) this.scene.focus(target.at.clone(), target.reach);
  }

  private grown(): void {
    const r = this.app.recording;
    if (!r.head || !r.frames.length) return;
    if (!this.loaded) {
      this.loaded = true;
      this.scene.load(r);
      this.show();
    }
    // Scales follow a growing run, seldom: arrows should not breathe.
    if (r.frames.length >= 2 * this.scaledFor) {
      this.scaledFor = r.frames.length;
      this.contacts.scaleTo(r, this.scene.size);
      this.stale = true;
    }
  }

  /** For another recording. */
  clear(): void {
    this.scene.clear();
    this.contacts.draw(this.app.recording, 0, null, null, 1);
    this.loaded = false;
    this.scaledFor = 0;
  }

  /** All has been read: the camera may see the whole way. */
  settle(): void {
    if (!this.loaded) return;
    this.contacts.scaleTo(this.app.recording, this.scene.size);
    this.stale = this.scene.dirty = true;
  }

  private show(): void {
    const f = this.app.recording.frames[this.app.frame];
    if (!f || !this.loaded) return;
    this.scene.pose(f.bodies);
    this.stale = true;
    byId('clock').replaceChildren(el('b', {}, seconds(f.time)), `step ${f.step}`);
  }

  /** One picture; true where something was drawn. */
  draw(now: number): boolean {
    const pixel = this.scene.metresPerPixel();
    if (this.loaded && Math.abs(pixel / this.lastPixel - 1) > 0.03) this.stale = true;
    if (this.loaded && this.stale) this.scene.dirty = true;
    const level = this.scene.due(now);
    if (level !== null) {
      if (this.loaded && (this.stale || this.coarse !== level > 0)) this.drawContacts(pixel, level > 0);
      this.scene.draw(level);
    }
    if (this.pointer) {
      this.point(this.pointer.x, this.pointer.y);
      this.pointer = null;
    }
    return level !== null;
  }

  private drawContacts(pixel: number, coarse: boolean): void {
    this.stale = false;
    this.coarse = coarse;
    this.lastPixel = pixel;
    this.contacts.draw(this.app.recording, this.app.showingMode ? -1 : this.app.frame, this.app.selected, this.app.hovered, pixel, coarse);
    this.legend(pixel);
  }

  private onScreen(p: THREE.Vector3): THREE.Vector3 {
    this.v.copy(p).project(this.scene.camera);
    this.v.x = ((this.v.x + 1) / 2) * this.place.clientWidth;
    this.v.y = ((1 - this.v.y) / 2) * this.place.clientHeight;
    return this.v;
  }

  /** Where a contact is on the screen [px], for tests and labels. */
  screenOf(key: string): { x: number; y: number } | null {
    const target = this.contacts.targets.find((t) => t.key === key);
    if (!target) return null;
    const s = this.onScreen(target.at);
    return { x: s.x, y: s.y };
  }

  contactAt(x: number, y: number): string | undefined {
    let best = NEAR ** 2, key: string | undefined;
    for (const t of this.contacts.targets) {
      const s = this.onScreen(t.at);
      const d = (s.x - x) ** 2 + (s.y - y) ** 2;
      if (s.z < 1 && d < best) {
        best = d;
        key = t.key;
      }
    }
    return key;
  }

  private point(x: number, y: number): void {
    const key = this.contactAt(x, y);
    this.app.hover(key ?? null);
    if (key) this.tipOfContact(key);
    else {
      const geom = this.scene.pick(x, y);
      if (geom < 0) {
        this.tip.hidden = true;
        return;
      }
      this.tipOfGeom(geom);
    }
    const w = this.place.clientWidth, h = this.place.clientHeight;
    this.tip.style.left = `${Math.max(4, x + 18 + this.tip.offsetWidth > w ? x - this.tip.offsetWidth - 14 : x + 18)}px`;
    this.tip.style.top = `${Math.max(4, Math.min(y + 14, h - this.tip.offsetHeight - 6))}px`;
  }

  private tipOfContact(key: string): void {
    const row = contactRows(this.app).find((r) => r.key === key);
    if (!row) return;
    this.tip.replaceChildren(
      el('h4', {}, el('span', { class: 'dot', style: `--c:var(--${row.hue})` }), row.name),
      el('div', { class: 'quiet' }, words(row.regime)),
      el('table', {}, ...facts(this.app, row).map(([a, b]) => el('tr', {}, el('td', { class: 'quiet' }, a), el('td', {}, b)))));
    this.tip.hidden = false;
  }

  private tipOfGeom(geom: number): void {
    const r = this.app.recording;
    const g = r.head!.geoms[geom];
    const body = r.head!.bodies[g.body];
    const at = this.app.recording.frames[this.app.frame]?.bodies.subarray(7 * g.body, 7 * g.body + 3);
    const rows: [string, string][] = [['body', g.body === 0 ? 'the world' : body.name || `body ${g.body}`], ['shape', g.type]];
    if (body.mass) rows.push(['mass', `${Number(body.mass.toPrecision(4))} kg`]);
    if (g.friction !== undefined) rows.push(['friction μ', String(Number(g.friction.toPrecision(3)))]);
    if (at && g.body > 0) rows.push(['at', `${[...at].map((v) => v.toFixed(3)).join(', ')} m`]);
    this.tip.replaceChildren(el('h4', {}, geomName(r, geom)),
      el('table', {}, ...rows.map(([a, b]) => el('tr', {}, el('td', { class: 'quiet' }, a), el('td', {}, b)))));
    this.tip.hidden = false;
  }

  /** The regimes that occur in this run, and how long a force and a metre are. */
  private legend(pixel: number): void {
    const r = this.app.recording;
    const seen = new Set<string>();
    r.head?.words.regimes.forEach((name, i) => {
      if (r.regimeCounts[this.app.frame]?.[i]) seen.add(hueOf(name));
    });
    if (r.soft.size) seen.add('soft');
    const force = niceBelow((110 * pixel) / (this.contacts.forceScale * this.contacts.zoom));
    const length = niceBelow(110 * pixel);
    const bar = (px: number, text: string, title: string): HTMLElement =>
      el('span', { class: 'key', title }, el('span', { class: 'bar2', style: `width:${px.toFixed(1)}px` }), text);
    byId('legend').replaceChildren(
      ...HUES.filter((h) => seen.has(h)).map((h) => el('span', { class: 'key' }, el('i', { style: `--c:var(--${h})` }), h)),
      ...(r.series.size ? [bar((force * this.contacts.forceScale * this.contacts.zoom) / pixel, quantity(force, 'N'), 'length of a force')] : []),
      bar(length / pixel, quantity(length, 'm'), 'a length in the middle of the view'));
  }
}
