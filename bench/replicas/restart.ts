/**
 * `npx tsx bench/replicas/restart.ts [seconds...]`: PostgreSQL under a running `serve` is stopped and is away for so many seconds (1, 2
 * and 4 unless given), while every 50 ms a read and a page are asked for, neither cached. Prints how many failed and the slowest of
 * each (aim: none failed), and the slowest answer of `/ready`, which does not wait.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '../../src/db/client.ts';
import { buildProgram } from '../../test/support/built-program.ts';
import { startReplicated } from '../../test/support/database/replicated-server.ts';
import { freePort } from '../../test/support/free-port.ts';
import { fillPricedItems } from '../http/http-database.ts';

type Answer = { status: number; tookMs: number };

const EVERY_MS = 50;
/** Before the server is stopped, and after it is back. */
const AROUND_MS = 2000;

const away = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 2, 4];
const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
const { primary, stop } = await startReplicated(0);
const program = await buildProgram(folder);
const db = openDb({ connection: { connectionString: primary.url }, poolSize: 2 });
const [overview] = await fillPricedItems(db, 300);
await db.close();
const port = await freePort();
const env = {
  PATH: process.env.PATH,
  XDG_CONFIG_HOME: '/nonexistent',
  DATABASE_URL: primary.url,
  MINTMARK_DATA: folder,
  PORT: String(port),
  LIMITS: 'off',
  CACHE_MB: '0',
  LOG_LEVEL: 'silent',
};
const child = spawn(process.execPath, [program, 'serve'], { env, stdio: 'inherit' });
try {
  const paths = { read: overview!, page: '/sales', ready: '/ready' };
  while ((await ask(paths.ready)).status !== 200) await sleep(50);
  for (const path of Object.values(paths))
    if ((await ask(path)).status !== 200) throw new Error(`${path} is not served`);
  for (const seconds of away) await trial(seconds, paths);
} finally {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

async function trial(seconds: number, paths: Record<string, string>): Promise<void> {
  const asked: { name: string; answer: Promise<Answer> }[] = [];
  let isOver = false;
  const asking = (async () => {
    for (; !isOver; await sleep(EVERY_MS))
      for (const [name, path] of Object.entries(paths)) asked.push({ name, answer: ask(path) });
  })();
  await sleep(AROUND_MS);
  await primary.kill();
  await sleep(seconds * 1000);
  await primary.start();
  await sleep(AROUND_MS);
  isOver = true;
  await asking;
  const figures = await Promise.all(
    Object.keys(paths).map(async (name) => {
      const answers = await Promise.all(asked.filter((one) => one.name === name).map(({ answer }) => answer));
      const failed = answers.filter(({ status }) => status !== 200).length;
      const slowest = Math.max(...answers.map(({ tookMs }) => tookMs));
      return `${name} ${failed} of ${answers.length} not 200, slowest ${slowest.toFixed(0)} ms`;
    }),
  );
  console.log(`away ${seconds} s: ${figures.join('; ')}`);
}

async function ask(path: string): Promise<Answer> {
  const begun = performance.now();
  const status = await fetch(`http://127.0.0.1:${port}${path}`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { status, tookMs: performance.now() - begun };
}
