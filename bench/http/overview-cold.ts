/**
 * `node --import tsx bench/http/overview-cold.ts [items] [requests]`: overviews of random cards with the response cache
 * off, one after the other, next to the same server's answer that costs one trivial query
 * (`/health`). Prints p50 (aim: at most 2 ms at 150,000 items), p95 and p99 as a client sees them, and their ratio.
 */
import { benchDatabase, fillPricedItems } from './http-database.ts';
import { getRequest, type Load, load, quantile, startServer } from './http-load.ts';

const ITEMS = Number(process.argv[2] ?? 150_000);
const REQUESTS = Number(process.argv[3] ?? 4000);
const WARM_UP_REQUESTS = 1000;
const MAX_SECONDS = 60;

const database = await benchDatabase();
try {
  const started = performance.now();
  const paths = await fillPricedItems(database.db, ITEMS);
  console.log(`${ITEMS.toLocaleString('en')} items priced in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const server = await startServer({ serve: 'app', connection: database.connection, cacheMb: 0 });
  let turn = 0;
  // A multiplier prime to the number of items scatters the requests over them.
  const nextOverview = () => getRequest(paths[(turn++ * 7919) % paths.length]!);
  const health = getRequest('/health');
  const oneByOne = (next: () => Buffer, requests: number, connections = 1) =>
    load(server.port, { connections, seconds: MAX_SECONDS, requests, next, keepLatencies: true });
  await oneByOne(nextOverview, WARM_UP_REQUESTS);
  await oneByOne(() => health, WARM_UP_REQUESTS);
  const floor = await oneByOne(() => health, REQUESTS);
  const before = await server.usage();
  const cold = await oneByOne(nextOverview, REQUESTS);
  const after = await server.usage();
  say('/health ', floor);
  say('overview', cold);
  console.log(`server CPU ${((after.cpuMicros - before.cpuMicros) / cold.requests).toFixed(0)} µs an overview`);
  console.log(`ratio of the p50s ${(p(cold, 0.5) / p(floor, 0.5)).toFixed(2)}; overview p50 aim: at most 2 ms`);
  const busy = await oneByOne(nextOverview, REQUESTS, 8);
  say('overview, 8 at a time', busy);
  server.stop();
} finally {
  await database.stop();
}

function p({ latenciesMs }: Load, share: number): number {
  return quantile(latenciesMs, share);
}

function say(name: string, run: Load): void {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => p(run, share).toFixed(2));
  console.log(
    `${name} p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms; ${Math.round(run.requests / run.seconds)} requests/s`,
  );
}
