// What `npm run test:citus` calls: runs the test files that pass on a cluster of Citus, on one that it starts and ends.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FILES = [
  'test/db/distribute/placement.test.ts',
  'test/catalog/import-ids.test.ts',
  'test/items/detail.test.ts',
  'test/items/overview.test.ts',
  'test/items/upstream.test.ts',
  'test/sales/import.test.ts',
];

const cluster = resolve(process.env.CITUS_CLUSTER ?? '../shared/citus/cluster.sh');
if (!existsSync(cluster)) {
  console.warn(`skipped: the tests on a cluster need ${cluster}`);
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), 'mintmark-citus-'));
// As root, its servers are another user's.
chmodSync(folder, 0o711);
const run = (...args) => execFileSync(cluster, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const CITUS_URL = run('start', join(folder, 'cluster'), '15700').trim().split('\n').at(-1);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...FILES];
  process.exitCode =
    spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, CITUS_URL } }).status ?? 1;
} finally {
  run('stop', join(folder, 'cluster'));
  rmSync(folder, { recursive: true, force: true });
}
