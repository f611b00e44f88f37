/** A process that builds one text search over the catalog of a database, and answers the queries of `bench/peers/peers.ts`. */
import type { ClientConfig } from 'pg';
import { openDb } from '../../src/db/client.ts';
import { type Cost, medianCosts, ownCpuMs } from '../search/search-measure.ts';
import { TEXT_ENGINES, type TextEngineName } from './text-engines.ts';

export type TextTask = { engine: TextEngineName; connection: ClientConfig; queries: string[] };
export type TextReport = {
  /** Reading the items from PostgreSQL included. */
  buildCpuMs: number;
  /** By how much the process grew, in MB, and the size of its files. */
  residentMb: number;
  fileMb: number;
  found: string[][];
  costs: Cost[];
};

const ROUNDS = 3;
const MB = 2 ** 20;

process.once('message', async ({ engine, connection, queries }: TextTask) => {
  const db = openDb({ connection, poolSize: 2 });
  await db.query('select 1');
  const residentBefore = resident();
  const cpuBefore = ownCpuMs();
  const { find, fileBytes, close } = await TEXT_ENGINES[engine](db);
  const buildCpuMs = ownCpuMs() - cpuBefore;
  const found = queries.map(find);
  const costs = await medianCosts(queries, ROUNDS, find);
  const residentMb = (resident() - residentBefore) / MB;
  process.send!({ buildCpuMs, residentMb, fileMb: fileBytes / MB, found, costs } satisfies TextReport);
  close();
  await db.close();
  process.disconnect();
});

function resident(): number {
  // Twice: what the first run finalises, the second frees.
  for (let i = 0; i < 2; i++) (globalThis as { gc?: () => void }).gc!();
  return process.memoryUsage.rss();
}
