/**
 * `node --import tsx bench/indices/indices-hot.ts [rounds] [requests]`: four live indices of 100 cards. `/v1/indices` from the cache
 * of cached responses against bare `node:http` sending the same bytes (aim: at most 2.2 × its CPU); then, with the cache off and
 * one request at a time, the detail of an index and the tiles (p50, p95), against `/health`; then what the downloads of
 * one year weigh, and ten of them by proportion.
 */
import type { Db } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { compareHot } from '../http/hot-compare.ts';
import { benchDatabase } from '../http/http-database.ts';
import { type BenchServer, getRequest, load, quantile, startServer } from '../http/http-load.ts';
import { insertIndexCards, LAST_DAY } from './index-cards.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const REQUESTS = Number(process.argv[3] ?? 300);
const AIM_RATIO = 2.2;
const MAX_SECONDS = 60;

const database = await benchDatabase();
try {
  const started = performance.now();
  await fillIndices(database.db);
  console.log(`four indices closed in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const { connection } = database;
  const hot = await startServer({ serve: 'app', connection, cacheMb: 64 });
  await compareHot(hot, '/v1/indices', ROUNDS, AIM_RATIO);
  hot.stop();
  const cold = await startServer({ serve: 'app', connection, cacheMb: 0 });
  for (const path of ['/health', '/v1/indices/pokemon', '/v1/indices']) await sayCold(cold, path);
  await sayDownloads(cold);
  cold.stop();
} finally {
  await database.stop();
}

async function fillIndices(db: Db): Promise<void> {
  await insertIndexCards(db);
  await reprice(db, { through: LAST_DAY });
  await closeIndices(db, { through: LAST_DAY });
  await db.query('vacuum analyze');
}

async function sayCold(server: BenchServer, path: string): Promise<void> {
  const run = (requests: number) =>
    load(server.port, {
      connections: 1,
      seconds: MAX_SECONDS,
      requests,
      next: () => getRequest(path),
      keepLatencies: true,
    });
  await run(Math.ceil(REQUESTS / 5));
  const before = await server.usage();
  const { latenciesMs, requests } = await run(REQUESTS);
  const cpuMs = ((await server.usage()).cpuMicros - before.cpuMicros) / requests / 1000;
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(latenciesMs, share).toFixed(2));
  console.log(`cold ${path}: p50 ${p50} ms, p95 ${p95} ms, server CPU ${cpuMs.toFixed(2)} ms`);
}

async function sayDownloads(server: BenchServer): Promise<void> {
  for (const name of ['levels', 'baskets', 'prices']) {
    for (const form of ['csv', 'json']) {
      const begun = performance.now();
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/indices/pokemon/${name}.${form}`);
      const text = await response.text();
      const rows = form === 'csv' ? text.split('\r\n').length - 2 : JSON.parse(text)[name].length;
      const took = (performance.now() - begun).toFixed(0);
      console.log(`${name}.${form}: ${rows} rows, ${(text.length / rows).toFixed(0)} bytes a row, ${took} ms`);
    }
  }
}
