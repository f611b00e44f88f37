// What `npm run demo`, `npm test`, `npm run package` and others call: installs what a fresh clone lacks, says so, then runs.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [task, ...rest] = process.argv.slice(2);

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Mintmark needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

const tasks = {
  demo: () => mintmark('demo', ...rest),
  mintmark: () => mintmark(...rest),
  test: verify,
  verify,
  build: () => import('./build.mjs'),
  package: () => import('./package.mjs'),
  mutants: async () => {
    process.exitCode = await run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'test/mutants/run.ts', ...rest]);
  },
};
if (!(task in tasks)) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(tasks).join('|')}`);
  process.exit(2);
}
await install();
// The scripts have the arguments that they would have by themselves.
process.argv.splice(2, 1);
await tasks[task]();

/** The program in this very process, so that a signal to it is a signal to the program. */
async function mintmark(...args) {
  process.argv = [process.argv[0], `${root}bin/mintmark.mjs`, ...args];
  await import('../bin/mintmark.mjs');
}

/** Format and lint, unused code and packages, words, types, side by side; then the tests (of the files given, else all). */
async function verify() {
  const checks = [
    ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    ['node_modules/knip/bin/knip.js'],
    ['scripts/words.mjs'],
    ['node_modules/typescript/bin/tsc', '--noEmit'],
    ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.client.json'],
  ];
  const codes = await Promise.all(checks.map((check) => run(process.execPath, check)));
  const tests = ['node_modules/vitest/vitest.mjs', 'run', ...rest];
  process.exitCode = codes.find((code) => code !== 0) ?? (await run(process.execPath, tests));
}

/** Installs what the lock names, unless it is there: a `npm ci` of anybody's will do, with `--omit=dev` where no test runs. */
async function install() {
  // The generators of API clients are packages of their own: they need another TypeScript.
  for (const folder of tasks[task] === verify ? [root, `${root}test/clients/`] : [root]) {
    if (isInstalled(folder)) continue;
    console.error('Installing packages …');
    const status = await run('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']);
    if (status === 0) continue;
    console.error('npm ci failed: see the lines above; the packages come from the npm registry.');
    process.exit(status);
  }
}

/** Compares the lock with npm's own record of what it has installed; other platforms' packages are optional. */
function isInstalled(folder) {
  const record = `${folder}node_modules/.package-lock.json`;
  if (!existsSync(record)) return false;
  const [locked, installed] = [`${folder}package-lock.json`, record].map(
    (path) => JSON.parse(readFileSync(path)).packages,
  );
  const needsTools = !['demo', 'mintmark'].includes(task);
  return Object.entries(locked).every(
    ([path, { version, optional, dev, devOptional }]) =>
      path === '' || optional || devOptional || (dev && !needsTools) || installed[path]?.version === version,
  );
}

/** Runs a command and passes signals on to it, so that none outlives this process; resolves with its exit code. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
    const passOn = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn);
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (status, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, passOn);
      resolve(status ?? 128 + constants.signals[signal]);
    });
  });
}
