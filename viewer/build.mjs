// build.mjs - one page out of src/: `node build.mjs [output]` writes dist/viewer.html, the same bytes every time.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'dist', 'viewer.html');
const read = (name) => readFileSync(join(here, name), 'utf8');

/** The licences of what is bundled ask to be kept with it. */
function notices() {
  const parts = ['three', 'uplot'].map((name) => {
    const { version } = JSON.parse(read(`node_modules/${name}/package.json`));
    return `${name} ${version}\n\n${read(`node_modules/${name}/LICENSE`).trim()}`;
  });
  return `This page holds parts of these libraries.\n\n${parts.join('\n\n')}\n`;
}

async function bundle(entry, loader) {
  const result = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, charset: 'utf8',
    format: 'iife', target: 'es2022', legalComments: 'none', logLevel: 'warning', ...loader,
  });
  return result.outputFiles[0].text.trim();
}

const script = await bundle('src/main.ts');
const style = (await bundle('node_modules/uplot/dist/uPlot.min.css')) + (await bundle('src/theme.css'));
const marker = '<!--tact-data' + '-->';
let page = read('src/index.html').replace('<!doctype html>', () => `<!doctype html>\n<!--\n${notices()}-->`);
page = page.replace('/*STYLE*/', () => style).replace('/*SCRIPT*/', () => script);
if (page.split(marker).length !== 2) throw new Error('the marker of the data must stand in the page exactly once');
if (/<\/script/i.test(script)) throw new Error('the script must not hold its own end');
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1024).toFixed(0)} kB`);
