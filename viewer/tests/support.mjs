// support.mjs - what both kinds of tests share: paths, recordings made once, the page around a recording, a browser.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(here);
export const PYTHON = '/usr/bin/python3';
export const CHROMIUM = process.env.TACT_CHROMIUM ?? '/usr/bin/chromium';
const work = process.env.TACT_VIEWER_WORK;
const tact = process.env.TACT;
if (!work || !tact) throw new Error('run tests/run.sh PATH_OF_TACT');

export const SCENES = ['foot_roll_over', 'box_tower', 'tipping_box', 'newtons_cradle', 'quadruped_standing'];

const weave = (...words) => execFileSync(PYTHON, ['-B', join(here, 'weave.py'), ...words]);

/** The folder of recordings; each is made when it is missing. */
export function recordings() {
  mkdirSync(work, { recursive: true });
  const make = (name, how) => existsSync(join(work, name)) || how(join(work, name));
  for (const scene of SCENES)
    make(`${scene}.tact`, (out) => execFileSync(tact, ['sim', scene, '--duration', scene === 'box_tower' ? '10' : '2', '--record', out], { stdio: 'ignore' }));
  make('rocking_block.tact', (out) => execFileSync(tact, ['sim', 'rocking_block', '--duration', '0.7', '--every', '1', '--record', out], { stdio: 'ignore' }));
  make('terrain.tact', (out) => execFileSync(tact, ['sim', join(here, 'terrain.xml'), '--duration', '0.5', '--record', out], { stdio: 'ignore' }));
  make('woven.tact', (out) => weave(join(work, 'tipping_box.tact'), out));
  make('many.tact', (out) => weave('--many', '1000', out));
  for (const odd of ['empty', 'head', 'one-frame', 'nan', 'placeless']) make(`${odd}.tact`, (out) => weave('--odd', odd, out));
  return work;
}

/** The TypeScript of the page as a module of Node. */
export async function bundled() {
  const outfile = join(work, 'testing.mjs');
  mkdirSync(work, { recursive: true });
  await build({ absWorkingDir: root, entryPoints: ['src/testing.ts'], bundle: true, format: 'esm', outfile, logLevel: 'warning' });
  return import(pathToFileURL(outfile));
}

export const MARKER = '<!--tact-data' + '-->';

/** The page with data in place of its marker, as the program writes it; the address of the file. */
export function pageOf(name, data) {
  const page = readFileSync(join(root, 'dist', 'viewer.html'), 'utf8');
  const out = join(work, `${name}.html`);
  writeFileSync(out, page.replace(MARKER, () => data));
  return pathToFileURL(out).href;
}

export function pageOfRecording(name) {
  const base64 = readFileSync(join(recordings(), `${name}.tact`)).toString('base64');
  return pageOf(name, `<script type="text/plain" id="tact-recording">${base64}</script>`);
}

export async function browser(extra = []) {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', ...extra],
  });
}
