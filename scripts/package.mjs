// `npm run package`: builds, and packs what an installation needs into mintmark-<version>.tgz. The lock goes along, so
// that `npm install --global` of the file installs the very versions that were tested.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await import('./build.mjs');
// npm leaves package-lock.json out of every package, and heeds this name only.
cpSync('package-lock.json', 'npm-shrinkwrap.json');
const { status } = spawnSync('npm', ['pack', '--loglevel=error'], { stdio: 'inherit' });
rmSync('npm-shrinkwrap.json');
process.exitCode = status ?? 1;
