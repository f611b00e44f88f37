/** A process that loads the vectors of `bench/vision/vectors.ts` as a server does after a restart, and answers its queries. */
import type { ClientConfig } from 'pg';
import { pino } from 'pino';
import type { Game } from '../../src/catalog/games.ts';
import { openDb } from '../../src/db/client.ts';
import { openNearest } from '../../src/vision/vectors/nearest.ts';
import { ownCpuMs } from '../search/search-measure.ts';
import { distortedDescriptors } from './distorted.ts';

export type ReaderTask = {
  connection: ClientConfig;
  model: string;
  pictures: string;
  queries: { count: number; seed: number; cachePath: string };
  games: (Game | null)[];
};
export type ReaderReport = {
  restartMs: number;
  size: number;
  /** By how much the process grew. */
  residentMb: number;
  /** By game as given: ids found for each query, and sorted milliseconds. */
  rounds: { found: string[][]; sortedMs: number[]; sortedCpuMs: number[] }[];
};

const K = 10;
const WARM_UP = 50;

process.once('message', async ({ connection, model, pictures, queries, games }: ReaderTask) => {
  const vectors = await distortedDescriptors(pictures, queries);
  const db = openDb({ connection, poolSize: 2 });
  const residentBefore = process.memoryUsage().rss;
  const began = performance.now();
  const nearest = await openNearest({ db, log: pino({ level: 'silent' }) });
  await nearest.warm();
  const restartMs = performance.now() - began;
  const rounds: ReaderReport['rounds'] = [];
  for (const game of games) {
    const found: string[][] = [];
    const times: number[] = [];
    const cpuTimes: number[] = [];
    for (let i = 0; i < queries.count; i++) {
      const query = vectors.subarray(i * 512, (i + 1) * 512);
      const from = performance.now();
      const cpuFrom = ownCpuMs();
      const hits = await nearest.nearest(model, query, K, game);
      times.push(performance.now() - from);
      cpuTimes.push(ownCpuMs() - cpuFrom);
      found.push(hits.map(({ itemId }) => itemId));
    }
    const sorted = (ms: readonly number[]) => ms.slice(WARM_UP).sort((a, b) => a - b);
    rounds.push({ found, sortedMs: sorted(times), sortedCpuMs: sorted(cpuTimes) });
  }
  const size = await nearest.size(model);
  const residentMb = (process.memoryUsage().rss - residentBefore) / 2 ** 20;
  process.send!({ restartMs, size, residentMb, rounds } satisfies ReaderReport);
  await nearest.close();
  await db.close();
  process.disconnect();
});
