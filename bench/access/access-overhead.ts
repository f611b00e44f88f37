import { get } from 'node:http';
import { issueKey } from '../../src/access/keys.ts';
import type { BenchDatabase } from '../http/http-database.ts';
import { type BenchServer, getRequest, load, startServer } from '../http/http-load.ts';
import { aim, middle, spread } from './access-aim.ts';

/** Many short ones: where others have the machine for a moment, few pairs of rounds differ by that. */
const ROUNDS = 21;
const SECONDS = 0.5;
const CONNECTIONS = 16;
const MAX_RATIO = 2.2;
const MAX_MICROS = 8;
const MIN_A_SECOND = 10_000;

/**
 * A hot overview with guard, quota, ETag and every header next to bare `node:http` sending the same Buffer, and next to
 * itself with limits off: server CPU a request, rounds alternating.
 */
export async function benchHotReads({ db, connection }: BenchDatabase, path: string): Promise<void> {
  const { id, secret } = await issueKey(db, Buffer.alloc(32), 'hot');
  const env = {
    DAILY_PARTNER: '900000000',
    DAILY_PUBLIC: '900000000',
    BURST_PARTNER: '100000000',
    BURST_PUBLIC: '100000000',
  };
  const app = (more: Record<string, string>) => startServer({ serve: 'app', connection, cacheMb: 64, env: more });
  const [on, off] = await Promise.all([app(env), app({ LIMITS: 'off' })]);
  const body = await bodyOf(on.port, path);
  const bare = await startServer({ serve: 'buffer', body: body.toString('base64') });
  try {
    const callers = {
      public: getRequest(path),
      partner: getRequest(path, { 'x-api-key': id, 'x-api-secret': secret }),
    };
    for (const [name, request] of Object.entries(callers)) {
      const figures: Record<'bare' | 'on' | 'off', number[]> = { bare: [], on: [], off: [] };
      for (let i = -1; i < ROUNDS; i++)
        for (const [which, server] of [
          ['bare', bare],
          ['on', on],
          ['off', off],
        ] as const) {
          const micros = await round(server, request);
          if (i >= 0) figures[which].push(micros);
        }
      const ratios = figures.on.map((micros, i) => micros / figures.bare[i]!);
      const aSecond = 1e6 / middle(figures.on);
      const both = `${spread(figures.on, 1)} µs next to ${spread(figures.bare, 1)} µs`;
      aim(
        `hot read, ${name}, next to bare node:http`,
        `${spread(ratios)} x: ${both}`,
        `at most ${MAX_RATIO}`,
        middle(ratios) <= MAX_RATIO,
      );
      aim(
        `hot read, ${name}, one core`,
        `${Math.round(aSecond)} requests/s`,
        `at least ${MIN_A_SECOND}`,
        aSecond >= MIN_A_SECOND,
      );
      const costs = figures.on.map((micros, i) => micros - figures.off[i]!);
      aim(
        `limits on less limits off, ${name}`,
        `${spread(costs, 1)} µs CPU (off: ${spread(figures.off, 1)})`,
        `at most ${MAX_MICROS}`,
        middle(costs) <= MAX_MICROS,
      );
    }
  } finally {
    for (const server of [on, off, bare]) server.stop();
  }
}

async function round(server: BenchServer, request: Buffer): Promise<number> {
  const before = await server.usage();
  const { requests } = await load(server.port, { connections: CONNECTIONS, seconds: SECONDS, next: () => request });
  return ((await server.usage()).cpuMicros - before.cpuMicros) / requests;
}

function bodyOf(port: number, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get({ port, path }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks));
    }).once('error', reject);
  });
}
