import { readFileSync } from 'node:fs';
import type { BenchDatabase } from './http-database.ts';
import { type BenchServer, getRequest, type Load, load, quantile } from './http-load.ts';
import { LARGE_SET, type MarketCard } from './market-database.ts';

const REQUESTS = 1000;
/** Of pages that are read from many rows, or take long. */
const FEW_REQUESTS = 200;
const LONG_REQUESTS = 10;
const WARM_UP_SHARE = 5;
const SECONDS = 120;
const ACCEPT = { accept: 'text/html' };

type Timed = { name: string; paths: readonly string[]; requests: number; aimMs: number | null };

/**
 * Server time of pages without and with the cache of responses, one request at a time: p50 and p95 with the ratio to the aim,
 * CPU of the server, CPU of PostgreSQL and statements of a request.
 */
export async function pageTimes(
  database: BenchDatabase,
  start: (cacheMb: number) => Promise<BenchServer>,
  cards: readonly MarketCard[],
): Promise<void> {
  // A multiplier prime to the number of cards scatters the requests over them.
  const scattered = Array.from({ length: REQUESTS }, (_, i) => cards[(i * 7919) % cards.length]!);
  const large = LARGE_SET.path;
  const set = cards[0]!.path.split('/').slice(0, 2).join('/');
  const one = (name: string, path: string, aimMs: number | null, requests = FEW_REQUESTS): Timed => {
    return { name, paths: [path], requests, aimMs };
  };
  const card = scattered.map(({ path, id8 }) => `/card/${path}-psa-10-${id8}`);
  const cold = await start(0);
  for (const timed of [
    one('/health, the floor', '/health', null, REQUESTS),
    { name: 'card at a grade', paths: card, requests: REQUESTS, aimMs: 8 },
    { name: 'card', paths: scattered.map(({ path, id8 }) => `/card/${path}-${id8}`), requests: REQUESTS, aimMs: 8 },
    one('home', '/', 15),
    one('indices', '/indices', 15),
    one('an index', '/indices/pokemon', 15),
    one('movers', '/movers', 15),
    one('sales', '/sales', 15),
    one('set of 300', `/card/${set}`, 15),
    one(`set of ${LARGE_SET.cards}`, `/card/${large}`, 30),
    one(`/v1/sets, ${LARGE_SET.cards} cards`, `/v1/sets/${large}`, null, LONG_REQUESTS),
  ])
    await say(cold, database, timed);
  cold.stop();
  const hot = await start(128);
  await say(hot, database, one('card, cached', card[0]!, 1, REQUESTS));
  hot.stop();
  console.log(`load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
}

async function say(server: BenchServer, { db }: BenchDatabase, { name, paths, requests, aimMs }: Timed): Promise<void> {
  let turn = 0;
  const next = () => getRequest(paths[turn++ % paths.length]!, ACCEPT);
  const run = (count: number): Promise<Load> =>
    load(server.port, { connections: 1, seconds: SECONDS, requests: count, next, keepLatencies: true });
  await run(Math.ceil(requests / WARM_UP_SHARE));
  const [before, backendBefore] = [await server.usage(), await backendMs(db)];
  const { latenciesMs, requests: answered } = await run(requests);
  const [after, backendAfter] = [await server.usage(), await backendMs(db)];
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(latenciesMs, share)) as [number, number];
  const a = (total: number) => (total / answered).toFixed(2);
  const aim = aimMs === null ? '' : `, ${(p50 / aimMs).toFixed(2)} of the aim of ${aimMs}`;
  console.log(
    `${name.padEnd(24)} p50 ${p50.toFixed(2)} ms${aim}, p95 ${p95.toFixed(2)}; CPU ${a((after.cpuMicros - before.cpuMicros) / 1000)} ms, of PostgreSQL ${a(backendAfter - backendBefore)} ms, ${a(after.statements - before.statements)} statements`,
  );
}

const TICK_MS = 10;
/** Places behind the name of the program; proc(5). `utime` and the three after it: own time, and that of children that have ended. */
const [PPID, UTIME] = [1, 11];

/** Milliseconds of CPU that the processes of PostgreSQL have used, those of closed connections too. */
async function backendMs(db: BenchDatabase['db']): Promise<number> {
  const pids = await db.query<{ pid: number }>('select pid from pg_stat_activity');
  const stats = pids.map(({ pid }) => fieldsOf(pid));
  const server = fieldsOf(Number(stats[0]![PPID]));
  const ticks = [server, ...stats].flatMap((fields) => fields.slice(UTIME, UTIME + 4).map(Number));
  return TICK_MS * ticks.reduce((sum, one) => sum + one, 0);
}

function fieldsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
}
