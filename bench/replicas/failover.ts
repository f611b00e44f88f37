/**
 * `npx tsx bench/replicas/failover.ts [rounds]`: the primary of a running `serve` is killed, its replica is promoted at once,
 * and the first answers are timed from the kill on: of a read that is not cached, of a form that is stored, and of a bare
 * connection that writes to the promoted server, which is the comparison. Each round has a new pair of servers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../src/lib/stats.ts';
import { buildProgram } from '../../test/support/built-program.ts';
import { startReplicated } from '../../test/support/database/replicated-server.ts';
import { freePort } from '../../test/support/free-port.ts';

type Round = { readMs: number; longestReadMs: number; failedReads: number; writeMs: number; bareMs: number };

const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
const rounds: Round[] = [];
try {
  await buildProgram(folder);
  for (let n = 0; n < Number(process.argv[2] ?? 5); n++) rounds.push(await round());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const of = (what: keyof Round) => rounds.map((one) => one[what]);
const shown = (what: keyof Round) =>
  `${median(of(what)).toFixed(0)} (${Math.min(...of(what)).toFixed(0)} to ${Math.max(...of(what)).toFixed(0)})`;
console.log(`rounds     ${rounds.length}; median and range, ms from the kill on`);
console.log(
  `read       first answer ${shown('readMs')}; failed ${of('failedReads').join(', ')}; slowest ${shown('longestReadMs')}`,
);
console.log(`write      first form stored ${shown('writeMs')}`);
console.log(`comparison a bare connection writes to the promoted server ${shown('bareMs')}`);
console.log(`ratio      ${(median(of('writeMs')) / median(of('bareMs'))).toFixed(2)} of the comparison`);

async function round(): Promise<Round> {
  const servers = await startReplicated(1);
  const [replica] = servers.replicas;
  const [port, data] = [await freePort(), mkdtempSync(join(tmpdir(), 'mintmark-bench-'))];
  const hosts = [servers.primary, replica!].map((one) => `127.0.0.1:${one.port}`);
  const env = {
    PATH: process.env.PATH,
    XDG_CONFIG_HOME: '/nonexistent',
    DATABASE_URL: `postgres://operator@${hosts}/mintmark`,
    READ_DATABASE_URLS: replica!.url,
    MINTMARK_DATA: data,
    PORT: String(port),
    LIMITS: 'off',
    CACHE_MB: '0',
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [join(folder, 'bin/mintmark.mjs'), 'serve'], { env, stdio: 'inherit' });
  try {
    const address = `http://127.0.0.1:${port}`;
    const read = () => statusOf(`${address}/v1/games`);
    const write = () =>
      statusOf(`${address}/v1/report`, JSON.stringify({ message: `The price is wrong: ${Math.random()}.` }));
    while ((await read()) !== 200 || (await write()) !== 201) await sleep(50);
    // The replica has been chosen.
    await sleep(1500);
    const killedAt = performance.now();
    await servers.primary.kill();
    const since = () => performance.now() - killedAt;
    const promoted = replica!.run('select pg_promote()');
    const bare = untilDone(() =>
      replica!.run('create table bare ()').then(
        () => true,
        () => false,
      ),
    ).then(since);
    const written = untilDone(async () => (await write()) === 201).then(since);
    const reads: { atMs: number; tookMs: number; status: number }[] = [];
    let isOver = false;
    const reading = untilDone(async () => {
      const begun = performance.now();
      const status = await read();
      reads.push({ atMs: since(), tookMs: performance.now() - begun, status });
      return isOver;
    });
    const [bareMs, writeMs] = await Promise.all([bare, written, promoted]);
    isOver = true;
    await reading;
    return {
      readMs: reads.find(({ status }) => status === 200)!.atMs,
      longestReadMs: Math.max(...reads.map(({ tookMs }) => tookMs)),
      failedReads: reads.filter(({ status }) => status !== 200).length,
      writeMs,
      bareMs,
    };
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await servers.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function untilDone(work: () => Promise<boolean>): Promise<void> {
  while (!(await work())) await sleep(10);
}

async function statusOf(url: string, body?: string): Promise<number> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  return await fetch(url, body === undefined ? {} : post).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
}
