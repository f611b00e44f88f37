/**
 * Building the index at three sizes, each in a process of its own: first as a server does, in its thread, for memory and how
 * long the event loop is held; then in the process itself, for CPU, the size of the index and queries.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { ClientConfig } from 'pg';
import { pino } from 'pino';
import { openDb } from '../../src/db/client.ts';
import { openLiveIndex } from '../../src/search/index/live.ts';
import { loadIndex } from '../../src/search/index/load-index.ts';
import { rankText } from '../../src/search/query/rank-text.ts';
import { aim, middle, spread } from '../access/access-aim.ts';
import { quantile } from '../http/http-load.ts';
import { medianCosts, ownCpuMs } from './search-measure.ts';
import { searchQueries } from './search-queries.ts';
import { connectionAt, SIZES } from './search-world.ts';

const ROUNDS = 3;
const MAX_BLOCK_MS = 30;
const NAMES = 200;

export type Built = {
  items: number;
  words: number;
  seconds: number;
  cpuSeconds: number;
  indexMb: number;
  mostMb: number;
  /** The longest time that the event loop was held, as a timer sees it. */
  blockMs: number;
  textMs: number;
  prefixMs: number;
  /** Of names of cards that the catalog has. */
  nameMs: number;
};

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (connection: ClientConfig) => void buildHere(connection));
}

export async function measureGrowth(connection: ClientConfig): Promise<void> {
  const rounds = SIZES.map(() => [] as Built[]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, size] of SIZES.entries()) rounds[i]!.push(await buildInChild(connectionAt(connection, size)));
  }
  const of = (built: readonly Built[], what: keyof Built) => middle(built.map((one) => one[what]));
  for (const built of rounds) {
    const show = (what: keyof Built, digits = 1) =>
      spread(
        built.map((one) => one[what]),
        digits,
      );
    console.log(
      `${of(built, 'items').toLocaleString('en')} items, ${of(built, 'words').toLocaleString('en')} words: built in ${show('cpuSeconds')} s CPU, ${show('seconds')} s on the clock; index ${show('indexMb', 0)} MB, process at most ${show('mostMb', 0)} MB; longest block ${show('blockMs', 0)} ms; judged p50 ${show('textMs', 2)}, two letters p50 ${show('prefixMs', 2)} ms CPU`,
    );
  }
  const [small, , grown] = rounds as [Built[], Built[], Built[]];
  const times = (what: keyof Built) => of(grown, what) / of(small, what);
  for (const what of ['cpuSeconds', 'indexMb', 'textMs', 'prefixMs'] as const) {
    const items = times('items');
    aim(
      `${what}, smallest to grown`,
      `${times(what).toFixed(1)} ×`,
      `≤ ${items.toFixed(1)} ×, the items`,
      times(what) <= items,
    );
  }
  const block = of(grown, 'blockMs');
  aim('longest block of a build', `${block.toFixed(0)} ms`, `≤ ${MAX_BLOCK_MS} ms`, block <= MAX_BLOCK_MS);
}

/** Builds the index of a database in a process of its own. */
export async function buildInChild(connection: ClientConfig): Promise<Built> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx', '--expose-gc'] });
  child.send(connection);
  const [built] = (await once(child, 'message')) as [Built];
  child.disconnect();
  return built;
}

async function buildHere(connection: ClientConfig): Promise<void> {
  const db = openDb({ connection, poolSize: 2 });
  await db.query('select 1');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const live = openLiveIndex({ db, log: pino({ level: 'silent' }), synonymsFile: null });
  await live.built();
  delay.disable();
  await live.close();
  const mostMb = process.resourceUsage().maxRSS / 1024;
  const before = heldMb();
  const cpu = ownCpuMs();
  const begun = performance.now();
  const index = await loadIndex(db);
  const seconds = (performance.now() - begun) / 1000;
  const cpuSeconds = (ownCpuMs() - cpu) / 1000;
  const indexMb = heldMb() - before;
  // By id, which is random.
  const names = await db.query<{ name: string }>('select name from items order by id limit $1', [NAMES]);
  await db.close();
  const { judged, prefixes } = searchQueries(index);
  const p50 = async (queries: string[]) => {
    for (const q of queries) rankText(index, q);
    const costs = await medianCosts(queries, 1, (q) => rankText(index, q));
    return quantile(
      costs.map(({ cpuMs }) => cpuMs),
      0.5,
    );
  };
  const built: Built = {
    items: index.size,
    words: index.vocabulary.words.length,
    seconds,
    cpuSeconds,
    indexMb,
    mostMb,
    blockMs: delay.max / 1e6,
    textMs: await p50(judged),
    prefixMs: await p50(prefixes),
    nameMs: await p50(names.map(({ name }) => name)),
  };
  process.send!(built);
}

function heldMb(): number {
  // Twice: what the first run finalises, the second frees.
  for (let i = 0; i < 2; i++) (globalThis as { gc?: () => void }).gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}
