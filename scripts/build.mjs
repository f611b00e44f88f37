// `npm run build`: compiles src/ into dist/, anew, and copies the data files that the program reads beside its code.
// With a folder as its argument it builds there instead and leaves the types unchecked, as the tests do.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const elsewhere = process.argv[2] === undefined ? [] : ['--noCheck', '--outDir', resolve(process.argv[2])];
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const dist = elsewhere.at(-1) ?? 'dist';
rmSync(dist, { recursive: true, force: true });
// The browsers' scripts have types of their own; they stay modules, which the server bundles when it starts.
for (const project of ['tsconfig.build.json', 'tsconfig.client-build.json']) {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, ...elsewhere], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
cpSync('src', dist, {
  recursive: true,
  filter: (path) =>
    statSync(path).isDirectory() || ['.json', '.ndjson', '.svg', '.txt', '.css'].includes(extname(path)),
});
