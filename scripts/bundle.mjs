import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
/** Placeholder for the relative path from an output file to the folder of the build: a bundle is written in several folders. */
const TO_BUILD = '@path-to-build@';

/**
 * Bundles programs (`entries`, below `base`) into `folder`: our modules and those of the schema library, some 1,100 files
 * that would be read one by one at every start. Other packages are imported, not bundled. A module finds the data files it
 * reads relative to its own place in `build`, as if it had been compiled there.
 */
export async function bundlePrograms({ entries, base, folder, build }) {
  const { outputFiles } = await esbuild.build({
    entryPoints: entries.map((entry) => resolve(base, entry)),
    outbase: base,
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    plugins: [{ name: 'external packages, import.meta.url', setup }],
  });
  for (const { path, text } of outputFiles) {
    const toBuild = relative(dirname(path), build).split(sep).join('/');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll(TO_BUILD, toBuild.startsWith('.') ? toBuild : `./${toBuild}`));
  }
}

function setup({ onResolve, onLoad }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || /^typebox\b/.test(path) ? null : { path, external: true },
  );
  onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
    if (!path.startsWith(SOURCES)) return null;
    const place = relative(SOURCES, path).split(sep).join('/').replace(/tsx?$/, 'js');
    const text = await readFile(path, 'utf8');
    return {
      contents: text.replaceAll('import.meta.url', `new URL('${TO_BUILD}/${place}', import.meta.url).href`),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    };
  });
}
