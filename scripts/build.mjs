// `npm run build`: checks the types, bundles src/ into dist/, anew, and copies the data files that the program reads next
// to its code. With a folder as its argument it builds there instead and leaves the types unchecked, as the tests do.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { bundlePrograms } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');
const [elsewhere] = process.argv.slice(2);
const dist = resolve(elsewhere ?? join(root, 'dist'));
for (const project of elsewhere === undefined ? ['tsconfig.json', 'tsconfig.client.json'] : []) {
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', join(root, project)];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
rmSync(dist, { recursive: true, force: true });
for (const name of readdirSync(src, { recursive: true }))
  if (['.json', '.ndjson', '.txt', '.css'].includes(extname(name))) cpSync(join(src, name), join(dist, name));
await bundlePrograms({
  // The program, and what it starts as threads and processes of its own.
  entries: [
    'main.ts',
    'vision/pool/photo-worker.ts',
    'vision/vectors/scan-thread.ts',
    'search/index/index-thread.ts',
    'sales/titles-thread.ts',
  ],
  base: src,
  folder: dist,
  build: dist,
});
cpSync(join(root, 'node_modules/typebox/license'), join(dist, 'chunks/typebox.license'));
// The day and the commit, for `mintmark --version`; none without git.
const { stdout } = spawnSync('git', ['-C', root, 'log', '-1', '--format=%cs, %h'], { encoding: 'utf8' });
writeFileSync(join(dist, 'built-from.txt'), stdout ?? '');
// The browsers' scripts: the server minifies them when it starts.
const scripts = join(src, 'web/client');
await esbuild.build({
  entryPoints: readdirSync(scripts).flatMap((name) => (name.endsWith('.ts') ? join(scripts, name) : [])),
  outdir: join(dist, 'web/client'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
});
