// What `npm run demo`, `npm test` and `npm run verify` call: installs what a fresh clone lacks, says so, then runs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const marker = `${root}node_modules/.installed-lock`;
const [task, ...rest] = process.argv.slice(2);

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Mintmark needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

install();
const tasks = {
  demo: () => mintmark('demo', ...rest),
  mintmark: () => mintmark(...rest),
  test: () => verify(),
  verify: () => verify(),
};
if (!(task in tasks)) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(tasks).join('|')}`);
  process.exit(2);
}
process.exit(tasks[task]());

/** Format and lint, types, tests: the first that fails ends it. */
function verify() {
  return (
    run(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']) ||
    run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit']) ||
    run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.client.json']) ||
    run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'])
  );
}

/** Installs the locked packages when they are not there or the lock has changed since. */
function install() {
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return;
  console.error('Installing packages …');
  // Not `npm ci`: it refuses a lock that leaves out other platforms' optional packages, as some registries make it do.
  // Its processor-only library is in the package; the step would fetch another one for graphics processors.
  process.env.ONNXRUNTIME_NODE_INSTALL = 'skip';
  const status = run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']);
  if (status !== 0) {
    console.error('npm install failed: see the lines above; the packages come from the npm registry.');
    process.exit(status);
  }
  writeFileSync(marker, lock);
}

function mintmark(...args) {
  return run(process.execPath, ['bin/mintmark.mjs', ...args]);
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (result.error) console.error(`${command}: ${result.error.message}`);
  return result.status ?? 1;
}
