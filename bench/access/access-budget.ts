import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../src/access/keys.ts';
import type { BenchDatabase } from '../http/http-database.ts';
import { type BenchServer, getRequest, startServer } from '../http/http-load.ts';
import { aim } from './access-aim.ts';
import { readRecords, sumOf } from './access-record.ts';

const PROCESSES = 3;
const CLIENTS = 2000;
/** A process takes a 200th of a budget at a time, and loses no more when it is killed. */
const BLOCKS_PER_BUDGET = 200;
const KILL_AT_SHARE = 0.4;

/** Three processes on one database, two thousand clients on one key: each sends requests until it is rejected. */
export async function benchBudgets(database: BenchDatabase, path: string): Promise<void> {
  for (const budget of [10, 100, 10_000]) await trial(database, path, budget, false);
  await trial(database, path, 10_000, true);
}

async function trial({ db, connection }: BenchDatabase, path: string, budget: number, crash: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
  const files = Array.from({ length: PROCESSES }, (_, i) => join(folder, String(i)));
  const env = { DAILY_PARTNER: String(budget), BURST_PARTNER: '0' };
  const servers = await Promise.all(
    files.map((record) => startServer({ serve: 'app', connection, cacheMb: 16, env, record })),
  );
  try {
    const { id, secret } = await issueKey(db, Buffer.alloc(32), 'budget');
    // Longer than a lost notification of the new key takes to be made good.
    await sleep(1500);
    const request = getRequest(path, { 'x-api-key': id, 'x-api-secret': secret });
    const seen = await ask(servers, request, crash ? budget * KILL_AT_SHARE : null);
    judge({ budget, crash, seen, records: files.map(readRecords) });
  } finally {
    for (const server of servers) server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Trial = {
  budget: number;
  crash: boolean;
  /** Answers of success that clients have got. */
  seen: number;
  records: ReturnType<typeof readRecords>[];
};

function judge({ budget, crash, seen, records }: Trial): void {
  const admitted = records.map((one) => sumOf(one, 'admitted'));
  const total = admitted.reduce((sum, one) => sum + one, 0);
  const events = records.flat();
  const firstMs = Math.min(...events.filter((one) => one.what === 'rejected').map((one) => one.atMs));
  const before = records.reduce((sum, one) => sum + spentBefore(one, firstMs), 0);
  const rejected = sumOf(events, 'rejected');
  const figure = `${total} admitted (${admitted.join(' + ')}; clients saw ${seen}), ${rejected} rejected, ${before} spent before the first rejection`;
  if (!crash) {
    aim(
      `budget ${budget}`,
      figure,
      `at most ${budget}, at least 95% of it first`,
      total <= budget && before >= 0.95 * budget,
    );
    return;
  }
  const block = Math.max(1, budget / BLOCKS_PER_BUDGET);
  const good = total <= budget && budget - total <= block && before >= 0.95 * budget - block;
  aim(
    `budget ${budget}, kill -9 of one in the middle`,
    `${figure}; ${budget - total} lost`,
    `at most the budget, short of it by at most the block of ${block} that the killed process held`,
    good,
  );
}

/**
 * Units that a process had spent by a moment: those of the requests that it had admitted, and the one that the database
 * had granted to the request that it admitted next.
 */
function spentBefore(records: ReturnType<typeof readRecords>, atMs: number): number {
  const earlier = records.filter((one) => one.atMs < atMs);
  const granted = earlier.findLastIndex(({ what, units }) => what === 'taken' && units > 0);
  const next = granted === -1 ? undefined : records.slice(granted).find(({ what }) => what !== 'taken');
  return sumOf(earlier, 'admitted') + (next?.what === 'admitted' && next.atMs >= atMs ? 1 : 0);
}

/** Every client sends requests until it is rejected, at another process when its own has ended. Returns the successes. */
async function ask(servers: readonly BenchServer[], request: Buffer, killAt: number | null): Promise<number> {
  let successes = 0;
  let alive = [...servers];
  function success(): void {
    successes++;
    if (killAt === null || successes < killAt || alive.length < PROCESSES) return;
    alive[0]!.kill();
    alive = alive.slice(1);
  }
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, i) => {
      while (true) {
        const { port } = alive[i % alive.length]!;
        if ((await requestUntilRejected(port, request, success)) === 'rejected') return;
        await sleep(20);
      }
    }),
  );
  return successes;
}

function requestUntilRejected(port: number, request: Buffer, onSuccess: () => void): Promise<'rejected' | 'cut'> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const headEnd = received.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
      if (headEnd === -1 || received.length < headEnd + 4 + length) return;
      const status = received.slice(9, 12);
      received = '';
      if (status === '200') {
        onSuccess();
        socket.write(request);
        return;
      }
      socket.destroy();
      if (status === '429') resolve('rejected');
      else reject(new Error(`answered ${status}`));
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve('cut'));
  });
}
